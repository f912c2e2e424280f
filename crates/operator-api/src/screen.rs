//! One table as a screen shows it: everything at once, so that text, clause and offers arrive together or not at all.
//!
//! A screen is made from durable state only and never holds a card that does not lie face up: a face-down card is `?`.

use serde::{Deserialize, Serialize};

use crate::action::{PersonId, Role};
use crate::event_json::Settled;
use crate::fault_book::Explained;
use crate::offers::{Closed, Offer};

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
    /// `cards` or `procedure`.
    pub tracking: &'static str,
    /// The boxes of the round before, for whoever takes the same again.
    pub last_boxes: Vec<LastBox>,
    /// Cards that a reading shoe still holds, where it can be told.
    pub shoe_left: Option<u16>,
    /// Minutes until the decks have to be changed, where they have to.
    pub decks_change_minutes: Option<u32>,
    pub seats: Vec<SeatView>,
    pub dealer: DealerView,
    pub lines: Vec<LineView>,
    /// The progressive win that is being verified: the next line, with what speaks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verifying: Option<VerifyingView>,
    pub meters: Vec<MeterView>,
    pub alerts: Vec<AlertView>,
    pub devices: Vec<DeviceView>,
    /// Why no next round may be dealt.
    pub stops: Vec<StopView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inspection: Option<InspectionView>,
    /// What a technician has to see to, oldest first.
    pub work_orders: Vec<WorkOrderView>,
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
    /// What is the matter, at most 35 characters.
    pub situation: String,
    /// What to do, at most 30 characters.
    pub text: String,
    /// The same at length, for a console and the record.
    pub long: String,
    pub clause: String,
    /// Other clauses that the order does as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<&'static str>,
    pub offers: Vec<Offer>,
    /// The clause or reading in our words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paraphrase: Option<&'static str>,
    /// While a hand decides: what it may not do, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<Closed>,
    /// The next thing is a device's: nobody has to tap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<&'static str>,
    /// The word that does what the order says, where it would not be the first to offer otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<&'static str>,
    /// The hole card (or a turned card) can be named by the shoe: one tap is enough.
    pub shoe_knows: bool,
}

/// A box as it was when its round was locked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LastBox {
    pub seat: u8,
    pub main_cents: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatView {
    pub seat: u8,
    pub lamps: Vec<LampView>,
    pub in_play: bool,
    pub main_cents: Option<i64>,
    /// Whether insurance lies there, also where nobody has told how much.
    pub insured: bool,
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

/// How far a progressive win has come on its way of 7.O(1). Times are milliseconds since 1970, where the clock was known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifyingView {
    pub step: VerifyingStep,
    pub seat: u8,
    pub wager: &'static str,
    /// The first cards of the box in the order of the deal, whatever became of its hands; none where they are not followed.
    pub first_cards: Vec<String>,
    pub locked_ms: Option<i64>,
    pub hand_seen_ms: Option<i64>,
    pub lamp_seen_ms: Option<i64>,
    /// Who has approved it first.
    pub approved_by: Option<PersonId>,
    pub approved_ms: Option<i64>,
}

/// In the order of 7.O(1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerifyingStep {
    Hand,
    Lamp,
    Floor,
    Second,
}

/// What would follow from a word, before anybody says it. Nothing is changed by asking.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutlookView {
    pub said: Vec<SaidView>,
    /// Lines that would fall due.
    pub lines: Vec<Settled>,
    /// The order that would follow, in the words of the prompt.
    pub situation: String,
    pub text: String,
    /// What each answer would lead to, where the order is a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerOutlook>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AnswerOutlook {
    pub words: String,
    pub said: Vec<SaidView>,
    pub lines: Vec<Settled>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SaidView {
    pub text: String,
    pub clause: String,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// When it was raised: milliseconds since 1970, to the minute that the table's clock was last told.
    pub since_ms: Option<i64>,
    pub acknowledged_by: Option<PersonId>,
    /// The cause is gone as far as the device can tell; it stays until somebody has seen it.
    pub ended: bool,
    pub over_since_ms: Option<i64>,
    /// What the fault book says, where a fault or a code stands behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultView>,
}

/// A fault that stands: what the book says of it, where it is, and what the kernel said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FaultView {
    #[serde(flatten)]
    pub explained: Explained,
    pub place: Option<String>,
    pub errno: Option<String>,
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
    /// `paired` or `none`, once the link has been up.
    pub protection: Option<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StopView {
    pub reason: String,
    pub source: String,
}

/// Something for the technician, until it is closed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorkOrderView {
    pub order: u64,
    /// The part of the table.
    pub place: String,
    pub what: String,
    /// A clause, a reading or a fault code.
    pub source: String,
    /// What the fault book says, where the source is one of its codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultView>,
    pub opened_by: PersonId,
    pub opened_sequence: u64,
    pub since_ms: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InspectionView {
    pub day: i64,
    pub full: bool,
    /// Counts from 1.
    pub step: usize,
    pub steps: Vec<StepView>,
    /// The two short lines of the step.
    pub situation: String,
    pub order: String,
    pub text: String,
    pub source: String,
    pub answers: Vec<String>,
    /// Nobody is at it; it goes on when somebody begins it again.
    pub paused: bool,
    /// The steps, counted from 1, before which it was paused.
    pub paused_before: Vec<usize>,
    pub repeated: u32,
    /// What was found that does not pass the step: it is repeated, or fails for a reason.
    pub wrong: Option<String>,
    /// For which reasons this step, or the one that failed, can fail.
    pub reasons: Vec<ReasonView>,
    /// At the seals: each of them.
    pub seals: Vec<SealView>,
    /// At the test cards: each of them.
    pub cards: Vec<TestCardView>,
    /// At the counters: since the last inspection, then the days before, newest first.
    pub counters: Vec<CountersView>,
}

/// Why a step can fail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReasonView {
    /// Said behind `fail`.
    pub word: &'static str,
    pub label: &'static str,
    pub note: &'static str,
    /// A clause or a fault code.
    pub source: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SealView {
    pub name: &'static str,
    /// The number on record; not told while the last two signs of one are asked for.
    pub last: Option<String>,
    pub last_day: Option<i64>,
    /// What was read in this inspection.
    pub read: Option<String>,
    /// The last two signs of this one are asked for.
    pub asked: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestCardView {
    pub name: String,
    /// `ace` or `ten`.
    pub under: &'static str,
    /// `yes`, `no` or `unread`.
    pub expected: &'static str,
    /// The reader's last answer, where there is one.
    pub read: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CountersView {
    pub day: i64,
    pub read: u32,
    pub unread: u32,
    pub wrong: u32,
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

/// A visit as every page of the table may know it; its token is the visitor's page's alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct VisitView {
    /// Counts the visits since the daemon started.
    pub number: u64,
    pub person: PersonId,
    pub role: Role,
    /// It ends so many seconds after the last touch.
    pub seconds: u64,
}
