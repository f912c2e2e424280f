//! Tests of the submission as an operator meets it: text in, sentences with places and sources out.

mod approved;
mod file_form;
mod garbage;
mod options;
mod shipped;
mod together;
mod wagers;

use crate::game::Game;
use crate::table::Table;

use super::{Problem, RulesSubmission, Verdict};

/// The shipped file of a game.
fn shipped(game: Game) -> &'static str {
    match game {
        Game::Blackjack => include_str!("../../../../../firmware-config/submissions/blackjack.toml"),
        Game::Spanish21 => include_str!("../../../../../firmware-config/submissions/spanish-21.toml"),
        Game::Pontoon21 => include_str!("../../../../../firmware-config/submissions/pontoon-21.toml"),
        Game::PlayersEdge21 => include_str!("../../../../../firmware-config/submissions/players-edge-21.toml"),
    }
}

/// The shipped file of a game with every side wager.
fn shipped_with_wagers(game: Game) -> &'static str {
    match game {
        Game::Blackjack => include_str!("../../../../../firmware-config/submissions/blackjack-all-wagers.toml"),
        Game::Spanish21 => include_str!("../../../../../firmware-config/submissions/spanish-21-all-wagers.toml"),
        Game::Pontoon21 => include_str!("../../../../../firmware-config/submissions/pontoon-21-all-wagers.toml"),
        Game::PlayersEdge21 => {
            include_str!("../../../../../firmware-config/submissions/players-edge-21-all-wagers.toml")
        }
    }
}

fn check(text: &str) -> Verdict {
    RulesSubmission::parse(text).check()
}

fn table(text: &str) -> Table {
    check(text).table.unwrap_or_else(|problems| panic!("{}", render(&problems)))
}

fn render(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.render("file")).collect::<Vec<_>>().join("\n")
}

/// The shipped file of `game` with the answer to `key` changed to `value`; a new key goes before the first table. Gives
/// the text and the line on which the key stands.
fn changed(game: Game, key: &str, value: &str) -> (String, usize) {
    change(shipped(game), key, value)
}

fn change(text: &str, key: &str, value: &str) -> (String, usize) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let written = format!("{key} = {value}");
    let at = match lines.iter().position(|line| line.starts_with(&format!("{key} ="))) {
        Some(at) => {
            lines[at] = written;
            at
        }
        None => {
            let at = lines.iter().position(|line| line.starts_with('[')).unwrap_or(lines.len());
            lines.insert(at, written);
            at
        }
    };
    (lines.join("\n"), at + 1)
}

/// The shipped file without `key`.
fn without(game: Game, key: &str) -> String {
    let kept: Vec<&str> = shipped(game).lines().filter(|line| !line.starts_with(&format!("{key} ="))).collect();
    assert!(kept.len() < shipped(game).lines().count(), "{key} is not in the file");
    kept.join("\n")
}

fn line_of(text: &str, start: &str) -> usize {
    text.lines().position(|line| line.starts_with(start)).expect("the line is in the file") + 1
}

/// The file is refused for exactly one reason: its line, source and a part of its text.
#[track_caller]
fn refused(text: &str, line: usize, source: &str, says: &str) {
    let problems = check(text).table.expect_err("the file must be refused");
    let [problem] = &problems[..] else { panic!("one reason expected:\n{}", render(&problems)) };
    assert_eq!(problem.place.line as usize, line, "{}", render(&problems));
    assert_eq!(problem.source.to_string(), source, "{}", render(&problems));
    let rendered = problem.render("file");
    assert!(rendered.contains(says), "{rendered}");
    assert!(problem.remedy.is_some() || problem.key.starts_with("wagers."), "{rendered}: no remedy");
}

/// One answer of the shipped file is changed, and refused where it stands.
#[track_caller]
fn refused_change(game: Game, key: &str, value: &str, source: &str, says: &str) {
    let (text, line) = changed(game, key, value);
    refused(&text, line, source, says);
}

/// One answer is taken out; its absence is reported at the line that names the game.
#[track_caller]
fn refused_without(game: Game, key: &str, source: &str) {
    let text = without(game, key);
    refused(&text, line_of(&text, "game ="), source, &format!("{key} is missing"));
}
