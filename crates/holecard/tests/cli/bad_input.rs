//! Whatever a person may feed `play` by mistake: a clear error with the line number, no panic, and play goes on.

use crate::tool::{Ran, holecard, holecard_with, play_json, rules};

/// A round that is good after whatever came before it.
const GOOD: &str = "wager 1 main 10\nlock\ncard 9c\ncard 7d\ncard Kh\ncard ?\nstand\nreveal 8c\ncard 6d\nsettled\n";

/// The complaints (refusals and errors) as (line, words).
fn complaints(ran: &Ran) -> Vec<(u64, String)> {
    assert!(!ran.all().contains("panicked"), "{}", ran.all());
    let refused = ran.each("refused").into_iter().map(|each| {
        assert!(each["clause"].as_str().unwrap().contains(' '), "a refusal without a source: {each}");
        (each["line"].as_u64().unwrap(), each["reason"].as_str().unwrap().to_owned())
    });
    let errors = ran
        .each("error")
        .into_iter()
        .map(|each| (each["line"].as_u64().unwrap(), each["message"].as_str().unwrap().to_owned()));
    let mut all: Vec<(u64, String)> = refused.chain(errors).collect();
    all.sort();
    all
}

fn check(game: &str, bad: &[u8], line: u64, words: &str) {
    let script = [bad, b"\n", GOOD.as_bytes()].concat();
    let ran = play_json(game, &script);
    assert_eq!(ran.code, 1, "{words}");
    let found = complaints(&ran);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, line, "{found:?}");
    assert!(found[0].1.contains(words), "{found:?}");
    assert_eq!(ran.each("settled").len(), 1, "the good round behind it is played");
}

#[test]
fn each_kind_of_mistake_is_named_with_its_line_and_play_goes_on() {
    check("blackjack", b"wagr 1 main 25", 1, "did you mean `wager`?");
    check("blackjack", b"# a comment\n\nabracadabra", 3, "unknown word `abracadabra`");
    check("blackjack", b"wager 1 main 0", 1, "more than zero");
    check("blackjack", b"wager 1 main -5", 1, "not an amount");
    check("blackjack", b"wager 1 main 2000", 1, "Above the table maximum");
    check("blackjack", b"wager 1 main 99999999999999999999", 1, "not an amount");
    check("blackjack", b"wager 9 main 25", 1, "not a seat");
    check("blackjack", b"wager 8 main 25", 1, "no seat 8");
}

#[test]
fn a_ten_in_a_game_without_tens_is_refused() {
    let ran = play_json("spanish-21", b"wager 1 main 10\nlock\ncard Th\n");
    assert_eq!(ran.code, 1);
    let found = complaints(&ran);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, 3);
    assert!(found[0].1.contains("not in this game's decks"), "{found:?}");
}

#[test]
fn a_card_after_the_round_is_refused() {
    let script = format!("{GOOD}card 5h\n");
    let ran = play_json("blackjack", script.as_bytes());
    assert_eq!(ran.code, 1);
    assert_eq!(complaints(&ran)[0].0, 11);
}

#[test]
fn bytes_that_are_no_script_are_named_and_skipped() {
    check("blackjack", &vec![b'x'; 2_000_000], 1, "2000000 bytes");
    check("blackjack", b"lock \xff\xfe", 1, "not UTF-8");
    check("blackjack", b"lo\0ck", 1, "U+0000");
    check("blackjack", b"\x1b]0;title\x07", 1, "U+001B");
}

#[test]
fn a_file_of_garbage_is_given_up_after_a_while() {
    let garbage: Vec<u8> = (0..200_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let ran = play_json("blackjack", &garbage);
    assert_eq!(ran.code, 1);
    let found = complaints(&ran);
    assert_eq!(found.len(), 101);
    assert!(found.iter().any(|(_, words)| words.contains("is this a play script?")));
}

#[test]
fn readable_output_names_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("evening.play");
    std::fs::write(&script, "wager 1 main 5000\r\nhello\r\n").unwrap();
    let path = script.display().to_string();
    let ran = holecard(&["play", "--rules", &rules("blackjack"), &path]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains(&format!("{path}:1: refused: Above the table maximum of $1,000 [blackjack H3]")),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(&format!("{path}:2: error: unknown word `hello`")), "{}", ran.out);
    assert!(ran.out.contains("0 accepted, 1 refused, 1 unreadable"), "{}", ran.out);
}

#[test]
fn files_that_are_none_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().display().to_string();
    let rules = rules("blackjack");
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"readings = \"2\"\n\xff\xff").unwrap();
    let huge = folder.path().join("huge.toml");
    std::fs::write(&huge, vec![b'#'; 300_000]).unwrap();
    let nul = folder.path().join("nul.toml");
    std::fs::write(&nul, b"game = \"blackjack\0\"\n").unwrap();
    let cases: [(Vec<&str>, &str); 7] = [
        (vec!["play", "--rules", &directory], "is a directory"),
        (vec!["play", "--rules", &rules, &directory], "is a directory"),
        (vec!["play", "--rules", "no-such-file.toml"], "no-such-file.toml: cannot be opened"),
        (vec!["play", "--rules", &rules, "no-such.play"], "no-such.play: cannot be opened"),
        (vec!["play", "--rules", binary.to_str().unwrap()], ":2: not UTF-8"),
        (vec!["check", huge.to_str().unwrap()], "more than 262144 bytes"),
        (vec!["check", nul.to_str().unwrap()], "nul.toml:1:"),
    ];
    for (args, words) in cases {
        let ran = holecard(&args);
        assert_eq!(ran.code, 1, "{args:?}");
        assert!(ran.all().contains(words), "{args:?}: {}", ran.all());
        assert!(!ran.all().contains("panicked"), "{}", ran.all());
    }
}

#[test]
fn an_empty_script_is_no_mistake() {
    for script in [&b""[..], b"\n\n", b"# nothing tonight\n"] {
        assert_eq!(play_json("pontoon-21", script).code, 0);
    }
    let dash = holecard_with(&["play", "--rules", &rules("blackjack"), "-"], GOOD.as_bytes());
    assert_eq!(dash.code, 0, "{}", dash.out);
}

/// H5: whoever corrects says why.
#[test]
fn a_correction_without_a_reason_and_an_open_quote_are_not_read() {
    for blank in ["correct \"\"", "correct \"   \"", "dealer-change \" \""] {
        check("blackjack", blank.as_bytes(), 1, "needs a text that is not blank");
    }
    for unclosed in ["correct \"x", "dealer-change \""] {
        check("blackjack", unclosed.as_bytes(), 1, "a quote is not closed");
    }
}

/// People see what is due again; a program has the prompt and gets the refusal alone.
#[test]
fn after_a_refusal_the_order_is_said_again() {
    let script = b"wager 1 main 10\nlock\nhit\n";
    let ran = holecard_with(&["play", "--rules", &rules("blackjack")], script);
    let after = ran.out.split("refused: A hit is not due now").nth(1).unwrap();
    assert!(after.contains("Deal a first card face up to seat 1 [blackjack B1]"), "{}", ran.out);
    let ran = play_json("blackjack", script);
    let last = ran.objects().pop().unwrap();
    let keys: Vec<&String> = last["refused"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["clause", "line", "reason"], "{last}");
}
