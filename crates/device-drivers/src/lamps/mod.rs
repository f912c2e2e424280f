//! The lamps of the betting positions and of the lock-out button.
//!
//! What a lamp shows is computed from its state and the time, never stored: [`pattern`] is a pure function. One task,
//! [`task`], writes the result when it changes and sleeps otherwise. After a restart the states come from the journal
//! and are on the table before the daemon says that it is ready, because a lit lamp is evidence.

pub mod pattern;
pub mod task;

pub use pattern::{LampBoard, LampFrame, LampState};
pub use task::{LampControl, LampOutput, LampSignal, LampsStarted, NotWritten, start_lamps};
