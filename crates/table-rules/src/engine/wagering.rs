//! Before the deal: wagers, one person's boxes, the lock, burns and new dealers (Chapters 6 and 7.B).

use super::Engine;
use super::state::{BurnDue, Burns, DealStep, Pending, Phase, Rest, SIDE_MAX, Step};
use crate::event::{Event, Place, Sink};
use crate::input::{Drawn, InputKind, Text};
use crate::line::Stake;
use crate::money::Cents;
use crate::prompt::AmountRange;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::{ShoeSide, Tracking, Variation};
use crate::wager::WagerId;

/// The last amount of each wager that was accepted. Nothing but the table decides which may be staked, so that it may be
/// staked again.
#[derive(Clone, Debug)]
pub(super) struct Staked {
    main: Stake,
    side: [Stake; SIDE_MAX],
}

impl Staked {
    pub(super) const NONE: Self = Self { main: Stake::NONE, side: [Stake::NONE; SIDE_MAX] };

    /// Known amounts only: whether one may be left out is asked every time.
    #[inline(always)]
    fn passed_main(&self, amount: Option<Cents>) -> bool {
        amount.is_some() && self.main.amount() == amount
    }

    #[inline(always)]
    fn passed_side(&self, side: u8, amount: Option<Cents>) -> bool {
        amount.is_some() && self.side[usize::from(side) & (SIDE_MAX - 1)].amount() == amount
    }
}

impl Engine {
    #[inline(always)]
    pub(super) fn on_wager(
        &mut self,
        seat: Seat,
        wager: WagerId,
        amount: Option<Cents>,
        out: &mut impl Sink,
    ) -> Result<(), Refusal> {
        match self.check_wager(seat, wager, amount)? {
            None => {
                self.now.box_mut(seat).main = Stake::from_input(amount);
                self.now.in_play = self.now.in_play.with(seat);
                self.staked.main = Stake::from_input(amount);
            }
            Some(side) => {
                self.staked.side[usize::from(side) & (SIDE_MAX - 1)] = Stake::from_input(amount);
                let placed = self.now.box_mut(seat);
                placed.side[usize::from(side)] = Stake::from_input(amount);
                placed.side_placed |= 1 << side;
            }
        }
        self.now.set_cash(seat, false);
        out.push(Event::WagerPlaced { seat, wager, amount, source: self.cite(Point::PlaceWagers) });
        Ok(())
    }

    /// The place of the side wager that may be put there; `None` for the main wager.
    #[inline(always)]
    pub(super) fn check_wager(&self, seat: Seat, wager: WagerId, amount: Option<Cents>) -> Result<Option<u8>, Refusal> {
        if !matches!(self.now.phase, Phase::Wagering) {
            return self.refuse(Reason::WagersAreClosed, Point::WagersBeforeFirstCard);
        }
        self.check_seat(seat)?;
        let side = self.check_wager_id(wager)?;
        if self.now.between.sat_out.contains(seat) {
            return self.refuse(Reason::SatOutThisShoe(seat), Point::MidShoeEntry);
        }
        match side {
            None if self.staked.passed_main(amount) => {}
            None => self.check_main_amount(amount)?,
            Some(side) => {
                if !self.staked.passed_side(side, amount) {
                    self.check_side_stake(side, amount)?;
                }
                self.check_spot_is_free(seat, side, amount)?;
            }
        }
        Ok(side)
    }

    /// The place of the side wager that may be taken back; `None` for the main wager.
    pub(super) fn check_unwager(&self, seat: Seat, wager: WagerId) -> Result<Option<u8>, Refusal> {
        if !matches!(self.now.phase, Phase::Wagering) {
            return self.refuse(Reason::WagersAreClosed, Point::WagersUntouched);
        }
        self.check_seat(seat)?;
        let side = self.check_wager_id(wager)?;
        if !self.wager_is_placed(seat, side) {
            return self.refuse(Reason::NoWagerThere { seat, wager }, Point::PlaceWagers);
        }
        Ok(side)
    }

    pub(super) fn on_unwager(&mut self, seat: Seat, wager: WagerId, out: &mut impl Sink) -> Result<(), Refusal> {
        match self.check_unwager(seat, wager)? {
            None => {
                self.now.box_mut(seat).main = Stake::NONE;
                self.now.in_play = self.now.in_play.without(seat);
            }
            Some(side) => {
                let freed = self.now.box_mut(seat);
                freed.side[usize::from(side)] = Stake::NONE;
                freed.side_placed &= !(1 << side);
            }
        }
        out.push(Event::WagerRemoved { seat, wager, source: self.cite(Point::PlaceWagers) });
        Ok(())
    }

    /// 6.B: a spoken wager with cash waits until it is in chips, or goes back.
    pub(super) fn on_cash(&mut self, seat: Seat, returned: bool, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_cash(seat, returned)?;
        self.now.set_cash(seat, !returned);
        out.push(Event::CashWager { seat, returned, source: self.cite(Point::SpokenWager) });
        Ok(())
    }

    pub(super) fn check_cash(&self, seat: Seat, returned: bool) -> Result<(), Refusal> {
        if !matches!(self.now.phase, Phase::Wagering) {
            return self.refuse(Reason::WagersAreClosed, Point::WagersBeforeFirstCard);
        }
        self.check_seat(seat)?;
        if self.now.between.sat_out.contains(seat) {
            return self.refuse(Reason::SatOutThisShoe(seat), Point::MidShoeEntry);
        }
        match (self.now.cash.contains(seat), returned) {
            (true, false) => self.refuse(Reason::CashWaits(seat), Point::SpokenWager),
            (false, true) => self.refuse(Reason::NoCashThere(seat), Point::SpokenWager),
            (true, true) | (false, false) => Ok(()),
        }
    }

    #[inline(always)]
    pub(super) fn check_seat(&self, seat: Seat) -> Result<(), Refusal> {
        if seat.number() > self.table.positions {
            return self.refuse(Reason::NoSuchSeat { seat, positions: self.table.positions }, Point::Positions);
        }
        Ok(())
    }

    pub(super) fn wager_is_placed(&self, seat: Seat, side: Option<u8>) -> bool {
        match side {
            None => self.now.in_play.contains(seat),
            Some(side) => self.now.box_at(seat).side_placed & (1 << side) != 0,
        }
    }

    /// The place of a side wager among those on offer; `None` for the main wager.
    #[inline(always)]
    pub(super) fn check_wager_id(&self, wager: WagerId) -> Result<Option<u8>, Refusal> {
        if wager == WagerId::Main {
            return Ok(None);
        }
        if matches!(wager, WagerId::Insurance | WagerId::AdditionalPayout) {
            return self.refuse(Reason::NotPlacedBeforeTheDeal(wager), Point::WagersBeforeFirstCard);
        }
        match self.side_position(wager) {
            Some(side) => Ok(Some(side)),
            None => self.refuse(Reason::WagerNotOffered(wager), Point::OptionalWagers),
        }
    }

    /// The amounts a main wager may have: the posted limits in steps of the smallest chip (H3).
    #[inline]
    pub(super) fn main_range(&self) -> AmountRange {
        AmountRange {
            least: self.table.limits.minimum,
            most: self.table.limits.maximum,
            step: self.table.smallest_chip,
            may_be_unknown: true,
        }
    }

    #[inline]
    pub(super) fn check_main_amount(&self, amount: Option<Cents>) -> Result<(), Refusal> {
        let Some(amount) = amount else { return Ok(()) };
        let range = self.main_range();
        let reason = if amount <= Cents::ZERO {
            Reason::AmountNotPositive
        } else if amount < range.least {
            Reason::BelowMinimum { minimum: range.least }
        } else if amount > range.most {
            Reason::AboveMaximum { maximum: range.most }
        } else if !amount.is_multiple_of(range.step) {
            Reason::NotInChips { smallest: range.step }
        } else {
            return Ok(());
        };
        self.refuse(reason, Point::TableLimits)
    }

    pub(super) fn on_link(&mut self, seats: SeatSet, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_link(seats)?;
        // The last word stands: whom an earlier one had joined to these boxes and this one does not name plays alone.
        let earlier = self.now.links;
        for seat in seats.iter(crate::game::Direction::FromLeft) {
            for left in earlier[seat.index()].iter(crate::game::Direction::FromLeft) {
                self.now.links[left.index()] = SeatSet::EMPTY;
            }
        }
        let person = if seats.len() > 1 { seats } else { SeatSet::EMPTY };
        for seat in seats.iter(crate::game::Direction::FromLeft) {
            self.now.links[seat.index()] = person;
        }
        out.push(Event::BoxesLinked { seats, source: self.cite(Point::AdjacentBoxes) });
        Ok(())
    }

    pub(super) fn check_link(&self, seats: SeatSet) -> Result<(), Refusal> {
        if !matches!(self.now.phase, Phase::Wagering | Phase::AskAdditional) {
            return self.not_now(InputKind::Link);
        }
        let asked = matches!(self.now.phase, Phase::AskAdditional);
        let allowed = if asked { self.now.in_play } else { SeatSet::first(self.table.positions) };
        if let Some(seat) = seats.minus(SeatSet::first(self.table.positions)).lowest() {
            return self.refuse(Reason::NoSuchSeat { seat, positions: self.table.positions }, Point::Positions);
        }
        if let Some(seat) = seats.minus(allowed).lowest() {
            return self.refuse(Reason::NoWagerThere { seat, wager: WagerId::Main }, Point::OnePersonOnePayment);
        }
        if seats.is_empty() || !seats.is_adjacent_run() {
            return self.refuse(Reason::BoxesNotAdjacent, Point::AdjacentBoxes);
        }
        if !self.boxes_may_be_linked() || seats.len() > u32::from(self.table.adjacent_boxes) {
            return self.refuse(Reason::TooManyBoxes { most: self.table.adjacent_boxes }, Point::AdjacentBoxes);
        }
        Ok(())
    }

    /// Whether anybody may play more than one box here (6.H).
    pub(super) fn boxes_may_be_linked(&self) -> bool {
        self.table.adjacent_boxes > 1
    }

    /// Whether this card may be the round's first and so close the wagers. Refuses here what would be refused after the
    /// lock, so that a refused card leaves the table open.
    pub(super) fn check_first_card(&self, drawn: Drawn, side: bool) -> Result<(), Refusal> {
        if self.tracking == Tracking::Procedure {
            return self.refuse(Reason::WrongTracking(InputKind::Card), Point::ProcedureSteps);
        }
        self.check_lock()?;
        // Dealt from the hand, a card is burnt before every round, so the first card cannot be a player's.
        if self.burn_is_required() || self.table.variation == Variation::FromTheHand {
            return self.refuse(Reason::NotNow(InputKind::Card), self.burn_point());
        }
        if self.draw_follows_lock() {
            return self.refuse(Reason::LockForTheDraw, Point::RandomDraws);
        }
        match (self.table.variation, side) {
            (Variation::DoubleShoe, false) => return self.refuse(Reason::TellTheSide, Point::Determinant),
            (Variation::DoubleShoe, true) => {}
            (_, true) => return self.refuse(Reason::NoSides, Point::DealFirstCards),
            (_, false) => {}
        }
        match drawn {
            Drawn::FaceUp(card) => self.check_in_deck(card),
            Drawn::FaceDown => self.refuse(Reason::MustBeFaceUp, Point::DealFirstCards),
        }
    }

    pub(super) fn check_lock(&self) -> Result<(), Refusal> {
        if !matches!(self.now.phase, Phase::Wagering) {
            return self.refuse(Reason::WagersAreClosed, Point::WagersBeforeFirstCard);
        }
        let pending = self.now.pending;
        if let (true, Some(seat)) = (pending.has(Pending::CASH), self.now.cash.lowest()) {
            return self.refuse(Reason::CashWaits(seat), Point::SpokenWager);
        }
        self.check_no_ten_waits(InputKind::Lock)?;
        if self.now.in_play.is_empty() {
            return self.refuse(Reason::NoWagers, Point::MainWagerFirst);
        }
        if pending.has(Pending::READER_OUT) {
            return self.refuse(Reason::ReaderOut, Point::ReaderMalfunction);
        }
        if pending.has(Pending::OLD_DECKS) {
            return self.refuse(Reason::DecksTooOld, Point::DecksChanged);
        }
        if self.now.meters.iter().any(|meter| !meter.has_room()) {
            return self.refuse(Reason::MeterAtItsEnd, Point::ContributionsAtLock);
        }
        self.check_sides_have_main()
    }

    pub(super) fn lock(&mut self, by_first_card: bool, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_lock()?;
        self.now.between.round += 1;
        if self.table.no_mid_shoe_entry {
            let everyone = SeatSet::first(self.table.positions);
            self.now.between.sat_out = self.now.between.sat_out.union(everyone.minus(self.now.in_play));
        }
        let source = self.cite(Point::WagersBeforeFirstCard);
        out.push(Event::WagersLocked { by_first_card, source });
        self.open_side_wagers();
        self.feed_meters(out);
        self.now.phase = match self.tracking {
            Tracking::Procedure => Phase::Procedure(Step::Deal),
            Tracking::Cards => match self.now.in_play.lowest() {
                Some(_) if self.table.variation == Variation::DoubleShoe => Phase::Dealing(DealStep::Determinant),
                Some(seat) => Phase::Dealing(DealStep::First(seat, 0)),
                None => Phase::Wagering,
            },
        };
        if self.table.variation == Variation::FromTheHand {
            self.now.set_burns(Burns { each_round: true, ..self.now.between.burns });
        }
        // Who played this round may be offered the cut after it (5.D).
        self.now.between.cut.seated = self.now.in_play;
        Ok(())
    }

    pub(super) fn check_late(&self, seat: Seat, wager: WagerId) -> Result<(), Refusal> {
        if matches!(self.now.phase, Phase::Wagering) {
            return self.not_now(InputKind::Late);
        }
        self.check_seat(seat)?;
        self.check_wager_id(wager).map(drop)
    }

    pub(super) fn on_late(&mut self, seat: Seat, wager: WagerId, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_late(seat, wager)?;
        out.push(Event::LateWager { seat, wager, source: self.cite(Point::SensorLitAtLock) });
        Ok(())
    }

    pub(super) fn check_dealer_change(&self) -> Result<(), Refusal> {
        if !matches!(self.now.phase, Phase::Wagering | Phase::Resting(_)) {
            return self.not_now(InputKind::DealerChange);
        }
        Ok(())
    }

    pub(super) fn on_dealer_change(&mut self, name: Text, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_dealer_change()?;
        // 7.C: a double shoe knows no burns.
        let new_dealer = self.table.variation != Variation::DoubleShoe;
        self.now.set_burns(Burns { new_dealer, ..self.now.between.burns });
        out.push(Event::DealerChanged { name, source: self.cite(Point::BurnForNewDealer) });
        Ok(())
    }

    /// Whether no card of this round has left the shoe yet.
    #[inline]
    pub(super) fn before_first_card(&self) -> bool {
        if let Phase::Dealing(DealStep::First(seat, 0)) = self.now.phase {
            return Some(seat) == self.now.in_play.lowest();
        }
        matches!(self.now.phase, Phase::Wagering | Phase::Procedure(Step::Deal) | Phase::Dealing(DealStep::Determinant))
    }

    /// A burn after the stack was put into the shoe says that it was.
    pub(super) fn burn_loads_the_shoe(&self) -> bool {
        matches!(self.now.phase, Phase::Resting(Rest::Load)) && self.table.variation.burns_after_batch()
    }

    pub(super) fn check_burn(&self) -> Result<(), Refusal> {
        self.check_no_ten_waits(InputKind::Burn)?;
        let due = self.now.between.burns.next() != BurnDue::No && self.before_first_card();
        if self.burn_loads_the_shoe() || due { Ok(()) } else { self.not_now(InputKind::Burn) }
    }

    pub(super) fn on_burn(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_burn()?;
        if self.burn_loads_the_shoe() {
            self.load_shoe(out);
        }
        let point = self.burn_point();
        self.now.burnt = Some(self.now.between.burns.next());
        self.now.set_burns(self.now.between.burns.one_less());
        out.push(Event::Burnt { source: self.cite(point) });
        Ok(())
    }

    /// The cover card of one side of a double shoe. Both sides may show theirs in one round.
    pub(super) fn check_cover_from(&self, side: ShoeSide) -> Result<Place, Refusal> {
        if self.table.variation != Variation::DoubleShoe {
            return self.refuse(Reason::NoSides, self.due());
        }
        if self.now.between.covers & side_bit(side) != 0 {
            return self.refuse(Reason::AlreadySeen, Point::CoverCard);
        }
        self.next_place().map_or_else(|| self.not_now(InputKind::Cover), Ok)
    }

    pub(super) fn on_cover_from(&mut self, side: ShoeSide, out: &mut impl Sink) -> Result<(), Refusal> {
        let at = self.check_cover_from(side)?;
        self.cover_appeared(side, at, out);
        Ok(())
    }

    fn cover_appeared(&mut self, side: ShoeSide, at: Place, out: &mut impl Sink) {
        self.now.between.covers |= side_bit(side);
        self.now.between.cover_seen = true;
        self.now.cover_at = Some(at);
        out.push(Event::CoverCardAppeared { at, source: self.cite(Point::CoverCard) });
    }

    /// The clause that asks for the burn that is due.
    pub(super) fn burn_point(&self) -> Point {
        match self.now.between.burns.next() {
            BurnDue::No if self.table.variation == Variation::FromTheHand => Point::BurnEachRound,
            BurnDue::No | BurnDue::MayBe | BurnDue::Batch => Point::BurnAfterBatch,
            BurnDue::EachRound => Point::BurnEachRound,
            BurnDue::NewDealer => Point::BurnForNewDealer,
        }
    }

    pub(super) fn check_cover(&self) -> Result<Place, Refusal> {
        if self.now.between.cover_seen {
            return self.refuse(Reason::AlreadySeen, Point::CoverCard);
        }
        self.next_place().map_or_else(|| self.not_now(InputKind::Cover), Ok)
    }

    pub(super) fn on_cover(&mut self, out: &mut impl Sink) -> Result<(), Refusal> {
        let at = self.check_cover()?;
        self.cover_appeared(self.now.drawn_from.unwrap_or(ShoeSide::Left), at, out);
        Ok(())
    }

    /// Where the next card from the shoe would go; `None` while no card may leave it.
    pub(super) fn next_place(&self) -> Option<Place> {
        match self.now.phase {
            Phase::Wagering if self.now.in_play.is_empty() => None,
            Phase::Wagering => Some(Place::Shoe),
            Phase::Dealing(DealStep::First(seat, hand) | DealStep::Second(seat, hand)) => {
                Some(Place::Hand { seat, hand: hand + 1 })
            }
            Phase::Dealing(DealStep::Determinant) => Some(Place::Shoe),
            Phase::Dealing(DealStep::UpCard) | Phase::DealerDraws => Some(Place::Dealer),
            Phase::Dealing(DealStep::HoleCard) => Some(Place::HoleCard),
            Phase::Decisions => {
                let turn = self.now.turn;
                Some(Place::Hand { seat: turn.seat, hand: turn.hand + 1 })
            }
            Phase::Procedure(Step::Deal | Step::Decisions | Step::DealerDraws) => Some(Place::Shoe),
            Phase::Wheel(_) | Phase::Irregularity(_) | Phase::Resting(_) => None,
            Phase::FirstCards
            | Phase::Insurance
            | Phase::Peek
            | Phase::ReaderStopped
            | Phase::BustCards
            | Phase::Reveal
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Settlement
            | Phase::Procedure(
                Step::FirstCards | Step::Insurance | Step::Peek | Step::DealerBlackjack | Step::Reveal | Step::Settle,
            ) => None,
        }
    }
}

/// A side of the double shoe as a bit.
pub(super) const fn side_bit(side: ShoeSide) -> u8 {
    match side {
        ShoeSide::Left => 1,
        ShoeSide::Right => 2,
    }
}
