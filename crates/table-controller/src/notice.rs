//! What the controller itself has to say, beside the events of the rules. Every notice has words and a source.

use operator_api::{DayCounts, DayView, InspectionRecord, MeterPool, PersonId, Role, Severity, VisitEnd};
use serde::Serialize;
use serde_json::{Map, Value, json};
use table_rules::Event;
use table_rules::meter::MeterState;
use table_rules::money::{Cents, MeterName};
use table_rules::text::{Capital, MeterOf};
use table_rules::wager::WagerId;

use crate::input::{ConsoleInput, ShoeSide};

/// One thing that followed from an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableEvent {
    Rules(Event),
    Table { notice: Notice, source: String },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    AlertRaised {
        alert: u64,
        severity: Severity,
        text: String,
    },
    AlertEnded {
        alert: u64,
    },
    AlertAcknowledged {
        alert: u64,
        by: PersonId,
    },
    AlertCleared {
        alert: u64,
        by: Option<PersonId>,
    },
    DealerSignedIn {
        person: PersonId,
    },
    DealerSignedOut {
        person: PersonId,
    },
    DayTurned {
        day: i64,
        ended: DayView,
    },
    DaySummary(DayView),
    ClockConfirmed {
        by: PersonId,
        second: Option<PersonId>,
    },
    InspectionBegun {
        day: i64,
        full: bool,
        by: PersonId,
    },
    InspectionStep {
        step: &'static str,
        passed: bool,
        note: String,
    },
    InspectionPaused,
    InspectionResumed {
        step: &'static str,
        by: PersonId,
    },
    /// A step, or a part of it, is done once more.
    InspectionRepeated {
        step: &'static str,
    },
    /// All of it, as it was signed.
    InspectionRecord(Box<InspectionRecord>),
    InspectionFinished {
        day: i64,
        passed: bool,
        by: PersonId,
    },
    ServiceEntered {
        by: PersonId,
    },
    ServiceLeft {
        by: PersonId,
        /// The reader was worked on: the full inspection follows.
        full: bool,
    },
    ReaderReplaced {
        serial: String,
        by: PersonId,
        second: PersonId,
    },
    DevicePaired {
        device: String,
        by: PersonId,
        second: PersonId,
    },
    MeterCorrected {
        wager: WagerId,
        meter: MeterName,
        pool: MeterPool,
        delta: Cents,
        reason: String,
        people: [PersonId; 2],
    },
    /// The exact content of every meter that moved: history that a later version can go on from.
    MeterStates(Vec<(WagerId, MeterName, MeterState)>),
    ChipsCounted {
        accepted: u8,
        counted: u8,
    },
    CardNotPlaced {
        side: ShoeSide,
        draw: u16,
    },
    CardToBeNamed {
        draw: u16,
    },
    RoundSettledByHand {
        round: u64,
        reason: String,
        by: PersonId,
    },
    JournalAccepted {
        why: String,
        reason: String,
        people: [PersonId; 2],
    },
    WorkOrderOpened {
        order: u64,
        place: String,
        what: String,
        by: PersonId,
    },
    WorkOrderClosed {
        order: u64,
        done: String,
        by: PersonId,
    },
    VisitOpened {
        by: PersonId,
        role: Role,
    },
    VisitEnded {
        by: PersonId,
        how: VisitEnd,
    },
    /// A command at the technician's console.
    ConsoleSaid(ConsoleInput),
    /// The device said something that changes nothing now.
    Noted {
        what: String,
    },
}

impl Notice {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::AlertRaised { .. } => "alert-raised",
            Self::AlertEnded { .. } => "alert-ended",
            Self::AlertAcknowledged { .. } => "alert-acknowledged",
            Self::AlertCleared { .. } => "alert-cleared",
            Self::DealerSignedIn { .. } => "dealer-signed-in",
            Self::DealerSignedOut { .. } => "dealer-signed-out",
            Self::DayTurned { .. } => "day-turned",
            Self::DaySummary(_) => "day-summary",
            Self::ClockConfirmed { .. } => "clock-confirmed",
            Self::InspectionBegun { .. } => "inspection-begun",
            Self::InspectionStep { .. } => "inspection-step",
            Self::InspectionPaused => "inspection-paused",
            Self::InspectionResumed { .. } => "inspection-resumed",
            Self::InspectionRepeated { .. } => "inspection-repeated",
            Self::InspectionRecord(_) => "inspection-record",
            Self::InspectionFinished { .. } => "inspection-finished",
            Self::ServiceEntered { .. } => "service-entered",
            Self::ServiceLeft { .. } => "service-left",
            Self::ReaderReplaced { .. } => "reader-replaced",
            Self::DevicePaired { .. } => "device-paired",
            Self::MeterCorrected { .. } => "meter-corrected",
            Self::MeterStates(_) => "meter-states",
            Self::ChipsCounted { .. } => "chips-counted",
            Self::CardNotPlaced { .. } => "card-not-placed",
            Self::CardToBeNamed { .. } => "card-to-be-named",
            Self::RoundSettledByHand { .. } => "round-settled-by-hand",
            Self::JournalAccepted { .. } => "journal-accepted",
            Self::WorkOrderOpened { .. } => "work-order-opened",
            Self::WorkOrderClosed { .. } => "work-order-closed",
            Self::VisitOpened { .. } => "visit-opened",
            Self::VisitEnded { .. } => "visit-ended",
            Self::ConsoleSaid(_) => "console-said",
            Self::Noted { .. } => "noted",
        }
    }

    /// In words, for people who read the record.
    pub fn text(&self) -> String {
        Capital(self.words()).to_string()
    }

    fn words(&self) -> String {
        match self {
            Self::AlertRaised { alert, text, .. } => format!("alert {alert}: {text}"),
            Self::AlertEnded { alert } => format!("alert {alert}: the cause is gone"),
            Self::AlertAcknowledged { alert, by } => format!("alert {alert} seen by {}", by.0),
            Self::AlertCleared { alert, by: Some(by) } => format!("alert {alert} cleared by {}", by.0),
            Self::AlertCleared { alert, by: None } => format!("alert {alert} is over"),
            Self::DealerSignedIn { person } => format!("dealer {} signed in", person.0),
            Self::DealerSignedOut { person } => format!("dealer {} signed out", person.0),
            Self::DayTurned { day, ended } => {
                format!("gaming day {} ended after {} rounds; day {day} begins", ended.day, ended.counts.rounds)
            }
            Self::DaySummary(DayView { day, counts, .. }) => {
                let DayCounts { rounds, voids, jackpots, .. } = counts;
                format!("gaming day {day}: {rounds} rounds, {voids} void, {jackpots} jackpots")
            }
            Self::ClockConfirmed { by, second: None } => format!("clock confirmed by {}", by.0),
            Self::ClockConfirmed { by, second: Some(second) } => {
                format!("clock confirmed by {} and {}", by.0, second.0)
            }
            Self::InspectionBegun { day, full, by } => {
                format!("{} inspection of day {day} begun by {}", if *full { "full" } else { "daily" }, by.0)
            }
            Self::InspectionStep { step, passed, note } => {
                format!("inspection, {step}: {}{}{note}", verdict(*passed), if note.is_empty() { "" } else { ", " })
            }
            Self::InspectionPaused => "inspection is paused".to_owned(),
            Self::InspectionResumed { step, by } => format!("inspection goes on with {step}, by {}", by.0),
            Self::InspectionRepeated { step } => format!("inspection, {step}: once more"),
            Self::InspectionRecord(record) => {
                let InspectionRecord { day, passed, cards, repeated, pauses, .. } = &**record;
                let (result, cards, pauses) = (verdict(*passed), cards.len(), pauses.len());
                format!("record of day {day}: {result}, {cards} test cards, {repeated} repeated, {pauses} pauses")
            }
            Self::InspectionFinished { day, passed, by } => {
                format!("inspection of day {day} {}, signed by {}", verdict(*passed), by.0)
            }
            Self::ServiceEntered { by } => format!("service mode entered by {}", by.0),
            Self::ServiceLeft { by, full: false } => format!("service mode left by {}", by.0),
            Self::ServiceLeft { by, full: true } => {
                format!("service mode left by {} after work on the reader: the full inspection is due", by.0)
            }
            Self::DevicePaired { device, by, second } => {
                format!("{device} paired with this table by {} and {}", by.0, second.0)
            }
            Self::ReaderReplaced { serial, by, second } => {
                format!("reader replaced, serial number {serial}, by {} and {}", by.0, second.0)
            }
            Self::MeterCorrected { wager, meter, pool, delta, reason, people } => format!(
                "{} of the {} corrected by {delta} by {} and {}: {reason}",
                pool_word(*pool),
                MeterOf(*wager, *meter),
                people[0].0,
                people[1].0
            ),
            Self::MeterStates(meters) => format!("{} meters recorded", meters.len()),
            Self::ChipsCounted { accepted, counted } => format!("{counted} chips counted, {accepted} bets accepted"),
            Self::CardNotPlaced { draw, .. } => format!("card {draw} of the shoe came out of turn: it stays face down"),
            Self::CardToBeNamed { draw } => format!("card {draw} of the shoe is entered by hand"),
            Self::ConsoleSaid(ConsoleInput { person, port, mode, words, result, while_down, .. }) => {
                let down = if *while_down { ", said while the table was down" } else { "" };
                format!("console {port}, {mode}{down}: {} said {words}: {result}", person.0)
            }
            Self::RoundSettledByHand { round, reason, by } => {
                format!("round {round} was settled by hand, said by {}: {reason}", by.0)
            }
            Self::JournalAccepted { why, reason, people } => {
                format!("journal accepted by {} and {} ({why}): {reason}", people[0].0, people[1].0)
            }
            Self::WorkOrderOpened { order, place, what, by } => {
                format!("work order {order} for the technician, by {}: {place}, {what}", by.0)
            }
            Self::WorkOrderClosed { order, done, by } => format!("work order {order} closed by {}: {done}", by.0),
            Self::VisitOpened { by, role } => format!("visit of {} {} begun", role.word(), by.0),
            Self::VisitEnded { by, how } => {
                let how = match how {
                    VisitEnd::Left => "left",
                    VisitEnd::TimedOut => "nobody touched the screen",
                    VisitEnd::Replaced => "another visit began",
                    VisitEnd::Disabled => "no longer on the staff list",
                };
                format!("visit of {} ended: {how}", by.0)
            }
            Self::Noted { what } => what.clone(),
        }
    }

    fn details(&self) -> Value {
        match self {
            Self::AlertRaised { alert, severity, .. } => json!({ "alert": alert, "severity": severity }),
            Self::AlertEnded { alert } => json!({ "alert": alert }),
            Self::AlertAcknowledged { alert, by } => json!({ "alert": alert, "by": by }),
            Self::AlertCleared { alert, by } => json!({ "alert": alert, "by": by }),
            Self::DealerSignedIn { person } | Self::DealerSignedOut { person } => json!({ "person": person }),
            Self::DayTurned { day, ended } => json!({ "day": day, "ended": ended }),
            Self::DaySummary(day) => json!({ "day": day }),
            Self::ClockConfirmed { by, second } => json!({ "by": by, "second": second }),
            Self::InspectionBegun { day, full, by } => json!({ "day": day, "full": full, "by": by }),
            Self::InspectionStep { step, passed, note } => json!({ "step": step, "passed": passed, "note": note }),
            Self::InspectionPaused => json!({}),
            Self::InspectionResumed { step, by } => json!({ "step": step, "by": by }),
            Self::InspectionRepeated { step } => json!({ "step": step }),
            Self::InspectionRecord(record) => json!({ "record": record }),
            Self::InspectionFinished { day, passed, by } => json!({ "day": day, "passed": passed, "by": by }),
            Self::ServiceEntered { by } | Self::ServiceLeft { by, full: false } => json!({ "by": by }),
            Self::ServiceLeft { by, full: true } => json!({ "by": by, "full": true }),
            Self::DevicePaired { device, by, second } => json!({ "device": device, "by": by, "second": second }),
            Self::ReaderReplaced { serial, by, second } => json!({ "serial": serial, "by": by, "second": second }),
            Self::MeterCorrected { wager, meter, pool, delta, reason, people } => json!({
                "wager": wager.id(), "meter": meter.name(), "pool": pool, "delta_cents": delta.0, "reason": reason,
                "people": people,
            }),
            Self::MeterStates(meters) => {
                let list: Vec<Value> = meters
                    .iter()
                    .map(|(wager, meter, state)| json!({ "wager": wager.id(), "meter": meter.name(), "state": state }))
                    .collect();
                json!({ "meters": list })
            }
            Self::ChipsCounted { accepted, counted } => json!({ "accepted": accepted, "counted": counted }),
            Self::CardNotPlaced { side, draw } => json!({ "side": side, "draw": draw }),
            Self::CardToBeNamed { draw } => json!({ "draw": draw }),
            Self::RoundSettledByHand { round, reason, by } => json!({ "round": round, "reason": reason, "by": by }),
            Self::JournalAccepted { why, reason, people } => json!({ "why": why, "reason": reason, "people": people }),
            Self::WorkOrderOpened { order, place, what, by } => {
                json!({ "order": order, "place": place, "what": what, "by": by })
            }
            Self::WorkOrderClosed { order, done, by } => json!({ "order": order, "done": done, "by": by }),
            Self::VisitOpened { by, role } => json!({ "by": by, "role": role }),
            Self::VisitEnded { by, how } => json!({ "by": by, "how": how }),
            Self::ConsoleSaid(said) => json!(said),
            Self::Noted { .. } => json!({}),
        }
    }
}

const fn verdict(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

const fn pool_word(pool: MeterPool) -> &'static str {
    match pool {
        MeterPool::Meter => "amount",
        MeterPool::Reserve => "reserve",
        MeterPool::Overflow => "overflow",
    }
}

/// A notice as the record keeps it: under the one key `table`, like the events of the rules under theirs.
#[derive(Serialize)]
struct NoticeForm {
    text: String,
    clause: String,
    kind: &'static str,
    #[serde(flatten)]
    details: Map<String, Value>,
}

impl Serialize for TableEvent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rules(event) => operator_api::EventJson::event(event).serialize(serializer),
            Self::Table { notice, source } => {
                let details = match notice.details() {
                    Value::Object(map) => map,
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
                };
                let form = NoticeForm { text: notice.text(), clause: source.clone(), kind: notice.kind(), details };
                let mut object = Map::new();
                object.insert("table".to_owned(), serde_json::to_value(form).map_err(serde::ser::Error::custom)?);
                object.serialize(serializer)
            }
        }
    }
}
