//! One frame on its way out of a port, and when to call it stalled.

use std::time::Duration;

use device_protocols::link::Millis;
use zeroize::Zeroizing;

/// A port that takes no byte for this long is closed and opened again: as long as a silent line is given.
const WRITE_WITHIN: Duration = Duration::from_secs(3);

/// One frame on its way out.
#[derive(Default)]
pub(super) struct Sending {
    frame: Zeroizing<Vec<u8>>,
    sent: usize,
    since: Millis,
}

impl Sending {
    pub(super) fn begin(&mut self, frame: Zeroizing<Vec<u8>>, now: Millis) {
        *self = Self { frame, sent: 0, since: now };
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sent >= self.frame.len()
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.frame.get(self.sent..).unwrap_or_default()
    }

    pub(super) fn advance(&mut self, count: usize, now: Millis) {
        self.sent += count;
        self.since = now;
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        let within = u64::try_from(WRITE_WITHIN.as_millis()).unwrap_or(u64::MAX);
        (!self.is_empty()).then(|| self.since + within)
    }

    pub(super) fn is_stalled(&self, now: Millis) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }
}
