//! A table in generated play, with everything written down that the properties compare.
//!
//! A panic while a session lives prints its seed, its table and every accepted input.

use table_rules::engine::{StageView, TableView};
use table_rules::event::{Event, Events};
use table_rules::input::{Input, InputKind, KindSet};
use table_rules::line::Line;
use table_rules::money::{Cents, Pay};
use table_rules::prompt::{AmountRange, Order, Prompt};
use table_rules::seat::SeatSet;
use table_rules::table::{Table, Tracking};
use table_rules::{Engine, Game};

use crate::driver::Driver;
use crate::random::Random;
use crate::tables::{any_table, any_table_of, any_tracking};
use crate::undo::confirmed_approved;

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
    /// How many of `before` there were when the dealer last said that lines were done, and when play had gone on from it:
    /// the undo stops there too.
    done: usize,
    pub(crate) passed: usize,
    /// A word was said right after a correction to a card. No late word reaches across a correction, but the effective inputs
    /// alone, which do not hold it, have the word read the card again.
    pub(crate) unrepeatable: bool,
    /// The table when this round began, and how many inputs had been effective.
    round_began: (Engine, usize),
    /// The round before, where the word that ended it can still be taken back (H5).
    pub(crate) last_round: Option<Box<LastRound>>,
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
            done: 0,
            passed: 0,
            unrepeatable: false,
            last_round: None,
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
        if let Input::Correct(_) = input {
            self.last_round = None;
        }
        if matches!(input, Input::Undo | Input::Correct(_)) {
            if self.before.is_empty() {
                self.reopen_last_round();
            }
            let taken = self.effective.iter().rposition(|input| !is_minute(input));
            self.effective.remove(taken.expect("there was something to take back"));
            self.before.pop();
            let reach = if let Input::Correct(_) = input { self.before.len() } else { self.corrected };
            self.corrected = reach.min(self.before.len());
            self.done = if self.done > self.before.len() { 0 } else { self.done };
            self.passed = self.passed.min(self.before.len());
        } else if is_minute(input) {
            self.effective.push(*input);
            self.look_again_at_this_round();
        } else {
            let after_correction = self.corrected > 0 && self.corrected == self.before.len();
            if after_correction
                && !self.unrepeatable
                && matches!(input, Input::Seat(_) | Input::Double(_) | Input::Split)
            {
                self.unrepeatable = self.would_read_again(input);
            }
            self.before.push(look);
            if let Some(mut locked) = unlocked {
                locked.apply(&Input::Lock, &mut Events::new()).unwrap();
                self.effective.push(Input::Lock);
                self.before.push((locked.view(), locked.prompt()));
            }
            self.effective.push(*input);
            if !places_chips(input) {
                self.passed = self.passed.max(self.done);
                self.last_round = None;
            }
            if is_confirmation(input) {
                self.done = self.before.len();
            }
        }
        self.ledger.follow(self.out.as_slice());
        if self.round_just_ended() {
            self.keep_last_round(input);
            (self.corrected, self.done, self.passed) = (0, 0, 0);
            self.ended_round = self.engine.round();
            self.driver.new_round(&self.table);
        }
    }

    /// Whether this word, said after the effective inputs alone, is a late one.
    fn would_read_again(&self, word: &Input) -> bool {
        let mut straight = self.fresh();
        for input in &self.effective {
            straight.apply(input, &mut Events::new()).unwrap();
        }
        let mut out = Events::new();
        straight.apply(word, &mut out).unwrap();
        out.as_slice().iter().any(|event| matches!(event, Event::LastCardTakenBack { .. }))
    }

    /// What the table looks like may depend on the time, which no going back takes back.
    fn look_again_at_this_round(&mut self) {
        self.before = looks(&self.round_began.0, &self.effective[self.round_began.1..], usize::MAX);
        if let Some(last) = &mut self.last_round {
            let inputs = self.round_began.1 - last.began.1;
            last.before = looks(&last.began.0, &self.effective[last.began.1..], inputs);
        }
    }

    /// This input has just ended a round: whether it can be taken back, and what that leads back to.
    fn keep_last_round(&mut self, input: &Input) {
        let before = std::mem::take(&mut self.before);
        let began = std::mem::replace(&mut self.round_began, (self.engine.clone(), self.effective.len()));
        let (view, prompt) = before.last().expect("a round that ended had inputs");
        let leaves_payments = matches!(prompt.order, Order::AnswerPayments);
        let by_word = is_confirmation(input) || (*input == Input::Next && !leaves_payments);
        let in_reach = before.len() > self.corrected.max(self.passed) && !confirmed_approved(input, view);
        let (corrected, done, passed, ended_round) = (self.corrected, self.done, self.passed, self.ended_round);
        let last = LastRound { input: *input, before, began, corrected, done, passed, ended_round };
        self.last_round = (by_word && in_reach).then(|| Box::new(last));
    }

    fn reopen_last_round(&mut self) {
        let last = self.last_round.take().expect("a round that can be opened again");
        let LastRound { before, began, corrected, done, passed, ended_round, .. } = *last;
        (self.before, self.round_began) = (before, began);
        (self.corrected, self.done, self.passed) = (corrected, done, passed);
        self.ended_round = ended_round;
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
        let mut paid = false;
        let mut paid_before = false;
        for event in self.record.iter().flat_map(|(_, events)| events) {
            if let Event::RoundEnded { .. } = event {
                paid_before = std::mem::take(&mut paid);
            } else if let Event::RoundReopened { .. } = event {
                paid = paid_before;
            } else if let Event::MeterPaid { .. } = event {
                paid = true;
            }
        }
        paid
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

/// A round that is over, as the session knew it when it ended.
pub(crate) struct LastRound {
    /// The word that ended it.
    pub(crate) input: Input,
    pub(crate) before: Vec<(TableView, Prompt)>,
    began: (Engine, usize),
    pub(crate) corrected: usize,
    done: usize,
    pub(crate) passed: usize,
    ended_round: u64,
}

/// How the table looks without each of the first `upto` inputs and all that came after it, with all minutes told.
fn looks(began: &Engine, inputs: &[Input], upto: usize) -> Vec<(TableView, Prompt)> {
    let done = inputs.iter().enumerate().take(upto).filter(|(_, input)| !is_minute(input));
    let look = |(first_gone, _): (usize, &Input)| {
        let mut engine = began.clone();
        let left = inputs.iter().enumerate().filter(|&(at, input)| at < first_gone || is_minute(input));
        for (_, input) in left {
            engine.apply(input, &mut Events::new()).unwrap();
        }
        (engine.view(), engine.prompt())
    };
    done.map(look).collect()
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

/// The dealer's word that lines are done.
pub(crate) fn is_confirmation(input: &Input) -> bool {
    matches!(input, Input::Paid | Input::Collected | Input::Settled)
}

/// Chips placed meanwhile do not end the time in which what was just done may be taken back (H5).
fn places_chips(input: &Input) -> bool {
    matches!(
        input,
        Input::Wager { .. }
            | Input::Unwager { .. }
            | Input::Link(_)
            | Input::Cash { .. }
            | Input::Late { .. }
            | Input::Amount { .. }
            | Input::Insure { .. }
    )
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
#[derive(Clone, Default, Debug)]
pub(crate) struct Ledger {
    pub(crate) lines: Vec<Line>,
    pub(crate) confirmed: usize,
    /// The lines of the round before, all of them done.
    before: Vec<Line>,
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
                (self.before, self.confirmed) = (std::mem::take(&mut self.lines), 0);
            } else if let Event::RoundReopened { .. } = event {
                assert!(self.lines.is_empty(), "a round is opened again before the next has lines");
                self.lines = std::mem::take(&mut self.before);
                self.confirmed = self.lines.len();
            }
        }
    }
}
