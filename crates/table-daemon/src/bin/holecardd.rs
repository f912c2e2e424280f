//! `holecardd`: the daemon of one table. All of it is in the library; this reads the arguments and waits for signals.
#![forbid(unsafe_code)]

use std::alloc::System;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use table_daemon::service;
use zeroizing_alloc::ZeroAlloc;

/// Wipes what it frees: a PIN or a key in a buffer of somebody else's library goes with the buffer.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<System> = ZeroAlloc(System);

/// Runs one table: devices, rules, journal and the operator's interface.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  holecardd --make-secrets /etc/holecard      once, at the installation\n  \
    holecardd --commission --config /etc/holecard/table.toml --journal-key /etc/holecard/journal.key\n  \
    holecardd --config /etc/holecard/table.toml\n\n\
    The configuration is laid over the built-in defaults and the board it names; several --config files are laid over\n\
    one another in their order. `holecard check FILE` says what is wrong with one without starting anything."
)]
struct Arguments {
    /// The table's configuration; may be given more than once, later files win.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["make_secrets", "staff"])]
    config: Vec<PathBuf>,
    /// Makes the secrets of a table in this directory, those that are not there yet, and ends.
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    make_secrets: Option<PathBuf>,
    /// Owns the staff file in this directory and checks PINs for the daemon and the technician's console; nothing else.
    #[arg(long, value_name = "DIR", conflicts_with = "config", requires = "pepper")]
    staff: Option<PathBuf>,
    /// The secret that is mixed into every PIN's hash.
    #[arg(long, value_name = "FILE", requires = "staff")]
    pepper: Option<PathBuf>,
    /// Where the owner of the staff file is asked, where systemd passes no socket in.
    #[arg(long, value_name = "PATH", requires = "staff")]
    socket: Option<PathBuf>,
    /// Says that this table is new, and ends: a journal that is empty where people have been added is missing otherwise.
    #[arg(long, requires = "config")]
    commission: bool,
    /// The journal's key, where the configuration names a credential that only the unit has.
    #[arg(long, value_name = "FILE", requires = "commission")]
    journal_key: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match (&arguments.make_secrets, &arguments.staff, &arguments.pepper) {
        (None, Some(staff), Some(pepper)) => service::own_staff(staff, pepper, arguments.socket.as_deref()),
        (Some(directory), ..) => service::make_secrets(directory).map(|made| {
            for line in made {
                println!("{line}");
            }
        }),
        (None, ..) if arguments.commission => service::commission(&arguments.config, arguments.journal_key.as_deref()),
        (None, ..) => service::run(&arguments.config),
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
