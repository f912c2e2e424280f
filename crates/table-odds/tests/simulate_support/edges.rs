//! Edges against published ones.

use std::time::Duration;

use table_odds::simulate::{Report, Settings, ShoeUse, run};
use table_odds::strategy::Strategy;
use table_rules::money::Cents;
use table_rules::table::Table;

const ROUNDS: u64 = 2_000_000;

/// A $1 wager, so that no payment of 12.C comes in; one seat; a fresh shoe every round.
pub(crate) fn check(table: &Table, published: f64, published_error: f64) {
    let strategy = Strategy::shipped(table).unwrap();
    let settings = Settings {
        rounds: ROUNDS,
        seed: 21,
        seats: 1,
        stake: Cents::dollars(1),
        threads: 1,
        shoe_use: ShoeUse::EveryRound,
    };
    assert_eq!(settings.check(table), []);
    let tally = run(table, &strategy, &settings, &|_| {}).unwrap();
    let report = Report::new(&tally, &settings, Duration::from_secs(1));
    let error = report.standard_error.hypot(published_error);
    let off = (report.edge - published).abs();
    println!("{}: edge {:.5} ± {:.5}, published {published:.5}", table.game, report.edge, report.standard_error);
    assert!(off <= 3.0 * error, "{}: edge {} is {off} from {published}, error {error}", table.game, report.edge);
}
