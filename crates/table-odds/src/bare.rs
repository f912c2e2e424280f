//! The yardstick of the engine's speed: the same blackjack rounds in a bare loop that checks, reports and remembers
//! nothing.
//!
//! It plays the usual blackjack table (six decks, soft 17 stands, 3 to 2, doubles on any two cards, splits to four with
//! full play of aces, surrender) with the side wagers of [`sides`] on every box, from the same generator, in the same
//! order of cards and by the same strategy as a [`TableRun`](crate::simulate::TableRun), so both must come to the same
//! cent; a test holds them to it. It must never serve a real table.

mod compare;
mod sides;

pub use compare::{Comparison, compare};
pub use sides::{side_bets, table};

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::Table;

use crate::simulate::Rng;
use crate::strategy::{Block, Cell, PairPlay, Strategy, cell};

const DECKS: usize = 6;
const CARDS: usize = 52 * DECKS;
/// Seats of the comparison, and the most this loop has room for.
pub const SEATS: usize = 7;
const HANDS_MAX: usize = 4;

/// The bare table.
#[derive(Clone, Debug)]
pub struct Bare {
    cards: [Printed; CARDS],
    drawn: usize,
    rng: Rng,
    strategy: Strategy,
    stake: i64,
    side_stake: i64,
    net: i64,
}

/// A card's points, the ace as 1, beside its [`Card::index`]: what the main wager and what the side wagers look at.
#[derive(Clone, Copy, Debug)]
struct Printed {
    points: u8,
    index: u8,
}

impl Printed {
    const NONE: Self = Self { points: 0, index: 0 };

    fn of(card: Card) -> Self {
        Self { points: card.points(), index: card.index() }
    }
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
    /// None when the table is not the one that this loop plays: [`table`].
    pub fn new(table: &Table, strategy: Strategy, stake: Cents, side_stake: Cents, rng: Rng) -> Option<Self> {
        let played = Table { positions: table.positions, approved: table.approved.clone(), ..sides::table()? };
        if *table != played {
            return None;
        }
        let mut cards = [Printed::NONE; CARDS];
        let deck = (0..DECKS).flat_map(|_| Game::Blackjack.deck());
        for (place, card) in cards.iter_mut().zip(deck) {
            *place = Printed::of(card);
        }
        Some(Self { cards, drawn: 0, rng, strategy, stake: stake.0, side_stake: side_stake.0, net: 0 })
    }

    /// What the players have won less what they have lost, in cents.
    pub fn net_cents(&self) -> i64 {
        self.net
    }

    #[inline]
    fn draw(&mut self) -> u8 {
        self.draw_printed().points
    }

    #[inline]
    fn draw_printed(&mut self) -> Printed {
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
        let mut first = [Printed::NONE; SEATS];
        let mut second = [Printed::NONE; SEATS];
        for place in &mut first {
            *place = self.draw_printed();
        }
        let up = self.draw_printed();
        for place in &mut second {
            *place = self.draw_printed();
        }
        let mut won = 0;
        for (place, (a, b)) in first.into_iter().zip(second).enumerate() {
            won += if place % 2 == 0 {
                sides::match_the_dealer(a.index, b.index, up.index)
            } else {
                sides::three_card_poker(a.index, b.index, up.index)
            };
        }
        self.net += won * self.side_stake;
        let up = up.points;
        let hole = self.draw();
        if up + hole == 11 && (up == 1 || hole == 1) {
            for (a, b) in first.into_iter().zip(second) {
                if !is_blackjack(a.points, b.points) {
                    self.net -= self.stake;
                }
            }
            return;
        }
        let column = if up == 1 { 9 } else { usize::from(up) - 2 };
        let mut waiting = Waiting { hands: [(0, 0); SEATS * HANDS_MAX], len: 0 };
        for (a, b) in first.into_iter().zip(second) {
            if is_blackjack(a.points, b.points) {
                self.net += self.stake * 3 / 2;
            } else {
                self.play_box(a.points, b.points, column, &mut waiting);
            }
        }
        self.settle(up, hole, &waiting);
    }

    fn play_box(&mut self, first: u8, second: u8, column: usize, waiting: &mut Waiting) {
        let pair = self.strategy.pairs[usize::from(first) - 1][column];
        if first == second && pair == PairPlay::Split {
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
        let by_pair = first == second && pair == PairPlay::Surrender;
        if by_pair || (!hand.soft() && self.strategy.surrender[0][usize::from(hand.hard)][column]) {
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

#[cfg(test)]
mod tests {
    use table_rules::wager::WagerId;

    use super::*;
    use crate::simulate::{ShoeUse, Stack, TableRun, Tally};

    #[test]
    fn the_bare_loop_and_the_engine_come_to_the_same_cent_in_every_round() {
        let table = table().unwrap();
        let (stake, side_stake) = (Cents::dollars(10), Cents::dollars(5));
        let strategy = Strategy::best(&table, stake);
        let rng = Rng::new(11, 0);
        let mut bare = Bare::new(&table, strategy.clone(), stake, side_stake, rng.clone()).unwrap();
        let mut run = TableRun::new(&table, &strategy, 7, stake, Stack::new(&table, ShoeUse::EveryRound), rng)
            .with_side_bets(side_bets(side_stake));
        let mut tally = Tally::default();
        for round in 0..50_000 {
            bare.round();
            tally.add_round(run.round().unwrap());
            assert_eq!(tally.net_cents, i128::from(bare.net_cents()), "round {round}");
        }
        let sides: u64 = tally.lines().iter().filter(|line| line.0 != WagerId::Main).map(|line| line.3).sum();
        assert!(sides >= 7 * 50_000, "a side wager on each of seven boxes: {sides}");
    }

    #[test]
    fn other_tables_are_not_played() {
        let (stake, side_stake) = (Cents::dollars(10), Cents::dollars(5));
        let strategy = Strategy::best(&table().unwrap(), stake);
        let eight_decks = Table { decks: 8, ..table().unwrap() };
        assert!(Bare::new(&eight_decks, strategy.clone(), stake, side_stake, Rng::new(1, 0)).is_none());
        let without_sides = Table::usual(Game::Blackjack);
        assert!(Bare::new(&without_sides, strategy, stake, side_stake, Rng::new(1, 0)).is_none());
    }
}
