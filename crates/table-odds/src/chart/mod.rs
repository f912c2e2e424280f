//! The best play as people know it: a chart with a row for each hand and a column for each up card, as text, as a page to
//! print and as JSON. It is printed by a command and never shown on a table's screen.

mod html;
mod rows;
mod text;

use serde::Serialize;
use table_rules::money::{Cents, Pay};
use table_rules::table::{Soft17, Table, Variation};

use crate::best_play::BestPlay;
use crate::strategy::UP_CARDS;

/// The columns.
pub const UP_CARD_NAMES: [&str; UP_CARDS] = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"];

/// What a letter of a chart means.
const LEGEND: [(char, &str); 5] =
    [('S', "stand"), ('H', "hit"), ('D', "double"), ('P', "split"), ('R', "surrender, or rescue after a double")];

/// A chart with its figures, in the fields of the command's JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chart {
    pub game: &'static str,
    pub title: &'static str,
    /// What of the rules the chart depends on, in words.
    pub rules: Vec<String>,
    pub decks: u8,
    pub stake_cents: i64,
    /// What is lost for each opening wager: 0.004 is 0.4 %.
    pub edge: f64,
    pub up_cards: [&'static str; UP_CARDS],
    pub sections: Vec<Section>,
    /// Blackjack Switch: what each hand of two cards is worth, to compare before and after a switch.
    pub switch_worth: Vec<Worth>,
}

impl Chart {
    /// What the letters of this chart mean; one that stands nowhere in it is not explained.
    pub(crate) fn legend(&self) -> impl Iterator<Item = (char, &'static str)> {
        let stands =
            |letter: char| self.sections.iter().flat_map(|each| &each.rows).any(|row| row.plays.contains(&letter));
        LEGEND.into_iter().filter(move |(letter, _)| stands(*letter))
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    pub title: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    pub rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub hand: String,
    /// One letter for each up card.
    pub plays: [char; UP_CARDS],
    /// How many times a round each cell is come to.
    pub reach: Vec<f64>,
    pub choices: Vec<Choice>,
}

/// What one play of a row gains, in units of the opening wager; nothing where the cell is never come to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    pub play: &'static str,
    pub gains: Vec<Option<f64>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    pub hand: String,
    /// In millionths of the hand's wager.
    pub millionths: [i32; UP_CARDS],
}

impl Chart {
    pub fn of(table: &Table, stake: Cents, best: &BestPlay) -> Self {
        Self {
            game: table.game.id(),
            title: table.game.title(),
            rules: rules_in_words(table, best),
            decks: table.decks,
            stake_cents: stake.0,
            edge: best.edge,
            up_cards: UP_CARD_NAMES,
            sections: rows::sections(table, best),
            switch_worth: rows::switch_worth(best),
        }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        text::page(self)
    }

    /// A page to print.
    pub fn html(&self) -> String {
        html::page(self)
    }
}

fn rules_in_words(table: &Table, best: &BestPlay) -> Vec<String> {
    let mut rules = Vec::new();
    let decks = |count: u8| if count == 1 { "1 deck".to_owned() } else { format!("{count} decks") };
    rules.push(match table.variation {
        Variation::Standard => decks(table.decks),
        Variation::Switch => format!("Switch, {}", decks(table.decks)),
        Variation::FromTheHand => format!("from the hand, {}", decks(table.decks)),
        Variation::DoubleShoe => {
            format!("double shoe, {} on each side", decks(table.variation.decks_dealt_from(table.decks)))
        }
    });
    let soft_17 = match table.soft_17 {
        Soft17::Stands => "dealer stands on soft 17",
        Soft17::Hits => "dealer hits soft 17",
    };
    rules.push(soft_17.to_owned());
    rules.push(format!("blackjack pays {}", Pay::To(table.blackjack_pays.ratio())));
    rules.push(format!("{} splits, aces {}", table.max_splits, table.max_ace_splits));
    if table.restrictions.one_card_to_split_aces {
        rules.push("one card to split aces".to_owned());
    }
    // Of surrender in Switch the rules say nothing, and neither do we (S11).
    if table.restrictions.no_surrender && table.variation != Variation::Switch {
        rules.push("no surrender".to_owned());
    }
    if table.game.is_sister_game() {
        let again = if table.double_double { "double on any cards, three times" } else { "double on any cards" };
        rules.push(format!("{again}, rescue"));
    }
    if best.strategy.takes_even_money() {
        rules.push("a blackjack under an ace takes even money".to_owned());
    }
    rules
}
