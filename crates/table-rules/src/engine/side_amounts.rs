//! Side wagers whose unknown amount decides something: asked for at that moment, and never sooner (X5).

use super::Engine;
use super::side_placing::bits;
use super::state::Phase;
use crate::event::{Event, Events};
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
    pub(super) fn rider_needs_amount(&self, seat: Seat, wager: u8) -> bool {
        if self.side_stake(seat, wager).amount().is_some() {
            return false;
        }
        let open = self.now.box_at(seat).side_open;
        let dealer = self.now.dealer;
        self.riders_of(wager)
            .any(|rider| open & (1 << rider) != 0 && self.verdict(seat, rider, &dealer) == Verdict::NeedsAmount)
    }

    pub(super) fn ask_side_amount(&mut self, seat: Seat, wager: u8) {
        self.now.box_mut(seat).side_asked |= 1 << wager;
        self.now.asked = self.now.asked.with(seat);
    }

    #[inline]
    pub(super) fn side_amount_is_answered(&mut self, seat: Seat, wager: u8) {
        let each = self.now.box_mut(seat);
        if each.side_asked & (1 << wager) == 0 {
            return;
        }
        each.side_asked &= !(1 << wager);
        if each.side_asked == 0 {
            self.now.asked = self.now.asked.without(seat);
        }
    }

    /// Side wagers whose unknown amount decides something (X5).
    pub(super) fn side_amount_asked(&self, seat: Seat, wager: u8) -> bool {
        self.now.box_at(seat).side_asked & (1 << wager) != 0
    }

    pub(super) fn any_side_amount_asked(&self) -> Option<(Seat, u8)> {
        let seat = self.now.asked.first_in(Direction::FromRight)?;
        bits(self.now.box_at(seat).side_asked).next().map(|wager| (seat, wager))
    }

    /// An amount of a side wager that was asked for: the wager is looked at again.
    pub(super) fn on_side_amount(
        &mut self,
        seat: Seat,
        wager: u8,
        amount: Cents,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let id = self.offered(wager).id();
        let asked = self.now.in_play.contains(seat) && self.side_amount_asked(seat, wager);
        if !asked {
            return self.refuse(Reason::NoSuchAmountAsked { seat, wager: id }, Point::AmountAsked);
        }
        let stake_of = self.stake_bearer(wager);
        self.check_side_stake(stake_of, Some(amount))?;
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
        Ok(())
    }
}
