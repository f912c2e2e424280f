//! Cards found in the shoe that may not be used: face up (13.A, 13.B; blackjack 14.A), and tens where the game has none (13.C,
//! 13.D). Both are counted by shoe (H20), also where no round is in play yet (H27).

use super::Engine;
use super::irregular::AfterVoid;
use super::side_placing::bits;
use super::state::{Ask, BurnDue, CutAfter, Phase};
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::input::InputKind;
use crate::line::Stake;
use crate::refusal::Refusal;
use crate::seat::SeatSet;
use crate::source::Point;
use crate::wager::WagerId;

impl Engine {
    /// H27: before the lock no card but the burn leaves the shoe, so this is the one that may have been found.
    pub(super) fn burn_card_may_be_found(&self) -> bool {
        if self.burn_loads_the_shoe() {
            return true;
        }
        if !matches!(self.now.phase, Phase::Wagering) || self.now.ten_waits {
            return false;
        }
        // Where nobody knows whether a burn is due, chips in the boxes may mean that it was the round's first card (X2).
        let may_be = self.now.between.burns.next() == BurnDue::MayBe && !self.anything_is_placed();
        may_be || self.burn_is_required() || self.now.burnt.is_some()
    }

    /// The card that was found does not count as the burn, whether or not the burn was told already.
    fn burn_falls_due_again(&mut self, out: &mut impl Sink) {
        if self.burn_loads_the_shoe() {
            self.load_shoe(out);
        }
        if let (false, Some(burnt)) = (self.burn_is_required(), self.now.burnt.take()) {
            self.now.set_burns(self.now.between.burns.once_more(burnt));
        }
    }

    pub(super) fn face_up_was_found(&mut self, out: &mut impl Sink) {
        if self.burn_card_may_be_found() {
            self.burn_falls_due_again(out);
        }
        let found = &mut self.now.between.found.face_up;
        *found = found.saturating_add(1);
        if *found > 1 && self.table.game.is_sister_game() {
            self.second_was_found(Point::SecondFaceUp, AfterVoid::Reshuffle, out);
        }
    }

    pub(super) fn second_face_up_was_found(&mut self, out: &mut impl Sink) {
        if self.burn_card_may_be_found() {
            self.burn_falls_due_again(out);
        }
        self.second_was_found(Point::SecondFaceUp, AfterVoid::Reshuffle, out);
    }

    /// 13.C: it waits for a floorperson. Before the lock the chips may go on lying and coming meanwhile.
    pub(super) fn ten_was_found(&mut self, out: &mut impl Sink) {
        if self.burn_card_may_be_found() {
            self.burn_falls_due_again(out);
            self.now.set_ten_waits(true);
        } else {
            self.ask(Ask::FloorTearsTen);
        }
    }

    pub(super) fn ten_is_torn(&mut self, out: &mut impl Sink) {
        out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(Point::TenTorn) });
        if self.now.ten_waits {
            self.now.set_ten_waits(false);
        } else {
            self.resume();
        }
        self.count_ten();
        if self.now.between.found.tens > 1 {
            self.second_was_found(Point::SecondTen, AfterVoid::DecksOut, out);
        }
    }

    pub(super) fn count_ten(&mut self) {
        let found = &mut self.now.between.found.tens;
        *found = found.saturating_add(1);
    }

    fn second_was_found(&mut self, point: Point, after: AfterVoid, out: &mut impl Sink) {
        if matches!(self.now.phase, Phase::Wagering) {
            self.no_round_is_begun(point, after, out);
        } else {
            self.void_round(point, after, out);
        }
    }

    /// H27: there is no round to be void. The chips are not wagers yet and go back; the cards are shuffled, or the decks go.
    fn no_round_is_begun(&mut self, point: Point, after: AfterVoid, out: &mut impl Sink) {
        out.push(Event::StepDone { source: self.cite(point) });
        self.chips_go_back(out);
        self.cards_leave_play(after);
        self.now.between.cut.start = None;
        self.now.between.cut.after = CutAfter::SomethingElse;
        self.rest_at(self.rest_after_round());
    }

    fn chips_go_back(&mut self, out: &mut impl Sink) {
        let source = self.cite(Point::FoundBeforeWagers);
        for seat in SeatSet::first(self.table.positions).iter(Direction::FromRight) {
            let sides = self.now.box_at(seat).side_placed;
            for side in bits(sides) {
                out.push(Event::WagerRemoved { seat, wager: self.offered(side).id(), source });
                self.now.box_mut(seat).side[usize::from(side)] = Stake::NONE;
            }
            let each = self.now.box_mut(seat);
            each.side_placed = 0;
            each.main = Stake::NONE;
            if self.now.in_play.contains(seat) {
                out.push(Event::WagerRemoved { seat, wager: WagerId::Main, source });
            }
            if self.now.cash.contains(seat) {
                out.push(Event::CashWager { seat, returned: true, source });
                self.now.set_cash(seat, false);
            }
        }
        self.now.in_play = SeatSet::EMPTY;
    }

    /// Nothing but the floorperson's word goes on while a ten waits to be torn.
    pub(super) fn check_no_ten_waits(&self, kind: InputKind) -> Result<(), Refusal> {
        if self.now.ten_waits { self.not_now(kind) } else { Ok(()) }
    }
}
