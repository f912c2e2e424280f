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
    let machine =
        "[devices.shuffler]\nlink = { tty = { path = \"/dev/ttyS0\", baud = 115200 } }\nprotection = \"none\"\n";
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

#[test]
fn spots_without_a_sensor_or_a_lamp_and_sensors_without_a_wager_are_warned_of() {
    let folder = TempDir::new().unwrap();
    let rules = folder.path().join("rules.toml");
    fs::copy(shipped("submissions/blackjack-all-wagers.toml"), &rules).unwrap();
    let site = |devices: &str| {
        load(&[&format!(
            "[table]\nid = \"BJ-07\"\nrules = {:?}\n[spots.1]\nwager = \"main\"\n[spots.2]\nwager = \"blazing-7s\"\n{devices}",
            rules.display().to_string()
        )])
        .unwrap()
    };
    let lock_out = "[devices.gpio.lock_out]\nbutton = \"GPIO17\"\nlamp = \"GPIO27\"\n";
    let part = |kind: &str, seat: u8, spot: u8, line: u8| {
        format!("[[devices.{kind}]]\nseat = {seat}\nspot = {spot}\nat = {{ line = \"GPIO{line}\" }}\n")
    };
    // Without a lock-out nothing is wired, and nothing differs.
    let bare = site("");
    let table = bare.rules_table().unwrap();
    assert_eq!(bare.wiring_warnings(&table), Vec::<String>::new());
    let devices = [part("sensor", 1, 2, 6), part("lamp", 1, 2, 7), part("sensor", 2, 2, 10), part("sensor", 3, 3, 11)];
    let config = site(&format!("{lock_out}{}", devices.concat()));
    let all = (1..=table.positions).map(|seat| seat.to_string()).collect::<Vec<_>>();
    assert_eq!(
        config.wiring_warnings(&table),
        [
            format!("no sensor at spot 1 of seats {}: main is told by hand there", all.join(", ")),
            format!("no sensor at spot 2 of seats {}: blazing-7s is never taken there", all[2..].join(", ")),
            "no lamp at spot 2 of seat 2: nothing shows there that blazing-7s was accepted".to_owned(),
            "a sensor at spot 3 of seat 3 and no wager in [spots.3]".to_owned(),
        ]
    );
    // A machine that has none of it says so of every line.
    let missing = config.board_warnings(None);
    for line in ["GPIO6", "GPIO7", "GPIO10", "GPIO11", "GPIO17", "GPIO27"] {
        assert!(
            missing.iter().any(|each| each.starts_with(&format!("no GPIO line is named {line}:"))),
            "{line}: {missing:?}"
        );
    }
    let no_device =
        site("[devices.reader]\nlink = { tty = { path = \"/etc/hostname\", baud = 115200 } }\nprotection = \"none\"\n");
    assert_eq!(no_device.board_warnings(None), ["reader: /etc/hostname is no device"]);
    let other =
        site("[devices.reader]\nlink = { tty = { path = \"/dev/null\", baud = 115200 } }\nprotection = \"none\"\n");
    assert_eq!(other.board_warnings(None), Vec::<String>::new());
    let told = other.board_warnings(Some(u32::MAX));
    assert!(told[0].starts_with("reader: /dev/null belongs to group "), "{told:?}");
}

/// The pins of the header that a line of the firmware's config.txt takes, by the alternate functions of these boards. A line that
/// is not known here has to be looked up before it is shipped.
fn pins_taken(line: &str) -> Option<&'static [u8]> {
    Some(match line {
        "dtoverlay=uart2" | "dtoverlay=uart1-pi5" | "dtparam=i2c_vc=on" => &[0, 1],
        "dtparam=i2c_arm=on" => &[2, 3],
        "dtoverlay=uart3" | "dtoverlay=uart2-pi5" => &[4, 5],
        "dtoverlay=uart4" | "dtoverlay=uart3-pi5" => &[8, 9],
        "dtoverlay=uart5" | "dtoverlay=uart4-pi5" => &[12, 13],
        "enable_uart=1" => &[14, 15],
        "dtparam=spi=on" => &[7, 8, 9, 10, 11],
        // The clock of the IO Board is on the other side of the bus's switch, beyond the header.
        "dtoverlay=i2c-rtc,pcf85063a,i2c_csi_dsi"
        | "dtoverlay=disable-bt"
        | "dtoverlay=dwc2,dr_mode=host"
        | "dtoverlay=holecard-bcm2711"
        | "dtoverlay=holecard-bcm2712"
        | "dtparam=spi=off"
        | "dtparam=audio=off"
        | "dtparam=watchdog=on"
        | "force_eeprom_read=0" => &[],
        _ => return None,
    })
}

/// Every line of a configuration, as a number of the header.
fn header_lines(config: &Config) -> Vec<u8> {
    let names = config.wiring.inputs.iter().map(|(_, spec)| &spec.name);
    let names = names.chain(config.wiring.lamps.iter().map(|(_, spec)| &spec.name));
    names.map(|name| name.strip_prefix("GPIO").unwrap().parse().unwrap()).collect()
}

#[test]
fn no_line_of_a_board_or_an_example_clashes_with_what_the_firmware_switches_on() {
    let page = fs::read_to_string(shipped("../docs/technician/wiring.md")).unwrap();
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 3);
    for board in ["raspberry-pi-4", "raspberry-pi-5", "cm4"] {
        let firmware = fs::read_to_string(shipped(&format!("firmware/{board}/config.txt"))).unwrap();
        let mut taken: Vec<u8> = Vec::new();
        for line in firmware.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(!line.contains('#'), "{board}: a comment is read as part of {line:?}");
            let pins = pins_taken(line).unwrap_or_else(|| panic!("{board}: which pins does {line:?} take?"));
            assert!(!pins.iter().any(|pin| taken.contains(pin)), "{board}: {line} takes pins that are taken");
            taken.extend(pins);
        }
        let wiring = fs::read_to_string(shipped(&format!("wiring/{board}.toml"))).unwrap();
        Config::check_layer(&shipped(&format!("wiring/{board}.toml"))).unwrap();
        let whole = load(&[&wiring, SITE]).unwrap_or_else(|problems| panic!("{board}: {:?}", told(&problems)));
        assert_eq!((whole.devices.sensor.len(), whole.devices.lamp.len()), (7, 7));
        let example = load(&[&format!("board = \"{board}\"\n{SITE}{}", blocks.concat())])
            .unwrap_or_else(|problems| panic!("wiring.md on {board}: {:?}", told(&problems)));
        for config in [whole, example] {
            let mut lines = header_lines(&config);
            let clash: Vec<u8> = lines.iter().copied().filter(|line| taken.contains(line) || *line > 27).collect();
            assert_eq!(clash, Vec::<u8>::new(), "{board}: these lines are something else there");
            lines.sort_unstable();
            assert!(lines.windows(2).all(|two| two[0] != two[1]), "{board}: {lines:?}");
        }
    }
}

#[test]
fn every_device_says_how_its_line_is_protected_and_check_names_those_in_the_clear() {
    let reader = |more: &str| {
        format!("{SITE}[devices.reader]\nlink = {{ tty = {{ path = \"/dev/ttyS0\", baud = 115200 }} }}\n{more}")
    };
    let problems = load(&[&reader("")]).unwrap_err();
    assert_eq!(told(&problems), ["4 devices.reader missing field `protection`"]);
    assert!(problems[0].file.ends_with("0.toml"), "{}", problems[0]);
    assert!(problems[0].remedy.contains("protection = \"paired\""), "{}", problems[0]);
    let wrong = load(&[&reader("protection = \"some\"\n")]).unwrap_err();
    assert!(told(&wrong)[0].starts_with("6 devices.reader unknown variant `some`"), "{:?}", told(&wrong));
    assert_eq!(load(&[&reader("protection = \"paired\"\n")]).unwrap().protection_warnings(), Vec::<String>::new());
    let shoe = "[[devices.shoe]]\nlink = { tcp = { address = \"192.0.2.10:4001\" } }\n";
    let open = load(&[&reader(&format!(
        "protection = \"none\"\n{shoe}protection = \"paired\"\n{shoe}protection = \"none\"\n"
    ))]);
    let warnings = open.unwrap().protection_warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("reader: protection = \"none\""), "{warnings:?}");
    assert!(warnings[1].starts_with("right shoe: protection = \"none\""), "{warnings:?}");
    // A shoe of another maker has no keys to pair with.
    let angel = format!("{SITE}{shoe}protection = \"paired\"\ndialect = \"angel-eye-with-stx\"\n");
    let refused = load(&[&angel]).unwrap_err();
    assert_eq!(told(&refused), ["4 devices.shoe a shoe with a dialect of its own cannot be paired"]);
}
