//! A tally in the figures that people compare: edge, standard error, speed. The arithmetic is exact; only finished
//! decimals become floats.

use std::time::Duration;

use num_bigint::{BigInt, BigUint};
use serde::Serialize;
use table_rules::table::{Table, Variation};

use super::run::Settings;
use super::tally::Tally;
use crate::fraction::Fraction;

/// Digits after the point of the standard error, which is a square root and so has to be cut somewhere.
const PLACES: u32 = 12;

/// What a run came to, in the fields of the command's JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub rounds: u64,
    /// Player hands settled, each split hand counted.
    pub hands: u64,
    /// What the players lost for each opening wager staked: 0.004 is 0.4 %.
    pub edge: f64,
    /// One standard error of the edge.
    pub standard_error: f64,
    /// Opening hands, all seats together, for each second of the run.
    pub seat_hands_per_second: u64,
    /// How often each line of settlement fell due.
    pub lines: Vec<LineCount>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineCount {
    pub wager: &'static str,
    pub outcome: &'static str,
    pub line: &'static str,
    pub count: u64,
}

impl Report {
    pub fn new(tally: &Tally, table: &Table, settings: &Settings, elapsed: Duration) -> Self {
        let staked = staked_a_round(table, settings);
        let seat_hands = u128::from(tally.rounds) * u128::from(settings.seats);
        let nanoseconds = elapsed.as_nanos().max(1);
        let per_second = seat_hands * 1_000_000_000 / nanoseconds;
        let lines = tally.lines().into_iter();
        Self {
            rounds: tally.rounds,
            hands: tally.hands,
            edge: edge(tally, &staked).to_float(),
            standard_error: standard_error(tally, &staked).to_float(),
            seat_hands_per_second: u64::try_from(per_second).unwrap_or(u64::MAX),
            lines: lines
                .map(|(wager, outcome, line, count)| LineCount {
                    wager: wager.id(),
                    outcome: outcome.word(),
                    line,
                    count,
                })
                .collect(),
        }
    }
}

/// Loss per opening wager, exactly.
fn edge(tally: &Tally, staked: &BigUint) -> Fraction {
    Fraction::new(-BigInt::from(tally.net_cents), BigUint::from(tally.rounds.max(1)) * staked)
}

/// The standard error of the edge from the spread of whole rounds: seats of one round share the dealer's cards, so they
/// are not counted as independent.
fn standard_error(tally: &Tally, staked: &BigUint) -> Fraction {
    let rounds = BigInt::from(tally.rounds);
    let sum = BigInt::from(tally.net_cents);
    // n² (n - 1) times the variance of a round's mean.
    let spread = &rounds * BigInt::from(tally.net_squares) - &sum * &sum;
    let divisor = &rounds * &rounds * BigInt::from(tally.rounds.saturating_sub(1).max(1));
    let scale = BigUint::from(10_u8).pow(PLACES);
    let scaled =
        spread.magnitude() * &scale * &scale / (divisor.magnitude() * staked * staked).max(BigUint::from(1_u8));
    Fraction::new(scaled.sqrt(), scale)
}

/// All opening wagers of one round, in cents: two a box in Switch (12.A(1)).
fn staked_a_round(table: &Table, settings: &Settings) -> BigUint {
    let wagers: u32 = match table.variation {
        Variation::Switch => 2,
        Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe => 1,
    };
    BigUint::from(settings.stake.0.unsigned_abs().max(1)) * u32::from(settings.seats.max(1)) * wagers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ShoeUse;
    use table_rules::game::Game;
    use table_rules::money::Cents;

    #[test]
    fn edge_and_error_follow_from_the_sums() {
        // Four rounds of two $1 seats: +2, -2, -1, 0 dollars.
        let mut tally = Tally::default();
        (tally.rounds, tally.hands, tally.net_cents, tally.net_squares) = (4, 8, -100, 90_000);
        let settings = Settings {
            rounds: 4,
            seed: 0,
            seats: 2,
            stake: Cents::dollars(1),
            threads: 1,
            shoe_use: ShoeUse::EveryRound,
        };
        let table = Table::usual(Game::Blackjack);
        let staked = staked_a_round(&table, &settings);
        assert_eq!(edge(&tally, &staked), Fraction::new(1, 8_u8));
        let switch = Table { variation: Variation::Switch, ..table.clone() };
        assert_eq!(edge(&tally, &staked_a_round(&switch, &settings)), Fraction::new(1, 16_u8));
        // Variance of a round in dollars: (9 - 1/4) / 3 = 35/12; of the mean 35/48; of a seat's share of it 35/192.
        assert_eq!(standard_error(&tally, &staked).decimal(6), "0.426956");
        let report = Report::new(&tally, &table, &settings, Duration::from_millis(2));
        assert_eq!(report.seat_hands_per_second, 4000);
    }
}
