//! Whole games, simulated: every input of every round goes through the rules engine that serves real tables.
//!
//! The simulation deals, answers the reader, plays a strategy and confirms what the engine settles; it never works out
//! a payout of its own, so an edge measured here is the engine's edge. All sums are integers; a float appears only in
//! the finished report.
//!
//! | file | holds |
//! |---|---|
//! | `rng` | the seeded generator |
//! | `stack` | the cards, shuffled as they are drawn |
//! | `rounds` | one table played through the engine |
//! | `tally` | integer sums and counts of settlement lines |
//! | `run` | many rounds on several threads |
//! | `report` | edge, standard error and speed for people |
//!
//! Same seed, same totals, whatever the number of threads: rounds are played in chunks of [`CHUNK_ROUNDS`], each with a
//! fresh shoe and its own generator seeded from the run's seed and the chunk's number.

mod report;
mod rng;
mod rounds;
mod run;
mod stack;
mod tally;

pub use report::{LineCount, Report};
pub use rng::Rng;
pub use rounds::{Player, Stopped, TableRun};
pub(crate) use run::on_threads;
pub use run::{BadSettings, CHUNK_ROUNDS, Settings, THREADS_MAX, run, run_observed};
pub use stack::{PENETRATION_MAX, ShoeUse, Stack};
pub use tally::Tally;
pub(crate) use tally::net_of_line;
