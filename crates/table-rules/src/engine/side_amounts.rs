//! Side wagers whose unknown amount decides something: asked for at that moment, and never sooner (X5).

use super::Engine;
use super::side_placing::bits;
use super::state::{Pending, Phase};
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::line::Stake;
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::Verdict;
use crate::source::Point;

impl Engine {
    /// Whether the amount of this wager is not known and decides about another that rides on it: then it is asked for
    /// before the wager itself is paid (X5).
    #[inline]
    pub(super) fn rider_needs_amount(&self, seat: Seat, wager: u8) -> bool {
        self.side_stake(seat, wager).amount().is_none() && self.unknown_amount_decides_a_rider(seat, wager)
    }

    fn unknown_amount_decides_a_rider(&self, seat: Seat, wager: u8) -> bool {
        let open = self.now.box_at(seat).side_open;
        let dealer = self.now.dealer;
        self.riders_of(wager)
            .any(|rider| open & (1 << rider) != 0 && self.verdict(seat, rider, &dealer) == Verdict::NeedsAmount)
    }

    pub(super) fn ask_side_amount(&mut self, seat: Seat, wager: u8) {
        self.now.box_mut(seat).side_asked |= 1 << wager;
        self.now.set_asked(seat, true);
    }

    #[inline]
    pub(super) fn side_amount_is_answered(&mut self, seat: Seat, wager: u8) {
        let each = self.now.box_mut(seat);
        if each.side_asked & (1 << wager) == 0 {
            return;
        }
        each.side_asked &= !(1 << wager);
        if each.side_asked == 0 {
            self.now.set_asked(seat, false);
        }
    }

    /// Side wagers whose unknown amount decides something (X5).
    pub(super) fn side_amount_asked(&self, seat: Seat, wager: u8) -> bool {
        self.now.box_at(seat).side_asked & (1 << wager) != 0
    }

    pub(super) fn any_side_amount_asked(&self) -> Option<(Seat, u8)> {
        if !self.now.pending.has(Pending::AMOUNT) {
            return None;
        }
        let seat = self.now.asked.first_in(Direction::FromRight)?;
        bits(self.now.box_at(seat).side_asked).next().map(|wager| (seat, wager))
    }

    pub(super) fn check_side_amount(&self, seat: Seat, wager: u8, amount: Cents) -> Result<(), Refusal> {
        if !self.now.in_play.contains(seat) || !self.side_amount_asked(seat, wager) {
            let wager = self.offered(wager).id();
            return self.refuse(Reason::NoSuchAmountAsked { seat, wager }, Point::AmountAsked);
        }
        self.check_side_stake(self.stake_bearer(wager), Some(amount))
    }

    /// An amount of a side wager that was asked for: the wager is looked at again.
    pub(super) fn side_amount_is_told(&mut self, seat: Seat, wager: u8, amount: Cents, out: &mut impl Sink) {
        let (id, stake_of) = (self.offered(wager).id(), self.stake_bearer(wager));
        self.now.box_mut(seat).side[usize::from(stake_of)] = Stake::of(amount);
        self.side_amount_is_answered(seat, wager);
        out.push(Event::AmountTold { seat, wager: id, amount, source: self.cite(Point::AmountAsked) });
        // The line of a wheel waits for the spins of all boxes.
        if self.side.spun_at_turn != Some(wager) {
            self.settle_again(wager, out);
            for rider in self.riders_of(wager).collect::<Vec<_>>() {
                self.settle_again(rider, out);
            }
        }
        if matches!(self.now.phase, Phase::AskAdditional) && !self.settlement_questions_are_open() {
            self.begin_settlement(out);
        }
    }
}
