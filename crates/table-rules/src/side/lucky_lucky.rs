//! Lucky Lucky: the box's first two cards and the up card make 6-7-8, 7-7-7, or a total of 19, 20 or 21.
//!
//! The two sequences go by rank; for the total each ace is 1 or 11, whichever makes the better line (reading W5).

use super::hands::all_one_suit;
use super::visible::{Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::Rank;
use crate::wager::WagerId;

lines! {
    SUITED_777 = "suited-777",
    SUITED_678 = "suited-678",
    UNSUITED_777 = "unsuited-777",
    UNSUITED_678 = "unsuited-678",
    SUITED_21 = "suited-21",
    UNSUITED_21 = "unsuited-21",
    ANY_20 = "any-20",
    ANY_19 = "any-19",
}

pub(super) static LUCKY_LUCKY: SideWager = SideWager {
    id: WagerId::LuckyLucky,
    text: include_str!("../../paytables/lucky-lucky.paytable"),
    lines: LINES,
    evaluate: lucky_lucky,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn lucky_lucky(visible: &Visible<'_>, _: &Options) -> Verdict {
    let three = [visible.first[0], visible.first[1], visible.up];
    let suited = all_one_suit(three);
    let holds = |rank: Rank| three.iter().any(|card| card.rank() == rank);
    if three.iter().all(|card| card.rank() == Rank::Seven) {
        return Verdict::won(if suited { SUITED_777 } else { UNSUITED_777 });
    }
    if holds(Rank::Six) && holds(Rank::Seven) && holds(Rank::Eight) {
        return Verdict::won(if suited { SUITED_678 } else { UNSUITED_678 });
    }
    let points: u8 = three.iter().map(|card| card.points()).sum();
    // A second ace counted 11 makes at least 23, so at most one is.
    let can_make = |total: u8| points == total || (holds(Rank::Ace) && points + 10 == total);
    Verdict::won_by(if can_make(21) {
        Some(if suited { SUITED_21 } else { UNSUITED_21 })
    } else if can_make(20) {
        Some(ANY_20)
    } else if can_make(19) {
        Some(ANY_19)
    } else {
        None
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn the_best_line_is_paid() {
        let wager = Try::blackjack(WagerId::LuckyLucky, "A");
        wager.expect_first("7d 7d 7d", "suited-777");
        wager.expect_first("7d 7d 7h", "unsuited-777");
        wager.expect_first("8d 6d 7d", "suited-678");
        wager.expect_first("8d 6h 7d", "unsuited-678");
        wager.expect_first("9d 3d 9d", "suited-21");
        wager.expect_first("9d 3d 9h", "unsuited-21");
        wager.expect_first("Kd 3d 7h", "any-20");
        wager.expect_first("Kd 3d 6h", "any-19");
        wager.expect_first("Kd 3d 5h", "lost");
        wager.expect_first("Kd Kd 2h", "lost");
    }

    #[test]
    fn an_ace_takes_the_better_value() {
        let wager = Try::blackjack(WagerId::LuckyLucky, "A");
        wager.expect_first("Ad Kd Kd", "suited-21");
        wager.expect_first("Ad 5d 5h", "unsuited-21");
        wager.expect_first("Ad Ah 9h", "unsuited-21");
        wager.expect_first("Ad Kh 9h", "any-20");
        wager.expect_first("Ad Ah Kh", "lost");
        wager.expect_first("Ad Ah 8h", "any-20");
        wager.expect_first("Ad 2h 6h", "any-19");
        wager.expect_first("Ad Ah Ac", "lost");
    }
}
