//! Cards: ranks, suits, and the point values that Chapter 3 gives them.
//!
//! A card is one byte, so that hands, shoes and journals stay small. A 10 exists here although three of the four games
//! remove it: a stray 10 in the shoe is an irregularity that must be expressible.

use std::fmt;
use std::str::FromStr;

/// A card's rank, ace first. The discriminants are the deck's natural order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rank {
    Ace = 0,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    pub const ALL: [Self; 13] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// Points with the ace counted as 1; 10 for every ten-value card.
    #[inline]
    pub const fn points(self) -> u8 {
        const POINTS: [u8; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
        POINTS[self as usize]
    }

    /// A card that counts ten: 10, jack, queen or king.
    #[inline]
    pub const fn is_ten_value(self) -> bool {
        self as u8 >= Self::Ten as u8
    }

    #[inline]
    pub const fn is_ace(self) -> bool {
        self as u8 == 0
    }

    pub const fn letter(self) -> char {
        const LETTERS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
        LETTERS[self as usize]
    }

    /// Place in a sequence with the ace high: 2 is 2, king 13, ace 14.
    #[inline]
    pub const fn ace_high(self) -> u8 {
        if self.is_ace() { 14 } else { self as u8 + 1 }
    }

    /// Place in a sequence with the ace low: ace is 1, king 13.
    #[inline]
    pub const fn ace_low(self) -> u8 {
        self as u8 + 1
    }
}

/// A suit, in alphabetical order of its letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Suit {
    Clubs = 0,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    #[inline]
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    pub const fn letter(self) -> char {
        match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Clubs => "clubs",
            Self::Diamonds => "diamonds",
            Self::Hearts => "hearts",
            Self::Spades => "spades",
        }
    }
}

/// One playing card, written as `7d` or `Th`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many different cards there are.
    pub const KINDS: u8 = 52;

    #[inline]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self((rank as u8) << 2 | suit as u8)
    }

    #[inline]
    pub const fn rank(self) -> Rank {
        // Sixteen places, so that no index has to be checked; the last three are never reached.
        const RANKS: [Rank; 16] = {
            let mut ranks = [Rank::King; 16];
            let mut at = 0;
            while at < Rank::ALL.len() {
                ranks[at] = Rank::ALL[at];
                at += 1;
            }
            ranks
        };
        RANKS[(self.0 >> 2) as usize & 15]
    }

    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 & 3) as usize]
    }

    /// 0 to 51: rank major, suit minor. The inverse of [`Card::from_index`].
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < Self::KINDS { Some(Self(index)) } else { None }
    }

    /// Points with the ace counted as 1.
    #[inline]
    pub const fn points(self) -> u8 {
        let place = self.0 >> 2;
        if place >= Rank::Ten as u8 { 10 } else { place + 1 }
    }

    #[inline]
    pub const fn is_ace(self) -> bool {
        self.0 >> 2 == Rank::Ace as u8
    }

    /// A 10, jack, queen or king.
    #[inline]
    pub const fn is_ten_value(self) -> bool {
        self.0 >> 2 >= Rank::Ten as u8
    }

    #[inline]
    pub const fn is_same_rank(self, other: Self) -> bool {
        self.0 >> 2 == other.0 >> 2
    }

    #[inline]
    pub const fn is_same_suit(self, other: Self) -> bool {
        (self.0 ^ other.0) & 3 == 0
    }

    /// Every card of a standard deck.
    pub fn deck() -> impl Iterator<Item = Self> + Clone {
        (0..Self::KINDS).map(Self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a card; says what a card looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotACard;

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a card: write rank (A 2 … 9 T J Q K) and suit (c d h s), for example 7d or Th")
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Self, NotACard> {
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(NotACard);
        };
        let rank = Rank::ALL.into_iter().find(|r| r.letter() == rank.to_ascii_uppercase()).ok_or(NotACard)?;
        let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit.to_ascii_lowercase()).ok_or(NotACard)?;
        Ok(Self::new(rank, suit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_what_it_writes() {
        for card in Card::deck() {
            assert_eq!(card.to_string().parse::<Card>(), Ok(card));
            assert_eq!(Card::from_index(card.index()), Some(card));
        }
        assert_eq!(Card::from_index(52), None);
    }

    #[test]
    fn what_is_not_a_card_is_refused() {
        for text in ["", "7", "10h", "1h", "7x", "?h", "7dd", "éd"] {
            assert_eq!(text.parse::<Card>(), Err(NotACard), "{text}");
        }
    }
}
