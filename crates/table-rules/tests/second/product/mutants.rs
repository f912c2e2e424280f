//! Changes each number of each paytable file, one at a time, and shows that the clauses' own table notices.
//!
//! A mutant that the paytable reader refuses cannot reach a player either, and counts as noticed. The usual tests take
//! the nearest changes; `cargo xtask mutate` sets `HOLECARD_ALL_MUTANTS` and tries every other number of the file too.

use table_rules::side::{self, SIDE_WAGERS};

use super::paytables::differences;
use crate::figures::figures;

/// A number of a line: where it stands, and its value.
struct Number {
    from: usize,
    to: usize,
    value: u64,
}

/// The numbers of a text outside comment lines; `1,000` is one number.
fn numbers(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with('#') {
            let bytes = line.as_bytes();
            let mut at = 0;
            while at < bytes.len() {
                if !bytes[at].is_ascii_digit() {
                    at += 1;
                    continue;
                }
                let from = at;
                let goes_on = |at: usize| {
                    let comma = bytes[at] == b',' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                    bytes[at].is_ascii_digit() || comma
                };
                while at < bytes.len() && goes_on(at) {
                    at += 1;
                }
                let value = line[from..at].replace(',', "").parse().expect("digits");
                found.push(Number { from: start + from, to: start + at, value });
            }
        }
        start += line.len();
    }
    found
}

/// Each number one higher, one lower, tenfold, and as the next number that the file has (with `all`: as every other);
/// and each odds' `to` and `for` exchanged.
fn mutants(text: &str, all: bool) -> Vec<(String, String)> {
    let numbers = numbers(text);
    let mut values: Vec<u64> = numbers.iter().map(|number| number.value).collect();
    values.sort_unstable();
    values.dedup();
    let mut mutants = Vec::new();
    let line_of = |at: usize| text[..at].lines().count().max(1);
    let mut change = |from: usize, to: usize, new: &str| {
        let changed = format!("{}{new}{}", &text[..from], &text[to..]);
        mutants.push((format!("line {}: {} -> {new}", line_of(to), &text[from..to]), changed));
    };
    for number in &numbers {
        let near = [Some(number.value + 1), number.value.checked_sub(1), Some(number.value * 10)];
        let next = values.iter().position(|value| *value > number.value).unwrap_or(0);
        let elsewhere = if all { &values[..] } else { &values[next..=next] };
        let mut others: Vec<u64> = near.into_iter().flatten().chain(elsewhere.iter().copied()).collect();
        others.sort_unstable();
        others.dedup();
        for value in others.into_iter().filter(|value| *value != number.value) {
            // Cents keep their two digits: `$1.1` would be `$1.10` again.
            let cents = text[..number.from].ends_with('.') && text[number.to..].starts_with("  ");
            let new = if cents { format!("{value:02}") } else { value.to_string() };
            change(number.from, number.to, &new);
        }
    }
    for (odds, other) in [(" to ", " for "), (" for ", " to ")] {
        for (at, _) in text.match_indices(odds) {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            if !text[line..].trim_start().starts_with('#') {
                change(at, at + odds.len(), other);
            }
        }
    }
    mutants
}

#[test]
fn every_changed_number_is_noticed() {
    let all = std::env::var_os("HOLECARD_ALL_MUTANTS").is_some();
    let figures = figures();
    let (mut refused, mut differing, mut survivors) = (0, 0, Vec::new());
    for side in SIDE_WAGERS {
        for (what, text) in mutants(side.text, all) {
            // The reader keeps slices of a text that lives as long as the program; a few megabytes in a test do no harm.
            match side::parse::read(side.id, Box::leak(text.into_boxed_str())) {
                Err(_) => refused += 1,
                Ok(tables) if differences(&tables, &figures).is_empty() => {
                    survivors.push(format!("{}.paytable {what}", side.id));
                }
                Ok(_) => differing += 1,
            }
        }
    }
    println!("{} mutants: {differing} differ from the clauses, {refused} do not load", differing + refused);
    assert!(survivors.is_empty(), "{} mutants survive:\n{}", survivors.len(), survivors.join("\n"));
    // A clause that no document has does not load: what differs is mostly what is paid.
    assert!(differing > 4_500 && differing + refused > 8_000, "the mutants were made: {differing} and {refused}");
}

#[test]
fn every_number_outside_comments_is_found() {
    let found: Vec<u64> = numbers("# 5\nseed $1,000 13.C(2)\n a 10% $1.10").iter().map(|number| number.value).collect();
    assert_eq!(found, [1000, 13, 2, 10, 1, 10]);
    let changed = mutants("a 3 to 1\n", false);
    assert!(changed.iter().any(|(what, text)| what == "line 1: 3 -> 4" && text == "a 4 to 1\n"));
    assert!(changed.iter().any(|(_, text)| text == "a 3 for 1\n"));
}
