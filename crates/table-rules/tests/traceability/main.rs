//! Every clause is accounted for: listed once and in order, with a status, the file that does it and what shows it.
//!
//! `clauses/GAME.tsv` holds the answers. What shows a clause cites it, or is not accepted. `docs/traceability.md` is made
//! from the same data: `cargo xtask traceability` looks for what shows the clauses that have nothing yet, and writes the
//! document again. Scenarios may be added without touching either; one that is renamed or stops citing a clause is
//! replaced by that command.

#![expect(clippy::unwrap_used, reason = "a file that cannot be read should stop the test")]

mod document;
mod evidence;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use table_rules::clauses::{Clause, Status};
use table_rules::game::Game;

use evidence::Evidence;

/// Of the list of ids as taken from the approved texts. A new approved text is the one reason to change it.
const IDS_SHA256: &str = "7daff9b612c7d6b2fcb0296e507592a906678c6d9276dc3fdaf18d5ca28947ed";

/// Set by `cargo xtask traceability`.
const UPDATE: &str = "UPDATE_TRACEABILITY";

/// What a clause has in the last column as long as nothing shows it.
const NOTHING_YET: &str = "?";

fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn workspace() -> PathBuf {
    crate_dir().ancestors().nth(2).unwrap().to_owned()
}

fn table_file(game: Game) -> PathBuf {
    crate_dir().join(format!("clauses/{game}.tsv"))
}

/// The tables as they are on disk now: an update may just have written them.
fn read_tables() -> Vec<(Game, String)> {
    Game::ALL.into_iter().map(|game| (game, fs::read_to_string(table_file(game)).unwrap())).collect()
}

fn rows(tables: &[(Game, String)]) -> Vec<Clause<'_>> {
    let lines = tables.iter().flat_map(|(game, text)| text.lines().map(move |line| (*game, line)));
    lines
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(game, line)| Clause::read(game, line).unwrap_or_else(|| panic!("{game}: not a clause: {line}")))
        .collect()
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{} {what}:\n{}", found.len(), found.join("\n"));
}

fn named(clause: &Clause<'_>) -> String {
    format!("{} {}", clause.game, clause.id)
}

#[test]
fn the_list_of_ids_is_the_one_that_records_cite() {
    let hash = Sha256::digest(fs::read(crate_dir().join("clauses/ids.txt")).unwrap());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, IDS_SHA256, "clauses/ids.txt has changed");
}

#[test]
fn every_id_is_there_once_in_the_order_of_its_document() {
    let ids = fs::read_to_string(crate_dir().join("clauses/ids.txt")).unwrap();
    let tables = read_tables();
    let rows = rows(&tables);
    for game in Game::ALL {
        let listed = ids.lines().filter_map(|line| line.split_once('\t')).filter(|(of, _)| *of == game.id());
        let listed: Vec<&str> = listed.map(|(_, id)| id).collect();
        let found: Vec<&str> = rows.iter().filter(|row| row.game == game).map(|row| row.id).collect();
        let unknown = found.iter().filter(|id| !listed.contains(id)).collect::<Vec<_>>();
        let missing = listed.iter().filter(|id| !found.contains(id)).collect::<Vec<_>>();
        assert!(unknown.is_empty() && missing.is_empty(), "{game}: unknown {unknown:?}, missing {missing:?}");
        assert_eq!(found, listed, "{game}: out of order, or twice");
    }
    assert_eq!(rows.len(), 1549);
}

#[test]
fn what_is_done_names_its_file_and_what_is_not_says_why() {
    let tables = read_tables();
    let mut wrong = Vec::new();
    for row in rows(&tables) {
        if !row.status.is_shown() {
            // The reason stands behind a dash.
            if row.done_in.is_some() || row.shown_by.is_some() || !row.paraphrase.contains(" — ") {
                wrong.push(format!("{}: {} needs a reason and no files", named(&row), row.status.word()));
            }
        } else if row.done_in.is_none_or(|file| !evidence::exists(file)) {
            wrong.push(format!("{}: no file {}", named(&row), row.done_in.unwrap_or("-")));
        }
    }
    assert_none("rows are wrong", &wrong);
}

#[test]
fn what_shows_a_clause_exists_and_cites_it() {
    let evidence = Evidence::gather();
    let tables = read_tables();
    let unshown = rows(&tables).into_iter().filter(|row| row.status.is_shown()).filter(|row| !evidence.shows(row));
    let unshown: Vec<String> = unshown
        .map(|row| match row.shown_by {
            None | Some(NOTHING_YET) => format!("{}: nothing shows it", named(&row)),
            Some(file) => format!("{}: {file} does not cite it", named(&row)),
        })
        .collect();
    assert_none("clauses are not shown; add scenarios, then run cargo xtask traceability", &unshown);
}

/// What a round shows is done, so the table must not say otherwise.
#[test]
fn nothing_that_is_shown_is_called_open() {
    let evidence = Evidence::gather();
    let tables = read_tables();
    let open = rows(&tables).into_iter().filter(|row| row.status == Status::Open);
    let shown = open.filter_map(|row| evidence.best(&row).map(|file| format!("{}: {file}", named(&row))));
    assert_none(
        "clauses are called open and cited; give them their status in clauses/*.tsv",
        &shown.collect::<Vec<_>>(),
    );
}

/// Lines of paytables take their place from the data, so that a figure cannot be looked for in the wrong file.
#[test]
fn a_clause_of_a_paytable_is_done_in_a_file_that_names_it() {
    let evidence = Evidence::gather();
    let tables = read_tables();
    let mut wrong = Vec::new();
    for row in rows(&tables) {
        let files = evidence.paytables(&row);
        let in_paytable = row.done_in.is_some_and(|file| files.contains(file));
        if !files.is_empty() && row.status.is_shown() && !in_paytable {
            wrong.push(format!("{}: {}, but {files:?} name it", named(&row), row.done_in.unwrap_or("-")));
        }
    }
    assert_none("clauses are in other paytables", &wrong);
}

#[test]
fn the_document_is_what_the_data_say() {
    let path = workspace().join("docs/traceability.md");
    let updating = std::env::var_os(UPDATE).is_some();
    if updating {
        fill_in(&Evidence::gather());
    }
    let tables = read_tables();
    let vendor = fs::read_to_string(crate_dir().join("clauses/vendor-players-edge-21.tsv")).unwrap();
    let document = document::render(&rows(&tables), &vendor);
    if updating {
        fs::write(&path, &document).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == document, "docs/traceability.md is stale: run cargo xtask traceability");
}

/// Keeps what still holds and looks for the rest.
fn fill_in(evidence: &Evidence) {
    for (game, text) in read_tables() {
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let Some(row) = Clause::read(game, line) else {
                lines.push(line.to_owned());
                continue;
            };
            let shown_by = match (row.status.is_shown(), evidence.shows(&row)) {
                (false, _) => "-",
                (true, true) => row.shown_by.unwrap_or(NOTHING_YET),
                (true, false) => evidence.best(&row).unwrap_or(NOTHING_YET),
            };
            let done_in = row.done_in.unwrap_or("-");
            lines.push([row.id, row.status.word(), row.paraphrase, done_in, shown_by].join("\t"));
        }
        fs::write(table_file(game), lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn every_status_that_is_used_is_explained() {
    let tables = read_tables();
    let used: BTreeSet<&str> = rows(&tables).iter().map(|row| row.status.word()).collect();
    let document = fs::read_to_string(workspace().join("docs/traceability.md")).unwrap();
    for status in Status::ALL.into_iter().filter(|status| used.contains(status.word())) {
        assert!(document.contains(status.meaning()), "{}", status.word());
    }
}
