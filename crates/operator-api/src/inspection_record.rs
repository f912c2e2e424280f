//! A signed inspection as it is kept in the journal, shown and printed. It is complete by itself: whoever prints it reads
//! nothing else.

use serde::{Deserialize, Serialize};

use crate::action::PersonId;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InspectionRecord {
    pub table: String,
    pub game: String,
    /// Days since 1970-01-01, by the gaming day's turn.
    pub day: i64,
    /// With the whole set of test cards.
    pub full: bool,
    pub passed: bool,
    /// The journal's record with the signature.
    pub sequence: u64,
    pub by: PersonId,
    /// Minutes of the day, by the table's clock.
    pub began: Option<u16>,
    pub signed: Option<u16>,
    pub steps: Vec<RecordStep>,
    pub cards: Vec<RecordCard>,
    /// Steps and cards that were done once more.
    pub repeated: u32,
    pub pauses: Vec<RecordPause>,
    /// What the technician was sent for.
    pub work_orders: Vec<u64>,
    /// The clause that asks for it.
    pub source: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordStep {
    pub name: String,
    /// `passed`, `failed` or `open`.
    pub result: String,
    pub note: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordCard {
    pub name: String,
    /// `ace` or `ten`.
    pub under: String,
    /// `yes`, `no` or `unread`.
    pub expected: String,
    /// Every answer, in order.
    pub read: Vec<String>,
}

/// When nobody was at it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordPause {
    /// It goes on with this step, counted from 1.
    pub step: usize,
    pub from: Option<u16>,
    pub to: Option<u16>,
    /// The controller was started anew; nobody paused.
    pub restart: bool,
}
