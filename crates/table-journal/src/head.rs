//! The head file: where the last checkpoint lies, so that start-up need not read the journal's whole age.
//!
//! Only a hint for the way in, and a witness: it names a record that was durable when it was written, so a tail that
//! vanished later is noticed. Two slots are written in turn, each in its own page, so a cut tears at most the older
//! news; with both gone the segments are searched backwards instead. It is never trusted over the segments.

use crate::error::JournalError;
use crate::record::{CRC32C, array_at, u32_at, u64_at};
use crate::storage::{Storage, StorageFile, read_up_to};
use crate::types::{ChainHash, SegmentNumber, Sequence};

pub(crate) const HEAD_FILE: &str = "head";
const MAGIC: [u8; 8] = *b"HCHEAD1\n";
/// Apart by a page, so that no one write can tear both.
const SLOT_STRIDE: u64 = 4096;
const SLOT_BYTES: usize = 96;
const CRC_AT: usize = SLOT_BYTES - 4;

/// Where a checkpoint record starts, and the link it continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CheckpointPlace {
    pub segment: SegmentNumber,
    pub offset: u64,
    pub sequence: Sequence,
    pub previous: ChainHash,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadNote {
    pub generation: u64,
    /// Durable when this note was written.
    pub durable: Sequence,
    pub checkpoint: Option<CheckpointPlace>,
}

impl HeadNote {
    fn to_bytes(self) -> [u8; SLOT_BYTES] {
        let mut bytes = [0; SLOT_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        put(8, &self.generation.to_le_bytes());
        put(16, &self.durable.0.to_le_bytes());
        if let Some(place) = self.checkpoint {
            put(24, &place.segment.0.to_le_bytes());
            put(32, &place.offset.to_le_bytes());
            put(40, &place.sequence.0.to_le_bytes());
            put(48, &place.previous.0);
        }
        let crc = CRC32C.checksum(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let whole = bytes.len() == SLOT_BYTES && bytes[..8] == MAGIC;
        if !whole || CRC32C.checksum(&bytes[..CRC_AT]) != u32_at(bytes, CRC_AT) {
            return None;
        }
        let segment = SegmentNumber(u64_at(bytes, 24));
        let checkpoint = (segment >= SegmentNumber::FIRST).then(|| CheckpointPlace {
            segment,
            offset: u64_at(bytes, 32),
            sequence: Sequence(u64_at(bytes, 40)),
            previous: ChainHash(array_at(bytes, 48)),
        });
        Some(Self { generation: u64_at(bytes, 8), durable: Sequence(u64_at(bytes, 16)), checkpoint })
    }
}

/// The newest note that is whole, if any.
pub(crate) fn read_head<S: Storage>(storage: &S) -> Result<Option<HeadNote>, JournalError> {
    let exists = storage.list().map_err(JournalError::storage("list", "."))?.iter().any(|name| name == HEAD_FILE);
    if !exists {
        return Ok(None);
    }
    let file = storage.open(HEAD_FILE).map_err(JournalError::storage("open", HEAD_FILE))?;
    let mut newest: Option<HeadNote> = None;
    for slot in 0..2 {
        let mut bytes = [0; SLOT_BYTES];
        let length =
            read_up_to(&file, slot * SLOT_STRIDE, &mut bytes).map_err(JournalError::storage("read", HEAD_FILE))?;
        if let Some(note) = HeadNote::from_bytes(&bytes[..length]) {
            newest = newest.into_iter().chain([note]).max_by_key(|note| note.generation);
        }
    }
    Ok(newest)
}

/// The head file held open for writing.
#[derive(Debug)]
pub(crate) struct HeadFile<F> {
    file: F,
    generation: u64,
}

impl<F: StorageFile> HeadFile<F> {
    /// Opens or makes the file with both its pages allocated, so that a full disk cannot hinder it later.
    pub(crate) fn open<S: Storage<File = F>>(storage: &S, last: Option<HeadNote>) -> Result<Self, JournalError> {
        let failed = |operation| JournalError::storage(operation, HEAD_FILE);
        let exists = storage.list().map_err(failed("list"))?.iter().any(|name| name == HEAD_FILE);
        let mut file = if exists {
            storage.open(HEAD_FILE).map_err(failed("open"))?
        } else {
            storage.create(HEAD_FILE).map_err(failed("create"))?
        };
        let whole = 2 * SLOT_STRIDE;
        let length = file.len().map_err(failed("measure"))?;
        if length < whole {
            let missing = vec![0; usize::try_from(whole - length).unwrap_or(0)];
            file.write_at(length, &missing).map_err(failed("write"))?;
            file.sync().map_err(failed("sync"))?;
            storage.sync_dir().map_err(JournalError::storage("sync", "."))?;
        }
        Ok(Self { file, generation: last.map_or(0, |note| note.generation) })
    }

    pub(crate) fn write(&mut self, durable: Sequence, checkpoint: Option<CheckpointPlace>) -> Result<(), JournalError> {
        let note = HeadNote { generation: self.generation + 1, durable, checkpoint };
        let slot = note.generation % 2;
        self.file.write_at(slot * SLOT_STRIDE, &note.to_bytes()).map_err(JournalError::storage("write", HEAD_FILE))?;
        self.file.sync().map_err(JournalError::storage("sync", HEAD_FILE))?;
        self.generation = note.generation;
        Ok(())
    }
}
