//! The paytables as data: what the files under `paytables/` say, with the clause of every figure.

use std::fmt;
use std::sync::LazyLock;

use super::parse::parse;
use super::visible::PaytableLine;
use crate::game::Game;
use crate::money::{Cents, MeterName, Pay};
use crate::source::Source;
use crate::wager::WagerId;

/// Everything the documents print about one wager.
#[derive(Debug)]
pub struct WagerTables {
    pub wager: WagerId,
    /// The key of every line, by [`PaytableLine::index`].
    pub lines: Vec<&'static str>,
    pub games: Vec<GameTables>,
}

/// A wager in one game that authorises it.
#[derive(Debug)]
pub struct GameTables {
    pub game: Game,
    /// The clause of 6.G.
    pub clause: &'static str,
    pub tables: Vec<Paytable>,
    pub communities: Vec<CommunityTable>,
}

#[derive(Debug)]
pub struct Paytable {
    pub wager: WagerId,
    pub game: Game,
    /// The printed letter, else `6-deck`, `8-deck`, `single` or `multiple`, else `-`.
    pub id: &'static str,
    pub clause: &'static str,
    pub decks: Decks,
    /// The clause that ties the table to a number of decks.
    pub decks_clause: Option<&'static str>,
    /// The only stakes it is legal for, with the clause that says so; none where every stake is.
    pub stakes: Option<(Vec<Cents>, &'static str)>,
    pub meters: Vec<MeterRule>,
    /// The least value of a fixed prize or merchandise, where the table has one.
    pub prize: Option<(Cents, &'static str)>,
    pub rows: Vec<Row>,
    pub(super) row_of_line: [u8; PaytableLine::LIMIT],
}

impl Paytable {
    pub(super) const NO_ROW: u8 = u8::MAX;

    /// The row of a line; the first one where the document prints a symbol twice.
    #[inline]
    pub fn row(&self, line: PaytableLine) -> Option<&Row> {
        self.rows.get(usize::from(self.row_of_line[line.index()]))
    }

    /// What the document adds to the table's clause for this row: `(c)`, so that table B's line is `B(c)`.
    pub fn short_clause(&self, row: &Row) -> &'static str {
        row.clause.strip_prefix(self.clause).unwrap_or(row.clause)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub line: PaytableLine,
    pub key: &'static str,
    pub pays: Printed,
    pub clause: &'static str,
    /// The clause, as settlement lines cite it.
    pub source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printed {
    Pay(Pay),
    /// A fixed prize or merchandise whose value the submission declares.
    Prize,
}

/// What the documents ask of one meter of a paytable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeterRule {
    pub name: MeterName,
    /// The clause that asks for the rate of progression.
    pub rate_clause: &'static str,
    pub start: MeterStart,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeterStart {
    /// Initial and reset amounts reach `least`; or, where `unseeded` has a clause, are nothing at all. `beside_unseeded`
    /// is the clause that asks for `least` where the table's other meters go without a seed.
    Seed { least: Cents, clause: &'static str, unseeded: Option<&'static str>, beside_unseeded: Option<&'static str> },
    /// Reset amount and ceiling reach one of three printed pairs.
    ResetAndCeiling([ResetAndCeiling; 3]),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResetAndCeiling {
    pub reset: Cents,
    pub ceiling: Cents,
    pub clause: &'static str,
}

/// Community pay of a wheel wager.
#[derive(Debug)]
pub struct CommunityTable {
    /// The paytable that it goes with.
    pub id: &'static str,
    pub clause: &'static str,
    pub rows: Vec<CommunityRow>,
    /// Whether each symbol prints two amounts, the spinner's and the others'.
    pub two_amounts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommunityRow {
    pub line: PaytableLine,
    pub key: &'static str,
    pub spinner: Cents,
    pub others: Cents,
    pub clause: &'static str,
    pub source: Source,
}

/// The numbers of decks that a table is printed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decks {
    Any,
    Exactly(u8),
    AtLeast(u8),
}

impl Decks {
    pub const fn allow(self, decks: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly(number) => decks == number,
            Self::AtLeast(least) => decks >= least,
        }
    }
}

impl fmt::Display for Decks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any number of decks"),
            Self::Exactly(1) => f.write_str("one deck"),
            Self::Exactly(number) => write!(f, "{number} decks"),
            Self::AtLeast(least) => write!(f, "{least} or more decks"),
        }
    }
}

impl WagerTables {
    /// The wager in `game`, where its 6.G authorises it.
    pub fn in_game(&self, game: Game) -> Option<&GameTables> {
        self.games.iter().find(|tables| tables.game == game)
    }
}

impl GameTables {
    pub fn table(&self, id: &str) -> Option<&Paytable> {
        self.tables.iter().find(|table| table.id == id)
    }

    pub fn community(&self, id: &str) -> Option<&CommunityTable> {
        self.communities.iter().find(|table| table.id == id)
    }
}

/// The paytables of every side wager, read once from the embedded files.
pub fn all_tables() -> &'static [WagerTables] {
    static TABLES: LazyLock<Vec<WagerTables>> = LazyLock::new(|| {
        super::SIDE_WAGERS
            .iter()
            .map(|side| match parse(side.id, side.lines, side.text) {
                Ok(tables) => tables,
                // The files are part of the program and a test reads them all: a bad one is a bug, not an input.
                Err(error) => panic!("{error}"),
            })
            .collect()
    });
    &TABLES
}

/// The paytables of one wager; `None` for the main wager, insurance and additional payouts.
pub fn tables(wager: WagerId) -> Option<&'static WagerTables> {
    all_tables().iter().find(|tables| tables.wager == wager)
}
