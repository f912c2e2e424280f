//! Opening the journal and bringing the table back as it was left.
//!
//! Within an epoch (the same software, the same rules) inputs are replayed from the last checkpoint. Across epochs
//! nothing is replayed: meters and round numbers go on from what the records say, and a round that was left open is
//! handed to the floorperson.

use std::io;
use std::path::Path;

use table_controller::{Carried, Config, Controller, ForeignRound, NotResumed, Outputs, Stamp, read_input};
use table_journal::{
    Appender, DirectoryStorage, EpochIdentity, EpochNumber, JournalError, JournalKey, KeyError, MonotonicTime,
    PersonId, RecordKind, RecordView, TableId, TableIdError, WallTime,
};
use thiserror::Error;

use super::ledger::{Ledger, RequestPlace};
use crate::config::Journal;

#[derive(Debug, Error)]
pub enum NotOpened {
    #[error("the journal's directory {path} cannot be used: {cause}; check the path and who may write there")]
    Directory { path: String, cause: io::Error },
    #[error("the journal's key: {0}")]
    Key(#[from] KeyError),
    #[error("the table's id is no name for a journal: {0:?}")]
    TableId(TableIdError),
    #[error("the journal cannot be opened: {0}")]
    Journal(#[from] JournalError),
    #[error("a checkpoint of this very software cannot be resumed: {0}")]
    Checkpoint(#[from] NotResumed),
    #[error("record {sequence} cannot be replayed: {cause}; `holecard journal verify` says more")]
    Replay { sequence: u64, cause: String },
    #[error("this program's own file cannot be read: {0}")]
    Software(io::Error),
}

/// The journal, ready to be written, and the table as its last record left it.
#[derive(Debug)]
pub struct Opened {
    pub appender: Appender<DirectoryStorage>,
    pub controller: Controller,
    /// The wall time of the last record, for comparison with the clock.
    pub last_record_ms: Option<i64>,
    /// A round of an earlier epoch that nobody settled.
    pub foreign: Option<ForeignRound>,
    pub(super) ledger: Ledger,
    /// Records read on the way.
    pub records_read: u64,
}

/// What was read back, in the order it was written.
#[derive(Default)]
struct Tail {
    checkpoint: Option<(EpochNumber, u64, Vec<u8>)>,
    records: Vec<(EpochNumber, u64, Vec<u8>, Vec<u8>)>,
}

impl Tail {
    fn take(&mut self, record: &RecordView<'_>) {
        match record.kind {
            RecordKind::Checkpoint => {
                self.records.clear();
                self.checkpoint = Some((record.epoch, record.sequence.0, record.events.to_vec()));
            }
            RecordKind::Input => {
                self.records.push((record.epoch, record.sequence.0, record.input.to_vec(), record.events.to_vec()));
            }
            RecordKind::Epoch | RecordKind::Close => {}
        }
    }
}

pub(super) fn open(
    config: &Config,
    journal: &Journal,
    identity: EpochIdentity,
    now: (WallTime, MonotonicTime),
) -> Result<Opened, NotOpened> {
    let storage = storage(&journal.directory)?;
    let table = TableId::new(&config.table_id).map_err(NotOpened::TableId)?;
    let mut tail = Tail::default();
    let opened = Appender::open(
        storage.clone(),
        table.clone(),
        key(&journal.key_file)?,
        journal.settings.clone(),
        &mut |record| {
            tail.take(record);
        },
    );
    let (mut appender, recovery) = match opened {
        Ok(opened) => opened,
        Err(JournalError::Empty) => {
            let appender = Appender::create(
                storage,
                table,
                key(&journal.key_file)?,
                journal.settings.clone(),
                identity,
                now.0,
                now.1,
            )?;
            let controller = Controller::new(config.clone());
            return Ok(Opened {
                appender,
                controller,
                last_record_ms: None,
                foreign: None,
                ledger: Ledger::default(),
                records_read: 0,
            });
        }
        Err(error) => return Err(error.into()),
    };
    let current = recovery.epoch.number;
    let same = recovery.epoch.identity == identity;
    let mut carried = Carried::default();
    if let Some((epoch, sequence, state)) = &tail.checkpoint
        && (*epoch != current || !same)
    {
        carried = Carried::from_checkpoint(state, *sequence);
    }
    for (epoch, sequence, _, events) in &tail.records {
        if *epoch != current || !same {
            carried.follow(*sequence, events);
        }
    }
    let mut ledger = tail.checkpoint.as_ref().map(|(_, _, state)| Ledger::from_checkpoint(state)).unwrap_or_default();
    for (_, _, _, events) in &tail.records {
        ledger.follow(events);
    }
    let controller = if same {
        let mut controller = match &tail.checkpoint {
            Some((epoch, _, state)) if *epoch == current => Controller::resumed(config.clone(), state)?,
            Some(_) | None if carried != Carried::default() => Controller::continued(config.clone(), &carried),
            Some(_) | None => Controller::new(config.clone()),
        };
        replay(&mut controller, current, &tail, &mut ledger)?;
        controller
    } else {
        appender.begin_epoch(identity, now.0, now.1, PersonId::NOBODY)?;
        appender.commit()?;
        Controller::continued(config.clone(), &carried)
    };
    let foreign = carried.open_round.filter(|_| !same).map(|round| ForeignRound { round, told: carried.told.clone() });
    Ok(Opened {
        appender,
        controller,
        last_record_ms: Some(recovery.last_wall.0 / 1_000),
        foreign,
        ledger,
        records_read: recovery.records_read,
    })
}

fn replay(
    controller: &mut Controller,
    current: EpochNumber,
    tail: &Tail,
    ledger: &mut Ledger,
) -> Result<(), NotOpened> {
    let mut outputs = Outputs::default();
    for (epoch, sequence, input, _) in &tail.records {
        if *epoch != current {
            continue;
        }
        let unusable = |cause: String| NotOpened::Replay { sequence: *sequence, cause };
        let input = read_input(input).map_err(|error| unusable(error.to_string()))?;
        outputs.clear();
        let stamp = Stamp { sequence: controller.sequence() + 1 };
        controller.apply(stamp, &input, &mut outputs).map_err(|refused| unusable(refused.reason))?;
        if let Some(key) = Ledger::key_of(&input) {
            ledger.note_request(RequestPlace { number: stamp.sequence, record: *sequence }, key.to_owned());
        }
        if let Some(place) = controller.rounds().next() {
            let keep = controller.config().recall_rounds;
            ledger.note_round(place.round, place.last_sequence.is_some(), *sequence, keep);
        }
    }
    Ok(())
}

fn storage(directory: &Path) -> Result<DirectoryStorage, NotOpened> {
    let unusable = |cause| NotOpened::Directory { path: directory.display().to_string(), cause };
    std::fs::create_dir_all(directory).map_err(unusable)?;
    DirectoryStorage::for_writing(directory).map_err(unusable)
}

/// The key is made at the first start and kept from then on.
fn key(path: &Path) -> Result<JournalKey, NotOpened> {
    if path.exists() { Ok(JournalKey::load(path)?) } else { Ok(JournalKey::create(path)?) }
}
