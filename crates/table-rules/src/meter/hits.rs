//! The last payments from a meter, for the display and the regulator.

use crate::money::Cents;

/// How many payments are kept in the ring; the journal has them all.
pub const HITS_KEPT: usize = 25;

/// One payment from a meter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    pub paid: Cents,
    pub round: u32,
    pub seat: u8,
    pub percent: u8,
}

/// A fixed ring: the meter is copied with every snapshot of the table and may not allocate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LastHits {
    ring: [Hit; HITS_KEPT],
    next: u8,
    kept: u8,
}

impl LastHits {
    pub(super) const EMPTY: Self =
        Self { ring: [Hit { paid: Cents::ZERO, round: 0, seat: 0, percent: 0 }; HITS_KEPT], next: 0, kept: 0 };

    pub(super) fn push(&mut self, hit: Hit) {
        self.ring[usize::from(self.next)] = hit;
        let wraps = usize::from(self.next) + 1 == HITS_KEPT;
        self.next = if wraps { 0 } else { self.next + 1 };
        if usize::from(self.kept) < HITS_KEPT {
            self.kept += 1;
        }
    }

    /// Newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = &Hit> {
        let next = usize::from(self.next);
        (1..=usize::from(self.kept)).map(move |back| &self.ring[(next + HITS_KEPT - back) % HITS_KEPT])
    }
}
