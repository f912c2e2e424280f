//! When somebody was last at this console, and how many wrong PINs were given for the number here since: somebody else's
//! tries are told to whom they concern.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use operator_api::PersonId;
use serde::{Deserialize, Serialize};
use tech_console::text::{Moment, count};

/// Numbers that nobody has are counted too; beyond this the rest is not.
const NUMBERS_MAX: usize = 1_000;
const FILE_BYTES_MAX: usize = 256 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Visit {
    /// Milliseconds since 1970; 0 for never.
    pub(super) at_ms: i64,
    pub(super) wrong: u64,
}

/// A small file beside the spool. What cannot be kept is not told: nothing else depends on it.
#[derive(Clone, Debug)]
pub(super) struct Visits(PathBuf);

impl Visits {
    pub(super) fn beside(spool: &Path) -> Self {
        Self(spool.with_file_name("last-here.json"))
    }

    fn read(&self) -> BTreeMap<PersonId, Visit> {
        let bytes = fs::read(&self.0).ok().filter(|bytes| bytes.len() <= FILE_BYTES_MAX);
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn change(&self, number: PersonId, change: impl FnOnce(&mut Visit)) -> Option<Visit> {
        let mut all = self.read();
        let before = all.get(&number).copied();
        if before.is_none() && all.len() >= NUMBERS_MAX {
            return None;
        }
        change(all.entry(number).or_default());
        let fresh = self.0.with_extension("new");
        let written = serde_json::to_vec(&all).map_err(std::io::Error::other).and_then(|bytes| {
            let mut file = fs::File::create(&fresh)?;
            file.write_all(&bytes)?;
            file.sync_data()?;
            fs::rename(&fresh, &self.0)
        });
        before.filter(|_| written.is_ok())
    }

    /// Counted for whoever was here before; any other number may be a PIN and is written nowhere.
    pub(super) fn wrong(&self, number: PersonId) {
        if !self.read().contains_key(&number) {
            return;
        }
        let _before = self.change(number, |visit| visit.wrong = visit.wrong.saturating_add(1));
    }

    /// Somebody is in; what was known before.
    pub(super) fn enter(&self, number: PersonId, at_ms: i64) -> Option<Visit> {
        self.change(number, |visit| *visit = Visit { at_ms, wrong: 0 })
    }
}

/// `Last here 2026-11-16 21:40; 3 wrong PINs since. `, or nothing on the first visit.
pub(super) fn words(visit: Option<Visit>, now: Moment) -> String {
    let Some(Visit { at_ms, wrong }) = visit else { return String::new() };
    let since = match wrong {
        0 => String::new(),
        1 => "; 1 wrong PIN here since".to_owned(),
        wrong => format!("; {} wrong PINs here since", count(wrong)),
    };
    let last = Moment { unix_ms: at_ms, ..now }.date_time();
    // To the minute.
    format!("Last here {}{since}. ", last.get(..last.len().saturating_sub(3)).unwrap_or(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_pins_are_told_once_to_whom_they_concern() {
        let folder = tempfile::tempdir().unwrap();
        let visits = Visits::beside(&folder.path().join("spool"));
        let (you, other) = (PersonId(4711), PersonId(4712));
        let now = Moment { unix_ms: 1_794_942_131_000, ..Moment::default() };
        assert_eq!(words(visits.enter(you, now.unix_ms), now), "");
        visits.wrong(you);
        visits.wrong(you);
        visits.wrong(other);
        let told = words(visits.enter(you, now.unix_ms + 1), now);
        assert_eq!(told, "Last here 2026-11-17 19:02; 2 wrong PINs here since. ");
        assert_eq!(words(visits.enter(you, now.unix_ms), now), "Last here 2026-11-17 19:02. ");
        assert!(!fs::read_to_string(&visits.0).unwrap().contains("4712"), "a number that nobody has");
        assert_eq!(words(visits.enter(other, now.unix_ms), now), "");
        let line = format!("4711 technician. {told}? for help");
        assert!(line.len() <= 80, "{line}");
    }
}
