//! What is known of every device's link, and faults by their codes.

use std::collections::BTreeSet;

use operator_api::fault_book::explain_source;
use operator_api::{DeviceView, FaultCode};
use serde::{Deserialize, Serialize};
use table_rules::source::Point;
use table_rules::text::Capital;

use crate::alerts::{FaultAt, Moment, Saying, Stops};
use crate::codes::Code;
use crate::config::Spot;
use crate::controller::Controller;
use crate::input::{FaultInput, JournalInput, LinkIdentity, LinkProtection, Part, PinsInput};
use crate::notice::Notice;
use crate::output::Outputs;

/// Whether a fault of this part takes spots out of use: of the sensors, or of what proves acceptance.
const fn carries_spots(part: Part) -> bool {
    match part {
        Part::Sensor | Part::Expander | Part::LockOut | Part::Lamp => true,
        Part::Reader | Part::Shuffler | Part::Shoe | Part::Board | Part::Controller => false,
    }
}

/// A fault that stands. Two of one code at two places are two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct StandingFault {
    pub(crate) part: Part,
    pub(crate) code: String,
    pub(crate) place: Option<String>,
    /// The spots that it takes out of use; none named means all.
    spots: Vec<Spot>,
}

impl StandingFault {
    fn is_same(&self, input: &FaultInput) -> bool {
        (self.part, &self.code, &self.place) == (input.part, &input.code, &input.place)
    }

    fn key(&self) -> String {
        fault_key(self.part, &self.code, self.place.as_deref())
    }

    fn takes_out(&self, spot: Spot) -> bool {
        carries_spots(self.part) && (self.spots.is_empty() || self.spots.contains(&spot))
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) up: bool,
    pub(crate) identity: LinkIdentity,
}

/// Whether a code is about the part itself, not about the way to it.
pub(crate) fn is_of_the_part(code: &str) -> bool {
    code.parse::<FaultCode>().is_ok_and(FaultCode::is_of_the_part)
}

/// The alert that only two people end.
pub(crate) const JOURNAL_DOUBT: &str = "journal doubt";
const WRONG_PINS: &str = "wrong pins";
const WITNESS: &str = "witness";

/// What is missing, and who may go on how.
pub(crate) fn doubt_text(why: &str) -> String {
    format!("{why}{GO_ON}")
}

const GO_ON: &str = ". Find it first; to go on without it, a manager and a second person accept the journal";

/// What was said to be missing, of the text above.
pub(crate) fn why_doubted(text: &str) -> &str {
    text.strip_suffix(GO_ON).unwrap_or(text)
}

impl Controller {
    pub(crate) fn on_fault(&mut self, input: &FaultInput, out: &mut Outputs) {
        let FaultInput { part, code, raised, place, spots, errno } = input;
        let key = fault_key(*part, code, place.as_deref());
        self.state.faults.retain(|fault| !fault.is_same(input));
        if *raised {
            let (code, place) = (code.clone(), place.clone());
            self.state.faults.insert(StandingFault { part: *part, code, place, spots: spots.clone() });
            let saying = self.fault_saying(input, *errno);
            self.raise_saying(&key, saying, out);
        } else {
            self.end_alert(&key, code, out);
            let own = |fault: &StandingFault| fault.part == *part && is_of_the_part(&fault.code);
            if *part == Part::Reader && is_of_the_part(code) && !self.state.faults.iter().any(own) {
                self.reader_is_right_again();
            }
        }
    }

    /// Whether this very fault stands already.
    pub fn knows_fault(&self, fault: &FaultInput) -> bool {
        self.state.faults.iter().any(|known| known.is_same(fault))
    }

    fn fault_saying(&self, input: &FaultInput, errno: Option<i32>) -> Saying {
        let FaultInput { part, code, place, .. } = input;
        // The reader itself being wrong stops the table until somebody has verified that it is right again; a line that
        // comes and goes stops it only while it is gone.
        let wrong = *part == Part::Reader && is_of_the_part(code);
        let stops = if wrong { Stops::UntilCleared } else { Stops::Nothing };
        let source = if wrong { self.cite(Point::ReaderMalfunction) } else { code.clone() };
        let at = place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        let text = match explain_source(code) {
            Some(text) => format!("{}{at}: {}; {}", part.word(), text.name, text.meaning),
            None => format!("{}{at}: fault {code}", part.word()),
        };
        let fault = Some(FaultAt { code: code.clone(), place: place.clone(), errno });
        Saying { stops, source, text, fault }
    }

    /// Why this spot takes no wager but a main one, as a code; `None` where nothing is wrong with it.
    pub(crate) fn spot_fault(&self, spot: Spot) -> Option<&str> {
        self.state.faults.iter().find(|fault| fault.takes_out(spot)).map(|fault| fault.code.as_str())
    }

    /// Whether the fault behind this alert may still be there: the part says so, or cannot be asked. After a start
    /// nothing is known of a part until it is reached again.
    pub(crate) fn fault_stands(&self, key: &str) -> bool {
        let told = self.state.faults.iter().any(|fault| fault.key() == key);
        told || (key.ends_with(Part::Reader.word()) && !self.state.reader.up)
    }

    /// A start knows of no fault on the way to a part: what still stands is raised again within seconds, and what is not
    /// was over with the old run. What a device said of itself only its own word ends.
    pub(crate) fn forget_faults(&mut self, out: &mut Outputs) {
        self.state.faults.retain(StandingFault::is_told_by_device);
        for key in self.state.alerts.fault_keys() {
            if self.state.faults.iter().any(|fault| fault.key() == key) {
                continue;
            }
            let source = self.state.alerts.with_key(&key).map(|alert| alert.saying.source.clone());
            self.end_alert(&key, &source.unwrap_or_default(), out);
        }
    }

    pub(crate) fn on_journal(&mut self, input: &JournalInput, out: &mut Outputs) {
        match input {
            JournalInput::NearlyFull => {
                let code = Code::JournalNearlyFull;
                let (source, text) = (code.to_string(), code.meaning().to_owned());
                let saying = Saying { stops: Stops::WhileItStands, source, text, fault: None };
                self.raise_saying("journal full", saying, out);
            }
            JournalInput::RoomAgain => self.end_alert("journal full", &Code::JournalNearlyFull.to_string(), out),
            JournalInput::Stalled { milliseconds } => {
                let code = Code::JournalStalls;
                let text = format!("{}: {milliseconds} ms", code.meaning());
                self.raise("journal stall", Stops::Nothing, &code.to_string(), &text, out);
                self.end_alert("journal stall", &code.to_string(), out);
            }
            JournalInput::Doubtful { why } => {
                // A table that is started again while it waits has written since: the first finding says what is missing.
                let why = self.state.journal_doubt.get_or_insert_with(|| why.clone()).clone();
                let source = Code::JournalDoubtful.to_string();
                self.raise(JOURNAL_DOUBT, Stops::Nothing, &source, &doubt_text(&why), out);
            }
            JournalInput::Damaged { what } => {
                let code = Code::JournalDamaged;
                let text = format!("{}: {what}", code.meaning());
                self.raise("journal damaged", Stops::UntilCleared, &code.to_string(), &text, out);
            }
            JournalInput::WitnessLost { why } => {
                let code = Code::WitnessNotKept;
                let text = format!("{}: {why}", code.meaning());
                self.raise(WITNESS, Stops::Nothing, &code.to_string(), &text, out);
            }
            JournalInput::WitnessKept => self.end_alert(WITNESS, &Code::WitnessNotKept.to_string(), out),
        }
    }

    /// Play goes on: whoever is guessing must not be able to stop a table.
    pub(crate) fn on_pins(&mut self, input: PinsInput, out: &mut Outputs) {
        let code = Code::WrongPins;
        match input {
            PinsInput::TooManyWrong => self.raise(WRONG_PINS, Stops::Nothing, &code.to_string(), code.meaning(), out),
            PinsInput::Quiet => self.end_alert(WRONG_PINS, &code.to_string(), out),
        }
    }

    /// Whether the alert of wrong PINs stands and has not ended.
    pub fn wrong_pins_told(&self) -> bool {
        self.alert_stands(WRONG_PINS)
    }

    /// Whether the alert of a witness that cannot be written stands and has not ended.
    pub fn lost_witness_told(&self) -> bool {
        self.alert_stands(WITNESS)
    }

    fn alert_stands(&self, key: &str) -> bool {
        self.state.alerts.with_key(key).is_some_and(|alert| alert.ended.is_none())
    }

    /// Raises an alert unless the same thing already stands.
    pub(crate) fn raise(&mut self, key: &str, stops: Stops, source: &str, text: &str, out: &mut Outputs) {
        let saying = Saying { stops, source: source.to_owned(), text: text.to_owned(), fault: None };
        self.raise_saying(key, saying, out);
    }

    fn raise_saying(&mut self, key: &str, mut saying: Saying, out: &mut Outputs) {
        saying.text = Capital(&saying.text).to_string();
        let (text, source, severity) = (saying.text.clone(), saying.source.clone(), saying.stops.severity());
        let now = self.moment();
        if let Some(alert) = self.state.alerts.raise(key, saying, now) {
            self.say(Notice::AlertRaised { alert, severity, text }, &source, out);
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment { sequence: self.state.sequence, wall_ms: self.state.day.clock.map(|clock| clock.wall_ms) }
    }

    pub(crate) fn end_alert(&mut self, key: &str, source: &str, out: &mut Outputs) {
        if let Some((alert, over)) = self.state.alerts.end(key, self.moment()) {
            self.say(Notice::AlertEnded { alert }, source, out);
            if over {
                self.say(Notice::AlertCleared { alert, by: None }, source, out);
            }
        }
    }

    pub(crate) fn device_views(&self) -> Vec<DeviceView> {
        let config = &self.config;
        let shoe_links = self.state.shoes.iter().take(usize::from(config.shoes));
        let mut views = vec![
            self.device_view(
                Part::Reader,
                config.has_reader,
                &self.state.reader.link(),
                self.state.reader.state_word(),
            ),
            self.device_view(
                Part::Shuffler,
                config.has_shuffler,
                &self.state.shuffler.link,
                &self.state.shuffler.state,
            ),
        ];
        views.extend(shoe_links.map(|shoe| self.device_view(Part::Shoe, true, &shoe.link, &shoe.state)));
        let layout_up = !self.state.faults.iter().any(|fault| carries_spots(fault.part));
        let layout = Link { up: layout_up, identity: LinkIdentity::default() };
        let locked = if self.state.layout.locked { "locked" } else { "open" };
        views.push(self.device_view(Part::Sensor, config.has_layout, &layout, locked));
        views
    }

    fn device_view(&self, part: Part, present: bool, link: &Link, state: &str) -> DeviceView {
        let of_part =
            |fault: &&StandingFault| fault.part == part || (part == Part::Sensor && carries_spots(fault.part));
        // One code at several places is listed once.
        let codes: BTreeSet<&String> = self.state.faults.iter().filter(of_part).map(|fault| &fault.code).collect();
        DeviceView {
            part: part.word(),
            present,
            up: link.up,
            state: state.to_owned(),
            faults: codes.into_iter().cloned().collect(),
            model: link.identity.model.clone(),
            serial: link.identity.serial.clone(),
            protection: link.identity.protection.map(LinkProtection::word),
        }
    }
}

fn fault_key(part: Part, code: &str, place: Option<&str>) -> String {
    let at = place.map_or_else(String::new, |place| format!("{place} "));
    format!("fault {code} {at}{}", part.word())
}
