//! The match wagers: the box's first two cards against one dealer card. Ranks must be identical (reading S4).
//!
//! Match-the-Dealer and Match Super Bonus pay each matching card; Match-Up and Match-Down print one line for both
//! cards. Match-Down waits until the dealer's hand is complete (reading P2), although the card shows earlier.

use super::visible::{Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::Card;
use crate::wager::WagerId;

lines! {
    SUITED_MATCH = "suited-match",
    UNSUITED_MATCH = "unsuited-match",
    TWO_SUITED = "two-suited",
    SUITED_AND_UNSUITED = "suited-and-unsuited",
    ONE_SUITED = "one-suited",
    TWO_UNSUITED = "two-unsuited",
    ONE_UNSUITED = "one-unsuited",
}

pub(super) static MATCH_THE_DEALER: SideWager = SideWager {
    id: WagerId::MatchTheDealer,
    text: include_str!("../../paytables/match-the-dealer.paytable"),
    lines: LINES,
    evaluate: each_card,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static MATCH_SUPER_BONUS: SideWager = SideWager {
    id: WagerId::MatchSuperBonus,
    text: include_str!("../../paytables/match-super-bonus.paytable"),
    lines: LINES,
    evaluate: each_card,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static MATCH_UP: SideWager = SideWager {
    id: WagerId::MatchUp,
    text: include_str!("../../paytables/match-up.paytable"),
    lines: LINES,
    evaluate: match_up,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static MATCH_DOWN: SideWager = SideWager {
    id: WagerId::MatchDown,
    text: include_str!("../../paytables/match-down.paytable"),
    lines: LINES,
    evaluate: match_down,
    moments: &[Moment::DealerComplete],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn each_card(visible: &Visible<'_>, _: &Options) -> Verdict {
    let [a, b] = visible.first;
    if !(a.is_same_rank(visible.up) | b.is_same_rank(visible.up)) {
        return Verdict::Lost;
    }
    let line = |card: Card| {
        card.is_same_rank(visible.up).then(|| if card.is_same_suit(visible.up) { SUITED_MATCH } else { UNSUITED_MATCH })
    };
    match (line(a), line(b)) {
        (None, None) => Verdict::Lost,
        (Some(line), None) | (None, Some(line)) => Verdict::won(line),
        (Some(line), Some(second)) => Verdict::Won { line, second: Some(second) },
    }
}

fn match_up(visible: &Visible<'_>, _: &Options) -> Verdict {
    both_cards(visible.first, visible.up)
}

fn match_down(visible: &Visible<'_>, _: &Options) -> Verdict {
    match (visible.dealer_hand, visible.hole) {
        (Some(_), Some(hole)) => both_cards(visible.first, hole),
        (None, _) | (_, None) => Verdict::NotYet,
    }
}

fn both_cards(first: [Card; 2], dealer: Card) -> Verdict {
    let suited = first.iter().filter(|card| **card == dealer).count();
    let matching = first.iter().filter(|card| card.rank() == dealer.rank()).count();
    Verdict::won_by(match (suited, matching - suited) {
        (2, _) => Some(TWO_SUITED),
        (1, 1) => Some(SUITED_AND_UNSUITED),
        (1, _) => Some(ONE_SUITED),
        (_, 2) => Some(TWO_UNSUITED),
        (_, 1) => Some(ONE_UNSUITED),
        (_, _) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;
    use crate::game::Game;

    #[test]
    fn each_matching_card_is_paid() {
        let wager = Try::new(Game::Spanish21, WagerId::MatchTheDealer, "6-deck", 6);
        wager.expect_first("7d 7d 7d", "suited-match & suited-match");
        wager.expect_first("7c 7d 7d", "unsuited-match & suited-match");
        wager.expect_first("7c 7h 7d", "unsuited-match & unsuited-match");
        wager.expect_first("7c 8d 7d", "unsuited-match");
        wager.expect_first("8d 7d 7d", "suited-match");
        wager.expect_first("8d 9d 7d", "lost");
    }

    #[test]
    fn ten_value_cards_of_different_rank_do_not_match() {
        let wager = Try::blackjack(WagerId::MatchTheDealer, "6-deck");
        wager.expect_first("Jd Qd Kd", "lost");
        wager.expect_first("Jd Td Th", "unsuited-match");
    }

    #[test]
    fn match_up_prints_one_line_for_both_cards() {
        let wager = Try::new(Game::PlayersEdge21, WagerId::MatchUp, "B", 6);
        wager.expect_first("7d 7d 7d", "two-suited");
        wager.expect_first("7d 7h 7d", "suited-and-unsuited");
        wager.expect_first("7h 7d 7d", "suited-and-unsuited");
        wager.expect_first("2h 7d 7d", "one-suited");
        wager.expect_first("7h 7c 7d", "two-unsuited");
        wager.expect_first("7h 2c 7d", "one-unsuited");
        wager.expect_first("7h 2c Kd", "lost");
    }

    #[test]
    fn match_down_waits_for_the_complete_hand_although_the_hole_card_shows() {
        let wager = Try::new(Game::PlayersEdge21, WagerId::MatchDown, "A", 6);
        wager.expect_first("7h 7c 7d", "not yet");
        wager.expect("7h 2c Kd", |visible| visible.hole = Some(cards::<1>("7h")[0]), "not yet");
        let hand = cards::<3>("Kd 7h 2c");
        wager.expect(
            "7h 2c Kd",
            |visible| {
                visible.hole = Some(hand[1]);
                visible.dealer_hand = Some(&hand);
            },
            "one-suited",
        );
    }
}
