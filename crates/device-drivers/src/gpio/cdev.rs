//! Lines through the kernel's GPIO character device. Runs on a board only; everything that decides is elsewhere.
//!
//! One request a chip, held until dropped. The kernel debounces, stamps and numbers the edges.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gpiocdev::line::{Bias, EdgeDetection, EdgeKind, EventClock, Offset, Value, Values};
use gpiocdev::tokio::AsyncRequest;
use gpiocdev::{FoundLine, Request};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{EdgeSource, LineEdge, LineFault, LineId, LineSpec, MissingLine, kernel_now};
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
    /// For chips whose lines are found later.
    sender: mpsc::Sender<Result<LineEdge, LineFault>>,
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

impl Default for CdevLines {
    fn default() -> Self {
        let (sender, edges) = mpsc::channel(EDGES_CAPACITY);
        Self { chips: Vec::new(), edges, sender }
    }
}

impl CdevLines {
    /// Finds lines by name and requests them, and gives back those that cannot be had. Must be called on a tokio runtime.
    pub fn add(&mut self, wanted: Vec<(LineId, LineSpec)>) -> Vec<MissingLine<LineId>> {
        let (found, mut missing) = find(wanted);
        for (path, held) in found {
            let mut request = |held: &[Wanted<LineId>]| {
                ChipLines::request(path.clone(), held, self.sender.clone()).map(|chip| self.chips.push(chip))
            };
            missing.extend(request_together_or_apart(held, &mut request));
        }
        missing
    }
}

impl ChipLines {
    fn request(
        path: PathBuf,
        held: &[Wanted<LineId>],
        edges: mpsc::Sender<Result<LineEdge, LineFault>>,
    ) -> Result<Self, gpiocdev::Error> {
        let mut builder = Request::builder();
        builder.on_chip(path).with_consumer(CONSUMER);
        for Wanted { offset, spec, .. } in held {
            builder.with_line(*offset).as_input().with_edge_detection(EdgeDetection::BothEdges);
            builder.with_event_clock(EventClock::Monotonic).with_debounce_period(spec.debounce.duration());
            if spec.active_low {
                builder.as_active_low().with_bias(Bias::PullUp);
            } else {
                builder.as_active_high().with_bias(Bias::PullDown);
            }
        }
        let request = Arc::new(AsyncRequest::new(builder.request()?));
        let held = held.iter().map(|held| (held.offset, Held { line: held.line, debounce: held.spec.debounce }));
        let lines: HashMap<Offset, Held> = held.collect();
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
    let mut order = EdgeOrder::default();
    let mut last: Option<LineEdge> = None;
    // Until when an edge that is missing may still come.
    let mut doubted_until: Option<tokio::time::Instant> = None;
    loop {
        let read = request.read_edge_event();
        let event = match last.zip(doubted_until) {
            None => read.await,
            Some((again, until)) => match tokio::time::timeout_at(until, read).await {
                Ok(event) => event,
                // The missing edge does not come. The last one is told again, so that levels are read.
                Err(_) => {
                    order.give_up();
                    doubted_until = None;
                    if edges.send(Ok(LineEdge { after_gap: true, ..again })).await.is_err() {
                        return;
                    }
                    continue;
                }
            },
        };
        let edge = match event {
            Ok(event) => {
                order.take(event.seqno);
                // A doubt lasts from the first edge that is missing, whatever comes meanwhile.
                doubted_until = order
                    .is_doubtful()
                    .then(|| doubted_until.unwrap_or_else(|| tokio::time::Instant::now() + LATECOMER));
                let Some(held) = lines.get(&event.offset) else { continue };
                Ok(LineEdge {
                    line: held.line,
                    active: match event.kind {
                        EdgeKind::Rising => true,
                        EdgeKind::Falling => false,
                    },
                    at: Stamp(event.timestamp_ns).before(held.debounce),
                    after_gap: false,
                })
            }
            Err(error) => Err(cannot_read(&error)),
        };
        last = edge.as_ref().ok().copied();
        let failed = edge.is_err();
        if edges.send(edge).await.is_err() || failed {
            return;
        }
    }
}

/// How long an edge may come behind one with a later number. The kernel numbers an edge of a line without debounce (the
/// expanders' interrupt) in its interrupt and queues it in a thread, so edges of debounced lines can overtake it: one, or
/// several on a busy board.
const LATECOMER: Duration = Duration::from_millis(250);

/// Whether the kernel dropped edges, told from edges that only changed places.
#[derive(Debug, Default)]
struct EdgeOrder {
    next: Option<u32>,
    missing: u32,
}

impl EdgeOrder {
    fn is_doubtful(&self) -> bool {
        self.missing > 0
    }

    fn give_up(&mut self) {
        self.missing = 0;
    }

    /// Takes the number of an edge.
    fn take(&mut self, number: u32) {
        let ahead = self.next.map_or(0, |next| number.wrapping_sub(next));
        if ahead > u32::MAX / 2 {
            // A latecomer.
            self.missing = self.missing.saturating_sub(1);
            return;
        }
        self.next = Some(number.wrapping_add(1));
        self.missing = self.missing.saturating_add(ahead);
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
            request.values(&mut values).map_err(|error| cannot_read(&error))?;
            levels.extend(values.iter().filter_map(|value| {
                chip.lines.get(&value.offset).map(|held| (held.line, value.value == Value::Active))
            }));
        }
        Ok(levels)
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match self.edges.recv().await {
            Some(edge) => edge,
            // Cannot be: a sender is kept for lines that are found later.
            None => std::future::pending().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        Span(0)
    }
}

/// Lamp lines.
#[derive(Debug, Default)]
pub struct CdevLamps {
    chips: Vec<(Request, Vec<(Offset, Lamp)>)>,
    two_colours: SpotSet,
}

impl CdevLamps {
    /// Requests the lines with the levels that `frame` asks for, so that no lamp blinks at the start, and gives back
    /// those that cannot be had.
    pub fn add(&mut self, wanted: Vec<(Lamp, LineSpec)>, frame: &LampFrame) -> Vec<MissingLine<Lamp>> {
        let (found, mut missing) = find(wanted);
        for (path, held) in found {
            let mut request = |held: &[Wanted<Lamp>]| {
                let mut builder = Request::builder();
                builder.on_chip(path.clone()).with_consumer(CONSUMER);
                for Wanted { offset, line, spec } in held {
                    builder.with_line(*offset).as_output(Value::from(line.is_lit(frame)));
                    if spec.active_low {
                        builder.as_active_low();
                    } else {
                        builder.as_active_high();
                    }
                }
                let lamps = held.iter().map(|held| (held.offset, held.line)).collect();
                builder.request().map(|request| self.chips.push((request, lamps)))
            };
            missing.extend(request_together_or_apart(held, &mut request));
        }
        let lamps = self.chips.iter().flat_map(|(_, lamps)| lamps.iter().map(|(_, lamp)| *lamp));
        self.two_colours = late_spots(lamps);
        missing
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

/// Whether a line of this name is on this board.
pub fn is_named(name: &str) -> bool {
    gpiocdev::find_named_line(name).is_some()
}

/// A line that was found, on its chip.
#[derive(Clone, Debug)]
struct Wanted<L> {
    offset: Offset,
    line: L,
    spec: LineSpec,
}

type ByChip<L> = BTreeMap<PathBuf, Vec<Wanted<L>>>;

/// Each name must be found exactly once on the whole board.
fn find<L>(wanted: Vec<(L, LineSpec)>) -> (ByChip<L>, Vec<MissingLine<L>>) {
    let (mut by_chip, mut missing) = (ByChip::new(), Vec::new());
    for (line, spec) in wanted {
        let name = spec.name.as_str();
        let found = gpiocdev::find_named_lines(&[name], true).map(|mut found| found.remove(name));
        match found {
            Ok(Some(FoundLine { chip, info })) => {
                by_chip.entry(chip).or_default().push(Wanted { offset: info.offset, line, spec });
            }
            Ok(None) => {
                let fault = LineFault::Missing { name: spec.name.clone() };
                missing.push(MissingLine { line, spec, fault });
            }
            Err(error) => {
                let fault = not_given(&spec, &error);
                missing.push(MissingLine { line, spec, fault });
            }
        }
    }
    (by_chip, missing)
}

/// One request a chip: its levels are then read at one moment. Where the kernel refuses it, one line may be held by
/// somebody else: each is asked for by itself, and only those that are refused are missing.
fn request_together_or_apart<L>(
    held: Vec<Wanted<L>>,
    request: &mut impl FnMut(&[Wanted<L>]) -> Result<(), gpiocdev::Error>,
) -> Vec<MissingLine<L>> {
    if request(&held).is_ok() {
        return Vec::new();
    }
    let mut missing = Vec::new();
    for held in held {
        if let Err(error) = request(std::slice::from_ref(&held)) {
            let fault = not_given(&held.spec, &error);
            missing.push(MissingLine { line: held.line, spec: held.spec, fault });
        }
    }
    missing
}

fn not_given(spec: &LineSpec, error: &gpiocdev::Error) -> LineFault {
    LineFault::NotGiven { name: spec.name.clone(), cause: error.to_string(), errno: errno_of(error) }
}

fn cannot_read(error: &gpiocdev::Error) -> LineFault {
    LineFault::CannotRead { cause: error.to_string(), errno: errno_of(error) }
}

fn errno_of(error: &gpiocdev::Error) -> Option<i32> {
    if let gpiocdev::Error::Os(errno) | gpiocdev::Error::Uapi(_, gpiocdev_uapi::Error::Os(errno)) = error {
        Some(errno.0)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubts(numbers: &[u32]) -> Vec<bool> {
        let mut order = EdgeOrder::default();
        let taken = numbers.iter().map(|number| {
            order.take(*number);
            order.is_doubtful()
        });
        taken.collect()
    }

    #[test]
    fn edges_that_changed_places_are_no_loss_and_a_missing_one_stays_in_doubt() {
        assert_eq!(doubts(&[7, 8, 9]), [false; 3]);
        assert_eq!(doubts(&[7, 9, 8, 10]), [false, true, false, false], "overtaken");
        assert_eq!(doubts(&[7, 9, 10, 11, 8]), [false, true, true, true, false], "overtaken by several");
        assert_eq!(doubts(&[7, 9, 10]), [false, true, true], "8 never came");
        assert_eq!(doubts(&[7, 10, 8, 11]), [false, true, true, true], "9 never came");
        assert_eq!(doubts(&[7, 10, 11, 9, 8]), [false, true, true, true, false], "two were overtaken");
        assert_eq!(doubts(&[u32::MAX, 0, 1]), [false; 3], "numbers go round");
        assert_eq!(doubts(&[u32::MAX, 1, 0, 2]), [false, true, false, false], "also when overtaken");
    }

    #[test]
    fn a_doubt_ends_when_it_is_given_up() {
        let mut order = EdgeOrder::default();
        order.take(1);
        order.take(3);
        assert!(order.is_doubtful());
        order.give_up();
        order.take(4);
        assert!(!order.is_doubtful());
    }
}
