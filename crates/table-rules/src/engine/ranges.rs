//! The ranges behind the patterns of what is offered: whether exactly these particulars would be accepted.

use super::Engine;
use super::state::{DealStep, Phase};
use crate::event::Events;
use crate::input::{Draw, Input, Text};
use crate::money::Cents;
use crate::prompt::{AmountRange, Ranges};
use crate::seat::{Seat, SeatSet};
use crate::table::Variation;
use crate::wager::WagerId;

impl Ranges for Engine {
    /// Inputs of the table's life and of irregularities have one rule each; a copy is asked, since they are rare.
    fn would_accept(&self, input: &Input) -> bool {
        self.clone().apply(input, &mut Events::discarding()).is_ok()
    }

    fn plain_card_is_legal(&self) -> bool {
        self.table.variation != Variation::DoubleShoe
            || !matches!(self.now.phase, Phase::Wagering | Phase::Dealing(DealStep::Determinant))
    }

    fn wager_is_legal(&self, seat: Seat, wager: WagerId, amount: Option<Cents>) -> bool {
        match self.check_wager_id(wager) {
            Ok(None) => self.main_range().admits(amount),
            Ok(Some(side)) => {
                self.check_side_stake(side, amount).is_ok() && self.check_spot_is_free(seat, side, amount).is_ok()
            }
            Err(_) => false,
        }
    }

    fn cash_is_legal(&self, seat: Seat, returned: bool) -> bool {
        self.check_cash(seat, returned).is_ok()
    }

    fn amount_is_legal(&self, wager: WagerId, amount: Cents) -> bool {
        match self.side_position(wager) {
            None => self.main_range().admits(Some(amount)),
            Some(side) => self.check_side_stake(self.stake_bearer(side), Some(amount)).is_ok(),
        }
    }

    fn side_amount_is_asked(&self, seat: Seat, wager: WagerId) -> bool {
        let asked = |side| self.now.in_play.contains(seat) && self.side_amount_asked(seat, side);
        self.side_position(wager).is_some_and(asked)
    }

    fn wheel_is_legal(&self, seat: Seat, wager: WagerId, symbol: Text) -> bool {
        self.now.wheel.is_some_and(|due| {
            self.offered(due.wager).id() == wager
                && due.seats.contains(seat)
                && self.read_symbol(seat, due.wager, symbol).is_some()
        })
    }

    fn draw_is_legal(&self, draw: Draw) -> bool {
        Self::draw_is_legal(self, draw)
    }

    fn claim_is_legal(&self, seat: Seat, wager: WagerId, line: Text) -> bool {
        self.claim_is_possible(seat, wager, line)
    }

    fn insurance(&self, seat: Seat) -> AmountRange {
        self.insurance_range(seat)
    }

    fn is_placed(&self, seat: Seat, wager: WagerId) -> bool {
        seat.number() <= self.table.positions
            && self.check_wager_id(wager).is_ok_and(|side| self.wager_is_placed(seat, side))
    }

    fn is_offered(&self, wager: WagerId) -> bool {
        self.check_wager_id(wager).is_ok()
    }

    fn link_is_legal(&self, seats: SeatSet) -> bool {
        self.check_link(seats).is_ok()
    }
}
