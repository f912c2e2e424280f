//! Lines of a Raspberry Pi through rppal. Its lines are the header's BCM numbers, written `GPIO17` in the configuration as
//! the kernel names them. Runs on a Pi only. rppal is retired upstream; gpiocdev does the same on every board.

use std::time::Duration;

use rppal::gpio::{Gpio, InputPin, OutputPin, Trigger};
use tokio::sync::mpsc;

use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec, kernel_now};
use crate::clock::{Span, Stamp};
use crate::lamps::LampFrame;
use crate::mcp23017::bus::Lamp;

const EDGES_CAPACITY: usize = 64;

/// Input lines. rppal runs a thread a line; it ends when the pin is dropped.
#[derive(Debug)]
pub struct PiLines {
    pins: Vec<(LineId, InputPin, bool)>,
    edges: mpsc::Receiver<LineEdge>,
    sender: mpsc::Sender<LineEdge>,
}

impl Default for PiLines {
    fn default() -> Self {
        let (sender, edges) = mpsc::channel(EDGES_CAPACITY);
        Self { pins: Vec::new(), edges, sender }
    }
}

impl PiLines {
    pub fn add(&mut self, line: LineId, spec: &LineSpec) -> Result<(), LineFault> {
        let gpio = Gpio::new().map_err(|error| not_given(spec, &error))?;
        let pin = gpio.get(number(spec)?).map_err(|error| not_given(spec, &error))?;
        let mut pin = if spec.active_low { pin.into_input_pullup() } else { pin.into_input_pulldown() };
        watch(&mut pin, line, spec, self.sender.clone())?;
        self.pins.push((line, pin, spec.active_low));
        Ok(())
    }
}

fn watch(pin: &mut InputPin, line: LineId, spec: &LineSpec, edges: mpsc::Sender<LineEdge>) -> Result<(), LineFault> {
    let (active_low, debounce) = (spec.active_low, spec.debounce);
    let mut expected = None;
    let period = (debounce != Span(0)).then(|| debounce.duration());
    pin.set_async_interrupt(Trigger::Both, period, move |event| {
        let high = match event.trigger {
            Trigger::RisingEdge => true,
            Trigger::FallingEdge => false,
            Trigger::Disabled | Trigger::Both => return,
        };
        let after_gap = expected.is_some_and(|expected| expected != event.seqno);
        expected = Some(event.seqno.wrapping_add(1));
        let at = Stamp(nanoseconds(event.timestamp)).before(debounce);
        // Blocking is right here: it is rppal's own thread, and the kernel keeps what we do not take.
        let _ = edges.blocking_send(LineEdge { line, active: high != active_low, at, after_gap });
    })
    .map_err(|error| not_given(spec, &error))
}

impl EdgeSource for PiLines {
    fn now(&self) -> Stamp {
        kernel_now()
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        Ok(self.pins.iter().map(|(line, pin, active_low)| (*line, pin.is_high() != *active_low)).collect())
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match self.edges.recv().await {
            Some(edge) => Ok(edge),
            None => std::future::pending().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        Span(0)
    }
}

/// A lamp's line. It keeps its level when dropped: a lit lamp is evidence.
pub fn open_lamp(lamp: Lamp, spec: &LineSpec, frame: &LampFrame) -> Result<OutputPin, LineFault> {
    let gpio = Gpio::new().map_err(|error| not_given(spec, &error))?;
    let pin = gpio.get(number(spec)?).map_err(|error| not_given(spec, &error))?;
    let high = lamp.is_lit(frame) != spec.active_low;
    let mut pin = if high { pin.into_output_high() } else { pin.into_output_low() };
    pin.set_reset_on_drop(false);
    Ok(pin)
}

fn number(spec: &LineSpec) -> Result<u8, LineFault> {
    let digits = spec.name.strip_prefix("GPIO").and_then(|digits| digits.parse().ok());
    digits.ok_or_else(|| LineFault::Missing { name: spec.name.clone() })
}

fn not_given(spec: &LineSpec, error: &rppal::gpio::Error) -> LineFault {
    let below = std::error::Error::source(error).and_then(|below| below.downcast_ref::<std::io::Error>());
    let errno = below.and_then(std::io::Error::raw_os_error);
    LineFault::NotGiven { name: spec.name.clone(), cause: error.to_string(), errno }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
