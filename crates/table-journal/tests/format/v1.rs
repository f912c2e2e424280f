//! Format version 1, byte for byte: no longer written, read for ever. If it fails, the code is wrong.

use table_journal::lying::LyingStorage;
use table_journal::{
    JournalReader, MonotonicTime, PersonId, PublicKey, Record, RecordKind, Sequence, TableId, WallTime, verify,
};

const EXAMPLE: &str = include_str!("v1-example.hex");

fn example_bytes() -> Vec<u8> {
    let digits: String = EXAMPLE.lines().map(|line| line.split_once(": ").unwrap().1).collect();
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b' ').collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn reading_the_bytes_of_version_1_gives_the_example() {
    let storage = LyingStorage::new();
    storage.put("segment-0000000001.hcj", &example_bytes());
    let key = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    let public = PublicKey::from_text(&format!("holecard-journal-public-key-v1 {key}")).unwrap();
    let reader = JournalReader::new(storage, Some(TableId::new("BJ-07").unwrap()), Some(public));
    let records: Vec<Record> = reader.records().unwrap().map(Result::unwrap).collect();
    let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [RecordKind::Epoch, RecordKind::Input, RecordKind::Checkpoint, RecordKind::Close]);
    let input = &records[1];
    assert_eq!((input.input.as_slice(), input.events.as_slice()), (b"card 7d".as_slice(), b"CardDealt".as_slice()));
    assert_eq!((input.sequence, input.durable, input.run), (Sequence(2), Sequence(1), 1));
    assert_eq!((input.wall, input.monotonic), (WallTime(1_900_000_002_000_000), MonotonicTime(3_000_000)));
    assert_eq!((input.person, input.content_version, input.epoch.0), (PersonId(4711), 1, 1));
    assert_eq!(records[2].events, b"state");
    let report = verify(&reader).unwrap();
    assert_eq!((report.records, report.segments_signed), (4, 1));
    assert_eq!(report.head.hash.to_string(), HEAD_HASH);
}

/// The hash of the closing record.
const HEAD_HASH: &str = "94a960c8dd1571da5a22c1291ae65b24d807333a62527e7d614b621169ddaee1";
