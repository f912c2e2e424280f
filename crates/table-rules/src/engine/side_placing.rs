//! The side wagers on offer, and on the boxes: what may be placed, what lies there, and whose stake counts.

use super::Engine;
use super::state::{BoxState, SIDE_MAX};
use crate::game::Direction;
use crate::line::Stake;
use crate::money::Cents;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::{Moment, OfferedWager, Placement, Wheel};
use crate::source::Point;
use crate::table::Table;
use crate::wager::WagerId;

/// What the engine needs to know of the offered wagers at every card, worked out once.
#[derive(Clone, Debug)]
pub(super) struct SideIndex {
    /// For each moment, the wagers that may settle then, one bit each.
    pub(super) at: [u32; 5],
    /// Wagers that have no stake of their own, with the wager they ride on.
    riders: Vec<(u8, u8)>,
    /// The same wagers, one bit each.
    pub(super) rides: u32,
    /// For each wager, the one that carries its stake: itself, or the one it rides on.
    bearer: [u8; SIDE_MAX],
    /// Wagers that a sensor places, one bit each.
    pub(super) sensor: u32,
    /// Wagers that may keep the dealer drawing (B12).
    pub(super) needs_dealer: u32,
    /// Whether anything on offer is decided by a random draw (B10).
    pub(super) has_draws: bool,
    /// The wager whose bonuses are drawn in every n-th round (W13).
    pub(super) drawn_bonuses: Option<u8>,
    /// The wager whose winner is drawn among its boxes.
    pub(super) must_hit: Option<u8>,
    /// The wager whose wheel is spun at a player's turn to be paid.
    pub(super) spun_at_turn: Option<u8>,
    /// The place of each wager among those on offer; [`NOT_OFFERED`] where it is not.
    position: [u8; WagerId::COUNT],
    /// The meters of wager `i` are `meters[from..to]` of the round's meters.
    pub(super) meters: Vec<(u8, u8)>,
}

const NOT_OFFERED: u8 = u8::MAX;

impl SideIndex {
    pub(super) fn new(table: &Table) -> Self {
        let mut index = Self {
            at: [0; 5],
            riders: Vec::new(),
            rides: 0,
            bearer: [0; SIDE_MAX],
            sensor: 0,
            needs_dealer: 0,
            has_draws: false,
            drawn_bonuses: None,
            must_hit: None,
            spun_at_turn: None,
            position: [NOT_OFFERED; WagerId::COUNT],
            meters: Vec::new(),
        };
        let mut meters = 0u8;
        for (i, offered) in (0u8..).zip(&table.wagers).take(SIDE_MAX) {
            index.bearer[usize::from(i)] = i;
            if index.position[offered.id() as usize] == NOT_OFFERED {
                index.position[offered.id() as usize] = i;
            }
            for (slot, moment) in index.at.iter_mut().zip(Moment::ALL) {
                if offered.moments().contains(&moment) {
                    *slot |= 1 << i;
                }
            }
            match offered.placement() {
                Placement::Chips => {}
                Placement::Sensor => index.sensor |= 1 << i,
                Placement::RidesOn(carrier) => {
                    let carrier = (0u8..).zip(&table.wagers).find(|(_, other)| other.id() == carrier);
                    if let Some((carrier, _)) = carrier {
                        index.riders.push((i, carrier));
                        index.rides |= 1 << i;
                        index.bearer[usize::from(i)] = carrier;
                    }
                }
            }
            if offered.side().dealer_hand != crate::side::DealerHand::NotNeeded {
                index.needs_dealer |= 1 << i;
            }
            index.has_draws |= offered.has_draws();
            let first = |found: Option<u8>, is_it: bool| found.or(is_it.then_some(i));
            index.drawn_bonuses = first(index.drawn_bonuses, offered.lucky_player().is_some());
            index.must_hit = first(index.must_hit, offered.must_hit().is_some());
            index.spun_at_turn = first(index.spun_at_turn, offered.wheel() == Some(Wheel::AtTheTurn));
            let from = meters;
            meters = meters.saturating_add(u8::try_from(offered.meters().len()).unwrap_or(u8::MAX));
            index.meters.push((from, meters));
        }
        index
    }
}

/// The bits of a mask, lowest first: the order of the submission (D12).
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros();
        mask &= mask - 1;
        u8::try_from(bit).ok()
    })
}

impl Engine {
    #[inline]
    pub(super) fn side_position(&self, wager: WagerId) -> Option<u8> {
        let position = self.side.position[wager as usize];
        if position == NOT_OFFERED { None } else { Some(position) }
    }

    #[inline]
    pub(super) fn offered(&self, wager: u8) -> &OfferedWager {
        &self.table.wagers[usize::from(wager)]
    }

    /// Whether any box has an open wager that settles at this moment.
    pub(super) fn side_wagers_at(&self, moment: Moment) -> bool {
        let mask = self.side.at[moment as usize];
        self.now.in_play.iter(Direction::FromLeft).any(|seat| self.now.box_at(seat).side_open & mask != 0)
    }

    /// Whether a side wager may have this stake: what the submission lists, else its bounds in chips (H3).
    pub(super) fn check_side_stake(&self, wager: u8, amount: Option<Cents>) -> Result<(), Refusal> {
        let offered = self.offered(wager);
        if let Placement::RidesOn(carrier) = offered.placement() {
            return self.refuse(Reason::RidesOn { wager: offered.id(), carrier }, Point::OptionalWagers);
        }
        let Some(amount) = amount else {
            // A meter is fed by the stake, so a spot that takes more than one has to say which.
            if offered.is_progressive() && offered.known_stake(None).is_none() {
                return self.refuse(Reason::TellTheStake(offered.id()), Point::OptionalWagers);
            }
            return Ok(());
        };
        if amount <= Cents::ZERO {
            return self.refuse(Reason::AmountNotPositive, Point::TableLimits);
        }
        let in_chips = !offered.stakes().is_empty() || amount.is_multiple_of(self.table.smallest_chip);
        if !in_chips {
            return self.refuse(Reason::NotInChips { smallest: self.table.smallest_chip }, Point::TableLimits);
        }
        if offered.max_stake().is_none() && amount > self.table.limits.maximum {
            return self.refuse(Reason::AboveMaximum { maximum: self.table.limits.maximum }, Point::TableLimits);
        }
        if !offered.allows_stake(amount) {
            return self.refuse(Reason::StakeNotAllowed(offered.id()), Point::OptionalWagers);
        }
        Ok(())
    }

    /// A sensor's spot holds one stake: another takes its place only once it is taken back (X5).
    #[inline]
    pub(super) fn check_spot_is_free(&self, seat: Seat, side: u8, amount: Option<Cents>) -> Result<(), Refusal> {
        let placed = self.now.box_at(seat).side_placed & (1 << side) != 0;
        if !placed || self.side.sensor & (1 << side) == 0 {
            return Ok(());
        }
        let lying = self.now.box_at(seat).side[usize::from(side)].amount();
        if self.offered(side).known_stake(lying) != self.offered(side).known_stake(amount) {
            let wager = self.offered(side).id();
            return self.refuse(Reason::WagerAlreadyThere { seat, wager }, Point::SensorLitAtLock);
        }
        Ok(())
    }

    /// Chips, or cash that waits to be changed into them.
    pub(super) fn anything_is_placed(&self) -> bool {
        self.chips_are_placed() || !self.now.cash.is_empty()
    }

    pub(super) fn chips_are_placed(&self) -> bool {
        !self.now.in_play.is_empty() || self.now.boxes.iter().any(|each| each.side_placed != 0)
    }

    /// Boxes with a side wager but no main wager may not be locked in (6.F).
    pub(super) fn check_sides_have_main(&self) -> Result<(), Refusal> {
        for seat in SeatSet::first(self.table.positions).minus(self.now.in_play).iter(Direction::FromLeft) {
            let placed = self.now.box_at(seat).side_placed;
            if placed != 0 {
                let wager = bits(placed).next().map_or(WagerId::Main, |i| self.offered(i).id());
                return self.refuse(Reason::WagerNeedsMain { seat, wager }, Point::MainWagerFirst);
            }
        }
        Ok(())
    }

    /// The lock: placed wagers are in the round, riders with them.
    pub(super) fn open_side_wagers(&mut self) {
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            self.now.box_mut(seat).side_open = self.side_wagers_in_play(seat);
        }
    }

    /// The wagers that lie on a box and those that ride on them.
    pub(super) fn side_wagers_in_play(&self, seat: Seat) -> u32 {
        let mut all = self.now.box_at(seat).side_placed;
        for &(rider, carrier) in &self.side.riders {
            if all & (1 << carrier) != 0 {
                all |= 1 << rider;
            }
        }
        all
    }

    /// The stake a wager is settled by: its own, or that of the wager it rides on.
    #[inline]
    pub(super) fn side_stake(&self, seat: Seat, wager: u8) -> Stake {
        self.side_stake_on(self.now.box_at(seat), wager)
    }

    #[inline]
    pub(super) fn side_stake_on(&self, each: &BoxState, wager: u8) -> Stake {
        let at = self.stake_bearer(wager);
        let placed = each.side[usize::from(at) & (SIDE_MAX - 1)];
        if placed.is_unknown() {
            // It goes without saying where only one stake is allowed.
            return self.offered(at).known_stake(None).map_or(placed, Stake::of);
        }
        placed
    }

    /// The wager that carries the stake: itself, or the one it rides on.
    #[inline]
    pub(super) fn stake_bearer(&self, wager: u8) -> u8 {
        self.side.bearer[usize::from(wager) & (SIDE_MAX - 1)]
    }

    /// The wagers that ride on this one.
    pub(super) fn riders_of(&self, wager: u8) -> impl Iterator<Item = u8> {
        self.side.riders.iter().filter(move |&&(_, carrier)| carrier == wager).map(|&(rider, _)| rider)
    }

    #[inline]
    pub(super) fn is_rider(&self, wager: u8) -> bool {
        self.side.rides & (1 << wager) != 0
    }
}
