//! The single-threaded writing core: gives records their place in the order, chains and buffers them, and makes them
//! durable together.
//!
//! `append` gives a sequence, `commit` makes it durable; nothing may be shown, paid or acknowledged in between. After any
//! failure of the storage the appender has stopped for good: what a failed sync left behind can only be found out by
//! reading it back at the next start.

use crate::error::JournalError;
use crate::head::{CheckpointPlace, HeadFile};
use crate::keys::{JournalKey, SignedHead};
use crate::record::{RecordKind, RecordView, encode_record, record_length};
use crate::segment::{CLOSE_RECORD_BYTES, FormatVersion};
use crate::settings::Settings;
use crate::space::RecordSizes;
use crate::spare::Spare;
use crate::storage::{Storage, StorageFile};
use crate::types::{
    ChainHash, Epoch, EpochIdentity, Head, MonotonicTime, PersonId, SegmentNumber, Sequence, TableId, WallTime,
};

/// What the caller wants kept: an input and the events it caused, in the caller's own encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    pub content_version: u16,
    pub wall: WallTime,
    pub monotonic: MonotonicTime,
    pub person: PersonId,
    pub input: &'a [u8],
    pub events: &'a [u8],
}

#[derive(Debug)]
pub struct Appender<S: Storage> {
    pub(crate) storage: S,
    pub(crate) settings: Settings,
    pub(crate) table: TableId,
    pub(crate) key: JournalKey,
    pub(crate) current: OpenSegment<S::File>,
    /// The oldest segment still on the disk.
    pub(crate) first_segment: SegmentNumber,
    pub(crate) chain: Chain,
    /// Encoded, not yet written.
    pub(crate) pending: Vec<u8>,
    pub(crate) durable: Head,
    pub(crate) checkpoint: Option<CheckpointPlace>,
    pub(crate) records_since_checkpoint: u64,
    pub(crate) head_file: HeadFile<S::File>,
    pub(crate) spare: Spare<S::File>,
    pub(crate) space_state: SpaceState,
    pub(crate) sizes: RecordSizes,
    pub(crate) last_times: (WallTime, MonotonicTime),
    /// Records that no signature covers yet.
    pub(crate) unsigned: u64,
    pub(crate) stopped: bool,
}

/// The segment being written.
#[derive(Debug)]
pub(crate) struct OpenSegment<F> {
    pub version: FormatVersion,
    pub number: SegmentNumber,
    pub name: String,
    pub file: F,
    pub created: WallTime,
    /// Written and synced up to here.
    pub end: u64,
    pub capacity: u64,
}

/// What the next record continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    pub link: ChainHash,
    /// The last record's own hash; differs from `link` right after a segment's header.
    pub last: Head,
    pub epoch: Epoch,
    pub run: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpaceState {
    /// Of all segments; counted when first needed.
    pub segment_bytes_total: Option<u64>,
    pub disk_full: bool,
    pub allowance_used: bool,
    pub allowance_waived: bool,
}

impl<S: Storage + Clone> Appender<S> {
    /// Puts a record in order. It is not durable before the next `commit`.
    pub fn append(&mut self, entry: &Entry<'_>) -> Result<Sequence, JournalError> {
        self.place(RecordKind::Input, entry, self.chain.epoch).map(|_| self.chain.last.sequence)
    }

    /// Keeps the caller's state after every record so far, signed, so that the next start reads only from here. Durable on
    /// return.
    pub fn checkpoint(&mut self, state: &Entry<'_>) -> Result<Sequence, JournalError> {
        let identity = self.chain.epoch.identity.to_bytes();
        let entry = Entry { input: &identity, ..*state };
        let place = self.place(RecordKind::Checkpoint, &entry, self.chain.epoch)?;
        self.encode_signature(state.wall, state.monotonic);
        self.commit()?;
        self.checkpoint = Some(place);
        self.records_since_checkpoint = 0;
        self.write_head()?;
        Ok(place.sequence)
    }

    /// Vouches for everything appended so far: a record with the signature over the last one. Durable on return. Where
    /// nothing is unsigned, nothing is written; where the segment has no room for it, its close signs instead.
    pub fn sign(&mut self, wall: WallTime, monotonic: MonotonicTime) -> Result<SignedHead, JournalError> {
        self.check_running()?;
        if self.unsigned > 0 {
            let end = self.current.end + self.pending.len() as u64;
            let fits = end + 2 * CLOSE_RECORD_BYTES as u64 <= self.current.capacity;
            if fits && self.current.version >= FormatVersion::V2 {
                self.encode_signature(wall, monotonic);
            } else {
                self.rotate(wall, monotonic, false)?;
            }
        }
        self.commit()?;
        Ok(self.sign_head())
    }

    /// Starts the next epoch. The caller has seen to it that the table is closed. Durable on return.
    pub fn begin_epoch(
        &mut self,
        identity: EpochIdentity,
        wall: WallTime,
        monotonic: MonotonicTime,
        person: PersonId,
    ) -> Result<Epoch, JournalError> {
        let epoch = Epoch { number: self.chain.epoch.number.next(), identity };
        let bytes = identity.to_bytes();
        let entry = Entry { content_version: 0, wall, monotonic, person, input: &bytes, events: &[] };
        self.place(RecordKind::Epoch, &entry, epoch)?;
        self.commit()?;
        Ok(epoch)
    }

    /// Writes and syncs everything appended; on return it is durable up to the answer.
    pub fn commit(&mut self) -> Result<Sequence, JournalError> {
        self.check_running()?;
        if !self.pending.is_empty() {
            let segment = &mut self.current;
            let written = segment
                .file
                .write_at(segment.end, &self.pending)
                .map_err(JournalError::storage("write", &segment.name))
                .and_then(|()| segment.file.sync().map_err(JournalError::storage("sync", &segment.name)));
            self.fatal(written)?;
            self.current.end += self.pending.len() as u64;
            self.pending.clear();
            self.durable = self.chain.last;
        }
        Ok(self.durable.sequence)
    }

    /// Commits and notes where the journal stands, so that the next start notices a missing tail.
    pub fn shut_down(mut self) -> Result<Head, JournalError> {
        self.commit()?;
        self.write_head()?;
        Ok(self.durable)
    }

    /// The last durable record.
    #[must_use]
    pub fn head(&self) -> Head {
        self.durable
    }

    #[must_use]
    pub fn sign_head(&self) -> SignedHead {
        self.key.sign_head(&self.table, self.durable)
    }

    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.chain.epoch
    }

    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Records that no signature covers yet.
    #[must_use]
    pub fn unsigned(&self) -> u64 {
        self.unsigned
    }

    /// The hash of the last record appended, durable or not.
    #[must_use]
    pub fn appended(&self) -> Head {
        self.chain.last
    }

    /// True when start-up would profit from a checkpoint, or retention is held up by the age of the last one.
    #[must_use]
    pub fn checkpoint_due(&self) -> bool {
        self.records_since_checkpoint >= self.settings.checkpoint_every_records
            || self.checkpoint.is_none_or(|place| place.segment < self.current.number)
    }

    /// Encodes a record behind the pending ones, in a new segment if this one is full or old.
    fn place(&mut self, kind: RecordKind, entry: &Entry<'_>, epoch: Epoch) -> Result<CheckpointPlace, JournalError> {
        self.check_running()?;
        let max = self.settings.record_bytes_max();
        let length = record_length(entry.input.len(), entry.events.len()).map_or(u64::MAX, |length| length as u64);
        if length > max {
            return Err(JournalError::RecordTooLarge { bytes: length, max });
        }
        let end = self.current.end + self.pending.len() as u64;
        // A checkpoint has its signature right behind it.
        let behind = if kind == RecordKind::Checkpoint { 2 } else { 1 } * CLOSE_RECORD_BYTES as u64;
        let full = end + length + behind > self.current.capacity;
        let old = entry.wall.seconds_since(self.current.created) >= self.settings.segment_age_max_s
            || self.current.version < FormatVersion::NEWEST;
        if full || old {
            // Old segments go only once a newer checkpoint lets them, so a checkpoint may go beyond the allowance: the disk
            // is the limit. Otherwise a journal at its allowance could never get below it again.
            self.space_state.allowance_waived = kind == RecordKind::Checkpoint;
            let rotated = self.rotate(entry.wall, entry.monotonic, full);
            self.space_state.allowance_waived = false;
            rotated?;
        }
        Ok(self.encode(kind, entry, epoch))
    }

    /// The signature over the last record. The caller knows that it fits; an old segment is signed by its close alone.
    fn encode_signature(&mut self, wall: WallTime, monotonic: MonotonicTime) {
        if self.current.version < FormatVersion::V2 {
            return;
        }
        let signed = self.key.sign_head(&self.table, self.chain.last);
        let entry = Entry {
            content_version: 0,
            wall,
            monotonic,
            person: PersonId::NOBODY,
            input: &[],
            events: &signed.signature,
        };
        self.encode(RecordKind::Signature, &entry, self.chain.epoch);
    }

    /// Encodes without asking whether it fits: the caller knows.
    pub(crate) fn encode(&mut self, kind: RecordKind, entry: &Entry<'_>, epoch: Epoch) -> CheckpointPlace {
        let place = CheckpointPlace {
            segment: self.current.number,
            offset: self.current.end + self.pending.len() as u64,
            sequence: self.chain.last.sequence.next(),
            previous: self.chain.link,
        };
        let view = RecordView {
            kind,
            content_version: entry.content_version,
            epoch: epoch.number,
            sequence: place.sequence,
            durable: self.durable.sequence,
            wall: entry.wall,
            monotonic: entry.monotonic,
            person: entry.person,
            run: self.chain.run,
            input: entry.input,
            events: entry.events,
            hash: ChainHash::ZERO,
        };
        let before = self.pending.len();
        let hash = encode_record(&view, self.chain.link, &mut self.pending).expect("the length was checked before");
        self.sizes.note((self.pending.len() - before) as u64);
        self.chain.link = hash;
        self.chain.last = Head { sequence: place.sequence, hash };
        self.chain.epoch = epoch;
        self.records_since_checkpoint += 1;
        self.unsigned = match kind {
            RecordKind::Signature | RecordKind::Close => 0,
            RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint => self.unsigned + 1,
        };
        self.last_times = (entry.wall, entry.monotonic);
        place
    }

    pub(crate) fn write_head(&mut self) -> Result<(), JournalError> {
        let written = self.head_file.write(self.durable.sequence, self.checkpoint);
        self.fatal(written)
    }

    pub(crate) fn check_running(&self) -> Result<(), JournalError> {
        if self.stopped { Err(JournalError::Stopped) } else { Ok(()) }
    }

    /// After a failure here nothing is known about the storage: stop, and let the next start read what is there.
    pub(crate) fn fatal<T>(&mut self, result: Result<T, JournalError>) -> Result<T, JournalError> {
        self.stopped |= result.is_err();
        result
    }
}
