//! Book and manual say the same, and every word of the book can be shown anywhere.

use std::fs;
use std::path::PathBuf;

use operator_api::fault_book::{codes, explain, manual};
use table_rules::text::Capital;

#[path = "../../table-rules/tests/words/mod.rs"]
mod plain_words;

const BEGIN: &str = "<!-- begin: printed by `cargo run -p operator-api --example fault_book` -->\n";
const END: &str = "<!-- end -->\n";

#[test]
fn every_text_is_whole_and_plain() {
    for code in codes() {
        let text = explain(code).unwrap();
        for word in [text.name, text.meaning, text.cause, text.table, text.remedy] {
            assert!(!word.is_empty() && word.is_ascii() && !word.contains(['|', '\n']), "{code}: {word}");
        }
    }
}

/// What the fault is and what the table does is read by dealers and the floor; cause and remedy by technicians.
#[test]
fn what_an_alert_says_is_said_in_the_words_of_the_pit() {
    for code in codes() {
        let text = explain(code).unwrap();
        for word in [text.name, text.meaning, text.table] {
            assert_eq!(plain_words::complaint(&Capital(word).to_string()), None, "{code}");
        }
    }
}

#[test]
fn the_manual_holds_exactly_the_tables_of_the_book() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/technician/faults.md");
    let page = fs::read_to_string(path).unwrap();
    let (_, rest) = page.split_once(BEGIN).unwrap();
    let (tables, _) = rest.split_once(END).unwrap();
    assert_eq!(tables.trim(), manual().trim(), "print it again with the command in the page");
}
