//! Why a meter says no. The meter is unchanged after each of these.

use std::fmt;

use crate::money::Cents;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MeterRefusal {
    RoundAlreadyOpen,
    NoRoundOpen,
    TermsWhileRoundOpen,
    UnreasonableStake { stake: Cents, most: Cents },
    ReversalAboveStakes { stake: Cents, staked: Cents },
    NotAPercentage(u8),
    SamePersonTwice,
    CorrectionWithoutReason,
    CorrectionOfNothing,
    CorrectionBelowZero { holds: Cents, delta: Cents },
    CorrectionAboveLimit { delta: Cents },
    CorrectionImplausible { delta: Cents, most: Cents },
    OutOfRange,
}

impl fmt::Display for MeterRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundAlreadyOpen => f.write_str("the meter's round is already open: close it first"),
            Self::NoRoundOpen => f.write_str("no round is open on this meter: amounts move only within a round"),
            Self::TermsWhileRoundOpen => {
                f.write_str("the meter's terms do not change while a round is open: finish the round first")
            }
            Self::UnreasonableStake { stake, most } => {
                write!(f, "a stake of {stake} cannot feed this meter: it takes more than $0 and at most {most}")
            }
            Self::ReversalAboveStakes { stake, staked } => {
                write!(f, "a reversal of {stake} does not fit the {staked} that this round has posted")
            }
            Self::NotAPercentage(percent) => write!(f, "{percent} is not a share of a meter: give 1 to 100 percent"),
            Self::SamePersonTwice => f.write_str("a correction needs two different people: ask a second one to sign"),
            Self::CorrectionWithoutReason => f.write_str("a correction needs its reason in writing"),
            Self::CorrectionOfNothing => f.write_str("a correction of nothing changes nothing: give an amount"),
            Self::CorrectionBelowZero { holds, delta } => {
                write!(f, "a correction by {delta} would take more than the {holds} that is there")
            }
            Self::CorrectionAboveLimit { delta } => {
                write!(f, "a correction by {delta} would lift the meter above its limit: correct the overflow instead")
            }
            Self::CorrectionImplausible { delta, most } => {
                write!(f, "a correction by {delta} cannot be right: this meter's terms make at most {most} plausible")
            }
            Self::OutOfRange => f.write_str("the amount is beyond what a meter can hold: check the figures"),
        }
    }
}

impl std::error::Error for MeterRefusal {}
