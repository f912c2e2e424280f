//! The hands and eyes of the table controller: serial devices, GPIO lines, I2C expanders, lamps, and the board itself.
//!
//! Each port, line bank or bus is one actor with bounded queues. What it decides is decided by small machines that take
//! the time as an argument and are tested without hardware; only the outermost layer touches the kernel. Nothing here
//! knows the rules of a game, and nothing here looks into a sealed card.
//!
//! | module | what it holds |
//! |---|---|
//! | [`fault`] | every fault with its stable code; the text of `docs/technician/faults.md` |
//! | [`clock`] | one clock that never goes back, for links and lines alike |
//! | [`serial`] | the actor of one serial port: tty or TCP, unplug and replug, babble, the technician's tap |
//! | [`devices`] | one small trait a device kind, the handles behind them, and the sealed slot of the shoe |
//! | [`inputs`] | what a switch or sensor may plausibly do; which chips were in time when the lock-out was pressed |
//! | [`gpio`] | lines by name through gpiocdev, rppal or plain embedded-hal pins; the actor that watches them |
//! | [`mcp23017`] | the 16-pin I2C expander |
//! | [`lamps`] | lamp patterns and the one task that refreshes them |
//! | [`board`] | under-voltage and storage wear, where the kernel tells |
//! | [`config`] | which port, backend, line and pin each device hangs on |
#![forbid(unsafe_code)]

pub mod board;
pub mod clock;
pub mod config;
pub mod devices;
pub mod fault;
pub mod gpio;
pub mod inputs;
pub mod lamps;
pub mod mcp23017;
pub mod serial;
