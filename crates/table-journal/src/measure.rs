//! Durable records per second beside the bare preallocated write and fdatasync of the same size, and the start-up of an old
//! journal beside that of a young one. Both sides are taken in the same run: these machines are noisy, so only the ratio
//! means anything.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::appender::{Appender, Entry};
use crate::directory::DirectoryStorage;
use crate::error::JournalError;
use crate::keys::JournalKey;
use crate::record::record_length;
use crate::settings::Settings;
use crate::types::{EpochIdentity, MonotonicTime, PersonId, TableId, WallTime};
use crate::writer::{OwnedEntry, Writer, WriterSettings};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurableRates {
    pub record_bytes: usize,
    /// Bare `write_at` + `fdatasync` into a zero-filled file.
    pub yardstick_per_s: u64,
    /// One record, one commit.
    pub single_per_s: u64,
    /// Through the writer's thread with `waiting` records in flight.
    pub grouped_per_s: u64,
    pub grouped_commits: u64,
}

/// Measures in `directory`, which must be on the storage in question. Rounds of each kind take turns, so that drifts of the
/// machine meet all of them alike.
pub fn durable_rates(
    directory: &Path,
    payload_bytes: usize,
    records: u32,
    waiting: usize,
) -> Result<DurableRates, JournalError> {
    const ROUNDS: u32 = 50;
    let record_bytes = record_length(payload_bytes, 0).ok_or(JournalError::RecordTooLarge {
        bytes: payload_bytes as u64,
        max: crate::record::RECORD_BYTES_MAX as u64,
    })?;
    let failed = |operation| JournalError::storage(operation, "measurement");
    let payload = vec![0x5a; payload_bytes];
    let storage = DirectoryStorage::for_writing(&directory.join("journal")).map_err(failed("open"))?;
    let identity = EpochIdentity { software: [0; 32], rules_pack: [0; 32] };
    let table = bench_table();
    let settings = Settings { segment_bytes: 64 << 20, ..Settings::default() };
    let key = JournalKey::from_seed(&[7; 32]);
    let mut appender = Appender::create(storage, table, key, settings, identity, WallTime(0), MonotonicTime(0))?;
    while appender.prepare_spare()? {}
    let mut yardstick = Yardstick::create(&directory.join("yardstick"), record_bytes).map_err(failed("create"))?;
    let per_round = (records / ROUNDS).max(1);
    let (mut bare, mut single) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..per_round {
            yardstick.write().map_err(failed("write"))?;
        }
        bare += start.elapsed();
        let start = Instant::now();
        for _ in 0..per_round {
            appender.append(&entry(&payload))?;
            appender.commit()?;
        }
        single += start.elapsed();
    }
    let writer = Writer::start(appender, WriterSettings::default()).map_err(failed("start"))?;
    let commits_before = writer.status().commits;
    let total = per_round * ROUNDS;
    let (sender, acknowledged) = channel();

    let start = Instant::now();
    let mut in_flight = 0;
    for _ in 0..total {
        if in_flight == waiting {
            acknowledged.recv().map_err(|_| JournalError::Stopped)?;
            in_flight -= 1;
        }
        let sender = sender.clone();
        let owned = OwnedEntry { input: payload.clone(), ..OwnedEntry::default() };
        let acknowledge = Box::new(move |result: Result<_, _>| {
            if result.is_ok() {
                let _ = sender.send(());
            }
        });
        writer.submit(owned, acknowledge).map_err(|_| JournalError::Stopped)?;
        in_flight += 1;
    }
    for _ in 0..in_flight {
        acknowledged.recv().map_err(|_| JournalError::Stopped)?;
    }
    let grouped = start.elapsed();
    let grouped_commits = writer.status().commits - commits_before;
    writer.stop().map_err(|_| JournalError::Stopped)?;
    Ok(DurableRates {
        record_bytes,
        yardstick_per_s: per_second(total, bare),
        single_per_s: per_second(total, single),
        grouped_per_s: per_second(total, grouped),
        grouped_commits,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartUpTimes {
    /// Opening a journal of a few records.
    pub empty: Duration,
    /// Opening one of `records` records, checkpoints in between.
    pub aged: Duration,
    pub records: u64,
}

/// Writes a young and an old journal below `directory` and opens each `rounds` times in turn; the medians count.
pub fn start_up_times(directory: &Path, records: u64, rounds: usize) -> Result<StartUpTimes, JournalError> {
    let settings = Settings::default();
    let young = directory.join("young");
    let old = directory.join("old");
    for (path, count) in [(&young, 10), (&old, records)] {
        let storage = DirectoryStorage::for_writing(path).map_err(JournalError::storage("open", "measurement"))?;
        let (table, identity) = (bench_table(), EpochIdentity { software: [0; 32], rules_pack: [0; 32] });
        let key = JournalKey::from_seed(&[7; 32]);
        let settings = settings.clone();
        let mut appender = Appender::create(storage, table, key, settings, identity, WallTime(0), MonotonicTime(0))?;
        let payload = [0x5a; 400];
        for number in 1..=count {
            appender.append(&entry(&payload))?;
            if number % 1000 == 500 || number == 5 {
                appender.checkpoint(&Entry { input: &[], events: &payload, ..entry(&payload) })?;
            }
        }
        appender.shut_down()?;
    }
    let (mut empty, mut aged) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        for (path, times) in [(&young, &mut empty), (&old, &mut aged)] {
            let storage = DirectoryStorage::for_writing(path).map_err(JournalError::storage("open", "measurement"))?;
            let key = JournalKey::from_seed(&[7; 32]);
            let start = Instant::now();
            let opened = Appender::open(storage, bench_table(), key, settings.clone(), &mut |_| {})?;
            times.push(start.elapsed());
            drop(opened);
        }
    }
    Ok(StartUpTimes { empty: median(empty), aged: median(aged), records })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn bench_table() -> TableId {
    TableId::new("bench").expect("a plain word")
}

fn entry(payload: &[u8]) -> Entry<'_> {
    Entry {
        content_version: 1,
        wall: WallTime(0),
        monotonic: MonotonicTime(0),
        person: PersonId::NOBODY,
        input: payload,
        events: &[],
    }
}

fn per_second(count: u32, elapsed: Duration) -> u64 {
    let per_second = u128::from(count) * 1_000_000_000 / elapsed.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

struct Yardstick {
    file: std::fs::File,
    bytes: Vec<u8>,
    offset: u64,
}

impl Yardstick {
    const FILE_BYTES: usize = 64 << 20;

    fn create(path: &Path, record_bytes: usize) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
        file.write_all_at(&vec![0; Self::FILE_BYTES], 0)?;
        file.sync_all()?;
        Ok(Self { file, bytes: vec![0x5a; record_bytes], offset: 0 })
    }

    fn write(&mut self) -> io::Result<()> {
        if self.offset + self.bytes.len() as u64 > Self::FILE_BYTES as u64 {
            self.offset = 0;
        }
        self.file.write_all_at(&self.bytes, self.offset)?;
        self.file.sync_data()?;
        self.offset += self.bytes.len() as u64;
        Ok(())
    }
}
