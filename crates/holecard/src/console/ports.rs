//! Devices and the ports they hang on: what the daemon saw, what the kernel and udev say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use operator_api::{DevicePicture, Picture};
use rustix::fs::Access;
use serde_json::json;
use tech_console::output::NotDone;
use tech_console::text::table;
use tech_console::{Output, show};

use super::run::{Dialog, not_now};
use super::world::World;

fn seen(world: &World) -> Result<Picture, NotDone> {
    world.picture().ok_or_else(|| not_now("the daemon has left no picture of the table: look: unit status"))
}

pub(super) fn dev_list(world: &World) -> Result<Output, NotDone> {
    Ok(show::dev_list(&seen(world)?))
}

pub(super) fn dev_show(world: &World, name: &str) -> Result<Output, NotDone> {
    let picture = seen(world)?;
    let name = name.replace('-', " ");
    let device = picture.devices.iter().find(|device| device.name == name);
    let device = device.ok_or_else(|| not_now(format!("{name} is not in the daemon's picture: look: config diff")))?;
    let holder = holder_text(device, &picture);
    Ok(show::dev_show(device, &holder, &socket_of(&device.path), world.moment(Some(&picture))))
}

pub(super) fn err(world: &World, dialog: &dyn Dialog) -> Result<Output, NotDone> {
    let picture = seen(world)?;
    let mark = dialog.mark().filter(|mark| mark.daemon.pid == picture.daemon.pid);
    Ok(show::err(&picture, mark.as_ref(), world.moment(Some(&picture))))
}

pub(super) fn err_clear(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let picture = seen(world)?;
    let at = world.moment(Some(&picture)).time();
    dialog.set_mark(picture);
    let line = format!("err counts from {at} in this session; the counters themselves stay");
    Ok(Output::text(vec![line], json!({ "mark": at })))
}

/// `ttyUSB0` behind a stable name.
pub(super) fn tty_of(path: &str) -> String {
    let real = fs::canonicalize(path).ok();
    let name = real.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "not there".to_owned())
}

fn holder_text(device: &DevicePicture, picture: &Picture) -> String {
    if device.baud == 0 {
        return "over TCP".to_owned();
    }
    let tty = tty_of(&device.path);
    match holder_of(Path::new(&device.path)) {
        Some(pid) if pid == picture.daemon.pid => format!("-> {tty}, held by holecardd ({pid})"),
        Some(pid) => format!("-> {tty}, held by another program ({pid})"),
        None if device.open => format!("-> {tty}, held by holecardd ({})", picture.daemon.pid),
        None => format!("-> {tty}, held by nobody"),
    }
}

/// Whoever has this file open, as far as `/proc` lets us look.
fn holder_of(path: &Path) -> Option<u32> {
    let wanted = fs::canonicalize(path).ok()?;
    let processes = fs::read_dir("/proc").ok()?;
    for process in processes.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(files) = fs::read_dir(process.path().join("fd")) else { continue };
        let holds = |entry: fs::DirEntry| fs::read_link(entry.path()).is_ok_and(|target| target == wanted);
        if pid != std::process::id() && files.flatten().any(holds) {
            return Some(pid);
        }
    }
    None
}

/// The socket that a port belongs to, as udev names it.
fn socket_of(path: &str) -> String {
    let by_path = sockets();
    let tty = fs::canonicalize(path).ok();
    tty.and_then(|tty| by_path.get(&tty).cloned()).unwrap_or_else(|| "no socket known".to_owned())
}

/// Ports by their device file, from `/dev/serial/by-path`.
fn sockets() -> BTreeMap<PathBuf, String> {
    let entries = fs::read_dir("/dev/serial/by-path").into_iter().flatten().flatten();
    let pair = |entry: fs::DirEntry| {
        let tty = fs::canonicalize(entry.path()).ok()?;
        Some((tty, entry.file_name().to_string_lossy().into_owned()))
    };
    entries.filter_map(pair).collect()
}

/// The serial ports of this board: those with hardware behind them.
fn ttys() -> Vec<PathBuf> {
    let entries = fs::read_dir("/sys/class/tty").into_iter().flatten().flatten();
    let real = |entry: &fs::DirEntry| entry.path().join("device/driver").exists();
    let mut found: Vec<PathBuf> = entries
        .filter(real)
        .map(|entry| Path::new("/dev").join(entry.file_name()))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found
}

pub(super) fn ports(world: &World) -> Output {
    let picture = world.picture();
    let devices = picture.as_ref().map(|picture| picture.devices.clone()).unwrap_or_default();
    let sockets = sockets();
    let mut found = ttys();
    for device in devices.iter().filter(|device| device.baud > 0) {
        if let Ok(tty) = fs::canonicalize(&device.path)
            && !found.contains(&tty)
        {
            found.push(tty);
        }
    }
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for tty in found {
        let name = tty.strip_prefix("/dev").unwrap_or(&tty).display().to_string();
        let owner = devices.iter().find(|device| fs::canonicalize(&device.path).is_ok_and(|path| path == tty));
        let what = owner.map_or("-", |device| device.name.as_str());
        let heard = match owner {
            Some(device) if device.model.is_empty() => "nothing".to_owned(),
            Some(device) => {
                format!("{} {}{}", device.model, device.serial, if device.wrong_device { " !" } else { "" })
            }
            None => "-".to_owned(),
        };
        // Asked without opening it: an open raises the modem lines, and some devices start anew at that.
        let group = match rustix::fs::access(&tty, Access::READ_OK | Access::WRITE_OK) {
            Err(rustix::io::Errno::ACCESS) => "NO",
            Ok(()) | Err(_) => "ok",
        };
        let holder = holder_of(&tty).map_or_else(|| "-".to_owned(), |pid| pid.to_string());
        let socket = sockets.get(&tty).cloned().unwrap_or_else(|| "-".to_owned());
        all.push(
            json!({ "tty": name, "socket": socket, "for": what, "heard": heard, "group": group, "holder": holder }),
        );
        rows.push(vec![name, socket, what.to_owned(), heard, group.to_owned(), holder]);
    }
    let mut lines = table(&["TTY", "SOCKET (ID_PATH)", "FOR", "HEARD", "GROUP", "HOLDER"], &rows);
    for device in devices.iter().filter(|device| device.baud > 0 && fs::metadata(&device.path).is_err()) {
        lines.push(format!("{} is missing: {} should be there", device.path, device.name));
    }
    Output::table(lines, json!(all))
}
