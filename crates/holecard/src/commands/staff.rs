//! `holecard staff`: the people who may act at a table, in the daemon's staff file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use operator_api::{PersonId, Role};
use serde::Serialize;
use table_daemon::secret::Secret;
use table_daemon::staff::{Book, Person, Pin};

use crate::hidden;
use crate::output::{self, Failure, Outcome, json_line};

/// Keep the people who may act at a table: number, name, role and PIN.
///
/// Nobody is ever removed, because records name them; who leaves is disabled. A running daemon sees a change at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard staff add 2001 --name 'R. Vance' --role floorperson --state /var/lib/holecard-staff\n  \
    holecard staff disable 2001 --state /var/lib/holecard-staff\n  \
    holecard staff list --state /var/lib/holecard-staff --json\n\n\
    The PIN is asked for without showing it, or read as one line from standard input where that is no terminal.")]
pub(crate) struct Staff {
    #[command(subcommand)]
    command: StaffCommand,
}

#[derive(Debug, Subcommand)]
enum StaffCommand {
    /// Add somebody, or with --replace give somebody a new PIN.
    #[command(after_help = "Examples:\n  \
        holecard staff add 2001 --name 'A. Smith' --role floorperson --state /var/lib/holecard-staff\n  \
        holecard staff add 2001 --replace --state /var/lib/holecard-staff")]
    Add {
        /// The number on the badge.
        number: u32,
        /// As records and screens name the person.
        #[arg(long, required_unless_present = "replace")]
        name: Option<String>,
        /// dealer, floorperson, manager, technician or auditor.
        #[arg(long, value_parser = parse_role, required_unless_present = "replace")]
        role: Option<Role>,
        /// A new PIN for the person who has this number; they can act again if they were disabled.
        #[arg(long, conflicts_with_all = ["name", "role"])]
        replace: bool,
        #[command(flatten)]
        place: Place,
        /// The secret that is mixed into every PIN's hash; made with the first person.
        #[arg(long, value_name = "FILE", default_value = "/etc/holecard/pepper")]
        pepper: PathBuf,
    },
    /// Take somebody's right to act.
    #[command(after_help = "Example:\n  holecard staff disable 2001 --state /var/lib/holecard-staff")]
    Disable {
        /// The number on the badge.
        number: u32,
        #[command(flatten)]
        place: Place,
    },
    /// Everybody, without anything about their PINs.
    #[command(after_help = "Example:\n  holecard staff list --state /var/lib/holecard-staff --json")]
    List {
        #[command(flatten)]
        place: Place,
        /// One JSON object a person.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct Place {
    /// Where the staff file lies: /var/lib/holecard-staff, or the daemon's state directory where it has no owner of its own.
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
}

pub(crate) fn run(args: &Staff) -> Result<Outcome, Failure> {
    match &args.command {
        StaffCommand::Add { number, name, role, replace: _, place, pepper } => {
            add(PersonId(*number), name.as_deref().zip(*role), &place.state, pepper)
        }
        StaffCommand::Disable { number, place } => {
            Book::change(&place.state, |book| book.disable(PersonId(*number))).map_err(refused)?;
            writeln!(output::stdout(), "{number} is disabled")?;
            Ok(Outcome::Success)
        }
        StaffCommand::List { place, json } => list(&place.state, *json),
    }
}

fn add(number: PersonId, new: Option<(&str, Role)>, state: &Path, pepper: &Path) -> Result<Outcome, Failure> {
    let pepper = read_pepper(state, pepper)?;
    let hash = Pin::new(hidden::read_twice("PIN")?).and_then(|pin| pin.hash(&pepper)).map_err(refused)?;
    match new {
        Some((name, role)) => {
            let person = Person::new(number, name, role, hash).map_err(refused)?;
            Book::change(state, |book| book.add(person)).map_err(refused)?;
            writeln!(output::stdout(), "{} is {}, {}", number.0, name.trim(), role.word())?;
        }
        None => {
            Book::change(state, |book| book.set_pin(number, hash)).map_err(refused)?;
            writeln!(output::stdout(), "{} has a new PIN", number.0)?;
        }
    }
    Ok(Outcome::Success)
}

/// A pepper is made only with the first person: another one later would make every PIN wrong.
fn read_pepper(state: &Path, path: &Path) -> Result<Secret, Failure> {
    let empty = Book::load(state).map_err(refused)?.people().is_empty();
    if empty && !path.exists() { Secret::create(path) } else { Secret::read(path) }.map_err(refused)
}

#[derive(Serialize)]
struct Listed<'a> {
    number: u32,
    name: &'a str,
    role: Role,
    disabled: bool,
}

fn list(state: &Path, json: bool) -> Result<Outcome, Failure> {
    let book = Book::load(state).map_err(refused)?;
    let mut out = output::stdout();
    for Person { number, name, role, disabled, .. } in book.people() {
        if json {
            json_line(&mut out, &Listed { number: number.0, name, role: *role, disabled: *disabled })?;
        } else {
            let word = role.word();
            writeln!(out, "{:>8}  {word:12} {name}{}", number.0, if *disabled { "  (disabled)" } else { "" })?;
        }
    }
    if book.people().is_empty() && !json {
        writeln!(out, "nobody yet: holecard staff add")?;
    }
    Ok(Outcome::Success)
}

fn parse_role(text: &str) -> Result<Role, String> {
    let words = || Role::ALL.map(Role::word).join(", ");
    Role::ALL.into_iter().find(|role| role.word() == text).ok_or_else(|| format!("the roles are {}", words()))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}
