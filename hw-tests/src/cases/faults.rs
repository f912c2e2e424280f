//! Parts that go, come back, stick, are missing or swapped: each is a fault with its code, the table is up, and goes on by
//! itself when the part is there again.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use operator_api::Role;
use serde_json::{Value, json};
use table_simulator::floor::people::STAFF;

use super::{Found, Setting, fresh, shift};
use crate::table::{BUTTON, Table, brief, pull_file};

/// Whether an alert with this code stands.
fn stands(screen: &Value, code: &str) -> bool {
    let mut alerts = screen["alerts"].as_array().into_iter().flatten();
    alerts.any(|alert| alert["ended"] == false && (alert["fault"]["code"] == code || alert["source"] == code))
}

fn is_over(screen: &Value, code: &str) -> bool {
    let mut alerts = screen["alerts"].as_array().into_iter().flatten();
    alerts.any(|alert| alert["ended"] == true && (alert["fault"]["code"] == code || alert["source"] == code))
}

fn is_up(screen: &Value, part: &str) -> bool {
    let mut devices = screen["devices"].as_array().into_iter().flatten();
    devices.any(|device| device["part"] == part && device["up"] == true)
}

fn all_up(table: &mut Table) -> Result<Value> {
    table.wait_until("all devices", |screen| ["reader", "shuffler", "shoe"].iter().all(|part| is_up(screen, part)))
}

pub(super) fn parts_come_and_go(setting: &Setting<'_>) -> Result<Found> {
    let mut table = fresh(setting, 13)?;
    all_up(&mut table)?;
    let mut took = Vec::new();
    let mut watch = |name: &str, began: Instant| took.push(format!("{name} {:.1} s", began.elapsed().as_secs_f64()));

    // A real USB adapter is pulled and put back.
    let began = Instant::now();
    table.board()?.unplug_reader()?;
    table.wait_until("the reader's fault", |screen| stands(screen, "RD-005") || stands(screen, "RD-001"))?;
    watch("unplugged reader told", began);
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    table.board()?.plug_reader()?;
    table.wait_until("the reader", |screen| is_up(screen, "reader"))?;
    watch("replugged reader up", began);

    // A header UART has no plug that the kernel sees: the line falls silent.
    let began = Instant::now();
    table.world.shoe.unplug();
    table.wait_until("the shoe's silence", |screen| !is_up(screen, "shoe"))?;
    watch("silent shoe told", began);
    let began = Instant::now();
    table.world.shoe.replug();
    table.wait_until("the shoe", |screen| is_up(screen, "shoe"))?;
    watch("shoe back", began);
    if let Some(shuffler) = table.world.shuffler() {
        shuffler.unplug();
    }
    table.wait_until("the shuffler's silence", |screen| !is_up(screen, "shuffler"))?;
    if let Some(shuffler) = table.world.shuffler() {
        shuffler.replug();
    }
    table.wait_until("the shuffler", |screen| is_up(screen, "shuffler"))?;

    // The button sticks.
    table.board()?.ask(&json!({ "write": [[pull_file(BUTTON), "pull-down"]] }))?;
    let stuck = table.wait_until("a stuck button", |screen| has_code_of(screen, "LK-"))?;
    table.board()?.ask(&json!({ "write": [[pull_file(BUTTON), "pull-up"]] }))?;
    let code = codes(&stuck).into_iter().find(|code| code.starts_with("LK-")).context("no LK code")?;
    table.wait_until("a free button", |screen| !stands(screen, &code))?;

    // The expander loses its supply: its spots alone are out.
    let began = Instant::now();
    table.board()?.sh("echo '0x20 0' > /sys/module/mcp23017_sim/parameters/present")?;
    let gone = table.wait_until("the expander's fault", |screen| stands(screen, "EX-001"))?;
    watch("expander gone told", began);
    if stands(&gone, "EX-002") {
        bail!("an absent chip is called a bus error: {}", brief(&gone));
    }
    let place = alert_of(&gone, "EX-001")["fault"]["place"].as_str().unwrap_or_default().to_owned();
    if !place.contains("0x20") {
        bail!("the fault does not name the address: {}", alert_of(&gone, "EX-001"));
    }
    let began = Instant::now();
    table.board()?.sh("echo '0x20 1' > /sys/module/mcp23017_sim/parameters/present")?;
    table.wait_until("the expander", |screen| !stands(screen, "EX-001"))?;
    watch("expander back", began);
    let over = table.screen()?;
    if !is_over(&over, "EX-001") {
        bail!("the fault whose cause is gone is not shown as over: {}", brief(&over));
    }
    // The lines of the log read by themselves.
    let log = table.board()?.sh("cat /run/holecardd.log")?;
    for word in ["EX-001", "0x20", &code] {
        if !log.contains(word) {
            bail!("the log does not say {word}");
        }
    }
    Ok(Found::says(took.join(", ")).and(format!("stuck button {code}, expander at {place}")))
}

fn codes(screen: &Value) -> Vec<String> {
    let alerts = screen["alerts"].as_array().into_iter().flatten();
    let standing = alerts.filter(|alert| alert["ended"] == false);
    standing.filter_map(|alert| alert["fault"]["code"].as_str().map(str::to_owned)).collect()
}

fn has_code_of(screen: &Value, family: &str) -> bool {
    codes(screen).iter().any(|code| code.starts_with(family))
}

fn alert_of<'a>(screen: &'a Value, code: &str) -> &'a Value {
    let mut alerts = screen["alerts"].as_array().into_iter().flatten();
    alerts.find(|alert| alert["fault"]["code"] == code).unwrap_or(&Value::Null)
}

/// Changes the table's file before the daemon starts.
fn edited(setting: &Setting<'_>, seed: u64, from: &str, to: &str) -> Result<Table> {
    let mut table = Table::new(setting.image, setting.folder, seed)?;
    table.power_on()?;
    table.add_people()?;
    table
        .board()?
        .sh(&format!("sed -i 's#{from}#{to}#' /etc/holecard/table.toml && grep -q '{to}' /etc/holecard/table.toml"))?;
    table.start_daemon()?;
    Ok(table)
}

pub(super) fn missing_line(setting: &Setting<'_>) -> Result<Found> {
    let mut table = edited(setting, 17, "line = \"GPIO6\"", "line = \"GPIO60\"")?;
    let screen = table.wait_until("the missing line's fault", |screen| stands(screen, "PS-001"))?;
    let alert = alert_of(&screen, "PS-001");
    if !alert.to_string().contains("GPIO60") {
        bail!("the fault does not name its line: {alert}");
    }
    let up = table.wait_until("all devices", |screen| ["reader", "shoe"].iter().all(|part| is_up(screen, part)))?;
    Ok(Found::says(format!("{}: {}; the table is up ({})", alert["source"], alert["text"], up["stage"])))
}

pub(super) fn swapped(setting: &Setting<'_>) -> Result<Found> {
    let mut table = Table::new(setting.image, setting.folder, 19)?;
    table.power_on()?;
    table.add_people()?;
    table
        .board()?
        .sh("cd /dev/holecard && r=$(readlink reader) && s=$(readlink shoe) && ln -sf $s reader && ln -sf $r shoe")?;
    table.start_daemon()?;
    let screen = table.wait_until("both named", |screen| stands(screen, "RD-020") && stands(screen, "SH-020"))?;
    if is_up(&screen, "reader") || is_up(&screen, "shoe") {
        bail!("a device in the wrong port is used: {}", brief(&screen));
    }
    Ok(Found::says("RD-020 and SH-020 stand, neither is used"))
}

/// Longer than a button may be down before it counts as stuck.
const STUCK: Duration = Duration::from_secs(7);

pub(super) fn backends(setting: &Setting<'_>) -> Result<Found> {
    let mut found = Found::default();
    for backend in ["gpiocdev", "linux-embedded-hal"] {
        let mut table = with_backend(setting, backend)?;
        all_up(&mut table)?;
        // Nobody drives the lines: nothing may read as pressed or covered, so the backend has to ask for the pull-ups.
        std::thread::sleep(STUCK);
        let quiet = table.screen()?;
        if has_code_of(&quiet, "LK-") || has_code_of(&quiet, "PS-") {
            bail!("{backend}: undriven lines make faults: {}", brief(&quiet));
        }
        shift::open(&mut table)?;
        let screen = table.play_until("a locked round", |screen| screen["stage"] == "dealing")?;
        found = found.and(format!("{backend}: inspected and locked, stage {}", screen["stage"]));
    }
    Ok(found)
}

fn with_backend(setting: &Setting<'_>, backend: &str) -> Result<Table> {
    let mut table = Table::new(setting.image, setting.folder, 23)?;
    table.power_on()?;
    table.add_people()?;
    table
        .board()?
        .sh(&format!("printf '\\n[devices.gpio]\\nbackend = \"{backend}\"\\n' >> /etc/holecard/table.toml"))?;
    table.start_daemon()?;
    Ok(table)
}

/// The console on its own UART: lines typed, lines read, with the daemon up and then dead.
pub(super) fn console(setting: &Setting<'_>) -> Result<Found> {
    let mut table = fresh(setting, 29)?;
    all_up(&mut table)?;
    let mut line = table.board()?.console()?;
    line.set_read_timeout(Some(Duration::from_millis(200)))?;
    table.board()?.sh(
        "holecard console --tty /dev/holecard/console --config /etc/holecard/table.toml >/run/console.log 2>&1 &",
    )?;
    let up = status_of_active(&mut line).context("with the daemon up")?;
    table.board()?.ask(&json!({ "signal": "KILL" }))?;
    let down = said(&mut line, "status\r", "DOWN").context("with the daemon dead")?;
    let first =
        |text: &str| text.lines().map(str::trim).find(|line| line.starts_with("VB-01 ")).unwrap_or("").to_owned();
    Ok(Found::says(format!("up: {}", first(&up))).and(format!("dead: {}", first(&down))))
}

/// A technician logs in and asks for the status of a daemon that runs.
pub(super) fn status_of_active(line: &mut std::os::unix::net::UnixStream) -> Result<String> {
    typed(line, "\r", "number: ").context("the banner")?;
    let (number, _, pin) = STAFF.iter().find(|(_, role, _)| *role == Role::Technician).context("no technician")?;
    said(line, &format!("{number}\r"), "PIN: ")?;
    said(line, &format!("{pin}\r"), "? for help")?;
    let status = said(line, "status\r", " worst ")?;
    if !status.contains("holecardd active") {
        bail!("the console does not see the daemon: {status}");
    }
    Ok(status)
}

/// Types once and waits for the words.
fn said(line: &mut std::os::unix::net::UnixStream, text: &str, wanted: &str) -> Result<String> {
    line.write_all(text.as_bytes())?;
    typed(line, "", wanted)
}

pub(super) fn typed(line: &mut std::os::unix::net::UnixStream, text: &str, wanted: &str) -> Result<String> {
    let until = Instant::now() + Duration::from_secs(30);
    let mut said = String::new();
    let mut again = Instant::now();
    while Instant::now() < until {
        if Instant::now() >= again {
            line.write_all(text.as_bytes())?;
            again = Instant::now() + Duration::from_secs(5);
        }
        let mut bytes = [0; 4096];
        if let Ok(count) = line.read(&mut bytes) {
            said.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        if said.contains(wanted) {
            return Ok(said);
        }
    }
    bail!("the console does not say {wanted}: {said}")
}
