//! The dealer's page in a real browser: whole rounds by taps, and the screens that a round does not come to. Before it the
//! page's core alone, on the real controller: every prompt walked, every tap counted.
//!
//! Needs chromium, node and npm, which `setup` installs where continuous integration runs as root on Debian. Elsewhere,
//! where they are missing, the step says so and counts nothing: all else of the test command runs with the toolchain alone.
//!
//! `cargo xtask test` runs each script at its short size; `cargo xtask browser`, a row of `cargo xtask long`, at its whole
//! one (`HOLECARD_LONG=1`), and prints every figure.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::{Workspace, executables};

/// What `hw-tests/browser/setup` leaves with when something has to be installed first.
const MISSING: i32 = 3;

/// What a script is given on its command line.
#[derive(Clone, Copy)]
enum Given {
    /// A table without devices behind the real interface.
    Bench,
    /// The controller behind lines of JSON.
    PageTable,
    /// The command line tool.
    Tool,
    Submissions,
    Assets,
    Root,
}

/// Each script below `hw-tests`, and what it works on.
const SCRIPTS: &[(&str, &[Given])] = &[
    ("page/walk.mjs", &[Given::PageTable, Given::Root]),
    ("page/taps.mjs", &[Given::PageTable]),
    ("browser/screens.mjs", &[Given::Bench, Given::Submissions]),
    ("browser/visits.mjs", &[Given::Bench, Given::Submissions]),
    ("browser/jackpots.mjs", &[Given::Bench, Given::Submissions]),
    ("browser/roles.mjs", &[Given::Bench, Given::Submissions]),
    ("browser/rounds.mjs", &[Given::Bench, Given::Submissions]),
    ("browser/demo.mjs", &[Given::Tool]),
    ("browser/inspection.mjs", &[Given::Tool]),
    ("browser/pictures.mjs", &[Given::Assets]),
    ("browser/signs.mjs", &[Given::Tool, Given::Submissions]),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Short,
    Whole,
}

impl Size {
    /// Several times what the slowest takes on two busy cores.
    const fn seconds_max(self) -> &'static str {
        match self {
            Self::Short => "2400",
            Self::Whole => "7200",
        }
    }
}

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    run_all(workspace, Size::Short)
}

/// `cargo xtask browser`.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let report = run_all(workspace, Size::Whole)?;
    for line in report.notes.iter().chain(&report.failures) {
        println!("{line}");
    }
    println!("{} passed, {} failed", report.passed, report.failed);
    Ok(if report.failed == 0 && report.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_all(workspace: &Workspace, size: Size) -> Result<Report> {
    let folder = workspace.root().join("hw-tests");
    let setup = Command::new(folder.join("browser/setup")).output().context("cannot run hw-tests/browser/setup")?;
    if setup.status.code() == Some(MISSING) {
        let note = format!("not run, {}", String::from_utf8_lossy(&setup.stdout).trim());
        return Ok(Report { notes: vec![note], ..Report::default() });
    }
    if !setup.status.success() {
        let said = String::from_utf8_lossy(&setup.stderr).trim().to_owned();
        return Ok(Report::of_check(vec![format!("hw-tests/browser/setup: {said}")]));
    }
    let programs = match Programs::build(workspace) {
        Ok(programs) => programs,
        Err(error) => return Ok(Report::of_check(vec![format!("{error:#}")])),
    };
    let mut report = Report::default();
    core(workspace, &mut report)?;
    for (script, given) in SCRIPTS {
        // A page that never comes to its end is a failure, not a run that never ends.
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", size.seconds_max(), "node"]).arg(folder.join(script));
        command.args(given.iter().map(|given| programs.path(workspace.root(), *given)));
        if size == Size::Whole {
            command.env("HOLECARD_LONG", "1");
        }
        let ran = command.output().with_context(|| format!("cannot run {script}"))?;
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        report.passed += said.lines().filter(|line| line.starts_with("ok ")).count();
        if size == Size::Whole {
            report.notes.extend(said.lines().map(ToOwned::to_owned));
        }
        if !ran.status.success() {
            report.failed += 1;
            report.failures.push(format!("{script}: {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr).trim()));
        }
    }
    Ok(report)
}

/// The page's core under node, without a browser.
fn core(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let tests = workspace.root().join("crates/dealer-screen/tests");
    let tested = Command::new("node").arg("--test").arg(&tests).output().context("cannot run node --test")?;
    if tested.status.success() {
        report.passed += 1;
    } else {
        report.failed += 1;
        report.failures.push(format!("the page's core: {}", String::from_utf8_lossy(&tested.stdout).trim()));
    }
    Ok(())
}

struct Programs {
    bench: PathBuf,
    page_table: PathBuf,
    tool: PathBuf,
}

impl Programs {
    fn build(workspace: &Workspace) -> Result<Self> {
        let build = |what: &[&str]| {
            let json = ["build", "--quiet", "--message-format", "json"];
            let built = workspace.cargo(json).args(what).output().context("cannot run cargo build")?;
            let program = executables(&built.stdout).pop().map(PathBuf::from);
            program.with_context(|| format!("cargo build {} failed", what.join(" ")))
        };
        let floor = ["--package", "table-simulator", "--features", "floor,storm", "--example", "page_table"];
        Ok(Self {
            bench: build(&["--package", "table-daemon", "--example", "bench_table"])?,
            page_table: build(&floor)?,
            tool: build(&["--package", "holecard", "--bin", "holecard"])?,
        })
    }

    fn path(&self, root: &Path, given: Given) -> PathBuf {
        match given {
            Given::Bench => self.bench.clone(),
            Given::PageTable => self.page_table.clone(),
            Given::Tool => self.tool.clone(),
            Given::Submissions => root.join("firmware-config/submissions"),
            Given::Assets => root.join("crates/dealer-screen/assets"),
            Given::Root => root.to_path_buf(),
        }
    }
}
