//! What no sentence to a dealer or floorperson says: code words, names that only records use, and our own vocabulary.
//! `docs/glossary.md` has the words that are said instead. Shared by the tests of every text.

use table_rules::wager::WagerId;

/// Whole words, whatever their capitals.
const INNER: &[&str] = &[
    "across the reveal",
    "daemon",
    "engine",
    "event",
    "events",
    "input",
    "inputs",
    "line",
    "lines",
    "procedure",
    "prompt",
    "revealed",
    "sealed",
    "snapshot",
    "stake",
    "stakes",
    "step done",
    "submission",
    "tracking",
    "unwager",
    "wager",
    "wagers",
];

/// What is wrong with a sentence, if anything is.
pub(crate) fn complaint(sentence: &str) -> Option<String> {
    let said = without_quotes(sentence);
    if said.contains('`') {
        return Some(format!("a code word between backticks: {sentence}"));
    }
    if said.chars().next().is_none_or(char::is_lowercase) {
        return Some(format!("no beginning of a sentence: {sentence}"));
    }
    let lower = said.to_lowercase();
    if let Some(word) = INNER.iter().find(|word| has_word(&lower, word)) {
        return Some(format!("our own word `{word}`: {sentence}"));
    }
    // `main` and `trilux` are words; the names with a hyphen are those of records.
    let mut ids = WagerId::ALL.into_iter().map(WagerId::id).filter(|id| id.contains('-'));
    ids.find(|id| has_word(&said, id)).map(|id| format!("the name of a record `{id}`: {sentence}"))
}

/// What somebody else wrote stands between quotes.
fn without_quotes(sentence: &str) -> String {
    sentence.split('"').step_by(2).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let joins = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '-');
    text.match_indices(word)
        .any(|(at, _)| !joins(text[..at].chars().next_back()) && !joins(text[at + word.len()..].chars().next()))
}

#[test]
fn inner_words_are_found_and_plain_ones_are_not() {
    for wrong in [
        "The `hit` is not due now",
        "settle the bets",
        "Settle the open lines first",
        "Seat 1: match-the-dealer wins",
        "Belongs to the other tracking level",
        "Take wagers",
    ] {
        assert!(complaint(wrong).is_some(), "{wrong}");
    }
    for right in [
        "Seat 1, Match-the-Dealer: won",
        "7d to seat 1, 17",
        "Corrected: the lock taken back, \"one wager too few\"",
        "21+3 is not offered at this table",
        "Two-card straight flush of the dealer",
    ] {
        assert_eq!(complaint(right), None);
    }
}
