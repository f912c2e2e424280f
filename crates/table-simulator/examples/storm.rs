//! Plays days of table time against a disk that lies: `cargo xtask storm --seed N --hours H` runs this.
//!
//! Exits 1 with the broken promise and the inputs before it, or if a situation was never met.

use std::process::ExitCode;

use table_rules::game::Game;
use table_rules::submission::RulesSubmission;
use table_rules::table::{Shuffler, Table};
use table_simulator::storm;

fn main() -> ExitCode {
    let given = |name: &str| {
        let at = std::env::args().position(|arg| arg == name);
        at.and_then(|at| std::env::args().nth(at + 1))
    };
    let number = |name: &str, otherwise: u64| given(name).and_then(|number| number.parse().ok()).unwrap_or(otherwise);
    let only = given("--game");
    let (seed, hours) = (number("--seed", 1), u32::try_from(number("--hours", 24)).unwrap_or(24));
    let mut failed = false;
    for game in Game::ALL.into_iter().filter(|game| only.as_deref().is_none_or(|only| only == game.id())) {
        let path =
            format!("{}/../../firmware-config/submissions/{}-all-wagers.toml", env!("CARGO_MANIFEST_DIR"), game.id());
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{path} cannot be read");
            return ExitCode::FAILURE;
        };
        let Ok(table) = RulesSubmission::parse(&text).check().table else {
            eprintln!("{path} is no table");
            return ExitCode::FAILURE;
        };
        let config = storm::config(game, Table { shuffler: Shuffler::Batch, ..table });
        let has_meters = config.spots.len() > 1;
        match storm::run(config, seed, hours) {
            Ok(tally) => {
                println!(
                    "{game}: seed {seed}, {hours} hours, {} rounds, {} inputs, {} refused, {} power cuts",
                    tally.rounds, tally.inputs, tally.refused, tally.power_cuts
                );
                for (situation, times) in tally.reached.counts() {
                    println!("  {times:6} {situation}");
                }
                let missed = tally.reached.missed(has_meters);
                if !missed.is_empty() {
                    println!("  never met: {}", missed.join(", "));
                    failed = true;
                }
            }
            Err(broken) => {
                println!("{game}: seed {seed}, {hours} hours: {broken}");
                println!("keep it as a case: add this line to crates/table-simulator/tests/storm_seeds.txt");
                println!("{game} {seed} {hours}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
