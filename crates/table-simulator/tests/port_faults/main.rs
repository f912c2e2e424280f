//! The real serial drivers against their twins on ptys and a socket, with everything the twins can do to them: whatever
//! happens, events come once and in order, a fault says what is wrong, and the link returns by itself.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bench;
mod reader;
mod shoe;
mod shuffler;
