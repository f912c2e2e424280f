//! `holecard inspection` on a journal with two signed inspections, with no table running.

use std::fs;

use operator_api::{Action, PersonId, Role};
use serde_json::Value;
use table_controller::{
    CONTENT_VERSION, Clock, Config, Controller, Input, Outputs, PersonInput, Staff, Stamp, Started, encode_events,
    encode_input,
};
use table_daemon::table::{file_hash, rules_pack};
use table_journal::{
    Appender, DirectoryStorage, Entry, EpochIdentity, JournalKey, MonotonicTime, PersonId as JournalPerson, TableId,
    WallTime,
};
use table_rules::game::Game;
use table_rules::{Table, Tracking};

use crate::journal::settings;
use crate::tool::{Ran, holecard};

const FLOOR: Staff = Staff { id: PersonId(2041), role: Role::Floorperson };
const SEALS: &str = "A-17 A-18 B-2207 C-0093";

/// The first one fails at the housing after it was tried twice, the second one at the seals.
fn inspected() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let (journal, program) = (directory.path().join("journal"), directory.path().join("program"));
    fs::create_dir(&journal).unwrap();
    fs::write(&program, "the program of this table").unwrap();
    let config = Config::with_all_devices("BJ-07", Table::usual(Game::Blackjack), Tracking::Cards);
    let identity = EpochIdentity { software: file_hash(&program).unwrap(), rules_pack: rules_pack(b"", &config) };
    let storage = DirectoryStorage::for_writing(&journal).unwrap();
    let signing = JournalKey::create(&directory.path().join("journal.key")).unwrap();
    let table = TableId::new("BJ-07").unwrap();
    let mut appender =
        Appender::create(storage, table, signing, settings(), identity, WallTime(0), MonotonicTime(0)).unwrap();
    let mut controller = Controller::new(config);
    let clock = Clock { wall_ms: 1_778_748_240_000, monotonic_ms: 0, minute: 524, day: 20_587, trusted: true };
    let begin = || Action::BeginInspection { full: false };
    let answer = |answer: &str| Action::InspectionAnswer { answer: answer.to_owned() };
    let mut said = vec![Input::Started(Started { clock, last_record_ms: None, foreign_round: None })];
    for action in [
        begin(),
        answer(SEALS),
        answer("fail damaged"),
        answer("repeat"),
        Action::PauseInspection,
        begin(),
        answer("fail lens-dirty"),
        answer("sign"),
        begin(),
        answer("A-17 A-18 B-9999 C-0093"),
        answer("fail other-number"),
        answer("sign"),
    ] {
        said.push(Input::Person(PersonInput { by: Some(FLOOR), second: None, action, key: None }));
    }
    for (number, input) in said.iter().enumerate() {
        let mut out = Outputs::default();
        let stamp = Stamp { sequence: controller.sequence() + 1 };
        controller.apply(stamp, input, &mut out).unwrap_or_else(|refused| panic!("{input:?}: {refused:?}"));
        let (input, events) = (encode_input(input), encode_events(&out.said));
        let wall = WallTime(1_778_748_240_000_000 + i64::try_from(number).unwrap() * 1_000_000);
        let (monotonic, person) = (MonotonicTime(1), JournalPerson(2041));
        let entry = Entry { content_version: CONTENT_VERSION, wall, monotonic, person, input: &input, events: &events };
        appender.append(&entry).unwrap();
        appender.commit().unwrap();
    }
    appender.shut_down().unwrap();
    directory
}

fn inspection(directory: &tempfile::TempDir, args: &[&str]) -> Ran {
    let journal = directory.path().join("journal");
    let mut all = vec!["inspection", "--journal", journal.to_str().unwrap()];
    all.extend_from_slice(args);
    holecard(&all)
}

#[test]
fn signed_inspections_are_listed_shown_and_printed_from_the_journal_alone() {
    let directory = inspected();
    let list = inspection(&directory, &["list"]);
    assert_eq!((list.code, list.out.lines().count()), (0, 2), "{}", list.out);
    assert!(list.out.lines().all(|line| line.contains("Thu 14 May 2026") && line.contains("failed")), "{}", list.out);
    let rows: Vec<Value> = inspection(&directory, &["list", "--json"])
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((rows[0]["work_orders"][0].as_u64(), rows[1]["work_orders"][0].as_u64()), (Some(1), Some(2)));
    let number = rows[0]["record"].to_string();
    let show = inspection(&directory, &["show", &number]);
    for words in
        ["lens dirty", "housing     failed", "paused 08:44 to 08:44, then step 2", "work order 1", "1 repeated"]
    {
        assert!(show.out.contains(words), "{words}: {}", show.out);
    }
    assert!(show.out.contains(rows[0]["hash"].as_str().unwrap()));
    let last: Value = serde_json::from_str(&inspection(&directory, &["show", "--json"]).out).unwrap();
    assert_eq!(last["inspection"]["steps"][0]["note"], "other number: controller door B-9999, was B-2207");
    let page = directory.path().join("inspection.html");
    let printed = inspection(&directory, &["print", &number, "-o", page.to_str().unwrap()]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("gaming day Thu 14 May 2026") && html.contains("✕ FAILED"), "{html}");
    assert!(!html.contains(".record-sheet { display: none; }"), "the page shows nothing on a screen");
}

#[test]
fn what_no_journal_has_is_refused() {
    let directory = inspected();
    let missing = inspection(&directory, &["show", "4711"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("record 4711 signs no inspection"), "{}", missing.err);
    assert_eq!(inspection(&directory, &["print", "--pdf"]).code, 2, "a PDF goes to a file");
}
