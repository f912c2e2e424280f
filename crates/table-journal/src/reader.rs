//! Reading a journal back: every record checked on the way, from the start, a sequence or the last checkpoint.
//!
//! A reader never writes. On a running table's journal it ends at the last record that is wholly there.

use crate::error::JournalError;
use crate::head::read_head;
use crate::keys::PublicKey;
use crate::layout::{Layout, Trust, open_segment, read_header, read_layout};
use crate::record::{RECORD_HEADER_BYTES, Record, RecordKind};
use crate::storage::Storage;
use crate::types::{Head, SegmentNumber, Sequence, TableId};
use crate::walk::{Walk, WalkStep};

#[derive(Clone, Debug)]
pub struct JournalReader<S: Storage> {
    storage: S,
    trust: Trust,
}

impl<S: Storage + Clone> JournalReader<S> {
    /// `key` is the key that the reader knows to be this table's; without it the signatures prove only that each segment
    /// agrees with its own header.
    #[must_use]
    pub fn new(storage: S, table: Option<TableId>, key: Option<PublicKey>) -> Self {
        Self { storage, trust: Trust { table, key } }
    }

    /// All records that are kept.
    pub fn records(&self) -> Result<Records<S>, JournalError> {
        let layout = self.layout()?;
        self.walk_from(&layout, layout.first)
    }

    /// Records from `sequence` on; from the first one kept where that is later.
    pub fn records_from(&self, sequence: Sequence) -> Result<Records<S>, JournalError> {
        let layout = self.layout()?;
        let (mut low, mut high) = (layout.first.0, layout.last.0);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.first_sequence(SegmentNumber(middle))? <= sequence {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let mut records = self.walk_from(&layout, SegmentNumber(low))?;
        records.from = sequence;
        Ok(records)
    }

    /// Records from this segment on.
    pub fn records_from_segment(&self, number: SegmentNumber) -> Result<Records<S>, JournalError> {
        self.walk_from(&self.layout()?, number)
    }

    /// The last checkpoint and everything after it; everything where there is none.
    pub fn records_from_checkpoint(&self) -> Result<Records<S>, JournalError> {
        let layout = self.layout()?;
        if let Some(place) = read_head(&self.storage)?.and_then(|note| note.checkpoint)
            && let Some(walk) = Walk::from_checkpoint(&self.storage, &layout, &self.trust, &place)?
        {
            return Ok(Records::new(walk));
        }
        let mut last = Sequence::NONE;
        for record in self.walk_from(&layout, layout.first)? {
            let record = record?;
            if record.kind == RecordKind::Checkpoint {
                last = record.sequence;
            }
        }
        self.records_from(last)
    }

    /// The table that the newest segment names, and its key.
    pub fn identity(&self) -> Result<(TableId, PublicKey), JournalError> {
        let newest = self.layout()?.newest;
        Ok((newest.table, newest.public_key))
    }

    /// The kept segments, oldest and newest.
    pub fn segments(&self) -> Result<(SegmentNumber, SegmentNumber), JournalError> {
        let layout = self.layout()?;
        Ok((layout.first, layout.last))
    }

    pub(crate) fn layout(&self) -> Result<Layout, JournalError> {
        read_layout(&self.storage, &self.trust)?.ok_or(JournalError::Empty)
    }

    pub(crate) fn walk(&self, layout: &Layout, number: SegmentNumber) -> Result<Walk<S>, JournalError> {
        Walk::from_segment(&self.storage, layout, &self.trust, number)
    }

    /// What the head file last knew to be durable.
    pub(crate) fn known_durable(&self) -> Result<Sequence, JournalError> {
        Ok(read_head(&self.storage)?.map_or(Sequence::NONE, |note| note.durable))
    }

    fn walk_from(&self, layout: &Layout, number: SegmentNumber) -> Result<Records<S>, JournalError> {
        self.walk(layout, number).map(Records::new)
    }

    fn first_sequence(&self, number: SegmentNumber) -> Result<Sequence, JournalError> {
        let file = open_segment(&self.storage, number)?;
        Ok(read_header(&file, number, &self.trust)?.first_sequence)
    }
}

/// Checked records in order; ends after the first error.
#[derive(Debug)]
pub struct Records<S: Storage> {
    walk: Walk<S>,
    from: Sequence,
    place: Option<Place>,
    ended: bool,
}

/// Where a record lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub segment: SegmentNumber,
    /// The record's first byte in the segment's file.
    pub offset: u64,
}

impl Place {
    /// Where the events of the record that lies here begin.
    #[must_use]
    pub fn events_of(&self, record: &Record) -> u64 {
        self.offset + (RECORD_HEADER_BYTES + record.input.len()) as u64
    }
}

impl<S: Storage + Clone> Records<S> {
    fn new(walk: Walk<S>) -> Self {
        Self { walk, from: Sequence::NONE, place: None, ended: false }
    }

    /// Where the last record read lies.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// The last record read so far.
    #[must_use]
    pub fn head(&self) -> Head {
        self.walk.head()
    }
}

impl<S: Storage + Clone> Iterator for Records<S> {
    type Item = Result<Record, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.walk.next() {
                Ok(WalkStep::Record { offset, .. }) => {
                    self.place = Some(Place { segment: self.walk.segment(), offset });
                    let view = self.walk.current();
                    if view.sequence >= self.from {
                        return Some(Ok(view.to_record()));
                    }
                }
                Ok(WalkStep::End(_)) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
