//! What was counted, in the form of the exact odds, with a standard error beside every figure.

use std::fmt::Write as _;

use num_bigint::{BigInt, BigUint};
use serde::Serialize;
use table_rules::money::Pay;
use table_rules::side::{OfferedWager, Printed};
use table_rules::table::{Soft17, Table};

use super::{PlayedTally, stake_of};
use crate::fraction::Fraction;
use crate::simulate::Settings;

/// Digits after the point of a standard error, which is a square root and so has to be cut somewhere.
const PLACES: u32 = 12;

/// One wager in the form that `--json` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedOdds {
    pub game: &'static str,
    pub wager: &'static str,
    pub paytable: &'static str,
    pub decks: u8,
    pub soft17: &'static str,
    pub options: Options,
    pub simulated: Simulated,
    pub hit_frequency: f64,
    pub hit_frequency_standard_error: f64,
    /// Null where a meter has a say.
    pub edge: Option<f64>,
    /// Expected loss for one unit staked, with meters paying nothing.
    pub edge_fixed: f64,
    pub edge_fixed_standard_error: f64,
    /// The standard deviation of a round for one unit staked, with meters paying nothing.
    #[serde(skip)]
    pub volatility: f64,
    pub meter_lines: Vec<PlayedMeterLine>,
    pub lines: Vec<PlayedLine>,
}

/// What else the figures hold for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Options {
    pub stake: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_n_rounds: Option<u32>,
    pub positions: u8,
}

/// Where the figures come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Simulated {
    pub rounds: u64,
    pub seed: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedLine {
    pub line: &'static str,
    pub count: u64,
    pub probability: f64,
    pub standard_error: f64,
    pub pays: String,
    pub basis: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub clause: &'static str,
    /// Paid besides another line or a loss, so that it is not one of those that add up to all rounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub besides: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayedMeterLine {
    pub line: &'static str,
    pub meter: &'static str,
    pub percent: u8,
    pub probability: f64,
    pub standard_error: f64,
}

impl PlayedOdds {
    pub fn new(table: &Table, offer: &OfferedWager, settings: &Settings, tally: &PlayedTally) -> Self {
        let stake = stake_of(offer);
        let rounds = tally.rounds.max(1);
        let share = |count: u64| Fraction::new(count, rounds).to_float();
        let error = |count: u64| share_error(count, rounds).to_float();
        let mut lines = Vec::new();
        let mut meter_lines = Vec::new();
        let rows = offer.table_for(Some(stake)).table.rows.iter();
        for row in rows.filter(|row| offer.can_pay(row.line)) {
            let Printed::Pay(pay) = row.pays else { continue };
            let count = tally.count_of(row.key);
            let (probability, standard_error) = (share(count), error(count));
            let basis = match pay {
                Pay::To(_) => "to",
                Pay::For(_) => "for",
                Pay::Amount(_) => "amount",
                Pay::Meter { percent, meter } => {
                    let (line, meter) = (row.key, meter.name());
                    meter_lines.push(PlayedMeterLine { line, meter, percent, probability, standard_error });
                    "meter"
                }
            };
            let besides = [offer.lucky_player(), offer.magic_card_line()].contains(&Some(row.line));
            let (pays, clause) = (pay.to_string(), row.clause);
            let line = row.key;
            lines.push(PlayedLine { line, count, probability, standard_error, pays, basis, clause, besides });
        }
        let count = tally.count_of("lost");
        lines.push(PlayedLine {
            line: "lost",
            count,
            probability: share(count),
            standard_error: error(count),
            pays: "lost".to_owned(),
            basis: "lost",
            clause: "",
            besides: false,
        });
        let staked = BigUint::from(stake.0.unsigned_abs().max(1));
        let edge_fixed = Fraction::new(-BigInt::from(tally.net_cents), BigUint::from(rounds) * &staked).to_float();
        Self {
            game: table.game.id(),
            wager: offer.id().id(),
            paytable: offer.table_for(Some(stake)).table.id,
            decks: table.decks,
            soft17: match table.soft_17 {
                Soft17::Stands => "stands",
                Soft17::Hits => "hits",
            },
            options: Options {
                stake: stake.to_string(),
                every_n_rounds: offer.every_n_rounds(),
                positions: table.positions,
            },
            simulated: Simulated { rounds: tally.rounds, seed: settings.seed },
            hit_frequency: share(tally.rounds_won),
            hit_frequency_standard_error: error(tally.rounds_won),
            edge: meter_lines.is_empty().then_some(edge_fixed),
            edge_fixed,
            edge_fixed_standard_error: mean_error(tally, &staked).to_float(),
            volatility: deviation(tally, &staked).to_float(),
            meter_lines,
            lines,
        }
    }
}

/// The readable table.
pub fn page(odds: &PlayedOdds) -> String {
    let PlayedOdds { wager, game, decks, soft17, .. } = odds;
    let mut page = String::new();
    let does = if *soft17 == "hits" { "hits" } else { "stands on" };
    let _ = writeln!(page, "{wager}, {game}, {decks} decks, dealer {does} soft 17, stake {}", odds.options.stake);
    let Simulated { rounds, seed } = odds.simulated;
    let _ = writeln!(page, "  simulated: {rounds} rounds by the best play, seed {seed}");
    let name_width = odds.lines.iter().map(|line| line.line.len()).max().unwrap_or(0);
    let pays_width = odds.lines.iter().map(|line| line.pays.len()).max().unwrap_or(0);
    for line in &odds.lines {
        let figure = with_error(line.probability, line.standard_error, 6);
        let besides = if line.besides { "  (besides)" } else { "" };
        let (name, pays, clause) = (line.line, &line.pays, line.clause);
        let _ = writeln!(page, "  {name:name_width$}  {pays:pays_width$}  {figure:>23}  {clause}{besides}");
    }
    let hits = with_error(odds.hit_frequency, odds.hit_frequency_standard_error, 4);
    let edge = with_error(odds.edge_fixed, odds.edge_fixed_standard_error, 4);
    let _ = writeln!(page, "  hit frequency {hits}");
    let without = if odds.meter_lines.is_empty() { "" } else { " without the meters" };
    let _ = writeln!(page, "  house edge{without} {edge}");
    page
}

/// `12.3456 ± 0.0012 %`: one standard error.
#[expect(clippy::float_arithmetic, reason = "a finished figure on its way to the screen")]
fn with_error(figure: f64, error: f64, places: usize) -> String {
    format!("{:.places$} ± {:.places$} %", figure * 100.0, error * 100.0)
}

/// Of a share of independent rounds: `sqrt(p (1 - p) / n)`.
fn share_error(count: u64, rounds: u64) -> Fraction {
    let rounds = BigUint::from(rounds.max(1));
    let count = BigUint::from(count).min(rounds.clone());
    let misses = &rounds - &count;
    root(&(count * misses), &rounds.pow(3))
}

/// Of the mean net of a round, for one unit staked.
fn mean_error(tally: &PlayedTally, staked: &BigUint) -> Fraction {
    let rounds = BigInt::from(tally.rounds.max(1));
    let sum = BigInt::from(tally.net_cents);
    // n² (n - 1) times the variance of the mean; never negative.
    let spread = &rounds * BigInt::from(tally.net_squares) - &sum * &sum;
    let before = BigUint::from(tally.rounds.saturating_sub(1).max(1));
    root(spread.magnitude(), &(rounds.magnitude().pow(2) * before * staked * staked))
}

/// Of the net of one round, for one unit staked.
fn deviation(tally: &PlayedTally, staked: &BigUint) -> Fraction {
    let rounds = BigInt::from(tally.rounds.max(1));
    let sum = BigInt::from(tally.net_cents);
    // n (n - 1) times the variance of a round; never negative.
    let spread = &rounds * BigInt::from(tally.net_squares) - &sum * &sum;
    let before = BigUint::from(tally.rounds.saturating_sub(1).max(1));
    root(spread.magnitude(), &(rounds.magnitude() * before * staked * staked))
}

fn root(numerator: &BigUint, denominator: &BigUint) -> Fraction {
    let scale = BigUint::from(10_u8).pow(PLACES);
    Fraction::new((numerator * &scale * &scale / denominator).sqrt(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_follow_from_the_sums() {
        // A quarter of 100: sqrt(0.25 * 0.75 / 100).
        assert_eq!(share_error(25, 100).decimal(8), "0.04330127");
        assert!(share_error(0, 100).is_zero() && share_error(100, 100).is_zero());
        // Four rounds at $2: +$4, -$2, -$2, -$2. Variance of a round in units 9/4, of the mean 9/16.
        let mut tally = PlayedTally { rounds: 4, rounds_won: 1, ..PlayedTally::default() };
        (tally.net_cents, tally.net_squares) = (-200, 160_000 + 3 * 40_000);
        assert_eq!(mean_error(&tally, &BigUint::from(200_u8)).decimal(6), "0.750000");
        assert_eq!(deviation(&tally, &BigUint::from(200_u8)).decimal(6), "1.500000");
    }
}
