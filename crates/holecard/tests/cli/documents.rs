//! The manual of the play script against the tool: every word is in it, and its rounds play as it says.

use table_rules::script::WORDS;

use crate::tool::{holecard_with, root, rules};

fn manual() -> String {
    std::fs::read_to_string(root().join("docs/play-script.md")).unwrap()
}

#[test]
fn the_manual_has_every_word() {
    let manual = manual();
    for (word, _) in WORDS {
        assert!(manual.contains(&format!("`{word}")), "{word} is not in docs/play-script.md");
    }
}

/// Blocks that start with ```` ```play GAME [procedure] ```` are played, and nothing in them may be refused.
#[test]
fn every_round_of_the_manual_plays() {
    let manual = manual();
    let mut rounds = 0;
    for block in manual.split("```play ").skip(1) {
        let (heading, rest) = block.split_once('\n').unwrap();
        let script = rest.split("```").next().unwrap();
        let mut words = heading.split_whitespace();
        let rules = rules(words.next().unwrap());
        let tracking = words.next().unwrap_or("cards");
        let ran = holecard_with(&["play", "--rules", &rules, "--tracking", tracking], script.as_bytes());
        assert_eq!(ran.code, 0, "{heading}: {}", ran.out);
        rounds += 1;
    }
    assert!(rounds >= 4, "{rounds} rounds found");
}

/// The commands of the README are those of the product.
#[test]
fn the_readme_has_the_two_commands() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for command in ["cargo run --release -- demo", "cargo xtask test"] {
        assert!(readme.contains(command), "{command}");
    }
}
