//! When a checkpoint is tried: at once when one is due, but never while one is on its way, and once a minute while they fail.
//! A journal that takes records and no checkpoint is no danger to the table, only to the length of its next start; neither
//! the log nor a disk that stalls is to drown in them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use table_journal::{Head, JournalError};

const AGAIN_AFTER: Duration = Duration::from_secs(60);

/// How the last trial went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Trial {
    /// Or there was none yet.
    #[default]
    Saved,
    OnItsWay,
    Failed,
}

#[derive(Debug, Default)]
pub(super) struct Checkpoints {
    /// Told by the journal's own thread.
    last: Arc<Mutex<Trial>>,
    tried: Option<Instant>,
}

impl Checkpoints {
    /// Whether one that is due may be tried now. If so, it counts as on its way.
    pub(super) fn try_now(&mut self, now: Instant) -> bool {
        let just_tried = self.tried.is_some_and(|tried| now.duration_since(tried) < AGAIN_AFTER);
        match *lock(&self.last) {
            Trial::OnItsWay => return false,
            Trial::Failed if just_tried => return false,
            Trial::Failed | Trial::Saved => {}
        }
        *lock(&self.last) = Trial::OnItsWay;
        self.tried = Some(now);
        true
    }

    /// For the journal to say how this trial ended.
    pub(super) fn outcome(&self) -> impl FnOnce(Result<Head, Arc<JournalError>>) + Send + 'static {
        let last = Arc::clone(&self.last);
        move |saved| match saved {
            Ok(_) => *lock(&last) = Trial::Saved,
            Err(why) => {
                *lock(&last) = Trial::Failed;
                tracing::warn!(%why, "a checkpoint was not saved: the next start reads more of the journal");
            }
        }
    }

    /// The journal did not even take it.
    pub(super) fn was_not_taken(&self) {
        *lock(&self.last) = Trial::Failed;
        tracing::warn!("a checkpoint could not be written yet");
    }
}

/// A trial is one word: whoever panicked with it in hand left nothing half done.
fn lock(trial: &Mutex<Trial>) -> MutexGuard<'_, Trial> {
    trial.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use table_journal::{ChainHash, Sequence};

    use super::*;

    #[test]
    fn a_checkpoint_that_fails_is_tried_again_once_a_minute() {
        let start = Instant::now();
        let mut checkpoints = Checkpoints::default();
        assert!(checkpoints.try_now(start));
        checkpoints.outcome()(Err(Arc::new(JournalError::RecordTooLarge { bytes: 2, max: 1 })));
        for quarter in 1..240 {
            assert!(!checkpoints.try_now(start + Duration::from_millis(250) * quarter));
        }
        assert!(checkpoints.try_now(start + AGAIN_AFTER));
        checkpoints.was_not_taken();
        assert!(!checkpoints.try_now(start + AGAIN_AFTER + Duration::from_secs(1)));
        assert!(checkpoints.try_now(start + AGAIN_AFTER * 2));
    }

    #[test]
    fn a_disk_that_stalls_gets_no_second_checkpoint_until_the_first_is_saved() {
        let start = Instant::now();
        let mut checkpoints = Checkpoints::default();
        assert!(checkpoints.try_now(start));
        let outcome = checkpoints.outcome();
        assert!(!checkpoints.try_now(start + Duration::from_millis(250)));
        assert!(!checkpoints.try_now(start + AGAIN_AFTER * 2));
        outcome(Ok(Head { sequence: Sequence(1), hash: ChainHash([0; 32]) }));
        // Nothing has failed since: the next one that is due need not wait.
        assert!(checkpoints.try_now(start + Duration::from_millis(500)));
    }
}
