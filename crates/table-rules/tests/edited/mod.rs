//! A shipped submission with lines replaced, left out or added: what `.check` and `.posting` files work on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use table_rules::Table;
use table_rules::submission::{Problem, RulesSubmission};

/// The lines of a submission, not yet read.
#[derive(Default)]
pub(crate) struct Edited(Vec<String>);

impl Edited {
    /// Takes in an instruction: `rules NAME`, `with key = value`, `without key` or `add line`. `None` for any other word.
    pub(crate) fn instruction(&mut self, word: &str, rest: &str) -> Option<Result<(), String>> {
        Some(match word {
            "rules" => shipped(rest).map(|lines| self.0 = lines),
            "with" => self.replace(rest),
            "without" => match self.position(rest) {
                Some(at) => {
                    self.0.remove(at);
                    Ok(())
                }
                None => Err(format!("no line {rest} to leave out")),
            },
            "add" => {
                self.0.push(rest.to_owned());
                Ok(())
            }
            _ => return None,
        })
    }

    pub(crate) fn check(&self) -> Result<Table, Vec<Problem>> {
        RulesSubmission::parse(&self.0.join("\n")).check().table
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|line| line.split_once('=').is_some_and(|(found, _)| found.trim() == key))
    }

    fn replace(&mut self, setting: &str) -> Result<(), String> {
        let key = setting.split_once('=').ok_or("write: with key = value")?.0.trim();
        match self.position(key) {
            Some(at) => setting.clone_into(&mut self.0[at]),
            // A new top-level line goes first, before any section.
            None => self.0.insert(0, setting.to_owned()),
        }
        Ok(())
    }
}

/// One case of a file, told line by line.
pub(crate) trait Case: Default {
    /// What the case is called, for failures.
    fn title(&self) -> &str;
    /// Takes in a line that is neither an instruction to [`Edited`] nor a citation of an unknown clause.
    fn line(&mut self, word: &str, rest: &str) -> Result<(), String>;
    /// The case is over: everything it needs must have been said.
    fn end(&mut self) -> Result<(), String>;
}

/// Reads every file of this kind and plays its cases, and fails with everything that was not as written.
pub(crate) fn read_all<C: Case>(extension: &str) {
    let files = scenario_files(extension);
    assert!(!files.is_empty(), "no .{extension} files found");
    let known = known_ids();
    let mut failures = Vec::new();
    for (name, path) in files {
        let text = fs::read_to_string(&path).unwrap();
        let mut case = C::default();
        for (number, line) in text.lines().enumerate() {
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let rest = rest.trim();
            let done = match word {
                "cites" if !is_known(&known, rest) => Err(format!("no clause or reading {rest}")),
                word => case.line(word, rest),
            };
            if let Err(problem) = done {
                failures.push(format!("{name}:{}: {problem}\n      in: {}", number + 1, case.title()));
            }
        }
        if let Err(problem) = case.end() {
            failures.push(format!("{name}: at the end: {problem}\n      in: {}", case.title()));
        }
    }
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
}

/// `words [id]`.
pub(crate) fn with_source(expected: &str) -> Result<(&str, &str), String> {
    let (words, id) = expected.rsplit_once('[').ok_or("the expectation ends in its [id]")?;
    Ok((words.trim(), id.trim_end_matches(']')))
}

pub(crate) fn rendered(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.render("it")).collect::<Vec<_>>().join("\n           ")
}

fn shipped(rules: &str) -> Result<Vec<String>, String> {
    let path = manifest_dir().join(format!("../../firmware-config/submissions/{rules}.toml"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(ToOwned::to_owned).collect())
}

fn is_known(known: &BTreeSet<String>, cited: &str) -> bool {
    known.contains(cited) || cited.split_once(' ').is_some_and(|(_, reading)| known.contains(reading))
}

/// Every clause as `game id`, every reading by its id.
fn known_ids() -> BTreeSet<String> {
    let ids = fs::read_to_string(manifest_dir().join("clauses/ids.txt")).unwrap();
    let readings = fs::read_to_string(manifest_dir().join("../../docs/rules/readings.md")).unwrap();
    let readings = readings.lines().filter_map(|line| line.strip_prefix("### ")?.split_whitespace().next());
    ids.lines().map(|line| line.replace('\t', " ")).chain(readings.map(str::to_owned)).collect()
}

/// The files of this kind below `tests/scenarios`, with their names there.
fn scenario_files(extension: &str) -> Vec<(String, PathBuf)> {
    let root = manifest_dir().join("tests/scenarios");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push((path.strip_prefix(&root).unwrap().display().to_string(), path));
            }
        }
    }
    files.sort();
    files
}

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
