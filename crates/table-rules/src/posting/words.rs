//! What the players call each line of a paytable: on the sign, and in every sentence about a settled bet.
//!
//! Words only: no figure is repeated here. A line without words fails a test, so that a new paytable cannot reach a sign
//! under the name that records use.

use crate::card::Suit;
use crate::money::Cents;
use crate::wager::WagerId;

pub(super) const fn suit_words(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => "clubs",
        Suit::Diamonds => "diamonds",
        Suit::Hearts => "hearts",
        Suit::Spades => "spades",
    }
}

/// The words of a line; `None` where there are none yet.
pub(crate) fn line_words(wager: WagerId, key: &str) -> Option<String> {
    let words = match wager {
        WagerId::Main | WagerId::Insurance | WagerId::AdditionalPayout => return None,
        WagerId::BonusSpin | WagerId::BonusSpinXtreme => return symbol_words(key),
        WagerId::MatchTheDealer | WagerId::MatchSuperBonus => match key {
            "suited-match" => "Match of the same suit",
            "unsuited-match" => "Match of another suit",
            _ => return None,
        },
        WagerId::MatchUp | WagerId::MatchDown => match key {
            "two-suited" => "Two suited matches",
            "suited-and-unsuited" => "One suited and one unsuited match",
            "one-suited" => "One suited match",
            "two-unsuited" => "Two unsuited matches",
            "one-unsuited" => "One unsuited match",
            _ => return None,
        },
        WagerId::MonsterMatch => match key {
            "four-of-a-kind-suited" => "Four of a kind, one suit",
            "four-of-a-kind-same-color" => "Four of a kind, one color",
            "four-of-a-kind" => "Four of a kind",
            "three-of-a-kind-same-color" => "Three of a kind, one color",
            "three-of-a-kind" => "Three of a kind",
            "suited-pair" => "Suited pair",
            _ => return None,
        },
        WagerId::LuckyLadies | WagerId::KingsBounty => return twenty(key).map(ToOwned::to_owned),
        WagerId::InBetween => match key {
            "triple-match" => "Triple match",
            "one-card-spread" => "One-card spread",
            "two-card-spread" => "Two-card spread",
            "three-card-spread" => "Three-card spread",
            "wider-spread" => "In between, wider spread",
            _ => return None,
        },
        WagerId::RoyalMatch21 => match key {
            "royal-match" => "Royal Match: king and queen of one suit",
            "suited-match" => "Suited Match: two cards of one suit",
            "crown-treasure" => "Crown Treasure: Royal Match of player and dealer",
            _ => return None,
        },
        WagerId::BetTheSet21 => match key {
            "suited-pair" => "Suited pair",
            "pair" => "Pair",
            _ => return None,
        },
        WagerId::HouseMoney => match key {
            "ace-king-suited" => "Ace-king of one suit",
            "two-card-straight-flush" => "Two-card straight flush",
            "pair" => "Pair",
            "two-card-straight" => "Two-card straight",
            _ => return None,
        },
        WagerId::SuperMatch
        | WagerId::ThreeCardPoker
        | WagerId::TwentyOnePlusThree
        | WagerId::Top3
        | WagerId::Trilux
        | WagerId::Super4 => return poker(key).map(ToOwned::to_owned),
        WagerId::BadBeat => match key {
            "dealer-21-seven-cards" => "20 against a dealer 21 in seven or more cards",
            "dealer-21-six-cards" => "20 against a dealer 21 in six cards",
            "dealer-21-five-cards" => "20 against a dealer 21 in five cards",
            "dealer-21-four-cards" => "20 against a dealer 21 in four cards",
            "dealer-21-three-cards" => "20 against a dealer 21 in three cards",
            "dealer-blackjack" => "20 against a dealer blackjack",
            "player-20" => "Any other 20",
            "magic-card" => "Magic Card Bonus",
            "lucky-player" => "Lucky Player Bonus",
            _ => return None,
        },
        WagerId::HitAndRun => match key {
            "eight-cards" => "Dealer hand of eight or more cards",
            "seven-cards" => "Dealer hand of seven cards",
            "six-cards" => "Dealer hand of six cards",
            "five-cards" => "Dealer hand of five cards",
            "blackjack" => "Dealer blackjack",
            _ => return None,
        },
        WagerId::LuckyLucky => match key {
            "suited-777" => "7-7-7, one suit",
            "suited-678" => "6-7-8, one suit",
            "unsuited-777" => "7-7-7",
            "unsuited-678" => "6-7-8",
            "suited-21" => "21, one suit",
            "unsuited-21" => "21",
            "any-20" => "20",
            "any-19" => "19",
            _ => return None,
        },
        WagerId::MustHit => match key {
            "random-winner" => "Player drawn among the Super 4 wagers",
            _ => return None,
        },
        WagerId::UpcardLuck21 => match key {
            "ace-and-jack-of-spades" => "Ace and jack of spades",
            "blackjack" => "Blackjack",
            "total-9-10-11" => "Total of 9, 10 or 11",
            "total-18-19-20" => "Total of 18, 19 or 20",
            _ => return None,
        },
        WagerId::BusterBlackjack | WagerId::BusterBlackjackFreeBonus => match key {
            "bust-eight-cards" => "Dealer busts with eight or more cards",
            "bust-seven-cards" => "Dealer busts with seven cards",
            "bust-six-cards" => "Dealer busts with six cards",
            "bust-five-cards" => "Dealer busts with five cards",
            "bust-four-cards" => "Dealer busts with four cards",
            "bust-three-cards" => "Dealer busts with three cards",
            _ => return None,
        },
        WagerId::Blazing7s => match key {
            "three-7s-of-diamonds" => "Three 7s of diamonds",
            "three-7s-of-other-suit" => "Three 7s of another suit",
            "three-7s-of-one-color" => "Three 7s of one color",
            "three-7s" => "Three 7s",
            "two-7s" => "Two 7s",
            "one-7" => "One 7",
            _ => return None,
        },
        WagerId::LuckyAces => match key {
            "four-aces" => "Four aces",
            "three-aces-suited" => "Three aces, one suit",
            "three-aces" => "Three aces",
            "two-aces-suited" => "Two aces, one suit",
            "two-aces" => "Two aces",
            "ace-of-diamonds" => "Ace of diamonds alone",
            "one-ace" => "One ace",
            _ => return None,
        },
    };
    Some(words.to_owned())
}

fn twenty(key: &str) -> Option<&'static str> {
    Some(match key {
        "queen-of-hearts-pair-dealer-blackjack" => "Pair of queens of hearts, dealer blackjack",
        "queen-of-hearts-pair" => "Pair of queens of hearts",
        "matched-20" => "Matched 20: same rank and suit",
        "king-of-spades-pair-dealer-blackjack" => "Pair of kings of spades, dealer blackjack",
        "king-of-spades-pair" => "Pair of kings of spades",
        "suited-kings-pair" => "Pair of kings of one suit",
        "suited-queens-jacks-or-tens-pair" => "Pair of queens, jacks or 10s of one suit",
        "suited-20" => "Suited 20",
        "pair-of-kings" => "Pair of kings",
        "any-20" => "Any 20",
        _ => return None,
    })
}

fn poker(key: &str) -> Option<&'static str> {
    Some(match key {
        "royal-flush-of-diamonds" => "Royal flush of diamonds",
        // The sign names the suit that the submission chose.
        "royal-flush-of-chosen-suit" => "Royal flush of the chosen suit",
        "royal-flush-of-other-suit" => "Royal flush of another suit",
        "suited-aces" => "Three aces of one suit",
        "suited-three-of-a-kind" => "Three of a kind, one suit",
        "four-of-a-kind" => "Four of a kind",
        "straight-flush" => "Straight flush",
        "three-of-a-kind" => "Three of a kind",
        "straight" => "Straight",
        "flush" => "Flush",
        "two-pair" => "Two pair",
        "pair" => "Pair",
        "four-red" => "Four red cards",
        "four-black" => "Four black cards",
        "any-hand" => "Any other hand",
        "ace-up-no-blackjack" => "Dealer ace without a blackjack",
        _ => return None,
    })
}

/// A wheel's symbols are called by what stands on them.
fn symbol_words(key: &str) -> Option<String> {
    match key {
        "jackpot" => Some("Jackpot symbol".to_owned()),
        "primary-jackpot" => Some("Primary jackpot symbol".to_owned()),
        "secondary-jackpot" => Some("Secondary jackpot symbol".to_owned()),
        dollars => dollars.parse().ok().map(|dollars| format!("Symbol {}", Cents::dollars(dollars))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::all_tables;

    #[test]
    fn every_line_of_every_paytable_has_words_and_no_two_of_a_table_share_them() {
        for wager in all_tables() {
            for table in wager.games.iter().flat_map(|game| &game.tables) {
                let mut seen: Vec<(&str, String)> = Vec::new();
                for row in &table.rows {
                    let words = line_words(wager.wager, row.key);
                    let words = words.unwrap_or_else(|| panic!("{} {}: no words", wager.wager, row.key));
                    assert!(seen.iter().all(|(key, other)| *key == row.key || *other != words), "{words}");
                    seen.push((row.key, words));
                }
            }
        }
    }
}
