//! GPIO lines, found by name and held for as long as the daemon runs.
//!
//! The kernel-facing part is thin and comes in three kinds, chosen in the configuration: [`cdev`] (gpiocdev: edges,
//! stamps and debounce by the kernel; the default), `pi` (rppal, behind the feature of that name) and [`plain`] (any
//! embedded-hal pins, such as those of linux-embedded-hal, looked at every few milliseconds). All of them give an
//! [`EdgeSource`] and a [`LampOutput`](crate::lamps::LampOutput); [`watch`] does the rest and is tested without any of
//! them. A line is never given back and asked for again while the table runs: that loses edges and can blink outputs.

pub mod backend;
pub mod cdev;
mod control;
#[cfg(feature = "rppal")]
pub mod pi;
pub mod plain;
pub mod watch;

use std::future::Future;

use rustix::time::{ClockId, clock_gettime};
use thiserror::Error;

use crate::clock::{Span, Stamp};
use crate::inputs::{PortsRead, Spot};
use crate::mcp23017::{BusFault, BusHandle};

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineId {
    LockOut,
    Sensor(Spot),
    /// The wire on which the expanders tell of changes.
    ExpanderInterrupt,
}

/// One line as it is to be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSpec {
    /// As the device tree names it, or as `gpioinfo` shows it.
    pub name: String,
    pub active_low: bool,
    pub debounce: Span,
}

/// A change of level, stamped by the kernel and corrected for the debounce: the kernel stamps a debounced edge when the
/// debounce time is over, not when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEdge {
    pub line: LineId,
    pub active: bool,
    pub at: Stamp,
    /// Edges were lost before this one: levels must be read again.
    pub after_gap: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineFault {
    #[error("there is no GPIO line named {name}: check the name in the configuration and the device tree")]
    Missing { name: String },
    #[error("the GPIO line {name} is used by something else, or may not be used: {cause}")]
    NotGiven { name: String, cause: String, errno: Option<i32> },
    #[error("GPIO lines cannot be read: {cause}")]
    CannotRead { cause: String, errno: Option<i32> },
}

/// A line that could not be had; it is looked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingLine<L> {
    pub line: L,
    pub spec: LineSpec,
    pub fault: LineFault,
}

impl LineFault {
    /// What the kernel said, where it was asked.
    pub fn errno(&self) -> Option<i32> {
        match self {
            Self::Missing { .. } => None,
            Self::NotGiven { errno, .. } | Self::CannotRead { errno, .. } => *errno,
        }
    }
}

/// Input lines of one kind of hardware.
pub trait EdgeSource: Send + 'static {
    /// The present on the clock that edges are stamped with.
    fn now(&self) -> Stamp;

    /// All levels, read now.
    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault>;

    /// The next edge. Dropping the future loses nothing.
    fn next_edge(&mut self) -> impl Future<Output = Result<LineEdge, LineFault>> + Send;

    /// How long a level must stand before it counts, where the hardware does not see to that itself.
    fn debounce_left_to_us(&self) -> Span;

    /// The lines that are not there, each with the kernel's reason. A table runs without them.
    fn missing(&self) -> Vec<(LineId, Option<i32>)> {
        Vec::new()
    }

    /// Tries the missing lines again.
    fn look_for_missing(&mut self) {}
}

/// The expanders, as the lines need them.
pub trait PortReader: Send + 'static {
    fn read(&mut self) -> impl Future<Output = Result<PortsRead, BusFault>> + Send;
}

impl PortReader for BusHandle {
    async fn read(&mut self) -> Result<PortsRead, BusFault> {
        Self::read(self).await
    }
}

/// For a table without expanders.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoExpanders;

impl PortReader for NoExpanders {
    async fn read(&mut self) -> Result<PortsRead, BusFault> {
        Ok(PortsRead::default())
    }
}

/// `CLOCK_MONOTONIC`, with which the kernel stamps edges.
pub(crate) fn kernel_now() -> Stamp {
    let time = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or(0);
    Stamp(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds))
}
