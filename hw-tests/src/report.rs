//! What came of a run: a table and a chart for docs/.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::machine::Arch;

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) shows: &'static str,
    pub(crate) seconds: f64,
    pub(crate) outcome: Outcome,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    Passed(Vec<String>),
    Failed(String),
}

impl Outcome {
    pub(crate) fn is_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    pub(crate) fn lines(&self, seconds: f64) -> String {
        match self {
            Self::Passed(lines) => {
                let mut text = format!("    passed in {seconds:.0} s");
                for line in lines {
                    // Writing to a text cannot fail.
                    let _ = write!(text, "\n      {line}");
                }
                text
            }
            Self::Failed(reason) => format!("    FAILED in {seconds:.0} s: {reason}"),
        }
    }
}

/// Milliseconds from edge to lamp, sorted.
#[derive(Clone, Debug)]
pub(crate) struct Presses(Vec<f64>);

impl Presses {
    pub(crate) fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    pub(crate) fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(0.0)
    }

    fn longest(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Latency {
    pub(crate) debounce_ms: u64,
    pub(crate) bare: Presses,
    pub(crate) accepted: Presses,
    pub(crate) refused: Presses,
}

impl Latency {
    pub(crate) fn debounce(&self) -> f64 {
        u32::try_from(self.debounce_ms).map_or(0.0, f64::from)
    }
}

const PAGE: &str = "docs/virtual-board.md";
const CHART: &str = "docs/screenshots/lock-out-latency.svg";

pub(crate) fn write(root: &Path, arch: Arch, rows: &[Row], latency: Option<&Latency>, took: Duration) -> Result<()> {
    let commit = printed(root, "git", &["rev-parse", "--short=10", "HEAD"])?;
    let date = printed(root, "date", &["-u", "+%Y-%m-%d %H:%M UTC"])?;
    let mut text = format!(
        "# The virtual board\n\nWritten by `cargo xtask hw-test vm --report`; [testing](testing.md) says what the board is made of.\n\n\
         Last run: {date}, commit {commit}, {} guest under emulation, {:.0} s without build and downloads.\n\n\
         | case | shows | result | took |\n|---|---|---|---|\n",
        arch.debian(),
        took.as_secs_f64()
    );
    for row in rows {
        let result = match &row.outcome {
            Outcome::Passed(lines) => format!("passed: {}", lines.join("; ")),
            Outcome::Failed(reason) => format!("FAILED: {}", reason.lines().next().unwrap_or_default()),
        };
        let _ =
            writeln!(text, "| {} | {} | {} | {:.0} s |", row.name, row.shows, result.replace('|', "/"), row.seconds);
    }
    if let Some(latency) = latency {
        let _ = write!(
            text,
            "\n## Lock-out edge to lamp\n\nEach dot is a press, from the edge on the simulated line to the lamp's line in the same guest; {} ms of \
             each are the kernel's debounce. The bare reader is a program that waits for the edge and sets the line, nothing else.\n\n\
             ![presses](screenshots/lock-out-latency.svg)\n\n| | median | longest | beyond the debounce, against bare |\n|---|---|---|---|\n",
            latency.debounce_ms
        );
        let yardstick = latency.bare.median() - latency.debounce();
        for (name, presses) in series(latency) {
            let _ = writeln!(
                text,
                "| {name} | {:.1} ms | {:.1} ms | {:.2}x |",
                presses.median(),
                presses.longest(),
                (presses.median() - latency.debounce()) / yardstick
            );
        }
        std::fs::write(root.join(CHART), chart(latency)).context("the chart")?;
    }
    std::fs::write(root.join(PAGE), text).context("the page")
}

const fn series(latency: &Latency) -> [(&'static str, &Presses); 3] {
    [("bare reader", &latency.bare), ("accepted", &latency.accepted), ("refused", &latency.refused)]
}

/// Dots over a scale of milliseconds, one row a series.
fn chart(latency: &Latency) -> String {
    let rows = series(latency);
    let most = rows.iter().map(|(_, presses)| presses.longest()).fold(50.0_f64, f64::max).ceil() + 5.0;
    let x = |ms: f64| 110.0 + ms / most * 560.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 210\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"700\" height=\"210\" fill=\"#ffffff\"/>\n",
    );
    let mut line = |text: String| svg.push_str(&(text + "\n"));
    let mut tick = 0.0;
    while tick <= most {
        line(format!("<line x1=\"{0:.1}\" y1=\"15\" x2=\"{0:.1}\" y2=\"165\" stroke=\"#e2e2e2\"/>", x(tick)));
        line(format!("<text x=\"{:.1}\" y=\"182\" text-anchor=\"middle\" fill=\"#444\">{tick:.0}</text>", x(tick)));
        tick += 10.0;
    }
    let debounce = x(latency.debounce());
    line(format!(
        "<line x1=\"{debounce:.1}\" y1=\"10\" x2=\"{debounce:.1}\" y2=\"165\" stroke=\"#a81f2d\" stroke-dasharray=\"4 3\"/>"
    ));
    line(format!("<text x=\"{:.1}\" y=\"12\" fill=\"#a81f2d\" text-anchor=\"end\">debounce</text>", debounce - 4.0));
    for ((name, presses), y) in rows.into_iter().zip([45.0, 90.0, 135.0]) {
        line(format!("<text x=\"8\" y=\"{:.0}\" fill=\"#222\">{name}</text>", y + 4.0));
        for ms in &presses.0 {
            line(format!("<circle cx=\"{:.1}\" cy=\"{y}\" r=\"3.5\" fill=\"#1f6f43\" fill-opacity=\"0.35\"/>", x(*ms)));
        }
        let median = x(presses.median());
        line(format!(
            "<line x1=\"{median:.1}\" y1=\"{}\" x2=\"{median:.1}\" y2=\"{}\" stroke=\"#111\" stroke-width=\"2\"/>",
            y - 12.0,
            y + 12.0
        ));
    }
    line("<text x=\"390\" y=\"202\" text-anchor=\"middle\" fill=\"#444\">milliseconds from edge to lamp; the bar is the median</text>".to_owned());
    svg.push_str("</svg>\n");
    svg
}

fn printed(root: &Path, program: &str, args: &[&str]) -> Result<String> {
    let output =
        Command::new(program).args(args).current_dir(root).output().with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
