//! Bonus Spin and Bonus Spin Xtreme: the cards decide who spins, the wheel's symbol decides what is paid.
//!
//! Nothing here draws a symbol: it is an input (reading O2). [`super::OfferedWager::spin`] reads it.

use super::visible::{Moment, Options, PaytableLine, Verdict, Visible};
use super::{DealerHand, FirstCards, Known, Placement, SideWager};
use crate::card::Rank;
use crate::game::Game;
use crate::input::UpGroup;
use crate::money::Cents;
use crate::wager::WagerId;

pub(super) static BONUS_SPIN: SideWager = SideWager {
    id: WagerId::BonusSpin,
    text: include_str!("../../paytables/bonus-spin.paytable"),
    lines: &[],
    evaluate: bonus_spin,
    moments: &[Moment::TurnToBePaid],
    claim: bonus_spin_claim,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::Needed,
};

pub(super) static BONUS_SPIN_XTREME: SideWager = SideWager {
    id: WagerId::BonusSpinXtreme,
    text: include_str!("../../paytables/bonus-spin-xtreme.paytable"),
    lines: &[],
    evaluate: bonus_spin_xtreme,
    moments: &[Moment::Reveal],
    claim: xtreme_claim,
    placement: Placement::Sensor,
    dealer_hand: DealerHand::NotNeeded,
    first_cards: FirstCards::NotNeeded,
};

/// Where a single ace is enough, this must be staked (blackjack 6.G(17); reading W13: at least).
pub(crate) const ACE_STAKE: Cents = Cents::dollars(5);

fn bonus_spin_claim(_: PaytableLine, known: &Known) -> bool {
    let ace_may_be_enough = ace_is_enough(known.game) && known.stake.is_none_or(|stake| stake >= ACE_STAKE);
    known.player_blackjack || ace_may_be_enough
}

/// The dealer's two cards are a six and a ten-value card.
fn xtreme_claim(_: PaytableLine, known: &Known) -> bool {
    known.up != UpGroup::Ace && known.dealer_has_none()
}

const fn ace_is_enough(game: Game) -> bool {
    match game {
        Game::Blackjack => true,
        Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => false,
    }
}

fn bonus_spin(visible: &Visible<'_>, options: &Options) -> Verdict {
    if visible.moment < Moment::TurnToBePaid {
        return Verdict::NotYet;
    }
    if visible.has_blackjack() {
        return Verdict::NeedsWheel;
    }
    if !ace_is_enough(visible.game) || !visible.first.iter().any(|card| card.rank().is_ace()) {
        return Verdict::Lost;
    }
    match options.stake_reaches(visible, ACE_STAKE) {
        Some(true) => Verdict::NeedsWheel,
        Some(false) => Verdict::Lost,
        None => Verdict::NeedsAmount,
    }
}

fn bonus_spin_xtreme(visible: &Visible<'_>, _: &Options) -> Verdict {
    let Some(hole) = visible.hole else {
        return Verdict::NotYet;
    };
    let (up, hole) = (visible.up.rank(), hole.rank());
    let triggered = (up == Rank::Six && hole.is_ten_value()) || (hole == Rank::Six && up.is_ten_value());
    if triggered { Verdict::NeedsWheel } else { Verdict::Lost }
}

#[cfg(test)]
mod tests {
    use super::super::hands::cards;
    use super::super::testing::Try;
    use super::*;

    #[test]
    fn in_blackjack_an_ace_is_enough_at_five_dollars() {
        let five = Try::blackjack(WagerId::BonusSpin, "C");
        let one = Try::blackjack(WagerId::BonusSpin, "B");
        for (seen, at_five, at_one) in [
            ("Ac Kd 9c", "needs wheel", "needs wheel"),
            ("7c Ad 9c", "needs wheel", "lost"),
            ("Ac Ad 9c", "needs wheel", "lost"),
            ("7c Kd Ac", "lost", "lost"),
        ] {
            five.expect_first(seen, "not yet");
            five.expect(seen, |visible| visible.moment = Moment::DealerComplete, "not yet");
            five.expect(seen, |visible| visible.moment = Moment::TurnToBePaid, at_five);
            one.expect(seen, |visible| visible.moment = Moment::TurnToBePaid, at_one);
        }
    }

    #[test]
    fn in_pontoon_only_a_blackjack_spins() {
        let wager = Try::new(Game::Pontoon21, WagerId::BonusSpin, "D", 6);
        wager.expect("Ac 7d 9c", |visible| visible.moment = Moment::TurnToBePaid, "lost");
        wager.expect("Ac Jd 9c", |visible| visible.moment = Moment::TurnToBePaid, "needs wheel");
    }

    #[test]
    fn xtreme_needs_a_six_and_a_ten_value_card_of_the_dealer() {
        let wager = Try::new(Game::Pontoon21, WagerId::BonusSpinXtreme, "A", 6);
        for (up, hole, expected) in
            [("6c", "Kd", "needs wheel"), ("Jc", "6d", "needs wheel"), ("6c", "6d", "lost"), ("Jc", "Kd", "lost")]
        {
            let seen = format!("6h Kh {up}");
            wager.expect_first(&seen, "not yet");
            wager.expect(&seen, |visible| visible.hole = Some(cards::<1>(hole)[0]), expected);
        }
    }
}
