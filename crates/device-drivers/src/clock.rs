//! The time of one process: it never goes back and has nothing to do with the time of day.

use std::time::Duration;

use device_protocols::link::Millis;
use tokio::time::Instant;

/// Milliseconds since this clock was made. Follows tokio's clock, so that a paused test pauses it too.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicClock {
    start: Instant,
}

impl MonotonicClock {
    #[expect(clippy::new_without_default, reason = "reads the clock, which a default value should not do")]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }

    pub fn now(&self) -> Millis {
        Millis(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// The instant at which [`now`](Self::now) first gives `at`.
    pub fn instant(&self, at: Millis) -> Instant {
        // A moment beyond the reach of the clock is as good as never; a day keeps the sum from overflowing.
        self.start.checked_add(Duration::from_millis(at.0)).unwrap_or_else(|| Instant::now() + Duration::from_hours(24))
    }
}

/// A moment on the clock that the kernel stamps edges with (`CLOCK_MONOTONIC`), in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stamp(pub u64);

impl Stamp {
    pub const fn millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1_000_000))
    }

    /// Zero if `earlier` is later.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    #[must_use]
    pub const fn after(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    #[must_use]
    pub const fn before(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(pub u64);

impl Span {
    pub const fn millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1_000_000))
    }

    pub const fn duration(self) -> Duration {
        Duration::from_nanos(self.0)
    }
}
