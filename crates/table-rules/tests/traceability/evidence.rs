//! What shows a clause: scenarios that cite it, and for figures the second table, which a whole round is played against.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use table_rules::clauses::Clause;

use crate::{crate_dir, workspace};

/// Holds what every clause pays; the tests beside it play a round for each line of each paytable against it.
const FIGURES: &str = "second/figures.tsv";

/// The controller's and the daemon's tests, from the workspace's root.
const TABLE_TESTS: [&str; 2] = ["crates/table-controller/tests/table", "crates/table-daemon/tests"];

type Id = (String, String);

#[derive(Default)]
pub(crate) struct Evidence {
    /// By clause, the files that cite it: scenarios first, each kind in the order of names.
    cited: BTreeMap<Id, Vec<String>>,
    /// By clause, the paytables that name it.
    paytables: BTreeMap<Id, BTreeSet<String>>,
}

impl Evidence {
    pub(crate) fn gather() -> Self {
        let mut found = Self::default();
        for extension in ["round", "check", "posting"] {
            found.take_scenarios(extension);
        }
        found.take_table_tests();
        let figures = fs::read_to_string(crate_dir().join("tests").join(FIGURES)).unwrap();
        for line in figures.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            if let (Some(game), Some(id)) = (fields.next(), fields.next()) {
                found.cite(game, id, FIGURES);
            }
        }
        found.take_paytables();
        found
    }

    fn cite(&mut self, game: &str, id: &str, file: &str) {
        let files = self.cited.entry((game.to_owned(), id.to_owned())).or_default();
        if files.last().is_none_or(|last| last != file) {
            files.push(file.to_owned());
        }
    }

    fn take_scenarios(&mut self, extension: &str) {
        let dir = crate_dir().join("tests/scenarios");
        for path in files_below(&dir, extension) {
            let name = path.strip_prefix(&dir).unwrap().display().to_string();
            for line in fs::read_to_string(&path).unwrap().lines() {
                let mut words = line.split_whitespace();
                if let (Some("cites"), Some(game), Some(id)) = (words.next(), words.next(), words.next()) {
                    self.cite(game, id, &name);
                }
            }
        }
    }

    /// What only the whole table can show, with its devices and its day, is shown by the controller's tests or the daemon's: a comment
    /// `// cites GAME ID` above the test.
    fn take_table_tests(&mut self) {
        let files = TABLE_TESTS.into_iter().flat_map(|tests| files_below(&workspace().join(tests), "rs"));
        for path in files {
            let name = path.strip_prefix(workspace()).unwrap().display().to_string();
            for line in fs::read_to_string(&path).unwrap().lines() {
                let mut words = line.strip_prefix("// cites ").into_iter().flat_map(str::split_whitespace);
                if let (Some(game), Some(id)) = (words.next(), words.next()) {
                    self.cite(game, id, &name);
                }
            }
        }
    }

    /// A paytable says `game GAME ID` and then puts an id behind every line of that game.
    fn take_paytables(&mut self) {
        for path in files_below(&crate_dir().join("paytables"), "paytable") {
            let name = format!("paytables/{}", path.file_name().unwrap().display());
            let text = fs::read_to_string(&path).unwrap();
            let mut game = String::new();
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                if let Some(after) = line.strip_prefix("game ") {
                    after.split_whitespace().next().unwrap().clone_into(&mut game);
                }
                for word in line.split_whitespace() {
                    self.paytables.entry((game.clone(), word.to_owned())).or_default().insert(name.clone());
                }
            }
        }
    }

    fn files(&self, clause: &Clause<'_>) -> &[String] {
        self.cited.get(&key(clause)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn shows(&self, clause: &Clause<'_>) -> bool {
        clause.shown_by.is_some_and(|file| self.files(clause).iter().any(|found| found == file))
    }

    pub(crate) fn best(&self, clause: &Clause<'_>) -> Option<&str> {
        self.files(clause).first().map(String::as_str)
    }

    /// Whether something cites this reading, for whichever game.
    pub(crate) fn shows_reading(&self, reading: &str) -> bool {
        self.cited.keys().any(|(_, id)| id == reading)
    }

    pub(crate) fn paytables(&self, clause: &Clause<'_>) -> BTreeSet<&str> {
        self.paytables.get(&key(clause)).into_iter().flatten().map(String::as_str).collect()
    }
}

fn key(clause: &Clause<'_>) -> Id {
    (clause.game.id().to_owned(), clause.id.to_owned())
}

/// A file that does something: of the rules' source, of this crate, or of the workspace.
pub(crate) fn exists(file: &str) -> bool {
    [crate_dir().join("src"), crate_dir().to_owned(), workspace()].iter().any(|dir| dir.join(file).is_file())
}

pub(crate) fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}
