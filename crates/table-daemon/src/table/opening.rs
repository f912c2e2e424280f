//! Opening the journal and bringing the table back as it was left.
//!
//! Within an epoch (the same software, the same rules) inputs are replayed from the last checkpoint. Across epochs
//! nothing is replayed: meters and round numbers go on from what the records say, and a round that was left open is
//! handed to the floorperson.

use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use table_controller::{Carried, Config, Controller, ForeignRound, NotResumed, Outputs, Stamp, Unreadable, read_input};
use table_journal::{
    Appender, ChainHash, DirectoryStorage, Doubt, EpochIdentity, EpochNumber, Found, Head, JournalError, JournalKey,
    JournalReader, KeyError, MonotonicTime, PersonId, PublicKey, RecordKind, RecordView, Sequence, TableId,
    TableIdError, WallTime, WitnessFile,
};
use thiserror::Error;

use super::ledger::{Ledger, RequestPlace};
use super::running::WITNESS_FILE;
use crate::config::Journal;
use crate::failures::at_record;

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
    #[error("record {sequence}, which this table goes on from, cannot be read: {cause}; restore it from the export")]
    Record { sequence: u64, cause: Unreadable },
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
    /// What its witness has against this journal.
    pub doubt: Option<Doubt>,
    /// Begun just now.
    pub is_new: bool,
    pub key: PublicKey,
}

/// What is known of the journal apart from it.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    pub(super) witness: WitnessFile,
    /// Somebody is in the staff file.
    pub(super) staff: bool,
}

/// What was read back, in the order it was written.
#[derive(Default)]
struct Tail {
    /// The record that the witness knows, and its hash once it was read.
    known: Option<(Sequence, Option<ChainHash>)>,
    inputs: bool,
    checkpoint: Option<(EpochNumber, u64, Vec<u8>)>,
    records: Vec<(EpochNumber, u64, Vec<u8>, Vec<u8>)>,
}

impl Tail {
    fn take(&mut self, record: &RecordView<'_>) {
        if let Some((known, hash)) = &mut self.known
            && record.sequence == *known
        {
            *hash = Some(record.hash);
        }
        self.inputs |= matches!(record.kind, RecordKind::Input | RecordKind::Checkpoint);
        match record.kind {
            RecordKind::Checkpoint => {
                self.records.clear();
                self.checkpoint = Some((record.epoch, record.sequence.0, record.events.to_vec()));
            }
            RecordKind::Input => {
                self.records.push((record.epoch, record.sequence.0, record.input.to_vec(), record.events.to_vec()));
            }
            RecordKind::Epoch | RecordKind::Close | RecordKind::Signature => {}
        }
    }
}

impl Tail {
    /// The hash of the record that the witness knows. Usually it was read with the tail; an older one is looked up.
    fn hash_of_known(&self, storage: &DirectoryStorage, head: Head) -> Option<ChainHash> {
        let (known, hash) = self.known?;
        if hash.is_some() || known > head.sequence || known == Sequence::NONE {
            return hash;
        }
        let reader = JournalReader::new(storage.clone(), None, None);
        let found = reader.records_from(known).ok()?.next()?.ok()?;
        (found.sequence == known).then_some(found.hash)
    }
}

pub(super) fn open(
    config: &Config,
    journal: &Journal,
    apart: &Apart,
    identity: EpochIdentity,
    now: (WallTime, MonotonicTime),
) -> Result<Opened, NotOpened> {
    let storage = storage(&journal.directory)?;
    let table = TableId::new(&config.table_id).map_err(NotOpened::TableId)?;
    let key_pair = key(&journal.key_file)?;
    let public = key_pair.public();
    let witness = apart.witness.read(&table, public);
    let known = witness.as_ref().ok().and_then(|known| known.map(|known| (known.head.sequence, None)));
    let mut tail = Tail { known, ..Tail::default() };
    let opened = Appender::open(storage.clone(), table.clone(), key_pair, journal.settings.clone(), &mut |record| {
        tail.take(record);
    });
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
            let doubt = Found::Nothing { staff: apart.staff }.doubt(&apart.witness, witness);
            return Ok(Opened {
                doubt,
                is_new: true,
                key: public,
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
    let found = Found::Records {
        head: recovery.head,
        inputs: tail.inputs,
        head_missing: recovery.head_missing,
        at_known: tail.hash_of_known(&storage, recovery.head),
    };
    let doubt = found.doubt(&apart.witness, witness);
    let current = recovery.epoch.number;
    let same = recovery.epoch.identity == identity;
    let mut carried = Carried::default();
    if let Some((epoch, sequence, state)) = &tail.checkpoint
        && (*epoch != current || !same)
    {
        carried = Carried::from_checkpoint(state, *sequence).map_err(unreadable(*sequence))?;
    }
    for (epoch, sequence, _, events) in &tail.records {
        if *epoch != current || !same {
            carried.follow(*sequence, events).map_err(unreadable(*sequence))?;
        }
    }
    let mut ledger = match &tail.checkpoint {
        Some((_, sequence, state)) => Ledger::from_checkpoint(state).map_err(unreadable(*sequence))?,
        None => Ledger::default(),
    };
    for (_, sequence, _, events) in &tail.records {
        ledger.follow(events).map_err(unreadable(*sequence))?;
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
        doubt,
        is_new: false,
        key: public,
    })
}

fn unreadable(sequence: u64) -> impl Fn(Unreadable) -> NotOpened {
    move |cause| NotOpened::Record { sequence, cause }
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
        at_record(*sequence);
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

/// Says that this table is set up and has recorded nothing yet: the witness of a journal without records, signed by its
/// key. Without it, a table that has staff and no journal is one whose journal was taken away. Leaves alone what is there.
/// What it writes belongs to whoever owns the state directory, so that root may say it.
pub fn commission(config: &crate::config::Config, journal_key: Option<&Path>) -> Result<(), NotOpened> {
    let state = &config.state_directory;
    let witness = WitnessFile::new(state.join(WITNESS_FILE));
    let table = TableId::new(&config.table_id).map_err(NotOpened::TableId)?;
    let unusable = |cause| NotOpened::Directory { path: state.display().to_string(), cause };
    let mut files = std::fs::read_dir(&config.journal.directory).into_iter().flatten().flatten();
    let has_journal = files.any(|file| {
        let name = file.file_name();
        name == "head" || Path::new(&name).extension().is_some_and(|kind| kind == "hcj")
    });
    if witness.path().exists() || has_journal {
        return Ok(());
    }
    let signed = key(journal_key.unwrap_or(&config.journal.key_file))?.sign_head(&table, Head::NONE);
    std::fs::create_dir_all(state).map_err(unusable)?;
    witness.write(&table, &signed).map_err(unusable)?;
    let owner = std::fs::metadata(state).map_err(unusable)?;
    if std::fs::metadata(witness.path()).map_err(unusable)?.uid() != owner.uid() {
        chown(witness.path(), Some(owner.uid()), Some(owner.gid())).map_err(unusable)?;
    }
    Ok(())
}

/// The key is made at the first start and kept from then on.
fn key(path: &Path) -> Result<JournalKey, NotOpened> {
    if path.exists() { Ok(JournalKey::load(path)?) } else { Ok(JournalKey::create(path)?) }
}
