//! Where everything lies, and what the table, systemd and the daemon say now.

use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use operator_api::Picture;
use serde_json::Value;
use table_controller::Carried;
use table_daemon::config::{Config, ConfigProblem};
use table_daemon::staff::OWNER_SOCKET;
use table_journal::{DirectoryStorage, JournalError, JournalReader, RecordKind};
use tech_console::show::{Unit, judge};
use tech_console::text::Moment;
use tech_console::{Mode, Names, Situation};

/// A daemon that does not answer within this is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// systemd answers at once or not at all.
const SYSTEMD_WITHIN: Duration = Duration::from_secs(2);
const ANSWER_BYTES_MAX: u64 = 16 << 20;
/// A bound on what is read where the picture should be.
const PICTURE_BYTES_MAX: u64 = 1 << 20;

/// What a console is started with.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The table's own file.
    pub(crate) config_file: PathBuf,
    pub(crate) unit: String,
    pub(crate) systemctl: PathBuf,
    pub(crate) journalctl: PathBuf,
    /// As loaded, or as last loaded, or the defaults.
    pub(crate) config: Config,
    /// What is wrong with the file as it is now.
    pub(crate) problems: Vec<ConfigProblem>,
}

/// A request that was answered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// Whether a round is open. What nobody can say counts as open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    Between,
    Open(u64),
    Unknown,
}

/// One look at everything.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub(crate) unit: Unit,
    pub(crate) picture: Option<Picture>,
    pub(crate) mode: Mode,
    pub(crate) moment: Moment,
}

impl World {
    /// The table's file decides; where it is wrong, the one that was last loaded; where there is none, the defaults.
    pub(crate) fn new(config_file: &Path, systemctl: &Path, journalctl: &Path, last_good: Option<&Path>) -> Self {
        let (config, problems) = match Config::load(&[config_file]) {
            Ok(config) => (config, Vec::new()),
            Err(problems) => {
                let defaults = Config::defaults();
                let last = last_good.map_or_else(|| defaults.console.last_good_file.clone(), Path::to_owned);
                let shipped = || {
                    let (owner, mut shipped) = (Path::new(OWNER_SOCKET), Config::defaults());
                    shipped.staff_socket = owner.exists().then(|| owner.to_owned());
                    shipped
                };
                (Config::load(&[&last]).unwrap_or_else(|_| shipped()), problems)
            }
        };
        Self {
            config_file: config_file.to_owned(),
            unit: "holecardd".to_owned(),
            systemctl: systemctl.to_owned(),
            journalctl: journalctl.to_owned(),
            config,
            problems,
        }
    }

    /// Whether the file may be another one than the one known here: the daemon does not run, or loaded another.
    pub(crate) fn may_be_outdated(&self, now: &Now) -> bool {
        let loaded = now.picture.as_ref().map(|picture| picture.daemon.configuration.as_str());
        let known = self.config.file_text().map(super::change::hash);
        now.mode != Mode::Mute && (!now.mode.is_up() || !self.problems.is_empty() || loaded != known.as_deref())
    }

    /// Reads the configuration again: somebody may have changed the file since.
    pub(crate) fn reload(&mut self) {
        let last = self.config.console.last_good_file.clone();
        let fresh = Self::new(&self.config_file, &self.systemctl, &self.journalctl, Some(&last));
        (self.config, self.problems) = (fresh.config, fresh.problems);
    }

    pub(crate) fn picture(&self) -> Option<Picture> {
        let mut bytes = Vec::new();
        let file = fs::File::open(&self.config.console.picture_file).ok()?;
        file.take(PICTURE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(crate) fn now(&self) -> Now {
        let picture = self.picture();
        let unit = self.unit_state(picture.as_ref());
        let moment = self.moment(picture.as_ref());
        let mode = judge(&unit, picture.as_ref(), moment.unix_ms);
        Now { unit, picture, mode, moment }
    }

    pub(crate) fn moment(&self, picture: Option<&Picture>) -> Moment {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let unix_ms = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let offset_s = self.config.day.offset_s(unix_ms);
        let doubtful = picture.is_some_and(|picture| {
            picture.table.stops.iter().any(|stop| stop.source == table_controller::Code::ClockDoubtful.to_string())
        });
        Moment { unix_ms, offset_s, doubtful }
    }

    /// What systemd says; where there is none, whether the program that wrote the picture still runs.
    pub(crate) fn unit_state(&self, picture: Option<&Picture>) -> Unit {
        self.ask_systemd().unwrap_or_else(|| {
            let alive = picture.is_some_and(|picture| Path::new(&format!("/proc/{}", picture.daemon.pid)).exists());
            Unit {
                name: self.unit.clone(),
                state: if alive { "active" } else { "inactive" }.to_owned(),
                since_ms: picture.filter(|_| alive).map_or(0, |picture| picture.daemon.started_ms),
                ..Unit::default()
            }
        })
    }

    fn ask_systemd(&self) -> Option<Unit> {
        const PROPERTIES: &str = "ActiveState,Result,ExecMainStatus,NRestarts,StateChangeTimestamp";
        let mut command = Command::new(&self.systemctl);
        command.args(["show", &self.unit, "--timestamp=unix", "--property", PROPERTIES]);
        let text = said_within(&mut command, SYSTEMD_WITHIN)?;
        let value = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).unwrap_or_default().to_owned()
        };
        let state = value("ActiveState");
        if state.is_empty() {
            return None;
        }
        let since: i64 = value("StateChangeTimestamp").trim_start_matches('@').parse().unwrap_or(0);
        let exit: Option<i32> = value("ExecMainStatus").parse().ok();
        Some(Unit {
            name: self.unit.clone(),
            exit_status: exit.filter(|_| state != "active"),
            result: value("Result"),
            restarts: value("NRestarts").parse().unwrap_or(0),
            since_ms: since * 1_000,
            state,
        })
    }

    pub(crate) fn situation(&self, now: &Now) -> Situation {
        let table = now.picture.as_ref().map(|picture| &picture.table);
        Situation {
            mode: now.mode,
            round_open: now.round() != Round::Between,
            in_service: now.mode.is_up() && table.is_some_and(|table| table.service.is_some()),
        }
    }

    /// As `situation`, and while the daemon is down by the journal's last records, where this user may read them. For
    /// commands that change something: a disk is read.
    pub(crate) fn round(&self, now: &Now) -> Round {
        if now.mode != Mode::Down {
            return now.round();
        }
        match last_round(&self.config.journal.directory) {
            Ok(Some(number)) => Round::Open(number),
            Ok(None) => Round::Between,
            Err(_) => Round::Unknown,
        }
    }

    /// What arguments can name.
    pub(crate) fn names(&self) -> Names {
        let devices = &self.config.devices;
        let present = [
            (devices.reader.is_some(), "reader"),
            (devices.shuffler.is_some(), "shuffler"),
            (!devices.shoe.is_empty(), "shoe"),
            (devices.shoe.len() > 1, "right-shoe"),
        ];
        let codes = super::look::every_code();
        let mut configurations = vec!["last-good".to_owned()];
        configurations.extend(super::change::staged(self));
        let devices = present.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_owned()).collect();
        Names { devices, codes, configurations }
    }

    pub(crate) fn table_id(&self) -> &str {
        &self.config.table_id
    }

    /// One request to the daemon on a connection of its own.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> io::Result<Answer> {
        let mut stream = UnixStream::connect(&self.config.http.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: holecard\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )?;
        let mut bytes = Vec::new();
        stream.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes)?;
        understand(&bytes).ok_or_else(|| io::Error::other("not the daemon's answer"))
    }
}

impl Now {
    /// A picture that is not current says nothing about now, and closed mode has not looked at the journal.
    fn round(&self) -> Round {
        let Some(table) = self.picture.as_ref().map(|picture| &picture.table).filter(|_| self.mode.is_up()) else {
            return Round::Unknown;
        };
        if table.round_open {
            Round::Open(table.round)
        } else if self.mode == Mode::Faulted {
            Round::Unknown
        } else {
            Round::Between
        }
    }
}

/// What a program says, if it ends well in time. One that hangs is ended.
pub(super) fn said_within(command: &mut Command, within: Duration) -> Option<String> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let (told, said) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.by_ref().take(ANSWER_BYTES_MAX).read_to_end(&mut bytes);
        let _gone = told.send(read.map(|_| bytes));
    });
    let Ok(Ok(bytes)) = said.recv_timeout(within) else {
        let _ended = child.kill();
        let _ended = child.wait();
        return None;
    };
    let ended = child.wait().ok()?;
    ended.success().then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The round that the journal's last records leave open.
fn last_round(journal: &Path) -> Result<Option<u64>, Box<dyn Error>> {
    let storage = DirectoryStorage::for_reading(journal).map_err(|source| JournalError::Storage {
        operation: "open",
        file: journal.display().to_string(),
        source,
    })?;
    let mut carried = Carried::default();
    for record in JournalReader::new(storage, None, None).records_from_checkpoint()? {
        let record = record?;
        match record.kind {
            RecordKind::Checkpoint => carried = Carried::from_checkpoint(&record.events, record.sequence.0)?,
            RecordKind::Input => carried.follow(record.sequence.0, &record.events)?,
            RecordKind::Epoch | RecordKind::Close | RecordKind::Signature => {}
        }
    }
    Ok(carried.open_round)
}

/// The daemon's answers have a known length and are not chunked.
pub(crate) fn understand(bytes: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    Some(Answer { status, body: serde_json::from_str(body).ok()? })
}
