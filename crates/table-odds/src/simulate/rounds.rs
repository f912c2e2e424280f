//! One simulated table: a dealer who does what the engine's prompt orders, and players who follow a strategy.

mod side_orders;
mod variations;

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::event::{Event, Events, Sink};
use table_rules::hand::Hand;
use table_rules::input::{Cutter, Drawn, Input, InputKind, PeekAnswer, Placing, ShuffleDone};
use table_rules::money::Cents;
use table_rules::prompt::Order;
use table_rules::refusal::Refusal;
use table_rules::seat::Seat;
use table_rules::source::Source;
use table_rules::table::{Shuffler, Table, Tracking, Variation};
use table_rules::text::{OrderInWords, Scene};
use table_rules::wager::WagerId;

use super::rng::Rng;
use super::stack::Stack;
use crate::strategy::{Open, Play, Strategy, UpCard};

/// Somebody who decides for every seat.
pub trait Player {
    /// For a hand that was not doubled.
    fn decide(&self, hand: &Hand, up: UpCard, from_split: bool, open: Open) -> Play;
    /// After `doubles` doubles.
    fn decide_doubled(&self, hand: &Hand, up: UpCard, doubles: u8, redouble_open: bool) -> Play;

    /// Whether the second cards of a Switch box change places.
    fn switches(&self, _hands: [&Hand; 2], _up: UpCard) -> bool {
        false
    }

    /// Whether a blackjack under an ace takes even money.
    fn takes_even_money(&self) -> bool {
        false
    }
}

impl Player for Strategy {
    #[inline]
    fn decide(&self, hand: &Hand, up: UpCard, from_split: bool, open: Open) -> Play {
        Self::decide(self, hand, up, from_split, open)
    }

    #[inline]
    fn decide_doubled(&self, hand: &Hand, up: UpCard, doubles: u8, redouble_open: bool) -> Play {
        Self::decide_doubled(self, hand, up, doubles, redouble_open)
    }

    fn switches(&self, hands: [&Hand; 2], up: UpCard) -> bool {
        Self::switches(self, hands, up)
    }

    fn takes_even_money(&self) -> bool {
        Self::takes_even_money(self)
    }
}

/// Why a run could not go on, boxed to keep the way of success narrow. None of these happens at a table whose engine keeps its word.
#[derive(Clone, PartialEq, Debug)]
pub enum Stopped {
    /// The engine refused what its own prompt had offered.
    Refused(Box<(Input, Refusal)>),
    /// The engine asked for something that no simulated round leads to.
    Unexpected(Box<(Order, Source)>),
    /// Every card of the shoe lies on the table.
    OutOfCards,
    /// No table or strategy to play.
    NoTable,
    /// The machine gave fewer threads than were asked for.
    NoThread { started: usize, cause: String },
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "the engine refused `{}`: {}", refused.0, refused.1),
            Self::Unexpected(asked) => {
                let (order, source) = **asked;
                let order = OrderInWords { order, line: None, several_hands: false, scene: Scene::default() };
                write!(f, "the engine asked for something that no simulated round leads to: {order} [{source}]")
            }
            Self::OutOfCards => f.write_str("every card lies on the table: use more decks or fewer seats"),
            Self::NoTable => f.write_str("the rules no longer allow the table that was to be played"),
            Self::NoThread { started, cause } => {
                write!(f, "this machine gives no more than {started} threads ({cause}): use fewer")
            }
        }
    }
}

impl std::error::Error for Stopped {}

/// A table that plays one round after another. Its events go to `S`: kept, counted or whatever the caller wants of them.
#[derive(Debug)]
pub struct TableRun<'a, P, S = Events> {
    engine: Engine,
    sink: S,
    stack: Stack,
    rng: Rng,
    player: &'a P,
    /// The wagers of every round, the main ones first.
    bets: Vec<Placing>,
    /// The players' cards that lie face down, of a table that deals from the hand.
    cards_down: Vec<(Seat, Card)>,
    is_switch: bool,
    takes_even_money: bool,
    hole: Option<Card>,
    /// What the players see of the dealer's hand, once the hole card is dealt.
    up: Option<UpCard>,
    /// The last order and what it rests on: for whoever wants to know where a run stopped.
    ordered: (Order, Source),
}

/// Why there is nothing more to do. Boxed, so that the way of success stays narrow.
type Done = Result<(), Box<Stopped>>;

impl<'a, P: Player> TableRun<'a, P> {
    /// The stack must hold cards that the table's game plays with: the engine refuses others.
    pub fn new(table: &Table, player: &'a P, seats: u8, stake: Cents, stack: Stack, rng: Rng) -> Self {
        let main = |seat| Placing { seat, wager: WagerId::Main, amount: stake };
        let engine = Engine::new(table.clone(), Tracking::Cards);
        Self {
            ordered: engine.order(),
            engine,
            sink: Events::new(),
            stack,
            rng,
            player,
            bets: (1..=seats).filter_map(Seat::new).map(main).collect(),
            cards_down: Vec::new(),
            is_switch: table.variation == Variation::Switch,
            takes_even_money: table.even_money && player.takes_even_money(),
            hole: None,
            up: None,
        }
    }

    /// Plays one round from its wagers to its last settled line and gives all its events.
    pub fn round(&mut self) -> Result<&[Event], Stopped> {
        self.sink.clear();
        self.play()?;
        Ok(self.sink.as_slice())
    }
}

impl<'a, P: Player, S: Sink> TableRun<'a, P, S> {
    /// Places these in every round besides. The table has to offer them.
    #[must_use]
    pub fn with_side_bets(mut self, side_bets: Vec<Placing>) -> Self {
        self.bets.extend(side_bets);
        self
    }

    /// The same table, its events given to another sink.
    #[must_use]
    pub fn told_to<T: Sink>(self, sink: T) -> TableRun<'a, P, T> {
        let Self { engine, sink: _, stack, rng, player, bets, .. } = self;
        let Self { cards_down, is_switch, takes_even_money, hole, up, ordered, .. } = self;
        TableRun { engine, sink, stack, rng, player, bets, cards_down, is_switch, takes_even_money, hole, up, ordered }
    }

    pub fn sink(&self) -> &S {
        &self.sink
    }

    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Plays one round from its wagers to its last settled line.
    pub fn play(&mut self) -> Result<(), Stopped> {
        self.play_on().map_err(|stopped| *stopped)
    }

    /// The dealer does what is ordered, until wagers are open again.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    fn play_on(&mut self) -> Done {
        self.stack.begin_round();
        (self.hole, self.up) = (None, None);
        self.cards_down.clear();
        self.place_bets()?;
        self.apply(&Input::Lock)?;
        loop {
            self.ordered = self.engine.order();
            match self.ordered.0 {
                Order::DealFirstCard { face_down: false, .. }
                | Order::DealUpCard
                | Order::DealSecondCard { face_down: false, .. }
                | Order::DealHit { .. }
                | Order::DealDouble { .. }
                | Order::DealSplitCard { .. }
                | Order::DealToDealer { .. } => self.draw_and_apply()?,
                Order::AskDecision { .. } => self.ask_for_a_decision()?,
                Order::SettleLine { .. } => self.apply(&Input::Settled)?,
                Order::DealHoleCard => self.deal_hole_card()?,
                // Nobody insures: the insertion closes insurance.
                Order::OfferInsurance if self.takes_even_money => self.take_even_money()?,
                Order::OfferInsurance | Order::InsertHoleCard { .. } => self.apply(&Input::Peek(self.answer()))?,
                Order::TurnHoleCard { .. } => self.turn_hole_card()?,
                _ if self.engine.is_wagering() => return Ok(()),
                order => self.obey_seldom(order)?,
            }
        }
    }

    #[inline(never)]
    fn place_bets(&mut self) -> Done {
        let placed = self.engine.place(&self.bets, &mut self.sink);
        placed.map_err(|(bet, refusal)| refused(&bet.into(), refusal))
    }

    /// An input that is only known when it comes.
    #[inline(never)]
    fn apply_any(&mut self, input: &Input) -> Done {
        self.apply(input)
    }

    /// Inlined, so that the engine's way for this kind is chosen where the input is written.
    #[inline(always)]
    fn apply(&mut self, input: &Input) -> Done {
        self.engine.apply(input, &mut self.sink).map_err(|refusal| refused(input, refusal))
    }

    #[inline(always)]
    fn draw_and_apply(&mut self) -> Done {
        let card = self.draw()?;
        self.apply(&Input::Card(Drawn::FaceUp(card)))
    }

    #[inline(always)]
    fn ask_for_a_decision(&mut self) -> Done {
        if self.is_switch && self.wants_to_switch() {
            return self.apply_any(&Input::Switch);
        }
        match self.decision() {
            // Drawing while a hand is to act is a hit: dealers say no word for it.
            Play::Hit => self.draw_and_apply(),
            Play::Stand => self.apply(&Input::Stand),
            Play::Double => self.apply(&Input::Double(None)),
            Play::Split => self.apply(&Input::Split),
            Play::Surrender => self.apply(&Input::Surrender),
            play @ (Play::Redouble | Play::Rescue) => self.apply_any(&input_of(play)),
        }
    }

    #[inline(never)]
    fn deal_hole_card(&mut self) -> Done {
        self.hole = Some(self.draw()?);
        self.up = self.up_card();
        self.apply(&Input::Card(Drawn::FaceDown))
    }

    #[inline(never)]
    fn turn_hole_card(&mut self) -> Done {
        match self.hole {
            Some(card) => self.apply(&Input::Reveal(card)),
            None => self.unexpected(),
        }
    }

    #[cold]
    fn unexpected(&self) -> Done {
        Err(Box::new(Stopped::Unexpected(Box::new(self.ordered))))
    }

    /// The orders that most rounds do without.
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    fn obey_seldom(&mut self, order: Order) -> Done {
        match order {
            Order::AskAfterDouble { .. } => {
                let play = self.decision_after_double();
                self.apply_any(&input_of(play))
            }
            // The cover card has come: a fresh stack, cut in the middle by whoever is offered it.
            Order::Shuffle(_) | Order::SwapBatches | Order::IntoShuffler => {
                self.apply_any(&Input::Shuffle(self.way_to_shuffle()))
            }
            Order::OfferCut(seat) => {
                let by = seat.map_or(Cutter::Dealer, Cutter::Seat);
                self.apply_any(&Input::Cut { by, depth: self.stack_cards() / 2 })
            }
            Order::PlaceCover { least, .. } => self.apply_any(&Input::PlaceCover(least)),
            Order::LoadShoe { .. } | Order::TakeIntoHand => self.apply_any(&Input::Load),
            Order::BurnFirstCard => {
                self.draw()?;
                self.apply_any(&Input::Burn)
            }
            // Each box is its own person.
            Order::TellPersons => self.apply_any(&Input::Next),
            order => self.obey_variation(&order),
        }
    }

    fn way_to_shuffle(&self) -> ShuffleDone {
        match self.engine.table().shuffler {
            Shuffler::ByHand => ShuffleDone::ByHand,
            Shuffler::Batch | Shuffler::Continuous => ShuffleDone::Device,
        }
    }

    fn stack_cards(&self) -> u16 {
        let table = self.engine.table();
        u16::from(table.decks) * table.game.cards_per_deck()
    }

    #[inline(always)]
    fn draw(&mut self) -> Result<Card, Box<Stopped>> {
        match self.stack.draw_plain(&mut self.rng) {
            Some(card) => Ok(card),
            None => self.draw_past_the_cover(),
        }
    }

    #[cold]
    fn draw_past_the_cover(&mut self) -> Result<Card, Box<Stopped>> {
        if self.stack.cover_appears() {
            self.apply_any(&Input::Cover)?;
        }
        self.stack.draw(&mut self.rng).ok_or_else(|| Box::new(Stopped::OutOfCards))
    }

    /// What the reader says about the simulated hole card.
    fn answer(&self) -> PeekAnswer {
        let mut both = *self.engine.dealer();
        if let Some(card) = self.hole {
            both.push(card);
        }
        if both.is_ace_and_ten() { PeekAnswer::Yes } else { PeekAnswer::No }
    }

    fn up_card(&self) -> Option<UpCard> {
        self.engine.dealer().cards().first().map(|card| UpCard::of(card.rank()))
    }

    #[inline]
    fn decision(&self) -> Play {
        let (Some((turn, offered)), Some(up)) = (self.engine.to_decide(), self.up) else { return Play::Stand };
        let open = Open {
            hit: offered.contains(InputKind::Hit),
            double: offered.contains(InputKind::Double),
            split: offered.contains(InputKind::Split),
            surrender: offered.contains(InputKind::Surrender),
        };
        self.player.decide(turn.cards, up, turn.from_split, open)
    }

    #[inline]
    fn decision_after_double(&self) -> Play {
        let (Some((turn, offered)), Some(up)) = (self.engine.to_decide(), self.up) else { return Play::Stand };
        self.player.decide_doubled(turn.cards, up, turn.doubles, offered.contains(InputKind::Redouble))
    }
}

#[cold]
fn refused(input: &Input, refusal: Refusal) -> Box<Stopped> {
    Box::new(Stopped::Refused(Box::new((*input, refusal))))
}

#[inline]
fn input_of(play: Play) -> Input {
    match play {
        Play::Stand => Input::Stand,
        Play::Hit => Input::Hit,
        Play::Double => Input::Double(None),
        Play::Redouble => Input::Redouble,
        Play::Split => Input::Split,
        Play::Surrender => Input::Surrender,
        Play::Rescue => Input::Rescue,
    }
}
