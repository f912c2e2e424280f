//! The time as the table counts it: wall, monotonic, the gaming day, and whether anything stands behind the clock.

use std::path::Path;
use std::time::{Instant, SystemTime};

use jiff::Timestamp;
use table_controller::Clock;
use table_journal::{MonotonicTime, WallTime};

use crate::config::Day;

/// Written once a time server has set the clock: by systemd-timesyncd, and by holecard-clock.service for chrony and every
/// other program that tells the kernel.
const SYNCHRONISED: [&str; 2] = ["/run/systemd/timesync/synchronized", "/run/holecard-clock/synchronized"];

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
        let now = now();
        let local = self.day.local(now);
        Clock {
            wall_ms: now.as_millisecond(),
            monotonic_ms: self.monotonic_ms(),
            minute: local.minute,
            day: local.day,
            trusted: self.day.battery_clock || SYNCHRONISED.iter().any(|file| Path::new(file).exists()),
        }
    }

    /// What a record needs of it. Asks nothing of the disk and no calendar: a card waits for it.
    pub(super) fn stamps(&self) -> (WallTime, MonotonicTime) {
        stamps(now().as_millisecond(), self.monotonic_ms())
    }

    pub(super) fn monotonic_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A clock beyond every calendar is a wrong clock and no reason to stop: the ends of the calendar stand for it.
fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX)
}

/// In the journal's units.
pub(super) fn stamps(wall_ms: i64, monotonic_ms: u64) -> (WallTime, MonotonicTime) {
    (WallTime(wall_ms.saturating_mul(1000)), MonotonicTime(monotonic_ms.saturating_mul(1000)))
}
