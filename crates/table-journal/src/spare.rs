//! The next segment's file, made before it is needed: zeros all through, so that writing into it later neither needs space
//! nor changes metadata, and a full disk shows while there is still a segment to write into.
//!
//! It is filled in slices between records, since writing it at once would hold up the table on a slow card.

use std::io;

use crate::error::JournalError;
use crate::storage::{Storage, StorageFile};

pub(crate) const SPARE_FILE: &str = "spare.hcj";
const SLICE_BYTES: usize = 256 << 10;

#[derive(Debug)]
pub(crate) enum Spare<F> {
    /// Not begun, or given up for want of space; tried again at the next step.
    Absent,
    /// Its space is reserved; zeros are written up to `filled`.
    Filling {
        file: F,
        filled: u64,
    },
    Ready(F),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpareStep {
    Ready,
    MoreToDo,
    DiskFull,
}

impl<F: StorageFile> Spare<F> {
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Ready(_) => true,
            Self::Absent | Self::Filling { .. } => false,
        }
    }

    pub(crate) fn is_reserved(&self) -> bool {
        match self {
            Self::Ready(_) | Self::Filling { .. } => true,
            Self::Absent => false,
        }
    }

    /// One slice of work towards a spare of `bytes`. A full disk is an answer, every other failure is fatal.
    pub(crate) fn step<S: Storage<File = F>>(&mut self, storage: &S, bytes: u64) -> Result<SpareStep, JournalError> {
        match self.try_step(storage, bytes) {
            Ok(step) => Ok(step),
            Err((_, source)) if is_out_of_space(&source) => {
                *self = Self::Absent;
                // A half-made spare would keep the space from everyone; better none.
                let failed = |operation| JournalError::storage(operation, SPARE_FILE);
                if exists(storage).map_err(failed("list"))? {
                    storage.remove(SPARE_FILE).map_err(failed("remove"))?;
                }
                Ok(SpareStep::DiskFull)
            }
            Err((operation, source)) => Err(JournalError::Storage { operation, file: SPARE_FILE.to_owned(), source }),
        }
    }

    fn try_step<S: Storage<File = F>>(
        &mut self,
        storage: &S,
        bytes: u64,
    ) -> Result<SpareStep, (&'static str, io::Error)> {
        let failed = |operation| move |source| (operation, source);
        match std::mem::replace(self, Self::Absent) {
            Self::Ready(file) => {
                *self = Self::Ready(file);
                Ok(SpareStep::Ready)
            }
            Self::Absent => {
                // One left by an earlier run may hold anything; it is filled anew in place.
                let mut file = if exists(storage).map_err(failed("list"))? {
                    storage.open(SPARE_FILE).map_err(failed("open"))?
                } else {
                    storage.create(SPARE_FILE).map_err(failed("create"))?
                };
                file.preallocate(bytes).map_err(failed("preallocate"))?;
                *self = Self::Filling { file, filled: 0 };
                Ok(SpareStep::MoreToDo)
            }
            Self::Filling { mut file, filled } => {
                let slice = usize::try_from(bytes - filled).unwrap_or(SLICE_BYTES).min(SLICE_BYTES);
                file.write_at(filled, &vec![0; slice]).map_err(failed("write"))?;
                // Each slice is synced on its own, so that the last one does not stall for the whole file.
                let filled = filled + slice as u64;
                if filled < bytes {
                    file.sync().map_err(failed("sync"))?;
                    *self = Self::Filling { file, filled };
                    return Ok(SpareStep::MoreToDo);
                }
                file.truncate(bytes).map_err(failed("truncate"))?;
                file.sync().map_err(failed("sync"))?;
                storage.sync_dir().map_err(failed("sync"))?;
                *self = Self::Ready(file);
                Ok(SpareStep::Ready)
            }
        }
    }

    /// Hands out the file if it is ready.
    pub(crate) fn take(&mut self) -> Option<F> {
        match std::mem::replace(self, Self::Absent) {
            Self::Ready(file) => Some(file),
            other @ (Self::Absent | Self::Filling { .. }) => {
                *self = other;
                None
            }
        }
    }
}

fn exists<S: Storage>(storage: &S) -> io::Result<bool> {
    Ok(storage.list()?.iter().any(|name| name == SPARE_FILE))
}

fn is_out_of_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}
