//! `cargo xtask bench`: measurements in release mode, as ratios against a yardstick taken in the same run.
//!
//! Each row runs an example of the crate it measures, so that what is measured is compiled as it ships. An example prints
//! one figure a line: its name, a whole number, a unit. Budgets are compared and shown; a noisy machine never fails them.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to measure; everything if left out.
    what: Option<Row>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Row {
    /// Full seven-seat rounds through the engine, lines counted by name, against a bare unchecked loop.
    Engine,
    /// The same with every event kept.
    EngineKept,
    /// Inputs through the controller, encoded and chained, against encoding and chaining alone.
    Record,
    /// Records acknowledged one at a time against a bare synced write of the same size.
    Durable,
    /// Opening a journal of a million records against opening an empty one.
    StartUp,
    /// A card out of the shoe to the next order on the screen, through the daemon, against a synced append and a push.
    Prompt,
    /// The same under two thousand requests a second, at its 99th percentile, against quiet.
    Flood,
}

/// A figure beside the row's own, and the most that it should come to.
struct Beside {
    name: &'static str,
    unit: &'static str,
    at_most: u64,
}

/// What a row runs and what is expected of it.
struct Measure {
    name: &'static str,
    package: &'static str,
    example: &'static str,
    features: &'static str,
    /// It writes to a disk and is told where.
    on_disk: bool,
    /// How often it is started; the start with the middle ratio counts. Where a program's memory comes to lie moves the
    /// engine's figure by some hundredths, and stays for as long as it runs.
    starts: usize,
    /// The figures of the measured thing, the yardstick and their ratio, as the example names them.
    figure: &'static str,
    yardstick: &'static str,
    ratio: &'static str,
    unit: &'static str,
    must_thousandths: u64,
    aim_thousandths: u64,
    /// A program that is run by the example and has to be built first: its package and name.
    program: Option<(&'static str, &'static str)>,
    beside: &'static [Beside],
}

impl Row {
    const ALL: [Self; 7] =
        [Self::Engine, Self::EngineKept, Self::Record, Self::Durable, Self::StartUp, Self::Prompt, Self::Flood];

    const fn measure(self) -> Measure {
        match self {
            Self::Engine => Measure {
                name: "engine",
                package: "table-odds",
                example: "engine_speed",
                features: "",
                on_disk: false,
                starts: 5,
                figure: "counted",
                yardstick: "bare",
                ratio: "counted-ratio",
                unit: "seat-hands/s",
                must_thousandths: 170,
                aim_thousandths: 220,
                program: None,
                beside: &[Beside { name: "whole-prompt", unit: "ns a prompt with all its offers", at_most: 100 }],
            },
            Self::EngineKept => Measure {
                name: "engine-kept",
                figure: "kept",
                ratio: "kept-ratio",
                must_thousandths: 150,
                aim_thousandths: 200,
                beside: &[],
                ..Self::Engine.measure()
            },
            Self::Record => Measure {
                name: "record",
                package: "table-simulator",
                example: "record_speed",
                features: "storm",
                on_disk: false,
                starts: 1,
                figure: "controller",
                yardstick: "encoding",
                ratio: "ratio",
                unit: "records/s",
                must_thousandths: 500,
                aim_thousandths: 800,
                program: None,
                beside: &[],
            },
            Self::Durable => Measure {
                name: "durable",
                package: "table-journal",
                example: "durable_rate",
                features: "measure",
                on_disk: true,
                starts: 1,
                figure: "durable",
                yardstick: "bare",
                ratio: "durable-ratio",
                unit: "records/s",
                must_thousandths: 800,
                aim_thousandths: 1_000,
                program: None,
                beside: &[],
            },
            // Twice as long at most is half as many openings a second.
            Self::StartUp => Measure {
                name: "start-up",
                package: "table-journal",
                example: "durable_rate",
                features: "measure",
                on_disk: true,
                starts: 1,
                figure: "old-openings",
                yardstick: "young-openings",
                ratio: "start-ratio",
                unit: "openings/s",
                must_thousandths: 500,
                aim_thousandths: 833,
                program: None,
                beside: &[],
            },
            // One and a half times as long at most is two thirds as many a second.
            Self::Prompt => Measure {
                name: "prompt",
                package: "holecard",
                example: "event_to_prompt",
                features: "",
                on_disk: true,
                starts: 1,
                figure: "prompt-median",
                yardstick: "bare-median",
                ratio: "ratio-median",
                unit: "prompts/s",
                must_thousandths: 667,
                aim_thousandths: 800,
                program: Some(("table-daemon", "holecardd")),
                beside: &[
                    Beside { name: "prompt-median-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "bare-median-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "bare-warm-median-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "prompt-p99-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "bare-p99-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "bare-warm-p99-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "p99-times", unit: "thousandths of its yardstick", at_most: 1_500 },
                    Beside { name: "resident", unit: "KiB", at_most: 25 * 1024 },
                    Beside { name: "idle", unit: "thousandths of a percent of a core", at_most: 500 },
                    Beside { name: "binary", unit: "bytes", at_most: 10_000_000 },
                ],
            },
            // Twice as long at most is half as many a second.
            Self::Flood => Measure {
                name: "flood",
                package: "holecard",
                example: "event_to_prompt",
                features: "",
                on_disk: true,
                starts: 1,
                figure: "flood-p99",
                yardstick: "quiet-p99",
                ratio: "flood-ratio-p99",
                unit: "prompts/s",
                must_thousandths: 500,
                aim_thousandths: 800,
                program: Some(("table-daemon", "holecardd")),
                beside: &[
                    Beside { name: "answered", unit: "requests a second", at_most: u64::MAX },
                    Beside { name: "flood-median-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "quiet-median-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "flood-p99-us", unit: "µs", at_most: u64::MAX },
                    Beside { name: "quiet-p99-us", unit: "µs", at_most: u64::MAX },
                ],
            },
        }
    }
}

/// A row's figures.
struct Measured {
    about: Measure,
    figure: u64,
    yardstick: u64,
    ratio_thousandths: u64,
    beside: Vec<(&'static Beside, u64)>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let rows = args.what.map_or_else(|| Row::ALL.to_vec(), |row| vec![row]);
    let all = rows.into_iter().map(|row| take(workspace, row.measure())).collect::<Result<Vec<_>>>()?;
    let sha256 = sha256_bytes_per_second();
    if args.json {
        println!("{}", as_json(&all, sha256));
    } else {
        print(&all, sha256);
    }
    Ok(ExitCode::SUCCESS)
}

fn take(workspace: &Workspace, about: Measure) -> Result<Measured> {
    eprintln!("measuring {} …", about.name);
    if let Some((package, program)) = about.program {
        let build = ["build", "--release", "--quiet", "--package", package, "--bin", program];
        let status = workspace.cargo(build).status().with_context(|| format!("cannot build {program}"))?;
        if !status.success() {
            bail!("{program} of {package} cannot be built");
        }
    }
    let mut starts = (0..about.starts).map(|_| start(workspace, &about)).collect::<Result<Vec<_>>>()?;
    starts.sort_by_key(|figures| figures.get(about.ratio).copied());
    let figures = starts.swap_remove(about.starts / 2);
    let figure = |name: &str| {
        figures.get(name).copied().with_context(|| format!("{} does not print the figure {name}", about.example))
    };
    let (taken, yardstick, ratio_thousandths) = (figure(about.figure)?, figure(about.yardstick)?, figure(about.ratio)?);
    let beside = about.beside.iter().map(|each| Ok((each, figure(each.name)?))).collect::<Result<_>>()?;
    Ok(Measured { about, figure: taken, yardstick, ratio_thousandths, beside })
}

/// What one start of the example prints.
fn start(workspace: &Workspace, about: &Measure) -> Result<BTreeMap<String, u64>> {
    let run = ["run", "--release", "--quiet", "--package", about.package, "--example", about.example];
    // A scratch directory on the disk that holds the workspace.
    let scratch = workspace.root().join(format!("target/bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let mut command = workspace.cargo(run);
    command.args(["--features", about.features]).env("HOLECARD_BENCH_ROW", about.name);
    if about.on_disk {
        command.arg("--").arg(&scratch);
    }
    let output = command.output().with_context(|| format!("cannot run {}", about.example));
    std::fs::remove_dir_all(&scratch).with_context(|| format!("cannot remove {}", scratch.display()))?;
    let output = output?;
    if !output.status.success() {
        bail!("{} of {} failed: {}", about.example, about.package, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(figures(&String::from_utf8_lossy(&output.stdout)))
}

/// `engine   1234 seat-hands a second` as (engine, 1234).
fn figures(text: &str) -> BTreeMap<String, u64> {
    let figure = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
    };
    text.lines().filter_map(figure).collect()
}

/// How fast the machine is, for reading figures taken elsewhere.
fn sha256_bytes_per_second() -> u64 {
    let block = vec![0x5a_u8; 1 << 20];
    let rounds = 64_u64;
    let started = Instant::now();
    let mut hash = Sha256::new();
    for _ in 0..rounds {
        hash.update(&block);
    }
    std::hint::black_box(hash.finalize());
    let microseconds = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX).max(1);
    (rounds << 20) * 1_000_000 / microseconds
}

fn print(all: &[Measured], sha256: u64) {
    println!("{:10} {:>14} {:>14} {:>7} {:>6} {:>6}", "what", "measured", "yardstick", "ratio", "must", "aim");
    for Measured { about, figure, yardstick, ratio_thousandths, beside } in all {
        let verdict = if *ratio_thousandths >= about.must_thousandths { "" } else { "  BELOW BUDGET" };
        println!(
            "{:10} {figure:>14} {yardstick:>14} {:>7} {:>6} {:>6}  {}{verdict}",
            about.name,
            decimal(*ratio_thousandths),
            decimal(about.must_thousandths),
            decimal(about.aim_thousandths),
            about.unit,
        );
        for (Beside { name, unit, at_most }, figure) in beside {
            let verdict = if figure > at_most { format!("  ABOVE {at_most}") } else { String::new() };
            println!("  {name:16} {figure:>10} {unit}{verdict}");
        }
    }
    println!("this machine hashes {sha256} bytes of SHA-256 a second");
}

fn decimal(thousandths: u64) -> String {
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

fn as_json(all: &[Measured], sha256: u64) -> serde_json::Value {
    let rows: Vec<serde_json::Value> = all
        .iter()
        .map(|Measured { about, figure, yardstick, ratio_thousandths, beside }| {
            let beside: serde_json::Map<String, serde_json::Value> =
                beside.iter().map(|(each, figure)| (each.name.to_owned(), json!(figure))).collect();
            json!({
                "what": about.name,
                "unit": about.unit,
                "measured": figure,
                "yardstick": yardstick,
                "ratio_thousandths": ratio_thousandths,
                "must_thousandths": about.must_thousandths,
                "aim_thousandths": about.aim_thousandths,
                "beside": beside,
            })
        })
        .collect();
    json!({ "rows": rows, "sha256_bytes_per_second": sha256 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_by_name() {
        let text = "engine    1234567 seat-hands a second\nbare 9 seat-hands a second\nnothing here\n";
        let found = figures(text);
        assert_eq!(found.get("engine"), Some(&1_234_567));
        assert_eq!(found.get("bare"), Some(&9));
        assert_eq!(found.len(), 2);
        assert_eq!(decimal(250), "0.250");
    }
}
