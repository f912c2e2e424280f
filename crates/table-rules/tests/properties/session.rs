//! A table in generated play, with everything written down that the properties compare.
//!
//! A panic while a session lives prints its seed, its table and every accepted input.

use table_rules::engine::TableView;
use table_rules::event::{Event, Events};
use table_rules::input::Input;
use table_rules::line::Line;
use table_rules::prompt::Prompt;
use table_rules::table::{Table, Tracking};
use table_rules::{Engine, Game};

use crate::driver::Driver;
use crate::random::Random;
use crate::tables::{any_table, any_table_of, any_tracking};

pub(crate) struct Session {
    property: &'static str,
    seed: u64,
    pub(crate) table: Table,
    pub(crate) tracking: Tracking,
    pub(crate) engine: Engine,
    pub(crate) driver: Driver,
    /// Every accepted input and the events it caused.
    pub(crate) record: Vec<(Input, Vec<Event>)>,
    /// What is left of the inputs once every undo and correction has taken its input away. The lock that a first card
    /// implies is an input of its own (X2).
    pub(crate) effective: Vec<Input>,
    /// How the table looked before each effective input of this round.
    pub(crate) before: Vec<(TableView, Prompt)>,
    pub(crate) ledger: Ledger,
    out: Events,
}

impl Session {
    pub(crate) fn new(property: &'static str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let table = any_table(&mut random);
        let tracking = any_tracking(&mut random);
        Self::with(property, seed, table, tracking, random)
    }

    pub(crate) fn of(property: &'static str, seed: u64, game: Game, tracking: Tracking) -> Self {
        let mut random = Random::new(seed);
        let table = any_table_of(game, &mut random);
        Self::with(property, seed, table, tracking, random)
    }

    pub(crate) fn with(property: &'static str, seed: u64, table: Table, tracking: Tracking, random: Random) -> Self {
        Self {
            property,
            seed,
            engine: Engine::new(table.clone(), tracking),
            driver: Driver::new(&table, random),
            table,
            tracking,
            record: Vec::new(),
            effective: Vec::new(),
            before: Vec::new(),
            ledger: Ledger::default(),
            out: Events::new(),
        }
    }

    /// Lets the driver choose one input and applies it.
    pub(crate) fn step(&mut self) -> Input {
        let input = self.driver.next(&self.engine);
        self.apply(&input);
        input
    }

    /// Applies an input that has to be accepted.
    pub(crate) fn apply(&mut self, input: &Input) {
        let was_wagering = self.engine.is_wagering();
        let look = (self.engine.view(), self.engine.prompt());
        self.out.clear();
        if let Err(refusal) = self.engine.apply(input, &mut self.out) {
            panic!("offered and refused: {input:?}: {refusal}");
        }
        self.record.push((*input, self.out.as_slice().to_vec()));
        if matches!(input, Input::Undo | Input::Correct(_)) {
            self.effective.pop();
            self.before.pop();
        } else {
            self.before.push(look);
            if was_wagering && matches!(input, Input::Card(_)) {
                let mut locked = self.engine_before_last_input();
                locked.apply(&Input::Lock, &mut Events::new()).unwrap();
                self.effective.push(Input::Lock);
                self.before.push((locked.view(), locked.prompt()));
            }
            self.effective.push(*input);
        }
        self.ledger.follow(self.out.as_slice());
        if self.round_just_ended() {
            self.before.clear();
            self.driver.new_round(&self.table);
        }
    }

    /// The table as it was before the last input, by replaying what is effective.
    fn engine_before_last_input(&self) -> Engine {
        let mut engine = Engine::new(self.table.clone(), self.tracking);
        for input in &self.effective {
            engine.apply(input, &mut Events::new()).unwrap();
        }
        engine
    }

    pub(crate) fn last_events(&self) -> &[Event] {
        self.record.last().map_or(&[], |(_, events)| events)
    }

    pub(crate) fn round_just_ended(&self) -> bool {
        self.last_events().iter().any(|event| matches!(event, Event::RoundEnded { .. }))
    }

    /// Plays to the end of a round.
    pub(crate) fn round(&mut self, each: &mut dyn FnMut(&Self)) {
        for _ in 0..2000 {
            self.step();
            each(self);
            if self.round_just_ended() {
                return;
            }
        }
        panic!("a round of 2000 inputs has not ended");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("---- property `{}`, seed {} (HOLECARD_SEED={})", self.property, self.seed, self.seed);
            eprintln!("{:?}, {:#?}", self.tracking, self.table);
            for (at, (input, _)) in self.record.iter().enumerate() {
                eprintln!("{at:4}  {input:?}");
            }
        }
    }
}

/// The open round's settlement as the events alone tell it: what a journal's reader would know.
#[derive(Default, Debug)]
pub(crate) struct Ledger {
    pub(crate) lines: Vec<Line>,
    pub(crate) confirmed: usize,
}

impl Ledger {
    pub(crate) fn follow(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Settled(line) = event {
                self.lines.push(*line);
            } else if let Event::LineWithdrawn(line) = event {
                let at = self.lines.iter().rposition(|known| known == line);
                self.lines.remove(at.expect("only a line that was due is withdrawn"));
                self.confirmed = self.confirmed.min(self.lines.len());
            } else if let Event::LineConfirmed { seat, hand, wager, .. } = event {
                let line = self.lines.get(self.confirmed).expect("only a line that is due is confirmed");
                assert_eq!((line.seat, line.hand, line.wager), (*seat, *hand, *wager), "lines are done in order");
                self.confirmed += 1;
            } else if let Event::LineReopened { .. } = event {
                self.confirmed -= 1;
            } else if let Event::RoundEnded { .. } = event {
                assert_eq!(self.confirmed, self.lines.len(), "a round ends with every line done");
                *self = Self::default();
            }
        }
    }
}
