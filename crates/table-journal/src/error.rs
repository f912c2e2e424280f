//! What can go wrong with a journal, and which of it stops the table.
//!
//! An alarm (`is_alarm`) means that history is not what was written: it is never repaired, skipped or retried here.

use std::io;

use crate::settings::SettingsError;
use crate::types::{ChainHash, SegmentNumber, Sequence, TableId};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("cannot {operation} `{file}`: {source}; the journal has stopped, check the storage and restart")]
    Storage { operation: &'static str, file: String, source: io::Error },
    #[error("{0}; stop the table, keep the files as they are and call the auditor")]
    Damaged(Damage),
    #[error("segment {0} of the journal is missing; stop the table and restore it from the export")]
    MissingSegment(SegmentNumber),
    #[error("the journal ends at record {found}, but record {known} was already durable; the tail was removed")]
    TailMissing { known: Sequence, found: Sequence },
    #[error("the journal begins at segment {0}, and no checkpoint that is kept is signed; restore it from the export")]
    NoSignedCheckpoint(SegmentNumber),
    #[error("there is no journal here; create one at install")]
    Empty,
    #[error("a journal is already here; open it instead of creating one")]
    AlreadyExists,
    #[error("`{file}` is of table {found}, this is table {expected}; mount the right storage")]
    OtherTable { file: String, expected: TableId, found: TableId },
    #[error("`{file}` was begun under another signing key; restore this journal's key file")]
    OtherKey { file: String },
    #[error("`{file}` has format version {version}, this software reads up to {known}; install a newer one")]
    UnsupportedVersion { file: String, version: u16, known: u16 },
    #[error("the journal is full ({0}); export and free space, nothing was lost")]
    Full(&'static str),
    #[error("a record of {bytes} bytes is above the limit of {max}")]
    RecordTooLarge { bytes: u64, max: u64 },
    #[error("the journal's settings cannot work: {0}")]
    Settings(#[from] SettingsError),
    #[error("the journal stopped after an earlier failure; restart to recover from what is durable")]
    Stopped,
}

impl JournalError {
    /// The stable code that the technician's fault list explains.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Storage { .. } => "journal-storage",
            Self::Damaged(_) => "journal-damaged",
            Self::MissingSegment(_) => "journal-segment-missing",
            Self::TailMissing { .. } => "journal-tail-missing",
            Self::NoSignedCheckpoint(_) => "journal-no-signed-checkpoint",
            Self::Empty => "journal-empty",
            Self::AlreadyExists => "journal-exists",
            Self::OtherTable { .. } => "journal-other-table",
            Self::OtherKey { .. } => "journal-other-key",
            Self::UnsupportedVersion { .. } => "journal-version",
            Self::Full(_) => "journal-full",
            Self::RecordTooLarge { .. } => "journal-record-too-large",
            Self::Settings(_) => "journal-settings",
            Self::Stopped => "journal-stopped",
        }
    }

    /// True where the stored history contradicts itself.
    #[must_use]
    pub fn is_alarm(&self) -> bool {
        match self {
            Self::Damaged(_) | Self::MissingSegment(_) | Self::TailMissing { .. } => true,
            Self::OtherTable { .. } | Self::OtherKey { .. } | Self::NoSignedCheckpoint(_) => true,
            Self::Storage { .. } | Self::Empty | Self::AlreadyExists | Self::UnsupportedVersion { .. } => false,
            Self::Full(_) | Self::RecordTooLarge { .. } | Self::Settings(_) | Self::Stopped => false,
        }
    }

    pub(crate) fn storage(operation: &'static str, file: &str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Storage { operation, file: file.to_owned(), source }
    }
}

/// A place where the bytes are not what a writer put there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{file}` is damaged at byte {first_bad_byte} (record at byte {record_offset}): {reason}")]
pub struct Damage {
    pub file: String,
    /// The first byte that is wrong, as exactly as the checks can tell; otherwise where its record starts.
    pub first_bad_byte: u64,
    pub record_offset: u64,
    pub reason: DamageReason,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamageReason {
    #[error("not a segment header")]
    HeaderMagic,
    #[error("the header's checksum or hash does not match")]
    HeaderChecksum,
    #[error("the header's fields contradict its file name or neighbours")]
    HeaderFields,
    #[error("the header does not continue the segment before it")]
    HeaderChain,
    #[error("no record starts here")]
    Marker,
    #[error("the record's lengths contradict each other")]
    Length,
    #[error("the checksum does not match")]
    Checksum,
    #[error("reserved or padding bytes are not zero")]
    Reserved,
    #[error("unknown record kind {0}")]
    UnknownKind(u8),
    #[error("a record of this kind does not look like this")]
    Shape,
    #[error("expected record {expected}, found {found}")]
    Sequence { expected: Sequence, found: Sequence },
    #[error("epoch, run or durable mark contradict the records before")]
    Order,
    #[error("the hash does not continue the chain from {previous}")]
    Chain { previous: ChainHash },
    #[error("the segment's signature does not match its key")]
    Signature,
    #[error("bytes after the closing record")]
    AfterClose,
    #[error("a later segment exists, but this one was not closed")]
    NotClosed,
    #[error("a bad record is followed by good ones")]
    BadBeforeGood,
}
