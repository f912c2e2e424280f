//! Progressive meters: what the players of a wager put in, what the house puts in, and what comes out.
//!
//! A meter falls only by a payment, by a reversal that names its clause, or by a correction that two people sign. No
//! figure is ever rounded away: amounts are exact to the millionth of a cent, and after every operation
//! `seeds + contributions + corrections = meter + reserve + overflow + remainder + paid` (reading X4). An operation that
//! is refused leaves the meter as it was, and none allocates.
//!
//! Terms. *Progression*: the part of a stake that the meter grows by. *Reserve*: the part kept for the next reset.
//! *Overflow*: what came in above the limit. *Remainder*: the sub-cent parts of the three. *Seed*: the house's money.

mod entries;
mod exact;
mod hits;
mod must_hit;
mod refusal;
mod terms;
#[cfg(test)]
mod tests;

pub use entries::{Balance, Contribution, Correction, Payment, Pool, Reset, Reversal, StaffNumber, TwoPeople};
pub use exact::{Exact, Rate};
pub use hits::{HITS_KEPT, Hit};
pub use must_hit::{DrawOdds, odds_by_ceiling};
pub use refusal::MeterRefusal;
pub use terms::{CheckedTerms, MeterTerms, TermsFault};

use crate::money::Cents;
use crate::source::Source;

/// One progressive meter. Fixed size and `Copy`, so that a snapshot of the table holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Meter {
    terms: CheckedTerms,
    ledger: Ledger,
    round: Option<OpenRound>,
    hits: u32,
    last_hits: hits::LastHits,
}

/// The amounts. Kept apart so that an operation works on a copy and posts it only when all of it succeeded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Ledger {
    meter: Exact,
    reserve: Exact,
    overflow: Exact,
    seeds: Exact,
    contributions: Exact,
    corrections: Exact,
    paid: Cents,
}

/// What only matters until the round ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OpenRound {
    number: u32,
    /// The meter when the round opened; the must-hit draw is about the growth since.
    opened_at: Exact,
    /// Stakes posted and not reversed: a reversal can take back no more.
    staked: Cents,
    /// What this round's stakes sent to the overflow, so that a reversal finds it there.
    spilled: Exact,
    /// Where the last reset of this round put the meter: below it lies the house's money, not the round's.
    reset_to: Option<Exact>,
}

/// Everything about a meter that its submission does not say: what a record keeps of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeterState {
    ledger: Ledger,
    round: Option<OpenRound>,
    hits: u32,
    last_hits: hits::LastHits,
}

impl Meter {
    pub const fn state(&self) -> MeterState {
        MeterState { ledger: self.ledger, round: self.round, hits: self.hits, last_hits: self.last_hits }
    }

    /// The meter of these terms as it stood.
    pub const fn restored(terms: CheckedTerms, state: MeterState) -> Self {
        let MeterState { ledger, round, hits, last_hits } = state;
        Self { terms, ledger, round, hits, last_hits }
    }

    /// A new meter, with its initial amount posted as the first seed.
    pub fn new(terms: CheckedTerms) -> Self {
        // CheckedTerms keeps the amount within Cents::LARGEST, ten thousand times inside the range of Exact.
        let initial = Exact::of_cents(terms.terms().initial).unwrap_or(Exact::ZERO);
        let ledger = Ledger {
            meter: initial,
            reserve: Exact::ZERO,
            overflow: Exact::ZERO,
            seeds: initial,
            contributions: Exact::ZERO,
            corrections: Exact::ZERO,
            paid: Cents::ZERO,
        };
        Self { terms, ledger, round: None, hits: 0, last_hits: hits::LastHits::EMPTY }
    }

    /// What the display shows.
    pub const fn amount(&self) -> Cents {
        self.ledger.meter.whole_cents()
    }

    pub const fn reserve(&self) -> Cents {
        self.ledger.reserve.whole_cents()
    }

    pub const fn overflow(&self) -> Cents {
        self.ledger.overflow.whole_cents()
    }

    pub const fn terms(&self) -> &MeterTerms {
        self.terms.terms()
    }

    pub(crate) const fn checked(&self) -> CheckedTerms {
        self.terms
    }

    /// How many payments the meter has made, of whatever percentage.
    pub const fn hits(&self) -> u32 {
        self.hits
    }

    /// All that the meter has paid.
    pub const fn wins(&self) -> Cents {
        self.ledger.paid
    }

    /// The last [`HITS_KEPT`] payments, newest first.
    pub fn last_hits(&self) -> impl Iterator<Item = &Hit> {
        self.last_hits.newest_first()
    }

    /// Both sides of X4. `balance().holds()` is true after every operation; where it is not, the table must stop.
    pub fn balance(&self) -> Balance {
        let Ledger { meter, reserve, overflow, seeds, contributions, corrections, paid } = self.ledger;
        let remainder = [meter, reserve, overflow].iter().map(|pool| pool.sub_cent().millionths()).sum();
        Balance {
            seeds,
            contributions,
            corrections,
            meter: meter.whole_cents(),
            reserve: reserve.whole_cents(),
            overflow: overflow.whole_cents(),
            remainder: Exact::from_millionths(remainder),
            paid,
        }
    }

    /// The round's wagers are about to be locked. From here to [`Meter::close_round`] the terms stand.
    pub fn open_round(&mut self, number: u32) -> Result<(), MeterRefusal> {
        if self.round.is_some() {
            return Err(MeterRefusal::RoundAlreadyOpen);
        }
        let opened_at = self.ledger.meter;
        self.round = Some(OpenRound { number, opened_at, staked: Cents::ZERO, spilled: Exact::ZERO, reset_to: None });
        Ok(())
    }

    pub fn close_round(&mut self) -> Result<(), MeterRefusal> {
        self.round.take().map(|_| ()).ok_or(MeterRefusal::NoRoundOpen)
    }

    /// The only way to new terms, and there is none while a round is open.
    pub fn between_rounds(&mut self) -> Result<BetweenRounds<'_>, MeterRefusal> {
        if self.round.is_some() { Err(MeterRefusal::TermsWhileRoundOpen) } else { Ok(BetweenRounds(self)) }
    }

    /// An accepted wager of the round, posted at the lock.
    pub fn contribute(&mut self, stake: Cents) -> Result<Contribution, MeterRefusal> {
        let mut round = self.round.ok_or(MeterRefusal::NoRoundOpen)?;
        self.check_stake(stake)?;
        let (part, to_reserve) = self.parts(stake).ok_or(MeterRefusal::OutOfRange)?;
        let mut ledger = self.ledger;
        let posted = (|| {
            let to_overflow = ledger.credit_meter(part, self.terms.cap())?;
            ledger.reserve = ledger.reserve.plus(to_reserve)?;
            ledger.contributions = ledger.contributions.plus(part)?.plus(to_reserve)?;
            round.staked = Cents(round.staked.0.checked_add(stake.0)?);
            round.spilled = round.spilled.plus(to_overflow)?;
            Some(Contribution { to_meter: part.minus(to_overflow)?, to_reserve, to_overflow })
        })();
        self.post(posted, ledger, Some(round))
    }

    /// Takes a stake of this round back out (reading X3). `source` is the clause it rests on and travels with the entry.
    ///
    /// The money comes from where it went. What a jackpot of this round has carried away by now is not taken from the
    /// fresh start that the house or the reserve has put up; the house posts it as a seed.
    pub fn reverse(&mut self, stake: Cents, source: Source) -> Result<Reversal, MeterRefusal> {
        let mut round = self.round.ok_or(MeterRefusal::NoRoundOpen)?;
        if stake <= Cents::ZERO || stake > round.staked {
            return Err(MeterRefusal::ReversalAboveStakes { stake, staked: round.staked });
        }
        let (part, reserve_part) = self.parts(stake).ok_or(MeterRefusal::OutOfRange)?;
        let mut ledger = self.ledger;
        let posted = (|| {
            let from_overflow = part.min(round.spilled).min(ledger.overflow);
            let untouchable = round.reset_to.unwrap_or(Exact::ZERO);
            let from_meter = part.minus(from_overflow)?.min(ledger.meter.above(untouchable));
            let from_reserve = reserve_part.min(ledger.reserve);
            let found = from_overflow.plus(from_meter)?.plus(from_reserve)?;
            let owed = part.plus(reserve_part)?;
            let seeded = owed.minus(found)?;
            ledger.overflow = ledger.overflow.minus(from_overflow)?;
            ledger.meter = ledger.meter.minus(from_meter)?;
            ledger.reserve = ledger.reserve.minus(from_reserve)?;
            ledger.contributions = ledger.contributions.minus(owed)?;
            ledger.seeds = ledger.seeds.plus(seeded)?;
            round.staked -= stake;
            round.spilled = round.spilled.minus(from_overflow)?;
            Some(Reversal { from_meter, from_reserve, from_overflow, seeded, source })
        })();
        self.post(posted, ledger, Some(round))
    }

    /// Pays `percent` of the meter as it stands now (reading X1), to the cent, rounded down; the fraction stays
    /// (reading S8). 100 % resets the meter, less does not (reading D9).
    ///
    /// The share is taken of the whole cents that the display shows: for the shares that the paytables know, 10 and
    /// 100 %, that is the same as a share of the exact amount.
    pub fn pay(&mut self, percent: u8, seat: u8) -> Result<Payment, MeterRefusal> {
        let mut round = self.round.ok_or(MeterRefusal::NoRoundOpen)?;
        if !(1..=100).contains(&percent) {
            return Err(MeterRefusal::NotAPercentage(percent));
        }
        let mut ledger = self.ledger;
        let posted = (|| {
            let paid = Cents(ledger.meter.whole_cents().0.checked_mul(i64::from(percent))?.div_euclid(100));
            ledger.meter = ledger.meter.minus(Exact::of_cents(paid)?)?;
            ledger.paid = Cents(ledger.paid.0.checked_add(paid.0)?);
            if percent < 100 {
                return Some(Payment { paid, reset: None });
            }
            let fraction = ledger.meter;
            let reset = ledger.restart(self.terms.terms().reset, self.terms.cap())?;
            round.reset_to = Some(ledger.meter.minus(fraction)?);
            Some(Payment { paid, reset: Some(reset) })
        })();
        let payment = self.post(posted, ledger, Some(round))?;
        self.hits = self.hits.saturating_add(1);
        self.last_hits.push(Hit { paid: payment.paid, round: round.number, seat, percent });
        Ok(payment)
    }

    /// A documented correction by two people. The reason is written down by whoever keeps the record; here it only must
    /// not be empty.
    pub fn correct(
        &mut self,
        pool: Pool,
        delta: Cents,
        people: TwoPeople,
        reason: &str,
    ) -> Result<Correction, MeterRefusal> {
        if reason.trim().is_empty() {
            return Err(MeterRefusal::CorrectionWithoutReason);
        }
        if delta == Cents::ZERO {
            return Err(MeterRefusal::CorrectionOfNothing);
        }
        let change = Exact::of_cents(delta).ok_or(MeterRefusal::OutOfRange)?;
        let cap = self.terms.cap().and_then(Exact::of_cents);
        let mut ledger = self.ledger;
        let amount = match pool {
            Pool::Meter => &mut ledger.meter,
            Pool::Reserve => &mut ledger.reserve,
            Pool::Overflow => &mut ledger.overflow,
        };
        let corrected = amount.plus(change).ok_or(MeterRefusal::OutOfRange)?;
        if corrected < Exact::ZERO {
            return Err(MeterRefusal::CorrectionBelowZero { holds: amount.whole_cents(), delta });
        }
        let rises_above_cap = pool == Pool::Meter && change > Exact::ZERO && cap.is_some_and(|cap| corrected > cap);
        if rises_above_cap {
            return Err(MeterRefusal::CorrectionAboveLimit { delta });
        }
        let most = self.terms.plausible_max();
        if change > Exact::ZERO && Exact::of_cents(most).is_some_and(|most| corrected > most) {
            return Err(MeterRefusal::CorrectionImplausible { delta, most });
        }
        *amount = corrected;
        let posted = ledger.corrections.plus(change).map(|corrections| {
            ledger.corrections = corrections;
            Correction { pool, delta, people }
        });
        self.post(posted, ledger, self.round)
    }

    /// Whether every figure is far enough from the end of its range for any round's stakes. Only a record that somebody
    /// made by hand, or corrections from before they had a bound, can have brought one there.
    pub fn has_room(&self) -> bool {
        let Ledger { meter, reserve, overflow, seeds, contributions, corrections, paid } = self.ledger;
        let room = |millionths: i64| millionths.unsigned_abs() <= i64::MAX.unsigned_abs() / 2;
        [meter, reserve, overflow, seeds, contributions, corrections].iter().all(|each| room(each.millionths()))
            && Exact::of_cents(paid).is_some_and(|paid| room(paid.millionths()))
    }

    /// The odds of this round's must-hit draw, once its stakes are posted. None for a meter without a ceiling.
    pub fn must_hit_odds(&self) -> Result<Option<DrawOdds>, MeterRefusal> {
        let round = self.round.ok_or(MeterRefusal::NoRoundOpen)?;
        let ceiling = self.terms.terms().must_hit.and_then(Exact::of_cents);
        Ok(ceiling.map(|ceiling| odds_by_ceiling(round.opened_at, self.ledger.meter, ceiling)))
    }

    fn check_stake(&self, stake: Cents) -> Result<(), MeterRefusal> {
        let most = self.terms.terms().stake_max.unwrap_or(Cents::LARGEST);
        if stake <= Cents::ZERO || stake > most {
            return Err(MeterRefusal::UnreasonableStake { stake, most });
        }
        Ok(())
    }

    /// What a stake gives to the meter and to the reserve.
    fn parts(&self, stake: Cents) -> Option<(Exact, Exact)> {
        let terms = self.terms.terms();
        Some((terms.progression.of(stake)?, terms.reserve.of(stake)?))
    }

    /// The one place where an operation becomes true: all of it, or none.
    fn post<T>(&mut self, outcome: Option<T>, ledger: Ledger, round: Option<OpenRound>) -> Result<T, MeterRefusal> {
        let outcome = outcome.ok_or(MeterRefusal::OutOfRange)?;
        self.ledger = ledger;
        self.round = round;
        Ok(outcome)
    }
}

impl Ledger {
    /// Adds to the meter up to its cap and the rest to the overflow; returns the rest. A meter that stands above a cap
    /// lowered since is left where it is: it must not fall.
    fn credit_meter(&mut self, amount: Exact, cap: Option<Cents>) -> Option<Exact> {
        let room = match cap {
            Some(cap) => Exact::of_cents(cap)?.above(self.meter),
            None => amount,
        };
        let to_meter = amount.min(room);
        let to_overflow = amount.minus(to_meter)?;
        self.meter = self.meter.plus(to_meter)?;
        self.overflow = self.overflow.plus(to_overflow)?;
        Some(to_overflow)
    }

    /// Restarts from the greater of the reserve and the reset amount, in whole cents: the reserve gives what it has, the
    /// house adds what is missing (reading P5).
    fn restart(&mut self, reset: Cents, cap: Option<Cents>) -> Option<Reset> {
        let from_reserve = self.reserve.whole_cents();
        let seed = Cents((reset.0 - from_reserve.0).max(0));
        self.reserve = self.reserve.minus(Exact::of_cents(from_reserve)?)?;
        self.seeds = self.seeds.plus(Exact::of_cents(seed)?)?;
        self.credit_meter(Exact::of_cents(from_reserve + seed)?, cap)?;
        Some(Reset { from_reserve, seed })
    }
}

/// Proof that no round is open, and the only thing that can change a meter's terms. Amounts stay as they are.
#[derive(Debug)]
pub struct BetweenRounds<'a>(&'a mut Meter);

impl BetweenRounds<'_> {
    pub fn set_terms(self, terms: CheckedTerms) {
        self.0.terms = terms;
    }
}
