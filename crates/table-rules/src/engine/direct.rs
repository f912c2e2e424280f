//! The short ways of an ordinary round: most inputs are a wager, a card or a stand that nothing stands in the way of.
//!
//! A short way looks at the few facts that could make its input anything but ordinary and leaves it to the general way
//! (`Engine::execute`) where one of them holds. It never refuses, and it never does anything that the general way would
//! not do: replays go the general way alone, so that every undo compares the two, and the test below plays both.

use super::state::{Burns, DealStep, HandStatus, LateCard, Phase, Want};
use super::{Accepted, Engine};
use crate::card::Card;
use crate::event::{Action, Event, Events, Place};
use crate::game::Direction;
use crate::input::{Drawn, Input, UpGroup};
use crate::line::Stake;
use crate::money::Cents;
use crate::seat::Seat;
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

    fn take_card(&mut self, card: Card, out: &mut Events) -> bool {
        if !self.is_plain() || !self.table.game.plays_with(card.rank()) {
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
    fn take_drawn_card(&mut self, card: Card, out: &mut Events) -> bool {
        if let Phase::Decisions = self.now.phase {
            let turn = self.now.turn;
            let hand = self.now.turn_hand();
            let restricted = hand.from_split && self.table.restrictions.one_card_to_split_aces;
            if hand.status != HandStatus::Open || restricted {
                return false;
            }
            match turn.want {
                Want::Decision => {
                    self.hit_card(card, out);
                    self.now.late = Some(LateCard { seat: turn.seat, hand: turn.hand });
                }
                Want::DoubleCard => {
                    self.double_card_up(card, out);
                    self.now.late = None;
                }
                Want::HitCard | Want::SplitCard | Want::AfterDouble => return false,
            }
        } else if let Phase::DealerDraws = self.now.phase {
            self.dealer_card(card, out);
            self.now.late = None;
        } else {
            return false;
        }
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
        let due = self.is_plain() && matches!(self.now.phase, Phase::Decisions);
        // A late double is another matter: it rereads the last card.
        if !due || self.check_double().is_err() || self.on_double(None, out).is_err() {
            return false;
        }
        self.now.late = None;
        self.taken(Input::Double(None))
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

    /// A card of the initial deal, one hand a box. The hole card takes the general way: much follows from it.
    #[inline(always)]
    fn take_first_card(&mut self, step: DealStep, card: Card, out: &mut Events) -> bool {
        let drawn = Drawn::FaceUp(card);
        let next = |seat| self.now.in_play.after(seat, Direction::FromLeft).lowest();
        match step {
            DealStep::First(seat, 0) => {
                if self.burn_is_required() {
                    return false;
                }
                let next = next(seat).map_or(DealStep::UpCard, |seat| DealStep::First(seat, 0));
                self.now.between.burns = Burns::NONE;
                self.now.box_mut(seat).open_hand();
                self.deal_to_hand(seat, 0, drawn, Point::DealFirstCards, out);
                self.now.phase = Phase::Dealing(next);
            }
            DealStep::Second(seat, 0) => {
                let Some(next) = next(seat).filter(|_| !self.now.box_at(seat).hands[0].second_late) else {
                    return false;
                };
                self.deal_to_hand(seat, 0, drawn, Point::DealSecondCards, out);
                self.now.phase = Phase::Dealing(DealStep::Second(next, 0));
            }
            DealStep::UpCard => {
                let Some(first) = self.now.in_play.lowest().filter(|_| !self.now.missed_up_card) else { return false };
                self.now.dealer.push(card);
                self.now.up = Some(UpGroup::of(card));
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                let source = self.cite(Point::DealUpCard);
                out.push(Event::CardDealt { to: Place::Dealer, card: drawn, total, soft, source });
                self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
            }
            DealStep::First(..) | DealStep::Second(..) | DealStep::HoleCard | DealStep::Determinant => return false,
        }
        true
    }

    fn take_stand(&mut self, out: &mut Events) -> bool {
        let decides = matches!(self.now.phase, Phase::Decisions) && self.now.turn.want == Want::Decision;
        if !decides || !self.is_plain() {
            return false;
        }
        self.report_action(Action::Stand, None, Point::Stand, out);
        self.finish_turn(HandStatus::Done, out);
        self.now.late = None;
        self.taken(Input::Stand)
    }

    /// A wager that is on offer, at a box that may play, of an amount that may be staked.
    fn take_wager(&mut self, seat: Seat, wager: WagerId, amount: Cents, out: &mut Events) -> bool {
        let open = matches!(self.now.phase, Phase::Wagering) && seat.number() <= self.table.positions;
        if !open || self.now.has_open_lines() || self.now.between.sat_out.contains(seat) {
            return false;
        }
        if wager == WagerId::Main {
            if self.check_main_amount(Some(amount)).is_err() {
                return false;
            }
            self.now.box_mut(seat).main = Stake::of(amount);
            self.now.in_play = self.now.in_play.with(seat);
        } else {
            let Some(side) = self.side_position(wager) else { return false };
            let free = self.now.box_at(seat).side_placed & (1 << side) == 0;
            if !free || self.check_side_stake(side, Some(amount)).is_err() {
                return false;
            }
            let placed = self.now.box_mut(seat);
            placed.side[usize::from(side)] = Stake::of(amount);
            placed.side_placed |= 1 << side;
        }
        self.now.cash = self.now.cash.without(seat);
        self.now.late = None;
        let amount = Some(amount);
        out.push(Event::WagerPlaced { seat, wager, amount, source: self.cite(Point::PlaceWagers) });
        self.log.push(Accepted { input: Input::Wager { seat, wager, amount }, late: None });
        true
    }
}

#[cfg(test)]
mod tests;
