//! Every hand a player can hold, by its cards without regard to order: some three thousand of them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::shoe::VALUES;

/// Cards of each point value, the ace first.
pub(super) type Counts = [u8; VALUES];

/// The best count of these cards, and whether an ace counts 11 in it.
pub(super) fn best_total(cards: &Counts) -> (u8, bool) {
    let hard = hard_total(cards);
    if cards[0] > 0 && hard <= 11 { (hard + 10, true) } else { (hard, false) }
}

/// With every ace as 1.
fn hard_total(cards: &Counts) -> u8 {
    (1..).zip(cards).map(|(points, count): (u8, &u8)| points * count).sum()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HandOf {
    pub(super) counts: Counts,
    pub(super) cards: u8,
    pub(super) total: u8,
    pub(super) soft: bool,
    /// The hand with one card of each value more; none where that is over 21.
    pub(super) next: [Option<u16>; VALUES],
}

/// All hands of one or more cards, those of the least hard total first: a card always leads further down the list.
#[derive(Clone, Debug)]
pub(super) struct Hands {
    all: Vec<HandOf>,
    /// Where the hands of each hard total lie.
    of_hard: [Range<usize>; 22],
}

impl Hands {
    pub(super) fn new() -> Self {
        let mut found: BTreeMap<(u8, Counts), u8> = BTreeMap::new();
        add_from(0, [0; VALUES], 0, &mut found);
        let places: BTreeMap<Counts, u16> = found.keys().map(|(_, counts)| *counts).zip(0..).collect();
        let mut of_hard = [const { 0..0 }; 22];
        let mut all = Vec::with_capacity(found.len());
        for ((hard, counts), cards) in &found {
            let range = &mut of_hard[usize::from(*hard)];
            let start = if range.end == 0 { all.len() } else { range.start };
            *range = start..all.len() + 1;
            let (total, soft) = best_total(counts);
            let next = std::array::from_fn(|value| {
                let mut with = *counts;
                with[value] += 1;
                places.get(&with).copied()
            });
            all.push(HandOf { counts: *counts, cards: *cards, total, soft, next });
        }
        Self { all, of_hard }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, place: usize) -> &HandOf {
        &self.all[place]
    }

    pub(super) fn of_hard(&self, hard: usize) -> Range<usize> {
        self.of_hard[hard].clone()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &HandOf)> {
        self.all.iter().enumerate()
    }

    /// The hand of one card of this value: one of those with its hard total, found by looking.
    pub(super) fn single(&self, value: usize) -> usize {
        self.of_hard(value + 1).find(|place| self.all[*place].cards == 1).unwrap_or(0)
    }

    /// The hand of these two cards.
    pub(super) fn pair_of(&self, first: usize, second: usize) -> usize {
        self.all[self.single(first)].next[second].map_or(0, usize::from)
    }
}

fn add_from(least: usize, cards: Counts, len: u8, found: &mut BTreeMap<(u8, Counts), u8>) {
    for value in least..VALUES {
        let mut with = cards;
        with[value] += 1;
        let hard = hard_total(&with);
        if hard <= 21 {
            found.insert((hard, with), len + 1);
            add_from(value, with, len + 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_leads_to_the_hand_with_that_card_further_down() {
        let hands = Hands::new();
        assert_eq!(hands.len(), (1..=21).map(|hard| hands.of_hard(hard).len()).sum::<usize>());
        for (place, hand) in hands.iter() {
            for (value, next) in hand.next.iter().enumerate() {
                let Some(next) = next else { continue };
                let with = hands.get(usize::from(*next));
                assert!(usize::from(*next) > place);
                assert_eq!((with.cards, with.counts[value]), (hand.cards + 1, hand.counts[value] + 1));
            }
        }
        let pair = hands.get(hands.pair_of(0, 0));
        assert_eq!((pair.total, pair.soft, pair.cards), (12, true, 2));
        let twenty = hands.get(hands.pair_of(9, 9));
        assert_eq!(
            (twenty.total, twenty.soft, twenty.next),
            (20, false, {
                let mut next = [None; VALUES];
                next[0] = twenty.next[0];
                next
            })
        );
    }
}
