//! Going back: the dealer's undo, the floorperson's correction, and late words that reread the last card (H2, H5).
//!
//! All of them rebuild the round from its beginning by replaying its inputs; nothing is ever patched backwards.
//!
//! The minutes are inputs too, but nobody's: going back takes the last input that is none, late words look past them to
//! the card, and whatever is taken back, the time stays told.

use super::log::{Accepted, Log};
use super::state::{Phase, Want};
use super::{Engine, IRREVERSIBLE};
use crate::event::{Event, Events};
use crate::input::{Input, InputKind, Text};
use crate::line::Line;
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;

impl Engine {
    #[inline]
    pub(super) fn may_undo(&self) -> bool {
        self.log.len() > self.barrier
    }

    pub(super) fn may_correct(&self) -> bool {
        // Never across a paid jackpot: the last input may be one that paid it.
        !self.log.is_empty() && self.jackpots_paid() == 0
    }

    pub(super) fn undo(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if !self.may_undo() {
            let kinds = self.log.iter().map(|entry| entry.input.kind());
            return match kinds.filter(|&kind| kind != InputKind::At).last() {
                Some(last) => self.refuse(Reason::CannotUndoPast(last), Point::UndoReach),
                None => self.refuse(Reason::NothingToUndo, Point::UndoReach),
            };
        }
        let source = self.cite(Point::UndoReach);
        if let Some(input) = self.step_back(out) {
            out.push(Event::Undone { input, source });
        }
        Ok(())
    }

    /// A floorperson goes back one input, beyond what the dealer may undo.
    pub(super) fn correct(&mut self, reason: Text, out: &mut Events) -> Result<(), Refusal> {
        let source = self.cite(Point::UndoReach);
        if !self.may_correct() && !self.log.is_empty() {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        }
        let across_reveal = self.log.last_turned_hole_card();
        match self.step_back(out) {
            None => self.refuse(Reason::NothingToCorrect, Point::UndoReach),
            Some(input) => {
                // Cards have been seen and words said since: what stands before them is not the dealer's to take back.
                if self.corrected() < self.log.len() {
                    self.corrections.push(self.log.len());
                }
                self.barrier = self.barrier.max(self.log.len());
                self.now.late = None;
                out.push(Event::Corrected { input, reason, across_reveal, source });
                Ok(())
            }
        }
    }

    /// Drops the last input and reports what that changes.
    fn step_back(&mut self, out: &mut Events) -> Option<InputKind> {
        let last = self.log.take_last()?;
        let lines = self.now.lines.clone();
        let confirmed = self.now.confirmed;
        let ageing = self.decks_are_ageing();
        if last.input.kind() == InputKind::Lock {
            self.reverse_all_contributions(out);
        }
        let meters = self.now.meters.clone();
        let kind = match last.late {
            None => last.input.kind(),
            Some((word, inputs)) => {
                // The card stays; what the late word put before it goes.
                for _ in 0..inputs {
                    self.log.take_last();
                }
                self.log.push(Accepted { late: None, ..last });
                word
            }
        };
        self.corrections.retain(|&entries| entries <= self.log.len());
        self.rebuild();
        if self.log.holds_minutes_only() {
            // As they would have been told to a round in which nothing had happened.
            self.base = self.now.between;
            self.log.clear();
            self.corrections.clear();
        }
        self.barrier = self.find_barrier();
        // Decks that came have gone again, and nobody was warned of the old ones while they were away.
        if self.decks_are_ageing() && !ageing {
            self.report_ageing(out);
        }
        self.report_grown_meters(&meters, out);
        self.report_changed_lines(&lines, confirmed, out);
        Some(kind)
    }

    /// How many inputs a floorperson has gone back to last.
    fn corrected(&self) -> usize {
        self.corrections.last().copied().unwrap_or(0)
    }

    /// The log has so many entries now, in a replay: at a correction the last card is no longer one to be read again.
    pub(super) fn close_late_words_at(&mut self, entries: usize) {
        if self.corrections.contains(&entries) {
            self.now.late = None;
        }
    }

    /// How many inputs the dealer cannot undo: up to the last irreversible one or what a floorperson went back to (H5),
    /// and the minutes right after it.
    pub(super) fn find_barrier(&self) -> usize {
        self.log.with_minutes_after(self.log.len_up_to_last(IRREVERSIBLE).max(self.corrected()))
    }

    /// A minute is told: it is kept for the replay, and it is nothing to take back.
    pub(super) fn record_minute(&mut self, minute: u16) {
        if self.log.is_empty() {
            // Nothing has happened in this round, and now it begins at this minute.
            self.base = self.now.between;
            return;
        }
        let nothing_to_undo = !self.may_undo();
        self.log.push_minute(minute);
        if nothing_to_undo {
            self.barrier = self.log.len();
        }
    }

    /// Says which lines no longer stand and which stand again, compared with what stood before.
    fn report_changed_lines(&self, before: &[Line], confirmed_before: usize, out: &mut Events) {
        let now = &self.now.lines;
        let same = before.iter().zip(now).take_while(|(a, b)| a == b).count();
        let confirmed = self.now.confirmed;
        let source = self.cite(Point::UndoReach);
        for line in &before[confirmed.min(same)..confirmed_before.min(same)] {
            out.push(Event::LineReopened { seat: line.seat, hand: line.hand, wager: line.wager, source });
        }
        for line in before[same..].iter().filter(|line| line.is_priced()) {
            out.push(Event::LineWithdrawn(*line));
        }
        for line in now[same..].iter().filter(|line| line.is_priced()) {
            out.push(Event::Settled(*line));
        }
        for line in &now[confirmed_before.min(same).min(confirmed)..confirmed] {
            let (seat, hand, wager) = (line.seat, line.hand, line.wager);
            out.push(Event::LineConfirmed { seat, hand, wager, implied: true, source });
        }
    }

    /// Replays this round from its beginning.
    fn rebuild(&mut self) {
        self.now.reset(self.base);
        self.now.meters.clone_from(&self.base_meters);
        let mut silent = Events::discarding();
        let log = std::mem::replace(&mut self.log, Log::empty());
        for (before, Accepted { input, late }) in log.iter().enumerate() {
            let replayed = self.execute(&input, &mut silent);
            assert!(replayed.is_ok(), "an input that was accepted once is accepted again in a replay");
            if late.is_some() {
                self.now.late = None;
            }
            self.close_late_words_at(before + 1);
        }
        self.log = log;
    }

    /// The last card is taken back, the late word's inputs come first, and the card follows again. Minutes told since the
    /// card come before all of them: no word or card of a hand goes by the time. A refusal changes nothing.
    pub(super) fn read_again(&mut self, word: LateWord, out: &mut Events) -> Result<(), Refusal> {
        let as_it_was = self.log.clone();
        let Some(card) = self.log.take_last() else { return self.not_now(InputKind::Card) };
        debug_assert!(card.input.kind() == InputKind::Card);
        let lines = self.now.lines.clone();
        let confirmed = self.now.confirmed;
        let reported = out.len();
        self.rebuild();
        out.push(Event::LastCardTakenBack { source: self.cite(Point::HitLate) });
        self.report_changed_lines(&lines, confirmed, out);
        let mut said = 0;
        let mut result = Ok(());
        let mut word_said = false;
        while let (Some(input), Ok(())) = (self.input_before_card(word, word_said), result) {
            word_said |= input.kind() != InputKind::Stand;
            result = self.execute(&input, out);
            self.log.push(Accepted { input, late: None });
            said += 1;
        }
        if let Err(refusal) = result.and_then(|()| self.execute(&card.input, out)) {
            out.truncate(reported);
            self.log = as_it_was;
            self.rebuild();
            return Err(refusal);
        }
        self.log.push(card);
        self.barrier = self.find_barrier();
        self.reread = Some(said);
        Ok(())
    }

    /// What a late word says before the card, one input after another.
    fn input_before_card(&self, word: LateWord, word_said: bool) -> Option<Input> {
        // The card declined a rescue and was the next hand's: that hand is stood first.
        let declined = self.now.turn.want == Want::AfterDouble;
        match word {
            LateWord::Double(_) | LateWord::Split if word_said => None,
            LateWord::Double(_) | LateWord::Split if declined => Some(Input::Stand),
            LateWord::Double(amount) => Some(Input::Double(amount)),
            LateWord::Split => Some(Input::Split),
            LateWord::Seat(seat) => {
                let before = matches!(self.now.phase, Phase::Decisions) && self.now.turn.seat != seat;
                if before { Some(Input::Stand) } else { None }
            }
        }
    }
}

/// A word about the card just drawn (H2).
#[derive(Clone, Copy, Debug)]
pub(super) enum LateWord {
    Double(Option<Cents>),
    Split,
    Seat(Seat),
}
