//! Goes from record to record across segments, to the journal's end.

use crate::cursor::{Advance, Cursor, Tail};
use crate::error::{DamageReason, JournalError};
use crate::head::CheckpointPlace;
use crate::layout::{Layout, Trust};
use crate::record::{RecordKind, RecordView};
use crate::segment::FormatVersion;
use crate::storage::Storage;
use crate::types::{ChainHash, Head, SegmentNumber};

#[derive(Debug)]
pub(crate) struct Walk<S: Storage> {
    storage: S,
    trust: Trust,
    last: SegmentNumber,
    cursor: Cursor<S::File>,
    /// The hash of the record before the next one, where a record and not a segment header is meant.
    last_hash: ChainHash,
}

pub(crate) enum WalkStep {
    Record {
        offset: u64,
        link: ChainHash,
    },
    /// The newest segment has no further record; this is what lies behind.
    End(Tail),
}

impl<S: Storage + Clone> Walk<S> {
    pub(crate) fn from_segment(
        storage: &S,
        layout: &Layout,
        trust: &Trust,
        number: SegmentNumber,
    ) -> Result<Self, JournalError> {
        let cursor = Cursor::open(storage, number, trust)?;
        let last_hash = cursor.header.previous;
        Ok(Self { storage: storage.clone(), trust: trust.clone(), last: layout.last, cursor, last_hash })
    }

    /// Starts at the checkpoint that the head file names; `None` where no such checkpoint is there, for whatever reason,
    /// or where no signature covers it: the head file is only a hint, and a checkpoint alone proves nothing.
    pub(crate) fn from_checkpoint(
        storage: &S,
        layout: &Layout,
        trust: &Trust,
        place: &CheckpointPlace,
    ) -> Result<Option<Self>, JournalError> {
        if !layout.contains(place.segment) {
            return Ok(None);
        }
        let mut walk = Self::from_segment(storage, layout, trust, place.segment)?;
        walk.cursor.seek(place);
        let found = matches!(walk.cursor.advance(), Ok(Advance::Record { .. }))
            && walk.cursor.current().kind == RecordKind::Checkpoint;
        if !found || !walk.is_signed_behind()? {
            return Ok(None);
        }
        let mut walk = Self::from_segment(storage, layout, trust, place.segment)?;
        walk.cursor.seek(place);
        walk.last_hash = place.previous;
        Ok(Some(walk))
    }

    /// Whether a signature covers the record just read: one right behind it, or for version 1 the segment's close.
    fn is_signed_behind(&mut self) -> Result<bool, JournalError> {
        loop {
            match self.cursor.advance() {
                Ok(Advance::Unwritten) => return Ok(false),
                Err(JournalError::Damaged(_)) => return Ok(false),
                Err(error) => return Err(error),
                Ok(Advance::Record { .. }) => match (self.cursor.current().kind, self.cursor.header.version) {
                    (RecordKind::Signature | RecordKind::Close, _) => return Ok(true),
                    (RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint, FormatVersion::V2) => {
                        return Ok(false);
                    }
                    (RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint, FormatVersion::V1) => {}
                },
            }
        }
    }

    pub(crate) fn next(&mut self) -> Result<WalkStep, JournalError> {
        loop {
            let newest = self.cursor.header.number == self.last;
            match self.cursor.advance() {
                Ok(Advance::Record { offset, link }) => {
                    self.last_hash = self.cursor.link;
                    return Ok(WalkStep::Record { offset, link });
                }
                Ok(Advance::Unwritten) if newest => return self.end(),
                Ok(Advance::Unwritten) if self.cursor.closed => {
                    self.cursor.scan_tail()?;
                    self.enter_next_segment()?;
                }
                Ok(Advance::Unwritten) => {
                    let end = self.cursor.offset;
                    return Err(self.cursor.damage(end, end, DamageReason::NotClosed));
                }
                Err(JournalError::Damaged(damage)) if newest && could_be_torn(&damage.reason) => {
                    return self.end();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// What the newest segment's end looks like. On a running table the writer may have gone on since the bytes were read,
    /// so anything but a clean end is looked at once more before it counts: a record that a later one calls durable is
    /// there by now, if it is there at all.
    fn end(&mut self) -> Result<WalkStep, JournalError> {
        let first_look = self.cursor.scan_tail();
        if first_look.as_ref().is_ok_and(|tail| tail.dirty_end == tail.end) {
            return first_look.map(WalkStep::End);
        }
        self.cursor.forget_buffer();
        match self.cursor.advance() {
            Ok(Advance::Record { offset, link }) => {
                self.last_hash = self.cursor.link;
                Ok(WalkStep::Record { offset, link })
            }
            Ok(Advance::Unwritten) | Err(_) => first_look.map(WalkStep::End),
        }
    }

    pub(crate) fn current(&self) -> RecordView<'_> {
        self.cursor.current()
    }

    pub(crate) fn segment(&self) -> SegmentNumber {
        self.cursor.header.number
    }

    pub(crate) fn cursor(&self) -> &Cursor<S::File> {
        &self.cursor
    }

    pub(crate) fn into_cursor(self) -> Cursor<S::File> {
        self.cursor
    }

    /// The last record read, or the one before the start.
    pub(crate) fn head(&self) -> Head {
        Head { sequence: self.cursor.next.previous(), hash: self.last_hash }
    }

    fn enter_next_segment(&mut self) -> Result<(), JournalError> {
        let next = Cursor::open(&self.storage, self.cursor.header.number.next(), &self.trust)?;
        let (before, after) = (&self.cursor.header, &next.header);
        let wrong_at = if after.previous != self.cursor.link {
            Some((80, DamageReason::HeaderChain))
        } else if after.first_sequence != self.cursor.next {
            Some((24, DamageReason::HeaderChain))
        } else if after.version < before.version {
            // An older form may sign less; nothing that writes goes back to it.
            Some((8, DamageReason::HeaderFields))
        } else if after.table != before.table {
            Some((48, DamageReason::HeaderFields))
        } else if after.public_key != before.public_key {
            Some((112, DamageReason::HeaderFields))
        } else if self.cursor.epoch().is_some_and(|epoch| epoch != after.epoch.number) {
            Some((12, DamageReason::HeaderChain))
        } else {
            None
        };
        if let Some((at, reason)) = wrong_at {
            return Err(next.damage(0, at, reason));
        }
        self.cursor = next;
        Ok(())
    }
}

/// An unfinished write leaves a checksum that fails. A record with a good checksum was written whole, so whatever else is
/// wrong with it was not done by a power cut.
fn could_be_torn(reason: &DamageReason) -> bool {
    match reason {
        DamageReason::Marker | DamageReason::Length | DamageReason::Checksum => true,
        DamageReason::HeaderMagic | DamageReason::HeaderChecksum | DamageReason::HeaderFields => false,
        DamageReason::HeaderChain | DamageReason::Reserved | DamageReason::UnknownKind(_) => false,
        DamageReason::Shape | DamageReason::Sequence { .. } | DamageReason::Order => false,
        DamageReason::Chain { .. } | DamageReason::Signature | DamageReason::AfterClose => false,
        DamageReason::NotClosed | DamageReason::BadBeforeGood => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appender::{Appender, Entry};
    use crate::keys::JournalKey;
    use crate::layout::read_layout;
    use crate::lying::LyingStorage;
    use crate::settings::Settings;
    use crate::types::{EpochIdentity, MonotonicTime, PersonId, TableId, WallTime};

    #[test]
    fn records_written_during_the_last_look_are_read_and_not_an_alarm() {
        let storage = LyingStorage::new();
        let settings = Settings { segment_bytes: 4096, ..Settings::default() };
        let identity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };
        let key = JournalKey::from_seed(&[7; 32]);
        let table = TableId::new("T").unwrap();
        let (wall, monotonic) = (WallTime(0), MonotonicTime(0));
        let mut appender = Appender::create(storage.clone(), table, key, settings, identity, wall, monotonic).unwrap();
        let entry =
            Entry { content_version: 1, wall, monotonic, person: PersonId::NOBODY, input: b"input", events: &[] };
        for written_meanwhile in 1..4 {
            let trust = Trust::default();
            let layout = read_layout(&storage, &trust).unwrap().unwrap();
            let mut walk = Walk::from_segment(&storage, &layout, &trust, layout.last).unwrap();
            for _ in 0..appender.head().sequence.0 {
                assert!(matches!(walk.next().unwrap(), WalkStep::Record { .. }));
            }
            // What lies behind was read as zeros along with the last record.
            for _ in 0..written_meanwhile {
                appender.append(&entry).unwrap();
                appender.commit().unwrap();
            }
            for _ in 0..written_meanwhile {
                assert!(matches!(walk.next().unwrap(), WalkStep::Record { .. }));
            }
            assert!(matches!(walk.next().unwrap(), WalkStep::End(tail) if tail.end == tail.dirty_end));
            assert_eq!(walk.head(), appender.head());
        }
    }
}
