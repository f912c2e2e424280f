//! When a side wager settles (reading W16), for a deal that is known to its end.

use table_rules::card::{Card, Rank, Suit};
use table_rules::wager::WagerId;

use super::Deal;
use super::first_cards::is_ace_or_ten;
use super::hands::is_royal_match;

/// The moments of a round, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Moment {
    /// The first cards are out and insurance is not yet offered.
    BeforeInsurance,
    /// The hole card reader has said yes or no.
    AfterReader,
    /// The hole card is turned.
    Reveal,
    /// The dealer's hand is complete, the main wagers are not settled. After a dealer blackjack the hand is complete
    /// as soon as it is turned, so that nothing waits.
    DealerComplete,
    /// The box's own turn to be paid.
    TurnToBePaid,
}

/// The moment at which this wager settles, won or lost, where cards are dealt face up (B14 has its own for the hand).
pub(crate) fn settles_when(wager: WagerId, deal: &Deal) -> Moment {
    match wager {
        WagerId::MatchTheDealer
        | WagerId::MatchSuperBonus
        | WagerId::MatchUp
        | WagerId::InBetween
        | WagerId::BetTheSet21
        | WagerId::SuperMatch
        | WagerId::ThreeCardPoker
        | WagerId::HouseMoney
        | WagerId::LuckyLucky
        | WagerId::UpcardLuck21
        | WagerId::Blazing7s
        | WagerId::TwentyOnePlusThree
        | WagerId::Top3
        | WagerId::Trilux => Moment::BeforeInsurance,
        WagerId::LuckyLadies => unless_the_reader_decides(deal, Card::new(Rank::Queen, Suit::Hearts)),
        WagerId::KingsBounty => unless_the_reader_decides(deal, Card::new(Rank::King, Suit::Spades)),
        WagerId::RoyalMatch21 => {
            let crown_is_possible = [Rank::King, Rank::Queen].contains(&deal.up().rank());
            if is_royal_match(deal.player) && crown_is_possible { Moment::Reveal } else { Moment::BeforeInsurance }
        }
        WagerId::Insurance => Moment::AfterReader,
        WagerId::Super4 => {
            if !is_ace_or_ten(deal.up()) {
                // Lost at once: no dealer blackjack is possible, and no reader is asked.
                Moment::BeforeInsurance
            } else if deal.dealer_has_blackjack() {
                Moment::Reveal
            } else {
                Moment::AfterReader
            }
        }
        WagerId::LuckyAces | WagerId::BonusSpinXtreme => Moment::Reveal,
        WagerId::MatchDown
        | WagerId::MonsterMatch
        | WagerId::BadBeat
        | WagerId::HitAndRun
        | WagerId::BusterBlackjack
        | WagerId::BusterBlackjackFreeBonus => Moment::DealerComplete,
        WagerId::BonusSpin => Moment::TurnToBePaid,
        WagerId::Main | WagerId::AdditionalPayout | WagerId::MustHit => {
            panic!("{wager} is not a side wager on the cards")
        }
    }
}

/// Settled before insurance, unless the box holds the pair that pays more against a dealer blackjack and the up card
/// leaves that open.
fn unless_the_reader_decides(deal: &Deal, paired: Card) -> Moment {
    if deal.player == [paired, paired] && is_ace_or_ten(deal.up()) {
        Moment::AfterReader
    } else {
        Moment::BeforeInsurance
    }
}
