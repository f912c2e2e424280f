//! A fresh shoe, as counts, and the ways to draw from it.
//!
//! Probabilities here are counts of ordered draws over `n (n-1) (n-2) …`. Nothing ever walks the physical cards: equal
//! cards are counted together.

use num_bigint::BigUint;
use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;

/// Point values a card can have, the ace first: index 0 is an ace, 9 a ten-value card.
pub const VALUES: usize = 10;

/// Full decks of one game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shoe {
    game: Game,
    decks: u8,
}

impl Shoe {
    /// None without a deck, or with more than the eight that any of the documents speaks of.
    pub fn new(game: Game, decks: u8) -> Option<Self> {
        (1..=8).contains(&decks).then_some(Self { game, decks })
    }

    pub const fn game(self) -> Game {
        self.game
    }

    pub const fn decks(self) -> u8 {
        self.decks
    }

    pub fn cards(self) -> usize {
        usize::from(self.game.cards_per_deck()) * usize::from(self.decks)
    }

    /// How many cards of each point value the shoe holds.
    pub fn value_counts(self) -> ValueCounts {
        let mut counts = [0; VALUES];
        for card in self.game.deck() {
            counts[value_of(card)] += u32::from(self.decks);
        }
        ValueCounts(counts)
    }

    /// The ways to draw `cards` one after the other.
    pub fn orders(self, cards: usize) -> BigUint {
        falling(self.cards(), cards)
    }
}

/// How many cards of each point value are left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueCounts([u32; VALUES]);

impl ValueCounts {
    pub fn of(&self, value: usize) -> u32 {
        self.0[value]
    }

    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Takes one card of this value out and returns how many there were to choose from.
    pub fn take(&mut self, value: usize) -> u32 {
        let before = self.0[value];
        self.0[value] = before.saturating_sub(1);
        before
    }

    pub fn put_back(&mut self, value: usize) {
        self.0[value] += 1;
    }
}

/// The index of a card's point value.
pub fn value_of(card: Card) -> usize {
    usize::from(card.points()) - 1
}

/// Any card of this value: what a wager sees that only counts points. Kings stand for the ten-value cards because every
/// game has them.
pub fn card_of(value: usize) -> Card {
    let rank = if value == VALUES - 1 { Rank::King } else { Rank::ALL[value] };
    Card::new(rank, Suit::Spades)
}

/// `n (n-1) … (n-k+1)`.
pub fn falling(n: usize, k: usize) -> BigUint {
    (0..k).map(|taken| BigUint::from(n.saturating_sub(taken))).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spanish_deck_has_twelve_ten_value_cards() {
        let spanish = Shoe::new(Game::Spanish21, 6).unwrap().value_counts();
        assert_eq!((spanish.of(9), spanish.of(0), spanish.total()), (72, 24, 288));
        let blackjack = Shoe::new(Game::Blackjack, 8).unwrap().value_counts();
        assert_eq!((blackjack.of(9), blackjack.of(0), blackjack.total()), (128, 32, 416));
        assert_eq!(Shoe::new(Game::Blackjack, 0), None);
        assert_eq!(Shoe::new(Game::Blackjack, 9), None);
    }

    #[test]
    fn each_value_has_a_card_of_that_value() {
        for value in 0..VALUES {
            assert_eq!(value_of(card_of(value)), value);
        }
    }
}
