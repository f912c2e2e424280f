//! Code and manual say the same.
#![expect(clippy::unwrap_used, reason = "a test that cannot read the manual should stop")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use device_drivers::fault::book::{CHAPTERS, manual, text_of};
use device_drivers::fault::{FaultCode, all_codes};

const BEGIN: &str = "<!-- begin: printed by `cargo run -p device-drivers --example fault_book` -->\n";
const END: &str = "<!-- end -->\n";

fn page() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/technician/faults.md");
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_fault_has_one_text_and_every_text_a_fault() {
    let mut written = Vec::new();
    for chapter in CHAPTERS {
        for part in chapter.parts {
            written.extend(chapter.faults.iter().map(|text| FaultCode { part: *part, number: text.number }));
        }
    }
    written.sort_unstable();
    assert_eq!(written, all_codes());
    assert_eq!(written.iter().collect::<BTreeSet<_>>().len(), written.len());
    for code in written {
        let text = text_of(code).unwrap();
        for word in [text.name, text.meaning, text.cause, text.table, text.remedy] {
            assert!(!word.is_empty() && !word.contains('|') && !word.contains('\n'), "{code}: {word}");
        }
    }
}

#[test]
fn the_manual_holds_exactly_the_tables_of_the_code() {
    let page = page();
    let (_, rest) = page.split_once(BEGIN).unwrap();
    let (tables, _) = rest.split_once(END).unwrap();
    assert_eq!(tables.trim(), manual().trim(), "print it again with the command in the page");
}

/// Codes are in journals for years: none may change its meaning or go.
#[test]
fn the_codes_are_these() {
    let codes: Vec<String> = all_codes().iter().map(ToString::to_string).collect();
    let expected = include_str!("fault_codes.txt");
    assert_eq!(codes, expected.split_whitespace().collect::<Vec<_>>());
}
