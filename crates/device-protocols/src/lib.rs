//! The languages spoken between the table controller and its serial devices: frames, messages and link sessions.
//!
//! Everything here is pure. Bytes and the time come in as arguments, frames and events go out as values; there is no
//! port, clock, thread or randomness. The byte-by-byte description lives in `docs/protocols/`, whose worked examples
//! are this crate's test vectors.
//!
//! | module | what it holds |
//! |---|---|
//! | [`frame`] | COBS frames with a CRC, the bounded streaming decoder |
//! | [`message`] | what all devices share: HELLO, HEARTBEAT, ACK, HOLD, NAK; the [`message::DeviceProtocol`] trait |
//! | [`fault_code`] | the parts of a table and the names of their faults |
//! | [`faults`] | which faults of a device stand: raised, later cleared |
//! | [`reader`], [`shuffler`], [`shoe`] | one device each: its states, commands and events |
//! | [`lamp`] | what the lamp of a betting spot says |
//! | [`sealed`] | a card nobody may know yet |
//! | [`mask`] | raw traffic made safe to show |
//! | [`protection`] | version 2: the same messages, sealed between two ends that were paired |
//! | [`link`] | the session machines of both ends |
//! | [`angel_eye`] | the dialect of a real card-reading shoe |
#![forbid(unsafe_code)]

pub mod angel_eye;
pub mod describe;
pub mod fault_code;
pub mod faults;
mod fields;
pub mod frame;
pub mod lamp;
pub mod link;
pub mod mask;
pub mod message;
pub mod protection;
pub mod reader;
pub mod sealed;
pub mod shoe;
pub mod shuffler;
