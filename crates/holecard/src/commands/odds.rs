//! `holecard odds`: exact figures of insurance and side wagers, and played ones where there are no exact ones.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use table_odds::catalogue::{jobs, odds_at};
use table_odds::par::{
    Par, ParLine, WithPar, par_sheet, played_sheet, played_with_par, unreckoned_par, unreckoned_sheet, with_par,
};
use table_odds::played::{self, PlayedOdds, PlayedTally};
use table_odds::report::{Report, heading, page};
use table_odds::simulate::{Settings, ShoeUse};
use table_odds::table::{Identity, OddsTable};
use table_odds::verdicts::Counted;
use table_odds::wager::{Unreckoned, WagerOdds};
use table_rules::Table;
use table_rules::side::OfferedWager;
use table_rules::table::Soft17;

use super::simulate::{round_bar, usual_stake};
use super::strategy::best_play;
use crate::cli::{Odds, threads_to_use};
use crate::files;
use crate::output::{self, Failure, Outcome};

pub(crate) fn run(args: &Odds) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let all: Vec<Found> = match &args.rules {
        Some(path) => {
            let (_, table) = files::load(path)?;
            let found = |odds| found_or_played(args, &table, odds);
            odds_at(&table).into_iter().map(found).collect::<Result<_, _>>()?
        }
        None => every_wager(),
    };
    if args.json {
        let objects = all.iter().map(|found| as_json(found, args.par)).collect::<Result<Vec<_>, _>>();
        serde_json::to_writer_pretty(&mut out, &objects.map_err(io::Error::from)?).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for found in &all {
            writeln!(out, "{}", as_text(found, args.par))?;
        }
    }
    Ok(Outcome::Success)
}

/// A wager's figures, however they were found, or why there are none.
enum Found {
    Exact(OddsTable),
    Played(Box<PlayedOdds>),
    /// The players' decisions matter. The offer is there to be played a little, for the hash of its PAR sheet.
    NotPlayed(Unreckoned, Option<Box<OfferedWager>>),
    NotFromCards(Unreckoned),
}

impl Found {
    fn reckoned(odds: WagerOdds, offer: impl FnOnce(&Unreckoned) -> Option<OfferedWager>) -> Self {
        match odds {
            WagerOdds::Exact(table) => Self::Exact(table),
            WagerOdds::NotFromCards(unreckoned) => Self::NotFromCards(unreckoned),
            WagerOdds::NeedsSimulation(unreckoned) => {
                let offer = offer(&unreckoned).map(Box::new);
                Self::NotPlayed(unreckoned, offer)
            }
        }
    }
}

/// Plays what cannot be reckoned, where that is asked for.
fn found_or_played(args: &Odds, table: &Table, odds: WagerOdds) -> Result<Found, Failure> {
    let found =
        Found::reckoned(odds, |wager| table.wagers.iter().find(|offer| offer.id() == wager.identity.wager).cloned());
    let (Found::NotPlayed(_, Some(offer)), Some(rounds), Some(seed)) = (&found, args.simulate, args.seed) else {
        return Ok(found);
    };
    let stake = usual_stake(table);
    let settings = Settings {
        rounds,
        seed,
        seats: 1,
        stake,
        threads: threads_to_use(args.threads),
        shoe_use: ShoeUse::EveryRound,
    };
    let against: Vec<String> = settings.check(table).iter().map(ToString::to_string).collect();
    if !against.is_empty() {
        return Err(Failure::Usage(against.join("\n       ")));
    }
    let strategy = best_play(table, stake).strategy;
    let bar = round_bar(rounds);
    let tally = played::play(table, offer, &strategy, &settings, &|done| bar.set_position(done));
    bar.finish_and_clear();
    let tally = tally.map_err(|stopped| Failure::Refused(format!("the simulation stopped: {stopped}")))?;
    Ok(Found::Played(Box::new(PlayedOdds::new(table, offer, &settings, &tally))))
}

/// Everything that the rules allow, with a bar where somebody waits.
fn every_wager() -> Vec<Found> {
    let jobs = jobs();
    let bar = progress(jobs.len());
    let mut counted = Counted::new();
    let mut all = Vec::new();
    for job in jobs {
        bar.set_message(format!("{} {}", job.game(), job.wager()));
        let reckoned = job.run(&mut counted).into_iter();
        all.extend(reckoned.map(|odds| Found::reckoned(odds, |wager| job.offer(wager.identity.decks))));
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
        Found::Exact(table) if par => par_sheet(table),
        Found::Exact(table) => page(table),
        Found::Played(odds) if par => played_sheet(odds),
        Found::Played(odds) => played::page(odds),
        Found::NotPlayed(wager, offer) if par => {
            unreckoned_sheet(wager, PLAY_DECIDES, sample_of(wager, offer).as_ref())
        }
        Found::NotPlayed(wager, _) => note(&wager.identity, PLAY_DECIDES),
        Found::NotFromCards(wager) if par => unreckoned_sheet(wager, DRAW_DECIDES, None),
        Found::NotFromCards(wager) => note(&wager.identity, DRAW_DECIDES),
    }
}

const PLAY_DECIDES: &str = "the players' decisions matter, so there is no exact figure: \
                            holecard odds --rules FILE --simulate ROUNDS --seed S plays it by the table's best play";
const DRAW_DECIDES: &str = "a random draw decides: its odds are those of the draw";

fn note(identity: &Identity, why: &str) -> String {
    format!("{}\n  {why}\n", heading(identity))
}

/// A few rounds that stand for the evaluator. A run that stops is no sheet's business: the hash is then the paytable's.
fn sample_of(wager: &Unreckoned, offer: &Option<Box<OfferedWager>>) -> Option<PlayedTally> {
    offer.as_deref().map(|offer| played::sample(&wager.identity, offer))?.ok()
}

fn as_json(found: &Found, par: bool) -> serde_json::Result<Value> {
    match found {
        Found::Exact(table) if par => serde_json::to_value(with_par(table)),
        Found::Exact(table) => serde_json::to_value(Report::of(table)),
        Found::Played(odds) if par => serde_json::to_value(played_with_par(PlayedOdds::clone(odds))),
        Found::Played(odds) => serde_json::to_value(odds),
        Found::NotPlayed(wager, offer) if par => {
            unknown_with_par(wager, PLAY_DECIDES, unreckoned_par(wager, sample_of(wager, offer).as_ref()))
        }
        Found::NotPlayed(wager, _) => Ok(unknown(&wager.identity, PLAY_DECIDES)),
        Found::NotFromCards(wager) if par => unknown_with_par(wager, DRAW_DECIDES, unreckoned_par(wager, None)),
        Found::NotFromCards(wager) => Ok(unknown(&wager.identity, DRAW_DECIDES)),
    }
}

/// The lines are known, how often they come is not.
fn unknown_with_par(wager: &Unreckoned, why: &str, par: (Par, Vec<ParLine>)) -> serde_json::Result<Value> {
    let (par, lines) = par;
    let mut odds = unknown(&wager.identity, why);
    odds["lines"] = serde_json::to_value(lines)?;
    serde_json::to_value(WithPar { odds, par })
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
