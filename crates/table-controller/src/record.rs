//! Inputs and events as bytes: JSON text, one object an input, one array of objects for its events.
//!
//! Text, because a record must be readable in years without this software; the journal's own framing carries version,
//! order, time and hash. `docs/journal-format.md` describes the forms, golden tests pin them.

use operator_api::{PersonId, Screen};
use serde::{Deserialize, Serialize};
use table_rules::engine::TableView;
use table_rules::meter::MeterState;
use table_rules::money::MeterName;
use table_rules::wager::WagerId;

use crate::alerts::Moment;
use crate::codes::Code;
use crate::controller::Controller;
use crate::day::Doubt;
use crate::devices::why_doubted;
use crate::input::Input;
use crate::notice::TableEvent;
use crate::play::READER_WRONG;
use crate::seals::KnownSeals;
use crate::work::{WorkOrder, WorkOrders};

/// The version of the forms below.
pub const CONTENT_VERSION: u16 = 1;

/// A payload that is not what its version says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record's payload cannot be read: {0}")]
pub struct Unreadable(String);

impl Unreadable {
    /// For whoever keeps something of their own in a record.
    pub fn because(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

pub fn encode_input(input: &Input) -> Vec<u8> {
    written("an input", input)
}

pub fn encode_events(said: &[TableEvent]) -> Vec<u8> {
    written("events", said)
}

/// One thing that was said, as text on one line.
pub fn encode_event(said: &TableEvent) -> String {
    in_text("an event", said)
}

pub fn encode_screen(screen: &Screen) -> String {
    in_text("the screen", screen)
}

/// What is sent, as text. Half of it or none would hide what was said or what the table waits for: see [`written`].
fn in_text<T: Serialize>(what: &str, value: &T) -> String {
    match serde_json::to_string(value) {
        Ok(text) => text,
        Err(error) => panic!("a bug: {what} cannot be written: {error}"),
    }
}

/// What is kept, as bytes. A value that cannot be written is a bug in its form, and a record without it would be a lost
/// event: the table stops instead.
pub(crate) fn written<T: Serialize + ?Sized>(what: &str, value: &T) -> Vec<u8> {
    match serde_json::to_vec(value) {
        Ok(bytes) => bytes,
        Err(error) => panic!("a bug: {what} cannot be written: {error}"),
    }
}

pub fn read_input(bytes: &[u8]) -> Result<Input, Unreadable> {
    serde_json::from_slice(bytes).map_err(Unreadable::because)
}

/// What goes on across a change of software or rules, read from recorded events, never recomputed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Carried {
    pub sequence: u64,
    pub round: u64,
    pub(crate) seals: KnownSeals,
    /// A round that was locked and never ended.
    pub open_round: Option<u64>,
    /// What is known of it, a sentence each.
    pub told: Vec<String>,
    /// The same of the round before, which the dealer may have opened again (H5).
    told_before: Vec<String>,
    /// The reader gave a wrong answer and was not replaced since.
    pub(crate) reader_wrong: bool,
    /// The reader passes the whole set of test cards before a next round.
    pub(crate) full_needed: bool,
    full_runs: bool,
    /// Why the journal is not believed, until two people accept it.
    pub(crate) journal_doubt: Option<String>,
    /// Why the clock is not believed, until it is confirmed.
    pub(crate) clock_doubt: Option<Doubt>,
    /// What a technician still has to see to.
    pub(crate) work: WorkOrders,
    meters: Vec<(String, String, MeterState)>,
}

#[derive(Deserialize)]
struct MeterForm {
    wager: String,
    meter: String,
    state: MeterState,
}

/// What is said before the lock and belongs to the round that it begins.
const BEFORE_THE_LOCK: [&str; 4] = ["wager-placed", "wager-removed", "boxes-linked", "cash-wager"];

impl Carried {
    /// Begins with what a checkpoint of the earlier version says. Fields that it did not have yet are not missed; what it
    /// has and nobody can read is an error, since a meter would be lost with it.
    pub fn from_checkpoint(bytes: &[u8], sequence: u64) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Kept {
            carry: Option<serde_json::Value>,
        }
        let mut carried = Self { sequence, ..Self::default() };
        let kept: Kept = serde_json::from_slice(bytes).map_err(Unreadable::because)?;
        if let Some(carry) = kept.carry {
            carried.read_carry(&carry)?;
        }
        Ok(carried)
    }

    /// What a checkpoint says for later versions.
    pub(crate) fn form(controller: &Controller) -> serde_json::Value {
        let (engine, inspections) = (&controller.engine, &controller.state.inspections);
        let meters: Vec<serde_json::Value> = engine
            .meters()
            .map(|(wager, meter, is)| {
                serde_json::json!({ "wager": wager.id(), "meter": meter.name(), "state": is.state() })
            })
            .collect();
        // A round that waits to be settled by hand stays open, however often the software changes meanwhile.
        let (open_round, told) = match &controller.state.foreign {
            Some(foreign) => (Some(foreign.round), foreign.told.clone()),
            None if controller.in_round() => (Some(engine.round()), lies_open(&engine.view())),
            None => (None, Vec::new()),
        };
        serde_json::json!({
            "round": engine.round(),
            "open_round": open_round,
            "told": told,
            "seals": inspections.seals,
            "reader_wrong": controller.state.alerts.with_key(READER_WRONG).is_some(),
            "full_needed": inspections.full_needed,
            "journal_doubt": controller.state.journal_doubt,
            "clock_doubt": controller.state.day.doubt,
            "work": controller.state.work,
            "meters": meters,
        })
    }

    fn read_carry(&mut self, carry: &serde_json::Value) -> Result<(), Unreadable> {
        self.round = carry["round"].as_u64().unwrap_or(self.round);
        // Before each seal had its place they were one line of text, which says of none where it is.
        self.seals = KnownSeals::deserialize(&carry["seals"]).unwrap_or_default();
        self.open_round = carry["open_round"].as_u64();
        self.reader_wrong = carry["reader_wrong"].as_bool().unwrap_or(false);
        self.full_needed = carry["full_needed"].as_bool().unwrap_or(false);
        // Older checkpoints say neither.
        self.journal_doubt = carry["journal_doubt"].as_str().map(str::to_owned);
        self.clock_doubt = Option::deserialize(&carry["clock_doubt"]).map_err(Unreadable::because)?;
        let work: Option<WorkOrders> = Option::deserialize(&carry["work"]).map_err(Unreadable::because)?;
        self.work = work.unwrap_or_default();
        self.read_meters(&carry["meters"])?;
        if let Some(told) = carry["told"].as_array() {
            self.told = told.iter().filter_map(|each| each.as_str().map(str::to_owned)).collect();
        }
        Ok(())
    }

    fn read_meters(&mut self, list: &serde_json::Value) -> Result<(), Unreadable> {
        let meters: Option<Vec<MeterForm>> = Option::deserialize(list).map_err(Unreadable::because)?;
        for MeterForm { wager, meter, state } in meters.into_iter().flatten() {
            self.meters.retain(|(of, name, _)| (of, name) != (&wager, &meter));
            self.meters.push((wager, meter, state));
        }
        Ok(())
    }

    /// Follows one record's events.
    pub fn follow(&mut self, sequence: u64, events: &[u8]) -> Result<(), Unreadable> {
        self.sequence = sequence;
        let events: Vec<serde_json::Value> = serde_json::from_slice(events).map_err(Unreadable::because)?;
        for event in &events {
            let body = event.as_object().and_then(|object| object.values().next());
            let Some(body) = body else { continue };
            let kind = body["kind"].as_str().unwrap_or_default();
            self.follow_kind(kind, body)?;
            if self.open_round.is_some() || BEFORE_THE_LOCK.contains(&kind) {
                let line = event.get("settled").map(|line| {
                    let word = |key: &str| line[key].as_str().unwrap_or_default();
                    let bet = WagerId::said_of(word("wager"));
                    format!("Seat {}, hand {}, {bet}: {}", line["position"], line["hand"], word("outcome"))
                });
                self.told.extend(body["text"].as_str().map(str::to_owned).or(line));
            }
        }
        Ok(())
    }

    fn follow_kind(&mut self, kind: &str, body: &serde_json::Value) -> Result<(), Unreadable> {
        match kind {
            "wagers-locked" => {
                self.round += 1;
                self.open_round = Some(self.round);
            }
            "round-ended" | "round-settled-by-hand" => {
                self.open_round = None;
                self.told_before = std::mem::take(&mut self.told);
            }
            "round-reopened" => {
                self.open_round = Some(self.round);
                self.told = std::mem::take(&mut self.told_before);
            }
            "corrected" if body["input"] == "lock" => {
                self.round = self.round.saturating_sub(1);
                self.open_round = None;
            }
            "reader-wrong" => (self.reader_wrong, self.full_needed) = (true, true),
            "reader-replaced" => (self.reader_wrong, self.full_needed) = (false, true),
            "service-left" => self.full_needed |= body["full"] == true,
            "inspection-begun" => self.full_runs = body["full"] == true,
            "inspection-finished" => self.full_needed &= !(self.full_runs && body["passed"] == true),
            "alert-raised" => self.follow_alert(body),
            "journal-accepted" => self.journal_doubt = None,
            "clock-confirmed" => self.clock_doubt = None,
            "work-order-opened" => self.follow_work(body),
            "work-order-closed" => self.work.open.retain(|each| Some(each.order) != body["order"].as_u64()),
            "meter-states" => self.read_meters(&body["meters"])?,
            _ => {}
        }
        Ok(())
    }

    fn follow_work(&mut self, body: &serde_json::Value) {
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        let by = body["by"].as_u64().and_then(|by| u32::try_from(by).ok()).unwrap_or_default();
        let order = body["order"].as_u64().unwrap_or_default();
        self.work.last = self.work.last.max(order);
        self.work.open.push(WorkOrder {
            order,
            place: text("place"),
            what: text("what"),
            source: text("clause"),
            by: PersonId(by),
            opened: Moment { sequence: self.sequence, wall_ms: None },
        });
    }

    /// A doubt is told by its alert; only its own confirmation ends it.
    fn follow_alert(&mut self, body: &serde_json::Value) {
        let text = body["text"].as_str().unwrap_or_default();
        // Behind the alert's number.
        let text = text.split_once(": ").map_or(text, |(_, text)| text);
        let source = body["clause"].as_str().unwrap_or_default();
        if source == Code::JournalDoubtful.to_string() {
            self.journal_doubt.get_or_insert_with(|| why_doubted(text).to_owned());
        } else if source == Code::ClockDoubtful.to_string() {
            // Words that this version does not know are the doubt that two people confirm.
            let known = Doubt::ALL.into_iter().find(|doubt| doubt.text() == text);
            self.clock_doubt = Some(known.unwrap_or(Doubt::Stepped));
        }
    }

    pub(crate) fn meters(&self) -> Vec<(WagerId, MeterName, MeterState)> {
        let read = |(wager, meter, state): &(String, String, MeterState)| {
            let wager = wager.parse().ok()?;
            let meter = MeterName::ALL.into_iter().find(|name| name.name() == meter)?;
            Some((wager, meter, *state))
        };
        self.meters.iter().filter_map(read).collect()
    }
}

/// The table in sentences, for somebody who settles it by hand. A card that lies face down is `?`.
fn lies_open(view: &TableView) -> Vec<String> {
    let cards = |cards: &[Option<table_rules::card::Card>]| -> String {
        let names = cards.iter().map(|card| card.map_or_else(|| "?".to_owned(), |card| card.to_string()));
        names.collect::<Vec<_>>().join(" ")
    };
    let stake = |stake: table_rules::line::Stake| {
        stake.amount().map_or_else(|| "an amount nobody told".to_owned(), |cents| cents.to_string())
    };
    let mut told = Vec::new();
    for each in &view.boxes {
        told.push(format!("seat {}: main bet, {}", each.seat, stake(each.main)));
        for (wager, on, _) in &each.side {
            told.push(format!("seat {}: {}, {}", each.seat, wager.short_title(), stake(*on)));
        }
        for hand in &each.hands {
            told.push(format!("seat {}: {} for {}", each.seat, cards(&hand.cards), stake(hand.stake)));
        }
    }
    let dealer: Vec<_> = view.dealer.iter().copied().map(Some).collect();
    told.push(format!("dealer: {}", cards(&dealer)));
    told
}
