//! `holecardd`: the daemon of one table. All of it is in the library; this reads the arguments and waits for signals.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use table_daemon::service;

/// Runs one table: devices, rules, journal and the operator's interface.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  holecardd --make-secrets /etc/holecard      once, at the installation\n  \
    holecardd --config /etc/holecard/table.toml\n\n\
    The configuration is laid over the built-in defaults and the board it names; several --config files are laid over\n\
    one another in their order. `holecard check FILE` says what is wrong with one without starting anything."
)]
struct Arguments {
    /// The table's configuration; may be given more than once, later files win.
    #[arg(long, value_name = "FILE", required_unless_present = "make_secrets")]
    config: Vec<PathBuf>,
    /// Makes the secrets of a table in this directory, those that are not there yet, and ends.
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    make_secrets: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.make_secrets {
        Some(directory) => service::make_secrets(directory).map(|made| {
            for line in made {
                println!("{line}");
            }
        }),
        None => service::run(&arguments.config),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The log may not be up yet, or may be what failed.
            eprintln!("holecardd: {error}");
            ExitCode::FAILURE
        }
    }
}
