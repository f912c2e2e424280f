//! Bad Beat without the engine: an exact recursion, and a bare table. Lines are numbered as in the test's list.

pub(crate) mod bare;
pub(crate) mod exact;

/// A total with the ace counted for the better, and whether an ace counts 11.
fn total(hard: u32, has_ace: bool) -> (u32, bool) {
    if has_ace && hard + 10 <= 21 { (hard + 10, true) } else { (hard, false) }
}

/// The line of a box that ended on `player` against a dealer's final hand, by 13.B.
fn line(player: u32, dealer: u32, dealer_cards: usize) -> usize {
    match (player, dealer, dealer_cards) {
        (20, 21, 2) => 5,
        (20, 21, cards) => 7_usize.saturating_sub(cards),
        (20, ..) => 6,
        _ => 7,
    }
}
