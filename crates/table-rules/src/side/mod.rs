//! The side wagers: their paytables as data, and one small pure evaluator each.
//!
//! - `paytables/*.paytable`: one readable file a wager, read by [`mod@parse`] into the types of [`table`].
//! - [`visible`]: what an evaluator sees and answers. It never sees the hole card before the reveal, allocates nothing,
//!   and answers [`Verdict::NotYet`] until the wager's moment (reading W16); the engine knows moments, not wagers.
//! - `twenty`, `matching`, `monster_match`, `in_between`, `royal_match`, `pairs`, `three_card`, `lucky_lucky`,
//!   `upcard_luck`, `aces_and_sevens`, `super_4`, `dealer_hand`, `wheel`: the evaluators, by family.
//! - [`claims`]: which lines can have come where the cards are not followed.
//! - [`answers`], [`check`]: what a submission says of a wager, and every reason to refuse it.
//! - [`offer`]: a wager as a table offers it: evaluate, price a line, read a wheel symbol, share a maximum.
//!
//! To add a wager: give it an id in `wager.rs`, write its paytable file, write an evaluator file with its [`SideWager`]
//! (or add it to its family's file), and name it in [`SIDE_WAGERS`].

pub mod answers;
pub mod check;
pub mod claims;
pub mod offer;
pub mod parse;
pub mod table;
pub mod visible;

mod aces_and_sevens;
#[cfg(test)]
mod consistency;
mod dealer_hand;
mod hands;
mod in_between;
mod lucky_lucky;
mod matching;
mod monster_match;
mod pairs;
mod royal_match;
mod super_4;
#[cfg(test)]
mod testing;
mod three_card;
mod twenty;
mod upcard_luck;
mod wheel;

pub use answers::{Answers, MeterAnswers, RandomSource, TableAnswers};
pub use check::{OfferContext, OfferProblem, check_offer, check_together};
pub use claims::Known;
pub(crate) use dealer_hand::FREE_BONUS_STAKE;
pub use offer::{OfferedMeter, OfferedTable, OfferedWager, Priced, Prize, Spin, Wheel, share_of_maximum};
pub use visible::{CrownTreasure, Moment, Options, PaytableLine, Reader, Verdict, Visible};
pub(crate) use wheel::ACE_STAKE;

pub use table::{CommunityTable, Decks, GameTables, Paytable, Printed, Row, WagerTables, all_tables, tables};

use crate::wager::WagerId;

/// A side wager as the program knows it, apart from any submission.
#[derive(Debug)]
pub struct SideWager {
    pub id: WagerId,
    /// The paytable file, word for word.
    pub text: &'static str,
    /// The lines that the evaluator may return; a family shares one list. Empty where a wheel decides.
    pub(self) lines: &'static [&'static str],
    pub(self) evaluate: fn(&Visible<'_>, &Options) -> Verdict,
    /// The moments at which it can settle.
    pub moments: &'static [Moment],
    /// Whether a line may be claimed where cards are not followed, by what is known there.
    pub(self) claim: fn(PaytableLine, &Known) -> bool,
    pub placement: Placement,
    pub dealer_hand: DealerHand,
    pub first_cards: FirstCards,
}

/// How a wager comes onto the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    Chips,
    /// A progressive: a sensor spot, counted only if it was lit at the lock (reading X2).
    Sensor,
    /// It has no stake of its own and goes with another wager.
    RidesOn(WagerId),
}

/// Whether the wager keeps the dealer drawing when the main wagers are decided (reading B12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealerHand {
    NotNeeded,
    Needed,
    /// Only while the box's first hand has, or may still have, a final total of 20.
    NeededOn20,
}

/// Whether the player's first cards decide the wager: dealt from the hand, they lie face down for a while (reading B14).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstCards {
    Needed,
    /// Only against a dealer blackjack; without one the dealer's cards decide.
    NeededUnderBlackjack,
    NotNeeded,
}

/// Every side wager that the four documents authorise.
pub static SIDE_WAGERS: [&SideWager; 28] = [
    &matching::MATCH_THE_DEALER,
    &matching::MATCH_SUPER_BONUS,
    &matching::MATCH_UP,
    &matching::MATCH_DOWN,
    &monster_match::MONSTER_MATCH,
    &twenty::LUCKY_LADIES,
    &in_between::IN_BETWEEN,
    &royal_match::ROYAL_MATCH_21,
    &pairs::BET_THE_SET_21,
    &twenty::KINGS_BOUNTY,
    &pairs::SUPER_MATCH,
    &dealer_hand::BAD_BEAT,
    &three_card::THREE_CARD_POKER,
    &dealer_hand::HIT_AND_RUN,
    &pairs::HOUSE_MONEY,
    &lucky_lucky::LUCKY_LUCKY,
    &super_4::SUPER_4,
    &super_4::MUST_HIT,
    &upcard_luck::UPCARD_LUCK_21,
    &dealer_hand::BUSTER_BLACKJACK,
    &dealer_hand::FREE_BONUS,
    &wheel::BONUS_SPIN,
    &wheel::BONUS_SPIN_XTREME,
    &aces_and_sevens::BLAZING_7S,
    &aces_and_sevens::LUCKY_ACES,
    &three_card::TWENTY_ONE_PLUS_THREE,
    &three_card::TOP_3,
    &three_card::TRILUX,
];

/// The side wager with this id; `None` for the main wager, insurance and additional payouts.
pub fn side_wager(wager: WagerId) -> Option<&'static SideWager> {
    SIDE_WAGERS.into_iter().find(|side| side.id == wager)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paytable_file_loads_and_every_side_wager_has_one() {
        assert_eq!(all_tables().len(), SIDE_WAGERS.len());
        for wager in WagerId::ALL {
            let is_side = !matches!(wager, WagerId::Main | WagerId::Insurance | WagerId::AdditionalPayout);
            assert_eq!(side_wager(wager).is_some(), is_side, "{wager}");
            assert_eq!(tables(wager).is_some(), is_side, "{wager}");
        }
    }
}
