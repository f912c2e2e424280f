//! How much a device may say. A device that talks without end must cost neither a core nor memory.
//!
//! A leaky bucket: each byte fills it, time empties it. While it is full the port is not read, so the kernel's buffer
//! fills up instead and the rest is lost or, over TCP, held back.
//!
//! A full bucket alone is no fault: a machine that was busy for a while finds everything at once that a sound device said
//! meanwhile. A device babbles when the port could not be read empty for a whole window of real time and most of what
//! came in it was no frame; a flood of good frames is called so only after a minute, longer than any buffer holds out.

use device_protocols::frame::ENCODED_LENGTH_MAX;
use device_protocols::link::Millis;

/// The bucket of one port. The time is an argument.
#[derive(Clone, Debug)]
pub struct InboundFlow {
    bytes_per_second: u64,
    /// In thousandths of a byte, so that nothing is lost to rounding at short intervals.
    filled_millibytes: u64,
    at: Millis,
    /// While the port cannot be read empty.
    crowded: Option<Crowded>,
    babbling: Option<Babble>,
}

#[derive(Clone, Copy, Debug)]
struct Crowded {
    since: Millis,
    bytes: u64,
    /// Those that no frame accounts for.
    stray: u64,
}

#[derive(Clone, Copy, Debug)]
struct Babble {
    /// When the bucket was last full.
    last: Millis,
}

/// A device is quiet again when it has kept within its rate for this long: three heartbeats.
const CALM_AFTER_MS: u64 = 3_000;
/// What has waited in the kernel's buffer (4 KiB behind a tty) is read within this time at the usual rate.
const WINDOW_MS: u64 = 3_000;
/// The largest buffers on the way, 64 KiB behind a pty or a socket, are read within this time at the usual rate.
const FLOOD_MS: u64 = 60_000;

impl InboundFlow {
    /// `bytes_per_second` may be said on average, and as much again at once.
    pub fn new(bytes_per_second: u32, now: Millis) -> Self {
        let bytes_per_second = u64::from(bytes_per_second.max(1));
        Self { bytes_per_second, filled_millibytes: 0, at: now, crowded: None, babbling: None }
    }

    /// How many bytes may be read now. Zero means: wait until [`deadline`](Self::deadline).
    pub fn allowance(&mut self, now: Millis) -> usize {
        self.drain(now);
        let room = self.capacity().saturating_sub(self.filled_millibytes) / 1_000;
        usize::try_from(room).unwrap_or(usize::MAX)
    }

    /// `frames` of the bytes' frames were good; a frame may have begun in bytes that came before.
    pub fn handle_bytes(&mut self, count: usize, frames: u64, now: Millis) {
        self.drain(now);
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let framed = frames.saturating_mul(u64::try_from(ENCODED_LENGTH_MAX).unwrap_or(u64::MAX));
        self.filled_millibytes = self.filled_millibytes.saturating_add(count.saturating_mul(1_000));
        let full = self.filled_millibytes >= self.capacity();
        if full && self.crowded.is_none() {
            self.crowded = Some(Crowded { since: self.at, bytes: 0, stray: 0 });
        }
        if let Some(crowded) = &mut self.crowded {
            crowded.bytes = crowded.bytes.saturating_add(count);
            crowded.stray = crowded.stray.saturating_add(count.saturating_sub(framed));
            let lasts = self.at.since(crowded.since);
            let noise = lasts >= WINDOW_MS && crowded.stray.saturating_mul(2) > crowded.bytes;
            if full && (noise || lasts >= FLOOD_MS) {
                self.babbling = Some(Babble { last: self.at });
            }
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
        // Half a second of room that nothing came to fill: the port was read empty.
        if self.filled_millibytes <= self.capacity() / 2 {
            self.crowded = None;
        }
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
            flow.handle_bytes(900, 0, now);
            assert!(!flow.is_babbling(now));
        }
    }

    /// Reads as the port does until nothing is left of `waiting`; says whether it ever was called babbling.
    fn read_out(flow: &mut InboundFlow, mut waiting: usize, frame_bytes: usize, mut now: Millis) -> bool {
        let mut babbled = false;
        while waiting > 0 {
            let count = flow.allowance(now).min(waiting).min(1_024);
            if count > 0 {
                let frames = u64::try_from(count.checked_div(frame_bytes).unwrap_or(0)).unwrap();
                flow.handle_bytes(count, frames, now);
                waiting -= count;
            }
            babbled |= flow.is_babbling(now);
            now = flow.deadline().filter(|_| flow.allowance(now) == 0).unwrap_or(now).max(now);
        }
        babbled
    }

    #[test]
    fn what_waited_while_the_machine_was_busy_is_not_babble_however_fast_it_is_read() {
        // Frames of 18 bytes, as heartbeats are: half a minute's backlog, as much as fits behind a pty.
        for backlog in [1_000, 2_000, 4_096, 16_384, 69_632] {
            let mut flow = InboundFlow::new(1_920, Millis(0));
            assert!(!read_out(&mut flow, backlog, 18, Millis(30_000)), "{backlog} bytes of good frames");
        }
        // The same of a device at another baud rate is garbage, and the link says so; it is not an endless stream.
        let mut flow = InboundFlow::new(1_920, Millis(0));
        assert!(!read_out(&mut flow, 4_096, 0, Millis(30_000)));
    }

    #[test]
    fn a_line_full_of_noise_is_babble_after_its_window_and_a_flood_of_frames_after_a_minute() {
        let mut flow = InboundFlow::new(1_920, Millis(0));
        assert!(read_out(&mut flow, 4 * 11_520, 0, Millis(0)));
        let mut flow = InboundFlow::new(1_920, Millis(0));
        assert!(read_out(&mut flow, 200_000, 18, Millis(0)));
    }

    #[test]
    fn endless_bytes_are_read_at_the_rate_and_no_faster_and_calm_follows_silence() {
        let mut flow = InboundFlow::new(1_000, Millis(0));
        let mut read = 0;
        let mut wakes = 0;
        let mut now = Millis(0);
        while now < Millis(10_000) {
            let allowed = flow.allowance(now);
            flow.handle_bytes(allowed, 0, now);
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
