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
use crate::card::{Card, Rank};
use crate::event::{Action, Event, Events, Place};
use crate::game::Direction;
use crate::input::{Drawn, Input, UpGroup};
use crate::line::Stake;
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::wager::WagerId;

impl Engine {
    /// Takes a card by a short way if there is one. False: nothing has been done.
    #[inline(always)]
    pub(super) fn take_card(&mut self, card: Card, out: &mut Events) -> bool {
        if !self.deck.contains(card) {
            return false;
        }
        if self.gate == Gate::FirstCard {
            self.take_first_card(card, out)
        } else if self.gate == Gate::SecondCard {
            self.take_second_card(card, out)
        } else if self.gate == Gate::Decision {
            self.take_hit(card, out)
        } else {
            self.take_ordered_card(card, out)
        }
    }

    /// The inputs that most rounds see once or twice. False: nothing has been done.
    #[inline(always)]
    pub(super) fn take_once_a_round(&mut self, input: &Input, out: &mut Events) -> bool {
        if let Input::Settled = *input {
            self.take_settled(out)
        } else if let Input::Double(None) = *input {
            self.take_double(out)
        } else if let Input::Card(Drawn::FaceDown) = *input {
            self.take_hole_card(out)
        } else if let Input::Reveal(card) = *input {
            self.take_reveal(card, out)
        } else if let Input::Lock = *input {
            self.take_lock(out)
        } else {
            false
        }
    }

    /// Nothing waits to be confirmed, at a table where that is all that could stand in the way.
    #[inline]
    fn is_plain(&self) -> bool {
        self.ordinary && !self.now.has_open_lines()
    }

    /// The log ends with the input that was taken. Written by the caller: to be handed over it would have to be in
    /// memory, and a copy of what was just written has to wait for it.
    #[inline(never)]
    fn taken(&mut self) -> bool {
        self.close_a_finished_round();
        self.gate = self.find_gate();
        true
    }

    /// A card that a hand draws without a word for it.
    #[inline(always)]
    fn take_hit(&mut self, card: Card, out: &mut Events) -> bool {
        let seat = self.now.turn.seat;
        let hand = &mut self.now.box_mut(seat).hands[0];
        let late = LateCard::after(seat, &hand.cards);
        hand.cards.push(card);
        let (total, soft) = (hand.cards.total(), hand.cards.is_soft());
        let (to, source) = (Place::Hand { seat, hand: 1 }, self.cite(Point::DealRequestedCards));
        out.push(Event::CardDealt { to, card: Drawn::FaceUp(card), total, soft, source });
        self.now.late = Some(late);
        self.log.push_ordinary(Ordinary::Card(card));
        // Nothing but the hand has changed where it may go on.
        if total < 21 { true } else { self.complete_drawn_hand(out) }
    }

    /// The hand whose turn it is has come to 21 or more by the card that the log ends with.
    #[inline(never)]
    fn complete_drawn_hand(&mut self, out: &mut Events) -> bool {
        let late = self.now.late;
        if self.now.turn_hand().cards.is_bust() {
            self.bust(out);
        } else {
            self.finish_turn(HandStatus::Done, out);
        }
        self.now.late = late;
        self.taken()
    }

    /// A card that somebody asked for by name, that a split hand draws or that the dealer's rule asks for.
    #[inline(never)]
    fn take_ordered_card(&mut self, card: Card, out: &mut Events) -> bool {
        if !self.is_plain() {
            return false;
        }
        let late = if let Phase::Decisions = self.now.phase {
            let turn = self.now.turn;
            let hand = self.now.turn_hand();
            let restricted = hand.from_split && self.table.restrictions.one_card_to_split_aces;
            if hand.status != HandStatus::Open || restricted {
                return false;
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
                Want::HitCard | Want::SplitCard | Want::AfterDouble => return false,
            }
        } else if let Phase::DealerDraws = self.now.phase {
            self.dealer_card(card, out);
            None
        } else if let Phase::Dealing(DealStep::UpCard) = self.now.phase {
            return self.take_up_card(card, out);
        } else {
            return false;
        };
        self.now.late = late;
        self.log.push_ordinary(Ordinary::Card(card));
        self.taken()
    }

    fn take_hole_card(&mut self, out: &mut Events) -> bool {
        if !self.is_plain() || !matches!(self.now.phase, Phase::Dealing(DealStep::HoleCard)) {
            return false;
        }
        self.deal_hole_card(Point::DealHoleCard, out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::HoleCard);
        self.taken()
    }

    fn take_reveal(&mut self, card: Card, out: &mut Events) -> bool {
        let due = self.is_plain() && matches!(self.now.phase, Phase::Reveal);
        if !due || self.on_reveal(card, out).is_err() {
            return false;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Reveal(card));
        self.barrier = self.log.len();
        self.taken()
    }

    /// A double of what the hand may be doubled by.
    fn take_double(&mut self, out: &mut Events) -> bool {
        let due = self.is_plain()
            && matches!(self.now.phase, Phase::Decisions)
            && self.now.turn.want == Want::Decision
            && self.now.turn_hand().status == HandStatus::Open;
        // A late double is another matter: it rereads the last card.
        let terms = self.double_terms(self.now.turn.seat, self.now.turn_hand());
        let (true, Ok(range)) = (due, terms) else { return false };
        self.double_by(added_by_double(range), out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Double);
        self.gate = Gate::Shut;
        true
    }

    /// All open lines are done.
    fn take_settled(&mut self, out: &mut Events) -> bool {
        if !self.ordinary || !self.now.has_open_lines() || self.approval_waits() {
            return false;
        }
        self.confirm_up_to_an_approval(out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Settled);
        self.barrier = self.log.len();
        self.taken()
    }

    /// The first card of a box. No late word is about a card of the deal, so that there is none to forget.
    #[inline(always)]
    fn take_first_card(&mut self, card: Card, out: &mut Events) -> bool {
        let Phase::Dealing(DealStep::First(at, _)) = &mut self.now.phase else { return false };
        let seat = *at;
        match self.now.in_play.after(seat, Direction::FromLeft).lowest() {
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
        true
    }

    #[inline(always)]
    fn take_second_card(&mut self, card: Card, out: &mut Events) -> bool {
        let Phase::Dealing(DealStep::Second(at, _)) = &mut self.now.phase else { return false };
        let seat = *at;
        let dealt = &mut self.now.boxes[seat.index()];
        let hand = &mut dealt.hands[0];
        if hand.cards.len() != 1 || hand.second_late {
            return false;
        }
        match self.now.in_play.after(seat, Direction::FromLeft).lowest() {
            Some(next) => *at = next,
            None => {
                let all_follow = self.now.second_later == [SeatSet::EMPTY; 2] && !self.now.dealer.is_empty();
                if !all_follow {
                    return false;
                }
                self.now.phase = Phase::Dealing(DealStep::HoleCard);
                self.gate = Gate::Shut;
            }
        }
        hand.cards.push(card);
        // Not by a branch: cards are as random as anything can be.
        hand.status = [hand.status, HandStatus::Blackjack][usize::from(hand.cards.is_ace_and_ten())];
        dealt.opened_with_seven |= card.rank() == Rank::Seven;
        dealt.first[1] = card;
        dealt.first_known = true;
        self.report_first_card(seat, card, Point::DealSecondCards, out);
        self.log.push_ordinary(Ordinary::Card(card));
        true
    }

    #[inline(never)]
    fn take_up_card(&mut self, card: Card, out: &mut Events) -> bool {
        let Some(first) = self.now.in_play.lowest().filter(|_| !self.now.missed_up_card) else { return false };
        self.now.dealer.push(card);
        self.now.up = Some(UpGroup::of(card));
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let (drawn, source) = (Drawn::FaceUp(card), self.cite(Point::DealUpCard));
        out.push(Event::CardDealt { to: Place::Dealer, card: drawn, total, soft, source });
        self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Card(card));
        self.gate = Gate::SecondCard;
        true
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
    pub(super) fn take_stand(&mut self, out: &mut Events) -> bool {
        if self.gate != Gate::Decision {
            return self.take_stand_of_a_split_box(out);
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
        let Some(next) = seats.first_in(order) else { return self.stand_of_a_last_box(seats, out) };
        let each = self.now.box_at(next);
        let hand = &each.hands[0];
        let plain = (hand.status == HandStatus::Open)
            & (each.hand_count == 1)
            & (hand.cards.cards_down() == 0)
            & each.main.amount().is_some();
        if !plain {
            return self.stand_of_a_last_box(seats, out);
        }
        self.now.to_act = self.now.to_act.intersection(seats);
        self.now.turn.seat = next;
        true
    }

    #[inline(never)]
    fn take_stand_of_a_split_box(&mut self, out: &mut Events) -> bool {
        let Turn { seat, hand: at, want } = self.now.turn;
        let decides = matches!(self.now.phase, Phase::Decisions) && want == Want::Decision;
        if !decides || !self.is_plain() {
            return false;
        }
        let source = self.cite(Point::Stand);
        out.push(Event::Acted { seat, hand: at + 1, action: Action::Stand, amount: None, source });
        self.finish_turn(HandStatus::Done, out);
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Stand);
        self.taken()
    }

    /// The next box has nothing to decide, or there is none.
    #[inline(never)]
    fn stand_of_a_last_box(&mut self, seats: SeatSet, out: &mut Events) -> bool {
        self.next_box(seats, out);
        self.now.late = None;
        self.taken()
    }

    fn take_lock(&mut self, out: &mut Events) -> bool {
        if self.gate != Gate::Wagers || !self.ordinary || self.lock(false, out).is_err() {
            return false;
        }
        self.now.late = None;
        self.log.push_ordinary(Ordinary::Lock);
        self.barrier = self.log.len();
        self.gate = self.find_gate();
        true
    }

    /// A wager that is on offer, at a box that may play, of an amount that may be staked.
    #[inline(always)]
    pub(super) fn take_wager(&mut self, seat: Seat, wager: WagerId, amount: Cents, out: &mut Events) -> bool {
        let open = (self.gate == Gate::Wagers)
            & (seat.number() <= self.table.positions)
            & !self.now.between.sat_out.contains(seat);
        if !open {
            return false;
        }
        if wager == WagerId::Main {
            if Some(amount) != self.staked.main && !self.main_may_be(amount) {
                return false;
            }
            self.now.box_mut(seat).main = Stake::of(amount);
            self.now.in_play = self.now.in_play.with(seat);
        } else {
            let Some(side) = self.side_position(wager) else { return false };
            let at = usize::from(side) & (SIDE_MAX - 1);
            let free = self.now.box_at(seat).side_placed & (1 << at) == 0;
            if !free || (Some(amount) != self.staked.side[at] && !self.side_may_be(side, amount)) {
                return false;
            }
            let placed = self.now.box_mut(seat);
            placed.side[at] = Stake::of(amount);
            placed.side_placed |= 1 << at;
        }
        self.now.cash = self.now.cash.without(seat);
        self.now.late = None;
        out.push(Event::WagerPlaced { seat, wager, amount: Some(amount), source: self.cite(Point::PlaceWagers) });
        self.log.push_ordinary(Ordinary::Wager { seat, wager, amount });
        true
    }

    #[inline(never)]
    fn main_may_be(&mut self, amount: Cents) -> bool {
        let may_be = self.check_main_amount(Some(amount)).is_ok();
        if may_be {
            self.staked.main = Some(amount);
        }
        may_be
    }

    #[inline(never)]
    fn side_may_be(&mut self, side: u8, amount: Cents) -> bool {
        let may_be = self.check_side_stake(side, Some(amount)).is_ok();
        if may_be {
            self.staked.side[usize::from(side) & (SIDE_MAX - 1)] = Some(amount);
        }
        may_be
    }
}

/// The last amount of each wager that may be staked. Nothing but the table decides that, so that it may be staked again.
#[derive(Clone, Debug)]
pub(super) struct Staked {
    main: Option<Cents>,
    side: [Option<Cents>; SIDE_MAX],
}

impl Staked {
    pub(super) const NONE: Self = Self { main: None, side: [None; SIDE_MAX] };
}

#[cfg(test)]
mod tests;
