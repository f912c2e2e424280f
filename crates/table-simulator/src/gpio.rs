//! Simulated GPIO: lines with a shared level, seen through embedded-hal pins, with the edges a kernel would report.
//!
//! A line is driven from outside (a button, a chip) or by a pin (a lamp). Every edge keeps its time and a number, so
//! that a gap can be noticed. Levels are electrical; active-low is for those who wire something to the line.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use device_protocols::link::Millis;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin, StatefulOutputPin};

/// A kernel's buffer is about as deep; what does not fit is gone, and the numbers show it.
const EDGES_MAX: usize = 1_024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineNumber(pub u16);

/// One change of level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub line: LineNumber,
    pub at: Millis,
    pub high: bool,
    /// Counts all edges of the chip, from 1.
    pub number: u64,
}

/// A chip of lines. Clones share it.
#[derive(Clone, Debug)]
pub struct GpioChip(Arc<Mutex<Lines>>);

#[derive(Debug)]
struct Lines {
    levels: Vec<bool>,
    stuck: Vec<Option<bool>>,
    edges: VecDeque<Edge>,
    edge_count: u64,
}

impl GpioChip {
    /// So many lines, all pulled up.
    pub fn new(lines: u16) -> Self {
        let count = usize::from(lines);
        Self(Arc::new(Mutex::new(Lines {
            levels: vec![true; count],
            stuck: vec![None; count],
            edges: VecDeque::new(),
            edge_count: 0,
        })))
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something outside pulls the line. A line that is stuck does not move.
    pub fn drive(&self, line: LineNumber, high: bool, at: Millis) {
        let mut lines = self.lines();
        let place = usize::from(line.0);
        let high = lines.stuck.get(place).copied().flatten().unwrap_or(high);
        if lines.levels.get(place).is_none_or(|level| *level == high) {
            return;
        }
        lines.levels[place] = high;
        lines.edge_count += 1;
        let edge = Edge { line, at, high, number: lines.edge_count };
        if lines.edges.len() < EDGES_MAX {
            lines.edges.push_back(edge);
        }
    }

    /// A contact that bounces: so many extra pairs of edges, a millisecond apart, before it rests. Returns when it does.
    pub fn drive_bouncing(&self, line: LineNumber, high: bool, bounces: u16, at: Millis) -> Millis {
        let mut when = at;
        for _ in 0..bounces {
            self.drive(line, high, when);
            self.drive(line, !high, when + 1);
            when = when + 2;
        }
        self.drive(line, high, when);
        when
    }

    /// Fixes the level, or lets it go again.
    pub fn stick(&self, line: LineNumber, level: Option<bool>, at: Millis) {
        if let Some(high) = level {
            self.drive(line, high, at);
        }
        if let Some(stuck) = self.lines().stuck.get_mut(usize::from(line.0)) {
            *stuck = level;
        }
    }

    /// False for a line that does not exist.
    pub fn level(&self, line: LineNumber) -> bool {
        self.lines().levels.get(usize::from(line.0)).copied().unwrap_or(false)
    }

    pub fn poll_edge(&self) -> Option<Edge> {
        self.lines().edges.pop_front()
    }

    pub fn pin(&self, line: LineNumber) -> SimPin {
        SimPin { chip: self.clone(), line }
    }
}

/// One line as a driver holds it.
#[derive(Clone, Debug)]
pub struct SimPin {
    chip: GpioChip,
    line: LineNumber,
}

impl ErrorType for SimPin {
    type Error = Infallible;
}

impl InputPin for SimPin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.chip.level(self.line))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.chip.level(self.line))
    }
}

/// An output makes no edges: nobody asked the kernel for any.
impl OutputPin for SimPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.set(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.set(true);
        Ok(())
    }
}

impl StatefulOutputPin for SimPin {
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        self.is_high()
    }

    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        self.is_low()
    }
}

impl SimPin {
    fn set(&self, high: bool) {
        if let Some(level) = self.chip.lines().levels.get_mut(usize::from(self.line.0)) {
            *level = high;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_keep_their_time_and_number_and_pins_see_the_level() {
        let chip = GpioChip::new(4);
        let line = LineNumber(2);
        let mut pin = chip.pin(line);
        assert_eq!(pin.is_high(), Ok(true));
        let rest = chip.drive_bouncing(line, false, 2, Millis(10));
        assert_eq!((rest, pin.is_low()), (Millis(14), Ok(true)));
        let edges: Vec<_> = std::iter::from_fn(|| chip.poll_edge()).map(|edge| (edge.number, edge.at.0)).collect();
        assert_eq!(edges, [(1, 10), (2, 11), (3, 12), (4, 13), (5, 14)]);
    }

    #[test]
    fn a_stuck_line_does_not_move() {
        let chip = GpioChip::new(1);
        chip.stick(LineNumber(0), Some(false), Millis(1));
        chip.drive(LineNumber(0), true, Millis(2));
        assert!(!chip.level(LineNumber(0)));
        chip.stick(LineNumber(0), None, Millis(3));
        chip.drive(LineNumber(0), true, Millis(4));
        assert!(chip.level(LineNumber(0)));
    }

    #[test]
    fn a_burst_that_overflows_shows_as_a_gap_in_the_numbers() {
        let chip = GpioChip::new(1);
        chip.drive_bouncing(LineNumber(0), false, 600, Millis(0));
        while chip.poll_edge().is_some() {}
        chip.drive(LineNumber(0), true, Millis(5_000));
        let edge = chip.poll_edge().map(|edge| edge.number);
        assert_eq!(edge, Some(1_202), "1201 edges came, {EDGES_MAX} fitted");
    }
}
