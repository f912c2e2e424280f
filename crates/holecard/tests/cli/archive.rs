//! `holecard journal archive`: a copy that only grows, notices a board that lost records, and is read without this tool.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use table_journal::{
    Appender, DirectoryStorage, Entry, EpochIdentity, JournalKey, MonotonicTime, PersonId, Retention, SegmentNumber,
    Settings, TableId, WallTime, segment_file_name,
};

use crate::journal::{journal, played, settings};
use crate::tool::{Ran, holecard};

const IDENTITY: EpochIdentity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };

/// A board whose journal keeps two segments or so.
struct Board {
    folder: tempfile::TempDir,
    wall: i64,
}

impl Board {
    fn new() -> Self {
        let board = Self { folder: tempfile::tempdir().unwrap(), wall: 1_772_452_800_000_000 };
        let key = JournalKey::create(&board.folder.path().join("key")).unwrap();
        let storage = DirectoryStorage::for_writing(&board.journal()).unwrap();
        let (table, wall) = (TableId::new("BJ-7").unwrap(), WallTime(board.wall));
        let journal = Appender::create(storage, table, key, Self::keeping(), IDENTITY, wall, MonotonicTime(0)).unwrap();
        journal.shut_down().unwrap();
        board
    }

    fn keeping() -> Settings {
        Settings { retention: Retention { bytes_max: 200 * 1024, age_min_s: 0, age_max_s: None }, ..settings() }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    /// So many more records, of about a kilobyte each.
    fn play(&mut self, records: u32) {
        let key = JournalKey::load(&self.folder.path().join("key")).unwrap();
        let storage = DirectoryStorage::for_writing(&self.journal()).unwrap();
        let table = TableId::new("BJ-7").unwrap();
        let (mut journal, _recovery) = Appender::open(storage, table, key, Self::keeping(), &mut |_| {}).unwrap();
        for number in 0..records {
            self.wall += 1_000_000;
            let input = format!("{{\"number\":{number},\"padding\":\"{}\"}}", "x".repeat(1_000));
            let entry = Entry {
                content_version: 1,
                wall: WallTime(self.wall),
                monotonic: MonotonicTime(u64::from(number)),
                person: PersonId(100),
                input: input.as_bytes(),
                events: b"[]",
            };
            journal.append(&entry).unwrap();
            journal.commit().unwrap();
            if journal.checkpoint_due() {
                journal.checkpoint(&Entry { input: &[], events: b"{}", ..entry }).unwrap();
            }
        }
        journal.shut_down().unwrap();
    }

    fn archive(&self, to: &Path) -> Ran {
        let journal = self.journal();
        holecard(&["journal", "--json", "--journal", journal.to_str().unwrap(), "archive", to.to_str().unwrap()])
    }
}

fn about(archive: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(archive.join("archive.json")).unwrap()).unwrap()
}

/// Every sequence number in the readable files, in the order of their names.
fn sequences(archive: &Path) -> Vec<u64> {
    let mut files: Vec<_> =
        fs::read_dir(archive.join("readable")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    texts
        .flat_map(|path| fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| serde_json::from_str::<Value>(&line).unwrap()["sequence"].as_u64().unwrap())
        .collect()
}

#[test]
fn the_archive_keeps_what_the_board_lets_go_without_a_gap_and_verifies_as_a_whole() {
    let mut board = Board::new();
    let to = board.folder.path().join("archive");
    for records in [30, 90, 0, 1, 120] {
        board.play(records);
        let ran = board.archive(&to);
        assert_eq!(ran.code, 0, "{}", ran.all());
    }
    let first = segment_file_name(SegmentNumber::FIRST);
    assert!(!board.journal().join(&first).exists() && to.join(&first).exists(), "the board lets the first segment go");
    let last = about(&to)["last_record"].as_u64().unwrap();
    assert_eq!(sequences(&to), (1..=last).collect::<Vec<_>>(), "every record is there once, in order");
    let verified = holecard(&["journal", "--json", "--journal", to.to_str().unwrap(), "verify"]);
    assert_eq!(verified.each("verified")[0]["records"].as_u64(), Some(last), "{}", verified.all());
    assert_eq!(verified.each("verified")[0]["head_hash"], about(&to)["last_hash"]);
    assert!(fs::read_dir(&to).unwrap().all(|entry| !entry.unwrap().path().to_string_lossy().ends_with(".part")));
}

#[test]
fn a_board_that_lost_records_or_has_another_history_is_refused_and_the_archive_stays() {
    let mut board = Board::new();
    let to = board.folder.path().join("archive");
    board.play(20);
    let earlier = board.folder.path().join("earlier");
    fs::create_dir(&earlier).unwrap();
    for entry in fs::read_dir(board.journal()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), earlier.join(entry.file_name())).unwrap();
    }
    board.play(5);
    assert_eq!(board.archive(&to).code, 0);
    let before = about(&to);
    // An older storage card is put back.
    fs::remove_dir_all(board.journal()).unwrap();
    fs::rename(&earlier, board.journal()).unwrap();
    let ran = board.archive(&to);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("an older storage card was put back") && ran.err.contains("nothing was written"),
        "{}",
        ran.err
    );
    // And then it plays on as if nothing were.
    board.wall += 1;
    board.play(9);
    let ran = board.archive(&to);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("another history of the same table"), "{}", ran.err);
    assert_eq!(about(&to), before);
    let verified = holecard(&["journal", "--journal", to.to_str().unwrap(), "verify"]);
    assert_eq!(verified.code, 0, "{}", verified.all());
}

#[test]
fn another_tables_archive_and_one_that_was_left_too_long_are_refused() {
    let (mut board, mut other) = (Board::new(), Board::new());
    let to = board.folder.path().join("archive");
    board.play(3);
    other.play(9);
    assert_eq!(board.archive(&to).code, 0);
    let ran = other.archive(&to);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is the archive of table BJ-7, signed with"), "{}", ran.err);
    board.play(400);
    let ran = board.archive(&to);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("begin a new archive in another directory"), "{}", ran.err);
}

#[test]
fn a_damaged_board_or_archive_is_named_and_not_copied_over() {
    let mut board = Board::new();
    let to = board.folder.path().join("archive");
    board.play(90);
    assert_eq!(board.archive(&to).code, 0);
    let name = segment_file_name(SegmentNumber::FIRST);
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        bytes[9_000] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    flip(&to.join(&name));
    board.play(1);
    let before = about(&to);
    let ran = board.archive(&to);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(&name), "the archive's damage is found when it is read back: {}", ran.err);
    assert_eq!(about(&to), before, "and its page does not promise more");
    flip(&to.join(&name));
    assert_eq!(board.archive(&to).code, 0, "mended, it goes on");
}

#[test]
fn the_table_s_file_and_every_submission_that_was_in_force_stay_with_the_records() {
    let kept = played();
    let (config, to) = (kept.directory.path().join("table.toml"), kept.directory.path().join("archive"));
    let args = ["archive", to.to_str().unwrap(), "--config", config.to_str().unwrap()];
    let first = journal(&kept, &args);
    assert_eq!(first.code, 0, "{}", first.all());
    assert!(first.out.contains("archived:") && first.out.contains("kept with it: rules/rules-"), "{}", first.out);
    let rules = kept.directory.path().join("rules.toml");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("{text}\n# A later submission.\n")).unwrap();
    assert_eq!(journal(&kept, &args).code, 0);
    let mut texts: Vec<_> = fs::read_dir(to.join("rules"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("rules-"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    texts.sort_by_key(String::len);
    assert_eq!(texts, [text.clone(), format!("{text}\n# A later submission.\n")]);
}
