//! The sister games' payments for a winning 21: the bonuses of 12.B and the fixed amounts of 12.C. That the hand won,
//! and was neither doubled nor split (10.G, 11.F, S9), is the caller's to know.

use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::money::Cents;

use super::hands::{same_suit, sorted_ranks, total};

const SIX_SEVEN_EIGHT: [Rank; 3] = [Rank::Six, Rank::Seven, Rank::Eight];
const THREE_SEVENS: [Rank; 3] = [Rank::Seven; 3];

/// The row of 12.B that a winning hand is paid by, or the ordinary win (12.A(1)). `seven_exactly` is the reading of
/// players-edge-21 12.B(9) that P1 leaves to the operator; a longer hand is then an ordinary 21.
pub(crate) fn winning_hand(game: Game, hand: &[Card], seven_exactly: bool) -> &'static str {
    const ORDINARY: &str = "12.A(1)";
    let top = match game {
        Game::Blackjack => panic!("blackjack pays no bonus for 21"),
        Game::Spanish21 | Game::Pontoon21 => Suit::Spades,
        Game::PlayersEdge21 => Suit::Diamonds,
    };
    if total(hand) != 21 {
        return ORDINARY;
    }
    let ranks = sorted_ranks(hand);
    let suited = same_suit(hand);
    let of_top_suit = suited && hand[0].suit() == top;
    if ranks == SIX_SEVEN_EIGHT {
        return if of_top_suit {
            "12.B(3)"
        } else if suited {
            "12.B(2)"
        } else {
            "12.B(1)"
        };
    }
    if ranks == THREE_SEVENS {
        return if of_top_suit {
            "12.B(6)"
        } else if suited {
            "12.B(5)"
        } else {
            "12.B(4)"
        };
    }
    match hand.len() {
        0..=4 => ORDINARY,
        5 => "12.B(7)",
        6 => "12.B(8)",
        7 => "12.B(9)",
        _ if seven_exactly => ORDINARY,
        _ => "12.B(9)",
    }
}

/// Whether 12.C applies: three 7s of one suit against an up card 7 of any suit.
pub(crate) fn additional_payout_applies(hand: &[Card], up: Card) -> bool {
    sorted_ranks(hand) == THREE_SEVENS && same_suit(hand) && up.rank() == Rank::Seven
}

/// The winner's own row of 12.C, by the original wager; none below $5 (S6).
pub(crate) fn additional_payout_to_winner(original: Cents) -> Option<&'static str> {
    if original >= Cents::dollars(25) {
        Some("12.C(2)")
    } else if original >= Cents::dollars(5) {
        Some("12.C(1)")
    } else {
        None
    }
}

/// The row of 12.C for another person of the round, by the first two cards of all of that person's boxes (P3).
pub(crate) fn additional_payout_to_other(game: Game, opened_with: &[[Card; 2]]) -> &'static str {
    let has_a_seven = opened_with.iter().flatten().any(|card| card.rank() == Rank::Seven);
    match game {
        Game::Blackjack => panic!("blackjack pays nothing for three sevens"),
        Game::Spanish21 | Game::Pontoon21 => "12.C(3)",
        Game::PlayersEdge21 if has_a_seven => "12.C(4)",
        Game::PlayersEdge21 => "12.C(3)",
    }
}
