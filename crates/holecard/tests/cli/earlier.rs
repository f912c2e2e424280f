//! A journal that an earlier version wrote is opened, shown and verified: `earlier/` holds one as bytes. Its two rounds are
//! those of `journal.rs`. It is never written anew: a version that cannot read it has to learn to.

use std::fs;

use serde_json::Value;
use table_controller::{Carried, read_input};
use table_journal::{DirectoryStorage, JournalReader, Record, RecordKind};

use crate::journal::played;
use crate::tool::{Ran, holecard, root};

/// The journal in a directory of its own: whoever opens one may make files beside it.
fn earlier() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let kept = root().join("crates/holecard/tests/cli/earlier");
    for name in ["head", "segment-0000000001.hcj"] {
        fs::copy(kept.join(name), directory.path().join(name)).unwrap();
    }
    directory
}

fn journal(at: &tempfile::TempDir, args: &[&str]) -> Ran {
    let mut all = vec!["journal", "--journal", at.path().to_str().unwrap()];
    all.extend_from_slice(args);
    holecard(&all)
}

#[test]
fn an_earlier_journal_verifies_and_is_shown() {
    let kept = earlier();
    let verified = journal(&kept, &["verify"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("good:"), "{}", verified.out);
    let records = journal(&kept, &["show", "--json"]).objects();
    let inputs: Vec<&Value> = records.iter().filter(|record| record["kind"] == "input").collect();
    assert_eq!(inputs.len(), 34);
    assert!(inputs.iter().all(|record| record["events"].is_array() && record["input"].is_object()));
    let told = journal(&kept, &["round", "2"]);
    for part in ["seat 2 wagers main $25", "hole card 7h", "seat 2 hand 1, Monster Match: won"] {
        assert!(told.out.contains(part), "{part}: {}", told.out);
    }
}

/// Every record with its input and events goes out as it was written.
#[test]
fn an_earlier_journal_is_exported_whole() {
    let kept = earlier();
    let to = kept.path().join("export");
    let exported = journal(&kept, &["export", to.to_str().unwrap()]);
    assert_eq!(exported.code, 0, "{}{}", exported.out, exported.err);
    let shown = journal(&kept, &["show", "--json"]).out;
    let written = fs::read_to_string(to.join("journal.jsonl")).unwrap();
    assert_eq!(shown, written);
    assert!(written.contains("\"wager\":\"monster-match\"") && written.contains("hole card 7h"), "as it was written");
}

/// It was played by other readings and another program: nothing of it is recomputed, and that is said.
#[test]
fn an_earlier_journal_is_another_epoch_to_a_replay() {
    let (kept, table) = (earlier(), played());
    let config = table.directory.path().join("table.toml").display().to_string();
    let program = table.program.display().to_string();
    for more in [&["--program", &program][..], &[]] {
        let mut args = vec!["verify", "--replay", "--config", &config];
        args.extend_from_slice(more);
        let replayed = journal(&kept, &args);
        assert_eq!(replayed.code, 1, "{}{}", replayed.out, replayed.err);
        assert!(replayed.out.contains("good:"), "its bytes are in order: {}", replayed.out);
        assert!(replayed.out.contains("another epoch: not replayed"), "{}", replayed.out);
        assert!(!replayed.out.contains("differs"), "{}", replayed.out);
    }
}

#[test]
fn a_table_goes_on_from_an_earlier_journal() {
    let kept = earlier();
    let reader = JournalReader::new(DirectoryStorage::for_reading(kept.path()).unwrap(), None, None);
    let records: Vec<Record> = reader.records().unwrap().map(Result::unwrap).collect();
    let inputs = records.iter().filter(|record| record.kind == RecordKind::Input);
    assert!(inputs.clone().all(|record| read_input(&record.input).is_ok()), "every input is still understood");
    let at = records.iter().rposition(|record| record.kind == RecordKind::Checkpoint).unwrap();
    let mut carried = Carried::from_checkpoint(&records[at].events, records[at].sequence.0).unwrap();
    for record in records[at..].iter().filter(|record| record.kind == RecordKind::Input) {
        carried.follow(record.sequence.0, &record.events).unwrap();
    }
    assert_eq!((carried.round, carried.open_round), (2, None));
}
