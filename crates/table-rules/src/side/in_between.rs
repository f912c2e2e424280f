//! In Between: the up card strictly between the box's first two cards, or three of one rank. The ace is high (W1).

use super::visible::{Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::wager::WagerId;

lines! {
    TRIPLE_MATCH = "triple-match",
    ONE_CARD_SPREAD = "one-card-spread",
    TWO_CARD_SPREAD = "two-card-spread",
    THREE_CARD_SPREAD = "three-card-spread",
    WIDER_SPREAD = "wider-spread",
}

pub(super) static IN_BETWEEN: SideWager = SideWager {
    id: WagerId::InBetween,
    text: include_str!("../../paytables/in-between.paytable"),
    lines: LINES,
    evaluate: in_between,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn in_between(visible: &Visible<'_>, _: &Options) -> Verdict {
    let [a, b] = visible.first.map(|card| card.rank().ace_high());
    let up = visible.up.rank().ace_high();
    let (low, high) = (a.min(b), a.max(b));
    if low == high {
        return Verdict::won_by((up == low).then_some(TRIPLE_MATCH));
    }
    if up <= low || up >= high {
        return Verdict::Lost;
    }
    Verdict::won(match high - low - 1 {
        1 => ONE_CARD_SPREAD,
        2 => TWO_CARD_SPREAD,
        3 => THREE_CARD_SPREAD,
        _ => WIDER_SPREAD,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn the_spread_is_what_lies_between() {
        let wager = Try::blackjack(WagerId::InBetween, "-");
        wager.expect_first("7c 7d 7h", "triple-match");
        wager.expect_first("7c 7d 8h", "lost");
        wager.expect_first("6c 8d 7h", "one-card-spread");
        wager.expect_first("9c 6d 7h", "two-card-spread");
        wager.expect_first("6c Td 8h", "three-card-spread");
        wager.expect_first("Jc 6d 8h", "wider-spread");
        wager.expect_first("6c Jd 6h", "lost");
        wager.expect_first("6c Jd Jh", "lost");
        wager.expect_first("6c 7d Jh", "lost");
    }

    #[test]
    fn the_ace_is_high_and_only_high() {
        let wager = Try::blackjack(WagerId::InBetween, "-");
        wager.expect_first("Ac Qd Kh", "one-card-spread");
        wager.expect_first("Ac 3d 2h", "lost");
        wager.expect_first("2c Ad Kh", "wider-spread");
        wager.expect_first("2c Kd Ah", "lost");
    }
}
