//! The engine beside the bare loop: the same rounds both ways, timed in turns.

use std::time::{Duration, Instant};

use table_rules::money::Cents;

use super::{Bare, SEATS, side_bets, table};
use crate::simulate::{Rng, ShoeUse, Stack, Stopped, TableRun};
use crate::strategy::Strategy;

/// How fast the engine is beside the bare loop, on one core with seven seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Opening hands a second, in the best slice.
    pub engine_per_second: u64,
    pub bare_per_second: u64,
    /// Engine speed by bare speed in thousandths, from those best slices.
    pub ratio_thousandths: u64,
}

/// Rounds of one slice: a fraction of a millisecond, so that most slices are left alone by a busy machine.
const SLICE_ROUNDS: u64 = 200;

/// Plays the same rounds both ways, slice and slice about. The engine's side says the order and its source after every
/// input and the kinds of input that are open at every decision, keeps every event and adds up what its lines come to;
/// after each slice both must have come to the same cent.
pub fn compare(slices: u32, seed: u64) -> Result<Comparison, Stopped> {
    let (stake, side_stake) = (Cents::dollars(10), Cents::dollars(5));
    let rng = Rng::new(seed, 0);
    let table = table().ok_or(Stopped::NoTable)?;
    let strategy = Strategy::shipped(&table).ok_or(Stopped::NoTable)?;
    let mut bare = Bare::new(&table, stake, side_stake, rng.clone()).ok_or(Stopped::NoTable)?;
    let stack = Stack::new(&table, ShoeUse::EveryRound);
    let mut run = TableRun::new(&table, &strategy, 7, stake, stack, rng).with_side_bets(side_bets(side_stake));
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..slices.max(1) {
        let start = Instant::now();
        for _ in 0..SLICE_ROUNDS {
            run.round()?;
        }
        let engine_time = start.elapsed();
        let start = Instant::now();
        for _ in 0..SLICE_ROUNDS {
            bare.round();
        }
        best = (best.0.min(engine_time), best.1.min(start.elapsed()));
        assert_eq!(run.net(), Cents(bare.net_cents()), "both sides play the same rounds");
    }
    let seat_hands = u128::from(SLICE_ROUNDS) * SEATS as u128;
    let per_second = |time: Duration| u64::try_from(seat_hands * 1_000_000_000 / time.as_nanos().max(1)).unwrap_or(0);
    let ratio = best.1.as_nanos() * 1000 / best.0.as_nanos().max(1);
    Ok(Comparison {
        engine_per_second: per_second(best.0),
        bare_per_second: per_second(best.1),
        ratio_thousandths: u64::try_from(ratio).unwrap_or(0),
    })
}
