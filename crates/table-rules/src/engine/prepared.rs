//! Lines that fall due again and again, prepared: most stakes of a table are alike, and a line is copied much faster than
//! it is put together. What a line says is decided where it is prepared; in tests, each is held against a new one when it is used.

use super::compared::ROWS;
use crate::event::{Event, Events};
use crate::line::{Approval, Line, Stake};
use crate::side::{Line as SideLine, Moment};

/// A line, as the event that says that it is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    event: Event,
}

impl Prepared {
    /// The line must be priced, since others are not reported yet, and need no approval.
    pub(super) fn new(line: Line) -> Self {
        debug_assert!(line.is_priced() && line.approval == Approval::NotNeeded);
        Self { event: Event::Settled(line) }
    }

    #[inline(always)]
    pub(super) fn draw_up(&self, lines: &mut Vec<Line>, out: &mut Events) {
        out.push_prepared(&self.event);
        // As a slice of one, it is copied without a stay on the stack.
        if let Event::Settled(line) = &self.event {
            lines.extend_from_slice(std::slice::from_ref(line));
        }
    }

    /// The same for another hand of the box; hands count from 1.
    pub(super) fn draw_up_for(&self, hand: u8, lines: &mut Vec<Line>, out: &mut Events) {
        if let Event::Settled(line) = &self.event {
            Self::new(Line { hand, ..*line }).draw_up(lines, out);
        }
    }
}

/// What a side wager's line follows from, where nothing else decides what it comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideKey {
    pub(super) wager: u8,
    /// None: lost.
    pub(super) won: Option<SideLine>,
    pub(super) moment: Moment,
    pub(super) stake: Stake,
}

impl SideKey {
    /// The last line of a side wager is found by its place, a few of them at a time; where two have one place, the later
    /// one stays. Lost lines of the first eight wagers never meet. Without a branch: what a wager came to is as random as
    /// the cards.
    #[inline(always)]
    fn place(&self) -> usize {
        let row = self.won.map_or(0, |line| line.index() + 1);
        (usize::from(self.wager) + 3 * row) % SIDES
    }

    #[inline(always)]
    fn is(&self, other: &Self) -> bool {
        (self.wager == other.wager)
            & (self.won == other.won)
            & (self.moment == other.moment)
            & (self.stake == other.stake)
    }
}

const SIDES: usize = 8;

/// What has been prepared for a box's first hand: the main lines of the last two stakes, a wager and the same doubled, in
/// the order of their rows, and the last lines of side wagers. Most players stake what they staked before.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedLines {
    /// No hand is settled without a stake, so that none stands where nothing has been prepared.
    stakes: [Stake; 2],
    main: [[Prepared; ROWS]; 2],
    sides: [(SideKey, Prepared); SIDES],
}

impl PreparedLines {
    pub(super) fn new() -> Self {
        let blank = Prepared { event: Event::Settled(Line::BLANK) };
        // Nothing is looked for without a stake.
        let no_key = SideKey { wager: 0, won: None, moment: Moment::FirstCards, stake: Stake::NONE };
        Self { stakes: [Stake::NONE; 2], main: [[blank; ROWS]; 2], sides: [(no_key, blank); SIDES] }
    }

    /// The lines of this stake, where they have been prepared.
    #[inline(always)]
    pub(super) fn of_stake(&self, stake: Stake) -> Option<&[Prepared; ROWS]> {
        debug_assert!(stake.is_placed());
        let at = usize::from(self.stakes[0] != stake);
        if self.stakes[at] == stake { Some(&self.main[at]) } else { None }
    }

    #[inline(always)]
    pub(super) fn side(&self, key: &SideKey) -> Option<&Prepared> {
        let (prepared_for, prepared) = &self.sides[key.place()];
        if prepared_for.is(key) & key.stake.is_placed() { Some(prepared) } else { None }
    }

    pub(super) fn add_side(&mut self, key: SideKey, prepared: Prepared) {
        self.sides[key.place()] = (key, prepared);
    }

    pub(super) fn add(&mut self, stake: Stake, lines: [Prepared; ROWS]) {
        self.stakes = [stake, self.stakes[0]];
        self.main = [lines, self.main[0]];
    }
}
