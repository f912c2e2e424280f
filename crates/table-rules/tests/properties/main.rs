//! Properties of the rules engine, over generated play of all four games with every option.
//!
//! Nothing here knows what a hand pays: scenarios and the second implementation do. These tests hold the engine to its
//! own promises. See `random` for how to run one seed again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod driver;
mod finish;
mod making;
mod random;
mod session;
mod shoe;
mod tables;
mod universe;

mod awkward;
mod coverage;
mod coverage_life;
mod ends;
mod injected;
mod late_words;
mod money;
mod offered;
mod replay;
mod side_money;
mod silence;
mod undo;
