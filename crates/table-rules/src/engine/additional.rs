//! 12.C of the sister games: three suited sevens against a dealer's seven, paid to the winner and to the others.
//!
//! Amounts and persons decide it, so both are asked for when they are not known (S6, X5). Each box is its own person
//! unless linked; nobody is their own "other"; each win pays each other person once.

use super::Engine;
use super::rows::is_suited_three_sevens;
use super::state::{HandStatus, Phase};
use crate::card::Rank;
use crate::event::Sink;
use crate::game::Direction;
use crate::line::{Approval, Due, Line, LineName, Outcome, Stake};
use crate::money::{Cents, Pay};
use crate::payouts::{self, AdditionalPayout};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::wager::WagerId;

impl Engine {
    /// Boxes that hold a winning hand of 12.C.
    #[inline]
    pub(super) fn additional_winners(&self) -> SeatSet {
        if self.table.game.is_sister_game() { self.suited_sevens_against_a_seven() } else { SeatSet::EMPTY }
    }

    fn suited_sevens_against_a_seven(&self) -> SeatSet {
        if self.now.up_card().map(crate::card::Card::rank) != Some(Rank::Seven) {
            return SeatSet::EMPTY;
        }
        self.now
            .in_play
            .iter(Direction::FromLeft)
            .filter(|&seat| {
                let each = self.now.box_at(seat);
                matches!(each.hands(), [hand]
                    if hand.status == HandStatus::Done && hand.doubles == 0 && is_suited_three_sevens(&hand.cards))
            })
            .collect()
    }

    /// Whether 12.C depends on something nobody has said yet.
    pub(super) fn additional_questions_are_open(&self) -> bool {
        let winners = self.additional_winners();
        if winners.is_empty() {
            return false;
        }
        let persons_matter = self.now.in_play.len() > 1 && self.boxes_may_be_linked();
        self.amounts_are_missing() || (persons_matter && !self.now.persons_asked)
    }

    pub(super) fn amounts_are_missing(&self) -> bool {
        !self.winners_to_be_asked().is_empty()
    }

    /// Winners whose amount decides what they are paid and is not known. Where every wager that the table takes earns the
    /// same, nothing is asked (X5).
    pub(super) fn winners_to_be_asked(&self) -> SeatSet {
        let limits = self.table.limits;
        if earned(limits.minimum) == earned(limits.maximum) {
            return SeatSet::EMPTY;
        }
        let winners = self.additional_winners();
        winners.iter(Direction::FromLeft).filter(|&seat| self.now.box_at(seat).main.is_unknown()).collect()
    }

    /// `next` after the questions: who has not been linked plays alone.
    pub(super) fn close_additional_questions(&mut self, out: &mut impl Sink) {
        debug_assert!(matches!(self.now.phase, Phase::AskAdditional));
        self.now.persons_asked = true;
        self.begin_settlement(out);
    }

    /// Nobody is another player to their own boxes, as far as they are linked (S6, H15).
    pub(super) fn is_another_player(&self, seat: Seat, than: Seat) -> bool {
        !self.boxes_of_person(than).contains(seat)
    }

    /// Whether the community's pay for a spin at one box goes to another box with the wager (H15).
    pub(super) fn is_in_community(&self, seat: Seat, spinner: Seat, wager: u8) -> bool {
        let own_boxes_too = self.offered(wager).pays_own_boxes();
        seat != spinner && (own_boxes_too || self.is_another_player(seat, spinner))
    }

    fn boxes_of_person(&self, seat: Seat) -> SeatSet {
        self.now.links[seat.index()].union(SeatSet::EMPTY.with(seat)).intersection(self.now.in_play)
    }

    pub(super) fn draw_up_additional_lines(&mut self, out: &mut impl Sink) {
        for seat in self.additional_winners().iter(Direction::FromRight) {
            self.pay_winner(seat, out);
            self.pay_others(seat, out);
        }
    }

    fn pay_winner(&mut self, seat: Seat, out: &mut impl Sink) {
        // An amount that is still unknown here is one that decides nothing.
        let original = self.now.box_at(seat).main.amount().unwrap_or(self.table.limits.minimum);
        let Some(&AdditionalPayout { amount, point, .. }) = earned(original) else { return };
        self.push_additional(seat, &"7-7-7 suited against a 7", amount, point, out);
    }

    fn pay_others(&mut self, winner: Seat, out: &mut impl Sink) {
        let mut others = self.now.in_play.minus(self.boxes_of_person(winner));
        while let Some(seat) = others.first_in(Direction::FromRight) {
            let person = self.boxes_of_person(seat);
            others = others.minus(person);
            let seven = person.iter(Direction::FromLeft).any(|seat| self.now.box_at(seat).opened_with_seven());
            let (amount, point) = payouts::additional_for_others(self.table.game, seven);
            let at = person.lowest().unwrap_or(seat);
            self.push_additional(at, &"another player's 7-7-7 suited", amount, point, out);
        }
    }

    fn push_additional(&mut self, seat: Seat, name: LineName, amount: Cents, point: Point, out: &mut impl Sink) {
        let line = Line {
            seat,
            hand: 1,
            wager: WagerId::AdditionalPayout,
            outcome: Outcome::Won,
            name,
            pay: Some(Pay::Amount(amount)),
            stake: Stake::NONE,
            returned: Due::NOTHING,
            pays: Due::of(amount),
            source: self.cite(point),
            approval: Approval::NotNeeded,
            correction: Due::NONE,
            is_share: false,
        };
        self.push_line(line, out);
    }
}

/// What an original wager of this amount earns its own player.
fn earned(original: Cents) -> Option<&'static AdditionalPayout> {
    payouts::ADDITIONAL_PAYOUTS.iter().find(|payout| original >= payout.from)
}
