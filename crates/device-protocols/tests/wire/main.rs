//! The bytes on the wire, message by message, and the documents that show them. If one fails, the code is wrong:
//! devices in the field speak what is written here.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

mod angel_eye;
mod common;
mod documents;
mod protected;
mod reader;
mod shoe;
mod shuffler;
mod support;
