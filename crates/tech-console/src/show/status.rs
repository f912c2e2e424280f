//! `status` and `why`: what the table is doing, what stops it, and what to do about it.

use operator_api::{ClosedPicture, Picture};

use crate::access::Mode;
use crate::text::{Moment, count, duration, field, wrap};

/// How the service manager sees the daemon.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    pub name: String,
    /// `active`, `failed`, `activating` and so on.
    pub state: String,
    /// `start-limit-hit`, `exit-code`; empty while all is well.
    pub result: String,
    pub exit_status: Option<i32>,
    pub restarts: u64,
    /// When it entered its present state; 0 where nobody knows.
    pub since_ms: i64,
}

impl Unit {
    pub fn is_active(&self) -> bool {
        self.state == "active"
    }

    /// Nobody starts it and no start is pending: its ports belong to nobody.
    pub fn is_at_rest(&self) -> bool {
        matches!(self.state.as_str(), "inactive" | "failed")
    }
}

/// A picture older than this is shown with its age.
const FRESH_MS: i64 = 2_000;
/// Beyond this the loop that writes it does not turn any more.
const MUTE_MS: i64 = 3_000;
/// After this the screen says that it is saving, and so does the console.
const SAVING_MS: u64 = 1_000;
/// The first line's text ends here, so that the time always stands in the same place.
const HEAD_COLUMNS: usize = 53;

/// What the prompt says: the first that holds.
pub fn judge(unit: &Unit, picture: Option<&Picture>, now_ms: i64) -> Mode {
    let Some(picture) = picture.filter(|_| unit.is_active()) else {
        return if unit.is_active() { Mode::Mute } else { Mode::Down };
    };
    let table = &picture.table;
    if now_ms - picture.at_ms > MUTE_MS {
        Mode::Mute
    } else if table.faulted {
        Mode::Faulted
    } else if table.round_open {
        Mode::Round
    } else if table.service.is_some() {
        Mode::Service
    } else if table.inspecting {
        Mode::Inspection
    } else if table.stops.is_empty() {
        Mode::Open
    } else {
        Mode::Closed
    }
}

/// One screen. `why_down` is what is known of a daemon that does not run, with the next step behind it.
pub fn status(
    table: &str,
    mode: Mode,
    unit: &Unit,
    picture: Option<&Picture>,
    why_down: &[(String, String)],
    now: Moment,
) -> Vec<String> {
    let mut lines = Vec::new();
    let head = head(table, mode, picture, why_down);
    let time = now.with_weekday();
    lines.push(if head.len() <= HEAD_COLUMNS { format!("{head:<HEAD_COLUMNS$} {time}") } else { head });
    lines.extend(field("unit", &unit_text(unit, picture, now)));
    if mode == Mode::Down || mode == Mode::Mute {
        for (reason, next) in why_down {
            lines.extend(field("why", reason));
            lines.extend(wrap("         => ", 12, next));
        }
        return lines;
    }
    let Some(picture) = picture else { return lines };
    lines.extend(stops(picture));
    lines.extend(field("devices", &devices(picture)));
    lines.extend(field("day", &day(picture)));
    lines.extend(field("storage", &storage(picture)));
    lines.extend(field("worst", &worst(picture, now).unwrap_or_else(|| "no fault stands".to_owned())));
    let age = now.unix_ms - picture.at_ms;
    if age > FRESH_MS {
        let seconds = u64::try_from(age / 1_000).unwrap_or(0);
        lines.extend(field("age", &format!("this picture is {} old", duration(seconds))));
    }
    lines
}

fn head(table: &str, mode: Mode, picture: Option<&Picture>, why_down: &[(String, String)]) -> String {
    let round = match picture.map(|picture| &picture.table) {
        Some(table) if table.round_open => format!("round {} open", count(table.round)),
        Some(_) => "no round open".to_owned(),
        None => "round unknown".to_owned(),
    };
    let game = picture.map_or("", |picture| picture.table.game.as_str());
    match mode {
        Mode::Down => {
            let configuration = why_down.iter().any(|(_, next)| next.contains("config"));
            let why = if configuration { "the configuration is wrong" } else { "the daemon does not run" };
            format!("{table} DOWN: {why}; {round}")
        }
        Mode::Mute => format!("{table} MUTE: the daemon runs and says nothing; {round}"),
        Mode::Faulted => match picture.and_then(|picture| picture.table.closed.as_ref()) {
            Some(closed) => format!("{table} CLOSED MODE {}; {}", after(closed), closed_round(picture)),
            None => format!("{table} {game}: FAULTED, a round of another version"),
        },
        Mode::Round => {
            let saving = picture.and_then(|picture| picture.storage.saving_ms).filter(|time| *time > SAVING_MS);
            let saving = saving.map_or_else(String::new, |time| format!(", SAVING for {}", duration(time / 1_000)));
            format!("{table} {game}: dealing, {round}{saving}")
        }
        Mode::Service => {
            let by = picture.and_then(|picture| picture.table.service).map_or(0, |person| person.0);
            format!("{table} {game}: service, {by}; no round")
        }
        Mode::Inspection => format!("{table} {game}: inspection, no round"),
        Mode::Closed => format!("{table} {game}: closed, no round"),
        Mode::Open => format!("{table} {game}: open, no round"),
    }
}

/// `after 4 panics in 8 s`.
fn after(closed: &ClosedPicture) -> String {
    let what = if closed.last.starts_with("PANIC") { "panic" } else { "failure" };
    let plural = if closed.failures == 1 { "" } else { "s" };
    format!("after {} {what}{plural} in {}", closed.failures, duration(closed.within_s))
}

/// Closed mode has no table that could say it, unless the daemon found out.
fn closed_round(picture: Option<&Picture>) -> String {
    match picture.map(|picture| &picture.table) {
        Some(table) if table.round_open => format!("round {} open", count(table.round)),
        Some(_) | None => "a round may be open".to_owned(),
    }
}

fn unit_text(unit: &Unit, picture: Option<&Picture>, now: Moment) -> String {
    let Unit { name, state, result, exit_status, restarts, since_ms } = unit;
    let seconds = u64::try_from((now.unix_ms - since_ms) / 1_000).unwrap_or(0);
    if unit.is_active() {
        let version = picture.map_or_else(String::new, |picture| {
            let hash = picture.daemon.software.get(..8).unwrap_or_default();
            format!(", version {} {hash}", picture.daemon.version)
        });
        let plural = if *restarts == 1 { "" } else { "s" };
        let since = if *since_ms == 0 { String::new() } else { format!(" {}", duration(seconds)) };
        let closed = picture.and_then(|picture| picture.table.closed.as_ref());
        let closed = closed.map_or("", |_| " (closed mode)");
        return format!("{name} active{since}{closed}, {restarts} restart{plural}{version}");
    }
    let mut text = format!("{name} {state}");
    if *since_ms != 0 {
        text.push_str(&format!(" {}", Moment { unix_ms: *since_ms, ..now }.time()));
    }
    if let Some(status) = exit_status {
        text.push_str(&format!(", exit {status}"));
    }
    if *restarts > 0 {
        text.push_str(&format!(", {restarts} restarts"));
    }
    if !result.is_empty() && result != "success" {
        text.push_str(&format!(", {result}"));
    }
    text
}

fn stops(picture: &Picture) -> Vec<String> {
    let stops = &picture.table.stops;
    if stops.is_empty() {
        return field("stops", "nothing: the next round may be dealt");
    }
    let mut lines = Vec::new();
    for (at, stop) in stops.iter().enumerate() {
        let name = if at == 0 { "stops" } else { "" };
        lines.extend(field(name, &format!("{} [{}]", stop.reason, stop.source)));
        lines.extend(wrap("         => ", 12, &next_step(&stop.reason, &stop.source, picture)));
    }
    lines
}

/// What to do about a stop. The remedies of codes are the fault book's.
fn next_step(reason: &str, source: &str, picture: &Picture) -> String {
    if is_code(source) {
        return format!("why {source}");
    }
    let standing = picture.devices.iter().flat_map(|device| &device.faults).next();
    if reason.contains("inspection") {
        "a floorperson begins it at the screen; nothing is broken".to_owned()
    } else if let Some(code) = standing {
        format!("why {code}")
    } else {
        "look: dev list".to_owned()
    }
}

fn is_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 6 && bytes[2] == b'-' && bytes[3..].iter().all(u8::is_ascii_digit)
}

fn devices(picture: &Picture) -> String {
    let mut parts: Vec<String> = picture
        .devices
        .iter()
        .map(|device| format!("{} {}", device.name, if device.up { "up" } else { "LOST" }))
        .collect();
    if let Some(layout) = &picture.table.layout {
        let has = |letters: &str| layout.faults.iter().filter(|code| code.starts_with(letters)).count();
        parts.push(format!("lock-out {}", if has("LK") == 0 { "ok" } else { "FAIL" }));
        let working = |all: u32, bad: usize| format!("{}/{all}", all.saturating_sub(u32::try_from(bad).unwrap_or(all)));
        parts.push(format!("sensors {}", working(layout.sensors, has("PS") + has("EX"))));
        parts.push(format!("lamps {}", working(layout.lamps, has("LP"))));
    }
    if parts.is_empty() { "none is configured".to_owned() } else { parts.join(", ") }
}

fn day(picture: &Picture) -> String {
    let table = &picture.table;
    let inspection = if table.inspected { "inspection passed" } else { "inspection not passed" };
    let dealer = table.dealer.map_or_else(|| "nobody signed in".to_owned(), |dealer| format!("dealer {}", dealer.0));
    let rounds = if table.rounds_today == 1 { "round" } else { "rounds" };
    format!("{inspection}; {dealer}; {} {rounds}", count(table.rounds_today))
}

fn storage(picture: &Picture) -> String {
    let storage = &picture.storage;
    let clock = if picture.clock_trusted { "clock trusted" } else { "clock NOT trusted" };
    format!("journal record {}, last save {} ms; {clock}", count(storage.record), count(storage.last_save_ms))
}

/// The worst fault that stands, with its age and the word that explains it.
pub fn worst(picture: &Picture, now: Moment) -> Option<String> {
    let standing = || picture.table.alerts.iter().filter(|alert| !alert.ended);
    let stops = |alert: &&operator_api::AlertPicture| alert.severity == operator_api::Severity::Stop;
    let alert = standing().find(stops).or_else(|| standing().next());
    if let Some(alert) = alert {
        let age = duration(u64::try_from((now.unix_ms - alert.since_ms) / 1_000).unwrap_or(0));
        let why = alert.code.as_ref().map_or_else(String::new, |code| format!(": why {code}"));
        return Some(format!("{}, {age}{why}", alert.text));
    }
    let device = picture.devices.iter().find(|device| !device.faults.is_empty())?;
    let code = device.faults.first()?;
    Some(format!("{code} {} on {}: why {code}", device.name, device.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use operator_api::{DaemonPicture, DevicePicture, LayoutPicture, PersonId, StopView, StoragePicture, TablePicture};

    const NOW: Moment = Moment { unix_ms: 1_794_941_881_000, offset_s: -5 * 3_600, doubtful: false };

    fn unit() -> Unit {
        Unit {
            name: "holecardd".to_owned(),
            state: "active".to_owned(),
            since_ms: NOW.unix_ms - 26_160_000,
            ..Unit::default()
        }
    }

    fn picture() -> Picture {
        let device = |name: &str| DevicePicture { name: name.to_owned(), up: true, ..DevicePicture::default() };
        Picture {
            at_ms: NOW.unix_ms - 500,
            clock_trusted: true,
            daemon: DaemonPicture {
                version: "0.1.0".to_owned(),
                software: "04d2b7a2ffff".to_owned(),
                ..DaemonPicture::default()
            },
            table: TablePicture {
                id: "BJ-07".to_owned(),
                game: "blackjack".to_owned(),
                round: 41_207,
                round_open: true,
                dealer: Some(PersonId(1001)),
                inspected: true,
                rounds_today: 162,
                layout: Some(LayoutPicture { sensors: 7, lamps: 8, ..LayoutPicture::default() }),
                ..TablePicture::default()
            },
            devices: ["reader", "shuffler", "shoe"].map(device).to_vec(),
            storage: StoragePicture { record: 4_512_147, last_save_ms: 4, ..StoragePicture::default() },
            ..Picture::default()
        }
    }

    fn shown(picture: &Picture) -> Vec<String> {
        let unit = unit();
        status("BJ-07", judge(&unit, Some(picture), NOW.unix_ms), &unit, Some(picture), &[], NOW)
    }

    #[test]
    fn a_table_that_deals() {
        assert_eq!(
            shown(&picture()),
            [
                "BJ-07 blackjack: dealing, round 41,207 open           Tue 2026-11-17 13:58:01",
                " unit    holecardd active 7 h 16 min, 0 restarts, version 0.1.0 04d2b7a2",
                " stops   nothing: the next round may be dealt",
                " devices reader up, shuffler up, shoe up, lock-out ok, sensors 7/7, lamps 8/8",
                " day     inspection passed; dealer 1001; 162 rounds",
                " storage journal record 4,512,147, last save 4 ms; clock trusted",
                " worst   no fault stands",
            ]
        );
    }

    #[test]
    fn a_table_that_waits_for_its_inspection_is_not_broken() {
        let mut waits = picture();
        waits.table.round_open = false;
        waits.table.stops = vec![StopView {
            reason: "today's inspection has not been passed".to_owned(),
            source: "blackjack 2.G".to_owned(),
        }];
        let lines = shown(&waits);
        assert_eq!(lines[0], "BJ-07 blackjack: closed, no round                     Tue 2026-11-17 13:58:01");
        assert_eq!(lines[2], " stops   today's inspection has not been passed [blackjack 2.G]");
        assert_eq!(lines[3], "         => a floorperson begins it at the screen; nothing is broken");
    }

    #[test]
    fn a_stalled_disk_and_a_dead_daemon_say_so_in_capitals() {
        let mut stalled = picture();
        stalled.storage.saving_ms = Some(41_000);
        assert_eq!(shown(&stalled)[0], "BJ-07 blackjack: dealing, round 41,207 open, SAVING for 41 s");
        let failed = Unit {
            state: "failed".to_owned(),
            result: "start-limit-hit".to_owned(),
            exit_status: Some(1),
            since_ms: NOW.unix_ms - 22_000,
            ..unit()
        };
        let mut closed = picture();
        closed.table.round_open = false;
        let why = ("/etc/holecard/table.toml:11: devices.reader: invalid".to_owned(), "config diff".to_owned());
        let lines = status("BJ-07", Mode::Down, &failed, Some(&closed), &[why], NOW);
        assert_eq!(lines[0], "BJ-07 DOWN: the configuration is wrong; no round open Tue 2026-11-17 13:58:01");
        assert_eq!(lines[1], " unit    holecardd failed 13:57:39, exit 1, start-limit-hit");
        assert_eq!(lines[3], "         => config diff");
    }

    #[test]
    fn closed_mode_says_after_what_and_that_a_round_may_be_open() {
        let mut closed = picture();
        closed.table = TablePicture {
            faulted: true,
            closed: Some(ClosedPicture {
                failures: 4,
                within_s: 8,
                last: "PANIC at record 4512148: meter.rs:212: limit".to_owned(),
            }),
            ..TablePicture::default()
        };
        let lines = shown(&closed);
        assert_eq!(lines[0], "BJ-07 CLOSED MODE after 4 panics in 8 s; a round may be open");
        assert!(lines[1].contains("active 7 h 16 min (closed mode), 0 restarts"), "{}", lines[1]);
        closed.table.round_open = true;
        closed.table.round = 41_207;
        assert_eq!(shown(&closed)[0], "BJ-07 CLOSED MODE after 4 panics in 8 s; round 41,207 open");
    }

    #[test]
    fn the_first_mode_that_holds_is_the_prompts() {
        let now = NOW.unix_ms;
        let mut picture = picture();
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Round);
        assert_eq!(judge(&unit(), Some(&picture), now + 5_000), Mode::Mute);
        assert_eq!(judge(&unit(), None, now), Mode::Mute);
        assert_eq!(judge(&Unit::default(), Some(&picture), now), Mode::Down);
        picture.table.service = Some(PersonId(4711));
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Round, "a round before service mode");
        picture.table.round_open = false;
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Service);
        picture.table.service = None;
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Open);
        picture.table.inspecting = true;
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Inspection);
        picture.table.faulted = true;
        assert_eq!(judge(&unit(), Some(&picture), now), Mode::Faulted);
    }
}
