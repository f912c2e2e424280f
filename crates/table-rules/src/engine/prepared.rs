//! Lines that fall due again and again, prepared: most stakes of a table are alike, and a line is copied much faster than
//! it is put together. What a line says is decided where it is prepared; here it only finds its box.

use crate::event::{Event, Events};
use crate::line::{Approval, Line, Stake};
use crate::seat::Seat;

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
            push_without_room(lines, &self.line);
        } else {
            lines.push(self.line);
        }
        if let Some(line) = lines.last_mut() {
            line.seat = seat;
            line.hand = hand;
        }
    }
}

#[cold]
#[inline(never)]
fn push_without_room(lines: &mut Vec<Line>, line: &Line) {
    lines.push(*line);
}

/// The lines of one stake, a hand compared with the dealer's: one for each comparison, in the order of their table.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComparedLines {
    pub(super) stake: Stake,
    pub(super) rows: [Prepared; 4],
}

/// What has been prepared at a table: the lines of the last two stakes, a wager and the same doubled.
#[derive(Clone, Debug, Default)]
pub(super) struct PreparedLines([Option<ComparedLines>; 2]);

impl PreparedLines {
    #[inline]
    pub(super) fn compared(&self, stake: Stake) -> Option<&ComparedLines> {
        self.0.iter().flatten().find(|lines| lines.stake == stake)
    }

    pub(super) fn add(&mut self, lines: ComparedLines) {
        self.0.swap(0, 1);
        self.0[0] = Some(lines);
    }
}
