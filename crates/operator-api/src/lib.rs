//! What people and programs say to a table and see of it, as plain data. Nothing is decided here.
//!
//! | module | holds |
//! |---|---|
//! | `event_json` | prompts, refusals, lines and events of the rules, as JSON objects |
//! | `offers` | what would be accepted now, as patterns |
//! | `action` | what a person can ask for |
//! | `screen` | one table as a screen shows it |
//!
//! What must never be here: a card that does not lie face up.
#![forbid(unsafe_code)]

mod action;
mod event_json;
mod offers;
mod screen;

pub use action::{Action, MeterPool, PersonId, Role};
pub use event_json::{RESTARTED, Said, Settled, without_source};
pub use offers::{Amount, Offer, describe, offers};
pub use screen::{
    AlertView, DayCounts, DayView, DealerView, DeviceView, HandView, HoleView, InspectionView, LampView, LineView,
    MeterView, Mode, PromptView, Saved, Screen, SeatView, Severity, SideView, StepView, StopView,
};
