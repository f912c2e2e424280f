//! A card that was drawn in error and seen (13.F to 13.H, 14.C): it lies there as the next card of the shoe.
//!
//! Whatever asks for a card next takes it: a hit, a double, a split, a card that comes late, and in the end the dealer. The
//! player whose turn it is may refuse it, and then gets no further card in this round (H24).

use super::Engine;
use super::irregular::{Irregular, Reported};
use super::state::{HandStatus, Phase, Want};
use crate::card::Card;
use crate::event::{Event, Place, Sink};
use crate::input::{Drawn, InputKind, PeekAnswer};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;

impl Engine {
    /// Whether a card can lie exposed now: from the hole card on, while cards may still be dealt. One that a hand has asked
    /// for is no card drawn in error.
    pub(super) fn a_card_may_lie_exposed(&self, told: &Reported) -> bool {
        let in_play = told.seat.is_none_or(|seat| self.now.in_play.contains(seat));
        let here = if let Phase::Decisions = self.now.phase {
            match self.now.turn.want {
                Want::Decision | Want::AfterDouble => told.seat.is_none_or(|seat| seat == self.now.turn.seat),
                Want::HitCard | Want::DoubleCard | Want::SplitCard => false,
            }
        } else if let Phase::Reveal = self.now.phase {
            told.seat.is_none()
        } else {
            self.now.phase.is_before_dealer_draws() && in_play
        };
        // A card that lies exposed goes somewhere before another is drawn.
        here && self.now.exposed.is_none()
    }

    /// The card lies there until somebody can have it. Under a dealer's blackjack nobody can (7.G(3)).
    pub(super) fn lay_exposed(&mut self, card: Option<Card>, out: &mut impl Sink) {
        self.now.exposed = card;
        if self.now.answer == Some(PeekAnswer::Yes) {
            self.discard_exposed(out);
        }
    }

    /// 13.H, 14.C(2): neither players nor dealer can use it.
    pub(super) fn discard_exposed(&mut self, out: &mut impl Sink) {
        if let Some(card) = self.now.exposed.take() {
            let source = self.cite(Point::ExposedDiscarded);
            out.push(Event::Irregularity { seat: None, card: Some(card), source });
        }
    }

    /// The player who may take or refuse the card that lies exposed. Behind a hand that has only to be passed, the next one:
    /// the answer says that the hand stood.
    pub(super) fn exposed_card_is_offered_to(&self) -> Option<Seat> {
        if self.now.exposed.is_none() || !matches!(self.now.phase, Phase::Decisions) {
            return None;
        }
        let turn = self.now.turn;
        match turn.want {
            Want::HitCard | Want::SplitCard => Some(turn.seat),
            Want::Decision if self.refused_hand_waits() => self.offered_behind_turn(),
            Want::Decision if self.check_hit().is_ok() => Some(turn.seat),
            Want::AfterDouble => self.offered_behind_turn(),
            // It takes the card or has nothing to take it for.
            Want::Decision | Want::DoubleCard => None,
        }
    }

    fn offered_behind_turn(&self) -> Option<Seat> {
        if self.split_hand_waits() {
            return None;
        }
        let next = self.hands_after_turn().first_in(self.table.game.decision_order())?;
        let hand = usize::from(self.opening_hand(next));
        (self.now.box_at(next).hands[hand].status == HandStatus::Open).then_some(next)
    }

    /// Whether the hand whose turn it is has refused the card and may only surrender, show its cards, switch or stand.
    pub(super) fn refused_hand_waits(&self) -> bool {
        let turn = self.now.turn;
        matches!(self.now.phase, Phase::Decisions)
            && turn.want == Want::Decision
            && self.now.refused.contains(turn.seat)
    }

    /// Whether nothing but a stand is left before the hole card is turned: turning it says that the hand stood.
    pub(super) fn hole_card_may_follow_refusal(&self) -> bool {
        self.refused_hand_waits() && self.hands_after_turn().is_empty() && self.now.deferred.is_empty()
    }

    /// The next card lies exposed: none leaves the shoe before it has gone somewhere.
    pub(super) fn check_nothing_lies_exposed(&self, kind: InputKind) -> Result<(), Refusal> {
        match self.now.exposed {
            Some(_) => self.refuse(Reason::NotNow(kind), Point::AcceptExposed),
            None => Ok(()),
        }
    }

    /// 13.G: a player who refused an exposed card gets no further one.
    #[inline]
    pub(super) fn gets_cards(&self, seat: Seat) -> Result<(), (Reason, Point)> {
        if self.now.refused.contains(seat) {
            return Err((Reason::RefusedTheCard(seat), Point::ExposedRefused));
        }
        Ok(())
    }

    /// The hand whose turn it is has asked for a card: one that lies exposed is that card.
    #[inline]
    pub(super) fn exposed_card_follows(&mut self, out: &mut impl Sink) {
        if self.now.exposed.is_some() {
            self.take_exposed(out);
        }
    }

    fn take_exposed(&mut self, out: &mut impl Sink) {
        let Some(card) = self.now.exposed.take() else { return };
        match self.now.turn.want {
            Want::SplitCard => self.split_card(card, out),
            Want::DoubleCard => self.double_card(Drawn::FaceUp(card), out),
            Want::Decision | Want::HitCard | Want::AfterDouble => self.hit_card(card, out),
        }
    }

    pub(super) fn accept_exposed(&mut self, seat: Seat, out: &mut impl Sink) {
        self.stand_before(seat, out);
        self.take_exposed(out);
    }

    /// 13.G: no further card to this player. What the hands of the box can do without one they may still do.
    pub(super) fn refuse_exposed(&mut self, seat: Seat, out: &mut impl Sink) {
        self.stand_before(seat, out);
        self.now.refused = self.now.refused.with(seat);
        self.forget_late_cards_of(seat);
        let waits = self.now.turn.want == Want::Decision && self.may_act_without_cards(seat);
        if !waits {
            self.finish_turn(HandStatus::Done, out);
        }
    }

    /// The player may still surrender, switch or show the cards.
    fn may_act_without_cards(&self, seat: Seat) -> bool {
        self.surrender_terms(self.now.turn_hand()).is_ok() || self.check_switch().is_ok() || self.may_turn_now(seat)
    }

    /// A card that was to come later is one of those that the player does not get any more; a double's was bought.
    fn forget_late_cards_of(&mut self, seat: Seat) {
        let each = self.now.box_mut(seat);
        let count = usize::from(each.hand_count);
        for hand in each.hands[..count].iter_mut().filter(|hand| hand.doubles == 0) {
            hand.card_due = false;
        }
        self.count_late_cards(seat);
    }

    /// The hands of a box that refused the card are done, once the hand whose turn it was is.
    pub(super) fn close_refused_hands(&mut self, seat: Seat) {
        let each = self.now.box_mut(seat);
        let count = usize::from(each.hand_count);
        for hand in each.hands[..count].iter_mut().filter(|hand| hand.status == HandStatus::Open) {
            hand.status = HandStatus::Done;
        }
    }

    /// 13.F, 13.H: the exposed card that the players refused is the dealer's, or goes to the discard rack.
    pub(super) fn dealer_takes_exposed(&mut self, wanted: bool, out: &mut impl Sink) -> bool {
        if !wanted {
            self.discard_exposed(out);
            return false;
        }
        let Some(card) = self.now.exposed.take() else { return false };
        self.now.dealer.push(card);
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let source = self.clause(Irregular::DrawnExposed);
        out.push(Event::CardDealt { to: Place::Dealer, card: Drawn::FaceUp(card), total, soft, source });
        true
    }
}
