//! Edges against published ones.

use std::time::Duration;

use table_odds::simulate::{Report, Settings, ShoeUse, run};
use table_odds::strategy::Strategy;
use table_rules::money::Cents;
use table_rules::table::Table;

const ROUNDS: u64 = 2_000_000;

/// Of the runs in `docs/simulation`.
const KEPT_ROUNDS: u64 = 200_000_000;

/// A figure that was found without the engine, with its standard error.
#[derive(Clone, Copy)]
pub(crate) struct Published {
    pub(crate) edge: f64,
    pub(crate) error: f64,
}

impl Published {
    /// Three standard errors, those of both figures taken together.
    fn assert_agrees(self, what: &str, edge: f64, error: f64) {
        let (off, error) = ((edge - self.edge).abs(), error.hypot(self.error));
        println!("{what}: edge {edge:.5}, published {:.5}, {:.1} standard errors apart", self.edge, off / error);
        assert!(off <= 3.0 * error, "{what}: edge {edge} is {off} from {}, error {error}", self.edge);
    }
}

/// A $1 wager, so that no payment of 12.C comes in; one seat; a fresh shoe every round.
pub(crate) fn check(table: &Table, published: Published) {
    let settings = Settings {
        rounds: ROUNDS,
        seed: 21,
        seats: 1,
        stake: Cents::dollars(1),
        threads: 1,
        shoe_use: ShoeUse::EveryRound,
    };
    assert_eq!(settings.check(table), []);
    let strategy = Strategy::best(table, settings.stake);
    let tally = run(table, &strategy, &settings, &|_| {}).unwrap();
    let report = Report::new(&tally, table, &settings, Duration::from_secs(1));
    published.assert_agrees(table.game.id(), report.edge, report.standard_error);
}

/// The report of a long run, as it is kept with the command that made it.
pub(crate) fn check_kept(rules: &str, published: Published) {
    let (edge, error, _) = kept(rules);
    published.assert_agrees(rules, edge, error);
}

/// A long run that is kept agrees with the edge that was worked out for its rules: 0.02 % for what the calculation
/// approximates, and three standard errors.
pub(crate) fn check_computed(rules: &str) {
    let (edge, error, computed) = kept(rules);
    let apart = (edge - computed).abs();
    assert!(apart <= 0.0002 + 3.0 * error, "{rules}: {edge} was played, {computed} worked out");
}

/// Edge, standard error and the edge worked out, as its own command wrote them.
fn kept(rules: &str) -> (f64, f64, f64) {
    let path = format!("{}/../../docs/simulation/{rules}.json", env!("CARGO_MANIFEST_DIR"));
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{rules}.json has no {key}"));
    assert!(report["rounds"].as_u64() >= Some(KEPT_ROUNDS), "{rules}.json is too short");
    assert!(report["command"].as_str().is_some_and(|command| command.contains(&format!("long_run -- {rules} "))));
    (number("edge"), number("standard_error"), number("computed_edge"))
}
