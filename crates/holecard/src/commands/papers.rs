//! `holecard papers`: man pages and shell completions, from the command line's own definition. For packagers.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output::{Failure, Outcome};

/// Write man pages and shell completions into a folder.
#[derive(Debug, Args)]
pub(crate) struct Papers {
    /// The folder; it is made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Papers) -> Result<Outcome, Failure> {
    std::fs::create_dir_all(&args.folder)?;
    clap_mangen::generate_to(Cli::command(), &args.folder)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut Cli::command(), "holecard", &args.folder)?;
    }
    Ok(Outcome::Success)
}
