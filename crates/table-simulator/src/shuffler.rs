//! The simulated shuffler: a chamber with a batch of real cards, a door, a motor that jams.
//!
//! It truly shuffles what lies in it, and never tells an order: the cards come out by hand, not over the wire. The debug
//! form prints counts only.

mod firmware;

use std::fmt;

use device_protocols::faults::{FaultBook, FaultChange};
use device_protocols::link::Millis;
use device_protocols::message::Capabilities;
use device_protocols::shuffler::{
    BatchColour, CardCount, ExpectedCount, JamSeverity, Percent, ShufflerEvent, ShufflerFault, ShufflerState, StopCause,
};
use table_rules::card::Card;

use crate::bench::BenchError;
use crate::dice::Dice;
use crate::twin::{Simulated, identity};

/// The shuffler with its cable and supply.
pub type ShufflerTwin = Simulated<ShufflerFirmware>;

impl ShufflerTwin {
    pub fn new(seed: u64, now: Millis) -> Self {
        let mut dice = Dice::new(seed);
        let link_dice = dice.fork();
        let abilities = Capabilities::CARD_COUNT.with(Capabilities::BACK_COLOUR);
        Self::switched_on(ShufflerFirmware::new(dice), identity("SIM-SHUFFLER", "SIM-H1", abilities), link_dice, now)
    }
}

/// How often it errs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShufflerMistakes {
    /// Chance of a jam at each of the hundred steps of a cycle.
    pub jam_per_mille: u16,
    /// Of those jams, how many it cannot free by itself.
    pub stuck_per_mille: u16,
    /// Chance that a count is one off.
    pub miscount_per_mille: u16,
    /// Chance that it takes the backs for another colour.
    pub wrong_colour_per_mille: u16,
}

/// A cycle moves in a hundred steps; PROGRESSED goes out at most once a second.
const PROGRESS_EVERY_MS: u64 = 1_000;
const UNLOAD_MS: u64 = 2_000;
const JAM_RETRY_MS: u64 = 1_500;
/// After so many tries of its own it gives up.
const JAMS_MAX: u8 = 3;

pub struct ShufflerFirmware {
    dice: Dice,
    /// The cards in the chamber, and what their backs look like.
    batch: Vec<Card>,
    backs: BatchColour,
    /// Taken out by the machine, waiting for a hand.
    tray: Vec<Card>,
    state: ShufflerState,
    progress: u8,
    order: Option<(BatchColour, ExpectedCount)>,
    count: Option<CardCount>,
    seen_colour: BatchColour,
    jams: u8,
    door_open: bool,
    faults: FaultBook<ShufflerFault>,
    pub mistakes: ShufflerMistakes,
    /// How long a whole cycle takes.
    pub cycle_ms: u64,
    step_at: Option<Millis>,
    reported_at: Millis,
    /// Remembered without power: a cycle was running.
    was_shuffling: bool,
}

impl fmt::Debug for ShufflerFirmware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShufflerFirmware")
            .field("state", &self.state)
            .field("cards", &self.batch.len())
            .field("progress", &self.progress)
            .field("jams", &self.jams)
            .field("door_open", &self.door_open)
            .field("faults", &self.faults.standing())
            .finish_non_exhaustive()
    }
}

impl ShufflerFirmware {
    fn new(dice: Dice) -> Self {
        Self {
            dice,
            batch: Vec::new(),
            backs: BatchColour::Unknown,
            tray: Vec::new(),
            state: ShufflerState::Booting,
            progress: 0,
            order: None,
            count: None,
            seen_colour: BatchColour::Unknown,
            jams: 0,
            door_open: false,
            faults: FaultBook::default(),
            mistakes: ShufflerMistakes::default(),
            cycle_ms: 60_000,
            step_at: None,
            reported_at: Millis::default(),
            was_shuffling: false,
        }
    }

    pub fn shuffler_state(&self) -> ShufflerState {
        self.state
    }

    /// Puts a batch into an empty machine.
    pub fn load(
        &mut self,
        cards: Vec<Card>,
        backs: BatchColour,
        out: &mut Vec<ShufflerEvent>,
    ) -> Result<(), BenchError> {
        if !self.batch.is_empty() {
            return Err(BenchError::NotNow { reason: "a batch is in the machine already" });
        }
        self.batch = cards;
        self.backs = backs;
        self.count = None;
        self.seen_colour = self.look_at_backs();
        if self.state == ShufflerState::Empty {
            self.state = ShufflerState::Loaded;
            out.push(ShufflerEvent::BatchLoaded { colour: self.seen_colour });
        }
        Ok(())
    }

    fn look_at_backs(&mut self) -> BatchColour {
        if !self.dice.per_mille(self.mistakes.wrong_colour_per_mille) {
            return self.backs;
        }
        match self.backs {
            BatchColour::Red => BatchColour::Blue,
            BatchColour::Unknown
            | BatchColour::Blue
            | BatchColour::Green
            | BatchColour::Yellow
            | BatchColour::Black
            | BatchColour::Purple
            | BatchColour::Orange
            | BatchColour::Mixed => BatchColour::Red,
        }
    }

    /// The unloaded cards, taken by hand; empty if the machine has not given any.
    pub fn take_tray(&mut self) -> Vec<Card> {
        std::mem::take(&mut self.tray)
    }

    /// Opens the door and takes the batch out, whatever the machine was doing.
    pub fn take_batch(&mut self, out: &mut Vec<ShufflerEvent>) -> Vec<Card> {
        self.set_door(true, out);
        let cards = std::mem::take(&mut self.batch);
        self.count = None;
        self.set_door(false, out);
        for fault in [ShufflerFault::CountMismatch, ShufflerFault::WrongBackColour, ShufflerFault::FaceUpCard] {
            self.set_fault(fault, false, out);
        }
        cards
    }

    pub fn set_door(&mut self, open: bool, out: &mut Vec<ShufflerEvent>) {
        if self.door_open == open {
            return;
        }
        self.door_open = open;
        if self.state == ShufflerState::Booting {
            return;
        }
        if open {
            if self.state == ShufflerState::Shuffling {
                self.stop(StopCause::Door, out);
            }
            out.push(ShufflerEvent::DoorOpened);
            self.state = ShufflerState::DoorOpen;
        } else {
            out.push(ShufflerEvent::DoorClosed);
            self.state = self.resting();
        }
    }

    /// What it is when nothing moves.
    fn resting(&self) -> ShufflerState {
        if self.door_open {
            ShufflerState::DoorOpen
        } else if self.faults.standing().iter().any(|fault| fault == ShufflerFault::Motor) {
            ShufflerState::Faulted
        } else if self.batch.is_empty() {
            ShufflerState::Empty
        } else {
            ShufflerState::Loaded
        }
    }

    /// A jam by hand: one the machine frees itself, or one it cannot.
    pub fn jam(&mut self, severity: JamSeverity, now: Millis, out: &mut Vec<ShufflerEvent>) -> Result<(), BenchError> {
        if self.state != ShufflerState::Shuffling {
            return Err(BenchError::NotNow { reason: "it is not shuffling" });
        }
        self.jams = self.jams.saturating_add(1);
        let severity = if self.jams >= JAMS_MAX { JamSeverity::Stuck } else { severity };
        out.push(ShufflerEvent::Jammed { jams: self.jams, severity });
        self.state = ShufflerState::Jammed;
        match severity {
            JamSeverity::Retrying => self.step_at = Some(now + JAM_RETRY_MS),
            JamSeverity::Stuck => self.stop_in(ShufflerState::Jammed, StopCause::Jam, out),
        }
        Ok(())
    }

    fn stop(&mut self, cause: StopCause, out: &mut Vec<ShufflerEvent>) {
        let resting = self.resting();
        self.stop_in(resting, cause, out);
    }

    fn stop_in(&mut self, state: ShufflerState, cause: StopCause, out: &mut Vec<ShufflerEvent>) {
        out.push(ShufflerEvent::ShuffleStopped { cause, progress: self.percent() });
        self.state = state;
        self.step_at = None;
    }

    fn percent(&self) -> Percent {
        Percent::new(self.progress.min(100)).expect("at most 100")
    }

    pub fn set_fault(&mut self, fault: ShufflerFault, stands: bool, out: &mut Vec<ShufflerEvent>) {
        let change = if stands { self.faults.handle_raised(fault) } else { self.faults.handle_cleared(fault) };
        if change == FaultChange::Unpaired || self.state == ShufflerState::Booting {
            return;
        }
        out.push(if stands { ShufflerEvent::FaultRaised(fault) } else { ShufflerEvent::FaultCleared(fault) });
        if stands && self.state == ShufflerState::Shuffling && stops_cycle(fault) {
            self.stop(StopCause::Fault, out);
        }
        if self.state == ShufflerState::Faulted && !stands {
            self.state = self.resting();
        }
    }

    fn step(&mut self, now: Millis, out: &mut Vec<ShufflerEvent>) {
        match self.state {
            ShufflerState::Jammed => {
                out.push(ShufflerEvent::JamCleared);
                self.state = ShufflerState::Shuffling;
                self.step_at = Some(now + self.step_ms());
            }
            ShufflerState::Shuffling => self.step_cycle(now, out),
            ShufflerState::Unloading => {
                self.tray = std::mem::take(&mut self.batch);
                self.count = None;
                out.push(ShufflerEvent::Unloaded);
                self.state = self.resting();
            }
            ShufflerState::Booting
            | ShufflerState::Empty
            | ShufflerState::Loaded
            | ShufflerState::Counted
            | ShufflerState::Ready
            | ShufflerState::DoorOpen
            | ShufflerState::Service
            | ShufflerState::Faulted
            | ShufflerState::OutOfService => {}
        }
    }

    fn step_ms(&self) -> u64 {
        (self.cycle_ms / 100).max(1)
    }

    fn step_cycle(&mut self, now: Millis, out: &mut Vec<ShufflerEvent>) {
        self.progress = self.progress.saturating_add(1).min(100);
        if self.dice.per_mille(self.mistakes.jam_per_mille) {
            let stuck = self.dice.per_mille(self.mistakes.stuck_per_mille);
            let severity = if stuck { JamSeverity::Stuck } else { JamSeverity::Retrying };
            // It is shuffling, so it can jam.
            let _ = self.jam(severity, now, out);
            return;
        }
        if self.progress == 100 {
            return self.finish_cycle(out);
        }
        if now.since(self.reported_at) >= PROGRESS_EVERY_MS {
            self.reported_at = now;
            out.push(ShufflerEvent::Progressed(self.percent()));
        }
        self.step_at = Some(now + self.step_ms());
    }

    fn finish_cycle(&mut self, out: &mut Vec<ShufflerEvent>) {
        let Some((colour, expected)) = self.order else { return self.stop(StopCause::Fault, out) };
        self.dice.shuffle(&mut self.batch);
        let mut counted = u16::try_from(self.batch.len()).unwrap_or(u16::MAX);
        if self.dice.per_mille(self.mistakes.miscount_per_mille) {
            counted = if self.dice.per_mille(500) { counted.saturating_add(1) } else { counted.saturating_sub(1) };
        }
        let count = CardCount { counted, expected };
        self.count = Some(count);
        self.state = ShufflerState::Counted;
        out.push(ShufflerEvent::Counted { count, colour: self.seen_colour });
        let right_colour = self.seen_colour == colour;
        self.set_fault(ShufflerFault::CountMismatch, !count.is_as_expected(), out);
        self.set_fault(ShufflerFault::WrongBackColour, !right_colour, out);
        if count.is_as_expected() && right_colour {
            self.state = ShufflerState::Ready;
            out.push(ShufflerEvent::BatchReady { count, colour: self.seen_colour });
        }
    }
}

fn stops_cycle(fault: ShufflerFault) -> bool {
    match fault {
        ShufflerFault::Motor | ShufflerFault::FaceUpCard | ShufflerFault::SelfTestFailed => true,
        ShufflerFault::SensorDirty
        | ShufflerFault::CountMismatch
        | ShufflerFault::WrongBackColour
        | ShufflerFault::DoorSwitch
        | ShufflerFault::SupplyLow => false,
    }
}
