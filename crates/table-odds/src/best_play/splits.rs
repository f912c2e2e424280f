//! What a split pair gains, resplits included.
//!
//! A player by a chart does not look at the other hands of the box, so cards may be moved about in thought: the second
//! cards of all split hands are drawn first, and a hand's own value depends on nothing but how many cards of the pair's
//! value have gone. That makes the sum below exact, with one approximation: values after the third further card of the
//! pair are carried on in a straight line ([`WORKED_OUT`]). `docs/strategy.md` says what that costs.
#![expect(clippy::float_arithmetic, reason = "expected values; no money passes through them")]

use std::collections::BTreeMap;

/// For so many further cards of the pair's value that are gone the hands are worked out; beyond, carried on.
pub(super) const WORKED_OUT: usize = 3;

/// One split hand where so many further cards of the pair's value are gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneHand {
    /// With any second card, played on as it is.
    pub(super) any: f64,
    /// With another card of the pair's value, played on and not split.
    pub(super) pair: f64,
}

#[derive(Debug)]
pub(super) struct Splits {
    hands: Vec<OneHand>,
    /// The chance that the next card is of the pair's value, by the number of those gone.
    pair_chances: Vec<f64>,
    known: BTreeMap<(usize, usize, usize), f64>,
}

impl Splits {
    /// `hands` must not be empty.
    pub(super) fn new(hands: Vec<OneHand>, pair_chances: Vec<f64>) -> Self {
        Self { hands, pair_chances, known: BTreeMap::new() }
    }

    /// What both hands of a pair gain that may be split so many times in all; none where it may not.
    pub(super) fn gain(&mut self, splits: usize) -> Option<f64> {
        splits.checked_sub(1).map(|left| self.waiting(2, left, 0))
    }

    /// What `hands` hands gain that wait for their second card, with so many splits left and so many further cards of the
    /// pair's value gone. The next card splits its hand again, or that hand is played on and the others are as they were,
    /// less the case that the card would have split it.
    fn waiting(&mut self, hands: usize, splits: usize, gone: usize) -> f64 {
        if hands == 0 {
            return 0.0;
        }
        let OneHand { any, pair } = self.one(gone);
        let again = self.pair_chances.get(gone).copied().unwrap_or(0.0);
        if splits == 0 || again <= 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "a box has a few hands")]
            return hands as f64 * any;
        }
        if let Some(known) = self.known.get(&(hands, splits, gone)) {
            return *known;
        }
        let gain = again * self.waiting(hands + 1, splits - 1, gone + 1)
            + (any - again * pair)
            + self.waiting(hands - 1, splits, gone)
            - again * self.waiting(hands - 1, splits, gone + 1);
        self.known.insert((hands, splits, gone), gain);
        gain
    }

    fn one(&self, gone: usize) -> OneHand {
        match (self.hands.get(gone), self.hands.as_slice()) {
            (Some(known), _) => *known,
            (None, [.., before, last]) => {
                #[expect(clippy::cast_precision_loss, reason = "a box has a few hands")]
                let further = (gone + 1 - self.hands.len()) as f64;
                OneHand {
                    any: last.any + further * (last.any - before.any),
                    pair: last.pair + further * (last.pair - before.pair),
                }
            }
            (None, [last]) => *last,
            (None, []) => OneHand { any: 0.0, pair: 0.0 },
        }
    }
}
