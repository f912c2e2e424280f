//! A bucket of permissions that fills again with time. Whole numbers only.

use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

#[derive(Debug)]
pub(super) struct Bucket {
    /// In thousandths, so that a millisecond fills a whole number of them.
    most: u64,
    per_ms: u64,
    state: Mutex<(u64, Instant)>,
}

impl Bucket {
    pub(super) fn new(burst: u32, per_second: u32) -> Self {
        let most = u64::from(burst) * 1_000;
        Self { most, per_ms: u64::from(per_second), state: Mutex::new((most, Instant::now())) }
    }

    /// Takes one, if there is one.
    pub(super) fn take(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = &mut *state;
        let passed = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        if passed > 0 {
            *left = left.saturating_add(passed.saturating_mul(self.per_ms)).min(self.most);
            *since = Instant::now();
        }
        match left.checked_sub(1_000) {
            Some(rest) => {
                *left = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_taken_and_comes_back_with_time() {
        let bucket = Bucket::new(3, 2);
        let taken = |bucket: &Bucket| (0..10).filter(|_| bucket.take()).count();
        assert_eq!(taken(&bucket), 3);
        tokio::time::advance(Duration::from_millis(499)).await;
        assert_eq!(taken(&bucket), 0);
        tokio::time::advance(Duration::from_millis(1_001)).await;
        assert_eq!(taken(&bucket), 3);
        tokio::time::advance(Duration::from_secs(3_600)).await;
        assert_eq!(taken(&bucket), 3, "no more than the burst");
    }
}
