//! Upcard Luck 21: an up card from 2 to 7, and the box's first two cards with the ace counted 11 (reading W9).

use super::hands::two_card_total;
use super::visible::{Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::{Card, Rank, Suit};
use crate::wager::WagerId;

lines! {
    ACE_AND_JACK_OF_SPADES = "ace-and-jack-of-spades",
    BLACKJACK = "blackjack",
    TOTAL_9_10_11 = "total-9-10-11",
    TOTAL_18_19_20 = "total-18-19-20",
}

pub(super) static UPCARD_LUCK_21: SideWager = SideWager {
    id: WagerId::UpcardLuck21,
    text: include_str!("../../paytables/upcard-luck-21.paytable"),
    lines: LINES,
    evaluate: upcard_luck,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn upcard_luck(visible: &Visible<'_>, _: &Options) -> Verdict {
    if !(Rank::Two..=Rank::Seven).contains(&visible.up.rank()) {
        return Verdict::Lost;
    }
    if visible.has_blackjack() {
        let holds = |rank| visible.first.contains(&Card::new(rank, Suit::Spades));
        let spades = holds(Rank::Ace) && holds(Rank::Jack);
        return Verdict::won(if spades { ACE_AND_JACK_OF_SPADES } else { BLACKJACK });
    }
    Verdict::won_by(match two_card_total(visible.first) {
        9..=11 => Some(TOTAL_9_10_11),
        18..=20 => Some(TOTAL_18_19_20),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn the_up_card_and_the_total_decide() {
        let wager = Try::blackjack(WagerId::UpcardLuck21, "A");
        wager.expect_first("As Js 2c", "ace-and-jack-of-spades");
        wager.expect_first("Js As 7c", "ace-and-jack-of-spades");
        wager.expect_first("Ah Js 7c", "blackjack");
        wager.expect_first("As Qs 7c", "blackjack");
        wager.expect_first("4h 5s 7c", "total-9-10-11");
        wager.expect_first("9h 2s 7c", "total-9-10-11");
        wager.expect_first("9h 9s 7c", "total-18-19-20");
        wager.expect_first("Ah 9s 7c", "total-18-19-20");
        wager.expect_first("Ah 6s 7c", "lost");
        wager.expect_first("Ah As 7c", "lost");
        wager.expect_first("4h 4s 7c", "lost");
        wager.expect_first("As Js 8c", "lost");
        wager.expect_first("As Js Ac", "lost");
    }
}
