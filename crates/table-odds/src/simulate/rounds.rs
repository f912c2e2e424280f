//! One simulated table: a dealer who does what the engine's prompt orders, and players who follow a strategy.

mod side_orders;

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::hand::Hand;
use table_rules::input::{Answer, Cutter, Drawn, Input, InputKind, Placing, ShuffleDone};
use table_rules::money::Cents;
use table_rules::prompt::Order;
use table_rules::refusal::Refusal;
use table_rules::seat::Seat;
use table_rules::source::Source;
use table_rules::table::{Shuffler, Table, Tracking};
use table_rules::text::OrderInWords;
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
                let order = OrderInWords { order, line: None, several_hands: false };
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

/// A table that plays one round after another.
#[derive(Debug)]
pub struct TableRun<'a, P> {
    engine: Engine,
    events: Events,
    stack: Stack,
    rng: Rng,
    player: &'a P,
    /// The wagers of every round, the main ones first.
    bets: Vec<Placing>,
    hole: Option<Card>,
    /// What the players see of the dealer's hand, once the hole card is dealt.
    up: Option<UpCard>,
    net: Cents,
    /// Why there is nothing more to do.
    stopped: Option<Stopped>,
}

/// What the dealer is to do next, as far as a simulated round tells orders apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    /// A card face up.
    Card,
    Decision,
    Settlement,
    HoleCard,
    Peek,
    Reveal,
    SomethingElse,
    /// The run has stopped.
    Nothing,
}

impl Due {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    #[inline(always)]
    fn of(order: &Order) -> Self {
        match *order {
            Order::DealFirstCard { .. }
            | Order::DealUpCard
            | Order::DealSecondCard { .. }
            | Order::DealHit { .. }
            | Order::DealDouble { .. }
            | Order::DealSplitCard { .. }
            | Order::DealToDealer { .. } => Self::Card,
            Order::AskDecision { .. } => Self::Decision,
            Order::SettleLine { .. } => Self::Settlement,
            Order::DealHoleCard => Self::HoleCard,
            Order::OfferInsurance | Order::InsertHoleCard { .. } => Self::Peek,
            Order::TurnHoleCard { .. } => Self::Reveal,
            _ => Self::SomethingElse,
        }
    }
}

impl<'a, P: Player> TableRun<'a, P> {
    /// The stack must hold cards that the table's game plays with: the engine refuses others.
    pub fn new(table: &Table, player: &'a P, seats: u8, stake: Cents, stack: Stack, rng: Rng) -> Self {
        let main = |seat| Placing { seat, wager: WagerId::Main, amount: stake };
        Self {
            engine: Engine::new(table.clone(), Tracking::Cards),
            events: Events::new(),
            stack,
            rng,
            player,
            bets: (1..=seats).filter_map(Seat::new).map(main).collect(),
            hole: None,
            up: None,
            net: Cents::ZERO,
            stopped: None,
        }
    }

    /// Places these in every round besides. The table has to offer them.
    #[must_use]
    pub fn with_side_bets(mut self, side_bets: Vec<Placing>) -> Self {
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
        let mut due = self.apply(&Input::Lock);
        loop {
            due = match due {
                Due::Card => self.draw_and_apply(),
                Due::Decision => self.ask_for_a_decision(),
                Due::Settlement => {
                    self.net += net_of(self.engine.lines_to_settle());
                    self.apply(&Input::Settled)
                }
                Due::HoleCard => self.deal_hole_card(),
                // Nobody insures: the insertion closes insurance.
                Due::Peek => self.apply(&Input::Peek(self.answer())),
                Due::Reveal => self.turn_hole_card(),
                Due::SomethingElse if self.engine.is_wagering() => return Ok(self.events.as_slice()),
                Due::SomethingElse => self.obey_seldom(),
                Due::Nothing => return Err(self.stopped.take().unwrap_or(Stopped::NoTable)),
            }
        }
    }

    #[inline(never)]
    fn place_bets(&mut self) -> Result<(), Stopped> {
        let placed = self.engine.place(&self.bets, &mut self.events);
        placed.map_err(|(bet, refusal)| refused(bet.into(), refusal))
    }

    /// The same for an input that is only known when it comes.
    #[inline(never)]
    fn apply_any(&mut self, input: &Input) -> Due {
        self.apply(input)
    }

    /// Inlined, so that the engine's short way is chosen where the input is written.
    #[inline(always)]
    fn apply(&mut self, input: &Input) -> Due {
        let stopped = &mut self.stopped;
        self.engine.advance(input, &mut self.events, |answer| match answer {
            Ok((order, _)) => Due::of(&order),
            Err(refusal) => {
                *stopped = Some(refused(*input, refusal));
                Due::Nothing
            }
        })
    }

    #[inline(always)]
    fn draw_and_apply(&mut self) -> Due {
        match self.draw() {
            Some(card) => self.apply(&Input::Card(Drawn::FaceUp(card))),
            None => self.out_of_cards(),
        }
    }

    #[inline(always)]
    fn ask_for_a_decision(&mut self) -> Due {
        match self.decision() {
            // Drawing while a hand is to act is a hit: dealers say no word for it.
            Play::Hit => Due::Card,
            Play::Stand => self.apply(&Input::Stand),
            Play::Double => self.apply(&Input::Double(None)),
            Play::Split => self.apply(&Input::Split),
            Play::Surrender => self.apply(&Input::Surrender),
            play @ (Play::Redouble | Play::Rescue) => self.apply_any(&input_of(play)),
        }
    }

    #[inline(never)]
    fn deal_hole_card(&mut self) -> Due {
        self.hole = self.draw();
        self.up = self.up_card();
        match self.hole {
            Some(_) => self.apply(&Input::Card(Drawn::FaceDown)),
            None => self.out_of_cards(),
        }
    }

    #[inline(never)]
    fn turn_hole_card(&mut self) -> Due {
        match self.hole {
            Some(card) => self.apply(&Input::Reveal(card)),
            None => self.stop(Stopped::Unexpected(Box::new(self.engine.order()))),
        }
    }

    /// The first reason stands.
    #[cold]
    fn stop(&mut self, why: Stopped) -> Due {
        self.stopped.get_or_insert(why);
        Due::Nothing
    }

    #[cold]
    fn out_of_cards(&mut self) -> Due {
        self.stop(Stopped::OutOfCards)
    }

    /// The orders that most rounds do without.
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    fn obey_seldom(&mut self) -> Due {
        match self.engine.order().0 {
            Order::AskAfterDouble { .. } => {
                let play = self.decision_after_double();
                self.apply_any(&input_of(play))
            }
            // The cover card has come: a fresh stack, cut in the middle by whoever is offered it.
            Order::Shuffle => self.apply_any(&Input::Shuffle(self.way_to_shuffle())),
            Order::OfferCut(seat) => {
                let by = seat.map_or(Cutter::Dealer, Cutter::Seat);
                self.apply_any(&Input::Cut { by, depth: self.stack_cards() / 2 })
            }
            Order::PlaceCover { least, .. } => self.apply_any(&Input::PlaceCover(least)),
            Order::LoadShoe { .. } | Order::TakeIntoHand => self.apply_any(&Input::Load),
            Order::BurnFirstCard => match self.draw() {
                Some(_) => self.apply_any(&Input::Burn),
                None => self.out_of_cards(),
            },
            // Each box is its own person.
            Order::TellPersons => self.apply_any(&Input::Next),
            order => self.obey_side(&order),
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
    fn draw(&mut self) -> Option<Card> {
        match self.stack.draw_plain(&mut self.rng) {
            Some(card) => Some(card),
            None => self.draw_past_the_cover(),
        }
    }

    #[cold]
    fn draw_past_the_cover(&mut self) -> Option<Card> {
        if self.stack.cover_appears() && self.apply_any(&Input::Cover) == Due::Nothing {
            return None;
        }
        self.stack.draw(&mut self.rng)
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
