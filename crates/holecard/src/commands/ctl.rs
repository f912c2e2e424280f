//! `holecard ctl`: talking to a running daemon over its Unix socket.

mod show;

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::hidden;
use crate::output::{self, BAD, Failure, Outcome, Styled};

/// Longer than the daemon keeps anybody waiting.
const PATIENCE: Duration = Duration::from_secs(30);
/// A round of many hands has a few hundred kilobytes of events.
const ANSWER_BYTES_MAX: u64 = 16 << 20;

/// Talk to a running daemon.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard ctl status\n  \
    holecard ctl --socket /run/holecard/holecard.sock recall 88 --json\n  \
    holecard ctl act stand\n  \
    holecard ctl act --person 2001 floor approve")]
pub(crate) struct Ctl {
    /// The daemon's socket.
    #[arg(long, global = true, value_name = "PATH", default_value = "/run/holecard/holecard.sock")]
    socket: PathBuf,
    /// What the daemon said, as JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: CtlCommand,
}

#[derive(Debug, Subcommand)]
enum CtlCommand {
    /// What the table shows now.
    #[command(after_help = "Examples:\n  holecard ctl status\n  holecard ctl status --json")]
    Status,
    /// The devices and their faults.
    #[command(after_help = "Example:\n  holecard ctl devices")]
    Devices,
    /// The progressive meters.
    #[command(after_help = "Example:\n  holecard ctl meters --json")]
    Meters,
    /// What waits for somebody's attention.
    #[command(after_help = "Example:\n  holecard ctl alerts")]
    Alerts,
    /// One round as it was recorded.
    #[command(after_help = "Example:\n  holecard ctl recall 88 --json")]
    Recall {
        /// The round's number, as the screen shows it.
        round: u64,
    },
    /// Say a line of the play script, or with --action any other action as JSON.
    #[command(after_help = "Examples:\n  holecard ctl act stand\n  holecard ctl act wager 3 main 25\n  \
        holecard ctl act --person 2001 floor approve\n  \
        holecard ctl act --person 2001 correct paid the wrong box\n  \
        holecard ctl act --person 2001 --action '{\"do\":\"acknowledge\",\"alert\":3}'")]
    Act {
        /// The line, as docs/play-script.md has it.
        #[arg(required_unless_present = "action")]
        words: Vec<String>,
        /// For example '{"do":"acknowledge","alert":3}'.
        #[arg(long, conflicts_with = "words", value_name = "JSON")]
        action: Option<String>,
        /// Whose action it is; the PIN is asked for.
        #[arg(long, value_name = "NUMBER")]
        person: Option<u32>,
        /// The second person, where two are needed.
        #[arg(long, value_name = "NUMBER", requires = "person")]
        second: Option<u32>,
    },
}

pub(crate) fn run(args: &Ctl) -> Result<Outcome, Failure> {
    let get = |path: &str| ask(&args.socket, "GET", path, "");
    let answer = match &args.command {
        CtlCommand::Status => get("/api/v1/screen")?,
        CtlCommand::Devices => get("/api/v1/devices")?,
        CtlCommand::Meters => get("/api/v1/meters")?,
        CtlCommand::Alerts => get("/api/v1/alerts")?,
        CtlCommand::Recall { round } => get(&format!("/api/v1/recall/{round}"))?,
        CtlCommand::Act { words, action, person, second } => {
            let action = match action {
                Some(text) => {
                    serde_json::from_str(text).map_err(|error| Failure::Usage(format!("--action: {error}")))?
                }
                None => json!({ "do": "play", "words": words.join(" ") }),
            };
            ask(&args.socket, "POST", "/api/v1/act", &request(&action, *person, *second)?)?
        }
    };
    let mut out = output::stdout();
    if answer.status >= 300 {
        if args.json {
            writeln!(out, "{}", answer.body)?;
        } else {
            let text = |key: &str| answer.body[key].as_str().unwrap_or("?").to_owned();
            writeln!(out, "{} {} [{}]", Styled(BAD, "not done:"), text("reason"), text("clause"))?;
        }
        return Ok(Outcome::Refused);
    }
    if args.json {
        writeln!(out, "{}", answer.body)?;
    } else {
        match args.command {
            CtlCommand::Status => show::status(&mut out, &answer.body)?,
            CtlCommand::Devices => show::devices(&mut out, &answer.body)?,
            CtlCommand::Meters => show::meters(&mut out, &answer.body)?,
            CtlCommand::Alerts => show::alerts(&mut out, &answer.body)?,
            CtlCommand::Recall { .. } => show::recall(&mut out, &answer.body)?,
            CtlCommand::Act { .. } => show::accepted(&mut out, &answer.body["accepted"])?,
        }
    }
    Ok(Outcome::Success)
}

fn request(action: &Value, person: Option<u32>, second: Option<u32>) -> Result<Zeroizing<String>, Failure> {
    let mut key = [0; 16];
    std::fs::File::open("/dev/urandom").and_then(|mut random| random.read_exact(&mut key))?;
    let mut text = String::new();
    for byte in key {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    let mut body = json!({ "key": text, "action": action });
    if let Some(person) = person {
        body["person"] = person.to_string().into();
        body["pin"] = hidden::read(&format!("PIN of {person}"))?.as_str().into();
    }
    if let Some(second) = second {
        let pin = hidden::read(&format!("PIN of {second}"))?;
        body["second"] = json!({ "person": second.to_string(), "pin": pin.as_str() });
    }
    Ok(Zeroizing::new(body.to_string()))
}

struct Answer {
    status: u16,
    body: Value,
}

/// One request on a connection of its own.
fn ask(socket: &Path, method: &str, path: &str, body: &str) -> Result<Answer, Failure> {
    let unreachable = |error: io::Error| {
        Failure::Refused(format!(
            "{}: no daemon answers: {error}\n    is it running, and may you use it?",
            socket.display()
        ))
    };
    let mut stream = UnixStream::connect(socket).map_err(unreachable)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(unreachable)?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: holecard\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(unreachable)?;
    let mut bytes = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes).map_err(unreachable)?;
    understand(&bytes).ok_or_else(|| Failure::Refused(format!("{}: not the daemon's answer", socket.display())))
}

/// The daemon's answers have a known length and are not chunked.
fn understand(bytes: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    Some(Answer { status, body: serde_json::from_str(body).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_by_its_status_and_body() {
        let answer = understand(b"HTTP/1.1 409 Conflict\r\ncontent-length: 19\r\n\r\n{\"error\":\"refused\"}").unwrap();
        assert_eq!(answer.status, 409);
        assert_eq!(answer.body["error"], "refused");
        for bad in [&b""[..], b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 20", b"HTTP/1.1 200 OK\r\n\r\n{", b"hello\r\n\r\n{}"] {
            assert!(understand(bad).is_none());
        }
    }
}
