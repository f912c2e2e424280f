//! `holecard journal` on the record of a small table: a jackpot's round word by word, a packet, an export, and damage.

use std::fs;
use std::path::{Path, PathBuf};

use operator_api::{Action, PersonId, Role};
use serde_json::Value;
use table_controller::{
    CONTENT_VERSION, Clock, Controller, Input, Outputs, PersonInput, Staff, Stamp, Started, encode_events, encode_input,
};
use table_daemon::config::Config;
use table_daemon::table::{controller_config, file_hash, rules_pack};
use table_journal::{
    Appender, DirectoryStorage, Entry, EpochIdentity, JournalKey, MonotonicTime, PersonId as JournalPerson, Retention,
    Settings, TableId, WallTime,
};

use crate::tool::{Ran, holecard};

const DEALER: Staff = Staff { id: PersonId(100), role: Role::Dealer };
const FLOOR: Staff = Staff { id: PersonId(200), role: Role::Floorperson };
const MANAGER: Staff = Staff { id: PersonId(300), role: Role::Manager };

/// Two rounds at a table without devices; in the second the progressive falls.
const ROUNDS: &str = "wager 2 main 25\nlock\nburn\ncard 9c\ncard 5s\ncard 8c\ncard ?\nstand\nreveal Kc\ncard 4h\nsettled\n\
    wager 2 main 25\nwager 2 monster-match 2\nlock\ncard 7h\ncard 7h\ncard 7h\ncard ?\nstand\nreveal 7h\ncard 5c\nnext\nnext\n\
    floor approve\nmanager approve\npaid\nsettled";

pub(crate) struct Kept {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) journal: PathBuf,
    pub(crate) key: PathBuf,
    /// What stands for the program that ran the table.
    pub(crate) program: PathBuf,
}

pub(crate) fn settings() -> Settings {
    let retention = Retention { bytes_max: 1 << 30, age_min_s: 0, age_max_s: None };
    Settings {
        segment_bytes: 64 * 1024,
        segment_age_max_s: u64::MAX,
        retention,
        checkpoint_every_records: 10,
        nearly_full_records: 4,
    }
}

/// The configuration of a table without devices, with its rules beside it.
fn site(folder: &Path) -> Config {
    let text = include_str!("../../../../firmware-config/submissions/players-edge-21-all-wagers.toml");
    fs::write(folder.join("rules.toml"), text).unwrap();
    let at = folder.display();
    let text = format!("board = \"simulated\"\n[table]\nid = \"PE-3\"\nrules = \"{at}/rules.toml\"\n");
    fs::write(folder.join("table.toml"), text).unwrap();
    Config::load(&[&folder.join("table.toml")]).unwrap()
}

pub(crate) fn played() -> Kept {
    played_of(ROUNDS)
}

/// The same table with other words after its opening.
pub(crate) fn played_of(rounds: &str) -> Kept {
    let directory = tempfile::tempdir().unwrap();
    let (journal, key) = (directory.path().join("journal"), directory.path().join("journal.key"));
    let program = directory.path().join("program");
    fs::create_dir(&journal).unwrap();
    fs::write(&program, "the program of this table").unwrap();
    let site = site(directory.path());
    let config = controller_config(&site, site.rules_table().unwrap(), site.has_layout());
    let rules_pack = rules_pack(&fs::read(&site.rules).unwrap(), &config);
    let identity = EpochIdentity { software: file_hash(&program).unwrap(), rules_pack };
    let storage = DirectoryStorage::for_writing(&journal).unwrap();
    let signing = JournalKey::create(&key).unwrap();
    let table = TableId::new("PE-3").unwrap();
    let mut appender =
        Appender::create(storage, table, signing, settings(), identity, WallTime(0), MonotonicTime(0)).unwrap();
    let mut controller = Controller::new(config);
    let mut wall_ms = 1_772_452_800_000_i64;
    let mut give = |input: &Input| {
        let mut out = Outputs::default();
        let stamp = Stamp { sequence: controller.sequence() + 1 };
        controller.apply(stamp, input, &mut out).unwrap_or_else(|refused| panic!("{input:?}: {refused:?}"));
        wall_ms += 2_000;
        let person = if let Input::Person(PersonInput { by: Some(by), .. }) = input { by.id.0 } else { 0 };
        let (input, events) = (encode_input(input), encode_events(&out.said));
        let wall = WallTime(wall_ms * 1_000);
        let (monotonic, person) = (MonotonicTime(1), JournalPerson(u64::from(person)));
        let entry = Entry { content_version: CONTENT_VERSION, wall, monotonic, person, input: &input, events: &events };
        appender.append(&entry).unwrap();
        appender.commit().unwrap();
        if appender.checkpoint_due() {
            let state = controller.checkpoint();
            appender.checkpoint(&Entry { input: &[], events: &state, ..entry }).unwrap();
        }
    };
    let clock = Clock { wall_ms: 1_772_452_800_000, monotonic_ms: 0, minute: 720, day: 20_514, trusted: true };
    give(&Input::Started(Started { clock, last_record_ms: None, foreign_round: None }));
    let person = |by, action| Input::Person(PersonInput { by: Some(by), second: None, action, key: None });
    give(&person(DEALER, Action::SignIn));
    let opening = "open\ndecks 6 preinspected\ncut dealer 130\nplace 80\nload";
    for words in opening.lines().chain(rounds.lines()) {
        let by = match words {
            "open" | "floor approve" => FLOOR,
            "manager approve" => MANAGER,
            _ => DEALER,
        };
        give(&person(by, Action::Play { words: words.to_owned() }));
    }
    appender.shut_down().unwrap();
    Kept { directory, journal, key, program }
}

pub(crate) fn journal(kept: &Kept, args: &[&str]) -> Ran {
    let mut all = vec!["journal", "--journal", kept.journal.to_str().unwrap()];
    all.extend_from_slice(args);
    holecard(&all)
}

fn segment(kept: &Kept) -> PathBuf {
    let mut files: Vec<_> = fs::read_dir(&kept.journal).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).unwrap().len()));
    files.remove(0)
}

#[test]
fn a_whole_journal_verifies_and_a_flipped_bit_is_named_with_file_and_byte() {
    let kept = played();
    let good = journal(&kept, &["verify"]);
    assert_eq!(good.code, 0, "{}", good.out);
    assert!(good.out.contains("good:"));
    let file = segment(&kept);
    let mut bytes = fs::read(&file).unwrap();
    let place = bytes.windows(6).position(|part| part == b"reveal").unwrap();
    bytes[place] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let bad = journal(&kept, &["verify", "--json"]);
    assert_eq!(bad.code, 1);
    let said: Value = serde_json::from_str(&bad.out).unwrap();
    let damaged = &said["damaged"];
    assert_eq!(damaged["file"].as_str().unwrap(), file.file_name().unwrap().to_str().unwrap());
    let record = usize::try_from(damaged["record_offset"].as_u64().unwrap()).unwrap();
    assert!(record < place && place - record < 4096, "{damaged}");
}

#[test]
fn a_round_is_told_card_by_card_with_who_did_what() {
    let kept = played();
    let told = journal(&kept, &["round", "2"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let order = [
        "Seat 2 bets $25",
        "Seat 2 bets $2 on Monster Match",
        "No more bets",
        "7h to seat 2",
        "Hole card 7h",
        "floorperson 200: floor approve",
        "manager 300: manager approve",
        "seat 2 hand 1, Monster Match: won",
    ];
    for part in order {
        assert!(told.out.contains(part), "{part}: {}", told.out);
    }
    assert!(!told.out.contains("9c to"), "the round before is not part of it");
    let whole = journal(&kept, &["round", "1", "--json"]);
    let said: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!((said["round"].as_u64(), said["finished"].as_bool()), (Some(1), Some(true)));
    assert!(said["records"].as_array().unwrap().iter().all(|record| record["hash"].as_str().unwrap().len() == 64));
    assert_eq!(journal(&kept, &["round", "3"]).code, 1);
}

#[test]
fn a_packet_is_signed_and_a_changed_one_is_noticed() {
    let kept = played();
    let file = kept.directory.path().join("dispute.packet");
    let (name, key) = (file.to_str().unwrap(), kept.key.to_str().unwrap());
    let written = journal(&kept, &["round", "2", "--packet", name, "--key", key]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert_eq!(journal(&kept, &["check-packet", name]).code, 0);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("$25", "$95", 1)).unwrap();
    assert_eq!(journal(&kept, &["check-packet", name]).code, 1);
    let other = kept.directory.path().join("other.key");
    JournalKey::create(&other).unwrap();
    let refused = journal(&kept, &["round", "2", "--packet", name, "--key", other.to_str().unwrap()]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("not the key"), "{}", refused.err);
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn an_export_loses_nothing_and_overwrites_nothing() {
    let kept = played();
    let to = kept.directory.path().join("export");
    let name = to.to_str().unwrap();
    assert_eq!(journal(&kept, &["export", name]).code, 0);
    let shown = journal(&kept, &["show", "--json"]);
    let exported = lines(&to.join("journal.jsonl"));
    assert_eq!(shown.out.lines().map(str::to_owned).collect::<Vec<_>>(), exported);
    let events: usize = exported
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|record| if record["kind"] == "input" { record["events"].as_array().unwrap().len().max(1) } else { 1 })
        .sum();
    assert_eq!(lines(&to.join("journal.csv")).len(), events + 1, "a row for every event, and the head");
    let about: Value = serde_json::from_str(&fs::read_to_string(to.join("about.json")).unwrap()).unwrap();
    assert_eq!(about["records"].as_u64(), Some(exported.len() as u64));
    let again = journal(&kept, &["export", name]);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("not empty"));
}

fn python(args: &[&str]) -> std::process::Output {
    let script = crate::tool::root().join("docs/journal_reader.py");
    let command = std::process::Command::new("python3").arg(script).args(args).output();
    command.expect("python3 is needed for this test; install it rather than skip it")
}

#[test]
fn the_reader_in_another_language_reads_the_same_content_and_checks_the_same_packet() {
    let kept = played();
    let read = python(&[kept.journal.to_str().unwrap(), "--content"]);
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let theirs: Vec<Value> =
        String::from_utf8(read.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ours = journal(&kept, &["show", "--json"]).objects();
    assert_eq!(theirs.len(), ours.len());
    for (theirs, ours) in theirs.iter().zip(&ours) {
        assert_eq!((&theirs["sequence"], &theirs["hash"]), (&ours["sequence"], &ours["hash"]));
        if ours["kind"] == "input" {
            assert_eq!((&theirs["input"], &theirs["events"]), (&ours["input"], &ours["events"]));
        }
    }
    let file = kept.directory.path().join("dispute.packet");
    let (name, key) = (file.to_str().unwrap(), kept.key.to_str().unwrap());
    assert_eq!(journal(&kept, &["round", "2", "--packet", name, "--key", key]).code, 0);
    assert!(python(&["--packet", name]).status.success());
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("$25", "$95", 1)).unwrap();
    assert_eq!(python(&["--packet", name]).status.code(), Some(1));
}

#[test]
fn a_directory_without_a_journal_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let said = holecard(&["journal", "--journal", empty.path().to_str().unwrap(), "verify"]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("no journal"), "{} {}", said.out, said.err);
}
