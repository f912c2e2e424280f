//! One thoroughly bad file: every reason at once, each where it belongs.

use super::*;

const BAD: &str = r#"readings = "7"
game = "players-edge-21"
decks = 4
positions = 8
soft_17 = "stands"
blackjack_pays = "6 to 5"
even_money = true
max_splits = 9
max_ace_splits = "many"
house_restrictions = ["no-surrender"]
settlement = "pay"
smallest_chip = 0.50
table_minimum = 50.25
table_maximum = 25
seven_cards = "exactly"
variation = "switch"

[approved]
title = "x"
date = "yesterday"
sha256 = "abc"
author = "me"
"#;

#[test]
fn all_reasons_are_reported_together_in_the_order_of_the_file() {
    let verdict = check(BAD);
    let found: Vec<(u32, String, String)> = verdict
        .table
        .unwrap_err()
        .into_iter()
        .map(|problem| (problem.place.line, problem.key, problem.source.to_string()))
        .collect();
    let expected = [
        (1, "readings", "H7"),
        (3, "decks", "3.A"),
        (4, "positions", "2.A"),
        (5, "soft_17", "P8"),
        (6, "blackjack_pays", "12.A(2)"),
        (7, "even_money", "8.A"),
        (8, "max_splits", "11.D"),
        (9, "max_ace_splits", "H7"),
        (11, "settlement", "H7"),
        (13, "table_minimum", "H3"),
        (13, "table_minimum", "H3"),
        (15, "seven_cards", "H7"),
        (20, "approved.date", "H7"),
        (21, "approved.sha256", "H7"),
        (22, "approved.author", "H7"),
    ];
    let mut expected: Vec<(u32, String, String)> =
        expected.into_iter().map(|(line, key, id)| (line, key.to_owned(), format!("players-edge-21 {id}"))).collect();
    // Missing answers are reported where the game is named; the variation cites the document that has it.
    expected.insert(1, (2, "adjacent_boxes".to_owned(), "players-edge-21 6.H".to_owned()));
    expected.insert(2, (2, "reader".to_owned(), "players-edge-21 13.P".to_owned()));
    expected.insert(14, (16, "variation".to_owned(), "blackjack 12.A".to_owned()));
    assert_eq!(found, expected);
    assert_eq!(verdict.warnings.len(), 1, "{}", render(&verdict.warnings));
    assert_eq!(verdict.warnings[0].place.line, 10);
    assert!(verdict.readings.is_empty(), "no reading is in force at a table that may not open");
}

#[test]
fn a_problem_reads_like_a_compilers_message() {
    let problems = check(BAD).table.unwrap_err();
    let decks = problems.iter().find(|problem| problem.key == "decks").unwrap();
    assert_eq!(
        decks.render("tables/edge.toml"),
        "tables/edge.toml:3:1: Player's Edge 21 is played with five, six or eight decks, not 4 [players-edge-21 3.A]\n    \
         write decks = 5, decks = 6 or decks = 8"
    );
}
