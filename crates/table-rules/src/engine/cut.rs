//! Who is offered the cut, by which part of 5.D or 5.F, and who may make it.

use super::Engine;
use super::life::{CUT_MARGIN, only_side};
use super::state::CutAfter;
use crate::event::{Event, Place, Sink};
use crate::game::Direction;
use crate::input::Cutter;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::Point;
use crate::table::ShoeSide;

impl Engine {
    /// The player at whose box the cover card appeared in this round (5.D(2)).
    pub(super) fn cover_seat(&self) -> Option<Seat> {
        match self.now.cover_at {
            Some(Place::Hand { seat, .. }) => Some(seat),
            Some(Place::Dealer | Place::HoleCard | Place::Shoe) | None => None,
        }
    }

    /// 5.D: where the cover card appeared in the round that ends decides who is offered the cut first.
    pub(super) fn note_who_cuts(&mut self) {
        let cut = &mut self.now.between.cut;
        (cut.start, cut.after) = match self.now.cover_at {
            Some(Place::Hand { seat, .. }) => (Some(seat), CutAfter::CoverAtBox),
            Some(Place::Dealer | Place::HoleCard) => (None, CutAfter::CoverAtDealer),
            Some(Place::Shoe) | None => (None, CutAfter::SomethingElse),
        };
    }

    /// 5.D: the seat the cut is offered to now; `None` when everyone has refused and the dealer cuts (5.C).
    pub(super) fn cut_is_offered_to(&self) -> Option<Seat> {
        let cut = self.now.between.cut;
        let left = cut.seated.minus(cut.refused);
        match cut.start {
            Some(start) if left.contains(start) => Some(start),
            // The offer rotates counterclockwise from where it began, then from the right again.
            Some(start) => left
                .after(start, Direction::FromRight)
                .first_in(Direction::FromRight)
                .or_else(|| left.first_in(Direction::FromRight)),
            None => left.first_in(Direction::FromRight),
        }
    }

    /// The part of 5.D, or of 5.F, by which the cut is offered now.
    pub(super) fn cut_point(&self) -> Point {
        let cut = self.now.between.cut;
        if self.cut_is_offered_to().is_none() && !cut.seated.is_empty() {
            return Point::OfferCut;
        }
        if cut.again {
            return Point::RecutBy;
        }
        let first = cut.refused.is_empty();
        match cut.after {
            CutAfter::Beginning if first => Point::CutByFirstPlayer,
            CutAfter::CoverAtBox if first => Point::CutAtCoverCard,
            CutAfter::CoverAtDealer if first => Point::CutAfterDealer,
            CutAfter::FloorsWord if first => Point::CutAfterFloor,
            CutAfter::CoverAtDealer => Point::CutGoesOnAfterDealer,
            CutAfter::FloorsWord => Point::CutGoesOnAfterFloor,
            CutAfter::Beginning | CutAfter::CoverAtBox => Point::CutGoesOn,
            CutAfter::SomethingElse => Point::CutOrder,
        }
    }

    /// The side of a double shoe that is being cut.
    pub(super) fn side_to_cut(&self) -> Option<ShoeSide> {
        let sides = self.now.between.sides_to_cut;
        only_side(sides).or(if sides == 0 { None } else { Some(ShoeSide::Left) })
    }

    pub(super) fn check_cut_refused(&self, seat: Seat) -> Result<(), Refusal> {
        if self.cut_is_offered_to() != Some(seat) {
            return self.refuse(Reason::CutNotOfferedTo(seat), Point::CutOrder);
        }
        Ok(())
    }

    pub(super) fn cut_is_refused(&mut self, seat: Seat, out: &mut impl Sink) {
        self.now.between.cut.refused = self.now.between.cut.refused.with(seat);
        out.push(Event::CutRefused { seat, source: self.cite(Point::CutOrder) });
    }

    /// Whether this person may cut now, this many cards from the top of a stack of `cards`.
    pub(super) fn check_cut(&self, by: Cutter, depth: u16, cards: u16) -> Result<(), Refusal> {
        match (by, self.cut_is_offered_to()) {
            (Cutter::Seat(seat), Some(offered)) if seat == offered => {}
            // Nobody is known to sit there: whoever cuts is the first player (5.D(1)).
            (Cutter::Seat(seat), None) if self.now.between.cut.seated.is_empty() => self.check_seat(seat)?,
            (Cutter::Seat(seat), _) => return self.refuse(Reason::CutNotOfferedTo(seat), Point::CutOrder),
            (Cutter::Dealer, None) => {}
            (Cutter::Dealer, Some(offered)) => {
                return self.refuse(Reason::CutOfferedFirstTo(offered), Point::OfferCut);
            }
        }
        let most = cards.saturating_sub(CUT_MARGIN);
        if depth < CUT_MARGIN || depth > most {
            return self.refuse(Reason::CutTooNearTheEnd { least: CUT_MARGIN, most }, Point::CutDepth);
        }
        Ok(())
    }
}
