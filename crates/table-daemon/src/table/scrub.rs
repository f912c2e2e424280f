//! The whole journal, read through in the background: slowly, from its first record to where it stood when the round began,
//! and then again. A start reads only the tail; a place that went bad years ago is found here, while there still is a copy.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use table_journal::{BackgroundVerification, DirectoryStorage, Head, JournalError, JournalReader, PublicKey, TableId};

/// A slice is some tens of kilobytes; at this pace the largest journal takes a night, and a core notices nothing.
const RECORDS_A_SLICE: u64 = 100;
const BETWEEN_SLICES: Duration = Duration::from_millis(100);
/// From the start to the first round, and from one round to the next.
const BEFORE_FIRST: Duration = Duration::from_secs(60);
const BETWEEN_ROUNDS: Duration = Duration::from_secs(60 * 60);

/// The thread that reads; it ends with this value.
#[derive(Debug)]
pub(super) struct Scrub {
    durable: Arc<Mutex<Head>>,
    found: Receiver<String>,
    _stop: Sender<()>,
}

/// Whose journal it is, and where.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    pub(super) directory: std::path::PathBuf,
    pub(super) table: TableId,
    pub(super) key: PublicKey,
}

impl Scrub {
    pub(super) fn start(whose: Whose, durable: Head) -> std::io::Result<Self> {
        let durable = Arc::new(Mutex::new(durable));
        let (tell, found) = sync_channel(1);
        let (stop, stopped) = channel();
        let head = Arc::clone(&durable);
        std::thread::Builder::new().name("scrub".to_owned()).spawn(move || rounds(&whose, &head, &tell, &stopped))?;
        Ok(Self { durable, found, _stop: stop })
    }

    /// Tells how far the journal has come, and hears what was found bad.
    pub(super) fn poll(&self, durable: Head) -> Option<String> {
        *self.durable.lock().unwrap_or_else(PoisonError::into_inner) = durable;
        self.found.try_recv().ok()
    }
}

fn rounds(whose: &Whose, durable: &Mutex<Head>, tell: &SyncSender<String>, stopped: &Receiver<()>) {
    let mut pause = BEFORE_FIRST;
    while rests(stopped, pause) {
        pause = BETWEEN_ROUNDS;
        let until = *durable.lock().unwrap_or_else(PoisonError::into_inner);
        match read_through(whose, until, &mut || rests(stopped, BETWEEN_SLICES)) {
            Ok(records) => tracing::info!(records, "the journal was read through and is as it was written"),
            Err(error) => {
                tracing::error!(%error, code = error.code(), "the journal was read through and is damaged");
                let _not_heard = tell.try_send(error.to_string());
            }
        }
    }
}

/// Whether to go on after this.
fn rests(stopped: &Receiver<()>, time: Duration) -> bool {
    matches!(stopped.recv_timeout(time), Err(RecvTimeoutError::Timeout))
}

/// Reads to `until`; `go_on` is asked after every slice. The records read.
fn read_through(whose: &Whose, until: Head, go_on: &mut dyn FnMut() -> bool) -> Result<u64, JournalError> {
    let storage = storage(&whose.directory)?;
    let reader = JournalReader::new(storage, Some(whose.table.clone()), Some(whose.key));
    let mut records = 0;
    for slice in BackgroundVerification::new(reader, until, RECORDS_A_SLICE) {
        records = slice?.records;
        if !go_on() {
            break;
        }
    }
    Ok(records)
}

fn storage(directory: &Path) -> Result<DirectoryStorage, JournalError> {
    DirectoryStorage::for_reading(directory).map_err(|source| JournalError::Storage {
        operation: "open",
        file: directory.display().to_string(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use table_journal::{
        Appender, Entry, EpochIdentity, JournalKey, MonotonicTime, PersonId, Retention, Settings, WallTime,
    };

    use super::*;

    #[test]
    fn a_damaged_old_segment_is_found_and_a_good_journal_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let (table, key) = (TableId::new("T").unwrap(), JournalKey::from_seed(&[7; 32]));
        let whose = Whose { directory: folder.path().to_owned(), table: table.clone(), key: key.public() };
        let identity = EpochIdentity { software: [1; 32], rules_pack: [2; 32] };
        let (wall, monotonic) = (WallTime(0), MonotonicTime(0));
        let settings = Settings {
            segment_bytes: 64 << 10,
            retention: Retention { bytes_max: 64 << 20, ..Settings::default().retention },
            ..Settings::default()
        };
        let storage = DirectoryStorage::for_writing(folder.path()).unwrap();
        let mut appender = Appender::create(storage, table, key, settings, identity, wall, monotonic).unwrap();
        let events = vec![b'x'; 500];
        for _ in 0..400 {
            let entry =
                Entry { content_version: 1, wall, monotonic, person: PersonId::NOBODY, input: b"{}", events: &events };
            appender.append(&entry).unwrap();
            appender.commit().unwrap();
        }
        let until = appender.head();
        let mut slices = 0;
        let mut count = || {
            slices += 1;
            true
        };
        assert_eq!(read_through(&whose, until, &mut count).unwrap(), until.sequence.0);
        assert!(slices > 3, "{slices}");
        assert!(read_through(&whose, until, &mut || false).unwrap() < until.sequence.0, "it stops when it is told");
        let first = folder.path().join("segment-0000000001.hcj");
        let mut bytes = fs::read(&first).unwrap();
        bytes[9_000] ^= 1;
        fs::write(&first, bytes).unwrap();
        let error = read_through(&whose, until, &mut || true).unwrap_err();
        assert!(matches!(error, JournalError::Damaged(_)), "{error}");
        assert!(error.to_string().contains("segment-0000000001"), "{error}");
    }
}
