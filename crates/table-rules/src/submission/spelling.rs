//! "Did you mean": the known word nearest to a mistyped one.

/// Longer words are not typing slips of ours, and comparing them costs time.
const WORD_BYTES_MAX: usize = 48;

/// The known word that a slip or two away from `word`, if one is.
pub(super) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    if word.is_empty() || word.len() > WORD_BYTES_MAX {
        return None;
    }
    let asked = folded(word);
    let slips_max = (asked.len() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (slips(&asked, &folded(candidate)), candidate))
        .filter(|(slips, _)| *slips <= slips_max)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// Case and the choice between `-`, `_` and nothing are no slips worth counting.
fn folded(word: &str) -> Vec<char> {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Letters to insert, drop or change (edit distance).
fn slips(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (b, above) in to.iter().zip(row.iter_mut().skip(1)) {
            let best = (diagonal + usize::from(a != b)).min(left + 1).min(*above + 1);
            diagonal = *above;
            *above = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let known = ["soft_17", "settlement", "smallest_chip", "max_splits", "max_ace_splits"];
        assert_eq!(nearest("soft-17", known), Some("soft_17"));
        assert_eq!(nearest("setlement", known), Some("settlement"));
        assert_eq!(nearest("max_split", known), Some("max_splits"));
        assert_eq!(nearest("MaxAceSplits", known), Some("max_ace_splits"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"x".repeat(2_000_000), known), None);
    }

    #[test]
    fn distance_counts_single_letters() {
        let count = |a: &str, b: &str| slips(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("abc", "abc"), 0);
    }
}
