//! Amounts finer than a cent: whole cents and millionths of a cent in one integer.
//!
//! A contribution is a stake in cents times a rate in millionths, so every contribution is a whole number of these units
//! and nothing is ever rounded on its way into a meter. Rounding happens once, when a player is paid (reading S8).

use crate::money::Cents;

/// Millionths in one cent, and in a rate of 100 %.
pub(super) const MILLION: i64 = 1_000_000;

/// An exact amount, in millionths of a cent. `i64` reaches 92 thousand million dollars, lifetime totals included;
/// arithmetic that would pass it is refused, never wrapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exact(i64);

impl Exact {
    pub const ZERO: Self = Self(0);

    /// From millionths of a cent, the form in which a record keeps the amount.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// The whole cents below or at this amount: what a display shows and a payment can take.
    pub const fn whole_cents(self) -> Cents {
        Cents(self.0.div_euclid(MILLION))
    }

    /// What is left beside the whole cents, 0 to 999,999 millionths.
    pub const fn sub_cent(self) -> Self {
        Self(self.0.rem_euclid(MILLION))
    }

    pub(super) fn of_cents(cents: Cents) -> Option<Self> {
        cents.0.checked_mul(MILLION).map(Self)
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// `self - other`, at least zero: how much room, or how much to take.
    pub(super) fn above(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0).max(0))
    }
}

/// A rate in millionths of the stake: 220,000 is 22 %.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Rate(u32);

impl Rate {
    pub const ZERO: Self = Self(0);
    pub const WHOLE: Self = Self(1_000_000);

    /// None above 100 %.
    pub const fn from_millionths(millionths: u32) -> Option<Self> {
        if millionths <= Self::WHOLE.0 { Some(Self(millionths)) } else { None }
    }

    pub const fn millionths(self) -> u32 {
        self.0
    }

    pub(super) fn of(self, stake: Cents) -> Option<Exact> {
        stake.0.checked_mul(i64::from(self.0)).map(Exact)
    }
}
