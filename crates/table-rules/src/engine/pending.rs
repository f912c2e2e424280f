//! What is pending at the table: one set of bits, so that an input asks one question instead of many.
//!
//! Each bit is set and cleared by the few methods below, which own the fields behind it. A kind of input has a mask of
//! the bits that concern it; where none is set, nothing more is asked. [`Engine::find_pending`] says the set anew from the
//! fields alone, and builds with debug assertions compare the two after every input.

use super::Engine;
use super::state::{Burns, State};
use crate::input::InputKind;
use crate::line::{Approval, Line};
use crate::seat::Seat;
use crate::table::{Table, Tracking};

/// A set of things that are pending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending(u16);

impl Pending {
    pub(crate) const NONE: Self = Self(0);
    /// Settlement lines are drawn up and not confirmed.
    pub(crate) const LINES: Self = Self(1 << 0);
    /// Some line of this round needs an approval.
    pub(crate) const APPROVALS: Self = Self(1 << 1);
    /// Cards of a hand that went over 21 may still be turned (H16).
    pub(crate) const BUST_CARDS: Self = Self(1 << 2);
    /// A card has to be burnt before the next round's first card.
    pub(crate) const BURN: Self = Self(1 << 3);
    /// Cash lies in a box (6.B).
    pub(crate) const CASH: Self = Self(1 << 4);
    /// The reader is out of service (13.Q; blackjack 14.L).
    pub(crate) const READER_OUT: Self = Self(1 << 5);
    /// The decks have to be changed (3.C; blackjack 3.D).
    pub(crate) const OLD_DECKS: Self = Self(1 << 6);
    /// The amount of a side wager is asked for (X5).
    pub(crate) const AMOUNT: Self = Self(1 << 7);
    /// The table has meters, whose lines are priced at their turn. Never goes out.
    pub(crate) const METERS: Self = Self(1 << 8);
    /// Cards are not tracked: a claim may pay others too. Never goes out.
    pub(crate) const PROCEDURE: Self = Self(1 << 9);
    /// A ten was found before the lock and waits for a floorperson (13.C, H27).
    pub(crate) const TEN: Self = Self(1 << 10);

    /// What an input may be followed by more than its rule pays.
    pub(crate) const MORE_TO_PAY: Self = Self::METERS.union(Self::PROCEDURE);
    /// What keeps the wagers from being locked.
    pub(crate) const BEFORE_LOCK: Self = Self::CASH.union(Self::READER_OUT).union(Self::OLD_DECKS).union(Self::TEN);
    /// What goes with the round.
    const OF_ROUND: Self = Self::LINES
        .union(Self::APPROVALS)
        .union(Self::BUST_CARDS)
        .union(Self::CASH)
        .union(Self::AMOUNT)
        .union(Self::TEN);

    #[inline(always)]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    pub(crate) const fn has(self, any_of: Self) -> bool {
        self.0 & any_of.0 != 0
    }

    #[inline(always)]
    const fn with_if(self, bits: Self, set: bool) -> Self {
        Self(self.0 & !bits.0 | if set { bits.0 } else { 0 })
    }

    /// What stands at this table forever.
    pub(crate) fn of_table(table: &Table, tracking: Tracking) -> Self {
        // Asked anew after every input in a build with checks: it allocates nothing.
        let any_meter = table.wagers.iter().any(|offered| !offered.meters().is_empty());
        Self::NONE.with_if(Self::METERS, any_meter).with_if(Self::PROCEDURE, tracking == Tracking::Procedure)
    }
}

impl State {
    #[inline(always)]
    fn note(&mut self, bits: Pending, set: bool) {
        self.pending = self.pending.with_if(bits, set);
    }

    /// The round is over, or begins again.
    pub(super) fn nothing_of_round_is_pending(&mut self) {
        self.note(Pending::OF_ROUND, false);
    }

    /// What stands between rounds was put in its place as a whole.
    pub(super) fn note_between(&mut self) {
        self.note(Pending::BURN, self.between.burns.are_required());
        self.note(Pending::READER_OUT, self.between.reader_out);
    }

    #[inline(always)]
    pub(super) fn push_line(&mut self, line: Line) {
        self.pending = self.pending.union(Pending::LINES);
        self.note_approval(line.approval);
        self.lines.push(line);
    }

    #[inline(always)]
    pub(super) fn note_approval(&mut self, approval: Approval) {
        if approval != Approval::NotNeeded {
            self.pending = self.pending.union(Pending::APPROVALS);
        }
    }

    /// Lines are done up to this one, or the open ones have changed.
    #[inline(always)]
    pub(super) fn confirm_lines(&mut self, upto: usize) {
        self.confirmed = upto;
        self.note(Pending::LINES, upto < self.lines.len());
    }

    pub(super) fn insert_lines(&mut self, at: usize, lines: &[Line]) {
        for line in lines {
            self.note_approval(line.approval);
        }
        self.lines.splice(at..at, lines.iter().copied());
        self.confirm_lines(self.confirmed);
    }

    pub(super) fn remove_line(&mut self, at: usize) {
        self.lines.remove(at);
        // It may have been the only one that needed somebody.
        self.note(Pending::APPROVALS, self.lines.iter().any(Line::was_to_be_approved));
        self.confirm_lines(self.confirmed);
    }

    pub(super) fn set_bust_down(&mut self, seat: Option<Seat>) {
        self.bust_down = seat;
        self.note(Pending::BUST_CARDS, seat.is_some());
    }

    #[inline(always)]
    pub(super) fn set_cash(&mut self, seat: Seat, lies: bool) {
        self.cash = if lies { self.cash.with(seat) } else { self.cash.without(seat) };
        self.note(Pending::CASH, !self.cash.is_empty());
    }

    pub(super) fn set_asked(&mut self, seat: Seat, asked: bool) {
        self.asked = if asked { self.asked.with(seat) } else { self.asked.without(seat) };
        self.note(Pending::AMOUNT, !self.asked.is_empty());
    }

    #[inline(always)]
    pub(super) fn set_burns(&mut self, burns: Burns) {
        self.between.burns = burns;
        self.note(Pending::BURN, burns.are_required());
    }

    pub(super) fn set_ten_waits(&mut self, waits: bool) {
        self.ten_waits = waits;
        self.note(Pending::TEN, waits);
    }

    pub(super) fn set_reader_out(&mut self, out: bool) {
        self.between.reader_out = out;
        self.note(Pending::READER_OUT, out);
    }
}

impl Engine {
    /// Time has passed, or other decks have come.
    pub(super) fn note_decks(&mut self) {
        let due = self.decks_are_due();
        self.now.note(Pending::OLD_DECKS, due);
    }

    /// The same set from the fields alone.
    pub(super) fn find_pending(&self) -> Pending {
        let now = &self.now;
        Pending::of_table(&self.table, self.tracking)
            .with_if(Pending::LINES, now.confirmed < now.lines.len())
            .with_if(Pending::APPROVALS, now.lines.iter().any(Line::was_to_be_approved))
            .with_if(Pending::BUST_CARDS, now.bust_down.is_some())
            .with_if(Pending::BURN, now.between.burns.are_required())
            .with_if(Pending::CASH, !now.cash.is_empty())
            .with_if(Pending::READER_OUT, now.between.reader_out)
            .with_if(Pending::OLD_DECKS, self.decks_are_due())
            .with_if(Pending::AMOUNT, !now.asked.is_empty())
            .with_if(Pending::TEN, now.ten_waits)
    }

    #[inline(always)]
    pub(super) fn debug_assert_pending(&self, kind: InputKind) {
        debug_assert_eq!(self.now.pending, self.find_pending(), "after {kind:?}");
    }
}
