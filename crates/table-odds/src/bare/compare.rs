//! The engine beside the bare loop: the same rounds both ways, timed in turns.

use std::time::{Duration, Instant};

use table_rules::event::{Event, Events, Sink};
use table_rules::money::Cents;

use super::{Bare, SEATS, side_bets, table};
use crate::simulate::{Rng, ShoeUse, Stack, Stopped, TableRun, Tally, net_of_line};
use crate::strategy::Strategy;

/// How fast the engine is beside the bare loop, on one core with seven seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Opening hands a second, in the best slice: the engine with its lines counted, as `simulate` has them.
    pub counted_per_second: u64,
    /// The same with every event kept.
    pub kept_per_second: u64,
    pub bare_per_second: u64,
    /// Engine speed by bare speed in thousandths, from those best slices.
    pub counted_thousandths: u64,
    pub kept_thousandths: u64,
}

/// Keeps every event of a round and adds up what its lines come to.
#[derive(Debug, Default)]
struct Keeping {
    events: Events,
    net: Cents,
}

impl Sink for Keeping {
    #[inline(always)]
    fn push(&mut self, event: Event) {
        if let Event::Settled(line) = &event {
            self.net += net_of_line(line);
        } else if let Event::WagersLocked { .. } = event {
            // The next round: one buffer serves forever.
            self.events.clear();
        }
        self.events.push(event);
    }
}

/// Rounds of one slice: a fraction of a millisecond, so that most slices are left alone by a busy machine.
const SLICE_ROUNDS: u64 = 200;

/// Plays the same rounds in all three ways, slice and slice about. The engine says its order and the source after every
/// input, and the words that are open to the player at every decision; its lines are counted by name, or every event is kept
/// and its lines added up. After each slice all must have come to the same cent.
pub fn compare(slices: u32, seed: u64) -> Result<Comparison, Stopped> {
    let (stake, side_stake) = (Cents::dollars(10), Cents::dollars(5));
    let rng = Rng::new(seed, 0);
    let table = table().ok_or(Stopped::NoTable)?;
    let strategy = Strategy::best(&table, stake);
    let mut bare = Bare::new(&table, strategy.clone(), stake, side_stake, rng.clone()).ok_or(Stopped::NoTable)?;
    let table_run = || {
        let stack = Stack::new(&table, ShoeUse::EveryRound);
        TableRun::new(&table, &strategy, 7, stake, stack, rng.clone()).with_side_bets(side_bets(side_stake))
    };
    let mut counted = table_run().told_to(Tally::default());
    let mut kept = table_run().told_to(Keeping::default());
    let (mut best_counted, mut best_kept, mut best_bare) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..slices.max(1) {
        best_counted = best_counted.min(timed(|| counted.play())?);
        best_kept = best_kept.min(timed(|| kept.play())?);
        best_bare = best_bare.min(timed(|| {
            bare.round();
            Ok(())
        })?);
        let net = i128::from(bare.net_cents());
        let both = (counted.sink().net_cents, i128::from(kept.sink().net.0));
        assert_eq!(both, (net, net), "all play the same rounds");
    }
    let seat_hands = u128::from(SLICE_ROUNDS) * SEATS as u128;
    let per_second = |time: Duration| u64::try_from(seat_hands * 1_000_000_000 / time.as_nanos().max(1)).unwrap_or(0);
    let ratio = |time: Duration| u64::try_from(best_bare.as_nanos() * 1000 / time.as_nanos().max(1)).unwrap_or(0);
    Ok(Comparison {
        counted_per_second: per_second(best_counted),
        kept_per_second: per_second(best_kept),
        bare_per_second: per_second(best_bare),
        counted_thousandths: ratio(best_counted),
        kept_thousandths: ratio(best_kept),
    })
}

/// How long one slice takes.
fn timed(mut round: impl FnMut() -> Result<(), Stopped>) -> Result<Duration, Stopped> {
    let start = Instant::now();
    for _ in 0..SLICE_ROUNDS {
        round()?;
    }
    Ok(start.elapsed())
}
