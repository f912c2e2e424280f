//! Inputs and events as bytes: JSON text, one object an input, one array of objects for its events.
//!
//! Text, because a record must be readable in years without this software; the journal's own framing carries version,
//! order, time and hash. `docs/journal-format.md` describes the forms, golden tests pin them.

use serde::Deserialize;
use table_rules::engine::TableView;
use table_rules::meter::MeterState;
use table_rules::money::MeterName;
use table_rules::wager::WagerId;

use crate::controller::Controller;
use crate::input::Input;
use crate::notice::Said;
use crate::play::READER_WRONG;

/// The version of the forms below.
pub const CONTENT_VERSION: u16 = 1;

/// A payload that is not what its version says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record's payload cannot be read: {0}")]
pub struct Unreadable(String);

pub fn encode_input(input: &Input) -> Vec<u8> {
    serde_json::to_vec(input).unwrap_or_default()
}

pub fn encode_events(said: &[Said]) -> Vec<u8> {
    serde_json::to_vec(said).unwrap_or_default()
}

pub fn read_input(bytes: &[u8]) -> Result<Input, Unreadable> {
    serde_json::from_slice(bytes).map_err(|error| Unreadable(error.to_string()))
}

/// What goes on across a change of software or rules, read from recorded events, never recomputed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Carried {
    pub sequence: u64,
    pub round: u64,
    pub seals: Option<String>,
    /// A round that was locked and never ended.
    pub open_round: Option<u64>,
    /// What is known of it, a sentence each.
    pub told: Vec<String>,
    /// The reader gave a wrong answer and was not replaced since.
    pub(crate) reader_wrong: bool,
    /// The reader passes the whole set of test cards before a next round.
    pub(crate) full_needed: bool,
    full_runs: bool,
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
    /// Begins with what a checkpoint of the earlier version says, as far as it can be read.
    pub fn from_checkpoint(bytes: &[u8], sequence: u64) -> Self {
        #[derive(Deserialize)]
        struct Kept {
            carry: Option<serde_json::Value>,
        }
        let mut carried = Self { sequence, ..Self::default() };
        if let Ok(Kept { carry: Some(carry) }) = serde_json::from_slice(bytes) {
            carried.read_carry(&carry);
        }
        carried
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
            "meters": meters,
        })
    }

    fn read_carry(&mut self, carry: &serde_json::Value) {
        self.round = carry["round"].as_u64().unwrap_or(self.round);
        self.seals = carry["seals"].as_str().map(str::to_owned);
        self.open_round = carry["open_round"].as_u64();
        self.reader_wrong = carry["reader_wrong"].as_bool().unwrap_or(false);
        self.full_needed = carry["full_needed"].as_bool().unwrap_or(false);
        self.read_meters(&carry["meters"]);
        if let Some(told) = carry["told"].as_array() {
            self.told = told.iter().filter_map(|each| each.as_str().map(str::to_owned)).collect();
        }
    }

    fn read_meters(&mut self, list: &serde_json::Value) {
        if let Ok(meters) = serde_json::from_value::<Vec<MeterForm>>(list.clone()) {
            for MeterForm { wager, meter, state } in meters {
                self.meters.retain(|(of, name, _)| (of, name) != (&wager, &meter));
                self.meters.push((wager, meter, state));
            }
        }
    }

    /// Follows one record's events.
    pub fn follow(&mut self, sequence: u64, events: &[u8]) {
        self.sequence = sequence;
        let Ok(serde_json::Value::Array(events)) = serde_json::from_slice(events) else { return };
        for event in &events {
            let body = event.as_object().and_then(|object| object.values().next());
            let Some(body) = body else { continue };
            let kind = body["kind"].as_str().unwrap_or_default();
            self.follow_kind(kind, body);
            if self.open_round.is_some() || BEFORE_THE_LOCK.contains(&kind) {
                let line = event.get("settled").map(|line| {
                    format!("seat {} hand {}: {} {}", line["position"], line["hand"], line["wager"], line["outcome"])
                });
                self.told.extend(body["text"].as_str().map(str::to_owned).or(line));
            }
        }
    }

    fn follow_kind(&mut self, kind: &str, body: &serde_json::Value) {
        match kind {
            "wagers-locked" => {
                self.round += 1;
                self.open_round = Some(self.round);
            }
            "round-ended" | "round-settled-by-hand" => {
                self.open_round = None;
                self.told.clear();
            }
            "corrected" if body["input"] == "lock" => {
                self.round = self.round.saturating_sub(1);
                self.open_round = None;
            }
            "reader-wrong" => (self.reader_wrong, self.full_needed) = (true, true),
            "reader-replaced" => (self.reader_wrong, self.full_needed) = (false, true),
            "inspection-begun" => self.full_runs = body["full"] == true,
            "inspection-finished" => self.full_needed &= !(self.full_runs && body["passed"] == true),
            "meter-states" => self.read_meters(&body["meters"]),
            _ => {}
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
        told.push(format!("seat {}: {} lies on main", each.seat, stake(each.main)));
        for (wager, on, _) in &each.side {
            told.push(format!("seat {}: {} lies on {wager}", each.seat, stake(*on)));
        }
        for hand in &each.hands {
            told.push(format!("seat {}: {} for {}", each.seat, cards(&hand.cards), stake(hand.stake)));
        }
    }
    let dealer: Vec<_> = view.dealer.iter().copied().map(Some).collect();
    told.push(format!("dealer: {}", cards(&dealer)));
    told
}
