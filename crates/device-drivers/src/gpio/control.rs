//! The side of the input lines that asks: how things stand, how often each line moved, and the one order there is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, watch};

use super::LineId;
use crate::devices::{LockOut, PositionSensors};
use crate::fault::FaultSignal;
use crate::inputs::lock_split::LockPhase;
use crate::inputs::{SplitEvent, Spot, SpotSet};
use crate::lamps::LampControl;
use crate::serial::NotQueued;

/// What the controller learns from the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputReport {
    Split(SplitEvent),
    /// Of a sensor if there is a spot, else of the lock-out button.
    Fault {
        spot: Option<Spot>,
        signal: FaultSignal,
    },
    /// How things stand: told at the start, where changes were given up because nobody took them, and when a sensor is
    /// heard for the first time. Of `unread` nothing is known.
    Snapshot {
        occupied: SpotSet,
        unread: SpotSet,
        phase: LockPhase,
    },
}

/// How things stand, at any moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputStatus {
    pub occupied: SpotSet,
    pub unreliable: SpotSet,
    pub phase: LockPhase,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum InputCommand {
    Reopen,
}

/// The side that asks. Cheap to clone.
#[derive(Clone, Debug)]
pub struct InputControl {
    pub(super) commands: mpsc::Sender<InputCommand>,
    pub(super) status: watch::Receiver<InputStatus>,
    pub(super) seen: LinesSeen,
}

impl InputControl {
    pub fn status(&self) -> InputStatus {
        *self.status.borrow()
    }

    /// Levels and counters of every line.
    pub fn seen(&self) -> LinesSeen {
        self.seen.clone()
    }

    pub fn reopen(&self) -> Result<(), NotQueued> {
        self.commands.try_send(InputCommand::Reopen).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => NotQueued::Full,
            mpsc::error::TrySendError::Closed(_) => NotQueued::Ended,
        })
    }
}

impl PositionSensors for InputControl {
    fn occupied(&self) -> SpotSet {
        self.status().occupied
    }

    fn unreliable(&self) -> SpotSet {
        self.status().unreliable
    }
}

/// The button and its lamp together.
#[derive(Clone, Debug)]
pub struct LockOutControl {
    pub inputs: InputControl,
    pub lamps: LampControl,
}

impl LockOut for LockOutControl {
    fn show_locked(&self, locked: bool) {
        self.lamps.show_locked(locked);
    }

    fn reopen(&self) -> Result<(), NotQueued> {
        self.inputs.reopen()
    }
}

/// What a technician sees of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineSeen {
    /// `None` where it cannot be read.
    pub active: Option<bool>,
    /// Raw changes of level since the start.
    pub edges: u64,
    /// Changes that stood long enough to be believed.
    pub changes: u64,
}

/// Every line as it was last seen. Written by the actor, read by whoever looks. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LinesSeen(Arc<Mutex<BTreeMap<LineId, LineSeen>>>);

impl LinesSeen {
    pub fn all(&self) -> Vec<(LineId, LineSeen)> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|(line, seen)| (*line, *seen)).collect()
    }

    fn with(&self, line: LineId, change: impl FnOnce(&mut LineSeen)) {
        change(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(line).or_default());
    }

    pub(super) fn set_level(&self, line: LineId, active: Option<bool>) {
        self.with(line, |seen| seen.active = active);
    }

    pub(super) fn count_edges(&self, line: LineId, edges: u64) {
        self.with(line, |seen| seen.edges += edges);
    }

    pub(super) fn count_change(&self, line: LineId, active: bool) {
        self.with(line, |seen| {
            seen.active = Some(active);
            seen.changes += 1;
        });
    }
}
