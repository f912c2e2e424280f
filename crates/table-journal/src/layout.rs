//! Which segments there are, and whether they are all there.

use crate::error::{Damage, DamageReason, JournalError};
use crate::keys::PublicKey;
use crate::segment::{SEGMENT_HEADER_BYTES, SegmentHeader, segment_file_name, segment_number_of};
use crate::storage::{Storage, read_up_to};
use crate::types::{SegmentNumber, TableId};

/// What a reader insists on; `None` takes what the headers say, which proves consistency but not origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trust {
    pub table: Option<TableId>,
    pub key: Option<PublicKey>,
}

/// An unbroken run of segments.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub first: SegmentNumber,
    pub last: SegmentNumber,
    pub newest: SegmentHeader,
}

impl Layout {
    pub(crate) fn contains(&self, number: SegmentNumber) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

/// Lists the segments and reads the newest header. Numbers missing in between, or at the start without the newest
/// header saying that they are gone, are an alarm.
pub(crate) fn read_layout<S: Storage>(storage: &S, trust: &Trust) -> Result<Option<Layout>, JournalError> {
    let names = storage.list().map_err(JournalError::storage("list", "."))?;
    let mut numbers: Vec<_> = names.iter().filter_map(|name| segment_number_of(name)).collect();
    numbers.sort_unstable();
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return Ok(None) };
    for pair in numbers.windows(2) {
        if pair[1] != pair[0].next() {
            return Err(JournalError::MissingSegment(pair[0].next()));
        }
    }
    let file = open_segment(storage, last)?;
    let newest = read_header(&file, last, trust)?;
    if first > newest.first_kept {
        return Err(JournalError::MissingSegment(newest.first_kept));
    }
    Ok(Some(Layout { first, last, newest }))
}

pub(crate) fn open_segment<S: Storage>(storage: &S, number: SegmentNumber) -> Result<S::File, JournalError> {
    let name = segment_file_name(number);
    storage.open(&name).map_err(|source| {
        if source.kind() == std::io::ErrorKind::NotFound {
            JournalError::MissingSegment(number)
        } else {
            JournalError::Storage { operation: "open", file: name, source }
        }
    })
}

pub(crate) fn read_header<F: crate::storage::StorageFile>(
    file: &F,
    number: SegmentNumber,
    trust: &Trust,
) -> Result<SegmentHeader, JournalError> {
    let name = segment_file_name(number);
    let mut bytes = [0; SEGMENT_HEADER_BYTES];
    // A shorter file leaves zeros behind, which fail as what they are.
    read_up_to(file, 0, &mut bytes).map_err(JournalError::storage("read", &name))?;
    let header = SegmentHeader::from_bytes(&bytes, &name)?;
    if header.number != number || header.first_kept > number || header.first_kept < SegmentNumber::FIRST {
        let at = if header.number == number { 40 } else { 16 };
        let reason = DamageReason::HeaderFields;
        return Err(JournalError::Damaged(Damage { file: name, first_bad_byte: at, record_offset: 0, reason }));
    }
    if let Some(expected) = trust.table.as_ref().filter(|table| **table != header.table) {
        return Err(JournalError::OtherTable { file: name, expected: expected.clone(), found: header.table });
    }
    if trust.key.is_some_and(|key| key != header.public_key) {
        return Err(JournalError::OtherKey { file: name });
    }
    Ok(header)
}
