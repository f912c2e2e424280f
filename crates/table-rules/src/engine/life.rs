//! The table's life around its rounds: opening, shuffling, cutting, idling, closing (Chapters 3 to 5, 7.B, 7.D).
//!
//! The same kind of prompted procedure as a round: one step is due, and what the clause forbids is refused.

use super::Engine;
use super::between::Found;
use super::state::{Burns, CutAfter, CutState, Phase, Rest};
use super::wagering::side_bit;
use crate::event::{Event, Sink};
use crate::game::Game;
use crate::input::{Input, InputKind, Inspection, Packs, ShuffleDone};
use crate::prompt::Apart;
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

    fn step_done(&self, point: Point, out: &mut impl Sink) {
        out.push(Event::StepDone { source: self.cite(point) });
    }

    /// Whether this step of the table's life is due, as it was told.
    pub(super) fn check_life(&self, input: &Input) -> Result<Rest, Refusal> {
        let kind = input.kind();
        let rest = self.resting(kind)?;
        self.check_no_ten_waits(kind)?;
        let empty = !self.anything_is_placed();
        match (*input, rest) {
            (Input::Open, Rest::Closed)
            | (Input::Spread, Rest::Spread)
            | (Input::Wash, Rest::Wash)
            | (Input::FloorRecut, Rest::PlaceCover | Rest::Load)
            | (Input::Load, Rest::Load) => {}
            (Input::Close, _) if rest != Rest::Closed && empty => {}
            (Input::Decks { count, packs }, Rest::Receive) => self.check_decks(count, packs)?,
            (Input::Decks { count, packs }, Rest::Open) if empty => self.check_decks(count, packs)?,
            (Input::Inspect(inspection), _) => self.check_inspect(inspection, rest)?,
            (Input::Shuffle(done), Rest::Shuffle) => self.check_shuffle_method(done)?,
            (Input::CutRefused(seat), Rest::Cut) => self.check_cut_refused(seat)?,
            (Input::Cut { by, depth }, Rest::Cut) => self.check_cut(by, depth, self.stack_size())?,
            (Input::PlaceCover(from_bottom), Rest::PlaceCover) => self.check_place_cover(from_bottom)?,
            (Input::Idle, Rest::Open) if empty && self.may_idle() => {}
            (Input::FloorReshuffle, Rest::Open) if empty => {}
            _ => return self.not_now(kind),
        }
        Ok(rest)
    }

    /// The inputs of this module.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the table of rules sends only the inputs of this module here")]
    pub(super) fn on_life(&mut self, input: &Input, out: &mut impl Sink) -> Result<(), Refusal> {
        let rest = self.check_life(input)?;
        match *input {
            Input::Open => {
                self.step_done(Point::OpenTable, out);
                self.rest_at(Rest::Receive);
            }
            Input::Close => {
                self.read_meters(out);
                out.push(Event::TableClosed { source: self.cite(Point::CloseTable) });
                self.rest_at(Rest::Closed);
            }
            Input::Decks { count, packs } => self.receive_decks(count, packs, out),
            Input::Inspect(inspection) => self.inspected(inspection, rest, out),
            Input::Spread => {
                self.step_done(self.due(), out);
                self.rest_at(Rest::PlayerInspects);
            }
            Input::Wash => {
                self.step_done(self.due(), out);
                self.rest_at(Rest::Shuffle);
            }
            Input::Shuffle(ShuffleDone::Jam) => {
                out.push(Event::ShuffleFailed { source: self.cite(Point::ShufflerJam) });
            }
            Input::Shuffle(_) => {
                self.step_done(self.due(), out);
                self.shuffled(out);
            }
            Input::CutRefused(seat) => self.cut_is_refused(seat, out),
            Input::Cut { by, depth } => {
                out.push(Event::CutMade { by, depth, source: self.cite(Point::CutDepth) });
                self.rest_at(Rest::PlaceCover);
            }
            Input::PlaceCover(from_bottom) => self.cover_is_placed(from_bottom, out),
            Input::FloorRecut => {
                out.push(Event::Approved { by: input.kind(), source: self.cite(Point::Recut) });
                self.now.between.cut.again = true;
                self.rest_at(Rest::Cut);
            }
            Input::Load => self.load_shoe(out),
            Input::Idle => {
                self.now.between.idle = true;
                self.step_done(Point::IdleTable, out);
                self.now.between.cut = CutState::first_player();
                self.rest_at(Rest::PlayerInspects);
            }
            Input::FloorReshuffle => {
                out.push(Event::Approved { by: input.kind(), source: self.cite(Point::FloorReshuffle) });
                self.now.between.cut.start = None;
                self.now.between.cut.after = CutAfter::FloorsWord;
                self.rest_at(Rest::Shuffle);
            }
            _ => debug_assert!(false, "{input:?} is no step at {rest:?}"),
        }
        Ok(())
    }

    fn check_decks(&self, count: u8, packs: Packs) -> Result<(), Refusal> {
        let expected = self.decks_in_all();
        if count != expected {
            let point = match (self.table.variation, self.table.shuffler) {
                (Variation::DoubleShoe, _) => Point::SideDecks,
                (_, Shuffler::Batch) => Point::BatchDecks,
                (_, Shuffler::ByHand | Shuffler::Continuous) => Point::DecksInUse,
            };
            return self.refuse(Reason::WrongDeckCount { expected }, point);
        }
        if packs == Packs::WithoutTens && self.table.game.has_tens() {
            return self.refuse(Reason::PacksWithoutTens, Point::DecksInUse);
        }
        Ok(())
    }

    fn receive_decks(&mut self, count: u8, packs: Packs, out: &mut impl Sink) {
        let preinspected = packs == Packs::Preinspected;
        let point = if preinspected { Point::Preinspected } else { Point::ReceiveDecks };
        out.push(Event::DecksReceived { count, preinspected, source: self.cite(point) });
        self.now.between.decks_since = self.now.between.clock;
        self.note_decks();
        self.now.between.decks_out = false;
        self.now.between.idle = false;
        self.now.between.covers = 0;
        self.now.between.cut = CutState::first_player();
        self.now.between.batch = 0;
        self.now.between.packs = packs;
        self.now.between.opening = true;
        if preinspected {
            // 4.G / 4.I and 5.A: neither inspection nor the first shuffle is needed.
            self.shuffled(out);
        } else {
            self.rest_at(Rest::DealerInspects);
        }
    }

    /// Decks received: one batch, or both batches of a batch shuffler (3.B), or both sides of a double shoe.
    pub(super) fn decks_in_all(&self) -> u8 {
        match (self.table.game, self.table.shuffler) {
            (Game::Blackjack, Shuffler::Batch) => self.table.decks * 2,
            _ => self.table.decks,
        }
    }

    fn check_inspect(&self, inspection: Inspection, rest: Rest) -> Result<(), Refusal> {
        match (inspection, rest) {
            (Inspection::Dealer, Rest::DealerInspects)
            | (Inspection::Floor, Rest::FloorVerifies | Rest::TensConfirmed) => Ok(()),
            (Inspection::Tens(found), Rest::TensRemoved | Rest::TensConfirmed) => {
                let most = u16::from(self.table.decks) * 4;
                if u16::from(found) > most {
                    return self.refuse(Reason::TooManyTens { most }, Point::TensRemoved);
                }
                Ok(())
            }
            (Inspection::Player(seat), Rest::PlayerInspects) => self.check_seat(seat),
            _ => self.not_now(InputKind::Inspect),
        }
    }

    pub(super) fn inspected(&mut self, inspection: Inspection, rest: Rest, out: &mut impl Sink) {
        match inspection {
            Inspection::Dealer => {
                self.step_done(Point::DealerInspects, out);
                self.rest_at(Rest::FloorVerifies);
            }
            Inspection::Floor => {
                let counted = rest == Rest::TensConfirmed;
                let point = if counted { Point::TensCounted } else { Point::DealerInspects };
                out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(point) });
                let tens_are_out = counted || self.table.game.has_tens();
                self.rest_at(if tens_are_out { Rest::Spread } else { Rest::TensRemoved });
            }
            Inspection::Tens(found) => {
                self.step_done(Point::TensRemoved, out);
                let all = u16::from(found) == u16::from(self.table.decks) * 4;
                let as_expected = match self.now.between.packs {
                    Packs::Unsaid | Packs::Preinspected => all || found == 0,
                    Packs::WithoutTens => found == 0,
                    Packs::WithTens => all,
                };
                self.rest_at(if as_expected { Rest::Spread } else { Rest::TensConfirmed });
            }
            Inspection::Player(seat) => {
                self.now.between.cut.start = Some(seat);
                self.now.between.cut.seated = self.now.between.cut.seated.with(seat);
                self.step_done(self.due(), out);
                // 5.I(2): with a device in use the cards go straight into it.
                let straight_to_device = self.now.between.idle && self.device_is_in_use();
                self.rest_at(if straight_to_device { Rest::Shuffle } else { Rest::Wash });
            }
        }
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

    /// What is kept apart while every card lies on the table: the sides of a double shoe (4.F, 4.G), or the two batches of
    /// a batch shuffler, whose backs differ (4.H).
    pub(super) fn kept_apart(&self) -> Apart {
        let between = &self.now.between;
        let two_batches = self.table.game == Game::Blackjack && self.table.shuffler == Shuffler::Batch;
        if two_batches && between.opening {
            Apart::Batches
        } else if self.table.variation == Variation::DoubleShoe && (between.opening || between.idle) {
            Apart::Sides
        } else {
            Apart::Nothing
        }
    }

    /// 5.I(2)(a): the cards of an idle table go into the device, and the batch that waits in it comes out.
    pub(super) fn batches_are_swapped(&self) -> bool {
        self.now.between.idle && self.table.shuffler == Shuffler::Batch && self.device_is_in_use()
    }

    pub(super) fn device_is_in_use(&self) -> bool {
        self.table.shuffler != Shuffler::ByHand && !self.now.between.shuffler_out
    }

    /// The stack is ready: cut it, unless the device is exempt from cutting (5.K, P7).
    pub(super) fn shuffled(&mut self, out: &mut impl Sink) {
        if self.table.shuffler == Shuffler::Batch && self.table.game == Game::Blackjack {
            self.now.between.batch ^= 1;
            out.push(Event::BatchInPlay { second: self.now.between.batch == 0, source: self.cite(Point::TwoBatches) });
        }
        self.now.between.sat_out = SeatSet::EMPTY;
        self.now.between.cover_seen = false;
        self.now.between.idle = false;
        self.now.between.opening = false;
        self.now.between.found = Found::default();
        // 7.E(2): only the side whose cover card appeared is reshuffled; at an opening both are.
        if self.table.variation == Variation::DoubleShoe {
            let covers = std::mem::take(&mut self.now.between.covers);
            self.now.between.sides_to_cut = if covers == 0 { 3 } else { covers };
            self.now.between.sides_shuffled = self.now.between.sides_to_cut;
        }
        self.now.between.covers = 0;
        self.now.between.cut.again = false;
        if self.table.shuffler == Shuffler::Continuous && !self.now.between.shuffler_out {
            self.rest_at(Rest::Load);
        } else {
            self.now.between.cut.refused = SeatSet::EMPTY;
            self.rest_at(Rest::Cut);
        }
    }

    /// 5.K, P7: a continuous device exempts a sister game from 5.H and 5.I.
    pub(super) fn may_idle(&self) -> bool {
        self.table.game == Game::Blackjack
            || self.table.shuffler != Shuffler::Continuous
            || self.now.between.shuffler_out
    }

    /// The least number of cards behind the cover card: a quarter of the stack (5.E(2), S1).
    pub(super) fn cover_margin(&self) -> u16 {
        self.stack_size().div_ceil(4)
    }

    fn check_place_cover(&self, from_bottom: u16) -> Result<(), Refusal> {
        let (least, most) = (self.cover_margin(), self.stack_size());
        if from_bottom < least || from_bottom > most {
            return self.refuse(Reason::CoverTooNearTheEnd { least }, Point::CoverDepth);
        }
        Ok(())
    }

    fn cover_is_placed(&mut self, from_bottom: u16, out: &mut impl Sink) {
        out.push(Event::CoverPlaced { from_bottom, source: self.cite(Point::CoverDepth) });
        // 3.C(2): each side of a double shoe has its own cut and cover card.
        self.now.between.sides_to_cut &= self.now.between.sides_to_cut.wrapping_sub(1);
        if self.now.between.sides_to_cut == 0 {
            // Who refused is kept: a recut goes to the last cutter or the next one entitled (5.F(1)).
            self.rest_at(Rest::Load);
        } else {
            self.now.between.cut.refused = SeatSet::EMPTY;
            self.now.between.cut.again = false;
            self.rest_at(Rest::Cut);
        }
    }

    /// 5.E(3), 7.B: the stack goes into the shoe, and its first card may have to be burnt. Dealt from the hand, it goes
    /// there with its cover card (12.B(3)).
    pub(super) fn load_shoe(&mut self, out: &mut impl Sink) {
        let in_hand = self.table.variation == Variation::FromTheHand;
        out.push(Event::ShoeLoaded { in_hand, source: self.cite(self.due_at(Rest::Load).1) });
        let batch = self.table.variation.burns_after_batch();
        self.now.set_burns(Burns { batch, unknown: false, ..self.now.between.burns });
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

    /// Until the decks in use have to be changed.
    pub fn decks_change_minutes(&self) -> Option<u32> {
        self.decks_age().map(|age| self.decks_last_minutes().saturating_sub(age))
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
    pub(super) fn on_at(&mut self, minute_of_day: u16, out: &mut impl Sink) -> Result<(), Refusal> {
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
        self.note_decks();
        if self.decks_are_due() || (self.decks_are_ageing() && !warned) {
            self.report_ageing(out);
        }
        Ok(())
    }

    pub(super) fn report_ageing(&self, out: &mut impl Sink) {
        let minutes_left = self.decks_age().map_or(0, |age| self.decks_last_minutes().saturating_sub(age));
        out.push(Event::DecksAgeing { minutes_left, source: self.cite(Point::DecksChanged) });
    }

    pub(super) fn check_shuffler_repaired(&self) -> Result<(), Refusal> {
        if self.now.between.shuffler_out { Ok(()) } else { self.not_now(InputKind::ShufflerRepaired) }
    }

    /// 13.S / 14.N: a floorperson puts the shuffler back to work; from the next shuffle on it is the method again.
    pub(super) fn on_shuffler_repaired(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_shuffler_repaired()?;
        self.now.between.shuffler_out = false;
        let source = self.cite(Point::ShufflerOutOfOrder);
        out.push(Event::Approved { by: InputKind::ShufflerRepaired, source });
        Ok(())
    }

    pub(super) fn check_permit(&self, seat: Seat) -> Result<(), Refusal> {
        self.check_seat(seat)?;
        if !matches!(self.now.phase, Phase::Wagering) || !self.now.between.sat_out.contains(seat) {
            return self.not_now(InputKind::Permit);
        }
        Ok(())
    }

    /// 6.C(1): a floorperson lets a seat wager again before the reshuffle.
    pub(super) fn on_permit(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_permit(seat)?;
        self.now.between.sat_out = self.now.between.sat_out.without(seat);
        out.push(Event::Approved { by: InputKind::Permit, source: self.cite(Point::MidShoePermit) });
        Ok(())
    }
}

/// The one side of a double shoe that these bits name; `None` for neither and for both.
pub(super) fn only_side(sides: u8) -> Option<ShoeSide> {
    [ShoeSide::Left, ShoeSide::Right].into_iter().find(|&side| sides == side_bit(side))
}
