//! Format version 2, byte for byte. If it fails, the code is wrong.

use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, Entry, EpochIdentity, JournalKey, JournalReader, MonotonicTime, PersonId, Record, RecordKind, Settings,
    TableId, WallTime, verify,
};

use crate::common::small_settings;

/// The worked example of `docs/journal-format.md`: the same bytes stand there.
const EXAMPLE: &str = include_str!("v2-example.hex");
const DOCUMENT: &str = include_str!("../../../../docs/journal-format.md");

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
fn writing_the_example_gives_the_bytes_of_version_2() {
    assert_eq!(hex_lines(&segment(&write_example())), EXAMPLE);
}

#[test]
fn the_head_file_of_the_example_has_the_bytes_of_version_2() {
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
fn reading_the_bytes_of_version_2_gives_the_example() {
    let storage = write_example();
    let reader = JournalReader::new(storage, None, None);
    let records: Vec<Record> = reader.records().unwrap().map(Result::unwrap).collect();
    let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
    use RecordKind::{Checkpoint, Close, Epoch, Input, Signature};
    assert_eq!(kinds, [Epoch, Input, Checkpoint, Signature, Close, Input]);
    let report = verify(&reader).unwrap();
    assert_eq!((report.records, report.segments_signed, report.signed_up_to.0), (6, 1, 5));
    assert_eq!(records[4].hash.to_string(), HEAD_HASH);
}

/// The hash of the closing record.
const HEAD_HASH: &str = "a3d23e976dae4e1eeb798b459fec967cb4a900aed6411c2aa129ca1d71f2e49e";

const HEAD_WITH_CHECKPOINT: &str = "\
0000: 48 43 48 45 41 44 31 0a 02 00 00 00 00 00 00 00\n\
0010: 04 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n\
0020: 20 02 00 00 00 00 00 00 03 00 00 00 00 00 00 00\n\
0030: d7 61 bd 69 2a af 3c e3 80 c9 b6 9a 7e 75 27 a6\n\
0040: fe ca db 5d 5a 90 34 13 c9 30 e5 fa 67 ba 23 67\n\
0050: 00 00 00 00 00 00 00 00 00 00 00 00 cc 50 9f 7f\n";

const HEAD_AT_CREATION: &str = "\
0000: 48 43 48 45 41 44 31 0a 01 00 00 00 00 00 00 00\n\
0010: 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0030: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0040: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\
0050: 00 00 00 00 00 00 00 00 00 00 00 00 58 b3 f8 06\n";
