//! What the simulation's tests share, one file a question.

pub(crate) mod bonuses;
pub(crate) mod dealers;
pub(crate) mod edges;

/// Whether a count is what `trials` independent trials of this chance give, within `sigmas` standard deviations.
pub(crate) fn assert_count(what: &str, count: u64, trials: u64, chance: f64, sigmas: f64) {
    let trials = trials as f64;
    let expected = trials * chance;
    let deviation = (trials * chance * (1.0 - chance)).sqrt();
    // Half a count of room: a count is whole, its expectation is not.
    let off = ((count as f64 - expected).abs() - 0.5).max(0.0) / deviation;
    assert!(off <= sigmas, "{what}: {count} came, {expected:.1} ± {deviation:.1} were due ({off:.1} sigmas)");
}
