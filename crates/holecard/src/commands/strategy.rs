//! `holecard strategy`: the best play for a table, as a chart.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use table_odds::best_play::{BestPlay, STEPS};
use table_odds::chart::Chart;
use table_rules::Table;
use table_rules::money::Cents;

use super::simulate::usual_stake;
use crate::cli::Strategy;
use crate::files;
use crate::output::{self, Failure, Outcome, json_line};

pub(crate) fn run(args: &Strategy) -> Result<Outcome, Failure> {
    let (_, table) = files::load(&args.rules)?;
    let stake = args.stake.unwrap_or_else(|| usual_stake(&table));
    check_stake(&table, stake)?;
    let chart = Chart::of(&table, stake, &best_play(&table, stake));
    let mut out = output::stdout();
    if args.json {
        json_line(&mut out, &chart)?;
    } else if args.html {
        write!(out, "{}", chart.html())?;
    } else {
        write!(out, "{}", chart.text())?;
    }
    Ok(Outcome::Success)
}

/// The best play, with a bar where somebody waits.
pub(super) fn best_play(table: &Table, stake: Cents) -> BestPlay {
    let bar = if io::stderr().is_terminal() {
        let bar = ProgressBar::new(u64::try_from(STEPS).unwrap_or(u64::MAX));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} up cards worked out") {
            bar.set_style(style);
        }
        bar
    } else {
        ProgressBar::hidden()
    };
    let best = BestPlay::of(table, stake, &|done| bar.set_position(u64::try_from(done).unwrap_or(u64::MAX)));
    bar.finish_and_clear();
    best
}

fn check_stake(table: &Table, stake: Cents) -> Result<(), Failure> {
    let (least, most, chip) = (table.limits.minimum, table.limits.maximum, table.smallest_chip);
    if stake < least || stake > most || !stake.is_multiple_of(chip) {
        let reason = format!("the stake must be {least} to {most} in multiples of {chip}, as this table's limits say");
        return Err(Failure::Usage(reason));
    }
    Ok(())
}
