//! `status`, `why`, `ver`, `who`: from the picture, systemd and the fault book; no disk is read.

use operator_api::Picture;
use operator_api::fault_book::{self, Occurrence};
use serde_json::json;
use tech_console::output::NotDone;
use tech_console::show;
use tech_console::text::Moment;
use tech_console::{Access, Mode, Output};

use super::run::{Dialog, not_now};
use super::world::{Now, World};

pub(super) fn status(world: &World, dialog: &dyn Dialog) -> Output {
    let now = world.now();
    let why = if now.mode.is_up() { Vec::new() } else { why_down(world, &now) };
    let mut lines = show::status(world.table_id(), now.mode, &now.unit, now.picture.as_ref(), &why, now.moment);
    if dialog.person().is_none() {
        let text = "PINs cannot be checked: only status why disk ver, unit status";
        lines.extend(tech_console::text::field("rung", text));
    }
    let reasons: Vec<&String> = why.iter().map(|(reason, _)| reason).collect();
    let data = json!({
        "table": world.table_id(), "mode": now.mode.word(), "unit": { "state": now.unit.state, "result": now.unit.result },
        "why": reasons, "picture": now.picture,
    });
    Output::text(lines, data)
}

/// Why the daemon does not run, as far as anybody can tell, and the next step.
fn why_down(world: &World, now: &Now) -> Vec<(String, String)> {
    if now.mode == Mode::Mute {
        let next = "look: disk, log find; unit restart brings it back through its journal".to_owned();
        return vec![("the unit is active and its picture of the table has stopped".to_owned(), next)];
    }
    if let Some(problem) = world.problems.first() {
        let place = format!("{}:{}: {}: {}", problem.file, problem.line, problem.key, problem.text);
        let next = "config diff; config stage last-good; unit reset-failed".to_owned();
        return vec![(place, next)];
    }
    let last = super::records::last_words(world);
    let reason = last.unwrap_or_else(|| format!("it is {} and left no word", now.unit.state));
    vec![(reason, "look: log find holecardd; then unit reset-failed".to_owned())]
}

/// Every code that can be asked for.
pub(super) fn every_code() -> Vec<String> {
    fault_book::codes().map(|code| code.to_string()).collect()
}

pub(super) fn why(world: &World, wanted: &str) -> Result<Output, NotDone> {
    let now = world.now();
    let picture = now.picture.as_ref();
    let wanted = if wanted.is_empty() {
        let standing = picture.and_then(worst_code);
        standing.ok_or_else(|| not_now("no fault stands: name a code, for example why RD-010"))?
    } else {
        wanted.to_owned()
    };
    let fault = fault_book::explain_source(&wanted);
    let fault = fault.ok_or_else(|| not_now(format!("{wanted} is in no book: try why RD-010")))?;
    let stands = stands(picture, &wanted, now.moment);
    let page = fault_book::page(&fault, stands.as_ref());
    let data = json!({
        "fault": fault, "since": stands.as_ref().and_then(|stands| stands.since.clone()),
        "where": stands.as_ref().and_then(|stands| stands.place.clone()),
        "errno": stands.as_ref().and_then(|stands| stands.errno.clone()),
    });
    Ok(Output::text(page.lines().map(str::to_owned).collect(), data))
}

fn worst_code(picture: &Picture) -> Option<String> {
    let alerts = picture.table.alerts.iter().filter(|alert| !alert.ended);
    let devices = picture.devices.iter().flat_map(|device| device.faults.first().cloned());
    alerts.filter_map(|alert| alert.code.clone()).chain(devices).next()
}

/// Since when and where a fault stands, as far as the picture says.
fn stands(picture: Option<&Picture>, wanted: &str, now: Moment) -> Option<Occurrence> {
    let picture = picture?;
    let alert = picture.table.alerts.iter().find(|alert| alert.code.as_deref() == Some(wanted));
    let device = picture.devices.iter().find(|device| device.faults.iter().any(|code| code == wanted));
    if alert.is_none() && device.is_none() {
        return None;
    }
    let since = alert.map(|alert| {
        let time = Moment { unix_ms: alert.since_ms, ..now }.time();
        if alert.ended { format!("over, raised {time}") } else { format!("since {time}") }
    });
    let place = alert.and_then(|alert| alert.place.clone());
    let place =
        place.or_else(|| device.map(|device| format!("{}, {}", device.path, super::ports::tty_of(&device.path))));
    Some(Occurrence { since, place, errno: alert.and_then(|alert| alert.errno.clone()) })
}

pub(super) fn ver(world: &World) -> Output {
    let now = world.now();
    let short = |hash: &str| hash.get(..8).unwrap_or("-").to_owned();
    let mut lines = Vec::new();
    let file = super::change::file_hash(world);
    let (mut loaded, mut devices) = (String::new(), Vec::new());
    if let Some(picture) = &now.picture {
        let daemon = &picture.daemon;
        lines.push(format!("holecard {} {}, epoch {}", daemon.version, short(&daemon.software), daemon.epoch));
        loaded = daemon.configuration.clone();
        let same = if loaded == file { "loaded = file" } else { "the file is ANOTHER than the one loaded" };
        let game = &picture.table.game;
        lines.push(format!("rules {game} {}   configuration {}, {same}", short(&daemon.rules), short(&loaded)));
        devices = picture.devices.iter().map(|device| json!([device.name, device.model, device.firmware])).collect();
        let texts: Vec<String> = picture
            .devices
            .iter()
            .filter(|device| !device.model.is_empty())
            .map(|device| format!("{} {} {}", device.name, device.model, short(&device.firmware)))
            .collect();
        if !texts.is_empty() {
            lines.push(texts.join("   "));
        }
    } else {
        lines.push(format!("holecard {} (this program); the daemon left no picture", env!("CARGO_PKG_VERSION")));
        lines.push(format!("configuration {} (the file)", short(&file)));
    }
    let data = json!({
        "daemon": now.picture.as_ref().map(|picture| &picture.daemon), "file": file, "loaded": loaded, "devices": devices,
    });
    Output::text(lines, data)
}

pub(super) fn who(world: &World, dialog: &dyn Dialog) -> Output {
    let now = world.now();
    let table = now.picture.as_ref().map(|picture| &picture.table);
    let number =
        |person: Option<operator_api::PersonId>| person.map_or_else(|| "nobody".to_owned(), |each| each.0.to_string());
    let dealer = number(table.and_then(|table| table.dealer));
    let service = number(table.and_then(|table| table.service));
    let you = dialog
        .person()
        .map_or_else(|| "the read-only rung".to_owned(), |you| format!("{} {}", you.number.0, you.role.word()));
    let lines = vec![format!("dealer {dealer}; service mode {service}; here {you}")];
    Output::text(lines, json!({ "dealer": dealer, "service": service, "here": you }))
}

/// How somebody got in, for the record.
pub(super) fn number_of(access: Option<Access>) -> u32 {
    match access {
        Some(Access::Person { number, .. }) => number.0,
        Some(Access::Rung) | None => 0,
    }
}
