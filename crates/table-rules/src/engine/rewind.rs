//! Going back: the dealer's undo, the floorperson's correction, and late words that reread the last card (H2, H5).
//!
//! All of them rebuild the round from its beginning by replaying its inputs; nothing is ever patched backwards.
//!
//! The minutes are inputs too, but nobody's: going back takes the last input that is none, late words look past them to
//! the card, and whatever is taken back, the time stays told.

use super::Engine;
use super::frame::{CHIPS_AND_TIME, CONFIRMS, IRREVERSIBLE};
use super::log::{Accepted, Log};
use super::state::{Pending, Phase, Want};
use crate::event::{Discard, Event, Events, Sink};
use crate::input::{Input, InputKind, Text};
use crate::line::{Approval, Line};
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;

impl Engine {
    #[inline]
    pub(super) fn may_undo(&self) -> bool {
        self.log.len() > self.reach.stays() || self.may_reopen()
    }

    pub(super) fn may_correct(&self) -> bool {
        // Never across a paid jackpot: the last input may be one that paid it.
        !self.log.is_empty() && self.jackpots_paid() == 0
    }

    pub(super) fn check_undo(&self) -> Result<(), Refusal> {
        if self.may_undo() {
            return Ok(());
        }
        let kinds = self.log.iter().map(|entry| entry.input.kind());
        match kinds.filter(|&kind| kind != InputKind::At).last() {
            Some(last) => self.refuse(Reason::CannotUndoPast(last), Point::UndoReach),
            None => self.refuse(Reason::NothingToUndo, Point::UndoReach),
        }
    }

    pub(super) fn undo(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_undo()?;
        let source = self.cite(Point::UndoReach);
        let taken_back = if self.may_reopen() { self.reopen(out) } else { self.step_back(out) };
        if let Some(input) = taken_back {
            out.push(Event::Undone { input, source });
        }
        Ok(())
    }

    pub(super) fn check_correct(&self) -> Result<(), Refusal> {
        if self.log.is_empty() {
            return self.refuse(Reason::NothingToCorrect, Point::UndoReach);
        }
        if !self.may_correct() {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        }
        Ok(())
    }

    /// A floorperson goes back one input, beyond what the dealer may undo.
    pub(super) fn correct(&mut self, reason: Text, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_correct()?;
        let source = self.cite(Point::UndoReach);
        let across_reveal = self.log.last_turned_hole_card();
        if let Some(input) = self.step_back(out) {
            // Cards have been seen and words said since: what stands before them is not the dealer's to take back.
            if self.corrected() < self.log.len() {
                self.corrections.push(self.log.len());
            }
            self.reach.barrier = self.reach.barrier.max(self.log.len());
            self.ended.is_open = false;
            self.now.late = None;
            out.push(Event::Corrected { input, reason, across_reveal, source });
        }
        Ok(())
    }

    /// Drops the last input and reports what that changes.
    fn step_back(&mut self, out: &mut impl Sink) -> Option<InputKind> {
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
                self.log.push(&last.input);
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
            self.reach = Reach::NEW;
        }
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

    /// An input of this kind is the last of so many in the log: what of them stays the dealer's to undo (H5). What was said
    /// to be paid or collected before it is final now, unless it only placed chips or told the time.
    #[inline(always)]
    pub(super) fn note_reach(&mut self, kind: InputKind, is_final: bool, entries: usize) {
        let Reach { barrier, done, passed } = &mut self.reach;
        if !CHIPS_AND_TIME.contains(kind) {
            *passed = (*passed).max(*done);
        }
        if IRREVERSIBLE.contains(kind) || is_final {
            *barrier = entries;
        } else if CONFIRMS.contains(kind) {
            *done = entries;
        }
    }

    /// Whether this word is final as soon as it is said (H5): it would confirm a line that somebody approved, or leave what
    /// was paid before a void as it is, which was the floorperson's to say (H12).
    #[inline(always)]
    pub(super) fn is_final(&self, kind: InputKind) -> bool {
        if kind == InputKind::Next {
            return self.only_payments_are_asked();
        }
        if !CONFIRMS.contains(kind) || !self.now.pending.has(Pending::APPROVALS) {
            return false;
        }
        let all = self.lines_to_settle();
        let done = if kind == InputKind::Settled { all } else { all.get(..1).unwrap_or_default() };
        done.iter().any(|line| line.approval != Approval::NotNeeded)
    }

    /// The whole log has been replayed: what a floorperson went back to is out of reach as well, and the minutes right
    /// after the barrier are nothing to undo.
    pub(super) fn close_reach(&mut self) {
        let stays = self.reach.stays().max(self.corrected());
        self.reach.barrier = self.log.with_minutes_after(stays);
    }

    /// A minute is told: it is kept for the replay, and it is nothing to take back.
    pub(super) fn remember_minute(&mut self, minute: u16) {
        if self.ended.is_open {
            // Where the round before is opened again, it is as late as it is.
            self.ended.log.push_minute(minute);
        }
        if self.log.is_empty() {
            // Nothing has happened in this round, and now it begins at this minute.
            self.base = self.now.between;
            return;
        }
        let nothing_to_undo = self.log.len() <= self.reach.stays();
        self.log.push_minute(minute);
        if nothing_to_undo {
            self.reach.barrier = self.log.len();
        }
    }

    /// Says which lines no longer stand and which stand again, compared with what stood before.
    fn report_changed_lines(&self, before: &[Line], confirmed_before: usize, out: &mut impl Sink) {
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
    pub(super) fn rebuild(&mut self) {
        self.now.reset(self.base);
        self.note_decks();
        self.now.meters.clone_from(&self.base_meters);
        self.reach = Reach::after(self.reach.passed.min(self.log.len()));
        let log = std::mem::replace(&mut self.log, Log::empty());
        for (before, (Accepted { input, late }, turned)) in log.iter_with_turns().enumerate() {
            let replayed = self.replay(&input, turned, before + 1);
            assert!(replayed.is_ok(), "an input that was accepted once is accepted again in a replay");
            if late.is_some() {
                self.now.late = None;
            }
            self.close_late_words_at(before + 1);
        }
        self.log = log;
        self.close_reach();
    }

    /// One input of the log again, without a word; it is the last of so many. `turned`: it turned the hole card.
    pub(super) fn replay(&mut self, input: &Input, turned: bool, entries: usize) -> Result<(), Refusal> {
        let is_final = turned || self.is_final(input.kind());
        self.execute(input, &mut Discard)?;
        self.note_reach(input.kind(), is_final, entries);
        Ok(())
    }

    /// The last card is taken back, the late word's inputs come first, and the card follows again. Minutes told since the
    /// card come before all of them: no word or card of a hand goes by the time. A refusal changes nothing.
    #[inline(never)]
    pub(super) fn read_again(&mut self, word: LateWord, out: &mut impl Sink) -> Result<(), Refusal> {
        let as_it_was = self.log.clone();
        let Some(card) = self.log.take_last() else { return self.not_now(InputKind::Card) };
        debug_assert!(card.input.kind() == InputKind::Card);
        let lines = self.now.lines.clone();
        let confirmed = self.now.confirmed;
        // Reported only once nothing can be refused any more.
        let mut reread = Events::new();
        self.rebuild();
        reread.push(Event::LastCardTakenBack { source: self.cite(Point::HitLate) });
        self.report_changed_lines(&lines, confirmed, &mut reread);
        let mut said = 0;
        let mut result = Ok(());
        let mut word_said = false;
        while let (Some(input), Ok(())) = (self.input_before_card(word, word_said), result) {
            word_said |= input.kind() != InputKind::Stand;
            result = self.execute(&input, &mut reread);
            self.log.push(&input);
            self.note_reach(input.kind(), false, self.log.len());
            said += 1;
        }
        if let Err(refusal) = result.and_then(|()| self.execute(&card.input, &mut reread)) {
            self.log = as_it_was;
            self.rebuild();
            return Err(refusal);
        }
        for event in &reread {
            out.push(*event);
        }
        self.log.push_accepted(card);
        self.note_reach(InputKind::Card, false, self.log.len());
        self.close_reach();
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

/// How far back in the log the dealer's undo may go (H5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// So many entries stay.
    barrier: usize,
    /// So many there were when the dealer last said that lines were done.
    done: usize,
    /// So many there were when the dealer said so and went on from it. They stay, even where what came next was undone: the
    /// chips have been left since.
    pub(super) passed: usize,
}

impl Reach {
    pub(super) const NEW: Self = Self { barrier: 0, done: 0, passed: 0 };

    /// Before a replay: so many were passed.
    pub(super) const fn after(passed: usize) -> Self {
        Self { passed, ..Self::NEW }
    }

    #[inline(always)]
    pub(super) fn stays(self) -> usize {
        self.barrier.max(self.passed)
    }
}

/// When a word came.
#[derive(Clone, Copy, Debug)]
pub(super) enum Timed<T> {
    InTime(T),
    /// After the card that it is about: the card is read again.
    Late,
}

/// A word about the card just drawn (H2).
#[derive(Clone, Copy, Debug)]
pub(super) enum LateWord {
    Double(Option<Cents>),
    Split,
    Seat(Seat),
}
