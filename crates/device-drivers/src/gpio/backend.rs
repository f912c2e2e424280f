//! The backend that the configuration names, behind one type.

use std::io;
use std::path::Path;

use linux_embedded_hal::{CdevPin, I2cdev};

use super::cdev::{CdevLamps, CdevLines};
#[cfg(feature = "rppal")]
use super::pi::{self, PiLines};
use super::plain::{self, PlainLamps, PlainLines};
use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec};
use crate::clock::{Span, Stamp};
use crate::config::GpioBackend;
use crate::inputs::SpotSet;
use crate::lamps::{LampFrame, LampOutput, NotWritten};
use crate::mcp23017::bus::Lamp;

/// Input lines of whichever backend.
#[derive(Debug)]
pub enum BoardLines {
    Gpiocdev(CdevLines),
    LinuxEmbeddedHal(PlainLines<CdevPin>),
    #[cfg(feature = "rppal")]
    Rppal(PiLines),
}

impl BoardLines {
    /// Must be called on a tokio runtime.
    pub fn open(backend: GpioBackend, lines: &[(LineId, LineSpec)]) -> Result<Self, LineFault> {
        match backend {
            GpioBackend::Gpiocdev => CdevLines::open(lines).map(Self::Gpiocdev),
            GpioBackend::LinuxEmbeddedHal => {
                let debounce = lines.iter().map(|(_, spec)| spec.debounce).max().unwrap_or_default();
                Ok(Self::LinuxEmbeddedHal(PlainLines::new(plain::open_cdev_inputs(lines)?, debounce)))
            }
            #[cfg(feature = "rppal")]
            GpioBackend::Rppal => PiLines::open(lines).map(Self::Rppal),
            #[cfg(not(feature = "rppal"))]
            GpioBackend::Rppal => Err(not_built_in()),
        }
    }
}

impl EdgeSource for BoardLines {
    fn now(&self) -> Stamp {
        match self {
            Self::Gpiocdev(lines) => lines.now(),
            Self::LinuxEmbeddedHal(lines) => lines.now(),
            #[cfg(feature = "rppal")]
            Self::Rppal(lines) => lines.now(),
        }
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        match self {
            Self::Gpiocdev(lines) => lines.levels(),
            Self::LinuxEmbeddedHal(lines) => lines.levels(),
            #[cfg(feature = "rppal")]
            Self::Rppal(lines) => lines.levels(),
        }
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match self {
            Self::Gpiocdev(lines) => lines.next_edge().await,
            Self::LinuxEmbeddedHal(lines) => lines.next_edge().await,
            #[cfg(feature = "rppal")]
            Self::Rppal(lines) => lines.next_edge().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        match self {
            Self::Gpiocdev(lines) => lines.debounce_left_to_us(),
            Self::LinuxEmbeddedHal(lines) => lines.debounce_left_to_us(),
            #[cfg(feature = "rppal")]
            Self::Rppal(lines) => lines.debounce_left_to_us(),
        }
    }
}

/// Lamp lines of whichever backend.
#[derive(Debug)]
pub enum BoardLamps {
    Gpiocdev(CdevLamps),
    LinuxEmbeddedHal(PlainLamps<CdevPin>),
    #[cfg(feature = "rppal")]
    Rppal(PlainLamps<rppal::gpio::OutputPin>),
}

impl BoardLamps {
    /// Requests the lines at the levels of `frame`, so that restored lamps do not blink.
    pub fn open(backend: GpioBackend, lamps: &[(Lamp, LineSpec)], frame: &LampFrame) -> Result<Self, LineFault> {
        match backend {
            GpioBackend::Gpiocdev => CdevLamps::open(lamps, frame).map(Self::Gpiocdev),
            GpioBackend::LinuxEmbeddedHal => {
                Ok(Self::LinuxEmbeddedHal(PlainLamps::new(plain::open_cdev_outputs(lamps, frame)?)))
            }
            #[cfg(feature = "rppal")]
            GpioBackend::Rppal => pi::open_lamps(lamps, frame).map(Self::Rppal),
            #[cfg(not(feature = "rppal"))]
            GpioBackend::Rppal => Err(not_built_in()),
        }
    }
}

impl LampOutput for BoardLamps {
    async fn write(&mut self, frame: LampFrame, before: Option<LampFrame>) -> Result<(), NotWritten> {
        match self {
            Self::Gpiocdev(lamps) => lamps.write(frame, before).await,
            Self::LinuxEmbeddedHal(lamps) => lamps.write(frame, before).await,
            #[cfg(feature = "rppal")]
            Self::Rppal(lamps) => lamps.write(frame, before).await,
        }
    }

    fn two_colours(&self) -> SpotSet {
        match self {
            Self::Gpiocdev(lamps) => lamps.two_colours(),
            Self::LinuxEmbeddedHal(lamps) => lamps.two_colours(),
            #[cfg(feature = "rppal")]
            Self::Rppal(lamps) => lamps.two_colours(),
        }
    }
}

/// The bus of the expanders, for [`spawn_bus`](crate::mcp23017::spawn_bus).
pub fn open_i2c(path: &Path) -> Result<I2cdev, io::Error> {
    I2cdev::new(path).map_err(io::Error::from)
}

#[cfg(not(feature = "rppal"))]
fn not_built_in() -> LineFault {
    LineFault::CannotRead {
        cause: "this build has no rppal backend: write backend = \"gpiocdev\", or build with the feature rppal"
            .to_owned(),
    }
}
