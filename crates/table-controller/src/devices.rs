//! What is known of every device's link, and faults by their codes.

use operator_api::DeviceView;
use serde::{Deserialize, Serialize};
use table_rules::source::Point;

use crate::codes::Code;
use crate::controller::Controller;
use crate::input::{JournalInput, LinkIdentity, Part};
use crate::notice::Notice;
use crate::output::Outputs;

impl Part {
    pub(crate) const fn carries_sensors(self) -> bool {
        match self {
            Self::Sensor | Self::Expander | Self::LockOut => true,
            Self::Reader | Self::Shuffler | Self::Shoe | Self::Lamp | Self::Board => false,
        }
    }
}

/// Codes below this are about the way to a part, not about the part.
const OF_THE_PART_FROM: u16 = 100;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) up: bool,
    pub(crate) identity: LinkIdentity,
}

fn is_of_the_part(code: &str) -> bool {
    code.rsplit('-').next().and_then(|number| number.parse::<u16>().ok()).is_some_and(|n| n >= OF_THE_PART_FROM)
}

impl Controller {
    pub(crate) fn on_fault(&mut self, part: Part, code: &str, raised: bool, out: &mut Outputs) {
        let key = fault_key(part, code);
        let entry = (part, code.to_owned());
        if raised {
            self.state.faults.insert(entry);
            // The reader itself being wrong stops the table until somebody has verified that it is right again; a line
            // that comes and goes stops it only while it is gone.
            let stops = part == Part::Reader && is_of_the_part(code);
            let source = if stops { self.cite(Point::ReaderMalfunction) } else { code.to_owned() };
            let text = format!("{}: fault {code}", part.word());
            self.raise(&key, stops, &source, &text, out);
        } else {
            self.state.faults.remove(&entry);
            self.end_alert(&key, code, out);
            let stands = self.state.faults.iter().any(|(each, code)| *each == part && is_of_the_part(code));
            if part == Part::Reader && is_of_the_part(code) && !stands {
                self.reader_is_right_again();
            }
        }
    }

    /// Whether the fault behind this alert may still be there: the part says so, or cannot be asked. After a start
    /// nothing is known of a part until it is reached again.
    pub(crate) fn fault_stands(&self, key: &str) -> bool {
        let told = self.state.faults.iter().any(|(part, code)| fault_key(*part, code) == key);
        told || (key.ends_with(Part::Reader.word()) && !self.state.reader.up)
    }

    pub(crate) fn on_journal(&mut self, input: &JournalInput, out: &mut Outputs) {
        match input {
            JournalInput::NearlyFull => {
                let code = Code::JournalNearlyFull;
                self.raise("journal full", true, &code.to_string(), code.meaning(), out);
            }
            JournalInput::RoomAgain => self.end_alert("journal full", &Code::JournalNearlyFull.to_string(), out),
            JournalInput::Stalled { milliseconds } => {
                let code = Code::JournalStalls;
                let text = format!("{}: {milliseconds} ms", code.meaning());
                self.raise("journal stall", false, &code.to_string(), &text, out);
                self.end_alert("journal stall", &code.to_string(), out);
            }
        }
    }

    /// Raises an alert unless the same thing already stands.
    pub(crate) fn raise(&mut self, key: &str, stops: bool, source: &str, text: &str, out: &mut Outputs) {
        let sequence = self.state.sequence;
        if let Some(alert) = self.state.alerts.raise(key, stops, source, text, sequence) {
            let severity = if stops { operator_api::Severity::Stop } else { operator_api::Severity::Attend };
            self.say(Notice::AlertRaised { alert, severity, text: text.to_owned() }, source, out);
        }
    }

    pub(crate) fn end_alert(&mut self, key: &str, source: &str, out: &mut Outputs) {
        if let Some((alert, over)) = self.state.alerts.end(key) {
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
        views.extend(shoe_links.map(|shoe| self.device_view(Part::Shoe, true, &shoe.link, "")));
        let felt = Link { up: self.progressives_off().is_none(), identity: LinkIdentity::default() };
        let locked = if self.state.felt.locked { "locked" } else { "open" };
        views.push(self.device_view(Part::Sensor, config.has_felt, &felt, locked));
        views
    }

    fn device_view(&self, part: Part, present: bool, link: &Link, state: &str) -> DeviceView {
        let of_part = |(each, _): &&(Part, String)| {
            *each == part || (part == Part::Sensor && (each.carries_sensors() || *each == Part::Lamp))
        };
        DeviceView {
            part: part.word(),
            present,
            up: link.up,
            state: state.to_owned(),
            faults: self.state.faults.iter().filter(of_part).map(|(_, code)| code.clone()).collect(),
            model: link.identity.model.clone(),
            serial: link.identity.serial.clone(),
        }
    }
}

fn fault_key(part: Part, code: &str) -> String {
    format!("fault {code} {}", part.word())
}
