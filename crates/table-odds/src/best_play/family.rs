//! Hands that are drawn to from the same shoe: those dealt at first, or those split from one pair.
#![expect(clippy::float_arithmetic, reason = "chances and expected values; no money passes through them")]

use super::dealer_tree::{DealerTree, Endings, TWENTY_TWO};
use super::hands::Hands;
use super::terms::{DOUBLES_MAX, Terms};
use crate::shoe::VALUES;

/// What is worked out for each hand of a family; lists go by the hand's place in [`Hands`].
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// The value of the pair that was split.
    pub(super) pair: Option<usize>,
    /// Whether its hands may only stand: split aces where the house gives them one card (S11).
    pub(super) stands: bool,
    /// Whether this hand can be held at all.
    pub(super) held: Vec<bool>,
    /// The chance of each value as the next card, the hole card unseen and no blackjack.
    pub(super) chances: Vec<[f64; VALUES]>,
    /// What standing gains, even money for a win.
    pub(super) stand: Vec<f64>,
    /// Stand, hit, double.
    pub(super) choices: Vec<[f64; 3]>,
    /// What the hand gains when it is played by the policy.
    pub(super) value: Vec<f64>,
    /// The same after one to three doubles, with the whole wager counted.
    pub(super) doubled: [Vec<f64>; DOUBLES_MAX],
    /// Stand, rescue, redouble.
    pub(super) doubled_choices: [Vec<[f64; 3]>; DOUBLES_MAX],
}

impl Family {
    /// `left` is the shoe without the up card and without every card that is gone besides the hand's own; none where the
    /// shoe does not hold the cards.
    pub(super) fn new(
        terms: &Terms,
        hands: &Hands,
        tree: &DealerTree,
        left: &[u32; VALUES],
        pair: Option<usize>,
    ) -> Self {
        let stands = pair == Some(0) && terms.one_card_to_split_aces;
        let empty = || vec![0.0; hands.len()];
        let mut family = Self {
            pair,
            stands,
            held: vec![false; hands.len()],
            chances: vec![[0.0; VALUES]; hands.len()],
            stand: empty(),
            choices: vec![[0.0; 3]; hands.len()],
            value: empty(),
            doubled: [empty(), empty(), empty()],
            doubled_choices: std::array::from_fn(|_| vec![[0.0; 3]; hands.len()]),
        };
        let mut scratch = Vec::new();
        for (place, hand) in hands.iter() {
            let starts = match pair {
                Some(value) => hand.counts[value] > 0,
                None => hand.cards >= 2,
            };
            if !starts || (stands && hand.cards > 2) {
                continue;
            }
            let Some(rest) = without(left, &hand.counts) else { continue };
            family.held[place] = true;
            family.chances[place] = next_card(&rest, tree.blackjack_with);
            if hand.cards >= 2 {
                let always_wins = hand.total == 21 && terms.player_21_wins;
                family.stand[place] = if always_wins {
                    1.0
                } else {
                    gain(&tree.endings(&rest, &mut scratch), hand.total, terms.switch.is_some())
                };
            }
        }
        family
    }

    /// What a card brings on average, `bust` where it is too many.
    pub(super) fn after_a_card(&self, hands: &Hands, place: usize, values: &[f64], bust: f64) -> f64 {
        let chances = &self.chances[place];
        let next = hands.get(place).next.iter().zip(chances);
        next.map(|(next, chance)| chance * next.map_or(bust, |next| values[usize::from(next)])).sum()
    }
}

/// The shoe without a hand's cards; none where it does not hold them.
pub(super) fn without(left: &[u32; VALUES], cards: &[u8; VALUES]) -> Option<[u32; VALUES]> {
    let mut rest = *left;
    for (left, taken) in rest.iter_mut().zip(cards) {
        *left = left.checked_sub(u32::from(*taken))?;
    }
    Some(rest)
}

/// The chances of the next card. The hole card is one of those left and makes no blackjack, so that cards of the value
/// that would make one are a little more likely to be drawn.
pub(super) fn next_card(left: &[u32; VALUES], blackjack_with: Option<usize>) -> [f64; VALUES] {
    let all = f64::from(left.iter().sum::<u32>());
    let Some(ruled_out) = blackjack_with else { return left.map(|count| f64::from(count) / all) };
    let others = all - f64::from(left[ruled_out]);
    std::array::from_fn(|value| {
        let count = f64::from(left[value]);
        if value == ruled_out { count / (all - 1.0) } else { count * (others - 1.0) / (others * (all - 1.0)) }
    })
}

/// Even money for a win; a Switch dealer's 22 ties (12.A(5)(e)).
fn gain(endings: &Endings, total: u8, switch: bool) -> f64 {
    let mut gain = endings[TWENTY_TWO + 1];
    gain += if switch { 0.0 } else { endings[TWENTY_TWO] };
    for (dealer, chance) in (17..).zip(&endings[..TWENTY_TWO]) {
        match total.cmp(&dealer) {
            std::cmp::Ordering::Greater => gain += chance,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Less => gain -= chance,
        }
    }
    gain
}
