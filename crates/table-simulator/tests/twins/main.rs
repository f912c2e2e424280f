//! Each twin against the controller's end of the link, over bytes in memory and a virtual clock, with every fault.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod faults;
mod reader;
mod shoe;
mod shuffler;
mod words;
mod world;
