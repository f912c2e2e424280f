//! How simulated players decide: the chart of one table, ready to be looked up. [`best_play`](crate::best_play) works it
//! out from the submission.
//!
//! A strategy says what a player wants; the engine's prompt says what is open. The strategy must never know a card that
//! the player could not see, and it holds no rule of the game: what it may not do, it does not even ask for.
//!
//! Terms: a hand *can still earn a bonus* while it is neither split nor doubled; a *block* is the part of the chart that
//! serves such hands or the others.

use table_rules::card::{Rank, Suit};
use table_rules::hand::Hand;

/// Columns: the up card 2 to 9, ten-value, ace.
pub const UP_CARDS: usize = 10;
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

impl Play {
    pub const ALL: [Self; 7] =
        [Self::Stand, Self::Hit, Self::Double, Self::Redouble, Self::Split, Self::Surrender, Self::Rescue];
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
pub(crate) enum PairPlay {
    Split,
    Surrender,
    /// As any other hand of the same total.
    AsTotal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubled {
    Stand,
    Rescue,
    Redouble,
}

/// How two cards on the way to a 6-7-8 or a 7-7-7 share a suit.
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
/// 6-7, 6-8, 7-8, 7-7, each by [`SuitMatch`] and up card.
pub(crate) type OnTheWay = [[[Play; UP_CARDS]; 3]; 4];

/// What hands of two cards are worth under one up card, in millionths of their wager, by point values from the ace on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SwitchWorth {
    /// An ace and a ten-value card brought together by switching are among them.
    pub(crate) hands: [[i32; 10]; 10],
    /// The two as they were dealt.
    pub(crate) blackjack: i32,
}

impl SwitchWorth {
    /// Whether two hands, each its first and second card by point value, are worth more with their second cards exchanged.
    pub(crate) fn switches(&self, one: [usize; 2], other: [usize; 2]) -> bool {
        let dealt = self.dealt(one) + self.dealt(other);
        self.hands[one[0]][other[1]] + self.hands[other[0]][one[1]] > dealt
    }

    fn dealt(&self, [first, second]: [usize; 2]) -> i32 {
        if first.min(second) == 0 && first.max(second) == 9 { self.blackjack } else { self.hands[first][second] }
    }
}

/// The chart of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    pub(crate) bonus: Box<Block>,
    pub(crate) no_bonus: Box<Block>,
    /// By point value (ace 0, ten-value 9) and up card.
    pub(crate) pairs: [[PairPlay; UP_CARDS]; 10],
    /// By hard (0) or soft (1) total, and up card.
    pub(crate) surrender: [[[bool; UP_CARDS]; TOTALS]; 2],
    /// None where nothing is paid for a 6-7-8.
    pub(crate) on_the_way: Option<Box<OnTheWay>>,
    pub(crate) top_suit: Option<Suit>,
    pub(crate) after_double: Box<Cells<Doubled, DOUBLE_COUNTS>>,
    /// Whether a blackjack under an ace is better paid even money at once.
    pub(crate) even_money: bool,
    /// By up card, for Blackjack Switch.
    pub(crate) switch: Option<Box<[SwitchWorth; UP_CARDS]>>,
}

impl Strategy {
    /// What to say with an undoubled hand: first the two cards on the way to a bonus, then pairs, then surrender, then the
    /// totals.
    #[inline]
    pub fn decide(&self, hand: &Hand, up: UpCard, from_split: bool, open: Open) -> Play {
        let column = up.column();
        if let Some(on_the_way) = &self.on_the_way
            && !from_split
            && let Some(play) = self.on_the_way_to_a_bonus(on_the_way, hand, column)
            && is_open(play, open)
        {
            return play;
        }
        if open.split
            && let Some(value) = pair_value(hand)
        {
            match self.pairs[value][column] {
                PairPlay::Split => return Play::Split,
                PairPlay::Surrender if open.surrender => return Play::Surrender,
                PairPlay::Surrender | PairPlay::AsTotal => {}
            }
        }
        let (total, soft) = (usize::from(hand.total()), hand.is_soft());
        // What is seldom true is asked first: cards are as random as anything can be.
        if self.surrender[usize::from(soft)][total.min(TOTALS - 1)][column] && open.surrender {
            return Play::Surrender;
        }
        let block = if from_split { &self.no_bonus } else { &self.bonus };
        match cell(block, total, soft, usize::from(hand.len()), column) {
            Cell::Double if open.double => Play::Double,
            Cell::Hit | Cell::Double if open.hit => Play::Hit,
            Cell::Stand | Cell::Hit | Cell::Double => Play::Stand,
        }
    }

    #[inline]
    fn on_the_way_to_a_bonus(&self, plays: &OnTheWay, hand: &Hand, column: usize) -> Option<Play> {
        let [first, second] = *hand.cards() else { return None };
        let cards = on_the_way(first.rank(), second.rank())?;
        let suited = if first.suit() != second.suit() {
            SuitMatch::Mixed
        } else if self.top_suit == Some(first.suit()) {
            SuitMatch::Top
        } else {
            SuitMatch::Suited
        };
        Some(plays[cards][suited as usize][column])
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

    /// Whether the second cards of a Switch box change places.
    pub fn switches(&self, hands: [&Hand; 2], up: UpCard) -> bool {
        let Some(worth) = &self.switch else { return false };
        let values = |hand: &Hand| match *hand.cards() {
            [first, second] => Some([first, second].map(|card| usize::from(card.points()) - 1)),
            _ => None,
        };
        match (values(hands[0]), values(hands[1])) {
            (Some(one), Some(other)) => worth[up.column()].switches(one, other),
            (None, _) | (_, None) => false,
        }
    }

    /// Whether a blackjack under an ace takes even money where it is offered.
    pub fn takes_even_money(&self) -> bool {
        self.even_money
    }
}

#[inline]
fn is_open(play: Play, open: Open) -> bool {
    match play {
        Play::Stand => true,
        Play::Hit => open.hit,
        Play::Double => open.double,
        Play::Split => open.split,
        Play::Surrender => open.surrender,
        Play::Redouble | Play::Rescue => false,
    }
}

/// The point value of a pair, the ace as 0.
#[inline]
fn pair_value(hand: &Hand) -> Option<usize> {
    match *hand.cards() {
        [first, second] if first.points() == second.points() => Some(usize::from(first.points()) - 1),
        _ => None,
    }
}

/// 6-7, 6-8, 7-8 and 7-7, in this order, whichever card came first.
#[inline]
pub(crate) fn on_the_way(first: Rank, second: Rank) -> Option<usize> {
    match (first.min(second), first.max(second)) {
        (Rank::Six, Rank::Seven) => Some(0),
        (Rank::Six, Rank::Eight) => Some(1),
        (Rank::Seven, Rank::Eight) => Some(2),
        (Rank::Seven, Rank::Seven) => Some(3),
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
