//! History that is not what was written: every kind of damage is named with its file and byte, and nothing goes on.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{all, check, create, entry, fill, flip, key, open, small_settings, table};
use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, BackgroundVerification, Damage, DamageReason, JournalError, JournalKey, JournalReader, SegmentNumber,
    Sequence, TableId, verify,
};

const FIRST: &str = "segment-0000000001.hcj";
const SECOND: &str = "segment-0000000002.hcj";

/// Several closed segments and an open one, with a checkpoint near the end.
fn journal() -> LyingStorage {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 40);
    appender.checkpoint(&entry(41, &[], b"state")).unwrap();
    fill(&mut appender, 41, 3);
    appender.shut_down().unwrap();
    assert!(check(&storage).unwrap().segments_signed >= 3);
    storage
}

fn damage<T: std::fmt::Debug>(result: Result<T, JournalError>) -> Damage {
    let error = result.unwrap_err();
    let JournalError::Damaged(damage) = error else { panic!("not damage: {error}") };
    damage
}

#[test]
fn every_flipped_byte_of_a_closed_segment_is_named_exactly() {
    let storage = journal();
    let length = storage.contents(FIRST).unwrap().len();
    for offset in 0..length {
        flip(&storage, FIRST, offset, 0x40);
        let error = check(&storage).unwrap_err();
        assert!(error.is_alarm(), "byte {offset}: {error}");
        let JournalError::Damaged(damage) = error else { panic!("byte {offset}: {error}") };
        assert_eq!((damage.file.as_str(), damage.first_bad_byte), (FIRST, offset as u64), "{damage}");
        flip(&storage, FIRST, offset, 0x40);
    }
    check(&storage).unwrap();
}

#[test]
fn a_bad_record_before_good_ones_stops_the_start() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 6);
    drop(appender);
    let length = storage.contents(FIRST).unwrap().iter().rposition(|byte| *byte != 0).unwrap();
    // The last record may be a torn one, and the one before it was durable when the last was written.
    let last_record = length + 1 - 120;
    for offset in 256..last_record {
        flip(&storage, FIRST, offset, 1);
        let damage = damage(open(&storage, &small_settings()));
        assert_eq!((damage.file.as_str(), damage.first_bad_byte), (FIRST, offset as u64), "{damage}");
        let before = storage.contents(FIRST).unwrap();
        assert!(open(&storage, &small_settings()).is_err(), "a second try must not get further");
        assert_eq!(storage.contents(FIRST).unwrap(), before, "an alarm leaves the evidence as it is");
        flip(&storage, FIRST, offset, 1);
    }
    open(&storage, &small_settings()).unwrap();
}

#[test]
fn a_hole_of_zeros_before_good_records_stops_the_start() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 6);
    let mut bytes = storage.contents(FIRST).unwrap();
    let offset = 256 + 168 + 2 * 120;
    bytes[offset..offset + 120].fill(0);
    storage.put(FIRST, &bytes);
    let damage = damage(open(&storage, &small_settings()));
    assert_eq!((damage.record_offset, damage.reason), (offset as u64, DamageReason::BadBeforeGood));
}

#[test]
fn a_well_made_forgery_breaks_the_chain() {
    let storage = journal();
    // Someone who can compute checksums puts in a record that continues another link.
    let bytes = storage.contents(FIRST).unwrap();
    let first_record = &bytes[256..256 + 168];
    let (view, length) = table_journal::decode_record(first_record).unwrap();
    let mut forged = Vec::new();
    table_journal::encode_record(&view, table_journal::ChainHash::ZERO, &mut forged).unwrap();
    assert_eq!(forged.len(), length);
    let mut changed = bytes.clone();
    changed[256..256 + length].copy_from_slice(&forged);
    storage.put(FIRST, &changed);
    let damage = damage(check(&storage));
    assert!(matches!(damage.reason, DamageReason::Chain { .. }), "{damage}");
    assert_eq!(damage.first_bad_byte, 256);
}

#[test]
fn missing_segments_are_an_alarm_wherever_they_are() {
    for (missing, remaining_error) in [(1, SegmentNumber(1)), (2, SegmentNumber(2))] {
        let storage = journal();
        storage.take_away(&table_journal::segment_file_name(SegmentNumber(missing)));
        for result in [open(&storage, &small_settings()).map(|_| ()), check(&storage).map(|_| ())] {
            let error = result.unwrap_err();
            assert!(matches!(error, JournalError::MissingSegment(number) if number == remaining_error), "{error}");
        }
    }
    // The newest segments leave no gap behind, but the head file remembers.
    let storage = journal();
    let (_, last) = common::reader(&storage).segments().unwrap();
    storage.take_away(&table_journal::segment_file_name(last));
    assert!(matches!(open(&storage, &small_settings()).unwrap_err(), JournalError::TailMissing { .. }));
    assert!(matches!(check(&storage).unwrap_err(), JournalError::TailMissing { .. }));
    // Nor can the journal be begun anew over the traces of an old one.
    for number in 1..last.0 {
        storage.take_away(&table_journal::segment_file_name(SegmentNumber(number)));
    }
    assert!(matches!(open(&storage, &small_settings()).unwrap_err(), JournalError::TailMissing { .. }));
    assert!(matches!(create(&storage, &small_settings()).unwrap_err(), JournalError::TailMissing { .. }));
}

#[test]
fn a_tail_cut_off_cleanly_is_noticed_by_the_head_file() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 5);
    appender.shut_down().unwrap();
    let mut bytes = storage.contents(FIRST).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    bytes[end - 120..].fill(0);
    storage.put(FIRST, &bytes);
    let error = open(&storage, &small_settings()).unwrap_err();
    assert!(matches!(error, JournalError::TailMissing { known: Sequence(6), found: Sequence(5) }), "{error}");
    assert_eq!(storage.contents(FIRST).unwrap(), bytes, "an alarm leaves the evidence as it is");
}

#[test]
fn the_same_history_under_another_key_is_refused() {
    let storage = journal();
    let other = LyingStorage::new();
    let mut appender = Appender::create(
        other.clone(),
        table(),
        JournalKey::from_seed(&[9; 32]),
        small_settings(),
        common::FIRST_IDENTITY,
        common::wall(0),
        table_journal::MonotonicTime(1),
    )
    .unwrap();
    fill(&mut appender, 0, 40);
    let trusting = JournalReader::new(other.clone(), None, None);
    verify(&trusting).unwrap();
    // Consistent in itself, but not with the key that the auditor knows.
    let error = check(&other).unwrap_err();
    assert!(matches!(error, JournalError::OtherKey { .. }), "{error}");
    assert!(error.is_alarm());
    storage.put(SECOND, &other.contents(SECOND).unwrap());
    let error = verify(&JournalReader::new(storage, None, None)).unwrap_err();
    assert!(matches!(error, JournalError::Damaged(_)), "{error}");
}

#[test]
fn a_signature_by_another_key_is_refused_although_the_chain_holds() {
    use table_journal::{RecordKind, RecordView, decode_record, encode_record};
    let storage = journal();
    let bytes = storage.contents(FIRST).unwrap();
    let close_at = bytes.len() - 168;
    let (close, _) = decode_record(&bytes[close_at..]).unwrap();
    assert_eq!(close.kind, RecordKind::Close);
    let before = all(&storage).into_iter().find(|record| record.sequence == close.sequence.previous()).unwrap();
    let false_signature = JournalKey::from_seed(&[9; 32]).sign(b"anything");
    let mut forged = bytes[..close_at].to_vec();
    encode_record(&RecordView { events: &false_signature, ..close }, before.hash, &mut forged).unwrap();
    storage.put(FIRST, &forged);
    let damage = damage(check(&storage));
    assert_eq!((damage.reason, damage.record_offset), (DamageReason::Signature, close_at as u64));
}

#[test]
fn another_tables_storage_is_refused() {
    let storage = journal();
    let other = TableId::new("SP-01").unwrap();
    let error = Appender::open(storage, other, key(), small_settings(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, JournalError::OtherTable { .. }), "{error}");
}

#[test]
fn a_newer_format_is_named_as_such() {
    let storage = journal();
    let mut bytes = storage.contents(FIRST).unwrap();
    bytes[8] = 3;
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(&bytes[..252]);
    bytes[252..256].copy_from_slice(&crc.to_le_bytes());
    storage.put(FIRST, &bytes);
    let error = check(&storage).unwrap_err();
    assert!(matches!(error, JournalError::UnsupportedVersion { version: 3, .. }), "{error}");
}

#[test]
fn a_quick_start_leaves_old_damage_to_the_background_which_finds_it() {
    let storage = journal();
    flip(&storage, FIRST, 700, 0x80);
    let (appender, recovery, _) = open(&storage, &small_settings()).unwrap();
    let slices: Vec<_> = BackgroundVerification::new(common::reader(&storage), recovery.head, 4).collect();
    let (found, good) = slices.split_last().unwrap();
    let JournalError::Damaged(damage) = found.as_ref().unwrap_err() else { panic!("{found:?}") };
    assert_eq!((damage.file.as_str(), damage.first_bad_byte), (FIRST, 700));
    assert!(good.iter().all(Result::is_ok));
    drop(appender);
    // And on a good journal it ends with everything checked.
    flip(&storage, FIRST, 700, 0x80);
    let slices: Vec<_> = BackgroundVerification::new(common::reader(&storage), recovery.head, 4).collect();
    assert!(slices.len() > 8, "in slices, not at once");
    let last = slices.last().unwrap().as_ref().unwrap();
    assert_eq!((last.records, last.up_to), (recovery.head.sequence.0, recovery.head));
}
