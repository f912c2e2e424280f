//! A table in generated play, with everything written down that the properties compare.
//!
//! A panic while a session lives prints its seed, its table and every accepted input.

use table_rules::engine::{StageView, TableView};
use table_rules::event::{Event, Events};
use table_rules::input::{Input, InputKind, KindSet};
use table_rules::line::Line;
use table_rules::money::{Cents, Pay};
use table_rules::prompt::{AmountRange, Prompt};
use table_rules::seat::SeatSet;
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
    /// implies is an input of its own (X2). A minute is never taken away.
    pub(crate) effective: Vec<Input>,
    /// How the table looks without each effective input of this round and all that came after it. Minutes are not among
    /// them, and all of them stay told.
    pub(crate) before: Vec<(TableView, Prompt)>,
    /// How many of `before` a floorperson has gone back to: the dealer's undo stops there (H5).
    pub(crate) corrected: usize,
    /// The table when this round began, and how many inputs had been effective.
    round_began: (Engine, usize),
    pub(crate) ledger: Ledger,
    /// Whether the table's day began with its opening.
    from_closed: bool,
    /// The number of the last round that ended.
    ended_round: u64,
    /// What each meter showed after the last input.
    meters: Vec<Cents>,
    out: Events,
}

impl Session {
    pub(crate) fn new(property: &'static str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let table = any_table(&mut random);
        let tracking = any_tracking(&table, &mut random);
        Self::with(property, seed, table, tracking, random)
    }

    pub(crate) fn of(property: &'static str, seed: u64, game: Game, tracking: Tracking) -> Self {
        let mut random = Random::new(seed);
        let table = any_table_of(game, &mut random);
        Self::with(property, seed, table, tracking, random)
    }

    pub(crate) fn with(property: &'static str, seed: u64, table: Table, tracking: Tracking, random: Random) -> Self {
        let driver = Driver::new(&table, random);
        // A lively table begins its day closed.
        let from_closed = driver.life;
        let engine = fresh(&table, tracking, from_closed);
        Self {
            property,
            seed,
            round_began: (engine.clone(), 0),
            engine,
            driver,
            table,
            tracking,
            record: Vec::new(),
            effective: Vec::new(),
            before: Vec::new(),
            corrected: 0,
            ledger: Ledger::default(),
            from_closed,
            ended_round: 0,
            meters: Vec::new(),
            out: Events::new(),
        }
    }

    /// The same table with nothing but ordinary rounds: no irregularities, no opening, no idling.
    pub(crate) fn rounds_only(mut self) -> Self {
        assert!(self.record.is_empty());
        self.driver.rounds_only(&self.table);
        self.from_closed = false;
        self.engine = self.fresh();
        self.round_began = (self.engine.clone(), 0);
        self
    }

    /// The table as this session began.
    pub(crate) fn fresh(&self) -> Engine {
        fresh(&self.table, self.tracking, self.from_closed)
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
        let implies_lock = was_wagering && matches!(input, Input::Card(_) | Input::CardFrom { .. });
        let unlocked = implies_lock.then(|| self.engine.clone());
        self.out.clear();
        if let Err(refusal) = self.engine.apply(input, &mut self.out) {
            panic!("offered and refused: {input:?}: {refusal}");
        }
        self.record.push((*input, self.out.as_slice().to_vec()));
        self.assert_meters_balance(input);
        if matches!(input, Input::Undo | Input::Correct(_)) {
            let taken = self.effective.iter().rposition(|input| !is_minute(input));
            self.effective.remove(taken.expect("there was something to take back"));
            self.before.pop();
            let reach = if let Input::Correct(_) = input { self.before.len() } else { self.corrected };
            self.corrected = reach.min(self.before.len());
        } else if is_minute(input) {
            self.effective.push(*input);
            self.look_again_at_this_round();
        } else {
            self.before.push(look);
            if let Some(mut locked) = unlocked {
                locked.apply(&Input::Lock, &mut Events::new()).unwrap();
                self.effective.push(Input::Lock);
                self.before.push((locked.view(), locked.prompt()));
            }
            self.effective.push(*input);
        }
        self.ledger.follow(self.out.as_slice());
        if self.round_just_ended() {
            self.before.clear();
            self.corrected = 0;
            self.round_began = (self.engine.clone(), self.effective.len());
            self.ended_round = self.engine.round();
            self.driver.new_round(&self.table);
        }
    }

    /// What the table looks like may depend on the time, which no going back takes back.
    fn look_again_at_this_round(&mut self) {
        let (began, at) = &self.round_began;
        let round = &self.effective[*at..];
        let inputs = round.iter().enumerate().filter(|(_, input)| !is_minute(input));
        let looks = inputs.map(|(first_gone, _)| {
            let mut engine = began.clone();
            let left = round.iter().enumerate().filter(|&(at, input)| at < first_gone || is_minute(input));
            for (_, input) in left {
                engine.apply(input, &mut Events::new()).unwrap();
            }
            (engine.view(), engine.prompt())
        });
        self.before = looks.collect();
    }

    /// The last effective input of this round that somebody did.
    pub(crate) fn last_of_round(&self) -> Option<&Input> {
        self.effective[self.round_began.1..].iter().rfind(|input| !is_minute(input))
    }

    /// X4 after every input; and a meter never falls but by a payment or a reversal, and shows what the events say.
    fn assert_meters_balance(&mut self, input: &Input) {
        let amounts: Vec<Cents> = self.engine.meters().map(|(_, _, meter)| meter.amount()).collect();
        let went_back = matches!(input, Input::Undo | Input::Correct(_));
        for (at, (wager, name, meter)) in self.engine.meters().enumerate() {
            assert!(meter.balance().holds(), "X4: {wager} {name:?} after {input:?}: {meter:?}");
            let mut told = None;
            let mut fell = went_back;
            for event in self.out.as_slice() {
                if let Event::MeterFed { wager: id, meter, amount, .. } = *event {
                    told = if (id, meter) == (wager, name) { Some(amount) } else { told };
                } else if let Event::MeterPaid { wager: id, meter, amount, .. }
                | Event::MeterReversed { wager: id, meter, amount, .. } = *event
                {
                    fell |= (id, meter) == (wager, name);
                    told = if (id, meter) == (wager, name) { Some(amount) } else { told };
                }
            }
            let before = self.meters.get(at).copied().unwrap_or(meter.amount());
            assert!(fell || meter.amount() >= before, "{wager} {name:?} fell without a word after {input:?}");
            let moved = meter.amount() != before;
            assert!(went_back || !moved || told == Some(meter.amount()), "{wager} {name:?} moved without a word");
        }
        self.meters = amounts;
    }

    pub(crate) fn last_events(&self) -> &[Event] {
        self.record.last().map_or(&[], |(_, events)| events)
    }

    pub(crate) fn round_just_ended(&self) -> bool {
        self.last_events().iter().any(|event| matches!(event, Event::RoundEnded { .. }))
    }

    pub(crate) fn meter_paid_this_round(&self) -> bool {
        let ended = |event: &Event| matches!(event, Event::RoundEnded { .. });
        let this_round = self.record.iter().rev().take_while(|(_, events)| !events.iter().any(ended));
        this_round.flat_map(|(_, events)| events).any(|event| matches!(event, Event::MeterPaid { .. }))
    }

    /// Whether wagers are locked and the round has not ended.
    pub(crate) fn is_locked(&self) -> bool {
        self.engine.round() > self.ended_round
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

fn fresh(table: &Table, tracking: Tracking, from_closed: bool) -> Engine {
    if from_closed { Engine::closed(table.clone(), tracking) } else { Engine::new(table.clone(), tracking) }
}

/// How far the dealer reaches back, by undo or by a late word, also depends on what a floorperson corrected, which leaves no
/// other trace.
pub(crate) fn apart_from_reach(prompt: &Prompt) -> Prompt {
    const REACH: KindSet =
        KindSet::EMPTY.with(InputKind::Undo).with(InputKind::Seat).with(InputKind::Double).with(InputKind::Split);
    let mut prompt = *prompt;
    let offers = &mut prompt.offers;
    offers.kinds = offers.kinds.minus(REACH);
    (offers.seats, offers.double) = (SeatSet::EMPTY, AmountRange::UNKNOWN_ONLY);
    prompt
}

pub(crate) fn is_minute(input: &Input) -> bool {
    matches!(input, Input::At(_))
}

/// Whether a round is in play: wagers are locked and not all is settled.
pub(crate) fn in_round(engine: &Engine) -> bool {
    !matches!(engine.view().stage, StageView::Wagering | StageView::Closed | StageView::Preparing)
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
                // A meter's line is told at its turn to be paid (X1), before lines that were told earlier.
                let of_meter = matches!(line.pay, Some(Pay::Meter { .. }));
                self.lines.insert(if of_meter { self.confirmed } else { self.lines.len() }, *line);
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
