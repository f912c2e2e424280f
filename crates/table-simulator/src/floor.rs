//! The things on a whole table and the people around it, for whoever runs a daemon: the demo and the tests of the whole.
//!
//! | module | holds |
//! |---|---|
//! | [`world`] | cards, chips, twins on their ports: what hands do |
//! | [`people`] | a dealer, players and a floorperson who see the screen and nothing else |
//! | [`shift`] | one moment after the other: look, decide, do |
//! | [`site`] | the files of a site: configuration, rules, ports |
//! | [`daemon`], [`client`] | a daemon as a process, and its interface as a screen uses it |
//!
//! Nothing here knows the daemon except as a program. What people say goes wherever whoever runs them sends it, so that they can do nothing
//! that they could not do on a screen in a casino.

pub mod client;
pub mod daemon;
pub mod people;
pub mod shift;
pub mod site;
pub mod world;
