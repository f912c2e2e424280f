//! `holecard odds`: exact figures of insurance and side wagers.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use table_odds::catalogue::{jobs, odds_of_table};
use table_odds::report::{Report, page, par_sheet};
use table_odds::table::Identity;
use table_odds::verdicts::Counted;
use table_odds::wager::WagerOdds;
use table_rules::table::Soft17;

use crate::cli::Odds;
use crate::files;
use crate::output::{self, Failure, Outcome};

pub(crate) fn run(args: &Odds) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let all = match &args.rules {
        Some(path) => {
            let table = files::load_table(path)?;
            odds_of_table(table.game, table.decks, table.soft_17, &table.wagers)
        }
        None => every_wager(),
    };
    if args.json {
        let objects = all.iter().map(as_json).collect::<Result<Vec<_>, _>>().map_err(io::Error::from)?;
        serde_json::to_writer_pretty(&mut out, &objects).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for odds in &all {
            writeln!(out, "{}", as_text(odds, args.par))?;
        }
    }
    Ok(Outcome::Success)
}

/// Everything that the rules allow, with a bar where somebody waits.
fn every_wager() -> Vec<WagerOdds> {
    let jobs = jobs();
    let bar = progress(jobs.len());
    let mut counted = Counted::new();
    let mut all = Vec::new();
    for job in jobs {
        bar.set_message(format!("{} {}", job.game(), job.wager()));
        all.extend(job.run(&mut counted));
        bar.inc(1);
    }
    bar.finish_and_clear();
    all
}

fn progress(steps: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::try_from(steps).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar
}

fn as_text(odds: &WagerOdds, par: bool) -> String {
    match odds {
        WagerOdds::Exact(table) if par => par_sheet(table),
        WagerOdds::Exact(table) => page(table),
        WagerOdds::NeedsSimulation(identity) => note(identity, PLAY_DECIDES),
        WagerOdds::NotFromCards(identity) => note(identity, DRAW_DECIDES),
    }
}

const PLAY_DECIDES: &str = "the players' decisions matter: there is no exact figure without a strategy";
const DRAW_DECIDES: &str = "a random draw decides: its odds are those of the draw";

fn note(identity: &Identity, why: &str) -> String {
    let (wager, paytable) = (identity.wager, &identity.paytable);
    format!("{wager} {paytable}, {}, {} decks\n  {why}\n", identity.game, identity.decks)
}

fn as_json(odds: &WagerOdds) -> serde_json::Result<Value> {
    match odds {
        WagerOdds::Exact(table) => serde_json::to_value(Report::of(table)),
        WagerOdds::NeedsSimulation(identity) => Ok(unknown(identity, PLAY_DECIDES)),
        WagerOdds::NotFromCards(identity) => Ok(unknown(identity, DRAW_DECIDES)),
    }
}

/// The same fields with nothing in them, and why.
fn unknown(identity: &Identity, why: &str) -> Value {
    let options: serde_json::Map<String, Value> =
        identity.options.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({
        "game": identity.game.id(),
        "wager": identity.wager.id(),
        "paytable": identity.paytable,
        "decks": identity.decks,
        "soft17": identity.soft17.map(|soft17| match soft17 {
            Soft17::Stands => "stands",
            Soft17::Hits => "hits",
        }),
        "options": options,
        "hit_frequency": null,
        "edge": null,
        "edge_fixed": null,
        "meter_lines": [],
        "lines": [],
        "note": why,
    })
}
