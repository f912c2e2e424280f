//! Tests of the installed system. `vm` boots a virtual board: a real kernel with simulated GPIO and I2C and real UARTs, the
//! release programs and a shipped board file inside, the devices' twins and the people at the table outside. `bench` is for a
//! real board with loop-back wiring.
//!
//! | module | holds |
//! |---|---|
//! | [`prepare`] | kernel, modules and image of the guest |
//! | [`machine`] | the board as a process: serial lines, disks, plugs, power |
//! | [`table`] | twins, people and the guest's lines together |
//! | [`cases`] | what is tried |
//! | [`report`] | what came of it, as a table and a chart |
#![expect(clippy::float_arithmetic, reason = "times are shown in seconds and compared as ratios")]

mod cases;
mod machine;
mod prepare;
mod report;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;

use machine::Arch;
use prepare::Kernel;
use report::{Outcome, Row};

/// Tries the installed system.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    on: On,
}

#[derive(Debug, clap::Subcommand)]
enum On {
    Vm(Args),
}

/// Boots a virtual board and tries the product on it.
#[derive(Debug, clap::Args)]
struct Args {
    /// Which processor.
    #[arg(long, value_enum, default_value_t = Arch::X86_64)]
    arch: Arch,
    /// The short list, for every change: under three minutes.
    #[arg(long)]
    quick: bool,
    /// Only the cases whose name contains this word.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// The checkout.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Downloads, images and logs.
    #[arg(long, default_value = "target/hw-tests")]
    cache: PathBuf,
    /// The folder with `holecard` and `holecardd`.
    #[arg(long, default_value = "target/release")]
    programs: PathBuf,
    /// The guest's agent; the one beside this program if left out.
    #[arg(long)]
    agent: Option<PathBuf>,
    /// The guest with systemd and this package installed, instead of the small one.
    #[arg(long, value_name = "PACKAGE.deb")]
    systemd: Option<PathBuf>,
    /// Write docs/virtual-board.md and its chart.
    #[arg(long)]
    report: bool,
}

fn main() -> ExitCode {
    let On::Vm(args) = Cli::parse().on;
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    if let Some(reason) = prepare::missing(args.arch, args.systemd.is_some()) {
        println!("SKIPPED: no virtual board here: {reason}");
        return Ok(ExitCode::from(SKIPPED));
    }
    let root = args.root.canonicalize()?;
    std::fs::create_dir_all(&args.cache)?;
    let cache = args.cache.canonicalize()?;
    let began = Instant::now();
    let kernel = match prepare::kernel(&root, &cache, args.arch)? {
        Kernel::Had(folder) => folder,
        Kernel::CannotBeHad(why) => {
            println!("SKIPPED: no virtual board here: {why}");
            return Ok(ExitCode::from(SKIPPED));
        }
    };
    let own = std::env::current_exe()?;
    let agent = args.agent.clone().unwrap_or_else(|| own.with_file_name("board-agent"));
    let programs = [args.programs.join("holecard"), args.programs.join("holecardd"), agent];
    let folder = cache.join(format!("run-{}", args.arch.debian()));
    std::fs::create_dir_all(&folder)?;
    let image = match &args.systemd {
        Some(package) => prepare::system(&root, &kernel, package, &programs[2], &cache.join("systemd")),
        None => prepare::image(&root, &kernel, &programs, args.arch, &folder),
    }
    .context("the image")?;
    println!("image in {:.0} s", began.elapsed().as_secs_f64());
    let mut rows = Vec::new();
    let mut latency = None;
    let began = Instant::now();
    let list = if args.systemd.is_some() { cases::UNDER_SYSTEMD } else { cases::ALL };
    for case in list {
        let wanted = args.only.as_ref().is_none_or(|word| case.name.contains(word.as_str()));
        if !wanted || (args.quick && !case.quick) || (args.arch == Arch::Aarch64 && !case.everywhere) {
            continue;
        }
        println!("{:34}", case.name);
        let started = Instant::now();
        let done = (case.run)(&cases::Setting { image: &image, folder: &folder.join("case"), quick: args.quick });
        let seconds = started.elapsed().as_secs_f64();
        let outcome = match done {
            Ok(found) => {
                latency = found.latency.or(latency);
                Outcome::Passed(found.lines)
            }
            Err(error) => Outcome::Failed(format!("{error:#}")),
        };
        println!("{}", outcome.lines(seconds));
        rows.push(Row { name: case.name, shows: case.shows, seconds, outcome });
    }
    let failed = rows.iter().filter(|row| row.outcome.is_failed()).count();
    println!("{} passed, {failed} failed in {:.0} s", rows.len() - failed, began.elapsed().as_secs_f64());
    if args.report {
        report::write(&root, args.arch, &rows, latency.as_ref(), began.elapsed())?;
    }
    Ok(if failed == 0 && !rows.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Told apart from a failure: nothing was tried.
const SKIPPED: u8 = 77;
