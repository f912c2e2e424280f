//! A small picture of one table that needs no answer from the daemon: it writes the file at each change and each second,
//! and the technician's console reads it, whether the daemon still lives or not.
//!
//! Like a screen it is made from durable state only. It holds no card at all.

use serde::{Deserialize, Serialize};

use crate::action::PersonId;
use crate::screen::{Severity, StopView};

/// The version of this form.
pub const PICTURE_VERSION: u16 = 1;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Picture {
    pub version: u16,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// What the table's time zone adds at that moment, in seconds.
    pub offset_s: i32,
    pub clock_trusted: bool,
    pub daemon: DaemonPicture,
    pub table: TablePicture,
    pub devices: Vec<DevicePicture>,
    pub storage: StoragePicture,
}

/// The program that wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DaemonPicture {
    pub pid: u32,
    pub started_ms: i64,
    pub version: String,
    /// SHA-256 of the program, of the rules pack and of the table's file, in hex.
    pub software: String,
    pub rules: String,
    pub configuration: String,
    pub epoch: u32,
}

/// What the last durable record left.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TablePicture {
    pub id: String,
    pub game: String,
    /// Where the table is, in the screen's word: `closed` is a table that may be upgraded. Empty where nothing is known.
    #[serde(default)]
    pub stage: String,
    pub round: u64,
    pub round_open: bool,
    /// A round of another version waits to be settled by hand, or the table is in closed mode.
    pub faulted: bool,
    /// The daemon is up without its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<ClosedPicture>,
    pub inspecting: bool,
    pub service: Option<PersonId>,
    pub dealer: Option<PersonId>,
    pub inspected: bool,
    pub rounds_today: u64,
    /// What stops the next round.
    pub stops: Vec<StopView>,
    pub alerts: Vec<AlertPicture>,
    /// What was tested in service mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<BenchPicture>,
    // The written word of the first version.
    #[serde(rename = "felt")]
    pub layout: Option<LayoutPicture>,
}

/// Closed mode: how often the daemon failed before it, in how many seconds, and at what last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClosedPicture {
    pub failures: u32,
    pub within_s: u64,
    pub last: String,
}

/// The reader's test in service mode. Test cards are nobody's cards: what the reader said to them may be shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BenchPicture {
    pub runs: bool,
    pub cards: u32,
    pub tested: Vec<TestedCardPicture>,
    /// What to do now.
    pub next: Option<String>,
    pub worked_on_reader: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TestedCardPicture {
    pub order: String,
    /// `yes`, `no` or `unread`.
    pub said: String,
    pub right: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AlertPicture {
    pub alert: u64,
    /// A clause, a reading or a code.
    pub source: String,
    pub text: String,
    pub severity: Severity,
    /// Milliseconds since 1970.
    pub since_ms: i64,
    pub ended: bool,
    /// The fault code behind it, where one is, and where the fault is.
    pub code: Option<String>,
    pub place: Option<String>,
    pub errno: Option<String>,
}

/// Lock-out button, sensors and lamps.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayoutPicture {
    pub locked: bool,
    pub faults: Vec<String>,
    pub sensors: u32,
    pub lamps: u32,
    /// Every input line and lamp.
    #[serde(default)]
    pub lines: Vec<LinePicture>,
}

/// One line of the layout.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LinePicture {
    /// `lock-out`, `sensor 7.1`, `lamp 7.1`.
    pub name: String,
    /// As the level means it: pressed, a chip lies there, lit. `None` where it cannot be read.
    pub active: Option<bool>,
    /// Raw changes since the start; inputs only.
    pub edges: Option<u64>,
    /// Changes that were believed, since the start; inputs only.
    #[serde(default)]
    pub changes: u64,
}

/// A serial device and its port.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DevicePicture {
    /// `reader`, `shuffler`, `shoe`, `right shoe`.
    pub name: String,
    /// The path or address of the configuration.
    pub path: String,
    /// 0 where the link is no tty.
    pub baud: u32,
    pub open: bool,
    pub up: bool,
    /// Another kind of device answers here.
    pub wrong_device: bool,
    pub faults: Vec<String>,
    pub model: String,
    pub serial: String,
    pub firmware: String,
    /// `paired` or `none`, as configured.
    #[serde(default)]
    pub protection: String,
    pub times_opened: u64,
    pub last_open_error: Option<String>,
    pub counts: CountsPicture,
    /// In the device's own word.
    pub state: String,
    pub since_ms: i64,
}

/// The ladder on which a fault is found: bytes, frames, events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountsPicture {
    pub bytes: u64,
    pub frames: u64,
    pub events: u64,
    pub damaged: u64,
    pub not_understood: u64,
    pub resends: u64,
    pub duplicates: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StoragePicture {
    pub journal_directory: String,
    pub bytes_max: u64,
    /// The last record that is durable, and its hash in hex.
    pub record: u64,
    pub head: String,
    pub records_free: Option<u64>,
    pub last_save_ms: u64,
    pub worst_save_ms: u64,
    /// For how long the oldest record has been waiting to become durable.
    pub saving_ms: Option<u64>,
    /// The journal's directory, then the state's, as the daemon found them.
    #[serde(default)]
    pub disks: Vec<DiskPicture>,
}

/// A directory of the daemon's and the room behind it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DiskPicture {
    pub directory: String,
    pub bytes: u64,
    pub free: u64,
    /// Files that lie in it.
    pub files: u64,
    pub files_bytes: u64,
    /// Milliseconds since 1970.
    pub at_ms: i64,
}
