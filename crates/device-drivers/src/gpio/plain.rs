//! Plain embedded-hal pins: no edges, no stamps, so they are looked at every few milliseconds and debounced here. For
//! boards whose kernel has only the old GPIO interface; the other kinds are better in every way.

use std::fmt;
use std::time::Duration;

use embedded_hal::digital::{InputPin, OutputPin};
use linux_embedded_hal::CdevPin;
use linux_embedded_hal::gpio_cdev::{self, LineRequestFlags};
use tokio::time::{Interval, MissedTickBehavior};

use super::cdev::late_spots;
use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec, kernel_now};
use crate::clock::{Span, Stamp};
use crate::inputs::SpotSet;
use crate::lamps::{LampFrame, LampOutput, NotWritten};
use crate::mcp23017::bus::Lamp;

/// Four looks within the shortest debounce of 20 ms.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Input lines over any pins.
pub struct PlainLines<P> {
    pins: Vec<Held<P>>,
    looks: Option<Interval>,
    /// Where the present look has got to; a look finds several edges.
    next: usize,
    debounce: Span,
}

struct Held<P> {
    line: LineId,
    pin: P,
    active_low: bool,
    active: Option<bool>,
}

// By hand, because not every pin can be printed.
impl<P> fmt::Debug for PlainLines<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pins.iter().map(|held| (held.line, held.active))).finish()
    }
}

impl<P: InputPin> PlainLines<P> {
    pub fn new(pins: Vec<(LineId, P, bool)>, debounce: Span) -> Self {
        let pins = pins.into_iter().map(|(line, pin, active_low)| Held { line, pin, active_low, active: None });
        Self { pins: pins.collect(), looks: None, next: 0, debounce }
    }
}

impl<P> PlainLines<P> {
    /// A line that was found later.
    pub(super) fn add(&mut self, line: LineId, pin: P, active_low: bool) {
        self.pins.push(Held { line, pin, active_low, active: None });
    }
}

impl<P: InputPin> Held<P> {
    fn look(&mut self) -> Result<bool, LineFault> {
        let high =
            self.pin.is_high().map_err(|error| LineFault::CannotRead { cause: format!("{error:?}"), errno: None })?;
        Ok(high != self.active_low)
    }
}

impl<P: InputPin + Send + 'static> EdgeSource for PlainLines<P> {
    fn now(&self) -> Stamp {
        kernel_now()
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        let mut levels = Vec::new();
        for held in &mut self.pins {
            let active = held.look()?;
            held.active = Some(active);
            levels.push((held.line, active));
        }
        Ok(levels)
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        loop {
            while let Some(held) = self.pins.get_mut(self.next) {
                self.next += 1;
                let active = held.look()?;
                if held.active.replace(active).is_some_and(|before| before != active) {
                    return Ok(LineEdge { line: held.line, active, at: kernel_now(), after_gap: false });
                }
            }
            let looks = self.looks.get_or_insert_with(|| {
                let mut looks = tokio::time::interval(LOOK_EVERY);
                looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
                looks
            });
            looks.tick().await;
            self.next = 0;
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        self.debounce
    }
}

/// Lamp lines over any pins.
pub struct PlainLamps<P> {
    pins: Vec<(Lamp, P, bool)>,
    two_colours: SpotSet,
}

impl<P> fmt::Debug for PlainLamps<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pins.iter().map(|(lamp, _, _)| lamp)).finish()
    }
}

impl<P> PlainLamps<P> {
    /// Each pin with whether it is active low.
    pub fn new(pins: Vec<(Lamp, P, bool)>) -> Self {
        let two_colours = late_spots(pins.iter().map(|(lamp, _, _)| *lamp));
        Self { pins, two_colours }
    }

    /// A lamp whose line was found later, at the level that it should have.
    pub(super) fn add(&mut self, lamp: Lamp, pin: P, active_low: bool) {
        self.pins.push((lamp, pin, active_low));
        self.two_colours = late_spots(self.pins.iter().map(|(lamp, _, _)| *lamp));
    }
}

impl<P: OutputPin + Send + 'static> LampOutput for PlainLamps<P> {
    async fn write(&mut self, frame: LampFrame, before: Option<LampFrame>) -> Result<(), NotWritten> {
        for (lamp, pin, active_low) in &mut self.pins {
            let lit = lamp.is_lit(&frame);
            if before.is_some_and(|before| lamp.is_lit(&before) == lit) {
                continue;
            }
            let written = if lit == *active_low { pin.set_low() } else { pin.set_high() };
            written.map_err(|error| NotWritten::new(format!("{error:?}")))?;
        }
        Ok(())
    }

    fn two_colours(&self) -> SpotSet {
        self.two_colours
    }
}

/// An input pin of linux-embedded-hal, found by name, with its pull: an undriven line reads as not active.
pub fn open_cdev_input(spec: &LineSpec) -> Result<CdevPin, LineFault> {
    let pull = if spec.active_low { PULL_UP } else { PULL_DOWN };
    open_cdev_pin(&spec.name, LineRequestFlags::INPUT | pull, 0)
}

/// An output pin of linux-embedded-hal, found by name, at the level that `frame` asks for.
pub fn open_cdev_output(lamp: Lamp, spec: &LineSpec, frame: &LampFrame) -> Result<CdevPin, LineFault> {
    let high = lamp.is_lit(frame) != spec.active_low;
    open_cdev_pin(&spec.name, LineRequestFlags::OUTPUT, u8::from(high))
}

/// `GPIOHANDLE_REQUEST_BIAS_PULL_UP` and `_DOWN` of the kernel's first GPIO interface (linux/gpio.h), since 5.5. gpio-cdev
/// knows the bits only by their numbers; without them an open button reads as pressed.
const PULL_UP: LineRequestFlags = LineRequestFlags::from_bits_retain(1 << 5);
const PULL_DOWN: LineRequestFlags = LineRequestFlags::from_bits_retain(1 << 6);

fn open_cdev_pin(name: &str, flags: LineRequestFlags, level: u8) -> Result<CdevPin, LineFault> {
    let not_given = |error: gpio_cdev::Error| LineFault::NotGiven {
        name: name.to_owned(),
        errno: errno_of(&error),
        cause: error.to_string(),
    };
    for chip in gpio_cdev::chips().map_err(not_given)? {
        for line in chip.map_err(not_given)?.lines() {
            if line.info().map_err(not_given)?.name() == Some(name) {
                let handle = line.request(flags, level, "holecard").map_err(not_given)?;
                return CdevPin::new(handle).map_err(not_given);
            }
        }
    }
    Err(LineFault::Missing { name: name.to_owned() })
}

/// The number is only in the error that lies below.
fn errno_of(error: &gpio_cdev::Error) -> Option<i32> {
    let below = std::error::Error::source(error)?;
    below.downcast_ref::<std::io::Error>().and_then(std::io::Error::raw_os_error)
}
