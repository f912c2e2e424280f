//! The independent check of the side wagers: figures and winning lines taken a second time from the printed clauses.
//!
//! `figures.tsv` holds what every clause pays, `slow` decides which clauses pay for a deal. Neither may look at the
//! product's paytables or evaluators. Tests that put the product beside them belong in this folder too, each in a
//! module of its own below the line, so that nothing above it ever depends on what is being checked.

mod cases;
mod cases_21;
mod figures;
mod pages;
mod published;
mod reach;
mod slow;

// ---- The product against the second implementation: add the comparing modules here. ----
mod product;
