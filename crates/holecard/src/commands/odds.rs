//! `holecard odds`: exact figures of insurance and side wagers, and played ones where there are no exact ones.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use table_odds::catalogue::{jobs, odds_at};
use table_odds::played::{self, PlayedOdds};
use table_odds::report::{Report, page, par_sheet};
use table_odds::simulate::{Settings, ShoeUse};
use table_odds::table::Identity;
use table_odds::verdicts::Counted;
use table_odds::wager::WagerOdds;
use table_rules::Table;
use table_rules::submission::RulesSubmission;
use table_rules::table::Soft17;

use super::simulate::{round_bar, strategy_for, usual_stake};
use crate::cli::Odds;
use crate::files;
use crate::output::{self, Failure, Outcome};

pub(crate) fn run(args: &Odds) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let all: Vec<Found> = match &args.rules {
        Some(path) => {
            let (submission, table) = files::load(path)?;
            odds_at(&table)
                .into_iter()
                .map(|odds| found_or_played(args, path, &submission, &table, odds))
                .collect::<Result<_, _>>()?
        }
        None => every_wager().into_iter().map(Found::Reckoned).collect(),
    };
    if args.json {
        let objects = all.iter().map(as_json).collect::<Result<Vec<_>, _>>().map_err(io::Error::from)?;
        serde_json::to_writer_pretty(&mut out, &objects).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for found in &all {
            writeln!(out, "{}", as_text(found, args.par))?;
        }
    }
    Ok(Outcome::Success)
}

/// A wager's figures, however they were found.
enum Found {
    Reckoned(WagerOdds),
    Played(Box<PlayedOdds>),
}

/// Plays what cannot be reckoned, where that is asked for.
fn found_or_played(
    args: &Odds,
    path: &Path,
    submission: &RulesSubmission,
    table: &Table,
    odds: WagerOdds,
) -> Result<Found, Failure> {
    let (WagerOdds::NeedsSimulation(identity), Some(rounds), Some(seed)) = (&odds, args.simulate, args.seed) else {
        return Ok(Found::Reckoned(odds));
    };
    let Some(offer) = table.wagers.iter().find(|offer| offer.id() == identity.wager) else {
        return Ok(Found::Reckoned(odds));
    };
    let stake = usual_stake(table);
    let settings = Settings { rounds, seed, seats: 1, stake, threads: args.threads, shoe_use: ShoeUse::EveryRound };
    let against: Vec<String> = settings.check(table).iter().map(ToString::to_string).collect();
    if !against.is_empty() {
        return Err(Failure::Usage(against.join("\n       ")));
    }
    let strategy = strategy_for(path, submission, table)?;
    let bar = round_bar(rounds);
    let tally = played::play(table, offer, &strategy, &settings, &|done| bar.set_position(done));
    bar.finish_and_clear();
    let tally = tally.map_err(|stopped| Failure::Refused(format!("the simulation stopped: {stopped}")))?;
    Ok(Found::Played(Box::new(PlayedOdds::new(table, offer, &settings, &tally))))
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

fn as_text(found: &Found, par: bool) -> String {
    match found {
        Found::Reckoned(WagerOdds::Exact(table)) if par => par_sheet(table),
        Found::Reckoned(WagerOdds::Exact(table)) => page(table),
        Found::Reckoned(WagerOdds::NeedsSimulation(identity)) => note(identity, PLAY_DECIDES),
        Found::Reckoned(WagerOdds::NotFromCards(identity)) => note(identity, DRAW_DECIDES),
        Found::Played(odds) => played::page(odds),
    }
}

const PLAY_DECIDES: &str = "the players' decisions matter, so there is no exact figure: \
                            holecard odds --rules FILE --simulate ROUNDS --seed S plays it by the basic strategy";
const DRAW_DECIDES: &str = "a random draw decides: its odds are those of the draw";

fn note(identity: &Identity, why: &str) -> String {
    let (wager, paytable) = (identity.wager, &identity.paytable);
    format!("{wager} {paytable}, {}, {} decks\n  {why}\n", identity.game, identity.decks)
}

fn as_json(found: &Found) -> serde_json::Result<Value> {
    match found {
        Found::Reckoned(WagerOdds::Exact(table)) => serde_json::to_value(Report::of(table)),
        Found::Reckoned(WagerOdds::NeedsSimulation(identity)) => Ok(unknown(identity, PLAY_DECIDES)),
        Found::Reckoned(WagerOdds::NotFromCards(identity)) => Ok(unknown(identity, DRAW_DECIDES)),
        Found::Played(odds) => serde_json::to_value(odds),
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
