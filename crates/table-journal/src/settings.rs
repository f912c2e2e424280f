//! How large, how old and how many: rotation, retention and the warnings before the space runs out.

use crate::record::RECORD_BYTES_MIN;
use crate::segment::{CLOSE_RECORD_BYTES, SEGMENT_HEADER_BYTES};
use crate::types::EpochIdentity;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// A segment's preallocated size. Start-up reads at most this much behind the last record.
    pub segment_bytes: u64,
    /// A segment is closed (and so signed) at the first record after this age, however full.
    pub segment_age_max_s: u64,
    pub retention: Retention,
    /// The caller is asked for a checkpoint after this many records.
    pub checkpoint_every_records: u64,
    /// Fewer records than this still to fit raises the warning.
    pub nearly_full_records: u64,
}

/// What may be removed. A segment goes when it is older than `age_min_s` and either the journal is above `bytes_max`
/// or the segment is above `age_max_s`; the last checkpoint and everything after it always stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    pub bytes_max: u64,
    pub age_min_s: u64,
    pub age_max_s: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        const DAY_S: u64 = 24 * 60 * 60;
        Self {
            segment_bytes: 8 << 20,
            segment_age_max_s: DAY_S,
            // Access logs are kept at least 90 days; everything older lives in the export.
            retention: Retention { bytes_max: 16 << 30, age_min_s: 90 * DAY_S, age_max_s: None },
            checkpoint_every_records: 1000,
            // At one event a second, about three hours in which to act.
            nearly_full_records: 10_000,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("a segment needs at least {0} bytes, in whole multiples of 8")]
    SegmentBytes(u64),
    #[error("the journal needs room for at least three segments")]
    BytesMax,
    #[error("the oldest age kept must not be below the youngest age that may be removed")]
    Ages,
}

impl Settings {
    pub fn check(&self) -> Result<(), SettingsError> {
        // A header, an epoch record, a checkpoint of no state and the closing record.
        let least = SEGMENT_HEADER_BYTES + 2 * (RECORD_BYTES_MIN + EpochIdentity::BYTES) + CLOSE_RECORD_BYTES;
        if self.segment_bytes < least as u64 || !self.segment_bytes.is_multiple_of(8) {
            return Err(SettingsError::SegmentBytes(least.next_multiple_of(8) as u64));
        }
        if self.retention.bytes_max / 3 < self.segment_bytes {
            return Err(SettingsError::BytesMax);
        }
        if self.retention.age_max_s.is_some_and(|max| max < self.retention.age_min_s) {
            return Err(SettingsError::Ages);
        }
        Ok(())
    }

    /// The largest record that fits a fresh segment with its closing record.
    pub(crate) fn record_bytes_max(&self) -> u64 {
        let room = self.segment_bytes.saturating_sub((SEGMENT_HEADER_BYTES + CLOSE_RECORD_BYTES) as u64);
        room.min(crate::record::RECORD_BYTES_MAX as u64)
    }
}
