//! The dealer's page in a real browser: whole rounds by taps, and the screens that a round does not come to.
//!
//! Needs chromium, node and npm, which `setup` installs where continuous integration runs as root on Debian. Elsewhere,
//! where they are missing, the step says so and counts nothing: all else of the test command runs with the toolchain alone.

use std::process::Command;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::Workspace;

/// What `hw-tests/browser/setup` leaves with when something has to be installed first.
const MISSING: i32 = 3;
const SCRIPTS: &[&str] = &["screens.mjs", "rounds.mjs"];
/// Several times what the slowest takes on two busy cores.
const SCRIPT_SECONDS_MAX: &str = "900";
/// Works on the tool itself.
const DEMO: &str = "demo.mjs";

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let folder = workspace.root().join("hw-tests/browser");
    let setup = Command::new(folder.join("setup")).output().context("cannot run hw-tests/browser/setup")?;
    if setup.status.code() == Some(MISSING) {
        let note = format!("not run, {}", String::from_utf8_lossy(&setup.stdout).trim());
        return Ok(Report { notes: vec![note], ..Report::default() });
    }
    if !setup.status.success() {
        let said = String::from_utf8_lossy(&setup.stderr).trim().to_owned();
        return Ok(Report::of_check(vec![format!("hw-tests/browser/setup: {said}")]));
    }
    let build = |what: [&str; 4]| {
        let json = ["build", "--quiet", "--message-format", "json"];
        workspace
            .cargo(json)
            .args(what)
            .output()
            .context("cannot build the page's program")
            .map(|built| executable(&built.stdout))
    };
    let bench = build(["--package", "table-daemon", "--example", "bench_table"])?;
    let tool = build(["--package", "holecard", "--bin", "holecard"])?;
    let (Some(bench), Some(tool)) = (bench, tool) else {
        return Ok(Report::of_check(vec!["the bench table and the tool could not be built".to_owned()]));
    };
    let submissions = workspace.root().join("firmware-config/submissions");
    let mut report = Report::default();
    for script in SCRIPTS.iter().chain([&DEMO]) {
        // A page that never comes to its end is a failure, not a run that never ends.
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", SCRIPT_SECONDS_MAX, "node"]).arg(folder.join(script));
        if *script == DEMO {
            command.arg(&tool)
        } else {
            command.arg(&bench).arg(&submissions)
        };
        let ran = command.output().with_context(|| format!("cannot run {script}"))?;
        let passed = String::from_utf8_lossy(&ran.stdout).lines().filter(|line| line.starts_with("ok ")).count();
        report.passed += passed;
        if !ran.status.success() {
            report.failed += 1;
            report.failures.push(format!("{script}: {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr).trim()));
        }
    }
    Ok(report)
}

/// The last program that cargo says it built.
fn executable(messages: &[u8]) -> Option<String> {
    let messages = String::from_utf8_lossy(messages);
    messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(str::to_owned)
    })
}
