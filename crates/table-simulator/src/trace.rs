//! What a twin sends and receives, as the ladder by which staff localise a fault: raw bytes, frames, events.
//!
//! Sealed payloads are masked here as everywhere: a bench trace may be watched, saved and mailed.

use std::collections::VecDeque;
use std::fmt;

use device_protocols::describe;
use device_protocols::frame::{DeviceKind, Direction, Frame, FrameDecoder};
use device_protocols::link::Millis;
use device_protocols::mask::{MaskedRun, TrafficMask, Watching};

/// Older entries go when nobody collects them.
const ENTRIES_MAX: usize = 4_096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// From the twin to the controller.
    Sent,
    Received,
    /// Something happened at the device itself.
    Here,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rung {
    Raw(MaskedRun),
    /// A valid frame: its type, name and number.
    Frame(String),
    /// A command or event understood, or a deed.
    Event(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEntry {
    pub at: Millis,
    pub flow: Flow,
    pub rung: Rung,
}

impl fmt::Display for TraceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.flow {
            Flow::Sent => "->",
            Flow::Received => "<-",
            Flow::Here => "--",
        };
        write!(f, "{:>9} {arrow} ", self.at.0)?;
        match &self.rung {
            Rung::Raw(run) => write!(f, "raw   {run}"),
            Rung::Frame(text) => write!(f, "frame {text}"),
            Rung::Event(text) => write!(f, "event {text}"),
        }
    }
}

/// Collects the ladder of one twin. Off until asked for: masking costs more than the twin itself.
#[derive(Debug)]
pub(crate) struct Trace {
    on: bool,
    entries: VecDeque<TraceEntry>,
    sent: Watch,
    received: Watch,
}

#[derive(Debug)]
struct Watch {
    mask: TrafficMask,
    decoder: FrameDecoder,
}

impl Trace {
    pub(crate) fn new(port: DeviceKind) -> Self {
        let watch = || Watch { mask: TrafficMask::new(port), decoder: FrameDecoder::default() };
        Self { on: false, entries: VecDeque::new(), sent: watch(), received: watch() }
    }

    pub(crate) fn turn_on(&mut self) {
        self.on = true;
    }

    pub(crate) fn bytes(&mut self, flow: Flow, bytes: &[u8], at: Millis) {
        if !self.on {
            return;
        }
        let watch = match flow {
            Flow::Sent => &mut self.sent,
            Flow::Received | Flow::Here => &mut self.received,
        };
        let mut rungs: Vec<Rung> =
            watch.mask.handle_bytes(bytes, Watching::InService).into_iter().map(Rung::Raw).collect();
        let frames = watch.decoder.handle_bytes(bytes).flatten();
        rungs.extend(frames.map(|frame| Rung::Frame(describe(&frame))));
        for rung in rungs {
            self.push(TraceEntry { at, flow, rung });
        }
    }

    pub(crate) fn event(&mut self, flow: Flow, text: impl FnOnce() -> String, at: Millis) {
        if self.on {
            let rung = Rung::Event(text());
            self.push(TraceEntry { at, flow, rung });
        }
    }

    pub(crate) fn poll(&mut self) -> Option<TraceEntry> {
        self.entries.pop_front()
    }

    fn push(&mut self, entry: TraceEntry) {
        if self.entries.len() >= ENTRIES_MAX {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
    }
}

fn describe(frame: &Frame) -> String {
    let name = describe::name(frame);
    let number = frame.id().map_or_else(|| "unnumbered".to_owned(), |id| id.to_string());
    let speaker = match frame.direction {
        Direction::FromController => "controller",
        Direction::FromDevice => "device",
    };
    format!("{} {speaker} {:02X} {name} {number}", frame.kind, frame.message_type.value())
}
