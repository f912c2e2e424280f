//! One table as a screen shows it: everything at once, so that text, clause and offers arrive together or not at all.
//!
//! A screen is made from durable state only and never holds a card that does not lie face up: a face-down card is `?`.

use serde::{Deserialize, Serialize};

use crate::action::PersonId;
use crate::event_json::Settled;
use crate::offers::Offer;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Screen {
    /// The version of this form.
    pub version: u16,
    pub table: String,
    pub game: &'static str,
    pub mode: Mode,
    /// The journal's record that this screen shows.
    pub sequence: u64,
    /// Grows with whatever an answer may hang on; a request that names an older one is stale.
    pub prompt_number: u64,
    pub prompt: PromptView,
    pub round: u64,
    pub stage: &'static str,
    pub locked: bool,
    pub cover_seen: bool,
    pub seats: Vec<SeatView>,
    pub dealer: DealerView,
    pub lines: Vec<LineView>,
    pub meters: Vec<MeterView>,
    pub alerts: Vec<AlertView>,
    pub devices: Vec<DeviceView>,
    /// Why no next round may be dealt.
    pub stops: Vec<StopView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inspection: Option<InspectionView>,
    pub day: DayView,
    pub signed_in: Option<PersonId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    Closed,
    Inspection,
    Dealing,
    Service,
    Faulted,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PromptView {
    pub text: String,
    pub clause: String,
    pub offers: Vec<Offer>,
    /// The next thing is a device's: nobody has to tap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<&'static str>,
    /// The word that does what the order says, where it would not be the first to offer otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<&'static str>,
    /// The hole card (or a turned card) can be named by the shoe: one tap is enough.
    pub shoe_knows: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatView {
    pub seat: u8,
    pub lamps: Vec<LampView>,
    pub in_play: bool,
    pub main_cents: Option<i64>,
    pub insurance_cents: Option<i64>,
    pub side: Vec<SideView>,
    pub hands: Vec<HandView>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LampView {
    pub spot: u8,
    pub wager: &'static str,
    /// `dark`, `invited`, `placed`, `accepted` or `late`.
    pub state: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideView {
    pub wager: &'static str,
    pub stake_cents: Option<i64>,
    pub open: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HandView {
    /// `?` for a card that lies face down.
    pub cards: Vec<String>,
    /// Absent while a card of the hand lies face down.
    pub total: Option<u8>,
    pub soft: bool,
    pub stake_cents: Option<i64>,
    pub doubles: u8,
    pub state: &'static str,
    pub turn: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DealerView {
    pub cards: Vec<String>,
    pub hole: HoleView,
    /// Only after the reveal.
    pub total: Option<u8>,
    pub soft: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoleView {
    None,
    Sealed,
    Revealed,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineView {
    #[serde(flatten)]
    pub settled: Settled,
    pub confirmed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MeterView {
    pub wager: &'static str,
    pub meter: &'static str,
    pub amount_cents: i64,
    pub reserve_cents: i64,
    pub overflow_cents: i64,
    pub hits: u32,
    pub wins_cents: i64,
    /// Whether seeds and contributions equal what is there and what was paid (reading X4).
    pub balanced: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Attend,
    /// No next round before it is dealt with.
    Stop,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AlertView {
    pub alert: u64,
    pub severity: Severity,
    /// A clause, a reading or a fault code.
    pub source: String,
    pub text: String,
    pub raised_sequence: u64,
    pub acknowledged_by: Option<PersonId>,
    /// The cause is gone as far as the device can tell; somebody has to verify it.
    pub ended: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DeviceView {
    pub part: &'static str,
    pub present: bool,
    pub up: bool,
    pub state: String,
    pub faults: Vec<String>,
    pub model: String,
    pub serial: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StopView {
    pub reason: String,
    pub source: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InspectionView {
    pub day: i64,
    pub full: bool,
    /// Counts from 1.
    pub step: usize,
    pub steps: Vec<StepView>,
    pub text: String,
    pub source: String,
    pub answers: Vec<String>,
    /// The last finished inspection: `passed` or `failed`, with its day.
    pub last: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepView {
    pub name: &'static str,
    /// `open`, `passed`, `failed`.
    pub state: &'static str,
    pub note: String,
}

/// The gaming day so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DayView {
    /// Days since 1970-01-01, by the gaming day's turn.
    pub day: i64,
    pub inspected: bool,
    #[serde(flatten)]
    pub counts: DayCounts,
}

/// What happened in a gaming day; counted by the controller as it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DayCounts {
    pub rounds: u64,
    pub voids: u64,
    pub jackpots: u64,
    pub jackpot_cents: i64,
    pub late_wagers: u64,
    pub irregularities: u64,
    pub corrections: u64,
    /// Known amounts only: what lines paid from the rack, and what they collected.
    pub paid_cents: i64,
    pub collected_cents: i64,
}

/// What the journal's side knows and a screen shows beside the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Saved {
    pub sequence: u64,
    pub saving: bool,
}
