//! The power goes. What anybody was told is in the record afterwards, and the table is where it was.

use anyhow::{Result, bail};
use serde_json::Value;
use table_simulator::dice::Dice;

use super::{Found, Setting, fresh, shift};
use crate::table::{Table, brief};

fn sequence(screen: &Value) -> u64 {
    screen["sequence"].as_u64().unwrap_or(0)
}

/// Cuts, boots, and compares. Seconds from power-on to READY.
fn cut(table: &mut Table, last: &Value) -> Result<f64> {
    let told = table.acknowledged;
    table.cut_power()?;
    let boot = table.power_on()?;
    let started = table.start_daemon()?;
    let first = table.screen()?;
    if sequence(&first) < sequence(last) {
        bail!("the screen showed {} and now shows {}", sequence(last), sequence(&first));
    }
    let head = table.get("/api/v1/head")?;
    if head["sequence"].as_u64().unwrap_or(0) < told {
        bail!("record {told} was acknowledged, the head is {head}");
    }
    for part in ["round", "day"] {
        if last[part] != first[part] {
            bail!("{part} after a cut: {} was {}: {}", first[part], last[part], brief(&first));
        }
    }
    Ok(boot.as_secs_f64() + started["ready_ms"].as_f64().unwrap_or(0.0) / 1e3)
}

pub(super) fn cuts(setting: &Setting<'_>) -> Result<Found> {
    let wanted = if setting.quick { 2 } else { 20 };
    let mut table = fresh(setting, 41)?;
    shift::open(&mut table)?;
    let mut dice = Dice::new(41);
    let mut ready = Vec::new();
    let mut stages = std::collections::BTreeMap::<String, u32>::new();
    for _ in 0..wanted {
        // A handful of things are done, then the power goes in whatever stage that is.
        let mut deeds = 3 + dice.index(12);
        let last = loop {
            let screen = table.screen()?;
            if deeds == 0 {
                break screen;
            }
            if table.moment(&screen)? {
                deeds -= 1;
            } else {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        };
        *stages.entry(last["stage"].as_str().unwrap_or("?").to_owned()).or_default() += 1;
        ready.push(cut(&mut table, &last)?);
    }
    let rounds = shift::rounds(&table.screen()?);
    let end = table.play_until("another round", |screen| shift::rounds(screen) > rounds)?;
    let verified = table.board()?.sh("holecard journal verify --journal /var/lib/holecard/journal")?;
    let shown = table.board()?.sh("holecard journal show --json --journal /var/lib/holecard/journal")?;
    for key in &table.keys {
        let times = shown.matches(&format!("\"{key}\"")).count();
        if times != 1 {
            bail!("{key} was answered with yes and stands {times} times in the record");
        }
    }
    ready.sort_by(f64::total_cmp);
    let stages: Vec<String> = stages.iter().map(|(stage, count)| format!("{stage} {count}")).collect();
    Ok(Found::says(format!(
        "{wanted} cuts ({}), {} answers all in the record once, {} rounds; power to READY median {:.1} s, longest {:.1} s",
        stages.join(", "),
        table.keys.len(),
        shift::rounds(&end),
        ready.get(ready.len() / 2).copied().unwrap_or(0.0),
        ready.last().copied().unwrap_or(0.0)
    ))
    .and(verified.lines().next().unwrap_or_default().to_owned()))
}

/// H18: before the lock, wagers on sensor spots follow the sensors after a restart.
pub(super) fn chip_moved(setting: &Setting<'_>) -> Result<Found> {
    let mut table = fresh(setting, 43)?;
    shift::open(&mut table)?;
    shift::place_progressive(&mut table, 2)?;
    let meters = table.get("/api/v1/meters")?;
    table.cut_power()?;
    for (seat, spot) in table.world.chips() {
        table.world.take_chip(seat, spot);
    }
    table.power_on()?;
    table.start_daemon()?;
    // The people clear the alert, lock and deal. Nobody may be told that the wager was accepted.
    let mut accepted = false;
    let rounds = shift::rounds(&table.screen()?);
    table.play_until("a dealt round", |screen| {
        accepted |= shift::lamp(screen, 2) == "accepted";
        screen["stage"] == "decisions" || shift::rounds(screen) > rounds
    })?;
    let after = table.get("/api/v1/meters")?;
    if accepted || meters != after {
        bail!("a progressive wager without a chip was accepted: {accepted}, meters {meters} -> {after}");
    }
    Ok(Found::says("no lamp, no meter: the wager went with its chip"))
}
