//! What the controller's side sees of each device: one small trait a kind.
//!
//! Reports come out of a bounded channel that is handed over when a driver starts; the traits are the way back in. A
//! test or a simulator may implement them without any port. The traits are `Send + Sync` and dyn-compatible.

mod sealed_slot;
mod shoe;

use device_protocols::link::EventId;
use device_protocols::reader::{HoleCardReader, ReaderCommand, ReaderEvent};
use device_protocols::sealed::{Card, DrawNumber, FaceUp};
use device_protocols::shoe::ShoeCommand;
use device_protocols::shuffler::{Shuffler as ShufflerProtocol, ShufflerCommand, ShufflerEvent};
use tokio::sync::mpsc;

pub use sealed_slot::{NotOpenable, SLOT_CAPACITY, SealedSlot};
pub use shoe::{SealedShoeEvent, ShoeControl, spawn_shoe};

use crate::inputs::{Spot, SpotSet};
use crate::lamps::LampState;
use crate::serial::{CommandTicket, LinkSession, NotQueued, PortControl, PortReport, PortStatus};

/// The hole-card reader.
pub trait Reader: Send + Sync {
    fn command(&self, command: ReaderCommand) -> Result<CommandTicket, NotQueued>;
    /// The event is in the journal and synced.
    fn durable(&self, id: EventId);
    fn status(&self) -> PortStatus;
}

pub trait Shuffler: Send + Sync {
    fn command(&self, command: ShufflerCommand) -> Result<CommandTicket, NotQueued>;
    fn durable(&self, id: EventId);
    fn status(&self) -> PortStatus;
}

/// A card-reading shoe. Its draws are reported by number only; the cards stay in the driver's sealed slot.
pub trait Shoe: Send + Sync {
    fn command(&self, command: ShoeCommand) -> Result<CommandTicket, NotQueued>;
    fn durable(&self, id: EventId);
    fn status(&self) -> PortStatus;
    /// The card of one draw, on the controller's word that it lies face up. Once: the slot forgets it.
    fn open(&self, draw: DrawNumber, face_up: FaceUp) -> Result<Card, NotOpenable>;
    /// Forgets cards that will never be turned: burnt ones, and everything when a batch ends.
    fn discard(&self, draw: DrawNumber);
    fn discard_all(&self);
}

/// The lock-out button's lamp. Presses come out of the input actor's reports.
pub trait LockOut: Send + Sync {
    fn show_locked(&self, locked: bool);
    /// The round is over, or the floorperson voided it: wagers are open again.
    fn reopen(&self) -> Result<(), NotQueued>;
}

/// The position sensors. Changes come out of the input actor's reports; this asks for the present.
pub trait PositionSensors: Send + Sync {
    /// Spots with a chip on them, as far as the sensors can be believed.
    fn occupied(&self) -> SpotSet;
    /// Spots whose sensor cannot be believed at the moment.
    fn unreliable(&self) -> SpotSet;
}

/// The lamps of the betting positions.
pub trait Lamps: Send + Sync {
    fn show(&self, spot: Spot, state: LampState);
    fn show_all(&self, states: &[(Spot, LampState)]);
}

pub type ReaderReports = mpsc::Receiver<PortReport<ReaderEvent>>;
pub type ShufflerReports = mpsc::Receiver<PortReport<ShufflerEvent>>;
pub type ShoeReports = mpsc::Receiver<PortReport<SealedShoeEvent>>;

/// The sessions to give to [`spawn_port`](crate::serial::spawn_port).
pub type ReaderSession = LinkSession<HoleCardReader>;
pub type ShufflerSession = LinkSession<ShufflerProtocol>;
pub type ShoeSession = LinkSession<device_protocols::shoe::Shoe>;

impl Reader for PortControl<ReaderCommand> {
    fn command(&self, command: ReaderCommand) -> Result<CommandTicket, NotQueued> {
        Self::command(self, command)
    }

    fn durable(&self, id: EventId) {
        Self::durable(self, id);
    }

    fn status(&self) -> PortStatus {
        Self::status(self)
    }
}

impl Shuffler for PortControl<ShufflerCommand> {
    fn command(&self, command: ShufflerCommand) -> Result<CommandTicket, NotQueued> {
        Self::command(self, command)
    }

    fn durable(&self, id: EventId) {
        Self::durable(self, id);
    }

    fn status(&self) -> PortStatus {
        Self::status(self)
    }
}
