//! Storage that lies, for tests: until a sync it keeps nothing it was given, and a power cut takes whatever part of the rest
//! it likes, in whatever order.
//!
//! Everything is seeded. `after_power_cut` gives the disk as the next start finds it; unsynced writes are kept, dropped,
//! torn at any byte or sector and applied in any order, and unsynced names come and go one by one. A failed sync loses what
//! it should have kept while reads still show it, as real kernels do. Never for a table.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::storage::{Storage, StorageFile};

const SECTOR_BYTES: usize = 512;

#[derive(Clone, Debug, Default)]
pub struct LyingStorage {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    disk: Mutex<Disk>,
    /// Signals the end of a stall.
    resumed: Condvar,
}

#[derive(Clone, Debug, Default)]
struct Disk {
    files: BTreeMap<u64, FileState>,
    names: BTreeMap<String, u64>,
    durable_names: BTreeMap<String, u64>,
    name_changes: Vec<NameChange>,
    next_file: u64,
    operations: u64,
    syncs: u64,
    faults: Faults,
    powered_off: bool,
    stalled: bool,
    /// How many threads stand in the stalled sync right now.
    stalled_syncs: u64,
}

#[derive(Clone, Debug, Default)]
struct FileState {
    durable: Vec<u8>,
    /// What reads show: the page cache.
    cached: Vec<u8>,
    changes: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    SetLength(usize),
}

#[derive(Clone, Debug)]
enum NameChange {
    Create(String, u64),
    Rename(String, String, u64),
    Remove(String),
}

#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    /// The power goes at this operation, after so many bytes if it is a write.
    cut_at: Option<(u64, usize)>,
    sync_fails_at: Option<u64>,
    capacity: Option<u64>,
}

impl LyingStorage {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cuts the power at the `operation`th change or sync from now (0 is the next); of a write, the first `bytes` still
    /// reach the cache.
    pub fn cut_power_at(&self, operation: u64, bytes: usize) {
        let mut disk = self.disk();
        disk.faults.cut_at = Some((disk.operations + operation, bytes));
    }

    /// Lets the `sync`th file sync from now fail (0 is the next), once.
    pub fn fail_sync_at(&self, sync: u64) {
        let mut disk = self.disk();
        disk.faults.sync_fails_at = Some(disk.syncs + sync);
    }

    /// Limits the sum of all file lengths.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.disk().faults.capacity = bytes;
    }

    /// Makes every sync wait until `resume`.
    pub fn stall(&self) {
        self.disk().stalled = true;
    }

    pub fn resume(&self) {
        self.disk().stalled = false;
        self.shared.resumed.notify_all();
    }

    /// Waits until some thread stands in the stalled sync.
    pub fn wait_until_stalled(&self) {
        let mut disk = self.disk();
        while disk.stalled_syncs == 0 {
            disk = self.shared.resumed.wait(disk).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Changes and syncs so far.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.disk().operations
    }

    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.disk().syncs
    }

    /// A file's bytes as reads show them.
    #[must_use]
    pub fn contents(&self, name: &str) -> Option<Vec<u8>> {
        let disk = self.disk();
        disk.names.get(name).map(|file| disk.files[file].cached.clone())
    }

    /// Replaces a file's bytes, durably: damage, or a state to start from.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let mut disk = self.disk();
        let file = disk.names.get(name).copied().unwrap_or_else(|| {
            disk.next_file += 1;
            disk.next_file
        });
        disk.names.insert(name.to_owned(), file);
        disk.durable_names.insert(name.to_owned(), file);
        let state = FileState { durable: bytes.to_vec(), cached: bytes.to_vec(), changes: Vec::new() };
        disk.files.insert(file, state);
    }

    /// Takes a file away, durably.
    pub fn take_away(&self, name: &str) {
        let mut disk = self.disk();
        disk.names.remove(name);
        disk.durable_names.remove(name);
    }

    /// An independent copy, cache and all: the process died, the machine did not.
    #[must_use]
    pub fn after_process_death(&self) -> Self {
        let mut disk = self.disk().clone();
        disk.faults = Faults::default();
        disk.powered_off = false;
        Self::from_disk(disk)
    }

    /// What is left after the power went, as `seed` decides.
    #[must_use]
    pub fn after_power_cut(&self, seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let disk = self.disk();
        let mood = Mood::from_seed(&mut random);
        let mut names = disk.durable_names.clone();
        for change in &disk.name_changes {
            if mood.keeps(&mut random) {
                change.apply(&mut names);
            }
        }
        let mut files = BTreeMap::new();
        for (file, state) in &disk.files {
            let mut left = state.durable.clone();
            let mut changes: Vec<&Change> = state.changes.iter().collect();
            if mood == Mood::Whimsical && random.below(2) == 0 {
                shuffle(&mut changes, &mut random);
            }
            for change in changes {
                mood.apply(change, &mut left, &mut random);
            }
            files.insert(*file, FileState { durable: left.clone(), cached: left, changes: Vec::new() });
        }
        let next_file = disk.next_file;
        Self::from_disk(Disk { files, durable_names: names.clone(), names, next_file, ..Disk::default() })
    }

    fn from_disk(disk: Disk) -> Self {
        Self { shared: Arc::new(Shared { disk: Mutex::new(disk), resumed: Condvar::new() }) }
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.shared.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change_name(&self, change: NameChange) -> io::Result<()> {
        let mut disk = self.disk();
        disk.begin_operation()?;
        change.apply(&mut disk.names);
        disk.name_changes.push(change);
        Ok(())
    }
}

impl Disk {
    fn check_power(&self) -> io::Result<()> {
        if self.powered_off { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    fn begin_operation(&mut self) -> io::Result<()> {
        self.check_power()?;
        let now = self.operations;
        self.operations += 1;
        if self.faults.cut_at.is_some_and(|(at, _)| at <= now) {
            self.powered_off = true;
        }
        self.check_power()
    }

    fn reserve(&self, file: u64, length: usize) -> io::Result<()> {
        let Some(capacity) = self.faults.capacity else { return Ok(()) };
        let others: usize = self.names.values().filter(|id| **id != file).map(|id| self.files[id].cached.len()).sum();
        let own = self.files[&file].cached.len();
        if length > own && (others + length) as u64 > capacity {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(())
    }

    fn change(&mut self, file: u64, change: Change) {
        let state = self.files.entry(file).or_default();
        change.apply(&mut state.cached);
        state.changes.push(change);
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write { offset, bytes: written } => {
                if bytes.len() < offset + written.len() {
                    bytes.resize(offset + written.len(), 0);
                }
                bytes[*offset..offset + written.len()].copy_from_slice(written);
            }
            Self::SetLength(length) => bytes.resize(*length, 0),
        }
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<String, u64>) {
        match self {
            Self::Create(name, file) => {
                names.insert(name.clone(), *file);
            }
            Self::Rename(from, to, file) => {
                names.remove(from);
                names.insert(to.clone(), *file);
            }
            Self::Remove(name) => {
                names.remove(name);
            }
        }
    }
}

/// How a power cut treats what was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    KeepsAll,
    DropsAll,
    Whimsical,
}

impl Mood {
    fn from_seed(random: &mut SplitMix) -> Self {
        match random.below(8) {
            0 => Self::KeepsAll,
            1 => Self::DropsAll,
            _ => Self::Whimsical,
        }
    }

    fn keeps(self, random: &mut SplitMix) -> bool {
        match self {
            Self::KeepsAll => true,
            Self::DropsAll => false,
            Self::Whimsical => random.below(2) == 0,
        }
    }

    fn apply(self, change: &Change, left: &mut Vec<u8>, random: &mut SplitMix) {
        let (offset, bytes) = match change {
            Change::Write { offset, bytes } if self == Self::Whimsical && !bytes.is_empty() => (*offset, bytes),
            Change::Write { .. } | Change::SetLength(_) => {
                if self.keeps(random) {
                    change.apply(left);
                }
                return;
            }
        };
        let part = |from: usize, to: usize| Change::Write { offset: offset + from, bytes: bytes[from..to].to_vec() };
        match random.below(5) {
            0 => {}
            1 => change.apply(left),
            2 => part(0, random.below_len(bytes.len() + 1)).apply(left),
            3 => part(random.below_len(bytes.len() + 1), bytes.len()).apply(left),
            _ => {
                // Whole sectors of the disk, each by itself.
                let mut from = 0;
                while from < bytes.len() {
                    let to = (from + SECTOR_BYTES - (offset + from) % SECTOR_BYTES).min(bytes.len());
                    if random.below(2) == 0 {
                        part(from, to).apply(left);
                    }
                    from = to;
                }
            }
        }
    }
}

impl Storage for LyingStorage {
    type File = LyingFile;

    fn open(&self, name: &str) -> io::Result<LyingFile> {
        let disk = self.disk();
        disk.check_power()?;
        let file = disk.names.get(name).copied().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(LyingFile { storage: self.clone(), file })
    }

    fn create(&self, name: &str) -> io::Result<LyingFile> {
        let mut disk = self.disk();
        if disk.names.contains_key(name) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        disk.begin_operation()?;
        disk.next_file += 1;
        let file = disk.next_file;
        disk.files.insert(file, FileState::default());
        disk.names.insert(name.to_owned(), file);
        disk.name_changes.push(NameChange::Create(name.to_owned(), file));
        drop(disk);
        Ok(LyingFile { storage: self.clone(), file })
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let disk = self.disk();
        disk.check_power()?;
        Ok(disk.names.keys().cloned().collect())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let file = self.disk().names.get(from).copied().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        self.change_name(NameChange::Rename(from.to_owned(), to.to_owned(), file))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if !self.disk().names.contains_key(name) {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        self.change_name(NameChange::Remove(name.to_owned()))
    }

    fn sync_dir(&self) -> io::Result<()> {
        let mut disk = self.disk();
        disk.begin_operation()?;
        disk.durable_names = disk.names.clone();
        disk.name_changes.clear();
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<Option<u64>> {
        let disk = self.disk();
        disk.check_power()?;
        let used: usize = disk.names.values().map(|file| disk.files[file].cached.len()).sum();
        Ok(disk.faults.capacity.map(|capacity| capacity.saturating_sub(used as u64)))
    }
}

#[derive(Debug)]
pub struct LyingFile {
    storage: LyingStorage,
    file: u64,
}

impl StorageFile for LyingFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let disk = self.storage.disk();
        disk.check_power()?;
        let bytes = &disk.files[&self.file].cached;
        let start = to_index(offset).min(bytes.len());
        let count = buffer.len().min(bytes.len() - start);
        buffer[..count].copy_from_slice(&bytes[start..start + count]);
        Ok(count)
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.storage.disk();
        let offset = to_index(offset);
        let allowed = disk.faults.cut_at.map(|(_, allowed)| allowed);
        disk.reserve(self.file, offset + bytes.len())?;
        let was_on = !disk.powered_off;
        let begun = disk.begin_operation();
        match begun {
            Ok(()) => disk.change(self.file, Change::Write { offset, bytes: bytes.to_vec() }),
            Err(_) if was_on => {
                let reached = allowed.unwrap_or(0).min(bytes.len());
                disk.change(self.file, Change::Write { offset, bytes: bytes[..reached].to_vec() });
            }
            Err(_) => {}
        }
        begun
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut disk = self.storage.disk();
        while disk.stalled {
            disk.stalled_syncs += 1;
            self.storage.shared.resumed.notify_all();
            disk = self.storage.shared.resumed.wait(disk).unwrap_or_else(PoisonError::into_inner);
            disk.stalled_syncs -= 1;
        }
        disk.begin_operation()?;
        let now = disk.syncs;
        disk.syncs += 1;
        let fails = disk.faults.sync_fails_at == Some(now);
        let state = disk.files.entry(self.file).or_default();
        let changes = std::mem::take(&mut state.changes);
        if fails {
            // The cache is marked clean although nothing was kept: a second sync would claim success.
            return Err(io::Error::other("input/output error"));
        }
        for change in changes {
            change.apply(&mut state.durable);
        }
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        let disk = self.storage.disk();
        disk.check_power()?;
        Ok(disk.files[&self.file].cached.len() as u64)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.storage.disk();
        disk.begin_operation()?;
        disk.change(self.file, Change::SetLength(to_index(length)));
        Ok(())
    }

    fn preallocate(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.storage.disk();
        let length = to_index(length);
        disk.reserve(self.file, length)?;
        disk.begin_operation()?;
        if disk.files[&self.file].cached.len() < length {
            disk.change(self.file, Change::SetLength(length));
        }
        Ok(())
    }
}

fn to_index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

fn shuffle<T>(items: &mut [T], random: &mut SplitMix) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below_len(at + 1));
    }
}

/// SplitMix64: small, seeded, and the same on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next_u64() % limit.max(1)
    }

    pub fn below_len(&mut self, limit: usize) -> usize {
        usize::try_from(self.below(limit as u64)).unwrap_or(0)
    }
}
