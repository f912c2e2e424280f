//! The record against itself: every input of an epoch goes once more through the controller, and what comes out must be
//! what the journal holds, byte for byte: events, who acted, checkpoints.
//!
//! Only epochs of the same program, rules and options are replayed; what another program would say of old inputs proves
//! nothing about the record. The others are counted and named, never passed over in silence. Nothing is written.

use serde_json::Value;
use table_controller::{
    CONTENT_VERSION, Carried, Config, Controller, Input, Outputs, Stamp, Unreadable, encode_events, encode_input,
    read_input,
};
use table_journal::{EpochIdentity, EpochNumber, Record, RecordKind};
use thiserror::Error;

use super::ledger::{Ledger, RequestPlace};

/// The first thing that differs: what the journal holds, and what the same input leads to now.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Difference {
    #[error("its payload has version {stored}; this program writes {CONTENT_VERSION}")]
    Version { stored: u16 },
    #[error("its input cannot be read: {0}")]
    UnreadableInput(String),
    #[error("what it says cannot be read: {0}")]
    UnreadableRecord(#[from] Unreadable),
    #[error("its input is stored as {stored} and would be written as {written}")]
    Input { stored: String, written: String },
    #[error("the journal says that it was accepted; in the replay it is refused: {reason} [{clause}]")]
    Refused { reason: String, clause: String },
    #[error("the journal names person {stored}, the replay {replayed}")]
    Person { stored: u64, replayed: u64 },
    /// `at`: the first field inside the event that differs. `byte`: the first byte of the events that differs.
    #[error("event {number} differs at {at}")]
    Event { number: usize, at: String, stored: Option<Value>, replayed: Option<Value>, byte: usize },
    #[error("the state kept here differs at {at}: the journal says {stored}, the replay {replayed}")]
    State { at: String, stored: String, replayed: String },
}

/// Why inputs of an epoch were not replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReplayed {
    OtherProgram,
    OtherRules,
    /// The records before its first checkpoint are no longer kept, so nothing says what they started from.
    BeginningGone,
}

/// What was done with one epoch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpochReplayed {
    pub number: EpochNumber,
    pub identity: Option<EpochIdentity>,
    pub inputs: u64,
    pub checkpoints: u64,
    /// Inputs that were passed over, and why.
    pub skipped: u64,
    pub why: Option<NotReplayed>,
}

/// Takes the records of a journal in their order.
#[derive(Debug)]
pub struct Replay {
    config: Config,
    rules_pack: [u8; 32],
    programs: Vec<[u8; 32]>,
    epochs: Vec<EpochReplayed>,
    /// The table of the epoch that is being replayed.
    controller: Option<Controller>,
    /// What the next epoch would begin with.
    carried: Carried,
    ledger: Ledger,
    /// What a start of another program would know: the last checkpoint and the links since.
    ledger_carried: Ledger,
    outputs: Outputs,
}

impl Replay {
    /// `programs`: the hashes of the programs whose controller is the one in this program.
    pub fn new(config: Config, rules_pack: [u8; 32], programs: Vec<[u8; 32]>) -> Self {
        Self {
            config,
            rules_pack,
            programs,
            epochs: Vec::new(),
            controller: None,
            carried: Carried::default(),
            ledger: Ledger::default(),
            ledger_carried: Ledger::default(),
            outputs: Outputs::default(),
        }
    }

    pub fn follow(&mut self, record: &Record) -> Result<(), Difference> {
        match record.kind {
            RecordKind::Epoch => self.begin_epoch(record),
            RecordKind::Input => return self.input(record),
            RecordKind::Checkpoint => return self.checkpoint(record),
            RecordKind::Close | RecordKind::Signature => {}
        }
        Ok(())
    }

    /// Every epoch that was met, oldest first.
    pub fn epochs(&self) -> &[EpochReplayed] {
        &self.epochs
    }

    fn begin_epoch(&mut self, record: &Record) {
        let identity = EpochIdentity::from_bytes(&record.input);
        let foreign = self.foreign(identity);
        self.epochs.push(EpochReplayed { identity, why: foreign, ..nothing_of(record.epoch) });
        self.ledger = self.ledger_carried.clone();
        self.controller = match foreign {
            Some(_) => None,
            None if self.carried == Carried::default() => Some(Controller::new(self.config.clone())),
            None => Some(Controller::continued(self.config.clone(), &self.carried)),
        };
    }

    fn foreign(&self, identity: Option<EpochIdentity>) -> Option<NotReplayed> {
        match identity {
            None => Some(NotReplayed::BeginningGone),
            Some(identity) if identity.rules_pack != self.rules_pack => Some(NotReplayed::OtherRules),
            Some(identity) if !self.programs.contains(&identity.software) => Some(NotReplayed::OtherProgram),
            Some(_) => None,
        }
    }

    /// The epoch of a record; one whose beginning retention has removed is met here first.
    fn epoch(&mut self, number: EpochNumber) -> &mut EpochReplayed {
        let at = self.epochs.iter().position(|epoch| epoch.number == number).unwrap_or_else(|| {
            self.epochs.push(EpochReplayed { why: Some(NotReplayed::BeginningGone), ..nothing_of(number) });
            self.epochs.len() - 1
        });
        &mut self.epochs[at]
    }

    fn input(&mut self, record: &Record) -> Result<(), Difference> {
        self.carried.follow(record.sequence.0, &record.events)?;
        self.ledger.follow(&record.events)?;
        self.ledger_carried.follow(&record.events)?;
        let Some(controller) = &mut self.controller else {
            self.epoch(record.epoch).skipped += 1;
            return Ok(());
        };
        self.outputs.clear();
        let replayed = again(controller, record, &mut self.outputs)?;
        if let Some(place) = controller.rounds().next() {
            let keep = controller.config().recall_rounds;
            self.ledger.note_round(place.round, place.last_sequence.is_some(), record.sequence.0, keep);
        }
        if let Some(key) = read_input(&record.input).ok().as_ref().and_then(Ledger::key_of) {
            let place = RequestPlace { number: controller.sequence(), record: record.sequence.0 };
            self.ledger.note_request(place, key.to_owned());
        }
        // The entry of the device's link is the daemon's own and no output of the controller.
        let replayed = match Ledger::link_of(&record.events)? {
            Some((port, id)) => Ledger::with_link(port, id, &replayed),
            None => replayed,
        };
        if replayed != record.events {
            return Err(event_difference(&record.events, &replayed));
        }
        self.epoch(record.epoch).inputs += 1;
        Ok(())
    }

    fn checkpoint(&mut self, record: &Record) -> Result<(), Difference> {
        self.carried = Carried::from_checkpoint(&record.events, record.sequence.0)?;
        self.ledger_carried = Ledger::from_checkpoint(&record.events)?;
        if let Some(controller) = &self.controller {
            let mut state = controller.checkpoint();
            if record.events.starts_with(b"{\"daemon\":") {
                state = self.ledger.beside(&state);
            }
            if state != record.events {
                return Err(state_difference(&record.events, &state));
            }
            self.epoch(record.epoch).checkpoints += 1;
            return Ok(());
        }
        let identity = EpochIdentity::from_bytes(&record.input);
        let foreign = self.foreign(identity);
        let epoch = self.epoch(record.epoch);
        epoch.identity = epoch.identity.or(identity);
        if foreign.is_some() {
            epoch.why = foreign;
            return Ok(());
        }
        self.ledger = self.ledger_carried.clone();
        let resumed = Controller::resumed(self.config.clone(), &record.events);
        let unusable = |error: table_controller::NotResumed| Difference::State {
            at: "the whole".to_owned(),
            stored: error.to_string(),
            replayed: "a table that can be resumed".to_owned(),
        };
        self.controller = Some(resumed.map_err(unusable)?);
        let epoch = self.epoch(record.epoch);
        epoch.why = epoch.why.filter(|_| epoch.skipped > 0);
        Ok(())
    }
}

/// Puts one stored input through the controller; the events as they would be written.
fn again(controller: &mut Controller, record: &Record, outputs: &mut Outputs) -> Result<Vec<u8>, Difference> {
    if record.content_version != CONTENT_VERSION {
        return Err(Difference::Version { stored: record.content_version });
    }
    let input = read_input(&record.input).map_err(|error| Difference::UnreadableInput(error.to_string()))?;
    let written = encode_input(&input);
    if written != record.input {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return Err(Difference::Input { stored: text(&record.input), written: text(&written) });
    }
    let stamp = Stamp { sequence: controller.sequence() + 1 };
    controller
        .apply(stamp, &input, outputs)
        .map_err(|refused| Difference::Refused { reason: refused.reason, clause: refused.source })?;
    let replayed = u64::from(acting(controller, &input));
    if replayed != record.person.0 {
        return Err(Difference::Person { stored: record.person.0, replayed });
    }
    Ok(encode_events(&outputs.said))
}

/// Whom the record of an accepted input names: who showed a PIN, or the dealer at the screen; 0 for nobody.
pub(super) fn acting(controller: &Controller, input: &Input) -> u32 {
    if let Input::Console(said) = input {
        return said.person.0;
    }
    let Input::Person(person) = input else { return 0 };
    person.by.map(|by| by.id).or_else(|| controller.dealer()).map_or(0, |person| person.0)
}

fn nothing_of(number: EpochNumber) -> EpochReplayed {
    EpochReplayed { number, identity: None, inputs: 0, checkpoints: 0, skipped: 0, why: None }
}

fn event_difference(stored: &[u8], replayed: &[u8]) -> Difference {
    let byte = stored.iter().zip(replayed).take_while(|(stored, replayed)| stored == replayed).count();
    let events = |bytes: &[u8]| match serde_json::from_slice(bytes) {
        Ok(Value::Array(events)) => events,
        Ok(other) => vec![other],
        Err(_) => vec![Value::String(String::from_utf8_lossy(bytes).into_owned())],
    };
    let (stored, replayed) = (events(stored), events(replayed));
    let same = stored.iter().zip(&replayed).take_while(|(stored, replayed)| stored == replayed).count();
    let (stored, replayed) = (stored.get(same).cloned(), replayed.get(same).cloned());
    let at = match (&stored, &replayed) {
        (Some(stored), Some(replayed)) => first_difference(stored, replayed, String::new()).0,
        (Some(_), None) | (None, Some(_)) => "its presence".to_owned(),
        (None, None) => "the way it is written".to_owned(),
    };
    Difference::Event { number: same + 1, at, stored, replayed, byte }
}

fn state_difference(stored: &[u8], replayed: &[u8]) -> Difference {
    let lossy = |bytes: &[u8]| Value::String(String::from_utf8_lossy(bytes).into_owned());
    let whole = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap_or_else(|_| lossy(bytes));
    let (at, stored, replayed) = first_difference(&whole(stored), &whole(replayed), String::new());
    Difference::State { at, stored, replayed }
}

/// The place of the first difference, and what stands there on both sides.
fn first_difference(stored: &Value, replayed: &Value, at: String) -> (String, String, String) {
    let step = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    match (stored, replayed) {
        (Value::Object(left), Value::Object(right)) => {
            for name in left.keys().chain(right.keys()) {
                let (left, right) = (left.get(name), right.get(name));
                if left != right {
                    return first_difference(left.unwrap_or(&Value::Null), right.unwrap_or(&Value::Null), step(name));
                }
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            for number in 0..left.len().max(right.len()) {
                let (left, right) = (left.get(number), right.get(number));
                if left != right {
                    let (left, right) = (left.unwrap_or(&Value::Null), right.unwrap_or(&Value::Null));
                    return first_difference(left, right, step(&number.to_string()));
                }
            }
        }
        _ => {}
    }
    let at = if at.is_empty() { "the way it is written".to_owned() } else { at };
    (at, stored.to_string(), replayed.to_string())
}
