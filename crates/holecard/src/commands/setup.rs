//! `holecard setup`: from an installed package to a table that waits for its inspection.
//!
//! Nothing is written before everything was asked and checked. No PIN is asked for: each person gets a code, printed once, and
//! sets a PIN with it at the console.

mod answers;
mod ports;
mod wiring;
mod write;

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use table_daemon::config::Config;
use table_daemon::staff::Book;

use self::answers::{Answers, Plan, ask};
use self::write::Board;
use super::console::Place;
use crate::output::{self, BAD, Failure, GOOD, ORDER, Outcome, Styled, WARNING};

/// Set a board up: configuration, secrets, ports and the first two people; ends with the table waiting for its inspection.
///
/// Asks what it needs. With --answers it asks nothing, so that many boards can be set up alike; such a file holds no PIN.
/// Once two people exist it is refused for good: they add everybody else.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard setup\n  holecard setup --answers bj-07.toml\n\n\
    A file of answers:\n  \
    board = \"raspberry-pi-5\"\n  table = \"BJ-07\"\n  rules = \"blackjack\"     # or the approved submission's file\n  \
    sensors = 7               # seats with a sensor and a lamp, wired as wiring.md draws them\n  \
    screen = true             # the dealer's screen is on this board\n  \
    console = \"ttyAMA10\"    # the technician's console\n  \
    [ports]\n  reader = \"ttyAMA1\"      # or a USB socket's path, as `udevadm info` shows it in ID_PATH\n  \
    [[person]]\n  number = 2001\n  name = \"R. Vance\"\n  role = \"floorperson\"\n  \
    [[person]]\n  number = 4001\n  name = \"T. Ito\"\n  role = \"technician\"\n\n\
    Each person gets a one-time code, printed once: with it they set a PIN at the technician's console.")]
pub(crate) struct Setup {
    /// Answers from a file instead of questions.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Set up the system below this directory and start nothing.
    #[arg(long, value_name = "DIR", default_value = "/")]
    root: PathBuf,
    /// Ask nothing and write nothing: succeeds where setup still has to be done.
    #[arg(long, conflicts_with = "answers")]
    needed: bool,
}

/// As many people as it takes to do what needs two.
const PEOPLE_MIN: usize = 2;

pub(crate) fn run(args: &Setup) -> Result<Outcome, Failure> {
    let board = Board::at(&args.root);
    if args.needed {
        return Ok(if people_of(&board)? < PEOPLE_MIN { Outcome::Success } else { Outcome::Refused });
    }
    refuse_where_done(&board)?;
    let mut out = output::stdout();
    let found = ports::found(&args.root);
    let answers = match &args.answers {
        Some(file) => Answers::read(file)?,
        None => ask(&mut Terminal, &found)?,
    };
    let plan = answers.plan(args.answers.as_deref()).map_err(|problems| Failure::Refused(problems.join("\n")))?;
    for (part, port) in &plan.ports {
        let there = found.iter().find(|each| each.is(port));
        let what = there.map_or_else(
            || Styled(WARNING, "nothing is there now".to_owned()).to_string(),
            |each| format!("{}, {}", each.tty, each.what),
        );
        writeln!(out, "{part}: {port} ({what})")?;
    }
    let table = board.check(&plan)?;
    // Somebody at another console may have been faster.
    refuse_where_done(&board)?;
    for warning in &table.warnings {
        writeln!(out, "{} {warning}", Styled(WARNING, "warning:"))?;
    }
    for line in board.write(&plan)? {
        writeln!(out, "{line}")?;
    }
    let codes = board.add_people(&plan)?;
    if board.is_this_one() {
        start(&mut out)?;
    } else {
        writeln!(out, "nothing was started: --root")?;
    }
    writeln!(
        out,
        "\n{}",
        Styled(ORDER, "One-time codes, shown once. Each person sets a PIN with theirs at the console:")
    )?;
    for (person, code) in &codes {
        let name = format!("{} {}, {}", person.number, person.name, person.role.word());
        writeln!(out, "  {name:40} {}", code.as_str())?;
    }
    if args.answers.is_none() {
        // Everything is done; somebody who hangs up here loses nothing but the codes.
        let _ = Terminal.ask("Enter, when they are written down:");
    }
    if board.is_this_one() {
        // Last: the dealer's screen takes the display on which the codes are shown.
        carry_out(&mut out, &plan_starts(&plan))?;
    }
    writeln!(out, "\n{} {} waits for its inspection.", Styled(GOOD, "done:"), plan.table)?;
    Ok(Outcome::Success)
}

/// Everybody who was ever added. Somebody who was disabled does not open the way for a stranger at the console.
fn people_of(board: &Board) -> Result<usize, Failure> {
    Ok(Book::load(&board.staff()).map_err(refused)?.people().len())
}

fn refuse_where_done(board: &Board) -> Result<(), Failure> {
    let people = people_of(board)?;
    if people < PEOPLE_MIN {
        return Ok(());
    }
    Err(Failure::Refused(format!(
        "this table is set up: it knows {people} people [TC-005]\n    \
         they add others: holecard staff add; what is configured is changed at the console: config stage"
    )))
}

/// What this table has beside the daemon, and the end of the setup that waits at the board's own console.
fn plan_starts(plan: &Plan) -> Vec<Vec<String>> {
    let mut starts = Vec::new();
    let mut add = |words: &[&str]| starts.push(words.iter().map(|word| (*word).to_owned()).collect());
    if let Some(tty) = &plan.console {
        add(&["systemctl", "enable", "--now", &format!("holecard-console@{tty}.service")]);
    }
    if plan.screen {
        add(&["systemctl", "enable", "--now", "--no-block", "holecard-kiosk.service"]);
    }
    add(&["systemctl", "disable", "--quiet", "--now", "--no-block", "holecard-setup.service"]);
    starts
}

/// Somebody at the console.
trait Asked {
    fn ask(&mut self, question: &str) -> Result<String, Failure>;
}

struct Terminal;

impl Asked for Terminal {
    fn ask(&mut self, question: &str) -> Result<String, Failure> {
        let mut out = output::stdout();
        write!(out, "{question} ")?;
        out.flush()?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Err(Failure::Refused("the questions were not answered to the end: nothing was written".to_owned()));
        }
        Ok(line.trim().to_owned())
    }
}

/// What the package left switched off until there was a configuration.
const STARTS: &[&[&str]] = &[
    &["systemd-tmpfiles", "--create", "holecard.conf"],
    &["udevadm", "control", "--reload"],
    &["udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=gpio", "--subsystem-match=i2c-dev"],
    &["udevadm", "settle", "--timeout=10"],
    &["systemctl", "enable", "--now", "holecard-clock.service", "--no-block"],
    &["systemctl", "enable", "holecardd.socket", "holecardd.service"],
    &["systemctl", "reset-failed", "holecardd.service"],
    &["systemctl", "restart", "holecardd.socket", "holecardd.service"],
];

/// The table comes up within this: the daemon's own limit at the start is two minutes.
const UP_WITHIN_S: u32 = 120;

fn start(out: &mut impl Write) -> Result<(), Failure> {
    let starts: Vec<Vec<String>> =
        STARTS.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect();
    carry_out(out, &starts)?;
    await_table(out)
}

fn carry_out(out: &mut impl Write, starts: &[Vec<String>]) -> Result<(), Failure> {
    for words in starts {
        let Some((program, rest)) = words.split_first() else { continue };
        let ran = Command::new(program).args(rest).output();
        let why = match ran {
            Ok(ran) if ran.status.success() => continue,
            Ok(ran) => String::from_utf8_lossy(&ran.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        writeln!(out, "{} {}: {why}", Styled(BAD, "not done:"), words.join(" "))?;
    }
    Ok(())
}

fn await_table(out: &mut impl Write) -> Result<(), Failure> {
    let world = Place::of_this_board().world();
    for _ in 0..UP_WITHIN_S {
        if let Some(picture) = world.picture().filter(|_| world.now().mode.is_up()) {
            let stops: Vec<String> = picture.table.stops.iter().map(|stop| stop.reason.clone()).collect();
            writeln!(out, "the table is up: {}", stops.join("; "))?;
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    writeln!(out, "{} the daemon does not come up: `holecard ctl status` says why", Styled(BAD, "not done:"))?;
    Ok(())
}

/// The table as the daemon will load it.
struct Checked {
    config: Config,
    warnings: Vec<String>,
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => {
                out.push('\\');
                out.push(sign);
            }
            control if control.is_control() => {
                // Writing to a text cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

fn below(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}
