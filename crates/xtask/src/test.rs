//! `cargo xtask test`: the one test command.
//!
//! Every step runs even if an earlier one failed, so that one run tells everything. The last line counts tests and
//! checks together. `--quick` leaves out what is slow: it is for the minutes before a commit, never for a landing.

use std::io::{BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::checks;
use crate::report::Report;
use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the steps whose name contains this word.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// Before a commit: format, lints, unit tests, scenarios, formats. Three minutes once the workspace is built.
    #[arg(long)]
    quick: bool,
}

type Step = fn(&Workspace) -> Result<Report>;

/// The steps, cheap ones first.
const STEPS: &[(&str, Step)] = &[
    ("format", format),
    ("dependency arrows", checks::arrows::check),
    ("prose rules", checks::prose::check),
    ("links", checks::links::check),
    ("clause ids", checks::clause_ids::check),
    ("systemd units", checks::systemd::check),
    ("firmware overlays", checks::firmware::check),
    ("clippy", clippy),
    ("tests", tests),
    ("shipped files", checks::shipped::check),
    ("browser", checks::browser::check),
    ("virtual board", crate::hw_test::quick),
];

/// The steps of `--quick`.
const QUICK_STEPS: &[(&str, Step)] = &[
    ("format", format),
    ("dependency arrows", checks::arrows::check),
    ("prose rules", checks::prose::check),
    ("links", checks::links::check),
    ("clause ids", checks::clause_ids::check),
    ("clippy", clippy),
    ("quick tests", quick_tests),
];

/// Test programs of `--quick` beside the unit tests: whole rounds as text, submissions, signs and golden bytes. Each ends
/// within seconds.
const QUICK_PROGRAMS: &[&str] = &["scenarios", "checks", "postings", "days", "format", "wire", "config", "schema"];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let wanted = |name: &str| args.only.as_ref().is_none_or(|word| name.contains(word.as_str()));
    let tier = if args.quick { QUICK_STEPS } else { STEPS };
    let steps: Vec<_> = tier.iter().filter(|(name, _)| wanted(name)).collect();
    let mut total = Report::default();
    let started = Instant::now();
    for (number, (name, step)) in steps.iter().enumerate() {
        println!("[{}/{}] {name}", number + 1, steps.len());
        let began = Instant::now();
        let report = step(workspace).unwrap_or_else(|error| Report::of_check(vec![format!("{error:#}")]));
        for note in &report.notes {
            println!("      note: {note}");
        }
        for failure in &report.failures {
            println!("      FAILED: {failure}");
        }
        let verdict = if report.failed == 0 { "ok" } else { "FAILED" };
        println!("      {verdict} in {:.1} s", began.elapsed().as_secs_f64());
        std::io::stdout().flush()?;
        total.add(&report);
    }
    println!("all steps in {:.1} s", started.elapsed().as_secs_f64());
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn format(workspace: &Workspace) -> Result<Report> {
    cargo_step(workspace, &["fmt", "--all", "--check"], "run `cargo fmt --all`")
}

fn clippy(workspace: &Workspace) -> Result<Report> {
    let args = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    cargo_step(workspace, &args, "the lints are above")
}

fn cargo_step(workspace: &Workspace, args: &[&str], remedy: &str) -> Result<Report> {
    let status = workspace.cargo(args).status().with_context(|| format!("cannot run cargo {}", args[0]))?;
    let failures = if status.success() { vec![] } else { vec![format!("cargo {}: {remedy}", args[0])] };
    Ok(Report::of_check(failures))
}

/// All tests, documentation tests included.
fn tests(workspace: &Workspace) -> Result<Report> {
    cargo_test(workspace, &["test", "--workspace", "--no-fail-fast"])
}

fn quick_tests(workspace: &Workspace) -> Result<Report> {
    let mut args = vec!["test", "--workspace", "--no-fail-fast", "--lib", "--bins"];
    for program in QUICK_PROGRAMS {
        args.extend(["--test", program]);
    }
    cargo_test(workspace, &args)
}

/// Cargo's output passes through; the result lines are counted.
fn cargo_test(workspace: &Workspace, args: &[&str]) -> Result<Report> {
    let mut child = workspace.cargo(args).stdout(Stdio::piped()).spawn().context("cannot run cargo test")?;
    let mut report = Report::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            if let Some((passed, failed)) = counts(&line) {
                report.passed += passed;
                report.failed += failed;
            }
            // Thousands of `ok` lines hide the one that matters.
            if !line.ends_with(" ... ok") && !line.is_empty() {
                println!("      {line}");
            }
        }
    }
    let status = child.wait().context("cargo test did not end")?;
    if !status.success() && report.failed == 0 {
        report.failed = 1;
        report.failures.push("cargo test did not come to its end; the reason is above".to_owned());
    }
    Ok(report)
}

/// `test result: ok. 12 passed; 0 failed; …` as (12, 0).
fn counts(line: &str) -> Option<(usize, usize)> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut parts = rest.split("; ");
    let passed = parts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = parts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted_and_others_are_not() {
        let ok = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let bad = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(counts(ok), Some((12, 0)));
        assert_eq!(counts(bad), Some((3, 2)));
        assert_eq!(counts("test properties::a ... ok"), None);
        assert_eq!(counts("running 12 tests"), None);
    }
}
