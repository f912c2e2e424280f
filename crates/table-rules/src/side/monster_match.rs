//! Monster Match: four cards, the box's first two and the dealer's first two. It waits for the dealer's complete hand.
//!
//! The matching three or four cards alone decide "same color"; two suited pairs pay once (reading W12).

use super::hands::all_one_color;
use super::visible::{Moment, Options, PaytableLine, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Known, Placement, SideWager};
use crate::card::Card;
use crate::wager::WagerId;

lines! {
    FOUR_SUITED = "four-of-a-kind-suited",
    FOUR_SAME_COLOR = "four-of-a-kind-same-color",
    FOUR = "four-of-a-kind",
    THREE_SAME_COLOR = "three-of-a-kind-same-color",
    THREE = "three-of-a-kind",
    SUITED_PAIR = "suited-pair",
}

pub(super) static MONSTER_MATCH: SideWager = SideWager {
    id: WagerId::MonsterMatch,
    text: include_str!("../../paytables/monster-match.paytable"),
    lines: LINES,
    evaluate: monster_match,
    moments: &[Moment::DealerComplete],
    claim: may_be_claimed,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn monster_match(visible: &Visible<'_>, _: &Options) -> Verdict {
    match (visible.dealer_hand, visible.hole) {
        (Some(_), Some(hole)) => Verdict::won_by(best_line([visible.first[0], visible.first[1], visible.up, hole])),
        (None, _) | (_, None) => Verdict::NotYet,
    }
}

/// The two cards of a dealer blackjack differ, so that no four are alike.
fn may_be_claimed(line: PaytableLine, known: &Known) -> bool {
    let four_alike = [FOUR_SUITED, FOUR_SAME_COLOR, FOUR].contains(&line);
    known.dealer_blackjack.is_some_and(|blackjack| !(blackjack && four_alike))
}

fn best_line(four: [Card; 4]) -> Option<PaytableLine> {
    let [a, b, c, d] = four;
    if four.iter().all(|card| card.rank() == a.rank()) {
        return Some(if four.iter().all(|card| *card == a) {
            FOUR_SUITED
        } else if all_one_color(four) {
            FOUR_SAME_COLOR
        } else {
            FOUR
        });
    }
    for three in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
        if three.iter().all(|card| card.rank() == three[0].rank()) {
            return Some(if all_one_color(three) { THREE_SAME_COLOR } else { THREE });
        }
    }
    (a == b || a == c || a == d || b == c || b == d || c == d).then_some(SUITED_PAIR)
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::*;

    fn expect(text: &str, line: Option<PaytableLine>) {
        let four: [Card; 4] = cards(text);
        assert_eq!(best_line(four), line, "{text}");
        let [a, b, c, d] = four;
        assert_eq!(best_line([d, c, b, a]), line, "{text} the other way round");
        assert_eq!(best_line([c, a, d, b]), line, "{text} mixed");
    }

    #[test]
    fn the_best_line_of_four_cards_is_paid() {
        expect("7d 7d 7d 7d", Some(FOUR_SUITED));
        expect("7d 7d 7d 7h", Some(FOUR_SAME_COLOR));
        expect("7d 7d 7d 7c", Some(FOUR));
        expect("7d 7d 7h Kc", Some(THREE_SAME_COLOR));
        expect("7d 7d 7c Kc", Some(THREE));
        expect("7d 7d 7d 8d", Some(THREE_SAME_COLOR));
        expect("7d 7d 8c 8c", Some(SUITED_PAIR));
        expect("7d 7d 8c 8d", Some(SUITED_PAIR));
        expect("7d 7h 8c 8d", None);
        expect("7d 7h 8c Kd", None);
    }
}
