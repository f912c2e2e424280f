//! The four games, and where they differ: one row of data a game, so that no phase of the engine asks "which game?".

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Rank, Suit};

/// A game of the Maryland Standard Rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Game {
    Blackjack,
    Spanish21,
    Pontoon21,
    PlayersEdge21,
}

/// Which way the dealer goes round the table. Seat 1 is farthest to the dealer's left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Seat 1, 2, 3 …: clockwise from the dealer's left.
    FromLeft,
    /// The highest seat first: counterclockwise from the dealer's right.
    FromRight,
}

impl Game {
    pub const ALL: [Self; 4] = [Self::Blackjack, Self::Spanish21, Self::Pontoon21, Self::PlayersEdge21];

    /// The id used in files, scripts, citations and records.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Blackjack => "blackjack",
            Self::Spanish21 => "spanish-21",
            Self::Pontoon21 => "pontoon-21",
            Self::PlayersEdge21 => "players-edge-21",
        }
    }

    /// The name on the felt.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Blackjack => "Blackjack",
            Self::Spanish21 => "Spanish 21",
            Self::Pontoon21 => "Pontoon 21",
            Self::PlayersEdge21 => "Player's Edge 21",
        }
    }

    /// Betting positions at most (2.A).
    pub const fn positions_max(self) -> u8 {
        match self {
            Self::Blackjack | Self::Spanish21 | Self::PlayersEdge21 => 7,
            Self::Pontoon21 => 8,
        }
    }

    /// Cards in one deck: the sister games play without the tens (3.B).
    pub const fn cards_per_deck(self) -> u16 {
        if self.has_tens() { 52 } else { 48 }
    }

    pub const fn has_tens(self) -> bool {
        match self {
            Self::Blackjack => true,
            Self::Spanish21 | Self::Pontoon21 | Self::PlayersEdge21 => false,
        }
    }

    /// Whether the game is one of the three that share the Spanish 21 family of rules.
    pub const fn is_sister_game(self) -> bool {
        !self.has_tens()
    }

    /// The order in which players decide (7.H; players-edge-21 goes from the right).
    pub const fn decision_order(self) -> Direction {
        match self {
            Self::Blackjack | Self::Spanish21 | Self::Pontoon21 => Direction::FromLeft,
            Self::PlayersEdge21 => Direction::FromRight,
        }
    }

    /// The suit whose 6-7-8 and 7-7-7 pay most under 12.B.
    pub const fn top_suit(self) -> Option<Suit> {
        match self {
            Self::Blackjack => None,
            Self::Spanish21 | Self::Pontoon21 => Some(Suit::Spades),
            Self::PlayersEdge21 => Some(Suit::Diamonds),
        }
    }

    /// Whether a player's blackjack beats a dealer's, and a 21 a dealer's 21 (7.O/7.P; blackjack B1 has ties).
    pub const fn player_21_wins(self) -> bool {
        self.is_sister_game()
    }

    /// Whether a card of this rank may be in the shoe at all.
    pub const fn plays_with(self, rank: Rank) -> bool {
        self.has_tens() || !matches!(rank, Rank::Ten)
    }

    /// The kinds of card in one deck of this game.
    pub fn deck(self) -> impl Iterator<Item = Card> + Clone {
        Card::deck().filter(move |card| self.plays_with(card.rank()))
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Not one of the four games; the message lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownGame;

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown game: it is one of blackjack, spanish-21, pontoon-21, players-edge-21")
    }
}

impl std::error::Error for UnknownGame {}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::ALL.into_iter().find(|game| game.id() == text).ok_or(UnknownGame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_have_their_size() {
        for game in Game::ALL {
            assert_eq!(game.deck().count(), usize::from(game.cards_per_deck()), "{game}");
            assert_eq!(game.id().parse::<Game>(), Ok(game));
        }
    }
}
