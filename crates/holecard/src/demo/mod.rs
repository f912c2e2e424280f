//! A whole table on this machine: the daemon as a library, simulated devices on ptys, people who do what the screen says.
//!
//! | module | holds |
//! |---|---|
//! | `world` | cards, chips, twins on their ports: what hands do |
//! | `felt` | the simulated lines and lamps as the daemon's drivers want them |
//! | `people` | a dealer, players and a floorperson who see the screen and nothing else |
//! | `stack` | the daemon with a site of its own in a folder that goes away |
//!
//! The people go through the same interface as a screen in a casino: what they could not do there they cannot do here.

pub(crate) mod felt;
pub(crate) mod people;
pub(crate) mod stack;
pub(crate) mod world;

#[cfg(test)]
mod tests;
