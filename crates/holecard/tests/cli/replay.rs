//! `holecard journal verify --replay` on a record that is right, and on records that somebody with the key wrote anew: their
//! bytes, hashes and signatures are in order, and what they say is not what the table did.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use table_journal::{
    Appender, DirectoryStorage, Entry, EpochIdentity, JournalKey, JournalReader, Record, RecordKind, TableId,
};

use crate::journal::{Kept, journal, played, settings};
use crate::tool::Ran;

fn replay(kept: &Kept, more: &[&str]) -> Ran {
    let at = |name: &str| kept.directory.path().join(name).display().to_string();
    let (config, program) = (at("table.toml"), kept.program.display().to_string());
    let mut args = vec!["verify", "--replay", "--config", &config, "--program", &program];
    args.extend_from_slice(more);
    journal(kept, &args)
}

/// The same journal written once more, with its chain and signatures, as `change` wants it.
fn rewritten(mut kept: Kept, mut change: impl FnMut(&mut Record)) -> Kept {
    let read = JournalReader::new(DirectoryStorage::for_reading(&kept.journal).unwrap(), None, None);
    let forged: PathBuf = kept.directory.path().join("forged");
    fs::create_dir(&forged).unwrap();
    let mut appender: Option<Appender<DirectoryStorage>> = None;
    for record in read.records().unwrap() {
        let mut record = record.unwrap();
        change(&mut record);
        let (wall, monotonic, person) = (record.wall, record.monotonic, record.person);
        let content_version = record.content_version;
        let entry = Entry { content_version, wall, monotonic, person, input: &record.input, events: &record.events };
        match (record.kind, &mut appender) {
            (RecordKind::Epoch, None) => {
                let identity = EpochIdentity::from_bytes(&record.input).unwrap();
                let storage = DirectoryStorage::for_writing(&forged).unwrap();
                let (table, key) = (TableId::new("PE-3").unwrap(), JournalKey::load(&kept.key).unwrap());
                let made = Appender::create(storage, table, key, settings(), identity, wall, monotonic);
                appender = Some(made.unwrap());
            }
            (RecordKind::Epoch, Some(_)) => panic!("the small table has one epoch"),
            (RecordKind::Input, Some(appender)) => {
                appender.append(&entry).unwrap();
                appender.commit().unwrap();
            }
            (RecordKind::Checkpoint, Some(appender)) => {
                appender.checkpoint(&Entry { input: &[], ..entry }).map(drop).unwrap();
            }
            // The one behind a checkpoint has come with it: nothing is signed twice.
            (RecordKind::Signature, Some(appender)) => {
                appender.sign(wall, monotonic).unwrap();
            }
            (RecordKind::Close, _) => {}
            (RecordKind::Input | RecordKind::Checkpoint | RecordKind::Signature, None) => {
                panic!("a journal begins with its epoch")
            }
        }
    }
    appender.unwrap().shut_down().unwrap();
    kept.journal = forged;
    assert_eq!(journal(&kept, &["verify"]).code, 0, "chain and signatures are in order");
    kept
}

/// One more dollar, cent or thousand in the first payment; the number of its record.
fn with_another_payment(kept: Kept) -> (Kept, u64) {
    const FIELD: &[u8] = b"\"pays_cents\":";
    let mut changed = None;
    let kept = rewritten(kept, |record| {
        let mut fields = (0..record.events.len()).filter(|at| record.events[..*at].ends_with(FIELD));
        let paid = fields.find(|at| changed.is_none() && (b'1'..b'9').contains(&record.events[*at]));
        if let Some(at) = paid {
            record.events[at] += 1;
            changed = Some(record.sequence.0);
        }
    });
    (kept, changed.expect("a payment is in the journal"))
}

fn differs(said: &Ran) -> Value {
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let line = said.objects().into_iter().find(|object| object.get("differs").is_some());
    line.unwrap_or_else(|| panic!("{}{}", said.out, said.err))["differs"].clone()
}

#[test]
fn a_right_record_replays_to_the_same_bytes() {
    let kept = played();
    let said = replay(&kept, &["--json"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let objects = said.objects();
    let replayed = &objects.last().unwrap()["replayed"];
    let records = journal(&kept, &["show", "--json"]).objects();
    let of_kind = |kind: &str| records.iter().filter(|record| record["kind"] == kind).count() as u64;
    assert_eq!(replayed["inputs"].as_u64(), Some(of_kind("input")));
    assert_eq!(replayed["epochs"][0]["checkpoints"].as_u64(), Some(of_kind("checkpoint")));
    assert!(of_kind("checkpoint") > 1);
    assert!(replay(&kept, &[]).out.contains("lead to what was recorded"));
    // A journal that was copied once more as it is says the same.
    assert_eq!(replay(&rewritten(kept, |_| ()), &[]).code, 0);
}

#[test]
fn a_payment_that_was_changed_and_chained_again_is_found_with_both_sides() {
    let (kept, sequence) = with_another_payment(played());
    let differs = differs(&replay(&kept, &["--json"]));
    assert_eq!(differs["sequence"].as_u64(), Some(sequence));
    assert_eq!(differs["event"]["at"], "settled.pays_cents");
    let cents = |side: &str| differs["event"][side]["settled"]["pays_cents"].as_i64().unwrap();
    let (stored, replayed) = (cents("stored"), cents("replayed"));
    assert!(stored > replayed && replayed > 0);
    let file = kept.journal.join(differs["file"].as_str().unwrap());
    let bytes = fs::read(file).unwrap();
    let at = |name: &str| usize::try_from(differs[name].as_u64().unwrap()).unwrap();
    assert_eq!(bytes[at("record_offset")..][..4], *b"HCR1");
    assert!(bytes[at("first_other_byte")..].starts_with(stored.to_string().as_bytes()));
    let words = replay(&kept, &[]).out;
    let pays = |cents: i64| format!("pays ${}.{:02}", cents / 100, cents % 100);
    for part in [format!("record {sequence},"), pays(stored), pays(replayed)] {
        assert!(words.contains(&part), "{part}: {words}");
    }
}

#[test]
fn an_event_that_was_left_out_is_found() {
    let mut left_out = None;
    let kept = rewritten(played(), |record| {
        let events: Value = serde_json::from_slice(&record.events).unwrap_or(Value::Null);
        if left_out.is_none() && events.as_array().is_some_and(|events| events.len() > 1) {
            let events = events.as_array().unwrap();
            record.events = serde_json::to_vec(&events[..events.len() - 1]).unwrap();
            left_out = Some(record.sequence.0);
        }
    });
    let differs = differs(&replay(&kept, &["--json"]));
    assert_eq!(differs["sequence"].as_u64(), left_out);
}

#[test]
fn another_person_in_a_record_is_found() {
    let kept = rewritten(played(), |record| {
        if record.person.0 == 300 {
            record.person.0 = 200;
        }
    });
    let differs = differs(&replay(&kept, &["--json"]));
    assert!(differs["reason"].as_str().unwrap().contains("person 200, the replay 300"), "{differs}");
}

#[test]
fn a_card_that_was_changed_is_found_at_the_latest_where_it_mattered() {
    let kept = rewritten(played(), |record| {
        if record.kind == RecordKind::Input {
            let text = String::from_utf8_lossy(&record.input).into_owned();
            record.input = text.replace("card 9c", "card 8c").into_bytes();
        }
    });
    assert!(differs(&replay(&kept, &["--json"]))["sequence"].as_u64().unwrap() > 1);
}

#[test]
fn a_checkpoint_that_says_something_else_is_found_with_the_field() {
    let mut changed = None;
    let kept = rewritten(played(), |record| {
        let text = String::from_utf8_lossy(&record.events).into_owned();
        if changed.is_none() && record.kind == RecordKind::Checkpoint && text.contains("\"signed_in\":100") {
            record.events = text.replace("\"signed_in\":100", "\"signed_in\":101").into_bytes();
            changed = Some(record.sequence.0);
        }
    });
    let differs = differs(&replay(&kept, &["--json"]));
    assert_eq!(differs["sequence"].as_u64(), changed);
    assert!(differs["reason"].as_str().unwrap().contains("state.signed_in"), "{differs}");
}

#[test]
fn other_rules_options_or_programs_replay_nothing_and_say_so() {
    let kept = played();
    let other = crate::tool::root().join("firmware-config/submissions/spanish-21.toml");
    let said = replay(&kept, &["--rules", other.to_str().unwrap()]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("another epoch: not replayed; it was played by other rules"), "{}", said.out);
    let said = replay(&kept, &["--program", other.to_str().unwrap()]);
    assert!(said.code != 0, "a program is named once: {}", said.out);
    fs::write(&kept.program, "another one").unwrap();
    let said = replay(&kept, &[]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("another program ran the table"), "{}", said.out);
    let kept = played();
    let config = kept.directory.path().join("table.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text + "chip_count = true\n").unwrap();
    let said = replay(&kept, &["--json"]);
    assert_eq!(said.code, 1);
    assert_eq!(said.objects().last().unwrap()["replayed"]["epochs"][0]["why_skipped"], "other-rules");
}

#[test]
fn options_of_the_replay_make_no_sense_without_it() {
    let kept = played();
    assert_eq!(journal(&kept, &["verify", "--rules", "x.toml"]).code, 2);
    let missing = journal(&kept, &["verify", "--replay", "--config", "/nowhere/table.toml"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("/nowhere/table.toml"), "{}", missing.err);
}
