//! Chapter 8 and the reader: insurance until the hole card is inserted, even money, and the reader's one question.

use super::Engine;
use super::rows::Ending;
use super::state::{HandStatus, Phase, Step, Want};
use crate::event::{Event, Sink};
use crate::input::{InputKind, PeekAnswer, UpGroup};
use crate::line::{Outcome, Stake};
use crate::money::{Cents, Pay, Ratio, Rounding};
use crate::prompt::AmountRange;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::Moment;
use crate::source::Point;
use crate::table::{Tracking, Variation};
use crate::wager::WagerId;

/// After this many unread insertions the reader counts as malfunctioning and a floorperson is called (S12).
pub(super) const UNREAD_MAX: u8 = 2;

impl Engine {
    pub(super) fn insurance_is_open(&self) -> bool {
        matches!(self.now.phase, Phase::Insurance | Phase::Procedure(Step::Insurance)) && !self.now.insurance_closed
    }

    pub(super) fn check_insurance_open(&self, kind: InputKind) -> Result<(), Refusal> {
        if self.insurance_is_open() {
            return Ok(());
        }
        match (self.now.phase, self.now.up) {
            (Phase::FirstCards, Some(UpGroup::Ace)) => self.refuse(Reason::SettleFirst, Point::AfterFirstCardWagers),
            (_, Some(up @ (UpGroup::Ten | UpGroup::Low))) => {
                self.refuse(Reason::NoInsuranceUnder(up), Point::InsuranceOnAceOnly)
            }
            (Phase::Wagering | Phase::Dealing(_), _) => self.not_now(kind),
            (_, Some(UpGroup::Ace)) => self.refuse(Reason::NotNow(kind), Point::InsuranceClosed),
            (_, None) => self.not_now(kind),
        }
    }

    /// Half the wager, or the next amount the smallest chip can make (S7). Unknown wagers take no known insurance.
    pub(super) fn insurance_range(&self, seat: Seat) -> AmountRange {
        match self.now.box_at(seat).main.amount() {
            None => AmountRange::UNKNOWN_ONLY,
            Some(main) => AmountRange {
                least: self.table.smallest_chip,
                most: self.insurance_most(seat, main),
                step: self.table.smallest_chip,
                may_be_unknown: true,
            },
        }
    }

    /// Each of Switch's two equal wagers may be insured up to its half (B8), a dead hand's not (H13).
    fn insurance_most(&self, seat: Seat, main: Cents) -> Cents {
        let half = Ratio::new(1, 2).of(main, self.table.smallest_chip, Rounding::Up);
        match self.table.variation {
            Variation::Switch if self.now.box_at(seat).hands().iter().all(|hand| hand.status != HandStatus::Dead) => {
                half + half
            }
            Variation::Switch => half,
            Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe => half,
        }
    }

    /// Boxes that may still insure: those with a hand that is neither insured nor paid even money.
    pub(super) fn uninsured(&self) -> SeatSet {
        let mut seats = SeatSet::EMPTY;
        for seat in self.now.in_play.iter(crate::game::Direction::FromLeft) {
            let each = self.now.box_at(seat);
            let even_money = each.hands().iter().any(|hand| hand.status == HandStatus::EvenMoney);
            if !each.insurance.is_placed() && !even_money {
                seats = seats.with(seat);
            }
        }
        seats
    }

    pub(super) fn check_insure(&self, seat: Seat, amount: Option<Cents>) -> Result<(), Refusal> {
        self.check_insurance_open(InputKind::Insure)?;
        self.check_in_play(seat)?;
        if !self.uninsured().contains(seat) {
            return self.refuse(Reason::InsuranceTaken(seat), Point::OfferInsurance);
        }
        let range = self.insurance_range(seat);
        if let Some(amount) = amount {
            if self.now.box_at(seat).main.is_unknown() {
                return self.refuse(Reason::AmountNeededFirst { seat, wager: WagerId::Main }, Point::AmountAsked);
            }
            if amount <= Cents::ZERO {
                return self.refuse(Reason::AmountNotPositive, Point::InsuranceAtMostHalf);
            }
            if amount > range.most {
                return self.refuse(Reason::InsuranceTooHigh { most: range.most }, Point::InsuranceAtMostHalf);
            }
            if !range.admits(Some(amount)) {
                return self.refuse(Reason::NotInChips { smallest: range.step }, Point::TableLimits);
            }
        }
        Ok(())
    }

    pub(super) fn on_insure(&mut self, seat: Seat, amount: Option<Cents>, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_insure(seat, amount)?;
        self.now.box_mut(seat).insurance = Stake::from_input(amount);
        out.push(Event::InsurancePlaced { seat, amount, source: self.cite(Point::OfferInsurance) });
        Ok(())
    }

    pub(super) fn check_in_play(&self, seat: Seat) -> Result<(), Refusal> {
        self.check_seat(seat)?;
        if !self.now.in_play.contains(seat) {
            return self.refuse(Reason::NoWagerThere { seat, wager: WagerId::Main }, Point::MainWagerFirst);
        }
        Ok(())
    }

    /// Boxes that may take even money: an uninsured blackjack, where the submission offers it (8.E, D5).
    pub(super) fn even_money_seats(&self) -> SeatSet {
        if !self.table.even_money || !self.insurance_is_open() {
            return SeatSet::EMPTY;
        }
        // Where cards are not tracked, the dealer vouches for the blackjack.
        let vouched = self.tracking == Tracking::Procedure;
        self.uninsured()
            .iter(crate::game::Direction::FromLeft)
            .filter(|&seat| vouched || self.now.box_at(seat).hands()[0].status == HandStatus::Blackjack)
            .collect()
    }

    pub(super) fn check_even_money(&self, seat: Seat) -> Result<(), Refusal> {
        if !self.table.even_money {
            return self.refuse(Reason::EvenMoneyNotOffered, Point::EvenMoneyNotOffered);
        }
        self.check_insurance_open(InputKind::EvenMoney)?;
        self.check_in_play(seat)?;
        if !self.uninsured().contains(seat) {
            return self.refuse(Reason::InsuranceTaken(seat), Point::EvenMoney);
        }
        // Dealt from the hand, nobody has seen the cards: they are turned first, and then it shows.
        if self.now.box_at(seat).hands()[0].cards.cards_down() > 0 {
            return self.refuse(Reason::TurnTheCardsFirst, Point::EvenMoney);
        }
        if !self.even_money_seats().contains(seat) {
            return self.refuse(Reason::NotABlackjack(seat), Point::EvenMoney);
        }
        Ok(())
    }

    pub(super) fn on_even_money(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_even_money(seat)?;
        self.now.box_mut(seat).hands[0].status = HandStatus::EvenMoney;
        self.settle_hand(
            seat,
            0,
            Ending {
                outcome: Outcome::Won,
                name: &"even money",
                pay: Some(Pay::To(Ratio::EVEN)),
                point: Point::EvenMoneyPays,
            },
            out,
        );
        Ok(())
    }

    pub(super) fn on_insurance_closed(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_insurance_open(InputKind::InsuranceClosed)?;
        self.close_insurance(out);
        Ok(())
    }

    pub(super) fn close_insurance(&mut self, out: &mut impl Sink) {
        self.now.insurance_closed = true;
        out.push(Event::InsuranceClosed { source: self.cite(Point::InsuranceClosed) });
        self.now.phase = self.peek_phase();
    }

    fn peek_phase(&self) -> Phase {
        match self.tracking {
            Tracking::Cards => Phase::Peek,
            Tracking::Procedure => Phase::Procedure(Step::Peek),
        }
    }

    pub(super) fn check_peek(&self) -> Result<(), Refusal> {
        match self.now.phase {
            Phase::Insurance | Phase::Procedure(Step::Insurance) | Phase::Peek | Phase::Procedure(Step::Peek) => Ok(()),
            Phase::FirstCards if self.now.up != Some(UpGroup::Low) => {
                self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers)
            }
            Phase::ReaderStopped => self.refuse(Reason::ReaderStopped, Point::ReaderMalfunction),
            Phase::FirstCards | Phase::Decisions | Phase::Reveal | Phase::Procedure(Step::Decisions | Step::Reveal)
                if self.now.up == Some(UpGroup::Low) =>
            {
                self.refuse(Reason::ReaderNotUnder(UpGroup::Low), Point::PeekUpCards)
            }
            Phase::Wagering
            | Phase::Dealing(_)
            | Phase::FirstCards
            | Phase::Decisions
            | Phase::BustCards
            | Phase::Reveal
            | Phase::DealerDraws
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Settlement
            | Phase::Procedure(
                Step::Deal
                | Step::FirstCards
                | Step::DealerBlackjack
                | Step::Decisions
                | Step::Reveal
                | Step::DealerDraws
                | Step::Settle,
            ) => self.not_now(InputKind::Peek),
        }
    }

    /// The reader answered. The insertion closes insurance; `unread` asks for another try.
    pub(super) fn on_peek(&mut self, answer: PeekAnswer, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_peek()?;
        if self.insurance_is_open() {
            self.close_insurance(out);
        }
        let source = self.cite(Point::Peek);
        out.push(Event::ReaderAnswered { answer, source });
        let procedure = matches!(self.now.phase, Phase::Procedure(_));
        match answer {
            PeekAnswer::Unread => {
                self.now.unread_count += 1;
                if self.now.unread_count >= UNREAD_MAX {
                    self.stop_reader(out);
                }
            }
            PeekAnswer::Yes => {
                self.now.answer = Some(answer);
                self.discard_exposed(out);
                self.now.phase = if procedure { Phase::Procedure(Step::DealerBlackjack) } else { Phase::Reveal };
            }
            PeekAnswer::No => self.goes_on_after_no(out),
        }
        Ok(())
    }

    /// 13.Q / 14.L: nothing is dealt until the reader is repaired or a floorperson ends the round (S12), which leaves the
    /// reader as it is.
    pub(super) fn stop_reader(&mut self, out: &mut impl Sink) {
        self.now.phase = Phase::ReaderStopped;
        self.now.set_reader_out(true);
        out.push(Event::ReaderStopped { source: self.cite(Point::ReaderMalfunction) });
    }

    pub(super) fn check_reader_repaired(&self) -> Result<(), Refusal> {
        if matches!(self.now.phase, Phase::ReaderStopped) || self.now.between.reader_out {
            return Ok(());
        }
        self.not_now(InputKind::ReaderRepaired)
    }

    /// The reader works again. The round resumes at the peek; with the hole card already exposed by a false "yes",
    /// where the peek would have led.
    pub(super) fn on_reader_repaired(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_reader_repaired()?;
        let stopped = matches!(self.now.phase, Phase::ReaderStopped);
        out.push(Event::Approved { by: InputKind::ReaderRepaired, source: self.cite(Point::ReaderMalfunction) });
        self.now.unread_count = 0;
        self.now.set_reader_out(false);
        if !stopped {
            return Ok(());
        }
        if std::mem::take(&mut self.now.reader_failed_in_play) {
            self.now.phase = self.now.held;
            // Lines may have been confirmed while the round stood still.
            self.lines_were_confirmed(out);
        } else if self.now.dealer.len() > 1 || self.now.hole_told {
            self.goes_on_after_no(out);
        } else {
            self.now.phase = self.peek_phase();
        }
        Ok(())
    }

    fn goes_on_after_no(&mut self, out: &mut impl Sink) {
        self.now.answer = Some(PeekAnswer::No);
        self.settle_after_no(out);
        match self.tracking {
            Tracking::Cards => self.start_decisions(out),
            Tracking::Procedure => self.now.phase = Phase::Procedure(Step::Decisions),
        }
    }

    /// The reader said no. From the right, box by box (D12): the side wagers that it decides, then the lost insurance
    /// (8.F / 8.D).
    fn settle_after_no(&mut self, out: &mut impl Sink) {
        self.now.moment = Moment::AfterReader;
        for seat in self.now.in_play.iter(crate::game::Direction::FromRight) {
            if self.tracking == Tracking::Cards {
                self.settle_side_after_no(seat, out);
            }
            if self.now.box_at(seat).insurance.is_placed() {
                self.settle_insurance(seat, Outcome::Lost, out);
            }
        }
    }

    /// The place of the side wager whose amount may be told; `None` for the main wager.
    pub(super) fn check_amount(&self, seat: Seat, wager: WagerId, amount: Cents) -> Result<Option<u8>, Refusal> {
        self.check_seat(seat)?;
        if let Some(side) = self.side_position(wager) {
            return self.check_side_amount(seat, side, amount).map(|()| Some(side));
        }
        if wager != WagerId::Main || !self.amount_seats().contains(seat) {
            return self.refuse(Reason::NoSuchAmountAsked { seat, wager }, Point::AmountAsked);
        }
        self.check_main_amount(Some(amount)).map(|()| None)
    }

    /// An amount that was asked for, or that makes insurance possible.
    pub(super) fn on_amount(
        &mut self,
        seat: Seat,
        wager: WagerId,
        amount: Cents,
        out: &mut impl Sink,
    ) -> Result<(), Refusal> {
        if let Some(side) = self.check_amount(seat, wager, amount)? {
            self.side_amount_is_told(seat, side, amount, out);
            return Ok(());
        }
        let told = self.now.box_mut(seat);
        told.main = Stake::of(amount);
        // Nothing has been added to these hands while the amount was unknown, or it would be unknown too.
        for hand in &mut told.hands[..usize::from(told.hand_count)] {
            if hand.doubles == 0 {
                hand.stake = Stake::of(amount);
            }
        }
        out.push(Event::AmountTold { seat, wager, amount, source: self.cite(Point::AmountAsked) });
        Ok(())
    }

    /// Boxes whose main amount decides something now and is not known (X5).
    pub(super) fn amount_seats(&self) -> SeatSet {
        let unknown = |seats: SeatSet| -> SeatSet {
            seats
                .iter(crate::game::Direction::FromLeft)
                .filter(|&seat| self.now.box_at(seat).main.is_unknown())
                .collect()
        };
        if self.insurance_is_open() {
            unknown(self.uninsured())
        } else if matches!(self.now.phase, Phase::AskAdditional) {
            unknown(self.winners_to_be_asked())
        } else if matches!(self.now.phase, Phase::Decisions) && self.now.turn.want == Want::Decision {
            // Doubling for less depends on it (D4). What another hand of the box was doubled by stays unknown.
            unknown(SeatSet::EMPTY.with(self.now.turn.seat))
        } else {
            SeatSet::EMPTY
        }
    }
}
