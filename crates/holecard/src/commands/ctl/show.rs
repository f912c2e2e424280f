//! What the daemon said, in words: everything that it tells has a text and a source already.

use std::io::{self, Write};

use serde_json::Value;
use table_rules::money::Cents;

use crate::output::{BAD, ORDER, QUIET, Styled};

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn amount(cents: &Value) -> String {
    cents.as_i64().map_or_else(|| "?".to_owned(), |cents| Cents(cents).to_string())
}

pub(super) fn status(out: &mut impl Write, screen: &Value) -> io::Result<()> {
    let [table, game, mode, round, stage] = ["table", "game", "mode", "round", "stage"].map(|key| text(&screen[key]));
    writeln!(out, "{table}: {game}, {mode}, round {round}, {stage}")?;
    let prompt = &screen["prompt"];
    writeln!(
        out,
        "  {} {}",
        Styled(ORDER, text(&prompt["text"])),
        Styled(QUIET, format!("[{}]", text(&prompt["clause"])))
    )?;
    for stop in items(&screen["stops"]) {
        writeln!(out, "  {} {} [{}]", Styled(BAD, "no next round:"), text(&stop["reason"]), text(&stop["source"]))?;
    }
    for each in items(&screen["alerts"]) {
        write!(out, "  ")?;
        alert(out, each)?;
    }
    let dealer = if screen["signed_in"].is_null() { "nobody".to_owned() } else { screen["signed_in"].to_string() };
    writeln!(out, "  dealer {dealer}, record {}, {} rounds today", screen["sequence"], screen["day"]["rounds"])
}

fn alert(out: &mut impl Write, alert: &Value) -> io::Result<()> {
    let stop = alert["severity"] == "stop";
    let mark = if stop { Styled(BAD, "stop") } else { Styled(QUIET, "attend") };
    let seen = match (alert["acknowledged_by"].as_u64(), alert["ended"] == true) {
        (Some(who), true) => format!(", over, seen by {who}"),
        (Some(who), false) => format!(", seen by {who}"),
        (None, true) => ", over".to_owned(),
        (None, false) => String::new(),
    };
    let (number, words, source) = (&alert["alert"], text(&alert["text"]), text(&alert["source"]));
    writeln!(out, "alert {number} ({mark}{seen}): {words} [{source}]")
}

pub(super) fn alerts(out: &mut impl Write, list: &Value) -> io::Result<()> {
    none_or(out, list, alert)
}

pub(super) fn devices(out: &mut impl Write, list: &Value) -> io::Result<()> {
    none_or(out, list, |out, device| {
        let part = text(&device["part"]);
        if device["present"] != true {
            return writeln!(out, "{part}: this table has none");
        }
        let up = if device["up"] == true { "answers" } else { "does not answer" };
        let named: Vec<String> = ["state", "model", "serial"].map(|key| text(&device[key])).into();
        let named = named.iter().filter(|word| !word.is_empty()).map(|word| format!(", {word}")).collect::<String>();
        writeln!(out, "{part}: {up}{named}")?;
        items(&device["faults"]).try_for_each(|fault| writeln!(out, "  {} {}", Styled(BAD, "fault"), text(fault)))
    })
}

pub(super) fn meters(out: &mut impl Write, list: &Value) -> io::Result<()> {
    none_or(out, list, |out, meter| {
        let (wager, name, shows) = (text(&meter["wager"]), text(&meter["meter"]), amount(&meter["amount_cents"]));
        write!(out, "{wager} {name}: {}", Styled(ORDER, shows))?;
        let (reserve, overflow) = (amount(&meter["reserve_cents"]), amount(&meter["overflow_cents"]));
        write!(out, ", reserve {reserve}, overflow {overflow}, {} hits", meter["hits"])?;
        write!(out, " of {}", amount(&meter["wins_cents"]))?;
        if meter["balanced"] != true {
            write!(out, ", {}", Styled(BAD, "does not balance"))?;
        }
        writeln!(out)
    })
}

/// What an action led to.
pub(super) fn accepted(out: &mut impl Write, accepted: &Value) -> io::Result<()> {
    events(out, &accepted["events"])?;
    writeln!(out, "{}", Styled(QUIET, format!("done, record {}", accepted["record"])))
}

/// One round, record by record.
pub(super) fn recall(out: &mut impl Write, round: &Value) -> io::Result<()> {
    let stands = if round["finished"] == true { "finished" } else { "not finished" };
    writeln!(out, "round {}, {stands}", round["round"])?;
    for record in items(&round["records"]) {
        if !record["events"].as_array().is_some_and(Vec::is_empty) {
            let who = record["person"].as_u64().filter(|who| *who != 0).map(|who| format!(", {who}"));
            let head = format!("record {}{}", record["sequence"], who.unwrap_or_default());
            writeln!(out, "{}", Styled(QUIET, head))?;
            events(out, &record["events"])?;
        }
    }
    Ok(())
}

/// Each event's own words with its source; an event is an object of one kind.
fn events(out: &mut impl Write, list: &Value) -> io::Result<()> {
    for event in items(list).filter_map(|event| event.as_object()?.values().next()) {
        writeln!(out, "  {} {}", text(&event["text"]), Styled(QUIET, format!("[{}]", text(&event["clause"]))))?;
    }
    Ok(())
}

fn none_or<W: Write>(
    out: &mut W,
    list: &Value,
    mut each: impl FnMut(&mut W, &Value) -> io::Result<()>,
) -> io::Result<()> {
    if list.as_array().is_none_or(Vec::is_empty) {
        return writeln!(out, "none");
    }
    items(list).try_for_each(|item| each(out, item))
}
