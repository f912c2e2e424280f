//! Bet the Set 21, House Money and Super Match: pairs and their relatives in the player's own first cards.

use super::hands::{is_pair, is_suited};
use super::visible::{Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::{Card, Rank};
use crate::wager::WagerId;

lines! {
    SUITED_PAIR = "suited-pair",
    PAIR = "pair",
    ACE_KING_SUITED = "ace-king-suited",
    STRAIGHT_FLUSH = "two-card-straight-flush",
    STRAIGHT = "two-card-straight",
    FOUR_OF_A_KIND = "four-of-a-kind",
    TWO_PAIR = "two-pair",
    THREE_OF_A_KIND = "three-of-a-kind",
}

pub(super) static BET_THE_SET_21: SideWager = SideWager {
    id: WagerId::BetTheSet21,
    text: include_str!("../../paytables/bet-the-set-21.paytable"),
    lines: LINES,
    evaluate: bet_the_set,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static HOUSE_MONEY: SideWager = SideWager {
    id: WagerId::HouseMoney,
    text: include_str!("../../paytables/house-money.paytable"),
    lines: LINES,
    evaluate: house_money,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static SUPER_MATCH: SideWager = SideWager {
    id: WagerId::SuperMatch,
    text: include_str!("../../paytables/super-match.paytable"),
    lines: LINES,
    evaluate: super_match,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

/// The single-deck table prints no suited pair: one deck has none, and a stray one is still a pair.
fn bet_the_set(visible: &Visible<'_>, options: &Options) -> Verdict {
    if !is_pair(visible.first) {
        return Verdict::Lost;
    }
    Verdict::won(if is_suited(visible.first) && options.has(SUITED_PAIR) { SUITED_PAIR } else { PAIR })
}

/// The ace is both low and high (reading W3).
fn house_money(visible: &Visible<'_>, _: &Options) -> Verdict {
    if is_pair(visible.first) {
        return Verdict::won(PAIR);
    }
    let [a, b] = visible.first.map(Card::rank);
    let neighbours = a.ace_low().abs_diff(b.ace_low()) == 1 || a.ace_high().abs_diff(b.ace_high()) == 1;
    if !neighbours {
        return Verdict::Lost;
    }
    let ace_king = matches!((a, b), (Rank::Ace, Rank::King) | (Rank::King, Rank::Ace));
    Verdict::won(match (is_suited(visible.first), ace_king) {
        (true, true) => ACE_KING_SUITED,
        (true, false) => STRAIGHT_FLUSH,
        (false, _) => STRAIGHT,
    })
}

fn super_match(visible: &Visible<'_>, _: &Options) -> Verdict {
    let Some([c, d]) = visible.second else {
        return Verdict::NotYet;
    };
    let [a, b] = visible.first;
    let [a, b, c, d] = [a.rank(), b.rank(), c.rank(), d.rank()];
    let equal = [a == b, a == c, a == d, b == c, b == d, c == d];
    // Equal pairs among four cards: 6 for four of a kind, 3 for three of a kind, 2 for two pair, 1 for a pair.
    Verdict::won_by(match equal.iter().filter(|equal| **equal).count() {
        0 => None,
        1 => Some(PAIR),
        2 => Some(TWO_PAIR),
        3 => Some(THREE_OF_A_KIND),
        _ => Some(FOUR_OF_A_KIND),
    })
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;
    use crate::game::Game;

    #[test]
    fn bet_the_set_knows_suited_pairs_where_its_table_does() {
        let many = Try::blackjack(WagerId::BetTheSet21, "C");
        many.expect_first("7d 7d 9c", "suited-pair");
        many.expect_first("7d 7h 9c", "pair");
        many.expect_first("Kd Qd 9c", "lost");
        let single = Try::new(Game::Blackjack, WagerId::BetTheSet21, "A", 1);
        single.expect_first("7d 7h 9c", "pair");
        single.expect_first("7d 7d 9c", "pair");
    }

    #[test]
    fn house_money_counts_the_ace_low_and_high() {
        let wager = Try::blackjack(WagerId::HouseMoney, "multiple");
        wager.expect_first("Ad Kd 9c", "ace-king-suited");
        wager.expect_first("Ad Kh 9c", "two-card-straight");
        wager.expect_first("Ad 2d 9c", "two-card-straight-flush");
        wager.expect_first("2c Ad 9c", "two-card-straight");
        wager.expect_first("Kd Qd 9c", "two-card-straight-flush");
        wager.expect_first("9d Th 9c", "two-card-straight");
        wager.expect_first("7d 7d 9c", "pair");
        wager.expect_first("Ad Qd 9c", "lost");
        wager.expect_first("Kd 2d 9c", "lost");
    }

    #[test]
    fn super_match_takes_the_four_first_cards() {
        let wager = Try::switch(WagerId::SuperMatch, "6-deck", 6);
        wager.expect_first("7d 7h 2c", "not yet");
        for (first, second, expected) in [
            ("7d 7h", "7c 7c", "four-of-a-kind"),
            ("7d 8h", "7c 8c", "two-pair"),
            ("7d 8h", "7c 7h", "three-of-a-kind"),
            ("7d 8h", "9c 7h", "pair"),
            ("7d Kh", "Qc Jh", "lost"),
        ] {
            wager.expect(&format!("{first} 2c"), |visible| visible.second = Some(cards(second)), expected);
        }
    }
}
