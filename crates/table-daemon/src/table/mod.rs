//! The table's own loop: devices, people and the clock in; the controller decides; the journal keeps; only then
//! anything is shown, lit or commanded.
//!
//! | module | holds |
//! |---|---|
//! | `identity` | what decides how a table behaves |
//! | `opening` | the journal, and the controller as it was left |
//! | `replay` | the record against what comes out of its inputs once more |
//! | `devices`, `layout` | one actor a port or bus, and what they say as inputs |
//! | `running`, `decide` | the loop, and what one input leads to |
//! | `requests` | what people ask for, and who is still missing |
//! | `ledger`, `recall` | what the daemon itself remembers; a round read back |
//! | `answering` | the reader's answer, at a fixed time after the insertion |
//! | `asking` | what can be read besides the screen |
//! | `arrivals` | the next thing that a device says |
//! | `checkpoints`, `signing` | when a checkpoint is tried and a signature made; the witness of the newest one |
//! | `scrub` | the whole journal, read through in the background |
//! | `clock` | the time as the table counts it |
//! | `lines` | every line of the layout, and the test of its lamps |
//! | `picture`, `spool` | the file that the technician's console reads; what was said there |
//!
//! One task, one order. Nothing here decides anything about the game.

mod answering;
mod arrivals;
mod asking;
mod checkpoints;
mod clock;
mod decide;
mod devices;
mod disks;
mod identity;
mod inspections;
mod layout;
mod ledger;
mod lines;
mod opening;
mod pairing;
mod picture;
mod places;
mod recall;
mod replay;
mod report;
mod requests;
mod running;
mod scrub;
mod signing;
mod spool;
mod ticking;

pub use identity::{controller_config, file_hash, rules_pack, software_hash};
pub use layout::{LayoutRunning, LayoutStart, from_configuration};
pub use lines::Lines;
pub use opening::{NotOpened, Opened, commission};
pub(crate) use picture::replace_picture;
pub use replay::{Difference, EpochReplayed, NotReplayed, Replay};
pub use running::{NotStarted, RunningTable, TableEnded, TableParts, start};
