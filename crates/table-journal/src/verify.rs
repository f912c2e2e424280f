//! Checking a whole journal: at once, or in slices beside a running table.

use crate::error::{DamageReason, JournalError};
use crate::reader::JournalReader;
use crate::record::RecordKind;
use crate::storage::Storage;
use crate::types::{Head, SegmentNumber, Sequence};
use crate::walk::{Walk, WalkStep};

/// What a full check found; being here at all means that everything kept is as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyReport {
    pub first_segment: SegmentNumber,
    pub last_segment: SegmentNumber,
    pub records: u64,
    /// Segments whose signature was checked; the newest one is still open.
    pub segments_signed: u64,
    pub head: Head,
    /// The last record that a signature covers: a closed segment's, or a signature's record.
    pub signed_up_to: Sequence,
    /// Bytes behind the last record that a power cut left; the next start cuts them.
    pub torn_bytes: u64,
}

/// Checks everything that is kept. The error names the file and the first bad byte. Works beside a running table, whose
/// last write may then show as torn bytes.
pub fn verify<S: Storage + Clone>(reader: &JournalReader<S>) -> Result<VerifyReport, JournalError> {
    loop {
        match verify_once(reader) {
            // Retention removed a segment before we came to it: begin again with what is kept.
            Err(JournalError::MissingSegment(number)) if reader.layout()?.first > number => {}
            result => return result,
        }
    }
}

fn verify_once<S: Storage + Clone>(reader: &JournalReader<S>) -> Result<VerifyReport, JournalError> {
    let layout = reader.layout()?;
    // Read before the records, since a running table moves it on meanwhile.
    let known = reader.known_durable()?;
    let mut walk = reader.walk(&layout, layout.first)?;
    let (mut records, mut segments_signed, mut signed_up_to) = (0, 0, Sequence::NONE);
    loop {
        match walk.next()? {
            WalkStep::Record { .. } => {
                records += 1;
                match walk.current().kind {
                    RecordKind::Close => {
                        segments_signed += 1;
                        signed_up_to = walk.head().sequence;
                    }
                    RecordKind::Signature => signed_up_to = walk.head().sequence,
                    RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint => {}
                }
            }
            WalkStep::End(tail) => {
                let head = walk.head();
                if known > head.sequence {
                    return Err(JournalError::TailMissing { known, found: head.sequence });
                }
                return Ok(VerifyReport {
                    first_segment: layout.first,
                    last_segment: layout.last,
                    records,
                    segments_signed,
                    signed_up_to,
                    head,
                    torn_bytes: tail.dirty_end - tail.end,
                });
            }
        }
    }
}

/// Checks the records that a start from the checkpoint has skipped, a slice at each `next`, until it meets the record
/// that the start went on from. Retention may remove segments in the meantime.
#[derive(Debug)]
pub struct BackgroundVerification<S: Storage> {
    reader: JournalReader<S>,
    walk: Option<Walk<S>>,
    until: Head,
    records_per_slice: u64,
    checked: u64,
    ended: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifySlice {
    /// Checked so far.
    pub records: u64,
    pub up_to: Head,
}

impl<S: Storage + Clone> BackgroundVerification<S> {
    /// `until` is where the start went on from, normally `Recovery::head`: the long way round must lead to the same hash.
    #[must_use]
    pub fn new(reader: JournalReader<S>, until: Head, records_per_slice: u64) -> Self {
        Self { reader, walk: None, until, records_per_slice: records_per_slice.max(1), checked: 0, ended: false }
    }

    fn slice(&mut self) -> Result<Option<VerifySlice>, JournalError> {
        let mut walk = match self.walk.take() {
            Some(walk) => walk,
            None => {
                let layout = self.reader.layout()?;
                self.reader.walk(&layout, layout.first)?
            }
        };
        let mut in_slice = 0;
        while in_slice < self.records_per_slice {
            let reached = walk.head();
            if reached.sequence >= self.until.sequence {
                if reached.sequence == self.until.sequence && reached.hash != self.until.hash {
                    let reason = DamageReason::Chain { previous: self.until.hash };
                    return Err(walk.cursor().damage(0, 0, reason));
                }
                self.ended = true;
                break;
            }
            match walk.next() {
                Ok(WalkStep::Record { .. }) => in_slice += 1,
                Ok(WalkStep::End(_)) => {
                    let found = walk.head().sequence;
                    return Err(JournalError::TailMissing { known: self.until.sequence, found });
                }
                // Retention has overtaken us: go on with what is kept, if that is in order.
                Err(JournalError::MissingSegment(number)) if self.reader.layout()?.first > number => {
                    self.checked += in_slice;
                    return Ok(Some(VerifySlice { records: self.checked, up_to: walk.head() }));
                }
                Err(error) => return Err(error),
            }
        }
        self.checked += in_slice;
        let slice = VerifySlice { records: self.checked, up_to: walk.head() };
        self.walk = Some(walk);
        Ok((in_slice > 0).then_some(slice))
    }
}

impl<S: Storage + Clone> Iterator for BackgroundVerification<S> {
    type Item = Result<VerifySlice, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.slice() {
            Ok(slice) => slice.map(Ok),
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
        }
    }
}
