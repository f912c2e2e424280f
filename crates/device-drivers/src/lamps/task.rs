//! The one task that writes lamps. It wakes when a state changes or a pattern moves, and writes only what differs.
//!
//! A write that fails is a fault and is tried again; what is written then is the present, not what was missed.

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

const RETRY_FIRST: Duration = Duration::from_millis(200);
const RETRY_MAX: Duration = Duration::from_secs(5);

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
}

/// Lamps on the header and on expanders. Both are written even if one fails: half the lamps are better than none.
impl<A: LampOutput, B: LampOutput> LampOutput for (A, B) {
    async fn write(&mut self, frame: LampFrame, before: Option<LampFrame>) -> Result<(), NotWritten> {
        let first = self.0.write(frame, before).await;
        let second = self.1.write(frame, before).await;
        first.and(second)
    }

    fn two_colours(&self) -> SpotSet {
        self.0.two_colours().iter().chain(self.1.two_colours().iter()).collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the lamps cannot be written: {cause}; check the wiring of the lamp lines")]
pub struct NotWritten {
    pub cause: String,
}

impl NotWritten {
    pub fn new(cause: impl fmt::Display) -> Self {
        Self { cause: cause.to_string() }
    }
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
    pub faults: mpsc::Receiver<FaultSignal>,
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
        failure: restored.is_err().then_some(Failure { retry: Instant::now() + RETRY_FIRST, delay: RETRY_FIRST }),
        told: false,
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
    faults: mpsc::Sender<FaultSignal>,
    written: Option<LampFrame>,
    failure: Option<Failure>,
    /// Whether the fault has been raised to whoever listens.
    told: bool,
}

#[derive(Clone, Copy, Debug)]
struct Failure {
    retry: Instant,
    delay: Duration,
}

impl<O: LampOutput> LampTask<O> {
    async fn run(mut self) {
        loop {
            self.refresh().await;
            let wake = self.wake();
            let fault_to_tell = self.failure.is_some() != self.told;
            tokio::select! {
                changed = self.boards.changed() => if changed.is_err() {
                    return;
                },
                place = self.faults.reserve(), if fault_to_tell => {
                    let Ok(place) = place else { return };
                    self.told = self.failure.is_some();
                    let change = if self.told { FaultChange::Raised } else { FaultChange::Cleared };
                    place.send(FaultSignal { code: LampFault::CannotWrite.on(Part::Lamp), change });
                }
                () = sleep_until(wake) => {}
            }
        }
    }

    async fn refresh(&mut self) {
        if self.failure.is_some_and(|failure| failure.retry > Instant::now()) {
            return;
        }
        let frame = self.boards.borrow_and_update().frame(self.output.two_colours(), self.clock.now());
        if self.written == Some(frame) {
            return;
        }
        match self.output.write(frame, self.written).await {
            Ok(()) => {
                self.written = Some(frame);
                self.failure = None;
            }
            Err(_) => {
                // What is lit now is unknown: the next write must be a whole one.
                self.written = None;
                let delay = self.failure.map_or(RETRY_FIRST, |failure| (failure.delay * 2).min(RETRY_MAX));
                self.failure = Some(Failure { retry: Instant::now() + delay, delay });
            }
        }
    }

    fn wake(&self) -> Option<Instant> {
        if let Some(failure) = self.failure {
            return Some(failure.retry);
        }
        let now = self.clock.now();
        self.boards.borrow().next_change(now).map(|at| self.clock.instant(at))
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
