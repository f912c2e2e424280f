//! What the controller wants done. Everything but opening a seal waits until the record that caused it is durable.

pub use device_protocols::lamp::LampState;
use device_protocols::reader::ReaderCommand;
use device_protocols::sealed::{DrawNumber, FaceUp};
use device_protocols::shoe::ShoeCommand;
use device_protocols::shuffler::ShufflerCommand;

use crate::config::Spot;
use crate::input::ShoeSide;
use crate::notice::TableEvent;

#[derive(Debug)]
pub enum Output {
    /// The card of this draw lies face up: open it at once and hand it back as an input. It goes nowhere else.
    Open {
        side: ShoeSide,
        draw: DrawNumber,
        face_up: FaceUp,
    },
    /// A card that will never be turned.
    Discard {
        side: ShoeSide,
        draw: DrawNumber,
    },
    DiscardAll {
        side: ShoeSide,
    },
    Reader(ReaderCommand),
    Shuffler(ShufflerCommand),
    Shoe {
        side: ShoeSide,
        command: ShoeCommand,
    },
    Lamp {
        spot: Spot,
        state: LampState,
    },
    LockLamp {
        locked: bool,
    },
    /// Every lamp in its turn, then all, then as they were: somebody in service looks on.
    LampTest,
    /// Wagers are open again: the sensors may take chips.
    Reopen,
}

/// Collected while one input is handled.
#[derive(Debug, Default)]
pub struct Outputs {
    pub commands: Vec<Output>,
    pub said: Vec<TableEvent>,
}

impl Outputs {
    pub fn clear(&mut self) {
        self.commands.clear();
        self.said.clear();
    }
}
