//! Bytes that others keep: if one of these fails, the code is wrong.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

#[path = "format/v1.rs"]
mod v1;
#[path = "format/v1_events.rs"]
mod v1_events;
#[path = "format/v1_notices.rs"]
mod v1_notices;
