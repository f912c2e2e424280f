//! Where the last rounds lie in the journal, so that they can be reconstructed from what was recorded.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoundPlace {
    pub round: u64,
    pub first_sequence: u64,
    /// `None` while the round is played.
    pub last_sequence: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Recall {
    places: VecDeque<RoundPlace>,
}

impl Recall {
    /// A round has begun at this record, or is still the one that runs.
    pub(crate) fn begin(&mut self, round: u64, sequence: u64, keep: usize) {
        if self.places.back().is_some_and(|last| last.round == round) {
            return;
        }
        while self.places.len() >= keep.max(1) {
            self.places.pop_front();
        }
        self.places.push_back(RoundPlace { round, first_sequence: sequence, last_sequence: None });
    }

    pub(crate) fn end(&mut self, sequence: u64) {
        if let Some(last) = self.places.back_mut() {
            last.last_sequence.get_or_insert(sequence);
        }
    }

    /// The round before is played again (H5): its records go on, and what was placed in between lies among them.
    pub(crate) fn reopen(&mut self, round: u64) {
        if let Some(last) = self.places.back_mut().filter(|last| last.round == round) {
            last.last_sequence = None;
        }
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &RoundPlace> {
        self.places.iter().rev()
    }
}
