//! The journal's own small types, so that a sequence can never be passed for a segment or a wall time for a
//! monotonic one.

use std::fmt;

/// A record's place in the whole journal, counted from 1 over all segments without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(pub u64);

impl Sequence {
    /// Before the first record.
    pub const NONE: Self = Self(0);
    pub const FIRST: Self = Self(1);

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    #[must_use]
    pub const fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A segment's number, counted from 1; part of its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentNumber(pub u64);

impl SegmentNumber {
    pub const FIRST: Self = Self(1);

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for SegmentNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Counts the changes of software or rules; the first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpochNumber(pub u32);

impl EpochNumber {
    pub const FIRST: Self = Self(1);

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// What made an epoch's records: two SHA-256 digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochIdentity {
    pub software: [u8; 32],
    pub rules_pack: [u8; 32],
}

impl EpochIdentity {
    pub(crate) const BYTES: usize = 64;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(&self.software);
        bytes[32..].copy_from_slice(&self.rules_pack);
        bytes
    }

    /// As the first payload of an epoch's or a checkpoint's record holds it.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (software, rules_pack) = bytes.split_first_chunk::<32>()?;
        Some(Self { software: *software, rules_pack: rules_pack.try_into().ok()? })
    }
}

/// An epoch with what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    pub number: EpochNumber,
    pub identity: EpochIdentity,
}

/// Who acted: the staff file's number; 0 where no person did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub u64);

impl PersonId {
    pub const NOBODY: Self = Self(0);
}

/// Microseconds since 1970-01-01T00:00:00Z; may step in both directions between records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallTime(pub i64);

impl WallTime {
    /// Whole seconds from `earlier` to here; 0 where the clock went back.
    #[must_use]
    pub fn seconds_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0) / 1_000_000
    }
}

/// Microseconds of a clock that never steps; comparable only between records of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MonotonicTime(pub u64);

/// A link of the SHA-256 chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; 32]);

impl ChainHash {
    pub const ZERO: Self = Self([0; 32]);
}

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where the journal stands: what a day's summary prints, since a chain cannot show that its tail was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub sequence: Sequence,
    pub hash: ChainHash,
}

impl Head {
    /// Before the first record.
    pub const NONE: Self = Self { sequence: Sequence::NONE, hash: ChainHash::ZERO };
}

/// The table's name, as it stands in every segment header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableId(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table id is 1 to 32 printable ASCII characters without spaces; choose a shorter or plainer one")]
pub struct TableIdError;

impl TableId {
    pub const BYTES_MAX: usize = 32;

    pub fn new(text: &str) -> Result<Self, TableIdError> {
        let fits = !text.is_empty() && text.len() <= Self::BYTES_MAX;
        if fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TableIdError)
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_padded(&self) -> [u8; Self::BYTES_MAX] {
        let mut bytes = [0; Self::BYTES_MAX];
        bytes[..self.0.len()].copy_from_slice(self.0.as_bytes());
        bytes
    }

    pub(crate) fn from_padded(bytes: &[u8; Self::BYTES_MAX]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let (text, padding) = bytes.split_at(end);
        if padding.iter().any(|byte| *byte != 0) {
            return None;
        }
        Self::new(std::str::from_utf8(text).ok()?).ok()
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
