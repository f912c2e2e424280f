//! The operator's interface, spoken to over real sockets by good and bad clients, with a stand-in for the loop behind it.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

mod act;
mod demo;
mod door;
mod load;
mod streams;
mod support;
mod visits;
