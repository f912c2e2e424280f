//! Format version 1, byte for byte. If it fails, the code is wrong.

use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, Entry, EpochIdentity, JournalKey, JournalReader, MonotonicTime, PersonId, PublicKey, Record, RecordKind,
    Sequence, Settings, TableId, WallTime, verify,
};

use crate::common::small_settings;

/// The worked example of `docs/journal-format.md`: the same bytes stand there.
const EXAMPLE: &str = include_str!("v1-example.hex");
const DOCUMENT: &str = include_str!("../../../../docs/journal-format.md");

fn example_bytes() -> Vec<u8> {
    let digits: String = EXAMPLE.lines().map(|line| line.split_once(": ").unwrap().1).collect();
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b' ').collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn hex_lines(bytes: &[u8]) -> String {
    let mut lines = String::new();
    for (row, chunk) in bytes.chunks(16).enumerate() {
        let digits: Vec<_> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{:04x}: {}\n", row * 16, digits.join(" "));
    }
    lines
}

/// Writes the example: a first epoch, one input with its events, a checkpoint, and the close forced by age.
fn write_example() -> LyingStorage {
    let storage = LyingStorage::new();
    let settings = Settings { segment_age_max_s: 3600, ..small_settings() };
    let identity = EpochIdentity { software: [0x11; 32], rules_pack: [0x22; 32] };
    let table = TableId::new("BJ-07").unwrap();
    let key = JournalKey::from_seed(&[7; 32]);
    let start = WallTime(1_900_000_000_000_000);
    let mut appender =
        Appender::create(storage.clone(), table, key, settings, identity, start, MonotonicTime(1_000_000)).unwrap();
    let input = Entry {
        content_version: 1,
        wall: WallTime(start.0 + 2_000_000),
        monotonic: MonotonicTime(3_000_000),
        person: PersonId(4711),
        input: b"card 7d",
        events: b"CardDealt",
    };
    appender.append(&input).unwrap();
    appender.commit().unwrap();
    appender.checkpoint(&Entry { person: PersonId::NOBODY, input: &[], events: b"state", ..input }).unwrap();
    let later = Entry { wall: WallTime(start.0 + 3_600_000_000), monotonic: MonotonicTime(3_601_000_000), ..input };
    appender.append(&later).unwrap();
    appender.commit().unwrap();
    storage
}

fn segment(storage: &LyingStorage) -> Vec<u8> {
    storage.contents("segment-0000000001.hcj").unwrap()
}

#[test]
fn writing_the_example_gives_the_bytes_of_version_1() {
    assert_eq!(hex_lines(&segment(&write_example())), EXAMPLE);
}

#[test]
fn the_head_file_of_the_example_has_the_bytes_of_version_1() {
    let head = write_example().contents("head").unwrap();
    assert_eq!(head.len(), 8192);
    // The creation went to slot 1, the checkpoint after it to slot 0.
    assert_eq!(hex_lines(&head[..96]), HEAD_WITH_CHECKPOINT);
    assert_eq!(hex_lines(&head[4096..4192]), HEAD_AT_CREATION);
}

#[test]
fn the_document_shows_the_same_bytes() {
    let block = DOCUMENT.split("```hex\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(block, Some(EXAMPLE), "docs/journal-format.md and the golden bytes differ");
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

const HEAD_WITH_CHECKPOINT: &str = "\
0000: 48 43 48 45 41 44 31 0a 02 00 00 00 00 00 00 00\n\
0010: 03 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n\
0020: 20 02 00 00 00 00 00 00 03 00 00 00 00 00 00 00\n\
0030: f0 22 af 22 da f0 46 f9 b8 d8 8c 82 69 2a 1f 11\n\
0040: 30 e5 48 32 6f fc f3 65 1b 65 e6 1a 15 e2 2d 76\n\
0050: 00 00 00 00 00 00 00 00 00 00 00 00 dd 20 e2 6d\n";

const HEAD_AT_CREATION: &str = "\
0000: 48 43 48 45 41 44 31 0a 01 00 00 00 00 00 00 00\n\
0010: 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0030: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0040: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0050: 00 00 00 00 00 00 00 00 00 00 00 00 58 b3 f8 06\n";
