//! The append-only, hash-chained record of everything that happened at a table.
//!
//! A map of the crate; the bytes themselves are described in `docs/journal-format.md`.
//!
//! | module | holds |
//! |---|---|
//! | `types` | sequence, epoch, person, times and hashes as their own types |
//! | `record`, `segment`, `head` | the byte formats, pure |
//! | `locate` | naming the damaged byte inside a record |
//! | `keys` | the key made at install that signs every closed segment |
//! | `storage`, `directory`, `lying` | the small trait under everything, the real one, and the one that lies |
//! | `layout`, `cursor`, `walk` | which segments there are; reading one, then all of them, with every check on |
//! | `appender`, `recovery`, `rotation`, `spare`, `space` | the single-threaded writing core |
//! | `writer` | the thread around it: bounded queue, group commit, acknowledgements |
//! | `witness` | the newest signed head, kept apart from the journal |
//! | `reader`, `verify` | reading back, whole or in slices |
//! | `measure` | durable records per second against a bare synced write |
//!
//! What this crate must never do: acknowledge a record before it is on stable storage, try a failed sync again,
//! repair or skip a bad record, or remove a segment that its successor does not say is removed.

#![forbid(unsafe_code)]

mod appender;
mod cursor;
mod directory;
mod error;
mod head;
mod keys;
mod layout;
mod locate;
mod reader;
mod record;
mod recovery;
mod rotation;
mod segment;
mod settings;
mod space;
mod spare;
mod storage;
mod types;
mod verify;
mod walk;
mod witness;
mod writer;

#[cfg(any(test, feature = "test-storage"))]
pub mod lying;
#[cfg(feature = "measure")]
pub mod measure;

pub use appender::{Appender, Entry};
pub use directory::{DirectoryFile, DirectoryStorage};
pub use error::{Damage, DamageReason, JournalError};
pub use keys::{JournalKey, KeyError, PublicKey, SignedHead, is_open_to_others};
pub use reader::{JournalReader, Place, Records};
pub use record::{
    DecodeError, KIND_CODES, RECORD_BYTES_MAX, Record, RecordKind, RecordView, decode_record, encode_record,
};
pub use recovery::{Recovery, StartedFrom, TailCut};
pub use segment::{FormatVersion, SEGMENT_HEADER_BYTES, SegmentHeader, segment_file_name};
pub use settings::{Retention, Settings, SettingsError};
pub use space::{Fullness, NearlyFull, Space};
pub use storage::{Storage, StorageFile};
pub use types::{
    ChainHash, Epoch, EpochIdentity, EpochNumber, Head, MonotonicTime, PersonId, SegmentNumber, Sequence, TableId,
    TableIdError, WallTime,
};
pub use verify::{BackgroundVerification, VerifyReport, VerifySlice, verify};
pub use witness::{Doubt, Found, WitnessFile};
pub use writer::{Acknowledgement, OwnedEntry, SignatureReady, Status, SubmitError, Writer, WriterSettings};
