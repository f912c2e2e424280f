//! Basic strategies: how simulated players decide, as data in `strategies/*.strategy`.
//!
//! A strategy says what a player wants; the engine's prompt says what is open. The strategy must never know a card that
//! the player could not see, and it holds no rule of the game: what it may not do, it does not even ask for.
//!
//! Terms: a hand *can still earn a bonus* while it is neither split nor doubled; `block` below is the part of the file
//! that serves such hands or the others.

mod parse;

pub use parse::{BadStrategy, Problem};

use table_rules::card::Rank;
use table_rules::game::Game;
use table_rules::hand::Hand;
use table_rules::table::{Soft17, Table, Variation};

/// Columns: the up card 2 to 9, ten-value, ace.
pub(crate) const UP_CARDS: usize = 10;
/// Rows of totals run to 20: a hand at 21 has no choice left.
pub(crate) const TOTALS: usize = 21;
/// Two to five cards, then six and more.
pub(crate) const CARD_COUNTS: usize = 5;
/// After one, two, three doubles.
pub(crate) const DOUBLE_COUNTS: usize = 3;

/// What a player says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    Stand,
    Hit,
    Double,
    Redouble,
    Split,
    Surrender,
    Rescue,
}

/// What is open to the hand whose turn it is, from the engine's prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Open {
    pub hit: bool,
    pub double: bool,
    pub split: bool,
    pub surrender: bool,
}

/// A column of a strategy: the dealer's up card as players see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpCard(u8);

impl UpCard {
    #[inline]
    pub const fn of(rank: Rank) -> Self {
        Self(match rank.points() {
            1 => 9,
            points => points - 2,
        })
    }

    #[inline]
    pub(crate) const fn column(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    Stand,
    Hit,
    Double,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubled {
    Stand,
    Rescue,
    Redouble,
}

/// How the two cards towards a 6-7-8 share a suit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SuitMatch {
    Mixed,
    Suited,
    /// Both of the suit whose bonus is the highest.
    Top,
}

/// By soft (1) or hard (0) total, count of cards or doubles, up card.
pub(crate) type Cells<T, const COUNTS: usize> = [[[[T; UP_CARDS]; COUNTS]; TOTALS]; 2];
pub(crate) type Block = Cells<Cell, CARD_COUNTS>;

/// One strategy file, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    pub(crate) games: Vec<Game>,
    pub(crate) soft_17: Soft17,
    pub(crate) bonus: Box<Block>,
    pub(crate) no_bonus: Box<Block>,
    /// By point value (ace 0, ten-value 9) and up card.
    pub(crate) pairs: [[bool; UP_CARDS]; 10],
    /// By hard (0) or soft (1) total, and up card. No soft total surrenders.
    pub(crate) surrender: [[[bool; UP_CARDS]; TOTALS]; 2],
    /// Two cards on the way to a 6-7-8 that draw where their total would stand: by pair of ranks and [`SuitMatch`].
    pub(crate) towards_678: [[[bool; UP_CARDS]; 3]; 3],
    /// Whether any two cards do: most games pay nothing for a 6-7-8.
    pub(crate) knows_678: bool,
    pub(crate) after_double: Box<Cells<Doubled, DOUBLE_COUNTS>>,
}

/// The shipped files, in the order they are looked through.
const SHIPPED: [(&str, &str); 5] = [
    ("blackjack-s17", include_str!("../strategies/blackjack-s17.strategy")),
    ("blackjack-h17", include_str!("../strategies/blackjack-h17.strategy")),
    ("spanish-s17", include_str!("../strategies/spanish-s17.strategy")),
    ("spanish-h17", include_str!("../strategies/spanish-h17.strategy")),
    ("players-edge-h17", include_str!("../strategies/players-edge-h17.strategy")),
];

impl Strategy {
    /// Reads a strategy file strictly: every situation is answered exactly once, nothing is ignored.
    pub fn parse(text: &str) -> Result<Self, BadStrategy> {
        parse::strategy(text)
    }

    /// The shipped strategy for this table; none for rules that no shipped file was computed for, so for no variation:
    /// a Switch player would have to know when to switch, and cards dealt from the hand are not seen.
    pub fn shipped(table: &Table) -> Option<Self> {
        if table.variation != Variation::Standard {
            return None;
        }
        SHIPPED
            .iter()
            .filter_map(|(_, text)| Self::parse(text).ok())
            .find(|strategy| strategy.games.contains(&table.game) && strategy.soft_17 == table.soft_17)
    }

    /// What to say with an undoubled hand. Pairs come first, then surrender, then the totals.
    #[inline]
    pub fn decide(&self, hand: &Hand, up: UpCard, from_split: bool, open: Open) -> Play {
        let column = up.column();
        if open.split && self.splits(hand, column) {
            return Play::Split;
        }
        let (total, soft) = (usize::from(hand.total()), hand.is_soft());
        // What is seldom true is asked first: cards are as random as anything can be.
        if self.surrender[usize::from(soft)][total.min(TOTALS - 1)][column] && open.surrender {
            return Play::Surrender;
        }
        let block = if from_split { &self.no_bonus } else { &self.bonus };
        match cell(block, total, soft, usize::from(hand.len()), column) {
            Cell::Stand if self.knows_678 && open.hit && !from_split && self.draws_towards_678(hand, column) => {
                Play::Hit
            }
            Cell::Double if open.double => Play::Double,
            Cell::Hit | Cell::Double if open.hit => Play::Hit,
            Cell::Stand | Cell::Hit | Cell::Double => Play::Stand,
        }
    }

    #[inline]
    fn splits(&self, hand: &Hand, column: usize) -> bool {
        match *hand.cards() {
            [first, second] => first.points() == second.points() && self.pairs[usize::from(first.points()) - 1][column],
            _ => false,
        }
    }

    /// Whether these are two cards of a 6-7-8 that the file has drawing.
    #[inline]
    fn draws_towards_678(&self, hand: &Hand, column: usize) -> bool {
        let [first, second] = *hand.cards() else { return false };
        let Some(pair) = pair_towards_678(first.rank(), second.rank()) else { return false };
        let suited = if first.suit() != second.suit() {
            SuitMatch::Mixed
        } else if self.games.iter().any(|game| game.top_suit() == Some(first.suit())) {
            SuitMatch::Top
        } else {
            SuitMatch::Suited
        };
        self.towards_678[pair][suited as usize][column]
    }

    /// What to say with a hand that was doubled `doubles` times. Where no redouble is open, the row after the last
    /// double answers: it knows none.
    #[inline]
    pub fn decide_doubled(&self, hand: &Hand, up: UpCard, doubles: u8, redouble_open: bool) -> Play {
        let total = usize::from(hand.total());
        if total >= TOTALS {
            return Play::Stand;
        }
        let row = if redouble_open { usize::from(doubles.max(1)).min(DOUBLE_COUNTS) } else { DOUBLE_COUNTS };
        match self.after_double[usize::from(hand.is_soft())][total][row - 1][up.column()] {
            Doubled::Rescue => Play::Rescue,
            Doubled::Redouble if redouble_open => Play::Redouble,
            Doubled::Stand | Doubled::Redouble => Play::Stand,
        }
    }
}

/// 6-7, 6-8 and 7-8, in this order, whichever card came first.
#[inline]
pub(crate) fn pair_towards_678(first: Rank, second: Rank) -> Option<usize> {
    match (first.min(second), first.max(second)) {
        (Rank::Six, Rank::Seven) => Some(0),
        (Rank::Six, Rank::Eight) => Some(1),
        (Rank::Seven, Rank::Eight) => Some(2),
        _ => None,
    }
}

/// The cell for a total; 21 and more stand.
#[inline]
pub(crate) fn cell(block: &Block, total: usize, soft: bool, cards: usize, column: usize) -> Cell {
    if total >= TOTALS {
        return Cell::Stand;
    }
    block[usize::from(soft)][total][cards.clamp(2, CARD_COUNTS + 1) - 2][column]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> Hand {
        let mut hand = Hand::EMPTY;
        for card in text.split_whitespace() {
            hand.push(card.parse().unwrap());
        }
        hand
    }

    fn shipped(game: Game, soft_17: Soft17) -> Strategy {
        Strategy::shipped(&Table { soft_17, ..Table::usual(game) }).unwrap()
    }

    const ALL_OPEN: Open = Open { hit: true, double: true, split: true, surrender: true };

    #[test]
    fn every_shipped_file_is_sound_and_every_usual_table_has_one() {
        for (name, text) in SHIPPED {
            assert_eq!(Strategy::parse(text).map(|_| ()), Ok(()), "{name}");
        }
        for game in Game::ALL {
            assert!(Strategy::shipped(&Table::usual(game)).is_some(), "{game}");
        }
        let stands = Table { soft_17: Soft17::Stands, ..Table::usual(Game::PlayersEdge21) };
        assert_eq!(Strategy::shipped(&stands), None);
    }

    #[test]
    fn pairs_come_before_surrender_and_surrender_before_totals() {
        let strategy = shipped(Game::Blackjack, Soft17::Stands);
        let ten = UpCard::of(Rank::King);
        assert_eq!(strategy.decide(&hand("8c 8d"), ten, false, ALL_OPEN), Play::Split);
        assert_eq!(strategy.decide(&hand("9c 7d"), ten, false, ALL_OPEN), Play::Surrender);
        assert_eq!(strategy.decide(&hand("9c 7d"), ten, false, Open { surrender: false, ..ALL_OPEN }), Play::Hit);
        assert_eq!(strategy.decide(&hand("8c 8d"), ten, true, Open { hit: true, ..Open::default() }), Play::Hit);
    }

    #[test]
    fn a_double_that_is_not_open_is_a_hit() {
        let strategy = shipped(Game::Blackjack, Soft17::Hits);
        let ace = UpCard::of(Rank::Ace);
        assert_eq!(strategy.decide(&hand("6c 5d"), ace, false, ALL_OPEN), Play::Double);
        assert_eq!(strategy.decide(&hand("6c 5d"), ace, false, Open { double: false, ..ALL_OPEN }), Play::Hit);
    }

    #[test]
    fn the_number_of_cards_and_a_split_change_the_answer() {
        let strategy = shipped(Game::Spanish21, Soft17::Stands);
        let two = UpCard::of(Rank::Two);
        let sixteen = hand("2c 3d 4h 3s 4c");
        assert_eq!(strategy.decide(&sixteen, two, false, ALL_OPEN), Play::Hit);
        assert_eq!(strategy.decide(&sixteen, two, true, ALL_OPEN), Play::Stand);
        assert_eq!(strategy.decide(&hand("9c 7d"), two, false, ALL_OPEN), Play::Stand);
    }

    #[test]
    fn two_cards_towards_a_6_7_8_draw_where_their_total_stands() {
        let strategy = shipped(Game::Spanish21, Soft17::Stands);
        let decide = |cards, up, from_split| strategy.decide(&hand(cards), UpCard::of(up), from_split, ALL_OPEN);
        assert_eq!(decide("8c 7d", Rank::Two, false), Play::Hit);
        assert_eq!(decide("8c 7d", Rank::Two, true), Play::Stand);
        assert_eq!(decide("9c 6d", Rank::Two, false), Play::Stand);
        assert_eq!(decide("7h 8h", Rank::Four, false), Play::Stand);
        assert_eq!(decide("7s 8s", Rank::Four, false), Play::Hit);
    }

    #[test]
    fn a_third_double_is_the_last() {
        let strategy = shipped(Game::PlayersEdge21, Soft17::Hits);
        let (six, nine) = (UpCard::of(Rank::Six), UpCard::of(Rank::Nine));
        let eleven = hand("2c 3d 6h");
        assert_eq!(strategy.decide_doubled(&eleven, nine, 1, true), Play::Redouble);
        assert_eq!(strategy.decide_doubled(&eleven, nine, 3, false), Play::Rescue);
        assert_eq!(strategy.decide_doubled(&eleven, six, 1, false), Play::Stand);
        assert_eq!(strategy.decide_doubled(&hand("7c 7d 7h"), six, 1, true), Play::Stand);
    }
}
