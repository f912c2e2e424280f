//! A segment file's header and name, and what its closing signature covers: pure.
//!
//! The header repeats everything needed to read the segment without its predecessors, which retention may have
//! removed: table, key, epoch digests, the link to the segment before, and which segments are still kept.

use sha2::{Digest, Sha256};

use crate::error::{Damage, DamageReason, JournalError};
use crate::keys::PublicKey;
use crate::locate::locate_bad_byte;
use crate::record::{CRC32C, RECORD_BYTES_MIN, array_at, u32_at, u64_at};
use crate::types::{ChainHash, Epoch, EpochIdentity, EpochNumber, SegmentNumber, Sequence, TableId, WallTime};

/// The first record follows at this offset.
pub const SEGMENT_HEADER_BYTES: usize = 256;
pub(crate) const MAGIC: [u8; 8] = *b"HCJRNL\r\n";
const HASH_AT: usize = 216;
const CRC_AT: usize = 252;

/// Kept free at every segment's end, so that the closing record always fits. A signature's record is as long.
pub(crate) const CLOSE_RECORD_BYTES: usize = RECORD_BYTES_MIN + SIGNATURE_BYTES;
pub(crate) const SIGNATURE_BYTES: usize = 64;

const NAME_PREFIX: &str = "segment-";
const NAME_SUFFIX: &str = ".hcj";
const NAME_DIGITS: usize = 10;

/// Which records a segment may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormatVersion {
    /// Signed only where it is closed.
    V1,
    /// Signed wherever a signature's record stands, and behind every checkpoint.
    V2,
}

impl FormatVersion {
    /// What is written today.
    pub const NEWEST: Self = Self::V2;

    const fn number(self) -> u16 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    const fn from_number(number: u16) -> Option<Self> {
        match number {
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentHeader {
    pub version: FormatVersion,
    pub number: SegmentNumber,
    pub table: TableId,
    pub created: WallTime,
    /// The sequence its first record has, once there is one.
    pub first_sequence: Sequence,
    /// Segments before this one are removed by retention; any other gap is an alarm.
    pub first_kept: SegmentNumber,
    /// The epoch in force when the segment was begun.
    pub epoch: Epoch,
    pub run: u32,
    pub public_key: PublicKey,
    /// The hash of the closing record of the segment before; zero in segment 1.
    pub previous: ChainHash,
}

impl SegmentHeader {
    #[must_use]
    pub fn to_bytes(&self) -> [u8; SEGMENT_HEADER_BYTES] {
        let mut bytes = [0; SEGMENT_HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(8, &self.version.number().to_le_bytes());
        put(10, &256u16.to_le_bytes());
        put(12, &self.epoch.number.0.to_le_bytes());
        put(16, &self.number.0.to_le_bytes());
        put(24, &self.first_sequence.0.to_le_bytes());
        put(32, &self.created.0.to_le_bytes());
        put(40, &self.first_kept.0.to_le_bytes());
        put(48, &self.table.to_padded());
        put(80, &self.previous.0);
        put(112, &self.public_key.0);
        put(144, &self.epoch.identity.to_bytes());
        put(208, &self.run.to_le_bytes());
        let hash: [u8; 32] = Sha256::digest(&bytes[..HASH_AT]).into();
        bytes[HASH_AT..HASH_AT + 32].copy_from_slice(&hash);
        let crc = CRC32C.checksum(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The chain's link that the first record continues.
    #[must_use]
    pub fn hash(&self) -> ChainHash {
        ChainHash(array_at(&self.to_bytes(), HASH_AT))
    }

    /// Reads a header; `file` only names it in errors.
    pub fn from_bytes(bytes: &[u8; SEGMENT_HEADER_BYTES], file: &str) -> Result<Self, JournalError> {
        let damaged = |at: usize, reason| {
            JournalError::Damaged(Damage { file: file.to_owned(), first_bad_byte: at as u64, record_offset: 0, reason })
        };
        if let Some(at) = bytes.iter().zip(&MAGIC).position(|(found, wanted)| found != wanted) {
            return Err(damaged(at, DamageReason::HeaderMagic));
        }
        // The checksum first: a flipped version byte is damage, not news from the future.
        if CRC32C.checksum(&bytes[..CRC_AT]) != u32_at(bytes, CRC_AT) {
            let at = locate_bad_byte(bytes).unwrap_or(0);
            return Err(damaged(at, DamageReason::HeaderChecksum));
        }
        let number = u16::from_le_bytes(array_at(bytes, 8));
        let Some(version) = FormatVersion::from_number(number) else {
            let known = FormatVersion::NEWEST.number();
            return Err(JournalError::UnsupportedVersion { file: file.to_owned(), version: number, known });
        };
        let hash: [u8; 32] = Sha256::digest(&bytes[..HASH_AT]).into();
        if hash != array_at::<32>(bytes, HASH_AT) {
            return Err(damaged(HASH_AT, DamageReason::HeaderChecksum));
        }
        let identity = EpochIdentity { software: array_at(bytes, 144), rules_pack: array_at(bytes, 176) };
        let header = Self {
            version,
            number: SegmentNumber(u64_at(bytes, 16)),
            table: TableId::from_padded(&array_at(bytes, 48)).ok_or_else(|| damaged(48, DamageReason::HeaderFields))?,
            created: WallTime(i64::from_le_bytes(array_at(bytes, 32))),
            first_sequence: Sequence(u64_at(bytes, 24)),
            first_kept: SegmentNumber(u64_at(bytes, 40)),
            epoch: Epoch { number: EpochNumber(u32_at(bytes, 12)), identity },
            run: u32_at(bytes, 208),
            public_key: PublicKey(array_at(bytes, 112)),
            previous: ChainHash(array_at(bytes, 80)),
        };
        // Writing it again must give the same bytes: this catches every reserved byte and length at once.
        match header.to_bytes().iter().zip(bytes).position(|(wanted, found)| wanted != found) {
            Some(at) => Err(damaged(at, DamageReason::HeaderFields)),
            None => Ok(header),
        }
    }
}

/// What the closing signature covers.
pub(crate) fn close_message(table: &TableId, number: SegmentNumber, sequence: Sequence, head: ChainHash) -> Vec<u8> {
    signed_message(b"holecard journal segment v1\0", table, number.0, sequence, head)
}

pub(crate) fn signed_message(
    domain: &[u8],
    table: &TableId,
    number: u64,
    sequence: Sequence,
    head: ChainHash,
) -> Vec<u8> {
    let mut message = Vec::with_capacity(domain.len() + 80);
    message.extend_from_slice(domain);
    message.extend_from_slice(&table.to_padded());
    message.extend_from_slice(&number.to_le_bytes());
    message.extend_from_slice(&sequence.0.to_le_bytes());
    message.extend_from_slice(&head.0);
    message
}

#[must_use]
pub fn segment_file_name(number: SegmentNumber) -> String {
    format!("{NAME_PREFIX}{:0NAME_DIGITS$}{NAME_SUFFIX}", number.0)
}

/// The other way; `None` for every name that this journal would not have given.
pub(crate) fn segment_number_of(name: &str) -> Option<SegmentNumber> {
    let digits = name.strip_prefix(NAME_PREFIX)?.strip_suffix(NAME_SUFFIX)?;
    let number = SegmentNumber(digits.parse().ok()?);
    (number >= SegmentNumber::FIRST && segment_file_name(number) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_our_own_making_are_segments() {
        assert_eq!(segment_file_name(SegmentNumber(7)), "segment-0000000007.hcj");
        assert_eq!(segment_number_of("segment-0000000007.hcj"), Some(SegmentNumber(7)));
        for other in ["segment-7.hcj", "segment-0000000000.hcj", "segment-+000000007.hcj", "spare.hcj", "head"] {
            assert_eq!(segment_number_of(other), None, "{other}");
        }
    }
}
