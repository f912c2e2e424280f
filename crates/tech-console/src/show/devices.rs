//! `dev` and `err`: each device with its port and the ladder on which a fault is found.

use operator_api::{CountsPicture, DevicePicture, Picture};
use serde_json::{Value, json};

use crate::output::Output;
use crate::text::{Moment, count, duration, field, table};

/// Bytes, frames, events: `ok`, `warn`, `FAIL` or `-` where the rung before it failed.
pub fn ladder(device: &DevicePicture) -> [&'static str; 3] {
    let counts = device.counts;
    let raw = if counts.bytes == 0 { "FAIL" } else { "ok" };
    let frame = match (counts.bytes, counts.frames) {
        (0, _) => "-",
        (_, 0) => "FAIL",
        (_, _) if device.wrong_device => "FAIL",
        (_, _) if counts.damaged > 0 => "warn",
        (_, _) => "ok",
    };
    let event = match frame {
        "-" | "FAIL" => "-",
        _ if !device.up => "FAIL",
        _ if counts.not_understood > 0 => "warn",
        _ => "ok",
    };
    [raw, frame, event]
}

fn identity(device: &DevicePicture) -> String {
    if device.model.is_empty() { "-".to_owned() } else { format!("{} {}", device.model, device.serial) }
}

fn firmware(device: &DevicePicture) -> &str {
    device.firmware.get(..8).unwrap_or("-")
}

fn data(device: &DevicePicture) -> Value {
    let [raw, frame, event] = ladder(device);
    json!({
        "device": device.name, "port": device.path, "up": device.up, "open": device.open, "model": device.model,
        "serial": device.serial, "firmware": device.firmware, "protection": device.protection, "raw": raw, "frame": frame, "event": event,
        "faults": device.faults, "counts": device.counts,
    })
}

pub fn dev_list(picture: &Picture) -> Output {
    let rows: Vec<Vec<String>> = picture
        .devices
        .iter()
        .map(|device| {
            let [raw, frame, event] = ladder(device);
            let link = if device.up { "up" } else { "LOST" };
            let firmware = firmware(device).to_owned();
            let mut row =
                vec![device.name.clone(), short_path(&device.path), link.to_owned(), identity(device), firmware];
            row.extend([raw, frame, event].map(str::to_owned));
            row
        })
        .collect();
    let header = ["DEVICE", "PORT", "LINK", "IDENTITY", "FIRMWARE", "RAW", "FRAME", "EVENT"];
    let mut lines = table(&header, &rows);
    if let Some(layout) = &picture.table.layout {
        let state =
            if layout.faults.is_empty() { "up".to_owned() } else { format!("FAIL {}", layout.faults.join(" ")) };
        lines.push(format!("felt: {state}; {} sensors, {} lamps: gpio", layout.sensors, layout.lamps));
    }
    Output::table(lines, json!(picture.devices.iter().map(data).collect::<Vec<_>>()))
}

/// A path that would push the ladder off the terminal keeps its end, which tells devices apart.
fn short_path(path: &str) -> String {
    const SHOWN: usize = 22;
    match path.len().checked_sub(SHOWN).and_then(|cut| path.get(cut + 3..)) {
        Some(end) if path.len() > SHOWN => format!("...{end}"),
        Some(_) | None => path.to_owned(),
    }
}

/// `holder` and `socket` are what the kernel and udev say.
pub fn dev_show(device: &DevicePicture, holder: &str, socket: &str, now: Moment) -> Output {
    let at = |ms: i64| Moment { unix_ms: ms, ..now }.time();
    let state = if device.state.is_empty() { "unknown" } else { device.state.as_str() };
    let link = if device.up { "up" } else { "LOST" };
    let mut lines = vec![format!("{:<8} {link} since {}, state {state}", device.name, at(device.since_ms))];
    let speed = if device.baud == 0 { String::new() } else { format!(", {} 8N1", device.baud) };
    lines.extend(field("port", &format!("{}{speed}, {holder}", device.path)));
    let plural = if device.times_opened == 1 { "" } else { "s" };
    let error = device.last_open_error.as_deref().unwrap_or("none");
    lines.extend(field(
        "socket",
        &format!("{socket}; opened {} time{plural}; last open error {error}", count(device.times_opened)),
    ));
    let line = match device.protection.as_str() {
        "paired" => "; line paired",
        "none" => "; line in the clear",
        _ => "",
    };
    lines.extend(field("is", &format!("{} firmware {}{line}", identity(device), firmware(device))));
    let [raw, frame, event] = ladder(device);
    lines.extend(field("ladder", &format!("raw {raw}, frame {frame}, event {event}")));
    let faults = if device.faults.is_empty() {
        "no fault stands".to_owned()
    } else {
        let age = duration(u64::try_from((now.unix_ms - device.since_ms) / 1_000).unwrap_or(0));
        let first = device.faults.first().map_or("", String::as_str);
        format!("{}, {age}: why {first}", device.faults.join(" "))
    };
    lines.extend(field("last", &faults));
    Output::text(lines, data(device))
}

/// Counters since the daemon started, or since a mark.
pub fn err(picture: &Picture, mark: Option<&Picture>, now: Moment) -> Output {
    let since_ms = mark.map_or(picture.daemon.started_ms, |mark| mark.at_ms);
    let since = Moment { unix_ms: since_ms, ..now }.time();
    let mut worst: Option<(&DevicePicture, u64)> = None;
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for device in &picture.devices {
        let before = mark.and_then(|mark| mark.devices.iter().find(|each| each.name == device.name));
        let counts = since_mark(device.counts, before.map(|before| before.counts));
        if counts.damaged > worst.map_or(0, |(_, most)| most) {
            worst = Some((device, counts.damaged));
        }
        let numbers = [
            counts.bytes,
            counts.frames,
            counts.events,
            counts.damaged,
            counts.resends,
            counts.duplicates,
            device.times_opened.saturating_sub(1),
        ];
        rows.push([vec![device.name.clone()], numbers.map(count).to_vec(), vec![since.clone()]].concat());
        all.push(json!({ "device": device.name, "counts": counts, "opened": device.times_opened }));
    }
    let header = ["DEVICE", "RXRAW", "FRAMES", "EVENTS", "CRC", "RETRY", "DUP", "RESET", "SINCE"];
    let mut lines = table(&header, &rows);
    if let Some((device, damaged)) = worst {
        lines.push(format!(
            "=> {}: {} damaged: cable beside a power cord? why {}",
            device.name,
            count(damaged),
            damage_code(device)
        ));
    }
    Output::table(lines, json!({ "since_ms": since_ms, "devices": all }))
}

/// The code of damaged frames on this device's line.
fn damage_code(device: &DevicePicture) -> &'static str {
    match device.name.as_str() {
        "reader" => "RD-031",
        "shuffler" => "SF-031",
        _ => "SH-031",
    }
}

fn since_mark(now: CountsPicture, before: Option<CountsPicture>) -> CountsPicture {
    let Some(before) = before else { return now };
    CountsPicture {
        bytes: now.bytes.saturating_sub(before.bytes),
        frames: now.frames.saturating_sub(before.frames),
        events: now.events.saturating_sub(before.events),
        damaged: now.damaged.saturating_sub(before.damaged),
        not_understood: now.not_understood.saturating_sub(before.not_understood),
        resends: now.resends.saturating_sub(before.resends),
        duplicates: now.duplicates.saturating_sub(before.duplicates),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> DevicePicture {
        DevicePicture {
            name: "reader".to_owned(),
            path: "/dev/holecard/reader".to_owned(),
            baud: 115_200,
            open: true,
            up: true,
            model: "HCR-2".to_owned(),
            serial: "R-0117".to_owned(),
            firmware: "9a41c07eff".to_owned(),
            times_opened: 1,
            counts: CountsPicture { bytes: 475_578, frames: 26_421, events: 190, ..CountsPicture::default() },
            state: "idle".to_owned(),
            ..DevicePicture::default()
        }
    }

    #[test]
    fn the_first_rung_that_fails_names_the_part() {
        let healthy = device();
        assert_eq!(ladder(&healthy), ["ok", "ok", "ok"]);
        let silent = DevicePicture { up: false, counts: CountsPicture::default(), ..device() };
        assert_eq!(ladder(&silent), ["FAIL", "-", "-"]);
        let garbage =
            DevicePicture { up: false, counts: CountsPicture { bytes: 900, ..Default::default() }, ..device() };
        assert_eq!(ladder(&garbage), ["ok", "FAIL", "-"]);
        let exchanged = DevicePicture { up: false, wrong_device: true, ..device() };
        assert_eq!(ladder(&exchanged), ["ok", "FAIL", "-"]);
        let speechless = DevicePicture { up: false, ..device() };
        assert_eq!(ladder(&speechless), ["ok", "ok", "FAIL"]);
    }

    #[test]
    fn lists_fit_the_terminal_and_err_counts_from_its_mark() {
        let picture = Picture { devices: vec![device()], ..Picture::default() };
        let list = dev_list(&picture);
        assert_eq!(list.lines[1], "reader  /dev/holecard/reader  up    HCR-2 R-0117  9a41c07e  ok   ok     ok");
        let now = Moment { unix_ms: 60_000, ..Moment::default() };
        let mut later = picture.clone();
        later.devices[0].counts.bytes += 22;
        later.devices[0].counts.damaged += 3;
        let marked = err(&later, Some(&picture), now);
        assert_eq!(marked.lines[1], "reader     22       0       0    3      0    0      0  00:00:00");
        assert_eq!(marked.lines[2], "=> reader: 3 damaged: cable beside a power cord? why RD-031");
        let show = dev_show(&device(), "held by holecardd (612)", "platform-usb-0:1:1.0", now);
        assert!(show.lines.iter().chain(&list.lines).all(|line| line.len() <= 80));
        assert_eq!(show.lines[1], " port    /dev/holecard/reader, 115200 8N1, held by holecardd (612)");
    }
}
