//! Every command on record: who, where, in which mode, the words, what came of it. Never a PIN.
//!
//! A file a command, synced and then named, so that the daemon finds it whole or not at all. The daemon enters what it finds
//! in the journal and removes it; what was said while it was down is marked so.
//!
//! The disk and the log are written on threads of their own: one that stalls stalls no key.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::Duration;

use serde_json::json;

/// What may wait for a daemon that is down; beyond it nothing more is recorded, and nothing is changed.
const FILES_MAX: usize = 10_000;
/// What is kept of an answer.
const RESULT_BYTES_MAX: usize = 300;
/// What may wait for a disk that stalls; beyond it only the log has it.
const WAITING_MAX: usize = 1_000;
/// A disk that takes longer counts as one that keeps nothing.
const DURABLE_WITHIN: Duration = Duration::from_secs(5);

/// One thing that was said, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) at_ms: i64,
    pub(super) person: u32,
    pub(super) mode: &'static str,
    pub(super) words: String,
    pub(super) result: String,
}

/// Takes notes without waiting for them.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    spool: SyncSender<(Option<Note>, Sender<bool>)>,
    log: Option<SyncSender<String>>,
}

/// What became of a note.
#[derive(Debug)]
pub(super) struct Noted(Receiver<bool>);

impl Noted {
    /// Whether it lies somewhere durable; waits a while for a slow disk.
    pub(super) fn is_durable(&self) -> bool {
        self.0.recv_timeout(DURABLE_WITHIN).unwrap_or(false)
    }
}

impl Recorder {
    /// `to_log`: also on standard error, which is the unit's log and is there when the disk is not.
    pub(super) fn start(directory: &Path, port: &str, to_log: bool) -> Self {
        let mut spool = Spool { directory: directory.to_owned(), port: port.to_owned(), number: 0 };
        let (notes, taken) = mpsc::sync_channel::<(Option<Note>, Sender<bool>)>(WAITING_MAX);
        std::thread::spawn(move || {
            for (note, told) in taken {
                let written = note.is_none_or(|note| spool.note(&note).is_ok());
                let _gone = told.send(written);
            }
        });
        let log = to_log.then(|| {
            let (lines, said) = mpsc::sync_channel::<String>(WAITING_MAX);
            std::thread::spawn(move || said.iter().for_each(|line| eprintln!("{line}")));
            lines
        });
        Self { spool: notes, log }
    }

    pub(super) fn note(&self, note: Note) -> Noted {
        if let Some(log) = &self.log {
            let Note { person, mode, words, result, .. } = &note;
            // A log that is a thousand lines behind loses this one; the spool has it.
            let _full = log.try_send(format!("console: {person} in {mode}: {words}: {result}"));
        }
        let (told, noted) = mpsc::channel();
        // Where there is no room the other end is gone at once, and it counts as not recorded.
        let _full = self.spool.try_send((Some(note), told));
        Noted(noted)
    }

    /// Waits a moment for what is still to be written, before the process ends.
    pub(super) fn settle(&self) {
        let (told, settled) = mpsc::channel();
        if self.spool.try_send((None, told)).is_ok() {
            let _late = settled.recv_timeout(DURABLE_WITHIN);
        }
    }
}

#[derive(Debug)]
struct Spool {
    directory: PathBuf,
    port: String,
    number: u64,
}

impl Spool {
    /// An error means that it is recorded nowhere durable: look, but do not change.
    fn note(&mut self, note: &Note) -> io::Result<()> {
        let Note { at_ms, person, mode, words, result } = note;
        fs::DirBuilder::new().recursive(true).mode(0o770).create(&self.directory)?;
        if fs::read_dir(&self.directory)?.count() >= FILES_MAX {
            return Err(io::Error::other("the spool is full"));
        }
        let result: String = result.chars().take(RESULT_BYTES_MAX).collect();
        let entry = json!({
            "at_ms": at_ms, "person": person, "port": self.port, "mode": mode, "words": words, "result": result,
        });
        self.number += 1;
        let name = format!("{at_ms:013}-{}-{:06}", std::process::id(), self.number);
        let unfinished = self.directory.join(format!("{name}.tmp"));
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o660).open(&unfinished)?;
        file.write_all(entry.to_string().as_bytes())?;
        file.sync_data()?;
        fs::rename(&unfinished, self.directory.join(format!("{name}.json")))?;
        fs::File::open(&self.directory)?.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(words: &str) -> Note {
        Note { at_ms: 5, person: 4001, mode: "down", words: words.to_owned(), result: "begun".to_owned() }
    }

    #[test]
    fn a_note_is_durable_or_known_not_to_be() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::start(&folder.path().join("spool"), "tty", false);
        assert!(recorder.note(note("unit restart")).is_durable());
        recorder.settle();
        let files = fs::read_dir(folder.path().join("spool")).unwrap().count();
        assert_eq!(files, 1);
        let nowhere = Recorder::start(Path::new("/proc/no-such-place/spool"), "tty", false);
        assert!(!nowhere.note(note("unit restart")).is_durable());
    }
}
