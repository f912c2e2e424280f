//! How much room the daemon's directories have, for the picture: they are closed to the console's user, so the daemon looks.
//!
//! On a thread of its own, now and then: a disk that stalls stalls that thread, and the figures say how old they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use operator_api::DiskPicture;

const LOOK_EVERY: Duration = Duration::from_secs(10);

/// What was found last. The thread ends with the last one who wants to know.
#[derive(Debug)]
pub(super) struct Disks {
    found: Arc<Mutex<Vec<DiskPicture>>>,
}

impl Disks {
    pub(super) fn watch(directories: Vec<PathBuf>) -> Self {
        let found = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::downgrade(&found);
        let spawned = std::thread::Builder::new().name("disks".to_owned()).spawn(move || {
            loop {
                let looked: Vec<DiskPicture> = directories.iter().filter_map(|directory| look(directory)).collect();
                let Some(found) = told.upgrade() else { return };
                *found.lock().unwrap_or_else(PoisonError::into_inner) = looked;
                drop(found);
                std::thread::sleep(LOOK_EVERY);
            }
        });
        if let Err(error) = spawned {
            tracing::warn!(%error, "nobody looks at the room on the disks");
        }
        Self { found }
    }

    pub(super) fn found(&self) -> Vec<DiskPicture> {
        // The other side holds it while it puts something there, never while it looks.
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn look(directory: &Path) -> Option<DiskPicture> {
    let space = rustix::fs::statvfs(directory).ok()?;
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes: Vec<u64> =
        files.filter_map(|file| file.metadata().ok()).filter(fs::Metadata::is_file).map(|about| about.len()).collect();
    Some(DiskPicture {
        directory: directory.display().to_string(),
        bytes: space.f_blocks.saturating_mul(space.f_frsize),
        free: space.f_bavail.saturating_mul(space.f_frsize),
        files: u64::try_from(sizes.len()).unwrap_or(u64::MAX),
        files_bytes: sizes.iter().sum(),
        at_ms: Timestamp::now().as_millisecond(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_and_what_lies_there_are_told_and_what_is_missing_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("one"), [0; 10]).unwrap();
        fs::write(folder.path().join("two"), [0; 5]).unwrap();
        let found = look(folder.path()).unwrap();
        assert_eq!((found.files, found.files_bytes), (2, 15));
        assert!(found.bytes >= found.free && found.bytes > 0);
        assert_eq!(look(&folder.path().join("nowhere")), None);
    }
}
