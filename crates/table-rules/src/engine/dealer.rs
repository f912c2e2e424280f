//! The hole card is turned and the dealer's hand completed (7.L to 7.N).

use super::Engine;
use super::state::{AfterWheel, HandState, HandStatus, Phase};
use crate::card::Card;
use crate::event::{Action, Event, Place, Sink};
use crate::game::Direction;
use crate::input::{Drawn, InputKind, PeekAnswer};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::Moment;
use crate::source::Point;
use crate::table::{Soft17, Variation};

impl Engine {
    /// No hand is left to act. The hole card is turned next, unless a false "yes" has exposed it already (S12).
    #[inline]
    pub(super) fn decisions_are_done(&mut self, out: &mut impl Sink) {
        if self.now.dealer.len() > 1 {
            self.hole_card_lies_open(out);
        } else {
            self.now.phase = Phase::Reveal;
        }
    }

    pub(super) fn check_reveal(&self, card: Card) -> Result<(), Refusal> {
        match self.now.phase {
            Phase::Reveal => {}
            Phase::Decisions if self.hole_card_may_follow_refusal() => {}
            Phase::FirstCards => return self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers),
            Phase::ReaderStopped => return self.refuse(Reason::ReaderStopped, Point::ReaderMalfunction),
            Phase::BustCards => return self.refuse(Reason::TurnTheCardsFirst, Point::ShowBust),
            Phase::Wheel(_) => return self.refuse(Reason::SpinFirst, self.wheel_point()),
            Phase::Procedure(_) if self.hole_card_is_asked().is_some() => {}
            Phase::Procedure(_) => return self.not_now(InputKind::Reveal),
            Phase::Wagering
            | Phase::Dealing(_)
            | Phase::Insurance
            | Phase::Peek
            | Phase::Decisions
            | Phase::DealerDraws
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Settlement => return self.not_now(InputKind::Reveal),
        }
        self.check_in_deck(card)
    }

    pub(super) fn on_reveal(&mut self, card: Card, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_reveal(card)?;
        if let Some(up) = self.hole_card_is_asked() {
            self.hole_card_is_told(up, card, out);
            return Ok(());
        }
        if matches!(self.now.phase, Phase::Decisions) {
            self.report_action(Action::Stand, None, Point::HitLate, out);
            self.finish_turn(HandStatus::Done, out);
        }
        self.now.dealer.push(card);
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        out.push(Event::HoleCardRevealed { card, total, soft, source: self.cite(Point::Reveal) });
        let blackjack = self.now.dealer.is_ace_and_ten();
        match (self.now.answer, blackjack) {
            (Some(PeekAnswer::Yes), true) => {
                self.settle_side(Moment::AfterReader, out);
                self.settle_side(Moment::Reveal, out);
                self.turn_then_settle(out);
            }
            (Some(said @ PeekAnswer::Yes), false) => {
                out.push(Event::ReaderWrong { said, source: self.cite(Point::ReaderWrong) });
                self.now.answer = None;
                self.stop_reader(out);
            }
            (Some(said @ PeekAnswer::No), true) => {
                out.push(Event::ReaderWrong { said, source: self.cite(Point::ReaderWrong) });
                // The round is settled (S12); the next one waits for a reader that can be trusted (H17).
                self.now.set_reader_out(true);
                self.discard_exposed(out);
                self.settle_side(Moment::Reveal, out);
                // A card that decides nothing any more need not be turned; a player's own may make a blackjack (12.B(14)), and
                // a side wager may look at the hand that it belongs to.
                if self.table.variation == Variation::FromTheHand || self.side_wager_waits_for_turned_card() {
                    self.turn_then_settle(out);
                } else {
                    self.begin_settlement(out);
                }
            }
            (Some(PeekAnswer::No | PeekAnswer::Unread) | None, _) => self.hole_card_lies_open(out),
        }
        Ok(())
    }

    fn side_wager_waits_for_turned_card(&self) -> bool {
        let waits = |seat| {
            let each = self.now.box_at(seat);
            each.side_open != 0 && each.hands().iter().any(|hand| hand.cards.cards_down() > 0)
        };
        self.now.dealt_down && self.now.in_play.iter(Direction::FromLeft).any(waits)
    }

    /// Both dealer cards lie open and make no blackjack.
    fn hole_card_lies_open(&mut self, out: &mut impl Sink) {
        if self.now.surrendered {
            self.settle_waiting_surrenders(out);
        }
        self.settle_side(Moment::Reveal, out);
        if !self.wait_for_wheel(AfterWheel::DealerGoesOn) {
            self.dealer_goes_on(out);
        }
    }

    fn settle_waiting_surrenders(&mut self, out: &mut impl Sink) {
        for seat in self.now.in_play.iter(Direction::FromRight) {
            let hand = &self.now.box_at(seat).hands[0];
            if hand.status == HandStatus::Surrendered && !hand.settled {
                self.settle_surrender(seat, Point::SurrenderHalf, out);
            }
        }
    }

    pub(super) fn dealer_goes_on(&mut self, out: &mut impl Sink) {
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let draws = self.dealer_draws_to(total, soft);
        let wanted = draws && self.dealer_count_matters();
        if self.dealer_takes_exposed(wanted, out) {
            self.dealer_goes_on(out);
            return;
        }
        if wanted {
            self.now.phase = Phase::DealerDraws;
            return;
        }
        if draws {
            out.push(Event::DealerMayNotDraw { total, source: self.cite(Point::DealerMayNotDraw) });
        } else {
            out.push(Event::DealerStands { total, soft, source: self.cite(Point::DealerDraws) });
        }
        self.turn_then_settle(out);
    }

    /// Cards that still lie face down are turned before the settlement (10.C, D6; 12.B(14)).
    fn turn_then_settle(&mut self, out: &mut impl Sink) {
        debug_assert!(self.now.dealt_down || self.seats_with_cards_down().is_empty());
        if !self.now.dealt_down || self.seats_with_cards_down().is_empty() {
            self.begin_settlement(out);
        } else {
            self.now.phase = Phase::TurnCards;
        }
    }

    /// 7.M, P8: whether the dealer's rule asks for another card.
    #[inline]
    pub(super) fn dealer_draws_to(&self, total: u8, soft: bool) -> bool {
        total < 17 || (total == 17 && soft && self.table.soft_17 == Soft17::Hits)
    }

    /// 7.N: whether any hand's outcome still depends on the dealer's count.
    pub(super) fn dealer_count_matters(&self) -> bool {
        self.now
            .in_play
            .iter(Direction::FromLeft)
            .any(|seat| self.now.box_at(seat).hands().iter().any(|hand| self.depends_on_dealer(hand)))
            || self.side_needs_dealer()
    }

    fn depends_on_dealer(&self, hand: &HandState) -> bool {
        match hand.status {
            // In the sister games a 21 wins against any dealer hand that is not a blackjack.
            HandStatus::Done | HandStatus::Open => {
                hand.cards.cards_down() > 0 || !self.table.game.player_21_wins() || hand.cards.total() < 21
            }
            // As printed, a Switch blackjack's pay depends on the dealer's final hand (B8).
            HandStatus::Blackjack => {
                self.table.variation == Variation::Switch && !self.table.switch_rules.blackjack_is_fixed()
            }
            HandStatus::Bust
            | HandStatus::Surrendered
            | HandStatus::Rescued
            | HandStatus::Dead
            | HandStatus::EvenMoney => false,
        }
    }

    pub(super) fn dealer_card(&mut self, card: Card, out: &mut impl Sink) {
        self.now.dealer.push(card);
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let source = self.cite(Point::DealerDraws);
        out.push(Event::CardDealt { to: Place::Dealer, card: Drawn::FaceUp(card), total, soft, source });
        self.dealer_goes_on(out);
    }

    /// Boxes with a card that is still to be turned: a double's (10.C), or a player's own (12.B(14)). A hand that went over
    /// 21 was discarded with whatever lay face down.
    pub(super) fn seats_with_cards_down(&self) -> SeatSet {
        self.now
            .in_play
            .iter(Direction::FromLeft)
            .filter(|&seat| self.now.box_at(seat).hands().iter().any(waits_to_be_turned))
            .collect()
    }

    /// Which hand of this box has a card that may be turned now.
    pub(super) fn check_turn(&self, seat: Seat, card: Card) -> Result<usize, Refusal> {
        let bust = self.bust_cards_seat() == Some(seat);
        if !bust && !self.may_turn_now(seat) && !matches!(self.now.phase, Phase::TurnCards) {
            return self.not_now(InputKind::Turn);
        }
        self.check_in_play(seat)?;
        self.check_in_deck(card)?;
        let lies_down = |hand: &HandState| if bust { hand.cards.cards_down() > 0 } else { waits_to_be_turned(hand) };
        match self.now.box_at(seat).hands().iter().position(lies_down) {
            Some(at) => Ok(at),
            None => self.refuse(Reason::NothingToTurn(seat), self.turn_point()),
        }
    }

    pub(super) fn on_turn(&mut self, seat: Seat, card: Card, out: &mut impl Sink) -> Result<(), Refusal> {
        let at = self.check_turn(seat, card)?;
        let bust = self.bust_cards_seat() == Some(seat);
        let deciding = self.may_turn_now(seat);
        self.now.box_mut(seat).hands[at].cards.turn(card);
        let number = u8::try_from(at + 1).unwrap_or(u8::MAX);
        let point = if bust { Point::ShowBust } else { self.turn_point() };
        out.push(Event::CardTurned { seat, hand: number, card, source: self.cite(point) });
        self.first_cards_may_be_known(seat);
        if bust {
            self.bust_card_turned(seat, out);
            return Ok(());
        }
        if deciding {
            self.cards_turned_in_turn(seat, out);
            return Ok(());
        }
        let hand = &mut self.now.box_mut(seat).hands[at];
        if hand.cards.cards_down() == 0 && hand.cards.is_bust() {
            hand.status = HandStatus::Bust;
        }
        if self.seats_with_cards_down().is_empty() {
            self.settle_turned_side_wagers(out);
            self.begin_settlement(out);
        }
        Ok(())
    }
}

fn waits_to_be_turned(hand: &HandState) -> bool {
    hand.cards.cards_down() > 0 && hand.status != HandStatus::Bust
}
