//! From power-on to settled rounds: what every table does every day.

use anyhow::{Result, bail};
use operator_api::Action;
use serde_json::Value;
use table_simulator::floor::people::Who;

use super::{Found, Setting};
use crate::table::Table;

pub(crate) fn rounds(screen: &Value) -> u64 {
    screen["day"]["rounds"].as_u64().unwrap_or(0)
}

/// Through the inspection and the opening, up to open wagers.
pub(crate) fn open(table: &mut Table) -> Result<Value> {
    table.play_until("a table that takes wagers", |screen| {
        screen["stage"] == "wagering" && screen["stops"].as_array().is_some_and(Vec::is_empty)
    })
}

/// A main wager and a chip on the progressive spot of this seat, up to the lamp that says placed.
pub(crate) fn place_progressive(table: &mut Table, seat: u8) -> Result<()> {
    let screen = table.screen()?;
    let action = Action::Play { words: format!("wager {seat} main 25") };
    let (status, body) = table.act(Who::Screen, &action, screen["prompt_number"].as_u64())?;
    if status != 200 {
        bail!("no wager at seat {seat}: {status} {body}");
    }
    table.world.put_chip(seat, 1);
    table.sync()?;
    table.wait_until("a placed lamp", |screen| lamp(screen, seat) == "placed")?;
    Ok(())
}

/// What the lamp of a seat's progressive spot shows.
pub(crate) fn lamp(screen: &Value, seat: u8) -> String {
    let mut seats = screen["seats"].as_array().into_iter().flatten();
    let seat = seats.find(|each| each["seat"] == seat).unwrap_or(&Value::Null);
    seat["lamps"][0]["state"].as_str().unwrap_or_default().to_owned()
}

pub(super) fn whole_rounds(setting: &Setting<'_>) -> Result<Found> {
    let mut table = Table::new(setting.image, setting.folder, 7)?;
    let boot = table.power_on()?;
    table.add_people()?;
    let started = table.start_daemon()?;
    let found = Found::says(format!(
        "power to agent {:.1} s, daemon start to READY {:.0} ms",
        boot.as_secs_f64(),
        started["ready_ms"].as_f64().unwrap_or(0.0)
    ));
    // Nothing may be dealt before the inspection.
    let first = table.screen()?;
    if first["stops"].as_array().is_none_or(Vec::is_empty) {
        bail!("a fresh table waits for no inspection: {}", crate::table::brief(&first));
    }
    open(&mut table)?;
    let wanted = if setting.quick { 1 } else { 2 };
    // A chip on a line of the header and one on the expander, before the people lay theirs.
    for seat in [1, 6] {
        place_progressive(&mut table, seat)?;
    }
    let mut accepted_lamp = false;
    let mut armed = false;
    table.shift.people.late_chip = true;
    let mut late = false;
    let last = table.play_until("settled rounds", |screen| {
        let lamps = || {
            let seats = screen["seats"].as_array().into_iter().flatten();
            seats.flat_map(|seat| seat["lamps"].as_array().into_iter().flatten())
        };
        accepted_lamp |= [1, 6].iter().all(|seat| lamp(screen, *seat) == "accepted");
        late |= lamps().any(|lamp| lamp["state"] == "late");
        armed |= screen["stage"] == "reader" || screen["stage"] == "insurance";
        rounds(screen) >= wanted
    })?;
    if !accepted_lamp {
        bail!("the lamps of seats 1 and 6 did not say that the progressive wagers were accepted");
    }
    if !late {
        bail!("no lamp showed the late chip");
    }
    let verified = table.board()?.sh("holecard journal verify --journal /var/lib/holecard/journal")?;
    Ok(found
        .and(format!("{} rounds settled, progressive wagers accepted on a line and on the expander, a late chip shown, peek {armed}", rounds(&last)))
        .and(verified.lines().next().unwrap_or_default().to_owned()))
}
