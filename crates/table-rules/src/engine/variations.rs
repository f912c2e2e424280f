//! Blackjack's variations where they touch a hand: Switch (12.A, B8), and player cards that lie face down (12.B, B14).

use super::Engine;
use super::side_placing::bits;
use super::state::{HandState, HandStatus, Phase, Want};
use crate::event::{Action, Sink};
use crate::hand::Hand;
use crate::input::{InputKind, PeekAnswer};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::Moment;
use crate::source::Point;
use crate::table::Variation;

impl Engine {
    // ---- Switch ----

    /// The second cards may change places before anything else is done with the box.
    pub(super) fn check_switch(&self) -> Result<(), Refusal> {
        if self.table.variation != Variation::Switch {
            return self.refuse(Reason::NotInThisGame(InputKind::Switch), self.due());
        }
        if matches!(self.now.phase, Phase::FirstCards) {
            return self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers);
        }
        let turn = self.now.turn;
        let each = self.now.box_at(turn.seat);
        let untouched =
            each.hands().len() == 2 && each.hands().iter().all(|hand| hand.cards.len() == 2 && hand.doubles == 0);
        let deciding = matches!(self.now.phase, Phase::Decisions) && turn.want == Want::Decision && turn.hand == 0;
        if !deciding || !untouched || each.switched {
            return self.refuse(Reason::NotNow(InputKind::Switch), Point::SwitchCards);
        }
        Ok(())
    }

    pub(super) fn on_switch(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_switch()?;
        self.report_action(Action::Switch, None, Point::SwitchCards, out);
        let seat = self.now.turn.seat;
        let each = self.now.box_mut(seat);
        each.switched = true;
        let (one, other) = (each.hands[0].cards, each.hands[1].cards);
        for (at, kept, got) in [(0, &one, &other), (1, &other, &one)] {
            let mut cards = Hand::EMPTY;
            cards.push(kept.cards()[0]);
            cards.push(got.cards()[1]);
            // Made by switching, an ace and a ten-value card are 21 and no blackjack (S10); 21 stands (D1).
            each.hands[at].status = if cards.total() == 21 { HandStatus::Done } else { HandStatus::Open };
            each.hands[at].cards = cards;
        }
        if each.hands[0].status == HandStatus::Done {
            self.next_hand(out);
        }
        Ok(())
    }

    // ---- dealt from the hand ----

    /// 12.B(10)(a): the dealer turns the player's two cards before a surrender, double or split.
    #[inline]
    pub(super) fn cards_are_turned(&self, hand: &HandState) -> Result<(), (Reason, Point)> {
        if hand.cards.cards_down() > 0 {
            return Err((Reason::TurnTheCardsFirst, Point::TurnForDecision));
        }
        Ok(())
    }

    /// Whether this seat's face-down cards may be turned at its turn to act.
    #[inline]
    pub(super) fn may_turn_now(&self, seat: Seat) -> bool {
        if self.table.variation != Variation::FromTheHand {
            return false;
        }
        // Under an ace a blackjack may be shown for even money (8.E).
        if matches!(self.now.phase, Phase::Insurance) {
            return self.seats_with_cards_down().contains(seat);
        }
        matches!(self.now.phase, Phase::Decisions)
            && self.now.turn.seat == seat
            && self.now.turn.want == Want::Decision
            && self.now.turn_hand().cards.cards_down() > 0
    }

    pub(super) fn turn_point(&self) -> Point {
        match (self.table.variation, self.now.phase) {
            (Variation::FromTheHand, Phase::Decisions) => Point::TurnForDecision,
            (Variation::FromTheHand, _) => Point::TurnAllCards,
            (Variation::Standard | Variation::Switch | Variation::DoubleShoe, _) => Point::DoubleCardDown,
        }
    }

    /// Once both first cards have been turned, side wagers may look at them (B14).
    pub(super) fn first_cards_may_be_known(&mut self, seat: Seat) {
        let each = self.now.box_mut(seat);
        if each.first_known || each.hands[0].cards.cards_down() > 0 {
            return;
        }
        if let &[first, second, ..] = each.hands[0].cards.cards() {
            each.first = [first, second];
            each.first_known = true;
        }
    }

    /// The player whose turn it is shows the cards: a blackjack is served, 21 stands, over 21 is collected.
    pub(super) fn cards_turned_in_turn(&mut self, seat: Seat, out: &mut impl Sink) {
        if matches!(self.now.phase, Phase::Insurance) {
            let hand = &mut self.now.box_mut(seat).hands[0];
            if hand.cards.is_ace_and_ten() {
                hand.status = HandStatus::Blackjack;
            }
            if hand.cards.cards_down() == 0 {
                self.settle_turned_side_wagers(out);
            }
            return;
        }
        let hand = self.now.turn_hand().cards;
        if hand.cards_down() > 0 {
            // What lies open may be too many already.
            if hand.is_bust() {
                self.bust(out);
            }
            return;
        }
        self.settle_turned_side_wagers(out);
        if hand.is_bust() {
            self.bust(out);
        } else if hand.is_ace_and_ten() {
            let seat = self.now.turn.seat;
            self.now.turn_hand_mut().status = HandStatus::Blackjack;
            self.serve_blackjack(seat, out);
            self.next_hand(out);
        } else if hand.total() == 21 {
            self.finish_turn(HandStatus::Done, out);
        }
    }

    /// Whether play waits for the face-down cards of a hand that has just gone over 21: only where a side wager looks at
    /// them. Otherwise they may be turned until play goes on (H16).
    pub(super) fn bust_cards_wait(&mut self, seat: Seat) -> bool {
        let each = self.now.box_at(seat);
        // What the reader's "no" has settled is looked at again if it was wrong (S12).
        let wagers = each.side_open | each.side_after_reader;
        let waits = bits(wagers).any(|wager| self.offered(wager).may_look_at_first_cards());
        if waits {
            self.now.phase = Phase::BustCards;
        } else {
            self.now.set_bust_down(Some(seat));
        }
        waits
    }

    /// The box whose hand has just gone over 21 and may show the cards that lie face down.
    pub(super) fn bust_cards_seat(&self) -> Option<Seat> {
        match self.now.phase {
            Phase::BustCards => Some(self.now.turn.seat),
            Phase::Decisions | Phase::Reveal | Phase::DealerDraws => self.now.bust_down,
            Phase::Wagering
            | Phase::Dealing(_)
            | Phase::FirstCards
            | Phase::Insurance
            | Phase::Peek
            | Phase::ReaderStopped
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Settlement
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Procedure(_) => None,
        }
    }

    /// A card of a hand over 21 was turned; with the last of them its side wagers settle, and play goes on.
    pub(super) fn bust_card_turned(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.now.box_at(seat).hands().iter().any(|hand| hand.cards.cards_down() > 0) {
            return;
        }
        self.now.set_bust_down(None);
        self.settle_turned_side_wagers(out);
        if matches!(self.now.phase, Phase::BustCards) {
            self.now.phase = Phase::Decisions;
            self.next_hand(out);
        }
    }

    /// First-card wagers whose cards have just been turned settle now, by all that lies open (B14).
    pub(super) fn settle_turned_side_wagers(&mut self, out: &mut impl Sink) {
        if self.table.variation != Variation::FromTheHand {
            return;
        }
        if self.now.answer == Some(PeekAnswer::No) && self.now.dealer.len() == 1 {
            self.settle_turned_after_no(out);
            return;
        }
        self.settle_side(Moment::FirstCards, out);
        if self.now.answer.is_some() {
            self.settle_side(Moment::AfterReader, out);
        }
        if self.now.dealer.len() > 1 {
            self.settle_side(Moment::Reveal, out);
            self.mark_turned_blackjacks();
        }
    }

    /// A blackjack that nobody showed before the end still is one.
    fn mark_turned_blackjacks(&mut self) {
        for seat in self.now.in_play.iter(crate::game::Direction::FromLeft) {
            let hand = &mut self.now.box_mut(seat).hands[0];
            let original = hand.doubles == 0 && !hand.from_split && !hand.settled;
            let open = matches!(hand.status, HandStatus::Done | HandStatus::Open);
            if original && open && hand.cards.is_ace_and_ten() {
                hand.status = HandStatus::Blackjack;
            }
        }
    }
}
