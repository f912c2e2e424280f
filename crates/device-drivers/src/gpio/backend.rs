//! The backend that the configuration names, behind one type. A line that cannot be had does not keep the others from
//! being watched: it is missing, and looked for again.

use std::io;
use std::path::Path;

use linux_embedded_hal::{CdevPin, I2cdev};

use super::cdev::{CdevLamps, CdevLines};
#[cfg(feature = "rppal")]
use super::pi::{self, PiLines};
use super::plain::{self, PlainLamps, PlainLines};
use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec, MissingLine};
use crate::clock::{Span, Stamp};
use crate::config::GpioBackend;
use crate::inputs::SpotSet;
use crate::lamps::{LampFrame, LampOutput, NotWritten};
use crate::mcp23017::bus::Lamp;

/// Input lines of whichever backend.
#[derive(Debug)]
pub struct BoardLines {
    held: HeldLines,
    missing: Vec<MissingLine<LineId>>,
}

#[derive(Debug)]
enum HeldLines {
    Gpiocdev(CdevLines),
    LinuxEmbeddedHal(PlainLines<CdevPin>),
    #[cfg(feature = "rppal")]
    Rppal(PiLines),
    #[cfg(not(feature = "rppal"))]
    NotBuiltIn(PlainLines<CdevPin>),
}

impl HeldLines {
    fn add(&mut self, wanted: Vec<(LineId, LineSpec)>) -> Vec<MissingLine<LineId>> {
        match self {
            Self::Gpiocdev(lines) => lines.add(wanted),
            Self::LinuxEmbeddedHal(lines) => one_by_one(wanted, |line, spec| {
                plain::open_cdev_input(spec).map(|pin| lines.add(line, pin, spec.active_low))
            }),
            #[cfg(feature = "rppal")]
            Self::Rppal(lines) => one_by_one(wanted, |line, spec| lines.add(line, spec)),
            #[cfg(not(feature = "rppal"))]
            Self::NotBuiltIn(_) => one_by_one(wanted, |_, spec| Err(not_built_in(spec))),
        }
    }
}

/// Tries each line; those that cannot be had are given back.
fn one_by_one<L: Copy>(
    wanted: Vec<(L, LineSpec)>,
    mut open: impl FnMut(L, &LineSpec) -> Result<(), LineFault>,
) -> Vec<MissingLine<L>> {
    let tried = wanted.into_iter().map(|(line, spec)| (open(line, &spec), line, spec));
    tried.filter_map(|(opened, line, spec)| opened.err().map(|fault| MissingLine { line, spec, fault })).collect()
}

impl BoardLines {
    /// Must be called on a tokio runtime.
    pub fn open(backend: GpioBackend, lines: &[(LineId, LineSpec)]) -> Self {
        let debounce = lines.iter().map(|(_, spec)| spec.debounce).max().unwrap_or_default();
        let held = match backend {
            GpioBackend::Gpiocdev => HeldLines::Gpiocdev(CdevLines::default()),
            GpioBackend::LinuxEmbeddedHal => HeldLines::LinuxEmbeddedHal(PlainLines::new(Vec::new(), debounce)),
            #[cfg(feature = "rppal")]
            GpioBackend::Rppal => HeldLines::Rppal(PiLines::default()),
            #[cfg(not(feature = "rppal"))]
            GpioBackend::Rppal => HeldLines::NotBuiltIn(PlainLines::new(Vec::new(), debounce)),
        };
        let mut board = Self { held, missing: Vec::new() };
        board.missing = board.held.add(lines.to_vec());
        board
    }
}

impl EdgeSource for BoardLines {
    fn now(&self) -> Stamp {
        match &self.held {
            HeldLines::Gpiocdev(lines) => lines.now(),
            HeldLines::LinuxEmbeddedHal(lines) => lines.now(),
            #[cfg(feature = "rppal")]
            HeldLines::Rppal(lines) => lines.now(),
            #[cfg(not(feature = "rppal"))]
            HeldLines::NotBuiltIn(lines) => lines.now(),
        }
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        match &mut self.held {
            HeldLines::Gpiocdev(lines) => lines.levels(),
            HeldLines::LinuxEmbeddedHal(lines) => lines.levels(),
            #[cfg(feature = "rppal")]
            HeldLines::Rppal(lines) => lines.levels(),
            #[cfg(not(feature = "rppal"))]
            HeldLines::NotBuiltIn(lines) => lines.levels(),
        }
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match &mut self.held {
            HeldLines::Gpiocdev(lines) => lines.next_edge().await,
            HeldLines::LinuxEmbeddedHal(lines) => lines.next_edge().await,
            #[cfg(feature = "rppal")]
            HeldLines::Rppal(lines) => lines.next_edge().await,
            #[cfg(not(feature = "rppal"))]
            HeldLines::NotBuiltIn(_) => std::future::pending().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        match &self.held {
            HeldLines::Gpiocdev(lines) => lines.debounce_left_to_us(),
            HeldLines::LinuxEmbeddedHal(lines) => lines.debounce_left_to_us(),
            #[cfg(feature = "rppal")]
            HeldLines::Rppal(lines) => lines.debounce_left_to_us(),
            #[cfg(not(feature = "rppal"))]
            HeldLines::NotBuiltIn(lines) => lines.debounce_left_to_us(),
        }
    }

    fn missing(&self) -> Vec<(LineId, Option<i32>)> {
        self.missing.iter().map(|missing| (missing.line, missing.fault.errno())).collect()
    }

    fn look_for_missing(&mut self) {
        let wanted = std::mem::take(&mut self.missing);
        self.missing = self.held.add(wanted.into_iter().map(|missing| (missing.line, missing.spec)).collect());
    }
}

/// Lamp lines of whichever backend.
#[derive(Debug)]
pub struct BoardLamps {
    held: HeldLamps,
    missing: Vec<MissingLine<Lamp>>,
}

#[derive(Debug)]
enum HeldLamps {
    Gpiocdev(CdevLamps),
    LinuxEmbeddedHal(PlainLamps<CdevPin>),
    #[cfg(feature = "rppal")]
    Rppal(PlainLamps<rppal::gpio::OutputPin>),
    #[cfg(not(feature = "rppal"))]
    NotBuiltIn(PlainLamps<CdevPin>),
}

impl HeldLamps {
    fn add(&mut self, wanted: Vec<(Lamp, LineSpec)>, frame: &LampFrame) -> Vec<MissingLine<Lamp>> {
        match self {
            Self::Gpiocdev(lamps) => lamps.add(wanted, frame),
            Self::LinuxEmbeddedHal(lamps) => one_by_one(wanted, |lamp, spec| {
                plain::open_cdev_output(lamp, spec, frame).map(|pin| lamps.add(lamp, pin, spec.active_low))
            }),
            #[cfg(feature = "rppal")]
            Self::Rppal(lamps) => one_by_one(wanted, |lamp, spec| {
                pi::open_lamp(lamp, spec, frame).map(|pin| lamps.add(lamp, pin, spec.active_low))
            }),
            #[cfg(not(feature = "rppal"))]
            Self::NotBuiltIn(_) => one_by_one(wanted, |_, spec| Err(not_built_in(spec))),
        }
    }
}

impl BoardLamps {
    /// Requests the lines at the levels of `frame`, so that restored lamps do not blink.
    pub fn open(backend: GpioBackend, lamps: &[(Lamp, LineSpec)], frame: &LampFrame) -> Self {
        let held = match backend {
            GpioBackend::Gpiocdev => HeldLamps::Gpiocdev(CdevLamps::default()),
            GpioBackend::LinuxEmbeddedHal => HeldLamps::LinuxEmbeddedHal(PlainLamps::new(Vec::new())),
            #[cfg(feature = "rppal")]
            GpioBackend::Rppal => HeldLamps::Rppal(PlainLamps::new(Vec::new())),
            #[cfg(not(feature = "rppal"))]
            GpioBackend::Rppal => HeldLamps::NotBuiltIn(PlainLamps::new(Vec::new())),
        };
        let mut board = Self { held, missing: Vec::new() };
        board.missing = board.held.add(lamps.to_vec(), frame);
        board
    }
}

impl LampOutput for BoardLamps {
    async fn write(&mut self, frame: LampFrame, before: Option<LampFrame>) -> Result<(), NotWritten> {
        match &mut self.held {
            HeldLamps::Gpiocdev(lamps) => lamps.write(frame, before).await,
            HeldLamps::LinuxEmbeddedHal(lamps) => lamps.write(frame, before).await,
            #[cfg(feature = "rppal")]
            HeldLamps::Rppal(lamps) => lamps.write(frame, before).await,
            #[cfg(not(feature = "rppal"))]
            HeldLamps::NotBuiltIn(_) => Ok(()),
        }
    }

    fn two_colours(&self) -> SpotSet {
        match &self.held {
            HeldLamps::Gpiocdev(lamps) => lamps.two_colours(),
            HeldLamps::LinuxEmbeddedHal(lamps) => lamps.two_colours(),
            #[cfg(feature = "rppal")]
            HeldLamps::Rppal(lamps) => lamps.two_colours(),
            #[cfg(not(feature = "rppal"))]
            HeldLamps::NotBuiltIn(lamps) => lamps.two_colours(),
        }
    }

    fn missing(&self) -> Vec<(Lamp, Option<i32>)> {
        self.missing.iter().map(|missing| (missing.line, missing.fault.errno())).collect()
    }

    fn look_for_missing(&mut self, frame: &LampFrame) {
        let wanted = std::mem::take(&mut self.missing);
        let wanted = wanted.into_iter().map(|missing| (missing.line, missing.spec)).collect();
        self.missing = self.held.add(wanted, frame);
    }
}

/// The bus of the expanders, for [`spawn_bus`](crate::mcp23017::spawn_bus).
pub fn open_i2c(path: &Path) -> Result<I2cdev, io::Error> {
    I2cdev::new(path).map_err(io::Error::from)
}

#[cfg(not(feature = "rppal"))]
fn not_built_in(spec: &LineSpec) -> LineFault {
    LineFault::NotGiven {
        name: spec.name.clone(),
        cause: "this build has no rppal backend: write backend = \"gpiocdev\", or build with the feature rppal"
            .to_owned(),
        errno: None,
    }
}
