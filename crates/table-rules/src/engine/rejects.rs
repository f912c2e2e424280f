//! A progressive win that two people do not validate (H28): nothing is paid for it, the meter keeps what it holds, and the
//! stake goes back. Whoever finds that the record is wrong corrects the record instead (H5).

use super::Engine;
use super::state::Walk;
use crate::event::{Event, Sink};
use crate::input::{InputKind, Text};
use crate::line::{Approval, Due, Line, Outcome};
use crate::refusal::Refusal;
use crate::source::Point;

impl Engine {
    /// The win that waits for somebody's word (7.O(1)): only such a line can be rejected.
    pub(super) fn win_waits(&self) -> Option<&Line> {
        let line = self.now.current_line().filter(|_| self.approval_waits())?;
        match line.approval {
            Approval::Progressive | Approval::ProgressiveBySecond => Some(line),
            Approval::NotNeeded | Approval::Answered | Approval::Floor => None,
        }
    }

    pub(super) fn check_reject(&self) -> Result<Line, Refusal> {
        match self.win_waits() {
            Some(line) => Ok(*line),
            None => self.not_now(InputKind::Reject),
        }
    }

    pub(super) fn on_reject(&mut self, reason: Text, out: &mut impl Sink) -> Result<(), Refusal> {
        let line = self.check_reject()?;
        let source = self.cite(Point::NotValidated);
        let (seat, hand, wager) = (line.seat, line.hand, line.wager);
        out.push(Event::Rejected { seat, hand, wager, reason, source });
        self.withdraw_line(self.now.confirmed, out);
        self.now.walk = Walk::Start;
        self.return_rejected(&line, out);
        self.lines_were_confirmed(out);
        Ok(())
    }

    /// The stake of a rejected win goes back with its contribution (X3), where it lies there for this line alone: what
    /// another line of the wager has stated, returned or corrected stays as it is.
    fn return_rejected(&mut self, line: &Line, out: &mut impl Sink) {
        let Some(side) = self.side_position(line.wager) else { return };
        self.close_side(line.seat, side);
        let stated_elsewhere = self.now.lines.iter().any(|other| other.seat == line.seat && other.wager == line.wager);
        if !line.stake.is_placed() || line.correction.is_known() || stated_elsewhere || self.is_rider(side) {
            return;
        }
        let source = self.cite(Point::NotValidated);
        self.reverse_contribution(line.seat, side, source, out);
        let back = Line {
            outcome: Outcome::Void,
            name: &"not validated",
            pay: None,
            returned: line.stake.amount().into(),
            pays: Due::NOTHING,
            source,
            approval: Approval::NotNeeded,
            is_share: false,
            ..*line
        };
        self.insert_lines(self.now.confirmed, &[back], out);
    }
}
