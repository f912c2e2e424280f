//! The players' hands: 7.H to 7.K, surrender (9), doubles and rescue (10), splits (11).
//!
//! Each word has one `check_*` that says whether it is legal now and on what terms. The handler and the prompt both ask
//! it, so that what is offered and what is accepted cannot drift apart.

use super::Engine;
use super::rewind::{LateWord, Timed};
use super::rows::{Ending, Row};
use super::side_placing::bits;
use super::state::{HANDS_MAX, HandState, HandStatus, LateCard, Phase, Turn, Want};
use crate::event::{Action, Event, Place, Sink};
use crate::game::Game;
use crate::input::{Drawn, InputKind, UpGroup};
use crate::line::Outcome;
use crate::money::{Cents, Ratio};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::Variation;

impl Engine {
    /// The peek is done or was not needed: the first player decides.
    pub(super) fn start_decisions(&mut self, out: &mut impl Sink) {
        self.now.phase = Phase::Decisions;
        let switch = self.table.variation == Variation::Switch;
        let mut to_act = SeatSet::EMPTY;
        for seat in self.now.in_play.iter(crate::game::Direction::FromLeft) {
            let at = self.opening_hand(seat);
            let status = self.now.box_at(seat).hands[usize::from(at)].status;
            let may_switch = switch & (at == 0) & (status == HandStatus::Blackjack);
            to_act = to_act.with_if(seat, (status == HandStatus::Open) | may_switch);
        }
        self.now.to_act = to_act;
        self.next_box(self.now.in_play, out);
    }

    /// Gives the turn to the first hand that can act in these boxes, serving blackjacks on the way (7.H, D8); with
    /// none left, the hole card is turned.
    pub(super) fn next_box(&mut self, mut seats: SeatSet, out: &mut impl Sink) {
        // Boxes that have been passed do not act again, unless 13.O brings one back by itself.
        self.now.to_act = self.now.to_act.intersection(seats);
        let order = self.table.game.decision_order();
        while let Some(seat) = seats.first_in(order) {
            seats = seats.without(seat);
            let hand = self.opening_hand(seat);
            match self.now.box_at(seat).hands[usize::from(hand)].status {
                HandStatus::Blackjack if self.table.variation == Variation::Switch => {
                    // It may still be switched away (B8), but not without the other hand.
                    if hand == 0 {
                        self.now.turn = Turn::new(seat, hand, Want::Decision);
                        return;
                    }
                    self.pay_fixed_blackjacks(seat, out);
                }
                HandStatus::Blackjack => self.serve_blackjack(seat, out),
                HandStatus::Open => {
                    self.now.turn = Turn::new(seat, hand, Want::Decision);
                    return;
                }
                HandStatus::Done
                | HandStatus::Bust
                | HandStatus::Surrendered
                | HandStatus::Rescued
                | HandStatus::Dead
                | HandStatus::EvenMoney => {}
            }
        }
        if !self.next_deferred(out) {
            self.decisions_are_done(out);
        }
    }

    /// The hand that a box's turn begins with: in Switch the second where the first is dead (H13).
    #[inline]
    pub(super) fn opening_hand(&self, seat: Seat) -> u8 {
        let switch = self.table.variation == Variation::Switch;
        u8::from(switch && self.now.box_at(seat).hands[0].status == HandStatus::Dead)
    }

    /// The hand whose turn it was is complete.
    #[inline]
    pub(super) fn next_hand(&mut self, out: &mut impl Sink) {
        let Turn { seat, hand, .. } = self.now.turn;
        if self.now.refused.contains(seat) {
            self.close_refused_hands(seat);
        }
        let each = self.now.box_at(seat);
        let open = |at: &u8| each.hands[usize::from(*at)].status == HandStatus::Open;
        if let Some(next) = (hand + 1..each.hand_count).find(open) {
            let one_card = each.hands[usize::from(next)].cards.len() == 1;
            let want = if one_card { Want::SplitCard } else { Want::Decision };
            self.now.turn = Turn::new(seat, next, want);
            return;
        }
        self.pay_fixed_blackjacks(seat, out);
        let order = self.table.game.decision_order();
        self.next_box(self.now.in_play.after(seat, order), out);
    }

    /// B8: a Switch blackjack that was kept is paid as its box is done, where nothing that the dealer draws can change it.
    fn pay_fixed_blackjacks(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.table.variation != Variation::Switch || !self.table.switch_rules.blackjack_is_fixed() {
            return;
        }
        for hand in 0..self.now.box_at(seat).hand_count {
            let HandState { status, settled, .. } = self.now.box_at(seat).hands[usize::from(hand)];
            if status == HandStatus::Blackjack && !settled {
                let point = Point::SwitchAlwaysEven;
                out.push(Event::BlackjackAnnounced { seat, source: self.cite(point) });
                self.settle_hand(seat, hand, self.endings.of(Row::SwitchAlwaysEven), out);
            }
        }
    }

    /// A player blackjack at its turn: paid at once or announced, as the game has it.
    pub(super) fn serve_blackjack(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.now.box_at(seat).hands[0].settled {
            return;
        }
        let low = self.now.up == Some(UpGroup::Low);
        let at_once = match self.table.game {
            Game::Blackjack | Game::PlayersEdge21 => true,
            Game::Spanish21 | Game::Pontoon21 => low,
        };
        let point = if low { Point::BlackjackOnLowUpCard } else { Point::BlackjackAfterNo };
        out.push(Event::BlackjackAnnounced { seat, source: self.cite(point) });
        if at_once {
            self.settle_blackjack_won(seat, out);
            if self.blackjack_stays(seat) {
                let point = if low { Point::BlackjackStaysOnLowUpCard } else { Point::BlackjackStaysAfterNo };
                out.push(Event::CardsStay { seat, source: self.cite(point) });
            }
        }
    }

    /// players-edge-21 7.H(1): Match-Down and Monster Match still look at the cards of a blackjack that is paid.
    fn blackjack_stays(&self, seat: Seat) -> bool {
        let placed = self.now.box_at(seat).side_placed;
        placed != 0
            && self.table.game == Game::PlayersEdge21
            && bits(placed).any(|side| self.offered(side).keeps_blackjack_cards())
    }

    /// Whether this card may go to a player now.
    #[inline(always)]
    pub(super) fn check_card_to_player(&self, drawn: Drawn) -> Result<(), Refusal> {
        self.check_nothing_lies_exposed(InputKind::Card)?;
        match self.now.turn.want {
            Want::Decision => {
                self.check_hit()?;
                self.face_up(drawn, Point::DealRequestedCards).map(drop)
            }
            Want::HitCard => self.face_up(drawn, Point::DealRequestedCards).map(drop),
            Want::DoubleCard => self.check_double_card(drawn),
            Want::SplitCard => self.face_up(drawn, Point::SplitHandsInTurn).map(drop),
            Want::AfterDouble if self.hands_after_turn().is_empty() && !self.split_hand_waits() => {
                self.not_now(InputKind::Card)
            }
            Want::AfterDouble => self.face_up(drawn, Point::DealRequestedCards).map(drop),
        }
    }

    /// A card while a hand is to act. One that was taken as a hit without the word may still turn out to be something else.
    #[inline(always)]
    pub(super) fn card_to_player(&mut self, drawn: Drawn, out: &mut impl Sink) {
        let Turn { seat, hand, want, .. } = self.now.turn;
        match (want, drawn) {
            (Want::Decision, Drawn::FaceUp(card)) => {
                self.hit_card(card, out);
                self.now.late = Some(LateCard { seat, hand });
            }
            (Want::HitCard, Drawn::FaceUp(card)) => self.hit_card(card, out),
            (Want::DoubleCard, _) => self.double_card(drawn, out),
            (Want::SplitCard, Drawn::FaceUp(card)) => self.split_card(card, out),
            // A card for the next hand declines rescue and redouble (D2).
            (Want::AfterDouble, Drawn::FaceUp(_)) => {
                self.finish_turn(HandStatus::Done, out);
                self.card_to_player(drawn, out);
            }
            // Only a double's card may lie face down.
            (Want::Decision | Want::HitCard | Want::SplitCard | Want::AfterDouble, Drawn::FaceDown) => {}
        }
    }

    /// Boxes after the current one with a hand that can act.
    #[inline]
    pub(super) fn hands_after_turn(&self) -> SeatSet {
        self.now.to_act.after(self.now.turn.seat, self.table.game.decision_order())
    }

    #[inline]
    pub(super) fn split_hand_waits(&self) -> bool {
        self.split_hand_waits_after(self.now.turn.seat, self.now.turn.hand)
    }

    #[inline]
    pub(super) fn split_hand_waits_after(&self, seat: Seat, hand: u8) -> bool {
        let each = self.now.box_at(seat);
        // Most boxes have one hand.
        each.hand_count > 1
            && each.hands().iter().skip(usize::from(hand) + 1).any(|hand| hand.status == HandStatus::Open)
    }

    #[inline]
    pub(super) fn hit_card(&mut self, card: crate::card::Card, out: &mut impl Sink) {
        let hand = self.now.turn_hand_mut();
        hand.cards.push(card);
        let (total, bust) = (hand.cards.total(), hand.cards.is_bust());
        let complete = total == 21 && hand.cards.cards_down() == 0;
        self.report_card(Drawn::FaceUp(card), Point::DealRequestedCards, out);
        if bust {
            self.bust(out);
        } else if complete {
            self.finish_turn(HandStatus::Done, out);
        } else {
            self.now.turn.waits_for(Want::Decision);
        }
    }

    #[inline]
    pub(super) fn report_card(&self, card: Drawn, point: Point, out: &mut impl Sink) {
        let turn = self.now.turn;
        let hand = &self.now.turn_hand().cards;
        let to = Place::Hand { seat: turn.seat, hand: turn.hand + 1 };
        let source = self.cite(point);
        out.push(Event::CardDealt { to, card, total: hand.total(), soft: hand.is_soft(), source });
    }

    /// Over 21: the wager is collected at once (H1).
    #[inline]
    pub(super) fn bust(&mut self, out: &mut impl Sink) {
        let Turn { seat, hand, .. } = self.now.turn;
        self.now.turn_hand_mut().status = HandStatus::Bust;
        self.collect_bust(seat, hand, out);
        if self.now.turn_hand().cards.cards_down() > 0 && self.bust_cards_wait(seat) {
            return;
        }
        self.next_hand(out);
    }

    #[inline]
    pub(super) fn finish_turn(&mut self, status: HandStatus, out: &mut impl Sink) {
        // A Switch blackjack that is not switched away stays one (B8).
        let hand = self.now.turn_hand_mut();
        if hand.status != HandStatus::Blackjack {
            hand.status = status;
        }
        self.next_hand(out);
    }

    #[inline]
    pub(super) fn report_action(&self, action: Action, amount: Option<Cents>, point: Point, out: &mut impl Sink) {
        let Turn { seat, hand, .. } = self.now.turn;
        out.push(Event::Acted { seat, hand: hand + 1, action, amount, source: self.cite(point) });
    }

    /// The hand whose turn it is, if it is waiting for a word.
    #[inline(always)]
    pub(super) fn deciding(&self, kind: InputKind) -> Result<&HandState, Refusal> {
        match (self.now.phase, self.now.turn.want) {
            (Phase::Decisions, Want::Decision | Want::AfterDouble) => Ok(self.now.turn_hand()),
            (Phase::FirstCards, _) => self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers),
            (Phase::BustCards, _) => self.refuse(Reason::TurnTheCardsFirst, Point::ShowBust),
            (Phase::Procedure(_), _) => self.refuse(Reason::WrongTracking(kind), Point::ProcedureSteps),
            _ => self.not_now(kind),
        }
    }

    /// An undoubled hand that waits for a decision.
    #[inline(always)]
    pub(super) fn undoubled(&self, kind: InputKind) -> Result<&HandState, Refusal> {
        let hand = self.deciding(kind)?;
        if self.now.turn.want == Want::AfterDouble {
            return self.refuse(Reason::DoubledHand(kind), Point::OneCardOnly);
        }
        if hand.status == HandStatus::Blackjack {
            return self.refuse(Reason::HandIs21, Point::TwentyOneStands);
        }
        Ok(hand)
    }

    /// Split aces that get one card only, waiting for a resplit (S11).
    #[inline]
    pub(super) fn is_restricted_split_ace(&self, hand: &HandState) -> bool {
        self.table.restrictions.one_card_to_split_aces
            && hand.from_split
            && hand.cards.cards().first().is_some_and(|card| card.rank().is_ace())
    }

    #[inline(always)]
    pub(super) fn check_hit(&self) -> Result<(), Refusal> {
        let hand = self.undoubled(InputKind::Hit)?;
        self.hit_terms(self.now.turn.seat, hand).or_else(|(reason, point)| self.refuse(reason, point))
    }

    #[inline]
    pub(super) fn hit_terms(&self, seat: Seat, hand: &HandState) -> Result<(), (Reason, Point)> {
        self.gets_cards(seat)?;
        if self.is_restricted_split_ace(hand) {
            return Err((Reason::HouseRestricted(InputKind::Hit), Point::HouseRestriction));
        }
        Ok(())
    }

    pub(super) fn on_hit(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_hit()?;
        self.now.turn.waits_for(Want::HitCard);
        self.report_action(Action::Hit, None, Point::Draw, out);
        self.exposed_card_follows(out);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn check_stand(&self) -> Result<(), Refusal> {
        self.deciding(InputKind::Stand).map(|_| ())
    }

    #[inline(always)]
    pub(super) fn on_stand(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_stand()?;
        self.report_action(Action::Stand, None, Point::Stand, out);
        self.finish_turn(HandStatus::Done, out);
        Ok(())
    }

    #[inline]
    pub(super) fn check_split(&self) -> Result<(), Refusal> {
        let hand = self.undoubled(InputKind::Split)?;
        self.split_terms(self.now.turn.seat, hand).or_else(|(reason, point)| self.refuse(reason, point))
    }

    #[inline]
    pub(super) fn split_terms(&self, seat: Seat, hand: &HandState) -> Result<(), (Reason, Point)> {
        self.gets_cards(seat)?;
        self.cards_are_turned(hand)?;
        if !hand.cards.is_pair_by_value() {
            return Err((Reason::NotAPair, Point::Split));
        }
        if !self.may_split_again(seat, hand) {
            return Err((Reason::NoMoreSplits { most: self.most_splits(hand) }, Point::SplitsAtMost));
        }
        Ok(())
    }

    #[inline(always)]
    fn most_splits(&self, pair: &HandState) -> u8 {
        if pair.cards.is_pair_of_aces() { self.table.max_ace_splits } else { self.table.max_splits }
    }

    /// Whether the box has not split this pair's like often enough.
    #[inline(always)]
    pub(super) fn may_split_again(&self, seat: Seat, pair: &HandState) -> bool {
        let splits = self.now.box_at(seat).splits[usize::from(pair.origin) & 1];
        splits < self.most_splits(pair).min(self.table.max_splits)
    }

    /// Whether the hand whose turn it is may be split, or the word is about the last card.
    #[inline]
    pub(super) fn check_split_word(&self) -> Result<Timed<()>, Refusal> {
        match self.check_split() {
            Ok(()) => Ok(Timed::InTime(())),
            Err(_) if self.now.late.is_some() && self.late_split() => Ok(Timed::Late),
            Err(refusal) => Err(refusal),
        }
    }

    pub(super) fn on_split(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        match self.check_split_word()? {
            Timed::InTime(()) => self.split(out),
            Timed::Late => return self.read_again(LateWord::Split, out),
        }
        Ok(())
    }

    /// Splits the hand whose turn it is (11.A).
    pub(super) fn split(&mut self, out: &mut impl Sink) {
        self.report_action(Action::Split, self.now.box_at(self.now.turn.seat).main.amount(), Point::Split, out);
        let at = usize::from(self.now.turn.hand);
        let seat = self.now.turn.seat;
        let split = self.now.box_mut(seat);
        let origin = split.hands[at].origin;
        split.splits[usize::from(origin)] += 1;
        let count = usize::from(split.hand_count);
        assert!(count < HANDS_MAX, "max_splits leaves room for every hand of a box");
        // The new hand lies to the right of the one it came from; those further right move on by one.
        for i in (at + 1..count).rev() {
            split.hands[i + 1] = split.hands[i];
        }
        let other = split.hands[at].cards.split_off();
        split.hands[at].from_split = true;
        split.hands[at + 1] =
            HandState { cards: other, stake: split.main, from_split: true, origin, ..HandState::EMPTY };
        split.hand_count += 1;
        self.now.turn.waits_for(Want::SplitCard);
        self.exposed_card_follows(out);
    }

    /// The second card of a split hand (11.B, 11.C).
    pub(super) fn split_card(&mut self, card: crate::card::Card, out: &mut impl Sink) {
        let hand = self.now.turn_hand_mut();
        hand.cards.push(card);
        let total = hand.cards.total();
        self.report_card(Drawn::FaceUp(card), Point::SplitHandsInTurn, out);
        if total == 21 {
            self.finish_turn(HandStatus::Done, out);
            return;
        }
        self.now.turn.waits_for(Want::Decision);
        if self.is_restricted_split_ace(self.now.turn_hand()) && self.check_split().is_err() {
            self.finish_turn(HandStatus::Done, out);
        }
    }

    #[inline]
    pub(super) fn check_surrender(&self) -> Result<(), Refusal> {
        self.check_surrender_exists()?;
        let hand = self.undoubled(InputKind::Surrender)?;
        self.surrender_terms(hand).or_else(|(reason, point)| self.refuse(reason, point))
    }

    /// Switch has no surrender (B8): whoever says the word hears that, whenever it is said, and nothing about when it would
    /// be right (S11).
    pub(super) fn check_surrender_exists(&self) -> Result<(), Refusal> {
        if self.table.variation == Variation::Switch {
            return self.refuse(Reason::NotUsedHere, Point::SwitchCards);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn surrender_terms(&self, hand: &HandState) -> Result<(), (Reason, Point)> {
        self.cards_are_turned(hand)?;
        if self.table.variation == Variation::Switch {
            return Err((Reason::NotUsedHere, Point::SwitchCards));
        }
        if self.table.restrictions.no_surrender {
            return Err((Reason::HouseRestricted(InputKind::Surrender), Point::HouseRestriction));
        }
        if hand.from_split {
            return Err((Reason::SplitHand(InputKind::Surrender), Point::SplitHandMayNotSurrender));
        }
        if hand.cards.len() != 2 {
            return Err((Reason::NotAfterDrawing(InputKind::Surrender), Point::SurrenderFirst));
        }
        Ok(())
    }

    /// 9.C: halved at once under a low up card; otherwise the wager sits on the cards until the hole card is turned.
    pub(super) fn on_surrender(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_surrender()?;
        self.report_action(Action::Surrender, None, Point::Surrender, out);
        let seat = self.now.turn.seat;
        self.now.turn_hand_mut().status = HandStatus::Surrendered;
        self.now.surrendered = true;
        if self.now.up == Some(UpGroup::Low) {
            self.settle_surrender(seat, Point::SurrenderAtOnce, out);
        } else {
            out.push(Event::WagerOnCards { seat, source: self.cite(Point::SurrenderWaits) });
        }
        self.next_hand(out);
        Ok(())
    }

    pub(super) fn settle_surrender(&mut self, seat: Seat, point: Point, out: &mut impl Sink) {
        self.settle_hand(seat, 0, Ending { outcome: Outcome::Surrendered, name: &"surrender", pay: None, point }, out);
    }

    /// What half a surrendered wager comes to in chips (9.A, S8).
    pub(super) fn half(&self, stake: Cents) -> Cents {
        Ratio::new(1, 2).of(stake, self.table.smallest_chip, self.table.rounding)
    }
}
