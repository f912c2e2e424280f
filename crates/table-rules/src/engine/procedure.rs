//! Rounds whose cards are not tracked: the steps of 7.E to 7.U as a list, at dealing speed (H6).
//!
//! The up card's group is one tap, a seat's blackjack or surrender another; decisions and totals are the dealer's.

use super::Engine;
use super::state::{Burns, HandStatus, Phase, Step};
use crate::event::{Action, Event, Events};
use crate::game::Direction;
use crate::input::{Input, InputKind, Text, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::{Line as SideLine, Moment};
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
        if self.step(InputKind::Up)? != Step::Deal || self.burn_is_required() {
            return self.not_now(InputKind::Up);
        }
        self.now.between.burns = Burns::NONE;
        self.now.up = Some(group);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            self.now.box_mut(seat).open_hand();
        }
        out.push(Event::StepDone { source: self.cite(Point::DealUpCard) });
        let first_card_wagers = self.side_wagers_at(Moment::FirstCards);
        let step = if first_card_wagers { Step::FirstCards } else { self.step_after_first_cards() };
        self.now.phase = Phase::Procedure(step);
        Ok(())
    }

    fn step_after_first_cards(&self) -> Step {
        match self.now.up {
            Some(UpGroup::Ace) => Step::Insurance,
            Some(UpGroup::Ten) => Step::Peek,
            Some(UpGroup::Low) | None => Step::Decisions,
        }
    }

    /// Progressive wagers whose winning line may be claimed at this seat.
    pub(super) fn claimable(&self, seat: Seat) -> u32 {
        let tracked = self.tracking == Tracking::Cards;
        let too_early = matches!(self.now.phase, Phase::Wagering | Phase::Procedure(Step::Deal));
        if tracked || too_early || !self.now.in_play.contains(seat) {
            return 0;
        }
        self.now.box_at(seat).side_open & self.side.sensor
    }

    pub(super) fn read_claim(&self, seat: Seat, side: u8, line: Text) -> Option<SideLine> {
        let offered = self.offered(side);
        let stake = self.side_stake(seat, side).amount();
        let spun = || offered.spin(line.as_str(), stake).map(|spin| spin.spinner);
        offered.line_named(line.as_str()).filter(|&line| offered.prints(line, stake)).or_else(spun)
    }

    /// A seat's progressive win, its line chosen by the dealer: hand, lamp and floorperson follow (7.O(1)).
    pub(super) fn on_claim(&mut self, seat: Seat, wager: WagerId, line: Text, out: &mut Events) -> Result<(), Refusal> {
        if self.tracking == Tracking::Cards {
            return self.refuse(Reason::WrongTracking(InputKind::Claim), Point::ProcedureSteps);
        }
        self.check_in_play(seat)?;
        let side = self.check_wager_id(wager)?.filter(|side| self.side.sensor & (1 << side) != 0);
        let Some(side) = side else {
            return self.refuse(Reason::NotAProgressive(wager), Point::VerifyHand);
        };
        if self.claimable(seat) & (1 << side) == 0 {
            return self.not_now(InputKind::Claim);
        }
        let Some(won) = self.read_claim(seat, side, line) else {
            return self.refuse(Reason::NoSuchLine(wager), Point::VerifyHand);
        };
        self.close_side(seat, side);
        self.push_claim(seat, side, won, out);
        Ok(())
    }

    pub(super) fn on_next(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if self.walks_on(InputKind::Next) {
            self.walk_on(out);
            return Ok(());
        }
        if matches!(self.now.phase, Phase::AskAdditional) {
            if self.draw_is_due() {
                return self.refuse(Reason::DrawDue, Point::RandomDraws);
            }
            if let Some((seat, side)) = self.any_side_amount_asked() {
                let reason = Reason::AmountNeededFirst { seat, wager: self.offered(side).id() };
                return self.refuse(reason, Point::AmountAsked);
            }
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
            Step::FirstCards => self.now.phase = Phase::Procedure(self.step_after_first_cards()),
            Step::Insurance => return self.on_insurance_closed(out),
            Step::DealerBlackjack => {
                out.push(Event::StepDone { source });
                self.settle_told_blackjack(out);
                return Ok(());
            }
            Step::Decisions => self.now.phase = Phase::Procedure(Step::Reveal),
            Step::Reveal => {
                for seat in self.unsettled(HandStatus::Surrendered).iter(Direction::FromRight) {
                    self.settle_surrender(seat, Point::SurrenderHalf, out);
                }
                self.now.phase = Phase::Procedure(Step::DealerDraws);
            }
            Step::DealerDraws if self.draw_is_due() => return self.refuse(Reason::DrawDue, Point::RandomDraws),
            Step::DealerDraws => {
                self.push_drawn_bonuses(out);
                for seat in self.unsettled(HandStatus::Blackjack).iter(Direction::FromRight) {
                    self.settle_blackjack_won(seat, out);
                }
                self.now.phase = Phase::Procedure(Step::Settle);
            }
            Step::Settle => {
                self.confirm_all(out);
                out.push(Event::StepDone { source });
                self.end_round(out);
                return Ok(());
            }
        }
        out.push(Event::StepDone { source });
        Ok(())
    }

    /// Whether this input would be the step that turns the hole card.
    pub(super) fn turns_hole_card(&self, input: &Input) -> bool {
        matches!(self.now.phase, Phase::Procedure(Step::Reveal | Step::DealerBlackjack))
            && matches!(input, Input::Next)
            && !self.walks_on(InputKind::Next)
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
        self.now.surrendered = true;
        let source = self.cite(Point::Surrender);
        out.push(Event::Acted { seat, hand: 1, action: Action::Surrender, amount: None, source });
        if self.now.up == Some(UpGroup::Low) {
            self.settle_surrender(seat, Point::SurrenderAtOnce, out);
        } else {
            out.push(Event::WagerOnCards { seat, source: self.cite(Point::SurrenderWaits) });
        }
        Ok(())
    }
}
