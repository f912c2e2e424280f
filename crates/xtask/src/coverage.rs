//! `cargo xtask coverage`: which lines the tests reach. A report to read, never a gate.
//!
//! Builds the tests with the compiler's own counters into a target directory of its own, runs them, and has Debian's
//! `llvm-profdata` and `llvm-cov` of the compiler's LLVM version add them up. Where those are missing it says what to install.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::workspace::{Workspace, executables};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the tests of this crate.
    #[arg(long, short)]
    package: Option<String>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let (profdata, cov) = (tool("llvm-profdata")?, tool("llvm-cov")?);
    let target = workspace.root().join("target/coverage");
    let profiles = target.join("profiles");
    if profiles.exists() {
        std::fs::remove_dir_all(&profiles).context("cannot remove the last profiles")?;
    }
    let selected: Vec<&str> = args.package.as_ref().map_or(vec!["--workspace"], |package| vec!["--package", package]);
    let cargo = |extra: &[&str]| {
        let mut cargo = workspace.cargo(["test", "--lib", "--bins", "--tests"]);
        cargo.args(&selected).args(extra);
        cargo.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-Cinstrument-coverage");
        cargo.env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        cargo
    };
    let built = cargo(&["--no-run", "--message-format", "json"]).output().context("cannot build the tests")?;
    let programs = executables(&built.stdout);
    if programs.is_empty() {
        bail!("the tests could not be built: {}", String::from_utf8_lossy(&built.stderr).trim());
    }
    let tests = cargo(&["--no-fail-fast"]).status().context("cannot run the tests")?;
    let merged = target.join("all.profdata");
    let mut merge = Command::new(profdata);
    merge.args(["merge", "--sparse", "--output"]).arg(&merged).args(files(&profiles)?);
    if !merge.status().context("cannot add up the profiles")?.success() {
        bail!("llvm-profdata could not add up the profiles; it has to be of the compiler's LLVM version");
    }
    let mut report = Command::new(cov);
    report
        .args(["report", "--ignore-filename-regex", "(registry|rustc|/tests/|target)", "--instr-profile"])
        .arg(merged);
    for program in programs {
        report.arg("--object").arg(program);
    }
    report.current_dir(workspace.root());
    let shown = report.status().context("cannot print the report")?;
    Ok(if tests.success() && shown.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Beside the compiler where the toolchain brings it, else on the path with or without a version behind it.
fn tool(name: &str) -> Result<PathBuf> {
    let compiler = Command::new("rustc").args(["--print", "target-libdir"]).output().context("cannot run rustc")?;
    let beside = PathBuf::from(String::from_utf8_lossy(&compiler.stdout).trim()).join("../bin").join(name);
    let version = Command::new("rustc").arg("-vV").output().context("cannot run rustc")?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: ")).unwrap_or_default();
    let major = llvm.split('.').next().unwrap_or_default();
    let candidates = [beside, PathBuf::from(format!("{name}-{major}")), PathBuf::from(name)];
    let runs =
        |program: &PathBuf| Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    candidates.into_iter().find(runs).with_context(|| {
        format!("{name} is missing: install `rustup component add llvm-tools`, or Debian's `llvm-{major}`")
    })
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
