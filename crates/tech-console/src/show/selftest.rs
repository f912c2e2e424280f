//! `selftest`: every part of the table in one look, from the daemon's picture and what the board says.

use operator_api::{DevicePicture, Picture};
use serde_json::{Value, json};

use crate::text::count;

/// How a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Health {
    Ok,
    Fail,
    /// The table has none.
    None,
}

impl Health {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Fail => "FAIL",
            Self::None => "-",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub name: &'static str,
    pub health: Health,
    pub text: String,
}

impl Part {
    fn judged(name: &'static str, fault: Option<String>, text: String) -> Self {
        match fault {
            Some(fault) => Self { name, health: Health::Fail, text: fault },
            None => Self { name, health: Health::Ok, text },
        }
    }

    fn none(name: &'static str) -> Self {
        Self { name, health: Health::None, text: "none at this table".to_owned() }
    }
}

/// What the board itself says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Codes of what is wrong with it.
    pub faults: Vec<String>,
    /// `61 C`.
    pub text: String,
}

/// A stop or an alert with one of these codes.
fn stands(picture: &Picture, codes: &[&str]) -> Option<String> {
    let table = &picture.table;
    let stop = table.stops.iter().map(|stop| stop.source.as_str()).find(|source| codes.contains(source));
    let alert = || {
        let standing = table.alerts.iter().filter(|alert| !alert.ended).map(|alert| alert.source.as_str());
        standing.into_iter().find(|source| codes.contains(source))
    };
    stop.or_else(alert).map(|code| format!("{code}: why {code}"))
}

fn device(name: &'static str, device: Option<&DevicePicture>) -> Part {
    let Some(device) = device else { return Part::none(name) };
    let fault = match device.faults.first() {
        Some(code) => Some(format!("{code}: why {code}")),
        None if !device.up => Some("does not answer".to_owned()),
        None => None,
    };
    Part::judged(name, fault, if device.state.is_empty() { "up".to_owned() } else { device.state.clone() })
}

/// Every part, in the order in which it is printed.
pub fn parts(picture: &Picture, board: &Board) -> Vec<Part> {
    let named = |name: &str| picture.devices.iter().find(|device| device.name == name);
    let storage = &picture.storage;
    let layout = picture.table.layout.as_ref();
    let of_layout = |prefix: &str| {
        let code = layout?.faults.iter().find(|code| code.starts_with(prefix))?;
        Some(format!("{code}: why {code}"))
    };
    let lines = layout.map(|layout| layout.lines.as_slice()).unwrap_or_default();
    let sensors: Vec<Option<bool>> =
        lines.iter().filter(|line| line.name.starts_with("sensor ")).map(|line| line.active).collect();
    let button = lines.iter().find(|line| line.name == "lock-out");
    let mut all = vec![
        Part::judged("board", board.faults.first().map(|code| format!("{code}: why {code}")), board.text.clone()),
        Part::judged(
            "storage",
            stands(picture, &["TC-002", "TC-014"]),
            format!("saves in {} ms", count(storage.last_save_ms)),
        ),
        Part::judged(
            "journal",
            stands(picture, &["TC-040", "TC-041", "TC-044"]),
            format!("head {}", count(storage.record)),
        ),
        Part::judged(
            "clock",
            stands(picture, &["TC-001"]),
            if picture.clock_trusted { "trusted" } else { "no server behind it" }.to_owned(),
        ),
        device("reader", named("reader")),
        device("shuffler", named("shuffler")),
        device(
            "shoe",
            named("shoe").filter(|left| !left.faults.is_empty() || !left.up).or(named("right shoe")).or(named("shoe")),
        ),
    ];
    if layout.is_none() {
        all.extend(["lock-out", "sensors", "expander"].map(Part::none));
        return all;
    }
    let pressed = button.and_then(|line| line.active) == Some(true);
    all.push(Part::judged(
        "lock-out",
        of_layout("LK-").or_else(|| pressed.then(|| "pressed: let go of it".to_owned())),
        "released".to_owned(),
    ));
    let read = sensors.iter().filter(|level| level.is_some()).count();
    let chips = sensors.iter().filter(|level| **level == Some(true)).count();
    let empty = if chips == 0 { "all empty".to_owned() } else { format!("{chips} with a chip") };
    all.push(if sensors.is_empty() {
        Part::none("sensors")
    } else {
        let unread = (read < sensors.len()).then(|| format!("{read} of {} read", sensors.len()));
        Part::judged("sensors", of_layout("PS-").or(unread), format!("{read} of {} read, {empty}", sensors.len()))
    });
    all.push(Part::judged("expander", of_layout("EX-"), "answers, or none".to_owned()));
    all
}

/// Two parts a line where both fit.
pub fn lines(parts: &[Part]) -> Vec<String> {
    const LEFT: usize = 48;
    const RIGHT: usize = 79 - LEFT;
    let cell = |part: &Part| format!(" {:<8} {:<5} {}", part.name, part.health.word(), part.text);
    let mut lines: Vec<String> = Vec::new();
    let mut waits: Option<String> = None;
    for part in parts {
        let text = cell(part);
        match waits.take() {
            Some(left) if left.len() < LEFT && text.len() <= RIGHT => lines.push(format!("{left:<LEFT$}{text}")),
            Some(left) => {
                lines.push(left);
                waits = Some(text);
            }
            None => waits = Some(text),
        }
    }
    lines.extend(waits);
    lines
        .into_iter()
        .flat_map(|line| if line.len() <= 80 { vec![line] } else { crate::text::wrap(" ", 16, &line) })
        .collect()
}

/// `self-test 9 of 10 ok, expander FAIL`.
pub fn summary(parts: &[Part]) -> String {
    let tried: Vec<&Part> = parts.iter().filter(|part| part.health != Health::None).collect();
    let failed: Vec<&str> = tried.iter().filter(|part| part.health == Health::Fail).map(|part| part.name).collect();
    let fails = if failed.is_empty() { String::new() } else { format!(", {} FAIL", failed.join(", ")) };
    format!("self-test {} of {} ok{fails}", tried.len() - failed.len(), tried.len())
}

pub fn data(parts: &[Part]) -> Value {
    let all: Vec<Value> = parts
        .iter()
        .map(|part| json!({ "part": part.name, "health": part.health.word(), "text": part.text }))
        .collect();
    json!(all)
}

#[cfg(test)]
mod tests {
    use operator_api::{LayoutPicture, LinePicture};

    use super::*;

    fn picture() -> Picture {
        let line = |name: &str, active| LinePicture { name: name.to_owned(), active, edges: Some(0), changes: 0 };
        let mut picture = Picture { clock_trusted: true, ..Picture::default() };
        picture.devices = vec![
            DevicePicture { name: "reader".to_owned(), up: true, state: "idle".to_owned(), ..DevicePicture::default() },
            DevicePicture { name: "shoe".to_owned(), up: true, ..DevicePicture::default() },
        ];
        picture.table.layout = Some(LayoutPicture {
            lines: vec![
                line("lock-out", Some(false)),
                line("sensor 1.1", Some(false)),
                line("sensor 2.1", Some(false)),
            ],
            ..LayoutPicture::default()
        });
        picture
    }

    #[test]
    fn a_sound_table_passes_and_a_part_that_fails_is_named_with_its_code() {
        let board = Board { faults: Vec::new(), text: "61 C, not throttled".to_owned() };
        let sound = parts(&picture(), &board);
        assert_eq!(summary(&sound), "self-test 9 of 9 ok");
        let text = lines(&sound).join("\n");
        assert!(text.contains(" sensors  ok    2 of 2 read, all empty"), "{text}");
        assert!(lines(&sound).iter().all(|line| line.len() <= 80));
        let mut broken = picture();
        broken.devices[0].faults = vec!["RD-010".to_owned()];
        if let Some(layout) = &mut broken.table.layout {
            layout.faults = vec!["EX-001".to_owned()];
            layout.lines[1].active = None;
        }
        let found = parts(&broken, &board);
        assert_eq!(summary(&found), "self-test 6 of 9 ok, reader, sensors, expander FAIL");
        let text = lines(&found).join("\n");
        assert!(text.contains(" reader   FAIL  RD-010: why RD-010"), "{text}");
        assert!(text.contains(" shuffler -     none at this table"), "{text}");
    }
}
