//! Royal Match 21 and its Crown Treasure.
//!
//! A suited king-queen is settled at once unless the up card is a king or queen: then the dealer may have one too, and
//! the wager waits for the reveal (readings B6 and W16).

use super::hands::{is_royal_match, is_suited};
use super::visible::{CrownTreasure, Moment, Options, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::Rank;
use crate::wager::WagerId;

lines! {
    ROYAL_MATCH = "royal-match",
    SUITED_MATCH = "suited-match",
    CROWN_TREASURE = "crown-treasure",
}

pub(super) static ROYAL_MATCH_21: SideWager = SideWager {
    id: WagerId::RoyalMatch21,
    text: include_str!("../../paytables/royal-match-21.paytable"),
    lines: LINES,
    evaluate: royal_match_21,
    moments: &[Moment::FirstCards, Moment::Reveal],
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

fn royal_match_21(visible: &Visible<'_>, options: &Options) -> Verdict {
    if !is_royal_match(visible.first) {
        return Verdict::won_by(is_suited(visible.first).then_some(SUITED_MATCH));
    }
    if !matches!(visible.up.rank(), Rank::King | Rank::Queen) {
        return Verdict::won(ROYAL_MATCH);
    }
    let Some(hole) = visible.hole else {
        return Verdict::NotYet;
    };
    match (is_royal_match([visible.up, hole]), options.crown_treasure) {
        (false, _) => Verdict::won(ROYAL_MATCH),
        (true, CrownTreasure::Line) => Verdict::won(CROWN_TREASURE),
        (true, CrownTreasure::Additional) => Verdict::Won { line: ROYAL_MATCH, second: Some(CROWN_TREASURE) },
    }
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn a_royal_match_is_not_a_suited_match() {
        let wager = Try::blackjack(WagerId::RoyalMatch21, "C");
        wager.expect_first("Kd Qd 9c", "royal-match");
        wager.expect_first("Qd Kd Jd", "royal-match");
        wager.expect_first("Kd Kd 9c", "suited-match");
        wager.expect_first("2d 9d Kc", "suited-match");
        wager.expect_first("Kd Qh 9c", "lost");
    }

    #[test]
    fn crown_treasure_waits_for_the_reveal_and_pays_as_the_submission_says() {
        let mut wager = Try::blackjack(WagerId::RoyalMatch21, "C");
        let reveal = |hole: &str| Some(cards::<1>(hole)[0]);
        for (crown, both) in
            [(CrownTreasure::Line, "crown-treasure"), (CrownTreasure::Additional, "royal-match & crown-treasure")]
        {
            wager.offer.options.crown_treasure = crown;
            wager.expect_first("Kd Qd Kc", "not yet");
            wager.expect("Kd Qd Kc", |visible| visible.hole = reveal("Qc"), both);
            wager.expect("Kd Qd Qd", |visible| visible.hole = reveal("Kd"), both);
            wager.expect("Kd Qd Kc", |visible| visible.hole = reveal("Qh"), "royal-match");
            wager.expect("Kd Qd Kc", |visible| visible.hole = reveal("Ac"), "royal-match");
            wager.expect("Kd 2d Kc", |visible| visible.hole = reveal("Qc"), "suited-match");
        }
    }
}
