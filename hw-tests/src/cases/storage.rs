//! Disks that are full, a daemon that hangs, a clock that steps.

use std::time::Duration;

use anyhow::{Result, bail};
use operator_api::Action;
use serde_json::{Value, json};
use table_simulator::floor::people::Who;

use super::{Found, Setting, fresh, shift};
use crate::table::brief;

fn says(screen: &Value, word: &str) -> bool {
    let alerts = screen["alerts"].as_array().into_iter().flatten();
    let stops = screen["stops"].as_array().into_iter().flatten();
    alerts.chain(stops).any(|each| each["ended"] != true && each.to_string().contains(word))
}

pub(super) fn full(setting: &Setting<'_>) -> Result<Found> {
    let mut table = fresh(setting, 31)?;
    shift::open(&mut table)?;
    // The state partition: PINs cannot be counted, so none is believed; it must be said why.
    table.board()?.sh("dd if=/dev/zero of=/var/lib/holecard/state/fill bs=64k 2>/dev/null; sync; true")?;
    let (status, body) = table.act(Who::Floorperson, &Action::Play { words: "floor approve".to_owned() }, None)?;
    let told = table.wait_until("an alert of the state partition", |screen| says(screen, "HB-113"))?;
    table.board()?.sh("rm /var/lib/holecard/state/fill; sync")?;
    table.wait_until("the alert's end", |screen| !says(screen, "HB-113"))?;
    let found =
        Found::says(format!("full state partition: {status} {}, alert {}", body["reason"], text_of(&told, "HB-113")));

    // The journal's disk: nothing more is taken, nothing is lost.
    let before = table.acknowledged;
    table.board()?.sh("dd if=/dev/zero of=/var/lib/holecard/journal/fill bs=64k 2>/dev/null; sync; true")?;
    let full = table.wait_until("the full disk", |screen| says(screen, "TC-002"));
    table.board()?.sh("rm /var/lib/holecard/journal/fill; sync")?;
    let full = full?;
    let head = table.get("/api/v1/head")?;
    if head["sequence"].as_u64() < Some(before) {
        bail!("record {before} was acknowledged, the head is {head}");
    }
    Ok(found.and(format!("full journal disk: {}", text_of(&full, "TC-002"))))
}

fn text_of(screen: &Value, word: &str) -> String {
    let alerts = screen["alerts"].as_array().into_iter().flatten();
    let stops = screen["stops"].as_array().into_iter().flatten();
    let found = alerts.chain(stops).find(|each| each.to_string().contains(word));
    found.map_or_else(
        || brief(screen),
        |each| each["text"].as_str().or(each["reason"].as_str()).unwrap_or("?").to_owned(),
    )
}

pub(super) fn hang_and_clock(setting: &Setting<'_>) -> Result<Found> {
    let mut table = fresh(setting, 37)?;
    shift::open(&mut table)?;
    let before = table.play_until("a dealt round", |screen| screen["stage"] == "decisions")?;
    table.board()?.ask(&json!({ "signal": "STOP" }))?;
    std::thread::sleep(Duration::from_secs(4));
    table.board()?.ask(&json!({ "signal": "CONT" }))?;
    let after = table.wait_until("the round", |screen| screen["stage"] == before["stage"])?;
    if after["round"] != before["round"] || after["seats"] != before["seats"] {
        bail!("four seconds of standing still changed the table: {} / {}", brief(&before), brief(&after));
    }
    // An hour back while cards lie: the round goes on, the next one waits until two people have confirmed the time.
    table.board()?.sh("date -s \"@$(( $(date +%s) - 3600 ))\" >/dev/null")?;
    table.wait_until("the clock's alert", |screen| says(screen, "TC-001"))?;
    let rounds = shift::rounds(&table.screen()?);
    let last = table.play_until("the round's end", |screen| shift::rounds(screen) > rounds)?;
    Ok(Found::says("stopped for 4 s: the same round goes on")
        .and(format!("clock an hour back: TC-001, the round was finished ({} rounds)", shift::rounds(&last))))
}
