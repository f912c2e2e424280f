//! The journal's core on storage that lies, and coming back from it.

use table_controller::{Carried, Clock, Config, Controller, Outputs, Stamp, encode_events, read_input};
use table_journal::lying::LyingStorage;
use table_journal::{
    Appender, Entry, EpochIdentity, Fullness, JournalKey, JournalReader, MonotonicTime, PersonId, RecordKind,
    RecordView, Retention, SegmentNumber, Settings, TableId, WallTime, segment_file_name, verify,
};

const FIRST: EpochIdentity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };

/// What became of a record.
pub(super) enum Kept {
    Durable,
    /// The power went or the disk refused: nobody was told that it is safe.
    Lost {
        why: &'static str,
    },
}

#[derive(Debug)]
pub(super) struct Disk {
    storage: LyingStorage,
    appender: Option<Appender<LyingStorage>>,
    epochs: u8,
    full: Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Full {
    No,
    Unnoticed,
    Noticed,
}

/// A table read back from the disk.
pub(super) struct Recovered {
    pub(super) controller: Controller,
    pub(super) carried: Carried,
}

fn settings() -> Settings {
    Settings {
        segment_bytes: 96 * 1024,
        segment_age_max_s: u64::MAX,
        retention: Retention { bytes_max: 1 << 30, age_min_s: 0, age_max_s: None },
        checkpoint_every_records: 150,
        nearly_full_records: 40,
    }
}

fn table() -> TableId {
    TableId::new("STORM").expect("a short name")
}

fn key() -> JournalKey {
    JournalKey::from_seed(&[9; 32])
}

fn entry<'a>(input: &'a [u8], events: &'a [u8], clock: Clock, person: u64) -> Entry<'a> {
    Entry {
        content_version: table_controller::CONTENT_VERSION,
        wall: WallTime(clock.wall_ms * 1_000),
        monotonic: MonotonicTime(clock.monotonic_ms * 1_000),
        person: PersonId(person),
        input,
        events,
    }
}

impl Disk {
    pub(super) fn new() -> Self {
        let storage = LyingStorage::new();
        let appender =
            Appender::create(storage.clone(), table(), key(), settings(), FIRST, WallTime(0), MonotonicTime(0))
                .expect("an empty disk takes a journal");
        Self { storage, appender: Some(appender), epochs: 1, full: Full::No }
    }

    pub(super) fn keep(&mut self, input: &[u8], events: &[u8], clock: Clock, person: u64) -> Kept {
        let Some(appender) = &mut self.appender else { return Kept::Lost { why: "stopped" } };
        let entry = entry(input, events, clock, person);
        let kept = appender.append(&entry).and_then(|_| appender.commit());
        match kept {
            Ok(_) => {
                // Spare work is done when nothing else waits; its failure shows at the next record.
                let _more = appender.prepare_spare();
                Kept::Durable
            }
            Err(_) => Kept::Lost { why: "in a record" },
        }
    }

    pub(super) fn checkpoint_due(&self) -> bool {
        self.appender.as_ref().is_some_and(Appender::checkpoint_due)
    }

    /// Whether the state was kept.
    pub(super) fn checkpoint(&mut self, state: &[u8], clock: Clock) -> bool {
        self.appender.as_mut().is_some_and(|appender| appender.checkpoint(&entry(&[], state, clock, 0)).is_ok())
    }

    pub(super) fn cut_power_at(&self, operation: u64, bytes: usize) {
        self.storage.cut_power_at(operation, bytes);
    }

    /// From now on the disk takes no file more than it has.
    pub(super) fn fill(&mut self) {
        let held: usize =
            self.stored().iter().filter(|(name, _)| name.starts_with("segment")).map(|(_, bytes)| bytes.len()).sum();
        self.storage.set_capacity(u64::try_from(held).ok());
        self.full = Full::Unnoticed;
    }

    pub(super) fn make_room(&mut self) {
        self.storage.set_capacity(None);
        self.full = Full::No;
    }

    /// Whether the journal has just noticed that little more fits.
    pub(super) fn fills_up(&mut self) -> bool {
        let space = || self.appender.as_ref().and_then(|appender| appender.space().ok());
        let noticed = self.full == Full::Unnoticed && space().is_some_and(|space| space.fullness != Fullness::Ample);
        if noticed {
            self.full = Full::Noticed;
        }
        noticed
    }

    /// The power is back, or the process runs again: what is on the disk now, as `seed` decides for a cut.
    pub(super) fn restart(&mut self, cut: Option<u64>) {
        self.appender = None;
        self.storage = match cut {
            Some(seed) => self.storage.after_power_cut(seed),
            None => self.storage.after_process_death(),
        };
        self.full = Full::No;
    }

    /// Opens the journal, reads its tail and plays it again: what is recomputed must be what was recorded.
    pub(super) fn recover(&mut self, config: &Config) -> Result<Recovered, String> {
        let mut replay = Replay::new(config);
        let opened =
            Appender::open(self.storage.clone(), table(), key(), settings(), &mut |record| replay.take(record));
        let (appender, _) = opened.map_err(|error| format!("the journal does not open: {error}"))?;
        self.appender = Some(appender);
        replay.finish()
    }

    /// Another version of the software takes over.
    pub(super) fn begin_epoch(&mut self, clock: Clock) -> Result<(), String> {
        self.epochs += 1;
        let identity = EpochIdentity { software: [self.epochs; 32], rules_pack: [2; 32] };
        let appender = self.appender.as_mut().ok_or("the journal is not open")?;
        let (wall, monotonic) = (WallTime(clock.wall_ms * 1_000), MonotonicTime(clock.monotonic_ms * 1_000));
        appender.begin_epoch(identity, wall, monotonic, PersonId::NOBODY).map(drop).map_err(|error| error.to_string())
    }

    /// Every byte that the journal has stored, file by file.
    pub(super) fn stored(&self) -> Vec<(String, Vec<u8>)> {
        let segments = (1..=self.newest()).map(|number| segment_file_name(SegmentNumber(number)));
        let names = segments.chain(["head", "spare.hcj"].map(str::to_owned));
        names.filter_map(|name| Some((name.clone(), self.storage.contents(&name)?))).collect()
    }

    fn newest(&self) -> u64 {
        let there = |number: &u64| self.storage.contents(&segment_file_name(SegmentNumber(*number))).is_some();
        (1..).take_while(there).last().unwrap_or(0)
    }

    pub(super) fn verify(&self) -> Result<(), String> {
        let reader = JournalReader::new(self.storage.clone(), Some(table()), Some(key().public()));
        verify(&reader).map(drop).map_err(|error| format!("the journal is not whole: {error}"))
    }
}

/// Plays records again: inputs within their epoch; across a change of epoch only what was recorded goes on.
struct Replay<'a> {
    config: &'a Config,
    controller: Controller,
    carried: Carried,
    epoch: Option<table_journal::EpochNumber>,
    wrong: Option<String>,
}

impl<'a> Replay<'a> {
    fn new(config: &'a Config) -> Self {
        let controller = Controller::new(config.clone());
        Self { config, controller, carried: Carried::default(), epoch: None, wrong: None }
    }

    fn take(&mut self, record: &RecordView<'_>) {
        match record.kind {
            RecordKind::Checkpoint => match Controller::resumed(self.config.clone(), record.events) {
                Ok(controller) => {
                    match Carried::from_checkpoint(record.events, controller.sequence()) {
                        Ok(carried) => self.carried = carried,
                        Err(error) => self.fail(&format!("checkpoint: {error}")),
                    }
                    self.controller = controller;
                    self.epoch = Some(record.epoch);
                }
                Err(error) => self.fail(&format!("checkpoint: {error}")),
            },
            RecordKind::Input => self.play(record),
            RecordKind::Epoch => {
                if self.epoch.is_some() {
                    self.controller = Controller::continued(self.config.clone(), &self.carried);
                }
                self.epoch = Some(record.epoch);
            }
            RecordKind::Close | RecordKind::Signature => {}
        }
    }

    fn play(&mut self, record: &RecordView<'_>) {
        let input = match read_input(record.input) {
            Ok(input) => input,
            Err(error) => return self.fail(&error.to_string()),
        };
        let stamp = Stamp { sequence: self.controller.sequence() + 1 };
        let mut out = Outputs::default();
        if let Err(refused) = self.controller.apply(stamp, &input, &mut out) {
            return self.fail(&format!("{input:?} is refused when it is played again: {refused:?}"));
        }
        if encode_events(&out.said) != record.events {
            self.fail(&format!("{input:?} says something else when it is played again"));
        }
        if let Err(error) = self.carried.follow(stamp.sequence, record.events) {
            self.fail(&error.to_string());
        }
    }

    fn fail(&mut self, why: &str) {
        self.wrong.get_or_insert_with(|| why.to_owned());
    }

    fn finish(self) -> Result<Recovered, String> {
        match self.wrong {
            Some(why) => Err(why),
            None => Ok(Recovered { controller: self.controller, carried: self.carried }),
        }
    }
}
