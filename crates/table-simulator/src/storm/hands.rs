//! The table as it lies there, and the people at it. A robot deals and plays; here its deeds become inputs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use device_protocols::reader::ReaderCommand;
use operator_api::Action;
use table_controller::{
    BatchColour, Input, JournalInput, LayoutInput, Output, ReaderAnswer, ReaderInput, ShoeInput, ShoeSide,
    ShufflerInput, Spot,
};
use table_rules::card::{Card, Rank, Suit};
use table_rules::input::{Draw, Input as Word, InputKind};
use table_rules::prompt::Order;
use table_rules::seat::Seat;

use super::Storm;
use crate::robot::{Deed, Insertion, ReaderSight, Visible};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Idle,
    Armed,
    Holds,
}

/// What lies there.
#[derive(Debug)]
pub(super) struct World {
    pub(super) shoe: VecDeque<Card>,
    pub(super) drawn: u16,
    pub(super) slot: BTreeMap<u16, Card>,
    pub(super) hole: Option<Card>,
    pub(super) down: BTreeMap<u8, VecDeque<Card>>,
    /// A card that the shoe could not read.
    pub(super) unread: Option<Card>,
    pub(super) last_open: Option<Card>,
    pub(super) chips: BTreeSet<Spot>,
    pub(super) reader: Slot,
    pub(super) reader_up: bool,
    pub(super) shoe_up: bool,
    pub(super) cut_card_out: bool,
    /// Cards left before the cut card comes.
    cover_at: usize,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            shoe: VecDeque::new(),
            drawn: 0,
            slot: BTreeMap::new(),
            hole: None,
            down: BTreeMap::new(),
            unread: None,
            last_open: None,
            chips: BTreeSet::new(),
            reader: Slot::Idle,
            reader_up: false,
            shoe_up: false,
            cut_card_out: false,
            cover_at: 60,
        }
    }

    pub(super) fn clear_layout(&mut self) {
        self.chips.clear();
        self.down.clear();
        (self.hole, self.unread, self.last_open) = (None, None, None);
    }

    /// The process is gone, and with it what only it knew.
    pub(super) fn forget(&mut self) {
        self.slot.clear();
        (self.reader_up, self.shoe_up) = (false, false);
        if self.reader == Slot::Armed {
            self.reader = Slot::Idle;
        }
    }

    pub(super) fn obey(&mut self, command: Output) {
        match command {
            Output::Open { .. } => {}
            Output::Discard { draw, .. } => {
                self.slot.remove(&draw.0);
            }
            Output::DiscardAll { .. } => self.slot.clear(),
            Output::Shoe { .. } => self.drawn = 0,
            Output::Reader(ReaderCommand::Arm { .. }) => self.reader = Slot::Armed,
            Output::Reader(ReaderCommand::Disarm | ReaderCommand::LeaveTest) => {
                if self.reader == Slot::Armed {
                    self.reader = Slot::Idle;
                }
            }
            Output::Reader(ReaderCommand::EnterTest | ReaderCommand::ArmTest { .. } | ReaderCommand::CycleLamps)
            | Output::Shuffler(_)
            | Output::Lamp { .. }
            | Output::LockLamp { .. }
            | Output::LampTest
            | Output::Reopen => {}
        }
    }
}

impl Storm {
    /// The next thing that happens at the table.
    pub(super) fn go_on(&mut self) -> Result<(), String> {
        let pause = 1_000 + i64::try_from(self.dice.below(9_000)).unwrap_or(0);
        self.pass(pause)?;
        if self.disk.fills_up() {
            self.put(&Input::Journal(JournalInput::NearlyFull))?;
        }
        if self.make_trouble()? {
            return Ok(());
        }
        let before = (self.controller.engine().order().0, self.controller.engine().round());
        let rounds = self.tally.rounds;
        if !self.controller.in_round() && !self.controller.stops().is_empty() {
            self.remove_stops()?;
        } else {
            self.deed()?;
        }
        // Now and then a dealer who has just ended a round takes that back (H5).
        if self.tally.rounds != rounds && rounds.is_multiple_of(9) {
            let _refused = self.words("undo")?;
        }
        let after = (self.controller.engine().order().0, self.controller.engine().round());
        self.idle = if before == after { self.idle + 1 } else { 0 };
        match self.idle {
            0..60 => Ok(()),
            // Wagers that begin anew are given the time to be laid and locked.
            60..160 if self.controller.engine().is_wagering() && !self.idle.is_multiple_of(20) => Ok(()),
            60..160 => self.get_out(),
            _ => {
                let order = self.controller.engine().order_in_words();
                Err(format!("the table does not come further: {order} {:?}", self.controller.stops()))
            }
        }
    }

    /// A floorperson looks at a table that does not come further.
    fn get_out(&mut self) -> Result<(), String> {
        if self.controller.engine().is_wagering() {
            // Everybody takes their chips back, and it begins anew.
            for spot in std::mem::take(&mut self.world.chips) {
                self.put(&Input::Layout(LayoutInput::Removed(spot)))?;
            }
            for each in self.controller.engine().view().boxes {
                let _said = self.words(&format!("unwager {} main", each.seat))?;
            }
            let held = self.screen().alerts.into_iter().find(|alert| alert.text.contains("restarted while bets lay"));
            if let Some(alert) = held {
                let _open = self.person(Some(super::FLOOR), Action::Clear { alert: alert.alert })?;
            }
            self.robot.begin_round(&self.config.table);
            return Ok(());
        }
        let way = ["floor void", "undo", "correct \"stuck\"", "floor approve", "settled", "next"];
        let words = way[self.dice.index(way.len())];
        let _refused = self.words(words)?;
        Ok(())
    }

    fn visible(&self) -> Visible {
        let reader = match self.world.reader {
            Slot::Armed if self.world.reader_up => ReaderSight::Armed,
            Slot::Armed | Slot::Idle => ReaderSight::NotReady,
            Slot::Holds => ReaderSight::TakeOut,
        };
        let main = self.world.chips.iter().filter(|spot| spot.spot == 1);
        Visible {
            reader,
            shoe_lives: self.world.shoe_up && !self.world.shoe.is_empty(),
            cut_card_out: self.world.cut_card_out,
            card_waits_ms: self.world.unread.map(|_| 10_000),
            last_open: self.world.last_open,
            chips: main.filter_map(|spot| Seat::new(spot.seat)).collect(),
        }
    }

    fn deed(&mut self) -> Result<(), String> {
        let prompt = self.controller.engine().prompt();
        if self.answer_for_robot(&prompt.order)? {
            return Ok(());
        }
        self.look_for_unnamed();
        let view = self.controller.engine().view();
        let visible = self.visible();
        match self.robot.next(&self.config.table, &prompt, &view, &visible) {
            Deed::Wait => Ok(()),
            Deed::PutChip(seat) => self.put_chip(seat),
            Deed::TakeChip(seat) => self.take_chip(seat),
            Deed::PressLock => self.press_lock(),
            Deed::DrawCard => self.draw(),
            Deed::DrawCardFaceDown => {
                let _said = self.person(None, Action::FaceDown)?;
                self.draw()
            }
            Deed::InsertHoleCard(how) => self.insert(how),
            Deed::RemoveHoleCard => {
                self.world.reader = Slot::Idle;
                self.put(&Input::Reader(ReaderInput::Removed))
            }
            Deed::TurnHoleCard => self.turn_hole_card(),
            Deed::TurnCard(seat) => self.turn_card(seat),
            Deed::TellMissedCard => {
                let Some(card) = self.world.unread.take() else { return Ok(()) };
                let _said = self.words(&format!("card {card}"))?;
                Ok(())
            }
            Deed::Shuffle => self.shuffle(),
            Deed::Cut { by, depth } => self.tap(&Word::Cut { by, depth }),
            Deed::PlaceCover(from_bottom) => self.tap(&Word::PlaceCover(from_bottom)),
            Deed::LoadShoe => {
                self.fill_shoe();
                self.tap(&Word::Load)
            }
            Deed::Tap(word) => self.tap(&word),
        }
    }

    /// A card that came early and has no name is asked for when its turn has come: the dealer looks at it.
    fn look_for_unnamed(&mut self) {
        let asked = |alert: &operator_api::AlertView| !alert.ended && alert.text.contains("enter it");
        if self.world.unread.is_none()
            && self.controller.engine().offers().offers(InputKind::Card)
            && self.screen().alerts.iter().any(asked)
        {
            self.world.unread = Some(Card::new(Rank::Nine, Suit::Spades));
        }
    }

    /// Orders that the robot's people do not know: side wagers, irregularities and their answers.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other order is the robot's")]
    fn answer_for_robot(&mut self, order: &Order) -> Result<bool, String> {
        let words = match order {
            Order::VerifyHand | Order::VerifyLamp | Order::AnswerPayments => "next".to_owned(),
            Order::NotifyFloor | Order::TearTen | Order::ApproveLine => "floor approve".to_owned(),
            Order::ApproveLineSecond => {
                let same = self.person(Some(super::FLOOR), Action::Play { words: "manager approve".to_owned() })?;
                if same.is_ok() {
                    return Err("the first person approved as the second".to_owned());
                }
                let approve = Action::Play { words: "manager approve".to_owned() };
                let _said = self.person(Some(super::MANAGER), approve)?;
                return Ok(true);
            }
            Order::OfferExposedCard { seat, .. }
            | Order::OfferSecondCard { seat, .. }
            | Order::OfferMissedCard(seat) => {
                let yes = self.dice.per_mille(500);
                format!("{} {seat}", if yes { "accept" } else { "refuse" })
            }
            Order::TellDraw { must_hit_falls } => {
                let mut drawn = (1..=8).filter_map(Seat::new).map(Draw::MustHit).filter(|_| *must_hit_falls);
                let is_open = |draw: &Draw| self.controller.engine().offers_input(&Word::Draw(*draw));
                let draw = drawn.find(is_open).unwrap_or(Draw::None);
                self.put(&Input::Chance { words: Word::Draw(draw).to_string() })?;
                return Ok(true);
            }
            Order::SpinWheel { seat, wager } => {
                let symbol = WHEEL[self.dice.index(WHEEL.len())];
                self.put(&Input::Chance { words: format!("wheel {seat} {wager} {symbol}") })?;
                return Ok(true);
            }
            Order::ChangeCash(seat) => format!("cash {seat} returned"),
            _ => return Ok(false),
        };
        let _said = self.words(&words)?;
        Ok(true)
    }

    fn tap(&mut self, word: &Word) -> Result<(), String> {
        let _said = self.words(&word.to_string())?;
        Ok(())
    }

    fn put_chip(&mut self, seat: Seat) -> Result<(), String> {
        let main = Spot { seat: seat.number(), spot: 1 };
        self.world.chips.insert(main);
        self.put(&Input::Layout(LayoutInput::Placed(main)))?;
        if self.config.spots.len() > 1 && self.dice.per_mille(600) {
            let side = Spot { seat: seat.number(), spot: 2 };
            self.world.chips.insert(side);
            self.put(&Input::Layout(LayoutInput::Placed(side)))?;
        }
        // Now and then the round's cards come from a joke deck, so that everybody wins what can be won.
        if !self.controller.in_round() && self.dice.per_mille(60) {
            let joke = Card::new(Rank::Seven, Suit::Hearts);
            for card in self.world.shoe.iter_mut().take(14) {
                *card = joke;
            }
        }
        Ok(())
    }

    fn take_chip(&mut self, seat: Seat) -> Result<(), String> {
        let spot = Spot { seat: seat.number(), spot: 1 };
        self.world.chips.remove(&spot);
        let late = self.controller.in_round();
        self.put(&Input::Layout(if late { LayoutInput::LateRemoved(spot) } else { LayoutInput::Removed(spot) }))
    }

    fn press_lock(&mut self) -> Result<(), String> {
        if self.screen().locked && !self.controller.in_round() {
            // The sensors have been closed since the start: the word does it.
            return self.tap(&Word::Lock);
        }
        self.put(&Input::Layout(LayoutInput::Locked))?;
        let mut accepted: Vec<Spot> = self.world.chips.iter().copied().collect();
        let mut late = Vec::new();
        if self.dice.per_mille(60) && accepted.len() > 1 {
            late.extend(accepted.pop());
        }
        self.put(&Input::Layout(LayoutInput::Split { accepted, late, doubtful: Vec::new() }))
    }

    pub(super) fn draw(&mut self) -> Result<(), String> {
        let Some(mut card) = self.world.shoe.pop_front() else { return Ok(()) };
        if self.world.shoe.len() == self.world.cover_at {
            self.world.cut_card_out = true;
            self.put(&Input::Shoe { side: ShoeSide::Left, event: ShoeInput::CutCard })?;
        }
        self.world.drawn += 1;
        let draw = self.world.drawn;
        let lay_down = self.controller.engine().hole_card_lies_down();
        let order = self.controller.engine().order().0;
        if order == Order::DealHoleCard {
            card = self.exchanged(card);
        }
        let doubles = if let Order::DealDouble { seat, .. } = order { Some(seat) } else { None };
        let dealt = self.tally.inputs;
        if self.dice.per_mille(12) {
            let face_up = !matches!(order, Order::DealHoleCard | Order::BurnFirstCard | Order::BurnForNewDealer);
            self.world.unread = face_up.then_some(card);
            self.put(&Input::Shoe { side: ShoeSide::Left, event: ShoeInput::Unread { draw } })?;
            if !self.screen().alerts.iter().any(|alert| !alert.ended && alert.text.contains("could not read")) {
                self.world.unread = None;
            }
        } else {
            self.world.slot.insert(draw, card);
            self.put(&Input::Shoe { side: ShoeSide::Left, event: ShoeInput::Drawn { draw, in_play: true } })?;
            self.world.last_open = (self.tally.inputs > dealt + 1).then_some(card);
        }
        if !lay_down && self.controller.engine().hole_card_lies_down() {
            self.world.hole = Some(card);
        } else if let Some(seat) = doubles.filter(|_| self.tally.inputs == dealt + 1) {
            self.world.down.entry(seat.number()).or_default().push_back(card);
        }
        Ok(())
    }

    /// What a reader in order says of the card in the dealer's hand.
    fn honest(&self) -> ReaderAnswer {
        let ten = |card: Card| matches!(card.rank(), Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
        let up = self.controller.engine().dealer().cards().first().copied();
        let yes = up
            .zip(self.world.hole)
            .is_some_and(|(up, hole)| (up.rank() == Rank::Ace && ten(hole)) || (ten(up) && hole.rank() == Rank::Ace));
        if yes { ReaderAnswer::Yes } else { ReaderAnswer::No }
    }

    fn insert(&mut self, how: Insertion) -> Result<(), String> {
        let reader = |event| Input::Reader(event);
        match how {
            Insertion::Half => return self.put(&reader(ReaderInput::HalfInserted)),
            Insertion::Askew => return self.put(&reader(ReaderInput::Misplaced)),
            Insertion::PulledEarly => {
                self.put(&reader(ReaderInput::Inserted))?;
                return self.put(&reader(ReaderInput::RemovedEarly));
            }
            Insertion::Straight => {}
        }
        self.world.reader = Slot::Holds;
        if self.dice.per_mille(20) {
            self.disk.cut_power_at(self.dice.below(3), 0);
        }
        self.put(&reader(ReaderInput::Inserted))?;
        if !self.world.reader_up {
            // The table was restarted with the card in the reader.
            return Ok(());
        }
        let answer = if self.dice.per_mille(80) {
            ReaderAnswer::Unread
        } else if self.dice.per_mille(25) {
            if self.honest() == ReaderAnswer::Yes { ReaderAnswer::No } else { ReaderAnswer::Yes }
        } else {
            self.honest()
        };
        self.put(&reader(ReaderInput::Answered(answer)))?;
        if self.dice.per_mille(50) {
            self.put(&reader(ReaderInput::Answered(answer)))?;
        }
        Ok(())
    }

    fn turn_hole_card(&mut self) -> Result<(), String> {
        if self.screen().prompt.shoe_knows && self.dice.per_mille(900) {
            return self.put(&Input::Person(table_controller::PersonInput {
                by: None,
                second: None,
                action: Action::Reveal,
                key: None,
            }));
        }
        let hole = self.world.hole.unwrap_or(Card::new(Rank::Nine, Suit::Spades));
        self.tap(&Word::Reveal(hole))
    }

    fn turn_card(&mut self, seat: Seat) -> Result<(), String> {
        let card = self.world.down.get_mut(&seat.number()).and_then(VecDeque::pop_front);
        if self.screen().prompt.shoe_knows {
            let _said = self.person(None, Action::TurnUp { seat: seat.number() })?;
            return Ok(());
        }
        let card = card.unwrap_or(Card::new(Rank::Nine, Suit::Spades));
        self.tap(&Word::Turn { seat, card })
    }

    fn shuffle(&mut self) -> Result<(), String> {
        let cards = u16::from(self.config.table.decks) * self.config.table.game.cards_per_deck();
        let colour = BatchColour::Red;
        if !self.controller.engine().prompt().offers.offers(InputKind::Shuffle) {
            return Ok(());
        }
        self.put(&Input::Shuffler(ShufflerInput::Loaded { colour }))?;
        if self.dice.per_mille(150) {
            self.put(&Input::Shuffler(ShufflerInput::Jammed { stuck: true }))?;
            return self.put(&Input::Shuffler(ShufflerInput::JamCleared));
        }
        self.put(&Input::Shuffler(ShufflerInput::Started))?;
        let counted = if self.dice.per_mille(50) { cards - 1 } else { cards };
        self.put(&Input::Shuffler(ShufflerInput::Ready { cards: counted, expected: cards, colour }))
    }

    fn fill_shoe(&mut self) {
        let mut all: Vec<Card> = (0..self.config.table.decks).flat_map(|_| self.config.table.game.deck()).collect();
        self.dice.shuffle(&mut all);
        self.world.shoe = all.into();
        self.world.cut_card_out = false;
    }
}

/// Where a wheel may stop, alone or with what everybody else gets.
const WHEEL: [&str; 4] = ["primary-jackpot", "primary-jackpot+150", "1000", "500+100"];
