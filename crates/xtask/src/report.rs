//! What a step found.

/// Counts of what passed and failed, and lines for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Report {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Each failure in a line: what, where, and what to do.
    pub(crate) failures: Vec<String>,
    /// Worth knowing, not wrong.
    pub(crate) notes: Vec<String>,
}

impl Report {
    /// One check: passed if it found nothing.
    pub(crate) fn of_check(failures: Vec<String>) -> Self {
        let failed = failures.len();
        Self { passed: usize::from(failed == 0), failed, failures, notes: Vec::new() }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}
