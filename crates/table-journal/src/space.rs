//! How much still fits: the warning comes while there is time to act, never from a failed write.

/// What the journal can still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// An estimate from the size of the records so far.
    pub records_free: u64,
    pub fullness: Fullness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fullness {
    Ample,
    NearlyFull(NearlyFull),
}

/// Why the table should not begin another round before someone has freed space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearlyFull {
    /// The disk had no room for the next segment.
    NoRoomForSpare,
    /// The journal has its full allowance and nothing in it is old enough to go.
    AllowanceUsed,
    /// Room for few more records.
    FewRecordsLeft,
}

/// A record is taken to be at least this long, so that a quiet start does not promise too much.
const TYPICAL_RECORD_BYTES_MIN: u64 = 256;

/// Running figures from which the estimate is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordSizes {
    records: u64,
    bytes: u64,
}

impl RecordSizes {
    pub(crate) fn note(&mut self, bytes: u64) {
        // Halving keeps the figures recent and far from overflow.
        if self.records >= 1024 {
            self.records /= 2;
            self.bytes /= 2;
        }
        self.records += 1;
        self.bytes += bytes;
    }

    pub(crate) fn records_in(&self, bytes: u64) -> u64 {
        let typical = self.bytes.checked_div(self.records).unwrap_or(0).max(TYPICAL_RECORD_BYTES_MIN);
        bytes / typical
    }
}
