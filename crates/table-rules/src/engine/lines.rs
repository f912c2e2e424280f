//! Lines of settlement: drawing them up to the cent, and the dealer's confirmation of each.

use super::Engine;
use super::rows::Ending;
use super::state::{HANDS_MAX, Pending, Phase, Walk};
use crate::event::{Event, Sink};
use crate::game::Game;
use crate::input::InputKind;
use crate::line::{Approval, Due, Handling, Line, Outcome, Stake};
use crate::money::{Cents, Pay, Ratio};
use crate::payouts;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::Moment;
use crate::source::{Point, Source};
use crate::table::Variation;
use crate::wager::WagerId;

impl Engine {
    #[inline(always)]
    pub(super) fn push_line(&mut self, line: Line, out: &mut impl Sink) {
        if line.is_priced() {
            out.push(Event::Settled(line));
        }
        debug_assert!(line.approval != Approval::NotNeeded || !line.correction.is_known());
        self.now.push_line(line);
    }

    /// Draws up the main line of one hand; `hand` counts from 0.
    #[inline(always)]
    pub(super) fn settle_hand(&mut self, seat: Seat, hand: u8, ending: Ending, out: &mut impl Sink) {
        self.settle_hand_with(seat, hand, ending, Approval::NotNeeded, out);
    }

    /// The same for a line that somebody may have to approve.
    pub(super) fn settle_hand_with(
        &mut self,
        seat: Seat,
        hand: u8,
        ending: Ending,
        approval: Approval,
        out: &mut impl Sink,
    ) {
        let line_number = u16::try_from(self.now.lines.len()).unwrap_or(u16::MAX);
        let settled = &mut self.now.boxes[seat.index()].hands[usize::from(hand) & (HANDS_MAX - 1)];
        settled.settled = true;
        settled.line = line_number;
        let (stake, last_added) = (settled.stake, settled.last_added);
        let line = Line { approval, ..self.main_line(seat, hand, ending, stake, last_added) };
        self.push_line(line, out);
    }

    #[inline(always)]
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
    #[inline(always)]
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

    pub(super) fn settle_insurance(&mut self, seat: Seat, outcome: Outcome, out: &mut impl Sink) {
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

    /// Whether the dealer may go on while lines are open: not past one that needs an approval, nor past wagers on the first
    /// cards or a lost insurance that nobody has said to be settled (H4).
    pub(super) fn check_moving_on(&self) -> Result<(), Refusal> {
        if self.open_line_needs_approval() {
            return self.refuse(Reason::NeedsFloorApproval, self.due());
        }
        match self.settled_by_word_only() {
            Some(point) => self.refuse(Reason::SettleFirst, point),
            None => Ok(()),
        }
    }

    /// What keeps the next card until the dealer has said that it is settled: wagers on the first cards (7.F; dealt from
    /// the hand, those on cards just turned) and lost insurance (8.D, 8.F).
    pub(super) fn settled_by_word_only(&self) -> Option<Point> {
        let open = &self.now.lines[self.now.confirmed..];
        open.iter().find_map(|line| {
            if line.wager == WagerId::Insurance && line.outcome == Outcome::Lost {
                return Some(Point::InsuranceLost);
            }
            self.is_on_turned_first_cards(line).then_some(Point::SettleFirstCardWagers)
        })
    }

    /// Dealt from the hand, wagers on the first cards settle when the cards are turned, in the midst of the decisions (B14).
    fn is_on_turned_first_cards(&self, line: &Line) -> bool {
        if self.table.variation != Variation::FromTheHand {
            return false;
        }
        let reader = self.reader_knows(&self.now.dealer);
        let of_first_cards = |side: u8| {
            let settles_first = self.side.at[Moment::FirstCards as usize] & (1 << side) != 0;
            settles_first && self.offered(side).looks_at_first_cards(reader)
        };
        self.side_position(line.wager).is_some_and(of_first_cards)
    }

    /// Moving on from open lines confirms them (H4): `upto` is how many lines there were before the input.
    pub(super) fn confirm_implied(&mut self, upto: usize, out: &mut impl Sink) {
        let from = self.now.confirmed;
        if from >= upto || upto > self.now.lines.len() {
            return;
        }
        self.report_confirmed(&self.now.lines[from..upto], true, out);
        self.now.confirm_lines(upto);
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
    fn report_confirmed(&self, done: &[Line], implied: bool, out: &mut impl Sink) {
        let sources = &self.sources_of_confirmed[usize::from(implied)];
        let given = sources[Outcome::Won as usize];
        let confirmed = |line: &Line, source| {
            let &Line { seat, hand, wager, .. } = line;
            Event::LineConfirmed { seat, hand, wager, implied, source }
        };
        if self.now.pending.has(Pending::APPROVALS) {
            let source = |line: &Line| if line.is_taken() { sources[Outcome::Lost as usize] } else { given };
            out.extend(done.iter().map(|line| confirmed(line, source(line))));
        } else {
            // No line without an approval is a correction.
            out.extend(done.iter().map(|line| confirmed(line, sources[line.outcome as usize])));
        }
    }

    pub(super) fn check_confirm_one(&self, kind: InputKind) -> Result<(), Refusal> {
        let Some(line) = self.line_to_confirm()? else { return self.not_now(kind) };
        match (line.handling(), kind) {
            (Handling::Take, InputKind::Collected) | (Handling::Give, InputKind::Paid) => Ok(()),
            (Handling::Take, _) => self.refuse(Reason::LineIsTaken, self.due()),
            (Handling::Give, _) => self.refuse(Reason::LineIsGiven, self.due()),
        }
    }

    /// `paid` or `collected`: the dealer did the current line.
    pub(super) fn on_confirm_one(&mut self, kind: InputKind, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_confirm_one(kind)?;
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
    fn confirm_next(&mut self, out: &mut impl Sink) {
        self.report_confirmed(self.now.current_line().map_or(&[], std::slice::from_ref), false, out);
        if !self.now.meters.is_empty() {
            let line = self.now.lines[self.now.confirmed];
            self.pay_from_meter(&line, out);
        }
        self.now.confirm_lines(self.now.confirmed + 1);
        self.now.walk = Walk::Start;
    }

    /// Every open line is done, by the dealer's own word.
    pub(super) fn confirm_all(&mut self, out: &mut impl Sink) {
        while self.now.has_open_lines() {
            self.confirm_next(out);
        }
    }

    #[inline(always)]
    pub(super) fn check_settled(&self) -> Result<(), Refusal> {
        if self.line_to_confirm()?.is_none() {
            return self.not_now(InputKind::Settled);
        }
        Ok(())
    }

    /// `settled`: all open lines, up to one that needs an approval of its own.
    #[inline(always)]
    pub(super) fn on_settled(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_settled()?;
        self.confirm_up_to_an_approval(out);
        Ok(())
    }

    /// The lines that `settled` confirms: the current one, and those after it up to one that needs an approval of its
    /// own.
    #[inline]
    pub fn lines_to_settle(&self) -> &[Line] {
        let open = self.now.lines.get(self.now.confirmed..).unwrap_or_default();
        if !self.now.pending.has(Pending::APPROVALS) {
            debug_assert!(open.iter().all(|line| !line.approval.is_asked()));
            return open;
        }
        let after_current = open.iter().skip(1);
        let plain = after_current.take_while(|line| !line.approval.is_asked()).count();
        open.get(..1 + plain).unwrap_or_default()
    }

    /// Confirms the current line, and those after it up to one that needs an approval of its own.
    #[inline(always)]
    pub(super) fn confirm_up_to_an_approval(&mut self, out: &mut impl Sink) {
        if self.now.meters.is_empty() {
            let done = self.lines_to_settle();
            let upto = self.now.confirmed + done.len();
            self.report_confirmed(done, false, out);
            self.now.confirm_lines(upto);
            self.now.walk = Walk::Start;
        } else {
            self.confirm_with_meters(out);
        }
        self.lines_were_confirmed(out);
    }

    /// What a meter pays is reported between the lines.
    #[inline(never)]
    fn confirm_with_meters(&mut self, out: &mut impl Sink) {
        self.confirm_next(out);
        while let Some(line) = self.now.current_line() {
            if line.approval.is_asked() {
                break;
            }
            self.confirm_next(out);
        }
    }

    /// Goes on where the procedure waited for the last open line.
    pub(super) fn lines_were_confirmed(&mut self, out: &mut impl Sink) {
        if self.now.has_open_lines() {
            return;
        }
        match self.now.phase {
            Phase::FirstCards => self.after_first_card_wagers(out),
            Phase::Settlement => self.end_when_settled(out),
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

    pub(super) fn end_round(&mut self, out: &mut impl Sink) {
        self.close_meters();
        out.push(Event::RoundEnded { source: self.cite(Point::Discard) });
        self.note_who_cuts();
        self.now.between.rest = self.rest_after_round();
        self.now.clear_round();
    }
}
