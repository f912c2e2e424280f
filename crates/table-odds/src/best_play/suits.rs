//! Two cards on the way to a 6-7-8 or a 7-7-7, by how their suits match. Suits are as likely as one another, so that the
//! up card's own suit, which the chart does not ask for, is averaged over.
#![expect(clippy::float_arithmetic, reason = "chances and expected values; no money passes through them")]

use super::policy::ON_THE_WAY;
use super::terms::Terms;

/// The place of two sevens in [`ON_THE_WAY`].
pub(super) const TWO_SEVENS: usize = 3;
/// A seven's point value.
const SEVEN: usize = 6;

/// The value of the third card.
pub(super) fn third(at: usize) -> usize {
    let (first, second) = ON_THE_WAY[at];
    if at == TWO_SEVENS { SEVEN } else { 5 + 6 + 7 - first - second }
}

/// How often the two cards are mixed, suited, and both of the top suit.
pub(super) fn shares(terms: &Terms, at: usize, up: usize) -> [f64; 3] {
    let same = if at == TWO_SEVENS { sevens_alike(terms.decks, up == SEVEN, 2) } else { 0.25 };
    [1.0 - same, same * 0.75, same * 0.25]
}

/// What the third card pays on average, where the first two match like this.
pub(super) fn third_pays(terms: &Terms, at: usize, suit: usize, up: usize) -> f64 {
    if at == TWO_SEVENS {
        let all_alike = sevens_alike(terms.decks, up == SEVEN, 3)
            / sevens_alike(terms.decks, up == SEVEN, 2).max(f64::MIN_POSITIVE);
        let suited = if suit == 0 { 0.0 } else { all_alike };
        let additional = if up == SEVEN { terms.additional } else { 0.0 };
        return suited * (terms.pays_777[suit] + additional) + (1.0 - suited) * terms.pays_777[0];
    }
    let suited = if suit == 0 { 0.0 } else { 0.25 };
    suited * terms.pays_678[suit] + (1.0 - suited) * terms.pays_678[0]
}

/// The chance that so many sevens in a row share a suit, from a shoe that one seven may have left already.
fn sevens_alike(decks: u32, one_is_up: bool, sevens: u32) -> f64 {
    let falling = |of: u32| (0..sevens).map(|taken| f64::from(of) - f64::from(taken)).product::<f64>();
    let up = u32::from(one_is_up);
    let alike = falling(decks.saturating_sub(up)) + 3.0 * falling(decks);
    alike / falling(4 * decks - up)
}
