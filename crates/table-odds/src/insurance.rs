//! Insurance: the chance of a ten-value card under an ace.
//!
//! The wager exists only while an ace is up, so its odds are those given an ace. Nothing is known of the other cards: a
//! player who has seen some of them has other odds, and the house edge is reckoned without.

use table_rules::game::Game;
use table_rules::money::{Pay, Ratio};
use table_rules::wager::WagerId;

use crate::deals::{Judgement, Tally};
use crate::fraction::Fraction;
use crate::shoe::{Shoe, falling};
use crate::table::{Effect, Identity, OddsLine, OddsTable};

/// How an insurance wager can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Ace and ten-value card of one suit, where the game pays that apart (reading W14).
    SuitedBlackjack,
    Blackjack,
    NoBlackjack,
}

impl Ending {
    const ALL: [Self; 3] = [Self::SuitedBlackjack, Self::Blackjack, Self::NoBlackjack];

    fn name(self) -> &'static str {
        match self {
            Self::SuitedBlackjack => "suited-blackjack",
            Self::Blackjack => "blackjack",
            Self::NoBlackjack => "lost",
        }
    }

    fn pay(self) -> Option<Ratio> {
        match self {
            Self::SuitedBlackjack => Some(Ratio::new(5, 1)),
            Self::Blackjack => Some(Ratio::new(2, 1)),
            Self::NoBlackjack => None,
        }
    }

    fn clause(self, game: Game) -> &'static str {
        match (self, game) {
            (Self::NoBlackjack, _) => "",
            (Self::SuitedBlackjack, _) => "12.A(4)",
            (Self::Blackjack, Game::Blackjack) => "13.A(3)",
            (Self::Blackjack, Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21) => "12.A(3)",
        }
    }
}

/// Whether a suited blackjack has its own line.
fn pays_suited(game: Game) -> bool {
    match game {
        Game::Blackjack | Game::Spanish21 | Game::Pontoon21 => false,
        Game::PlayersEdge21 => true,
    }
}

/// The odds of insurance from a fresh shoe, for one unit of insurance.
pub fn insurance(shoe: Shoe) -> OddsTable {
    let game = shoe.game();
    let tally = Tally::of(game, |deal| {
        if !deal.up.rank().is_ace() {
            return Judgement::NotOffered;
        }
        let Some(hole) = deal.hole else {
            return Judgement::NeedsHole;
        };
        Judgement::Settled(match (hole.rank().is_ten_value(), pays_suited(game) && hole.suit() == deal.up.suit()) {
            (false, _) => Ending::NoBlackjack,
            (true, true) => Ending::SuitedBlackjack,
            (true, false) => Ending::Blackjack,
        })
    });
    let mut lines = Vec::new();
    for ending in Ending::ALL {
        let Some((_, ways)) = tally.ways(shoe).find(|(found, _)| **found == ending) else { continue };
        let pay = ending.pay();
        lines.push(OddsLine {
            name: ending.name().to_owned(),
            clause: ending.clause(game).to_owned(),
            ways,
            pays: pay.map_or_else(|| "lost".to_owned(), |ratio| Pay::To(ratio).to_string()),
            basis: if pay.is_some() { "to" } else { "lost" },
            effect: ending.pay().map_or(Effect::Lost, |ratio| Effect::Gained(Fraction::new(ratio.pays, ratio.stakes))),
        });
    }
    let identity = Identity {
        game,
        wager: WagerId::Insurance,
        paytable: "-".to_owned(),
        decks: shoe.decks(),
        soft17: None,
        options: Vec::new(),
    };
    let aces = u64::from(shoe.value_counts().of(0));
    OddsTable::new(identity, lines, falling(shoe.cards() - 1, 3) * aces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(game: Game, decks: u8) -> Fraction {
        insurance(Shoe::new(game, decks).unwrap()).edge().unwrap()
    }

    #[test]
    fn six_decks_of_blackjack_cost_the_published_figure() {
        assert_eq!(edge(Game::Blackjack, 6), Fraction::new(23, 311_u32));
        assert_eq!(edge(Game::Blackjack, 6).percent(4), "7.3955");
    }

    #[test]
    fn without_tens_insurance_costs_more_and_suited_blackjacks_give_some_back() {
        // 72 of 287 cards are ten-value; of those, 18 share the ace's suit.
        assert_eq!(edge(Game::Spanish21, 6), Fraction::new(287 - 3 * 72, 287_u32));
        assert_eq!(edge(Game::PlayersEdge21, 6), Fraction::new(287 - 3 * 54 - 6 * 18, 287_u32));
    }
}
