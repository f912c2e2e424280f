//! From the button's edge to the lamp that says closed. The kernel's debounce is the same for both and is taken off.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use operator_api::Action;
use serde_json::{Value, json};
use table_simulator::floor::people::Who;

use super::{Found, Setting, shift};
use crate::report::{Latency, Presses};
use crate::table::{BUTTON, BUTTON_LAMP, Table, level_file, pull_file};

const DEBOUNCE_MS: u64 = 25;
/// Beyond the debounce, against the bare reader: what must hold.
const MOST: f64 = 2.0;

fn press(table: &mut Table) -> Result<f64> {
    let order = json!({ "press": { "button": pull_file(BUTTON), "lamp": level_file(BUTTON_LAMP), "hold_ms": 80 } });
    let answer = table.board()?.ask(&order)?;
    answer["lamp_ms"].as_f64().with_context(|| format!("the lamp did not shine: {answer}"))
}

fn lamp_is_dark(table: &mut Table) -> Result<bool> {
    Ok(table.board()?.sh(&format!("cat {}", level_file(BUTTON_LAMP)))?.trim() == "0")
}

fn wait_for_dark(table: &mut Table) -> Result<()> {
    for _ in 0..600 {
        if lamp_is_dark(table)? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("the lamp stays lit")
}

pub(super) fn presses(setting: &Setting<'_>) -> Result<Found> {
    let count = if setting.quick { 10 } else { 50 };
    let mut table = Table::new(setting.image, setting.folder, 11)?;
    table.power_on()?;
    // The yardstick first: nothing else runs in the guest.
    let (button, lamp) = (format!("GPIO{BUTTON}"), format!("GPIO{BUTTON_LAMP}"));
    table.board()?.ask(&json!({ "bare": { "button": button, "lamp": lamp, "debounce_ms": DEBOUNCE_MS } }))?;
    let mut bare = Vec::new();
    for _ in 0..count {
        bare.push(press(&mut table)?);
        std::thread::sleep(Duration::from_millis(150));
    }
    table.board()?.ask(&json!("bare_end"))?;
    table.add_people()?;
    table.start_daemon()?;

    // Refused: nobody has inspected the table, so nothing can be locked. The press closes all the same, then opens again.
    let mut refused = Vec::new();
    table.wait_until("a dark lamp", |screen| screen["devices"].is_array())?;
    for _ in 0..count {
        wait_for_dark(&mut table)?;
        refused.push(press(&mut table)?);
        std::thread::sleep(Duration::from_millis(1_100));
    }
    shift::open(&mut table)?;
    let mut accepted = Vec::new();
    for number in 0..count {
        let screen =
            table.wait_until("open wagers", |screen| screen["stage"] == "wagering" && screen["locked"] == false)?;
        if number == 0 {
            say(&mut table, Who::Screen, "wager 1 main 25", &screen)?;
        }
        wait_for_dark(&mut table)?;
        accepted.push(press(&mut table)?);
        let screen = table.wait_until("locked wagers", |screen| screen["stage"] == "dealing")?;
        say(&mut table, Who::Floorperson, "correct pressed for the measurement", &screen)?;
        std::thread::sleep(Duration::from_millis(1_100));
    }
    let latency = Latency {
        debounce_ms: DEBOUNCE_MS,
        bare: Presses::of(bare),
        accepted: Presses::of(accepted),
        refused: Presses::of(refused),
    };
    let beyond = |presses: &Presses| presses.median() - latency.debounce();
    let yardstick = beyond(&latency.bare);
    let ratio = |presses: &Presses| beyond(presses) / yardstick;
    let (yes, no) = (ratio(&latency.accepted), ratio(&latency.refused));
    let line = format!(
        "beyond the debounce of {DEBOUNCE_MS} ms, median of {count}: bare {yardstick:.2} ms, accepted {:.2} ms ({yes:.2}x), refused {:.2} ms ({no:.2}x)",
        beyond(&latency.accepted),
        beyond(&latency.refused)
    );
    if yes > MOST || no > MOST {
        bail!("{line}: more than {MOST}x");
    }
    Ok(Found { lines: vec![line], latency: Some(latency) })
}

fn say(table: &mut Table, who: Who, words: &str, screen: &Value) -> Result<()> {
    let action = Action::Play { words: words.to_owned() };
    let (status, body) = table.act(who, &action, screen["prompt_number"].as_u64())?;
    if status != 200 {
        bail!("{words}: {status} {body}");
    }
    Ok(())
}
