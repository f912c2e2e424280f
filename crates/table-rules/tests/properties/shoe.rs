//! Where the cards of generated play come from: an honest shoe, or one rigged towards rare hands.

use table_rules::Game;
use table_rules::card::{Card, Rank, Suit};

use crate::random::Random;

/// What a shoe is rich in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rig {
    Honest,
    /// The same value again and again: splits and resplits.
    Pairs,
    /// Sevens of one suit, also up: 12.C.
    Sevens,
    /// Aces and ten-value cards: blackjacks, insurance, the reader.
    AcesAndTens,
    /// Aces to threes: long hands.
    Small,
    /// Sixes, sevens and eights: 12.B.
    SixSevenEight,
    /// Fives, sixes and tens: doubles.
    Elevens,
}

impl Rig {
    pub(crate) const ALL: [Self; 7] =
        [Self::Honest, Self::Pairs, Self::Sevens, Self::AcesAndTens, Self::Small, Self::SixSevenEight, Self::Elevens];

    fn ranks(self) -> &'static [Rank] {
        match self {
            Self::Honest | Self::Pairs => &Rank::ALL,
            Self::Sevens => &[Rank::Seven],
            Self::AcesAndTens => &[Rank::Ace, Rank::Jack, Rank::Queen, Rank::King],
            Self::Small => &[Rank::Ace, Rank::Ace, Rank::Two, Rank::Three],
            Self::SixSevenEight => &[Rank::Six, Rank::Seven, Rank::Eight],
            Self::Elevens => &[Rank::Two, Rank::Three, Rank::Five, Rank::Six, Rank::King],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Shoe {
    game: Game,
    rig: Rig,
    favourite: Rank,
    suit: Suit,
}

impl Shoe {
    pub(crate) fn new(game: Game, rig: Rig, random: &mut Random) -> Self {
        let favourite = loop {
            let rank = random.pick(&Rank::ALL);
            if game.plays_with(rank) {
                break rank;
            }
        };
        Self { game, rig, favourite, suit: random.pick(&Suit::ALL) }
    }

    pub(crate) fn draw(&self, random: &mut Random) -> Card {
        let rigged = random.chance(80);
        let suited = match self.rig {
            Rig::Sevens => 93,
            Rig::SixSevenEight => 60,
            Rig::Honest | Rig::Pairs | Rig::AcesAndTens | Rig::Small | Rig::Elevens => 30,
        };
        let suit = if random.chance(suited) { self.suit } else { random.pick(&Suit::ALL) };
        loop {
            let rank = match (rigged, self.rig) {
                (false, _) => random.pick(&Rank::ALL),
                (true, Rig::Pairs) => self.favourite,
                (true, rig) => random.pick(rig.ranks()),
            };
            if self.game.plays_with(rank) {
                return Card::new(rank, suit);
            }
        }
    }
}
