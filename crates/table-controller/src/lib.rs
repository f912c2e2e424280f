//! The pure coordinator.
#![forbid(unsafe_code)]
