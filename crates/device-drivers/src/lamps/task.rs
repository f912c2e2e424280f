//! The one task that writes lamps. It wakes when a state changes or a pattern moves, and writes only what differs.
//!
//! A write that fails is a fault and is tried again; what is written then is the present, not what was missed.

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::pattern::{LampBoard, LampFrame, LampState};
use crate::clock::MonotonicClock;
use crate::devices::Lamps;
use crate::fault::{FaultChange, FaultSignal, LampFault, Part};
use crate::inputs::{Spot, SpotSet};
use crate::mcp23017::bus::Lamp;

const RETRY_FIRST: Duration = Duration::from_millis(200);
const RETRY_MAX: Duration = Duration::from_secs(5);
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(2);

/// Where lamps are wired to. Writing must take microseconds; a slow bus hands the frame to its own thread.
pub trait LampOutput: Send + 'static {
    /// Shows the whole frame; `before` is what was last written, if anything is known to be.
    fn write(
        &mut self,
        frame: LampFrame,
        before: Option<LampFrame>,
    ) -> impl Future<Output = Result<(), NotWritten>> + Send;

    /// The spots with a second lamp for late chips.
    fn two_colours(&self) -> SpotSet;

    /// The lamps whose lines are not there, each with the kernel's reason. The others are written all the same.
    fn missing(&self) -> Vec<(Lamp, Option<i32>)> {
        Vec::new()
    }

    /// Tries the missing lines again, at the levels of `frame`.
    fn look_for_missing(&mut self, _frame: &LampFrame) {}
}

/// Lamps on the header and on expanders. Both are written even if one fails: half the lamps are better than none.
impl<A: LampOutput, B: LampOutput> LampOutput for (A, B) {
    async fn write(&mut self, frame: LampFrame, before: Option<LampFrame>) -> Result<(), NotWritten> {
        let first = self.0.write(frame, before).await;
        let second = self.1.write(frame, before).await;
        match (first, second) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(failed), Ok(())) | (Ok(()), Err(failed)) => Err(failed),
            (Err(first), Err(second)) => Err(first.and(second)),
        }
    }

    fn two_colours(&self) -> SpotSet {
        self.0.two_colours().iter().chain(self.1.two_colours().iter()).collect()
    }

    fn missing(&self) -> Vec<(Lamp, Option<i32>)> {
        self.0.missing().into_iter().chain(self.1.missing()).collect()
    }

    fn look_for_missing(&mut self, frame: &LampFrame) {
        self.0.look_for_missing(frame);
        self.1.look_for_missing(frame);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the lamps cannot be written: {cause}; check the wiring of the lamp lines")]
pub struct NotWritten {
    pub cause: String,
    /// The spots whose lamps may be wrong; none named means all.
    pub spots: SpotSet,
}

impl NotWritten {
    pub fn new(cause: impl fmt::Display) -> Self {
        Self { cause: cause.to_string(), spots: SpotSet::EMPTY }
    }

    #[must_use]
    pub fn at(self, spots: SpotSet) -> Self {
        Self { spots, ..self }
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = self.spots.iter().chain(other.spots.iter()).collect();
        let all = self.spots.is_empty() || other.spots.is_empty();
        Self { cause: format!("{}; {}", self.cause, other.cause), spots: if all { SpotSet::EMPTY } else { both } }
    }
}

/// The lamps cannot be written, or can be again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LampSignal {
    pub signal: FaultSignal,
    /// The lamp whose line is missing, or is there again.
    pub lamp: Option<Lamp>,
    /// The spots whose lamps may be wrong; none named means all.
    pub spots: SpotSet,
}

/// The side that says what to show. Cheap to clone; the last word counts.
#[derive(Clone, Debug)]
pub struct LampControl {
    board: watch::Sender<LampBoard>,
}

impl LampControl {
    pub fn board(&self) -> LampBoard {
        self.board.borrow().clone()
    }

    pub fn show_locked(&self, locked: bool) {
        self.board.send_if_modified(|board| std::mem::replace(&mut board.locked, locked) != locked);
    }
}

impl Lamps for LampControl {
    fn show(&self, spot: Spot, state: LampState) {
        self.show_all(&[(spot, state)]);
    }

    fn show_all(&self, states: &[(Spot, LampState)]) {
        self.board.send_if_modified(|board| {
            let mut changed = false;
            for (spot, state) in states {
                changed |= board.state(*spot) != *state;
                board.set(*spot, *state);
            }
            changed
        });
    }
}

/// What starting gives back.
#[derive(Debug)]
pub struct LampsStarted {
    pub control: LampControl,
    pub faults: mpsc::Receiver<LampSignal>,
    pub task: JoinHandle<()>,
    /// Whether the restored levels are on the table. If not, the task goes on trying and the fault is raised.
    pub restored: Result<(), NotWritten>,
}

/// Writes the restored states, then starts the task. When this returns the lamps show `board`, or `restored` says why
/// they do not.
pub async fn start_lamps<O: LampOutput>(
    mut output: O,
    board: LampBoard,
    clock: MonotonicClock,
    cancel: CancellationToken,
) -> LampsStarted {
    let frame = board.frame(output.two_colours(), clock.now());
    let restored = output.write(frame, None).await;
    let (board_sender, boards) = watch::channel(board);
    let (fault_sender, faults) = mpsc::channel(4);
    let task = LampTask {
        output,
        clock,
        boards,
        faults: fault_sender,
        written: restored.is_ok().then_some(frame),
        failure: restored.as_ref().err().map(|failed| Failure {
            retry: Instant::now() + RETRY_FIRST,
            delay: RETRY_FIRST,
            spots: failed.spots,
        }),
        told: None,
        attempted: Some(frame),
        look_again: None,
        missing_told: BTreeSet::new(),
    };
    let task = tokio::spawn(async move {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = task.run() => {}
        }
    });
    LampsStarted { control: LampControl { board: board_sender }, faults, task, restored }
}

struct LampTask<O> {
    output: O,
    clock: MonotonicClock,
    boards: watch::Receiver<LampBoard>,
    faults: mpsc::Sender<LampSignal>,
    written: Option<LampFrame>,
    failure: Option<Failure>,
    /// Of which spots the fault has been raised to whoever listens.
    told: Option<SpotSet>,
    /// What was last tried to be written: a lamp that is to change is not kept waiting for another's retry.
    attempted: Option<LampFrame>,
    look_again: Option<Instant>,
    /// The lamps whose missing line has been told, each by itself: each is another place to look at.
    missing_told: BTreeSet<Lamp>,
}

#[derive(Clone, Copy, Debug)]
struct Failure {
    retry: Instant,
    delay: Duration,
    spots: SpotSet,
}

impl<O: LampOutput> LampTask<O> {
    async fn run(mut self) {
        loop {
            self.look_for_missing();
            self.refresh().await;
            let wake = self.wake();
            let missing_to_tell = self.missing_to_tell();
            let stands = self.failure.map(|failure| failure.spots);
            let fault_to_tell = stands != self.told;
            tokio::select! {
                changed = self.boards.changed() => if changed.is_err() {
                    return;
                },
                place = self.faults.reserve(), if fault_to_tell => {
                    let Ok(place) = place else { return };
                    self.told = stands;
                    let change = if stands.is_some() { FaultChange::Raised } else { FaultChange::Cleared };
                    let signal = FaultSignal::new(LampFault::CannotWrite.on(Part::Lamp), change);
                    place.send(LampSignal { signal, lamp: None, spots: stands.unwrap_or_default() });
                }
                place = self.faults.reserve(), if missing_to_tell.is_some() => {
                    let Ok(place) = place else { return };
                    if let Some(told) = missing_to_tell {
                        place.send(told_missing(&mut self.missing_told, told));
                    }
                }
                () = sleep_until(wake) => {}
            }
        }
    }

    /// The next lamp whose line went missing, with the kernel's reason, or came back.
    fn missing_to_tell(&self) -> Option<(Lamp, FaultChange, Option<i32>)> {
        let missing = self.output.missing();
        let new = missing.iter().find(|(lamp, _)| !self.missing_told.contains(lamp));
        let back = || self.missing_told.iter().find(|told| !missing.iter().any(|(lamp, _)| lamp == *told));
        match new {
            Some((lamp, errno)) => Some((*lamp, FaultChange::Raised, *errno)),
            None => back().map(|lamp| (*lamp, FaultChange::Cleared, None)),
        }
    }

    fn look_for_missing(&mut self) {
        let now = Instant::now();
        if self.output.missing().is_empty() {
            self.look_again = None;
        } else if self.look_again.is_none_or(|look| look <= now) {
            let frame = self.boards.borrow().frame(self.output.two_colours(), self.clock.now());
            self.output.look_for_missing(&frame);
            self.look_again = Some(now + LOOK_AGAIN_AFTER);
            // What was found now is at its level; the rest is written with the next frame.
        }
    }

    async fn refresh(&mut self) {
        let frame = self.boards.borrow_and_update().frame(self.output.two_colours(), self.clock.now());
        let waits = self.failure.is_some_and(|failure| failure.retry > Instant::now());
        if self.written == Some(frame) || (waits && self.attempted == Some(frame)) {
            return;
        }
        self.attempted = Some(frame);
        match self.output.write(frame, self.written).await {
            Ok(()) => {
                self.written = Some(frame);
                self.failure = None;
            }
            Err(failed) => {
                // What is lit now is unknown: the next write must be a whole one.
                self.written = None;
                let delay = self.failure.map_or(RETRY_FIRST, |failure| (failure.delay * 2).min(RETRY_MAX));
                self.failure = Some(Failure { retry: Instant::now() + delay, delay, spots: failed.spots });
            }
        }
    }

    fn wake(&self) -> Option<Instant> {
        let now = self.clock.now();
        let change = self.boards.borrow().next_change(now).map(|at| self.clock.instant(at));
        [self.failure.map(|failure| failure.retry), self.look_again, change].into_iter().flatten().min()
    }
}

fn told_missing(told: &mut BTreeSet<Lamp>, (lamp, change, errno): (Lamp, FaultChange, Option<i32>)) -> LampSignal {
    if change == FaultChange::Cleared {
        told.remove(&lamp);
    } else {
        told.insert(lamp);
    }
    let spots = match lamp {
        Lamp::Main(spot) | Lamp::Late(spot) => [spot].into_iter().collect(),
        // The spots of the lock-out's own lamp are all.
        Lamp::LockOut => SpotSet::EMPTY,
    };
    let signal = FaultSignal::new(LampFault::LineMissing.on(Part::Lamp), change).with_errno(errno);
    LampSignal { signal, lamp: Some(lamp), spots }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
