//! Wrong PINs, counted for each number, with a delay that grows and outlives a restart.
//!
//! Numbers that nobody has are counted like the others, so that a lock-out does not tell which numbers exist.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use operator_api::PersonId;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::durable;

const FILE: &str = "wrong-pins.json";
/// Typing errors that cost nothing.
const FREE: u32 = 2;
const FIRST_DELAY_S: u64 = 30;
const DELAY_MAX_S: u64 = 60 * 60;
/// A bound on the file; beyond it, numbers share one counter.
const NUMBERS_MAX: usize = 1_000;
/// No person has this number in a shared counter's place: numbers that are given out start at 1.
const SHARED: PersonId = PersonId(0);

#[derive(Debug, Error)]
pub enum AttemptsError {
    #[error("the counters of wrong PINs {file} cannot be {operation}: {source}")]
    File { file: String, operation: &'static str, source: io::Error },
    #[error("the counters of wrong PINs {file} cannot be understood: {reason}; a technician may remove the file")]
    Unreadable { file: String, reason: String },
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counter {
    failures: u32,
    /// Seconds since 1970; 0 while there is no delay.
    locked_until_s: u64,
}

#[derive(Debug, Default)]
pub(super) struct Attempts {
    path: PathBuf,
    counters: BTreeMap<PersonId, Counter>,
}

impl Attempts {
    pub(super) fn load(state_directory: &Path) -> Result<Self, AttemptsError> {
        let path = state_directory.join(FILE);
        let file = || path.display().to_string();
        let counters = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| AttemptsError::Unreadable { file: file(), reason: error.to_string() })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(source) => return Err(AttemptsError::File { file: file(), operation: "read", source }),
        };
        Ok(Self { path, counters })
    }

    /// For how many seconds this number has to wait.
    pub(super) fn locked_for(&self, id: PersonId, now_s: u64) -> Option<u64> {
        let counter = self.counters.get(&self.key(id))?;
        let left = counter.locked_until_s.saturating_sub(now_s);
        // A clock that was set back must not lock anybody out for years.
        (left > 0).then(|| left.min(delay_s(counter.failures)))
    }

    /// One more try that counts as wrong until it is forgotten.
    pub(super) fn count(&mut self, id: PersonId, now_s: u64) -> Result<(), AttemptsError> {
        let key = self.key(id);
        let counter = self.counters.entry(key).or_default();
        counter.failures = counter.failures.saturating_add(1);
        let delay = delay_s(counter.failures);
        counter.locked_until_s = if delay == 0 { 0 } else { now_s.saturating_add(delay) };
        self.save()
    }

    /// The PIN was right.
    pub(super) fn forget(&mut self, id: PersonId) -> Result<(), AttemptsError> {
        self.counters.remove(&self.key(id));
        self.save()
    }

    fn key(&self, id: PersonId) -> PersonId {
        if self.counters.contains_key(&id) || self.counters.len() < NUMBERS_MAX { id } else { SHARED }
    }

    fn save(&self) -> Result<(), AttemptsError> {
        let failed =
            |source| AttemptsError::File { file: self.path.display().to_string(), operation: "written", source };
        let bytes = serde_json::to_vec(&self.counters).map_err(|error| failed(error.into()))?;
        durable::replace(&self.path, &bytes).map_err(failed)
    }
}

/// 0, 0, 30 s, 1 min, 2 min … one hour.
fn delay_s(failures: u32) -> u64 {
    match failures.checked_sub(FREE + 1) {
        None => 0,
        Some(doublings) => FIRST_DELAY_S.checked_shl(doublings.min(16)).unwrap_or(DELAY_MAX_S).min(DELAY_MAX_S),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_grows_to_an_hour_and_stays_there() {
        let delays: Vec<u64> = (1..=12).map(delay_s).collect();
        assert_eq!(delays, [0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
        assert_eq!(delay_s(u32::MAX), 3600);
    }

    #[test]
    fn counters_outlive_a_restart_and_a_clock_that_jumps() {
        let directory = tempfile::tempdir().unwrap();
        let (id, other) = (PersonId(7), PersonId(8));
        let mut attempts = Attempts::load(directory.path()).unwrap();
        for _ in 0..4 {
            attempts.count(id, 1_000_000).unwrap();
        }
        let mut again = Attempts::load(directory.path()).unwrap();
        assert_eq!(again.locked_for(id, 1_000_000), Some(60));
        assert_eq!(again.locked_for(id, 1_000_059), Some(1));
        assert_eq!(again.locked_for(id, 1_000_060), None);
        assert_eq!(again.locked_for(id, 0), Some(60), "a clock set back locks for longer than the delay");
        assert_eq!(again.locked_for(other, 1_000_000), None);
        again.forget(id).unwrap();
        assert_eq!(Attempts::load(directory.path()).unwrap().locked_for(id, 1_000_000), None);
    }

    #[test]
    fn a_flood_of_numbers_ends_in_one_shared_counter() {
        let directory = tempfile::tempdir().unwrap();
        let mut attempts = Attempts::load(directory.path()).unwrap();
        attempts.counters =
            (1..=u32::try_from(NUMBERS_MAX).unwrap()).map(|n| (PersonId(n), Counter::default())).collect();
        for number in 5_000..5_003 {
            attempts.count(PersonId(number), 10).unwrap();
        }
        assert_eq!(attempts.counters.len(), NUMBERS_MAX + 1);
        assert_eq!(attempts.locked_for(PersonId(6_000), 10), Some(30));
        attempts.count(PersonId(3), 10).unwrap();
        assert_eq!(attempts.locked_for(PersonId(3), 10), None, "a known number has its own counter");
    }

    #[test]
    fn a_file_that_makes_no_sense_is_an_error_and_no_clean_slate() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(FILE), "{\"7\":{\"failures\":").unwrap();
        assert!(matches!(Attempts::load(directory.path()), Err(AttemptsError::Unreadable { .. })));
    }
}
