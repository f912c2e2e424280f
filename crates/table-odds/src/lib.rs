//! Exact odds of the side wagers.
//!
//! Every figure is a count of ordered deals from a fresh shoe, found through the evaluators that the engine itself pays
//! by, so that what is audited is what pays. Nothing is sampled, and no float takes part before the last digit is known.
#![forbid(unsafe_code)]

pub mod dealer;
pub mod deals;
pub mod fraction;
pub mod insurance;
pub mod report;
pub mod shoe;
pub mod table;
