//! Late words: what may still be said about the last card (H2), and the seat tap that stands the hands before it.

use super::Engine;
use super::rewind::LateWord;
use super::state::{HANDS_MAX, HandState, HandStatus, LateCard, Phase, Want};
use crate::event::{Action, Sink};
use crate::input::InputKind;
use crate::prompt::AmountRange;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::Variation;

impl Engine {
    /// The hand that took the last card, where late words may still change what it was.
    #[inline]
    pub(super) fn late_hand(&self) -> Option<&HandState> {
        self.now.late.map(|late| &self.now.box_at(late.seat).hands[usize::from(late.hand) & (HANDS_MAX - 1)])
    }

    /// The hand that took the last card, as it was before it.
    fn before_late_card(&self, late: LateCard) -> HandState {
        let mut hand = self.now.box_at(late.seat).hands[usize::from(late.hand)];
        hand.cards = hand.cards.without_last();
        hand.status = HandStatus::Open;
        hand
    }

    /// The terms of a double said about the last card.
    #[inline]
    pub(super) fn late_double(&self) -> Option<AmountRange> {
        let (late, hand) = (self.now.late?, self.late_hand()?);
        self.double_terms_with(late.seat, hand, hand.cards.len() - 1).ok()
    }

    #[inline]
    pub(super) fn late_split(&self) -> bool {
        // Only the two cards before the last one can be a pair.
        self.late_hand().is_some_and(|hand| hand.cards.len() == 3 && hand.cards.begins_with_pair_by_value())
            && self.now.late.is_some_and(|late| self.split_terms(late.seat, &self.before_late_card(late)).is_ok())
    }

    pub(super) fn check_seat_word(&self, seat: Seat) -> Result<(), Refusal> {
        if self.late_seats().contains(seat) {
            Ok(())
        } else if matches!(self.now.phase, Phase::Decisions | Phase::Reveal) {
            self.refuse(Reason::SeatNotAfterThisOne(seat), Point::DecisionOrder)
        } else {
            self.not_now(InputKind::Seat)
        }
    }

    /// Late word: the hands before this seat have stood, and a card just taken as a hit was this seat's.
    pub(super) fn on_seat(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_seat_word(seat)?;
        match self.now.late {
            Some(_) => self.read_again(LateWord::Seat(seat), out),
            None => {
                self.stand_before(seat, out);
                Ok(())
            }
        }
    }

    /// Seats that the late word may name.
    #[inline]
    pub(super) fn late_seats(&self) -> SeatSet {
        match (self.now.phase, self.now.late) {
            (_, Some(late)) if self.split_hand_waits_after(late.seat, late.hand) => SeatSet::EMPTY,
            (_, Some(late)) => {
                let seats = self.now.to_act.after(late.seat, self.table.game.decision_order());
                // The card cannot be a natural's, which Switch lets act only to be switched away.
                if self.table.variation == Variation::Switch { self.open_of(seats) } else { seats }
            }
            (Phase::Decisions, None) => match self.now.turn.want {
                Want::Decision | Want::AfterDouble if !self.split_hand_waits() => self.hands_after_turn(),
                Want::Decision | Want::AfterDouble | Want::HitCard | Want::DoubleCard | Want::SplitCard => {
                    SeatSet::EMPTY
                }
            },
            (_, None) => SeatSet::EMPTY,
        }
    }

    /// Those of these boxes whose turn would begin with an open hand.
    fn open_of(&self, seats: SeatSet) -> SeatSet {
        seats
            .iter(crate::game::Direction::FromLeft)
            .filter(|&seat| {
                let hand = usize::from(self.opening_hand(seat));
                self.now.box_at(seat).hands[hand].status == HandStatus::Open
            })
            .collect()
    }

    /// Stands every hand from the current one up to `seat`.
    pub(super) fn stand_before(&mut self, seat: Seat, out: &mut impl Sink) {
        while matches!(self.now.phase, Phase::Decisions)
            && self.now.turn.seat != seat
            && matches!(self.now.turn.want, Want::Decision | Want::AfterDouble)
        {
            self.report_action(Action::Stand, None, Point::HitLate, out);
            self.finish_turn(HandStatus::Done, out);
        }
    }
}
