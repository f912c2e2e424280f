//! The wagers that the dealer's complete hand decides: Buster Blackjack and its Free Bonus, Hit and Run, Bad Beat.
//!
//! They keep the dealer drawing after every main wager is decided (reading B12). Their losers, too, are collected only
//! when the hand is complete (reading D13).

use super::hands::{hand_total, is_blackjack_hand};
use super::visible::{Moment, Options, PaytableLine, Verdict, Visible, lines};
use super::{DealerHand, FirstCards, Known, Placement, SideWager, claims};
use crate::card::Card;
use crate::money::Cents;
use crate::wager::WagerId;

lines! {
    BUST_8 = "bust-eight-cards",
    BUST_7 = "bust-seven-cards",
    BUST_6 = "bust-six-cards",
    BUST_5 = "bust-five-cards",
    BUST_4 = "bust-four-cards",
    BUST_3 = "bust-three-cards",
    CARDS_8 = "eight-cards",
    CARDS_7 = "seven-cards",
    CARDS_6 = "six-cards",
    CARDS_5 = "five-cards",
    BLACKJACK = "blackjack",
    DEALER_21_IN_7 = "dealer-21-seven-cards",
    DEALER_21_IN_6 = "dealer-21-six-cards",
    DEALER_21_IN_5 = "dealer-21-five-cards",
    DEALER_21_IN_4 = "dealer-21-four-cards",
    DEALER_21_IN_3 = "dealer-21-three-cards",
    DEALER_BLACKJACK = "dealer-blackjack",
    PLAYER_20 = "player-20",
    MAGIC_CARD = "magic-card",
    LUCKY_PLAYER = "lucky-player",
}

const MOMENTS: &[Moment] = &[Moment::DealerComplete];

pub(super) static BUSTER_BLACKJACK: SideWager = SideWager {
    id: WagerId::BusterBlackjack,
    text: include_str!("../../paytables/buster-blackjack.paytable"),
    lines: LINES,
    evaluate: buster,
    moments: MOMENTS,
    claim: claims::no_line,
    placement: Placement::Chips,
    dealer_hand: DealerHand::Needed,
    first_cards: FirstCards::NotNeeded,
};

pub(super) static FREE_BONUS: SideWager = SideWager {
    id: WagerId::BusterBlackjackFreeBonus,
    text: include_str!("../../paytables/buster-blackjack-free-bonus.paytable"),
    lines: LINES,
    evaluate: free_bonus,
    moments: MOMENTS,
    claim: claims::no_line,
    placement: Placement::RidesOn(WagerId::BusterBlackjack),
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static HIT_AND_RUN: SideWager = SideWager {
    id: WagerId::HitAndRun,
    text: include_str!("../../paytables/hit-and-run.paytable"),
    lines: LINES,
    evaluate: hit_and_run,
    moments: MOMENTS,
    claim: hit_and_run_claim,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::Needed,
    first_cards: FirstCards::NotNeeded,
};

pub(super) static BAD_BEAT: SideWager = SideWager {
    id: WagerId::BadBeat,
    text: include_str!("../../paytables/bad-beat.paytable"),
    lines: LINES,
    evaluate: bad_beat,
    moments: MOMENTS,
    claim: bad_beat_claim,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NeededOn20,
    first_cards: FirstCards::Needed,
};

pub(super) const MAGIC_CARD_LINE: PaytableLine = MAGIC_CARD;
pub(super) const LUCKY_PLAYER_LINE: PaytableLine = LUCKY_PLAYER;

/// What must lie on Buster Blackjack for the Free Bonus (6.G(16); reading W13: at least).
pub(crate) const FREE_BONUS_STAKE: Cents = Cents::dollars(5);

fn hit_and_run_claim(line: PaytableLine, known: &Known) -> bool {
    if line == BLACKJACK { known.dealer_has_blackjack() } else { known.dealer_has_none() }
}

/// A drawn seat is paid by its draw; a drawn card has to be found by somebody who sees the cards.
fn bad_beat_claim(line: PaytableLine, known: &Known) -> bool {
    match line {
        DEALER_BLACKJACK => known.dealer_has_blackjack(),
        PLAYER_20 => known.dealer_blackjack.is_some(),
        MAGIC_CARD => known.magic_card_drawn,
        LUCKY_PLAYER => false,
        _ => known.dealer_has_none(),
    }
}

fn bust_line(dealer: &[Card]) -> Option<PaytableLine> {
    if hand_total(dealer) <= 21 {
        return None;
    }
    match dealer.len() {
        0..=2 => None,
        3 => Some(BUST_3),
        4 => Some(BUST_4),
        5 => Some(BUST_5),
        6 => Some(BUST_6),
        7 => Some(BUST_7),
        _ => Some(BUST_8),
    }
}

fn buster(visible: &Visible<'_>, _: &Options) -> Verdict {
    visible.dealer_hand.map_or(Verdict::NotYet, |dealer| Verdict::won_by(bust_line(dealer)))
}

fn free_bonus(visible: &Visible<'_>, options: &Options) -> Verdict {
    let Some(dealer) = visible.dealer_hand else {
        return Verdict::NotYet;
    };
    let Some(line) = bust_line(dealer).filter(|line| visible.has_blackjack() && options.has(*line)) else {
        return Verdict::Lost;
    };
    match options.stake_reaches(visible, FREE_BONUS_STAKE) {
        Some(true) => Verdict::won(line),
        Some(false) => Verdict::Lost,
        None => Verdict::NeedsAmount,
    }
}

fn hit_and_run(visible: &Visible<'_>, options: &Options) -> Verdict {
    let Some(dealer) = visible.dealer_hand else {
        return Verdict::NotYet;
    };
    if is_blackjack_hand(dealer) {
        return Verdict::won(BLACKJACK);
    }
    if !options.busted_hands_count && hand_total(dealer) > 21 {
        return Verdict::Lost;
    }
    Verdict::won_by(match dealer.len() {
        0..=4 => None,
        5 => Some(CARDS_5),
        6 => Some(CARDS_6),
        7 => Some(CARDS_7),
        _ => Some(CARDS_8),
    })
}

/// A 20 always wins something: 1 to 1 where the dealer's hand is no bad beat (reading W13).
fn bad_beat(visible: &Visible<'_>, _: &Options) -> Verdict {
    let (Some(dealer), Some(total)) = (visible.dealer_hand, visible.first_hand_total) else {
        return Verdict::NotYet;
    };
    if total != 20 {
        return Verdict::Lost;
    }
    if hand_total(dealer) != 21 {
        return Verdict::won(PLAYER_20);
    }
    Verdict::won(match dealer.len() {
        0..=2 => DEALER_BLACKJACK,
        3 => DEALER_21_IN_3,
        4 => DEALER_21_IN_4,
        5 => DEALER_21_IN_5,
        6 => DEALER_21_IN_6,
        _ => DEALER_21_IN_7,
    })
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;

    fn hand(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| card.parse().unwrap()).collect()
    }

    fn against(wager: &Try, dealer: &str, change: impl Fn(&mut Visible<'_>), expected: &str) {
        let dealer = hand(dealer);
        let mut visible = Visible::first_cards(crate::game::Game::Blackjack, [dealer[0]; 2], dealer[0]);
        change(&mut visible);
        assert_eq!(wager.answer(&visible), "not yet");
        visible.hole = Some(dealer[1]);
        assert_eq!(wager.answer(&visible), "not yet");
        let visible = Visible { dealer_hand: Some(&dealer), moment: Moment::DealerComplete, ..visible };
        assert_eq!(wager.answer(&visible), expected, "{dealer:?}");
    }

    const BUST_IN_7: &str = "2c 2d 3c 3d 2h 4c 9d";
    const BUST_IN_8: &str = "2c 2d 3c 3d 2h 2s 2c 9d";

    #[test]
    fn buster_pays_the_cards_of_a_busted_hand() {
        let wager = Try::blackjack(WagerId::BusterBlackjack, "A");
        against(&wager, "Kc 6d 9h", |_| {}, "bust-three-cards");
        against(&wager, "Kc 2d 3h 9h", |_| {}, "bust-four-cards");
        against(&wager, "2c 2d 3h 9h Kd", |_| {}, "bust-five-cards");
        against(&wager, "2c 2d 3h 3d 6d Kd", |_| {}, "bust-six-cards");
        against(&wager, BUST_IN_7, |_| {}, "bust-seven-cards");
        against(&wager, BUST_IN_8, |_| {}, "bust-eight-cards");
        against(&wager, "Kc 6d 5h", |_| {}, "lost");
        against(&wager, "Kc Ad", |_| {}, "lost");
    }

    #[test]
    fn the_free_bonus_needs_a_blackjack_five_dollars_and_seven_cards() {
        let wager = Try::blackjack(WagerId::BusterBlackjackFreeBonus, "A");
        let with = |stake: Option<i64>| {
            move |visible: &mut Visible<'_>| {
                visible.first = cards("As Ks");
                visible.stake = stake.map(Cents);
            }
        };
        against(&wager, BUST_IN_8, with(Some(500)), "bust-eight-cards");
        against(&wager, BUST_IN_7, with(Some(2_500)), "bust-seven-cards");
        against(&wager, BUST_IN_7, with(Some(499)), "lost");
        against(&wager, BUST_IN_7, with(None), "needs amount");
        against(&wager, BUST_IN_7, |_| {}, "lost");
        against(&wager, "2c 2d 3h 3d 6d Kd", with(None), "lost");
    }

    #[test]
    fn the_stake_is_not_asked_for_where_every_stake_is_enough() {
        let mut wager = Try::blackjack(WagerId::BusterBlackjackFreeBonus, "A");
        wager.offer.options.least_stake = Cents::dollars(5);
        against(&wager, BUST_IN_7, |visible| visible.first = cards("As Ks"), "bust-seven-cards");
    }

    #[test]
    fn hit_and_run_counts_cards_and_busted_hands_as_told() {
        let mut wager = Try::blackjack(WagerId::HitAndRun, "-");
        against(&wager, "Ac Kd", |_| {}, "blackjack");
        against(&wager, "Kc 2d 3h 4h", |_| {}, "lost");
        against(&wager, "2c 2d 3h 3h 8d", |_| {}, "five-cards");
        against(&wager, "2c 2d 3h 3d 6d 2c", |_| {}, "six-cards");
        against(&wager, BUST_IN_7, |_| {}, "seven-cards");
        against(&wager, BUST_IN_8, |_| {}, "eight-cards");
        wager.offer.options.busted_hands_count = false;
        against(&wager, BUST_IN_8, |_| {}, "lost");
        against(&wager, "2c 2d 3h 3h 8d", |_| {}, "five-cards");
    }

    #[test]
    fn bad_beat_pays_a_beaten_twenty_and_consoles_the_others() {
        let wager = Try::blackjack(WagerId::BadBeat, "-");
        let on = |total: u8| move |visible: &mut Visible<'_>| visible.first_hand_total = Some(total);
        against(&wager, "2c 2d 3h 3d 2h 2s 7c", on(20), "dealer-21-seven-cards");
        against(&wager, "2c 2d 2h 2s 3d 3h 2d 5c", on(20), "dealer-21-seven-cards");
        against(&wager, "2c 2d 3h 3d 2h 9s", on(20), "dealer-21-six-cards");
        against(&wager, "2c 2d 3h 3d Ah", on(20), "dealer-21-five-cards");
        against(&wager, "2c 2d 7h Kd", on(20), "dealer-21-four-cards");
        against(&wager, "7c 7d 7h", on(20), "dealer-21-three-cards");
        against(&wager, "Ac Kd", on(20), "dealer-blackjack");
        against(&wager, "Kc Kd", on(20), "player-20");
        against(&wager, "Kc 6d Kh", on(20), "player-20");
        against(&wager, "Ac Kd", on(21), "lost");
        against(&wager, "7c 7d 7h", on(19), "lost");
    }
}
