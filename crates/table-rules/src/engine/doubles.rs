//! Doubles, redoubles and rescue (Chapter 10).

use super::Engine;
use super::rewind::{LateWord, Timed};
use super::rows::Ending;
use super::state::{HandState, HandStatus, Turn, Want};
use crate::event::{Action, Sink};
use crate::game::Game;
use crate::input::{Drawn, InputKind};
use crate::line::{Outcome, Stake};
use crate::money::Cents;
use crate::prompt::AmountRange;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;
use crate::wager::WagerId;

impl Engine {
    #[inline]
    pub(super) fn check_double(&self) -> Result<AmountRange, Refusal> {
        let hand = self.undoubled(InputKind::Double)?;
        self.double_terms(self.now.turn.seat, hand).or_else(|(reason, point)| self.refuse(reason, point))
    }

    /// What a double may add: up to the original wager, in chips; in players-edge-21 exactly it, cut only to the table
    /// maximum (10.L, D4).
    #[inline]
    pub(super) fn double_terms(&self, seat: Seat, hand: &HandState) -> Result<AmountRange, (Reason, Point)> {
        self.double_terms_with(seat, hand, hand.cards.len())
    }

    /// The same for the hand as it was with this many cards; a card that came since lies face up.
    #[inline]
    pub(super) fn double_terms_with(
        &self,
        seat: Seat,
        hand: &HandState,
        cards: u8,
    ) -> Result<AmountRange, (Reason, Point)> {
        self.gets_cards(seat)?;
        self.cards_are_turned(hand)?;
        if self.table.game == Game::Blackjack && cards != 2 {
            return Err((Reason::NotAfterDrawing(InputKind::Double), Point::DoubleOnTheseCards));
        }
        if self.is_restricted_split_ace(hand) {
            return Err((Reason::HouseRestricted(InputKind::Double), Point::HouseRestriction));
        }
        Ok(self.double_range(seat))
    }

    /// The amounts that a double at this box may add.
    #[inline(always)]
    pub(super) fn double_range(&self, seat: Seat) -> AmountRange {
        let step = self.table.smallest_chip;
        match self.now.box_at(seat).main.amount() {
            None => AmountRange::UNKNOWN_ONLY,
            Some(original) if self.table.game == Game::PlayersEdge21 => {
                let exactly = original.min(self.table.limits.maximum);
                AmountRange { least: exactly, most: exactly, step, may_be_unknown: true }
            }
            Some(original) => AmountRange { least: step.min(original), most: original, step, may_be_unknown: true },
        }
    }

    /// What a double adds, or whether the word is about the last card.
    #[inline]
    pub(super) fn check_double_word(&self, amount: Option<Cents>) -> Result<Timed<Stake>, Refusal> {
        match self.check_double() {
            Ok(range) => self.added_by(amount, range, self.now.turn.seat).map(Timed::InTime),
            Err(refusal) => match (self.now.late, self.late_double()) {
                (Some(late), Some(range)) => self.added_by(amount, range, late.seat).map(|_| Timed::Late),
                (Some(_), None) | (None, _) => Err(refusal),
            },
        }
    }

    pub(super) fn on_double(&mut self, amount: Option<Cents>, out: &mut impl Sink) -> Result<(), Refusal> {
        match self.check_double_word(amount)? {
            Timed::InTime(added) => {
                self.add_to_hand(added);
                self.now.turn.waits_for(Want::DoubleCard);
                self.report_action(Action::Double, added.amount(), Point::Double, out);
                self.exposed_card_follows(out);
                Ok(())
            }
            Timed::Late => self.read_again(LateWord::Double(amount), out),
        }
    }

    /// What a double of this amount adds; where nobody says how much, all that it may.
    #[inline]
    fn added_by(&self, amount: Option<Cents>, range: AmountRange, seat: Seat) -> Result<Stake, Refusal> {
        match amount {
            None if range == AmountRange::UNKNOWN_ONLY => Ok(Stake::UNKNOWN),
            None => Ok(Stake::of(range.most)),
            Some(amount) if range.admits(Some(amount)) => Ok(Stake::of(amount)),
            Some(amount) => self.refuse_double(amount, range, seat),
        }
    }

    fn refuse_double(&self, amount: Cents, range: AmountRange, seat: Seat) -> Result<Stake, Refusal> {
        if amount <= Cents::ZERO {
            return self.refuse(Reason::AmountNotPositive, Point::Double);
        }
        if range == AmountRange::UNKNOWN_ONLY {
            let wager = WagerId::Main;
            return self.refuse(Reason::AmountNeededFirst { seat, wager }, Point::AmountAsked);
        }
        if self.table.game == Game::PlayersEdge21 {
            return self.refuse(Reason::NoDoubleForLess { exactly: range.most }, Point::DoubleForLess);
        }
        if amount > range.most {
            return self.refuse(Reason::DoubleMoreThanOriginal { most: range.most }, Point::DoubleAtMostOriginal);
        }
        self.refuse(Reason::NotInChips { smallest: range.step }, Point::DoubleForLess)
    }

    fn add_to_hand(&mut self, added: Stake) {
        let hand = self.now.turn_hand_mut();
        hand.stake = hand.stake.plus(added);
        hand.last_added = added;
        hand.doubles += 1;
    }

    #[inline]
    pub(super) fn check_double_card(&self, drawn: Drawn) -> Result<(), Refusal> {
        match drawn {
            Drawn::FaceUp(card) => self.check_in_deck(card),
            Drawn::FaceDown if self.table.game == Game::Blackjack => Ok(()),
            Drawn::FaceDown => self.refuse(Reason::MustBeFaceUp, Point::DoubleCardDown),
        }
    }

    pub(super) fn double_card(&mut self, drawn: Drawn, out: &mut impl Sink) {
        match drawn {
            Drawn::FaceUp(card) => self.now.turn_hand_mut().cards.push(card),
            Drawn::FaceDown => {
                self.now.turn_hand_mut().cards.push_down();
                self.now.dealt_down = true;
            }
        }
        self.after_double_card(drawn, out);
    }

    fn after_double_card(&mut self, drawn: Drawn, out: &mut impl Sink) {
        self.report_card(drawn, Point::OneCardOnly, out);
        let hand = self.now.turn_hand();
        if hand.cards.is_bust() {
            self.bust(out);
        } else if self.table.game.is_sister_game() {
            // Rescue stays open, at 21 too (10.H, D2).
            self.now.turn.waits_for(Want::AfterDouble);
        } else {
            self.finish_turn(HandStatus::Done, out);
        }
    }

    /// What a redouble adds: the hand's whole wager again, cut only to the table maximum (10.J-10.L, D2).
    pub(super) fn check_redouble(&self) -> Result<Stake, Refusal> {
        let hand = self.deciding(InputKind::Redouble)?;
        if self.table.game != Game::PlayersEdge21 || !self.table.double_double {
            return self.refuse(Reason::NotInThisGame(InputKind::Redouble), Point::RedoubleOffered);
        }
        if self.now.turn.want != Want::AfterDouble {
            return self.refuse(Reason::NotOnTheseCards(InputKind::Redouble), Point::RedoubleOffered);
        }
        if hand.doubles >= 3 {
            return self.refuse(Reason::NoMoreDoubles, Point::ThreeDoubles);
        }
        if hand.cards.total() == 21 {
            return self.refuse(Reason::HandIs21, Point::TwentyOneStands);
        }
        Ok(match hand.stake.amount() {
            None => Stake::UNKNOWN,
            Some(existing) => Stake::of(existing.min(self.table.limits.maximum)),
        })
    }

    pub(super) fn on_redouble(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        let added = self.check_redouble()?;
        self.add_to_hand(added);
        self.now.turn.waits_for(Want::DoubleCard);
        self.report_action(Action::Redouble, added.amount(), Point::Redouble, out);
        self.exposed_card_follows(out);
        Ok(())
    }

    pub(super) fn check_rescue(&self) -> Result<(), Refusal> {
        self.deciding(InputKind::Rescue)?;
        if !self.table.game.is_sister_game() {
            return self.refuse(Reason::NotInThisGame(InputKind::Rescue), Point::Rescue);
        }
        if self.now.turn.want != Want::AfterDouble {
            return self.refuse(Reason::NotOnTheseCards(InputKind::Rescue), Point::Rescue);
        }
        Ok(())
    }

    /// 10.H, P4: the last added wager is taken back, the rest is forfeit.
    pub(super) fn on_rescue(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_rescue()?;
        self.report_action(Action::Rescue, None, Point::Rescue, out);
        let Turn { seat, hand, .. } = self.now.turn;
        let rescued = self.now.turn_hand_mut();
        rescued.status = HandStatus::Rescued;
        let point = if rescued.doubles > 1 { Point::RescueAfterRedouble } else { Point::Rescue };
        self.settle_hand(seat, hand, Ending { outcome: Outcome::Rescued, name: &"rescue", pay: None, point }, out);
        self.next_hand(out);
        Ok(())
    }
}
