//! When the journal's head is signed, and the witness that keeps the newest signed head apart from the journal.
//!
//! Signed are every checkpoint, the end of every round at a table with meters, and whatever has waited for a minute: behind
//! the last signature the disk alone proves nothing. The witness lies on another partition and is written by a thread of
//! its own, since that partition may stall without the journal.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use table_journal::{SignatureReady, SignedHead, TableId, WitnessFile};

/// The longest that a record waits for a signature while the table is in play.
const SIGN_EVERY: Duration = Duration::from_secs(60);
/// Only the newest matters; one on its way and one that waits.
const WAITING_MAX: usize = 2;

#[derive(Debug)]
pub(super) struct Signing {
    /// Since when there has been a record that nobody has signed.
    unsigned_since: Option<Instant>,
    witness: SyncSender<SignedHead>,
    /// Why the last one could not be kept.
    lost: Lost,
    thread: JoinHandle<()>,
}

type Lost = Arc<Mutex<Option<String>>>;

impl Signing {
    /// Starts the witness's thread; it ends with this value.
    pub(super) fn start(file: WitnessFile, table: TableId) -> std::io::Result<Self> {
        let (witness, heads) = sync_channel(WAITING_MAX);
        let lost = Lost::default();
        let told = Arc::clone(&lost);
        let thread =
            std::thread::Builder::new().name("witness".to_owned()).spawn(move || keep(&file, &table, &heads, &told))?;
        Ok(Self { unsigned_since: None, witness, lost, thread })
    }

    /// Why the newest signed head is not kept apart from the journal; `None` while it is.
    pub(super) fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a signature is due, at this many records without one.
    pub(super) fn is_due(&mut self, unsigned: u64, now: Instant) -> bool {
        if unsigned == 0 {
            self.unsigned_since = None;
            return false;
        }
        let since = *self.unsigned_since.get_or_insert(now);
        let due = now.duration_since(since) >= SIGN_EVERY;
        if due {
            self.unsigned_since = Some(now);
        }
        due
    }

    /// Waits until the last signed head is kept. Whoever holds what [`Signing::ready`] gave has ended before.
    pub(super) fn finish(self) {
        drop(self.witness);
        if self.thread.join().is_err() {
            tracing::error!("the witness's thread ended by a bug");
        }
    }

    /// What the journal calls with the signed head. A witness that cannot keep up gets the next one.
    pub(super) fn ready(&self) -> SignatureReady {
        let witness = self.witness.clone();
        Box::new(move |signed| {
            let _next_time = witness.try_send(signed);
        })
    }
}

fn keep(file: &WitnessFile, table: &TableId, heads: &Receiver<SignedHead>, lost: &Lost) {
    let tell = |why: Option<String>| *lost.lock().unwrap_or_else(PoisonError::into_inner) = why;
    let mut failing = false;
    while let Ok(first) = heads.recv() {
        let newest = heads.try_iter().last().unwrap_or(first);
        match file.write(table, &newest) {
            Ok(()) if failing => {
                failing = false;
                tell(None);
                tracing::info!(file = %file.path().display(), "the journal's witness is kept again");
            }
            Ok(()) => {}
            Err(cause) if !failing => {
                failing = true;
                tell(Some(cause.to_string()));
                tracing::error!(
                    "the journal's witness {} cannot be written: {cause}; a journal that is cut back would not be noticed",
                    file.path().display()
                );
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use table_journal::{ChainHash, Head, JournalKey, Sequence};

    use super::*;

    #[test]
    fn a_record_waits_at_most_a_minute_for_its_signature() {
        let folder = tempfile::tempdir().unwrap();
        let table = TableId::new("T").unwrap();
        let mut signing = Signing::start(WitnessFile::new(folder.path().join("witness")), table).unwrap();
        let start = Instant::now();
        assert!(!signing.is_due(0, start));
        assert!(!signing.is_due(3, start));
        assert!(!signing.is_due(9, start + SIGN_EVERY - Duration::from_millis(1)));
        assert!(signing.is_due(9, start + SIGN_EVERY));
        assert!(!signing.is_due(9, start + SIGN_EVERY), "it is on its way");
        assert!(!signing.is_due(0, start + SIGN_EVERY));
        assert!(!signing.is_due(1, start + SIGN_EVERY * 5), "a new record has its own minute");
    }

    #[test]
    fn a_witness_that_cannot_be_written_is_told_until_it_can() {
        let folder = tempfile::tempdir().unwrap();
        let (table, key) = (TableId::new("T").unwrap(), JournalKey::from_seed(&[3; 32]));
        let signed = key.sign_head(&table, Head { sequence: Sequence(9), hash: ChainHash([1; 32]) });
        // A directory in its place: not even a superuser replaces it by a file.
        let path = folder.path().join("witness");
        std::fs::create_dir_all(path.join("x")).unwrap();
        let lost = Lost::default();
        let kept = |heads: &Receiver<SignedHead>| keep(&WitnessFile::new(path.clone()), &table, heads, &lost);
        let (send, heads) = sync_channel(2);
        send.send(signed).unwrap();
        drop(send);
        kept(&heads);
        assert!(lost.lock().unwrap().is_some());
        std::thread::scope(|threads| {
            let (send, heads) = sync_channel(0);
            let keeping = threads.spawn(move || kept(&heads));
            send.send(signed).unwrap();
            // Taken only when the first is dealt with.
            send.send(signed).unwrap();
            std::fs::remove_dir_all(&path).unwrap();
            send.send(signed).unwrap();
            send.send(signed).unwrap();
            drop(send);
            keeping.join().unwrap();
        });
        assert_eq!(*lost.lock().unwrap(), None);
    }

    #[test]
    fn the_witness_follows_the_signed_heads() {
        let folder = tempfile::tempdir().unwrap();
        let (table, key) = (TableId::new("T").unwrap(), JournalKey::from_seed(&[3; 32]));
        let file = WitnessFile::new(folder.path().join("witness"));
        let signing = Signing::start(file.clone(), table.clone()).unwrap();
        let signed = key.sign_head(&table, Head { sequence: Sequence(9), hash: ChainHash([1; 32]) });
        signing.ready()(signed);
        let lost = Arc::clone(&signing.lost);
        signing.finish();
        assert_eq!(*lost.lock().unwrap(), None);
        assert_eq!(file.read(&table, key.public()).unwrap(), Some(signed));
    }
}
