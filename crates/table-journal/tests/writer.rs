//! The writer's thread: one sync for many, nothing acknowledged early, a stall that nobody has to wait for.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use common::{SECOND_IDENTITY, all, check, create, inputs, open, small_settings, wall};
use table_journal::lying::LyingStorage;
use table_journal::{
    Acknowledgement, EpochNumber, Head, JournalError, MonotonicTime, OwnedEntry, PersonId, RecordKind, Retention,
    Sequence, Settings, SubmitError, Writer, WriterSettings,
};

type Answers = Receiver<Result<Head, Arc<JournalError>>>;

fn answers() -> (impl Fn() -> Acknowledgement, Answers) {
    let (sender, receiver): (Sender<_>, _) = channel();
    let make = move || -> Acknowledgement {
        let sender = sender.clone();
        Box::new(move |result| sender.send(result).unwrap())
    };
    (make, receiver)
}

fn owned(text: &str) -> OwnedEntry {
    OwnedEntry {
        content_version: 1,
        wall: wall(1),
        monotonic: MonotonicTime(1),
        person: PersonId(1),
        input: text.as_bytes().to_vec(),
        events: b"events".to_vec(),
    }
}

fn start(storage: &LyingStorage, queue_records: usize) -> Writer {
    let mut appender = create(storage, &small_settings()).unwrap();
    // Otherwise the thread might be found at work on the spare.
    while appender.prepare_spare().unwrap() {}
    Writer::start(appender, WriterSettings { queue_records, batch_records: 64 }).unwrap()
}

#[test]
fn many_records_share_one_sync_and_a_stall_holds_up_no_one() {
    let storage = LyingStorage::new();
    let settings = Settings { segment_bytes: 64 << 10, ..small_settings() };
    let mut appender = create(&storage, &settings).unwrap();
    while appender.prepare_spare().unwrap() {}
    let writer = Writer::start(appender, WriterSettings { queue_records: 20, batch_records: 64 }).unwrap();
    let (acknowledge, answers) = answers();
    let syncs = storage.syncs();
    storage.stall();
    writer.submit(owned("first"), acknowledge()).unwrap();
    storage.wait_until_stalled();
    // The disk stands still; submitting does not, until the queue is full, and then it says so.
    for number in 0..20 {
        writer.submit(owned(&format!("waiting {number}")), acknowledge()).unwrap();
    }
    assert_eq!(writer.submit(owned("one too many"), acknowledge()), Err(SubmitError::QueueFull));
    assert!(answers.try_recv().is_err(), "nothing is acknowledged before its sync");
    assert_eq!(writer.status().durable.sequence, Sequence(1));
    storage.resume();
    let heads: Vec<_> = (0..21).map(|_| answers.recv().unwrap().unwrap()).collect();
    assert!(heads.is_sorted_by_key(|head| head.sequence));
    assert_eq!(heads[20].sequence, Sequence(22));
    // One for the first, one for all that waited.
    assert_eq!((storage.syncs() - syncs, writer.status().commits), (2, 2));
    assert_eq!(writer.stop().unwrap().hash, check(&storage).unwrap().head.hash);
    let records = all(&storage);
    for head in heads {
        assert!(records.iter().any(|record| record.sequence == head.sequence && record.hash == head.hash));
    }
}

#[test]
fn a_failed_sync_tells_everyone_who_waits_and_ends_the_writer() {
    let storage = LyingStorage::new();
    let writer = start(&storage, 20);
    let (acknowledge, answers) = answers();
    storage.stall();
    writer.submit(owned("first"), acknowledge()).unwrap();
    storage.wait_until_stalled();
    for number in 0..5 {
        writer.submit(owned(&format!("waiting {number}")), acknowledge()).unwrap();
    }
    storage.fail_sync_at(0);
    storage.resume();
    for _ in 0..6 {
        let error = answers.recv().unwrap().unwrap_err();
        assert_eq!(error.code(), "journal-storage");
    }
    while writer.submit(owned("late"), Box::new(|_| {})).is_ok() {
        std::thread::yield_now();
    }
    assert!(writer.status().stopped);
    assert_eq!(writer.stop().unwrap_err().code(), "journal-storage");
    let (_, recovery, _) = open(&storage.after_power_cut(1), &small_settings()).unwrap();
    assert_eq!(recovery.head.sequence, Sequence(1), "none of them was durable, none was acknowledged");
}

#[test]
fn what_was_acknowledged_before_a_power_cut_is_there_after_it() {
    for operation in 0..60 {
        let storage = LyingStorage::new();
        let writer = start(&storage, 100);
        let (acknowledge, answers) = answers();
        storage.cut_power_at(operation, 77);
        let mut submitted = Vec::new();
        for number in 0..40 {
            let text = format!("record {number}");
            if writer.submit(owned(&text), acknowledge()).is_err() {
                break;
            }
            submitted.push(text.into_bytes());
        }
        let acknowledged = (0..submitted.len()).filter(|_| answers.recv().is_ok_and(|answer| answer.is_ok())).count();
        let _ = writer.stop();
        for seed in 0..5 {
            let left = storage.after_power_cut(seed);
            open(&left, &small_settings()).unwrap();
            let found = inputs(&all(&left));
            assert!(found.len() >= acknowledged, "cut at {operation}: {} of {acknowledged}", found.len());
            assert!(submitted.starts_with(&found));
        }
    }
}

#[test]
fn checkpoints_and_epochs_keep_their_place_in_the_order() {
    let storage = LyingStorage::new();
    let writer = start(&storage, 20);
    let (acknowledge, answers) = answers();
    writer.submit(owned("before"), acknowledge()).unwrap();
    writer.begin_epoch(SECOND_IDENTITY, owned(""), acknowledge()).unwrap();
    let state = OwnedEntry { events: b"state".to_vec(), ..owned("") };
    writer.checkpoint(state, acknowledge()).unwrap();
    writer.submit(owned("after"), acknowledge()).unwrap();
    let sequences: Vec<_> = (0..4).map(|_| answers.recv().unwrap().unwrap().sequence.0).collect();
    // A checkpoint is durable with the signature behind it, which is record 5.
    assert_eq!(sequences, [2, 3, 5, 6]);
    assert_eq!(writer.status().epoch.number, EpochNumber(2));
    assert!(!writer.status().checkpoint_due);
    drop(writer);
    let kinds: Vec<_> = all(&storage).iter().map(|record| record.kind).collect();
    use RecordKind::{Checkpoint, Epoch, Input, Signature};
    assert_eq!(kinds, [Epoch, Input, Epoch, Checkpoint, Signature, Input]);
}

#[test]
fn a_full_journal_refuses_each_record_and_stays_alive() {
    let storage = LyingStorage::new();
    let writer = start(&storage, 100);
    storage.set_capacity(Some(8192 + 2048));
    let (acknowledge, answers) = answers();
    let mut refused = 0;
    for number in 0..40 {
        writer.submit(owned(&format!("record {number}")), acknowledge()).unwrap();
        if let Err(error) = answers.recv().unwrap() {
            assert_eq!(error.code(), "journal-full");
            refused += 1;
        }
    }
    assert!(refused > 10);
    assert!(!writer.status().stopped);
    storage.set_capacity(None);
    writer.submit(owned("room again"), acknowledge()).unwrap();
    answers.recv().unwrap().unwrap();
    writer.stop().unwrap();
    assert_eq!(inputs(&all(&storage)).len(), 41 - refused);
}

#[test]
fn reading_beside_a_busy_writer_raises_no_false_alarm() {
    let storage = LyingStorage::new();
    let retention = Retention { bytes_max: 6 * 4096, age_min_s: 0, age_max_s: None };
    let settings = Settings { segment_bytes: 4096, retention, ..small_settings() };
    let appender = create(&storage, &settings).unwrap();
    let writer = Writer::start(appender, WriterSettings { queue_records: 64, batch_records: 8 }).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let mut checks = 0;
            let mut last = Sequence::NONE;
            while !done.load(Ordering::Relaxed) || checks < 5 {
                let report = check(&storage).unwrap();
                assert!(report.head.sequence >= last, "the journal went back");
                last = report.head.sequence;
                checks += 1;
            }
            checks
        });
        let mut accepted = 0;
        while accepted < 3000 {
            let due = writer.status().checkpoint_due;
            let job = if due { writer.checkpoint(owned(""), Box::new(|_| {})) } else { Ok(()) };
            match job.and_then(|()| writer.submit(owned(&format!("record {accepted}")), Box::new(|_| {}))) {
                Ok(()) => accepted += 1,
                Err(SubmitError::QueueFull) => std::thread::yield_now(),
                Err(SubmitError::Stopped) => panic!("the writer stopped"),
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(reading.join().unwrap() >= 5);
    });
    writer.stop().unwrap();
    assert!(check(&storage).unwrap().first_segment.0 > 1, "retention was part of it");
}

#[test]
fn everyone_gets_an_answer_even_from_a_thread_that_died() {
    let storage = LyingStorage::new();
    let writer = start(&storage, 20);
    let (acknowledge, answers) = answers();
    storage.stall();
    writer.submit(owned("first"), Box::new(|_| panic!("a caller's mistake"))).unwrap();
    storage.wait_until_stalled();
    for number in 0..5 {
        writer.submit(owned(&format!("waiting {number}")), acknowledge()).unwrap();
    }
    storage.resume();
    for _ in 0..5 {
        assert_eq!(answers.recv().unwrap().unwrap_err().code(), "journal-stopped");
    }
    assert_eq!(writer.stop().unwrap_err().code(), "journal-stopped");
}
