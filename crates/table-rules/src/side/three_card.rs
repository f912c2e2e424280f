//! Three Card Poker, 21+3 Progressive, Trilux and Top 3: a three-card Poker hand of the box's first two cards and the
//! up card. The highest line that the table prints is paid (reading W15).
//!
//! A-2-3 is always a straight. A-K-Q is one in three of the wagers (readings W4 and B5); for Three Card Poker the
//! submission must say.

use super::hands::all_one_suit;
use super::sight::{Moment, Options, Sight, Verdict, lines};
use super::{DealerHand, Placement, SideWager};
use crate::card::Card;
use crate::wager::WagerId;

lines! {
    SUITED_ACES = "suited-aces",
    SUITED_THREE_OF_A_KIND = "suited-three-of-a-kind",
    STRAIGHT_FLUSH = "straight-flush",
    THREE_OF_A_KIND = "three-of-a-kind",
    STRAIGHT = "straight",
    FLUSH = "flush",
}

pub(super) static THREE_CARD_POKER: SideWager = SideWager {
    id: WagerId::ThreeCardPoker,
    text: include_str!("../../paytables/three-card-poker.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
};

pub(super) static TWENTY_ONE_PLUS_THREE: SideWager = SideWager {
    id: WagerId::TwentyOnePlusThree,
    text: include_str!("../../paytables/21-plus-3.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
};

pub(super) static TRILUX: SideWager = SideWager {
    id: WagerId::Trilux,
    text: include_str!("../../paytables/trilux.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
};

pub(super) static TOP_3: SideWager = SideWager {
    id: WagerId::Top3,
    text: include_str!("../../paytables/top-3.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
};

fn three_card(sight: &Sight<'_>, options: &Options) -> Verdict {
    let three = [sight.first[0], sight.first[1], sight.up];
    let suited = all_one_suit(three);
    let of_a_kind = three.iter().all(|card| card.rank() == three[0].rank());
    let straight = is_straight(three, options.ace_high_straight);
    let made = [
        (SUITED_ACES, of_a_kind && suited && three[0].rank().is_ace()),
        (SUITED_THREE_OF_A_KIND, of_a_kind && suited),
        (STRAIGHT_FLUSH, straight && suited),
        (THREE_OF_A_KIND, of_a_kind),
        (STRAIGHT, straight),
        (FLUSH, suited),
    ];
    Verdict::won_by(made.into_iter().find(|(line, made)| *made && options.has(*line)).map(|(line, _)| line))
}

fn is_straight(three: [Card; 3], ace_high: bool) -> bool {
    is_run(three.map(|card| card.rank().ace_low())) || (ace_high && is_run(three.map(|card| card.rank().ace_high())))
}

/// Three different places within a span of two.
fn is_run([a, b, c]: [u8; 3]) -> bool {
    a != b && b != c && a != c && a.max(b).max(c) - a.min(b).min(c) == 2
}

#[cfg(test)]
mod tests {
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn poker_hands_are_ranked() {
        for id in [WagerId::ThreeCardPoker, WagerId::Trilux] {
            let wager = Try::blackjack(id, if id == WagerId::Trilux { "-" } else { "B" });
            wager.expect_first("7d 9d 8d", "straight-flush");
            wager.expect_first("7d 7d 7d", "three-of-a-kind");
            wager.expect_first("7d 7h 7c", "three-of-a-kind");
            wager.expect_first("Td Qh Jc", "straight");
            wager.expect_first("Td Qd Kd", "flush");
            wager.expect_first("Ad 3h 2c", "straight");
            wager.expect_first("Kd 2h Ac", "lost");
            wager.expect_first("7d 7h 8c", "lost");
        }
    }

    #[test]
    fn ace_king_queen_is_a_straight_where_it_is_allowed() {
        let mut poker = Try::blackjack(WagerId::ThreeCardPoker, "B");
        poker.offer.options.ace_high_straight = false;
        poker.expect_first("Ad Kh Qc", "lost");
        poker.expect_first("Ad Kd Qd", "flush");
        poker.expect_first("Ad 2d 3d", "straight-flush");
        poker.offer.options.ace_high_straight = true;
        poker.expect_first("Ad Kh Qc", "straight");
        for (id, table) in [(WagerId::Trilux, "-"), (WagerId::TwentyOnePlusThree, "A"), (WagerId::Top3, "A")] {
            Try::blackjack(id, table).expect_first("Qd Kd Ad", "straight-flush");
        }
    }

    #[test]
    fn suited_three_of_a_kind_has_its_line_where_it_is_printed() {
        let progressive = Try::blackjack(WagerId::TwentyOnePlusThree, "A");
        progressive.expect_first("Ad Ad Ad", "suited-aces");
        progressive.expect_first("Ad Ad Ah", "three-of-a-kind");
        progressive.expect_first("7d 7d 7d", "suited-three-of-a-kind");
        progressive.expect_first("2d 7d 9d", "flush");
        let top = Try::blackjack(WagerId::Top3, "B");
        top.expect_first("Ad Ad Ad", "suited-three-of-a-kind");
        top.expect_first("7d 7d 7h", "three-of-a-kind");
        top.expect_first("7d 8d 9h", "lost");
        top.expect_first("7d 2d 9d", "lost");
    }
}
