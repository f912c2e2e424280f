//! Every clause is accounted for: listed once and in order, with a status, the file that does it and what shows it.
//!
//! `clauses/GAME.tsv` holds the answers. What shows a clause cites it, or is not accepted. `docs/traceability.md` is made
//! from the same data: `cargo xtask traceability` looks for what shows the clauses that have nothing yet, and writes the
//! document again. Scenarios may be added without touching either; one that is renamed or stops citing a clause is
//! replaced by that command.

#![expect(clippy::unwrap_used, reason = "a file that cannot be read should stop the test")]

mod document;
mod evidence;
mod findings;
mod words;
mod wrong;

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use table_rules::clauses::Clause;
use table_rules::game::Game;

use evidence::Evidence;
use findings::Tables;

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

fn pinned_ids() -> String {
    fs::read_to_string(crate_dir().join("clauses/ids.txt")).unwrap()
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{} {what}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_list_of_ids_is_the_one_that_records_cite() {
    let hash: String = Sha256::digest(pinned_ids()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, IDS_SHA256, "clauses/ids.txt has changed");
    assert_eq!(pinned_ids().lines().count(), 1549);
}

#[test]
fn every_id_is_there_once_in_the_order_of_its_document() {
    assert_none("rows are not as in clauses/ids.txt", &Tables::read().of_ids(&pinned_ids()));
}

#[test]
fn what_is_done_names_its_file_and_what_is_not_says_why() {
    assert_none("rows are wrong", &Tables::read().of_files());
}

#[test]
fn what_shows_a_clause_exists_and_cites_it() {
    let unshown = Tables::read().of_evidence(&Evidence::gather());
    assert_none("clauses are not shown; add scenarios, then run cargo xtask traceability", &unshown);
}

/// Readings that are about how the texts are printed: no play, file or sign could show them.
const READINGS_OF_PRINT: &[&str] = &["B3", "P6"];

#[test]
fn every_reading_is_shown() {
    let evidence = Evidence::gather();
    let readings = fs::read_to_string(workspace().join("docs/rules/readings.md")).unwrap();
    let ids = readings.lines().filter_map(|line| line.strip_prefix("### ")?.split_whitespace().next());
    let unshown: Vec<String> =
        ids.filter(|id| evidence.shows_reading(id) == READINGS_OF_PRINT.contains(id)).map(str::to_owned).collect();
    assert_none("readings have no scenario that cites them, or need no exception any more", &unshown);
}

/// What a round shows is done, so the table must not say otherwise.
#[test]
fn every_prompted_clause_of_opening_shuffle_and_irregularities_shows_the_words_that_the_dealer_reads() {
    assert_none("prompted clauses whose words no scenario shows", &words::prompted_without_words());
}

#[test]
fn nothing_that_is_shown_is_called_open() {
    let shown = Tables::read().of_open(&Evidence::gather());
    assert_none("clauses are called open and cited; give them their status in clauses/*.tsv", &shown);
}

/// Lines of paytables take their place from the data, so that a figure cannot be looked for in the wrong file.
#[test]
fn a_clause_of_a_paytable_is_done_in_a_file_that_names_it() {
    assert_none("clauses are in other paytables", &Tables::read().of_paytables(&Evidence::gather()));
}

#[test]
fn the_document_is_what_the_data_say() {
    let path = workspace().join("docs/traceability.md");
    let updating = std::env::var_os(UPDATE).is_some();
    if updating {
        fill_in(&Evidence::gather());
    }
    let vendor = fs::read_to_string(crate_dir().join("clauses/vendor-players-edge-21.tsv")).unwrap();
    let document = document::render(&Tables::read().rows(), &vendor);
    if updating {
        fs::write(&path, &document).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == document, "docs/traceability.md is stale: run cargo xtask traceability");
}

/// Keeps what still holds and looks for the rest.
fn fill_in(evidence: &Evidence) {
    for (game, text) in Tables::read().0 {
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
