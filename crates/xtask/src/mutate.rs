//! `cargo xtask mutate`: each number of each paytable changed in turn; a test that was not made from the paytables must
//! notice every one.
//!
//! The mutants are tried inside one test process of `table-rules`, by the paytable reader of the program and the table of
//! figures that was typed from the clauses a second time, so that tens of thousands take seconds. Nothing is written to
//! the checkout.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the nearest changes, as the usual tests make them.
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let test = ["test", "--quiet", "-p", "table-rules", "--test", "second", "product::mutants", "--", "--nocapture"];
    let mut cargo = workspace.cargo(test);
    if args.quick {
        cargo.env_remove("HOLECARD_ALL_MUTANTS");
    } else {
        cargo.env("HOLECARD_ALL_MUTANTS", "1");
    }
    let status = cargo.status().context("cannot run cargo to try the mutants")?;
    if status.success() {
        println!("every mutant was noticed");
        Ok(ExitCode::SUCCESS)
    } else {
        eprintln!("a mutant survived, or the mutants could not be tried: see above");
        Ok(ExitCode::FAILURE)
    }
}
