//! Plays a published set of rules for a long time and writes the report as JSON, for `docs/simulation`.
//!
//! `cargo run --release -p table-odds --example long_run -- blackjack-s17 200000000 1 2`: rules, rounds, seed, threads.

use std::io::IsTerminal as _;
use std::time::Instant;

use serde::Serialize;
use table_odds::best_play::BestPlay;
use table_odds::simulate::{Report, Settings, ShoeUse, run};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::{HouseRestrictions, Shuffler, Soft17, SwitchBlackjack, SwitchRules, Table, Variation};

#[derive(Serialize)]
struct Document {
    command: String,
    rules: String,
    decks: u8,
    seed: u64,
    seats: u8,
    stake_cents: i64,
    threads: usize,
    seconds: u64,
    /// What `holecard strategy` works out for the same table and stake.
    computed_edge: f64,
    #[serde(flatten)]
    report: Report,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [rules, rounds, seed, threads] = words.as_slice() else {
        return Err("give rules, rounds, seed and threads, for example: blackjack-s17 20000000 1 2".to_owned());
    };
    let table = table_of(rules)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a whole number"));
    let settings = Settings {
        rounds: number(rounds)?,
        seed: number(seed)?,
        seats: 1,
        stake: Cents::dollars(1),
        threads: usize::try_from(number(threads)?).map_err(|error| error.to_string())?,
        shoe_use: ShoeUse::EveryRound,
    };
    if let Some(reason) = settings.check(&table).first() {
        return Err(reason.to_string());
    }
    let best = BestPlay::of(&table, settings.stake, &|_| {});
    let start = Instant::now();
    let shown = std::io::stderr().is_terminal();
    let progress = |done: u64| {
        if shown {
            eprint!("\r{done} rounds");
        }
    };
    let tally = run(&table, &best.strategy, &settings, &progress).map_err(|stopped| stopped.to_string())?;
    let elapsed = start.elapsed();
    if shown {
        eprintln!();
    }
    let document = Document {
        command: format!("cargo run --release -p table-odds --example long_run -- {}", words.join(" ")),
        rules: rules.clone(),
        decks: table.decks,
        seed: settings.seed,
        seats: settings.seats,
        stake_cents: settings.stake.0,
        threads: settings.threads,
        seconds: elapsed.as_secs(),
        computed_edge: best.edge,
        report: Report::new(&tally, &table, &settings, elapsed),
    };
    let json = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    println!("{json}");
    Ok(())
}

/// The rules that published edges stand for, and the usual tables of the other games.
fn table_of(rules: &str) -> Result<Table, String> {
    // Aces are split once there: what split aces may draw is the house's, and so is how often they are split (S11, D3).
    let blackjack = |soft_17| Table {
        soft_17,
        max_ace_splits: 1,
        restrictions: HouseRestrictions { no_surrender: true, one_card_to_split_aces: true },
        ..Table::usual(Game::Blackjack)
    };
    let switch = |switch_rules| Table { variation: Variation::Switch, switch_rules, ..Table::usual(Game::Blackjack) };
    match rules {
        "blackjack-s17" => Ok(blackjack(Soft17::Stands)),
        "blackjack-h17" => Ok(blackjack(Soft17::Hits)),
        "blackjack-s17-resplit-aces" => Ok(Table { max_ace_splits: 3, ..blackjack(Soft17::Stands) }),
        "blackjack-usual" => Ok(Table::usual(Game::Blackjack)),
        "players-edge-21-one-double" => Ok(Table { double_double: false, ..Table::usual(Game::PlayersEdge21) }),
        "switch" => Ok(switch(SwitchRules::default())),
        "switch-even-money" => {
            Ok(switch(SwitchRules { blackjack: SwitchBlackjack::EvenMoney, ..SwitchRules::default() }))
        }
        "from-the-hand" => Ok(Table {
            variation: Variation::FromTheHand,
            shuffler: Shuffler::Batch,
            decks: 1,
            ..Table::usual(Game::Blackjack)
        }),
        "double-shoe" => Ok(Table { variation: Variation::DoubleShoe, decks: 4, ..Table::usual(Game::Blackjack) }),
        game => game.parse().map(Table::usual).map_err(|unknown| format!("{unknown}; or blackjack-s17, blackjack-h17")),
    }
}
