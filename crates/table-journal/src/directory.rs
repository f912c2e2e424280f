//! The real storage: one directory on a real file system.
//!
//! One writer at a time, held by a lock on a file of its own; readers need no lock, since segments only ever grow.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FallocateFlags, fallocate, statvfs};

use crate::storage::{Storage, StorageFile};

const LOCK_FILE: &str = "lock";
/// The auditor's group may read the journal; nobody else.
const FILE_MODE: u32 = 0o640;
const DIRECTORY_MODE: u32 = 0o750;

#[derive(Clone, Debug)]
pub struct DirectoryStorage {
    path: PathBuf,
    /// Held for as long as anyone may write; `None` for readers.
    lock: Option<Arc<File>>,
}

impl DirectoryStorage {
    /// Takes the directory for this process alone, making it if needed.
    pub fn for_writing(path: &Path) -> io::Result<Self> {
        if !path.is_dir() {
            fs::DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(path)?;
            if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                File::open(parent)?.sync_all()?;
            }
        }
        let lock =
            OpenOptions::new().write(true).create(true).truncate(false).mode(FILE_MODE).open(path.join(LOCK_FILE))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), lock: Some(Arc::new(lock)) }),
            Err(TryLockError::WouldBlock) => {
                Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process writes this journal"))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reads only; works on a running table's journal and on read-only media.
    pub fn for_reading(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            Ok(Self { path: path.to_owned(), lock: None })
        } else {
            Err(io::Error::new(io::ErrorKind::NotFound, "no such directory"))
        }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn check_writable(&self) -> io::Result<()> {
        match self.lock {
            Some(_) => Ok(()),
            None => Err(io::Error::new(io::ErrorKind::PermissionDenied, "the journal was opened for reading")),
        }
    }
}

impl Storage for DirectoryStorage {
    type File = DirectoryFile;

    fn open(&self, name: &str) -> io::Result<DirectoryFile> {
        let writable = self.lock.is_some();
        let file = OpenOptions::new().read(true).write(writable).open(self.path.join(name))?;
        Ok(DirectoryFile { file, _lock: self.lock.clone() })
    }

    fn create(&self, name: &str) -> io::Result<DirectoryFile> {
        self.check_writable()?;
        let file =
            OpenOptions::new().read(true).write(true).create_new(true).mode(FILE_MODE).open(self.path.join(name))?;
        Ok(DirectoryFile { file, _lock: self.lock.clone() })
    }

    fn list(&self) -> io::Result<Vec<String>> {
        // A name that is not text cannot be one of ours.
        fs::read_dir(&self.path)?
            .map(|entry| entry.map(|entry| entry.file_name().into_string().ok()))
            .filter_map(Result::transpose)
            .filter(|name| !matches!(name.as_deref(), Ok(LOCK_FILE)))
            .collect()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.check_writable()?;
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.check_writable()?;
        fs::remove_file(self.path.join(name))
    }

    fn sync_dir(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    fn free_bytes(&self) -> io::Result<Option<u64>> {
        let figures = statvfs(&self.path)?;
        Ok(Some(figures.f_bavail.saturating_mul(figures.f_frsize)))
    }
}

#[derive(Debug)]
pub struct DirectoryFile {
    file: File,
    /// The directory stays ours while any of its files can still be written.
    _lock: Option<Arc<File>>,
}

impl StorageFile for DirectoryFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read_at(buffer, offset) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn sync(&mut self) -> io::Result<()> {
        // fdatasync: also flushes the length, which is all of the metadata that reading back needs.
        self.file.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        self.file.metadata().map(|metadata| metadata.len())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn preallocate(&mut self, length: u64) -> io::Result<()> {
        match fallocate(&self.file, FallocateFlags::empty(), 0, length) {
            // Some file systems have no such call; the zeros that are written next reserve the space as well.
            Err(rustix::io::Errno::OPNOTSUPP) => Ok(()),
            result => result.map_err(io::Error::from),
        }
    }
}
