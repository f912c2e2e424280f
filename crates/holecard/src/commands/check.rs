//! `holecard check`: everything there is to say about submissions.

use std::io::{self, Write};

use serde::Serialize;
use table_rules::submission::{Problem, Verdict};

use crate::cli::Check;
use crate::files::{self, FileError};
use crate::output::{self, BAD, Failure, GOOD, Outcome, QUIET, Styled, WARNING, json_line};

pub(crate) fn run(args: &Check) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let mut outcome = Outcome::Success;
    for path in &args.files {
        let file = path.display().to_string();
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

fn print(out: &mut impl Write, file: &str, verdict: &Verdict) -> io::Result<()> {
    for warning in &verdict.warnings {
        writeln!(out, "{}", Styled(WARNING, warning.render(file)))?;
    }
    match &verdict.table {
        Ok(table) => {
            let wagers: Vec<&str> = table.wagers.iter().map(|offer| offer.id().id()).collect();
            let (title, decks, positions) = (table.game.title(), table.decks, table.positions);
            writeln!(out, "{file}: {} {title}, {decks} decks, {positions} positions", Styled(GOOD, "legal:"))?;
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
    column: u32,
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
    fn of(problem: &'a Problem) -> Self {
        Self {
            line: problem.place.line,
            column: problem.place.column,
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
            | FileError::Illegal { .. } => 1,
        };
        Self { line, column: 1, key: "", text: error.to_string(), remedy: None, clause: None }
    }
}
