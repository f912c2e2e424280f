//! Checks every `.check` file under `tests/scenarios`: submissions that are accepted or refused, and what they rest on.
//!
//! The sister of `scenarios.rs` for the clauses that leave a choice to the operator. A file holds cases that a person who
//! writes submissions can read:
//!
//! ```text
//! file Six decks or eight
//! cites spanish-21 3.A
//! rules spanish-21                 a shipped submission
//! with decks = 7                   a line of it replaced or added
//! without reader                   a line of it left out
//! add [wagers.match-the-dealer]    a line written behind it
//! ! six or eight decks, not 7 [3.A]      refused for this reason, with this source
//! accepted                               or: it makes a table,
//! pays match-the-dealer 6-deck [12.A(4)(a)]   which offers this wager by this paytable of that clause
//! community bonus-spin A [12.D(9)(a)]         and pays the others on a wheel by this table of that clause
//! ```
//!
//! Every reason for a refusal has to be written down; one that is not fails the case.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read should stop the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use table_rules::Table;
use table_rules::submission::{Problem, RulesSubmission};

#[test]
fn every_submission_is_judged_as_written() {
    let dir = manifest_dir().join("tests/scenarios");
    let files = check_files(&dir);
    assert!(!files.is_empty(), "no .check files found");
    let known = known_ids();
    let mut failures = Vec::new();
    for path in files {
        let name = path.strip_prefix(&dir).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let mut case = Case::default();
        for (number, line) in text.lines().enumerate() {
            if let Err(problem) = case.line(line.trim(), &known) {
                failures.push(format!("{name}:{}: {problem}\n      in: {}", number + 1, case.title));
            }
        }
        if let Err(problem) = case.end() {
            failures.push(format!("{name}: at the end: {problem}\n      in: {}", case.title));
        }
    }
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
}

/// One `file` of a `.check` file.
#[derive(Default)]
struct Case {
    title: String,
    cites: usize,
    lines: Vec<String>,
    /// Made at the first expectation.
    verdict: Option<Result<Table, Vec<Problem>>>,
    /// Which of the reasons were written down.
    expected: BTreeSet<usize>,
}

impl Case {
    fn line(&mut self, line: &str, known: &BTreeSet<String>) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" | "#" => Ok(()),
            "file" => {
                let ended = self.end();
                *self = Self { title: rest.to_owned(), ..Self::default() };
                ended
            }
            "cites" => {
                self.cites += 1;
                if known.contains(rest) { Ok(()) } else { Err(format!("no clause {rest}")) }
            }
            "rules" => {
                self.lines = shipped(rest)?;
                Ok(())
            }
            "with" => self.replace(rest),
            "without" => {
                let at = self.position(rest).ok_or_else(|| format!("no line {rest} to leave out"))?;
                self.lines.remove(at);
                Ok(())
            }
            "add" => {
                self.lines.push(rest.to_owned());
                Ok(())
            }
            "accepted" => self.table().map(|_| ()),
            "pays" => self.pays(rest, false),
            "community" => self.pays(rest, true),
            "!" => self.refused(rest),
            other => Err(format!("unknown word {other}")),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        if self.title.is_empty() {
            return Ok(());
        }
        if self.cites == 0 {
            return Err("the case cites nothing".to_owned());
        }
        match &self.verdict {
            None => Err("the case expects nothing".to_owned()),
            Some(Ok(_)) => Ok(()),
            Some(Err(problems)) => {
                let others = problems.iter().enumerate().filter(|(at, _)| !self.expected.contains(at));
                let others: Vec<String> = others.map(|(_, problem)| problem.render("it")).collect();
                if others.is_empty() { Ok(()) } else { Err(format!("also refused: {}", others.join("\n"))) }
            }
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.split_once('=').is_some_and(|(found, _)| found.trim() == key))
    }

    fn replace(&mut self, setting: &str) -> Result<(), String> {
        let key = setting.split_once('=').ok_or("write: with key = value")?.0.trim();
        match self.position(key) {
            Some(at) => setting.clone_into(&mut self.lines[at]),
            // A new top-level line goes first, before any section.
            None => self.lines.insert(0, setting.to_owned()),
        }
        Ok(())
    }

    fn verdict(&mut self) -> &Result<Table, Vec<Problem>> {
        let text = self.lines.join("\n");
        self.verdict.get_or_insert_with(|| RulesSubmission::parse(&text).check().table)
    }

    fn table(&mut self) -> Result<&Table, String> {
        let rendered = |problems: &Vec<Problem>| {
            problems.iter().map(|problem| problem.render("refused")).collect::<Vec<_>>().join("\n")
        };
        self.verdict().as_ref().map_err(rendered)
    }

    fn refused(&mut self, expected: &str) -> Result<(), String> {
        let (words, id) = with_source(expected)?;
        let Err(problems) = self.verdict() else { return Err(format!("expected `{expected}`, but it is accepted")) };
        let is_it = |problem: &Problem| problem.text.contains(words) && problem.source.id == id;
        match problems.iter().position(is_it) {
            Some(at) => {
                self.expected.insert(at);
                Ok(())
            }
            None => {
                let got: Vec<String> = problems.iter().map(|problem| problem.render("it")).collect();
                Err(format!("expected `{expected}`\n      got: {}", got.join("\n           ")))
            }
        }
    }

    fn pays(&mut self, expected: &str, the_community: bool) -> Result<(), String> {
        let (words, id) = with_source(expected)?;
        let (wager, paytable) = words.split_once(' ').ok_or("write: pays WAGER PAYTABLE [id]")?;
        let table = self.table()?;
        let offer = table.wagers.iter().find(|offer| offer.id().to_string() == wager);
        let offer = offer.ok_or_else(|| format!("{wager} is not offered"))?;
        let found: Vec<(&str, &str)> = if the_community {
            offer.tables().filter_map(|each| each.community).map(|table| (table.id, table.clause)).collect()
        } else {
            offer.tables().map(|each| (each.table.id, each.table.clause)).collect()
        };
        if found.contains(&(paytable, id)) { Ok(()) } else { Err(format!("{wager} pays by {found:?}")) }
    }
}

/// `words [id]`.
fn with_source(expected: &str) -> Result<(&str, &str), String> {
    let (words, id) = expected.rsplit_once('[').ok_or("the expectation ends in its [id]")?;
    Ok((words.trim(), id.trim_end_matches(']')))
}

fn shipped(rules: &str) -> Result<Vec<String>, String> {
    let path = manifest_dir().join(format!("../../firmware-config/submissions/{rules}.toml"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(ToOwned::to_owned).collect())
}

/// Every clause as `game id`.
fn known_ids() -> BTreeSet<String> {
    let ids = fs::read_to_string(manifest_dir().join("clauses/ids.txt")).unwrap();
    ids.lines().map(|line| line.replace('\t', " ")).collect()
}

fn check_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(check_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "check") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
