//! Which text and which readings a file is made for.

use super::*;
use crate::table::ApprovalDate;

const GAME: Game = Game::PlayersEdge21;

#[test]
fn the_readings_version_must_be_known() {
    refused_change(GAME, "readings", "\"3\"", "players-edge-21 H7", "version 2 of the readings, not \"3\"");
    refused_change(GAME, "readings", "\"1\"", "players-edge-21 H7", "Since version 1: S6: the winner's payment");
    refused_change(GAME, "readings", "1", "players-edge-21 H7", "readings is a whole number");
    refused_without(GAME, "readings", "players-edge-21 H7");
}

#[test]
fn the_approved_text_is_named_by_title_and_sum() {
    for key in ["title", "sha256"] {
        let text = without(GAME, key);
        refused(&text, line_of(&text, "[approved]"), "players-edge-21 H7", &format!("approved.{key} is missing"));
    }
    refused_change(GAME, "title", "\"  \"", "players-edge-21 H7", "the title is empty");
    refused_change(GAME, "title", "\"a\\u001b[2Jb\"", "players-edge-21 H7", "has control characters");
    refused_change(GAME, "sha256", "\"51f0\"", "players-edge-21 H7", "\"51f0\" is not a SHA-256 sum");
    let (text, _) = shipped(GAME).split_once("[approved]").unwrap();
    let problems = check(text).table.unwrap_err();
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(keys, ["approved.title", "approved.sha256"]);
}

#[test]
fn a_text_of_another_game_is_refused_and_an_unknown_one_only_warned_of() {
    for game in Game::ALL {
        for other in Game::ALL.into_iter().filter(|other| *other != game) {
            let sum = format!("\"{}\"", super::super::approved::sum_of_the_text_read(other));
            let words = format!("this is the sum of the {} rules", other.title());
            refused_change(game, "sha256", &sum, &format!("{game} H7"), &words);
            let title = format!("\"Standard Rules: {}\"", other.title());
            let words = format!("the title names {}, and the game is {}", other.title(), game.title());
            refused_change(game, "title", &title, &format!("{game} H7"), &words);
        }
        let (unknown, _) = change(shipped(game), "sha256", &format!("\"{}\"", "ab".repeat(32)));
        let verdict = check(&unknown);
        assert!(verdict.table.is_ok() && verdict.warnings.iter().any(|warning| warning.key == "approved.sha256"));
    }
    let (text, _) = change(shipped(GAME), "title", "\"House rules of PLAYER'S EDGE 21, after Spanish 21\"");
    assert!(check(&text).table.is_ok(), "its own name is there");
}

#[test]
fn a_departure_from_the_letter_is_warned_of_by_name() {
    let switch = include_str!("../../../../../firmware-config/submissions/blackjack-switch.toml");
    for (file, key, value, source) in [
        (shipped(Game::Spanish21), "rounding", "\"down\"", "spanish-21 S8"),
        (shipped(Game::Blackjack), "finish_after_peek", "true", "blackjack 14.L"),
        (shipped(Game::Pontoon21), "finish_after_peek", "true", "pontoon-21 13.Q"),
        (switch, "switch_blackjack", "\"even-money\"", "blackjack 12.A(5)(a)"),
        (switch, "unswitched_blackjack_against_22", "\"win\"", "blackjack 12.A(5)(e)"),
        (shipped_with_wagers(Game::Blackjack), "busted_hands_count", "false", "blackjack W10"),
        (shipped_with_wagers(Game::PlayersEdge21), "rate", "\"0 %\"", "players-edge-21 X4"),
    ] {
        let (text, _) = change(file, key, value);
        let verdict = check(&text);
        let named = |warning: &&Problem| warning.source.to_string() == source && warning.text.contains(key);
        assert!(verdict.table.is_ok(), "{source} {key}: {}", render(&verdict.table.unwrap_err()));
        assert!(
            verdict.warnings.iter().any(|warning| named(&warning)),
            "{source} {key}: {}",
            render(&verdict.warnings)
        );
    }
}

#[test]
fn approved_must_be_a_table_with_known_keys() {
    let text = shipped(GAME).split_once("[approved]").unwrap().0;
    let (text, line) = change(text, "approved", "3");
    refused(&text, line, "players-edge-21 H7", "approved must be a table, not a whole number");
    let text = shipped(GAME).replace("sha256 =", "sha265 =");
    let problems = check(&text).table.unwrap_err();
    assert!(render(&problems).contains("did you mean sha256?"), "{}", render(&problems));
}

#[test]
fn a_missing_day_of_approval_is_a_warning() {
    let verdict = check(shipped(GAME));
    assert!(verdict.table.is_ok());
    let warning = verdict.warnings.iter().find(|warning| warning.key == "approved.date").unwrap();
    assert_eq!(warning.place.line as usize, line_of(shipped(GAME), "[approved]"));
}

#[test]
fn a_day_of_approval_is_a_day_of_the_calendar() {
    let dated = |date: &str| shipped(GAME).replace("# date = 2026-03-01", &format!("date = {date}"));
    for date in ["2026-03-01", "\"2026-03-01\""] {
        let verdict = check(&dated(date));
        assert!(verdict.warnings.iter().all(|warning| !warning.key.starts_with("approved")));
        let approved = verdict.table.unwrap().approved.unwrap();
        assert_eq!(approved.date, Some(ApprovalDate { year: 2026, month: 3, day: 1 }));
        assert_eq!(approved.title, "Standard Rules: Player's Edge 21");
        assert_eq!(approved.sha256[..3], [0x51, 0xf0, 0xcd]);
    }
    for (date, says) in [
        ("\"2026-02-30\"", "the calendar has no 2026-02-30"),
        ("\"March 1st\"", "not a date"),
        ("2026-03-01T10:00:00Z", "approved"),
        ("10:00:00", "approved"),
        ("20260301", "date is a whole number"),
    ] {
        let text = dated(date);
        let line = line_of(&text, "date =");
        refused(&text, line, "players-edge-21 H7", if says == "approved" { "date is a date or time" } else { says });
    }
}

#[test]
fn another_text_than_the_one_read_is_a_warning() {
    let (text, line) = changed(GAME, "sha256", &format!("\"{}\"", "AB".repeat(32)));
    let verdict = check(&text);
    assert_eq!(verdict.table.unwrap().approved.unwrap().sha256, [0xab; 32]);
    let warning = verdict.warnings.iter().find(|warning| warning.key == "approved.sha256").unwrap();
    assert_eq!(warning.place.line as usize, line);
    assert!(warning.text.contains("not the one that the readings were made for"));
}
