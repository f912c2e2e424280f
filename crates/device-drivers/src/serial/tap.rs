//! What a technician may watch of the traffic. Masked before it leaves the actor, because a shoe's line carries cards.
//!
//! Watching costs nothing but memory of a fixed size: a watcher that is too slow loses the oldest lines and is told how
//! many.

use std::fmt;

use device_protocols::frame::{DeviceKind, Direction};
use device_protocols::link::Millis;
use device_protocols::mask::{MaskedRun, TrafficMask};
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

    fn mask(&mut self, direction: Direction, bytes: &[u8]) -> Vec<TapRun> {
        let mask = match (self, direction) {
            (Self::Framed { inbound, .. }, Direction::FromDevice) => inbound,
            (Self::Framed { outbound, .. }, Direction::FromController) => outbound,
            (Self::LengthsOnly, _) => return vec![TapRun::Length(bytes.len())],
        };
        mask.handle_bytes(bytes).into_iter().map(TapRun::Framed).collect()
    }
}

/// The actor's end.
#[derive(Debug)]
pub(super) struct Tap {
    mask: LineMask,
    lines: broadcast::Sender<TapLine>,
}

impl Tap {
    pub(super) fn new(mask: LineMask, lines: broadcast::Sender<TapLine>) -> Self {
        Self { mask, lines }
    }

    /// The mask always follows the line, watched or not: a watcher who came in the middle of a frame would otherwise
    /// see its second half as something else.
    pub(super) fn handle_bytes(&mut self, direction: Direction, bytes: &[u8], at: Millis) {
        for run in self.mask.mask(direction, bytes) {
            // An error means that nobody watches.
            let _ = self.lines.send(TapLine { at, direction, run });
        }
    }
}
