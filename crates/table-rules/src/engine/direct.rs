//! The short ways of an ordinary round: most inputs are a wager, a card or a stand that nothing stands in the way of.
//!
//! A short way looks at the few facts that could make its input anything but ordinary and leaves it to the general way
//! (`Engine::execute`) where one of them holds. It never refuses, and it never does anything that the general way would
//! not do: replays go the general way alone, so that every undo compares the two, and the test below plays both.

use super::Engine;
use super::doubles::added_by_double;
use super::gate::Gate;
use super::log::Ordinary;
use super::state::{Burns, DealStep, HandStatus, LateCard, Phase, SIDE_MAX, Turn, Want};
use crate::card::Card;
use crate::event::{Action, Event, Events, Place};
use crate::game::Direction;
use crate::input::{Answer, Drawn, Input, Placing, UpGroup};
use crate::line::{Due, Stake};
use crate::money::Cents;
use crate::prompt::Order;
use crate::seat::{Seat, SeatSet};
use crate::source::{Point, Source};
use crate::wager::WagerId;

/// What is due next, after an input that a short way took.
pub(super) type Next = (Order, Source);

/// Every short way says what is due next. None: it did not take the input, and nothing has been done.
///
/// Where a card or a stand itself says what follows, that goes to `then`, and what comes back is what that makes of it:
/// a value would be packed and taken apart again.
impl Engine {
    /// Takes a card by a short way if there is one.
    #[inline(always)]
    pub(super) fn take_card<T>(&mut self, card: Card, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        if !self.deck.contains(card) {
            return None;
        }
        if self.gate == Gate::FirstCard {
            self.take_first_card(card, out, then)
        } else if self.gate == Gate::SecondCard {
            self.take_second_card(card, out, then)
        } else if self.gate == Gate::Decision {
            self.take_hit(card, out, then)
        } else {
            self.take_ordered_card(card, out).map(then)
        }
    }

    /// The inputs that most rounds see once or twice.
    #[inline(always)]
    pub(super) fn take_once_a_round(&mut self, input: &Input, out: &mut Events) -> Option<Next> {
        if let Input::Settled = *input {
            self.take_settled(out)
        } else if let Input::Double(None) = *input {
            self.take_double(out)
        } else if let Input::Peek(answer) = *input {
            self.take_peek(answer, out)
        } else if let Input::Split = *input {
            self.take_split(out)
        } else if let Input::Surrender = *input {
            self.take_surrender(out)
        } else if let Input::Card(Drawn::FaceDown) = *input {
            self.take_hole_card(out)
        } else if let Input::Reveal(card) = *input {
            self.take_reveal(card, out)
        } else if let Input::Lock = *input {
            self.take_lock(out)
        } else {
            None
        }
    }

    /// Nothing waits to be confirmed, at a table where that is all that could stand in the way.
    #[inline]
    fn is_plain(&self) -> bool {
        self.ordinary && !self.now.has_open_lines()
    }

    /// The log ends with the input that was taken. Written by the caller: to be handed over it would have to be in
    /// memory, and a copy of what was just written has to wait for it.
    #[inline]
    fn taken(&mut self) -> Next {
        self.close_a_finished_round();
        self.move_on()
    }

    /// A card that a hand draws without a word for it.
    #[inline(always)]
    fn take_hit<T>(&mut self, card: Card, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        let seat = self.now.turn.seat;
        let hand = &mut self.now.box_mut(seat).hands[0];
        let late = LateCard::after(seat, &hand.cards);
        hand.cards.push(card);
        let (total, soft) = (hand.cards.total(), hand.cards.is_soft());
        let (to, source) = (Place::Hand { seat, hand: 1 }, self.cite(Point::DealRequestedCards));
        out.push(Event::CardDealt { to, card: Drawn::FaceUp(card), total, soft, source });
        self.log.push_ordinary(Ordinary::Card(card));
        // Nothing but the hand has changed where it may go on.
        if total < 21 {
            self.now.late = Some(late);
            Some(then(self.known(Order::AskDecision { seat, hand: 1, total, soft }, Point::Decide)))
        } else {
            Some(then(self.complete_drawn_hand(late, out)))
        }
    }

    /// The hand whose turn it is has come to 21 or more by the card that the log ends with.
    #[inline(never)]
    fn complete_drawn_hand(&mut self, late: LateCard, out: &mut Events) -> Next {
        if self.now.turn_hand().cards.is_bust() {
            self.bust(out);
        } else {
            self.finish_turn(HandStatus::Done, out);
        }
        self.now.late = Some(late);
        self.taken()
    }

    /// A card that a double, a split or the dealer's rule asks for, that a split hand draws, or the up card.
    #[inline(never)]
    fn take_ordered_card(&mut self, card: Card, out: &mut Events) -> Option<Next> {
        if !self.is_plain() {
            return None;
        }
        let late = if let Phase::Decisions = self.now.phase {
            let turn = self.now.turn;
            let hand = self.now.turn_hand();
            let restricted = hand.from_split && self.table.restrictions.one_card_to_split_aces;
            if hand.status != HandStatus::Open || restricted {
                return None;
            }
            match turn.want {
                Want::Decision => {
                    let late = self.late_card();
                    self.hit_card(card, out);
                    Some(late)
                }
                Want::DoubleCard => {
                    self.double_card_up(card, out);
                    None
                }
                Want::SplitCard => {
                    self.split_card(card, out);
                    None
                }
                Want::HitCard | Want::AfterDouble => return None,
            }
        } else if let Phase::DealerDraws = self.now.phase {
            self.dealer_card(card, out);
            None
        } else if let Phase::Dealing(DealStep::UpCard) = self.now.phase {
            return self.take_up_card(card, out);
        } else {
            return None;
        };
        self.now.late = late;
        self.log.push_ordinary(Ordinary::Card(card));
        Some(self.taken())
    }

    fn take_hole_card(&mut self, out: &mut Events) -> Option<Next> {
        if !self.is_plain() || !matches!(self.now.phase, Phase::Dealing(DealStep::HoleCard)) {
            return None;
        }
        self.deal_hole_card(Point::DealHoleCard, out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::HoleCard);
        Some(self.taken())
    }

    fn take_reveal(&mut self, card: Card, out: &mut Events) -> Option<Next> {
        let due = self.is_plain() && matches!(self.now.phase, Phase::Reveal);
        if !due || self.on_reveal(card, out).is_err() {
            return None;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Reveal(card));
        self.barrier = self.log.len();
        Some(self.taken())
    }

    #[inline(never)]
    fn take_peek(&mut self, answer: Answer, out: &mut Events) -> Option<Next> {
        let due = self.is_plain() && matches!(self.now.phase, Phase::Insurance | Phase::Peek);
        if !due || self.on_peek(answer, out).is_err() {
            return None;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Peek(answer));
        self.barrier = self.log.len();
        Some(self.taken())
    }

    /// An open hand decides, and nothing waits to be confirmed.
    #[inline]
    fn decision_is_due(&self) -> bool {
        self.is_plain()
            && matches!(self.now.phase, Phase::Decisions)
            && self.now.turn.want == Want::Decision
            && self.now.turn_hand().status == HandStatus::Open
    }

    #[inline(never)]
    fn take_split(&mut self, out: &mut Events) -> Option<Next> {
        // A late split is another matter: it rereads the last card.
        if !self.decision_is_due() || self.split_terms(self.now.turn.seat, self.now.turn_hand()).is_err() {
            return None;
        }
        self.split(out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Split);
        Some(self.taken())
    }

    #[inline(never)]
    fn take_surrender(&mut self, out: &mut Events) -> Option<Next> {
        if !self.is_plain() || self.on_surrender(out).is_err() {
            return None;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Surrender);
        Some(self.taken())
    }

    /// A double of what the hand may be doubled by.
    #[inline(never)]
    fn take_double(&mut self, out: &mut Events) -> Option<Next> {
        let due = self.decision_is_due();
        // A late double is another matter: it rereads the last card.
        let terms = self.double_terms(self.now.turn.seat, self.now.turn_hand());
        let (true, Ok(range)) = (due, terms) else { return None };
        self.double_by(added_by_double(range), out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Double);
        self.gate = Gate::Shut;
        let Turn { seat, hand, .. } = self.now.turn;
        Some(self.known(Order::DealDouble { seat, hand: hand + 1 }, Point::OneCardOnly))
    }

    /// All open lines are done.
    fn take_settled(&mut self, out: &mut Events) -> Option<Next> {
        if !self.ordinary || !self.now.has_open_lines() || self.approval_waits() {
            return None;
        }
        self.confirm_up_to_an_approval(out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Settled);
        self.barrier = self.log.len();
        Some(self.taken())
    }

    /// The first card of a box. No late word is about a card of the deal, so that there is none to forget.
    #[inline(always)]
    fn take_first_card<T>(&mut self, card: Card, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        let Phase::Dealing(DealStep::First(at, _)) = &mut self.now.phase else { return None };
        let seat = *at;
        let next = self.now.in_play.after(seat, Direction::FromLeft).lowest();
        match next {
            Some(next) => *at = next,
            None => {
                self.now.phase = Phase::Dealing(DealStep::UpCard);
                self.gate = Gate::Shut;
            }
        }
        self.now.between.burns = Burns::NONE;
        self.now.box_mut(seat).open_hand_with(card);
        self.report_first_card(seat, card, Point::DealFirstCards, out);
        self.log.push_ordinary(Ordinary::Card(card));
        Some(then(match next {
            Some(seat) => self.order_of_first_card(seat),
            None => self.known(Order::DealUpCard, Point::DealUpCard),
        }))
    }

    #[inline(always)]
    fn take_second_card<T>(&mut self, card: Card, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        let Phase::Dealing(DealStep::Second(at, _)) = &mut self.now.phase else { return None };
        let seat = *at;
        let dealt = &mut self.now.boxes[seat.index()];
        let hand = &mut dealt.hands[0];
        if hand.cards.len() != 1 || hand.second_late {
            return None;
        }
        let next = self.now.in_play.after(seat, Direction::FromLeft).lowest();
        match next {
            Some(next) => *at = next,
            None => {
                let all_follow = self.now.second_later == [SeatSet::EMPTY; 2] && !self.now.dealer.is_empty();
                if !all_follow {
                    return None;
                }
                self.now.phase = Phase::Dealing(DealStep::HoleCard);
                self.gate = Gate::Shut;
            }
        }
        hand.cards.push(card);
        // Not by a branch: cards are as random as anything can be.
        hand.status = [hand.status, HandStatus::Blackjack][usize::from(hand.cards.is_ace_and_ten())];
        dealt.first[1] = card;
        dealt.first_known = true;
        self.report_first_card(seat, card, Point::DealSecondCards, out);
        self.log.push_ordinary(Ordinary::Card(card));
        Some(then(match next {
            Some(seat) => self.order_of_second_card(seat),
            None => self.known(Order::DealHoleCard, Point::DealHoleCard),
        }))
    }

    #[inline(never)]
    fn take_up_card(&mut self, card: Card, out: &mut Events) -> Option<Next> {
        let first = self.now.in_play.lowest().filter(|_| !self.now.missed_up_card)?;
        self.now.dealer.push(card);
        self.now.up = Some(UpGroup::of(card));
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let (drawn, source) = (Drawn::FaceUp(card), self.cite(Point::DealUpCard));
        out.push(Event::CardDealt { to: Place::Dealer, card: drawn, total, soft, source });
        self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Card(card));
        self.gate = Gate::SecondCard;
        Some(self.order_of_second_card(first))
    }

    #[inline(always)]
    fn report_first_card(&self, seat: Seat, card: Card, point: Point, out: &mut Events) {
        let cards = &self.now.box_at(seat).hands[0].cards;
        let (total, soft) = (cards.total(), cards.is_soft());
        let to = Place::Hand { seat, hand: 1 };
        out.push(Event::CardDealt { to, card: Drawn::FaceUp(card), total, soft, source: self.cite(point) });
    }

    /// A hand decides to stand. Boxes that have split, and what follows the last decision, are done elsewhere.
    #[inline(always)]
    pub(super) fn take_stand<T>(&mut self, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        if self.gate != Gate::Decision {
            return self.take_stand_of_a_split_box(out).map(then);
        }
        let seat = self.now.turn.seat;
        let source = self.cite(Point::Stand);
        out.push(Event::Acted { seat, hand: 1, action: Action::Stand, amount: None, source });
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Stand);
        self.now.box_mut(seat).hands[0].status = HandStatus::Done;
        let order = self.table.game.decision_order();
        let seats = self.now.in_play.after(seat, order);
        // The next box has the turn where it decides as plainly as this one did.
        let Some(next) = seats.first_in(order) else { return Some(then(self.stand_of_a_last_box(seats, out))) };
        let each = self.now.box_at(next);
        let hand = &each.hands[0];
        let plain = (hand.status == HandStatus::Open)
            & (each.hand_count == 1)
            & (hand.cards.cards_down() == 0)
            & each.main.amount().is_some();
        if !plain {
            return Some(then(self.stand_of_a_last_box(seats, out)));
        }
        self.now.to_act = self.now.to_act.intersection(seats);
        self.now.turn.seat = next;
        Some(then(self.order_of_decision(next)))
    }

    #[inline(never)]
    fn take_stand_of_a_split_box(&mut self, out: &mut Events) -> Option<Next> {
        let Turn { seat, hand: at, want } = self.now.turn;
        let decides = matches!(self.now.phase, Phase::Decisions) && want == Want::Decision;
        if !decides || !self.is_plain() {
            return None;
        }
        let source = self.cite(Point::Stand);
        out.push(Event::Acted { seat, hand: at + 1, action: Action::Stand, amount: None, source });
        self.finish_turn(HandStatus::Done, out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Stand);
        Some(self.taken())
    }

    /// The next box has nothing to decide, or there is none.
    #[inline(never)]
    fn stand_of_a_last_box(&mut self, seats: SeatSet, out: &mut Events) -> Next {
        self.next_box(seats, out);
        self.now.late = None;
        self.taken()
    }

    fn take_lock(&mut self, out: &mut Events) -> Option<Next> {
        if self.gate != Gate::Wagers || !self.ordinary || self.lock(false, out).is_err() {
            return None;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Lock);
        self.barrier = self.log.len();
        if let (Phase::Dealing(DealStep::First(seat, _)), false) = (self.now.phase, self.burn_is_required()) {
            self.gate = Gate::FirstCard;
            return Some(self.order_of_first_card(seat));
        }
        Some(self.move_on())
    }

    /// Wagers that are on offer, at boxes that may play, of amounts that may be staked. How many of them, from the
    /// first one on: nothing has been done about the others.
    #[inline(always)]
    pub(super) fn take_wagers(&mut self, wagers: &[Placing], out: &mut Events) -> usize {
        if self.gate != Gate::Wagers {
            return 0;
        }
        let may_play = SeatSet::first(self.table.positions).minus(self.now.between.sat_out);
        let mut seats = SeatSet::EMPTY;
        let mut taken = 0;
        for &Placing { seat, wager, amount } in wagers {
            if !may_play.contains(seat) || amount <= Cents::ZERO || !self.take_stake(seat, wager, amount) {
                break;
            }
            seats = seats.with(seat);
            taken += 1;
        }
        let wagers = &wagers[..taken];
        let source = self.cite(Point::PlaceWagers);
        out.extend(wagers.iter().map(|placing| placing.reported(source)));
        self.log.extend(wagers.iter().map(|placing| placing.logged()));
        if taken > 0 {
            self.now.cash = self.now.cash.minus(seats);
            self.now.late = None;
        }
        taken
    }

    #[inline(always)]
    fn take_stake(&mut self, seat: Seat, wager: WagerId, amount: Cents) -> bool {
        if wager == WagerId::Main {
            if Due::of(amount) != self.staked.main && !self.main_may_be(amount) {
                return false;
            }
            self.now.box_mut(seat).main = Stake::of(amount);
            self.now.in_play = self.now.in_play.with(seat);
            return true;
        }
        let Some(side) = self.side_position(wager) else { return false };
        let at = usize::from(side) & (SIDE_MAX - 1);
        let free = self.now.box_at(seat).side_placed & (1 << at) == 0;
        if !free || (Due::of(amount) != self.staked.side[at] && !self.side_may_be(side, amount)) {
            return false;
        }
        let placed = self.now.box_mut(seat);
        placed.side[at] = Stake::of(amount);
        placed.side_placed |= 1 << at;
        true
    }

    #[inline(never)]
    fn main_may_be(&mut self, amount: Cents) -> bool {
        let may_be = self.check_main_amount(Some(amount)).is_ok();
        if may_be {
            self.staked.main = Due::of(amount);
        }
        may_be
    }

    #[inline(never)]
    fn side_may_be(&mut self, side: u8, amount: Cents) -> bool {
        let may_be = self.check_side_stake(side, Some(amount)).is_ok();
        if may_be {
            self.staked.side[usize::from(side) & (SIDE_MAX - 1)] = Due::of(amount);
        }
        may_be
    }
}

impl Placing {
    #[inline(always)]
    fn reported(self, source: Source) -> Event {
        let Self { seat, wager, amount } = self;
        Event::WagerPlaced { seat, wager, amount: Some(amount), source }
    }

    #[inline(always)]
    fn logged(self) -> Ordinary {
        let Self { seat, wager, amount } = self;
        Ordinary::Wager { seat, wager, amount }
    }
}

/// The last amount of each wager that may be staked. Nothing but the table decides that, so that it may be staked again.
#[derive(Clone, Debug)]
pub(super) struct Staked {
    main: Due,
    side: [Due; SIDE_MAX],
}

impl Staked {
    pub(super) const NONE: Self = Self { main: Due::NONE, side: [Due::NONE; SIDE_MAX] };
}

#[cfg(test)]
mod tests;
