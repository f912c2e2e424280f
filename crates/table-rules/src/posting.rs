//! The payout posting that Chapter 2 §B asks for, as data: what a sign at the table must tell its players.
//!
//! [`Posting::of`] makes it from a checked [`Table`]. Every statement, line and block names the clause or reading it rests
//! on, and every figure comes from where the engine takes it when it pays ([`crate::payouts`] and the paytables), so that
//! the sign cannot promise what the table does not pay. How it looks is somebody else's business; what is not on offer is
//! never on it.

mod game;
mod side;
mod words;

pub(crate) use words::line_words;

use std::fmt;

use crate::game::Game;
use crate::money::{Cents, MeterName, Pay};
use crate::side::Prize;
use crate::source::Source;
use crate::table::{ApprovedText, Table, Variation};
use crate::wager::WagerId;

/// A whole sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posting {
    pub game: Game,
    /// The game's name, or that of its variation where the layout has to say it (blackjack 2.B(5)).
    pub title: &'static str,
    /// Which text the submission was approved for.
    pub approved: Option<ApprovedText>,
    /// In the order of the sign.
    pub blocks: Vec<Block>,
    /// What whoever puts the sign up has to know; not for the players and not on the sign.
    pub remarks: Vec<Statement>,
}

/// A part of the sign under one heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub part: Part,
    pub title: String,
    /// Why the block is there: the clause that asks for it, or the clause of the paytable it shows.
    pub source: Source,
    pub lines: Vec<PostedLine>,
    pub statements: Vec<Statement>,
}

/// What a block is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The wordings of 2.B(3), and the designation of a Switch table.
    Inscriptions,
    /// Limits and the dealer's rule.
    TableRules,
    /// The main wager and insurance.
    Main,
    /// 12.B of the sister games.
    Bonuses,
    /// That doubled hands get neither 12.B nor 12.C.
    DoubledHands,
    /// 12.C of the sister games.
    AdditionalPayouts,
    /// One paytable of a side wager.
    Side { wager: WagerId, paytable: &'static str },
    /// How the figures are to be read.
    HowToRead,
}

impl Part {
    pub const fn id(self) -> &'static str {
        match self {
            Self::Inscriptions => "inscriptions",
            Self::TableRules => "table-rules",
            Self::Main => "main",
            Self::Bonuses => "bonuses",
            Self::DoubledHands => "doubled-hands",
            Self::AdditionalPayouts => "additional-payouts",
            Self::Side { .. } => "side",
            Self::HowToRead => "how-to-read",
        }
    }
}

/// One hand or symbol, and what it pays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostedLine {
    /// As settlement lines and records call it.
    pub key: &'static str,
    pub words: String,
    pub figure: Figure,
    pub source: Source,
}

/// What a line of the sign pays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figure {
    Pay(Pay),
    /// A wheel's fixed prize or merchandise.
    Prize(Prize),
    /// A community symbol with two amounts (reading O2).
    Community {
        spinner: Cents,
        others: Cents,
    },
}

impl Figure {
    pub const fn basis(&self) -> &'static str {
        match self {
            Self::Pay(Pay::To(_)) => "to",
            Self::Pay(Pay::For(_)) => "for",
            Self::Pay(Pay::Amount(_)) => "amount",
            Self::Pay(Pay::Meter { .. }) => "meter",
            Self::Prize(_) => "prize",
            Self::Community { .. } => "community",
        }
    }
}

/// Odds and amounts as everywhere; a wager's only meter needs no name.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pay(Pay::Meter { percent, meter }) => write!(f, "{percent} % of {}", meter_words(*meter)),
            Self::Pay(pay @ (Pay::To(_) | Pay::For(_) | Pay::Amount(_))) => write!(f, "{pay}"),
            Self::Prize(Prize { name: Some(name), value, .. }) => write!(f, "{name} (value {value})"),
            Self::Prize(Prize { name: None, value, .. }) => write!(f, "{value} prize"),
            Self::Community { spinner, others } => write!(f, "{spinner} and {others}"),
        }
    }
}

fn meter_words(meter: MeterName) -> String {
    match meter {
        MeterName::Main => "the meter".to_owned(),
        MeterName::Star
        | MeterName::Spade
        | MeterName::Heart
        | MeterName::Diamond
        | MeterName::Mega
        | MeterName::Major
        | MeterName::Minor
        | MeterName::Primary
        | MeterName::Secondary
        | MeterName::MustHit => format!("the {} meter", meter.name()),
    }
}

/// A sentence and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    pub text: String,
    pub source: Source,
}

impl Statement {
    fn new(text: impl Into<String>, source: Source) -> Self {
        Self { text: text.into(), source }
    }
}

impl Posting {
    pub fn of(table: &Table) -> Self {
        let mut blocks = game::blocks(table);
        blocks.extend(side::blocks(table));
        blocks.extend(side::how_to_read(table.game, &blocks));
        let title = match table.variation {
            Variation::Switch => "Blackjack Switch",
            Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe => table.game.title(),
        };
        Self { game: table.game, title, approved: table.approved.clone(), blocks, remarks: game::remarks(table) }
    }

    /// Everything on the sign that pays something.
    pub fn lines(&self) -> impl Iterator<Item = &PostedLine> {
        self.blocks.iter().flat_map(|block| &block.lines)
    }
}
