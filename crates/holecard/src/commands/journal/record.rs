//! One record as JSON with nothing lost, and in words.

use std::io::Write;

use operator_api::escaped;
use serde_json::{Map, Value, json};
use table_journal::{Record, RecordKind};
use table_rules::wager::WagerId;

use crate::output::{Failure, QUIET, Stdout, Styled};

/// Everything that the journal keeps of a record. A payload that is not JSON stands there as hex.
pub(super) fn whole(record: &Record) -> Value {
    let mut object = Map::new();
    object.insert("sequence".to_owned(), json!(record.sequence.0));
    object.insert("kind".to_owned(), json!(kind(record.kind)));
    object.insert("epoch".to_owned(), json!(record.epoch.0));
    object.insert("run".to_owned(), json!(record.run));
    object.insert("time".to_owned(), json!(utc(record.wall.0)));
    object.insert("wall_us".to_owned(), json!(record.wall.0));
    object.insert("monotonic_us".to_owned(), json!(record.monotonic.0));
    object.insert("person".to_owned(), json!(record.person.0));
    object.insert("content_version".to_owned(), json!(record.content_version));
    object.insert("durable".to_owned(), json!(record.durable.0));
    object.insert("hash".to_owned(), json!(record.hash.to_string()));
    for (name, bytes) in [("input", &record.input), ("events", &record.events)] {
        match serde_json::from_slice::<Value>(bytes) {
            Ok(value) => object.insert(name.to_owned(), value),
            Err(_) => object.insert(format!("{name}_hex"), json!(hex(bytes))),
        };
    }
    Value::Object(object)
}

/// What followed, as objects: the one key of each names its form.
pub(in crate::commands) fn events(record: &Record) -> Vec<Value> {
    match serde_json::from_slice(&record.events) {
        Ok(Value::Array(events)) if record.kind == RecordKind::Input => events,
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// The words and the source of an event, whatever its form.
pub(super) fn words(event: &Value) -> (String, String, String) {
    let (form, body) = event
        .as_object()
        .and_then(|object| object.iter().next())
        .map_or(("", &Value::Null), |(form, body)| (form.as_str(), body));
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let said = if form == "settled" {
        let money = |name: &str| body[name].as_i64().map_or_else(|| "?".to_owned(), dollars);
        format!(
            "seat {} hand {}, {}: {}, {}; stake {}, returned {}, pays {}",
            body["position"],
            body["hand"],
            WagerId::said_of(&text("wager")),
            text("outcome"),
            text("line"),
            money("stake_cents"),
            money("returned_cents"),
            money("pays_cents"),
        )
    } else {
        text("text")
    };
    let kind = if form == "settled" { form.to_owned() } else { text("kind") };
    (kind, said, text("clause"))
}

pub(super) fn print(out: &mut Stdout, record: &Record) -> Result<(), Failure> {
    let head = format!("{:>8}  {}  {}", record.sequence.0, utc(record.wall.0), source(record));
    writeln!(out, "{}", Styled(QUIET, escaped(&head)))?;
    for event in events(record) {
        let (_, said, clause) = words(&event);
        writeln!(out, "          {} [{}]", escaped(&said), escaped(&clause))?;
    }
    Ok(())
}

/// Who or what an input came from, and what it said.
pub(super) fn source(record: &Record) -> String {
    if record.kind != RecordKind::Input {
        return format!("({}, epoch {})", kind(record.kind), record.epoch.0);
    }
    let Ok(Value::Object(input)) = serde_json::from_slice(&record.input) else { return "?".to_owned() };
    let Some((from, body)) = input.iter().next() else { return "?".to_owned() };
    let who = if record.person.0 == 0 { String::new() } else { format!(" {}", record.person.0) };
    if from == "person" {
        let action = &body["action"];
        let second = body["second"]["id"].as_u64().map_or_else(String::new, |id| format!(" with {id}"));
        let words = action["words"].as_str().or(action["do"].as_str()).unwrap_or("?");
        let role = body["by"]["role"].as_str().unwrap_or("dealer's screen");
        return format!("{role}{who}{second}: {words}");
    }
    format!("{from}: {body}")
}

const fn kind(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Input => "input",
        RecordKind::Epoch => "epoch",
        RecordKind::Checkpoint => "checkpoint",
        RecordKind::Close => "close",
        RecordKind::Signature => "signature",
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// Microseconds since 1970 as a date and a time, UTC.
pub(super) fn utc(microseconds: i64) -> String {
    let seconds = microseconds.div_euclid(1_000_000);
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years begin with March here, so that the leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + carry;
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let milli = microseconds.rem_euclid(1_000_000) / 1_000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(951_782_400_000_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(utc(1_772_452_801_250_000), "2026-03-02T12:00:01.250Z");
        assert_eq!(utc(-1), "1969-12-31T23:59:59.999Z");
    }
}
