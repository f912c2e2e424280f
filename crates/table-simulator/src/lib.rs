//! The table's devices as simulated twins that speak the real bytes, misbehave on purpose, and obey a seed; and a robot
//! table that plays whole rounds through them.
//!
//! The twins are pure: bytes and the time come in as arguments. Only [`port`] waits, opens ports or reads a clock.
//! Nothing here may declare a card face up: a twin knows its cards as the real thing does, inside, and the robot table
//! asks whoever runs it to break a seal.
//!
//! | module | what it holds |
//! |---|---|
//! | [`dice`], [`line`] | chance with a seed; a bad cable |
//! | [`twin`], [`trace`], [`bench`] | what all serial twins share: power, clock, link; the ladder; bench words |
//! | [`reader`], [`shuffler`], [`shoe`] | one device each: its physical model and its firmware |
//! | [`gpio`], [`mcp23017`], [`i2c`], [`panel`] | lines, expanders and the felt with its button, chips and lamps |
//! | [`bridge`] | the felt on a port, as lines of text |
//! | `floor` (feature `floor`) | a whole table around a daemon: the world, people who see the screen, a site |
//! | [`robot`], [`robot_table`] | a dealer and players; a whole table on a virtual clock |
//! | `storm` (feature `storm`) | days of table time through controller and journal, on a disk that lies |
//! | [`port`] | a twin on a pty or a TCP socket |
#![forbid(unsafe_code)]

pub mod bench;
pub mod bridge;
pub mod dice;
#[cfg(feature = "floor")]
pub mod floor;
pub mod gpio;
pub mod i2c;
pub mod line;
pub mod mcp23017;
pub mod panel;
pub mod port;
pub mod reader;
pub mod robot;
pub mod robot_table;
pub mod shoe;
pub mod shuffler;
#[cfg(feature = "storm")]
pub mod storm;
pub mod trace;
pub mod twin;
