//! The operator's interface over its Unix socket, as bytes: requests that are answered, and a stream of screens.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than the daemon itself keeps anybody waiting.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub(crate) struct Client {
    socket: PathBuf,
}

/// A status and its body.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(socket: &Path) -> Self {
        Self { socket: socket.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let head = format!("GET {path} HTTP/1.1\r\nhost: table\r\nconnection: close\r\n\r\n");
        let answer = self.ask(&head, "").unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// One action. An error means that nobody knows whether it was done.
    pub(crate) fn act(&self, body: &Value) -> io::Result<Answer> {
        let body = body.to_string();
        let head = format!(
            "POST /api/v1/act HTTP/1.1\r\nhost: table\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n",
            body.len()
        );
        self.ask(&head, &body)
    }

    fn ask(&self, head: &str, body: &str) -> io::Result<Answer> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(format!("{head}{body}").as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let cut_off = || io::Error::new(io::ErrorKind::UnexpectedEof, "the answer was cut off");
        let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut_off)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut_off)?;
        let body = serde_json::from_str(body).map_err(|_| cut_off())?;
        Ok(Answer { status, body })
    }
}

/// What a screen shows: the latest of the stream.
#[derive(Default)]
struct Shown {
    latest: Option<Value>,
    /// How many screens have come.
    count: u64,
    ended: bool,
}

/// A stream of screens, read by a thread of its own until the other side goes.
pub(crate) struct Stream {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    reading: Option<JoinHandle<()>>,
    connection: UnixStream,
}

impl Stream {
    pub(crate) fn open(socket: &Path, last: Option<u64>) -> Self {
        let mut connection = UnixStream::connect(socket).unwrap();
        let last = last.map_or_else(String::new, |last| format!("last-event-id: {last}\r\n"));
        connection.write_all(format!("GET /api/v1/events HTTP/1.1\r\nhost: table\r\n{last}\r\n").as_bytes()).unwrap();
        let shown = Arc::new((Mutex::new(Shown::default()), Condvar::new()));
        let (read, seen) = (connection.try_clone().unwrap(), Arc::clone(&shown));
        let reading = thread::spawn(move || {
            let _ended = follow(read, &seen);
            seen.0.lock().unwrap().ended = true;
            seen.1.notify_all();
        });
        Self { shown, reading: Some(reading), connection }
    }

    /// The latest screen, and how many have come so far.
    pub(crate) fn latest(&self) -> (Value, u64) {
        let shown = self.shown.0.lock().unwrap();
        (shown.latest.clone().unwrap_or(Value::Null), shown.count)
    }

    /// Waits until more than `seen` screens have come, at most this long.
    pub(crate) fn wait_beyond(&self, seen: u64, at_most: Duration) {
        let until = Instant::now() + at_most;
        let mut shown = self.shown.0.lock().unwrap();
        while shown.count <= seen && !shown.ended && Instant::now() < until {
            shown = self.shown.1.wait_timeout(shown, until.saturating_duration_since(Instant::now())).unwrap().0;
        }
    }

    /// The first screen of this stream.
    pub(crate) fn first(&self) -> Value {
        self.wait_beyond(0, PATIENCE);
        let (screen, count) = self.latest();
        assert!(count > 0, "the stream shows nothing");
        screen
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let _gone = self.connection.shutdown(std::net::Shutdown::Both);
        if let Some(reading) = self.reading.take() {
            let _ended = reading.join();
        }
    }
}

/// Reads events until the end. The body comes in chunks, each with its length in front.
fn follow(connection: UnixStream, shown: &(Mutex<Shown>, Condvar)) -> io::Result<()> {
    let mut from = BufReader::new(connection);
    let mut line = String::new();
    while from.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (mut text, mut is_screen) = (String::new(), false);
    loop {
        line.clear();
        from.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let mut chunk = vec![0; length + 2];
        from.read_exact(&mut chunk)?;
        text.push_str(std::str::from_utf8(&chunk[..length]).map_err(io::Error::other)?);
        while let Some(end) = text.find('\n') {
            let rest = text.split_off(end + 1);
            let line = std::mem::replace(&mut text, rest);
            if let Some(event) = line.strip_prefix("event: ") {
                is_screen = event.trim() == "screen";
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| is_screen) {
                let screen = serde_json::from_str(data).map_err(io::Error::other)?;
                let mut shown = shown.0.lock().unwrap();
                (shown.latest, shown.count) = (Some(screen), shown.count + 1);
            }
        }
        shown.1.notify_all();
    }
}
