//! What had been paid when a round became void: listed with its amounts, and one answer of a floorperson for all of it
//! (H12). Jackpots are not among it: only X3 speaks of those.

use super::Engine;
use super::state::Phase;
use crate::event::{Event, Sink};
use crate::input::{InputKind, PaymentsAnswer, Text};
use crate::line::{Approval, Due, Line, Outcome};
use crate::money::{Cents, Pay};
use crate::refusal::Refusal;
use crate::source::Point;
use crate::wager::WagerId;

impl Engine {
    /// The round is void: says what had been paid before. Where something had, the round does not end before it is known
    /// what becomes of it.
    pub(super) fn list_payments(&mut self, out: &mut impl Sink) {
        let source = self.cite(Point::VoidGivesBack);
        for line in self.payments() {
            let (seat, hand, wager) = (line.seat, line.hand, line.wager);
            out.push(Event::PaidBeforeVoid { seat, hand, wager, paid: line.pays.amount(), source });
            self.now.payments_asked = true;
        }
    }

    /// The lines that were won, paid and not corrected since.
    fn payments(&self) -> Vec<Line> {
        let done = &self.now.lines[..self.now.confirmed];
        let of = |line: &Line| (line.seat, line.hand, line.wager);
        let corrects = |later: &Line, line: &Line| later.correction.is_known() && of(later) == of(line);
        let stood = |at: usize, line: &Line| !done[at + 1..].iter().any(|later| corrects(later, line));
        let is_payment = |line: &Line| line.outcome == Outcome::Won && !self.is_jackpot(line);
        done.iter()
            .enumerate()
            .filter(|&(at, line)| is_payment(line) && stood(at, line))
            .map(|(_, line)| *line)
            .collect()
    }

    pub(super) fn check_payments(&self) -> Result<(), Refusal> {
        if self.now.payments_asked { Ok(()) } else { self.not_now(InputKind::Payments) }
    }

    pub(super) fn on_payments(
        &mut self,
        answer: PaymentsAnswer,
        reason: Text,
        out: &mut impl Sink,
    ) -> Result<(), Refusal> {
        self.check_payments()?;
        out.push(Event::PaymentsAnswered { answer, reason, source: self.cite(Point::VoidGivesBack) });
        self.now.payments_asked = false;
        match answer {
            PaymentsAnswer::Stand => {}
            PaymentsAnswer::Back => self.take_payments_back(out),
        }
        self.end_when_settled(out);
        Ok(())
    }

    /// Whether nothing is left to do of a void round but to hear about its payments.
    pub(super) fn only_payments_are_asked(&self) -> bool {
        self.now.payments_asked && matches!(self.now.phase, Phase::Settlement) && !self.now.has_open_lines()
    }

    /// The table goes on without a word about them.
    pub(super) fn payments_are_left(&mut self, out: &mut impl Sink) {
        out.push(Event::PaymentsLeft { source: self.cite(Point::VoidGivesBack) });
        self.now.payments_asked = false;
        self.end_when_settled(out);
    }

    /// Every payment is undone, and its wager goes back like the others of the void round.
    fn take_payments_back(&mut self, out: &mut impl Sink) {
        let source = self.cite(Point::VoidGivesBack);
        let from = self.now.lines.len();
        for paid in self.payments() {
            let side = self.side_position(paid.wager);
            let same = |line: &Line| (line.seat, line.hand, line.wager) == (paid.seat, paid.hand, paid.wager);
            let went_back = self.now.lines[from..].iter().any(same);
            // What rides on another wager has no stake of its own; a stake goes back once, whatever it won.
            let rides = side.is_some_and(|side| self.is_rider(side));
            let keeps_stake = rides || went_back || paid.wager == WagerId::AdditionalPayout;
            if let Some(side) = side.filter(|_| !went_back) {
                self.reverse_contribution(paid.seat, side, source, out);
            }
            let line = Line {
                outcome: Outcome::Void,
                name: &"payment taken back",
                pay: None,
                returned: if keeps_stake { paid.returned } else { paid.stake.amount().into() },
                pays: Due::NOTHING,
                source,
                approval: Approval::Answered,
                correction: Due::of(paid.to_player().unwrap_or(Cents::ZERO)),
                is_share: false,
                ..paid
            };
            self.push_line(line, out);
        }
    }

    /// Whether this line is a jackpot: a meter's, or a prize that a sign names.
    pub(super) fn is_jackpot(&self, line: &Line) -> bool {
        let is_prize = |side| self.offered(side).names_prize(line.name);
        matches!(line.pay, Some(Pay::Meter { .. })) || self.side_position(line.wager).is_some_and(is_prize)
    }
}
