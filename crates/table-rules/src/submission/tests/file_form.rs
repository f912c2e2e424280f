//! How the file is written: keys, types, amounts, syntax.

use super::super::{FilePlace, TEXT_BYTES_MAX, clauses, document, wagers};
use super::*;
use crate::money::Cents;

const GAME: Game = Game::Blackjack;

#[test]
fn an_unknown_key_is_refused_with_the_nearest_known_one() {
    refused_change(GAME, "setlement", "\"collect-then-pay\"", "blackjack H7", "did you mean settlement?");
    refused_change(GAME, "colour", "\"green\"", "blackjack H7", "unknown key \"colour\"");
    let (text, line) = changed(GAME, r#""\u001b[31m""#, "1");
    refused(&text, line, "blackjack H7", r#"unknown key "\u{1b}[31m""#);
}

#[test]
fn a_value_of_the_wrong_kind_is_refused_with_the_right_form() {
    refused_change(GAME, "decks", "\"six\"", "blackjack H7", "decks is text [blackjack H7]\n    write a whole number");
    refused_change(GAME, "decks", "6.0", "blackjack H7", "decks is a decimal number");
    refused_change(GAME, "decks", "99999999999999999999", "blackjack H7", "far too large");
    refused_change(
        GAME,
        "even_money",
        "\"yes\"",
        "blackjack H7",
        "even_money is text [blackjack H7]\n    write true or false",
    );
    refused_change(GAME, "soft_17", "true", "blackjack H7", "write \"stands\" or \"hits\"");
    refused_change(GAME, "soft_17", "\"stand\"", "blackjack H7", "did you mean \"stands\"?");
    refused_change(GAME, "reader", "\"mirror\"", "blackjack H7", "\"mirror\" is not a choice");
    refused_change(GAME, "house_restrictions", "\"no-surrender\"", "blackjack H7", "write a list such as");
    refused_change(GAME, "house_restrictions", "[1]", "blackjack H7", "write a list such as");
    refused_change(GAME, "house_restrictions", "[\"no-double\"]", "blackjack H7", "not a choice");
    refused_change(GAME, "house_restrictions", "[\"no-surrender\", \"no-surrender\"]", "blackjack H7", "listed twice");
    refused_change(GAME, "variation", "\"switched\"", "blackjack H7", "did you mean \"switch\"?");
}

#[test]
fn amounts_are_read_from_their_text() {
    for (written, cents) in [("5", 500), ("2.5", 250), ("\"0.50\"", 50), ("0.50", 50), ("1_000", 100_000)] {
        let text = change(&changed(GAME, "smallest_chip", "0.50").0, "table_minimum", written).0;
        assert_eq!(table(&text).limits.minimum, Cents(cents), "{written}");
    }
    // As a float this would be 0.1 and pass for ten cents.
    refused_change(GAME, "table_minimum", "0.1000000000000000000001", "blackjack H7", "not an amount");
    for written in ["-5", "1e2", "0.005", "inf", "nan", "\"$5\"", "\"\"", "1000000000"] {
        refused_change(GAME, "table_minimum", written, "blackjack H7", "not an amount");
    }
    for written in ["0x10", "true", "[5]", "{ dollars = 5 }", "2026-01-01"] {
        refused_change(GAME, "table_minimum", written, "blackjack H7", "write an amount in dollars");
    }
}

#[test]
fn a_file_without_a_game_is_told_what_to_write() {
    let text = without(GAME, "game");
    refused(&text, 1, "H7", "game is missing");
    let (text, line) = changed(GAME, "game", "\"black-jack\"");
    refused(&text, line, "H7", "did you mean \"blackjack\"?");
    let (text, line) = changed(GAME, "game", "\"baccarat\"");
    refused(&text, line, "H7", "write one of \"blackjack\", \"spanish-21\"");
    let (text, line) = changed(GAME, "game", "21");
    refused(&text, line, "H7", "game is a whole number");
}

#[test]
fn broken_syntax_is_reported_where_it_is_and_nothing_is_called_missing() {
    let text = shipped(GAME).replace("decks = 6", "decks = = 6");
    let problems = check(&text).table.unwrap_err();
    assert_eq!(problems[0].place.line as usize, line_of(&text, "decks"), "{}", render(&problems));
    assert!(problems.iter().all(|problem| problem.text.starts_with("this is not TOML")), "{}", render(&problems));
    let twice = format!("decks = 8\n{}", shipped(GAME));
    let problems = check(&twice).table.unwrap_err();
    assert_eq!(problems[0].place.line as usize, line_of(shipped(GAME), "decks") + 1, "{}", render(&problems));
    assert!(problems[0].text.contains("duplicate key"), "{}", render(&problems));
}

#[test]
fn a_huge_text_is_refused_at_once() {
    for text in ["x".repeat(2_000_000), format!("title = \"{}\"", "a".repeat(2_000_000)), "[".repeat(2_000_000)] {
        let problems = check(&text).table.unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].place, FilePlace::START);
        assert!(problems[0].text.contains("256 KiB"));
    }
    let long_line = format!("{}\n# {}", shipped(GAME), "é".repeat(TEXT_BYTES_MAX / 4));
    assert!(check(&long_line).table.is_ok(), "long is not wrong by itself");
}

#[test]
fn deep_and_noisy_texts_give_a_bounded_answer() {
    for text in
        ["[".repeat(200_000), format!("a = {}", "[".repeat(200_000)), "a.".repeat(100_000), "=\n".repeat(100_000)]
    {
        let problems = check(&text).table.unwrap_err();
        assert!((1..=30).contains(&problems.len()), "{} problems", problems.len());
        assert!(problems.iter().all(|problem| problem.render("f").len() < 1_000));
    }
}

#[test]
fn a_text_full_of_problems_is_answered_in_reasonable_time() {
    let stakes: Vec<String> = (1..40_000).map(|stake| stake.to_string()).collect();
    let stakes = format!("game = \"blackjack\"\n[wagers.in-between]\nstakes = [{}]\n", stakes.join(","));
    let keys: String = (0..15_000).map(|n| format!("k{n}=1\n=\n")).collect();
    for text in [stakes, keys] {
        assert!(text.len() <= TEXT_BYTES_MAX, "{}", text.len());
        assert!(check(&text).table.is_err());
    }
}

#[test]
fn nul_bytes_are_errors_and_not_panics() {
    for text in ["\0", "game\0 = 1", "game = \"a\0b\"", &shipped(GAME).replace('=', "\0")] {
        let problems = check(text).table.unwrap_err();
        assert!(problems.iter().all(|problem| !problem.render("f").contains('\0')), "{}", render(&problems));
    }
    assert!(!check("").table.unwrap_err().is_empty());
}

#[test]
fn every_clause_that_a_file_is_checked_against_exists() {
    let ids = include_str!("../../../clauses/ids.txt");
    for clause in clauses::ALL {
        for game in Game::ALL {
            let id = clause.id(game);
            let reading = id.starts_with(|c: char| c.is_ascii_uppercase());
            assert!(reading || ids.lines().any(|line| line == format!("{game}\t{id}")), "{game} {id}");
        }
    }
}

#[test]
fn the_documentation_has_every_key() {
    let page = include_str!("../../../../../docs/configuration.md");
    let wager_keys = wagers::WAGER_KEYS.iter().chain(wagers::SECOND_TABLE_KEYS).chain(wagers::METER_KEYS);
    for key in document::KEYS.iter().chain(document::APPROVED_KEYS).chain(wager_keys) {
        assert!(page.contains(&format!("`{key}`")), "docs/configuration.md does not explain {key}");
    }
}
