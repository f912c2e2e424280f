//! The sign as it is printed: that everything posted is on it, that nothing in a file becomes markup, and how it fails.

use serde_json::Value;

use crate::tool::{Ran, holecard, root, rules};

fn shipped() -> Vec<String> {
    let folder = root().join("firmware-config/submissions");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    let mut files: Vec<String> = files.filter(|path| path.ends_with(".toml")).collect();
    files.sort();
    assert!(files.len() >= 11, "{files:?}");
    files
}

fn data(file: &str) -> Value {
    let ran = holecard(&["sign", file, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn page(file: &str) -> Ran {
    let ran = holecard(&["sign", file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// As a browser would show it.
fn shown(html: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for letter in html.chars() {
        match letter {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            other if !in_tag => text.push(other),
            _ => {}
        }
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap()
}

#[test]
fn every_sign_shows_every_line_and_statement_of_its_posting() {
    for file in shipped() {
        let (posting, page) = (data(&file), page(&file));
        let html = page.out;
        for block in list(&posting, "blocks") {
            for line in list(block, "lines") {
                // Words and figure stand in one row, so that a figure cannot slip to another hand.
                let clause = line["clause"].as_str().unwrap();
                let rows = html.lines().filter(|row| row.starts_with(&format!("<tr data-clause=\"{clause}\">")));
                let both = format!("{}{}", line["words"].as_str().unwrap(), line["pays"].as_str().unwrap());
                assert!(rows.map(shown).any(|row| row == both), "{file}: {both} is not on the page");
            }
            for statement in list(block, "statements") {
                let text = statement["text"].as_str().unwrap();
                let sentence = format!("{text} {}", statement["clause"].as_str().unwrap());
                assert!(html.lines().map(shown).any(|row| row == sentence), "{file}: {sentence}");
            }
            if block["part"] == "side" {
                let section = format!("data-wager=\"{}\"", block["wager"].as_str().unwrap());
                assert!(html.contains(&section), "{file}: {section}");
            }
        }
    }
}

#[test]
fn each_game_has_its_inscriptions_and_notices() {
    let insurance = "Insurance pays 2 to 1 for unsuited Blackjacks and pays 5 to 1 for suited Blackjacks";
    let cases: [(&str, &[&str], &[&str]); 5] = [
        ("blackjack", &["Blackjack pays 3 to 2", "Insurance pays 2 to 1"], &["Doubled hands", "5 to 1", "Bonus"]),
        ("blackjack-switch", &["Blackjack Switch", "Super Match", "A dealer 22 ties"], &["Doubled hands"]),
        ("spanish-21", &["Insurance pays 2 to 1", "Doubled hands do not get", "$5,000", "$50"], &["5 to 1", "$100"]),
        ("pontoon-21", &["Insurance pays 2 to 1", "Doubled hands do not get", "7-7-7 of spades"], &["5 to 1"]),
        ("players-edge-21", &[insurance, "7-7-7 of diamonds", "$100", "Dealer hits soft 17"], &["spades"]),
    ];
    for (game, has, has_not) in cases {
        let text = shown(&page(&rules(game)).out);
        for words in has {
            assert!(text.contains(words), "{game}: {words} is missing");
        }
        for words in has_not {
            assert!(!text.contains(words), "{game}: {words} is there");
        }
    }
}

#[test]
fn the_page_stands_alone_and_is_made_for_paper() {
    for paper in ["letter", "a3"] {
        let html = holecard(&["sign", &rules("blackjack-all-wagers"), "--paper", paper]).out;
        assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
        assert!(html.to_lowercase().contains(&format!("@page {{ size: {paper};")));
        for foreign in ["<script", "http:", "https:", "src=", "href=", "@import", "url("] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }
}

#[test]
fn what_an_operator_wrote_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.toml");
    let text = std::fs::read_to_string(rules("pontoon-21-all-wagers")).unwrap();
    let hostile = "<img src=x onerror=alert(1)> & \\\"car\\\"";
    let named: Vec<String> = text
        .lines()
        .map(|line| match line.split_once(" = ") {
            Some(("prize_name" | "title", _)) => format!("{} = \"{hostile}\"", line.split(' ').next().unwrap()),
            _ => line.to_owned(),
        })
        .collect();
    std::fs::write(&file, named.join("\n")).unwrap();
    let ran = page(&file.display().to_string());
    assert!(!ran.out.contains("<img"), "markup came through");
    let prize = "<img src=x onerror=alert(1)> & \"car\" (value $5,000)";
    assert!(shown(&ran.out).contains(prize), "the prize is not on the page");
}

#[test]
fn a_refused_submission_gives_every_reason_and_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(rules("spanish-21")).unwrap();
    let file = folder.path().join("bad.toml");
    std::fs::write(&file, text.replace("decks = 6", "decks = 7").replace("positions = 7", "positions = 9")).unwrap();
    let (file, out) = (file.display().to_string(), folder.path().join("old.html"));
    std::fs::write(&out, "the page of yesterday").unwrap();
    let refused = holecard(&["sign", &file, "-o", &out.display().to_string()]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("[spanish-21 3.A]") && refused.err.contains("2 reasons"), "{}", refused.err);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "the page of yesterday");
    let refused = holecard(&["sign", &file, "--json"]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
}

#[test]
fn the_page_goes_where_it_is_told_and_the_remarks_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sign.html").display().to_string();
    let ran = holecard(&["sign", &rules("blackjack"), "-o", &out]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("posted_payout_limit") && ran.err.contains("[blackjack 2.B(7)]"), "{}", ran.err);
    let written = std::fs::read_to_string(&out).unwrap();
    assert_eq!(written, page(&rules("blackjack")).out);
    assert!(!written.contains("posted_payout_limit"));
    let nowhere = folder.path().join("none/sign.html").display().to_string();
    let ran = holecard(&["sign", &rules("blackjack"), "-o", &nowhere]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(&nowhere) && ran.err.contains("cannot be written"), "{}", ran.err);
}
