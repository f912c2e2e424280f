//! One simulated table: a dealer who does what the engine's prompt orders, and players who follow a strategy.

mod side_orders;

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::hand::Hand;
use table_rules::input::{Answer, Cutter, Drawn, Input, InputKind, ShuffleDone};
use table_rules::money::Cents;
use table_rules::prompt::{Offers, Order};
use table_rules::refusal::Refusal;
use table_rules::seat::Seat;
use table_rules::table::{Shuffler, Table, Tracking};
use table_rules::wager::WagerId;

use super::rng::Rng;
use super::stack::Stack;
use super::tally::net_of;
use crate::strategy::{Open, Play, Strategy, UpCard};

/// Somebody who decides for every seat.
pub trait Player {
    /// For a hand that was not doubled.
    fn decide(&self, hand: &Hand, up: UpCard, from_split: bool, open: Open) -> Play;
    /// After `doubles` doubles.
    fn decide_doubled(&self, hand: &Hand, up: UpCard, doubles: u8, redouble_open: bool) -> Play;
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
}

/// Why a run could not go on, boxed to keep the way of success narrow. None of these happens at a table whose engine keeps its word.
#[derive(Clone, PartialEq, Debug)]
pub enum Stopped {
    /// The engine refused what its own prompt had offered.
    Refused(Box<(Input, Refusal)>),
    /// The engine asked for something that no simulated round leads to.
    Unexpected(Box<Order>),
    /// Every card of the shoe lies on the table.
    OutOfCards,
    /// No table or strategy to play.
    NoTable,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "the engine refused {:?}: {:?}", refused.0, refused.1),
            Self::Unexpected(order) => write!(f, "the engine asked for {order:?}, which no simulated round leads to"),
            Self::OutOfCards => f.write_str("every card lies on the table: use more decks or fewer seats"),
            Self::NoTable => f.write_str("the rules no longer allow the table that was to be played"),
        }
    }
}

impl std::error::Error for Stopped {}

/// A side wager that is placed in every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideBet {
    pub seat: Seat,
    pub wager: WagerId,
    pub stake: Cents,
}

/// A table that plays one round after another.
#[derive(Debug)]
pub struct TableRun<'a, P> {
    engine: Engine,
    events: Events,
    stack: Stack,
    rng: Rng,
    player: &'a P,
    /// The wagers of every round, the main ones first.
    bets: Vec<SideBet>,
    /// Whether a side bet has random bonuses that the table draws.
    draws_bonuses: bool,
    hole: Option<Card>,
    /// What the players see of the dealer's hand, once the hole card is dealt.
    up: Option<UpCard>,
    net: Cents,
}

impl<'a, P: Player> TableRun<'a, P> {
    /// The stack must hold cards that the table's game plays with: the engine refuses others.
    pub fn new(table: &Table, player: &'a P, seats: u8, stake: Cents, stack: Stack, rng: Rng) -> Self {
        let main = |seat| SideBet { seat, wager: WagerId::Main, stake };
        Self {
            engine: Engine::new(table.clone(), Tracking::Cards),
            events: Events::new(),
            stack,
            rng,
            player,
            bets: (1..=seats).filter_map(Seat::new).map(main).collect(),
            draws_bonuses: false,
            hole: None,
            up: None,
            net: Cents::ZERO,
        }
    }

    /// Places these in every round besides. The table has to offer them.
    #[must_use]
    pub fn with_side_bets(mut self, side_bets: Vec<SideBet>) -> Self {
        let drawn = |bet: &SideBet| {
            let mut offers = self.engine.table().wagers.iter().filter(|offer| offer.id() == bet.wager);
            offers.any(|offer| offer.every_n_rounds().is_some())
        };
        self.draws_bonuses = side_bets.iter().any(drawn);
        self.bets.extend(side_bets);
        self
    }

    /// What the players have won less what they have lost in all rounds so far, by the lines that were settled.
    pub fn net(&self) -> Cents {
        self.net
    }

    /// Plays one round from its wagers to its last settled line and gives all its events.
    pub fn round(&mut self) -> Result<&[Event], Stopped> {
        self.events.clear();
        self.stack.begin_round();
        (self.hole, self.up) = (None, None);
        self.place_bets()?;
        self.apply(&Input::Lock)?;
        if self.draws_bonuses {
            self.draw_bonuses()?;
        }
        while !self.engine.is_wagering() {
            let (order, _) = self.engine.order();
            if self.obey(&order)? == Obeyed::ByDrawing {
                let card = self.draw()?;
                self.apply(&Input::Card(Drawn::FaceUp(card)))?;
            }
        }
        Ok(self.events.as_slice())
    }

    #[inline]
    fn place_bets(&mut self) -> Result<(), Stopped> {
        let bets = std::mem::take(&mut self.bets);
        let placed = bets.iter().try_for_each(|&SideBet { seat, wager, stake }| {
            self.apply(&Input::Wager { seat, wager, amount: Some(stake) })
        });
        self.bets = bets;
        placed
    }

    /// The same for an input that is only known when it comes.
    #[inline(never)]
    fn apply_any(&mut self, input: &Input) -> Result<(), Stopped> {
        self.apply(input)
    }

    /// Inlined, so that the engine's short way is chosen where the input is written.
    #[inline(always)]
    fn apply(&mut self, input: &Input) -> Result<(), Stopped> {
        match self.engine.apply(input, &mut self.events) {
            Ok(()) => Ok(()),
            Err(refusal) => Err(refused(*input, refusal)),
        }
    }

    /// The most frequent orders first, one asked for after the other.
    #[inline(always)]
    fn obey(&mut self, order: &Order) -> Result<Obeyed, Stopped> {
        if let Order::DealFirstCard { .. }
        | Order::DealUpCard
        | Order::DealSecondCard { .. }
        | Order::DealHit { .. }
        | Order::DealDouble { .. }
        | Order::DealSplitCard { .. }
        | Order::DealToDealer { .. } = *order
        {
            return Ok(Obeyed::ByDrawing);
        }
        if let Order::AskDecision { .. } = *order {
            match self.decision(&self.engine.offers()) {
                // Drawing while a hand is to act is a hit: dealers say no word for it.
                Play::Hit => return Ok(Obeyed::ByDrawing),
                Play::Stand => self.apply(&Input::Stand)?,
                Play::Double => self.apply(&Input::Double(None))?,
                play @ (Play::Redouble | Play::Split | Play::Surrender | Play::Rescue) => {
                    self.apply_any(&input_of(play))?;
                }
            }
        } else if let Order::SettleLine { .. } = *order {
            self.net += net_of(self.engine.lines_to_settle());
            self.apply(&Input::Settled)?;
        } else {
            self.obey_once_a_round(order)?;
        }
        Ok(Obeyed::ByAWord)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    #[inline(never)]
    fn obey_once_a_round(&mut self, order: &Order) -> Result<(), Stopped> {
        match *order {
            Order::DealHoleCard => {
                self.hole = Some(self.draw()?);
                self.up = self.up_card();
                self.apply(&Input::Card(Drawn::FaceDown))
            }
            // Nobody insures: the insertion closes insurance.
            Order::OfferInsurance | Order::InsertHoleCard { .. } => self.apply(&Input::Peek(self.answer())),
            Order::TurnHoleCard { .. } => match self.hole {
                Some(card) => self.apply(&Input::Reveal(card)),
                None => Err(Stopped::Unexpected(Box::new(*order))),
            },
            _ => self.obey_seldom(order),
        }
    }

    /// The orders that most rounds do without.
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    fn obey_seldom(&mut self, order: &Order) -> Result<(), Stopped> {
        match *order {
            Order::AskAfterDouble { .. } => {
                let play = self.decision_after_double(&self.engine.offers());
                self.apply_any(&input_of(play))
            }
            // The cover card has come: a fresh stack, cut in the middle by whoever is offered it.
            Order::Shuffle => self.apply_any(&Input::Shuffle(self.way_to_shuffle())),
            Order::OfferCut(seat) => {
                let by = seat.map_or(Cutter::Dealer, Cutter::Seat);
                self.apply_any(&Input::Cut { by, depth: self.stack_cards() / 2 })
            }
            Order::PlaceCover { least, .. } => self.apply_any(&Input::PlaceCover(least)),
            Order::LoadShoe { .. } => self.apply_any(&Input::Load),
            Order::BurnFirstCard => {
                self.draw()?;
                self.apply_any(&Input::Burn)
            }
            // Each box is its own person.
            Order::TellPersons => self.apply_any(&Input::Next),
            _ => self.obey_side(order),
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
    fn draw(&mut self) -> Result<Card, Stopped> {
        match self.stack.draw_plain(&mut self.rng) {
            Some(card) => Ok(card),
            None => self.draw_past_the_cover(),
        }
    }

    #[cold]
    fn draw_past_the_cover(&mut self) -> Result<Card, Stopped> {
        if self.stack.cover_appears() {
            self.apply_any(&Input::Cover)?;
        }
        self.stack.draw(&mut self.rng).ok_or(Stopped::OutOfCards)
    }

    /// What the reader says about the simulated hole card.
    fn answer(&self) -> Answer {
        let mut both = *self.engine.dealer();
        if let Some(card) = self.hole {
            both.push(card);
        }
        if both.is_ace_and_ten() { Answer::Yes } else { Answer::No }
    }

    fn up_card(&self) -> Option<UpCard> {
        self.engine.dealer().cards().first().map(|card| UpCard::of(card.rank()))
    }

    #[inline]
    fn decision(&self, offers: &Offers) -> Play {
        let (Some(turn), Some(up)) = (self.engine.turn(), self.up) else { return Play::Stand };
        let open = Open {
            hit: offers.offers(InputKind::Hit),
            double: offers.offers(InputKind::Double),
            split: offers.offers(InputKind::Split),
            surrender: offers.offers(InputKind::Surrender),
        };
        self.player.decide(turn.cards, up, turn.from_split, open)
    }

    #[inline]
    fn decision_after_double(&self, offers: &Offers) -> Play {
        let (Some(turn), Some(up)) = (self.engine.turn(), self.up) else { return Play::Stand };
        self.player.decide_doubled(turn.cards, up, turn.doubles, offers.offers(InputKind::Redouble))
    }
}

/// How an order was obeyed: by a word that has been applied, or by a card that is still to be drawn and applied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Obeyed {
    ByDrawing,
    ByAWord,
}

#[cold]
fn refused(input: Input, refusal: Refusal) -> Stopped {
    Stopped::Refused(Box::new((input, refusal)))
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
