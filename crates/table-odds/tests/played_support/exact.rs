//! A player who stands on the first two cards: every pair, every dealer hand, each with its chance.

use super::{line, total};

/// Cards left by value: aces at 1, ten-value cards at 10.
type Left = [u32; 11];

pub(crate) fn chances(decks: u32, hits_soft_17: bool) -> [f64; 8] {
    let mut left: Left = [4 * decks; 11];
    left[0] = 0;
    left[10] = 16 * decks;
    let mut chances = [0.0; 8];
    each(&mut left, 1.0, &mut |left, first, chance| {
        each(left, chance, &mut |left, second, chance| {
            let (player, _) = total(first + second, first == 1 || second == 1);
            if player != 20 {
                chances[7] += chance;
                return;
            }
            each(left, chance, &mut |left, up, chance| {
                let mut dealer = Dealer { player, hits_soft_17, chances: &mut chances };
                dealer.draw(left, up, up == 1, 1, chance);
            });
        });
    });
    chances
}

struct Dealer<'c> {
    player: u32,
    hits_soft_17: bool,
    chances: &'c mut [f64; 8],
}

impl Dealer<'_> {
    fn draw(&mut self, left: &mut Left, hard: u32, has_ace: bool, cards: usize, chance: f64) {
        let (points, soft) = total(hard, has_ace);
        let stands = points > 17 || (points == 17 && !(soft && self.hits_soft_17));
        if cards >= 2 && stands {
            self.chances[line(self.player, points, cards)] += chance;
            return;
        }
        each(left, chance, &mut |left, card, chance| {
            self.draw(left, hard + card, has_ace || card == 1, cards + 1, chance);
        });
    }
}

/// Every value that the next card may have, taken out while `then` looks at it.
fn each(left: &mut Left, chance: f64, then: &mut dyn FnMut(&mut Left, u32, f64)) {
    let all: u32 = left.iter().sum();
    for value in 1..=10_u32 {
        let cards = left[value as usize];
        if cards > 0 {
            left[value as usize] -= 1;
            then(left, value, chance * f64::from(cards) / f64::from(all));
            left[value as usize] += 1;
        }
    }
}
