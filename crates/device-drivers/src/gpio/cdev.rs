//! Lines through the kernel's GPIO character device. Runs on a board only; everything that decides is elsewhere.
//!
//! One request a chip, held until dropped. The kernel debounces, stamps and numbers the edges.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use gpiocdev::line::{Bias, EdgeDetection, EdgeKind, EventClock, Offset, Value, Values};
use gpiocdev::tokio::AsyncRequest;
use gpiocdev::{FoundLine, Request};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec, kernel_now};
use crate::clock::{Span, Stamp};
use crate::inputs::SpotSet;
use crate::lamps::{LampFrame, LampOutput, NotWritten};
use crate::mcp23017::bus::Lamp;

const CONSUMER: &str = "holecard";
/// Edges between the task that reads a chip and the one that judges them. Beyond it the kernel keeps them, and numbers
/// them, so a loss is seen.
const EDGES_CAPACITY: usize = 64;

/// Input lines.
#[derive(Debug)]
pub struct CdevLines {
    chips: Vec<ChipLines>,
    edges: mpsc::Receiver<Result<LineEdge, LineFault>>,
}

#[derive(Debug)]
struct ChipLines {
    request: Arc<AsyncRequest>,
    lines: Arc<HashMap<Offset, Held>>,
    task: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    line: LineId,
    debounce: Span,
}

impl Drop for CdevLines {
    fn drop(&mut self) {
        for chip in &self.chips {
            chip.task.abort();
        }
    }
}

impl CdevLines {
    /// Finds the lines by name and requests them. Must be called on a tokio runtime.
    pub fn open(lines: &[(LineId, LineSpec)]) -> Result<Self, LineFault> {
        let specs: Vec<&LineSpec> = lines.iter().map(|(_, spec)| spec).collect();
        let mut by_chip: BTreeMap<PathBuf, Vec<(Offset, LineId, &LineSpec)>> = BTreeMap::new();
        for (found, (line, spec)) in find(&specs)?.into_iter().zip(lines) {
            by_chip.entry(found.chip).or_default().push((found.info.offset, *line, spec));
        }
        let (sender, edges) = mpsc::channel(EDGES_CAPACITY);
        let mut chips = Vec::new();
        for (path, held) in by_chip {
            chips.push(ChipLines::request(path, &held, sender.clone())?);
        }
        Ok(Self { chips, edges })
    }
}

impl ChipLines {
    fn request(
        path: PathBuf,
        held: &[(Offset, LineId, &LineSpec)],
        edges: mpsc::Sender<Result<LineEdge, LineFault>>,
    ) -> Result<Self, LineFault> {
        let mut builder = Request::builder();
        builder.on_chip(path).with_consumer(CONSUMER);
        for (offset, _, spec) in held {
            builder.with_line(*offset).as_input().with_edge_detection(EdgeDetection::BothEdges);
            builder.with_event_clock(EventClock::Monotonic).with_debounce_period(spec.debounce.duration());
            if spec.active_low {
                builder.as_active_low().with_bias(Bias::PullUp);
            } else {
                builder.as_active_high().with_bias(Bias::PullDown);
            }
        }
        let names = || held.iter().map(|(_, _, spec)| spec.name.as_str()).collect::<Vec<_>>().join(", ");
        let request =
            builder.request().map_err(|error| LineFault::NotGiven { name: names(), cause: error.to_string() })?;
        let request = Arc::new(AsyncRequest::new(request));
        let lines: HashMap<Offset, Held> =
            held.iter().map(|(offset, line, spec)| (*offset, Held { line: *line, debounce: spec.debounce })).collect();
        let lines = Arc::new(lines);
        let task = tokio::spawn(forward(Arc::clone(&request), Arc::clone(&lines), edges));
        Ok(Self { request, lines, task })
    }
}

async fn forward(
    request: Arc<AsyncRequest>,
    lines: Arc<HashMap<Offset, Held>>,
    edges: mpsc::Sender<Result<LineEdge, LineFault>>,
) {
    let mut expected = None;
    loop {
        let edge = match request.read_edge_event().await {
            Ok(event) => {
                let after_gap = expected.is_some_and(|expected| expected != event.seqno);
                expected = Some(event.seqno.wrapping_add(1));
                let Some(held) = lines.get(&event.offset) else { continue };
                Ok(LineEdge {
                    line: held.line,
                    active: match event.kind {
                        EdgeKind::Rising => true,
                        EdgeKind::Falling => false,
                    },
                    at: Stamp(event.timestamp_ns).before(held.debounce),
                    after_gap,
                })
            }
            Err(error) => Err(LineFault::CannotRead { cause: error.to_string() }),
        };
        let failed = edge.is_err();
        if edges.send(edge).await.is_err() || failed {
            return;
        }
    }
}

impl EdgeSource for CdevLines {
    fn now(&self) -> Stamp {
        kernel_now()
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        let mut levels = Vec::new();
        for chip in &self.chips {
            let mut values: Values = chip.lines.keys().map(|offset| (*offset, Value::Inactive)).collect();
            let request: &Request = (*chip.request).as_ref();
            request.values(&mut values).map_err(|error| LineFault::CannotRead { cause: error.to_string() })?;
            levels.extend(values.iter().filter_map(|value| {
                chip.lines.get(&value.offset).map(|held| (held.line, value.value == Value::Active))
            }));
        }
        Ok(levels)
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match self.edges.recv().await {
            Some(edge) => edge,
            // Every chip has failed and said so. There is nothing left to wait for.
            None => std::future::pending().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        Span(0)
    }
}

/// Lamp lines.
#[derive(Debug)]
pub struct CdevLamps {
    chips: Vec<(Request, Vec<(Offset, Lamp)>)>,
    two_colours: SpotSet,
}

impl CdevLamps {
    /// Requests the lines with the levels that `frame` asks for, so that no lamp blinks at the start.
    pub fn open(lamps: &[(Lamp, LineSpec)], frame: &LampFrame) -> Result<Self, LineFault> {
        let specs: Vec<&LineSpec> = lamps.iter().map(|(_, spec)| spec).collect();
        let mut by_chip: BTreeMap<PathBuf, Vec<(Offset, Lamp, &LineSpec)>> = BTreeMap::new();
        for (found, (lamp, spec)) in find(&specs)?.into_iter().zip(lamps) {
            by_chip.entry(found.chip).or_default().push((found.info.offset, *lamp, spec));
        }
        let mut chips = Vec::new();
        for (path, held) in by_chip {
            let mut builder = Request::builder();
            builder.on_chip(path).with_consumer(CONSUMER);
            for (offset, lamp, spec) in &held {
                builder.with_line(*offset).as_output(Value::from(lamp.is_lit(frame)));
                if spec.active_low {
                    builder.as_active_low();
                } else {
                    builder.as_active_high();
                }
            }
            let names = || held.iter().map(|(_, _, spec)| spec.name.as_str()).collect::<Vec<_>>().join(", ");
            let request =
                builder.request().map_err(|error| LineFault::NotGiven { name: names(), cause: error.to_string() })?;
            chips.push((request, held.iter().map(|(offset, lamp, _)| (*offset, *lamp)).collect()));
        }
        Ok(Self { chips, two_colours: late_spots(lamps.iter().map(|(lamp, _)| *lamp)) })
    }
}

impl LampOutput for CdevLamps {
    async fn write(&mut self, frame: LampFrame, _before: Option<LampFrame>) -> Result<(), NotWritten> {
        for (request, lamps) in &self.chips {
            let values: Values =
                lamps.iter().map(|(offset, lamp)| (*offset, Value::from(lamp.is_lit(&frame)))).collect();
            request.set_values(&values).map_err(NotWritten::new)?;
        }
        Ok(())
    }

    fn two_colours(&self) -> SpotSet {
        self.two_colours
    }
}

pub(super) fn late_spots(lamps: impl Iterator<Item = Lamp>) -> SpotSet {
    lamps.filter_map(|lamp| if let Lamp::Late(spot) = lamp { Some(spot) } else { None }).collect()
}

/// All lines in the order asked for, each name found exactly once on the whole board.
fn find(specs: &[&LineSpec]) -> Result<Vec<FoundLine>, LineFault> {
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let mut found = gpiocdev::find_named_lines(&names, true)
        .map_err(|error| LineFault::NotGiven { name: names.join(", "), cause: error.to_string() })?;
    names.iter().map(|name| found.remove(name).ok_or_else(|| LineFault::Missing { name: (*name).to_owned() })).collect()
}
