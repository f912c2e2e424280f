//! Every command: that it works, and what it leaves with.

use crate::tool::{holecard, root, rules};

#[test]
fn bad_usage_is_2_and_help_is_0() {
    for args in [
        &[][..],
        &["dance"],
        &["play"],
        &["check"],
        &["sign"],
        &["sign", "x.toml", "--paper", "stone"],
        &["odds"],
        &["odds", "--all", "--rules", "x.toml"],
        &["odds", "--all", "--simulate", "10", "--seed", "1"],
        &["odds", "--rules", "x.toml", "--simulate", "10"],
        &["odds", "--rules", "x.toml", "--seed", "1"],
        &["clause", "poker", "1.A"],
        &["simulate", "--rules", "x.toml", "--rounds", "many", "--seed", "1"],
        &["simulate", "--rules", "x.toml", "--rounds", "1", "--seed", "1", "--penetration", "90"],
        &["play", "--rules", "x.toml", "--tracking", "none"],
    ] {
        assert_eq!(holecard(args).code, 2, "{args:?}");
    }
    let help = holecard(&["--help"]);
    assert_eq!(help.code, 0);
    for command in
        ["demo", "play", "check", "sign", "odds", "strategy", "simulate", "clause", "staff", "console", "ctl"]
    {
        assert!(help.out.contains(command), "{command}");
        let help = holecard(&[command, "--help"]);
        assert_eq!(help.code, 0);
        assert!(help.out.contains("Examples:"), "{command} does not teach");
    }
    for (command, nested) in [
        ("journal", &["verify", "show", "round", "check-packet", "export"][..]),
        ("inspection", &["list", "show", "print"]),
        ("staff", &["add", "disable", "list"]),
        ("ctl", &["act"]),
    ] {
        for nested in nested {
            let help = holecard(&[command, nested, "--help"]);
            assert!(help.code == 0 && help.out.contains("Example"), "{command} {nested} does not teach");
        }
    }
    assert!(holecard(&["demo", "--help"]).out.contains("players-edge-21"));
    assert_eq!(holecard(&["--version"]).code, 0);
}

#[test]
fn the_demo_plays_a_whole_round_of_each_game_and_says_what_it_is() {
    let demo = holecard(&["demo", "--samples", "--fast"]);
    assert_eq!(demo.code, 0, "{}", demo.out);
    assert!(demo.out.contains("No devices, daemon or\ndealer screen take part"), "{}", demo.out);
    for title in ["Blackjack", "Spanish 21", "Pontoon 21", "Player's Edge 21"] {
        assert!(demo.out.contains(&format!("── {title} ──")), "{title}");
    }
    assert_eq!(demo.out.matches("Round over").count(), 4);
    assert!(!demo.out.contains("refused"), "{}", demo.out);
    assert!(!demo.out.contains('\u{1b}'), "colour where nobody sees it");
}

#[test]
fn every_shipped_submission_passes_its_check() {
    let folder = root().join("firmware-config/submissions");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .filter(|path| path.ends_with(".toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    let mut args = vec!["check", "--json"];
    args.extend(files.iter().map(String::as_str));
    let checked = holecard(&args);
    assert_eq!(checked.code, 0, "{}", checked.out);
    for (report, file) in checked.objects().iter().zip(&files) {
        assert_eq!(report["file"], file.as_str());
        assert_eq!(report["legal"], true);
        assert!(report["game"].is_string());
        assert!(!report["readings"].as_array().unwrap().is_empty());
    }
}

#[test]
fn a_refused_submission_tells_every_reason_with_line_clause_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(rules("spanish-21")).unwrap();
    let text = text.replace("decks = 6", "decks = 7").replace("positions = 7", "positions = 9");
    let line = |key: &str| text.lines().position(|line| line.starts_with(key)).unwrap() + 1;
    let file = folder.path().join("bad.toml");
    std::fs::write(&file, &text).unwrap();
    let path = file.display().to_string();

    let readable = holecard(&["check", &path]);
    assert_eq!(readable.code, 1);
    assert!(readable.out.contains(&format!("{path}:{}:", line("decks"))), "{}", readable.out);
    assert!(readable.out.contains(&format!("{path}:{}:", line("positions"))), "{}", readable.out);
    assert!(readable.out.contains("[spanish-21 3.A]"), "{}", readable.out);
    assert!(!readable.out.contains("readings in force"), "a refused file has none: {}", readable.out);

    let json = holecard(&["check", "--json", &path]);
    assert_eq!(json.code, 1);
    let report = &json.objects()[0];
    assert_eq!(report["legal"], false);
    let problems = report["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(problems[0]["line"], line("decks"));
    assert_eq!(problems[0]["clause"], "spanish-21 3.A");
    assert!(problems[0]["remedy"].as_str().unwrap().contains("decks = 6"));

    // A table cannot be played, simulated or reckoned from it either, and the reason is the same.
    for args in [
        &["play", "--rules", &path][..],
        &["odds", "--rules", &path],
        &["simulate", "--rules", &path, "--rounds", "1", "--seed", "1"],
    ] {
        let refused = holecard(args);
        assert_eq!(refused.code, 1, "{args:?}");
        assert!(refused.err.contains("spanish-21 3.A") && refused.err.contains("2 reasons"), "{}", refused.err);
    }
}

#[test]
fn a_good_file_behind_a_bad_one_is_still_checked() {
    let checked = holecard(&["check", "--json", "no-such-file.toml", &rules("blackjack")]);
    assert_eq!(checked.code, 1);
    let reports = checked.objects();
    assert_eq!((&reports[0]["legal"], &reports[1]["legal"]), (&false.into(), &true.into()));
    assert!(reports[0]["problems"][0]["text"].as_str().unwrap().contains("cannot be opened"));
}

#[test]
fn clauses_and_readings_are_found_and_near_misses_named() {
    let clause = holecard(&["clause", "spanish-21", "7.M"]);
    assert_eq!(clause.code, 0);
    assert!(clause.out.starts_with("spanish-21 7.M\n") && clause.out.contains("status"), "{}", clause.out);
    assert!(clause.out.contains("cited by dealer draws"), "{}", clause.out);
    let reading = holecard(&["clause", "blackjack", "B1", "--json"]);
    let object = &reading.objects()[0];
    assert_eq!((&object["kind"], &object["id"]), (&"reading".into(), &"B1".into()));
    assert!(object["text"].as_str().unwrap().len() > 100);
    let line = holecard(&["clause", "blackjack", "13.A(2)(a)"]);
    assert_eq!(line.code, 0, "{}", line.err);
    let missing = holecard(&["clause", "spanish-21", "7.m"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("did you mean 7.M?"), "{}", missing.err);
    assert_eq!(holecard(&["clause", "spanish-21", "99.Z"]).code, 1);
}

#[test]
fn odds_of_a_submission_are_an_array_with_exact_figures() {
    let odds = holecard(&["odds", "--rules", &rules("spanish-21-all-wagers"), "--json"]);
    assert_eq!(odds.code, 0, "{}", odds.err);
    let all: serde_json::Value = serde_json::from_str(&odds.out).unwrap();
    let all = all.as_array().unwrap();
    let insurance = all.iter().find(|each| each["wager"] == "insurance").unwrap();
    assert_eq!((&insurance["game"], &insurance["decks"]), (&"spanish-21".into(), &6.into()));
    // 72 ten-value cards among the 287 that are left beside the ace.
    assert_eq!(insurance["edge_exact"], serde_json::json!({ "numerator": "71", "denominator": "287" }));
    let side = all.iter().find(|each| each["wager"] == "match-the-dealer").unwrap();
    for field in ["paytable", "hit_frequency", "edge", "edge_fixed", "meter_lines", "lines"] {
        assert!(side.get(field).is_some(), "{field}");
    }
    for field in ["line", "probability", "numerator", "denominator", "pays", "basis"] {
        assert!(side["lines"][0].get(field).is_some(), "{field}");
    }
    let par = holecard(&["odds", "--rules", &rules("spanish-21-all-wagers"), "--par"]);
    assert!(par.out.contains("volatility") && par.out.contains("sha-256"), "{}", par.out);
}

/// H19: a round is dealt from one side, whose four decks of the shoe's eight make the odds.
#[test]
fn the_odds_of_a_double_shoe_are_those_of_one_side() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("double.toml");
    let shipped = std::fs::read_to_string(rules("blackjack-double-shoe")).unwrap();
    std::fs::write(&file, shipped + "\n[wagers.bet-the-set-21]\npaytable = \"C\"\n").unwrap();
    let odds = holecard(&["odds", "--rules", &file.display().to_string(), "--json"]);
    assert_eq!(odds.code, 0, "{}", odds.err);
    let all: serde_json::Value = serde_json::from_str(&odds.out).unwrap();
    for (at, edge) in [(0, 0.072_464), (1, 0.130_435)] {
        assert_eq!((&all[at]["decks"], &all[at]["options"]["double_shoe"]), (&4.into(), &"one side of 8".into()));
        assert!((all[at]["edge"].as_f64().unwrap() - edge).abs() < 0.000_001, "{}", all[at]);
    }
}

#[test]
fn what_has_no_exact_odds_says_how_to_get_it_and_is_played_on_request() {
    let table = rules("blackjack-all-wagers");
    let bad_beat = |args: &[&str]| {
        let odds = holecard(args);
        assert_eq!(odds.code, 0, "{}", odds.err);
        let all: serde_json::Value = serde_json::from_str(&odds.out).unwrap();
        all.as_array().unwrap().iter().find(|each| each["wager"] == "bad-beat").unwrap().clone()
    };
    let unplayed = bad_beat(&["odds", "--rules", &table, "--json"]);
    assert!(unplayed["note"].as_str().unwrap().contains("--simulate ROUNDS --seed S"), "{unplayed}");
    assert!(unplayed["hit_frequency"].is_null());
    let played =
        bad_beat(&["odds", "--rules", &table, "--simulate", "20000", "--seed", "3", "--threads", "2", "--json"]);
    assert_eq!(played["simulated"], serde_json::json!({ "rounds": 20_000, "seed": 3 }));
    assert!(played["edge"].is_null() && played["edge_fixed"].is_number());
    for field in ["hit_frequency_standard_error", "edge_fixed_standard_error", "meter_lines", "soft17", "options"] {
        assert!(!played[field].is_null(), "{field}");
    }
    let lines = played["lines"].as_array().unwrap();
    let rounds: u64 =
        lines.iter().filter(|line| line["besides"] != true).map(|line| line["count"].as_u64().unwrap()).sum();
    assert_eq!(rounds, 20_000, "{lines:?}");
    let page = holecard(&["odds", "--rules", &table, "--simulate", "1000", "--seed", "3"]);
    assert!(page.out.contains("simulated: 1000 rounds") && page.out.contains("house edge without the meters"));
}

#[test]
fn a_par_sheet_has_lines_and_a_hash_for_every_wager_and_says_what_it_leaves_out() {
    let table = rules("blackjack-all-wagers");
    let sheets = holecard(&["odds", "--rules", &table, "--par"]);
    assert_eq!(sheets.code, 0, "{}", sheets.err);
    let sheet_of = |wager: &str| sheets.out.split("\n\n").find(|sheet| sheet.starts_with(wager)).unwrap();
    for sheet in sheets.out.trim().split("\n\n") {
        assert!(sheet.contains("\n  sha-256 ") && sheet.lines().count() >= 4, "{sheet}");
        assert!(!sheet.contains("per unit) 0.0000"), "{sheet}");
    }
    let wheel = sheet_of("bonus-spin C");
    assert!(wheel.contains("the wheel decides what a spin pays") && wheel.contains("volatility: the wheel"), "{wheel}");
    for line in ["jackpot: fixed prize  $10,000", "13.Q(3)(b)", "$500 and $100 to the others  13.Q(7)(a)(i)"] {
        assert!(wheel.contains(line), "{line}: {wheel}");
    }
    assert!(sheet_of("super-4").contains("what the meters pay left out"));
    assert!(sheet_of("bad-beat").contains("100 % of the main meter  13.B(1)(a)"));
    assert!(sheet_of("must-hit").contains("13.T(1)(a)"));

    let json = holecard(&["odds", "--rules", &table, "--par", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    for each in all.as_array().unwrap() {
        assert_eq!(each["sha256"].as_str().map(str::len), Some(64), "{each}");
        assert!(!each["lines"].as_array().unwrap().is_empty(), "{each}");
        assert!(sheet_of(each["wager"].as_str().unwrap()).len() > 64);
    }
    let find = |wager: &str| all.as_array().unwrap().iter().find(|each| each["wager"] == wager).unwrap();
    assert!(find("bonus-spin")["volatility"].is_null() && find("bonus-spin")["wheel"].as_array().unwrap().len() > 8);
    assert_eq!(find("blazing-7s")["volatility_without"], "meters");
    assert!(find("lucky-ladies")["volatility"].as_f64().unwrap() > 1.0);

    let played = holecard(&["odds", "--rules", &table, "--par", "--simulate", "20000", "--seed", "3"]);
    let sheet = played.out.split("\n\n").find(|sheet| sheet.starts_with("bad-beat")).unwrap();
    assert!(sheet.contains("volatility (standard deviation per unit, simulated)"), "{sheet}");
    assert!(sheet.contains("sha-256") && sheet.contains("what the meters pay left out"), "{sheet}");
}

#[test]
fn a_simulation_has_its_fields_and_does_not_depend_on_threads() {
    let run = |threads| {
        let table = rules("blackjack");
        let mut args = vec!["simulate", "--rules", &table, "--rounds", "140000", "--seed", "3", "--json"];
        args.extend(["--seats", "2", "--threads", threads]);
        let ran = holecard(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.objects().remove(0)
    };
    let (one, two) = (run("1"), run("2"));
    for field in ["rounds", "hands", "edge", "standard_error", "seat_hands_per_second", "lines"] {
        assert!(one.get(field).is_some(), "{field}");
    }
    for field in ["rounds", "hands", "edge", "standard_error", "lines"] {
        assert_eq!(one[field], two[field], "{field}");
    }
    assert_eq!(one["rounds"], 140_000);
}

#[test]
fn a_simulation_that_the_table_cannot_play_is_bad_usage_with_every_reason() {
    let table = rules("blackjack");
    let args = ["simulate", "--rules", &table, "--rounds", "0", "--seed", "1", "--seats", "8", "--penetration", "0.9"];
    let ran = holecard(&args);
    assert_eq!(ran.code, 2);
    for reason in ["at least one round", "1 to 7", "at most 0.75 of the stack"] {
        assert!(ran.err.contains(reason), "{reason}: {}", ran.err);
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_holecard"))
        .args(["odds", "--rules", &rules("blackjack-all-wagers"), "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn every_variation_is_simulated() {
    for variation in ["switch", "from-the-hand", "double-shoe"] {
        let table = rules(&format!("blackjack-{variation}"));
        let ran = holecard(&["simulate", "--rules", &table, "--rounds", "1000", "--seed", "1"]);
        assert_eq!(ran.code, 0, "{variation}: {}", ran.all());
        assert!(ran.out.contains("1000 rounds"), "{}", ran.out);
    }
    let table = rules("blackjack-double-shoe");
    let ran = holecard(&["simulate", "--rules", &table, "--rounds", "9", "--seed", "1", "--penetration", "0.5"]);
    assert_eq!(ran.code, 2, "{}", ran.all());
    assert!(ran.err.contains("[blackjack 3.C(2)]"), "{}", ran.err);
}

#[test]
fn a_strategy_is_a_chart_a_page_or_an_object() {
    let table = rules("spanish-21");
    let text = holecard(&["strategy", "--rules", &table]);
    assert_eq!(text.code, 0, "{}", text.all());
    assert!(text.out.starts_with("Spanish 21: best play\n") && text.out.contains("house edge"), "{}", text.out);
    let page = holecard(&["strategy", "--rules", &table, "--html"]).out;
    assert!(page.starts_with("<!doctype html>") && page.contains("Towards 6-7-8"), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&holecard(&["strategy", "--rules", &table, "--stake", "25", "--json"]).out).unwrap();
    assert_eq!((&json["game"], &json["stake_cents"]), (&serde_json::json!("spanish-21"), &serde_json::json!(2500)));
    let refused = holecard(&["strategy", "--rules", &table, "--stake", "0.30"]);
    assert_eq!(refused.code, 2, "{}", refused.all());
}

#[test]
fn threads_have_a_bound() {
    for threads in ["0", "257", "99999999999", "many"] {
        for args in [
            ["simulate", "--rules", "x.toml", "--rounds", "1", "--seed", "1", "--threads", threads],
            ["odds", "--rules", "x.toml", "--simulate", "1", "--seed", "1", "--threads", threads],
        ] {
            let ran = holecard(&args);
            assert_eq!(ran.code, 2, "{threads}");
            assert!(ran.err.contains("1 to 256"), "{}", ran.err);
        }
    }
}

#[test]
fn a_reading_names_only_points_of_the_game_that_was_asked_for() {
    let blackjack = holecard(&["clause", "blackjack", "B1"]);
    assert!(blackjack.out.contains("cited by deal first cards"), "{}", blackjack.out);
    for foreign in ["rescue", "redouble", "678", "additional", "doubles"] {
        assert!(!blackjack.out.contains(&format!("cited by {foreign}")), "{foreign}: {}", blackjack.out);
    }
}
