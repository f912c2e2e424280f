//! Storage that lies, cut everywhere: no acknowledged record is lost, none is invented, the chain holds, and the journal
//! goes on.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{SECOND_IDENTITY, all, check, create, entry, inputs, open, small_settings, wall};
use table_journal::lying::{LyingStorage, SplitMix};
use table_journal::{
    Appender, JournalError, MonotonicTime, PersonId, Record, RecordKind, Retention, Sequence, Settings, StartedFrom,
};

/// What the test knows about a journal: everything it asked for, and how much of that was acknowledged.
#[derive(Clone, Default)]
struct Known {
    submitted: Vec<Vec<u8>>,
    acknowledged: usize,
    checkpoints: usize,
}

/// A table's life in small: batches of one to four records, checkpoints, spare work, until the power goes or it ends.
fn live(appender: &mut Appender<LyingStorage>, known: &mut Known, seed: u64, steps: u32) -> Result<(), JournalError> {
    let mut random = SplitMix(seed);
    for step in 0..steps {
        for _ in 0..=random.below(3) {
            let mut input = format!("{seed}/{}:", known.submitted.len()).into_bytes();
            input.resize(input.len() + random.below_len(200), b'.');
            known.submitted.push(input.clone());
            appender.append(&entry(i64::from(step), &input, b"what it caused"))?;
        }
        appender.commit()?;
        known.acknowledged = known.submitted.len();
        if random.below(5) == 0 {
            let state = format!("state after {}", known.submitted.len());
            appender.checkpoint(&entry(i64::from(step), &[], state.as_bytes()))?;
            known.checkpoints += 1;
        }
        while random.below(2) == 0 && appender.prepare_spare()? {}
    }
    Ok(())
}

/// Opens what a cut left and checks the promises. Gives back the storage, ready to go on.
fn check_promises(storage: &LyingStorage, known: &mut Known, context: &str) {
    let settings = small_settings();
    let (mut appender, recovery, from_checkpoint) = match open(storage, &settings) {
        Ok(opened) => opened,
        // Cut before the journal had come into being: nothing was promised yet.
        Err(JournalError::Empty) if known.acknowledged == 0 => {
            known.submitted.clear();
            create(storage, &settings).unwrap();
            open(storage, &settings).unwrap()
        }
        Err(error) => panic!("{context}: {error}"),
    };
    // Of the head file's two slots one is always whole, so a cut never costs the long way in.
    if known.checkpoints > 0 {
        assert_eq!(recovery.started_from, StartedFrom::HeadFile, "{context}");
    }
    let records = all(storage);
    let found = inputs(&records);
    assert!(found.len() >= known.acknowledged, "{context}: {} of {} left", found.len(), known.acknowledged);
    assert_eq!(found, known.submitted[..found.len()], "{context}: invented or out of order");
    assert_eq!(recovery.head.sequence, records.last().unwrap().sequence, "{context}");
    assert_eq!(
        from_checkpoint,
        believed(&records, &from_checkpoint),
        "{context}: start-up saw something else than a full read"
    );
    if let Some(checkpoint) = from_checkpoint.iter().rfind(|record| record.kind == RecordKind::Checkpoint) {
        let before = inputs(&records[..usize::try_from(checkpoint.sequence.0 - records[0].sequence.0).unwrap()]).len();
        assert_eq!(checkpoint.events, format!("state after {before}").into_bytes(), "{context}");
    }
    known.submitted.truncate(found.len());
    known.acknowledged = found.len();
    // The journal goes on from where it stands.
    live(&mut appender, known, 99, 3).unwrap();
    appender.shut_down().unwrap();
    assert_eq!(inputs(&all(storage)), known.submitted, "{context}: afterwards");
    let report = check(storage).unwrap();
    assert_eq!(report.torn_bytes, 0, "{context}: the tail was left behind");
}

/// What a start should have delivered: everything from its first record on, without checkpoints that a cut left without
/// their signature.
fn believed(records: &[Record], delivered: &[Record]) -> Vec<Record> {
    let first = delivered.first().unwrap().sequence;
    let tail: Vec<_> = records.iter().filter(|record| record.sequence >= first).cloned().collect();
    let signed =
        |at: usize| tail.get(at + 1).is_some_and(|next| matches!(next.kind, RecordKind::Signature | RecordKind::Close));
    let kept = |at: usize| tail[at].kind != RecordKind::Checkpoint || signed(at);
    (0..tail.len()).filter(|at| kept(*at)).map(|at| tail[at].clone()).collect()
}

/// Runs a whole life with the power cut at one operation and gives back what is known and the disk before the cut's whim.
fn cut_life(script: u64, operation: u64, bytes: usize, steps: u32) -> (LyingStorage, Known, bool) {
    let storage = LyingStorage::new();
    storage.cut_power_at(operation, bytes);
    let mut known = Known::default();
    let outcome =
        create(&storage, &small_settings()).and_then(|mut appender| live(&mut appender, &mut known, script, steps));
    assert!(outcome.as_ref().is_ok() || outcome.as_ref().is_err_and(only_the_power), "{outcome:?}");
    (storage, known, outcome.is_err())
}

/// A life that ends for another reason than the cut would be tried for ever.
fn only_the_power(error: &JournalError) -> bool {
    matches!(error, JournalError::Storage { .. })
}

#[test]
fn a_cut_at_every_write_boundary_loses_nothing_acknowledged() {
    let mut cuts = 0;
    for script in 0..2 {
        for operation in 0.. {
            let (storage, known, was_cut) = cut_life(script, operation, 0, 25);
            if !was_cut {
                assert!(operation > 60, "the script is too short to say anything: {operation} operations");
                break;
            }
            for seed in 0..8 {
                let left = storage.after_power_cut(seed);
                check_promises(
                    &left,
                    &mut known.clone(),
                    &format!("script {script} operation {operation} seed {seed}"),
                );
                cuts += 1;
            }
        }
    }
    assert!(cuts > 2000, "only {cuts} cuts were tried");
}

#[test]
fn a_cut_inside_every_write_loses_nothing_acknowledged() {
    let mut random = SplitMix(5);
    for operation in 0.. {
        let (_, _, was_cut) = cut_life(11, operation, 0, 12);
        if !was_cut {
            break;
        }
        for seed in 0..8 {
            let bytes = random.below_len(700);
            let (storage, known, _) = cut_life(11, operation, bytes, 12);
            let left = storage.after_power_cut(1000 + seed);
            check_promises(&left, &mut known.clone(), &format!("operation {operation} byte {bytes} seed {seed}"));
        }
    }
}

#[test]
fn cuts_upon_cuts_even_during_recovery_lose_nothing_acknowledged() {
    let mut random = SplitMix(23);
    let mut reopened = 0;
    for round in 0..300 {
        let (storage, mut known, was_cut) = cut_life(2, 20 + random.below(60), random.below_len(300), 25);
        assert!(was_cut);
        let mut left = storage.after_power_cut(random.next_u64());
        for _ in 0..4 {
            let readable = left.after_process_death();
            left.cut_power_at(random.below(30), random.below_len(300));
            if let Ok((mut appender, recovery, _)) = open(&left, &small_settings()) {
                reopened += 1;
                let found = inputs(&all(&readable));
                assert!(found.len() >= known.acknowledged && known.submitted.starts_with(&found), "round {round}");
                let kept = all(&readable).last().unwrap().sequence;
                assert!(recovery.head.sequence >= kept, "round {round}: recovery cut a whole record");
                known.acknowledged = found.len();
                known.submitted = found;
                let _ = live(&mut appender, &mut known, round, 3);
            }
            left = left.after_power_cut(random.next_u64());
        }
        check_promises(&left, &mut known, &format!("round {round}"));
    }
    assert!(reopened > 300, "most recoveries were cut: {reopened} were not");
}

#[test]
fn a_cut_during_rotation_and_retention_leaves_no_gap() {
    let retention = Retention { bytes_max: 4 * 2048, age_min_s: 0, age_max_s: None };
    let settings = Settings { retention, ..small_settings() };
    let life = |storage: &LyingStorage, known: &mut Known| -> Result<(), JournalError> {
        let mut appender = create(storage, &settings)?;
        for number in 0..60u32 {
            let input = format!("input {number}").into_bytes();
            known.submitted.push(input.clone());
            appender.append(&entry(i64::from(number), &input, &[0x77; 150]))?;
            appender.commit()?;
            known.acknowledged = known.submitted.len();
            if appender.checkpoint_due() {
                appender.checkpoint(&entry(i64::from(number), &[], b"state"))?;
            }
            if number % 9 == 0 {
                appender.begin_epoch(SECOND_IDENTITY, wall(i64::from(number)), MonotonicTime(0), PersonId::NOBODY)?;
            }
        }
        Ok(())
    };
    let mut furthest = 0;
    for operation in 0.. {
        let storage = LyingStorage::new();
        storage.cut_power_at(operation, 33);
        let mut known = Known::default();
        let Err(error) = life(&storage, &mut known) else { break };
        assert!(only_the_power(&error), "operation {operation}: {error}");
        for seed in 0..6 {
            let left = storage.after_power_cut(seed);
            let context = format!("operation {operation} seed {seed}");
            match open(&left, &settings) {
                Ok((mut appender, _, _)) => common::fill(&mut appender, 1000, 12),
                Err(JournalError::Empty) if known.acknowledged == 0 => continue,
                Err(error) => panic!("{context}: {error}"),
            }
            let report = check(&left).unwrap();
            furthest = furthest.max(report.first_segment.0);
            let found = inputs(&all(&left));
            let found = &found[..found.len() - 12];
            // Retention takes from the front only: what is left is one stretch up to at least the last acknowledged.
            let Some(first) = found.first() else {
                assert_eq!(known.acknowledged, 0, "{context}");
                continue;
            };
            let start = known.submitted.iter().position(|input| input == first).unwrap();
            assert!(start + found.len() >= known.acknowledged, "{context}");
            assert_eq!(found, &known.submitted[start..start + found.len()], "{context}");
        }
    }
    assert!(furthest > 3, "retention never removed anything");
}

#[test]
fn a_cut_while_many_segments_are_removed_leaves_no_gap() {
    let aged = LyingStorage::new();
    let mut appender = create(&aged, &small_settings()).unwrap();
    common::fill(&mut appender, 0, 80);
    appender.shut_down().unwrap();
    // Nothing could go while the last checkpoint lay at the start; now a new one and a smaller allowance free many at once.
    let retention = Retention { bytes_max: 3 * 2048, age_min_s: 0, age_max_s: None };
    let settings = Settings { retention, ..small_settings() };
    let life = |storage: &LyingStorage| -> Result<(), JournalError> {
        let (mut appender, _, _) = open(storage, &settings)?;
        appender.checkpoint(&entry(80, &[], b"state after 80"))?;
        for number in 0..20 {
            appender.append(&entry(80 + number, b"more", &[0x77; 100]))?;
            appender.commit()?;
            if appender.checkpoint_due() {
                appender.checkpoint(&entry(80 + number, &[], b"state"))?;
            }
        }
        Ok(())
    };
    let mut removed = 0;
    for operation in 0.. {
        let storage = aged.after_power_cut(0);
        storage.cut_power_at(operation, 0);
        let Err(error) = life(&storage) else { break };
        assert!(only_the_power(&error), "operation {operation}: {error}");
        for seed in 0..20 {
            let left = storage.after_power_cut(seed);
            let context = format!("operation {operation} seed {seed}");
            let (mut appender, _, _) = open(&left, &settings).unwrap_or_else(|error| panic!("{context}: {error}"));
            appender.checkpoint(&entry(101, &[], b"state after the cut")).unwrap();
            common::fill(&mut appender, 200, 2);
            removed = removed.max(check(&left).unwrap().first_segment.0 - 1);
        }
    }
    assert!(removed >= 3, "only {removed} segments went");
}

#[test]
fn every_byte_of_the_tail_may_be_the_last() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    common::fill(&mut appender, 0, 3);
    let file = "segment-0000000001.hcj";
    let before = storage.contents(file).unwrap();
    common::fill(&mut appender, 3, 1);
    let after = storage.contents(file).unwrap();
    let start = before.iter().zip(&after).position(|(old, new)| old != new).unwrap();
    let end = after.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    assert!(end - start > 100);
    for cut in start..=end {
        for beyond_is_zero in [true, false] {
            let left = LyingStorage::new();
            let mut bytes = after.clone();
            if beyond_is_zero {
                bytes[cut..].fill(0);
            } else {
                bytes.truncate(cut);
            }
            left.put(file, &bytes);
            let (mut appender, recovery, _) = open(&left, &small_settings()).unwrap();
            let whole = bytes.len() >= end && bytes[..end] == after[..end];
            assert_eq!(recovery.head.sequence, Sequence(if whole { 5 } else { 4 }), "cut at {cut}");
            assert_eq!(recovery.started_from, StartedFrom::Search);
            assert_eq!(recovery.cut.is_some(), !whole && bytes[start..].iter().any(|byte| *byte != 0), "cut at {cut}");
            common::fill(&mut appender, 10, 2);
            check(&left).unwrap();
        }
    }
}

#[test]
fn a_batch_whose_first_record_was_dropped_is_a_tail_not_an_alarm() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    common::fill(&mut appender, 0, 2);
    let file = "segment-0000000001.hcj";
    let durable = storage.contents(file).unwrap();
    for number in 0..3 {
        appender.append(&entry(5, format!("batch {number}").as_bytes(), &[])).unwrap();
    }
    appender.commit().unwrap();
    let mut bytes = storage.contents(file).unwrap();
    let start = durable.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    let start = start.next_multiple_of(8);
    bytes[start..start + 64].fill(0);
    // The records behind it are whole, but none of them says that it was durable.
    let left = LyingStorage::new();
    left.put(file, &bytes);
    let (_, recovery, _) = open(&left, &small_settings()).unwrap();
    assert_eq!(recovery.head.sequence, Sequence(3));
    assert!(recovery.cut.unwrap().bytes > 200);
    assert_eq!(left.contents(file).unwrap()[start..].iter().find(|byte| **byte != 0), None);
}

#[test]
fn a_dead_process_on_a_living_machine_keeps_even_what_was_not_acknowledged() {
    let storage = LyingStorage::new();
    let mut appender = create(&storage, &small_settings()).unwrap();
    common::fill(&mut appender, 0, 2);
    storage.cut_power_at(1, 0);
    appender.append(&entry(3, b"written, never synced", &[])).unwrap();
    appender.commit().unwrap_err();
    let living = storage.after_process_death();
    let (_, recovery, _) = open(&living, &small_settings()).unwrap();
    assert_eq!(recovery.head.sequence, Sequence(4));
    // Having been read, it must now survive a power cut as well.
    for seed in 0..20 {
        let (_, again, _) = open(&living.after_power_cut(seed), &small_settings()).unwrap();
        assert_eq!(again.head, recovery.head);
    }
}
