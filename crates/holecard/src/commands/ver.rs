//! `holecard ver`: what is installed here, in the words of the screen and the console.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use table_daemon::version::Version;

use crate::output::{self, Failure, Outcome, json_line};

/// Where the package puts the table's file.
const TABLE: &str = "/etc/holecard/table.toml";

/// Show version, compiler and the hashes of programs, rules and configuration.
///
/// An approval names these hashes. Without --config the table's own file is taken, if this machine has one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard ver\n  holecard ver --config /etc/holecard/table.toml --json")]
pub(crate) struct Ver {
    /// The table's configuration.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One JSON object, with the files that were hashed.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Ver) -> Result<Outcome, Failure> {
    let program = std::env::current_exe()?;
    let mut version = Version::of_programs(program.parent().unwrap_or(Path::new("/")))?;
    let installed = Path::new(TABLE);
    if let Some(file) = args.config.as_deref().or_else(|| installed.is_file().then_some(installed)) {
        version = version.with_table(file).map_err(|error| Failure::Refused(error.to_string()))?;
    }
    let mut out = output::stdout();
    if args.json {
        json_line(&mut out, &version)?;
        return Ok(Outcome::Success);
    }
    for line in version.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(Outcome::Success)
}
