//! Runs inside the guest, in the place of systemd and of hands: starts and kills the daemon, speaks its interface, moves the
//! simulated lines, and measures beside the daemon what a bare program takes for the same edge.
//!
//! One JSON object a line on a virtio port, answered in order. Knows nothing of the product beyond its programs.
#![expect(clippy::float_arithmetic, reason = "latencies are told in milliseconds")]

mod bare;
mod daemon;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use daemon::Daemon;

const PORT: &str = "/dev/agent";
const PATIENCE: Duration = Duration::from_secs(60);

/// What the host asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    /// A line for the shell.
    Sh(String),
    /// Method, path and body, over the daemon's socket.
    Http(String, String, String),
    /// Files and what is written to them, in order: lines of the header, pins of the expander.
    Write(Vec<(String, String)>),
    /// Starts the daemon with these options and waits until it says READY or ends.
    Start(Vec<String>),
    /// Sends a signal to the daemon and waits for its end, unless the signal only stops it.
    Signal(String),
    /// How the daemon is.
    Status,
    /// A press of the button: file of the button, file of the lamp, how long it is held.
    Press {
        button: String,
        lamp: String,
        hold_ms: u64,
    },
    /// A bare reader on this line that lights that one, until `BareEnd`.
    Bare {
        button: String,
        lamp: String,
        debounce_ms: u64,
    },
    BareEnd,
}

fn main() -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    while !Path::new(PORT).exists() && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    let port = OpenOptions::new().read(true).write(true).open(PORT)?;
    let mut answers = port.try_clone()?;
    let mut daemon = Daemon::default();
    let mut bare = None;
    let mut lines = BufReader::new(port);
    writeln!(answers, "{}", json!({ "up": uptime() }))?;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            // The host is not connected at the moment.
            thread::sleep(Duration::from_millis(20));
            continue;
        }
        let began = Instant::now();
        let answer = match serde_json::from_str(&line) {
            Ok(request) => answer(request, &mut daemon, &mut bare),
            Err(error) => Err(io::Error::other(error)),
        };
        let mut answer = answer.unwrap_or_else(|error| json!({ "error": error.to_string() }));
        answer["ms"] = json!(began.elapsed().as_secs_f64() * 1e3);
        writeln!(answers, "{answer}")?;
    }
}

fn answer(request: Request, daemon: &mut Daemon, bare: &mut Option<bare::Bare>) -> io::Result<Value> {
    match request {
        Request::Sh(line) => {
            let ran = Command::new("/bin/sh").args(["-c", &line]).stdin(Stdio::null()).output()?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Ok(json!({ "code": ran.status.code(), "out": text(&ran.stdout), "err": text(&ran.stderr) }))
        }
        Request::Http(method, path, body) => http(&method, &path, &body),
        Request::Write(files) => {
            for (file, text) in files {
                fs::write(&file, text).map_err(|error| io::Error::other(format!("{file}: {error}")))?;
            }
            Ok(json!({}))
        }
        Request::Start(options) => daemon.start(&options),
        Request::Signal(name) => daemon.signal(&name),
        Request::Status => daemon.status(),
        Request::Press { button, lamp, hold_ms } => press(&button, &lamp, Duration::from_millis(hold_ms)),
        Request::Bare { button, lamp, debounce_ms } => {
            *bare = Some(bare::Bare::start(&button, &lamp, Duration::from_millis(debounce_ms))?);
            Ok(json!({}))
        }
        Request::BareEnd => {
            drop(bare.take());
            Ok(json!({}))
        }
    }
}

/// Seconds since the kernel started.
fn uptime() -> f64 {
    let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
    text.split(' ').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0)
}

fn http(method: &str, path: &str, body: &str) -> io::Result<Value> {
    let mut stream = UnixStream::connect("/run/holecard/holecard.sock")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: table\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let cut_off = || io::Error::other("the answer was cut off");
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut_off)?;
    let status: u16 = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(cut_off)?;
    Ok(json!({ "status": status, "body": body }))
}

/// Presses, holds and lets go; tells after how many milliseconds the lamp shone, counted from the press.
fn press(button: &str, lamp: &str, hold: Duration) -> io::Result<Value> {
    let lit = || -> io::Result<bool> {
        let mut level = [0; 1];
        File::open(lamp)?.read_exact(&mut level)?;
        Ok(level == *b"1")
    };
    if lit()? {
        return Ok(json!({ "lit_before": true }));
    }
    let mut contact = OpenOptions::new().write(true).open(button)?;
    let began = Instant::now();
    contact.write_all(b"pull-down")?;
    let mut shone = None;
    let mut held = true;
    while held || (shone.is_none() && began.elapsed() < Duration::from_secs(5)) {
        if shone.is_none() && lit()? {
            shone = Some(began.elapsed());
        }
        if held && began.elapsed() >= hold {
            OpenOptions::new().write(true).open(button)?.write_all(b"pull-up")?;
            held = false;
        }
        thread::sleep(Duration::from_micros(200));
    }
    Ok(json!({ "lamp_ms": shone.map(|time| time.as_secs_f64() * 1e3) }))
}
