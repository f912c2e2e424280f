//! The yardstick of the engine's speed: the same blackjack rounds in a bare loop that checks, reports and remembers
//! nothing.
//!
//! It plays the usual blackjack table (six decks, soft 17 stands, 3 to 2, doubles on any two cards, splits to four with
//! full play of aces, surrender) from the same generator, in the same order of cards and by the same strategy as a
//! [`TableRun`], so both must come to the same cent; a test holds them to it. It must never serve a real table.

use std::time::{Duration, Instant};

use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::Table;

use crate::simulate::{Rng, ShoeUse, Stack, Stopped, TableRun, Tally};
use crate::strategy::{Block, Cell, Strategy, cell};

const DECKS: usize = 6;
const CARDS: usize = 52 * DECKS;
/// Seats of the comparison, and the most this loop has room for.
pub const SEATS: usize = 7;
const HANDS_MAX: usize = 4;

/// The bare table.
#[derive(Clone, Debug)]
pub struct Bare {
    /// Point values, the ace as 1.
    cards: [u8; CARDS],
    drawn: usize,
    rng: Rng,
    strategy: Strategy,
    stake: i64,
    net: i64,
}

/// A hand's count: all aces as 1, and whether there is one.
#[derive(Clone, Copy)]
struct Count {
    hard: u8,
    ace: bool,
    cards: u8,
}

impl Count {
    #[inline]
    fn of(first: u8) -> Self {
        Self { hard: first, ace: first == 1, cards: 1 }
    }

    #[inline]
    fn push(&mut self, card: u8) {
        self.hard += card;
        self.ace |= card == 1;
        self.cards += 1;
    }

    #[inline]
    fn soft(self) -> bool {
        self.ace && self.hard <= 11
    }

    #[inline]
    fn total(self) -> u8 {
        if self.soft() { self.hard + 10 } else { self.hard }
    }
}

/// Hands that wait for the dealer: total and stake.
struct Waiting {
    hands: [(u8, i64); SEATS * HANDS_MAX],
    len: usize,
}

impl Bare {
    /// None when the table is not the usual blackjack table that this loop plays.
    pub fn new(table: &Table, stake: Cents, rng: Rng) -> Option<Self> {
        let usual =
            Table { positions: table.positions, approved: table.approved.clone(), ..Table::usual(Game::Blackjack) };
        let strategy = Strategy::shipped(table)?;
        if *table != usual {
            return None;
        }
        let mut cards = [0; CARDS];
        let deck = (0..DECKS).flat_map(|_| Game::Blackjack.deck());
        for (place, card) in cards.iter_mut().zip(deck) {
            *place = card.points();
        }
        Some(Self { cards, drawn: 0, rng, strategy, stake: stake.0, net: 0 })
    }

    /// What the players have won less what they have lost, in cents.
    pub fn net_cents(&self) -> i64 {
        self.net
    }

    #[inline]
    fn draw(&mut self) -> u8 {
        // A round of seven seats cannot use up six decks; `min` only tells the compiler that the places exist.
        let at = self.drawn.min(CARDS - 1);
        let left = u32::try_from(CARDS - at).unwrap_or(1);
        let chosen = (at + self.rng.below(left) as usize).min(CARDS - 1);
        self.cards.swap(at, chosen);
        self.drawn = at + 1;
        self.cards[at]
    }

    pub fn round(&mut self) {
        self.drawn = 0;
        let mut first = [0; SEATS];
        let mut second = [0; SEATS];
        for place in &mut first {
            *place = self.draw();
        }
        let up = self.draw();
        for place in &mut second {
            *place = self.draw();
        }
        let hole = self.draw();
        if up + hole == 11 && (up == 1 || hole == 1) {
            for (a, b) in first.into_iter().zip(second) {
                if !is_blackjack(a, b) {
                    self.net -= self.stake;
                }
            }
            return;
        }
        let column = if up == 1 { 9 } else { usize::from(up) - 2 };
        let mut waiting = Waiting { hands: [(0, 0); SEATS * HANDS_MAX], len: 0 };
        for (a, b) in first.into_iter().zip(second) {
            if is_blackjack(a, b) {
                self.net += self.stake * 3 / 2;
            } else {
                self.play_box(a, b, column, &mut waiting);
            }
        }
        self.settle(up, hole, &waiting);
    }

    fn play_box(&mut self, first: u8, second: u8, column: usize, waiting: &mut Waiting) {
        let splits_pair = self.strategy.pairs[usize::from(first) - 1][column];
        if first == second && splits_pair {
            // Hands that still need their second card; all of them start with a card of the same value.
            let mut to_play = 2;
            let mut splits = 1;
            while to_play > 0 {
                let card = self.draw();
                if card == first && splits + 1 < HANDS_MAX {
                    splits += 1;
                    to_play += 1;
                    continue;
                }
                to_play -= 1;
                let mut hand = Count::of(first);
                hand.push(card);
                self.play_hand(hand, column, true, waiting);
            }
            return;
        }
        let mut hand = Count::of(first);
        hand.push(second);
        if !hand.soft() && self.strategy.surrender[usize::from(hand.hard)][column] {
            self.net -= self.stake - self.stake / 2;
            return;
        }
        self.play_hand(hand, column, false, waiting);
    }

    #[inline]
    fn play_hand(&mut self, mut hand: Count, column: usize, from_split: bool, waiting: &mut Waiting) {
        let mut stake = self.stake;
        loop {
            let block: &Block = if from_split { &self.strategy.no_bonus } else { &self.strategy.bonus };
            let total = usize::from(hand.total());
            match cell(block, total, hand.soft(), usize::from(hand.cards), column) {
                Cell::Stand => break,
                Cell::Double if hand.cards == 2 => {
                    stake *= 2;
                    let card = self.draw();
                    hand.push(card);
                    if hand.hard > 21 {
                        self.net -= stake;
                        return;
                    }
                    break;
                }
                Cell::Hit | Cell::Double => {
                    let card = self.draw();
                    hand.push(card);
                    if hand.hard > 21 {
                        self.net -= stake;
                        return;
                    }
                }
            }
        }
        waiting.hands[waiting.len] = (hand.total(), stake);
        waiting.len += 1;
    }

    #[inline]
    fn settle(&mut self, up: u8, hole: u8, waiting: &Waiting) {
        if waiting.len == 0 {
            return;
        }
        let mut dealer = Count::of(up);
        dealer.push(hole);
        while dealer.total() < 17 {
            let card = self.draw();
            dealer.push(card);
        }
        let dealer = dealer.total();
        for &(total, stake) in &waiting.hands[..waiting.len] {
            if dealer > 21 || total > dealer {
                self.net += stake;
            } else if total < dealer {
                self.net -= stake;
            }
        }
    }
}

#[inline]
fn is_blackjack(a: u8, b: u8) -> bool {
    a + b == 11 && (a == 1 || b == 1)
}

/// How fast the engine is beside the bare loop, on one core with seven seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Opening hands a second, in the best slice.
    pub engine_per_second: u64,
    pub bare_per_second: u64,
    /// Engine speed by bare speed in thousandths, from those best slices.
    pub ratio_thousandths: u64,
}

/// Rounds of one slice: a few hundredths of a second, so that some slices are left alone by a busy machine.
const SLICE_ROUNDS: u64 = 4_000;

/// Plays the same rounds both ways, slice and slice about. The engine's side computes every prompt, keeps every event
/// and adds up every line.
pub fn compare(slices: u32, seed: u64) -> Result<Comparison, Stopped> {
    let table = Table::usual(Game::Blackjack);
    let stake = Cents::dollars(10);
    let mut best = (Duration::MAX, Duration::MAX);
    for slice in 0..u64::from(slices.max(1)) {
        let (engine_time, engine_net) = time_engine(&table, stake, SLICE_ROUNDS, Rng::new(seed, slice))?;
        let (bare_time, bare_net) = time_bare(&table, stake, SLICE_ROUNDS, Rng::new(seed, slice));
        assert_eq!(engine_net, i128::from(bare_net), "both sides play the same rounds");
        best = (best.0.min(engine_time), best.1.min(bare_time));
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

fn time_engine(table: &Table, stake: Cents, rounds: u64, rng: Rng) -> Result<(Duration, i128), Stopped> {
    let Some(strategy) = Strategy::shipped(table) else { return Ok((Duration::ZERO, 0)) };
    let mut run = TableRun::new(table, &strategy, 7, stake, Stack::new(table, ShoeUse::EveryRound), rng);
    let mut tally = Tally::default();
    let start = Instant::now();
    for _ in 0..rounds {
        tally.add_round(run.round()?);
    }
    Ok((start.elapsed(), tally.net_cents))
}

fn time_bare(table: &Table, stake: Cents, rounds: u64, rng: Rng) -> (Duration, i64) {
    let Some(mut bare) = Bare::new(table, stake, rng) else { return (Duration::ZERO, 0) };
    let start = Instant::now();
    for _ in 0..rounds {
        bare.round();
    }
    (start.elapsed(), bare.net_cents())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bare_loop_and_the_engine_come_to_the_same_cent_in_every_round() {
        let table = Table::usual(Game::Blackjack);
        let strategy = Strategy::shipped(&table).unwrap();
        let stake = Cents::dollars(10);
        let rng = Rng::new(11, 0);
        let mut bare = Bare::new(&table, stake, rng.clone()).unwrap();
        let mut run = TableRun::new(&table, &strategy, 7, stake, Stack::new(&table, ShoeUse::EveryRound), rng);
        let mut tally = Tally::default();
        for round in 0..50_000 {
            bare.round();
            tally.add_round(run.round().unwrap());
            assert_eq!(tally.net_cents, i128::from(bare.net_cents()), "round {round}");
        }
    }

    #[test]
    fn other_tables_are_not_played() {
        let stake = Cents::dollars(10);
        let hits = Table { decks: 8, ..Table::usual(Game::Blackjack) };
        assert!(Bare::new(&hits, stake, Rng::new(1, 0)).is_none());
    }
}
