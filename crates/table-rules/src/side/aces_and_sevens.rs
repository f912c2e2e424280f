//! Lucky Aces counts aces in the four first cards; Blazing 7s counts sevens in three of them.

use super::hands::{all_one_color, all_one_suit};
use super::visible::{Moment, Options, PaytableLine, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Known, Placement, SideWager, claims};
use crate::card::{Card, Rank, Suit};
use crate::input::UpGroup;
use crate::wager::WagerId;

lines! {
    FOUR_ACES = "four-aces",
    THREE_ACES_SUITED = "three-aces-suited",
    THREE_ACES = "three-aces",
    TWO_ACES_SUITED = "two-aces-suited",
    TWO_ACES = "two-aces",
    ACE_OF_DIAMONDS = "ace-of-diamonds",
    ONE_ACE = "one-ace",
    THREE_7S_OF_DIAMONDS = "three-7s-of-diamonds",
    THREE_7S_OF_OTHER_SUIT = "three-7s-of-other-suit",
    THREE_7S_OF_ONE_COLOR = "three-7s-of-one-color",
    THREE_7S = "three-7s",
    TWO_7S = "two-7s",
    ONE_7 = "one-7",
}

pub(super) static LUCKY_ACES: SideWager = SideWager {
    id: WagerId::LuckyAces,
    text: include_str!("../../paytables/lucky-aces.paytable"),
    lines: LINES,
    evaluate: lucky_aces,
    moments: &[Moment::Reveal],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static BLAZING_7S: SideWager = SideWager {
    id: WagerId::Blazing7s,
    text: include_str!("../../paytables/blazing-7s.paytable"),
    lines: LINES,
    evaluate: blazing_7s,
    moments: &[Moment::FirstCards],
    claim: blazing_7s_claim,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

/// Three sevens need one of them face up before the dealer.
fn blazing_7s_claim(line: PaytableLine, known: &Known) -> bool {
    let three = [THREE_7S_OF_DIAMONDS, THREE_7S_OF_OTHER_SUIT, THREE_7S_OF_ONE_COLOR, THREE_7S].contains(&line);
    known.up == UpGroup::Low || !three
}

fn lucky_aces(visible: &Visible<'_>, _: &Options) -> Verdict {
    let Some(hole) = visible.hole else {
        return Verdict::NotYet;
    };
    Verdict::won_by(aces_line([visible.first[0], visible.first[1], visible.up, hole]))
}

/// "Suited" asks whether the aces share a suit; the ace of diamonds has its line only alone (reading W6).
fn aces_line(four: [Card; 4]) -> Option<PaytableLine> {
    let mut of_suit = [0_u8; 4];
    for card in four.iter().filter(|card| card.rank().is_ace()) {
        of_suit[card.suit() as usize] += 1;
    }
    let aces: u8 = of_suit.iter().sum();
    let suited = of_suit.contains(&aces);
    match aces {
        0 => None,
        1 if of_suit[Suit::Diamonds as usize] == 1 => Some(ACE_OF_DIAMONDS),
        1 => Some(ONE_ACE),
        2 => Some(if suited { TWO_ACES_SUITED } else { TWO_ACES }),
        3 => Some(if suited { THREE_ACES_SUITED } else { THREE_ACES }),
        _ => Some(FOUR_ACES),
    }
}

fn blazing_7s(visible: &Visible<'_>, _: &Options) -> Verdict {
    let three = [visible.first[0], visible.first[1], visible.up];
    Verdict::won_by(match three.iter().filter(|card| card.rank() == Rank::Seven).count() {
        0 => None,
        1 => Some(ONE_7),
        2 => Some(TWO_7S),
        _ if all_one_suit(three) && three[0].suit() == Suit::Diamonds => Some(THREE_7S_OF_DIAMONDS),
        _ if all_one_suit(three) => Some(THREE_7S_OF_OTHER_SUIT),
        _ if all_one_color(three) => Some(THREE_7S_OF_ONE_COLOR),
        _ => Some(THREE_7S),
    })
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn aces_are_counted_at_the_reveal() {
        let wager = Try::blackjack(WagerId::LuckyAces, "A");
        for (seen, hole, expected) in [
            ("Ad Ad Ad", "Ad", "four-aces"),
            ("Ad Ah Ac", "As", "four-aces"),
            ("Ad Ad 2c", "Ad", "three-aces-suited"),
            ("Ad Ad Ac", "2d", "three-aces"),
            ("2d Kd Ac", "Ac", "two-aces-suited"),
            ("2d Ad Ac", "2c", "two-aces"),
            ("2d Ad Kc", "2c", "ace-of-diamonds"),
            ("2d Kd Kc", "Ac", "one-ace"),
            ("2d Kd Kc", "3c", "lost"),
        ] {
            wager.expect_first(seen, "not yet");
            wager.expect(seen, |visible| visible.hole = Some(cards::<1>(hole)[0]), expected);
        }
    }

    #[test]
    fn sevens_are_counted_at_once() {
        let wager = Try::blackjack(WagerId::Blazing7s, "A");
        wager.expect_first("7d 7d 7d", "three-7s-of-diamonds");
        wager.expect_first("7c 7c 7c", "three-7s-of-other-suit");
        wager.expect_first("7d 7h 7d", "three-7s-of-one-color");
        wager.expect_first("7c 7h 7d", "three-7s");
        wager.expect_first("7c 2h 7d", "two-7s");
        wager.expect_first("2c 2h 7d", "one-7");
        wager.expect_first("2c 5h 8d", "lost");
    }
}
