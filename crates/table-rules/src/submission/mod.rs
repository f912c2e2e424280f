//! The operator's rules submission: a TOML file in, a playable [`Table`] or every reason against it out.
//!
//! [`RulesSubmission::parse`] reads the text strictly and never fails: what it could not read it remembers as a
//! [`Problem`]. [`RulesSubmission::check`] is the one way to a [`Table`] and reports all problems together, each with
//! the clause or reading it rests on and its place in the file. This module does no I/O, guesses no answer that the
//! rules leave to the operator, and never reads an amount through a float.
//!
//! ```
//! use table_rules::submission::RulesSubmission;
//!
//! let verdict = RulesSubmission::parse("readings = \"2\"\ngame = \"spanish-21\"\ndecks = 7\n").check();
//! let problems = verdict.table.unwrap_err();
//! assert!(problems[0].render("table.toml").starts_with("table.toml:2:1: "));
//! assert!(problems.iter().any(|problem| problem.source.to_string() == "spanish-21 3.A"));
//! ```

mod approved;
mod check;
mod clauses;
mod departures;
mod document;
mod options;
mod place;
mod problem;
mod readings;
mod section;
mod spelling;
#[cfg(test)]
mod tests;
mod wagers;

pub use check::Verdict;
pub use document::{RestrictionAsked, RulesSubmission, TEXT_BYTES_MAX, VariationAsked};
pub use place::FilePlace;
pub use problem::{Citation, Problem, Severity};
pub use readings::{READINGS_VERSION, Reading};
pub use section::{Entry, Given};
pub use wagers::WagerAsked;

#[cfg(doc)]
use crate::table::Table;
