//! Lines of 12.B and 12.C under one fixed way to play: draw until 21 or over. Their chances are counted exactly.

use table_odds::simulate::{Player, Rng, ShoeUse, Stack, TableRun, Tally};
use table_odds::strategy::{Open, Play, UpCard};
use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::hand::Hand;
use table_rules::money::Cents;
use table_rules::table::Table;
use table_rules::wager::WagerId;

use super::assert_count;

const ROUNDS: u64 = 1_000_000;

struct DrawsTo21;

impl Player for DrawsTo21 {
    fn decide(&self, _: &Hand, _: UpCard, _: bool, _: Open) -> Play {
        Play::Hit
    }

    fn decide_doubled(&self, _: &Hand, _: UpCard, _: u8, _: bool) -> Play {
        Play::Stand
    }
}

/// Plays a shoe whose sevens are `sevens` times as many as usual: three suited sevens are rare in an honest one.
pub(crate) fn check(table: &Table, sevens: usize) {
    let of_each = |rank| usize::from(table.decks) * if rank == Rank::Seven { sevens } else { 1 };
    let cards: Vec<Card> = table.game.deck().flat_map(|card| vec![card; of_each(card.rank())]).collect();
    let exact = Exact::of(&cards, table.game);
    let stack = Stack::of(cards, ShoeUse::EveryRound);
    let mut run = TableRun::new(table, &DrawsTo21, 1, Cents::dollars(5), stack, Rng::new(678, 0));
    let mut tally = Tally::default();
    for _ in 0..ROUNDS {
        tally.add_round(run.round().unwrap());
    }
    let lines = [
        ("7-7-7 top suit", exact.sevens.top),
        ("7-7-7 suited", exact.sevens.suited),
        ("7-7-7 mixed", exact.sevens.mixed),
        ("6-7-8 top suit", exact.straight.top),
        ("6-7-8 suited", exact.straight.suited),
        ("6-7-8 mixed", exact.straight.mixed),
        ("five-card 21", exact.by_length[5]),
        ("six-card 21", exact.by_length[6]),
        ("seven-card 21", exact.by_length[7..].iter().sum()),
        ("blackjack", exact.by_length[2]),
    ];
    for (line, chance) in lines {
        let what = format!("{} with {sevens} times the sevens: {line}", table.game);
        assert_count(&what, tally.count_of(WagerId::Main, line), ROUNDS, chance, 3.5);
    }
    let additional = tally.count_of(WagerId::AdditionalPayout, "7-7-7 suited against a 7");
    let what = format!("{} with {sevens} times the sevens: 12.C", table.game);
    assert_count(&what, additional, ROUNDS, exact.suited_sevens_against_a_seven, 3.5);
    let seen = sevens == 1 || additional > 500;
    assert!(seen, "{what}: only {additional}, too few to show anything");
}

#[derive(Default)]
struct Suited {
    top: f64,
    suited: f64,
    mixed: f64,
}

/// Chances of each way to come to 21, the dealer not having a blackjack that would end the round first. A player's
/// blackjack is paid either way in these games.
#[derive(Default)]
struct Exact {
    by_length: [f64; 22],
    sevens: Suited,
    straight: Suited,
    suited_sevens_against_a_seven: f64,
}

/// By point value, the ace first.
type Counts = [u64; 10];

impl Exact {
    fn of(cards: &[Card], game: Game) -> Self {
        let mut exact = Self::default();
        let mut counts: Counts = [0; 10];
        for card in cards {
            counts[usize::from(card.points()) - 1] += 1;
        }
        exact.draw(&mut counts, &mut Vec::new(), 1.0);
        exact.by_length[2] = blackjacks(&counts);
        let of = |rank, suit| cards.iter().filter(|card| card.rank() == rank && card.suit() == suit).count() as f64;
        exact.three_cards(&counts, game, &of);
        exact
    }

    /// Every order of values that comes to 21. The dealer's two cards are any two of those that remain: it makes no
    /// difference that they were dealt earlier.
    fn draw(&mut self, counts: &mut Counts, values: &mut Vec<usize>, chance: f64) {
        let hard: usize = values.iter().map(|value| value + 1).sum();
        let total = if values.contains(&0) && hard <= 11 { hard + 10 } else { hard };
        if values.len() >= 2 && total >= 21 {
            if total == 21 {
                self.by_length[values.len()] += chance * (1.0 - blackjacks(counts));
            }
            return;
        }
        let left: u64 = counts.iter().sum();
        for value in 0..counts.len() {
            if counts[value] == 0 {
                continue;
            }
            let next = chance * counts[value] as f64 / left as f64;
            counts[value] -= 1;
            values.push(value);
            self.draw(counts, values, next);
            values.pop();
            counts[value] += 1;
        }
    }

    fn three_cards(&mut self, counts: &Counts, game: Game, of: &dyn Fn(Rank, Suit) -> f64) {
        let all: f64 = counts.iter().sum::<u64>() as f64;
        let orders = all * (all - 1.0) * (all - 2.0);
        let after = |values: [usize; 3]| {
            let mut left = *counts;
            for value in values {
                left[value] -= 1;
            }
            1.0 - blackjacks(&left)
        };
        let sevens = counts[6] as f64;
        let per_suit = |suit| of(Rank::Seven, suit);
        let three_of = |n: f64| n * (n - 1.0) * (n - 2.0);
        let no_blackjack = after([6, 6, 6]);
        let all_sevens = three_of(sevens) / orders * no_blackjack;
        let straights = |suit| 6.0 * of(Rank::Six, suit) * of(Rank::Seven, suit) * of(Rank::Eight, suit);
        let straight_clear = after([5, 6, 7]);
        let all_straights = 6.0 * counts[5] as f64 * sevens * counts[7] as f64 / orders * straight_clear;
        let mut suited_sevens = 0.0;
        for suit in Suit::ALL {
            let chance = three_of(per_suit(suit)) / orders;
            suited_sevens += chance;
            let straight = straights(suit) / orders * straight_clear;
            if game.top_suit() == Some(suit) {
                self.sevens.top += chance * no_blackjack;
                self.straight.top += straight;
            } else {
                self.sevens.suited += chance * no_blackjack;
                self.straight.suited += straight;
            }
        }
        self.sevens.mixed = all_sevens - self.sevens.top - self.sevens.suited;
        self.straight.mixed = all_straights - self.straight.top - self.straight.suited;
        // A seven up: the dealer cannot have a blackjack.
        self.suited_sevens_against_a_seven = suited_sevens * (sevens - 3.0) / (all - 3.0);
    }
}

/// The chance that two cards from these are an ace and a ten-value card.
fn blackjacks(counts: &Counts) -> f64 {
    let all: u64 = counts.iter().sum();
    (2 * counts[0] * counts[9]) as f64 / (all * (all - 1)) as f64
}
