//! The table's own loop: devices, people and the clock in; the controller decides; the journal keeps; only then
//! anything is shown, lit or commanded.
//!
//! | module | holds |
//! |---|---|
//! | `identity` | what decides how a table behaves |
//! | `opening` | the journal, and the controller as it was left |
//! | `replay` | the record against what comes out of its inputs once more |
//! | `devices`, `felt` | one actor a port or bus, and what they say as inputs |
//! | `running`, `taking` | the loop, and what one input leads to |
//! | `ledger`, `recall` | what the daemon itself remembers; a round read back |
//! | `checkpoints` | when one is tried |
//! | `clock` | the time as the table counts it |
//!
//! One task, one order. Nothing here decides anything about the game.

mod checkpoints;
mod clock;
mod devices;
mod felt;
mod identity;
mod ledger;
mod opening;
mod recall;
mod replay;
mod running;
mod taking;

pub use felt::{FeltRunning, FeltStart, from_configuration};
pub use identity::{controller_config, file_hash, rules_pack, software_hash};
pub use opening::{NotOpened, Opened};
pub use replay::{Difference, EpochReplayed, NotReplayed, Replay};
pub use running::{NotStarted, RunningTable, TableEnded, TableParts, start};
