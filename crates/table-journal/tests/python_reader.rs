//! The independent reader in `docs/journal_reader.py`, run on journals written here: two implementations of one document.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{SECOND_IDENTITY, all, check, create, entry, fill, key, open, small_settings, wall};
use table_journal::{DirectoryStorage, KIND_CODES, MonotonicTime, PersonId, Record, RecordKind};

fn python(directory: &Path, arguments: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/journal_reader.py");
    Command::new("python3")
        .arg(script)
        .arg(directory)
        .args(arguments)
        .output()
        .expect("python3 is needed for this test; install it rather than skip it")
}

fn success(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn journal(directory: &Path) -> PathBuf {
    let path = directory.join("journal");
    let storage = DirectoryStorage::for_writing(&path).unwrap();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 25);
    appender.begin_epoch(SECOND_IDENTITY, wall(26), MonotonicTime(26), PersonId(3)).unwrap();
    appender.checkpoint(&entry(27, &[], b"\x00state\xff")).unwrap();
    fill(&mut appender, 28, 20);
    appender.append(&entry(50, b"", b"")).unwrap();
    appender.commit().unwrap();
    while appender.prepare_spare().unwrap() {}
    appender.shut_down().unwrap();
    path
}

/// The line the reader must print for a record.
fn json(record: &Record) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let kind = match record.kind {
        RecordKind::Input => "input",
        RecordKind::Epoch => "epoch",
        RecordKind::Checkpoint => "checkpoint",
        RecordKind::Close => "close",
        RecordKind::Signature => "signature",
    };
    format!(
        "{{\"sequence\": {}, \"kind\": \"{kind}\", \"epoch\": {}, \"run\": {}, \"person\": {}, \"wall_us\": {}, \
         \"monotonic_us\": {}, \"content_version\": {}, \"durable\": {}, \"input\": \"{}\", \"events\": \"{}\", \
         \"hash\": \"{}\"}}",
        record.sequence,
        record.epoch.0,
        record.run,
        record.person.0,
        record.wall.0,
        record.monotonic.0,
        record.content_version,
        record.durable,
        hex(&record.input),
        hex(&record.events),
        record.hash,
    )
}

#[test]
fn both_readers_say_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let path = journal(directory.path());
    let storage = DirectoryStorage::for_reading(&path).unwrap();
    let records = all(&storage);
    for (kind, _) in KIND_CODES {
        assert!(records.iter().any(|record| record.kind == kind), "no {kind:?} in the journal");
    }
    let public = key().public().to_string();
    let printed = success(&python(&path, &["--public-key", &public]));
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines.len(), records.len());
    for (line, record) in lines.iter().zip(&records) {
        assert_eq!(*line, json(record));
    }
    let report = check(&storage).unwrap();
    let summary = success(&python(&path, &["--verify"]));
    assert!(summary.contains(&format!("\"head_hash\": \"{}\"", report.head.hash)), "{summary}");
    assert!(summary.contains(&format!("\"signatures\": {}", report.segments_signed)), "{summary}");
    assert!(!python(&path, &["--public-key", &"00".repeat(32)]).status.success(), "another key must be refused");
}

#[test]
fn both_readers_find_the_same_damage() {
    let directory = tempfile::tempdir().unwrap();
    let path = journal(directory.path());
    let storage = DirectoryStorage::for_reading(&path).unwrap();
    for (segment, step) in [(1, 331), (2, 677), (3, 977)] {
        let file = path.join(format!("segment-{segment:010}.hcj"));
        let good = std::fs::read(&file).unwrap();
        let written = good.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        for offset in (0..written).step_by(step) {
            let mut bad = good.clone();
            bad[offset] ^= 0x10;
            std::fs::write(&file, &bad).unwrap();
            let table_journal::JournalError::Damaged(damage) = check(&storage).unwrap_err() else { panic!() };
            assert_eq!(damage.first_bad_byte, offset as u64);
            let output = python(&path, &["--verify"]);
            assert_eq!(output.status.code(), Some(1), "segment {segment} byte {offset} was not noticed");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains(&format!("segment-{segment:010}.hcj: byte ")), "{said}");
        }
        std::fs::write(&file, &good).unwrap();
    }
    let middle = path.join("segment-0000000002.hcj");
    std::fs::remove_file(middle).unwrap();
    assert_eq!(python(&path, &["--verify"]).status.code(), Some(1));
}

#[test]
fn both_readers_miss_a_tail_that_was_durable() {
    let directory = tempfile::tempdir().unwrap();
    let path = journal(directory.path());
    let storage = DirectoryStorage::for_reading(&path).unwrap();
    let newest = path.join(table_journal::segment_file_name(common::reader(&storage).segments().unwrap().1));
    let mut bytes = std::fs::read(&newest).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    bytes[end - 104..].fill(0);
    std::fs::write(&newest, &bytes).unwrap();
    assert_eq!(check(&storage).unwrap_err().code(), "journal-tail-missing");
    let output = python(&path, &["--verify"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the tail is missing"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_torn_tail_is_no_damage_to_either() {
    let directory = tempfile::tempdir().unwrap();
    let path = journal(directory.path());
    let storage = DirectoryStorage::for_reading(&path).unwrap();
    let newest = path.join(table_journal::segment_file_name(common::reader(&storage).segments().unwrap().1));
    let mut bytes = std::fs::read(&newest).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    bytes[end..end + 60].copy_from_slice(&[b"HCR1".as_slice(), &[0x5a; 56]].concat());
    std::fs::write(&newest, &bytes).unwrap();
    let torn = check(&storage).unwrap().torn_bytes;
    assert_eq!(torn, 60);
    let summary = success(&python(&path, &["--verify"]));
    assert!(summary.contains("\"torn_bytes\": 60"), "{summary}");
    drop(open(&DirectoryStorage::for_writing(&path).unwrap(), &small_settings()).unwrap());
    assert!(success(&python(&path, &["--verify"])).contains("\"torn_bytes\": 0"));
}
