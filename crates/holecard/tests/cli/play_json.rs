//! The JSON of `play`: fields that other tools build on.

use serde_json::{Value, json};

use crate::tool::{Ran, holecard, holecard_with, play_json, rules};

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

fn last_prompt(ran: &Ran) -> Value {
    ran.each("prompt").pop().unwrap()
}

fn offer(prompt: &Value, word: &str) -> Option<Value> {
    prompt["offers"].as_array().unwrap().iter().find(|offer| offer["word"] == word).cloned()
}

const BLACKJACK: &[u8] = b"wager 1 main 25\nlock\ncard As\ncard 7d\ncard Kh\ncard ?\n";

#[test]
fn a_settled_line_has_every_field_and_exact_cents() {
    let ran = play_json("blackjack", BLACKJACK);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let line = &ran.each("settled")[0];
    assert_eq!(
        *line,
        json!({
            "position": 1, "hand": 1, "wager": "main", "outcome": "won", "line": "blackjack", "odds": "3 to 2",
            "basis": "to", "stake_cents": 2500, "returned_cents": 2500, "pays_cents": 3750,
            "clause": "blackjack 13.A(2)(a)",
        })
    );
}

#[test]
fn unknown_amounts_are_null_and_the_odds_stay() {
    let script = String::from_utf8_lossy(BLACKJACK).replace(" 25", "");
    let line = &play_json("blackjack", script.as_bytes()).each("settled")[0];
    for field in ["stake_cents", "returned_cents", "pays_cents"] {
        assert_eq!(line[field], Value::Null, "{field}");
    }
    assert_eq!((&line["odds"], &line["basis"]), (&"3 to 2".into(), &"to".into()));
}

#[test]
fn every_object_has_one_known_key_and_every_word_a_source() {
    let script = [BLACKJACK, b"paid\nlock\nnonsense\nwager 2 main\n"].concat();
    let ran = play_json("blackjack", &script);
    assert_eq!(ran.code, 1);
    let mut seen = Vec::new();
    for object in ran.objects() {
        let [key] = keys(&object)[..] else { panic!("{object}") };
        let inner = &object[key];
        match key {
            "prompt" | "event" => assert!(inner["text"].is_string() && inner["clause"].is_string(), "{object}"),
            "settled" => assert!(inner["clause"].is_string()),
            "refused" => assert_eq!(keys(inner), ["clause", "line", "reason"]),
            "error" => assert_eq!(keys(inner), ["line", "message"]),
            other => panic!("unknown object {other}"),
        }
        if key == "event" {
            assert!(inner["kind"].is_string() && !inner["text"].as_str().unwrap().contains('['), "{object}");
        }
        seen.push(key.to_owned());
    }
    for key in ["prompt", "event", "settled", "refused", "error"] {
        assert!(seen.iter().any(|each| each == key), "{key}");
    }
}

#[test]
fn there_is_a_prompt_at_the_start_and_after_each_accepted_line() {
    let ran = play_json("blackjack", b"wager 1 main 5\nhit\nwager 2 main 5\n# nothing\nlock\n");
    assert_eq!(ran.each("prompt").len(), 4);
    assert_eq!(ran.each("refused").len(), 1);
}

#[test]
fn offers_are_patterns_with_seats_ranges_and_cards() {
    let dealing_roles = json!(["dealer", "floorperson", "manager"]);
    let open = last_prompt(&play_json("pontoon-21", b""));
    assert_eq!(
        offer(&open, "wager").unwrap(),
        json!({
            "word": "wager", "seats": [1, 2, 3, 4, 5, 6, 7, 8], "wager": "main", "min_cents": 100,
            "max_cents": 100_000, "step_cents": 50, "amount_optional": true, "place": "seat", "signature": false,
            "roles": dealing_roles,
        })
    );
    assert_eq!(offer(&open, "unwager"), None, "nothing lies there to take back");
    let dealing = last_prompt(&play_json("pontoon-21", b"wager 1 main 25\nlock\n"));
    assert_eq!(
        offer(&dealing, "card").unwrap(),
        json!({
            "word": "card", "cards": "A23456789JQK", "face": "up", "place": "amber", "signature": false, "roles": dealing_roles,
        })
    );
    let hole = last_prompt(&play_json("blackjack", b"wager 1 main 25\nlock\ncard 9s\ncard Ad\ncard 2h\n"));
    assert_eq!(
        offer(&hole, "card").unwrap(),
        json!({
            "word": "card", "face": "down", "place": "amber", "signature": false, "roles": dealing_roles,
        })
    );
    let insured = last_prompt(&play_json("blackjack", b"wager 1 main 25\nlock\ncard 9s\ncard Ad\ncard 2h\ncard ?\n"));
    assert_eq!(
        offer(&insured, "insure").unwrap(),
        json!({
            "word": "insure", "seats": [1], "min_cents": 50, "max_cents": 1250, "step_cents": 50,
            "amount_optional": true, "place": "seat", "signature": false, "roles": dealing_roles,
        })
    );
    assert_eq!(offer(&insured, "peek").unwrap()["values"], json!(["yes", "no", "unread"]));
}

/// Whatever a pattern offers at its edges is accepted, and one step beyond them is refused.
#[test]
fn the_edges_of_an_offered_range_are_accepted_and_the_next_step_is_not() {
    let before = "wager 1 main 25\nlock\ncard 9s\ncard Ad\ncard 2h\ncard ?\n";
    for (line, code) in [("insure 1 0.50", 0), ("insure 1 12.50", 0), ("insure 1 13", 1), ("insure 1 0.25", 1)] {
        assert_eq!(play_json("blackjack", format!("{before}{line}\n").as_bytes()).code, code, "{line}");
    }
    for (line, code) in [("wager 1 main 1", 0), ("wager 1 main 1000", 0), ("wager 1 main 1000.50", 1)] {
        assert_eq!(play_json("blackjack", format!("{line}\n").as_bytes()).code, code, "{line}");
    }
}

#[test]
fn procedure_tracking_plays_the_same_table_without_cards() {
    let script = b"wager 1 main 25\nwager 2 main\nlock\nup low\nblackjack 1\nnext\n";
    let args = ["play", "--rules", &rules("spanish-21"), "--tracking", "procedure", "--json"];
    let ran = holecard_with(&args, script);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert_eq!(ran.each("settled")[0]["pays_cents"], 3750);
    let cards = holecard_with(&args[..3], b"wager 1 main 25\nlock\nup low\n");
    assert_eq!(cards.code, 1, "`up` belongs to the other level");
}

#[test]
fn the_hole_card_is_not_told_before_the_reveal() {
    let ran = play_json("blackjack", b"wager 1 main 25\nlock\ncard 9s\ncard 6d\ncard 9h\ncard ?\nstand\n");
    assert_eq!(ran.code, 0);
    let dealt: Vec<Value> = ran.each("event").into_iter().filter(|event| event["kind"] == "card-dealt").collect();
    let hole = dealt.iter().find(|event| event["to"] == "hole-card").unwrap();
    assert_eq!(keys(hole), ["card", "clause", "kind", "text", "to"]);
    assert_eq!(hole["card"], "?");
}

#[test]
fn a_variation_is_not_played_without_tracking_its_cards() {
    let file = rules("blackjack-switch");
    let refused = holecard(&["play", "--rules", &file, "--tracking", "procedure"]);
    assert_eq!(refused.code, 1);
    let told =
        format!("{file}: Switch has two hands a box: that is known only where cards are tracked [blackjack H14]");
    assert!(refused.err.contains(&told), "{}", refused.err);
    assert!(refused.err.contains("track the cards"), "{}", refused.err);
}

#[test]
fn the_symbols_that_may_be_claimed_are_those_of_the_seats_own_wheel() {
    let script = b"wager 1 main 10\nwager 1 bonus-spin 5\nwager 2 main 10\nwager 2 bonus-spin 1.10\nlock\nup low\n\
        blackjack 1\nblackjack 2\nnext\nnext\nnext\n";
    let args = ["play", "--rules", &rules("pontoon-21-all-wagers"), "--tracking", "procedure", "--json"];
    let ran = holecard_with(&args, script);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let prompt = last_prompt(&ran);
    let claims = |seat: u8| -> Vec<String> {
        let of_seat = |offer: &&Value| offer["word"] == "claim" && offer["seats"] == json!([seat]);
        let offers: Vec<&Value> = prompt["offers"].as_array().unwrap().iter().filter(of_seat).collect();
        let values = offers.iter().flat_map(|offer| offer["values"].as_array().unwrap());
        values.map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    let has = |seat, symbol: &str| claims(seat).iter().any(|value| value == symbol);
    assert!(has(1, "150+15") && !has(1, "30+3") && has(1, "jackpot"), "{:?}", claims(1));
    assert!(has(2, "30+3") && !has(2, "150+15") && has(2, "1000"), "{:?}", claims(2));
}

#[test]
fn a_restart_says_so_and_asks_the_same_again() {
    let script =
        b"wager 1 main 10\nlock\ncard 9c\ncard 7d\ncard Kh\ncard ?\nrestart\nstand\nreveal 8c\ncard 6d\nsettled\n";
    let ran = play_json("blackjack", script);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let objects = ran.objects();
    let at = objects.iter().position(|object| object["event"]["kind"] == "restarted").unwrap();
    assert_eq!(objects[at]["event"]["clause"], "blackjack H18");
    assert_eq!(objects[at + 1], objects[at - 1], "the prompt is the one before");
    let readable = holecard_with(&["play", "--rules", &rules("blackjack")], script);
    assert!(readable.out.contains("Table restarted and stands as before [blackjack H18]"), "{}", readable.out);
}
