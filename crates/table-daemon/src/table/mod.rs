//! The table's own loop: devices, people and the clock in; the controller decides; the journal keeps; only then
//! anything is shown, lit or commanded.
//!
//! | module | holds |
//! |---|---|
//! | `opening` | the journal, and the controller as it was left |
//! | `devices`, `felt` | one actor a port or bus, and what they say as inputs |
//! | `running`, `taking` | the loop, and what one input leads to |
//! | `ledger`, `recall` | what the daemon itself remembers; a round read back |
//! | `clock` | the time as the table counts it |
//!
//! One task, one order. Nothing here decides anything about the game.

mod clock;
mod devices;
mod felt;
mod ledger;
mod opening;
mod recall;
mod running;
mod taking;

pub use felt::{FeltRunning, FeltStart, from_configuration};
pub use opening::{NotOpened, Opened, software_hash};
pub use running::{NotStarted, RunningTable, TableEnded, TableParts, start};
