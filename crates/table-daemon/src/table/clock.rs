//! The time as the table counts it: wall, monotonic, the gaming day, and whether anything stands behind the clock.

use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use table_controller::Clock;
use table_journal::{MonotonicTime, WallTime};

use crate::config::Day;

/// Written by systemd-timesyncd once a time server has set the clock.
const SYNCHRONISED: &str = "/run/systemd/timesync/synchronized";

#[derive(Clone, Debug)]
pub(super) struct TableClock {
    day: Day,
    started: Instant,
}

impl TableClock {
    pub(super) fn new(day: Day) -> Self {
        Self { day, started: Instant::now() }
    }

    pub(super) fn now(&self) -> Clock {
        let now = Timestamp::now();
        let local = self.day.local(now);
        Clock {
            wall_ms: now.as_millisecond(),
            monotonic_ms: self.monotonic_ms(),
            minute: local.minute,
            day: local.day,
            trusted: self.day.battery_clock || Path::new(SYNCHRONISED).exists(),
        }
    }

    /// What a record needs of it. Asks nothing of the disk and no calendar: a card waits for it.
    pub(super) fn stamps(&self) -> (WallTime, MonotonicTime) {
        stamps(Timestamp::now().as_millisecond(), self.monotonic_ms())
    }

    pub(super) fn monotonic_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// In the journal's units.
pub(super) fn stamps(wall_ms: i64, monotonic_ms: u64) -> (WallTime, MonotonicTime) {
    (WallTime(wall_ms.saturating_mul(1000)), MonotonicTime(monotonic_ms.saturating_mul(1000)))
}
