//! The progressive meters during a round: fed at the lock, paid at a player's turn, reversed by a void (X1, X3, X4).

use super::Engine;
use super::side_placing::bits;
use super::state::Phase;
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::line::{Approval, Due, Line};
use crate::meter::{Exact, Meter, MeterRefusal, Pool, TwoPeople};
use crate::money::{Cents, MeterName, Pay};
use crate::seat::Seat;
use crate::source::{Point, Source};
use crate::table::Table;
use crate::wager::WagerId;

/// Every meter of the table, wager by wager in the submission's order.
pub(super) fn meters_of(table: &Table) -> Vec<Meter> {
    table.wagers.iter().flat_map(crate::side::OfferedWager::meters).map(|meter| Meter::new(meter.terms)).collect()
}

/// Meters do their arithmetic in ranges that table limits cannot reach; a refusal here is a bug, and going on would
/// corrupt money.
const MUST_POST: &str = "a meter takes every stake that the submission allows";

impl Engine {
    pub(super) fn meter_position(&self, wager: u8, name: MeterName) -> Option<usize> {
        let (from, _) = *self.side.meters.get(usize::from(wager))?;
        let at = self.offered(wager).meters().iter().position(|meter| meter.name == name)?;
        Some(usize::from(from) + at)
    }

    /// X3: contributions post at the lock, for every progressive wager that was accepted.
    pub(super) fn feed_meters(&mut self, out: &mut impl Sink) {
        if self.now.meters.is_empty() {
            return;
        }
        let round = u32::try_from(self.now.between.round).unwrap_or(u32::MAX);
        for meter in &mut self.now.meters {
            let opened = meter.open_round(round);
            assert!(opened.is_ok(), "the last round closed its meters");
        }
        for wager in 0..self.side.meters.len() {
            let (from, to) = self.side.meters[wager];
            let wager = u8::try_from(wager).unwrap_or(u8::MAX);
            if from == to {
                continue;
            }
            let mut staked = Cents::ZERO;
            for seat in self.now.in_play.iter(Direction::FromLeft) {
                if self.now.box_at(seat).side_open & (1 << wager) == 0 {
                    continue;
                }
                let Some(stake) = self.side_stake(seat, wager).amount() else { continue };
                staked += stake;
                for meter in &mut self.now.meters[usize::from(from)..usize::from(to)] {
                    assert!(meter.contribute(stake).is_ok(), "{MUST_POST}");
                }
            }
            if staked > Cents::ZERO {
                self.report_meters(wager, staked, out);
            }
        }
    }

    fn report_meters(&self, wager: u8, staked: Cents, out: &mut impl Sink) {
        let (from, _) = self.side.meters[usize::from(wager)];
        for (at, meter) in self.offered(wager).meters().iter().enumerate() {
            out.push(Event::MeterFed {
                wager: self.offered(wager).id(),
                meter: meter.name,
                staked,
                amount: self.now.meters[usize::from(from) + at].amount(),
                source: self.cite(Point::ContributionsAtLock),
            });
        }
    }

    /// H9: the meters are read when the table closes.
    pub(super) fn read_meters(&self, out: &mut impl Sink) {
        let source = self.cite(Point::CloseTable);
        for (wager, meter, shows) in self.meters() {
            out.push(Event::MeterRead { wager, meter, amount: shows.amount(), source });
        }
    }

    pub(super) fn close_meters(&mut self) {
        for meter in &mut self.now.meters {
            // A round that never locked has not opened its meters.
            let _closed = meter.close_round();
        }
    }

    /// X3: a returned wager's contribution goes back, by an entry that names its clause.
    pub(super) fn reverse_contribution(&mut self, seat: Seat, wager: u8, source: Source, out: &mut impl Sink) {
        let Some(stake) = self.side_stake(seat, wager).amount() else { return };
        let (from, to) = self.side.meters[usize::from(wager)];
        for at in usize::from(from)..usize::from(to) {
            let reversed = self.now.meters[at].reverse(stake, source);
            let Ok(reversal) = reversed else { panic!("a stake of this round can be taken back out: {reversed:?}") };
            let id = self.offered(wager).id();
            let meter = self.offered(wager).meters()[at - usize::from(from)].name;
            let amount = self.now.meters[at].amount();
            out.push(Event::MeterReversed { wager: id, meter, seat, staked: stake, amount, source });
            if reversal.seeded > Exact::ZERO {
                out.push(Event::MeterSeeded { wager: id, meter, seed: reversal.seeded, amount, source });
            }
        }
    }

    /// X3: a lock that is taken back takes its contributions with it, by entries of their own.
    pub(super) fn reverse_all_contributions(&mut self, out: &mut impl Sink) {
        let source = self.cite(Point::ContributionsAtLock);
        for seat in self.now.in_play.iter(Direction::FromLeft) {
            for wager in bits(self.now.box_at(seat).side_open) {
                self.reverse_contribution(seat, wager, source, out);
            }
        }
    }

    /// After a correction: meters that stand higher than before were fed again, by the stakes that had gone back.
    pub(super) fn report_grown_meters(&self, before: &[Meter], out: &mut impl Sink) {
        for (wager, &(from, to)) in (0u8..).zip(&self.side.meters) {
            let fed = |at: usize| fed_between(before.get(at)?, &self.now.meters[at]);
            if let Some(staked) = (usize::from(from)..usize::from(to)).find_map(fed) {
                self.report_meters(wager, staked, out);
            }
        }
    }

    fn meter_of_line(&self, line: &Line) -> Option<(usize, u8)> {
        let Some(Pay::Meter { percent, meter }) = line.pay else { return None };
        let wager = self.side_position(line.wager)?;
        Some((self.meter_position(wager, meter)?, percent))
    }

    /// X1: a meter line is priced when its turn to be paid has come, from the meter as it stands then.
    pub(super) fn price_current_line(&mut self, out: &mut impl Sink) {
        let Some(&line) = self.now.current_line() else { return };
        if line.pays.is_known() {
            return;
        }
        let Some((at, percent)) = self.meter_of_line(&line) else { return };
        let amount = Cents(self.now.meters[at].amount().0 * i64::from(percent) / 100);
        let second =
            self.side_position(line.wager).is_some_and(|wager| self.offered(wager).needs_second_person(amount));
        let current = self.now.confirmed;
        let priced = &mut self.now.lines[current];
        priced.pays = Due::of(amount);
        if second {
            priced.approval = Approval::ProgressiveBySecond;
        }
        out.push(Event::Settled(*priced));
    }

    /// The dealer paid a meter line: now, and only now, the meter falls.
    pub(super) fn pay_from_meter(&mut self, line: &Line, out: &mut impl Sink) {
        let Some((at, percent)) = self.meter_of_line(line) else { return };
        let paid = self.now.meters[at].pay(percent, line.seat.number());
        let Ok(payment) = paid else { panic!("a meter pays what it shows: {paid:?}") };
        assert_eq!(Some(payment.paid), line.pays.amount(), "the line was priced from this meter");
        let Some(Pay::Meter { meter, .. }) = line.pay else { return };
        out.push(Event::MeterPaid {
            wager: line.wager,
            meter,
            seat: line.seat,
            paid: payment.paid,
            seed: payment.reset.map(|reset| reset.seed),
            amount: self.now.meters[at].amount(),
            source: line.source,
        });
    }

    /// Whether a jackpot of this round has been paid: that blocks a void without a manager, and any going back.
    pub(super) fn jackpots_paid(&self) -> usize {
        self.now.lines[..self.now.confirmed].iter().filter(|line| self.is_jackpot(line)).count()
    }

    /// The must-hit meter has reached its ceiling: this round's draw has to name a winner (B10).
    pub(super) fn must_hit_is_certain(&self) -> bool {
        let Some(wager) = self.side.must_hit else { return false };
        let meter = self.offered(wager).must_hit_meter();
        let Some(at) = meter.and_then(|meter| self.meter_position(wager, meter)) else { return false };
        let anyone = self
            .now
            .in_play
            .iter(Direction::FromLeft)
            .any(|seat| bits(self.now.box_at(seat).side_open).any(|open| open == wager));
        let odds = self.now.meters[at].must_hit_odds();
        anyone && matches!(odds, Ok(Some(odds)) if odds.numerator() == odds.denominator())
    }

    /// Two people correct what a meter holds, between rounds; the reason is kept by whoever keeps the record.
    pub fn correct_meter(
        &mut self,
        wager: WagerId,
        name: MeterName,
        pool: Pool,
        delta: Cents,
        people: TwoPeople,
        reason: &str,
    ) -> Result<(), MeterRefusal> {
        let rests = matches!(self.now.phase, Phase::Wagering | Phase::Resting(_));
        let at = self
            .table
            .wagers
            .iter()
            .position(|offered| offered.id() == wager)
            .and_then(|at| u8::try_from(at).ok())
            .and_then(|at| self.meter_position(at, name));
        let Some(at) = at.filter(|_| rests) else { return Err(MeterRefusal::TermsWhileRoundOpen) };
        self.now.meters[at].correct(pool, delta, people, reason)?;
        self.base_meters[at] = self.now.meters[at];
        // The round before would be replayed without it.
        self.ended.is_open = false;
        Ok(())
    }

    /// The meters as they stand: wager, name and the meter itself.
    pub fn meters(&self) -> impl Iterator<Item = (WagerId, MeterName, &Meter)> {
        self.table.wagers.iter().zip(&self.side.meters).flat_map(|(offered, &(from, to))| {
            let ours = &self.now.meters[usize::from(from)..usize::from(to)];
            offered.meters().iter().zip(ours).map(|(named, meter)| (offered.id(), named.name, meter))
        })
    }
}

/// The stakes that a meter grew by. Compared exactly: a small stake may not move the cents that are shown.
fn fed_between(before: &Meter, after: &Meter) -> Option<Cents> {
    let contributions = |meter: &Meter| meter.balance().contributions.millionths();
    let grown = contributions(after) - contributions(before);
    let terms = after.terms();
    let rates = i64::from(terms.progression.millionths()) + i64::from(terms.reserve.millionths());
    (grown > 0 && rates > 0).then(|| Cents(grown / rates))
}
