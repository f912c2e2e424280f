//! The table's life around its rounds: opening, shuffling, cutting, idling, closing (Chapters 3 to 5, 7.B, 7.D).
//!
//! The same kind of prompted procedure as a round: one step is due, and what the clause forbids is refused.

use super::Engine;
use super::state::{Burns, CutState, Phase, Rest};
use super::wagering::side_bit;
use crate::event::{Event, Events};
use crate::game::{Direction, Game};
use crate::input::{Cutter, Input, InputKind, Inspection, ShuffleDone};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::{ShoeSide, Shuffler, Variation};

/// A cut leaves at least this many cards on either side (5.E).
pub(super) const CUT_MARGIN: u16 = 10;
/// The dealer is warned this long before the decks have to be changed.
const AGE_WARNING_MINUTES: u32 = 30;
const DAY_MINUTES: u32 = 24 * 60;

impl Engine {
    /// Every place where the table stands still between rounds goes through here.
    pub(super) fn rest_at(&mut self, rest: Rest) {
        self.now.between.rest = rest;
        self.now.phase = Phase::at_rest(rest);
    }

    /// Cards in one stack: the decks of one batch or side.
    pub(super) fn stack_size(&self) -> u16 {
        let decks = self.table.variation.decks_dealt_from(self.table.decks);
        u16::from(decks) * self.table.game.cards_per_deck()
    }

    fn resting(&self, kind: InputKind) -> Result<Rest, Refusal> {
        if let Phase::Resting(rest) = self.now.phase {
            return Ok(rest);
        }
        if matches!(self.now.phase, Phase::Wagering) { Ok(Rest::Open) } else { self.not_now(kind) }
    }

    fn step_done(&self, point: Point, out: &mut Events) {
        out.push(Event::StepDone { source: self.cite(point) });
    }

    /// The inputs of this module.
    pub(super) fn on_life(&mut self, input: &Input, out: &mut Events) -> Result<(), Refusal> {
        let kind = input.kind();
        let rest = self.resting(kind)?;
        match (*input, rest) {
            (Input::Open, Rest::Closed) => {
                self.step_done(Point::OpenTable, out);
                self.rest_at(Rest::Receive);
            }
            (Input::Close, _) if rest != Rest::Closed && !self.anything_is_placed() => {
                self.read_meters(out);
                out.push(Event::TableClosed { source: self.cite(Point::CloseTable) });
                self.rest_at(Rest::Closed);
            }
            (Input::Decks { count, preinspected }, Rest::Receive | Rest::Open)
                if rest == Rest::Receive || !self.anything_is_placed() =>
            {
                self.receive_decks(count, preinspected, out)?;
            }
            (Input::Inspect(inspection), _) => self.on_inspect(inspection, rest, out)?,
            (Input::Spread, Rest::Spread) => {
                self.step_done(Point::SpreadCards, out);
                self.rest_at(Rest::PlayerInspects);
            }
            (Input::Wash, Rest::Wash) => {
                self.step_done(self.due(), out);
                self.rest_at(Rest::Shuffle);
            }
            (Input::Shuffle(done), Rest::Shuffle) => self.on_shuffle(done, out)?,
            (Input::CutRefused(seat), Rest::Cut) => self.on_cut_refused(seat, out)?,
            (Input::Cut { by, depth }, Rest::Cut) => self.on_cut(by, depth, out)?,
            (Input::PlaceCover(from_bottom), Rest::PlaceCover) => self.on_place_cover(from_bottom, out)?,
            (Input::FloorRecut, Rest::PlaceCover | Rest::Load) => {
                out.push(Event::Approved { by: kind, source: self.cite(Point::Recut) });
                self.rest_at(Rest::Cut);
            }
            (Input::Load, Rest::Load) => self.load_shoe(out),
            (Input::Idle, Rest::Open) if !self.anything_is_placed() && self.may_idle() => {
                self.now.between.idle = true;
                self.step_done(Point::IdleTable, out);
                self.now.between.cut = CutState::first_player();
                self.rest_at(Rest::PlayerInspects);
            }
            (Input::FloorReshuffle, Rest::Open) if !self.anything_is_placed() => {
                out.push(Event::Approved { by: kind, source: self.cite(Point::FloorReshuffle) });
                self.now.between.cut.start = None;
                self.rest_at(Rest::Shuffle);
            }
            _ => return self.not_now(kind),
        }
        Ok(())
    }

    fn receive_decks(&mut self, count: u8, preinspected: bool, out: &mut Events) -> Result<(), Refusal> {
        let expected = self.decks_in_all();
        if count != expected {
            let point = match (self.table.variation, self.table.shuffler) {
                (Variation::DoubleShoe, _) => Point::SideDecks,
                (_, Shuffler::Batch) => Point::BatchDecks,
                (_, Shuffler::ByHand | Shuffler::Continuous) => Point::DecksInUse,
            };
            return self.refuse(Reason::WrongDeckCount { expected }, point);
        }
        out.push(Event::DecksReceived { count, preinspected, source: self.cite(Point::ReceiveDecks) });
        self.now.between.decks_since = self.now.between.clock;
        self.now.between.decks_out = false;
        self.now.between.idle = false;
        self.now.between.covers = 0;
        self.now.between.cut = CutState::first_player();
        self.now.between.batch = 0;
        if preinspected {
            // 4.G / 4.I and 5.A: neither inspection nor the first shuffle is needed.
            self.shuffled(out);
        } else {
            self.rest_at(Rest::DealerInspects);
        }
        Ok(())
    }

    /// Decks received: one batch, or both batches of a batch shuffler (3.B), or both sides of a double shoe.
    pub(super) fn decks_in_all(&self) -> u8 {
        match (self.table.game, self.table.shuffler) {
            (Game::Blackjack, Shuffler::Batch) => self.table.decks * 2,
            _ => self.table.decks,
        }
    }

    fn on_inspect(&mut self, inspection: Inspection, rest: Rest, out: &mut Events) -> Result<(), Refusal> {
        match (inspection, rest) {
            (Inspection::Dealer, Rest::DealerInspects) => {
                self.step_done(Point::DealerInspects, out);
                self.rest_at(Rest::FloorVerifies);
            }
            (Inspection::Floor, Rest::FloorVerifies) => {
                out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(Point::DealerInspects) });
                self.rest_at(if self.table.game.has_tens() { Rest::Spread } else { Rest::TensRemoved });
            }
            (Inspection::Tens(found), Rest::TensRemoved) => {
                let most = u16::from(self.table.decks) * 4;
                if u16::from(found) > most {
                    return self.refuse(Reason::TooManyTens { most }, Point::TensRemoved);
                }
                self.step_done(Point::TensRemoved, out);
                self.rest_at(Rest::Spread);
            }
            (Inspection::Player(seat), Rest::PlayerInspects) => {
                self.check_seat(seat)?;
                self.now.between.cut.start = Some(seat);
                self.now.between.cut.seated = self.now.between.cut.seated.with(seat);
                self.step_done(self.due(), out);
                // 5.I(2): with a device in use the cards go straight into it.
                let straight_to_device = self.now.between.idle && self.device_is_in_use();
                self.rest_at(if straight_to_device { Rest::Shuffle } else { Rest::Wash });
            }
            _ => return self.not_now(InputKind::Inspect),
        }
        Ok(())
    }

    /// 13.S / 14.N: another method only once the device is covered or has its sign.
    pub(super) fn check_shuffle_method(&self, done: ShuffleDone) -> Result<(), Refusal> {
        match done {
            ShuffleDone::ByHand if self.device_is_in_use() => {
                self.refuse(Reason::CoverTheDeviceFirst, Point::ShufflerOutOfOrder)
            }
            ShuffleDone::Device | ShuffleDone::Jam if self.table.shuffler == Shuffler::ByHand => {
                self.refuse(Reason::NoShuffler, Point::ShuffleCards)
            }
            ShuffleDone::ByHand | ShuffleDone::Device | ShuffleDone::Jam => Ok(()),
        }
    }

    fn on_shuffle(&mut self, done: ShuffleDone, out: &mut Events) -> Result<(), Refusal> {
        self.check_shuffle_method(done)?;
        if done == ShuffleDone::Jam {
            out.push(Event::ShuffleFailed { source: self.cite(Point::ShufflerJam) });
            return Ok(());
        }
        self.step_done(self.due(), out);
        self.shuffled(out);
        Ok(())
    }

    pub(super) fn device_is_in_use(&self) -> bool {
        self.table.shuffler != Shuffler::ByHand && !self.now.between.shuffler_out
    }

    /// The stack is ready: cut it, unless the device is exempt from cutting (5.K, P7).
    pub(super) fn shuffled(&mut self, out: &mut Events) {
        if self.table.shuffler == Shuffler::Batch && self.table.game == Game::Blackjack {
            self.now.between.batch ^= 1;
            out.push(Event::BatchInPlay { second: self.now.between.batch == 0, source: self.cite(Point::TwoBatches) });
        }
        self.now.between.sat_out = SeatSet::EMPTY;
        self.now.between.cover_seen = false;
        self.now.between.idle = false;
        // 7.E(2): only the side whose cover card appeared is reshuffled; at an opening both are.
        if self.table.variation == Variation::DoubleShoe {
            let covers = std::mem::take(&mut self.now.between.covers);
            self.now.between.sides_to_cut = if covers == 0 { 3 } else { covers };
            self.now.between.sides_shuffled = self.now.between.sides_to_cut;
        }
        self.now.between.covers = 0;
        if self.table.shuffler == Shuffler::Continuous && !self.now.between.shuffler_out {
            self.rest_at(Rest::Load);
        } else {
            self.now.between.cut.refused = SeatSet::EMPTY;
            self.rest_at(Rest::Cut);
        }
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

    /// The side of a double shoe that is being cut.
    pub(super) fn side_to_cut(&self) -> Option<ShoeSide> {
        let sides = self.now.between.sides_to_cut;
        only_side(sides).or(if sides == 0 { None } else { Some(ShoeSide::Left) })
    }

    /// 5.K, P7: a continuous device exempts a sister game from 5.H and 5.I.
    pub(super) fn may_idle(&self) -> bool {
        self.table.game == Game::Blackjack
            || self.table.shuffler != Shuffler::Continuous
            || self.now.between.shuffler_out
    }

    pub(super) fn on_cut_refused(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        if self.cut_is_offered_to() != Some(seat) {
            return self.refuse(Reason::CutNotOfferedTo(seat), Point::CutOrder);
        }
        self.now.between.cut.refused = self.now.between.cut.refused.with(seat);
        out.push(Event::CutRefused { seat, source: self.cite(Point::CutOrder) });
        Ok(())
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

    fn on_cut(&mut self, by: Cutter, depth: u16, out: &mut Events) -> Result<(), Refusal> {
        self.check_cut(by, depth, self.stack_size())?;
        out.push(Event::CutMade { by, depth, source: self.cite(Point::CutDepth) });
        self.rest_at(Rest::PlaceCover);
        Ok(())
    }

    /// The least number of cards behind the cover card: a quarter of the stack (5.E(2), S1).
    pub(super) fn cover_margin(&self) -> u16 {
        self.stack_size().div_ceil(4)
    }

    fn on_place_cover(&mut self, from_bottom: u16, out: &mut Events) -> Result<(), Refusal> {
        let (least, most) = (self.cover_margin(), self.stack_size());
        if from_bottom < least || from_bottom > most {
            return self.refuse(Reason::CoverTooNearTheEnd { least }, Point::CoverDepth);
        }
        out.push(Event::CoverPlaced { from_bottom, source: self.cite(Point::CoverDepth) });
        // 3.C(2): each side of a double shoe has its own cut and cover card.
        self.now.between.sides_to_cut &= self.now.between.sides_to_cut.wrapping_sub(1);
        if self.now.between.sides_to_cut == 0 {
            // Who refused is kept: a recut goes to the last cutter or the next one entitled (5.F(1)).
            self.rest_at(Rest::Load);
        } else {
            self.now.between.cut.refused = SeatSet::EMPTY;
            self.rest_at(Rest::Cut);
        }
        Ok(())
    }

    /// 5.E(3), 7.B: the stack goes into the shoe, and its first card may have to be burnt. Dealt from the hand, it goes
    /// there with its cover card (12.B(3)).
    pub(super) fn load_shoe(&mut self, out: &mut Events) {
        let in_hand = self.table.variation == Variation::FromTheHand;
        out.push(Event::ShoeLoaded { in_hand, source: self.cite(self.due_at(Rest::Load)) });
        let batch = self.table.variation.burns_after_batch();
        self.now.between.burns = Burns { batch, unknown: false, ..self.now.between.burns };
        self.rest_at(Rest::Open);
    }

    /// Where the table rests after a round: at the shuffle when the cover card has appeared (7.D), else open. Decks that
    /// have to be changed are not shuffled once more before they go (3.C).
    pub(super) fn rest_after_round(&self) -> Rest {
        if self.now.between.decks_out {
            Rest::Receive
        } else if self.now.between.cover_seen && !self.decks_are_due() {
            Rest::Shuffle
        } else {
            Rest::Open
        }
    }

    // ---- the clock and the decks' age ----

    /// How long decks may stay in use: 24 hours, four when dealt from the hand (3.C, blackjack 3.D).
    pub(super) fn decks_last_minutes(&self) -> u32 {
        match self.table.variation {
            Variation::FromTheHand => 4 * 60,
            Variation::Standard | Variation::Switch | Variation::DoubleShoe => DAY_MINUTES,
        }
    }

    fn decks_age(&self) -> Option<u32> {
        Some(self.now.between.clock?.saturating_sub(self.now.between.decks_since?))
    }

    pub(super) fn decks_are_due(&self) -> bool {
        self.decks_age().is_some_and(|age| age >= self.decks_last_minutes())
    }

    /// Due, or so soon that the dealer is warned.
    pub(super) fn decks_are_ageing(&self) -> bool {
        self.decks_age().is_some_and(|age| age + AGE_WARNING_MINUTES >= self.decks_last_minutes())
    }

    /// The time of day; earlier than the last one means the next day.
    pub(super) fn on_at(&mut self, minute_of_day: u16, out: &mut Events) -> Result<(), Refusal> {
        let minute = u32::from(minute_of_day);
        let warned = self.decks_are_ageing();
        let clock = match self.now.between.clock {
            None => minute,
            Some(before) if before % DAY_MINUTES <= minute => before - before % DAY_MINUTES + minute,
            Some(before) => before - before % DAY_MINUTES + DAY_MINUTES + minute,
        };
        self.now.between.clock = Some(clock);
        if self.now.between.decks_since.is_none() {
            self.now.between.decks_since = Some(clock);
        }
        if self.decks_are_due() || (self.decks_are_ageing() && !warned) {
            self.report_ageing(out);
        }
        Ok(())
    }

    pub(super) fn report_ageing(&self, out: &mut Events) {
        let minutes_left = self.decks_age().map_or(0, |age| self.decks_last_minutes().saturating_sub(age));
        out.push(Event::DecksAgeing { minutes_left, source: self.cite(Point::DecksChanged) });
    }

    /// 13.S / 14.N: a floorperson puts the shuffler back to work; from the next shuffle on it is the method again.
    pub(super) fn on_shuffler_repaired(&mut self, out: &mut Events) -> Result<(), Refusal> {
        if !self.now.between.shuffler_out {
            return self.not_now(InputKind::ShufflerRepaired);
        }
        self.now.between.shuffler_out = false;
        let source = self.cite(Point::ShufflerOutOfOrder);
        out.push(Event::Approved { by: InputKind::ShufflerRepaired, source });
        Ok(())
    }

    /// 6.C(1): a floorperson lets a seat wager again before the reshuffle.
    pub(super) fn on_permit(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        self.check_seat(seat)?;
        if !matches!(self.now.phase, Phase::Wagering) || !self.now.between.sat_out.contains(seat) {
            return self.not_now(InputKind::Permit);
        }
        self.now.between.sat_out = self.now.between.sat_out.without(seat);
        out.push(Event::Approved { by: InputKind::Permit, source: self.cite(Point::MidShoePermit) });
        Ok(())
    }
}

/// The one side of a double shoe that these bits name; `None` for neither and for both.
pub(super) fn only_side(sides: u8) -> Option<ShoeSide> {
    [ShoeSide::Left, ShoeSide::Right].into_iter().find(|&side| sides == side_bit(side))
}
