//! How often each hand is held when play follows a policy. A chart's row serves many hands at once: it is chosen by their
//! average, each counted as often as it comes.
#![expect(clippy::float_arithmetic, reason = "chances; no money passes through them")]

use super::family::Family;
use super::hands::Hands;
use super::policy::Policy;
use super::terms::{DOUBLES_MAX, Terms};
use crate::strategy::{Cell, Doubled};

#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Hands that look into the rows for their total.
    pub(super) rows: Vec<f64>,
    pub(super) doubled: [Vec<f64>; DOUBLES_MAX],
}

/// Where the first two cards of a hand lead.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Start {
    /// Looks into the rows.
    pub(super) rows: f64,
    pub(super) hits: f64,
    pub(super) doubles: f64,
}

impl Weights {
    /// Play by the policy. `start` says where a hand of two cards leads; hands of one card are not asked for.
    pub(super) fn by_policy(
        terms: &Terms,
        hands: &Hands,
        family: &Family,
        policy: &Policy,
        start: impl Fn(usize) -> Start,
    ) -> Self {
        let block = usize::from(family.pair.is_some());
        Self::forward(
            terms,
            hands,
            family,
            start,
            |place, weight| {
                let hand = hands.get(place);
                match policy.cell(block, hand) {
                    Cell::Stand => (0.0, 0.0),
                    Cell::Double if terms.may_double(usize::from(hand.cards)) => (0.0, weight),
                    Cell::Hit | Cell::Double => (weight, 0.0),
                }
            },
            |place, doubles| {
                let hand = hands.get(place);
                let row = if terms.doubles == DOUBLES_MAX { doubles } else { DOUBLES_MAX - 1 };
                policy.after_double[usize::from(hand.soft)][usize::from(hand.total)][row] == Doubled::Redouble
            },
        )
    }

    /// Every hand that cards can make, as often as they make it: for the rows that the policy never comes to.
    pub(super) fn of_anything(terms: &Terms, hands: &Hands, family: &Family, dealt: impl Fn(usize) -> f64) -> Self {
        let start = |place| {
            let weight = dealt(place);
            Start { rows: weight, hits: weight, doubles: weight }
        };
        Self::forward(terms, hands, family, start, |_, weight| (weight, weight), |_, _| true)
    }

    fn forward(
        terms: &Terms,
        hands: &Hands,
        family: &Family,
        start: impl Fn(usize) -> Start,
        leads: impl Fn(usize, f64) -> (f64, f64),
        redoubles: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let empty = || vec![0.0; hands.len()];
        let mut weights = Self { rows: empty(), doubled: [empty(), empty(), empty()] };
        for (place, hand) in hands.iter() {
            if hand.cards < 2 || !family.held[place] || hand.total == 21 {
                continue;
            }
            let (hits, doubles) = if hand.cards == 2 {
                let start = start(place);
                weights.rows[place] = start.rows;
                (start.hits, start.doubles)
            } else {
                leads(place, weights.rows[place])
            };
            for (next, chance) in hand.next.iter().zip(&family.chances[place]) {
                let Some(next) = next.map(usize::from) else { continue };
                weights.rows[next] += hits * chance;
                weights.doubled[0][next] += doubles * chance;
                for again in 1..terms.doubles {
                    if redoubles(place, again - 1) {
                        let weight = weights.doubled[again - 1][place];
                        weights.doubled[again][next] += weight * chance;
                    }
                }
            }
        }
        weights
    }
}
