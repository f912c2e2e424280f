//! Exact odds of the side wagers.
//!
//! Every figure is a count of ordered deals from a fresh shoe, found through the evaluators that the engine itself pays
//! by, so that what is audited is what pays. Nothing is sampled, and no float takes part before the last digit is known;
//! what depends on the players' decisions is the exception, and says so beside its standard error.
//!
//! - [`fraction`], [`shoe`]: exact numbers, and ways to draw cards.
//! - [`deals`]: every deal of the first cards. [`dealer`]: every final hand of the dealer.
//! - [`judge`]: asks an evaluator as the engine would. [`verdicts`]: its answers on every deal, counted.
//! - [`wager`]: the odds of one offer. [`insurance`]: those of insurance.
//! - [`best_play`], [`strategy`]: the chart that gains most at a table, worked out; the same, to be looked up. [`chart`]: for people.
//! - [`simulate`]: whole rounds through the engine. [`played`]: the wager that decisions change, counted in them.
//! - [`catalogue`]: every game, wager, paytable and option. [`table`], [`report`], [`par`]: figures, JSON, pages, PAR sheets.
#![forbid(unsafe_code)]

pub mod bare;
pub mod best_play;
pub mod catalogue;
pub mod chart;
pub mod dealer;
pub mod deals;
pub mod fraction;
pub mod insurance;
pub mod judge;
pub mod par;
pub mod played;
pub mod report;
pub mod shoe;
pub mod simulate;
pub mod strategy;
pub mod table;
pub mod verdicts;
pub mod wager;
