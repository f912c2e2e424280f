//! What the rules submission fixes for a meter.
//!
//! Here only what makes a meter workable is checked. The least amounts that a paytable's own clause asks for are the
//! submission's to refuse, because they differ by wager and letter.

use std::fmt;

use crate::money::Cents;

use super::exact::Rate;

/// How many times its start, or its cap, a meter may be corrected to. The largest prizes of this kind have grown to a few
/// hundred times what the house began them with.
const PLAUSIBLE_GROWTH: i64 = 1_000;

/// A meter's figures as the submission gives them. [`CheckedTerms::new`] makes them usable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MeterTerms {
    /// What the house puts in before the first round.
    pub initial: Cents,
    /// What the meter restarts from after a payment of 100 %, unless the reserve holds more (reading P5).
    pub reset: Cents,
    /// The part of each stake that the meter grows by.
    pub progression: Rate,
    /// The part of each stake that goes to the reserve, for the next reset.
    pub reserve: Rate,
    /// The meter shows no more than this; what comes after goes to the overflow.
    pub limit: Option<Cents>,
    /// A must-hit meter falls before it passes this (blackjack 13.U(2)).
    pub must_hit: Option<Cents>,
    /// A larger stake cannot be right on this wager and is refused: a mistyped amount would feed the meter for ever.
    pub stake_max: Option<Cents>,
}

/// Why terms cannot work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TermsFault {
    /// An amount is negative or beyond [`Cents::LARGEST`].
    AmountOutOfRange(Cents),
    /// Meter and reserve together would take more than the stake.
    RatesAboveWhole,
    /// The meter would start or restart above what it may show.
    StartsAboveLimit { starts: Cents, limit: Cents },
    /// A must-hit meter needs room to grow in before it falls.
    NoRoomBelowMustHit { starts: Cents, must_hit: Cents },
    /// A limit below the must-hit ceiling would keep the meter from ever getting there.
    LimitBelowMustHit { limit: Cents, must_hit: Cents },
}

impl fmt::Display for TermsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AmountOutOfRange(amount) => {
                write!(f, "{amount} is not an amount for a meter: give one from $0 to {}", Cents::LARGEST)
            }
            Self::RatesAboveWhole => {
                f.write_str("the rates of progression and reserve add up to more than the stake: lower one of them")
            }
            Self::StartsAboveLimit { starts, limit } => {
                write!(f, "the meter would start at {starts}, above its limit of {limit}: raise the limit")
            }
            Self::NoRoomBelowMustHit { starts, must_hit } => {
                write!(f, "the meter would start at {starts} and must hit by {must_hit}: raise the ceiling")
            }
            Self::LimitBelowMustHit { limit, must_hit } => {
                write!(f, "the limit of {limit} is below the must-hit ceiling of {must_hit}: leave the limit out")
            }
        }
    }
}

impl std::error::Error for TermsFault {}

impl MeterTerms {
    /// Every fault, in a fixed order; none for terms that work.
    pub fn faults(&self) -> impl Iterator<Item = TermsFault> {
        let amounts = [Some(self.initial), Some(self.reset), self.limit, self.must_hit, self.stake_max];
        let out_of_range = amounts
            .into_iter()
            .flatten()
            .filter(|amount| *amount < Cents::ZERO || *amount > Cents::LARGEST)
            .map(TermsFault::AmountOutOfRange);
        let rates = self.progression.millionths() + self.reserve.millionths();
        let above_whole = (rates > Rate::WHOLE.millionths()).then_some(TermsFault::RatesAboveWhole);
        let starts = self.initial.max(self.reset);
        let limit_fault =
            self.limit.filter(|limit| starts > *limit).map(|limit| TermsFault::StartsAboveLimit { starts, limit });
        let must_hit_fault = self
            .must_hit
            .filter(|must_hit| starts >= *must_hit)
            .map(|must_hit| TermsFault::NoRoomBelowMustHit { starts, must_hit });
        let order_fault = match (self.limit, self.must_hit) {
            (Some(limit), Some(must_hit)) if limit < must_hit => {
                Some(TermsFault::LimitBelowMustHit { limit, must_hit })
            }
            (Some(_) | None, Some(_) | None) => None,
        };
        out_of_range.chain(above_whole).chain(limit_fault).chain(must_hit_fault).chain(order_fault)
    }
}

/// Terms a meter can run on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckedTerms(MeterTerms);

impl CheckedTerms {
    /// The first fault, if any; [`MeterTerms::faults`] lists them all.
    pub fn new(terms: MeterTerms) -> Result<Self, TermsFault> {
        match terms.faults().next() {
            Some(fault) => Err(fault),
            None => Ok(Self(terms)),
        }
    }

    pub const fn terms(&self) -> &MeterTerms {
        &self.0
    }

    /// More than this in any one pool is a slip of the hand, whoever signs it.
    pub(super) fn plausible_max(&self) -> Cents {
        let starts = self.0.initial.max(self.0.reset).max(self.cap().unwrap_or_default()).max(Cents::dollars(1));
        Cents(starts.0.saturating_mul(PLAUSIBLE_GROWTH)).min(Cents::LARGEST)
    }

    /// The most that the meter may show.
    pub(super) fn cap(&self) -> Option<Cents> {
        match (self.0.limit, self.0.must_hit) {
            (Some(limit), Some(must_hit)) => Some(limit.min(must_hit)),
            (one, other) => one.or(other),
        }
    }
}
