//! Rounds whose cards are not tracked: the steps of 7.E to 7.U as a list, at dealing speed (H6).
//!
//! The up card's group is one tap, a seat's blackjack or surrender another; decisions and totals are the dealer's.

use super::Engine;
use super::state::{BurnDue, HandStatus, Phase, Step};
use crate::event::{Action, Event, Events};
use crate::game::Direction;
use crate::input::{InputKind, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::Tracking;
use crate::wager::WagerId;

impl Engine {
    fn step(&self, kind: InputKind) -> Result<Step, Refusal> {
        match (self.now.phase, self.tracking) {
            (Phase::Procedure(step), _) => Ok(step),
            (_, Tracking::Cards) => self.refuse(Reason::WrongTracking(kind), Point::ProcedureSteps),
            (_, Tracking::Procedure) => self.not_now(kind),
        }
    }

    pub(super) fn on_up(&mut self, group: UpGroup, out: &mut Events) -> Result<(), Refusal> {
        if self.step(InputKind::Up)? != Step::Deal || self.now.between.burn == BurnDue::NewDealer {
            return self.not_now(InputKind::Up);
        }
        self.now.between.burn = BurnDue::No;
        self.now.up = Some(group);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            self.now.box_mut(seat).open_hand();
        }
        out.push(Event::StepDone { source: self.cite(Point::DealUpCard) });
        self.now.phase = Phase::Procedure(match group {
            UpGroup::Ace => Step::Insurance,
            UpGroup::Ten => Step::Peek,
            UpGroup::Low => Step::Decisions,
        });
        Ok(())
    }

    pub(super) fn on_next(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if matches!(self.now.phase, Phase::AskAdditional) {
            if self.amounts_are_missing() {
                let seat = self.amount_seats().lowest().unwrap_or(self.now.turn.seat);
                let reason = Reason::AmountNeededFirst { seat, wager: WagerId::Main };
                return self.refuse(reason, Point::AmountAsked);
            }
            self.close_additional_questions(out);
            return Ok(());
        }
        let source = self.cite(self.due());
        match self.step(InputKind::Next)? {
            Step::Deal | Step::Peek => return self.not_now(InputKind::Next),
            Step::Insurance => return self.on_insurance_closed(out),
            Step::DealerBlackjack => {
                out.push(Event::StepDone { source });
                self.settle_dealer_blackjack(out);
                return Ok(());
            }
            Step::Decisions => self.now.phase = Phase::Procedure(Step::Reveal),
            Step::Reveal => {
                for seat in self.unsettled(HandStatus::Surrendered).iter(Direction::FromRight) {
                    self.settle_surrender(seat, Point::SurrenderHalf, out);
                }
                self.now.phase = Phase::Procedure(Step::DealerDraws);
            }
            Step::DealerDraws => {
                for seat in self.unsettled(HandStatus::Blackjack).iter(Direction::FromRight) {
                    self.settle_blackjack_won(seat, out);
                }
                self.now.phase = Phase::Procedure(Step::Settle);
            }
            Step::Settle => {
                self.confirm_implied(self.now.lines.len(), out);
                out.push(Event::StepDone { source });
                self.end_round(out);
                return Ok(());
            }
        }
        out.push(Event::StepDone { source });
        Ok(())
    }

    /// Boxes with this mark whose line is still to be drawn up.
    fn unsettled(&self, status: HandStatus) -> SeatSet {
        self.now
            .in_play
            .iter(Direction::FromLeft)
            .filter(|&seat| {
                let hand = &self.now.box_at(seat).hands[0];
                hand.status == status && !hand.settled
            })
            .collect()
    }

    /// Boxes that carry no mark yet, where marks may be set.
    pub(super) fn markable(&self) -> SeatSet {
        if matches!(self.now.phase, Phase::Procedure(Step::Decisions | Step::DealerBlackjack)) {
            self.unsettled(HandStatus::Open)
        } else {
            SeatSet::EMPTY
        }
    }

    pub(super) fn surrender_markable(&self) -> SeatSet {
        if matches!(self.now.phase, Phase::Procedure(Step::Decisions)) && !self.table.restrictions.no_surrender {
            self.unsettled(HandStatus::Open)
        } else {
            SeatSet::EMPTY
        }
    }

    pub(super) fn on_seat_blackjack(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        self.step(InputKind::SeatBlackjack)?;
        self.check_in_play(seat)?;
        if !self.markable().contains(seat) {
            return self.refuse_mark(seat, InputKind::SeatBlackjack);
        }
        self.now.box_mut(seat).hands[0].status = HandStatus::Blackjack;
        if matches!(self.now.phase, Phase::Procedure(Step::Decisions)) {
            self.serve_blackjack(seat, out);
        } else {
            out.push(Event::BlackjackAnnounced { seat, source: self.cite(Point::DealerBlackjack) });
        }
        Ok(())
    }

    fn refuse_mark(&self, seat: Seat, kind: InputKind) -> Result<(), Refusal> {
        let marked = self.now.box_at(seat).hand_count > 0 && self.now.box_at(seat).hands[0].status != HandStatus::Open;
        if marked { self.refuse(Reason::SeatAlreadyMarked(seat), self.due()) } else { self.not_now(kind) }
    }

    pub(super) fn on_seat_surrender(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        self.step(InputKind::SeatSurrender)?;
        self.check_in_play(seat)?;
        if self.table.restrictions.no_surrender {
            return self.refuse(Reason::HouseRestricted(InputKind::Surrender), Point::HouseRestriction);
        }
        if !self.surrender_markable().contains(seat) {
            return self.refuse_mark(seat, InputKind::SeatSurrender);
        }
        self.now.box_mut(seat).hands[0].status = HandStatus::Surrendered;
        let source = self.cite(Point::Surrender);
        out.push(Event::Acted { seat, hand: 1, action: Action::Surrender, amount: None, source });
        if self.now.up == Some(UpGroup::Low) {
            self.settle_surrender(seat, Point::SurrenderAtOnce, out);
        }
        Ok(())
    }
}
