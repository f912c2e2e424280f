//! The operator's interface as a screen uses it, byte for byte: requests that are answered, and the stream of screens.
//!
//! Blocking and without any library: what is sent and read here is what the interface's description says.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than a daemon keeps anybody waiting.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a table listens.
#[derive(Clone, Debug)]
pub enum Door {
    Unix(PathBuf),
    /// On loopback, with the dealer screen's key.
    Tcp(SocketAddr, String),
}

#[derive(Debug)]
enum Connection {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Connection {
    fn again(&self) -> io::Result<Self> {
        match self {
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
        }
    }

    fn wait_at_most(&self, time: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_read_timeout(time),
            Self::Tcp(stream) => stream.set_read_timeout(time),
        }
    }

    fn end(&self) {
        let _gone = match self {
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
        };
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(buffer),
            Self::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Door {
    fn open(&self) -> io::Result<Connection> {
        match self {
            Self::Unix(path) => UnixStream::connect(path).map(Connection::Unix),
            Self::Tcp(address, _) => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                Ok(Connection::Tcp(stream))
            }
        }
    }

    /// The headers that every request carries.
    fn headers(&self) -> String {
        match self {
            Self::Unix(_) => "host: table\r\n".to_owned(),
            Self::Tcp(address, key) => format!("host: {address}\r\nauthorization: Bearer {key}\r\n"),
        }
    }
}

/// An answer as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// `Null` where the body is no JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

#[derive(Clone, Debug)]
pub struct Client {
    door: Door,
}

impl Client {
    pub fn new(door: Door) -> Self {
        Self { door }
    }

    pub fn get(&self, path: &str) -> io::Result<Answer> {
        self.ask(&format!("GET {path} HTTP/1.1\r\n{}connection: close\r\n\r\n", self.door.headers()))
    }

    /// One action. An error means that nobody knows whether it was done.
    pub fn act(&self, body: &Value) -> io::Result<Answer> {
        let body = body.to_string();
        self.ask(&format!(
            "POST /api/v1/act HTTP/1.1\r\n{}content-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            self.door.headers(),
            body.len()
        ))
    }

    fn ask(&self, request: &str) -> io::Result<Answer> {
        let mut connection = self.door.open()?;
        connection.wait_at_most(Some(PATIENCE))?;
        connection.write_all(request.as_bytes())?;
        let mut text = String::new();
        connection.read_to_string(&mut text)?;
        let cut_off = || io::Error::new(io::ErrorKind::UnexpectedEof, "the answer was cut off");
        let (head, body) = text.split_once("\r\n\r\n").ok_or_else(cut_off)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut_off)?;
        let length = |line: &str| line.strip_prefix("content-length: ")?.parse::<usize>().ok();
        if head.lines().find_map(length).is_some_and(|length| length != body.len()) {
            return Err(cut_off());
        }
        Ok(Answer { status, head: head.to_owned(), body: body.to_owned() })
    }
}

/// One screen of the stream, and when it was there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    pub at: Instant,
    pub sequence: u64,
    pub text: String,
}

impl Shot {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }
}

#[derive(Debug, Default)]
struct Seen {
    shots: Vec<Arc<Shot>>,
    ended: bool,
}

type Shared = Arc<(Mutex<Seen>, Condvar)>;

fn seen(shared: &Shared) -> MutexGuard<'_, Seen> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A stream of screens, read by a thread of its own until the other side goes.
#[derive(Debug)]
pub struct Stream {
    shared: Shared,
    reading: Option<JoinHandle<()>>,
    connection: Connection,
}

impl Stream {
    /// `last`: the screen that is known already.
    pub fn open(door: &Door, last: Option<u64>) -> io::Result<Self> {
        let mut connection = door.open()?;
        let last = last.map_or_else(String::new, |last| format!("last-event-id: {last}\r\n"));
        let request = format!("GET /api/v1/events HTTP/1.1\r\n{}{last}\r\n", door.headers());
        connection.write_all(request.as_bytes())?;
        let shared = Shared::default();
        let (read, by) = (connection.again()?, Arc::clone(&shared));
        let reading = thread::spawn(move || {
            let _ended = follow(read, &by);
            seen(&by).ended = true;
            by.1.notify_all();
        });
        Ok(Self { shared, reading: Some(reading), connection })
    }

    /// How many screens have come.
    pub fn count(&self) -> usize {
        seen(&self.shared).shots.len()
    }

    pub fn latest(&self) -> Option<Arc<Shot>> {
        seen(&self.shared).shots.last().cloned()
    }

    /// Every screen from this one on.
    pub fn since(&self, from: usize) -> Vec<Arc<Shot>> {
        seen(&self.shared).shots.get(from..).map(<[_]>::to_vec).unwrap_or_default()
    }

    /// Waits until more than `count` screens have come, at most this long.
    pub fn wait_beyond(&self, count: usize, at_most: Duration) {
        let until = Instant::now() + at_most;
        let mut now = seen(&self.shared);
        while now.shots.len() <= count && !now.ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            now = self.shared.1.wait_timeout(now, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.connection.end();
        if let Some(reading) = self.reading.take() {
            let _ended = reading.join();
        }
    }
}

/// Reads events until the end. The body comes in chunks, each with its length in front.
fn follow(connection: Connection, shared: &Shared) -> io::Result<()> {
    let mut from = BufReader::new(connection);
    let mut line = String::new();
    while from.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (mut text, mut is_screen, mut sequence) = (String::new(), false, 0);
    loop {
        line.clear();
        from.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let mut chunk = vec![0; length + 2];
        from.read_exact(&mut chunk)?;
        let at = Instant::now();
        text.push_str(std::str::from_utf8(&chunk[..length]).map_err(io::Error::other)?);
        while let Some(end) = text.find('\n') {
            let rest = text.split_off(end + 1);
            let line = std::mem::replace(&mut text, rest);
            if let Some(event) = line.strip_prefix("event: ") {
                is_screen = event.trim() == "screen";
            } else if let Some(id) = line.strip_prefix("id: ") {
                sequence = id.trim().parse().map_err(io::Error::other)?;
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| is_screen) {
                // As it was sent, but for the line's end: blanks are bytes too.
                let shot = Shot { at, sequence, text: data.strip_suffix('\n').unwrap_or(data).to_owned() };
                seen(shared).shots.push(Arc::new(shot));
            }
        }
        shared.1.notify_all();
    }
}
