//! Whatever bytes come in, the decoder answers: no panic, no large allocation, nothing accepted that was not written.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{check, create, fill, open, small_settings};
use proptest::prelude::*;
use table_journal::lying::LyingStorage;
use table_journal::{
    ChainHash, DecodeError, EpochNumber, JournalError, MonotonicTime, PersonId, RECORD_BYTES_MAX, RecordKind,
    RecordView, SegmentHeader, Sequence, WallTime, decode_record, encode_record,
};

fn kinds() -> impl Strategy<Value = RecordKind> {
    prop::sample::select(vec![
        RecordKind::Input,
        RecordKind::Epoch,
        RecordKind::Checkpoint,
        RecordKind::Close,
        RecordKind::Signature,
    ])
}

/// Garbage that gets past the first look: the right marker and a plausible length, then anything.
fn near_misses() -> impl Strategy<Value = Vec<u8>> {
    (any::<u32>(), prop::collection::vec(any::<u8>(), 0..600)).prop_map(|(length, rest)| {
        let length = if length % 3 == 0 { length } else { length % 700 / 8 * 8 };
        [b"HCR1".as_slice(), &length.to_le_bytes(), &rest].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_was_encoded_is_decoded(
        kind in kinds(), content_version: u16, epoch: u32, sequence: u64, durable: u64, wall: i64, monotonic: u64,
        person: u64, run: u32, input in prop::collection::vec(any::<u8>(), 0..300),
        events in prop::collection::vec(any::<u8>(), 0..300), previous: [u8; 32], after in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let view = RecordView {
            kind, content_version, epoch: EpochNumber(epoch), sequence: Sequence(sequence), durable: Sequence(durable),
            wall: WallTime(wall), monotonic: MonotonicTime(monotonic), person: PersonId(person), run,
            input: &input, events: &events, hash: ChainHash::ZERO,
        };
        let mut bytes = Vec::new();
        let hash = encode_record(&view, ChainHash(previous), &mut bytes).unwrap();
        let length = bytes.len();
        bytes.extend_from_slice(&after);
        prop_assert_eq!(decode_record(&bytes), Ok((RecordView { hash, ..view }, length)));
        for cut in 0..length {
            prop_assert!(decode_record(&bytes[..cut]).is_err());
        }
    }

    #[test]
    fn garbage_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(decode_record(&bytes).is_err());
    }

    #[test]
    fn near_misses_are_refused_and_ask_for_little(bytes in near_misses()) {
        match decode_record(&bytes) {
            Ok(_) => prop_assert!(false, "garbage decoded"),
            Err(DecodeError::Incomplete { needed }) => prop_assert!(needed <= RECORD_BYTES_MAX),
            Err(DecodeError::Bad { at, .. }) => prop_assert!(at <= bytes.len()),
            Err(DecodeError::Unwritten) => prop_assert!(false, "a marker is not nothing"),
        }
    }

    #[test]
    fn one_changed_byte_is_never_accepted(at in 0usize..168, change in 1u8..) {
        let identity = [5; 64];
        let view = RecordView {
            kind: RecordKind::Epoch, content_version: 0, epoch: EpochNumber(1), sequence: Sequence(1), durable: Sequence(0),
            wall: WallTime(0), monotonic: MonotonicTime(0), person: PersonId(0), run: 1, input: &identity, events: &[],
            hash: ChainHash::ZERO,
        };
        let mut bytes = Vec::new();
        encode_record(&view, ChainHash::ZERO, &mut bytes).unwrap();
        bytes[at] ^= change;
        prop_assert!(decode_record(&bytes).is_err());
    }

    #[test]
    fn garbage_headers_are_refused(bytes: [u8; 32], magic: bool) {
        let mut header = [0; 256];
        for (at, byte) in header.iter_mut().enumerate() {
            *byte = bytes[at % 32];
        }
        if magic {
            header[..8].copy_from_slice(b"HCJRNL\r\n");
        }
        prop_assert!(SegmentHeader::from_bytes(&header, "x").is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Anything scribbled over a journal: it opens with what is still provably right, or it says what is wrong. Nothing
    /// in front of an untouched record is ever silently gone; scribbling that reaches into the last record is what a torn
    /// write looks like.
    #[test]
    fn scribbling_over_a_journal_is_an_alarm_or_a_torn_tail(
        file in 1u64..4, at in 0usize..2048, scribble in prop::collection::vec(any::<u8>(), 1..80),
    ) {
        let storage = LyingStorage::new();
        let mut appender = create(&storage, &small_settings()).unwrap();
        fill(&mut appender, 0, 30);
        let head = appender.head();
        drop(appender);
        let name = table_journal::segment_file_name(table_journal::SegmentNumber(file));
        let mut bytes = storage.contents(&name).unwrap();
        let before = bytes.clone();
        let at = at.min(bytes.len() - 1);
        let end = (at + scribble.len()).min(bytes.len());
        bytes[at..end].copy_from_slice(&scribble[..end - at]);
        let harmless = bytes == before;
        let newest = storage.contents(&table_journal::segment_file_name(table_journal::SegmentNumber(file + 1))).is_none();
        let written = before.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        let torn_tail = newest && end > written - 120;
        storage.put(&name, &bytes);
        match check(&storage) {
            Ok(report) => prop_assert!(harmless || torn_tail, "{:?}", report),
            Err(JournalError::Damaged(damage)) => {
                let first = bytes.iter().zip(&before).position(|(new, old)| new != old).unwrap() as u64;
                prop_assert_eq!(&damage.file, &name);
                prop_assert!(damage.record_offset <= first, "{} but the first change is at {}", damage, first);
                prop_assert!(damage.first_bad_byte <= end as u64, "{}", damage);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
        match open(&storage, &small_settings()) {
            Ok((_, recovery, _)) => prop_assert!(recovery.head.sequence == head.sequence || torn_tail),
            Err(error) => prop_assert!(error.is_alarm(), "{}", error),
        }
    }
}
