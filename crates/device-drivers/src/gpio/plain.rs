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

impl<P: InputPin> Held<P> {
    fn look(&mut self) -> Result<bool, LineFault> {
        let high = self.pin.is_high().map_err(|error| LineFault::CannotRead { cause: format!("{error:?}") })?;
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

/// Pins of linux-embedded-hal, found by name.
pub fn open_cdev_inputs(lines: &[(LineId, LineSpec)]) -> Result<Vec<(LineId, CdevPin, bool)>, LineFault> {
    let open = |(line, spec): &(LineId, LineSpec)| {
        Ok((*line, open_cdev_pin(&spec.name, LineRequestFlags::INPUT, 0)?, spec.active_low))
    };
    lines.iter().map(open).collect()
}

/// Output pins of linux-embedded-hal, found by name, at the levels that `frame` asks for.
pub fn open_cdev_outputs(
    lamps: &[(Lamp, LineSpec)],
    frame: &LampFrame,
) -> Result<Vec<(Lamp, CdevPin, bool)>, LineFault> {
    let open = |(lamp, spec): &(Lamp, LineSpec)| {
        let high = lamp.is_lit(frame) != spec.active_low;
        Ok((*lamp, open_cdev_pin(&spec.name, LineRequestFlags::OUTPUT, u8::from(high))?, spec.active_low))
    };
    lamps.iter().map(open).collect()
}

fn open_cdev_pin(name: &str, flags: LineRequestFlags, level: u8) -> Result<CdevPin, LineFault> {
    let not_given = |error: gpio_cdev::Error| LineFault::NotGiven { name: name.to_owned(), cause: error.to_string() };
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
