//! Void rounds: all hands dead, every wager of the round back with its player (13.B, 13.D, 13.P(1), S12, H12).
//!
//! A void takes nothing from a player by itself: what was paid before it stays paid, unless a floorperson says otherwise
//! (`payments`).

use std::cmp::Ordering;

use super::Engine;
use super::irregular::AfterVoid;
use super::rows::Ending;
use super::side_placing::bits;
use super::state::{Phase, Walk};
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::input::InputKind;
use crate::line::{Approval, Due, Line, LineName, Outcome, Stake};
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::{Point, Source};
use crate::wager::WagerId;

/// How a wager goes back.
#[derive(Clone, Copy)]
pub(super) struct GoesBack {
    pub(super) outcome: Outcome,
    pub(super) name: LineName,
    pub(super) source: Source,
}

impl Engine {
    /// S12: a floorperson ends a round whose reader failed, as in 13.P(1).
    pub(super) fn check_floor_void(&self) -> Result<(), Refusal> {
        if !matches!(self.now.phase, Phase::ReaderStopped) {
            return self.not_now(InputKind::FloorVoid);
        }
        if self.jackpots_paid() > 0 && !self.now.manager_approved {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        }
        Ok(())
    }

    pub(super) fn on_floor_void(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_floor_void()?;
        self.void_round(Point::VoidReturnsWagers, AfterVoid::PlayOn, out);
        Ok(())
    }

    /// The round is void: every wager goes back, contributions are reversed (X3).
    pub(super) fn void_round(&mut self, point: Point, after: AfterVoid, out: &mut impl Sink) {
        out.push(Event::RoundVoid { source: self.cite(point) });
        self.list_payments(out);
        self.cards_leave_play(after);
        let dead = after == AfterVoid::PlayOn;
        let back = GoesBack {
            outcome: if dead { Outcome::Dead } else { Outcome::Void },
            name: if dead { &"dead hand" } else { &"void round" },
            source: self.cite(point),
        };
        self.withdraw_open_lines(out);
        for seat in self.now.in_play.iter(Direction::FromRight) {
            self.open_every_hand(seat);
            self.return_side_wagers(seat, back.outcome, point, out);
            self.return_insurance(seat, back, out);
            for hand in 0..self.now.box_at(seat).hand_count {
                self.return_hand(seat, hand, back, point, out);
            }
        }
        self.now.exposed = None;
        self.enter_settlement(out);
    }

    /// Lines that nobody has done yet are not done any more: their wagers still lie there and go back like the others.
    /// What was going back already goes on doing so.
    pub(super) fn withdraw_open_lines(&mut self, out: &mut impl Sink) {
        self.withdraw_open(|_| true, out);
    }

    /// Claims that wait for somebody's word have not come, as it turns out. What stands beside them does not rest on them.
    pub(super) fn withdraw_open_claims(&mut self, out: &mut impl Sink) {
        self.withdraw_open(|line| line.approval != Approval::NotNeeded, out);
    }

    fn withdraw_open(&mut self, wanted: fn(&Line) -> bool, out: &mut impl Sink) {
        for at in (self.now.confirmed..self.now.lines.len()).rev() {
            let line = self.now.lines[at];
            if matches!(line.outcome, Outcome::Dead | Outcome::Void) || !wanted(&line) {
                continue;
            }
            self.withdraw_line(at, out);
        }
        self.now.walk = Walk::Start;
    }

    /// One line that nobody has done: its wager is open again.
    pub(super) fn withdraw_line(&mut self, at: usize, out: &mut impl Sink) {
        let line = self.now.lines[at];
        self.now.remove_line(at);
        self.reopen_wager_of(at, &line);
        if line.is_priced() {
            out.push(Event::LineWithdrawn(line));
        }
    }

    fn reopen_wager_of(&mut self, at: usize, line: &Line) {
        let done = |other: &Line| other.seat == line.seat && other.wager == line.wager;
        let has_been_paid = self.now.lines[..self.now.confirmed].iter().any(done);
        if let Some(side) = self.side_position(line.wager).filter(|_| !has_been_paid) {
            let each = self.now.box_mut(line.seat);
            each.side_open |= 1 << side;
            // A spin that was claimed pays the others only once its line is paid.
            if line.wager == WagerId::BonusSpin {
                each.spin = None;
            }
        } else if line.wager == WagerId::Insurance {
            self.now.box_mut(line.seat).insurance_settled = false;
        }
        for each in &mut self.now.boxes {
            for hand in each.hands[..usize::from(each.hand_count)].iter_mut().filter(|hand| hand.settled) {
                match usize::from(hand.line).cmp(&at) {
                    Ordering::Less => {}
                    Ordering::Equal => hand.settled = false,
                    Ordering::Greater => hand.line -= 1,
                }
            }
        }
    }

    /// Side wagers of a box that is out of the round, with their contributions (X3). One that won and was paid stands, and
    /// none goes back twice.
    pub(super) fn return_side_wagers(&mut self, seat: Seat, outcome: Outcome, point: Point, out: &mut impl Sink) {
        let source = self.cite(point);
        let before = self.now.lines.len();
        for wager in bits(self.side_wagers_in_play(seat)) {
            let id = self.offered(wager).id();
            let carrier = self.offered(self.stake_bearer(wager)).id();
            let open = self.now.box_at(seat).side_open & (1 << wager) != 0;
            self.close_side(seat, wager);
            if open && self.offered(wager).must_hit().is_some() {
                self.forget_returned_winner(seat);
            }
            let done = |line: &Line| line.seat == seat && line.wager == carrier && !is_collected(line);
            if self.now.lines[..before].iter().any(done) {
                continue;
            }
            self.reverse_contribution(seat, wager, source, out);
            if self.is_rider(wager) {
                continue;
            }
            let stake = self.side_stake(seat, wager);
            let back = GoesBack { outcome, name: &"returned", source };
            let taken = self.now.lines.iter().find(|line| line.seat == seat && line.wager == id).copied();
            debug_assert!(open || taken.is_some(), "a wager that is not open has its line");
            self.push_returned(seat, 1, id, stake, back, taken, out);
        }
    }

    fn return_insurance(&mut self, seat: Seat, back: GoesBack, out: &mut impl Sink) {
        let each = self.now.box_at(seat);
        let stake = each.insurance;
        if !stake.is_placed() {
            return;
        }
        if !each.insurance_settled {
            self.settle_insurance(seat, back.outcome, out);
            return;
        }
        let of_this = |line: &&Line| line.seat == seat && line.wager == WagerId::Insurance;
        let taken = self.now.lines.iter().find(of_this).filter(|line| is_collected(line)).copied();
        if taken.is_some() {
            self.push_returned(seat, 1, WagerId::Insurance, stake, GoesBack { name: &"returned", ..back }, taken, out);
        }
    }

    fn return_hand(&mut self, seat: Seat, hand: u8, back: GoesBack, point: Point, out: &mut impl Sink) {
        let state = self.now.box_at(seat).hands[usize::from(hand)];
        if !state.settled {
            self.settle_hand(seat, hand, Ending { outcome: back.outcome, name: back.name, pay: None, point }, out);
            return;
        }
        let earlier = self.now.lines[usize::from(state.line)];
        if is_collected(&earlier) {
            self.push_returned(seat, earlier.hand, WagerId::Main, state.stake, back, Some(earlier), out);
        }
    }

    /// The whole stake goes back. What had gone to the inventory comes out of it on a floorperson's word (H12).
    #[expect(clippy::too_many_arguments, reason = "a line is exactly these facts; a struct would only rename them")]
    fn push_returned(
        &mut self,
        seat: Seat,
        hand: u8,
        wager: WagerId,
        stake: Stake,
        back: GoesBack,
        taken: Option<Line>,
        out: &mut impl Sink,
    ) {
        let line = Line {
            seat,
            hand,
            wager,
            outcome: back.outcome,
            name: back.name,
            pay: None,
            stake,
            returned: stake.amount().into(),
            pays: Due::NOTHING,
            source: back.source,
            approval: if taken.is_some() { Approval::Floor } else { Approval::NotNeeded },
            correction: taken.map(|line| line.to_player().unwrap_or(Cents::ZERO)).into(),
            is_share: false,
        };
        self.push_line(line, out);
    }
}

/// Whether the house kept something of this line's stake that was not won from it.
fn is_collected(line: &Line) -> bool {
    match line.outcome {
        Outcome::Lost | Outcome::Surrendered | Outcome::Rescued => true,
        Outcome::Won | Outcome::Tied | Outcome::Dead | Outcome::Void => false,
    }
}
