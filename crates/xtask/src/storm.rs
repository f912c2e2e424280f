//! `cargo xtask storm`: the controller with simulated people and devices, a virtual clock and storage that lies. Runs the
//! storm of the simulator in release mode; the same seed is the same storm.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the dice begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many hours of table time each game plays.
    #[arg(long, default_value_t = 240)]
    hours: u32,
    /// One game alone, such as `pontoon-21`.
    #[arg(long)]
    game: Option<String>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let cargo = ["run", "--release", "--quiet", "--package", "table-simulator", "--features", "storm"];
    let game = args.game.iter().flat_map(|game| ["--game", game]);
    let status = workspace
        .cargo(cargo)
        .args(["--example", "storm", "--", "--seed", &args.seed.to_string(), "--hours", &args.hours.to_string()])
        .args(game)
        .status()
        .context("cannot run the storm")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
