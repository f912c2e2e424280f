//! What people and programs say to a table and see of it, as plain data. Beside who may ask for what, nothing is
//! decided here.
//!
//! | module | holds |
//! |---|---|
//! | `event_json` | prompts, refusals, lines and events of the rules, as JSON objects |
//! | `offers` | what would be accepted now, as patterns |
//! | `action` | what a person can ask for |
//! | `permission` | who may do what: the one table of it |
//! | `free_text` | what people say in their own words: how long, and how it is printed |
//! | [`fault_book`] | what every fault code means and what to do about it |
//! | `screen` | one table as a screen shows it |
//! | `picture` | one table as the technician's console sees it, without asking |
//!
//! What must never be here: a card that does not lie face up.
#![forbid(unsafe_code)]

mod action;
pub mod calendar;
mod event_json;
pub mod fault_book;
mod free_text;
mod inspection_record;
mod inspection_sheet;
mod offers;
mod permission;
mod picture;
mod players;
mod screen;

pub use device_protocols::fault_code::{FaultCode, NotACode, Part};

pub use action::{Action, DeviceTest, MeterPool, PersonId, Role, VisitEnd};
pub use event_json::{EventJson, RESTARTED, Settled, without_source};
pub use free_text::{FREE_TEXT_CHARS_MAX, bounded, escaped, is_plain};
pub use inspection_record::{InspectionRecord, RecordCard, RecordPause, RecordStep};
pub use inspection_sheet::SheetSeal;
pub use offers::{Amount, Closed, Group, Offer, OfferedIrregularity, closed, describe, offers};
pub use permission::{ActKind, Circumstances, Permission, ScreenPlace, Who, WordsError, roles_document};
pub use picture::{
    AlertPicture, BenchPicture, ClosedPicture, CountsPicture, DaemonPicture, DevicePicture, DiskPicture, LayoutPicture,
    LinePicture, PICTURE_VERSION, Picture, StoragePicture, TablePicture, TestedCardPicture,
};
pub use players::{PaidJackpot, PendingJackpot, PlayersView, ShownLine, ShownMeter};
pub use screen::{
    AlertView, AnswerOutlook, CountersView, DayCounts, DayView, DealerView, DeviceView, FaultView, HandView, HoleView,
    InspectionView, LampView, LastBox, LineView, MeterView, Mode, OutlookView, PromptView, ReasonView, SaidView, Saved,
    Screen, SealView, SeatView, Severity, SideView, StepView, StopView, TestCardView, VerifyingStep, VerifyingView,
    VisitView, WorkOrderView,
};
