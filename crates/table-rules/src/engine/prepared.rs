//! Lines that fall due again and again, prepared: most stakes of a table are alike, and a line is copied much faster than
//! it is put together. What a line says is decided where it is prepared; here it only finds its box.

use super::compared::ROWS;
use crate::event::{Event, Events};
use crate::line::{Approval, Line, Stake};
use crate::seat::Seat;
use crate::side::Line as SideLine;

/// A line with its event, but for the box that it is for.
///
/// Both are copied to their places and then told their box: a copy of what was just written would have to wait for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    line: Line,
    event: Event,
}

impl Prepared {
    /// The line must be priced, since others are not reported yet, and need no approval.
    pub(super) fn new(line: Line) -> Self {
        debug_assert!(line.is_priced() && line.approval == Approval::NotNeeded);
        Self { line, event: Event::Settled(line) }
    }

    /// Draws up the line for this hand of this seat; hands count from 1.
    #[inline(always)]
    pub(super) fn draw_up(&self, seat: Seat, hand: u8, lines: &mut Vec<Line>, out: &mut Events) {
        out.push_settled_at(&self.event, seat, hand);
        if lines.len() == lines.capacity() {
            push_without_room(lines, Line { seat, hand, ..self.line });
            return;
        }
        // As a slice of one, it is copied without a stay on the stack.
        lines.extend_from_slice(std::slice::from_ref(&self.line));
        if let Some(line) = lines.last_mut() {
            line.seat = seat;
            line.hand = hand;
        }
    }
}

#[cold]
#[inline(never)]
fn push_without_room(lines: &mut Vec<Line>, line: Line) {
    lines.push(line);
}

/// A won side wager's line, where nothing but the stake decides what it comes to.
#[derive(Clone, Copy, Debug)]
struct WonSide {
    wager: u8,
    line: Option<SideLine>,
    stake: Stake,
    prepared: Prepared,
}

/// The last line of a side wager is found by its place, a few of them at a time.
const WON_SIDES: usize = 8;

/// What has been prepared at a table: the main lines of the last two stakes, a wager and the same doubled, in the order
/// of their rows, and the last won lines of side wagers.
#[derive(Clone, Debug)]
pub(super) struct PreparedLines {
    /// No hand is settled without a stake, so that none stands where nothing has been prepared.
    stakes: [Stake; 2],
    main: [[Prepared; ROWS]; 2],
    won: [WonSide; WON_SIDES],
}

impl PreparedLines {
    pub(super) fn new() -> Self {
        let blank = Prepared { line: Line::BLANK, event: Event::Settled(Line::BLANK) };
        let won = WonSide { wager: 0, line: None, stake: Stake::NONE, prepared: blank };
        Self { stakes: [Stake::NONE; 2], main: [[blank; ROWS]; 2], won: [won; WON_SIDES] }
    }

    /// The lines of this stake, where they have been prepared.
    #[inline(always)]
    pub(super) fn of_stake(&self, stake: Stake) -> Option<&[Prepared; ROWS]> {
        debug_assert!(stake.is_placed());
        let at = usize::from(self.stakes[0] != stake);
        if self.stakes[at] == stake { Some(&self.main[at]) } else { None }
    }

    #[inline]
    pub(super) fn won(&self, wager: u8, line: SideLine, stake: Stake) -> Option<&Prepared> {
        let won = &self.won[place_of_won(wager, line)];
        let same = (won.wager == wager) & (won.line == Some(line)) & (won.stake == stake);
        if same { Some(&won.prepared) } else { None }
    }

    pub(super) fn add_won(&mut self, wager: u8, line: SideLine, stake: Stake, prepared: Prepared) {
        self.won[place_of_won(wager, line)] = WonSide { wager, line: Some(line), stake, prepared };
    }

    pub(super) fn add(&mut self, stake: Stake, lines: [Prepared; ROWS]) {
        self.stakes = [stake, self.stakes[0]];
        self.main = [lines, self.main[0]];
    }
}

#[inline]
fn place_of_won(wager: u8, line: SideLine) -> usize {
    (usize::from(wager) * 2 + line.index()) % WON_SIDES
}
