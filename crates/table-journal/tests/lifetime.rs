//! A journal over the years: rotation, retention, epochs, checkpoints, space, and the real directory.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{
    FIRST_IDENTITY, SECOND_IDENTITY, all, check, create, entry, fill, inputs, key, open, reader, small_settings, table,
    wall,
};
use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, DirectoryStorage, EpochNumber, Fullness, JournalError, JournalKey, KeyError, MonotonicTime, NearlyFull,
    PersonId, PublicKey, RecordKind, Retention, SegmentNumber, Sequence, Settings, StartedFrom, Storage,
};

#[test]
fn segments_turn_over_by_size_and_by_age() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 30);
    let report = check(&storage).unwrap();
    assert!(report.segments_signed >= 2);
    assert_eq!(report.last_segment.0, report.segments_signed + 1);

    let storage = LyingStorage::new();
    let settings = Settings { segment_age_max_s: 3600, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    for hours in 0..4 {
        appender.append(&entry(hours * 3600 + 10, b"hourly", &[])).unwrap();
        appender.commit().unwrap();
    }
    assert_eq!(reader(&storage).segments().unwrap().1, SegmentNumber(4));
    check(&storage).unwrap();
}

#[test]
fn a_closed_segment_gives_back_what_it_did_not_use() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 30);
    let closed = storage.contents("segment-0000000001.hcj").unwrap();
    assert!(closed.len() < 2048);
    let (last, length) = table_journal::decode_record(&closed[closed.len() - 168..]).unwrap();
    assert_eq!((last.kind, length), (RecordKind::Close, 168), "it ends with its closing record");
    let newest = table_journal::segment_file_name(reader(&storage).segments().unwrap().1);
    assert_eq!(storage.contents(&newest).unwrap().len(), 2048, "the open one is preallocated");
}

#[test]
fn retention_removes_the_oldest_and_never_the_last_checkpoint() {
    let storage = LyingStorage::new();
    let retention = Retention { bytes_max: 4 * 2048, age_min_s: 0, age_max_s: None };
    let settings = Settings { retention, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    appender.checkpoint(&entry(0, &[], b"early")).unwrap();
    fill(&mut appender, 0, 20);
    // The checkpoint in segment 1 holds everything back, so the allowance is soon used up.
    let mut refused = None;
    for number in 0..60 {
        let result = appender.append(&entry(number, b"more", &[])).and_then(|_| appender.commit());
        if let Err(error) = result {
            refused = Some(error);
            break;
        }
    }
    assert!(matches!(refused, Some(JournalError::Full(_))), "{refused:?}");
    assert_eq!(appender.space().unwrap().fullness, Fullness::NearlyFull(NearlyFull::AllowanceUsed));
    assert_eq!(reader(&storage).segments().unwrap().0, SegmentNumber(1));
    check(&storage).unwrap();
    // A new checkpoint is the way out: it is taken although the allowance is used up, and frees the rest.
    appender.checkpoint(&entry(100, &[], b"late")).unwrap();
    fill(&mut appender, 100, 30);
    assert!(reader(&storage).segments().unwrap().0 > SegmentNumber(3));
    check(&storage).unwrap();

    let storage = LyingStorage::new();
    let mut appender = create(&storage, &settings).unwrap();
    for round in 0..20 {
        fill(&mut appender, round * 12, 12);
        assert!(appender.checkpoint_due());
        appender.checkpoint(&entry(i64::from(round) * 12 + 11, &[], b"now")).unwrap();
        assert!(!appender.checkpoint_due());
    }
    let (first, last) = reader(&storage).segments().unwrap();
    assert!(first > SegmentNumber(5) && last.0 - first.0 <= 4, "{first} to {last}");
    check(&storage).unwrap();
    drop(appender);
    let (_, recovery, _) = open(&storage, &settings).unwrap();
    assert_eq!(recovery.started_from, StartedFrom::HeadFile);
    // What retention removed is no gap, what someone else removes is one.
    storage.take_away(&table_journal::segment_file_name(first));
    assert!(matches!(check(&storage).unwrap_err(), JournalError::MissingSegment(number) if number == first));
}

#[test]
fn young_segments_are_kept_whatever_their_size_and_old_ones_go_by_age() {
    let storage = LyingStorage::new();
    let retention = Retention { bytes_max: 1 << 20, age_min_s: 100, age_max_s: Some(1000) };
    let settings = Settings { retention, segment_age_max_s: 50, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    for minute in 0..60 {
        appender.append(&entry(minute * 60, b"minutely", &[])).unwrap();
        appender.checkpoint(&entry(minute * 60, &[], b"state")).unwrap();
    }
    let first = all(&storage)[0].wall;
    let oldest_s = wall(59 * 60).seconds_since(first);
    assert!((1000..1200).contains(&oldest_s), "the oldest record is {oldest_s} s old");
    check(&storage).unwrap();
}

#[test]
fn epochs_are_recorded_and_survive_rotation_and_restart() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 3);
    let second = appender.begin_epoch(SECOND_IDENTITY, wall(4), MonotonicTime(4), PersonId(9)).unwrap();
    assert_eq!(second.number, EpochNumber(2));
    fill(&mut appender, 5, 2);
    appender.shut_down().unwrap();
    let (mut appender, recovery, _) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.epoch, second);
    fill(&mut appender, 7, 30);
    appender.checkpoint(&entry(50, &[], b"state")).unwrap();
    appender.shut_down().unwrap();
    let (_, recovery, seen) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.epoch, second);
    assert_eq!(seen[0].kind, RecordKind::Checkpoint);
    let records = all(&storage);
    assert_eq!(records[0].kind, RecordKind::Epoch);
    assert_eq!(records[0].input[..32], FIRST_IDENTITY.software);
    let runs: Vec<_> = records.iter().map(|record| record.run).collect();
    assert!(runs.is_sorted() && runs.last() == Some(&2), "each opening for writing is a run of its own");
    check(&storage).unwrap();
}

#[test]
fn start_up_reads_from_the_checkpoint_and_not_the_whole_age() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 300);
    appender.checkpoint(&entry(300, &[], b"state at 300")).unwrap();
    fill(&mut appender, 300, 5);
    drop(appender);
    let (_, recovery, seen) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.started_from, StartedFrom::HeadFile);
    assert!(recovery.records_read <= 8, "{recovery:?}");
    assert_eq!(seen[0].events, b"state at 300");
    assert_eq!(inputs(&seen).len(), 5);
    // The same from a search, where the head file is gone, torn or nonsense.
    for broken in [None, Some(vec![]), Some(vec![0xff; 8192]), Some(vec![0; 50])] {
        storage.take_away("head");
        if let Some(bytes) = broken {
            storage.put("head", &bytes);
        }
        let (appender, again, seen_again) = open(&storage, &small_settings()).unwrap();
        assert_eq!(again.started_from, StartedFrom::Search);
        assert_eq!((again.head, seen_again), (recovery.head, seen.clone()));
        drop(appender);
    }
    // A search leaves a head file behind for the next start.
    let (_, recovery, _) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.started_from, StartedFrom::HeadFile);
}

#[test]
fn a_head_file_of_an_older_checkpoint_only_costs_time() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 10);
    appender.checkpoint(&entry(10, &[], b"one")).unwrap();
    let old = storage.contents("head").unwrap();
    fill(&mut appender, 10, 30);
    appender.checkpoint(&entry(40, &[], b"two")).unwrap();
    drop(appender);
    storage.put("head", &old);
    let (_, recovery, seen) = open(&storage, &small_settings()).unwrap();
    let states: Vec<_> = seen.iter().filter(|record| record.kind == RecordKind::Checkpoint).collect();
    assert_eq!(states.len(), 2, "the later one replaces the earlier one");
    assert_eq!(recovery.checkpoint, Some(states[1].sequence));
}

#[test]
fn reading_by_sequence_finds_the_right_segment() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 60);
    let everything = all(&storage);
    for start in [0, 1, 2, 17, 40, 62, 65, 1000] {
        let some: Vec<_> = reader(&storage).records_from(Sequence(start)).unwrap().map(Result::unwrap).collect();
        let wanted: Vec<_> = everything.iter().filter(|record| record.sequence >= Sequence(start)).cloned().collect();
        assert_eq!(some, wanted, "from {start}");
    }
}

#[test]
fn a_full_disk_warns_first_then_refuses_and_loses_nothing() {
    let storage = LyingStorage::new();
    let settings = Settings { nearly_full_records: 1, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    // Room for the head file, this segment and one spare.
    storage.set_capacity(Some(8192 + 2 * 2048));
    while appender.prepare_spare().unwrap() {}
    assert_eq!(appender.space().unwrap().fullness, Fullness::Ample, "the spare is there");
    let mut accepted = 0;
    let mut warned_at = None;
    let refusal = loop {
        let text = format!("input {accepted}");
        match appender.append(&entry(accepted, text.as_bytes(), b"events")) {
            Ok(_) => {}
            Err(error) => break error,
        }
        appender.commit().unwrap();
        accepted += 1;
        while appender.prepare_spare().unwrap() {}
        if warned_at.is_none() && appender.space().unwrap().fullness != Fullness::Ample {
            warned_at = Some(accepted);
        }
    };
    assert!(matches!(refusal, JournalError::Full(_)), "{refusal}");
    assert!(warned_at.unwrap() + 4 < accepted, "warned at {warned_at:?}, refused at {accepted}");
    assert_eq!(appender.space().unwrap().fullness, Fullness::NearlyFull(NearlyFull::NoRoomForSpare));
    // The refusal is not the end: once there is room, it goes on.
    storage.set_capacity(None);
    appender.append(&entry(accepted, b"after making room", &[])).unwrap();
    appender.commit().unwrap();
    assert_eq!(i64::try_from(inputs(&all(&storage)).len()).unwrap(), accepted + 1);
    check(&storage).unwrap();
}

#[test]
fn the_estimate_of_free_records_is_near_the_truth() {
    let storage = LyingStorage::new();
    let settings = Settings { segment_bytes: 64 << 10, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    storage.set_capacity(Some(8192 + 2 * (64 << 10)));
    while appender.prepare_spare().unwrap() {}
    let payload = [b'x'; 300];
    for at in 0..20 {
        appender.append(&entry(at, &payload, &[])).unwrap();
    }
    let estimate = appender.free_records_estimate().unwrap();
    let mut truth = 0;
    while appender.append(&entry(50, &payload, &[])).is_ok() {
        truth += 1;
    }
    assert!(estimate.abs_diff(truth) * 10 < truth, "{estimate} estimated, {truth} fitted");
}

#[test]
fn a_failed_sync_is_final() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 3);
    storage.fail_sync_at(0);
    appender.append(&entry(4, b"lost by the disk", &[])).unwrap();
    assert!(matches!(appender.commit().unwrap_err(), JournalError::Storage { operation: "sync", .. }));
    let syncs = storage.syncs();
    // The storage would now say yes; nobody may ask it.
    assert!(matches!(appender.commit().unwrap_err(), JournalError::Stopped));
    assert!(matches!(appender.append(&entry(5, b"no", &[])).unwrap_err(), JournalError::Stopped));
    assert!(matches!(appender.prepare_spare().unwrap_err(), JournalError::Stopped));
    assert!(matches!(appender.checkpoint(&entry(5, &[], b"no")).unwrap_err(), JournalError::Stopped));
    assert!(matches!(appender.shut_down().unwrap_err(), JournalError::Stopped));
    assert_eq!(storage.syncs(), syncs, "not even once more");
    let left = storage.after_power_cut(3);
    let (_, recovery, _) = open(&left, &small_settings()).unwrap();
    assert_eq!(recovery.head.sequence, Sequence(4));
}

#[test]
fn records_that_could_not_be_read_back_are_refused_before_they_are_written() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    let large = vec![0; 2048];
    let error = appender.append(&entry(1, &large, &[])).unwrap_err();
    assert!(matches!(error, JournalError::RecordTooLarge { .. }), "{error}");
    fill(&mut appender, 0, 1);
    check(&storage).unwrap();
    assert!(matches!(create(&storage, &small_settings()).unwrap_err(), JournalError::AlreadyExists));
    assert!(matches!(open(&LyingStorage::new(), &small_settings()).unwrap_err(), JournalError::Empty));
}

#[test]
fn the_real_directory_keeps_a_journal_and_admits_one_writer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let storage = DirectoryStorage::for_writing(&path).unwrap();
    let mut appender = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 40);
    while appender.prepare_spare().unwrap() {}
    appender.checkpoint(&entry(40, &[], b"state")).unwrap();
    assert!(DirectoryStorage::for_writing(&path).is_err(), "a second writer");
    drop(storage);
    assert!(DirectoryStorage::for_writing(&path).is_err(), "the appender still writes");
    let reading = DirectoryStorage::for_reading(&path).unwrap();
    assert_eq!(inputs(&all(&reading)).len(), 40);
    assert!(reading.create("anything").is_err() && reading.remove("head").is_err());
    appender.shut_down().unwrap();
    let storage = DirectoryStorage::for_writing(&path).unwrap();
    let (_, recovery, seen) = open(&storage, &small_settings()).unwrap();
    assert_eq!(recovery.started_from, StartedFrom::HeadFile);
    let kinds: Vec<_> = seen.iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [RecordKind::Checkpoint, RecordKind::Signature]);
    assert!(storage.free_bytes().unwrap().unwrap() > 0);
    check(&storage).unwrap();
}

#[test]
fn the_key_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.key");
    let made = JournalKey::create(&path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(matches!(JournalKey::create(&path).unwrap_err(), KeyError::File { .. }), "a key is never overwritten");
    let loaded = JournalKey::load(&path).unwrap();
    assert_eq!(loaded.public(), made.public());
    let secret = std::fs::read_to_string(&path).unwrap();
    assert!(!format!("{loaded:?}").contains(secret.trim_end().rsplit(' ').next().unwrap()));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o604)).unwrap();
    assert!(matches!(JournalKey::load(&path).unwrap_err(), KeyError::OpenToOthers(0o604)));
    let public = directory.path().join("journal.pub");
    made.public().export(&public).unwrap();
    assert_eq!(PublicKey::from_text(&std::fs::read_to_string(&public).unwrap()).unwrap(), made.public());
    assert!(PublicKey::from_text(&secret).is_err(), "the secret half is not a public key");
}

#[test]
fn a_signed_head_vouches_for_its_table_and_record() {
    let storage = LyingStorage::new();
    let mut appender: Appender<_> = create(&storage, &small_settings()).unwrap();
    fill(&mut appender, 0, 3);
    let signed = appender.sign_head();
    assert_eq!(signed.head.sequence, Sequence(4));
    assert!(key().public().verifies_head(&table(), &signed));
    let mut moved = signed;
    moved.head.sequence = Sequence(5);
    assert!(!key().public().verifies_head(&table(), &moved));
    assert!(!key().public().verifies_head(&table_journal::TableId::new("BJ-08").unwrap(), &signed));
}
