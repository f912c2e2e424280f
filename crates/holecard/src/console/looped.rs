//! `loop`: bytes out and back through a plug that joins the two wires. In service mode the daemon lends the port, while it is
//! down the port is nobody's; and never towards a device: whatever talks by itself is no plug.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use device_drivers::config::SerialLink;
use serde_json::json;
use tech_console::Output;
use tech_console::output::NotDone;
use tech_console::text::{count, wrap};

use super::mon::{is_down, is_quiet, kind_of, link_of, prefix, take_port};
use super::run::{Dialog, not_now};
use super::world::{World, understand};

/// A device says something every second; a plug says nothing by itself.
const LISTEN: Duration = Duration::from_millis(2_500);
/// The driver lets go of a port at once.
const LENT_WITHIN: Duration = Duration::from_secs(10);
const LENT: &[u8] = b"{\"lent\":true}";
/// Without a byte for so long, no more will come.
const QUIET: Duration = Duration::from_secs(1);
const FEW: usize = 64;
const MANY: usize = 4_096;
/// What is on its way at once: more than this may be lost in a small buffer and would look like a bad wire.
const AHEAD: usize = 64;

/// What came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Back {
    sent: usize,
    back: usize,
    wrong: usize,
}

impl Back {
    fn is_whole(self) -> bool {
        self.back == self.sent && self.wrong == 0
    }

    fn words(self) -> String {
        let Self { sent, back, wrong } = self;
        let number = |bytes: usize| count(u64::try_from(bytes).unwrap_or(u64::MAX));
        let what = match (back, wrong) {
            (0, _) => return format!("sent {} B, back 0 B: a wire is broken between here and the plug", number(sent)),
            (_, 0) if back == sent => "all between here and the plug is good",
            (_, _) => "a poor contact, or noise, between here and the plug",
        };
        format!("sent {} B, back {} B, {} wrong: {what}", number(sent), number(back), number(wrong))
    }
}

pub(super) fn run(world: &World, name: &str, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let in_use = port_in_use(name);
    let link = link_of(world, name).ok_or_else(|| not_now(format!("{name} is not configured: look: dev list")))?;
    let SerialLink::Tty { path, baud } = &link else {
        return Err(not_now("a serial server has no plug here: look: dev show"));
    };
    // Held until the test is over: then the port is the daemon's again.
    let lent = if is_down(world)? { None } else { Some(borrow(world, name, &in_use)?) };
    let cannot = |error: io::Error| not_now(format!("{} cannot be used: {error}: look: ports", path.display()));
    let mut port = take_port(path, *baud, true).map_err(cannot)?;
    if hears(&mut port, dialog).map_err(cannot)? {
        let reason = format!("something talks on this port by itself: no plug is there; try mon raw {name}");
        return Err(NotDone::new("refused", reason, in_use));
    }
    let mut found = send(&mut port, FEW, dialog).map_err(cannot)?;
    if found.is_whole() && (lent.is_some() || is_down(world)?) {
        found = send(&mut port, MANY, dialog).map_err(cannot)?;
    }
    let data = json!({ "sent": found.sent, "back": found.back, "wrong": found.wrong });
    Ok(Output::text(wrap("", 0, &found.words()), data))
}

/// The code of a port that another one holds.
fn port_in_use(name: &str) -> String {
    format!("{}-002", prefix(kind_of(name)))
}

/// The port from the daemon, for as long as the connection stands. It lends none on which a device answers.
fn borrow(world: &World, name: &str, in_use: &str) -> Result<UnixStream, NotDone> {
    let gone = |_: io::Error| not_now("the daemon does not answer: look: unit status");
    let mut stream = UnixStream::connect(&world.config.http.socket).map_err(gone)?;
    stream.set_read_timeout(Some(LENT_WITHIN)).map_err(gone)?;
    write!(stream, "GET /api/v1/lend/{name} HTTP/1.1\r\nhost: holecard\r\nconnection: close\r\n\r\n").map_err(gone)?;
    let (mut said, mut buffer) = (Vec::new(), [0; 1_024]);
    loop {
        let read = stream.read(&mut buffer).map_err(gone)?;
        said.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if said.windows(LENT.len()).any(|part| part == LENT) {
            return Ok(stream);
        }
        if read == 0 {
            let reason = understand(&said).and_then(|answer| answer.body["reason"].as_str().map(str::to_owned));
            let reason = reason.unwrap_or_else(|| "the daemon lends no port".to_owned());
            return Err(NotDone::new("refused", format!("{reason}; try mon raw {name}"), in_use));
        }
    }
}

/// Whether anything comes without being asked.
fn hears(port: &mut File, dialog: &dyn Dialog) -> io::Result<bool> {
    let began = Instant::now();
    while began.elapsed() < LISTEN && !dialog.stopped() {
        match port.read(&mut [0; 64]) {
            Ok(0) => {}
            Ok(_) => return Ok(true),
            Err(error) if is_quiet(&error) => {}
            Err(error) => return Err(error),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(false)
}

/// Every byte but 0: that one ends a frame, and nothing here is to be one.
fn byte(at: usize) -> u8 {
    u8::try_from(at % 255).map_or(1, |low| low + 1)
}

fn send(port: &mut (impl Read + Write), bytes: usize, dialog: &dyn Dialog) -> io::Result<Back> {
    let mut found = Back { sent: 0, back: 0, wrong: 0 };
    let mut moved = Instant::now();
    let mut buffer = [0; AHEAD];
    while found.back < bytes && moved.elapsed() < QUIET && !dialog.stopped() {
        let ahead = (bytes - found.sent).min(AHEAD.saturating_sub(found.sent - found.back));
        if ahead > 0 {
            let next: Vec<u8> = (found.sent..found.sent + ahead).map(byte).collect();
            match port.write(&next) {
                Ok(written) => found.sent += written,
                Err(error) if is_quiet(&error) => {}
                Err(error) => return Err(error),
            }
        }
        match port.read(&mut buffer) {
            Ok(read) => {
                for came in buffer.iter().take(read) {
                    found.wrong += usize::from(*came != byte(found.back));
                    found.back += 1;
                }
                if read > 0 {
                    moved = Instant::now();
                    continue;
                }
            }
            Err(error) if is_quiet(&error) => {}
            Err(error) => return Err(error),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_back_names_the_part() {
        let words = |sent, back, wrong| Back { sent, back, wrong }.words();
        assert_eq!(
            words(4_096, 4_096, 0),
            "sent 4,096 B, back 4,096 B, 0 wrong: all between here and the plug is good"
        );
        assert_eq!(words(64, 0, 0), "sent 64 B, back 0 B: a wire is broken between here and the plug");
        assert!(words(64, 60, 2).ends_with("a poor contact, or noise, between here and the plug"));
        assert!((0..MANY).all(|at| byte(at) != 0), "no frame ends");
    }
}
