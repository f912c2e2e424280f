//! A round, or the answer to one request, as the records tell it, read back from the journal.
//!
//! Bytes of a record are in its file before they are durable. What is answered here is therefore bounded by the durable
//! sequence as the writer told it, by type: [`DurableJournal`] is the only way to the records, and it cannot be made
//! without that bound. What is read for one answer is bounded too, and so is how many read at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use table_journal::{DirectoryStorage, Head, JournalError, JournalReader, Record, RecordKind, Sequence};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ledger::{RequestPlace, RoundRecords};
use crate::handle::Reply;

/// A long round has some hundreds of records; one that was left open for a night has the minutes too.
const RECORDS_MAX: usize = 5_000;
const BYTES_MAX: usize = 4 << 20;
/// Each reads up to a whole segment.
const READERS_MAX: usize = 2;

/// The journal up to the last record that is durable.
#[derive(Clone, Debug)]
pub(super) struct DurableJournal {
    directory: PathBuf,
    through: Sequence,
}

/// Why the journal does not say it again.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRecalled {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("record {sequence} cannot be read: {cause}; `holecard journal verify` says more")]
    Unreadable { sequence: u64, cause: serde_json::Error },
}

fn unreadable(record: &Record) -> impl Fn(serde_json::Error) -> NotRecalled {
    let sequence = record.sequence.0;
    move |cause| NotRecalled::Unreadable { sequence, cause }
}

/// How many may read at once.
#[derive(Clone, Debug)]
pub(super) struct Readers(Arc<Semaphore>);

impl Default for Readers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(READERS_MAX)))
    }
}

impl Readers {
    /// A place to read in, for as long as it is held; `None` where all are taken.
    pub(super) fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}

impl DurableJournal {
    pub(super) fn new(directory: &Path, durable: Head) -> Self {
        Self { directory: directory.to_owned(), through: durable.sequence }
    }

    fn records_from(
        &self,
        first: u64,
    ) -> Result<impl Iterator<Item = Result<Record, JournalError>> + use<>, JournalError> {
        let storage = DirectoryStorage::for_reading(&self.directory).map_err(|source| JournalError::Storage {
            operation: "open",
            file: self.directory.display().to_string(),
            source,
        })?;
        let through = self.through;
        let records = JournalReader::new(storage, None, None).records_from(Sequence(first))?;
        Ok(records.take_while(move |record| record.as_ref().map_or(true, |record| record.sequence <= through)))
    }

    /// JSON of one round: its records with time, person, input and events.
    pub(super) fn round(&self, place: RoundRecords) -> Result<String, NotRecalled> {
        let (mut records, mut bytes, mut cut_off) = (Vec::new(), 0, false);
        for record in self.records_from(place.first)? {
            let record = record?;
            if place.last.is_some_and(|last| record.sequence.0 > last) {
                break;
            }
            if record.kind != RecordKind::Input {
                continue;
            }
            bytes += record.input.len() + record.events.len();
            if records.len() == RECORDS_MAX || bytes > BYTES_MAX {
                cut_off = true;
                break;
            }
            let parsed = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).map_err(unreadable(&record));
            records.push(json!({
                "sequence": record.sequence.0,
                "wall_us": record.wall.0,
                "person": record.person.0,
                "input": parsed(&record.input)?,
                "events": parsed(&record.events)?,
            }));
        }
        let mut told = json!({ "round": place.round, "finished": place.last.is_some(), "records": records });
        if cut_off {
            told["cut_off"] = true.into();
        }
        Ok(told.to_string())
    }

    /// What was answered to a request whose record lies here; `input` is what is asked now.
    pub(super) fn answer(&self, place: RequestPlace, input: &[u8]) -> Result<Reply, NotRecalled> {
        let found = self.records_from(place.record)?.next().transpose()?;
        let Some(record) = found.filter(|record| record.sequence.0 == place.record) else {
            // Removed with its age: nobody asks again after months.
            return Ok(Reply::KeyReused);
        };
        if record.input != input {
            return Ok(Reply::KeyReused);
        }
        let events: Vec<Value> = serde_json::from_slice(&record.events).map_err(unreadable(&record))?;
        let RequestPlace { number: sequence, record } = place;
        Ok(Reply::Accepted { sequence, record, events: events.iter().map(Value::to_string).collect() })
    }
}

#[cfg(test)]
mod tests {
    use table_journal::{
        Appender, ChainHash, Entry, EpochIdentity, JournalKey, MonotonicTime, PersonId, Settings, TableId, WallTime,
    };

    use super::*;

    /// Ten inputs in the files, of which only some are durable.
    fn journal(folder: &Path) {
        let storage = DirectoryStorage::for_writing(folder).unwrap();
        let identity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };
        let (wall, monotonic) = (WallTime(0), MonotonicTime(0));
        let (table, key) = (TableId::new("T").unwrap(), JournalKey::from_seed(&[7; 32]));
        let mut appender =
            Appender::create(storage, table, key, Settings::default(), identity, wall, monotonic).unwrap();
        for number in 0..10 {
            let input = json!({ "number": number }).to_string();
            let entry = Entry {
                content_version: 1,
                wall,
                monotonic,
                person: PersonId::NOBODY,
                input: input.as_bytes(),
                events: b"[]",
            };
            appender.append(&entry).unwrap();
        }
        appender.commit().unwrap();
    }

    #[test]
    fn nothing_behind_the_durable_sequence_is_told() {
        let folder = tempfile::tempdir().unwrap();
        journal(folder.path());
        let told = |durable: u64, last: Option<u64>| {
            let head = Head { sequence: Sequence(durable), hash: ChainHash([0; 32]) };
            let place = RoundRecords { round: 7, first: 2, last };
            let text = DurableJournal::new(folder.path(), head).round(place).unwrap();
            let told: Value = serde_json::from_str(&text).unwrap();
            let sequences = told["records"].as_array().unwrap().iter().map(|each| each["sequence"].as_u64().unwrap());
            sequences.collect::<Vec<_>>()
        };
        let whole = told(u64::MAX, None);
        assert!(whole.len() >= 9, "{whole:?}");
        for durable in [1, 4, 7] {
            let expected: Vec<u64> = whole.iter().copied().filter(|sequence| *sequence <= durable).collect();
            assert_eq!(told(durable, None), expected);
        }
        assert_eq!(told(4, Some(9)), told(4, None), "also of a round that is said to be over");
        let head = Head { sequence: Sequence(3), hash: ChainHash([0; 32]) };
        let answer = DurableJournal::new(folder.path(), head);
        let place = RequestPlace { number: 5, record: 5 };
        let input = json!({ "number": 3 }).to_string();
        assert_eq!(answer.answer(place, input.as_bytes()).unwrap(), Reply::KeyReused);
    }

    #[test]
    fn only_a_few_read_at_once() {
        let readers = Readers::default();
        let held: Vec<_> = (0..READERS_MAX).map(|_| readers.enter().unwrap()).collect();
        assert!(readers.enter().is_none());
        drop(held);
        assert!(readers.enter().is_some());
    }
}
