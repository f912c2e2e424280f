//! What a thief with the disk can do to the journal alone: every way is noticed at the next start, the table stays closed
//! and says what is missing, and only two people go on.

use std::fs;
use std::path::Path;

use operator_api::Action;
use serde_json::Value;
use table_rules::game::Game;
use table_simulator::floor::client::{Client, Door};
use table_simulator::floor::daemon::Daemon;
use table_simulator::floor::people::Who;
use table_simulator::floor::site::{Site, SiteOptions};
use table_simulator::floor::world::World;
use tempfile::TempDir;

use crate::night::{half_a_day_away, hire, journal, request};
use crate::process::program;

struct House {
    _folder: TempDir,
    site: Site,
    _world: World,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SiteOptions {
            table_id: "ROLL-1",
            port: 0,
            sensors: false,
            log_level: "info",
            shuffler: Some("batch"),
            day_starts: &half_a_day_away(),
        };
        let site = Site::write(folder.path(), Game::Blackjack, options).unwrap();
        hire(&site);
        let rules = table_simulator::floor::site::rules_of(Game::Blackjack);
        let table = table_rules::submission::RulesSubmission::parse(rules).check().table.unwrap();
        let world = World::new(&table, 1, &site.ports, 7, 300).unwrap();
        Self { _folder: folder, site, _world: world }
    }

    /// Runs once and stops in order: everything is signed and its witness kept.
    fn run_and_stop(&self) {
        let daemon = Daemon::start(program(), &self.site.config).unwrap();
        assert_eq!(self.doubts(), Vec::<String>::new());
        assert!(daemon.stop().unwrap().success());
    }

    fn client(&self) -> Client {
        Client::new(Door::Unix(self.site.socket.clone()))
    }

    /// What stands against a round because of the journal.
    fn doubts(&self) -> Vec<String> {
        // Answered when everything before it is durable, and so shown.
        self.client().get("/api/v1/alerts").unwrap();
        let screen = self.client().get("/api/v1/screen").unwrap().json();
        let stops = screen["stops"].as_array().unwrap_or_else(|| panic!("{screen}"));
        let ours = stops.iter().filter(|stop| stop["source"] == "TC-040");
        ours.map(|stop| stop["reason"].as_str().unwrap().to_owned()).collect()
    }

    fn accept(&self, key: &str, who: Who) -> Value {
        let action = Action::AcceptJournal { reason: "the card was exchanged for a copy".to_owned() };
        self.client().act(&request(key, who, &action, None)).unwrap().json()
    }
}

fn segments(journal: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(journal).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "hcj"));
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Does this to a journal that has run twice, with a copy of how it was in between.
fn after(wrong: impl Fn(&Site, &Path), expected: &str) {
    let house = House::new();
    house.run_and_stop();
    let earlier = house.site.journal.with_file_name("earlier");
    copy(&house.site.journal, &earlier);
    house.run_and_stop();
    house.run_and_stop();
    wrong(&house.site, &earlier);
    let daemon = Daemon::start(program(), &house.site.config).unwrap();
    let doubts = house.doubts();
    assert!(doubts.len() == 1 && doubts[0].contains(expected), "{expected}: {doubts:?}");
    assert!(doubts[0].contains("a manager and a second person accept"), "{doubts:?}");
    // Nobody goes on alone, and a restart confirms nothing.
    assert_eq!(house.accept("a-1", Who::Floorperson)["error"], "needs-person");
    daemon.kill().unwrap();
    let daemon = Daemon::start(program(), &house.site.config).unwrap();
    assert!(house.doubts()[0].contains(expected), "after a restart: {:?}", house.doubts());
    let accepted = house.accept("a-2", Who::FloorAndManager);
    assert!(accepted["accepted"].is_object(), "{accepted}");
    assert_eq!(house.doubts(), Vec::<String>::new());
    assert!(daemon.stop().unwrap().success());
    house.run_and_stop();
    let said = journal(&house.site.journal, &["show"]);
    assert!(said.iter().any(|record| record.to_string().contains("journal-accepted")), "it is on record");
}

#[test]
fn a_journal_put_back_from_an_earlier_copy_keeps_the_table_closed() {
    after(
        |site, earlier| {
            fs::remove_dir_all(&site.journal).unwrap();
            copy(earlier, &site.journal);
        },
        "newer records were removed",
    );
}

#[test]
fn a_journal_that_is_gone_keeps_the_table_closed() {
    after(
        |site, _| {
            for file in segments(&site.journal) {
                fs::remove_file(file).unwrap();
            }
            fs::remove_file(site.journal.join("head")).unwrap();
        },
        "There is no journal, but its witness knows record",
    );
}

#[test]
fn a_journal_without_its_head_or_its_witness_keeps_the_table_closed() {
    after(|site, _| fs::remove_file(site.journal.join("head")).unwrap(), "head file is missing");
    after(|site, _| fs::remove_file(site.state.join("journal-witness")).unwrap(), "there is no witness");
    after(
        |site, _| {
            fs::remove_dir_all(&site.journal).unwrap();
            fs::create_dir(&site.journal).unwrap();
            fs::remove_file(site.state.join("journal-witness")).unwrap();
        },
        "but the table has staff",
    );
}

/// Out of memory, a watchdog, an abort: nobody is left to say what happened.
#[test]
fn a_daemon_that_is_killed_soon_after_each_start_comes_up_closed_too() {
    let house = House::new();
    for _ in 0..4 {
        Daemon::start(program(), &house.site.config).unwrap().crash().unwrap();
    }
    let daemon = Daemon::start(program(), &house.site.config).unwrap();
    let screen = house.client().get("/api/v1/screen").unwrap().json();
    assert_eq!(screen["prompt"]["clause"], "TC-042", "{screen}");
    let reason = screen["stops"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("after 4 failures") && reason.contains("without a word"), "{reason}");
    assert!(daemon.stop().unwrap().success());
    house.run_and_stop();
}

#[test]
fn the_fifth_start_in_a_row_comes_up_closed_and_says_what_failed() {
    let house = House::new();
    house.run_and_stop();
    house.run_and_stop();
    // A flipped bit in the head of its segment: the journal cannot be opened at all.
    let segment = segments(&house.site.journal).pop().unwrap();
    let whole = fs::read(&segment).unwrap();
    let mut damaged = whole.clone();
    damaged[40] ^= 0x10;
    fs::write(&segment, &damaged).unwrap();
    for number in 1..=4 {
        let failed = Daemon::start(program(), &house.site.config);
        assert!(failed.is_err(), "start {number}");
    }
    let daemon = Daemon::start(program(), &house.site.config).unwrap();
    let screen = house.client().get("/api/v1/screen").unwrap().json();
    assert_eq!(screen["mode"], "faulted");
    assert_eq!(screen["prompt"]["clause"], "TC-042");
    let reason = screen["stops"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("after 4 failures") && reason.contains("the same each time"), "{reason}");
    assert!(reason.contains("journal"), "{reason}");
    // People can show who they are, and nothing is done.
    let answer = house.client().act(&request("c-1", Who::Floorperson, &Action::AcknowledgeAll, None)).unwrap().json();
    assert_eq!((answer["error"].as_str(), answer["clause"].as_str()), (Some("refused"), Some("TC-042")));
    assert_eq!(fs::read(&segment).unwrap(), damaged, "nothing was written");
    assert!(daemon.stop().unwrap().success());
    // Mended: the next start is an ordinary one.
    fs::write(&segment, &whole).unwrap();
    house.run_and_stop();
}
