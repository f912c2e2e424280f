//! How much a device may say. A device that talks without end must cost neither a core nor memory.
//!
//! A leaky bucket: each byte fills it, time empties it. While it is full the port is not read, so the kernel's buffer
//! fills up instead and the rest is lost or, over TCP, held back. That state is called babbling.

use device_protocols::link::Millis;

/// The bucket of one port. The time is an argument.
#[derive(Clone, Debug)]
pub struct InboundFlow {
    bytes_per_second: u64,
    /// In thousandths of a byte, so that nothing is lost to rounding at short intervals.
    filled_millibytes: u64,
    at: Millis,
    babbling: Option<Babble>,
}

#[derive(Clone, Copy, Debug)]
struct Babble {
    /// When the bucket was last full.
    last: Millis,
}

/// A device is quiet again when it has kept within its rate for this long: three heartbeats.
const CALM_AFTER_MS: u64 = 3_000;

impl InboundFlow {
    /// `bytes_per_second` may be said on average, and as much again at once.
    pub fn new(bytes_per_second: u32, now: Millis) -> Self {
        Self { bytes_per_second: u64::from(bytes_per_second.max(1)), filled_millibytes: 0, at: now, babbling: None }
    }

    /// How many bytes may be read now. Zero means: wait until [`deadline`](Self::deadline).
    pub fn allowance(&mut self, now: Millis) -> usize {
        self.drain(now);
        let room = self.capacity().saturating_sub(self.filled_millibytes) / 1_000;
        usize::try_from(room).unwrap_or(usize::MAX)
    }

    pub fn handle_bytes(&mut self, count: usize, now: Millis) {
        self.drain(now);
        let count = u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(1_000);
        self.filled_millibytes = self.filled_millibytes.saturating_add(count);
        if self.filled_millibytes >= self.capacity() {
            self.babbling = Some(Babble { last: self.at });
        }
    }

    pub fn is_babbling(&mut self, now: Millis) -> bool {
        self.drain(now);
        if self.babbling.is_some_and(|babble| self.at.since(babble.last) >= CALM_AFTER_MS) {
            self.babbling = None;
        }
        self.babbling.is_some()
    }

    /// When there is room again, or when babbling may be over.
    pub fn deadline(&self) -> Option<Millis> {
        let calm = self.babbling.map(|babble| babble.last + CALM_AFTER_MS);
        // A tenth of the bucket at a time: reading byte by byte as room appears would be the busy polling we avoid.
        let full = self.filled_millibytes + 1_000 > self.capacity();
        let room = full.then(|| self.at + 100);
        [calm, room].into_iter().flatten().min()
    }

    fn capacity(&self) -> u64 {
        self.bytes_per_second.saturating_mul(1_000)
    }

    fn drain(&mut self, now: Millis) {
        let elapsed = now.since(self.at);
        self.at = self.at.max(now);
        let drained = elapsed.saturating_mul(self.bytes_per_second);
        self.filled_millibytes = self.filled_millibytes.saturating_sub(drained);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_within_its_rate_never_babbles() {
        let mut flow = InboundFlow::new(1_000, Millis(0));
        for second in 0..100 {
            let now = Millis(second * 1_000);
            assert!(flow.allowance(now) >= 900);
            flow.handle_bytes(900, now);
            assert!(!flow.is_babbling(now));
        }
    }

    #[test]
    fn endless_bytes_are_read_at_the_rate_and_no_faster_and_calm_follows_silence() {
        let mut flow = InboundFlow::new(1_000, Millis(0));
        let mut read = 0;
        let mut wakes = 0;
        let mut now = Millis(0);
        while now < Millis(10_000) {
            let allowed = flow.allowance(now);
            flow.handle_bytes(allowed, now);
            read += allowed;
            wakes += 1;
            now = flow.deadline().unwrap();
        }
        assert!((10_000..=11_000).contains(&read), "{read}");
        assert!(wakes <= 110, "{wakes} wakes in ten seconds");
        assert!(flow.is_babbling(now));
        assert!(flow.is_babbling(now + CALM_AFTER_MS / 2));
        assert!(!flow.is_babbling(now + CALM_AFTER_MS + 100));
        assert_eq!(flow.deadline(), None);
    }
}
