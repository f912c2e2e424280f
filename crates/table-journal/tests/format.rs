//! Bytes that others keep. One file for each version that was ever written; none of them is ever edited.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

#[path = "format/v1.rs"]
mod v1;
#[path = "format/v2.rs"]
mod v2;
