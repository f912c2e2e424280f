//! Inputs and events as bytes: JSON text, one object an input, one array of objects for its events.
//!
//! Text, because a record must be readable in years without this software; the journal's own framing carries version,
//! order, time and hash. `docs/journal-format.md` describes the forms, golden tests pin them.

use serde::Deserialize;
use table_rules::Engine;
use table_rules::meter::MeterState;
use table_rules::money::MeterName;
use table_rules::wager::WagerId;

use crate::input::Input;
use crate::notice::Said;

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
    /// What was said since its lock.
    pub told: Vec<String>,
    meters: Vec<(String, String, MeterState)>,
}

#[derive(Deserialize)]
struct MeterForm {
    wager: String,
    meter: String,
    state: MeterState,
}

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
    pub(crate) fn form(engine: &Engine, in_round: bool, seals: Option<&str>) -> serde_json::Value {
        let meters: Vec<serde_json::Value> = engine
            .meters()
            .map(|(wager, meter, is)| {
                serde_json::json!({ "wager": wager.id(), "meter": meter.name(), "state": is.state() })
            })
            .collect();
        serde_json::json!({
            "round": engine.round(),
            "open_round": in_round.then(|| engine.round()),
            "seals": seals,
            "meters": meters,
        })
    }

    fn read_carry(&mut self, carry: &serde_json::Value) {
        self.round = carry["round"].as_u64().unwrap_or(self.round);
        self.seals = carry["seals"].as_str().map(str::to_owned);
        self.open_round = carry["open_round"].as_u64();
        self.read_meters(&carry["meters"]);
        if let Some(told) = carry["told"].as_array() {
            self.told = told.iter().filter_map(|each| each.as_str().map(str::to_owned)).collect();
        }
    }

    fn read_meters(&mut self, list: &serde_json::Value) {
        if let Ok(meters) = serde_json::from_value::<Vec<MeterForm>>(list.clone()) {
            self.meters = meters.into_iter().map(|each| (each.wager, each.meter, each.state)).collect();
        }
    }

    /// Follows one record's events.
    pub fn follow(&mut self, sequence: u64, events: &[u8]) {
        self.sequence = sequence;
        let Ok(serde_json::Value::Array(events)) = serde_json::from_slice(events) else { return };
        for event in &events {
            let body = event.as_object().and_then(|object| object.values().next());
            let Some(body) = body else { continue };
            let text = body["text"].as_str().map(str::to_owned);
            match body["kind"].as_str() {
                Some("wagers-locked") => {
                    self.round += 1;
                    self.open_round = Some(self.round);
                    self.told.clear();
                }
                Some("round-ended") => self.open_round = None,
                Some("round-settled-by-hand") => self.open_round = None,
                Some("corrected") if body["input"] == "lock" => {
                    self.round = self.round.saturating_sub(1);
                    self.open_round = None;
                }
                Some("meter-states") => self.read_meters(&body["meters"]),
                Some(_) | None => {}
            }
            if self.open_round.is_some() {
                let line = event.get("settled").map(|line| {
                    format!("seat {} hand {}: {} {}", line["position"], line["hand"], line["wager"], line["outcome"])
                });
                self.told.extend(text.or(line));
            }
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
