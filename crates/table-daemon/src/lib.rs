//! `holecardd`: what runs at a table for months.
//!
//! | module | holds |
//! |---|---|
//! | `config` | the table's configuration, in layers |
//! | `handle` | between the loop and everybody who talks to it |
//! | `http` | the operator's interface |
//! | `service` | the daemon as a process |
//! | `failures`, `closed` | what failed lately; the daemon without its table, after too much of it |
//! | `table` | the table's own loop: devices, controller, journal |
//! | `staff` | who somebody is: numbers, PINs, lock-outs |
//! | `memory` | what keeps secrets inside the process |
//! | `secret` | secrets in files of their own |
//! | `notify`, `metrics` | what systemd, the log and Prometheus are told |
//!
//! What must never be here: a rule of the game, or an opinion on what a person may do.
#![forbid(unsafe_code)]

mod closed;
pub mod config;
mod durable;
mod failures;
pub mod handle;
pub mod http;
mod memory;
pub mod metrics;
pub mod notify;
mod pairs;
pub mod secret;
pub mod service;
pub mod staff;
pub mod table;
pub mod version;
