//! The whole journal as plain files: JSON with every field of every record, and CSV with a row for every event.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::json;
use table_journal::{Record, RecordKind};

use super::{Reader, record, records, unreadable};
use crate::output::{self, Failure, Outcome, json_line};

const COLUMNS: [&str; 12] = [
    "sequence",
    "time",
    "wall_us",
    "epoch",
    "person",
    "kind",
    "input",
    "event",
    "event_kind",
    "text",
    "clause",
    "whole",
];

pub(super) fn run(reader: &Reader, directory: &Path, json: bool) -> Result<Outcome, Failure> {
    let refused = |why: String| Failure::Refused(format!("{}: {why}", directory.display()));
    fs::create_dir_all(directory).map_err(|error| refused(error.to_string()))?;
    let mut there = fs::read_dir(directory).map_err(|error| refused(error.to_string()))?;
    if there.next().is_some() {
        return Err(refused("is not empty; an export overwrites nothing".to_owned()));
    }
    let create = |name: &str| File::create_new(directory.join(name)).map(BufWriter::new);
    let mut lines = create("journal.jsonl").map_err(|error| refused(error.to_string()))?;
    let mut table = create("journal.csv").map_err(|error| refused(error.to_string()))?;
    header(&mut table)?;
    let (mut count, mut last) = (0_u64, None);
    for each in records(reader, 1)? {
        let each = each?;
        json_line(&mut lines, &record::whole(&each))?;
        rows(&mut table, &each)?;
        count += 1;
        last = Some((each.sequence.0, each.hash.to_string()));
    }
    lines.flush()?;
    table.flush()?;
    let (name, key) = reader.identity().map_err(|error| unreadable(&error))?;
    let (sequence, hash) = last.unwrap_or_default();
    let about = json!({
        "table": name.as_str(), "public_key": key.to_text().trim(), "records": count,
        "head": { "sequence": sequence, "hash": hash },
        "files": { "journal.jsonl": "one object a record, every field", "journal.csv": "one row an event; the column `whole` has it all" },
    });
    fs::write(directory.join("about.json"), format!("{about:#}\n")).map_err(|error| refused(error.to_string()))?;
    let mut out = output::stdout();
    if json {
        json_line(&mut out, &json!({ "exported": about }))?;
    } else {
        writeln!(out, "{count} records to {}; the record ends at {sequence} with hash {hash}", directory.display())?;
    }
    Ok(Outcome::Success)
}

/// One object a record.
pub(super) fn lines(out: &mut impl Write, records: &[Record]) -> io::Result<()> {
    records.iter().try_for_each(|each| json_line(out, &record::whole(each)))
}

/// One row an event, with the columns' names.
pub(super) fn table(out: &mut impl Write, records: &[Record]) -> io::Result<()> {
    header(out)?;
    records.iter().try_for_each(|each| rows(out, each))
}

fn header(out: &mut impl Write) -> io::Result<()> {
    row(out, &COLUMNS.map(str::to_owned))
}

/// A row for each event, and one for a record without any.
fn rows(out: &mut impl Write, each: &Record) -> io::Result<()> {
    let whole = record::whole(each);
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let input = if each.kind == RecordKind::Input { whole["input"].to_string() } else { String::new() };
    let front = [
        each.sequence.0.to_string(),
        text(&whole["time"]),
        each.wall.0.to_string(),
        each.epoch.0.to_string(),
        each.person.0.to_string(),
        text(&whole["kind"]),
        input,
    ];
    let events = record::events(each);
    for (number, event) in events.iter().enumerate() {
        let (kind, said, clause) = record::words(event);
        let back = [(number + 1).to_string(), kind, said, clause, event.to_string()];
        row(out, &[&front[..], &back[..]].concat())?;
    }
    if events.is_empty() {
        let rest = if each.kind == RecordKind::Input { String::new() } else { whole.to_string() };
        let back = [String::new(), String::new(), String::new(), String::new(), rest];
        row(out, &[&front[..], &back[..]].concat())?;
    }
    Ok(())
}

/// RFC 4180: a field with a comma or a quote stands in quotes.
fn row(out: &mut impl Write, fields: &[String]) -> io::Result<()> {
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        // The column with the whole record has everything; in the others nothing is to draw a line of its own.
        let field = operator_api::escaped(field);
        if field.contains([',', '"']) {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        } else {
            out.write_all(field.as_bytes())?;
        }
    }
    out.write_all(b"\r\n")
}
