//! A blind dealer: knows nothing of the rules, says only what the last prompt offered, and must never be refused.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::tool::{root, rules};

/// A small generator: the walk is the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn one_of<'a>(&mut self, list: &'a [Value]) -> &'a Value {
        &list[self.below(list.len())]
    }
}

fn dollars(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// A line that matches the pattern.
fn line_for(offer: &Value, dice: &mut Dice) -> Option<String> {
    let word = offer["word"].as_str().unwrap();
    let mut words = vec![word.to_owned()];
    match word {
        // Which boxes may be one person's is more than a list of seats can say.
        "player" => return None,
        // What an irregularity asks for besides its clause depends on the clause; time only passes.
        "irregularity" | "at" => return None,
        "dealer-change" => words.push("Somebody".to_owned()),
        "correct" | "reject" => words.push("\"a slip\"".to_owned()),
        "draw" => words.push(offer["values"][0].as_str().unwrap().to_owned()),
        _ => {}
    }
    if let Some(seats) = offer["seats"].as_array() {
        words.push(dice.one_of(seats).to_string());
    }
    if let Some(wager) = offer["wager"].as_str() {
        words.push(wager.to_owned());
    }
    let leave_out = offer["amount_optional"] == true && dice.below(4) == 0;
    if !leave_out {
        if let Some(stakes) = offer["one_of_cents"].as_array() {
            words.push(dollars(dice.one_of(stakes).as_i64().unwrap()));
        } else if let (Some(least), Some(most)) = (offer["min_cents"].as_i64(), offer["max_cents"].as_i64()) {
            let steps = usize::try_from((most - least) / offer["step_cents"].as_i64().unwrap()).unwrap();
            let taken = match dice.below(3) {
                0 => 0,
                1 => steps,
                _ => dice.below(steps + 1),
            };
            words.push(dollars(least + i64::try_from(taken).unwrap() * offer["step_cents"].as_i64().unwrap()));
        }
    }
    // Where values are named, the ranks only say which cards the deck has.
    if let (Some(ranks), None) = (offer["cards"].as_str(), offer["values"].as_array()) {
        let rank = ranks.chars().nth(dice.below(ranks.len())).unwrap();
        let suit = ['c', 'd', 'h', 's'][dice.below(4)];
        words.push(format!("{rank}{suit}"));
    } else if offer["face"] == "down" {
        words.push("?".to_owned());
    }
    if let (Some(values), false) = (offer["values"].as_array(), word == "draw") {
        words.push(dice.one_of(values).as_str().unwrap().to_owned());
    }
    Some(words.join(" "))
}

/// Plays `steps` lines and gives the number of rounds that ended.
fn walk(table: &str, tracking: &str, seed: u64, steps: usize) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holecard"))
        .args(["play", "--json", "--rules", &rules(table), "--tracking", tracking])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut dice = Dice(seed);
    let mut script: Vec<String> = Vec::new();
    let mut rounds = 0;
    for _ in 0..steps {
        let prompt = loop {
            let line = said.next().unwrap_or_else(|| panic!("{table}: it ended after {script:#?}")).unwrap();
            let object: Value = serde_json::from_str(&line).unwrap();
            assert!(object.get("refused").is_none() && object.get("error").is_none(), "{line} after {script:#?}");
            if object["event"]["kind"] == "round-ended" {
                rounds += 1;
                script.clear();
            }
            if let Some(prompt) = object.get("prompt") {
                break prompt.clone();
            }
        };
        let offers = prompt["offers"].as_array().unwrap();
        assert!(!offers.is_empty(), "{table}: nothing is offered after {script:#?}");
        let line = loop {
            let offer = dice.one_of(offers);
            // Going back all the time gets nowhere; neither does a void.
            let rare =
                ["undo", "correct", "floor void", "unwager", "late", "close", "idle", "floor reshuffle", "decks"]
                    .iter()
                    .any(|word| offer["word"] == *word);
            if rare && dice.below(8) != 0 {
                continue;
            }
            if let Some(line) = line_for(offer, &mut dice) {
                break line;
            }
        };
        writeln!(stdin, "{line}").unwrap();
        script.push(line);
    }
    drop(stdin);
    for line in said {
        let line = line.unwrap();
        assert!(!line.starts_with("{\"refused\"") && !line.starts_with("{\"error\""), "{line} after {script:#?}");
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    rounds
}

#[test]
fn whatever_is_offered_is_accepted_at_every_shipped_table() {
    for game in ["blackjack", "spanish-21", "pontoon-21", "players-edge-21"] {
        for tracking in ["cards", "procedure"] {
            let rounds: usize = (7..10).map(|seed| walk(game, tracking, seed, 600)).sum();
            assert!(rounds > 3, "{game} {tracking}: {rounds} rounds ended");
        }
    }
}

#[test]
fn whatever_is_offered_is_accepted_with_every_side_wager() {
    let tables = [
        ("blackjack-all-wagers", "cards"),
        ("blackjack-all-wagers", "procedure"),
        ("pontoon-21-all-wagers", "procedure"),
        ("spanish-21-all-wagers", "cards"),
        ("spanish-21-all-wagers", "procedure"),
        ("pontoon-21-all-wagers", "cards"),
        ("players-edge-21-all-wagers", "cards"),
        ("players-edge-21-all-wagers", "procedure"),
    ];
    for (table, tracking) in tables {
        let rounds: usize = (11..15).map(|seed| walk(table, tracking, seed, 2_000)).sum();
        assert!(rounds > 0, "{table} {tracking}: no round ended");
    }
}
