//! Reads one segment record by record with every check on: checksum, sequence, chain, epochs, signature.

use crate::error::{Damage, DamageReason, JournalError};
use crate::head::CheckpointPlace;
use crate::keys::SignedHead;
use crate::layout::{Trust, open_segment, read_header};
use crate::locate::locate_in_record;
use crate::record::{
    ALIGNMENT, DecodeError, MARKER, RECORD_BYTES_MAX, RECORD_BYTES_MIN, RECORD_HEADER_BYTES, RecordKind, RecordView,
    decode_record, expected_link, record_length, u32_at, view_checked,
};
use crate::segment::{FormatVersion, SEGMENT_HEADER_BYTES, SegmentHeader, close_message, segment_file_name};
use crate::storage::{Storage, StorageFile, read_up_to};
use crate::types::{ChainHash, EpochIdentity, EpochNumber, Head, SegmentNumber, Sequence};

const CHUNK_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Cursor<F> {
    file: F,
    name: String,
    pub header: SegmentHeader,
    /// Where the next record starts.
    pub offset: u64,
    /// The link that the next record continues.
    pub link: ChainHash,
    pub next: Sequence,
    /// `None` after a seek, until the first record has said it.
    epoch: Option<EpochNumber>,
    run: u32,
    pub closed: bool,
    buffer: Vec<u8>,
    /// The file offset of the buffer's first byte.
    buffer_offset: u64,
    /// The record last read: start in the buffer and length.
    current: (usize, usize),
}

pub(crate) enum Advance {
    /// `Cursor::current` shows it; it starts at this offset and continues this link.
    Record { offset: u64, link: ChainHash },
    /// Nothing was written from here on.
    Unwritten,
}

/// What lies behind the last good record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    pub end: u64,
    /// Where the last byte that is not zero ends; `end` where there is none.
    pub dirty_end: u64,
}

impl<F: StorageFile> Cursor<F> {
    pub(crate) fn open<S: Storage<File = F>>(
        storage: &S,
        number: SegmentNumber,
        trust: &Trust,
    ) -> Result<Self, JournalError> {
        let file = open_segment(storage, number)?;
        let header = read_header(&file, number, trust)?;
        Ok(Self {
            file,
            name: segment_file_name(number),
            offset: SEGMENT_HEADER_BYTES as u64,
            link: header.hash(),
            next: header.first_sequence,
            epoch: Some(header.epoch.number),
            run: header.run,
            closed: false,
            header,
            buffer: Vec::new(),
            buffer_offset: 0,
            current: (0, 0),
        })
    }

    /// Goes to a checkpoint that the head file named; reading it there checks the claim.
    pub(crate) fn seek(&mut self, place: &CheckpointPlace) {
        self.offset = place.offset;
        self.link = place.previous;
        self.next = place.sequence;
        self.epoch = None;
    }

    pub(crate) fn advance(&mut self) -> Result<Advance, JournalError> {
        if self.closed {
            return Ok(Advance::Unwritten);
        }
        let (offset, link) = (self.offset, self.link);
        self.fill(RECORD_BYTES_MIN)?;
        let mut decoded = decode_record(self.window()).map(|(_, length)| length);
        if let Err(DecodeError::Incomplete { needed }) = decoded {
            self.fill(needed)?;
            decoded = decode_record(self.window()).map(|(_, length)| length);
        }
        let length = match decoded {
            Ok(length) => length,
            Err(DecodeError::Unwritten) => return Ok(Advance::Unwritten),
            // The file ends inside the record.
            Err(DecodeError::Incomplete { .. }) => return Err(self.damaged(4, DamageReason::Length)),
            Err(DecodeError::Bad { at, reason }) => return Err(self.damaged(at, reason)),
        };
        self.current = (index(offset - self.buffer_offset), length);
        self.check(length)?;
        let view = self.current();
        let (hash, epoch, run, kind) = (view.hash, view.epoch, view.run, view.kind);
        self.offset += length as u64;
        self.link = hash;
        self.next = self.next.next();
        self.epoch = Some(epoch);
        self.run = run;
        self.closed = kind == RecordKind::Close;
        Ok(Advance::Record { offset, link })
    }

    /// The record that `advance` has just read.
    pub(crate) fn current(&self) -> RecordView<'_> {
        let (start, length) = self.current;
        view_checked(&self.buffer[start..start + length]).expect("advance has decoded these very bytes")
    }

    pub(crate) fn epoch(&self) -> Option<EpochNumber> {
        self.epoch
    }

    pub(crate) fn file_mut(&mut self) -> &mut F {
        &mut self.file
    }

    pub(crate) fn into_file(self) -> F {
        self.file
    }

    /// Everything the checksum does not say: order, chain, and what each kind must carry.
    fn check(&self, length: usize) -> Result<(), JournalError> {
        let view = self.current();
        let bytes = &self.window()[..length];
        if view.sequence != self.next {
            let reason = DamageReason::Sequence { expected: self.next, found: view.sequence };
            return Err(self.damage_at(16, reason));
        }
        if expected_link(self.link, bytes) != view.hash {
            return Err(self.damage_at(0, DamageReason::Chain { previous: self.link }));
        }
        let epoch_fits = match (view.kind, self.epoch) {
            (_, None) => true,
            // The journal's first record names the epoch that its segment header already has.
            (RecordKind::Epoch, Some(epoch)) => {
                view.epoch == if self.next == Sequence::FIRST { epoch } else { epoch.next() }
            }
            (RecordKind::Input | RecordKind::Checkpoint | RecordKind::Close | RecordKind::Signature, Some(epoch)) => {
                view.epoch == epoch
            }
        };
        if !epoch_fits || view.run < self.run || view.durable >= view.sequence {
            return Err(self.damage_at(0, DamageReason::Order));
        }
        let shaped = match view.kind {
            RecordKind::Input => true,
            RecordKind::Epoch | RecordKind::Checkpoint => view.input.len() == EpochIdentity::BYTES,
            RecordKind::Close | RecordKind::Signature => {
                view.input.is_empty() && view.events.len() == crate::segment::SIGNATURE_BYTES
            }
        };
        if !shaped {
            return Err(self.damage_at(60, DamageReason::Shape));
        }
        let signed = match view.kind {
            RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint => true,
            RecordKind::Close => {
                let message = close_message(&self.header.table, self.header.number, view.sequence, self.link);
                <&[u8; 64]>::try_from(view.events)
                    .is_ok_and(|signature| self.header.public_key.verifies(&message, signature))
            }
            RecordKind::Signature => self.vouches(&view)?,
        };
        if signed { Ok(()) } else { Err(self.damage_at(RECORD_HEADER_BYTES, DamageReason::Signature)) }
    }

    /// Whether this signature is one over the record before it. Version 1 knows no such record, and a segment does not
    /// begin with one: the close before it has signed everything.
    fn vouches(&self, view: &RecordView<'_>) -> Result<bool, JournalError> {
        if self.header.version < FormatVersion::V2 {
            return Err(self.damage_at(8, DamageReason::UnknownKind(view.kind.code())));
        }
        if self.offset == SEGMENT_HEADER_BYTES as u64 {
            return Err(self.damage_at(8, DamageReason::Shape));
        }
        let head = Head { sequence: view.sequence.previous(), hash: self.link };
        Ok(<[u8; 64]>::try_from(view.events).is_ok_and(|signature| {
            self.header.public_key.verifies_head(&self.header.table, &SignedHead { head, signature })
        }))
    }

    /// Looks through the rest of the file. In the newest segment, what a power cut left behind is a tail to cut: bytes
    /// that no later record says were durable. A later record that does say so turns the same bytes into an alarm.
    pub(crate) fn scan_tail(&mut self) -> Result<Tail, JournalError> {
        let end = self.offset;
        let mut dirty_end = end;
        let mut at = end;
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let filled = self.read(at, &mut chunk)?;
            if filled == 0 {
                break;
            }
            if let Some(last) = chunk[..filled].iter().rposition(|byte| *byte != 0) {
                dirty_end = at + last as u64 + 1;
                if self.closed {
                    let first = chunk[..filled].iter().position(|byte| *byte != 0).unwrap_or(0);
                    let reason = DamageReason::AfterClose;
                    return Err(self.damage(end, at + first as u64, reason));
                }
                self.check_stray_records(at, &chunk[..filled])?;
            }
            at += filled as u64;
        }
        Ok(Tail { end, dirty_end })
    }

    fn check_stray_records(&mut self, chunk_offset: u64, chunk: &[u8]) -> Result<(), JournalError> {
        for start in (0..chunk.len()).step_by(ALIGNMENT) {
            let offset = chunk_offset + start as u64;
            if !chunk[start..].starts_with(&MARKER) || offset == self.offset {
                continue;
            }
            let mut prefix = [0; 8];
            self.read(offset, &mut prefix)?;
            let length = u32_at(&prefix, 4) as usize;
            if !(RECORD_BYTES_MIN..=RECORD_BYTES_MAX).contains(&length) {
                continue;
            }
            let mut bytes = vec![0; length];
            let filled = self.read(offset, &mut bytes)?;
            if let Ok((view, _)) = decode_record(&bytes[..filled])
                && view.sequence >= self.next
                && view.durable >= self.next
            {
                let at = self.pinpoint(0)?;
                return Err(self.damage(self.offset, at, DamageReason::BadBeforeGood));
            }
        }
        Ok(())
    }

    /// Damage at `at` bytes into the next record.
    fn damage_at(&self, at: usize, reason: DamageReason) -> JournalError {
        self.damage(self.offset, self.offset + at as u64, reason)
    }

    fn damaged(&mut self, at: usize, reason: DamageReason) -> JournalError {
        match self.pinpoint(at) {
            Ok(first_bad_byte) => self.damage(self.offset, first_bad_byte, reason),
            Err(error) => error,
        }
    }

    pub(crate) fn damage(&self, record_offset: u64, first_bad_byte: u64, reason: DamageReason) -> JournalError {
        JournalError::Damaged(Damage { file: self.name.clone(), first_bad_byte, record_offset, reason })
    }

    /// The first wrong byte of the next record as exactly as can be told, else `fallback` bytes into it.
    fn pinpoint(&mut self, fallback: usize) -> Result<u64, JournalError> {
        self.fill(RECORD_HEADER_BYTES)?;
        let window = self.window();
        if window.len() >= RECORD_HEADER_BYTES {
            let told = (u32_at(window, 4) as usize).min(RECORD_BYTES_MAX);
            let implied = record_length(u32_at(window, 60) as usize, u32_at(window, 64) as usize).unwrap_or(0);
            self.fill(told.max(implied))?;
        }
        let at = locate_in_record(self.window(), self.link).unwrap_or(fallback);
        Ok(self.offset + at as u64)
    }

    /// Reads from the file again, not from what was read before.
    pub(crate) fn forget_buffer(&mut self) {
        self.buffer.clear();
        self.buffer_offset = self.offset;
    }

    /// What the buffer has from the next record on.
    fn window(&self) -> &[u8] {
        let start = index(self.offset.saturating_sub(self.buffer_offset)).min(self.buffer.len());
        &self.buffer[start..]
    }

    /// Makes the window at least `needed` bytes long, or as long as the file allows.
    fn fill(&mut self, needed: usize) -> Result<(), JournalError> {
        let inside = self.offset >= self.buffer_offset;
        if inside && self.window().len() >= needed {
            return Ok(());
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(needed.clamp(CHUNK_BYTES, RECORD_BYTES_MAX), 0);
        let filled = self.read(self.offset, &mut buffer)?;
        buffer.truncate(filled);
        self.buffer = buffer;
        self.buffer_offset = self.offset;
        Ok(())
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, JournalError> {
        read_up_to(&self.file, offset, buffer).map_err(JournalError::storage("read", &self.name))
    }
}

/// Offsets into buffers are bounded by the record limit; anything else is a bug that indexing then stops on.
fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
