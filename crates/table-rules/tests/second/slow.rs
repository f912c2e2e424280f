//! A slow, obvious second implementation of every side wager, written from the clause texts and the readings alone.
//!
//! It says which rows of a paytable pay for a complete deal, and when. The product's evaluators are compared with it.
//! It must never call, copy from, or be corrected by those evaluators or their paytables, and never be made fast:
//! when the two differ, the printed clause decides.

pub(crate) mod dealer_hand;
pub(crate) mod first_cards;
pub(crate) mod hands;
pub(crate) mod poker;
pub(crate) mod twenty_one;
pub(crate) mod when;

use table_rules::card::{Card, Suit};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use hands::{is_blackjack, total};

/// Everything that a round showed, as far as one box's side wager can depend on it.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    /// The box's first two cards; in Switch those of its first hand.
    pub(crate) player: [Card; 2],
    /// Switch: the first two cards of the box's second hand.
    pub(crate) second_hand: Option<[Card; 2]>,
    /// The dealer's complete hand in the order dealt: up card, hole card, drawn cards.
    pub(crate) dealer: Vec<Card>,
    /// The final total of the box's first hand (readings W13, D11); above 21 if it went bust.
    pub(crate) final_total: u8,
    /// The stake of the wager in question; for the Free Bonus that of the Buster wager beside it.
    pub(crate) stake: Cents,
}

impl Deal {
    pub(crate) fn up(&self) -> Card {
        self.dealer[0]
    }

    pub(crate) fn hole(&self) -> Card {
        self.dealer[1]
    }

    pub(crate) fn dealer_first_two(&self) -> [Card; 2] {
        [self.up(), self.hole()]
    }

    pub(crate) fn dealer_has_blackjack(&self) -> bool {
        is_blackjack(&self.dealer_first_two())
    }

    /// The player's two cards and the up card.
    pub(crate) fn three_cards(&self) -> [Card; 3] {
        [self.player[0], self.player[1], self.up()]
    }

    /// The player's two cards and the dealer's first two.
    pub(crate) fn four_cards(&self) -> [Card; 4] {
        [self.player[0], self.player[1], self.up(), self.hole()]
    }

    pub(crate) fn dealer_total(&self) -> u8 {
        total(&self.dealer)
    }
}

/// How Crown Treasure is paid (reading B6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CrownTreasure {
    /// In place of the Royal Match line.
    Line,
    /// On top of the Royal Match line.
    Additional,
}

/// The options that change which row pays.
#[derive(Clone, Debug)]
pub(crate) struct SlowOptions {
    /// Three Card Poker: whether A-K-Q is a straight (reading B5).
    pub(crate) ace_high_straight: bool,
    pub(crate) crown_treasure: CrownTreasure,
    /// Hit and Run: whether five or more cards count when the dealer went bust (reading W10).
    pub(crate) busted_hands_count: bool,
    /// Super 4 paytable D: the chosen suit (reading W7).
    pub(crate) star_suit: Suit,
}

/// The clauses of the rows that pay, best first; none when the wager is lost. More than one only where each matching
/// card is paid (Match-the-Dealer, Match Super Bonus) and for Crown Treasure on top of a Royal Match.
///
/// For the wheels (Bonus Spin, Xtreme) the cards only decide whether there is a spin: then the answer is the clause of
/// the paytable, and the symbol decides the row. Bad Beat's random bonuses are [`dealer_hand::bad_beat_bonuses`].
pub(crate) fn winning_lines(
    game: Game,
    wager: WagerId,
    paytable: &str,
    deal: &Deal,
    options: &SlowOptions,
) -> Vec<String> {
    match wager {
        WagerId::Insurance => dealer_hand::insurance(game, deal),
        WagerId::MatchTheDealer | WagerId::MatchSuperBonus => first_cards::each_match(game, wager, paytable, deal),
        WagerId::MatchUp => first_cards::match_count(paytable, deal.player, deal.up()),
        WagerId::MatchDown => first_cards::match_count(paytable, deal.player, deal.hole()),
        WagerId::MonsterMatch => poker::monster_match(paytable, deal),
        WagerId::LuckyLadies => first_cards::lucky_ladies(paytable, deal),
        WagerId::InBetween => first_cards::in_between(deal),
        WagerId::RoyalMatch21 => first_cards::royal_match(paytable, deal, options),
        WagerId::BetTheSet21 => first_cards::bet_the_set(paytable, deal),
        WagerId::KingsBounty => first_cards::kings_bounty(deal),
        WagerId::SuperMatch => poker::super_match(paytable, deal),
        WagerId::BadBeat => dealer_hand::bad_beat(deal),
        WagerId::ThreeCardPoker => poker::three_card_poker(paytable, deal, options),
        WagerId::HitAndRun => dealer_hand::hit_and_run(deal, options),
        WagerId::HouseMoney => first_cards::house_money(paytable, deal),
        WagerId::LuckyLucky => first_cards::lucky_lucky(paytable, deal),
        WagerId::Super4 => poker::super_4(paytable, deal, options),
        WagerId::UpcardLuck21 => first_cards::upcard_luck(deal),
        WagerId::BusterBlackjack => dealer_hand::buster(paytable, deal),
        WagerId::BusterBlackjackFreeBonus => dealer_hand::buster_free_bonus(paytable, deal),
        WagerId::BonusSpin => dealer_hand::bonus_spin(game, paytable, deal),
        WagerId::BonusSpinXtreme => dealer_hand::bonus_spin_xtreme(deal),
        WagerId::Blazing7s => first_cards::blazing_7s(deal),
        WagerId::LuckyAces => first_cards::lucky_aces(paytable, deal),
        WagerId::TwentyOnePlusThree => poker::twenty_one_plus_three(deal),
        WagerId::Top3 => poker::top_3(paytable, deal),
        WagerId::Trilux => poker::trilux(deal),
        WagerId::Main | WagerId::AdditionalPayout | WagerId::MustHit => {
            panic!("{wager} does not hang on the cards of a side wager")
        }
    }
}

/// The one row with that clause.
pub(crate) fn row(clause: &str) -> Vec<String> {
    vec![clause.to_owned()]
}

/// The row of a paytable: section `13.A(7)`, paytable `(c)` and line `(ii)` give `13.A(7)(c)(ii)`.
pub(crate) fn row_of(section: &str, paytable: &str, line: &str) -> Vec<String> {
    vec![format!("{section}{paytable}{line}")]
}

pub(crate) fn lost() -> Vec<String> {
    Vec::new()
}

/// The part of the clause id that belongs to a paytable's name. A name that the clause does not have is a mistake of
/// the caller, never a lost wager.
pub(crate) fn printed<'a>(paytable: &str, known: &[(&str, &'a str)]) -> &'a str {
    match known.iter().find(|(name, _)| *name == paytable) {
        Some((_, clause)) => clause,
        None => panic!("there is no paytable {paytable:?}"),
    }
}

pub(crate) const LETTERS: [(&str, &str); 6] =
    [("A", "(a)"), ("B", "(b)"), ("C", "(c)"), ("D", "(d)"), ("E", "(e)"), ("F", "(f)")];
pub(crate) const NUMBERS: [(&str, &str); 6] =
    [("A", "(1)"), ("B", "(2)"), ("C", "(3)"), ("D", "(4)"), ("E", "(5)"), ("F", "(6)")];
pub(crate) const SIX_OR_EIGHT_DECKS: [(&str, &str); 2] = [("6-deck", "(a)"), ("8-deck", "(b)")];
pub(crate) const ONE_OR_MORE_DECKS: [(&str, &str); 2] = [("single", "(a)"), ("multiple", "(b)")];
