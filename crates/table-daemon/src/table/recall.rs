//! A round, or the answer to one request, as the records tell it, read back from the journal.

use std::path::Path;

use serde_json::{Value, json};
use table_journal::{DirectoryStorage, JournalError, JournalReader, RecordKind, Sequence};

use super::ledger::{RequestPlace, RoundRecords};
use crate::handle::Reply;

/// JSON of one round: its records with time, person, input and events.
pub(super) fn read(directory: &Path, place: RoundRecords) -> Result<String, JournalError> {
    let reader = reader(directory)?;
    let mut records = Vec::new();
    for record in reader.records_from(Sequence(place.first))? {
        let record = record?;
        if place.last.is_some_and(|last| record.sequence.0 > last) {
            break;
        }
        if record.kind == RecordKind::Input {
            let parsed = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap_or(Value::Null);
            records.push(json!({
                "sequence": record.sequence.0,
                "wall_us": record.wall.0,
                "person": record.person.0,
                "input": parsed(&record.input),
                "events": parsed(&record.events),
            }));
        }
    }
    Ok(json!({ "round": place.round, "finished": place.last.is_some(), "records": records }).to_string())
}

/// What was answered to a request whose record lies here; `input` is what is asked now.
pub(super) fn answer(directory: &Path, place: RequestPlace, input: &[u8]) -> Result<Reply, JournalError> {
    let found = reader(directory)?.records_from(Sequence(place.record))?.next().transpose()?;
    let Some(record) = found.filter(|record| record.sequence.0 == place.record) else {
        // Removed with its age: nobody asks again after months.
        return Ok(Reply::KeyReused);
    };
    if record.input != input {
        return Ok(Reply::KeyReused);
    }
    let events: Vec<Value> = serde_json::from_slice(&record.events).unwrap_or_default();
    let RequestPlace { number: sequence, record } = place;
    Ok(Reply::Accepted { sequence, record, events: events.iter().map(Value::to_string).collect() })
}

fn reader(directory: &Path) -> Result<JournalReader<DirectoryStorage>, JournalError> {
    let storage = DirectoryStorage::for_reading(directory).map_err(|source| JournalError::Storage {
        operation: "open",
        file: directory.display().to_string(),
        source,
    })?;
    Ok(JournalReader::new(storage, None, None))
}
