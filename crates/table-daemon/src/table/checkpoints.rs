//! When a checkpoint is tried: at once when one is due, but once a minute while they fail. A journal that takes records and no
//! checkpoint is no danger to the table, only to the length of its next start; the log is not to drown in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use table_journal::{Head, JournalError};

const AGAIN_AFTER: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Checkpoints {
    /// Of the last trial; its outcome comes from the journal's own thread.
    failed: Arc<AtomicBool>,
    tried: Option<Instant>,
}

impl Checkpoints {
    /// Whether one that is due may be tried now. If so, it counts as tried.
    pub(super) fn try_now(&mut self, now: Instant) -> bool {
        let waits = self.tried.is_some_and(|tried| now.duration_since(tried) < AGAIN_AFTER);
        if waits && self.failed.load(Ordering::Relaxed) {
            return false;
        }
        self.failed.store(false, Ordering::Relaxed);
        self.tried = Some(now);
        true
    }

    /// For the journal to say how this trial ended.
    pub(super) fn outcome(&self) -> impl FnOnce(Result<Head, Arc<JournalError>>) + Send + 'static {
        let failed = Arc::clone(&self.failed);
        move |saved| {
            if let Err(why) = saved {
                failed.store(true, Ordering::Relaxed);
                tracing::warn!(%why, "a checkpoint was not saved: the next start reads more of the journal");
            }
        }
    }

    /// The journal did not even take it.
    pub(super) fn was_not_taken(&self) {
        self.failed.store(true, Ordering::Relaxed);
        tracing::warn!("a checkpoint could not be written yet");
    }
}

#[cfg(test)]
mod tests {
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
        // Nothing has failed since: the next one that is due need not wait.
        assert!(checkpoints.try_now(start + AGAIN_AFTER * 2 + Duration::from_millis(250)));
    }
}
