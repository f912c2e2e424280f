//! `holecard simulate`: whole rounds through the engine, by the best play for the table.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use table_odds::simulate::{self, Report, Settings, ShoeUse};
use table_rules::Table;
use table_rules::money::Cents;

use super::strategy::best_play;
use crate::cli::{Simulate, threads_to_use};
use crate::files;
use crate::output::{self, Failure, Outcome, json_line};

pub(crate) fn run(args: &Simulate) -> Result<Outcome, Failure> {
    let (_, table) = files::load(&args.rules)?;
    let settings = Settings {
        rounds: args.rounds,
        seed: args.seed,
        seats: args.seats,
        stake: args.stake.unwrap_or_else(|| usual_stake(&table)),
        threads: threads_to_use(args.threads),
        shoe_use: args.penetration.map_or(ShoeUse::EveryRound, |thousandths| ShoeUse::ToCover { thousandths }),
    };
    let against: Vec<String> = settings.check(&table).iter().map(ToString::to_string).collect();
    if !against.is_empty() {
        return Err(Failure::Usage(against.join("\n       ")));
    }
    let strategy = best_play(&table, settings.stake).strategy;
    let bar = round_bar(args.rounds);
    let started = Instant::now();
    let tally = simulate::run(&table, &strategy, &settings, &|done| bar.set_position(done));
    let elapsed = started.elapsed();
    bar.finish_and_clear();
    let tally = tally.map_err(|stopped| Failure::Refused(format!("the simulation stopped: {stopped}")))?;
    let report = Report::new(&tally, &table, &settings, elapsed);
    let mut out = output::stdout();
    if args.json {
        json_line(&mut out, &report)?;
    } else {
        print(&mut out, &table, &settings, &report, elapsed)?;
    }
    Ok(Outcome::Success)
}

/// $10, where every payout of the main wager is a whole number of common chips; else the table's minimum.
pub(super) fn usual_stake(table: &Table) -> Cents {
    let usual = Cents::dollars(10);
    let legal =
        usual >= table.limits.minimum && usual <= table.limits.maximum && usual.is_multiple_of(table.smallest_chip);
    if legal { usual } else { table.limits.minimum }
}

pub(super) fn round_bar(rounds: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(rounds);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} rounds, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn print(
    out: &mut impl Write,
    table: &Table,
    settings: &Settings,
    report: &Report,
    elapsed: Duration,
) -> io::Result<()> {
    let (title, rounds, hands) = (table.game.title(), report.rounds, report.hands);
    let boxes = if settings.seats == 1 { "box" } else { "boxes" };
    let played = if rounds == 1 { "round" } else { "rounds" };
    writeln!(out, "{title}: {rounds} {played} of {} {boxes} at {}, {hands} hands", settings.seats, settings.stake)?;
    writeln!(out, "  house edge      {} %", percent(report.edge))?;
    writeln!(out, "  standard error  {} %", percent(report.standard_error))?;
    let (speed, seconds) = (report.seat_hands_per_second, elapsed.as_secs());
    writeln!(out, "  speed           {speed} seat-hands per second ({seconds} s, seed {})", settings.seed)?;
    writeln!(out, "  lines of settlement")?;
    for line in &report.lines {
        writeln!(out, "    {:>12}  {} {}, {}", line.count, line.wager, line.outcome, line.line)?;
    }
    Ok(())
}

/// Four decimals of a percentage.
#[expect(clippy::float_arithmetic, reason = "a finished figure on its way to the screen")]
fn percent(share: f64) -> String {
    format!("{:.4}", share * 100.0)
}
