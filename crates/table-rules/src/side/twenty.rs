//! Lucky Ladies and King's Bounty: two first cards that total 20, the ace counted 11 (reading W2).
//!
//! Only the best pair waits: under an ace or ten-value up card the dealer may yet have a blackjack (reading W16).

use super::hands::{is_pair, is_suited, two_card_total};
use super::visible::{Moment, Options, PaytableLine, Reader, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Placement, SideWager, claims};
use crate::card::{Card, Rank, Suit};
use crate::wager::WagerId;

lines! {
    QUEEN_OF_HEARTS_PAIR_DEALER_BLACKJACK = "queen-of-hearts-pair-dealer-blackjack",
    QUEEN_OF_HEARTS_PAIR = "queen-of-hearts-pair",
    MATCHED_20 = "matched-20",
    KING_OF_SPADES_PAIR_DEALER_BLACKJACK = "king-of-spades-pair-dealer-blackjack",
    KING_OF_SPADES_PAIR = "king-of-spades-pair",
    SUITED_KINGS_PAIR = "suited-kings-pair",
    SUITED_QUEENS_JACKS_OR_TENS_PAIR = "suited-queens-jacks-or-tens-pair",
    SUITED_20 = "suited-20",
    PAIR_OF_KINGS = "pair-of-kings",
    ANY_20 = "any-20",
}

const MOMENTS: &[Moment] = &[Moment::FirstCards, Moment::AfterReader];

pub(super) static LUCKY_LADIES: SideWager = SideWager {
    id: WagerId::LuckyLadies,
    text: include_str!("../../paytables/lucky-ladies.paytable"),
    lines: LINES,
    evaluate: lucky_ladies,
    moments: MOMENTS,
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static KINGS_BOUNTY: SideWager = SideWager {
    id: WagerId::KingsBounty,
    text: include_str!("../../paytables/kings-bounty.paytable"),
    lines: LINES,
    evaluate: kings_bounty,
    moments: MOMENTS,
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

/// The line that 13.J lets a submission cap.
pub(super) fn capped_line(wager: WagerId) -> Option<PaytableLine> {
    if wager == WagerId::LuckyLadies {
        Some(QUEEN_OF_HEARTS_PAIR_DEALER_BLACKJACK)
    } else if wager == WagerId::KingsBounty {
        Some(KING_OF_SPADES_PAIR_DEALER_BLACKJACK)
    } else {
        None
    }
}

fn lucky_ladies(visible: &Visible<'_>, options: &Options) -> Verdict {
    let queen_of_hearts = Card::new(Rank::Queen, Suit::Hearts);
    if visible.first == [queen_of_hearts; 2] {
        return best_pair(visible, options, QUEEN_OF_HEARTS_PAIR, QUEEN_OF_HEARTS_PAIR_DEALER_BLACKJACK);
    }
    if two_card_total(visible.first) != 20 {
        return Verdict::Lost;
    }
    Verdict::won(match (is_suited(visible.first), is_pair(visible.first)) {
        (true, true) => MATCHED_20,
        (true, false) => SUITED_20,
        (false, _) => ANY_20,
    })
}

fn kings_bounty(visible: &Visible<'_>, options: &Options) -> Verdict {
    let king_of_spades = Card::new(Rank::King, Suit::Spades);
    if visible.first == [king_of_spades; 2] {
        return best_pair(visible, options, KING_OF_SPADES_PAIR, KING_OF_SPADES_PAIR_DEALER_BLACKJACK);
    }
    if two_card_total(visible.first) != 20 {
        return Verdict::Lost;
    }
    let kings = visible.first[0].rank() == Rank::King;
    Verdict::won(match (is_suited(visible.first), is_pair(visible.first)) {
        (true, true) if kings => SUITED_KINGS_PAIR,
        (true, true) => SUITED_QUEENS_JACKS_OR_TENS_PAIR,
        (true, false) => SUITED_20,
        (false, true) if kings => PAIR_OF_KINGS,
        (false, _) => ANY_20,
    })
}

fn best_pair(
    visible: &Visible<'_>,
    options: &Options,
    plain: PaytableLine,
    with_dealer_blackjack: PaytableLine,
) -> Verdict {
    match visible.reader {
        Reader::NotAsked | Reader::No => Verdict::won(plain),
        Reader::Waiting => Verdict::NotYet,
        Reader::Yes if options.maximum_payout.is_some() && !options.stake_is_known(visible) => Verdict::NeedsAmount,
        Reader::Yes => Verdict::won(with_dealer_blackjack),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Try;
    use super::*;
    use crate::money::Cents;

    #[test]
    fn lucky_ladies_ranks_the_twenties() {
        let ladies = Try::blackjack(WagerId::LuckyLadies, "A");
        ladies.expect_first("Qh Qh 9c", "queen-of-hearts-pair");
        ladies.expect_first("Kh Kh 9c", "matched-20");
        ladies.expect_first("Kh Qh 9c", "suited-20");
        ladies.expect_first("Ah 9h 9c", "suited-20");
        ladies.expect_first("Ah 9c 9c", "any-20");
        ladies.expect_first("Kh Kd 9c", "any-20");
        ladies.expect_first("Kh 9d 9c", "lost");
        ladies.expect_first("Ah Ad 9c", "lost");
    }

    #[test]
    fn kings_bounty_ranks_the_twenties() {
        let bounty = Try::blackjack(WagerId::KingsBounty, "-");
        bounty.expect_first("Ks Ks 9c", "king-of-spades-pair");
        bounty.expect_first("Kh Kh 9c", "suited-kings-pair");
        bounty.expect_first("Th Th 9c", "suited-queens-jacks-or-tens-pair");
        bounty.expect_first("Kh Qh 9c", "suited-20");
        bounty.expect_first("Ah 9h 9c", "suited-20");
        bounty.expect_first("Kh Ks 9c", "pair-of-kings");
        bounty.expect_first("Qh Qs 9c", "any-20");
        bounty.expect_first("9h As 9c", "any-20");
        bounty.expect_first("9h Ks 9c", "lost");
    }

    #[test]
    fn only_the_best_pair_waits_for_the_reader() {
        let ladies = Try::blackjack(WagerId::LuckyLadies, "A");
        for (reader, expected) in [
            (Reader::Waiting, "not yet"),
            (Reader::No, "queen-of-hearts-pair"),
            (Reader::Yes, "queen-of-hearts-pair-dealer-blackjack"),
        ] {
            ladies.expect("Qh Qh Ac", |visible| visible.reader = reader, expected);
            ladies.expect("Kh Kh Ac", |visible| visible.reader = reader, "matched-20");
        }
    }

    #[test]
    fn a_maximum_needs_the_stake_only_where_it_can_bite() {
        let mut capped = Try::blackjack(WagerId::KingsBounty, "-");
        capped.offer.options.maximum_payout = Some(Cents::dollars(25_000));
        capped.expect("Ks Ks Ac", |visible| visible.reader = Reader::Yes, "needs amount");
        capped.expect("Ks Ks Ac", |visible| visible.reader = Reader::No, "king-of-spades-pair");
        capped.expect(
            "Ks Ks Ac",
            |visible| {
                visible.reader = Reader::Yes;
                visible.stake = Some(Cents::dollars(5));
            },
            "king-of-spades-pair-dealer-blackjack",
        );
    }
}
