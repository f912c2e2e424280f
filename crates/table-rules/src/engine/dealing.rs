//! Cards: the initial deal of 7.E, and where every later card goes.

use super::Engine;
use super::state::{DealStep, HandStatus, LateCard, Phase};
use crate::card::{Card, Rank};
use crate::event::{Event, Events, Place};
use crate::game::Direction;
use crate::input::{Drawn, InputKind, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::Moment;
use crate::source::Point;
use crate::table::Tracking;

impl Engine {
    /// A card left the shoe. Gives back what late words may still change about it.
    pub(super) fn on_card(&mut self, drawn: Drawn, out: &mut Events) -> Result<Option<LateCard>, Refusal> {
        match self.now.phase {
            Phase::Decisions => return self.card_to_player(drawn, out),
            Phase::Dealing(step) => self.deal(step, drawn, out)?,
            Phase::DealerDraws => self.card_to_dealer(drawn, out)?,
            Phase::FirstCards => return self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers),
            Phase::ReaderStopped => return self.refuse(Reason::ReaderStopped, Point::ReaderMalfunction),
            Phase::Procedure(_) => {
                return self.refuse(Reason::WrongTracking(InputKind::Card), Point::ProcedureSteps);
            }
            Phase::Wagering
            | Phase::Insurance
            | Phase::Peek
            | Phase::Reveal
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Settlement => return self.not_now(InputKind::Card),
            Phase::Wheel(_) => return self.refuse(Reason::SpinFirst, Point::WheelDecides),
        }
        Ok(None)
    }

    /// A card that this game's decks hold.
    #[inline]
    pub(super) fn check_in_deck(&self, card: Card) -> Result<(), Refusal> {
        if !self.table.game.plays_with(card.rank()) {
            return self.refuse(Reason::NotInThisDeck(card), Point::StrayTen);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn face_up(&self, drawn: Drawn, point: Point) -> Result<Card, Refusal> {
        match drawn {
            Drawn::FaceUp(card) => {
                self.check_in_deck(card)?;
                Ok(card)
            }
            Drawn::FaceDown => self.refuse(Reason::MustBeFaceUp, point),
        }
    }

    fn deal(&mut self, step: DealStep, drawn: Drawn, out: &mut Events) -> Result<(), Refusal> {
        if self.now.between.burn == super::state::BurnDue::NewDealer && self.before_first_card() {
            return self.not_now(InputKind::Card);
        }
        match step {
            DealStep::First(seat) => {
                let card = self.face_up(drawn, Point::DealFirstCards)?;
                self.now.between.burn = super::state::BurnDue::No;
                let dealt = self.now.box_mut(seat);
                dealt.open_hand();
                self.deal_to_seat(seat, card, Point::DealFirstCards, out);
                self.now.phase = Phase::Dealing(match self.seat_after(seat) {
                    Some(next) => DealStep::First(next),
                    None => DealStep::UpCard,
                });
            }
            DealStep::UpCard => {
                let card = self.face_up(drawn, Point::DealUpCard)?;
                self.now.dealer.push(card);
                self.now.up = Some(UpGroup::of(card));
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                let source = self.cite(Point::DealUpCard);
                out.push(Event::CardDealt { to: Place::Dealer, card: drawn, total, soft, source });
                let Some(seat) = self.now.in_play.lowest() else { return self.not_now(InputKind::Card) };
                self.now.phase = Phase::Dealing(DealStep::Second(seat));
            }
            DealStep::Second(seat) => {
                let card = self.face_up(drawn, Point::DealSecondCards)?;
                self.deal_to_seat(seat, card, Point::DealSecondCards, out);
                self.now.phase = Phase::Dealing(match self.seat_after(seat) {
                    Some(next) => DealStep::Second(next),
                    None => DealStep::HoleCard,
                });
            }
            DealStep::HoleCard => {
                if let Drawn::FaceUp(_) = drawn {
                    return self.refuse(Reason::FaceDownHere, Point::DealHoleCard);
                }
                let source = self.cite(Point::DealHoleCard);
                out.push(Event::CardDealt { to: Place::HoleCard, card: drawn, total: 0, soft: false, source });
                self.deal_is_complete(out);
            }
        }
        Ok(())
    }

    fn seat_after(&self, seat: Seat) -> Option<Seat> {
        self.now.in_play.after(seat, Direction::FromLeft).lowest()
    }

    fn deal_to_seat(&mut self, seat: Seat, card: Card, point: Point, out: &mut Events) {
        let source = self.cite(point);
        let dealt = self.now.box_mut(seat);
        dealt.opened_with_seven |= card.rank() == Rank::Seven;
        let hand = &mut dealt.hands[0];
        dealt.first[usize::from(hand.cards.len()) & 1] = card;
        hand.cards.push(card);
        if hand.cards.is_ace_and_ten() {
            hand.status = HandStatus::Blackjack;
        }
        let (total, soft) = (hand.cards.total(), hand.cards.is_soft());
        let to = Place::Hand { seat, hand: 1 };
        out.push(Event::CardDealt { to, card: Drawn::FaceUp(card), total, soft, source });
    }

    /// Every first card lies. First-card wagers come next (7.F), then insurance or the reader (7.G), then decisions.
    fn deal_is_complete(&mut self, out: &mut Events) {
        debug_assert!(self.tracking == Tracking::Cards);
        self.settle_side(Moment::FirstCards, out);
        match self.now.up {
            Some(UpGroup::Ace | UpGroup::Ten) if self.now.has_open_lines() => self.now.phase = Phase::FirstCards,
            Some(UpGroup::Ace | UpGroup::Ten) => self.after_first_card_wagers(),
            Some(UpGroup::Low) | None => self.start_decisions(out),
        }
    }

    /// 7.G: insurance is offered under an ace only (S2); the reader is used under an ace or ten-value card.
    pub(super) fn after_first_card_wagers(&mut self) {
        self.now.phase = match self.now.up {
            Some(UpGroup::Ace) => Phase::Insurance,
            Some(UpGroup::Ten | UpGroup::Low) | None => Phase::Peek,
        };
    }
}
