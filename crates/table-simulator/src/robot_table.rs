//! A whole table without a daemon: the rules engine, all three serial twins, the felt and a robot, on a virtual clock.
//!
//! Everything is bytes, edges and taps, as at a real table: a card is known to the engine only when the shoe's sealed
//! draw lies face up, the hole card goes to the reader in the dealer's hand. Same seed, same round.

mod controller;
mod ledger;
mod mischief;
mod shuffling;
mod watch;

use std::collections::{BTreeMap, VecDeque};

use device_protocols::frame::BootId;
use device_protocols::link::{LinkHost, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::reader::ReaderState;
use device_protocols::sealed::DrawNumber;
use table_rules::card::Card;
use table_rules::event::Event;
use table_rules::input::Input;
use table_rules::prompt::Order;
use table_rules::refusal::Refusal;
use table_rules::seat::Seat;
use table_rules::table::Table;
use thiserror::Error;

pub use controller::Opener;
use controller::{Controller, ReaderKnown};
use ledger::Ledger;
pub use mischief::Mischief;
pub use watch::{Sighting, Watch};

use crate::dice::Dice;
use crate::panel::{LOCK_BUTTON, Panel, Spot, Wiring};
use crate::reader::{ReaderFirmware, ReaderTwin};
use crate::robot::{Deed, Habits, Insertion, ReaderSight, Robot, Visible};
use crate::shoe::{Pulled, ShoeTwin};
use crate::shuffler::ShufflerTwin;
use crate::twin::{Firmware, Simulated, Twin};

/// A chip counts once its sensor has been quiet for so long.
const DEBOUNCE_MS: u64 = 30;
/// A round that takes longer has come to a dead end.
const ROUND_MS_MAX: u64 = 3_600_000;

/// Why a table could not go on. None of this happens at a table whose parts keep their word.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Stopped {
    #[error("the engine refused {input:?} at {order:?}: {refusal:?}")]
    Refused { input: Input, refusal: Refusal, order: Box<Order> },
    #[error("the engine asked for {0:?}, which no such round leads to")]
    Unexpected(Box<Order>),
    #[error("the round does not end; it stands at {0:?}")]
    Stuck(Box<Order>),
    #[error("the shoe is empty")]
    OutOfCards,
    #[error("there is no card to turn")]
    NoCard,
    #[error("{draw} stayed sealed though it lies face up")]
    SealKept { draw: DrawNumber },
    #[error("the shoe told {opened}, the table shows {shown}")]
    OtherCard { opened: Card, shown: Card },
    #[error("the books do not balance: {0}")]
    Money(String),
    #[error("{found} cards where {expected} belong")]
    CardsMissing { found: usize, expected: usize },
    #[error("the shuffler does not come to an end")]
    ShufflerStuck,
}

/// What was played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub rounds: u64,
    pub shuffles: u64,
    pub cards: u64,
    pub cards_told_by_hand: u64,
    pub late_words: u64,
    pub late_chips: u64,
    pub reader_answers: u64,
    pub reader_stops: u64,
    pub reader_lies: u64,
    pub restarts: u64,
}

#[derive(Debug)]
pub struct RobotTable {
    now: Millis,
    dice: Dice,
    table: Table,
    controller: Controller,
    pub reader: ReaderTwin,
    pub shoe: ShoeTwin,
    pub shuffler: ShufflerTwin,
    pub panel: Panel,
    robot: Robot,
    mischief: Mischief,
    tally: Tally,
    watch: Watch,
    /// Cards on the felt, then in the discard rack.
    on_table: Vec<Card>,
    discards: Vec<Card>,
    /// Shuffled and not yet in the shoe; where its cover card is to go.
    stack: Vec<Card>,
    cover_at: Option<u16>,
    hole: Option<Card>,
    down: BTreeMap<Seat, VecDeque<Card>>,
    in_hand: Option<(Card, Millis)>,
    last_open: Option<Card>,
    pulled: u64,
    cut_card_out: bool,
    chips_known: Vec<Seat>,
    sensors_rest_at: Option<Millis>,
    lock_held_until: Option<Millis>,
    mend_at: Option<Millis>,
    deed_at: Millis,
}

impl RobotTable {
    /// A closed table with its decks beside it. `open` breaks seals when the procedure has exposed a card.
    pub fn new(table: &Table, seed: u64, habits: Habits, mischief: Mischief, open: Opener) -> Self {
        let now = Millis(1_000);
        let mut dice = Dice::new(seed);
        let boot = BootId::new(u32::try_from(dice.below(u64::from(u32::MAX))).unwrap_or(0) | 1)
            .expect("an odd number is not zero");
        let mut robot_table = Self {
            now,
            table: table.clone(),
            controller: Controller::new(table, boot, open, now),
            reader: ReaderTwin::new(dice.roll(), now),
            shoe: ShoeTwin::new(dice.roll(), now),
            shuffler: ShufflerTwin::new(dice.roll(), now),
            panel: Panel::new(Wiring::Lines, table.positions, 1),
            robot: Robot::new(dice.roll(), habits),
            dice,
            mischief,
            tally: Tally::default(),
            watch: Watch::default(),
            on_table: Vec::new(),
            discards: (0..table.decks).flat_map(|_| table.game.deck()).collect(),
            stack: Vec::new(),
            cover_at: None,
            hole: None,
            down: BTreeMap::new(),
            in_hand: None,
            last_open: None,
            pulled: 0,
            cut_card_out: false,
            chips_known: Vec::new(),
            sensors_rest_at: None,
            lock_held_until: None,
            mend_at: None,
            deed_at: now,
        };
        robot_table.misbehave();
        robot_table
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }

    pub fn now(&self) -> Millis {
        self.now
    }

    /// Everything an onlooker could have seen since it was turned on.
    pub fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    /// Plays the table's opening up to its first wagers.
    pub fn open_table(&mut self) -> Result<(), Stopped> {
        let until = self.now + ROUND_MS_MAX;
        self.robot.begin_round(&self.table);
        while !matches!(self.controller.prompt().order, Order::TakeWagers { .. }) {
            self.go_on()?;
            if self.now > until {
                return Err(Stopped::Stuck(Box::new(self.controller.prompt().order)));
            }
        }
        Ok(())
    }

    /// Somebody exchanges the cards in the shoe for these, first out first.
    pub fn rig_shoe(&mut self, cards: &[Card]) {
        self.shoe.act(self.now, |shoe, _, _| shoe.load(cards, None));
    }

    /// One deed, or the time until the next.
    fn go_on(&mut self) -> Result<(), Stopped> {
        self.settle()?;
        if self.now >= self.deed_at {
            self.do_something()?;
            self.deed_at = self.now + 200 + self.dice.below(1_000);
        } else {
            self.advance();
        }
        Ok(())
    }

    /// Plays one round to its last line; before it whatever is due: opening the table, shuffling, loading the shoe. Gives
    /// all events.
    pub fn play_round(&mut self) -> Result<Vec<Event>, Stopped> {
        self.robot.begin_round(&self.table);
        let mut ledger = Ledger::default();
        let mut events = Vec::new();
        let until = self.now + ROUND_MS_MAX;
        let before = self.controller.engine.round();
        loop {
            self.settle()?;
            for event in self.controller.take_events() {
                ledger.follow(&event);
                self.count(&event);
                self.watch.event(&event, self.now);
                events.push(event);
            }
            if self.controller.engine.round() != before && self.between_rounds() {
                break;
            }
            if self.now > until {
                return Err(Stopped::Stuck(Box::new(self.controller.prompt().order)));
            }
            self.go_on()?;
        }
        ledger.check().map_err(Stopped::Money)?;
        self.clear_layout()?;
        self.tally.rounds += 1;
        Ok(events)
    }

    fn between_rounds(&self) -> bool {
        matches!(
            self.controller.prompt().order,
            Order::TakeWagers { .. }
                | Order::RepairReader
                | Order::ChangeDecks { .. }
                | Order::Shuffle(_)
                | Order::SwapBatches
                | Order::IntoShuffler
                | Order::ReceiveDecks(_)
        )
    }

    fn count(&mut self, event: &Event) {
        self.tally.late_words += u64::from(matches!(event, Event::LastCardTakenBack { .. }));
        self.tally.late_chips += u64::from(matches!(event, Event::LateWager { .. }));
        self.tally.reader_answers += u64::from(matches!(event, Event::ReaderAnswered { .. }));
        self.tally.reader_stops += u64::from(matches!(event, Event::ReaderStopped { .. }));
        self.tally.reader_lies += u64::from(matches!(event, Event::ReaderWrong { .. }));
    }

    fn visible(&self) -> Visible {
        let slot = self.reader.firmware().holds_card();
        let reader = match (slot, self.controller.reader_known, self.reader.firmware().reader_state()) {
            (false, ReaderKnown::Armed, ReaderState::Armed(_)) => ReaderSight::Armed,
            (false, ..) => ReaderSight::NotReady,
            (true, _, ReaderState::Reading(_)) => ReaderSight::Reading,
            // The screen shows the answer, or nothing will come: the dealer takes the card back.
            (true, ReaderKnown::Reading, ReaderState::Answered(..)) => ReaderSight::Reading,
            (true, ..) => ReaderSight::TakeOut,
        };
        let waits = self.pulled > self.controller.accounted;
        Visible {
            reader,
            cut_card_out: self.cut_card_out,
            shoe_lives: self.controller.shoe.state().is_live(),
            card_waits_ms: self.in_hand.filter(|_| waits).map(|(_, since)| self.now.since(since)),
            last_open: self.last_open,
            chips: self.panel.chips().iter().filter_map(|spot| Seat::new(spot.seat)).collect(),
        }
    }

    fn do_something(&mut self) -> Result<(), Stopped> {
        self.make_mischief();
        let prompt = self.controller.prompt();
        let view = self.controller.engine.view();
        let visible = self.visible();
        let deed = self.robot.next(&self.table, &prompt, &view, &visible);
        self.watch.deed(&prompt, deed, self.now);
        let now = self.now;
        let main = |seat: Seat| Spot { seat: seat.number(), spot: 1 };
        match deed {
            Deed::Wait => Ok(()),
            Deed::PutChip(seat) => {
                self.panel.put_chip(main(seat), now);
                Ok(())
            }
            Deed::TakeChip(seat) => {
                self.panel.take_chip(main(seat), now);
                Ok(())
            }
            Deed::PressLock => {
                self.panel.press_lock(true, now);
                self.lock_held_until = Some(now + 150);
                Ok(())
            }
            Deed::DrawCard => self.draw(&prompt.order, false),
            Deed::DrawCardFaceDown => {
                self.controller.say_face_down();
                self.draw(&prompt.order, true)
            }
            Deed::InsertHoleCard(how) => self.insert(how),
            Deed::RemoveHoleCard => {
                let _ = self.reader.act(now, ReaderFirmware::remove);
                Ok(())
            }
            Deed::TurnHoleCard => {
                let hole = self.hole.ok_or(Stopped::NoCard)?;
                self.last_open = None;
                self.controller.turn_hole_card(hole)
            }
            Deed::TurnCard(seat) => {
                let card = self.down.get_mut(&seat).and_then(VecDeque::pop_front).ok_or(Stopped::NoCard)?;
                self.controller.turn_card(seat, card)
            }
            Deed::TellMissedCard => {
                self.tally.cards_told_by_hand += 1;
                let (card, _) = self.in_hand.ok_or(Stopped::NoCard)?;
                self.controller.tell_missed_card(card)
            }
            Deed::Shuffle => self.shuffle(),
            Deed::Cut { by, depth } => {
                let place = usize::from(depth).min(self.stack.len());
                self.stack.rotate_left(place);
                self.controller.apply(&Input::Cut { by, depth })
            }
            Deed::PlaceCover(from_bottom) => {
                self.cover_at = Some(from_bottom);
                self.controller.apply(&Input::PlaceCover(from_bottom))
            }
            Deed::LoadShoe => self.fill_shoe(),
            Deed::Tap(input) => self.controller.apply(&input),
        }
    }

    fn draw(&mut self, order: &Order, down: bool) -> Result<(), Stopped> {
        loop {
            let pulled = self.shoe.act(self.now, |shoe, _, out| shoe.draw(out)).ok_or(Stopped::OutOfCards)?;
            let card = match pulled {
                Pulled::CutCard => {
                    self.cut_card_out = true;
                    continue;
                }
                Pulled::Card(card) => card,
            };
            self.pulled += 1;
            self.tally.cards += 1;
            self.on_table.push(card);
            self.in_hand = Some((card, self.now));
            if matches!(order, Order::DealHoleCard) {
                self.hole = Some(card);
            } else if let Order::DealDouble { seat, .. } = order
                && down
            {
                self.down.entry(*seat).or_default().push_back(card);
            } else {
                self.last_open = Some(card);
            }
            return Ok(());
        }
    }

    fn insert(&mut self, how: Insertion) -> Result<(), Stopped> {
        let card = self.hole.ok_or(Stopped::NoCard)?;
        // A slot that is not free any more is seen at the next look.
        let _ = self.reader.act(self.now, |reader, now, out| match how {
            Insertion::Straight => reader.insert(card, now, out),
            Insertion::Half => reader.insert_half(card, now),
            Insertion::Askew => reader.insert_askew(out),
            Insertion::PulledEarly => reader.insert(card, now, out).and_then(|()| reader.remove(now, out)),
        });
        Ok(())
    }

    /// Everybody talks until nobody has anything to say at this moment.
    fn settle(&mut self) -> Result<(), Stopped> {
        let now = self.now;
        if self.lock_held_until.take_if(|until| *until <= now).is_some() {
            self.panel.press_lock(false, now);
        }
        self.feel()?;
        loop {
            let mut busy = exchange(&mut self.controller.reader, &mut self.reader, now, &mut self.watch);
            busy |= exchange(&mut self.controller.shoe, &mut self.shoe, now, &mut self.watch);
            busy |= exchange(&mut self.controller.shuffler, &mut self.shuffler, now, &mut self.watch);
            busy |= self.controller.work(now)?;
            if !busy {
                return Ok(());
            }
        }
    }

    /// Edges from the felt: the button counts at once, a chip when its sensor has come to rest.
    fn feel(&mut self) -> Result<(), Stopped> {
        while let Some(edge) = self.panel.lines.poll_edge() {
            if edge.line == LOCK_BUTTON {
                if !edge.high {
                    self.controller.handle_lock_pressed()?;
                }
            } else {
                self.sensors_rest_at = Some(edge.at + DEBOUNCE_MS);
            }
        }
        if self.sensors_rest_at.take_if(|at| *at <= self.now).is_none() {
            return Ok(());
        }
        for seat in (1..=self.table.positions).filter_map(Seat::new) {
            let spot = Spot { seat: seat.number(), spot: 1 };
            let lies = self.panel.sensor_line(spot).is_some_and(|line| !self.panel.lines.level(line));
            if lies != self.chips_known.contains(&seat) {
                self.chips_known.retain(|known| *known != seat);
                if lies {
                    self.chips_known.push(seat);
                }
                self.controller.handle_chip(seat, lies)?;
            }
        }
        Ok(())
    }

    fn advance(&mut self) {
        let controller = &self.controller;
        let links =
            [controller.reader.poll_deadline(), controller.shoe.poll_deadline(), controller.shuffler.poll_deadline()];
        let twins = [self.reader.poll_deadline(), self.shoe.poll_deadline(), self.shuffler.poll_deadline()];
        let own = [self.sensors_rest_at, self.lock_held_until, controller.poll_deadline(self.now), Some(self.deed_at)];
        let next = links.into_iter().chain(twins).chain(own).flatten().min().unwrap_or(self.deed_at);
        self.now = next.max(self.now + 1).min(self.deed_at.max(self.now + 1));
        let now = self.now;
        self.controller.reader.handle_timeout(now);
        self.controller.shoe.handle_timeout(now);
        self.controller.shuffler.handle_timeout(now);
        self.reader.handle_timeout(now);
        self.shoe.handle_timeout(now);
        self.shuffler.handle_timeout(now);
    }

    fn run_for(&mut self, ms: u64) -> Result<(), Stopped> {
        let until = self.now + ms;
        self.deed_at = until;
        while self.now < until {
            self.settle()?;
            self.advance();
        }
        self.settle()
    }

    /// The round is over: cards to the discard rack, chips away, the reader's slot empty.
    fn clear_layout(&mut self) -> Result<(), Stopped> {
        if self.reader.firmware().holds_card() {
            let _ = self.reader.act(self.now, ReaderFirmware::remove);
        }
        for spot in self.panel.chips().to_vec() {
            self.panel.take_chip(spot, self.now);
        }
        self.discards.append(&mut self.on_table);
        self.hole = None;
        self.down.clear();
        self.in_hand = None;
        self.last_open = None;
        self.controller.end_round();
        self.run_for(500)
    }
}

/// Both ends say what they have to say. True if anything was said.
fn exchange<F: Firmware>(
    host: &mut LinkHost<F::Protocol>,
    twin: &mut Simulated<F>,
    now: Millis,
    watch: &mut Watch,
) -> bool
where
    Simulated<F>: Twin,
{
    let mut busy = false;
    while let Some(bytes) = host.poll_transmit(now) {
        watch.bytes(F::Protocol::KIND, false, &bytes, now);
        twin.handle_bytes(&bytes, now);
        busy = true;
    }
    while let Some(bytes) = twin.poll_transmit(now) {
        watch.bytes(F::Protocol::KIND, true, &bytes, now);
        host.handle_bytes(&bytes, now);
        busy = true;
    }
    busy
}
