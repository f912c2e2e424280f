//! Creating a journal, and opening one after whatever happened to it.
//!
//! Opening reads from the last checkpoint to the end, cuts a tail that was never acknowledged, makes what it has read
//! durable (it may so far have been only in memory) and goes on from there. Everything else that is not as it was written
//! is an alarm, and nothing is changed on the disk before that is known.

use crate::appender::{Appender, Chain, Entry, OpenSegment, SpaceState};
use crate::cursor::Tail;
use crate::error::JournalError;
use crate::head::{CheckpointPlace, HeadFile, HeadNote, read_head};
use crate::keys::JournalKey;
use crate::layout::{Layout, Trust, read_layout};
use crate::record::{Record, RecordKind, RecordView, encode_record};
use crate::rotation::install_segment;
use crate::segment::{CLOSE_RECORD_BYTES, FormatVersion, SEGMENT_HEADER_BYTES, SegmentHeader, segment_file_name};
use crate::settings::Settings;
use crate::space::RecordSizes;
use crate::spare::{Spare, SpareStep};
use crate::storage::{Storage, StorageFile};
use crate::types::{
    ChainHash, Epoch, EpochIdentity, EpochNumber, Head, MonotonicTime, SegmentNumber, Sequence, TableId, WallTime,
};
use crate::walk::{Walk, WalkStep};

/// What opening found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    pub head: Head,
    pub epoch: Epoch,
    /// The checkpoint that reading began with; `None` where the journal has none yet.
    pub checkpoint: Option<Sequence>,
    pub started_from: StartedFrom,
    /// Records delivered, the checkpoint included.
    pub records_read: u64,
    /// A clock before this keeps the table closed.
    pub last_wall: WallTime,
    pub cut: Option<TailCut>,
    /// Records at the end that no signature covers yet: what was written since the last one.
    pub unsigned: u64,
    /// The head file is gone, or says nothing: a journal that was closed or cut off by the power has one.
    pub head_missing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartedFrom {
    HeadFile,
    /// The head file was missing, torn or out of date; the segments were searched backwards.
    Search,
}

/// Bytes that a power cut left behind the last good record and that were removed; never acknowledged by anyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailCut {
    pub file: String,
    pub offset: u64,
    pub bytes: u64,
}

impl<S: Storage + Clone> Appender<S> {
    /// Begins a journal in empty storage with its first epoch. Either all of it is there afterwards or nothing.
    pub fn create(
        storage: S,
        table: TableId,
        key: JournalKey,
        settings: Settings,
        identity: EpochIdentity,
        wall: WallTime,
        monotonic: MonotonicTime,
    ) -> Result<Self, JournalError> {
        settings.check()?;
        if read_layout(&storage, &Trust::default())?.is_some() {
            return Err(JournalError::AlreadyExists);
        }
        refuse_headless(read_head(&storage)?)?;
        let mut spare = Spare::Absent;
        let file = loop {
            match spare.step(&storage, settings.segment_bytes)? {
                SpareStep::DiskFull => return Err(JournalError::Full("no space for the first segment")),
                SpareStep::Ready | SpareStep::MoreToDo => {}
            }
            if let Some(file) = spare.take() {
                break file;
            }
        };
        let epoch = Epoch { number: EpochNumber::FIRST, identity };
        let header = SegmentHeader {
            version: FormatVersion::NEWEST,
            number: SegmentNumber::FIRST,
            table: table.clone(),
            created: wall,
            first_sequence: Sequence::FIRST,
            first_kept: SegmentNumber::FIRST,
            epoch,
            run: 1,
            public_key: key.public(),
            previous: ChainHash::ZERO,
        };
        let bytes = identity.to_bytes();
        let entry = Entry {
            content_version: 0,
            wall,
            monotonic,
            person: crate::types::PersonId::NOBODY,
            input: &bytes,
            events: &[],
        };
        let mut first = Vec::new();
        let hash =
            encode_record(&epoch_view(&entry, epoch), header.hash(), &mut first).expect("64 bytes are within limits");
        let current = install_segment(&storage, file, &header, &first, settings.segment_bytes)?;
        let head = Head { sequence: Sequence::FIRST, hash };
        let mut head_file = HeadFile::open(&storage, None)?;
        head_file.write(head.sequence, None)?;
        Ok(Self {
            storage,
            settings,
            table,
            key,
            current,
            first_segment: SegmentNumber::FIRST,
            chain: Chain { link: hash, last: head, epoch, run: 1 },
            pending: Vec::new(),
            durable: head,
            checkpoint: None,
            records_since_checkpoint: 1,
            head_file,
            spare: Spare::Absent,
            space_state: SpaceState::default(),
            sizes: RecordSizes::default(),
            last_times: (wall, monotonic),
            unsigned: 1,
            stopped: false,
        })
    }

    /// Opens a journal. `on_record` gets the last signed checkpoint, if there is one, and every record after it in
    /// order. A cut may have left the head file one checkpoint behind: a later signed checkpoint then comes among them
    /// and replaces the state so far. A checkpoint that no signature covers is not delivered: whoever holds the disk could
    /// have written it. If the answer is an error, everything delivered is to be thrown away.
    pub fn open(
        storage: S,
        table: TableId,
        key: JournalKey,
        settings: Settings,
        on_record: &mut dyn FnMut(&RecordView<'_>),
    ) -> Result<(Self, Recovery), JournalError> {
        settings.check()?;
        let trust = Trust { table: Some(table.clone()), key: Some(key.public()) };
        let note = read_head(&storage)?;
        let Some(layout) = read_layout(&storage, &trust)? else {
            refuse_headless(note)?;
            return Err(JournalError::Empty);
        };
        let (walk, start) = starting_walk(&storage, &layout, &trust, note)?;
        let started_from = start.from;
        let read = read_to_end(walk, start.at_checkpoint, on_record)?;
        if let Some(note) = note.filter(|note| note.durable > read.head.sequence) {
            return Err(JournalError::TailMissing { known: note.durable, found: read.head.sequence });
        }
        let closed = read.walk.cursor().closed;
        let link = read.walk.cursor().link;
        let mut current = settle_tail(read.walk, read.tail)?;
        storage.sync_dir().map_err(JournalError::storage("sync", "."))?;
        let length = current.file.len().map_err(JournalError::storage("measure", &current.name))?;
        current.capacity = length.max(read.tail.end + CLOSE_RECORD_BYTES as u64);
        let cut = (read.tail.dirty_end > read.tail.end).then(|| TailCut {
            file: current.name.clone(),
            offset: read.tail.end,
            bytes: read.tail.dirty_end - read.tail.end,
        });
        let recovery = Recovery {
            head: read.head,
            epoch: read.epoch,
            checkpoint: read.checkpoint.map(|place| place.sequence),
            started_from,
            records_read: read.records,
            last_wall: read.last_times.0,
            cut,
            unsigned: read.unsigned,
            head_missing: note.is_none(),
        };
        let head_file = HeadFile::open(&storage, note)?;
        let mut appender = Self {
            storage,
            settings,
            table,
            key,
            current,
            first_segment: layout.first,
            chain: Chain { link, last: read.head, epoch: read.epoch, run: read.run + 1 },
            pending: Vec::new(),
            durable: read.head,
            checkpoint: read.checkpoint,
            records_since_checkpoint: read.records,
            head_file,
            spare: Spare::Absent,
            space_state: SpaceState::default(),
            sizes: RecordSizes::default(),
            last_times: read.last_times,
            unsigned: read.unsigned,
            stopped: false,
        };
        appender.remove_before(layout.newest.first_kept)?;
        if closed {
            appender.finish_spare()?;
            appender.begin_next_segment(read.last_times.0)?;
        }
        if started_from == StartedFrom::Search {
            appender.write_head()?;
        }
        Ok((appender, recovery))
    }
}

struct ReadBack<S: Storage> {
    walk: Walk<S>,
    tail: Tail,
    head: Head,
    epoch: Epoch,
    run: u32,
    checkpoint: Option<CheckpointPlace>,
    records: u64,
    last_times: (WallTime, MonotonicTime),
    unsigned: u64,
}

fn read_to_end<S: Storage + Clone>(
    mut walk: Walk<S>,
    at_checkpoint: bool,
    on_record: &mut dyn FnMut(&RecordView<'_>),
) -> Result<ReadBack<S>, JournalError> {
    let header = &walk.cursor().header;
    let (mut epoch, mut run) = (header.epoch, header.run);
    let mut last_times = (header.created, MonotonicTime(0));
    let mut checkpoint = None;
    let (mut records, mut unsigned) = (0, 0);
    // A checkpoint waits here for the signature behind it. The one that reading starts with has been seen to have one.
    let mut held: Option<(Record, CheckpointPlace)> = None;
    let mut believed = at_checkpoint;
    let tail = loop {
        match walk.next()? {
            WalkStep::End(tail) => break tail,
            WalkStep::Record { offset, link } => {
                let view = walk.current();
                let signs = signs(view.kind);
                unsigned = if signs { 0 } else { unsigned + 1 };
                run = view.run;
                last_times = (view.wall, view.monotonic);
                if let Some(identity) = identity_of(&view) {
                    epoch = Epoch { number: view.epoch, identity };
                }
                if let Some((record, place)) = held.take().filter(|_| signs) {
                    on_record(&record.view());
                    checkpoint = Some(place);
                    records = 1;
                }
                if view.kind == RecordKind::Checkpoint {
                    let place =
                        CheckpointPlace { segment: walk.segment(), offset, sequence: view.sequence, previous: link };
                    if believed {
                        on_record(&view);
                        checkpoint = Some(place);
                        records = 1;
                    } else {
                        held = Some((view.to_record(), place));
                    }
                } else {
                    on_record(&view);
                    records += 1;
                }
                believed = false;
            }
        }
    };
    // An open segment without records may carry a later run than the last record.
    run = run.max(walk.cursor().header.run);
    let head = walk.head();
    Ok(ReadBack { walk, tail, head, epoch, run, checkpoint, records, last_times, unsigned })
}

/// Whether a record of this kind vouches for everything before it. Reading has checked its signature.
fn signs(kind: RecordKind) -> bool {
    match kind {
        RecordKind::Signature | RecordKind::Close => true,
        RecordKind::Input | RecordKind::Epoch | RecordKind::Checkpoint => false,
    }
}

fn identity_of(view: &RecordView<'_>) -> Option<EpochIdentity> {
    match view.kind {
        RecordKind::Epoch | RecordKind::Checkpoint => EpochIdentity::from_bytes(view.input),
        RecordKind::Input | RecordKind::Close | RecordKind::Signature => None,
    }
}

/// How reading begins.
struct Start {
    from: StartedFrom,
    /// The first record is a checkpoint that a signature covers.
    at_checkpoint: bool,
}

/// Where to start reading: at the checkpoint the head file names, else at the last one found going backwards, else at
/// the journal's first record. A checkpoint counts only where a signature covers it.
fn starting_walk<S: Storage + Clone>(
    storage: &S,
    layout: &Layout,
    trust: &Trust,
    note: Option<HeadNote>,
) -> Result<(Walk<S>, Start), JournalError> {
    if let Some(place) = note.and_then(|note| note.checkpoint)
        && let Some(walk) = Walk::from_checkpoint(storage, layout, trust, &place)?
    {
        return Ok((walk, Start { from: StartedFrom::HeadFile, at_checkpoint: true }));
    }
    // A young journal has no checkpoint yet and says so.
    let by_head = note.is_some_and(|note| note.checkpoint.is_none());
    let mut number = layout.last;
    loop {
        if let Some(place) = last_signed_checkpoint(storage, layout, trust, number)?
            && let Some(walk) = Walk::from_checkpoint(storage, layout, trust, &place)?
        {
            return Ok((walk, Start { from: StartedFrom::Search, at_checkpoint: true }));
        }
        if number == layout.first {
            // What retention has removed is in no record any more: without a checkpoint nobody knows where this begins.
            if number != SegmentNumber::FIRST {
                return Err(JournalError::NoSignedCheckpoint(number));
            }
            let from = if by_head { StartedFrom::HeadFile } else { StartedFrom::Search };
            let start = Start { from, at_checkpoint: false };
            return Walk::from_segment(storage, layout, trust, number).map(|walk| (walk, start));
        }
        number = SegmentNumber(number.0 - 1);
    }
}

/// The last checkpoint of this segment that a signature in it covers.
fn last_signed_checkpoint<S: Storage + Clone>(
    storage: &S,
    layout: &Layout,
    trust: &Trust,
    number: SegmentNumber,
) -> Result<Option<CheckpointPlace>, JournalError> {
    let (mut last, mut signed) = (None, None);
    let single = Layout { last: number, ..layout.clone() };
    let mut walk = Walk::from_segment(storage, &single, trust, number)?;
    while let WalkStep::Record { offset, link } = walk.next()? {
        let view = walk.current();
        if view.kind == RecordKind::Checkpoint {
            last = Some(CheckpointPlace { segment: number, offset, sequence: view.sequence, previous: link });
        } else if signs(view.kind) {
            signed = last.take().or(signed);
        }
    }
    Ok(signed)
}

/// Overwrites what was cut and makes everything that was read durable: after a crash of the process alone it may have been
/// read from memory.
fn settle_tail<S: Storage + Clone>(walk: Walk<S>, tail: Tail) -> Result<OpenSegment<S::File>, JournalError> {
    let mut cursor = walk.into_cursor();
    let (version, number, created) = (cursor.header.version, cursor.header.number, cursor.header.created);
    let name = segment_file_name(number);
    let mut at = tail.end;
    while at < tail.dirty_end {
        let zeros = vec![0; usize::try_from(tail.dirty_end - at).unwrap_or(usize::MAX).min(1 << 20)];
        cursor.file_mut().write_at(at, &zeros).map_err(JournalError::storage("write", &name))?;
        at += zeros.len() as u64;
    }
    cursor.file_mut().sync().map_err(JournalError::storage("sync", &name))?;
    debug_assert!(tail.end >= SEGMENT_HEADER_BYTES as u64, "records follow the header");
    Ok(OpenSegment { version, number, name, file: cursor.into_file(), created, end: tail.end, capacity: 0 })
}

/// Segments gone, head file still there: someone removed the journal, and starting afresh would hide it.
fn refuse_headless(note: Option<HeadNote>) -> Result<(), JournalError> {
    match note {
        Some(note) => Err(JournalError::TailMissing { known: note.durable, found: Sequence::NONE }),
        None => Ok(()),
    }
}

fn epoch_view<'a>(entry: &Entry<'a>, epoch: Epoch) -> RecordView<'a> {
    RecordView {
        kind: RecordKind::Epoch,
        content_version: entry.content_version,
        epoch: epoch.number,
        sequence: Sequence::FIRST,
        durable: Sequence::NONE,
        wall: entry.wall,
        monotonic: entry.monotonic,
        person: entry.person,
        run: 1,
        input: entry.input,
        events: entry.events,
        hash: ChainHash::ZERO,
    }
}
