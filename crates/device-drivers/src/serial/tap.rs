//! What a technician may watch of the traffic. Masked before it leaves the actor, because a shoe's line carries cards.
//!
//! Watching costs nothing but memory of a fixed size: a watcher that is too slow loses the oldest lines and is told how
//! many.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use device_protocols::frame::{DeviceKind, Direction};
use device_protocols::link::Millis;
use device_protocols::mask::{MaskedRun, TrafficMask, Watching};
use tokio::sync::broadcast;

/// Lines kept for a slow watcher.
pub const TAP_CAPACITY: usize = 256;

/// One run of bytes on the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapLine {
    pub at: Millis,
    pub direction: Direction,
    pub run: TapRun,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TapRun {
    Framed(MaskedRun),
    /// Of a dialect whose traffic is not taken apart here.
    Length(usize),
}

impl fmt::Display for TapLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.direction {
            Direction::FromController => ">",
            Direction::FromDevice => "<",
        };
        write!(f, "{:>6}.{:03} {arrow} ", self.at.0 / 1_000, self.at.0 % 1_000)?;
        match &self.run {
            TapRun::Framed(run) => write!(f, "{run}"),
            TapRun::Length(length) => write!(f, "[{length} bytes]"),
        }
    }
}

/// How much may be seen of every line of a table, set by whoever knows. Unset, it is as in an open round. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SharedWatching(Arc<AtomicU8>);

impl SharedWatching {
    const LEVELS: [Watching; 3] = [Watching::InRound, Watching::BetweenRounds, Watching::InService];

    pub fn set(&self, watching: Watching) {
        let level = Self::LEVELS.iter().position(|each| *each == watching).unwrap_or(0);
        self.0.store(u8::try_from(level).unwrap_or(0), Ordering::Release);
    }

    pub fn get(&self) -> Watching {
        Self::LEVELS.get(usize::from(self.0.load(Ordering::Acquire))).copied().unwrap_or_default()
    }
}

/// Where the traffic of one port can be watched: no command can be given through it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TapSource(pub(super) broadcast::WeakSender<TapLine>);

impl TapSource {
    /// The traffic from now on, masked. `None` if the driver has ended.
    pub fn watch(&self) -> Option<broadcast::Receiver<TapLine>> {
        self.0.upgrade().map(|lines| lines.subscribe())
    }
}

/// How traffic of one line is made safe.
#[derive(Debug)]
pub enum LineMask {
    Framed { inbound: Box<TrafficMask>, outbound: Box<TrafficMask> },
    LengthsOnly,
}

impl LineMask {
    pub fn framed(kind: DeviceKind) -> Self {
        Self::Framed { inbound: Box::new(TrafficMask::new(kind)), outbound: Box::new(TrafficMask::new(kind)) }
    }

    fn mask(&mut self, direction: Direction, bytes: &[u8], watching: Watching) -> Vec<TapRun> {
        let mask = match (self, direction) {
            (Self::Framed { inbound, .. }, Direction::FromDevice) => inbound,
            (Self::Framed { outbound, .. }, Direction::FromController) => outbound,
            (Self::LengthsOnly, _) => return vec![TapRun::Length(bytes.len())],
        };
        mask.handle_bytes(bytes, watching).into_iter().map(TapRun::Framed).collect()
    }
}

/// The actor's end.
#[derive(Debug)]
pub(super) struct Tap {
    mask: LineMask,
    watching: SharedWatching,
    lines: broadcast::Sender<TapLine>,
}

impl Tap {
    pub(super) fn new(mask: LineMask, watching: SharedWatching, lines: broadcast::Sender<TapLine>) -> Self {
        Self { mask, watching, lines }
    }

    /// The mask always follows the line, watched or not: a watcher who came in the middle of a frame would otherwise
    /// see its second half as something else.
    pub(super) fn handle_bytes(&mut self, direction: Direction, bytes: &[u8], at: Millis) {
        for run in self.mask.mask(direction, bytes, self.watching.get()) {
            // An error means that nobody watches.
            let _ = self.lines.send(TapLine { at, direction, run });
        }
    }
}
