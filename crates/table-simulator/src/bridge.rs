//! The felt on a port: its edges and lamps as lines of text, for bench work without a board.
//!
//! No device speaks like this; it stands for the wires. Out: `edge lock low 1234`, `edge 3.1 high 1240`. In:
//! `lamp lock on`, `lamp 3.1 off`, `levels`. A line that is none of these is answered with `?`.

use std::collections::VecDeque;

use device_protocols::link::Millis;
use embedded_hal::digital::OutputPin;
use zeroize::Zeroizing;

use crate::bench::{BenchError, Word};
use crate::gpio::{Edge, LineNumber};
use crate::panel::{LOCK_BUTTON, LOCK_LAMP, Panel, Spot, Wiring};
use crate::trace::{Flow, Rung, TraceEntry};
use crate::twin::Twin;

/// A longer line is no word of ours; its rest is dropped.
const LINE_MAX: usize = 64;
const TRACE_MAX: usize = 4_096;

#[derive(Debug)]
pub struct PanelBridge {
    panel: Panel,
    line: Vec<u8>,
    out: VecDeque<String>,
    trace_on: bool,
    trace: VecDeque<TraceEntry>,
}

impl PanelBridge {
    pub fn new(seats: u8, spots: u8) -> Self {
        Self {
            panel: Panel::new(Wiring::Lines, seats, spots),
            line: Vec::new(),
            out: VecDeque::new(),
            trace_on: false,
            trace: VecDeque::new(),
        }
    }

    fn note(&mut self, flow: Flow, text: &str, at: Millis) {
        if self.trace_on && self.trace.len() < TRACE_MAX {
            self.trace.push_back(TraceEntry { at, flow, rung: Rung::Event(text.to_owned()) });
        }
    }

    fn say(&mut self, text: String, at: Millis) {
        self.note(Flow::Sent, &text, at);
        self.out.push_back(text + "\n");
    }

    fn report_edges(&mut self, now: Millis) {
        while let Some(edge) = self.panel.lines.poll_edge() {
            let text = self.describe(edge);
            self.say(text, now);
        }
    }

    fn describe(&self, edge: Edge) -> String {
        let level = if edge.high { "high" } else { "low" };
        format!("edge {} {level} {}", self.name(edge.line), edge.at.0)
    }

    fn name(&self, line: LineNumber) -> String {
        if line == LOCK_BUTTON {
            return "lock".to_owned();
        }
        let spot = self.panel.spots().find(|spot| self.panel.sensor_line(*spot) == Some(line));
        spot.map_or_else(|| line.0.to_string(), |spot| format!("{}.{}", spot.seat, spot.spot))
    }

    fn answer(&mut self, line: &str, now: Millis) {
        self.note(Flow::Received, line, now);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["lamp", place, how @ ("on" | "off")] => {
                let Some(lamp) = self.lamp(place) else { return self.say("?".to_owned(), now) };
                let mut pin = self.panel.lines.pin(lamp);
                let Ok(()) = if *how == "on" { pin.set_high() } else { pin.set_low() };
            }
            ["levels"] => {
                let lines: Vec<LineNumber> = std::iter::once(LOCK_BUTTON)
                    .chain(self.panel.spots().filter_map(|spot| self.panel.sensor_line(spot)))
                    .collect();
                let levels = lines.into_iter().map(|line| {
                    format!("{}={}", self.name(line), if self.panel.lines.level(line) { "high" } else { "low" })
                });
                let text = levels.collect::<Vec<_>>().join(" ");
                self.say(text, now);
            }
            [] => {}
            _ => self.say("?".to_owned(), now),
        }
    }

    fn lamp(&self, place: &str) -> Option<LineNumber> {
        if place == "lock" {
            return Some(LOCK_LAMP);
        }
        let (seat, spot) = place.split_once('.')?;
        self.panel.lamp_line(Spot { seat: seat.parse().ok()?, spot: spot.parse().ok()? })
    }
}

impl Twin for PanelBridge {
    fn words(&self) -> Vec<Word> {
        Panel::words().to_vec()
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        for byte in bytes {
            if *byte == b'\n' || *byte == b'\r' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                self.answer(&line, now);
            } else if self.line.len() < LINE_MAX {
                self.line.push(*byte);
            }
        }
    }

    fn handle_timeout(&mut self, now: Millis) {
        self.report_edges(now);
    }

    fn obey(&mut self, line: &str, now: Millis) -> Result<String, BenchError> {
        let done = self.panel.obey(line, now);
        self.report_edges(now);
        done
    }

    fn turn_on_trace(&mut self) {
        self.trace_on = true;
    }

    fn poll_transmit(&mut self, _now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.out.pop_front().map(|text| Zeroizing::new(text.into_bytes()))
    }

    fn poll_trace(&mut self) -> Option<TraceEntry> {
        self.trace.pop_front()
    }

    fn poll_deadline(&self) -> Option<Millis> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bridge: &mut PanelBridge) -> String {
        std::iter::from_fn(|| bridge.poll_transmit(Millis(0)))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .collect()
    }

    #[test]
    fn edges_go_out_and_lamps_come_in() {
        let mut bridge = PanelBridge::new(7, 3);
        assert!(bridge.obey("press lock", Millis(10)).is_ok());
        let text = said(&mut bridge);
        assert!(text.starts_with("edge lock low 10\nedge lock high 11\n"), "{text}");
        assert!(bridge.obey("chip 3 1 on", Millis(20)).is_ok());
        assert!(said(&mut bridge).contains("edge 3.1 low 20\n"));
        bridge.handle_bytes(b"lamp 3.1 off\nlamp lock off\nlamp 3.2 off\nlamp 3.", Millis(30));
        bridge.handle_bytes(b"1 on\n", Millis(31));
        assert!(
            bridge.obey("lamps", Millis(32)).is_ok_and(|text| text.starts_with("lock dark") && text.contains("3.1"))
        );
        bridge.handle_bytes(b"lamp 9.9 on\n", Millis(33));
        bridge.handle_bytes(&[b'x'; 10_000], Millis(34));
        bridge.handle_bytes(b"\n", Millis(34));
        assert_eq!(said(&mut bridge), "?\n?\n");
    }
}
