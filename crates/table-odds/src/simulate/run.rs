//! Many rounds, spread over threads in chunks that do not depend on how many threads there are.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use table_rules::event::Event;
use table_rules::money::Cents;
use table_rules::table::{Table, Variation};

use super::rng::Rng;
use super::rounds::{Player, Stopped, TableRun};
use super::stack::{PENETRATION_MAX, ShoeUse, Stack};
use super::tally::Tally;

/// Rounds of one chunk: enough that its fresh engine and shoe do not show, few enough that a bar moves.
pub const CHUNK_ROUNDS: u64 = 1 << 16;

/// More threads than any table server has cores; beyond this a number is a slip.
pub const THREADS_MAX: usize = 256;

/// What to simulate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub rounds: u64,
    pub seed: u64,
    pub seats: u8,
    pub stake: Cents,
    /// 1 to [`THREADS_MAX`]; changes the time a run takes and nothing else.
    pub threads: usize,
    pub shoe_use: ShoeUse,
}

/// Settings that this table cannot play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadSettings {
    NoRounds,
    Threads { most: usize },
    Seats { most: u8 },
    Stake { least: Cents, most: Cents, chip: Cents },
    Penetration { most: u16 },
    TwoCoverCards,
}

impl fmt::Display for BadSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRounds => f.write_str("simulate at least one round"),
            Self::Threads { most } => write!(f, "use 1 to {most} threads"),
            Self::Seats { most } => write!(f, "this table seats 1 to {most}"),
            Self::Stake { least, most, chip } => {
                write!(f, "the stake must be {least} to {most} in multiples of {chip}, as this table's limits say")
            }
            Self::TwoCoverCards => f.write_str(
                "each side of a double shoe has a cover card of its own, and simulated dealers follow one: leave the \
                 penetration out, and the side is shuffled every round [blackjack 3.C(2)]",
            ),
            Self::Penetration { most } => {
                let most = format!("{most:03}");
                write!(
                    f,
                    "the cover card lies after more than 0 and at most 0.{} of the stack",
                    most.trim_end_matches('0')
                )
            }
        }
    }
}

impl std::error::Error for BadSettings {}

impl Settings {
    /// Every reason against these settings at this table.
    pub fn check(&self, table: &Table) -> Vec<BadSettings> {
        let mut reasons = Vec::new();
        if self.rounds == 0 {
            reasons.push(BadSettings::NoRounds);
        }
        if !(1..=THREADS_MAX).contains(&self.threads) {
            reasons.push(BadSettings::Threads { most: THREADS_MAX });
        }
        if self.seats == 0 || self.seats > table.positions {
            reasons.push(BadSettings::Seats { most: table.positions });
        }
        let (least, most, chip) = (table.limits.minimum, table.limits.maximum, table.smallest_chip);
        if self.stake < least || self.stake > most || !self.stake.is_multiple_of(chip) {
            reasons.push(BadSettings::Stake { least, most, chip });
        }
        if let ShoeUse::ToCover { thousandths } = self.shoe_use
            && !(1..=PENETRATION_MAX).contains(&thousandths)
        {
            reasons.push(BadSettings::Penetration { most: PENETRATION_MAX });
        }
        if self.shoe_use != ShoeUse::EveryRound && table.variation == Variation::DoubleShoe {
            reasons.push(BadSettings::TwoCoverCards);
        }
        reasons
    }

    fn chunks(&self) -> u64 {
        self.rounds.div_ceil(CHUNK_ROUNDS)
    }

    fn rounds_of(&self, chunk: u64) -> u64 {
        CHUNK_ROUNDS.min(self.rounds - chunk * CHUNK_ROUNDS)
    }
}

/// Plays all rounds and adds them up. `progress` hears how many rounds are done, from any thread, now and then. The
/// settings must have passed [`Settings::check`]; the engine refuses what they got wrong.
pub fn run<P: Player + Sync>(
    table: &Table,
    player: &P,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Tally, Stopped> {
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let total = Mutex::new(Ok(Tally::default()));
    let work = || {
        let mut sum = Tally::default();
        let mut result = Ok(());
        while !stop.load(Ordering::Relaxed) {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= settings.chunks() {
                break;
            }
            match count_chunk(table, player, settings, chunk) {
                Ok(counted) => sum.merge(&counted),
                Err(stopped) => {
                    result = Err(stopped);
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
            let rounds = settings.rounds_of(chunk);
            progress(done.fetch_add(rounds, Ordering::Relaxed) + rounds);
        }
        // A poisoned lock still holds whole sums: they are added in one step.
        let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match (&mut *total, result) {
            (Ok(all), Ok(())) => all.merge(&sum),
            (Ok(_), Err(stopped)) => *total = Err(stopped),
            (Err(_), _) => {}
        }
    };
    on_threads(settings.threads, &stop, &work)?;
    total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Does the same work on so many threads, this one among them. A machine that gives no more of them ends it: somebody who
/// asked for more than there is should hear so, not wait longer.
pub(crate) fn on_threads(threads: usize, stop: &AtomicBool, work: &(dyn Fn() + Sync)) -> Result<(), Stopped> {
    std::thread::scope(|scope| {
        for started in 1..threads.max(1) {
            if let Err(cause) = std::thread::Builder::new().spawn_scoped(scope, work) {
                stop.store(true, Ordering::Relaxed);
                return Err(Stopped::NoThread { started, cause: cause.to_string() });
            }
        }
        work();
        Ok(())
    })
}

/// The same rounds one after the other on this thread, each shown to `each` as its events.
pub fn run_observed<P: Player>(
    table: &Table,
    player: &P,
    settings: &Settings,
    each: &mut impl FnMut(&[Event]),
) -> Result<(), Stopped> {
    (0..settings.chunks()).try_for_each(|chunk| {
        let mut run = table_of(table, player, settings, chunk);
        (0..settings.rounds_of(chunk)).try_for_each(|_| run.round().map(&mut *each))
    })
}

/// The rounds of one chunk, counted as they are played.
fn count_chunk<P: Player>(table: &Table, player: &P, settings: &Settings, chunk: u64) -> Result<Tally, Stopped> {
    let mut run = table_of(table, player, settings, chunk).told_to(Tally::default());
    for _ in 0..settings.rounds_of(chunk) {
        run.play()?;
    }
    Ok(run.into_sink())
}

fn table_of<'a, P: Player>(table: &Table, player: &'a P, settings: &Settings, chunk: u64) -> TableRun<'a, P> {
    let rng = Rng::new(settings.seed, chunk);
    let stack = Stack::new(table, settings.shoe_use);
    TableRun::new(table, player, settings.seats, settings.stake, stack, rng)
}
