//! The one place where the suites touch the journal's way in.
#![allow(dead_code, reason = "each suite uses its own part of this")]

use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, Entry, EpochIdentity, JournalError, JournalKey, JournalReader, MonotonicTime, PersonId, Record,
    RecordKind, Recovery, Retention, Settings, Storage, TableId, VerifyReport, WallTime, verify,
};

pub(crate) const SEED: [u8; 32] = [7; 32];
pub(crate) const FIRST_IDENTITY: EpochIdentity = EpochIdentity { software: [0x11; 32], rules_pack: [0x22; 32] };
pub(crate) const SECOND_IDENTITY: EpochIdentity = EpochIdentity { software: [0x33; 32], rules_pack: [0x44; 32] };

pub(crate) fn key() -> JournalKey {
    JournalKey::from_seed(&SEED)
}

pub(crate) fn table() -> TableId {
    TableId::new("BJ-07").unwrap()
}

/// Segments that a few records fill.
pub(crate) fn small_settings() -> Settings {
    Settings {
        segment_bytes: 2048,
        segment_age_max_s: u64::MAX,
        retention: Retention { bytes_max: 1 << 30, age_min_s: 0, age_max_s: None },
        checkpoint_every_records: 10,
        nearly_full_records: 4,
    }
}

pub(crate) fn create<S: Storage + Clone>(storage: &S, settings: &Settings) -> Result<Appender<S>, JournalError> {
    Appender::create(storage.clone(), table(), key(), settings.clone(), FIRST_IDENTITY, wall(0), MonotonicTime(1))
}

/// Opens and gives back every record from the last checkpoint on.
pub(crate) fn open<S: Storage + Clone>(
    storage: &S,
    settings: &Settings,
) -> Result<(Appender<S>, Recovery, Vec<Record>), JournalError> {
    let mut seen = Vec::new();
    let mut keep = |view: &table_journal::RecordView<'_>| seen.push(view.to_record());
    let (appender, recovery) = Appender::open(storage.clone(), table(), key(), settings.clone(), &mut keep)?;
    Ok((appender, recovery, seen))
}

pub(crate) fn reader<S: Storage + Clone>(storage: &S) -> JournalReader<S> {
    JournalReader::new(storage.clone(), Some(table()), Some(key().public()))
}

pub(crate) fn all<S: Storage + Clone>(storage: &S) -> Vec<Record> {
    reader(storage).records().unwrap().collect::<Result<_, _>>().unwrap()
}

pub(crate) fn check<S: Storage + Clone>(storage: &S) -> Result<VerifyReport, JournalError> {
    verify(&reader(storage))
}

pub(crate) fn wall(seconds: i64) -> WallTime {
    WallTime(1_900_000_000_000_000 + seconds * 1_000_000)
}

pub(crate) fn entry<'a>(at_s: i64, input: &'a [u8], events: &'a [u8]) -> Entry<'a> {
    Entry {
        content_version: 1,
        wall: wall(at_s),
        monotonic: MonotonicTime(u64::try_from(at_s).unwrap() * 1_000_000),
        person: PersonId(4711),
        input,
        events,
    }
}

/// Appends and commits `count` records whose input tells which they are.
pub(crate) fn fill<S: Storage + Clone>(appender: &mut Appender<S>, from: u32, count: u32) {
    for number in from..from + count {
        let text = format!("input {number}");
        appender.append(&entry(i64::from(number), text.as_bytes(), b"events")).unwrap();
        appender.commit().unwrap();
    }
}

pub(crate) fn inputs(records: &[Record]) -> Vec<Vec<u8>> {
    records.iter().filter(|record| record.kind == RecordKind::Input).map(|record| record.input.clone()).collect()
}

pub(crate) fn flip(storage: &LyingStorage, file: &str, offset: usize, mask: u8) {
    let mut bytes = storage.contents(file).unwrap();
    bytes[offset] ^= mask;
    storage.put(file, &bytes);
}
