//! Lines of settlement: drawing them up to the cent, and the dealer's confirmation of each.

use super::Engine;
use super::settle::Ending;
use super::state::{HANDS_MAX, Phase, Walk};
use crate::event::{Event, Events, Place};
use crate::game::Game;
use crate::input::InputKind;
use crate::line::{Approval, Due, Handling, Line, Outcome, Stake};
use crate::money::{Cents, Pay, Ratio};
use crate::payouts;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::{Point, Source};
use crate::wager::WagerId;

impl Engine {
    #[inline(always)]
    pub(super) fn push_line(&mut self, line: Line, out: &mut Events) {
        if line.is_priced() {
            out.push(Event::Settled(line));
        }
        debug_assert!(line.approval != Approval::NotNeeded || !line.correction.is_known());
        self.now.approvals |= line.approval != Approval::NotNeeded;
        self.now.lines.push(line);
    }

    /// Draws up the main line of one hand; `hand` counts from 0.
    pub(super) fn settle_hand(&mut self, seat: Seat, hand: u8, ending: Ending, out: &mut Events) {
        let line_number = u16::try_from(self.now.lines.len()).unwrap_or(u16::MAX);
        let settled = &mut self.now.boxes[seat.index()].hands[usize::from(hand) & (HANDS_MAX - 1)];
        settled.settled = true;
        settled.line = line_number;
        let (stake, last_added) = (settled.stake, settled.last_added);
        let line = self.main_line(seat, hand, ending, stake, last_added);
        self.push_line(line, out);
    }

    #[inline]
    pub(super) fn main_line(&self, seat: Seat, hand: u8, ending: Ending, stake: Stake, last_added: Stake) -> Line {
        let Ending { outcome, name, pay, point } = ending;
        let (returned, pays) = self.amounts(outcome, pay, stake, last_added);
        Line {
            seat,
            hand: hand + 1,
            wager: WagerId::Main,
            outcome,
            name,
            pay,
            stake,
            returned,
            pays,
            source: self.cite(point),
            approval: Approval::NotNeeded,
            correction: Due::NONE,
            is_share: false,
        }
    }

    /// Returned and paid, in cents, for a stake that may be unknown.
    #[inline]
    fn amounts(&self, outcome: Outcome, pay: Option<Pay>, stake: Stake, last_added: Stake) -> (Due, Due) {
        let nothing = Due::NOTHING;
        let odds = |ratio| Due::from(stake.amount().map(|stake| self.odds_of(ratio, stake)));
        match outcome {
            Outcome::Lost => (nothing, nothing),
            Outcome::Tied | Outcome::Dead | Outcome::Void => (stake.amount().into(), nothing),
            Outcome::Surrendered => (stake.amount().map(|stake| self.half(stake)).into(), nothing),
            Outcome::Rescued => (last_added.amount().into(), nothing),
            Outcome::Won => match pay {
                Some(Pay::To(ratio)) => (stake.amount().into(), odds(ratio)),
                Some(Pay::For(ratio)) => (nothing, odds(ratio)),
                Some(Pay::Amount(amount)) => (nothing, Due::of(amount)),
                Some(Pay::Meter { .. }) | None => (Due::NONE, Due::NONE),
            },
        }
    }

    /// Odds on a whole stake, in chips the table has (S8).
    #[inline]
    pub(super) fn odds_of(&self, ratio: Ratio, stake: Cents) -> Cents {
        ratio.of(stake, self.table.smallest_chip, self.table.rounding)
    }

    pub(super) fn settle_insurance(&mut self, seat: Seat, outcome: Outcome, out: &mut Events) {
        let line = self.insurance_line(seat, outcome);
        self.now.box_mut(seat).insurance_settled = true;
        self.push_line(line, out);
    }

    /// The insurance line of a box. In players-edge-21 a suited dealer blackjack pays 5 to 1 (12.A(4), W14); where the
    /// cards are not tracked, the sign decides and no odds are given.
    pub(super) fn insurance_line(&self, seat: Seat, outcome: Outcome) -> Line {
        let stake = self.now.box_at(seat).insurance;
        let cards = self.now.dealer.cards();
        let suited = matches!(cards, [up, hole] if up.suit() == hole.suit());
        let suit_decides = payouts::insurance_asks_for_suit(self.table.game);
        let (name, pay, point) = match outcome {
            Outcome::Won if suit_decides && cards.len() < 2 => {
                (&"dealer blackjack, suit decides", None, Point::InsurancePays)
            }
            Outcome::Won => {
                let (ratio, point) = payouts::insurance(self.table.game, suited);
                let name = if suit_decides && suited { &"suited dealer blackjack" } else { &"dealer blackjack" };
                (name, Some(Pay::To(ratio)), point)
            }
            Outcome::Dead | Outcome::Void => (&"returned", None, Point::VoidReturnsWagers),
            Outcome::Lost | Outcome::Tied | Outcome::Surrendered | Outcome::Rescued => {
                (&"no dealer blackjack", None, Point::InsuranceLost)
            }
        };
        let (returned, pays) = self.amounts(outcome, pay, stake, Stake::NONE);
        Line {
            seat,
            hand: 1,
            wager: WagerId::Insurance,
            outcome,
            name,
            pay,
            stake,
            returned,
            pays,
            source: self.cite(point),
            approval: Approval::NotNeeded,
            correction: Due::NONE,
            is_share: false,
        }
    }

    // ---- confirmation ----

    /// Whether the dealer may go on while lines are open: not past one that needs an approval, nor past the final
    /// settlement.
    pub(super) fn check_moving_on(&self) -> Result<(), Refusal> {
        if self.open_line_needs_approval() {
            return self.refuse(Reason::NeedsFloorApproval, self.due());
        }
        Ok(())
    }

    pub(super) fn open_line_needs_approval(&self) -> bool {
        self.now.lines[self.now.confirmed..].iter().any(|line| line.approval != Approval::NotNeeded)
    }

    /// Moving on from open lines confirms them (H4): `upto` is how many lines there were before the input.
    pub(super) fn confirm_implied(&mut self, upto: usize, out: &mut Events) {
        let from = self.now.confirmed;
        if from >= upto || upto > self.now.lines.len() {
            return;
        }
        self.report_confirmed(&self.now.lines[from..upto], true, out);
        self.now.confirmed = upto;
        self.lines_were_confirmed(out);
    }

    /// What confirming a line rests on, by how it ended, for lines that were said to be done and for those that the
    /// dealer moved on from. How a line ended is as random as the cards: it chooses by place and not by branch.
    pub(super) fn sources_of_confirmed(game: Game) -> [[Source; Outcome::ALL.len()]; 2] {
        // 7.S: what the dealer collects goes straight into the table inventory.
        [Point::LosersToInventory, Point::ConfirmFirst].map(|taken| {
            let mut sources = [Point::ConfirmFirst.source(game); Outcome::ALL.len()];
            sources[Outcome::Lost as usize] = taken.source(game);
            sources
        })
    }

    /// Reports these lines as done: `implied`, because the dealer moved on from them.
    #[inline(always)]
    fn report_confirmed(&self, done: &[Line], implied: bool, out: &mut Events) {
        let sources = &self.sources_of_confirmed[usize::from(implied)];
        let given = sources[Outcome::Won as usize];
        let confirmed = |line: &Line, source| {
            let &Line { seat, hand, wager, .. } = line;
            Event::LineConfirmed { seat, hand, wager, implied, source }
        };
        if self.now.approvals {
            let source = |line: &Line| if line.is_taken() { sources[Outcome::Lost as usize] } else { given };
            out.extend(done.iter().map(|line| confirmed(line, source(line))));
        } else {
            // No line without an approval is a correction.
            out.extend(done.iter().map(|line| confirmed(line, sources[line.outcome as usize])));
        }
    }

    /// `paid` or `collected`: the dealer did the current line.
    pub(super) fn on_confirm_one(&mut self, kind: InputKind, out: &mut Events) -> Result<(), Refusal> {
        let Some(line) = self.line_to_confirm()? else { return self.not_now(kind) };
        match (line.handling(), kind) {
            (Handling::Take, InputKind::Collected) | (Handling::Give, InputKind::Paid) => {}
            (Handling::Take, _) => return self.refuse(Reason::LineIsTaken, self.due()),
            (Handling::Give, _) => return self.refuse(Reason::LineIsGiven, self.due()),
        }
        self.confirm_next(out);
        self.lines_were_confirmed(out);
        Ok(())
    }

    /// The line that may be confirmed now. While 12.C's questions are open, confirming answers them first.
    #[inline]
    fn line_to_confirm(&self) -> Result<Option<&Line>, Refusal> {
        let Some(line) = self.now.current_line() else { return Ok(None) };
        if self.approval_waits() {
            let second = self.now.walk == Walk::FloorApproved;
            let reason = if second { Reason::NeedsSecondPerson } else { Reason::NeedsFloorApproval };
            return self.refuse(reason, self.approval_point(line));
        }
        Ok(Some(line))
    }

    #[inline]
    fn confirm_next(&mut self, out: &mut Events) {
        self.report_confirmed(self.now.current_line().map_or(&[], std::slice::from_ref), false, out);
        if !self.now.meters.is_empty() {
            let line = self.now.lines[self.now.confirmed];
            self.pay_from_meter(&line, out);
        }
        self.now.confirmed += 1;
        self.now.walk = Walk::Start;
    }

    /// Every open line is done, by the dealer's own word.
    pub(super) fn confirm_all(&mut self, out: &mut Events) {
        while self.now.has_open_lines() {
            self.confirm_next(out);
        }
    }

    /// `settled`: all open lines, up to one that needs an approval of its own.
    pub(super) fn on_settled(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if self.line_to_confirm()?.is_none() {
            return self.not_now(InputKind::Settled);
        }
        self.confirm_up_to_an_approval(out);
        Ok(())
    }

    /// The lines that `settled` confirms: the current one, and those after it up to one that needs an approval of its
    /// own.
    #[inline]
    pub fn lines_to_settle(&self) -> &[Line] {
        let open = self.now.lines.get(self.now.confirmed..).unwrap_or_default();
        if !self.now.approvals {
            debug_assert!(open.iter().all(|line| line.approval == Approval::NotNeeded));
            return open;
        }
        let after_current = open.iter().skip(1);
        let plain = after_current.take_while(|line| line.approval == Approval::NotNeeded).count();
        open.get(..1 + plain).unwrap_or_default()
    }

    /// Confirms the current line, and those after it up to one that needs an approval of its own.
    #[inline(always)]
    pub(super) fn confirm_up_to_an_approval(&mut self, out: &mut Events) {
        if self.now.meters.is_empty() {
            let done = self.lines_to_settle();
            let upto = self.now.confirmed + done.len();
            self.report_confirmed(done, false, out);
            self.now.confirmed = upto;
            self.now.walk = Walk::Start;
        } else {
            self.confirm_with_meters(out);
        }
        self.lines_were_confirmed(out);
    }

    /// What a meter pays is reported between the lines.
    #[inline(never)]
    fn confirm_with_meters(&mut self, out: &mut Events) {
        self.confirm_next(out);
        while let Some(line) = self.now.current_line() {
            if line.approval != Approval::NotNeeded {
                break;
            }
            self.confirm_next(out);
        }
    }

    /// Goes on where the procedure waited for the last open line.
    pub(super) fn lines_were_confirmed(&mut self, out: &mut Events) {
        if self.now.has_open_lines() {
            return;
        }
        match self.now.phase {
            Phase::FirstCards => self.after_first_card_wagers(),
            Phase::Settlement => self.end_round(out),
            Phase::Wagering
            | Phase::Dealing(_)
            | Phase::Insurance
            | Phase::Peek
            | Phase::ReaderStopped
            | Phase::Decisions
            | Phase::BustCards
            | Phase::Reveal
            | Phase::DealerDraws
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Procedure(_) => {}
        }
    }

    /// The player at whose box the cover card appeared in this round (5.D(2)).
    pub(super) fn cover_seat(&self) -> Option<Seat> {
        match self.now.cover_at {
            Some(Place::Hand { seat, .. }) => Some(seat),
            Some(Place::Dealer | Place::HoleCard | Place::Shoe) | None => None,
        }
    }

    pub(super) fn end_round(&mut self, out: &mut Events) {
        self.close_meters();
        out.push(Event::RoundEnded { source: self.cite(Point::Discard) });
        // 5.D: where the cover card appeared decides who is offered the cut first.
        self.now.between.cut.start = self.cover_seat();
        self.now.between.rest = self.rest_after_round();
        self.now.clear_round();
    }

    pub(super) fn on_floor_approve(&mut self, out: &mut Events) -> Result<(), Refusal> {
        let point = if let (Some(&line), true) = (self.now.current_line(), self.floor_is_asked()) {
            self.now.walk = match line.approval {
                Approval::ProgressiveBySecond => Walk::FloorApproved,
                Approval::NotNeeded | Approval::Floor | Approval::Progressive => Walk::Complete,
            };
            self.approval_point(&line)
        } else if let Some(point) = self.look_due() {
            return self.refuse(Reason::LookFirst, point);
        } else if self.floor_answer_is_blocked() {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        } else if self.floor_answers(out) {
            return Ok(());
        } else if self.burn_may_be_waived() {
            self.now.between.burns.new_dealer = false;
            Point::BurnForNewDealer
        } else {
            return self.refuse(Reason::NothingToApprove, self.due());
        };
        out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(point) });
        Ok(())
    }

    pub(super) fn approval_waits(&self) -> bool {
        self.now.walk != Walk::Complete
            && self.now.current_line().is_some_and(|line| line.approval != Approval::NotNeeded)
    }

    pub(super) fn floor_is_asked(&self) -> bool {
        self.approval_waits() && self.now.walk < Walk::FloorApproved && self.look_due().is_none()
    }

    pub(super) fn second_person_is_asked(&self) -> bool {
        self.approval_waits() && self.now.walk == Walk::FloorApproved
    }

    /// A jackpot was paid before the reader failed: a manager may let the round be voided all the same (X3).
    pub(super) fn manager_may_allow_void(&self) -> bool {
        let in_play = !matches!(self.now.phase, Phase::Wagering | Phase::Resting(_) | Phase::Settlement);
        in_play && self.jackpots_paid() > 0 && !self.now.manager_approved
    }

    pub(super) fn on_manager_approve(&mut self, out: &mut Events) -> Result<(), Refusal> {
        let point = if self.second_person_is_asked() {
            self.now.walk = Walk::Complete;
            Point::FloorValidates
        } else if self.manager_may_allow_void() {
            self.now.manager_approved = true;
            Point::JackpotPaid
        } else {
            return self.refuse(Reason::NothingToApprove, self.due());
        };
        out.push(Event::Approved { by: InputKind::ManagerApprove, source: self.cite(point) });
        Ok(())
    }

    pub(super) fn approval_point(&self, line: &Line) -> Point {
        match line.approval {
            Approval::Progressive | Approval::ProgressiveBySecond => Point::FloorValidates,
            Approval::NotNeeded | Approval::Floor => {
                let voids = [Point::SecondFaceUp, Point::SecondTen, Point::VoidReturnsWagers];
                let of_a_void = voids.into_iter().any(|point| self.cite(point) == line.source);
                if of_a_void { Point::VoidGivesBack } else { Point::FloorAction }
            }
        }
    }

    /// What the dealer has to look at before a floorperson validates a progressive win: the hand, then the lamp
    /// (players-edge-21 7.O(1)(a), (b)).
    pub(super) fn look_due(&self) -> Option<Point> {
        match self.now.current_line()?.approval {
            Approval::Progressive | Approval::ProgressiveBySecond => {}
            Approval::NotNeeded | Approval::Floor => return None,
        }
        match self.now.walk {
            Walk::Start => Some(Point::VerifyHand),
            Walk::HandVerified => Some(Point::VerifyLamp),
            Walk::LampVerified | Walk::FloorApproved | Walk::Complete => None,
        }
    }

    /// `next` says that the dealer has looked.
    pub(super) fn walks_on(&self, kind: InputKind) -> bool {
        kind == InputKind::Next && self.look_due().is_some()
    }

    pub(super) fn walk_on(&mut self, out: &mut Events) {
        let lamp = self.now.walk == Walk::HandVerified;
        self.now.walk = if lamp { Walk::LampVerified } else { Walk::HandVerified };
        let point = if lamp { Point::VerifyLamp } else { Point::VerifyHand };
        out.push(Event::Verified { lamp, source: self.cite(point) });
    }

    /// blackjack 7.B(4): a floorperson may waive a new dealer's burn card.
    pub(super) fn burn_may_be_waived(&self) -> bool {
        self.table.game == Game::Blackjack
            && self.now.between.burns.next() == super::state::BurnDue::NewDealer
            && self.before_first_card()
    }
}
