//! Lines for journald that read by themselves. `journalctl` shows the message and hides every field, so what an event knows
//! stands in its message: the cause, the device, the file.

use std::fmt::{self, Write as _};
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::Path;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

pub(super) const JOURNALD: &str = "/run/systemd/journal/socket";

/// A line longer than this is cut: a datagram has a limit, and nobody reads it anyway.
const LINE_BYTES_MAX: usize = 32 * 1024;

/// Sends each event as one entry in journald's own protocol.
#[derive(Debug)]
pub(super) struct Journald {
    socket: UnixDatagram,
}

impl Journald {
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let socket = UnixDatagram::unbound()?;
        socket.connect(path)?;
        Ok(Self { socket })
    }
}

impl<S: Subscriber> Layer<S> for Journald {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let metadata = event.metadata();
        let mut entry = Vec::new();
        field(&mut entry, "PRIORITY", priority(*metadata.level()));
        field(&mut entry, "SYSLOG_IDENTIFIER", "holecardd");
        field(&mut entry, "TARGET", metadata.target());
        field(&mut entry, "MESSAGE", &Line::of(event));
        // A log that cannot be written stops no table.
        let _lost = self.socket.send(&entry);
    }
}

/// With its length in front, so that a line break in a message ends nothing.
fn field(entry: &mut Vec<u8>, name: &str, value: &str) {
    entry.extend_from_slice(name.as_bytes());
    entry.push(b'\n');
    entry.extend_from_slice(&u64::try_from(value.len()).unwrap_or(u64::MAX).to_le_bytes());
    entry.extend_from_slice(value.as_bytes());
    entry.push(b'\n');
}

/// Of syslog.
fn priority(level: Level) -> &'static str {
    if level == Level::ERROR {
        "3"
    } else if level == Level::WARN {
        "4"
    } else if level == Level::INFO {
        "6"
    } else {
        "7"
    }
}

/// `the port is open: device=reader path=/dev/holecard/reader`.
#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Line {
    fn of(event: &Event<'_>) -> String {
        let mut line = Self::default();
        event.record(&mut line);
        let Self { message, fields } = line;
        let mut text = match (message.is_empty(), fields.is_empty()) {
            (false, false) => format!("{message}: {fields}"),
            (false, true) => message,
            (true, _) => fields,
        };
        let end = (0..=LINE_BYTES_MAX.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text
    }

    fn note(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = if field.name() == "message" {
            self.message.write_fmt(value)
        } else {
            let between = if self.fields.is_empty() { "" } else { " " };
            write!(self.fields, "{between}{}={value}", field.name())
        };
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.note(field, format_args!("{value}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.note(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.note(field, format_args!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    /// The fields of one entry, as journald reads them.
    fn received(journald: &UnixDatagram) -> Vec<(String, String)> {
        let mut bytes = vec![0; 2 * LINE_BYTES_MAX];
        let length = journald.recv(&mut bytes).unwrap();
        let (mut rest, mut fields) = (&bytes[..length], Vec::new());
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let name = String::from_utf8(rest[..end].to_vec()).unwrap();
            let (size, after) = rest[end + 1..].split_at(8);
            let size = usize::try_from(u64::from_le_bytes(size.try_into().unwrap())).unwrap();
            fields.push((name, String::from_utf8(after[..size].to_vec()).unwrap()));
            assert_eq!(after[size], b'\n');
            rest = &after[size + 1..];
        }
        fields
    }

    #[test]
    fn the_line_alone_says_what_happened_to_what_and_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let journald = UnixDatagram::bind(&path).unwrap();
        let log = tracing_subscriber::registry().with(Journald::at(&path).unwrap());
        tracing::subscriber::with_default(log, || {
            let error = io::Error::from_raw_os_error(2);
            tracing::warn!(device = "reader", %error, times = 3, "the port cannot be opened");
            tracing::info!("ready");
            tracing::error!(cause = "one\ntwo");
            tracing::info!("{}", "x".repeat(2 * LINE_BYTES_MAX));
        });
        let entry = || {
            let fields = received(&journald);
            let get = |name: &str| fields.iter().find(|(each, _)| each == name).unwrap().1.clone();
            (get("PRIORITY"), get("MESSAGE"))
        };
        let told = "the port cannot be opened: device=reader error=No such file or directory (os error 2) times=3";
        assert_eq!(entry(), ("4".to_owned(), told.to_owned()));
        assert_eq!(entry(), ("6".to_owned(), "ready".to_owned()));
        assert_eq!(entry(), ("3".to_owned(), "cause=one\ntwo".to_owned()));
        assert_eq!(entry().1.len(), LINE_BYTES_MAX);
    }

    #[test]
    fn where_no_journald_is_the_start_says_so() {
        assert!(Journald::at(Path::new("/nonexistent/journal/socket")).is_err());
    }
}
