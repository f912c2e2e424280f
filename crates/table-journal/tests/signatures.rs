//! What somebody with the disk and without the key can do: every forgery behind the last signature is bounded by it, and
//! everything before it is found.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{all, check, create, entry, fill, inputs, open, small_settings, wall};
use table_journal::lying::LyingStorage;
use table_journal::{
    ChainHash, DamageReason, FormatVersion, JournalError, MonotonicTime, Record, RecordKind, SEGMENT_HEADER_BYTES,
    SegmentHeader, Sequence, Settings, StartedFrom, decode_record, encode_record,
};

const FIRST: &str = "segment-0000000001.hcj";

fn roomy() -> Settings {
    Settings { segment_bytes: 64 << 10, ..small_settings() }
}

/// Ten inputs, a checkpoint, three more inputs and a signature over them, two more that nobody has signed.
fn journal() -> LyingStorage {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &roomy()).unwrap();
    fill(&mut appender, 0, 10);
    appender.checkpoint(&entry(10, &[], b"meter 2286")).unwrap();
    fill(&mut appender, 10, 3);
    appender.sign(wall(13), MonotonicTime(13)).unwrap();
    fill(&mut appender, 13, 2);
    drop(appender);
    storage
}

/// Writes the only segment anew with `change` applied to its records, hashes and checksums made right: what anybody can
/// do who has no key.
fn forge(storage: &LyingStorage, change: impl Fn(&mut Vec<Record>)) {
    let bytes = storage.contents(FIRST).unwrap();
    let header = SegmentHeader::from_bytes(bytes[..SEGMENT_HEADER_BYTES].try_into().unwrap(), FIRST).unwrap();
    let mut records = Vec::new();
    let mut at = SEGMENT_HEADER_BYTES;
    while let Ok((view, length)) = decode_record(&bytes[at..]) {
        records.push(view.to_record());
        at += length;
    }
    change(&mut records);
    let mut forged = header.to_bytes().to_vec();
    let mut link: ChainHash = header.hash();
    for record in &records {
        link = encode_record(&record.view(), link, &mut forged).unwrap();
    }
    forged.resize(bytes.len(), 0);
    storage.put(FIRST, &forged);
}

#[test]
fn verify_says_which_records_a_signature_covers() {
    let storage = journal();
    let report = check(&storage).unwrap();
    let signatures: Vec<_> = all(&storage).iter().filter(|each| each.kind == RecordKind::Signature).cloned().collect();
    assert_eq!(signatures.len(), 2, "one behind the checkpoint, one that was asked for");
    assert_eq!(report.signed_up_to, signatures[1].sequence);
    assert_eq!(report.head.sequence.0 - report.signed_up_to.0, 2);
    let (appender, recovery, _) = open(&storage, &roomy()).unwrap();
    assert_eq!((recovery.unsigned, appender.unsigned()), (2, 2));
}

#[test]
fn a_forged_checkpoint_stops_the_start_and_the_check() {
    let storage = journal();
    forge(&storage, |records| {
        let state = records.iter_mut().find(|each| each.kind == RecordKind::Checkpoint).unwrap();
        state.events = b"meter 6286".to_vec();
    });
    for error in [check(&storage).unwrap_err(), open(&storage, &roomy()).unwrap_err()] {
        let JournalError::Damaged(damage) = error else { panic!("{error}") };
        assert_eq!(damage.reason, DamageReason::Signature, "{damage}");
    }
}

#[test]
fn a_checkpoint_whose_signature_was_removed_is_not_believed() {
    for head_file in [true, false] {
        let storage = journal();
        forge(&storage, |records| {
            let at = records.iter().position(|each| each.kind == RecordKind::Checkpoint).unwrap();
            records.truncate(at + 1);
            records[at].events = b"meter 6286".to_vec();
        });
        // The head file would notice that records are missing; a thief takes it away as well.
        if head_file {
            assert!(matches!(open(&storage, &roomy()).unwrap_err(), JournalError::TailMissing { .. }));
            continue;
        }
        storage.take_away("head");
        let (_, recovery, seen) = open(&storage, &roomy()).unwrap();
        assert_eq!((recovery.checkpoint, recovery.started_from), (None, StartedFrom::Search));
        assert_eq!(inputs(&seen).len(), 10, "the state comes from the inputs");
        assert!(seen.iter().all(|each| each.kind != RecordKind::Checkpoint));
    }
}

#[test]
fn an_input_before_a_signature_cannot_be_changed() {
    let storage = journal();
    forge(&storage, |records| {
        let input = records.iter_mut().rfind(|each| each.input == b"input 12").unwrap();
        input.events = b"a jackpot".to_vec();
    });
    let JournalError::Damaged(damage) = open(&storage, &roomy()).unwrap_err() else { panic!("not damage") };
    assert_eq!(damage.reason, DamageReason::Signature);
}

#[test]
fn nothing_is_signed_twice_and_a_full_segment_is_signed_by_its_close() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 2);
    let signed = appender.sign(wall(3), MonotonicTime(3)).unwrap();
    assert_eq!(signed.head, appender.head());
    let again = appender.sign(wall(4), MonotonicTime(4)).unwrap();
    assert_eq!(again, signed, "nothing was written since");
    for number in 5..200 {
        fill(&mut appender, number, 1);
        appender.sign(wall(i64::from(number)), MonotonicTime(u64::from(number))).unwrap();
        assert_eq!(appender.unsigned(), 0, "record {number}");
    }
    appender.shut_down().unwrap();
    let report = check(&storage).unwrap();
    assert_eq!(report.signed_up_to, report.head.sequence);
    assert!(report.segments_signed > 10);
    open(&storage, &small_settings()).unwrap();
}

/// The bytes of version 1 without their closing record: a table whose software was upgraded while its segment was open.
fn open_version_1() -> LyingStorage {
    let example = include_str!("format/v1-example.hex");
    let digits: String = example.lines().map(|line| line.split_once(": ").unwrap().1.replace(' ', "")).collect();
    let mut bytes: Vec<u8> =
        (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
    bytes.truncate(0x2d0);
    bytes.resize(2048, 0);
    let storage = LyingStorage::new();
    storage.put(FIRST, &bytes);
    storage
}

#[test]
fn a_journal_of_version_1_goes_on_in_a_segment_of_version_2() {
    let storage = open_version_1();
    let (mut appender, recovery, seen) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.checkpoint, None, "nothing signs a checkpoint in an open segment of version 1");
    assert_eq!(inputs(&seen), [b"card 7d".to_vec()]);
    fill(&mut appender, 5000, 1);
    appender.checkpoint(&entry(5001, &[], b"state")).unwrap();
    appender.shut_down().unwrap();
    let report = check(&storage).unwrap();
    assert_eq!((report.last_segment.0, report.segments_signed), (2, 1));
    let second = storage.contents("segment-0000000002.hcj").unwrap();
    let header = SegmentHeader::from_bytes(second[..SEGMENT_HEADER_BYTES].try_into().unwrap(), "second").unwrap();
    assert_eq!(header.version, FormatVersion::V2);
    let (_, recovery, _) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.checkpoint, Some(Sequence(6)));
    // Closed, the old segment's own checkpoint is covered.
    storage.take_away("segment-0000000002.hcj");
    storage.take_away("head");
    let (_, recovery, _) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.checkpoint, Some(Sequence(3)));
}

#[test]
fn no_segment_goes_back_to_version_1() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 30);
    appender.shut_down().unwrap();
    let last = format!("segment-{:010}.hcj", check(&storage).unwrap().last_segment.0);
    let bytes = storage.contents(&last).unwrap();
    let mut header = SegmentHeader::from_bytes(bytes[..SEGMENT_HEADER_BYTES].try_into().unwrap(), &last).unwrap();
    header.version = FormatVersion::V1;
    let mut forged = header.to_bytes().to_vec();
    forged.resize(bytes.len(), 0);
    storage.put(&last, &forged);
    storage.take_away("head");
    let JournalError::Damaged(damage) = check(&storage).unwrap_err() else { panic!("not damage") };
    assert_eq!((damage.reason, damage.first_bad_byte), (DamageReason::HeaderFields, 8));
}
