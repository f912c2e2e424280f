//! The short ways of an ordinary round: most inputs are a wager, a card or a stand that nothing stands in the way of.
//!
//! A short way looks at the few facts that could make its input anything but ordinary and leaves it to the general way
//! (`Engine::execute`) where one of them holds. It never refuses, and it never does anything that the general way would
//! not do: replays go the general way alone, so that every undo compares the two, and the test below plays both.

use super::doubles::added_by_double;
use super::state::{Burns, DealStep, HandStatus, LateCard, Phase, SIDE_MAX, Turn, Want};
use super::{Accepted, Engine};
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
    /// Takes the input by a short way if there is one. False: nothing has been done.
    #[inline(always)]
    pub(super) fn take_directly(&mut self, input: &Input, out: &mut Events) -> bool {
        if let Input::Card(Drawn::FaceUp(card)) = *input {
            self.take_card(card, out)
        } else if let Input::Stand = *input {
            self.take_stand(out)
        } else if let Input::Wager { seat, wager, amount: Some(amount) } = *input {
            self.take_wager(seat, wager, amount, out)
        } else if let Input::Settled = *input {
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

    #[inline]
    fn taken(&mut self, input: Input) -> bool {
        self.log.push(Accepted { input, late: None });
        self.close_a_finished_round();
        true
    }

    #[inline(always)]
    fn take_card(&mut self, card: Card, out: &mut Events) -> bool {
        if !self.is_plain() || (!self.has_tens && !self.table.game.plays_with(card.rank())) {
            return false;
        }
        let Phase::Dealing(step) = self.now.phase else { return self.take_drawn_card(card, out) };
        // A deal ends no round, so that this is all there is to it.
        if !self.take_first_card(step, card, out) {
            return false;
        }
        self.now.late = None;
        self.log.push(Accepted { input: Input::Card(Drawn::FaceUp(card)), late: None });
        true
    }

    /// A card that a player or the dealer draws.
    #[inline(always)]
    fn take_drawn_card(&mut self, card: Card, out: &mut Events) -> bool {
        let Turn { seat, hand: at, want } = self.now.turn;
        if !matches!(self.now.phase, Phase::Decisions) || want != Want::Decision {
            return self.take_ordered_card(card, out);
        }
        let hand = self.now.turn_hand_mut();
        if hand.status != HandStatus::Open || hand.from_split || hand.cards.cards_down() != 0 {
            return self.take_ordered_card(card, out);
        }
        hand.cards.push(card);
        let (total, soft) = (hand.cards.total(), hand.cards.is_soft());
        let (to, source) = (Place::Hand { seat, hand: at + 1 }, self.cite(Point::DealRequestedCards));
        out.push(Event::CardDealt { to, card: Drawn::FaceUp(card), total, soft, source });
        self.now.late = Some(LateCard { seat, hand: at });
        self.log.push(Accepted { input: Input::Card(Drawn::FaceUp(card)), late: None });
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
        self.close_a_finished_round();
        true
    }

    /// A card that somebody asked for by name, or that the dealer's rule asks for.
    #[inline(never)]
    fn take_ordered_card(&mut self, card: Card, out: &mut Events) -> bool {
        let late = if let Phase::Decisions = self.now.phase {
            let turn = self.now.turn;
            let hand = self.now.turn_hand();
            let restricted = hand.from_split && self.table.restrictions.one_card_to_split_aces;
            if hand.status != HandStatus::Open || restricted {
                return false;
            }
            match turn.want {
                Want::Decision => {
                    self.hit_card(card, out);
                    Some(LateCard { seat: turn.seat, hand: turn.hand })
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
        } else {
            return false;
        };
        self.now.late = late;
        self.taken(Input::Card(Drawn::FaceUp(card)))
    }

    fn take_hole_card(&mut self, out: &mut Events) -> bool {
        if !self.is_plain() || !matches!(self.now.phase, Phase::Dealing(DealStep::HoleCard)) {
            return false;
        }
        self.deal_hole_card(Point::DealHoleCard, out);
        self.now.late = None;
        self.taken(Input::Card(Drawn::FaceDown))
    }

    fn take_reveal(&mut self, card: Card, out: &mut Events) -> bool {
        let due = self.is_plain() && matches!(self.now.phase, Phase::Reveal);
        if !due || self.on_reveal(card, out).is_err() {
            return false;
        }
        self.now.late = None;
        self.log.push(Accepted { input: Input::Reveal(card), late: None });
        self.barrier = self.log.len();
        self.close_a_finished_round();
        true
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
        self.log.push(Accepted { input: Input::Double(None), late: None });
        true
    }

    /// All open lines are done.
    fn take_settled(&mut self, out: &mut Events) -> bool {
        if !self.ordinary || !self.now.has_open_lines() || self.approval_waits() {
            return false;
        }
        self.confirm_up_to_an_approval(out);
        self.now.late = None;
        self.log.push(Accepted { input: Input::Settled, late: None });
        self.barrier = self.log.len();
        self.close_a_finished_round();
        true
    }

    /// A card of the initial deal, one hand a box, but for the hole card.
    #[inline(always)]
    fn take_first_card(&mut self, step: DealStep, card: Card, out: &mut Events) -> bool {
        if let DealStep::First(seat, 0) = step {
            if self.burn_is_required() {
                return false;
            }
            self.now.phase = Phase::Dealing(match self.now.in_play.after(seat, Direction::FromLeft).lowest() {
                Some(next) => DealStep::First(next, 0),
                None => DealStep::UpCard,
            });
            self.now.between.burns = Burns::NONE;
            self.now.box_mut(seat).open_hand_with(card);
            self.report_first_card(seat, card, Point::DealFirstCards, out);
        } else if let DealStep::Second(seat, 0) = step {
            let next = self.now.in_play.after(seat, Direction::FromLeft).lowest();
            let all_follow = self.now.second_later == [SeatSet::EMPTY; 2] && !self.now.dealer.is_empty();
            let dealt = self.now.box_mut(seat);
            let has_one_card = dealt.hands[0].cards.len() == 1 && !dealt.hands[0].second_late;
            if !has_one_card || (next.is_none() && !all_follow) {
                return false;
            }
            dealt.opened_with_seven |= card.rank() == Rank::Seven;
            dealt.first[1] = card;
            dealt.first_known = true;
            let hand = &mut dealt.hands[0];
            hand.cards.push(card);
            // Not by a branch: cards are as random as anything can be.
            hand.status = if hand.cards.is_ace_and_ten() { HandStatus::Blackjack } else { hand.status };
            self.now.phase = Phase::Dealing(match next {
                Some(next) => DealStep::Second(next, 0),
                None => DealStep::HoleCard,
            });
            self.report_first_card(seat, card, Point::DealSecondCards, out);
        } else {
            return self.take_up_card(step, card, out);
        }
        true
    }

    #[inline(never)]
    fn take_up_card(&mut self, step: DealStep, card: Card, out: &mut Events) -> bool {
        let first = self.now.in_play.lowest().filter(|_| !self.now.missed_up_card);
        let (DealStep::UpCard, Some(first)) = (step, first) else { return false };
        self.now.dealer.push(card);
        self.now.up = Some(UpGroup::of(card));
        let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
        let (card, source) = (Drawn::FaceUp(card), self.cite(Point::DealUpCard));
        out.push(Event::CardDealt { to: Place::Dealer, card, total, soft, source });
        self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
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
    fn take_stand(&mut self, out: &mut Events) -> bool {
        let Turn { seat, hand: at, want } = self.now.turn;
        let decides = matches!(self.now.phase, Phase::Decisions) && want == Want::Decision;
        if !decides || !self.is_plain() {
            return false;
        }
        let source = self.cite(Point::Stand);
        out.push(Event::Acted { seat, hand: at + 1, action: Action::Stand, amount: None, source });
        self.now.late = None;
        self.log.push(Accepted { input: Input::Stand, late: None });
        let each = self.now.box_mut(seat);
        if each.hand_count != 1 {
            return self.stand_of_a_split_box(out);
        }
        each.hands[0].status = HandStatus::Done;
        let seats = self.now.in_play.after(seat, self.table.game.decision_order());
        if self.gives_turn_to_first_of(seats) { true } else { self.stand_of_a_last_box(seats, out) }
    }

    /// The log ends with the stand.
    #[inline(never)]
    fn stand_of_a_split_box(&mut self, out: &mut Events) -> bool {
        self.finish_turn(HandStatus::Done, out);
        self.now.late = None;
        self.close_a_finished_round();
        true
    }

    /// The next box has nothing to decide, or there is none.
    #[inline(never)]
    fn stand_of_a_last_box(&mut self, seats: SeatSet, out: &mut Events) -> bool {
        self.next_box(seats, out);
        self.now.late = None;
        self.close_a_finished_round();
        true
    }

    /// Gives the turn to the first of the boxes that are left, where it has an open hand.
    #[inline(always)]
    fn gives_turn_to_first_of(&mut self, seats: SeatSet) -> bool {
        let Some(seat) = seats.first_in(self.table.game.decision_order()) else { return false };
        if self.now.box_at(seat).hands[0].status != HandStatus::Open {
            return false;
        }
        self.now.to_act = self.now.to_act.intersection(seats);
        self.now.turn = Turn { seat, hand: 0, want: Want::Decision };
        true
    }

    fn take_lock(&mut self, out: &mut Events) -> bool {
        if !self.is_plain() || !matches!(self.now.phase, Phase::Wagering) || self.lock(false, out).is_err() {
            return false;
        }
        self.now.late = None;
        self.log.push(Accepted { input: Input::Lock, late: None });
        self.barrier = self.log.len();
        true
    }

    /// A wager that is on offer, at a box that may play, of an amount that may be staked.
    #[inline(always)]
    fn take_wager(&mut self, seat: Seat, wager: WagerId, amount: Cents, out: &mut Events) -> bool {
        let open = matches!(self.now.phase, Phase::Wagering)
            & (seat.number() <= self.table.positions)
            & !self.now.has_open_lines()
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
        let amount = Some(amount);
        out.push(Event::WagerPlaced { seat, wager, amount, source: self.cite(Point::PlaceWagers) });
        self.log.push(Accepted { input: Input::Wager { seat, wager, amount }, late: None });
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
