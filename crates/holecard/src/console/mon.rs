//! `mon`: the traffic of one device on three rungs, masked where it leaves the process that holds the port.
//!
//! While the daemon runs, it is asked for its tap. While it is down, the console opens the port itself, listens without
//! sending a byte, masks as in an open round, and lets go as soon as the unit starts.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use device_drivers::config::SerialLink;
use device_protocols::describe::Described;
use device_protocols::frame::DeviceKind;
use device_protocols::mask::{TrafficMask, Watching};
use operator_api::fault_book;
use rustix::fs::OFlags;
use serde_json::{Value, json};
use tech_console::output::NotDone;
use tech_console::show::{Came, Watched};
use tech_console::text::wrap;
use tech_console::{Mode, Output, show};

use super::run::{Dialog, not_now};
use super::world::World;

/// Bytes of one run that fit a line.
const BYTES_SHOWN: usize = 20;
/// A listener looks this often whether it is still wanted.
const LISTEN: Duration = Duration::from_millis(200);
/// How often a console that holds a port looks whether the daemon wants it.
const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rung {
    Raw,
    Frame,
    Event,
}

/// One run of bytes, as the tap gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    from_device: bool,
    /// As far as it may be shown.
    raw: String,
    bytes: u64,
    frame: Option<String>,
    event: Option<String>,
    understood: bool,
}

pub(super) fn watch(world: &World, name: &str, rung: Rung, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let link = link_of(world, name).ok_or_else(|| not_now(format!("{name} is not configured: look: dev list")))?;
    let down = is_down(world)?;
    let (sender, runs) = mpsc::channel();
    // Ended before the next prompt, so that nothing of it holds the port then.
    let _listener = if down { listen(name, &link, sender)? } else { tap(world, name, sender)? };
    let speed = match &link {
        SerialLink::Tty { path, baud } => format!("{} {baud}", super::ports::tty_of(&path.display().to_string())),
        SerialLink::Tcp { address } => address.clone(),
    };
    dialog.line(&format!("{speed}  < from device  > to device  any key stops"), json!({ "port": speed }));
    let baud = match &link {
        SerialLink::Tty { baud, .. } => *baud,
        SerialLink::Tcp { .. } => 0,
    };
    let watched = print_runs(world, kind_of(name).code(), rung, &runs, down, dialog);
    Ok(summary(world, name, watched, baud, down))
}

/// Whether the ports are nobody's. Between two starts they are the daemon's already.
pub(super) fn is_down(world: &World) -> Result<bool, NotDone> {
    let now = world.now();
    match now.mode {
        Mode::Down if now.unit.is_at_rest() => Ok(true),
        Mode::Down => {
            Err(not_now(format!("the unit is {}: try again in a moment, or look: unit status", now.unit.state)))
        }
        Mode::Mute | Mode::Faulted | Mode::Round | Mode::Service | Mode::Inspection | Mode::Closed | Mode::Open => {
            Ok(false)
        }
    }
}

/// A thread that listens; it has let go of whatever it holds when this is gone.
struct Listener {
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    fn start(listen: impl FnOnce(&AtomicBool) + Send + 'static) -> Self {
        let end = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&end);
        Self { end, thread: Some(std::thread::spawn(move || listen(&seen))) }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked holds nothing either.
            let _ended = thread.join();
        }
    }
}

pub(super) fn link_of(world: &World, name: &str) -> Option<SerialLink> {
    let devices = &world.config.devices;
    match name {
        "reader" => devices.reader.as_ref().map(|device| device.link.clone()),
        "shuffler" => devices.shuffler.as_ref().map(|device| device.link.clone()),
        "shoe" => devices.shoe.first().map(|device| device.link.clone()),
        _ => devices.shoe.get(1).map(|device| device.link.clone()),
    }
}

pub(super) fn kind_of(name: &str) -> DeviceKind {
    match name {
        "reader" => DeviceKind::HoleCardReader,
        "shuffler" => DeviceKind::Shuffler,
        _ => DeviceKind::Shoe,
    }
}

/// The daemon's own tap, one JSON object a line for as long as the connection stands.
fn tap(world: &World, name: &str, runs: Sender<Run>) -> Result<Listener, NotDone> {
    let gone = |_| not_now("the daemon does not answer: look: unit status");
    let mut stream = UnixStream::connect(&world.config.http.socket).map_err(gone)?;
    write!(stream, "GET /api/v1/tap/{name} HTTP/1.1\r\nhost: holecard\r\nconnection: close\r\n\r\n").map_err(gone)?;
    stream.set_read_timeout(Some(LISTEN)).map_err(gone)?;
    Ok(Listener::start(move |end| {
        let mut lines = BufReader::new(stream);
        let mut line = Vec::new();
        while !end.load(Ordering::Acquire) {
            // What came before a timeout stays in the line: a quiet device is no end.
            match lines.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) => {
                    // Heads and lengths of chunks are no JSON objects.
                    let run = serde_json::from_slice::<Value>(&line).ok().filter(Value::is_object);
                    line.clear();
                    if run.is_some_and(|run| runs.send(understand(&run)).is_err()) {
                        return;
                    }
                }
                Err(error) if is_quiet(&error) => {}
                Err(_) => return,
            }
        }
    }))
}

pub(super) fn is_quiet(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

fn understand(run: &Value) -> Run {
    let text = |key: &str| run[key].as_str().map(str::to_owned);
    Run {
        from_device: run["from"] == "device",
        raw: text("raw").unwrap_or_default(),
        bytes: run["bytes"].as_u64().unwrap_or(0),
        frame: text("frame"),
        event: text("event"),
        understood: run["understood"] == true,
    }
}

/// The port itself, while nobody else has it.
fn listen(name: &str, link: &SerialLink, runs: Sender<Run>) -> Result<Listener, NotDone> {
    let SerialLink::Tty { path, baud } = link else {
        return Err(not_now("a serial server is watched only while the daemon runs: look: unit status"));
    };
    let cannot = |error: io::Error| not_now(format!("{} cannot be opened: {error}: look: ports", path.display()));
    let mut port = take_port(path, *baud, false).map_err(cannot)?;
    let mut mask = TrafficMask::new(kind_of(name));
    Ok(Listener::start(move |end| {
        let mut buffer = [0; 512];
        while !end.load(Ordering::Acquire) {
            match port.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => {
                    // A daemon that is dead counts as a round that is open.
                    for run in mask.handle_bytes(&buffer[..read], Watching::InRound) {
                        let Described { frame, event, understood } = Described::of(&run);
                        let bytes = u64::try_from(run.length()).unwrap_or(0);
                        let run = Run { from_device: true, raw: run.to_string(), bytes, frame, event, understood };
                        if runs.send(run).is_err() {
                            return;
                        }
                    }
                }
                Err(error) if is_quiet(&error) => std::thread::sleep(Duration::from_millis(10)),
                Err(_) => return,
            }
        }
    }))
}

/// A device's port for this program alone, without waiting for it and without making it a terminal of ours.
pub(super) fn take_port(path: &Path, baud: u32, write: bool) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NOCTTY | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
    let port = OpenOptions::new().read(true).write(write).custom_flags(flags).open(path)?;
    // The daemon asks for it to itself as well: whoever comes second is told that it is in use.
    rustix::termios::ioctl_tiocexcl(&port)?;
    super::terminal::prepare(&port, baud)?;
    Ok(port)
}

fn print_runs(
    world: &World,
    own_kind: u8,
    rung: Rung,
    runs: &Receiver<Run>,
    down: bool,
    dialog: &mut dyn Dialog,
) -> Watched {
    let mut watched = Watched::default();
    let (began, mut looked) = (Instant::now(), Instant::now());
    while !dialog.stopped() {
        watched.watched_ms = milliseconds(began.elapsed());
        if down && looked.elapsed() >= LOOK_EVERY {
            looked = Instant::now();
            if !is_down(world).is_ok_and(|down| down) {
                dialog.line("the daemon starts: the port is its own again", Value::Null);
                return watched;
            }
        }
        let run = match runs.recv_timeout(Duration::from_millis(100)) {
            Ok(run) => run,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return watched,
        };
        if run.from_device {
            let frame_of = run.frame.as_deref().map(|frame| kind_in(frame).unwrap_or(own_kind));
            let came = Came { bytes: run.bytes, frame_of, understood: run.understood };
            watched.came(own_kind, came, milliseconds(began.elapsed()));
        } else {
            watched.sent += run.bytes;
        }
        let moment = world.moment(None);
        if let Some(text) = shown(&run, rung) {
            let arrow = if run.from_device { '<' } else { '>' };
            let line = format!("{} {arrow} {text}", moment.time_ms());
            dialog.line(&line, json!({ "at": moment.utc(), "from_device": run.from_device, "text": text }));
        }
    }
    watched.watched_ms = milliseconds(began.elapsed());
    watched
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The device kind that a described frame names; what is sealed names none and belongs to its port.
fn kind_in(frame: &str) -> Option<u8> {
    let (_, behind) = frame.split_once(", kind ")?;
    u8::from_str_radix(behind.get(..2)?, 16).ok()
}

/// What a rung shows of a run; `None` where it has not come that far.
fn shown(run: &Run, rung: Rung) -> Option<String> {
    match rung {
        Rung::Raw => Some(cut(&run.raw)),
        Rung::Frame => run.frame.clone(),
        Rung::Event => run.event.clone(),
    }
}

/// `07 01 01 … +79 B`.
fn cut(raw: &str) -> String {
    if raw.starts_with('[') || raw.contains("sealed") {
        return raw.to_owned();
    }
    let bytes: Vec<&str> = raw.split(' ').collect();
    match bytes.get(..BYTES_SHOWN) {
        Some(start) if bytes.len() > BYTES_SHOWN => format!("{} +{} B", start.join(" "), bytes.len() - BYTES_SHOWN),
        Some(_) | None => raw.to_owned(),
    }
}

/// The ladder, then what it says: the daemon's own fault where it has one, else what the traffic shows.
fn summary(world: &World, name: &str, watched: Watched, baud: u32, down: bool) -> Output {
    let kind = kind_of(name);
    let verdict = watched.verdict(baud);
    let picture = world.picture();
    let device = name.replace('-', " ");
    let device = picture.as_ref().and_then(|picture| picture.devices.iter().find(|each| each.name == device));
    let seen = verdict.number().map(|number| format!("{}-{number:03}", prefix(kind)));
    let standing = device.and_then(|device| device.faults.first().cloned());
    // The daemon has watched for longer; one that is down says nothing about now.
    let code = standing.filter(|_| !down).or(seen);
    let ladder = watched.ladder(kind.code(), baud);
    let ladder = if code.is_some() { ladder.trim_end_matches(" => healthy").to_owned() } else { ladder };
    let mut lines = wrap("", 8, &ladder);
    if let Some(text) = code.as_deref().and_then(fault_book::explain_source) {
        let hint = verdict
            .hint(name)
            .filter(|_| verdict.number() == Some(text.code.number))
            .map_or_else(String::new, |hint| format!(". {hint}"));
        lines.extend(wrap("=> ", 3, &format!("{} {}: {}{hint}", text.code, text.name, text.remedy)));
    }
    let rungs = device.map(show::ladder);
    let Watched { bytes, sent, runs, frames, events, .. } = watched;
    let data = json!({
        "bytes": bytes, "sent": sent, "runs": runs, "frames": frames, "events": events, "since_start": rungs,
        "code": code,
    });
    Output::text(lines, data)
}

/// What the codes of a device begin with.
pub(super) const fn prefix(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::HoleCardReader => "RD",
        DeviceKind::Shuffler => "SF",
        DeviceKind::Shoe => "SH",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tech_console::text::Moment;

    #[test]
    fn a_long_run_is_cut_and_what_is_masked_stays_as_it_is() {
        let long = vec!["0A"; 30].join(" ");
        assert_eq!(cut(&long), format!("{} +10 B", vec!["0A"; 20].join(" ")));
        assert_eq!(cut("[19 bytes]"), "[19 bytes]");
        assert_eq!(kind_in("01 HELLO unnumbered, kind 02, 40 bytes"), Some(2));
        assert_eq!(kind_in("20 sealed 3cb0804f:31, 5 bytes"), None);
        assert!(Moment::default().time_ms().len() + 3 + cut(&long).len() <= 80);
    }
}
