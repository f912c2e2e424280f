//! The worked examples in `docs/protocols` are these vectors, all of them and no others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::{Vector, from_hex, to_hex};

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocols").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks fenced as `hex NAME`, by name.
fn hex_blocks(text: &str) -> BTreeMap<String, Vec<u8>> {
    let mut blocks = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("```hex ") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let previous = blocks.insert(name.to_owned(), from_hex(&body.join(" ")));
        assert!(previous.is_none(), "{name} stands twice in the document");
    }
    blocks
}

#[track_caller]
fn check(name: &str, vectors: Vec<Vector>) {
    let in_document = hex_blocks(&document(name));
    let in_code: BTreeMap<String, Vec<u8>> =
        vectors.into_iter().map(|vector| (vector.name.to_owned(), vector.encoded)).collect();
    for (example, bytes) in &in_document {
        let encoded = in_code.get(example).unwrap_or_else(|| panic!("{name}: no test knows the example {example}"));
        assert_eq!(to_hex(encoded), to_hex(bytes), "{name}: {example}");
    }
    for example in in_code.keys() {
        assert!(in_document.contains_key(example), "{name} does not show {example}");
    }
}

#[test]
fn frame_examples_are_the_vectors() {
    let mut vectors = crate::common::vectors();
    // The step-by-step example shows the heartbeat before and after COBS.
    let heartbeat = vectors.iter().find(|vector| vector.name == "heartbeat-device").unwrap().encoded.clone();
    let cobs = heartbeat[1..heartbeat.len() - 1].to_vec();
    let mut plain = cobs.clone();
    let length = cobs::decode_in_place(&mut plain).unwrap();
    plain.truncate(length);
    vectors.push(Vector { name: "step-plain", hex: "", encoded: plain });
    vectors.push(Vector { name: "step-cobs", hex: "", encoded: cobs });
    check("frame.md", vectors);
}

#[test]
fn protected_examples_are_the_vectors() {
    check("protected.md", crate::protected::vectors());
}

#[test]
fn hole_card_reader_examples_are_the_vectors() {
    check("hole-card-reader.md", crate::reader::vectors());
}

#[test]
fn shuffler_examples_are_the_vectors() {
    check("shuffler.md", crate::shuffler::vectors());
}

#[test]
fn shoe_examples_are_the_vectors() {
    check("shoe.md", crate::shoe::vectors());
}

#[test]
fn angel_eye_examples_are_the_vectors() {
    check("angel-eye-ii-ex.md", crate::angel_eye::vectors());
}
