//! A whole table on this machine: the daemon as a library, simulated devices on ptys, people who do what the screen says.
//!
//! | module | holds |
//! |---|---|
//! | `by_hand` | a person deals: hands on the felt, and what follows by itself |
//! | `faults` | what somebody can make go wrong |
//! | `layout` | the simulated lines and lamps as the daemon's drivers want them |
//! | `stack` | the daemon with a site of its own in a folder that goes away |
//!
//! The world and its people are the simulator's `floor`. The people go through the same interface as a screen in a casino: what they could not do there they cannot do here.

pub(crate) mod by_hand;
pub(crate) mod faults;
pub(crate) mod layout;
pub(crate) mod stack;

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod tests;
