//! The pages of `docs/rules` say what the clauses say: every figure in their tables is that of `figures.tsv`, every
//! figure of the four documents is on some page, and no link is dead.
//!
//! Two kinds of table are read. `| line | row | NAME: game clause | … |` gives one column a paytable, its cells belong
//! to the column's clause with the row added. `| line | clause | pays |` names the whole clause in every row.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use table_rules::wager::WagerId;

use crate::figures::figures;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules")
}

/// Name and text of every page, the readings excepted: they have no payout tables of these kinds.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for folder in [folder(), folder().join("wagers")] {
        for entry in fs::read_dir(&folder).expect("the folder of the rules pages") {
            let path = entry.expect("a page").path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path).expect("a page of text");
                pages.push((path, text));
            }
        }
    }
    assert!(pages.len() > 20, "only {} pages found", pages.len());
    pages
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// Every `(game, clause, figure)` that the tables of a page state.
fn stated(text: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut header: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some(cells) = cells(line) else {
            header.clear();
            continue;
        };
        if header.is_empty() {
            header = cells;
            continue;
        }
        let is_rule_line = cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| c == '-'));
        if is_rule_line {
            continue;
        }
        if header == ["line", "clause", "pays"] {
            let (game, clause) = cells[1].split_once(' ').expect("game and clause");
            found.push((game.to_owned(), clause.to_owned(), cells[2].to_owned()));
        } else if header[..2] == ["line", "row"] {
            for (column, figure) in header.iter().zip(&cells).skip(2) {
                let clause_of_table = column.rsplit_once(": ").map_or(*column, |(_, clause)| clause);
                let (game, clause) = clause_of_table.split_once(' ').expect("game and clause");
                found.push((game.to_owned(), format!("{clause}{}", cells[1]), (*figure).to_owned()));
            }
        }
    }
    found
}

/// The figure as it stands in `figures.tsv`, unparsed: pages print it the same way.
fn printed(game: &str, clause: &str) -> Option<&'static str> {
    include_str!("figures.tsv").lines().find_map(|line| {
        let mut columns = line.split('\t');
        let same = columns.next() == Some(game) && columns.next() == Some(clause);
        if same { columns.next() } else { None }
    })
}

#[test]
fn every_figure_on_a_page_is_the_clauses_and_none_is_missing() {
    let mut on_a_page = BTreeSet::new();
    for (path, text) in pages() {
        for (game, clause, figure) in stated(&text) {
            assert_eq!(Some(figure.as_str()), printed(&game, &clause), "{}: {game} {clause}", path.display());
            on_a_page.insert((game, clause));
        }
    }
    let all: BTreeSet<_> = figures().into_keys().collect();
    assert_eq!(all.difference(&on_a_page).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "on no page");
}

#[test]
fn every_wager_has_a_page_that_names_it() {
    let texts: Vec<String> = pages().into_iter().map(|(_, text)| text).collect();
    for wager in WagerId::ALL {
        if wager != WagerId::Main {
            let id = format!("`{wager}`");
            assert!(texts.iter().any(|text| text.contains(&id)), "{id} is on no page");
        }
    }
}

#[test]
fn no_link_between_the_pages_is_dead() {
    for (path, text) in pages() {
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().expect("the text before a separator");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let page = path.parent().expect("a folder").join(target);
            assert!(page.exists(), "{}: {target} does not exist", path.display());
        }
    }
}
