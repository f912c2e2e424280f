//! What a meter's operations hand back for the record, and the two sides of its balance.

use crate::money::Cents;
use crate::source::Source;

use super::exact::{Exact, MILLION};
use super::refusal::MeterRefusal;

/// A person who signs, by the number of the staff file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StaffNumber(pub u32);

/// Two different people; there is no way to write the same one twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TwoPeople {
    first: StaffNumber,
    second: StaffNumber,
}

impl TwoPeople {
    pub fn new(first: StaffNumber, second: StaffNumber) -> Result<Self, MeterRefusal> {
        if first == second { Err(MeterRefusal::SamePersonTwice) } else { Ok(Self { first, second }) }
    }

    pub const fn both(self) -> (StaffNumber, StaffNumber) {
        (self.first, self.second)
    }
}

/// Which of a meter's amounts a correction is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pool {
    Meter,
    Reserve,
    Overflow,
}

/// Where a contribution went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Contribution {
    pub to_meter: Exact,
    pub to_reserve: Exact,
    pub to_overflow: Exact,
}

/// Where a reversed contribution came back from, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reversal {
    pub from_meter: Exact,
    pub from_reserve: Exact,
    pub from_overflow: Exact,
    /// A jackpot paid earlier in the round took this part with it, so the house makes it good.
    pub seeded: Exact,
    pub source: Source,
}

/// A payment from the meter and, where it took all of it, the reset that followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Payment {
    pub paid: Cents,
    pub reset: Option<Reset>,
}

/// A meter's new start after a payment of 100 % (reading P5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reset {
    pub from_reserve: Cents,
    /// The house's part. Posted as an entry even where the reserve left nothing to add (reading X4).
    pub seed: Cents,
}

/// A correction as it goes on record, beside its written reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Correction {
    pub pool: Pool,
    pub delta: Cents,
    pub people: TwoPeople,
}

/// Both sides of X4, each term as the reading names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Balance {
    pub seeds: Exact,
    pub contributions: Exact,
    pub corrections: Exact,
    pub meter: Cents,
    pub reserve: Cents,
    pub overflow: Cents,
    pub remainder: Exact,
    pub paid: Cents,
}

impl Balance {
    /// Compared in a width that cannot overflow, so that the check itself cannot go wrong.
    pub fn holds(&self) -> bool {
        let wide = |exact: Exact| i128::from(exact.millionths());
        let cents = |amount: Cents| i128::from(amount.0) * i128::from(MILLION);
        let came_in = wide(self.seeds) + wide(self.contributions) + wide(self.corrections);
        let is_there = cents(self.meter) + cents(self.reserve) + cents(self.overflow) + wide(self.remainder);
        came_in == is_there + cents(self.paid)
    }
}
