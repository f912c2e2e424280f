//! `holecard check`: everything there is to say about submissions and table configurations.

use std::io::{self, Write};

use std::path::Path;

use serde::Serialize;
use table_daemon::config::{Config, ConfigProblem};
use table_rules::Table;
use table_rules::submission::{Problem, Verdict};
use table_rules::table::Variation;

use crate::cli::Check;
use crate::files::{self, FileError};
use crate::output::{self, BAD, Failure, GOOD, Outcome, QUIET, Styled, WARNING, json_line};

pub(crate) fn run(args: &Check) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let mut outcome = Outcome::Success;
    for path in &args.files {
        let file = path.display().to_string();
        if let Some(checked) = as_configuration(path, args.board) {
            if checked.is_err() {
                outcome = Outcome::Refused;
            }
            if args.json {
                json_line(&mut out, &Report::of_configuration(&file, &checked))?;
            } else {
                print_configuration(&mut out, &file, &checked)?;
            }
            continue;
        }
        let checked = files::check(path);
        if !checked.as_ref().is_ok_and(|verdict| verdict.table.is_ok()) {
            outcome = Outcome::Refused;
        }
        if args.json {
            json_line(&mut out, &Report::of(&file, &checked))?;
        } else {
            match &checked {
                Ok(verdict) => print(&mut out, &file, verdict)?,
                Err(error) => writeln!(out, "{error}\n{file}: {}\n", Styled(BAD, "refused"))?,
            }
        }
    }
    Ok(outcome)
}

/// What a table configuration turned out to be.
enum Configured {
    /// With its submission, all that a table needs; and what it will not do.
    Whole { warnings: Vec<String> },
    /// Right as far as it goes; other files say the rest.
    Layer,
}

/// The number of a group of this machine.
fn group_number(name: &str) -> Option<u32> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let mut lines = groups.lines().map(|line| line.split(':').collect::<Vec<_>>());
    lines.find_map(|fields| fields.first().is_some_and(|first| *first == name).then(|| fields.get(2)?.parse().ok())?)
}

/// `None` for a file that means to be something else.
fn as_configuration(path: &Path, on_board: bool) -> Option<Result<Configured, Vec<ConfigProblem>>> {
    let text = files::read_submission(path).ok()?;
    if !Config::is_meant_by(&text) {
        return None;
    }
    if let Err(problems) = Config::check_layer(path) {
        return Some(Err(problems));
    }
    Some(match Config::load(&[path]) {
        Ok(config) => config.rules_table().map(|table| {
            let mut warnings = config.protection_warnings();
            warnings.extend(config.wiring_warnings(&table));
            if on_board {
                warnings.extend(config.board_warnings(group_number("holecard")));
            }
            Configured::Whole { warnings }
        }),
        // As a layer it has no problem, so what is left is missing.
        Err(_) => Ok(Configured::Layer),
    })
}

fn print_configuration(
    out: &mut impl Write,
    file: &str,
    checked: &Result<Configured, Vec<ConfigProblem>>,
) -> io::Result<()> {
    match checked {
        Ok(Configured::Whole { warnings }) => {
            for warning in warnings {
                writeln!(out, "{}", Styled(WARNING, format!("{file}: warning: {warning}")))?;
            }
            writeln!(out, "{file}: {} table configuration\n", Styled(GOOD, "good:"))
        }
        Ok(Configured::Layer) => {
            writeln!(
                out,
                "{file}: {} part of a table configuration; the site's file says the rest\n",
                Styled(GOOD, "good:")
            )
        }
        Err(problems) => {
            for problem in problems {
                writeln!(out, "{problem}")?;
            }
            writeln!(out, "{file}: {} {} in all\n", Styled(BAD, "refused:"), problems.len())
        }
    }
}

fn print(out: &mut impl Write, file: &str, verdict: &Verdict) -> io::Result<()> {
    for warning in &verdict.warnings {
        writeln!(out, "{}", Styled(WARNING, warning.render(file)))?;
    }
    match &verdict.table {
        Ok(table) => {
            let wagers: Vec<&str> = table.wagers.iter().map(|offer| offer.id().id()).collect();
            let (title, decks) = (table.game.title(), decks_in_words(table));
            let positions = counted(table.positions, "position");
            writeln!(out, "{file}: {} {title}, {decks}, {positions}", Styled(GOOD, "legal:"))?;
            let list = if wagers.is_empty() { "none".to_owned() } else { wagers.join(", ") };
            writeln!(out, "  side wagers: {list}")?;
        }
        Err(problems) => {
            for problem in problems {
                writeln!(out, "{}", problem.render(file))?;
            }
            let count = problems.len();
            let plural = if count == 1 { "problem" } else { "problems" };
            writeln!(out, "{file}: {} {count} {plural}", Styled(BAD, "refused:"))?;
        }
    }
    if !verdict.readings.is_empty() {
        writeln!(out, "  readings in force:")?;
        for reading in &verdict.readings {
            writeln!(out, "    {:4} {}", reading.id, Styled(QUIET, reading.title))?;
        }
    }
    writeln!(out)
}

fn decks_in_words(table: &Table) -> String {
    let decks = counted(table.decks, "deck");
    match table.variation {
        Variation::DoubleShoe => format!("{decks}, {} on each side", table.variation.decks_dealt_from(table.decks)),
        Variation::Standard | Variation::Switch | Variation::FromTheHand => decks,
    }
}

fn counted(count: u8, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// One file's verdict as JSON.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: &'a str,
    legal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    problems: Vec<Finding<'a>>,
    warnings: Vec<Finding<'a>>,
    readings: Vec<Reading>,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    key: &'a str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
    clause: Option<String>,
}

#[derive(Debug, Serialize)]
struct Reading {
    id: &'static str,
    title: &'static str,
}

impl<'a> Report<'a> {
    fn of_configuration(file: &'a str, checked: &'a Result<Configured, Vec<ConfigProblem>>) -> Self {
        let problems = checked.as_ref().err().into_iter().flatten().map(Finding::of_configuration).collect();
        let warnings = match checked {
            Ok(Configured::Whole { warnings }) => warnings.iter().map(|text| Finding::of_wiring(text)).collect(),
            Ok(Configured::Layer) | Err(_) => Vec::new(),
        };
        Self { file, legal: checked.is_ok(), game: None, problems, warnings, readings: vec![] }
    }

    fn of(file: &'a str, checked: &'a Result<Verdict, FileError>) -> Self {
        let empty = Self { file, legal: false, game: None, problems: vec![], warnings: vec![], readings: vec![] };
        match checked {
            Err(error) => Self { problems: vec![Finding::unreadable(error)], ..empty },
            Ok(verdict) => Self {
                legal: verdict.table.is_ok(),
                game: verdict.table.as_ref().ok().map(|table| table.game.id()),
                problems: verdict.table.as_ref().err().into_iter().flatten().map(Finding::of).collect(),
                warnings: verdict.warnings.iter().map(Finding::of).collect(),
                readings: verdict.readings.iter().map(|each| Reading { id: each.id, title: each.title }).collect(),
                ..empty
            },
        }
    }
}

impl<'a> Finding<'a> {
    fn of_configuration(problem: &'a ConfigProblem) -> Self {
        Self {
            line: u32::try_from(problem.line).unwrap_or(u32::MAX),
            column: None,
            key: &problem.key,
            text: problem.text.clone(),
            remedy: Some(&problem.remedy),
            clause: None,
        }
    }

    /// Of the wiring as a whole: no line of the file is wrong.
    fn of_wiring(text: &str) -> Self {
        Self { line: 1, column: None, key: "devices", text: text.to_owned(), remedy: None, clause: None }
    }

    fn of(problem: &'a Problem) -> Self {
        Self {
            line: problem.place.line,
            column: Some(problem.place.column),
            key: &problem.key,
            text: problem.text.clone(),
            remedy: problem.remedy.as_deref(),
            clause: Some(problem.source.to_string()),
        }
    }

    /// The file could not even be read, so no clause has a say.
    fn unreadable(error: &FileError) -> Self {
        let line = match error {
            FileError::NotText { line, .. } => u32::try_from(*line).unwrap_or(u32::MAX),
            FileError::Open { .. }
            | FileError::Directory { .. }
            | FileError::Read { .. }
            | FileError::Write { .. }
            | FileError::TooLarge { .. }
            | FileError::Illegal { .. }
            | FileError::Tracking { .. } => 1,
        };
        Self { line, column: Some(1), key: "", text: error.to_string(), remedy: None, clause: None }
    }
}
