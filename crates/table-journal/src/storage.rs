//! The little that the journal asks of a disk.
//!
//! The contract every implementation keeps: nothing is durable before `sync` (a file's bytes and length) or `sync_dir`
//! (names) has returned `Ok`; after a failed `sync` nothing may be assumed about what was written since the last good
//! one, and the journal never asks again.

use std::fmt;
use std::io;

pub trait Storage: fmt::Debug {
    type File: StorageFile;

    /// Opens a file that exists.
    fn open(&self, name: &str) -> io::Result<Self::File>;
    /// Makes a file that does not exist.
    fn create(&self, name: &str) -> io::Result<Self::File>;
    /// The names of all files, in any order.
    fn list(&self) -> io::Result<Vec<String>>;
    /// Gives the file another name, in one step.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Makes creations, renamings and removals durable.
    fn sync_dir(&self) -> io::Result<()>;
    /// Bytes still free for this journal, where the storage can tell.
    fn free_bytes(&self) -> io::Result<Option<u64>>;
}

pub trait StorageFile: fmt::Debug {
    /// Reads at most `buffer.len()` bytes; 0 at the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes all of `bytes`, making the file longer where needed.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Makes everything written so far durable.
    fn sync(&mut self) -> io::Result<()>;
    fn len(&self) -> io::Result<u64>;
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
    /// Cuts the file to `length`.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Reserves space so that writing below `length` cannot run out of it; the file reads as zero there.
    fn preallocate(&mut self, length: u64) -> io::Result<()>;
}

/// Fills as much of `buffer` as the file has.
pub(crate) fn read_up_to<F: StorageFile>(file: &F, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(offset + filled as u64, &mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}
