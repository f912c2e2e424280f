//! The round that is over, as long as the dealer may still take back the word that ended it (H5).
//!
//! It is kept as undo keeps a round in play: how things stood when its wagers opened, and what was accepted since. Taking
//! the word back makes it the round in play again, and everything else is going back as always.

use super::Engine;
use super::frame::{CHIPS_AND_TIME, CONFIRMS};
use super::log::Log;
use super::rewind::Reach;
use super::state::Between;
use crate::event::{Event, Sink};
use crate::input::InputKind;
use crate::meter::Meter;
use crate::source::Point;

/// The last round. Its buffers are used again by the next one: keeping it costs a round next to nothing.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// Whether the word that ended it may still be taken back.
    pub(super) is_open: bool,
    pub(super) base: Between,
    pub(super) meters: Vec<Meter>,
    pub(super) log: Log,
    pub(super) corrections: Vec<usize>,
    /// See [`Reach::passed`].
    pub(super) passed: usize,
}

impl Ended {
    /// No round has ended yet.
    pub(super) fn nothing(base: Between) -> Self {
        Self { is_open: false, base, meters: Vec::new(), log: Log::new(), corrections: Vec::new(), passed: 0 }
    }
}

impl Engine {
    /// An input of this kind has ended the round. What comes now is another one, and replays begin here.
    pub(super) fn rebase(&mut self, kind: InputKind) {
        let ended = &mut self.ended;
        // A round that something else ended, such as a card, ended without a word about chips.
        let by_word = CONFIRMS.contains(kind) || kind == InputKind::Next;
        ended.is_open = by_word && self.log.len() > self.reach.stays();
        ended.base = std::mem::replace(&mut self.base, self.now.between);
        std::mem::swap(&mut ended.meters, &mut self.base_meters);
        self.base_meters.clone_from(&self.now.meters);
        std::mem::swap(&mut ended.log, &mut self.log);
        self.log.clear();
        std::mem::swap(&mut ended.corrections, &mut self.corrections);
        self.corrections.clear();
        ended.passed = self.reach.passed;
        self.reach = Reach::NEW;
    }

    /// Anything but chips and the time closes the round before for good, also where it is undone later.
    #[inline(always)]
    pub(super) fn note_for_ended(&mut self, kind: InputKind) {
        if !CHIPS_AND_TIME.contains(kind) {
            self.ended.is_open = false;
        }
    }

    /// Whether the next undo takes back the word that ended the round before: everything since has been taken back.
    #[inline]
    pub(super) fn may_reopen(&self) -> bool {
        self.ended.is_open && self.log.holds_minutes_only()
    }

    /// Takes back the word that ended the round before, and says which lines are open again.
    pub(super) fn reopen(&mut self, out: &mut impl Sink) -> Option<InputKind> {
        let ageing = self.decks_are_ageing();
        let meters = self.now.meters.clone();
        let ended = &mut self.ended;
        ended.is_open = false;
        self.base = ended.base;
        std::mem::swap(&mut ended.meters, &mut self.base_meters);
        std::mem::swap(&mut ended.log, &mut self.log);
        std::mem::swap(&mut ended.corrections, &mut self.corrections);
        let word = self.log.take_last()?.input.kind();
        self.reach = Reach::after(ended.passed);
        self.rebuild();
        let source = self.cite(Point::UndoReach);
        out.push(Event::RoundReopened { source });
        // Decks that were to be changed before the next round are in play again.
        if self.decks_are_ageing() && !ageing {
            self.report_ageing(out);
        }
        self.report_grown_meters(&meters, out);
        for line in &self.now.lines[self.now.confirmed..] {
            out.push(Event::LineReopened { seat: line.seat, hand: line.hand, wager: line.wager, source });
        }
        Some(word)
    }
}
