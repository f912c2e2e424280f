//! Going back: the dealer's undo, the floorperson's correction, and late words that reread the last card (H2, H5).
//!
//! All of them rebuild the round from its beginning by replaying its inputs; nothing is ever patched backwards.

use super::state::LateCard;
use super::{Engine, is_irreversible};
use crate::event::{Event, Events};
use crate::input::{Input, InputKind, Text};
use crate::line::Line;
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;

impl Engine {
    pub(super) fn may_undo(&self) -> bool {
        self.log.len() > self.barrier
    }

    pub(super) fn may_correct(&self) -> bool {
        !self.log.is_empty()
    }

    pub(super) fn undo(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if !self.may_undo() {
            return match self.log.get(self.barrier.wrapping_sub(1)) {
                Some(last) => self.refuse(Reason::CannotUndoPast(last.kind()), Point::UndoReach),
                None => self.refuse(Reason::NothingToUndo, Point::UndoReach),
            };
        }
        let source = self.cite(Point::UndoReach);
        if let Some(last) = self.step_back(out) {
            out.push(Event::Undone { input: last.kind(), source });
        }
        Ok(())
    }

    /// A floorperson goes back one input, beyond what the dealer may undo.
    pub(super) fn correct(&mut self, reason: Text, out: &mut Events) -> Result<(), Refusal> {
        let source = self.cite(Point::UndoReach);
        match self.step_back(out) {
            None => self.refuse(Reason::NothingToCorrect, Point::UndoReach),
            Some(last) => {
                let across_reveal = last.kind() == InputKind::Reveal;
                out.push(Event::Corrected { input: last.kind(), reason, across_reveal, source });
                Ok(())
            }
        }
    }

    /// Drops the last input and reports what that takes back.
    fn step_back(&mut self, out: &mut Events) -> Option<Input> {
        let last = self.log.pop()?;
        let lines = self.now.lines.clone();
        let confirmed = self.now.confirmed;
        self.rebuild(self.log.len());
        self.barrier = self.log.iter().rposition(is_irreversible).map_or(0, |at| at + 1);
        self.report_withdrawn(&lines, confirmed, out);
        Some(last)
    }

    /// Says which lines no longer stand, compared with what stood before.
    fn report_withdrawn(&self, before: &[Line], confirmed_before: usize, out: &mut Events) {
        let stands = self.now.lines.len().min(before.len());
        for line in &before[self.now.confirmed.min(stands)..confirmed_before.min(stands)] {
            let source = self.cite(Point::UndoReach);
            out.push(Event::LineReopened { seat: line.seat, hand: line.hand, wager: line.wager, source });
        }
        for line in &before[stands..] {
            out.push(Event::LineWithdrawn(*line));
        }
    }

    /// Replays the first `upto` inputs of this round from its beginning.
    fn rebuild(&mut self, upto: usize) {
        self.now.reset(self.base);
        let mut silent = Events::discarding();
        for at in 0..upto {
            self.depth = at;
            let input = self.log[at];
            let replayed = self.execute(&input, &mut silent);
            assert!(replayed.is_ok(), "an input that was accepted once is accepted again in a replay");
        }
        self.depth = upto;
    }

    /// The last card is taken back, `words` are said first, and the card follows again. Refused words change nothing.
    fn reread(
        &mut self,
        words: impl FnOnce(&mut Self, &mut Events) -> Result<(), Refusal>,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let at = self.depth;
        let card = self.log[at - 1];
        debug_assert!(matches!(card, Input::Card(_)));
        let lines = self.now.lines.clone();
        let confirmed = self.now.confirmed;
        let reported = out.len();
        self.rebuild(at - 1);
        out.push(Event::LastCardTakenBack { source: self.cite(Point::HitLate) });
        self.report_withdrawn(&lines, confirmed, out);
        if let Err(refusal) = words(self, out).and_then(|()| self.execute(&card, out)) {
            out.truncate(reported);
            self.rebuild(at);
            return Err(refusal);
        }
        self.depth = at;
        self.reread_card = true;
        Ok(())
    }

    pub(super) fn double_late(&mut self, amount: Option<Cents>, out: &mut Events) -> Result<(), Refusal> {
        self.reread(|engine, out| engine.execute(&Input::Double(amount), out), out)
    }

    pub(super) fn split_late(&mut self, out: &mut Events) -> Result<(), Refusal> {
        self.reread(|engine, out| engine.execute(&Input::Split, out), out)
    }

    pub(super) fn seat_late(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        debug_assert!(matches!(self.now.late, Some(LateCard { .. })));
        self.reread(
            |engine, out| {
                engine.stand_before(seat, out);
                Ok(())
            },
            out,
        )
    }
}
