//! The things on the table: cards in stacks, hands and the shoe, chips on the felt, a card in the reader.
//!
//! Everything happens physically: a card leaves the simulated shoe, goes into the simulated reader, a chip covers a
//! sensor. What the table knows of it, it learns through its devices.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use device_protocols::link::Millis;
use device_protocols::reader::{ReaderFault, ReaderState};
use device_protocols::shuffler::{BatchColour, JamSeverity, ShufflerState};
use table_rules::Table;
use table_rules::card::{Card, Rank};

use super::site::PortPaths;
use crate::dice::Dice;
use crate::panel::{Panel, Spot, Wiring};
use crate::port::RunningTwin;
use crate::reader::ReaderTwin;
use crate::shoe::{Pulled, ShoeTwin};
use crate::shuffler::ShufflerTwin;

pub struct World {
    pub reader: RunningTwin<ReaderTwin>,
    pub shoe: RunningTwin<ShoeTwin>,
    /// `None` where the cards are shuffled by hand.
    shuffler: Option<RunningTwin<ShufflerTwin>>,
    panel: Arc<Mutex<Panel>>,
    started: Instant,
    dice: Dice,
    decks: Vec<Card>,
    /// Where the cards are that are not in a machine.
    on_table: Vec<Card>,
    discards: Vec<Card>,
    stack: Vec<Card>,
    cover_at: Option<usize>,
    pub hole: Option<Card>,
    pub down: BTreeMap<u8, Vec<Card>>,
    /// The card drawn last, as the dealer's hand shows it.
    pub in_hand: Option<Card>,
    drawn: Vec<Card>,
}

type Twins = (RunningTwin<ReaderTwin>, Option<RunningTwin<ShufflerTwin>>, RunningTwin<ShoeTwin>);

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}

impl World {
    /// Sets the twins on their ports. `cycle_ms`: how long a shuffle takes.
    pub fn new(table: &Table, spots: u8, paths: &PortPaths, seed: u64, cycle_ms: u64) -> io::Result<Self> {
        let mut dice = Dice::new(seed);
        let now = Millis(0);
        let reader = RunningTwin::on_pty(ReaderTwin::new(dice.roll(), now), Some(&paths.reader), None)?;
        let shoe = RunningTwin::on_pty(ShoeTwin::new(dice.roll(), now), Some(&paths.shoe), None)?;
        let shuffler = ShufflerTwin::new(dice.roll(), now);
        let shuffler = match &paths.shuffler {
            Some(path) => Some(RunningTwin::on_pty(shuffler, Some(path), None)?),
            None => None,
        };
        Ok(Self::with_twins(table, spots, (reader, shuffler, shoe), dice, cycle_ms))
    }

    /// Sets all three twins on TCP ports of this machine, as a virtual board's serial lines reach them.
    pub fn on_tcp(table: &Table, spots: u8, seed: u64, cycle_ms: u64) -> io::Result<Self> {
        let mut dice = Dice::new(seed);
        let (now, any) = (Millis(0), SocketAddr::from(([127, 0, 0, 1], 0)));
        let reader = RunningTwin::on_tcp(ReaderTwin::new(dice.roll(), now), any, None)?;
        let shoe = RunningTwin::on_tcp(ShoeTwin::new(dice.roll(), now), any, None)?;
        let shuffler = RunningTwin::on_tcp(ShufflerTwin::new(dice.roll(), now), any, None)?;
        Ok(Self::with_twins(table, spots, (reader, Some(shuffler), shoe), dice, cycle_ms))
    }

    fn with_twins(table: &Table, spots: u8, twins: Twins, dice: Dice, cycle_ms: u64) -> Self {
        let (reader, shuffler, shoe) = twins;
        if let Some(shuffler) = &shuffler {
            shuffler.act(|twin, now| twin.act(now, |machine, _, _| machine.cycle_ms = cycle_ms.max(200)));
        }
        let decks: Vec<Card> = (0..table.decks).flat_map(|_| table.game.deck()).collect();
        Self {
            reader,
            shoe,
            shuffler,
            panel: Arc::new(Mutex::new(Panel::new(Wiring::Lines, table.positions, spots))),
            started: Instant::now(),
            dice,
            discards: decks.clone(),
            decks,
            on_table: Vec::new(),
            stack: Vec::new(),
            cover_at: None,
            hole: None,
            down: BTreeMap::new(),
            in_hand: None,
            drawn: Vec::new(),
        }
    }

    /// Where the serial devices are: reader, shuffler, shoe.
    pub fn places(&self) -> [Option<String>; 3] {
        [Some(self.reader.place()), self.shuffler.as_ref().map(RunningTwin::place), Some(self.shoe.place())]
    }

    pub fn shuffler(&self) -> Option<&RunningTwin<ShufflerTwin>> {
        self.shuffler.as_ref()
    }

    pub fn panel(&self) -> MutexGuard<'_, Panel> {
        self.panel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    pub fn put_chip(&self, seat: u8, spot: u8) {
        self.panel().put_chip(Spot { seat, spot }, self.now());
    }

    pub fn take_chip(&self, seat: u8, spot: u8) {
        self.panel().take_chip(Spot { seat, spot }, self.now());
    }

    pub fn press_lock(&self, pressed: bool) {
        self.panel().press_lock(pressed, self.now());
    }

    pub fn lock_is_pressed(&self) -> bool {
        self.panel().lock_is_pressed()
    }

    pub fn chips(&self) -> Vec<(u8, u8)> {
        self.panel().chips().iter().map(|chip| (chip.seat, chip.spot)).collect()
    }

    /// Pulls the next card. `false` when the shoe is empty.
    pub fn draw(&mut self, goes: Goes) -> bool {
        loop {
            match self.shoe.act(|twin, now| twin.act(now, |shoe, _, out| shoe.draw(out))) {
                None => return false,
                Some(Pulled::CutCard) => {}
                Some(Pulled::Card(card)) => {
                    self.on_table.push(card);
                    self.in_hand = Some(card);
                    self.drawn.push(card);
                    match goes {
                        Goes::Up => {}
                        Goes::Hole => self.hole = Some(card),
                        Goes::Down(seat) => self.down.entry(seat).or_default().push(card),
                    }
                    return true;
                }
            }
        }
    }

    /// Every card that has left the shoe, in its order.
    pub fn drawn(&self) -> &[Card] {
        &self.drawn
    }

    /// Somebody sorts the shoe: the next cards out are these, as far as it holds them. The cut card stays where it was.
    pub fn sort_shoe(&mut self, wanted: &[Card]) {
        self.shoe.act(|twin, now| {
            twin.act(now, |shoe, _, _| {
                let before_cut = shoe.before_cut();
                let mut cards = shoe.unload();
                let mut place = 0;
                for card in wanted {
                    if let Some(at) = cards.iter().skip(place).position(|each| each == card) {
                        cards.swap(place, place + at);
                        place += 1;
                    }
                }
                shoe.load(&cards, before_cut);
            });
        });
    }

    /// Somebody sorts the shoe: the next cards out are this many of one rank, two to nine, and suit. `false` where it no
    /// longer holds so many alike; then it stays as it is. The cut card stays where it was.
    pub fn sort_shoe_alike(&mut self, count: usize) -> bool {
        self.shoe.act(|twin, now| {
            twin.act(now, |shoe, _, _| {
                let before_cut = shoe.before_cut();
                let mut cards = shoe.unload();
                let plain =
                    |card: &Card| !matches!(card.rank(), Rank::Ace | Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
                let alike = |card: &&Card| cards.iter().filter(|each| each == card).count() >= count;
                let chosen = cards.iter().filter(|card| plain(card)).find(alike).copied();
                if let Some(chosen) = chosen {
                    for place in 0..count {
                        if let Some(at) = cards.iter().skip(place).position(|each| *each == chosen) {
                            cards.swap(place, place + at);
                        }
                    }
                }
                shoe.load(&cards, before_cut);
                chosen.is_some()
            })
        })
    }

    /// The shoe has told of a draw and nobody has confirmed it yet.
    pub fn shoe_waits(&self) -> bool {
        self.shoe.look(|twin| twin.link().events_waiting() > 0)
    }

    /// A device has told of something and nobody has confirmed it yet.
    pub fn anything_waits(&self) -> bool {
        self.shoe_waits()
            || self.reader.look(|twin| twin.link().events_waiting() > 0)
            || self.shuffler.as_ref().is_some_and(|shuffler| shuffler.look(|twin| twin.link().events_waiting() > 0))
    }

    pub fn insert_hole_card(&self) {
        if let Some(card) = self.hole {
            let _taken = self.reader.act(|twin, now| twin.act(now, |reader, now, out| reader.insert(card, now, out)));
        }
    }

    /// A card of the test set; a blank one is a card that nothing can be read from.
    pub fn insert_test_card(&self, name: &str) {
        let rank = ["ace", "king", "queen", "jack", "ten", "nine", "five"].into_iter().zip("AKQJT95".chars());
        let letter = rank.into_iter().find(|(word, _)| name.contains(word)).map_or('2', |(_, letter)| letter);
        let readable = !["blank", "face up", "half"].iter().any(|word| name.contains(word));
        let card: Option<Card> = format!("{letter}{}", if name.contains("red") { 'h' } else { 's' }).parse().ok();
        if let Some(card) = card {
            let _taken = self.reader.act(|twin, now| {
                twin.act(now, |reader, now, out| {
                    reader.mistakes.misread_per_mille = if readable { 0 } else { 1_000 };
                    reader.insert(card, now, out)
                })
            });
        }
    }

    pub fn take_card_out(&self) {
        let _taken = self.reader.act(|twin, now| {
            twin.act(now, |reader, now, out| {
                reader.mistakes.misread_per_mille = 0;
                reader.remove(now, out)
            })
        });
    }

    pub fn reader_holds_card(&self) -> bool {
        self.reader.look(|twin| twin.firmware().holds_card())
    }

    pub fn reader_state(&self) -> ReaderState {
        self.reader.look(|twin| twin.firmware().reader_state())
    }

    pub fn reader_awaits_test_card(&self) -> bool {
        self.reader.look(|twin| twin.firmware().awaits_test_card())
    }

    /// All cards of the table into the shuffler. Nothing happens while it holds some already.
    pub fn load_shuffler(&mut self) {
        let Some(state) = self.shuffler_state() else { return };
        match state {
            ShufflerState::Empty => {
                let cards = self.gather();
                let _loaded = self.shuffler.as_ref().map(|shuffler| {
                    shuffler
                        .act(|twin, now| twin.act(now, |machine, _, out| machine.load(cards, BatchColour::Red, out)))
                });
            }
            // A batch that stopped half way or was counted wrong comes out by hand and goes in again.
            ShufflerState::Jammed | ShufflerState::Counted => {
                let cards = self.take_batch();
                self.discards.extend(cards);
            }
            ShufflerState::Booting
            | ShufflerState::Loaded
            | ShufflerState::Shuffling
            | ShufflerState::Ready
            | ShufflerState::Unloading
            | ShufflerState::DoorOpen
            | ShufflerState::Service
            | ShufflerState::Faulted
            | ShufflerState::OutOfService => {}
        }
    }

    /// `None` where the cards are shuffled by hand.
    pub fn shuffler_state(&self) -> Option<ShufflerState> {
        Some(self.shuffler.as_ref()?.look(|twin| twin.firmware().shuffler_state()))
    }

    fn take_batch(&self) -> Vec<Card> {
        self.shuffler.as_ref().map_or_else(Vec::new, |shuffler| {
            shuffler.act(|twin, now| twin.act(now, |machine, _, out| machine.take_batch(out)))
        })
    }

    fn gather(&mut self) -> Vec<Card> {
        let mut cards = std::mem::take(&mut self.discards);
        cards.append(&mut self.on_table);
        cards.append(&mut self.stack);
        cards.extend(self.shoe.act(|twin, now| twin.act(now, |shoe, _, _| shoe.unload())));
        cards
    }

    pub fn shuffle_by_hand(&mut self) {
        let mut cards = self.gather();
        self.dice.shuffle(&mut cards);
        self.stack = cards;
    }

    /// The shuffled cards, out of the machine where they are still in it.
    fn take_stack(&mut self) {
        if self.stack.is_empty() {
            self.stack = self.take_batch();
        }
        if self.stack.is_empty() {
            // The machine was emptied while nobody looked (a cut in mid-shuffle): fresh cards, shuffled by hand.
            self.stack = self.decks.clone();
            self.dice.shuffle(&mut self.stack);
        }
    }

    pub fn cut(&mut self, depth: usize) {
        self.take_stack();
        let depth = depth.min(self.stack.len());
        self.stack.rotate_left(depth);
    }

    pub fn place_cover(&mut self, from_bottom: usize) {
        self.take_stack();
        self.cover_at = Some(self.stack.len().saturating_sub(from_bottom));
    }

    pub fn fill_shoe(&mut self) {
        self.take_stack();
        let (stack, cut) = (std::mem::take(&mut self.stack), self.cover_at.take());
        self.shoe.act(|twin, now| twin.act(now, |shoe, _, _| shoe.load(&stack, cut)));
    }

    /// The round is over: cards to the rack, chips away, the reader's slot empty.
    pub fn clear_layout(&mut self) {
        if self.reader_holds_card() {
            self.take_card_out();
        }
        for (seat, spot) in self.chips() {
            self.take_chip(seat, spot);
        }
        self.discards.append(&mut self.on_table);
        self.hole = None;
        self.down.clear();
        self.in_hand = None;
    }

    pub fn cards_on_table(&self) -> bool {
        !self.on_table.is_empty()
    }

    // Things that go wrong on purpose.

    pub fn make_reader_unread(&self) {
        self.reader.act(|twin, now| twin.act(now, |reader, _, _| reader.mistakes.misread_per_mille = 1_000));
    }

    pub fn reader_fault(&self, stands: bool) {
        self.reader.act(|twin, now| {
            twin.act(now, |reader, _, out| reader.set_fault(ReaderFault::SensorStuck, stands, out));
        });
    }

    /// `false` while the machine does not shuffle.
    pub fn jam(&self) -> bool {
        self.shuffler.as_ref().is_some_and(|shuffler| {
            shuffler
                .act(|twin, now| twin.act(now, |machine, now, out| machine.jam(JamSeverity::Stuck, now, out)))
                .is_ok()
        })
    }
}

/// Where the next card is laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goes {
    Up,
    Hole,
    Down(u8),
}
