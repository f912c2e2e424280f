//! From one segment to the next: closing with a signature, taking the spare, and letting old segments go.
//!
//! The order is what makes it safe. The closing record is synced before the next segment has a name; the next segment's
//! header is synced before it gets its name; the name is synced before anything is written there; and a segment is
//! removed only after a durable header says that it is no longer kept.

use crate::appender::{Appender, Entry, OpenSegment};
use crate::error::JournalError;
use crate::layout::{Trust, open_segment, read_header};
use crate::record::RecordKind;
use crate::segment::{FormatVersion, SEGMENT_HEADER_BYTES, SegmentHeader, close_message, segment_file_name};
use crate::space::{Fullness, NearlyFull, Space};
use crate::spare::{SPARE_FILE, Spare, SpareStep};
use crate::storage::{Storage, StorageFile};
use crate::types::{MonotonicTime, PersonId, SegmentNumber, WallTime};

impl<S: Storage + Clone> Appender<S> {
    /// Works on the next segment's file; call it when there is nothing else to do, until it says `false`.
    pub fn prepare_spare(&mut self) -> Result<bool, JournalError> {
        self.check_running()?;
        if self.spare.is_ready() {
            return Ok(false);
        }
        let step = self.spare_step();
        match self.fatal(step)? {
            SpareStep::MoreToDo => Ok(true),
            SpareStep::Ready | SpareStep::DiskFull => Ok(false),
        }
    }

    /// True when the segment is half full and its successor is neither ready nor known to have no room.
    #[must_use]
    pub fn spare_is_urgent(&self) -> bool {
        let refused = self.space_state.disk_full || self.space_state.allowance_used;
        !refused && !self.spare.is_ready() && self.current.end > self.current.capacity / 2
    }

    /// What the journal can still take, and whether someone should act.
    pub fn space(&self) -> Result<Space, JournalError> {
        let used = self.current.end + self.pending.len() as u64;
        let mut bytes = self.current.capacity.saturating_sub(used);
        if self.spare.is_reserved() {
            bytes += self.settings.segment_bytes;
        }
        let allowance = match self.space_state.segment_bytes_total {
            _ if self.space_state.allowance_used => 0,
            Some(total) => self.settings.retention.bytes_max.saturating_sub(total),
            None => self.settings.retention.bytes_max,
        };
        let free = self.storage.free_bytes().map_err(JournalError::storage("measure", "."))?.unwrap_or(allowance);
        bytes += free.min(allowance) / self.settings.segment_bytes * self.settings.segment_bytes;
        let records_free = self.sizes.records_in(bytes);
        let fullness = if self.space_state.disk_full {
            Fullness::NearlyFull(NearlyFull::NoRoomForSpare)
        } else if self.space_state.allowance_used {
            Fullness::NearlyFull(NearlyFull::AllowanceUsed)
        } else if records_free < self.settings.nearly_full_records {
            Fullness::NearlyFull(NearlyFull::FewRecordsLeft)
        } else {
            Fullness::Ample
        };
        Ok(Space { records_free, fullness })
    }

    /// Roughly how many more records fit before the disk or the allowance is used up.
    pub fn free_records_estimate(&self) -> Result<u64, JournalError> {
        self.space().map(|space| space.records_free)
    }

    /// Closes this segment and begins the next. Without room for it, a segment that is only old stays in use; a full one
    /// refuses the record, before anything is written.
    pub(crate) fn rotate(&mut self, wall: WallTime, monotonic: MonotonicTime, full: bool) -> Result<(), JournalError> {
        if let Err(error) = self.finish_spare() {
            let stays = matches!(error, JournalError::Full(_)) && !full;
            return if stays { Ok(()) } else { Err(error) };
        }
        let message = close_message(&self.table, self.current.number, self.chain.last.sequence.next(), self.chain.link);
        let signature = self.key.sign(&message);
        let close =
            Entry { content_version: 0, wall, monotonic, person: PersonId::NOBODY, input: &[], events: &signature };
        self.encode(RecordKind::Close, &close, self.chain.epoch);
        self.commit()?;
        let begun = self.begin_next_segment(wall);
        self.fatal(begun)
    }

    /// The second half, also used by a start that finds its newest segment closed.
    pub(crate) fn begin_next_segment(&mut self, wall: WallTime) -> Result<(), JournalError> {
        let file = self.spare.take().expect("finish_spare has been called");
        let first_kept = self.first_segment_to_keep(wall)?;
        let header = SegmentHeader {
            version: FormatVersion::NEWEST,
            number: self.current.number.next(),
            table: self.table.clone(),
            created: wall,
            first_sequence: self.chain.last.sequence.next(),
            first_kept,
            epoch: self.chain.epoch,
            run: self.chain.run,
            public_key: self.key.public(),
            previous: self.chain.last.hash,
        };
        let next = install_segment(&self.storage, file, &header, &[], self.settings.segment_bytes)?;
        let mut closed = std::mem::replace(&mut self.current, next);
        self.chain.link = header.hash();
        // Gives back what the closed segment did not use; if a cut undoes it, its zeros are still in order.
        closed.file.truncate(closed.end).map_err(JournalError::storage("truncate", &closed.name))?;
        if let Some(total) = &mut self.space_state.segment_bytes_total {
            *total = total.saturating_sub(closed.capacity - closed.end.min(closed.capacity));
            *total += self.settings.segment_bytes;
        }
        self.remove_before(first_kept)
    }

    /// Removes what the newest durable header no longer keeps, oldest first and one at a time, so that what remains is
    /// always without gaps.
    pub(crate) fn remove_before(&mut self, first_kept: SegmentNumber) -> Result<(), JournalError> {
        while self.first_segment < first_kept {
            let name = segment_file_name(self.first_segment);
            let file = open_segment(&self.storage, self.first_segment)?;
            let bytes = file.len().map_err(JournalError::storage("measure", &name))?;
            self.storage.remove(&name).map_err(JournalError::storage("remove", &name))?;
            self.storage.sync_dir().map_err(JournalError::storage("sync", "."))?;
            self.first_segment = self.first_segment.next();
            if let Some(total) = &mut self.space_state.segment_bytes_total {
                *total = total.saturating_sub(bytes);
            }
        }
        Ok(())
    }

    /// A ready spare, at once; `Full` if there is no room.
    pub(crate) fn finish_spare(&mut self) -> Result<(), JournalError> {
        while !self.spare.is_ready() {
            let step = self.spare_step();
            match self.fatal(step)? {
                SpareStep::Ready | SpareStep::MoreToDo => {}
                SpareStep::DiskFull if self.space_state.allowance_used => {
                    return Err(JournalError::Full("its allowance is used up"));
                }
                SpareStep::DiskFull => return Err(JournalError::Full("no space for the next segment")),
            }
        }
        Ok(())
    }

    fn spare_step(&mut self) -> Result<SpareStep, JournalError> {
        let needed = self.settings.segment_bytes;
        let begun = match self.spare {
            Spare::Absent => false,
            Spare::Filling { .. } | Spare::Ready(_) => true,
        };
        if !begun {
            let total = self.count_segment_bytes()?;
            let wall = self.last_times.0;
            let removable = self.first_segment_to_keep(wall)? > self.first_segment;
            self.space_state.allowance_used = total + needed > self.settings.retention.bytes_max && !removable;
            if self.space_state.allowance_used && !self.space_state.allowance_waived {
                return Ok(SpareStep::DiskFull);
            }
        }
        let step = self.spare.step(&self.storage, needed)?;
        self.space_state.disk_full = step == SpareStep::DiskFull;
        Ok(step)
    }

    fn count_segment_bytes(&mut self) -> Result<u64, JournalError> {
        if let Some(total) = self.space_state.segment_bytes_total {
            return Ok(total);
        }
        let mut total = 0;
        let mut number = self.first_segment;
        while number <= self.current.number {
            let file = open_segment(&self.storage, number)?;
            total += file.len().map_err(JournalError::storage("measure", &segment_file_name(number)))?;
            number = number.next();
        }
        self.space_state.segment_bytes_total = Some(total);
        Ok(total)
    }

    /// Where the journal may begin once one more segment exists.
    fn first_segment_to_keep(&mut self, now: WallTime) -> Result<SegmentNumber, JournalError> {
        let checkpoint_segment = self.checkpoint.map_or(self.first_segment, |place| place.segment);
        let retention = self.settings.retention.clone();
        let mut total = self.count_segment_bytes()? + self.settings.segment_bytes;
        let mut first = self.first_segment;
        while first < checkpoint_segment && first < self.current.number {
            // A segment is as old as its youngest record, which is no younger than the next segment.
            let ended = if first.next() == self.current.number {
                self.current.created
            } else {
                let file = open_segment(&self.storage, first.next())?;
                read_header(&file, first.next(), &Trust::default())?.created
            };
            let age_s = now.seconds_since(ended);
            let surplus = total > retention.bytes_max || retention.age_max_s.is_some_and(|max| age_s > max);
            if age_s < retention.age_min_s || !surplus {
                break;
            }
            let name = segment_file_name(first);
            let file = open_segment(&self.storage, first)?;
            total -= file.len().map_err(JournalError::storage("measure", &name))?.min(total);
            first = first.next();
        }
        Ok(first)
    }
}

/// Writes header and first records into a spare file and gives it its name, durably.
pub(crate) fn install_segment<S: Storage>(
    storage: &S,
    mut file: S::File,
    header: &SegmentHeader,
    records: &[u8],
    capacity: u64,
) -> Result<OpenSegment<S::File>, JournalError> {
    let name = segment_file_name(header.number);
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend_from_slice(records);
    file.write_at(0, &bytes).map_err(JournalError::storage("write", SPARE_FILE))?;
    file.sync().map_err(JournalError::storage("sync", SPARE_FILE))?;
    storage.rename(SPARE_FILE, &name).map_err(JournalError::storage("rename", SPARE_FILE))?;
    storage.sync_dir().map_err(JournalError::storage("sync", "."))?;
    let end = (SEGMENT_HEADER_BYTES + records.len()) as u64;
    Ok(OpenSegment {
        version: header.version,
        number: header.number,
        name,
        file,
        created: header.created,
        end,
        capacity,
    })
}
