//! Super 4 with its consolation line, and the Must Hit Progressive beside it.
//!
//! The four cards count only against a dealer blackjack, whichever of its cards is up (reading B11), and the win is
//! shown only at the reveal. Lines are exclusive; the order of the list is the order of the printed tables (W7).

use super::hands::{all_one_color, all_one_suit};
use super::visible::{Moment, Options, PaytableLine, Reader, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Known, Placement, SideWager, claims};
use crate::card::{Card, Rank, Suit};
use crate::input::UpGroup;
use crate::wager::WagerId;

lines! {
    ROYAL_OF_DIAMONDS = "royal-flush-of-diamonds",
    ROYAL_OF_CHOSEN_SUIT = "royal-flush-of-chosen-suit",
    ROYAL_OF_OTHER_SUIT = "royal-flush-of-other-suit",
    THREE_OF_A_KIND = "three-of-a-kind",
    STRAIGHT = "straight",
    FLUSH = "flush",
    TWO_PAIR = "two-pair",
    FOUR_RED = "four-red",
    FOUR_BLACK = "four-black",
    PAIR = "pair",
    ANY_HAND = "any-hand",
    ACE_UP_NO_BLACKJACK = "ace-up-no-blackjack",
    RANDOM_WINNER = "random-winner",
}

pub(super) static SUPER_4: SideWager = SideWager {
    id: WagerId::Super4,
    text: include_str!("../../paytables/super-4.paytable"),
    lines: LINES,
    evaluate: super_4,
    moments: &[Moment::FirstCards, Moment::AfterReader, Moment::Reveal],
    claim: may_be_claimed,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::NeededUnderBlackjack,
};

pub(super) static MUST_HIT: SideWager = SideWager {
    id: WagerId::MustHit,
    text: include_str!("../../paytables/must-hit.paytable"),
    lines: LINES,
    evaluate: must_hit,
    moments: &[Moment::FirstCards],
    claim: claims::no_line,
    placement: Placement::RidesOn(WagerId::Super4),
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::NotNeeded,
};

/// The line of the player whom the Must Hit draw names.
pub(super) const MUST_HIT_LINE: PaytableLine = RANDOM_WINNER;

fn must_hit(_: &Visible<'_>, _: &Options) -> Verdict {
    Verdict::NeedsDraw
}

fn super_4(visible: &Visible<'_>, options: &Options) -> Verdict {
    match (visible.reader, visible.hole) {
        (Reader::NotAsked, _) => Verdict::Lost,
        (Reader::Waiting, _) | (Reader::Yes, None) => Verdict::NotYet,
        (Reader::No, _) => Verdict::won_by(visible.up.rank().is_ace().then_some(ACE_UP_NO_BLACKJACK)),
        (Reader::Yes, Some(hole)) => {
            Verdict::won(against_blackjack([visible.first[0], visible.first[1], visible.up, hole], options))
        }
    }
}

/// B11: without a dealer blackjack there is nothing but the consolation under an ace.
fn may_be_claimed(line: PaytableLine, known: &Known) -> bool {
    match line {
        ACE_UP_NO_BLACKJACK => known.up == UpGroup::Ace && known.dealer_has_none(),
        _ => line != RANDOM_WINNER && known.dealer_has_blackjack(),
    }
}

fn against_blackjack(four: [Card; 4], options: &Options) -> PaytableLine {
    let holds = |rank: Rank| four.iter().any(|card| card.rank() == rank);
    let royal_ranks = holds(Rank::Ace) && holds(Rank::King) && holds(Rank::Queen) && holds(Rank::Jack);
    let suited = all_one_suit(four);
    if royal_ranks && suited {
        return royal_line(four[0].suit(), options);
    }
    let [a, b, c, d] = four.map(Card::rank);
    let equal = [a == b, a == c, a == d, b == c, b == d, c == d].iter().filter(|equal| **equal).count();
    // The dealer's ace and ten-value card differ, so four of a kind cannot come; 3 equal pairs are three of a kind.
    if equal >= 3 {
        THREE_OF_A_KIND
    } else if royal_ranks {
        STRAIGHT
    } else if suited {
        FLUSH
    } else if equal == 2 {
        TWO_PAIR
    } else if all_one_color(four) {
        if four[0].suit().is_red() { FOUR_RED } else { FOUR_BLACK }
    } else if equal == 1 {
        PAIR
    } else {
        ANY_HAND
    }
}

/// Paytables A to C favour diamonds; D favours the suit that the submission chose.
fn royal_line(suit: Suit, options: &Options) -> PaytableLine {
    if options.has(ROYAL_OF_CHOSEN_SUIT) {
        if options.star_suit == Some(suit) { ROYAL_OF_CHOSEN_SUIT } else { ROYAL_OF_OTHER_SUIT }
    } else if suit == Suit::Diamonds {
        ROYAL_OF_DIAMONDS
    } else {
        ROYAL_OF_OTHER_SUIT
    }
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;

    fn with_blackjack(wager: &Try, seen: &str, hole: &str, expected: &str) {
        wager.expect(seen, |visible| visible.reader = Reader::Yes, "not yet");
        wager.expect(
            seen,
            |visible| {
                visible.reader = Reader::Yes;
                visible.hole = Some(cards::<1>(hole)[0]);
            },
            expected,
        );
    }

    #[test]
    fn the_best_line_against_a_dealer_blackjack() {
        let wager = Try::blackjack(WagerId::Super4, "A");
        with_blackjack(&wager, "Kd Qd Ad", "Jd", "royal-flush-of-diamonds");
        with_blackjack(&wager, "Ks Qs Js", "As", "royal-flush-of-other-suit");
        with_blackjack(&wager, "Ad Ad Ad", "Kd", "three-of-a-kind");
        with_blackjack(&wager, "Kd Kc Ah", "Kd", "three-of-a-kind");
        with_blackjack(&wager, "Kd Qc Ah", "Jd", "straight");
        with_blackjack(&wager, "Kd Ad Ad", "Kd", "flush");
        with_blackjack(&wager, "Kd Ad Ah", "Kc", "two-pair");
        with_blackjack(&wager, "2d 9h Ad", "Kd", "four-red");
        with_blackjack(&wager, "9s 9c Ac", "Kc", "four-black");
        with_blackjack(&wager, "9s 9d Ac", "Kc", "pair");
        with_blackjack(&wager, "9s 8d Kc", "Ac", "any-hand");
        with_blackjack(&wager, "Ts Qd Kc", "Ac", "any-hand");
    }

    #[test]
    fn the_star_goes_with_the_chosen_suit() {
        let mut wager = Try::blackjack(WagerId::Super4, "D");
        wager.offer.options.star_suit = Some(Suit::Hearts);
        with_blackjack(&wager, "Kh Qh Ah", "Jh", "royal-flush-of-chosen-suit");
        with_blackjack(&wager, "Kd Qd Ad", "Jd", "royal-flush-of-other-suit");
    }

    #[test]
    fn without_a_blackjack_only_an_ace_up_consoles() {
        let wager = Try::blackjack(WagerId::Super4, "A");
        wager.expect_first("Ad Kd 9d", "lost");
        wager.expect("Ad Kd Ad", |visible| visible.reader = Reader::Waiting, "not yet");
        wager.expect("2d 3d Ad", |visible| visible.reader = Reader::No, "ace-up-no-blackjack");
        wager.expect("Ad Kd Kd", |visible| visible.reader = Reader::No, "lost");
    }
}
