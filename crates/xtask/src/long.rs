//! `cargo xtask long`: everything that takes too long for a test run. Each row is a command of its own; its last result,
//! with date and commit, is kept in docs/long-run.md.
//!
//! A new row is one entry in [`ROWS`]. Rows that were not run this time keep what the page says of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the rows whose name contains this word.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// Name the rows and run none.
    #[arg(long)]
    list: bool,
}

/// One long command: what it is called, what it shows, and how cargo is asked for it.
struct Row {
    name: &'static str,
    shows: &'static str,
    cargo: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row { name: "tests", shows: "the test command, from this checkout", cargo: &["xtask", "test"] },
    Row { name: "mutants", shows: "every changed paytable number is noticed", cargo: &["xtask", "mutate"] },
    Row {
        name: "storm",
        shows: "ten days of table time a game on a disk that lies",
        cargo: &["xtask", "storm", "--seed", "7", "--hours", "240"],
    },
    Row {
        name: "browser",
        shows: "the dealer's page: every prompt, thousands of rounds of taps, every game in a browser",
        cargo: &["xtask", "browser"],
    },
    Row { name: "bench", shows: "every budget against its yardstick", cargo: &["xtask", "bench"] },
    Row {
        name: "virtual board",
        shows: "every case on the virtual board, with its report in docs/virtual-board.md",
        cargo: &["xtask", "hw-test", "vm", "--", "--report"],
    },
    Row { name: "package", shows: "the Debian package from a release build", cargo: &["xtask", "package"] },
    Row {
        name: "systemd guest",
        shows: "that package installed in a Debian of its own: boot, watchdog, upgrade, power cuts, removal",
        cargo: &[
            "xtask",
            "hw-test",
            "vm",
            "--programs",
            "target/release",
            "--",
            "--systemd",
            concat!("target/package/holecard_", env!("CARGO_PKG_VERSION"), "_amd64.deb"),
        ],
    },
    Row {
        name: "licences",
        shows: "licences, bans and sources of all dependencies",
        cargo: &["deny", "check", "licenses", "bans", "sources"],
    },
];

const PAGE: &str = "docs/long-run.md";
const HEAD: &str = "# Long runs

What takes too long for `cargo xtask test`, and how it ended the last time. `cargo xtask long` runs the rows and writes
this page; `cargo xtask long --only WORD` runs some of them.

| row | shows | command | result | took | on | commit |
|---|---|---|---|---|---|---|
";
const NEVER: &str = "not run yet | - | - | -";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let wanted = |row: &&Row| args.only.as_ref().is_none_or(|word| row.name.contains(word.as_str()));
    let rows: Vec<&Row> = ROWS.iter().filter(wanted).collect();
    if rows.is_empty() {
        bail!("no row has that word in its name; `cargo xtask long --list` names them");
    }
    if args.list {
        for row in rows {
            println!("{:10} {}: cargo {}", row.name, row.shows, row.cargo.join(" "));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let path = workspace.root().join(PAGE);
    let mut results = kept(&std::fs::read_to_string(&path).unwrap_or_default());
    let (date, commit) = (printed("date", &["-u", "+%Y-%m-%d"])?, commit()?);
    let mut failed = false;
    for (number, row) in rows.iter().enumerate() {
        println!("[{}/{}] {}: cargo {}", number + 1, rows.len(), row.name, row.cargo.join(" "));
        let began = Instant::now();
        let status = workspace.cargo(row.cargo).status().with_context(|| format!("cannot run {}", row.name))?;
        let verdict = if status.success() { "passed" } else { "FAILED" };
        failed |= !status.success();
        let minutes = began.elapsed().as_secs().div_ceil(60);
        println!("      {verdict} in {minutes} min");
        results.insert(row.name.to_owned(), format!("{verdict} | {minutes} min | {date} | {commit}"));
        // After every row: a run that is cut short keeps what it has found.
        std::fs::write(&path, page(&results)).with_context(|| format!("cannot write {PAGE}"))?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The commit that was run, marked where files differ from it.
fn commit() -> Result<String> {
    let commit = printed("git", &["rev-parse", "--short=10", "HEAD"])?;
    let changed = printed("git", &["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/long-run.md"])?;
    Ok(if changed.is_empty() { commit } else { format!("{commit} with changes") })
}

fn printed(program: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(program).args(args).output().with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The results that a page holds, by row.
fn kept(page: &str) -> BTreeMap<String, String> {
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, _, result @ ..] = cells.as_slice() else { return None };
        (result.len() == 4).then(|| ((*name).to_owned(), result.join(" | ")))
    });
    rows.collect()
}

fn page(results: &BTreeMap<String, String>) -> String {
    let mut text = HEAD.to_owned();
    for row in ROWS {
        let result = results.get(row.name).map_or(NEVER, String::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {} | `cargo {}` | {result} |", row.name, row.shows, row.cargo.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_the_rows_that_were_not_run_again() {
        let mut results = BTreeMap::from([("storm".to_owned(), "passed | 4 min | 2026-11-18 | 0123456789".to_owned())]);
        let again = kept(&page(&results));
        assert_eq!(again.get("storm"), results.get("storm"));
        results.insert("bench".to_owned(), "FAILED | 1 min | 2026-11-19 | abcdef0123".to_owned());
        assert_eq!(kept(&page(&results)).get("bench"), results.get("bench"));
        assert_eq!(kept(&page(&results)).get("storm"), results.get("storm"));
    }

    #[test]
    fn a_row_that_never_ran_says_so() {
        assert!(page(&BTreeMap::new()).contains("| storm |"));
        assert!(page(&BTreeMap::new()).contains("not run yet"));
    }

    #[test]
    fn rows_have_names_of_their_own() {
        let names: std::collections::BTreeSet<_> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ROWS.len());
    }
}
