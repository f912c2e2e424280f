//! `cargo xtask hw-test`: the installed system on a virtual board (`vm`) or a real one (`bench`). The tests themselves are
//! `hw-tests`; this builds what they run.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::report::Report;
use crate::workspace::Workspace;
use crate::{package, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    on: On,
}

#[derive(Debug, Subcommand)]
enum On {
    /// Boots a virtual board with the release programs; under ten minutes on two cores after build and downloads.
    Vm {
        /// Take the two programs from here instead of building them.
        #[arg(long, value_name = "DIR")]
        programs: Option<PathBuf>,
        /// Options of `hw-tests`: --quick, --only WORD, --arch aarch64, --report.
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// Tries a real board with loop-back wiring; run on the board. docs/technician/bench.md has the wiring.
    Bench {
        #[arg(last = true)]
        options: Vec<String>,
    },
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    match &args.on {
        On::Vm { programs, options } => {
            let programs = match programs {
                Some(folder) => folder.clone(),
                None => package::build_programs(workspace)?,
            };
            let mut tests = tests(workspace)?;
            tests.arg("vm").arg("--programs").arg(programs).args(options);
            Ok(if tests.status().context("cannot run hw-tests")?.success() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        On::Bench { options } => {
            let ran = tests(workspace)?.arg("bench").args(options).status().context("cannot run hw-tests")?;
            Ok(if ran.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

fn tests(workspace: &Workspace) -> Result<Command> {
    let built = workspace.cargo(["build", "--quiet", "-p", "hw-tests", "--bins", "--message-format=json"]).output()?;
    if !built.status.success() {
        bail!("hw-tests cannot be built: {}", String::from_utf8_lossy(&built.stderr).trim());
    }
    let programs = workspace::executables(&built.stdout);
    let program = programs.iter().find(|path| path.ends_with("/hw-tests")).context("no hw-tests was built")?;
    let mut command = Command::new(program);
    command.current_dir(workspace.root());
    Ok(command)
}

/// The exit code of `hw-tests` where no virtual board can be had.
const SKIPPED: i32 = 77;

/// The short list with the programs that the tests have built, as a step of `cargo xtask test`.
pub(crate) fn quick(workspace: &Workspace) -> Result<Report> {
    let built = workspace
        .cargo(["build", "--quiet", "-p", "holecard", "-p", "table-daemon", "--bins", "--message-format=json"])
        .output()?;
    let programs = workspace::executables(&built.stdout);
    let tool = programs.iter().find(|path| path.ends_with("/holecard")).context("no holecard was built")?;
    let folder = PathBuf::from(tool).parent().context("a program without a folder")?.to_owned();
    let ran = tests(workspace)?.args(["vm", "--quick", "--programs"]).arg(folder).output()?;
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    if ran.status.code() == Some(SKIPPED) {
        let mut report = Report::default();
        report.notes.push(format!("the virtual board was not tried: {}", said.trim()));
        return Ok(report);
    }
    for line in said.lines() {
        println!("      {line}");
    }
    let failures = if ran.status.success() { vec![] } else { vec![format!("the virtual board: {}", said.trim())] };
    Ok(Report::of_check(failures))
}
