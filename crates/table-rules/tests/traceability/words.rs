//! What the dealer is told: a clause that is called prompted has a scenario that shows the words, not only its id.

use std::collections::BTreeSet;
use std::fs;

use table_rules::clauses::{Status, clauses};
use table_rules::game::Game;

use crate::crate_dir;
use crate::evidence::files_below;

/// The chapters on opening, shuffling and irregularities: there every step is the dealer's.
fn is_asked_for(game: Game, id: &str) -> bool {
    let irregularities = if game == Game::Blackjack { "14" } else { "13" };
    id.split_once('.').is_some_and(|(chapter, _)| ["4", "5", irregularities].contains(&chapter))
}

/// Clauses of those chapters that are called prompted, and no round that cites them shows the words said under their own id.
pub(crate) fn prompted_without_words() -> Vec<String> {
    let shown = shown();
    let mut missing = Vec::new();
    for game in Game::ALL {
        for clause in clauses(game).filter(|clause| clause.status == Status::Prompted) {
            let id = clause.id;
            if is_asked_for(game, id) && !shown.contains(&format!("{game} {id}")) {
                missing.push(format!("{game} {id}: {}", clause.paraphrase));
            }
        }
    }
    missing
}

/// Every clause whose words are shown, as `game id`.
fn shown() -> BTreeSet<String> {
    let files = files_below(&crate_dir().join("tests/scenarios"), "round");
    files.iter().flat_map(|path| shown_in(&fs::read_to_string(path).unwrap())).collect()
}

/// The same of one file: a round shows what it cites and what an order or event says under that id.
fn shown_in(text: &str) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for round in text.split("\nround ") {
        let lines = || round.lines().map(str::trim);
        let cited = lines().filter_map(|line| line.strip_prefix("cites ")?.split_once(' '));
        for (game, id) in cited {
            let says = |line: &str| match line.split_once(' ') {
                Some(("?" | ">", _)) => source_of(line) == Some(id),
                Some(_) | None => false,
            };
            if lines().any(says) {
                shown.insert(format!("{game} {id}"));
            }
        }
    }
    shown
}

/// The id in brackets at the end of an expectation that has words before it.
fn source_of(line: &str) -> Option<&str> {
    let (words, source) = line.rsplit_once(" [")?;
    words.get(2..).filter(|words| words.contains(char::is_alphabetic))?;
    source.strip_suffix(']')
}

#[test]
fn the_words_of_another_clause_or_an_id_without_words_show_nothing() {
    let round = |said: &str| format!("round Nobody cuts\ncites blackjack 5.C\nrules blackjack\n{said}\n");
    let shows = |said: &str| shown_in(&round(said)).contains("blackjack 5.C");
    assert!(shows("? Dealer cuts the cards. [5.C]") && shows("> Seat 5 does not cut [5.C]"));
    assert!(!shows("? Offer the cut to seat 5. [5.D]"), "another clause of the chapter");
    assert!(!shows("? [5.C]") && !shows("! not due now [5.C]") && !shows("? Dealer cuts the cards."));
    assert!(!shows("\nround Another\n? Dealer cuts the cards. [5.C]"), "a round that does not cite it");
}
