//! A round as its records tell it, read back from the journal.

use std::path::Path;

use serde_json::{Value, json};
use table_journal::{DirectoryStorage, JournalError, JournalReader, RecordKind, Sequence};

use super::ledger::RoundRecords;

/// JSON of one round: its records with time, person, input and events.
pub(super) fn read(directory: &Path, place: RoundRecords) -> Result<String, JournalError> {
    let storage = DirectoryStorage::for_reading(directory).map_err(|source| JournalError::Storage {
        operation: "open",
        file: directory.display().to_string(),
        source,
    })?;
    let reader = JournalReader::new(storage, None, None);
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
