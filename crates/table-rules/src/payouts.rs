//! What the main wager's extra payouts and insurance pay: each figure once, for the settlement and for the sign.
//!
//! Side wagers have their paytables; this is the rest of Chapter 12 (blackjack: 13). Nothing here decides whether a hand
//! earns a payout, and no figure may be written down a second time elsewhere in the product.

use crate::game::Game;
use crate::money::{Cents, Ratio};
use crate::source::Point;

/// A line of 12.B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus {
    pub name: &'static str,
    pub ratio: Ratio,
    pub point: Point,
}

macro_rules! bonuses {
    ($($item:ident: $name:literal, $pays:literal to $stakes:literal, $point:ident;)*) => {
        $(pub static $item: Bonus = Bonus { name: $name, ratio: Ratio::new($pays, $stakes), point: Point::$point };)*

        /// Every line of 12.B, in its order.
        pub static BONUSES: [&Bonus; 9] = [$(&$item,)*];
    };
}

bonuses! {
    SIX_SEVEN_EIGHT_MIXED: "6-7-8 mixed", 3 to 2, Bonus678Mixed;
    SIX_SEVEN_EIGHT_SUITED: "6-7-8 suited", 2 to 1, Bonus678Suited;
    SIX_SEVEN_EIGHT_TOP: "6-7-8 top suit", 3 to 1, Bonus678Top;
    THREE_SEVENS_MIXED: "7-7-7 mixed", 3 to 2, Bonus777Mixed;
    THREE_SEVENS_SUITED: "7-7-7 suited", 2 to 1, Bonus777Suited;
    THREE_SEVENS_TOP: "7-7-7 top suit", 3 to 1, Bonus777Top;
    FIVE_CARDS: "five-card 21", 3 to 2, BonusFiveCards;
    SIX_CARDS: "six-card 21", 2 to 1, BonusSixCards;
    SEVEN_CARDS: "seven-card 21", 3 to 1, BonusSevenCards;
}

/// A fixed payout of 12.C to the player with three suited sevens against a dealer's seven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdditionalPayout {
    /// The least original wager that earns it.
    pub from: Cents,
    pub amount: Cents,
    pub point: Point,
}

/// The better one first: an original wager earns the first that it reaches, or none.
pub const ADDITIONAL_PAYOUTS: [AdditionalPayout; 2] = [
    AdditionalPayout { from: Cents::dollars(25), amount: Cents::dollars(5000), point: Point::AdditionalLarge },
    AdditionalPayout { from: Cents::dollars(5), amount: Cents::dollars(1000), point: Point::AdditionalSmall },
];

/// What 12.C gives each other person of the round; in Player's Edge 21 an opening seven doubles it (P3).
pub const fn additional_for_others(game: Game, opened_with_seven: bool) -> (Cents, Point) {
    match (game, opened_with_seven) {
        (Game::PlayersEdge21, true) => (Cents::dollars(100), Point::AdditionalOthersWithSeven),
        (Game::PlayersEdge21, false) | (Game::Blackjack | Game::Spanish21 | Game::Pontoon21, _) => {
            (Cents::dollars(50), Point::AdditionalOthers)
        }
    }
}

/// What insurance pays; Player's Edge 21 tells a suited dealer blackjack from an unsuited one (12.A(4), W14).
pub const fn insurance(game: Game, suited: bool) -> (Ratio, Point) {
    match (game, suited) {
        (Game::PlayersEdge21, true) => (Ratio::new(5, 1), Point::InsurancePaysSuited),
        (Game::PlayersEdge21, false) | (Game::Blackjack | Game::Spanish21 | Game::Pontoon21, _) => {
            (Ratio::new(2, 1), Point::InsurancePays)
        }
    }
}

/// Whether the suit of a dealer blackjack changes what insurance pays.
pub const fn insurance_asks_for_suit(game: Game) -> bool {
    match game {
        Game::PlayersEdge21 => true,
        Game::Blackjack | Game::Spanish21 | Game::Pontoon21 => false,
    }
}
