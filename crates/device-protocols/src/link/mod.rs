//! The session on a line: who is there, what was heard, what must be said again.
//!
//! Two machines, one per end: [`LinkHost`] in the controller and [`LinkDevice`] in a device or its simulated twin. Both
//! are fed with bytes and the time and hand out bytes, events and the next moment they want to be woken. Neither waits,
//! neither reads a clock, neither grows.
//!
//! The promise they keep together: a numbered message reaches the other application exactly once and in order, it is
//! acknowledged only when that application says it is durable, and if that cannot be done a link fault is raised within
//! [`TRIES_MAX`] resends or [`LOST_AFTER_MS`] of silence. A slow disk is not a fault: HOLD keeps the sender patient.
//!
//! The line may lose, damage, repeat and delay bytes, but it does not reorder them; both a tty and a TCP stream give that.

mod core;
mod device;
mod host;
mod host_types;
mod inbox;
mod monitor;
mod outbox;
mod pairing;

use std::ops::Add;

use thiserror::Error;

pub use device::{DeviceConfig, DeviceNotice, LinkDevice};
pub use host::LinkHost;
pub use host_types::{ExpectedDevice, HostConfig, HostEvent, Mismatch, NotSent};

use crate::frame::{FrameCounts, MessageId};

/// An unanswered message is sent again after this time.
pub const RESEND_AFTER_MS: u64 = 250;
/// After so many sendings without ACK or HOLD the link is declared lost: 1.25 s.
pub const TRIES_MAX: u8 = 5;
/// The far end must hear from us at least this often.
pub const HEARTBEAT_EVERY_MS: u64 = 1_000;
/// Without a valid frame for this long the link is shown as degraded: one heartbeat is missing.
pub const DEGRADED_AFTER_MS: u64 = 1_500;
/// Without a valid frame for this long the link is lost.
pub const LOST_AFTER_MS: u64 = 3_000;
/// How often HELLO is said while there is no session.
pub const HELLO_EVERY_MS: u64 = 500;
/// A HELLO that is not answered within this time, bytes or not, means that there is no session to be had.
pub const HELLO_WITHIN_MS: u64 = 3_000;
/// A message that is not durable by then gets its first HOLD, well before the sender's first resend.
pub const HOLD_AFTER_MS: u64 = 100;
/// Messages waiting to be sent, on either side.
pub const OUTBOX_CAPACITY: usize = 64;
/// Notices waiting for the application, on either side.
pub const NOTICES_CAPACITY: usize = 64;

/// A moment on a clock that never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// Zero if `earlier` is later: clocks of one process do not go back, arguments may be swapped.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Millis {
    type Output = Self;

    fn add(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

/// Where a link stands. "Back" is not a state but the notice that ends `Lost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// No session yet since the port was opened, or the port is closed.
    Down,
    Up,
    Degraded(Degradation),
    Lost(Loss),
    /// Something answers, but not the device that belongs on this port.
    WrongDevice,
}

impl LinkState {
    /// Whether messages may flow.
    pub fn is_live(self) -> bool {
        match self {
            Self::Up | Self::Degraded(_) => true,
            Self::Down | Self::Lost(_) | Self::WrongDevice => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degradation {
    /// A heartbeat is missing.
    Quiet,
    /// Several damaged frames within three seconds.
    Damaged,
    /// A message has been sent three times without an answer.
    Unanswered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Loss {
    #[error("no byte for 3 s: check the cable and whether the device has power")]
    Silence,
    #[error("bytes arrive but no valid frame for 3 s: check baud rate, ground and that this is the right device")]
    Garbage,
    #[error("a message was sent five times without an answer: the far end does not hear us")]
    NoAnswer,
    #[error("the far end does not complete the greeting")]
    NoHello,
    #[error("the port is closed: the adapter was unplugged, or the serial server hung up")]
    PortClosed,
}

/// What the far end is, compared with what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuity {
    /// Nothing is known of an earlier session.
    FirstContact,
    /// The same boot as before: nothing was lost.
    SameBoot,
    /// It restarted: what it had not yet delivered is gone. Its STATE follows.
    Restarted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{OUTBOX_CAPACITY} messages are already waiting for the far end; nothing was queued")]
pub struct OutboxFull;

/// The whole ladder, for the technician: bytes, frames, events; and what had to be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounts {
    pub line: FrameCounts,
    /// Numbered messages understood and handed to the application.
    pub events: u64,
    /// Valid frames that mean nothing to us.
    pub not_understood: u64,
    /// Repeats of messages already handed over.
    pub duplicates: u64,
    /// Our own messages sent more than once.
    pub resends: u64,
    /// Frames that this link's protection does not believe: forged, repeated, of another session, or not protected alike.
    pub turned_away: u64,
    /// Our own frames coming back: a looped cable.
    pub echoes: u64,
    /// Notices that no one collected in time. Device events are never among them.
    pub notices_dropped: u64,
}

/// A numbered message that was handed to the application but is not yet durable there.
pub type EventId = MessageId;
