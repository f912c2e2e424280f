//! `disk`, `health`, `clock`: the board itself, from the kernel's own files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use operator_api::{DiskPicture, StoragePicture};
use rustix::fs::Access;
use serde_json::json;
use tech_console::Output;
use tech_console::text::{count, duration, size};

use super::world::World;

/// A write that takes longer is a stalled disk.
const WRITE_TEST_WITHIN: Duration = Duration::from_secs(2);

/// Figures older than this are shown with their age; the daemon looks every ten seconds.
const OLD_S: u64 = 30;

pub(super) fn disk(world: &World) -> Output {
    let (mut lines, mut all) = (Vec::new(), Vec::new());
    let now = world.now();
    let storage = now.picture.as_ref().map(|picture| picture.storage.clone()).unwrap_or_default();
    let journal = &world.config.journal.directory;
    for (directory, write) in [(journal.as_path(), false), (world.config.state_directory.as_path(), true)] {
        let name = directory.display().to_string();
        let Some(disk) = room(directory, &storage) else {
            lines.push(format!("{name:<24} closed to this user, and the daemon left no figures"));
            continue;
        };
        let state = if disk.free == 0 {
            "FULL".to_owned()
        } else if write {
            write_test(directory)
        } else {
            String::new()
        };
        let age = u64::try_from((now.moment.unix_ms - disk.at_ms) / 1_000).unwrap_or(0);
        let old = if age > OLD_S { format!("  seen {} ago", duration(age)) } else { String::new() };
        let (total, free) = (size(disk.bytes), size(disk.free));
        lines.push(format!("{name:<24} {total:>9}  free {free:<9} {state}{old}").trim_end().to_owned());
        if !write {
            let most = size(world.config.journal.settings.retention.bytes_max);
            lines.push(format!("journal {} of {most} in {} files", size(disk.files_bytes), count(disk.files)));
        }
        all.push(json!({ "disk": disk, "state": state }));
    }
    if storage.record > 0 {
        let saving = storage.saving_ms.filter(|time| *time > 1_000);
        let saving = saving.map_or_else(String::new, |time| format!("; SAVING for {}", duration(time / 1_000)));
        let (last, worst) = (count(storage.last_save_ms), count(storage.worst_save_ms));
        lines.push(format!("last save {last} ms, worst since the start {worst} ms{saving}"));
    }
    let wear = wear();
    lines.push(wear.clone());
    Output::text(lines, json!({ "partitions": all, "wear": wear, "storage": storage }))
}

/// What the daemon saw last; where it left nothing, what this user may see.
fn room(directory: &Path, storage: &StoragePicture) -> Option<DiskPicture> {
    let name = directory.display().to_string();
    if let Some(disk) = storage.disks.iter().find(|disk| disk.directory == name) {
        return Some(disk.clone());
    }
    let space = rustix::fs::statvfs(directory).ok()?;
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes: Vec<u64> =
        files.filter_map(|file| file.metadata().ok()).filter(fs::Metadata::is_file).map(|about| about.len()).collect();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Some(DiskPicture {
        directory: name,
        bytes: space.f_blocks.saturating_mul(space.f_frsize),
        free: space.f_bavail.saturating_mul(space.f_frsize),
        files: u64::try_from(sizes.len()).unwrap_or(u64::MAX),
        files_bytes: sizes.iter().sum(),
        at_ms: i64::try_from(now.as_millis()).unwrap_or(i64::MAX),
    })
}

/// In a process of its own: a disk that hangs hangs that one.
fn write_test(directory: &Path) -> String {
    let began = Instant::now();
    if rustix::fs::access(directory, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return "write test -: closed to this user".to_owned();
    }
    let file = directory.join(format!(".console-write-test-{}", std::process::id()));
    let child = Command::new("dd")
        .args(["if=/dev/zero", "bs=4096", "count=1", "conv=fsync", "status=none"])
        .arg(format!("of={}", file.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return "write test -: no program for it".to_owned() };
    let verdict = loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => {
                break format!("write test ok {} ms", began.elapsed().as_millis());
            }
            Ok(Some(_)) => break "write test FAIL: read-only or full".to_owned(),
            Ok(None) if began.elapsed() < WRITE_TEST_WITHIN => std::thread::sleep(Duration::from_millis(1)),
            Ok(None) | Err(_) => {
                let _ended = child.kill();
                break "write test FAIL: nothing written in 2 s".to_owned();
            }
        }
    };
    let _gone = fs::remove_file(&file);
    verdict
}

fn wear() -> String {
    for card in fs::read_dir("/sys/bus/mmc/devices").into_iter().flatten().flatten() {
        let name = card.file_name().to_string_lossy().into_owned();
        if let Ok(life) = fs::read_to_string(card.path().join("life_time")) {
            let most = life
                .split_whitespace()
                .filter_map(|word| u32::from_str_radix(word.trim_start_matches("0x"), 16).ok())
                .max();
            return match most {
                Some(tenths) if tenths > 0 => format!("{name} life {} % used", tenths * 10),
                Some(_) | None => format!("{name} life not told by the storage"),
            };
        }
    }
    "storage tells nothing of its life".to_owned()
}

pub(super) fn health(world: &World) -> Output {
    let read = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let temperature = read("/sys/class/thermal/thermal_zone0/temp").and_then(|text| text.parse::<i64>().ok());
    let temperature = temperature.map_or_else(|| "temperature -".to_owned(), |milli| format!("{} C", milli / 1_000));
    let load = read("/proc/loadavg").and_then(|text| text.split(' ').next().map(str::to_owned));
    let load = load.unwrap_or_else(|| "-".to_owned());
    let faults = device_drivers::board::BoardHealth::default().look();
    let faults: Vec<String> =
        faults.into_iter().map(|fault| fault.on(device_drivers::fault::Part::Board).to_string()).collect();
    let board = if faults.is_empty() { "board ok".to_owned() } else { format!("board {}", faults.join(" ")) };
    let mut lines = vec![format!("{board}   {temperature}   load {load}")];
    let now = world.now();
    let memory = now.picture.as_ref().and_then(|picture| {
        let status = read(&format!("/proc/{}/status", picture.daemon.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().to_owned();
        line.split(' ').next()?.parse::<u64>().ok()
    });
    let memory = memory.map_or_else(|| "memory -".to_owned(), |kib| format!("memory {}", size(kib * 1_024)));
    let head = now.picture.as_ref().map(|picture| {
        let hash = &picture.storage.head;
        let (start, end) = (hash.get(..4).unwrap_or("-"), hash.get(hash.len().saturating_sub(4)..).unwrap_or("-"));
        format!("head {} {start}..{end}", count(picture.storage.record))
    });
    lines.push(format!("{memory}   {}", head.clone().unwrap_or_else(|| "head unknown".to_owned())));
    Output::text(lines, json!({ "faults": faults, "temperature": temperature, "load": load, "head": head }))
}

pub(super) fn clock(world: &World) -> Output {
    let now = world.now();
    let zone = world.config.day.zone.iana_name().unwrap_or("?").to_owned();
    let trusted = now.picture.as_ref().map(|picture| picture.clock_trusted);
    let word = match trusted {
        Some(true) => "trusted",
        Some(false) => "NOT trusted: nothing stands behind it",
        None => "trust unknown",
    };
    let (local, utc) = (now.moment.date_time(), now.moment.utc());
    let mut lines = vec![format!("{local} {zone} = {utc}, {word}")];
    let synchronised = Path::new("/run/systemd/timesync/synchronized").exists();
    let source = if synchronised { "timesyncd has set it" } else { "no time server has set it" };
    let battery = if world.config.day.battery_clock { "battery clock" } else { "no battery clock" };
    let starts = world.config.day.starts_minute;
    lines.push(format!(
        "{source}; {battery}; day turns {:02}:{:02}, grace {} min",
        starts / 60,
        starts % 60,
        world.config.day.grace_minutes
    ));
    Output::text(
        lines,
        json!({ "local": local, "utc": utc, "zone": zone, "trusted": trusted, "synchronised": synchronised }),
    )
}
