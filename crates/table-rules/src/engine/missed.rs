//! A card that was asked for and not dealt (13.O, 14.J): it comes after all others', or the hand is dead.

use super::Engine;
use super::rows::Ending;
use super::state::{HandState, HandStatus, Phase, Step, Turn, Want};
use crate::event::Sink;
use crate::line::{Approval, Outcome};
use crate::seat::Seat;
use crate::source::Point;
use crate::table::Tracking;

impl Engine {
    /// The hand of a seat that was passed over, if another card could still be dealt to it: the hand whose turn it is and
    /// that has asked for a hit or a double, or one whose turn is over.
    pub(super) fn missed_hand(&self, seat: Seat) -> Option<u8> {
        if !self.now.in_play.contains(seat) || self.now.dealer.len() > 1 {
            return None;
        }
        let turn = self.now.turn;
        match self.now.phase {
            Phase::Decisions if turn.seat == seat => match turn.want {
                Want::HitCard | Want::DoubleCard => Some(turn.hand),
                Want::Decision | Want::SplitCard | Want::AfterDouble => None,
            },
            Phase::Decisions | Phase::Reveal => self.hand_without_its_card(seat),
            Phase::Procedure(Step::Decisions | Step::Reveal) => self.may_be_dead(seat).then_some(0),
            Phase::Wagering
            | Phase::Dealing(_)
            | Phase::FirstCards
            | Phase::Insurance
            | Phase::Peek
            | Phase::ReaderStopped
            | Phase::BustCards
            | Phase::DealerDraws
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Settlement
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Procedure(
                Step::Deal
                | Step::FirstCards
                | Step::Insurance
                | Step::Peek
                | Step::DealerBlackjack
                | Step::DealerDraws
                | Step::Settle,
            ) => None,
        }
    }

    /// The last hand of a box that stands and could have asked for a card.
    fn hand_without_its_card(&self, seat: Seat) -> Option<u8> {
        if self.gets_cards(seat).is_err() {
            return None;
        }
        let could = |hand: &HandState| {
            hand.status == HandStatus::Done
                && hand.doubles == 0
                && !hand.settled
                && !hand.card_due
                && hand.cards.total() < 21
                && self.hit_terms(seat, hand).is_ok()
        };
        self.now.box_at(seat).hands().iter().rposition(could).and_then(|at| u8::try_from(at).ok())
    }

    /// 13.O(1): the card comes after all others', before the hole card is turned.
    pub(super) fn card_comes_later(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.tracking == Tracking::Procedure {
            return;
        }
        let hand = self.missed_hand(seat).unwrap_or(0);
        self.now.box_mut(seat).hands[usize::from(hand)].card_due = true;
        self.count_late_cards(seat);
        if matches!(self.now.phase, Phase::Reveal) {
            self.next_deferred(out);
        } else if self.now.turn.seat == seat {
            self.finish_turn(HandStatus::Done, out);
        }
    }

    pub(super) fn count_late_cards(&mut self, seat: Seat) {
        let due = self.now.box_at(seat).hands().iter().any(|hand| hand.card_due);
        self.now.deferred = self.now.deferred.without(seat).with_if(seat, due);
    }

    /// Serves a hand that was passed over and has waited for its card.
    pub(super) fn next_deferred(&mut self, out: &mut impl Sink) -> bool {
        let Some(seat) = self.now.deferred.first_in(self.table.game.decision_order()) else { return false };
        let waits = self.now.box_at(seat).hands().iter().position(|hand| hand.card_due);
        let Some(at) = waits.and_then(|at| u8::try_from(at).ok()) else { return false };
        let hand = &mut self.now.box_mut(seat).hands[usize::from(at)];
        hand.card_due = false;
        hand.status = HandStatus::Open;
        let want = if hand.doubles > 0 { Want::DoubleCard } else { Want::HitCard };
        self.count_late_cards(seat);
        self.now.phase = Phase::Decisions;
        self.now.turn = Turn { seat, hand: at, want, missed: true };
        if want == Want::DoubleCard {
            // One card was bought, and this is the next one.
            self.exposed_card_follows(out);
        }
        true
    }

    /// 13.O(2): the hand is dead, and all that was staked on it goes back once a floorperson has confirmed it (H26).
    pub(super) fn missed_hand_is_dead(&mut self, seat: Seat, out: &mut impl Sink) {
        let at = self.missed_hand(seat).unwrap_or(0);
        let in_turn = matches!(self.now.phase, Phase::Decisions) && self.now.turn.seat == seat;
        self.now.box_mut(seat).hands[usize::from(at)].status = HandStatus::Dead;
        let ending = Ending { outcome: Outcome::Dead, name: &"dead hand", pay: None, point: Point::MissedCardDead };
        self.settle_hand_with(seat, at, ending, Approval::Floor, out);
        if in_turn {
            self.next_hand(out);
        }
    }
}
