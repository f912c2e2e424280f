//! Cards through the shuffler and into the shoe.

use device_protocols::link::LinkState;
use device_protocols::sealed::DrawNumber;
use device_protocols::shoe::ShoeCommand;
use device_protocols::shuffler::{BatchColour, ExpectedCount, ShufflerCommand, ShufflerState};
use table_rules::input::{Input, ShuffleDone};
use table_rules::table::Shuffler;

use super::{RobotTable, Stopped};

/// A machine that takes longer has come to a dead end.
const SHUFFLE_MS_MAX: u64 = 7_200_000;

impl RobotTable {
    /// All cards through the shuffler, led by what the machine shows; then the screen is told.
    pub(super) fn shuffle(&mut self) -> Result<(), Stopped> {
        let expected = usize::from(self.table.decks) * self.table.game.deck().count();
        let mut cards = std::mem::take(&mut self.discards);
        cards.append(&mut self.stack);
        cards.extend(self.shoe.act(self.now, |shoe, _, _| shoe.unload()));
        if cards.len() != expected {
            return Err(Stopped::CardsMissing { found: cards.len(), expected });
        }
        let count = u16::try_from(expected).ok().and_then(ExpectedCount::new).ok_or(Stopped::ShufflerStuck)?;
        let until = self.now + SHUFFLE_MS_MAX;
        let mut by_hand = Some(cards);
        let mut shuffled = false;
        loop {
            if self.now > until {
                return Err(Stopped::ShufflerStuck);
            }
            let now = self.now;
            match self.shuffler.firmware().shuffler_state() {
                ShufflerState::Empty => match by_hand.take() {
                    Some(cards) => {
                        let _ = self.shuffler.act(now, |shuffler, _, out| shuffler.load(cards, BatchColour::Red, out));
                    }
                    None => {
                        let tray = self.shuffler.act(now, |shuffler, _, _| shuffler.take_tray());
                        if shuffled {
                            self.stack = tray;
                            break;
                        }
                        by_hand = Some(tray);
                    }
                },
                ShufflerState::Loaded => {
                    shuffled = false;
                    let order = ShufflerCommand::Shuffle { colour: BatchColour::Red, expected: count };
                    self.tell_shuffler(&order);
                }
                ShufflerState::Ready => {
                    shuffled = true;
                    self.tell_shuffler(&ShufflerCommand::Unload);
                }
                // A wrong count or colour: out by hand, and again.
                ShufflerState::Counted => {
                    by_hand = Some(self.shuffler.act(now, |shuffler, _, out| shuffler.take_batch(out)));
                }
                ShufflerState::Jammed => self.tell_shuffler(&ShufflerCommand::ClearJam),
                ShufflerState::Booting
                | ShufflerState::Shuffling
                | ShufflerState::Unloading
                | ShufflerState::DoorOpen
                | ShufflerState::Service
                | ShufflerState::Faulted
                | ShufflerState::OutOfService => {}
            }
            self.run_for(1_000)?;
        }
        if self.stack.len() != expected {
            return Err(Stopped::CardsMissing { found: self.stack.len(), expected });
        }
        self.tally.shuffles += 1;
        let done = match self.table.shuffler {
            Shuffler::ByHand => ShuffleDone::ByHand,
            Shuffler::Batch | Shuffler::Continuous => ShuffleDone::Device,
        };
        self.controller.apply(&Input::Shuffle(done))
    }

    /// One command at a time: what the machine does not take now it is asked again at the next look.
    fn tell_shuffler(&mut self, command: &ShufflerCommand) {
        if self.controller.shuffler.commands_waiting() == 0 {
            let _ = self.controller.shuffler.send(command, self.now);
        }
    }

    pub(super) fn fill_shoe(&mut self) -> Result<(), Stopped> {
        let stack = std::mem::take(&mut self.stack);
        let cut = self.cover_at.take().map(|from_bottom| stack.len().saturating_sub(usize::from(from_bottom)));
        self.shoe.act(self.now, |shoe, _, _| shoe.load(&stack, cut));
        self.cut_card_out = false;
        self.start_batch()?;
        self.controller.apply(&Input::Load)
    }

    /// Tells the shoe until it has understood: draws count from 1 again.
    fn start_batch(&mut self) -> Result<(), Stopped> {
        for _ in 0..1_000 {
            if self.shoe.firmware().drawn() == DrawNumber(0) && self.controller.shoe.state() == LinkState::Up {
                self.controller.start_batch();
                return Ok(());
            }
            if self.controller.shoe.commands_waiting() == 0 {
                let _ = self.controller.shoe.send(&ShoeCommand::StartBatch, self.now);
            }
            self.run_for(500)?;
        }
        Err(Stopped::SealKept { draw: self.shoe.firmware().drawn() })
    }
}
