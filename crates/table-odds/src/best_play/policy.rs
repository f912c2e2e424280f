//! What a player does under one up card: the column of a chart.

use crate::strategy::{CARD_COUNTS, Cell, DOUBLE_COUNTS, Doubled, PairPlay, Play, TOTALS};

use super::hands::HandOf;

/// By soft (1) or hard (0) total and number of cards.
pub(super) type BlockColumn = [[[Cell; CARD_COUNTS]; TOTALS]; 2];

/// Two cards that a third can make a 6-7-8 or a 7-7-7, by value: 6-7, 6-8, 7-8, 7-7.
pub(super) const ON_THE_WAY: [(usize, usize); 4] = [(5, 6), (5, 7), (6, 7), (6, 6)];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Policy {
    /// Hands that can still earn a bonus, then split hands.
    pub(super) blocks: [BlockColumn; 2],
    pub(super) after_double: [[[Doubled; DOUBLE_COUNTS]; TOTALS]; 2],
    pub(super) pairs: [PairPlay; 10],
    pub(super) surrender: [[bool; TOTALS]; 2],
    /// For each of [`ON_THE_WAY`]: mixed, suited, top suit.
    pub(super) on_the_way: [[Play; 3]; 4],
}

impl Policy {
    /// Something to begin with: everybody hits.
    pub(super) const START: Self = Self {
        blocks: [[[[Cell::Hit; CARD_COUNTS]; TOTALS]; 2]; 2],
        after_double: [[[Doubled::Stand; DOUBLE_COUNTS]; TOTALS]; 2],
        pairs: [PairPlay::Split; 10],
        surrender: [[false; TOTALS]; 2],
        on_the_way: [[Play::Hit; 3]; 4],
    };

    pub(super) fn cell(&self, block: usize, hand: &HandOf) -> Cell {
        self.blocks[block][usize::from(hand.soft)][usize::from(hand.total)][group(hand.cards)]
    }
}

/// The row of a number of cards: two to five, then six and more.
pub(super) fn group(cards: u8) -> usize {
    usize::from(cards).clamp(2, CARD_COUNTS + 1) - 2
}
