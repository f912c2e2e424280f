//! What switches and sensors say, and how far they can be believed.
//!
//! Everything here is pure: edges come in with their time, decisions go out as values. A storm of edges costs a fixed
//! amount of memory and ends in one fault.
//!
//! - [`fault_book`]: what stands and what has been told.
//! - [`spot`]: betting spots and sets of them.
//! - [`plausible`]: one line, debounced and checked: stuck, chattering, flickering.
//! - [`lock_split`]: which chips were in time when the lock-out was pressed.

pub mod fault_book;
pub mod lock_split;
pub mod plausible;
pub mod spot;

pub use lock_split::{LockSplit, PortsRead, SplitEvent, SplitRules};
pub use plausible::{InputEvent, InputRules, PlausibleInput};
pub use spot::{Spot, SpotSet};
