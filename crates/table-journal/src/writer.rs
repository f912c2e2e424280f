//! The journal's own thread: a bounded queue in, one sync for everything that waits, an acknowledgement out for each.
//!
//! The caller never blocks on the disk. A full queue is an answer, so that a stalled card shows as "saving" and not as a
//! hang; nothing is acknowledged before the sync that covers it, and after a failure everyone waiting is told.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::appender::{Appender, Entry};
use crate::error::JournalError;
use crate::keys::SignedHead;
use crate::space::Space;
use crate::storage::Storage;
use crate::types::{Epoch, EpochIdentity, Head, MonotonicTime, PersonId, Sequence, WallTime};

/// An entry that travels to the writer's thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedEntry {
    pub content_version: u16,
    pub wall: WallTime,
    pub monotonic: MonotonicTime,
    pub person: PersonId,
    pub input: Vec<u8>,
    pub events: Vec<u8>,
}

impl OwnedEntry {
    fn as_entry(&self) -> Entry<'_> {
        Entry {
            content_version: self.content_version,
            wall: self.wall,
            monotonic: self.monotonic,
            person: self.person,
            input: &self.input,
            events: &self.events,
        }
    }
}

/// Given once for each accepted submission, from the writer's thread: the record as durable, or why it is not. The error
/// is shared with everyone else it concerns.
pub type Acknowledgement = Box<dyn FnOnce(Result<Head, Arc<JournalError>>) + Send>;

/// Given the newest signed head, from the writer's thread, once it is durable.
pub type SignatureReady = Box<dyn FnOnce(SignedHead) + Send>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterSettings {
    /// Submissions that may wait; beyond it the caller is refused.
    pub queue_records: usize,
    /// At most this many share one sync.
    pub batch_records: usize,
}

impl Default for WriterSettings {
    fn default() -> Self {
        // A burst at the table is tens of inputs; a ten-second stall at one a second fits many times over.
        Self { queue_records: 1024, batch_records: 256 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    #[error("the journal's queue is full; it is still saving")]
    QueueFull,
    #[error("the journal has stopped")]
    Stopped,
}

/// What the writer last said about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub durable: Head,
    pub epoch: Epoch,
    pub space: Option<Space>,
    pub checkpoint_due: bool,
    /// Records that no signature covers yet.
    pub unsigned: u64,
    /// Syncs so far; with the sequence it shows how many records shared one.
    pub commits: u64,
    pub stopped: bool,
}

enum Job {
    Append(OwnedEntry, Waiter),
    Together(Vec<(OwnedEntry, Waiter)>),
    Checkpoint(OwnedEntry, Waiter),
    Sign(WallTime, MonotonicTime, SignatureReady),
    BeginEpoch(EpochIdentity, OwnedEntry, Waiter),
    Stop,
}

/// Someone who is owed an answer and gets one in every case: a submission that slips into the queue while the thread ends,
/// or that a panic leaves behind, is answered when it is dropped.
struct Waiter(Option<Acknowledgement>);

impl Waiter {
    fn answer(mut self, result: Result<Head, Arc<JournalError>>) {
        if let Some(acknowledge) = self.0.take() {
            acknowledge(result);
        }
    }

    /// The submission was refused to the caller's face; there is nothing more to say.
    fn dismiss(mut self) {
        self.0 = None;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if let Some(acknowledge) = self.0.take() {
            acknowledge(Err(Arc::new(JournalError::Stopped)));
        }
    }
}

pub struct Writer {
    jobs: SyncSender<Job>,
    status: Arc<Mutex<Status>>,
    thread: Option<JoinHandle<Result<Head, Arc<JournalError>>>>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("status", &self.status()).finish_non_exhaustive()
    }
}

impl Writer {
    /// Moves the appender to a thread of its own.
    pub fn start<S>(appender: Appender<S>, settings: WriterSettings) -> std::io::Result<Self>
    where
        S: Storage + Clone + Send + 'static,
        S::File: Send,
    {
        let (jobs, queue) = sync_channel(settings.queue_records.max(1));
        let status = Arc::new(Mutex::new(status_of(&appender, appender.space().ok(), 0)));
        let worker = Worker {
            appender,
            queue,
            batch_records: settings.batch_records.max(1),
            waiting: Vec::new(),
            status: Arc::clone(&status),
            commits: 0,
        };
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(move || worker.run())?;
        Ok(Self { jobs, status, thread: Some(thread) })
    }

    /// Queues a record; `acknowledge` is called once it is durable. Never waits.
    pub fn submit(&self, entry: OwnedEntry, acknowledge: Acknowledgement) -> Result<(), SubmitError> {
        self.send(Job::Append(entry, Waiter(Some(acknowledge))))
    }

    /// Queues records that belong to one moment: none of them is synced before all of them can be.
    pub fn submit_together(&self, entries: Vec<(OwnedEntry, Acknowledgement)>) -> Result<(), SubmitError> {
        let entries = entries.into_iter().map(|(entry, acknowledge)| (entry, Waiter(Some(acknowledge))));
        self.send(Job::Together(entries.collect()))
    }

    /// Queues the caller's state (in `events`) as a checkpoint after everything submitted before.
    pub fn checkpoint(&self, state: OwnedEntry, acknowledge: Acknowledgement) -> Result<(), SubmitError> {
        self.send(Job::Checkpoint(state, Waiter(Some(acknowledge))))
    }

    /// Queues a signature over everything submitted before; `ready` gets the signed head when it is durable, and is not
    /// called where the journal fails first.
    pub fn sign(&self, wall: WallTime, monotonic: MonotonicTime, ready: SignatureReady) -> Result<(), SubmitError> {
        self.send(Job::Sign(wall, monotonic, ready))
    }

    /// Queues the start of a new epoch; only times and person of `entry` count.
    pub fn begin_epoch(
        &self,
        identity: EpochIdentity,
        entry: OwnedEntry,
        acknowledge: Acknowledgement,
    ) -> Result<(), SubmitError> {
        self.send(Job::BeginEpoch(identity, entry, Waiter(Some(acknowledge))))
    }

    #[must_use]
    pub fn status(&self) -> Status {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for everything queued, notes the head and ends the thread.
    pub fn stop(mut self) -> Result<Head, Arc<JournalError>> {
        self.join().unwrap_or_else(|| Err(Arc::new(JournalError::Stopped)))
    }

    fn join(&mut self) -> Option<Result<Head, Arc<JournalError>>> {
        let thread = self.thread.take()?;
        // A thread that has ended already needs no word.
        let _ = self.jobs.send(Job::Stop);
        thread.join().ok()
    }

    fn send(&self, job: Job) -> Result<(), SubmitError> {
        let (refused, error) = match self.jobs.try_send(job) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Full(job)) => (job, SubmitError::QueueFull),
            Err(TrySendError::Disconnected(job)) => (job, SubmitError::Stopped),
        };
        match refused {
            Job::Append(_, waiter) | Job::Checkpoint(_, waiter) | Job::BeginEpoch(_, _, waiter) => waiter.dismiss(),
            Job::Together(entries) => entries.into_iter().for_each(|(_, waiter)| waiter.dismiss()),
            Job::Sign(..) | Job::Stop => {}
        }
        Err(error)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.join();
    }
}

struct Worker<S: Storage> {
    appender: Appender<S>,
    queue: Receiver<Job>,
    batch_records: usize,
    /// Appended, waiting for the sync.
    waiting: Vec<(Head, Waiter)>,
    status: Arc<Mutex<Status>>,
    commits: u64,
}

/// How long the queue must be quiet before the spare gets a slice of work.
const QUIET: Duration = Duration::from_millis(20);
/// How often a journal without a spare looks again for room.
const RETRY: Duration = Duration::from_secs(5);
/// How often the disk is asked for its room under steady traffic; a segment takes many times as many.
const SPACE_EVERY_COMMITS: u64 = 64;

impl<S: Storage + Clone> Worker<S> {
    fn run(mut self) -> Result<Head, Arc<JournalError>> {
        let result = self.work();
        if let Err(error) = &result {
            self.fail_everyone(error);
        }
        self.publish();
        let stopped = |status: &Mutex<Status>| status.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
        stopped(&self.status);
        result?;
        self.appender.shut_down().map_err(Arc::new)
    }

    fn work(&mut self) -> Result<(), Arc<JournalError>> {
        let mut idle = QUIET;
        loop {
            match self.queue.recv_timeout(idle) {
                Ok(job) => {
                    if !self.batch(job)? {
                        return Ok(());
                    }
                    idle = QUIET;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let more = self.appender.prepare_spare().map_err(Arc::new)?;
                    idle = if more { QUIET } else { RETRY };
                    self.publish();
                    self.publish_space();
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Takes what waits, up to the batch size, makes it durable with one sync and acknowledges. `false` after `Stop`.
    fn batch(&mut self, first: Job) -> Result<bool, Arc<JournalError>> {
        let mut next = Some(first);
        let mut go_on = true;
        while let Some(job) = next {
            match job {
                Job::Append(entry, waiter) => {
                    let appended = self.appender.append(&entry.as_entry());
                    self.placed(appended, waiter)?;
                }
                Job::Together(entries) => {
                    for (entry, waiter) in entries {
                        let appended = self.appender.append(&entry.as_entry());
                        self.placed(appended, waiter)?;
                    }
                }
                Job::Checkpoint(state, waiter) => {
                    let appended = self.appender.checkpoint(&state.as_entry());
                    self.placed(appended, waiter)?;
                }
                Job::Sign(wall, monotonic, ready) => {
                    let signed = self.appender.sign(wall, monotonic).map_err(Arc::new)?;
                    self.publish();
                    ready(signed);
                }
                Job::BeginEpoch(identity, entry, waiter) => {
                    let begun = self.appender.begin_epoch(identity, entry.wall, entry.monotonic, entry.person);
                    let appended = begun.map(|_| self.appender.appended().sequence);
                    self.placed(appended, waiter)?;
                }
                Job::Stop => {
                    go_on = false;
                    break;
                }
            }
            if self.waiting.len() >= self.batch_records {
                break;
            }
            next = self.queue.try_recv().ok();
        }
        self.appender.commit().map_err(Arc::new)?;
        self.commits += 1;
        // The status first: whoever is acknowledged may look at it. Asking the disk for its room can wait.
        self.publish();
        for (head, waiter) in self.waiting.drain(..) {
            waiter.answer(Ok(head));
        }
        // In a quiet moment it is asked for anyway.
        if self.commits.is_multiple_of(SPACE_EVERY_COMMITS) {
            self.publish_space();
        }
        // Under steady traffic there is no quiet moment, and a change of segments without a spare would be a long stall.
        if self.appender.spare_is_urgent() {
            self.appender.prepare_spare().map_err(Arc::new)?;
        }
        Ok(go_on)
    }

    /// Notes who waits for the sync. A refusal concerns its record alone; anything else ends the journal.
    fn placed(&mut self, appended: Result<Sequence, JournalError>, waiter: Waiter) -> Result<(), Arc<JournalError>> {
        match appended {
            Ok(_) => {
                self.waiting.push((self.appender.appended(), waiter));
                Ok(())
            }
            Err(error @ (JournalError::Full(_) | JournalError::RecordTooLarge { .. })) => {
                waiter.answer(Err(Arc::new(error)));
                Ok(())
            }
            Err(error) => {
                let error = Arc::new(error);
                waiter.answer(Err(Arc::clone(&error)));
                Err(error)
            }
        }
    }

    fn fail_everyone(&mut self, error: &Arc<JournalError>) {
        for (_, waiter) in self.waiting.drain(..) {
            waiter.answer(Err(Arc::clone(error)));
        }
        while let Ok(job) = self.queue.try_recv() {
            match job {
                Job::Append(_, waiter) | Job::Checkpoint(_, waiter) | Job::BeginEpoch(_, _, waiter) => {
                    waiter.answer(Err(Arc::clone(error)));
                }
                Job::Together(entries) => {
                    entries.into_iter().for_each(|(_, waiter)| waiter.answer(Err(Arc::clone(error))));
                }
                Job::Sign(..) | Job::Stop => {}
            }
        }
    }

    /// Everything but the room that is left, which stays as it was last found.
    fn publish(&self) {
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        *status = status_of(&self.appender, status.space, self.commits);
    }

    fn publish_space(&self) {
        let space = self.appender.space().ok();
        self.status.lock().unwrap_or_else(PoisonError::into_inner).space = space;
    }
}

fn status_of<S: Storage + Clone>(appender: &Appender<S>, space: Option<Space>, commits: u64) -> Status {
    Status {
        durable: appender.head(),
        epoch: appender.epoch(),
        space,
        checkpoint_due: appender.checkpoint_due(),
        unsigned: appender.unsigned(),
        commits,
        stopped: appender.check_running().is_err(),
    }
}
