//! Each twin against the controller's end of the link, over bytes in memory and a virtual clock, with every fault.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod faults;
mod protected;
mod reader;
mod shoe;
mod shuffler;
mod standing;
mod words;
mod world;
