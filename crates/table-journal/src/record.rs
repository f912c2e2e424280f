//! One record as bytes: pure encoding and decoding. Versions 1 and 2 of the format differ only in the kinds they know.
//!
//! Decoding never panics and never allocates; whatever comes in, the answer is a view into it or a reason. Every field
//! is little-endian. `docs/journal-format.md` is the same table in prose; the golden tests pin both.

use crc::{CRC_32_ISCSI, Crc, Table};
use sha2::{Digest, Sha256};

use crate::error::DamageReason;
use crate::types::{ChainHash, EpochNumber, MonotonicTime, PersonId, Sequence, WallTime};

/// CRC-32C as storage uses it; the check value of "123456789" is 0xE3069283.
pub(crate) const CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

pub(crate) const MARKER: [u8; 4] = *b"HCR1";
pub(crate) const RECORD_HEADER_BYTES: usize = 68;
const HASH_BYTES: usize = 32;
const CRC_BYTES: usize = 4;
pub(crate) const RECORD_TRAILER_BYTES: usize = HASH_BYTES + CRC_BYTES;
/// An empty record.
pub(crate) const RECORD_BYTES_MIN: usize = RECORD_HEADER_BYTES + RECORD_TRAILER_BYTES;
/// Bounds what a damaged length can make a reader allocate; a checkpoint is the largest thing written.
pub const RECORD_BYTES_MAX: usize = 1 << 20;
pub(crate) const ALIGNMENT: usize = 8;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// An accepted input and the events it caused.
    Input,
    /// A new epoch begins: first payload the software and rules-pack digests.
    Epoch,
    /// The state after every record before this one: first payload the epoch's digests, second the state.
    Checkpoint,
    /// The segment ends here: second payload the signature.
    Close,
    /// Everything up to the record before this one is vouched for: second payload the signature. From version 2 on.
    Signature,
}

/// Every kind with its byte; a new kind is a new format version for readers that do not know it.
pub const KIND_CODES: [(RecordKind, u8); 5] = [
    (RecordKind::Input, 1),
    (RecordKind::Epoch, 2),
    (RecordKind::Checkpoint, 3),
    (RecordKind::Close, 4),
    (RecordKind::Signature, 5),
];

impl RecordKind {
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Input => 1,
            Self::Epoch => 2,
            Self::Checkpoint => 3,
            Self::Close => 4,
            Self::Signature => 5,
        }
    }

    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        KIND_CODES.iter().find(|(_, known)| *known == code).map(|(kind, _)| *kind)
    }
}

/// A record whose payloads lie in someone else's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView<'a> {
    pub kind: RecordKind,
    /// The version of the encoding inside the payloads; the journal itself does not look into them.
    pub content_version: u16,
    pub epoch: EpochNumber,
    pub sequence: Sequence,
    /// Records up to this one were known to be on stable storage when this one was written.
    pub durable: Sequence,
    pub wall: WallTime,
    pub monotonic: MonotonicTime,
    pub person: PersonId,
    /// Counts how often the journal was opened for writing; monotonic times compare only within one run.
    pub run: u32,
    pub input: &'a [u8],
    pub events: &'a [u8],
    /// This record's link of the chain; filled in by encoding.
    pub hash: ChainHash,
}

/// The same with its own payloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: RecordKind,
    pub content_version: u16,
    pub epoch: EpochNumber,
    pub sequence: Sequence,
    pub durable: Sequence,
    pub wall: WallTime,
    pub monotonic: MonotonicTime,
    pub person: PersonId,
    pub run: u32,
    pub input: Vec<u8>,
    pub events: Vec<u8>,
    pub hash: ChainHash,
}

impl RecordView<'_> {
    #[must_use]
    pub fn to_record(&self) -> Record {
        Record {
            kind: self.kind,
            content_version: self.content_version,
            epoch: self.epoch,
            sequence: self.sequence,
            durable: self.durable,
            wall: self.wall,
            monotonic: self.monotonic,
            person: self.person,
            run: self.run,
            input: self.input.to_vec(),
            events: self.events.to_vec(),
            hash: self.hash,
        }
    }
}

impl Record {
    /// The same as a view into this record.
    #[must_use]
    pub fn view(&self) -> RecordView<'_> {
        RecordView {
            kind: self.kind,
            content_version: self.content_version,
            epoch: self.epoch,
            sequence: self.sequence,
            durable: self.durable,
            wall: self.wall,
            monotonic: self.monotonic,
            person: self.person,
            run: self.run,
            input: &self.input,
            events: &self.events,
            hash: self.hash,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// Zero bytes where a record would start: nothing was written here.
    Unwritten,
    /// The bytes end before the record does; `needed` is its whole length.
    Incomplete { needed: usize },
    /// `at` counts from the record's start.
    Bad { at: usize, reason: DamageReason },
}

/// The whole length of a record with payloads of these sizes, or `None` above the limit.
pub(crate) fn record_length(input: usize, events: usize) -> Option<usize> {
    let payload = input.checked_add(events)?.checked_next_multiple_of(ALIGNMENT)?;
    payload.checked_add(RECORD_BYTES_MIN).filter(|length| *length <= RECORD_BYTES_MAX)
}

/// Appends the record to `out` and returns its hash. Fails only above `RECORD_BYTES_MAX`.
pub fn encode_record(record: &RecordView<'_>, previous: ChainHash, out: &mut Vec<u8>) -> Option<ChainHash> {
    let length = record_length(record.input.len(), record.events.len())?;
    let start = out.len();
    out.reserve(length);
    out.extend_from_slice(&MARKER);
    out.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    out.push(record.kind.code());
    out.push(0);
    out.extend_from_slice(&record.content_version.to_le_bytes());
    out.extend_from_slice(&record.epoch.0.to_le_bytes());
    out.extend_from_slice(&record.sequence.0.to_le_bytes());
    out.extend_from_slice(&record.durable.0.to_le_bytes());
    out.extend_from_slice(&record.wall.0.to_le_bytes());
    out.extend_from_slice(&record.monotonic.0.to_le_bytes());
    out.extend_from_slice(&record.person.0.to_le_bytes());
    out.extend_from_slice(&record.run.to_le_bytes());
    out.extend_from_slice(&u32::try_from(record.input.len()).ok()?.to_le_bytes());
    out.extend_from_slice(&u32::try_from(record.events.len()).ok()?.to_le_bytes());
    out.extend_from_slice(record.input);
    out.extend_from_slice(record.events);
    out.resize(start + length - RECORD_TRAILER_BYTES, 0);
    let hash = link(previous, &out[start..]);
    out.extend_from_slice(&hash.0);
    let crc = CRC32C.checksum(&out[start..]);
    out.extend_from_slice(&crc.to_le_bytes());
    Some(hash)
}

/// Reads the record at the start of `bytes` and its length. The chain is the caller's to check: it knows what came before.
pub fn decode_record(bytes: &[u8]) -> Result<(RecordView<'_>, usize), DecodeError> {
    let Some(prefix) = bytes.first_chunk::<8>() else {
        return if bytes.iter().all(|byte| *byte == 0) {
            Err(DecodeError::Unwritten)
        } else {
            Err(DecodeError::Incomplete { needed: RECORD_BYTES_MIN })
        };
    };
    if *prefix == [0; 8] {
        return Err(DecodeError::Unwritten);
    }
    if let Some(at) = prefix.iter().zip(&MARKER).position(|(found, wanted)| found != wanted) {
        return Err(DecodeError::Bad { at, reason: DamageReason::Marker });
    }
    let length = u32_at(bytes, 4) as usize;
    if !(RECORD_BYTES_MIN..=RECORD_BYTES_MAX).contains(&length) || !length.is_multiple_of(ALIGNMENT) {
        return Err(DecodeError::Bad { at: 4, reason: DamageReason::Length });
    }
    let Some(bytes) = bytes.get(..length) else {
        return Err(DecodeError::Incomplete { needed: length });
    };
    let crc_at = length - CRC_BYTES;
    if CRC32C.checksum(&bytes[..crc_at]) != u32_at(bytes, crc_at) {
        return Err(DecodeError::Bad { at: 0, reason: DamageReason::Checksum });
    }
    view_checked(bytes).map(|view| (view, length))
}

/// Reads the fields of exactly one record whose checksum has been found right. What is wrong here was written wrong.
pub(crate) fn view_checked(bytes: &[u8]) -> Result<RecordView<'_>, DecodeError> {
    let length = bytes.len();
    let (input, events) = (u32_at(bytes, 60) as usize, u32_at(bytes, 64) as usize);
    if record_length(input, events) != Some(length) {
        return Err(DecodeError::Bad { at: 60, reason: DamageReason::Shape });
    }
    let Some(kind) = RecordKind::from_code(bytes[8]) else {
        return Err(DecodeError::Bad { at: 8, reason: DamageReason::UnknownKind(bytes[8]) });
    };
    let payload_end = RECORD_HEADER_BYTES + input + events;
    let hash_at = length - RECORD_TRAILER_BYTES;
    if bytes[9] != 0 {
        return Err(DecodeError::Bad { at: 9, reason: DamageReason::Reserved });
    }
    if let Some(at) = bytes[payload_end..hash_at].iter().position(|byte| *byte != 0) {
        return Err(DecodeError::Bad { at: payload_end + at, reason: DamageReason::Reserved });
    }
    Ok(RecordView {
        kind,
        content_version: u16::from_le_bytes(array_at(bytes, 10)),
        epoch: EpochNumber(u32_at(bytes, 12)),
        sequence: Sequence(u64_at(bytes, 16)),
        durable: Sequence(u64_at(bytes, 24)),
        wall: WallTime(i64::from_le_bytes(array_at(bytes, 32))),
        monotonic: MonotonicTime(u64_at(bytes, 40)),
        person: PersonId(u64_at(bytes, 48)),
        run: u32_at(bytes, 56),
        input: &bytes[RECORD_HEADER_BYTES..RECORD_HEADER_BYTES + input],
        events: &bytes[RECORD_HEADER_BYTES + input..payload_end],
        hash: ChainHash(array_at(bytes, hash_at)),
    })
}

/// The chain's step: the previous link, then everything of the record before its own link.
pub(crate) fn link(previous: ChainHash, body: &[u8]) -> ChainHash {
    let mut hasher = Sha256::new();
    hasher.update(previous.0);
    hasher.update(body);
    ChainHash(hasher.finalize().into())
}

/// The link that these whole record bytes ought to carry after `previous`.
pub(crate) fn expected_link(previous: ChainHash, record: &[u8]) -> ChainHash {
    link(previous, &record[..record.len() - RECORD_TRAILER_BYTES])
}

/// Callers have checked the bounds; a slip here is a bug and stops the daemon.
pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc32c() {
        assert_eq!(CRC32C.checksum(b"123456789"), 0xE306_9283);
    }

    #[test]
    fn kind_codes_agree_both_ways() {
        for (kind, code) in KIND_CODES {
            assert_eq!(kind.code(), code);
            assert_eq!(RecordKind::from_code(code), Some(kind));
        }
        assert_eq!(RecordKind::from_code(0), None);
        assert_eq!(RecordKind::from_code(6), None);
    }
}
