//! Wrong PINs: a counter for each of the staff with a delay that grows, one budget for all numbers that nobody has, and a
//! limit on wrong PINs in all.
//!
//! - Whoever has a number waits only for wrong PINs of that number, and never longer than [`WAIT_MAX_S`].
//! - Beyond the limit in all there are no free tries: each wrong PIN makes its number wait [`WAIT_MAX_S`]. The right PIN of
//!   somebody who does not wait is always let in, so nobody can lock out everybody.
//! - Numbers that nobody has share one budget that no right PIN clears. It is smaller than the limit, so these numbers alone
//!   never take away the staff's free tries. They are counted and never kept: somebody may have typed their PIN there.
//!
//! `docs/security/threats.md` works out what a night of guessing reaches; a test beside this holds the figure.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use operator_api::PersonId;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::durable;

const FILE: &str = "wrong-pins.json";
const VERSION: u32 = 2;
/// Typing errors that cost nothing.
const FREE: u32 = 2;
const FIRST_WAIT_S: u64 = 30;
/// The longest that anybody with the right PIN is kept out by somebody who has gone.
pub(super) const WAIT_MAX_S: u64 = 30 * 60;
/// A wrong PIN is forgiven for each hour without one.
const FORGIVEN_AFTER_S: u64 = 60 * 60;
/// A shift's typing errors; from then on one more every six minutes.
pub(super) const IN_ALL: Rate = Rate { at_once: 20, every_s: 360 };
pub(super) const NOBODYS: Rate = Rate { at_once: 10, every_s: 720 };

#[derive(Debug, Error)]
pub enum AttemptsError {
    #[error("the counters of wrong PINs {file} cannot be {operation}: {source}")]
    File { file: String, operation: &'static str, source: io::Error },
    #[error("the counters of wrong PINs {file} cannot be understood: {reason}; a technician may remove the file")]
    Unreadable { file: String, reason: String },
}

/// So many at once, and one more each time that so many seconds have passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) at_once: u64,
    pub(super) every_s: u64,
}

/// What has been used of a [`Rate`], as the seconds until it is whole again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Used(u64);

impl Used {
    /// For how long there is none left.
    fn wait_s(self, rate: Rate) -> Option<u64> {
        let most = (rate.at_once - 1) * rate.every_s;
        self.0.checked_sub(most).filter(|left| *left > 0)
    }

    /// Takes one if there is one.
    fn take(&mut self, rate: Rate) -> bool {
        let there = self.wait_s(rate).is_none();
        if there {
            self.0 += rate.every_s;
        }
        there
    }

    fn give_back(&mut self, rate: Rate) {
        self.0 = self.0.saturating_sub(rate.every_s);
    }

    fn is_below_half(self, rate: Rate) -> bool {
        self.0 <= rate.at_once * rate.every_s / 2
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counter {
    failures: u32,
    wait_s: u64,
    /// Since the last wrong PIN, or since one was forgiven.
    quiet_s: u64,
}

impl Counter {
    fn passes(&mut self, seconds: u64) {
        self.wait_s = self.wait_s.saturating_sub(seconds);
        self.quiet_s = self.quiet_s.saturating_add(seconds);
        let forgiven = self.quiet_s / FORGIVEN_AFTER_S;
        self.quiet_s %= FORGIVEN_AFTER_S;
        self.failures = self.failures.saturating_sub(u32::try_from(forgiven).unwrap_or(u32::MAX));
    }
}

/// As it is kept. Everything in it is a length of time and none a time of day: a clock that is set moves nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    version: u32,
    /// How long the board had been on when this was written.
    uptime_s: u64,
    people: BTreeMap<PersonId, Counter>,
    nobodys: Used,
    in_all: Used,
    /// The floor is told until half of what was used is there again.
    alarm: bool,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            version: VERSION,
            uptime_s: 0,
            people: BTreeMap::new(),
            nobodys: Used::default(),
            in_all: Used::default(),
            alarm: false,
        }
    }
}

/// Of the first version, which kept every number that was tried.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstCounter {
    failures: u32,
    #[serde(rename = "locked_until_s")]
    _locked_until_s: u64,
}

/// Whose number was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tried {
    Staff(PersonId),
    /// Not even the number is kept.
    Nobody,
}

/// A try that counts as wrong until it is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub(super) struct Counted {
    id: PersonId,
    within_limit: bool,
}

#[derive(Debug)]
pub(super) struct Attempts {
    path: PathBuf,
    kept: Kept,
}

impl Attempts {
    /// `staff`: who has a number. Whatever else an older file names is dropped from it at once.
    pub(super) fn load(state_directory: &Path, staff: &BTreeSet<PersonId>, now_s: u64) -> Result<Self, AttemptsError> {
        let path = state_directory.join(FILE);
        let file = || path.display().to_string();
        let unreadable = |reason: String| AttemptsError::Unreadable { file: file(), reason };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path, kept: Kept { uptime_s: now_s, ..Kept::default() } });
            }
            Err(source) => return Err(AttemptsError::File { file: file(), operation: "read", source }),
        };
        if let Ok(first) = serde_json::from_slice::<BTreeMap<PersonId, FirstCounter>>(&bytes) {
            let mut attempts = Self { kept: from_first(&first, staff, now_s), path };
            attempts.save()?;
            return Ok(attempts);
        }
        let kept: Kept = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        if kept.version != VERSION {
            return Err(unreadable(format!("it has version {}, this software reads {VERSION}", kept.version)));
        }
        let mut attempts = Self { path, kept };
        attempts.pass_to(now_s);
        Ok(attempts)
    }

    /// Lets the time since the last call pass. The board's uptime is all that is asked: no clock that is set moves it, and
    /// after the board was off at least its uptime has passed, never less.
    pub(super) fn pass_to(&mut self, now_s: u64) {
        let passed = now_s.checked_sub(self.kept.uptime_s).unwrap_or(now_s);
        self.kept.uptime_s = now_s;
        for counter in self.kept.people.values_mut() {
            counter.passes(passed);
        }
        self.kept.people.retain(|_, counter| counter.failures > 0 || counter.wait_s > 0);
        self.kept.nobodys.0 = self.kept.nobodys.0.saturating_sub(passed);
        self.kept.in_all.0 = self.kept.in_all.0.saturating_sub(passed);
        self.kept.alarm &= !(self.kept.in_all.is_below_half(IN_ALL) && self.kept.nobodys.is_below_half(NOBODYS));
    }

    /// For how many seconds this number has to wait.
    pub(super) fn wait_s(&self, tried: Tried) -> Option<u64> {
        match tried {
            Tried::Staff(id) => self.kept.people.get(&id).map(|counter| counter.wait_s).filter(|left| *left > 0),
            Tried::Nobody => self.kept.nobodys.wait_s(NOBODYS),
        }
    }

    /// One more try that counts as wrong until it is forgotten.
    pub(super) fn count(&mut self, tried: Tried) -> Result<Option<Counted>, AttemptsError> {
        let within_limit = self.kept.in_all.take(IN_ALL);
        let counted = match tried {
            Tried::Staff(id) => {
                let counter = self.kept.people.entry(id).or_default();
                counter.failures = counter.failures.saturating_add(1);
                counter.quiet_s = 0;
                counter.wait_s = if within_limit { wait_s(counter.failures) } else { WAIT_MAX_S };
                Some(Counted { id, within_limit })
            }
            Tried::Nobody => {
                self.kept.nobodys.take(NOBODYS);
                None
            }
        };
        self.save()?;
        Ok(counted)
    }

    /// The PIN was right.
    pub(super) fn forget(&mut self, counted: Counted) -> Result<(), AttemptsError> {
        self.kept.people.remove(&counted.id);
        if counted.within_limit {
            self.kept.in_all.give_back(IN_ALL);
        }
        self.save()
    }

    /// The PIN was wrong. Whether the floor has to know.
    pub(super) fn was_wrong(&mut self) -> Result<(), AttemptsError> {
        let used_up = self.kept.in_all.wait_s(IN_ALL).is_some() || self.kept.nobodys.wait_s(NOBODYS).is_some();
        if used_up && !self.kept.alarm {
            self.kept.alarm = true;
            return self.save();
        }
        Ok(())
    }

    pub(super) fn alarm(&self) -> bool {
        self.kept.alarm
    }

    fn save(&mut self) -> Result<(), AttemptsError> {
        let failed =
            |source| AttemptsError::File { file: self.path.display().to_string(), operation: "written", source };
        let bytes = serde_json::to_vec(&self.kept).map_err(|error| failed(error.into()))?;
        durable::replace(&self.path, &bytes).map_err(failed)
    }
}

/// What it counted for the staff stands, with the wait from its beginning; of all other numbers only that they were tried.
fn from_first(first: &BTreeMap<PersonId, FirstCounter>, staff: &BTreeSet<PersonId>, now_s: u64) -> Kept {
    let mut kept = Kept { uptime_s: now_s, ..Kept::default() };
    for (id, FirstCounter { failures, .. }) in first {
        if staff.contains(id) {
            kept.people.insert(*id, Counter { failures: *failures, wait_s: wait_s(*failures), quiet_s: 0 });
        } else {
            kept.nobodys.take(NOBODYS);
        }
    }
    kept
}

/// 0, 0, 30 s, 1 min, 2 min … half an hour.
fn wait_s(failures: u32) -> u64 {
    match failures.checked_sub(FREE + 1) {
        None => 0,
        Some(doublings) => FIRST_WAIT_S.checked_shl(doublings.min(16)).unwrap_or(WAIT_MAX_S).min(WAIT_MAX_S),
    }
}

#[cfg(test)]
mod tests;
