//! The configuration: what is shipped, what is documented, and every way to get it wrong.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::fs;
use std::path::{Path, PathBuf};

use table_daemon::config::{BOARDS, Config, ConfigProblem, LogTo};
use table_rules::Tracking;
use table_rules::money::Cents;
use table_rules::wager::WagerId;
use tempfile::TempDir;

fn shipped(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../firmware-config").join(path)
}

fn load(texts: &[&str]) -> Result<Config, Vec<ConfigProblem>> {
    let directory = TempDir::new().unwrap();
    let paths: Vec<PathBuf> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let path = directory.path().join(format!("{number}.toml"));
            fs::write(&path, text).unwrap();
            path
        })
        .collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    Config::load(&paths)
}

/// `line key text` of each problem.
fn told(problems: &[ConfigProblem]) -> Vec<String> {
    problems.iter().map(|each| format!("{} {} {}", each.line, each.key, each.text)).collect()
}

const SITE: &str = "[table]\nid = \"BJ-07\"\nrules = \"/etc/holecard/rules.toml\"\n";

#[test]
fn every_shipped_file_is_a_layer_and_every_board_makes_a_table() {
    Config::check_layer(&shipped("base.toml")).unwrap();
    assert!(Config::is_meant_by(&fs::read_to_string(shipped("base.toml")).unwrap()));
    for submission in fs::read_dir(shipped("submissions")).unwrap() {
        assert!(!Config::is_meant_by(&fs::read_to_string(submission.unwrap().path()).unwrap()));
    }
    let files: Vec<PathBuf> = fs::read_dir(shipped("boards")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), BOARDS.len(), "a board's file is not built in");
    for file in &files {
        Config::check_layer(file).unwrap();
        assert!(Config::is_meant_by(&fs::read_to_string(file).unwrap()));
        let name = file.file_stem().unwrap().to_str().unwrap();
        let (_, text) = BOARDS.iter().find(|(board, _)| *board == name).unwrap();
        assert_eq!(*text, fs::read_to_string(file).unwrap());
        let config = load(&[&format!("board = \"{name}\"\n{SITE}")]).unwrap();
        assert_eq!(config.table_id, "BJ-07");
        assert_eq!(config.log.to == LogTo::Text, name == "simulated", "the board's layer is not in force");
    }
}

#[test]
fn a_site_overrides_its_board_and_the_board_overrides_the_defaults() {
    let config = load(&[
        &format!("board = \"raspberry-pi-5\"\n{SITE}"),
        "[table]\ntracking = \"procedure\"\n[day]\ngrace_minutes = 15\n[devices.gpio]\ndebounce_ms = 20\n\
         [spots.2]\nwager = \"monster-match\"\nstake = 2.50\n[spots.1]\nwager = \"main\"\n",
    ])
    .unwrap();
    assert_eq!(config.tracking, Tracking::Procedure);
    assert_eq!((config.day.starts_minute, config.day.grace_minutes, config.day.battery_clock), (360, 15, true));
    assert_eq!(config.devices.gpio.debounce_ms, Some(20));
    assert_eq!(config.devices.gpio.lock_out.as_ref().unwrap().button, "GPIO17", "the board's key went lost");
    let spots: Vec<_> = config.spots.iter().map(|spot| (spot.spot, spot.wager, spot.stake)).collect();
    assert_eq!(spots, [(1, WagerId::Main, None), (2, WagerId::MonsterMatch, Some(Cents(250)))]);
    assert_eq!(config.journal.settings, table_journal::Settings::default(), "the shipped defaults are the journal's");
}

#[test]
fn the_documented_site_file_is_one() {
    let page = fs::read_to_string(shipped("../docs/configuration.md")).unwrap();
    let site = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let config = load(&[site]).unwrap();
    assert_eq!((config.table_id.as_str(), config.day.grace_minutes), ("BJ-07", 15));
    assert!(config.devices.reader.is_some());
    assert_eq!(config.spots.len(), 1);
}

#[test]
fn all_problems_come_at_once_with_their_lines() {
    let text = "board = \"abacus\"\n[table]\nid = \"BJ 07\"\ntrackin = \"cards\"\n[day]\nstarts = \"6:00\"\n\
                time_zone = \"Mars/Olympus\"\ngrace_minutes = 61\n[journal]\nkept_days = 30\n[http]\n\
                listen = \"0.0.0.0:80\"\n[spots.4]\nwager = \"main\"\n[spots.1]\nwager = \"mian\"\n[devices.reader]\n\
                link = { tty = { path = \"/dev/ttyS0\" } }\n[[devices.sensor]]\nseat = 9\nspot = 1\n\
                at = { line = \"GPIO5\" }\n[[devices.lamp]]\nseat = \"one\"\n";
    let found = told(&load(&[text]).unwrap_err());
    let expected = [
        "1 board \"abacus\" is no board that is known",
        "3 table.id \"BJ 07\" is not possible here",
        "4 table.trackin is no key that is known here",
        "6 day.starts \"6:00\" is not possible here",
        "7 day.time_zone \"Mars/Olympus\" is not possible here",
        "8 day.grace_minutes 61 is not possible here",
        "10 journal.kept_days 30 is not possible here",
        "12 http.listen 0.0.0.0:80 can be reached from other machines",
        "13 spots.4 is no spot",
        "16 spots.1.wager \"mian\" is not possible here",
        "1 table.rules is missing",
    ];
    for line in expected {
        assert!(found.contains(&line.to_owned()), "{line}\nis not in\n{}", found.join("\n"));
    }
    assert!(found.iter().any(|line| line.starts_with("18 devices.reader")), "{}", found.join("\n"));
    assert!(found.iter().any(|line| line.contains("seat 9 spot 1 does not exist")), "{}", found.join("\n"));
    assert!(found.iter().any(|line| line.contains("devices.lamp")), "{}", found.join("\n"));
}

#[test]
fn broken_toml_is_reported_with_its_line_and_never_makes_a_table() {
    let problems = load(&["[table]\nid = \"BJ-07\nrules = 7\n"]).unwrap_err();
    assert_eq!(problems[0].line, 2);
    assert!(problems[0].text.starts_with("not TOML"), "{}", problems[0]);
    let missing = Config::load(&[Path::new("/nowhere/at/all.toml")]).unwrap_err();
    assert!(missing[0].text.contains("cannot be read"), "{}", missing[0]);
}

#[test]
fn listening_beyond_loopback_has_to_be_said_twice() {
    let both = format!("{SITE}[http]\nlisten = \"0.0.0.0:8021\"\nbeyond_loopback = true\n");
    assert_eq!(load(&[&both]).unwrap().http.listen.to_string(), "0.0.0.0:8021");
    assert!(load(&[&format!("{SITE}[http]\nlisten = \"[::ffff:10.0.0.1]:8021\"\n")]).is_err());
    assert!(load(&[&format!("{SITE}[http]\nlisten = \"[::1]:8021\"\n")]).is_ok());
}

#[test]
fn a_configuration_and_its_submission_have_to_fit() {
    let rules = |name: &str| shipped(&format!("submissions/{name}.toml")).canonicalize().unwrap();
    let site = |rules: &Path, rest: &str| {
        format!("[table]\nid = \"PE-01\"\nrules = {:?}\n{rest}", rules.display().to_string())
    };
    let offered = rules("players-edge-21-all-wagers");
    let good = load(&[&site(&offered, "[spots.1]\nwager = \"monster-match\"\nstake = 2\n")]).unwrap();
    assert!(good.rules_table().unwrap().wagers.iter().any(|offer| offer.id() == WagerId::MonsterMatch));
    let wrong_stake = load(&[&site(&offered, "[spots.1]\nwager = \"monster-match\"\nstake = 3\n")]).unwrap();
    assert_eq!(
        told(&wrong_stake.rules_table().unwrap_err()),
        ["4 spots.1 the submission takes no $3 on monster-match"]
    );
    let bare = load(&[&site(&rules("players-edge-21"), "[spots.1]\nwager = \"monster-match\"\n")]).unwrap();
    assert_eq!(told(&bare.rules_table().unwrap_err()), ["4 spots.1 the submission does not offer monster-match"]);
    let seats = "[devices.gpio.lock_out]\nbutton = \"GPIO17\"\n[[devices.sensor]]\nseat = 8\nspot = 1\n\
                 at = { line = \"GPIO5\" }\n";
    let crowded = load(&[&site(&rules("players-edge-21"), seats)]).unwrap();
    assert_eq!(
        told(&crowded.rules_table().unwrap_err()),
        ["6 devices.sensor a sensor is at seat 8, the submission has 7 positions"]
    );
    let absent = load(&[SITE]).unwrap();
    assert!(absent.rules_table().unwrap_err()[0].text.contains("cannot be read"));
}

// cites blackjack H14
#[test]
fn a_variation_without_card_tracking_is_refused_where_the_file_says_it() {
    for (name, why) in [
        ("blackjack-switch", "Switch has two hands a box"),
        ("blackjack-from-the-hand", "dealt from the hand, cards count from when they are turned"),
        ("blackjack-double-shoe", "the determinant card of a double shoe names the side"),
    ] {
        let rules = shipped(&format!("submissions/{name}.toml")).canonicalize().unwrap();
        let site = |tracking: &str| {
            load(&[&format!(
                "[table]\nid = \"BJ-01\"\nrules = {:?}\ntracking = {tracking:?}\n",
                rules.display().to_string()
            )])
            .unwrap()
        };
        let problems = site("procedure").rules_table().unwrap_err();
        let text = format!("4 table.tracking {why}: that is known only where cards are tracked [blackjack H14]");
        assert_eq!(told(&problems), [text]);
        assert!(problems[0].remedy.contains("track the cards"), "{}", problems[0]);
        assert!(site("cards").rules_table().is_ok());
    }
}

#[test]
fn a_shuffler_is_connected_only_where_the_submission_has_a_machine_shuffle() {
    let shipped_rules = fs::read_to_string(shipped("submissions/players-edge-21.toml")).unwrap();
    let machine = "[devices.shuffler]\nlink = { tty = { path = \"/dev/ttyS0\", baud = 115200 } }\n";
    let table_of = |way: &str, devices: &str| {
        let folder = TempDir::new().unwrap();
        let rules = folder.path().join("rules.toml");
        let text = shipped_rules.replace("shuffler = \"by-hand\"", &format!("shuffler = \"{way}\""));
        fs::write(&rules, text).unwrap();
        load(&[&format!(
            "[table]\nid = \"PE-01\"\nrules = {:?}\n[spots.1]\nwager = \"monster-match\"\n{devices}",
            rules.display().to_string()
        )])
        .unwrap()
        .rules_table()
        .unwrap_err()
    };
    // Told beside what else does not fit; the line is the block's own.
    let offer = "4 spots.1 the submission does not offer monster-match";
    let problems = table_of("by-hand", machine);
    let stalls = "6 devices.shuffler a shuffler is connected and the submission has the cards shuffled by hand";
    assert_eq!(told(&problems), [offer, stalls]);
    assert!(problems[1].file.ends_with("0.toml"), "{}", problems[1]);
    assert!(problems[1].remedy.contains("rules.toml"), "{}", problems[1]);
    assert_eq!(told(&table_of("batch", machine)), [offer]);
    assert_eq!(told(&table_of("continuous", machine)), [offer]);
    // A machine without a port of its own: the dealer says when it is done.
    assert_eq!(told(&table_of("batch", "")), [offer]);
}
