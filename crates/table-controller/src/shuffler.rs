//! The shuffler's handler: states and counts. It never asks for, keeps or passes on the order of cards; there is none to ask for.

use device_protocols::shuffler::{BatchColour, ExpectedCount, ShufflerCommand, ShufflerState};
use serde::{Deserialize, Serialize};
use table_rules::input::{Input, ShuffleDone};
use table_rules::prompt::Order;
use table_rules::source::Point;

use crate::alerts::Stops;
use crate::codes::Code;
use crate::controller::Controller;
use crate::devices::Link;
use crate::input::ShufflerInput;
use crate::output::{Output, Outputs};

/// The alert of a machine that stopped with cards in it.
const JAM: &str = "shuffler jam";

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shuffler {
    pub(crate) link: Link,
    pub(crate) state: String,
    /// The colour of a batch that the machine was told to shuffle, until it says that it has begun.
    #[serde(default)]
    told: Option<BatchColour>,
}

impl Controller {
    pub(crate) fn on_shuffler(&mut self, input: &ShufflerInput, out: &mut Outputs) {
        let code = Code::DeviceFault.to_string();
        let told = self.state.shuffler.told.take();
        match input {
            ShufflerInput::Up(identity) => {
                self.state.shuffler.told = told;
                self.state.shuffler.link = Link { up: true, identity: identity.clone() };
                self.end_alert("shuffler link", &code, out);
            }
            ShufflerInput::Down => {
                self.state.shuffler.told = told;
                self.state.shuffler.link.up = false;
                self.state.shuffler.state = "unknown".to_owned();
                self.raise("shuffler link", Stops::Nothing, &code, "shuffler does not answer", out);
            }
            ShufflerInput::Loaded { colour } => {
                self.state.shuffler.state = "loaded".to_owned();
                self.start_shuffle(*colour, out);
            }
            ShufflerInput::Started => self.state.shuffler.state = "shuffling".to_owned(),
            ShufflerInput::Counted { cards, expected } => {
                self.state.shuffler.state = format!("counted {cards}");
                self.check_count(*cards, *expected, out);
            }
            ShufflerInput::Ready { cards, expected, .. } => {
                self.state.shuffler.state = "ready".to_owned();
                if self.check_count(*cards, *expected, out) {
                    self.follow_if_offered(&Input::Shuffle(ShuffleDone::Device), out);
                }
            }
            ShufflerInput::Stopped => {
                self.state.shuffler.state = "stopped".to_owned();
                self.follow_if_offered(&Input::Shuffle(ShuffleDone::Jam), out);
            }
            ShufflerInput::Jammed { stuck } => {
                self.state.shuffler.state = "jammed".to_owned();
                if *stuck {
                    let source = self.cite(Point::ShufflerOutOfOrder);
                    self.raise(
                        JAM,
                        Stops::Nothing,
                        &source,
                        "shuffler jammed: clear it and shuffle the cards again",
                        out,
                    );
                    self.follow_if_offered(&Input::Shuffle(ShuffleDone::Jam), out);
                }
            }
            ShufflerInput::JamCleared => {
                self.state.shuffler.state = "loaded".to_owned();
                self.end_jam(out);
            }
            ShufflerInput::Door { open } => {
                self.state.shuffler.state = if *open { "door open" } else { "door closed" }.to_owned();
            }
            ShufflerInput::Unloaded => {
                self.state.shuffler.state = "empty".to_owned();
                self.end_jam(out);
            }
            ShufflerInput::OutOfService => self.state.shuffler.state = "out of service".to_owned(),
            ShufflerInput::BackInService => self.state.shuffler.state = "empty".to_owned(),
            ShufflerInput::State { state, ready: _ } => {
                self.state.shuffler.state = state_word(*state).to_owned();
                // The power may have gone between the record and the command: nobody else would tell it again.
                if let Some(colour) = told.filter(|_| *state == ShufflerState::Loaded) {
                    self.start_shuffle(colour, out);
                }
            }
        }
    }

    fn end_jam(&mut self, out: &mut Outputs) {
        let source = self.cite(Point::ShufflerOutOfOrder);
        self.end_alert(JAM, &source, out);
    }

    /// The cards are in and the procedure has come to the shuffle: the machine is told how many to expect.
    fn start_shuffle(&mut self, colour: BatchColour, out: &mut Outputs) {
        let order = self.engine.order().0;
        if !matches!(order, Order::Shuffle(_) | Order::SwapBatches | Order::IntoShuffler | Order::ShuffleSide(_)) {
            return;
        }
        let table = &self.config.table;
        // One side of a double shoe holds half of the decks.
        let sides = if matches!(order, Order::ShuffleSide(_)) { 2 } else { 1 };
        let cards = u16::from(table.decks) * table.game.cards_per_deck() / sides;
        if let Some(expected) = ExpectedCount::new(cards) {
            self.state.shuffler.told = Some(colour);
            out.commands.push(Output::Shuffler(ShufflerCommand::Shuffle { colour, expected }));
        }
    }

    fn check_count(&mut self, cards: u16, expected: u16, out: &mut Outputs) -> bool {
        let right = cards == expected;
        let source = Code::BatchCount.to_string();
        if right {
            if let Some(alert) = self.state.alerts.remove_key("batch count") {
                self.say(crate::Notice::AlertCleared { alert, by: None }, &source, out);
            }
        } else {
            let text = format!("shuffler counted {cards} cards where {expected} belong");
            self.raise("batch count", Stops::UntilCleared, &source, &text, out);
        }
        right
    }
}

/// A state as the screen says it.
const fn state_word(state: ShufflerState) -> &'static str {
    match state {
        ShufflerState::Booting => "booting",
        ShufflerState::Empty => "empty",
        ShufflerState::Loaded => "loaded",
        ShufflerState::Shuffling => "shuffling",
        ShufflerState::Counted => "counted",
        ShufflerState::Ready => "ready",
        ShufflerState::Unloading => "unloading",
        ShufflerState::Jammed => "jammed",
        ShufflerState::DoorOpen => "door open",
        ShufflerState::Service => "service",
        ShufflerState::Faulted => "faulted",
        ShufflerState::OutOfService => "out of service",
    }
}
