//! Rounds whose cards are not tracked: the steps of 7.E to 7.U as a list, at dealing speed (H6).
//!
//! The up card's group is one tap, a seat's blackjack or surrender another; decisions and totals are the dealer's.

use super::Engine;
use super::state::{Burns, HandStatus, Phase, Step};
use crate::card::{Card, Rank};
use crate::event::{Action, Event, Sink};
use crate::game::Direction;
use crate::hand::Hand;
use crate::input::{InputKind, PeekAnswer, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::Moment;
use crate::source::Point;
use crate::table::Tracking;
use crate::wager::WagerId;

/// What `next` says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// The dealer has looked at the hand or the lamp.
    Walk,
    /// Every box is its own person, as far as they are not linked.
    Persons,
    /// Nothing is said about what had been paid before the void (H12).
    Payments,
    /// A step of a round whose cards are not tracked.
    Step(Step),
}

impl Engine {
    fn step(&self, kind: InputKind) -> Result<Step, Refusal> {
        match (self.now.phase, self.tracking) {
            (Phase::Procedure(step), _) => Ok(step),
            (_, Tracking::Cards) => self.refuse(Reason::WrongTracking(kind), Point::ProcedureSteps),
            (_, Tracking::Procedure) => self.not_now(kind),
        }
    }

    pub(super) fn check_up(&self) -> Result<(), Refusal> {
        if self.step(InputKind::Up)? != Step::Deal || self.burn_is_required() {
            return self.not_now(InputKind::Up);
        }
        if self.draw_is_due() {
            return self.refuse(Reason::DrawDue, Point::RandomDraws);
        }
        Ok(())
    }

    pub(super) fn on_up(&mut self, group: UpGroup, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_up()?;
        self.now.set_burns(Burns::NONE);
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

    /// What `next` would do now.
    pub(super) fn check_next(&self) -> Result<Next, Refusal> {
        if self.walks_on(InputKind::Next) {
            return Ok(Next::Walk);
        }
        if self.only_payments_are_asked() {
            return Ok(Next::Payments);
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
            return Ok(Next::Persons);
        }
        match self.step(InputKind::Next)? {
            Step::Deal | Step::Peek => self.not_now(InputKind::Next),
            Step::DealerBlackjack | Step::DealerDraws if self.draw_is_due() => {
                self.refuse(Reason::DrawDue, Point::RandomDraws)
            }
            Step::Insurance => {
                self.check_insurance_open(InputKind::InsuranceClosed).map(|()| Next::Step(Step::Insurance))
            }
            step @ (Step::FirstCards
            | Step::DealerBlackjack
            | Step::Decisions
            | Step::Reveal
            | Step::DealerDraws
            | Step::Settle) => Ok(Next::Step(step)),
        }
    }

    pub(super) fn on_next(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        match self.check_next()? {
            Next::Walk => self.walk_on(out),
            Next::Persons => self.close_additional_questions(out),
            Next::Payments => self.payments_are_left(out),
            Next::Step(step) => self.step_is_done(step, out),
        }
        Ok(())
    }

    fn step_is_done(&mut self, step: Step, out: &mut impl Sink) {
        let source = self.cite(self.due());
        match step {
            Step::Deal | Step::Peek => {}
            Step::FirstCards => self.now.phase = Phase::Procedure(self.step_after_first_cards()),
            Step::Insurance => return self.close_insurance(out),
            Step::DealerBlackjack => {
                out.push(Event::StepDone { source });
                return self.settle_told_blackjack(out);
            }
            // A false "yes" has exposed the hole card already (S12).
            Step::Decisions if self.now.hole_told => self.hole_card_has_been_turned(out),
            Step::Decisions => self.now.phase = Phase::Procedure(Step::Reveal),
            Step::Reveal => self.hole_card_has_been_turned(out),
            Step::DealerDraws => {
                self.push_drawn_lines_of_all(out);
                for seat in self.unsettled(HandStatus::Blackjack).iter(Direction::FromRight) {
                    self.settle_blackjack_won(seat, out);
                }
                self.now.phase = Phase::Procedure(Step::Settle);
            }
            Step::Settle => {
                self.confirm_all(out);
                out.push(Event::StepDone { source });
                return self.end_round(out);
            }
        }
        out.push(Event::StepDone { source });
    }

    /// It makes no blackjack: half of each surrendered wager goes back (9.C(2)(b)), and the dealer draws.
    fn hole_card_has_been_turned(&mut self, out: &mut impl Sink) {
        for seat in self.unsettled(HandStatus::Surrendered).iter(Direction::FromRight) {
            self.settle_surrender(seat, Point::SurrenderHalf, out);
        }
        self.now.phase = Phase::Procedure(Step::DealerDraws);
    }

    /// The up card whose reader's answer the hole card can be held against now, where it is turned and not told yet.
    pub(super) fn hole_card_is_asked(&self) -> Option<UpGroup> {
        let turned = matches!(self.now.phase, Phase::Procedure(Step::Reveal | Step::DealerBlackjack));
        self.now.up.filter(|up| up.peeks() && turned && !self.now.hole_told)
    }

    /// `reveal` in place of `next`: the dealer tells the hole card, and the reader's answer is held against it (S12).
    pub(super) fn hole_card_is_told(&mut self, up: UpGroup, card: Card, out: &mut impl Sink) {
        let (with_up, blackjack) = match up {
            UpGroup::Ace => (Rank::Ace, card.is_ten_value()),
            UpGroup::Ten | UpGroup::Low => (Rank::King, card.is_ace()),
        };
        let mut dealer = Hand::EMPTY;
        // Of whatever suit: what is told is the total.
        dealer.push(Card::new(with_up, card.suit()));
        dealer.push(card);
        let (total, soft) = (dealer.total(), dealer.is_soft());
        out.push(Event::HoleCardRevealed { card, total, soft, source: self.cite(Point::Reveal) });
        self.now.hole_told = true;
        let said_yes = matches!(self.now.phase, Phase::Procedure(Step::DealerBlackjack));
        match (said_yes, blackjack) {
            (true, true) => {}
            (false, false) => self.hole_card_has_been_turned(out),
            (true, false) => {
                out.push(Event::ReaderWrong { said: PeekAnswer::Yes, source: self.cite(Point::ReaderWrong) });
                self.take_back_the_yes(out);
                self.stop_reader(out);
            }
            (false, true) => {
                out.push(Event::ReaderWrong { said: PeekAnswer::No, source: self.cite(Point::ReaderWrong) });
                self.now.set_reader_out(true);
                self.now.phase = Phase::Procedure(Step::DealerBlackjack);
            }
        }
    }

    /// Nothing rests on the reader's "yes" any more: neither the blackjacks that were tapped for it nor open claims.
    pub(super) fn take_back_the_yes(&mut self, out: &mut impl Sink) {
        self.now.answer = None;
        self.withdraw_open_claims(out);
        for seat in self.unsettled(HandStatus::Blackjack).iter(Direction::FromLeft) {
            self.now.box_mut(seat).hands[0].status = HandStatus::Open;
        }
    }

    /// Whether the round waits at the dealer's blackjack on the word of the reader alone.
    pub(super) fn rests_on_the_yes(&self) -> bool {
        let told = matches!(self.now.phase, Phase::Procedure(Step::DealerBlackjack));
        told && self.now.answer == Some(PeekAnswer::Yes) && !self.now.hole_told
    }

    /// Whether `next` would be the step that turns the hole card.
    pub(super) fn next_turns_hole_card(&self) -> bool {
        matches!(self.now.phase, Phase::Procedure(Step::Reveal | Step::DealerBlackjack))
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

    // ---- boxes that went short of cards (13.M, 13.N, 13.O; H23) ----

    /// Whether this box's hand may be called dead: nothing has been marked or settled for it.
    pub(super) fn may_be_dead(&self, seat: Seat) -> bool {
        let each = self.now.box_at(seat);
        let untouched = each.hands().iter().all(|hand| hand.status == HandStatus::Open && !hand.settled);
        self.now.in_play.contains(seat) && untouched && !self.now.hole_told
    }

    /// 13.M, 13.N: told from the deal to the end of the decisions, as long as nobody was paid for the box's cards.
    pub(super) fn may_be_short_of_cards(&self, seat: Option<Seat>) -> bool {
        let Phase::Procedure(step) = self.now.phase else { return false };
        let in_time = match step {
            Step::Deal => !self.burn_is_required(),
            Step::FirstCards | Step::Insurance | Step::Peek | Step::Decisions => true,
            Step::DealerBlackjack | Step::Reveal | Step::DealerDraws | Step::Settle => false,
        };
        let served =
            |seat| self.now.box_at(seat).insurance.is_placed() || self.now.lines.iter().any(|line| line.seat == seat);
        in_time && seat.is_some_and(|seat| self.may_be_dead(seat) && !served(seat))
    }

    /// Its hand is dead: every wager of the box goes back with its contribution (X3), on a floorperson's word (H26).
    pub(super) fn box_went_short(&mut self, seat: Seat, point: Point, out: &mut impl Sink) {
        self.open_every_hand(seat);
        self.now.box_mut(seat).hands[0].status = HandStatus::Dead;
        self.dead_hand(seat, point, out);
        if self.now.in_play.is_empty() {
            self.now.phase = Phase::Procedure(Step::Settle);
        }
    }

    pub(super) fn check_seat_blackjack(&self, seat: Seat) -> Result<(), Refusal> {
        self.step(InputKind::SeatBlackjack)?;
        self.check_in_play(seat)?;
        if !self.markable().contains(seat) {
            return self.refuse_mark(seat, InputKind::SeatBlackjack);
        }
        Ok(())
    }

    pub(super) fn on_seat_blackjack(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_seat_blackjack(seat)?;
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

    pub(super) fn check_seat_surrender(&self, seat: Seat) -> Result<(), Refusal> {
        self.check_surrender_exists()?;
        self.step(InputKind::SeatSurrender)?;
        self.check_in_play(seat)?;
        if self.table.restrictions.no_surrender {
            return self.refuse(Reason::HouseRestricted(InputKind::Surrender), Point::HouseRestriction);
        }
        if !self.surrender_markable().contains(seat) {
            return self.refuse_mark(seat, InputKind::SeatSurrender);
        }
        Ok(())
    }

    pub(super) fn on_seat_surrender(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_seat_surrender(seat)?;
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
