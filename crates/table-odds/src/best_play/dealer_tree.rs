//! Every final hand of the dealer under one up card, as a tree that any remaining shoe is weighed by.
//!
//! Hands that differ only in the order of their cards are one leaf with the number of its orders, so that one shoe costs
//! some hundreds of multiplications and no recursion.
#![expect(clippy::float_arithmetic, reason = "chances of the dealer's hands; no money passes through them")]

use std::collections::BTreeMap;

use table_rules::table::Soft17;

use super::hands::{Counts, best_total};
use crate::dealer::DEALER_CARDS_MAX;
use crate::shoe::VALUES;

/// How the dealer ends: 17 to 21, 22, more.
pub(super) const ENDINGS: usize = 7;
/// The place of 22, which a Switch dealer ties with.
pub(super) const TWENTY_TWO: usize = 5;

/// Chances of the dealer's endings, a blackjack ruled out.
pub(super) type Endings = [f64; ENDINGS];

#[derive(Clone, Debug)]
pub(super) struct DealerTree {
    nodes: Vec<Node>,
    /// The value that would make a blackjack with the up card.
    pub(super) blackjack_with: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    value: u8,
    /// How many cards of this value lie above on the way from the root.
    before: u8,
    /// Cards drawn before this one.
    depth: u8,
    ending: u8,
    /// Orders in which a dealer's hand ends with exactly these cards.
    orders: f64,
}

impl DealerTree {
    pub(super) fn new(up: usize, soft_17: Soft17) -> Self {
        let blackjack_with = match up {
            0 => Some(9),
            9 => Some(0),
            _ => None,
        };
        Self { nodes: grow(&final_hands(up, soft_17, blackjack_with)), blackjack_with }
    }

    /// The chances with these cards left, the hole card among them, and no dealer blackjack. `scratch` is only room.
    pub(super) fn endings(&self, left: &[u32; VALUES], scratch: &mut Vec<f64>) -> Endings {
        let all: u32 = left.iter().sum();
        let mut per_card = [0.0; DEALER_CARDS_MAX];
        for (share, depth) in per_card.iter_mut().zip(0..) {
            *share = if all > depth { 1.0 / f64::from(all - depth) } else { 0.0 };
        }
        let left = left.map(f64::from);
        let mut endings = [0.0; ENDINGS];
        scratch.clear();
        scratch.push(1.0);
        for node in &self.nodes {
            let there = left[usize::from(node.value)] - f64::from(node.before);
            let chance = scratch[node.parent as usize] * there * per_card[usize::from(node.depth)];
            scratch.push(chance);
            endings[usize::from(node.ending)] += node.orders * chance;
        }
        // What is missing is the blackjack.
        let known: f64 = endings.iter().sum();
        endings.map(|chance| chance / known)
    }
}

/// The cards a dealer draws under this up card, without regard to order: final hands with their orders. A blackjack is
/// left out.
fn final_hands(up: usize, soft_17: Soft17, blackjack_with: Option<usize>) -> BTreeMap<Counts, (usize, f64)> {
    let mut finals = BTreeMap::new();
    let mut open: BTreeMap<Counts, f64> = BTreeMap::from([([0; VALUES], 1.0)]);
    for drawn in 1..=DEALER_CARDS_MAX {
        let mut next: BTreeMap<Counts, f64> = BTreeMap::new();
        for (cards, orders) in &open {
            for value in 0..VALUES {
                if drawn == 1 && Some(value) == blackjack_with {
                    continue;
                }
                let mut with = *cards;
                with[value] += 1;
                let mut all = with;
                all[up] += 1;
                let (total, soft) = best_total(&all);
                if total >= 17 && !(total == 17 && soft && soft_17 == Soft17::Hits) {
                    finals.entry(with).or_insert((usize::from(total.min(23)) - 17, 0.0)).1 += orders;
                } else {
                    *next.entry(with).or_insert(0.0) += orders;
                }
            }
        }
        open = next;
    }
    finals
}

/// Lays the hands into one tree, each a path through its values in ascending order.
fn grow(finals: &BTreeMap<Counts, (usize, f64)>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut places: BTreeMap<Vec<u8>, u32> = BTreeMap::from([(Vec::new(), 0)]);
    for (cards, (ending, orders)) in finals {
        let mut path: Vec<u8> = Vec::new();
        let mut parent = 0;
        for (value, count) in (0_u8..).zip(cards) {
            for before in 0..*count {
                let depth = u8::try_from(path.len()).unwrap_or(u8::MAX);
                path.push(value);
                parent = *places.entry(path.clone()).or_insert_with(|| {
                    nodes.push(Node { parent, value, before, depth, ending: 0, orders: 0.0 });
                    u32::try_from(nodes.len()).unwrap_or(u32::MAX)
                });
            }
        }
        if let Some(leaf) = nodes.get_mut((parent as usize).wrapping_sub(1)) {
            (leaf.ending, leaf.orders) = (u8::try_from(*ending).unwrap_or(0), *orders);
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dealer::{DealerOdds, Ending, Known};
    use crate::shoe::Shoe;
    use table_rules::game::Game;

    #[test]
    fn a_fresh_shoe_has_the_exact_chances() {
        let shoe = Shoe::new(Game::Blackjack, 6).unwrap();
        for soft_17 in [Soft17::Stands, Soft17::Hits] {
            for up in 0..VALUES {
                let mut left: [u32; VALUES] = std::array::from_fn(|value| shoe.value_counts().of(value));
                left[up] -= 1;
                let endings = DealerTree::new(up, soft_17).endings(&left, &mut Vec::new());
                let exact = DealerOdds::of(shoe, soft_17, Known::UpCardNoBlackjack(up));
                for (place, total) in (17..=21).enumerate() {
                    let exact = exact.ending(Ending::Stood(total)).to_float();
                    assert!((endings[place] - exact).abs() < 1e-12, "{up} {total}: {} {exact}", endings[place]);
                }
                let bust = exact.ending(Ending::Bust).to_float();
                assert!((endings[5] + endings[6] - bust).abs() < 1e-12, "{up}");
            }
        }
    }
}
