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
//! | [`faults`] | the book of raised and cleared faults |
//! | [`reader`], [`shuffler`], [`shoe`] | one device each: its states, commands and events |
//! | [`sealed`] | a card nobody may know yet |
//! | [`mask`] | raw traffic made safe to show |
//! | [`link`] | the session machines of both ends |
//! | [`angel_eye`] | the dialect of a real card-reading shoe |
#![forbid(unsafe_code)]

pub mod angel_eye;
pub mod faults;
mod fields;
pub mod frame;
pub mod link;
pub mod mask;
pub mod message;
pub mod reader;
pub mod sealed;
pub mod shoe;
pub mod shuffler;
