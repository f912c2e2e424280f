//! `holecard`: try, check and simulate a table from the command line.
//!
//! Thin by intent: each command is one file that reads its arguments, calls a library and prints. Nothing here decides
//! what the rules mean.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod console;
mod demo;
mod files;
mod hidden;
mod output;
mod play;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;
use output::Failure;

fn main() -> ExitCode {
    // Clap itself leaves with 2 on bad usage and with 0 after --help.
    match commands::run(Cli::parse()) {
        Ok(verdict) => verdict.into(),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            match failure {
                Failure::Usage(_) => ExitCode::from(2),
                Failure::File(_) | Failure::Refused(_) | Failure::Output(_) => ExitCode::FAILURE,
            }
        }
    }
}
