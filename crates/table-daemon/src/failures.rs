//! How often the daemon has failed lately, and at what. It lies where the service manager keeps it between two starts and
//! nowhere else: a board that is switched off and on begins anew.
//!
//! A daemon that fails again and again at its start would leave screen and console dark; after the fourth failure in a row the
//! next start comes up without the table ([`crate::closed`]). Every end counts that is not in order: an error, a panic, and,
//! by the mark that each run leaves until it has been up for a while, also a kill, an abort and a start that took too long.

use std::fs;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use operator_api::bounded;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Four starts of two minutes each that systemd gave up (`TimeoutStartSec=`), and room beside them.
const WITHIN_S: i64 = 15 * 60;
/// A run that has been ready for so long is none of a row of failures; the unit's own limit is five starts in as long.
pub(crate) const UP_AFTER: Duration = Duration::from_secs(120);
/// What is known of a run that left its mark.
const WITHOUT_A_WORD: &str = "ended without a word soon after its start: killed, aborted, or out of time";
const FAILURES_MAX: usize = 4;
/// A sentence; a panic's message may repeat a whole record.
const TEXT_CHARS_MAX: usize = 300;
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// The record that is being applied, for whoever reads of a panic.
static AT_RECORD: AtomicU64 = AtomicU64::new(0);

static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// The last panic is one for the whole program: tests that panic on purpose do so one after another.
#[cfg(test)]
pub(crate) static ON_PURPOSE: Mutex<()> = Mutex::new(());

pub(crate) fn at_record(number: u64) {
    AT_RECORD.store(number, Ordering::Relaxed);
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// Seconds since the board was switched on: no clock that is set moves it.
    pub(crate) at_s: i64,
    pub(crate) what: String,
}

/// The file of failures. A line a failure.
#[derive(Clone, Debug)]
pub(crate) struct Failures {
    path: PathBuf,
    /// There from a start until the run has been up for a while, or has ended and said how.
    mark: PathBuf,
}

impl Failures {
    /// Beside the picture of the table: on no disk.
    pub(crate) fn beside(picture: &Path) -> Self {
        Self { path: picture.with_file_name("failures"), mark: picture.with_file_name("started") }
    }

    /// A run begins. One before it that left its mark has failed.
    pub(crate) fn begin(&self) {
        if self.mark.exists() {
            self.note(WITHOUT_A_WORD);
        }
        let _marked = fs::write(&self.mark, b"");
    }

    /// Those that count now, oldest first.
    pub(crate) fn recent(&self) -> Vec<Failure> {
        let mut text = String::new();
        let read = fs::File::open(&self.path).map(|file| io::Read::take(file, FILE_BYTES_MAX));
        let read = read.and_then(|mut file| io::Read::read_to_string(&mut file, &mut text));
        if read.is_err() {
            return Vec::new();
        }
        let now = uptime_s();
        let counts = |failure: &Failure| (0..=WITHIN_S).contains(&(now - failure.at_s));
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(counts).collect()
    }

    /// Whether the next start comes up without the table.
    pub(crate) fn are_too_many(recent: &[Failure]) -> bool {
        recent.len() >= FAILURES_MAX
    }

    /// Never in the way of whatever has failed.
    pub(crate) fn note(&self, what: &str) {
        let failure = Failure { at_s: uptime_s(), what: bounded(what, TEXT_CHARS_MAX) };
        let line = serde_json::to_string(&failure).map_err(io::Error::other);
        let file = fs::OpenOptions::new().create(true).append(true).open(&self.path);
        let _noted = line.and_then(|line| writeln!(file?, "{line}"));
    }

    /// It ended in order, or has been up for [`UP_AFTER`].
    pub(crate) fn forget(&self) {
        let _gone = fs::remove_file(&self.mark);
        let _gone = fs::remove_file(&self.path);
    }

    /// It ended by this error. A panic behind it says more than the error that it led to.
    pub(crate) fn note_end(&self, error: &dyn std::fmt::Display) {
        self.end(error, LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn end(&self, error: &dyn std::fmt::Display, panic: Option<String>) {
        self.note(&panic.unwrap_or_else(|| error.to_string()));
        let _said = fs::remove_file(&self.mark);
    }
}

/// From here on the last panic is remembered. Not every one ends the process: a device's actor is started again.
pub(crate) fn remember_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(words(panic));
    }));
}

fn words(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
    let message = panic.payload_as_str().unwrap_or("no message");
    format!("PANIC at record {}: {place}: {message}", AT_RECORD.load(Ordering::Relaxed))
}

fn uptime_s() -> i64 {
    clock_gettime(ClockId::Boottime).tv_sec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_failures_in_a_row_are_too_many_and_old_ones_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let failures = Failures::beside(&folder.path().join("status.json"));
        assert!(failures.recent().is_empty());
        let old = Failure { at_s: uptime_s() - WITHIN_S - 1, what: "long ago".to_owned() };
        let ahead = Failure { at_s: uptime_s() + 1_000, what: "of another board".to_owned() };
        for each in [old, ahead] {
            let line = serde_json::to_string(&each).unwrap() + "\n";
            fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(&failures.path)
                .unwrap()
                .write_all(line.as_bytes())
                .unwrap();
        }
        for number in 0..4 {
            assert!(!Failures::are_too_many(&failures.recent()), "{number}");
            failures.note("the journal\ncannot be opened");
        }
        assert!(Failures::are_too_many(&failures.recent()));
        assert_eq!(failures.recent()[0].what, "the journal\\u{a}cannot be opened");
        failures.forget();
        assert!(failures.recent().is_empty());
    }

    #[test]
    fn a_run_that_left_its_mark_has_failed_and_one_that_said_how_it_ended_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let failures = Failures::beside(&folder.path().join("status.json"));
        failures.begin();
        assert!(failures.recent().is_empty(), "nothing has failed yet");
        failures.begin();
        assert_eq!(failures.recent().len(), 1, "killed");
        assert_eq!(failures.recent()[0].what, WITHOUT_A_WORD);
        failures.end(&"the disk is full", None);
        failures.begin();
        assert_eq!(failures.recent().len(), 2, "an error is not a kill as well");
        failures.forget();
        failures.begin();
        assert!(failures.recent().is_empty());
    }

    #[test]
    fn a_panic_is_remembered_with_its_record_and_its_place() {
        let _alone = ON_PURPOSE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let failures = Failures::beside(&folder.path().join("status.json"));
        remember_panics();
        at_record(4_512);
        let ended = std::thread::spawn(|| panic!("a meter passed its limit")).join();
        assert!(ended.is_err());
        failures.note_end(&"the loop ended by a bug");
        failures.note_end(&"the disk is full");
        let recent = failures.recent();
        let first = recent.iter().find(|failure| failure.what.contains("a meter passed its limit")).unwrap();
        assert!(first.what.starts_with("PANIC at record 4512: ") && first.what.contains("failures.rs:"), "{first:?}");
        assert_eq!(recent.last().unwrap().what, "the disk is full");
    }
}
