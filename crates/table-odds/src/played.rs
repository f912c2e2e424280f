//! A side wager that depends on how the players play (Bad Beat): placed in whole rounds through the engine, and counted.
//!
//! The engine settles every line; nothing here knows what wins. All sums are integers, and the same seed gives the same
//! figures whatever the number of threads. What a meter pays is left out of every figure but its line's frequency.

mod report;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use table_rules::event::Event;
use table_rules::input::Placing;
use table_rules::line::Outcome;
use table_rules::money::{Cents, Pay};
use table_rules::seat::Seat;
use table_rules::side::OfferedWager;
use table_rules::table::Table;
use table_rules::wager::WagerId;

use crate::catalogue::reckoned_stakes;
use crate::simulate::{CHUNK_ROUNDS, Player, Rng, Settings, ShoeUse, Stack, Stopped, TableRun, on_threads};
use crate::strategy::Strategy;
use crate::table::Identity;

pub use report::{PlayedLine, PlayedMeterLine, PlayedOdds, Simulated, page};

/// Sums over rounds with the wager placed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedTally {
    pub rounds: u64,
    /// Rounds in which at least one line of the wager was won.
    pub rounds_won: u64,
    /// What the wager gained or lost in all, meters left out, in cents.
    pub net_cents: i128,
    /// The squares of each round's part of it.
    pub net_squares: i128,
    lines: Vec<(&'static str, u64)>,
}

impl PlayedTally {
    /// How often a line was won; `lost` for rounds whose cards won nothing.
    pub fn count_of(&self, line: &str) -> u64 {
        self.lines.iter().filter(|(name, _)| *name == line).map(|(_, count)| count).sum()
    }

    /// Takes in one whole round.
    pub fn add_round(&mut self, wager: WagerId, events: &[Event]) {
        let mut net = Cents::ZERO;
        let mut won = false;
        for event in events {
            let Event::Settled(line) = event else { continue };
            if line.wager != wager {
                continue;
            }
            self.count(line.name, 1);
            won |= line.outcome == Outcome::Won;
            let received = match line.pay {
                Some(Pay::Meter { .. }) => Cents::ZERO,
                Some(Pay::To(_) | Pay::For(_) | Pay::Amount(_)) | None => line.to_player().unwrap_or_default(),
            };
            net += received - line.stake.amount().unwrap_or_default();
        }
        let net = i128::from(net.0);
        self.rounds += 1;
        self.rounds_won += u64::from(won);
        self.net_cents += net;
        self.net_squares += net * net;
    }

    fn count(&mut self, name: &'static str, count: u64) {
        match self.lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, counted)) => *counted += count,
            None => self.lines.push((name, count)),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.rounds_won += other.rounds_won;
        self.net_cents += other.net_cents;
        self.net_squares += other.net_squares;
        for (name, count) in &other.lines {
            self.count(name, *count);
        }
    }
}

/// The stake that is placed: the one the exact odds of other wagers are reckoned for.
pub fn stake_of(offer: &OfferedWager) -> Cents {
    reckoned_stakes(offer).first().copied().unwrap_or(Cents::dollars(1))
}

/// Plays rounds of one box with the wager placed in each, reshuffled every round. `progress` hears how many are done.
/// Settings must have passed [`Settings::check`]; other side wagers of the table stay away, as they change nothing here.
pub fn play<P: Player + Sync>(
    table: &Table,
    offer: &OfferedWager,
    player: &P,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<PlayedTally, Stopped> {
    let table = Table { wagers: vec![offer.clone()], ..table.clone() };
    let length = chunk_rounds(offer);
    let chunks = settings.rounds.div_ceil(length);
    let (next, done, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let total = Mutex::new(Ok(PlayedTally::default()));
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                break;
            }
            let rounds = length.min(settings.rounds - chunk * length);
            let stack = Stack::new(&table, settings.shoe_use);
            let played = play_stack(&table, offer, player, settings, stack, (chunk, rounds));
            // A poisoned lock still holds whole sums: they are added in one step.
            let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match (&mut *total, played) {
                (Ok(all), Ok(sum)) => all.merge(&sum),
                (Ok(_), Err(stopped)) => {
                    *total = Err(stopped);
                    stop.store(true, Ordering::Relaxed);
                }
                (Err(_), _) => {}
            }
            progress(done.fetch_add(rounds, Ordering::Relaxed) + rounds);
        }
    };
    on_threads(settings.threads, &stop, &work)?;
    total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Rounds that stand for the evaluator of a wager without exact odds: few enough to wait for, and the same every time.
pub const SAMPLE_ROUNDS: u64 = 1 << 14;

/// A fixed run for the hash of a PAR sheet: the usual table of the game with these decks and this rule.
pub fn sample(identity: &Identity, offer: &OfferedWager) -> Result<PlayedTally, Stopped> {
    let usual = Table::usual(identity.game);
    let table = Table { decks: identity.decks, soft_17: identity.soft17.unwrap_or(usual.soft_17), ..usual };
    let (seats, stake) = (1, table.limits.minimum);
    let strategy = Strategy::best(&table, stake);
    let settings = Settings { rounds: SAMPLE_ROUNDS, seed: 1, seats, stake, threads: 1, shoe_use: ShoeUse::EveryRound };
    play(&table, offer, &strategy, &settings, &|_| ())
}

/// One chunk, dealt from any stack: tests bring one that is rich in what they want to see. `chunk` is its number, which
/// the random numbers follow from, and its rounds.
pub fn play_stack<P: Player>(
    table: &Table,
    offer: &OfferedWager,
    player: &P,
    settings: &Settings,
    stack: Stack,
    chunk: (u64, u64),
) -> Result<PlayedTally, Stopped> {
    let (number, rounds) = chunk;
    let rng = Rng::new(settings.seed, number);
    let bets = Seat::new(1).map(|seat| Placing { seat, wager: offer.id(), amount: stake_of(offer) });
    let run = TableRun::new(table, player, 1, settings.stake, stack, rng);
    let mut run = run.with_side_bets(bets.into_iter().collect());
    let mut tally = PlayedTally::default();
    for _ in 0..rounds {
        tally.add_round(offer.id(), run.round()?);
    }
    Ok(tally)
}

/// Each chunk starts a fresh engine, whose rounds are counted from one: a whole number of bonus draws must fit in.
fn chunk_rounds(offer: &OfferedWager) -> u64 {
    offer.every_n_rounds().map_or(CHUNK_ROUNDS, |n| {
        let every = u64::from(n.max(1));
        (CHUNK_ROUNDS / every).max(1) * every
    })
}
