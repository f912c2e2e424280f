//! The gate: one byte that says which ordinary input nothing stands in the way of.
//!
//! Nine of ten inputs are a wager, a card of the deal, a hit or a stand at a table where nothing unusual goes on. What
//! could make one of them anything else is looked at when something unusual may have happened, not at every card. The
//! gate follows from the state and from nothing else: in tests it is worked out anew before every input.

use super::Engine;
use super::insurance::UNREAD_MAX;
use super::state::{DealStep, HandState, HandStatus, Phase, Turn, Want};
use crate::input::Answer;
use crate::prompt::Order;
use crate::seat::Seat;
use crate::source::{Point, Source};

/// What comes next, where a short way may take it (`direct`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// Something else, or something unusual.
    Shut,
    /// Wagers are open and no line of the last round is.
    Wagers,
    /// The first card of a box.
    FirstCard,
    /// The second card of a box.
    SecondCard,
    /// The only hand of a box decides, all its cards face up.
    Decision,
}

impl Engine {
    /// Where the gate stands in this state.
    pub(super) fn find_gate(&self) -> Gate {
        self.look_ahead().0
    }

    /// Something has been done: sets the gate and gives what is due next.
    #[inline(never)]
    pub(super) fn move_on(&mut self) -> (Order, Source) {
        let (gate, order) = self.look_ahead();
        self.gate = gate;
        match order {
            Some(order) => order,
            None => self.order_in_general(),
        }
    }

    /// Where the gate stands in this state, and the order that is due where it is one that most rounds give.
    #[inline(always)]
    pub(super) fn look_ahead(&self) -> (Gate, Option<(Order, Source)>) {
        if self.now.has_open_lines() {
            return (Gate::Shut, Some(self.order_of_line()));
        }
        let ordinary = |order, point| (Gate::Shut, Some(self.known(order, point)));
        match self.now.phase {
            Phase::Wagering => (Gate::Wagers, self.plain_order_of_wagering()),
            Phase::Decisions if self.decides_plainly() => {
                (Gate::Decision, Some(self.order_of_decision(self.now.turn.seat)))
            }
            Phase::Decisions => (Gate::Shut, self.order_of_turn()),
            Phase::Dealing(step) if self.ordinary => match step {
                DealStep::First(seat, _) if !self.burn_is_required() => {
                    (Gate::FirstCard, Some(self.order_of_first_card(seat)))
                }
                DealStep::Second(seat, _) => (Gate::SecondCard, Some(self.order_of_second_card(seat))),
                DealStep::UpCard => ordinary(Order::DealUpCard, Point::DealUpCard),
                DealStep::HoleCard => ordinary(Order::DealHoleCard, Point::DealHoleCard),
                DealStep::First(..) | DealStep::Determinant => (Gate::Shut, None),
            },
            Phase::Insurance => ordinary(Order::OfferInsurance, Point::OfferInsurance),
            Phase::Peek => {
                let attempts = self.now.unread_count.min(UNREAD_MAX);
                ordinary(Order::InsertHoleCard { attempts }, Point::Peek)
            }
            Phase::Reveal if self.now.answer != Some(Answer::Yes) => {
                ordinary(Order::TurnHoleCard { blackjack: false }, Point::Reveal)
            }
            Phase::DealerDraws => {
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                ordinary(Order::DealToDealer { total, soft }, Point::DealerDraws)
            }
            Phase::Dealing(_)
            | Phase::FirstCards
            | Phase::ReaderStopped
            | Phase::BustCards
            | Phase::Reveal
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Settlement
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Procedure(_) => (Gate::Shut, None),
        }
    }

    /// The order for a hand that does not decide plainly, where it is one that most split or doubled hands see.
    #[inline]
    fn order_of_turn(&self) -> Option<(Order, Source)> {
        let Turn { seat, hand: at, want } = self.now.turn;
        let (hand, cards) = (at + 1, &self.now.turn_hand().cards);
        match want {
            Want::DoubleCard => Some(self.known(Order::DealDouble { seat, hand }, Point::OneCardOnly)),
            Want::SplitCard => Some(self.known(Order::DealSplitCard { seat, hand }, Point::SplitHandsInTurn)),
            Want::Decision if self.now.turn_hand().from_split && cards.cards_down() == 0 => {
                let (total, soft) = (cards.total(), cards.is_soft());
                Some(self.known(Order::AskDecision { seat, hand, total, soft }, Point::SplitDecision))
            }
            Want::Decision | Want::HitCard | Want::AfterDouble => None,
        }
    }

    #[inline]
    fn plain_order_of_wagering(&self) -> Option<(Order, Source)> {
        if !self.now.cash.is_empty() || self.now.between.reader_out || self.decks_are_due() {
            return None;
        }
        let cover_seen = self.now.between.cover_seen && self.now.in_play.is_empty();
        let point = if cover_seen { Point::Reshuffle } else { Point::PlaceWagers };
        Some(self.known(Order::TakeWagers { cover_seen }, point))
    }

    #[inline(always)]
    pub(super) fn order_of_first_card(&self, seat: Seat) -> (Order, Source) {
        self.known(Order::DealFirstCard { seat, hand: None, face_down: false }, Point::DealFirstCards)
    }

    #[inline(always)]
    pub(super) fn order_of_second_card(&self, seat: Seat) -> (Order, Source) {
        self.known(Order::DealSecondCard { seat, hand: None, face_down: false }, Point::DealSecondCards)
    }

    /// The only hand of this box decides.
    #[inline(always)]
    pub(super) fn order_of_decision(&self, seat: Seat) -> (Order, Source) {
        let cards = &self.now.box_at(seat).hands[0].cards;
        let (total, soft) = (cards.total(), cards.is_soft());
        self.known(Order::AskDecision { seat, hand: 1, total, soft }, Point::Decide)
    }

    /// Whether the hand whose turn it is decides and nothing but its cards and the last card bears on what it may do.
    #[inline]
    fn decides_plainly(&self) -> bool {
        let each = self.now.box_at(self.now.turn.seat);
        // A box with one hand has split nothing.
        each.hand_count == 1 && self.hand_decides_plainly(&each.hands[0])
    }

    /// The same for a split hand that may draw. The gate is shut then.
    pub(super) fn split_hand_decides_plainly(&self) -> bool {
        let hand = self.now.turn_hand();
        matches!(self.now.phase, Phase::Decisions)
            && hand.from_split
            && !self.now.has_open_lines()
            && !self.is_restricted_split_ace(hand)
            && self.hand_decides_plainly(hand)
    }

    #[inline(always)]
    fn hand_decides_plainly(&self, hand: &HandState) -> bool {
        self.ordinary
            && self.now.turn.want == Want::Decision
            && hand.status == HandStatus::Open
            && hand.cards.cards_down() == 0
            && self.now.box_at(self.now.turn.seat).main.amount().is_some()
            && !self.now.between.reader_out
            && !self.now.between.shuffler_out
            && self.now.asked.is_empty()
    }
}
