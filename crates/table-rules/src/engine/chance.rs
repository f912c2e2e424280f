//! What a wheel or a random source said (B10, O2): inputs, never drawn here.

use super::Engine;
use super::side_placing::bits;
use super::state::{AfterWheel, Draws, Phase, WheelDue};
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::input::{Draw, InputKind, Text};
use crate::line::{Line, Outcome, Stake};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, SeatSet};
use crate::side::{Moment, Spin, Verdict, Wheel};
use crate::source::Point;
use crate::table::Tracking;
use crate::wager::WagerId;

impl Engine {
    // ---- wheels ----

    /// A box has won a spin.
    pub(super) fn wheel_is_due(&mut self, seat: Seat, wager: u8) {
        match &mut self.now.wheel {
            Some(due) if due.wager == wager => due.seats = due.seats.with(seat),
            Some(_) => {}
            None => self.now.wheel = Some(WheelDue { wager, seats: SeatSet::EMPTY.with(seat) }),
        }
    }

    /// Waits for the wheel before going on.
    pub(super) fn wait_for_wheel(&mut self, then: AfterWheel) -> bool {
        if self.now.wheel.is_none() {
            return false;
        }
        self.now.phase = Phase::Wheel(then);
        true
    }

    /// The clause of the wheel that is due.
    pub(super) fn wheel_point(&self) -> Point {
        match self.now.wheel.and_then(|due| self.offered(due.wager).wheel()) {
            Some(Wheel::HotSpot) => Point::XtremeWheelDecides,
            Some(Wheel::AtTheTurn) | None => Point::WheelDecides,
        }
    }

    /// What the wheel that is due gives, and where the round goes on after it.
    pub(super) fn check_wheel(
        &self,
        seat: Seat,
        wager: WagerId,
        symbol: Text,
    ) -> Result<(AfterWheel, WheelDue, Spin), Refusal> {
        let (Phase::Wheel(then), Some(due)) = (self.now.phase, self.now.wheel) else {
            return self.not_now(InputKind::Wheel);
        };
        self.check_in_play(seat)?;
        if self.offered(due.wager).id() != wager || !due.seats.contains(seat) {
            return self.refuse(Reason::NoSpinThere { seat, wager }, self.wheel_point());
        }
        match self.read_symbol(seat, due.wager, symbol) {
            Some(spin) => Ok((then, due, spin)),
            None => self.refuse(Reason::NotOnThisWheel(wager), self.wheel_point()),
        }
    }

    pub(super) fn on_wheel(
        &mut self,
        seat: Seat,
        wager: WagerId,
        symbol: Text,
        out: &mut impl Sink,
    ) -> Result<(), Refusal> {
        let (then, due, spin) = self.check_wheel(seat, wager, symbol)?;
        out.push(Event::WheelStopped { seat, wager, symbol, source: self.cite(self.wheel_point()) });
        match then {
            AfterWheel::DealerGoesOn => {
                self.now.wheel = None;
                self.settle_hot_spot(seat, due.wager, spin, out);
                self.dealer_goes_on(out);
            }
            AfterWheel::MainWagers => {
                self.now.box_mut(seat).spin = Some(spin);
                let left = due.seats.without(seat);
                self.now.wheel = if left.is_empty() { None } else { Some(WheelDue { seats: left, ..due }) };
                if left.is_empty() {
                    self.wheels_have_stopped(out);
                }
            }
        }
        Ok(())
    }

    pub(super) fn read_symbol(&self, seat: Seat, wager: u8, symbol: Text) -> Option<Spin> {
        self.offered(wager).spin(symbol.as_str(), self.side_stake(seat, wager).amount())
    }

    /// One spin for the table. The hot spot is paid its line, the others the community's or nothing.
    fn settle_hot_spot(&mut self, hot_spot: Seat, wager: u8, spin: Spin, out: &mut impl Sink) {
        for seat in self.now.in_play.iter(Direction::FromRight) {
            if self.now.box_at(seat).side_open & (1 << wager) == 0 {
                continue;
            }
            self.close_side(seat, wager);
            let others = spin.others.filter(|_| self.is_in_community(seat, hot_spot, wager));
            let line = if seat == hot_spot { Some(spin.spinner) } else { others };
            match line {
                Some(line) => self.push_side_win(seat, wager, line, out),
                None => self.push_side_line(seat, wager, None, self.side_stake(seat, wager), out),
            }
        }
    }

    /// The wheel at a box's turn: its own spin, and what it gives the others with the wager (O2).
    pub(super) fn push_spin_lines(&mut self, seat: Seat, wanted: fn(Outcome) -> bool, out: &mut impl Sink) {
        let Some(wager) = self.side.spun_at_turn else { return };
        // Where cards are not tracked a spin is claimed, and who has none is the dealer's to see (H6).
        if self.now.box_at(seat).side_open & (1 << wager) == 0 || self.tracking == Tracking::Procedure {
            return;
        }
        if let Some(spin) = self.now.box_at(seat).spin {
            if wanted(Outcome::Won) {
                self.close_side(seat, wager);
                self.push_side_win(seat, wager, spin.spinner, out);
                self.push_community_lines(seat, wager, spin, out);
            }
        } else if !self.community_pays(seat, wager) && wanted(Outcome::Lost) {
            self.close_side(seat, wager);
            self.push_side_line(seat, wager, None, self.side_stake(seat, wager), out);
        }
    }

    /// Whether another box's spin pays this one.
    fn community_pays(&self, seat: Seat, wager: u8) -> bool {
        self.now.in_play.iter(Direction::FromRight).any(|spinner| {
            let line = self.now.box_at(spinner).spin.and_then(|spin| spin.others);
            let stake = self.side_stake(seat, wager).amount();
            self.is_in_community(seat, spinner, wager)
                && line.is_some_and(|line| self.offered(wager).pay_others(line, stake).is_some())
        })
    }

    fn push_community_lines(&mut self, spinner: Seat, wager: u8, spin: Spin, out: &mut impl Sink) {
        let Some(line) = spin.others else { return };
        for seat in self.now.in_play.iter(Direction::FromRight) {
            let placed = self.now.box_at(seat).side_placed & (1 << wager) != 0;
            if !placed || !self.is_in_community(seat, spinner, wager) {
                continue;
            }
            let stake = self.side_stake(seat, wager);
            let Some(priced) = self.offered(wager).pay_others(line, stake.amount()) else { continue };
            // The stake is stated once, on the box's first line of this wager.
            let first = self.now.box_at(seat).side_open & (1 << wager) != 0 && self.now.box_at(seat).spin.is_none();
            if first {
                self.close_side(seat, wager);
            }
            self.push_side_line(seat, wager, Some((line, priced)), if first { stake } else { Stake::NONE }, out);
        }
    }

    // ---- draws ----

    /// B10: this round has a draw that nobody has told yet. It comes between the lock and the first card, so that it
    /// cannot depend on one; where the wager of a drawn winner goes back, it is open again.
    #[inline]
    pub fn draw_is_due(&self) -> bool {
        self.side.has_draws
            && !matches!(self.now.phase, Phase::Wagering | Phase::Settlement)
            && self.draw_is_missing(self.now.between.round)
    }

    /// Whether wagers are open and a draw will follow their lock: then the first card cannot stand for the lock.
    pub fn draw_follows_lock(&self) -> bool {
        self.side.has_draws
            && matches!(self.now.phase, Phase::Wagering)
            && self.draw_is_missing(self.now.between.round + 1)
    }

    fn draw_is_missing(&self, round: u64) -> bool {
        let draws = self.now.draws;
        let bonus = || (draws.magic.is_none() || draws.player.is_none()) && self.bonus_draws_open(round);
        let must_hit = || draws.must_hit.is_none() && !self.must_hit_seats().is_empty();
        (!draws.none && (bonus() || must_hit())) || (draws.must_hit_again && must_hit())
    }

    /// The must-hit meter stands at its ceiling and nobody has said who wins it.
    pub(super) fn must_hit_falls(&self) -> bool {
        self.now.draws.must_hit.is_none() && self.must_hit_is_certain()
    }

    /// Bonuses are drawn in every n-th round (W13), and never once a card lies on the table.
    fn bonus_draws_open(&self, round: u64) -> bool {
        let Some(wager) = self.side.drawn_bonuses else { return false };
        let every = self.offered(wager).every_n_rounds();
        every.is_some_and(|n| n > 0 && round.is_multiple_of(u64::from(n)))
            && self.before_first_card()
            && self.now.in_play.iter(Direction::FromLeft).any(|seat| self.takes_part(seat, wager))
    }

    /// Whether a wager of this box is in the round, settled or not: it lies there and was not given back.
    fn takes_part(&self, seat: Seat, wager: u8) -> bool {
        let id = self.offered(wager).id();
        let given_back = |line: &Line| {
            (line.seat, line.wager) == (seat, id) && matches!(line.outcome, Outcome::Dead | Outcome::Void)
        };
        self.now.box_at(seat).side_placed & (1 << wager) != 0 && !self.now.lines.iter().any(given_back)
    }

    /// Boxes among which the must-hit winner is drawn: those that carry its wager in the round.
    fn must_hit_seats(&self) -> SeatSet {
        let Some(wager) = self.side.must_hit else { return SeatSet::EMPTY };
        let bearer = self.stake_bearer(wager);
        self.now.in_play.iter(Direction::FromLeft).filter(|&seat| self.takes_part(seat, bearer)).collect()
    }

    /// The drawn winner's wager goes back: whoever else has one is drawn among again, and the meter still falls by its
    /// ceiling.
    pub(super) fn forget_returned_winner(&mut self, seat: Seat) {
        let draws = &mut self.now.draws;
        if draws.must_hit == Some(seat) {
            draws.must_hit = None;
            draws.must_hit_again = true;
        }
    }

    fn draw_is_legal(&self, draw: Draw) -> bool {
        let draws = self.now.draws;
        let bonus = || !draws.none && self.bonus_draws_open(self.now.between.round);
        self.draw_is_due()
            && match draw {
                Draw::Magic(card) => draws.magic.is_none() && self.table.game.plays_with(card.rank()) && bonus(),
                Draw::Player(seat) => draws.player.is_none() && seat.number() <= self.table.positions && bonus(),
                Draw::MustHit(seat) => draws.must_hit.is_none() && self.must_hit_seats().contains(seat),
                Draw::None => !self.must_hit_falls(),
            }
    }

    pub(super) fn check_draw(&self, draw: Draw) -> Result<(), Refusal> {
        if !self.draw_is_due() && self.now.draws == Draws::default() {
            return self.not_now(InputKind::Draw);
        }
        if !self.draw_is_legal(draw) {
            return self.refuse(Reason::DrawNotOpen, Point::RandomDraws);
        }
        Ok(())
    }

    pub(super) fn on_draw(&mut self, draw: Draw, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_draw(draw)?;
        let draws = &mut self.now.draws;
        match draw {
            Draw::Magic(card) => draws.magic = Some(card),
            Draw::Player(seat) => draws.player = Some(seat),
            Draw::MustHit(seat) => draws.must_hit = Some(seat),
            Draw::None => (draws.none, draws.must_hit_again) = (true, false),
        }
        out.push(Event::Drawn { draw, source: self.cite(Point::RandomDraws) });
        if matches!(self.now.phase, Phase::AskAdditional) && !self.settlement_questions_are_open() {
            self.begin_settlement(out);
        }
        Ok(())
    }

    /// Where cards are not tracked: what the draws gave each box, once the dealer's hand is complete.
    pub(super) fn push_drawn_lines_of_all(&mut self, out: &mut impl Sink) {
        if !self.side.has_draws {
            return;
        }
        for seat in self.now.in_play.iter(Direction::FromRight) {
            for wager in bits(self.side_wagers_in_play(seat)) {
                self.push_drawn_lines(seat, wager, out);
            }
        }
    }

    /// What the draws gave this wager of this box, after its own line.
    pub(super) fn push_drawn_lines(&mut self, seat: Seat, wager: u8, out: &mut impl Sink) {
        let draws = self.now.draws;
        let offered = self.offered(wager);
        if self.takes_part(seat, wager) {
            let each = self.now.box_at(seat);
            let seen = draws.magic.filter(|_| each.first_known);
            let magic = seen.and_then(|card| offered.magic_card(card, each.first));
            let lucky = draws.player.filter(|&player| player == seat).and_then(|_| offered.lucky_player());
            for line in [magic, lucky].into_iter().flatten() {
                let priced = self.price(seat, wager, line);
                self.push_side_line(seat, wager, Some((line, priced)), Stake::NONE, out);
            }
        }
        let open = self.now.box_at(seat).side_open & (1 << wager) != 0;
        let Some(line) = self.offered(wager).must_hit().filter(|_| open && !self.draw_is_due()) else { return };
        self.close_side(seat, wager);
        if draws.must_hit == Some(seat) {
            self.push_side_win(seat, wager, line, out);
        }
    }

    /// Boxes that have won a spin at their turn to be paid.
    pub(super) fn ask_for_spins(&mut self) {
        let Some(wager) = self.side.spun_at_turn else { return };
        self.now.moment = Moment::TurnToBePaid;
        let dealer = self.now.dealer;
        for seat in self.now.in_play.iter(Direction::FromRight) {
            if self.now.box_at(seat).side_open & (1 << wager) == 0 || self.now.box_at(seat).spin.is_some() {
                continue;
            }
            let mut visible = self.visible(seat, Moment::TurnToBePaid, &dealer);
            visible.stake = self.side_stake(seat, wager).amount();
            match self.offered(wager).evaluate(&visible) {
                Verdict::NeedsWheel => self.wheel_is_due(seat, wager),
                Verdict::NeedsAmount => self.ask_side_amount(seat, wager),
                // A wager without a spin may still be paid by another box's: its line waits for the wheel.
                Verdict::NotYet | Verdict::Lost | Verdict::Won { .. } | Verdict::NeedsDraw => {}
            }
        }
    }
}
