//! `cargo xtask`: every developer command. `test` is what continuous integration runs, and nothing else is.
//!
//! A new command is one file and one arm here; a new check is one file under `checks` and one row in `test`.
#![forbid(unsafe_code)]

mod bench;
mod checks;
mod coverage;
mod hw_test;
mod long;
mod mutate;
mod package;
mod report;
mod storm;
mod test;
mod traceability;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use workspace::Workspace;

/// Developer commands of the Holecard workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Format, lints, every test, shipped files, dependency arrows, prose rules: exactly what CI runs (`--quick`: less).
    Test(test::Args),
    /// The Debian package of a table.
    Package(package::Args),
    /// The installed system on a virtual board, or on a real one.
    HwTest(hw_test::Args),
    /// Measurements as ratios against a yardstick of the same run.
    Bench(bench::Args),
    /// Days of table time through controller and journal on a disk that lies.
    Storm(storm::Args),
    /// Finds what shows each clause and writes docs/traceability.md again.
    Traceability(traceability::Args),
    /// Everything slow, one row a command; keeps the last result of each in docs/long-run.md.
    Long(long::Args),
    /// The dealer's page: every prompt walked, every tap counted, and whole rounds in a browser, at full length.
    Browser,
    /// Which lines the tests reach, crate by crate, as a report that fails nothing.
    Coverage(coverage::Args),
    /// Change each number of each paytable in turn and show that a test notices.
    Mutate(mutate::Args),
}

fn main() -> ExitCode {
    let workspace = Workspace::find();
    let result = match Cli::parse().command {
        Command::Test(args) => test::run(&workspace, &args),
        Command::Package(args) => package::run(&workspace, &args),
        Command::HwTest(args) => hw_test::run(&workspace, &args),
        Command::Bench(args) => bench::run(&workspace, &args),
        Command::Storm(args) => storm::run(&workspace, &args),
        Command::Traceability(args) => traceability::run(&workspace, &args),
        Command::Long(args) => long::run(&workspace, &args),
        Command::Browser => checks::browser::run(&workspace),
        Command::Coverage(args) => coverage::run(&workspace, &args),
        Command::Mutate(args) => mutate::run(&workspace, &args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
