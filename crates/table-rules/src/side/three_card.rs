//! Three Card Poker, 21+3 Progressive, Trilux and Top 3: a three-card Poker hand of the box's first two cards and the
//! up card. The highest line that the table prints is paid (reading W15).
//!
//! A-2-3 is always a straight. A-K-Q is one in three of the wagers (readings W4 and B5); for Three Card Poker the
//! submission must say.

use super::visible::{Moment, Options, PaytableLine, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::{Card, Rank};
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
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static TWENTY_ONE_PLUS_THREE: SideWager = SideWager {
    id: WagerId::TwentyOnePlusThree,
    text: include_str!("../../paytables/21-plus-3.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    claim: claims::any_line,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static TRILUX: SideWager = SideWager {
    id: WagerId::Trilux,
    text: include_str!("../../paytables/trilux.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static TOP_3: SideWager = SideWager {
    id: WagerId::Top3,
    text: include_str!("../../paytables/top-3.paytable"),
    lines: LINES,
    evaluate: three_card,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

/// Nothing here branches on the cards: they are as random as anything can be.
fn three_card(visible: &Visible<'_>, options: &Options) -> Verdict {
    let ([a, b], c) = (visible.first, visible.up);
    // The bits in which they differ: the lowest two are the suit's.
    let differing = (a.index() ^ b.index()) | (a.index() ^ c.index());
    let (suited, of_a_kind, alike) = (differing & 3 == 0, differing <= 3, differing == 0);
    let straight = is_straight([a, b, c], options.ace_high_straight);
    let made = one_if(SUITED_ACES, alike & a.is_ace())
        | one_if(SUITED_THREE_OF_A_KIND, alike)
        | one_if(STRAIGHT_FLUSH, straight & suited)
        | one_if(THREE_OF_A_KIND, of_a_kind)
        | one_if(STRAIGHT, straight)
        | one_if(FLUSH, suited);
    options.first_printed(made)
}

/// A line's bit where it is made.
#[inline]
fn one_if(line: PaytableLine, made: bool) -> u64 {
    u64::from(made) << line.index()
}

/// Three ranks in a row, by one bit a rank: A-2-3 always, A-K-Q where it is allowed.
#[inline]
fn is_straight(three: [Card; 3], ace_high: bool) -> bool {
    const ACE_KING_QUEEN: u32 = 1 << Rank::Ace as u8 | 1 << Rank::King as u8 | 1 << Rank::Queen as u8;
    let ranks = three.iter().fold(0u32, |ranks, card| ranks | 1 << (card.index() >> 2));
    (ranks >> ranks.trailing_zeros() == 0b111) | (ace_high & (ranks == ACE_KING_QUEEN))
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
