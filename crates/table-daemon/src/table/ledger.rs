//! What the daemon itself must remember across restarts: the last durable event of each device, where rounds lie, and
//! what was asked for under which key.
//!
//! It travels inside the records: an entry among the events of a device's record, the key in a person's input, and a part
//! of every checkpoint.

use std::collections::{BTreeMap, VecDeque};

use device_protocols::frame::{BootId, MessageId, Sequence};
use serde_json::{Value, json};
use table_controller::{Input, Unreadable};

use super::devices::Port;

/// A round's records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RoundRecords {
    pub(super) round: u64,
    pub(super) first: u64,
    pub(super) last: Option<u64>,
}

/// Where a request that was carried out lies: its number at the table, and its record in the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RequestPlace {
    pub(super) number: u64,
    pub(super) record: u64,
}

/// Whoever lost an answer to a restart asks again at once; at one tap a second these are minutes.
const KEYS_KEPT: usize = 256;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Ledger {
    links: BTreeMap<Port, MessageId>,
    rounds: VecDeque<RoundRecords>,
    requests: VecDeque<(String, RequestPlace)>,
}

/// The form of a link's entry among the events of a record: words and source like every other. Written out at once,
/// since a card waits for it; no word in it needs escaping.
fn link_entry(port: Port, id: MessageId) -> String {
    let (boot, number, port) = (id.boot.value(), id.sequence.value(), port.word());
    format!(
        r#"{{"link":{{"boot":{boot},"clause":"TC-016","kind":"event-acknowledged","number":{number},"port":"{port}","text":"event {id} of the {port} acknowledged"}}}}"#
    )
}

impl Ledger {
    pub(super) fn last_of(&self, port: Port) -> Option<MessageId> {
        self.links.get(&port).copied()
    }

    pub(super) fn rounds(&self) -> impl Iterator<Item = &RoundRecords> {
        self.rounds.iter().rev()
    }

    /// A record of a device's event became durable.
    pub(super) fn note_link(&mut self, port: Port, id: MessageId) {
        self.links.insert(port, id);
    }

    /// The newest round, as the controller has it, against what is known here.
    pub(super) fn note_round(&mut self, round: u64, ended: bool, sequence: u64, keep: usize) {
        if self.rounds.back().is_none_or(|last| last.round != round) {
            while self.rounds.len() >= keep.max(1) {
                self.rounds.pop_front();
            }
            self.rounds.push_back(RoundRecords { round, first: sequence, last: None });
        }
        if let Some(last) = self.rounds.back_mut().filter(|last| last.round == round) {
            if ended {
                last.last.get_or_insert(sequence);
            } else {
                last.last = None;
            }
        }
    }

    pub(super) fn key_of(input: &Input) -> Option<&str> {
        if let Input::Person(person) = input { person.key.as_deref() } else { None }
    }

    /// A person's record became durable.
    pub(super) fn note_request(&mut self, place: RequestPlace, key: String) {
        while self.requests.len() >= KEYS_KEPT {
            self.requests.pop_front();
        }
        self.requests.push_back((key, place));
    }

    /// Where this very key has led to something before.
    pub(super) fn request(&self, input: &Input) -> Option<RequestPlace> {
        let key = Self::key_of(input)?;
        self.requests.iter().rev().find(|(each, _)| each == key).map(|(_, place)| *place)
    }

    /// The events of a record with the link's entry in front.
    pub(super) fn with_link(port: Port, id: MessageId, events: &[u8]) -> Vec<u8> {
        let entry = link_entry(port, id);
        let mut bytes = Vec::with_capacity(events.len() + entry.len() + 1);
        bytes.push(b'[');
        bytes.extend_from_slice(entry.as_bytes());
        match events.strip_prefix(b"[") {
            Some(b"]") | None => bytes.push(b']'),
            Some(rest) => {
                bytes.push(b',');
                bytes.extend_from_slice(rest);
            }
        }
        bytes
    }

    /// Reads the link's entry of a record back.
    pub(super) fn follow(&mut self, events: &[u8]) -> Result<(), Unreadable> {
        if let Some((port, id)) = Self::link_of(events)? {
            self.links.insert(port, id);
        }
        Ok(())
    }

    /// The device whose event was acknowledged with a record of these events.
    pub(super) fn link_of(events: &[u8]) -> Result<Option<(Port, MessageId)>, Unreadable> {
        // Cheap to tell apart before anything is parsed: the entry is always the first.
        if !events.starts_with(b"[{\"link\"") {
            return Ok(None);
        }
        let events: Vec<Value> = serde_json::from_slice(events).map_err(Unreadable::because)?;
        let link = events.first().map_or(&Value::Null, |first| &first["link"]);
        let id = link_at(&link["port"], &link["boot"], &link["number"]);
        // An event that was acknowledged would be taken a second time.
        id.map(Some).ok_or_else(|| Unreadable::because(format_args!("no link: {link}")))
    }

    /// A controller's checkpoint with this beside it.
    pub(super) fn beside(&self, checkpoint: &[u8]) -> Vec<u8> {
        let links: Vec<Value> =
            self.links.iter().map(|(port, id)| json!([port.word(), id.boot.value(), id.sequence.value()])).collect();
        let rounds: Vec<Value> =
            self.rounds.iter().map(|round| json!([round.round, round.first, round.last])).collect();
        let requests: Vec<Value> =
            self.requests.iter().map(|(key, place)| json!([key, place.number, place.record])).collect();
        let own = json!({ "links": links, "rounds": rounds, "requests": requests }).to_string();
        let Some(rest) = checkpoint.strip_prefix(b"{") else { return checkpoint.to_vec() };
        let mut bytes = Vec::with_capacity(checkpoint.len() + own.len() + 16);
        bytes.extend_from_slice(b"{\"daemon\":");
        bytes.extend_from_slice(own.as_bytes());
        bytes.push(b',');
        bytes.extend_from_slice(rest);
        bytes
    }

    /// An older checkpoint may have none of the lists; what one of them has is read whole.
    pub(super) fn from_checkpoint(checkpoint: &[u8]) -> Result<Self, Unreadable> {
        let mut ledger = Self::default();
        let whole: Value = serde_json::from_slice(checkpoint).map_err(Unreadable::because)?;
        let list = |name: &str| whole["daemon"][name].as_array().into_iter().flatten();
        let unreadable = |what: &str, entry: &Value| Unreadable::because(format_args!("no {what}: {entry}"));
        for link in list("links") {
            let (port, id) = link_at(&link[0], &link[1], &link[2]).ok_or_else(|| unreadable("link", link))?;
            ledger.links.insert(port, id);
        }
        for round in list("rounds") {
            let at = round[0].as_u64().zip(round[1].as_u64());
            let (number, first) = at.ok_or_else(|| unreadable("round", round))?;
            ledger.rounds.push_back(RoundRecords { round: number, first, last: round[2].as_u64() });
        }
        for request in list("requests") {
            let place = request[1].as_u64().zip(request[2].as_u64());
            let (key, (number, record)) =
                request[0].as_str().zip(place).ok_or_else(|| unreadable("request", request))?;
            ledger.note_request(RequestPlace { number, record }, key.to_owned());
        }
        Ok(ledger)
    }
}

fn link_at(port: &Value, boot: &Value, number: &Value) -> Option<(Port, MessageId)> {
    let port = Port::ALL.into_iter().find(|each| *port == each.word())?;
    let boot = BootId::new(u32::try_from(boot.as_u64()?).ok()?)?;
    let sequence = Sequence::new(u16::try_from(number.as_u64()?).ok()?)?;
    Some((port, MessageId { boot, sequence }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(boot: u32, sequence: u16) -> MessageId {
        MessageId { boot: BootId::new(boot).unwrap(), sequence: Sequence::new(sequence).unwrap() }
    }

    #[test]
    fn the_last_event_of_each_device_comes_back_from_records_and_checkpoints() {
        let mut written = Ledger::default();
        written.note_link(Port::LeftShoe, id(7, 65535));
        written.note_round(41, true, 900, 10);
        written.note_round(42, false, 950, 10);
        for number in 0..300 {
            written.note_request(RequestPlace { number, record: number + 7 }, format!("key-{number}"));
        }
        assert_eq!(written.requests.len(), KEYS_KEPT);
        let checkpoint = written.beside(br#"{"engine":1}"#);
        assert_eq!(serde_json::from_slice::<Value>(&checkpoint).unwrap()["engine"], 1);
        let mut read = Ledger::from_checkpoint(&checkpoint).unwrap();
        assert_eq!(read, written);
        for events in [&b"[]"[..], br#"[{"event":{"text":"x"}}]"#] {
            let record = Ledger::with_link(Port::Reader, id(9, 3), events);
            assert!(serde_json::from_slice::<Vec<Value>>(&record).is_ok());
            read.follow(&record).unwrap();
            assert_eq!(read.last_of(Port::Reader), Some(id(9, 3)));
        }
    }

    #[test]
    fn what_was_kept_and_cannot_be_read_is_not_forgotten() {
        assert_eq!(Ledger::from_checkpoint(br#"{"engine":1}"#).unwrap(), Ledger::default(), "an older checkpoint");
        for torn in [
            &b"torn"[..],
            br#"{"daemon":{"links":[["reader","no number",3]]}}"#,
            br#"{"daemon":{"rounds":[["41"]]}}"#,
            br#"{"daemon":{"requests":[["key-1"]]}}"#,
        ] {
            Ledger::from_checkpoint(torn).unwrap_err();
        }
        for torn in [&br#"[{"link":{"port":"reader""#[..], br#"[{"link":{"port":"reader","boot":9}}]"#] {
            Ledger::default().follow(torn).unwrap_err();
        }
    }

    #[test]
    fn a_link_is_written_as_every_other_entry_is() {
        for port in Port::ALL {
            let entry = json!({ "link": {
                "text": format!("event 00c0ffee:65535 of the {} acknowledged", port.word()),
                "clause": "TC-016",
                "kind": "event-acknowledged",
                "port": port.word(),
                "boot": 0x00c0_ffee,
                "number": 65535,
            }});
            assert_eq!(link_entry(port, id(0x00c0_ffee, 65535)), entry.to_string());
        }
    }

    #[test]
    fn a_round_that_a_correction_opened_again_is_not_over() {
        let mut ledger = Ledger::default();
        ledger.note_round(1, false, 5, 2);
        ledger.note_round(1, true, 9, 2);
        ledger.note_round(1, false, 10, 2);
        ledger.note_round(2, false, 12, 2);
        ledger.note_round(3, false, 20, 2);
        let rounds: Vec<_> = ledger.rounds().map(|round| (round.round, round.first, round.last)).collect();
        assert_eq!(rounds, [(3, 20, None), (2, 12, None)]);
    }
}
