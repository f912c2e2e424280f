//! The devices of a table as values: they do what hands do with them, and nothing else.

use std::collections::{BTreeMap, VecDeque};

use operator_api::{Action, Screen};
use table_controller::{
    BatchColour, Clock, Config, Controller, Input, LayoutInput, LinkIdentity, Output, Outputs, ReaderAnswer,
    ReaderCondition, ReaderInput, Refused, ShoeInput, ShoeSide, ShufflerInput, Spot, Stamp, Started,
};
use table_rules::card::{Card, Rank};
use table_simulator::dice::Dice;

use super::{Hand, by_somebody};

/// 2026-03-02, 12:00 UTC, and the gaming day of it.
const NOON_MS: i64 = 1_772_452_800_000;
const DAY: i64 = 20_514;

pub(crate) struct World {
    pub(crate) controller: Controller,
    clock: Clock,
    dice: Dice,
    shoe: VecDeque<Card>,
    drawn: u16,
    slot: BTreeMap<u16, Card>,
    hole: Option<Card>,
    chips: Vec<Spot>,
}

impl World {
    /// The table comes up with everything connected, a dealer signed in and the day's inspection passed.
    pub(crate) fn start(config: Config, seed: u64) -> Result<Self, String> {
        let clock = Clock { wall_ms: NOON_MS, monotonic_ms: 0, minute: 720, day: DAY, trusted: true };
        let mut world = Self {
            controller: Controller::new(config),
            clock,
            dice: Dice::new(seed),
            shoe: VecDeque::new(),
            drawn: 0,
            slot: BTreeMap::new(),
            hole: None,
            chips: Vec::new(),
        };
        world.put(Input::Started(Started { clock, last_record_ms: None, foreign_round: None }))?;
        let config = world.controller.config().clone();
        if config.has_reader {
            world.put(Input::Reader(ReaderInput::Up(identity("R-1"))))?;
            world.put(Input::Reader(ReaderInput::State(ReaderCondition::Idle)))?;
        }
        if config.has_shuffler {
            world.put(Input::Shuffler(ShufflerInput::Up(identity("S-1"))))?;
        }
        if config.shoes > 0 {
            world.shoe_says(ShoeInput::Up(identity("D-1")))?;
        }
        world.act(Action::SignIn).map_err(|refused| refused.reason)?;
        if config.has_reader {
            world.inspect()?;
        }
        Ok(world)
    }

    fn inspect(&mut self) -> Result<(), String> {
        let act = |world: &mut Self, action| world.act(action).map_err(|refused: Refused| refused.reason);
        act(self, Action::BeginInspection { full: false })?;
        while let Some(view) = self.controller.screen().inspection {
            let step = view.steps.get(view.step.saturating_sub(1)).map_or("", |step| step.name);
            let answer = match step {
                "test cards" => {
                    self.hand(Hand::Test)?;
                    continue;
                }
                "lock-out" => {
                    self.hand(Hand::LockOut)?;
                    continue;
                }
                "positions" => {
                    self.positions()?;
                    continue;
                }
                "seals" => &vec!["A-17"; view.seals.len()].join(" "),
                "signature" => "sign",
                _ => "pass",
            };
            act(self, Action::InspectionAnswer { answer: answer.to_owned() })?;
        }
        Ok(())
    }

    fn positions(&mut self) -> Result<(), String> {
        let config = self.controller.config().clone();
        for seat in 1..=config.table.positions {
            for wired in &config.spots {
                let spot = Spot { seat, spot: wired.spot };
                self.put(Input::Layout(LayoutInput::Placed(spot)))?;
                self.put(Input::Layout(LayoutInput::Removed(spot)))?;
            }
        }
        Ok(())
    }

    /// An action by whoever may do it. Every one takes a second.
    pub(crate) fn act(&mut self, action: Action) -> Result<(), Refused> {
        self.clock.wall_ms += 1000;
        self.clock.monotonic_ms += 1000;
        let input = Input::Person(by_somebody(&self.controller, action));
        self.apply(&input)
    }

    pub(crate) fn hand(&mut self, hand: Hand) -> Result<(), String> {
        match hand {
            Hand::Draw => self.draw(),
            Hand::Insert => self.insert(),
            Hand::Chips => {
                for seat in 1..=self.controller.config().table.positions.min(7) {
                    let spot = Spot { seat, spot: 1 };
                    self.chips.push(spot);
                    self.put(Input::Layout(LayoutInput::Placed(spot)))?;
                }
                Ok(())
            }
            Hand::LockOut => {
                self.put(Input::Layout(LayoutInput::Locked))?;
                let accepted = std::mem::take(&mut self.chips);
                let split = LayoutInput::Split { accepted, late: Vec::new(), doubtful: Vec::new() };
                self.put(Input::Layout(split))
            }
            Hand::Shuffle => self.shuffle(),
            Hand::Test => self.test_card(),
            Hand::Chance => self.put(Input::Chance { words: "draw none".to_owned() }),
        }
    }

    fn put(&mut self, input: Input) -> Result<(), String> {
        self.apply(&input).map_err(|refused| format!("{input:?}: {}", refused.reason))
    }

    fn apply(&mut self, input: &Input) -> Result<(), Refused> {
        let stamp = Stamp { sequence: self.controller.sequence() + 1 };
        let mut out = Outputs::default();
        self.controller.apply(stamp, input, &mut out)?;
        let mut to_open = Vec::new();
        for command in out.commands {
            match command {
                Output::Open { draw, .. } => to_open.push(draw.0),
                Output::Discard { draw, .. } => {
                    self.slot.remove(&draw.0);
                }
                Output::DiscardAll { .. } => self.slot.clear(),
                Output::Shoe { .. } => self.drawn = 0,
                Output::Reader(_)
                | Output::Shuffler(_)
                | Output::Lamp { .. }
                | Output::LockLamp { .. }
                | Output::LampTest
                | Output::Reopen => {}
            }
        }
        for draw in to_open {
            let event = match self.slot.remove(&draw) {
                Some(card) => ShoeInput::Opened { draw, card: card.to_string() },
                None => ShoeInput::NotOpened { draw },
            };
            self.apply(&Input::Shoe { side: ShoeSide::Left, event })?;
        }
        Ok(())
    }

    fn shoe_says(&mut self, event: ShoeInput) -> Result<(), String> {
        self.put(Input::Shoe { side: ShoeSide::Left, event })
    }

    /// A card leaves the shoe; the cut card before it, where it lies.
    fn draw(&mut self) -> Result<(), String> {
        if self.shoe.is_empty() {
            self.fill();
        }
        if self.shoe.len() == 60 {
            self.shoe_says(ShoeInput::CutCard)?;
        }
        let Some(card) = self.shoe.pop_front() else { return Err("the shoe is empty".to_owned()) };
        self.drawn += 1;
        self.slot.insert(self.drawn, card);
        let lay = self.controller.engine().hole_card_lies_down();
        self.shoe_says(ShoeInput::Drawn { draw: self.drawn, in_play: true })?;
        if !lay && self.controller.engine().hole_card_lies_down() {
            self.hole = Some(card);
        }
        Ok(())
    }

    fn fill(&mut self) {
        let table = &self.controller.config().table;
        let mut all: Vec<Card> = (0..table.decks).flat_map(|_| table.game.deck()).collect();
        self.dice.shuffle(&mut all);
        self.shoe = all.into();
    }

    fn insert(&mut self) -> Result<(), String> {
        self.put(Input::Reader(ReaderInput::Inserted))?;
        let ten = |card: Card| matches!(card.rank(), Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
        let up = self.controller.engine().dealer().cards().first().copied();
        let yes = up
            .zip(self.hole)
            .is_some_and(|(up, hole)| (up.rank() == Rank::Ace && ten(hole)) || (ten(up) && hole.rank() == Rank::Ace));
        self.put(Input::Reader(ReaderInput::Answered(if yes { ReaderAnswer::Yes } else { ReaderAnswer::No })))?;
        self.put(Input::Reader(ReaderInput::Removed))
    }

    fn shuffle(&mut self) -> Result<(), String> {
        let table = &self.controller.config().table;
        let cards = u16::from(table.decks) * table.game.cards_per_deck();
        let colour = BatchColour::Red;
        self.fill();
        self.put(Input::Shuffler(ShufflerInput::Loaded { colour }))?;
        self.put(Input::Shuffler(ShufflerInput::Started))?;
        self.put(Input::Shuffler(ShufflerInput::Ready { cards, expected: cards, colour }))
    }

    /// The test card that the inspection asks for, and what a reader in order says of it.
    fn test_card(&mut self) -> Result<(), String> {
        let text = self.screen().inspection.map(|view| view.text).unwrap_or_default();
        let number = text.rsplit('(').next().and_then(|rest| rest.split(' ').next()).and_then(|at| at.parse().ok());
        let number: usize = number.ok_or_else(|| format!("no test card: {text}"))?;
        let card = self.controller.config().daily_test_cards.get(number.saturating_sub(1)).cloned();
        let card = card.ok_or("no such test card")?;
        self.put(Input::Reader(ReaderInput::TestAnswered { group: card.group, answer: card.expected }))
    }

    pub(crate) fn screen(&self) -> Screen {
        self.controller.screen()
    }
}

fn identity(serial: &str) -> LinkIdentity {
    LinkIdentity {
        model: "twin".to_owned(),
        serial: serial.to_owned(),
        firmware: "00".to_owned(),
        ..LinkIdentity::default()
    }
}
