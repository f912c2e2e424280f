//! A table with one player and no rules but these: draw to a total, then the dealer, who stands on every 17.

use super::{line, total};

/// Numbers of its own: a multiply-with-xorshift generator that the product does not use.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let wide = u128::from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)) * bound as u128;
        usize::try_from(wide >> 64).unwrap()
    }
}

/// Counts of each line over so many rounds.
pub(crate) fn counts(decks: u32, draws_to: u32, rounds: u64) -> [u64; 8] {
    let mut shoe: Vec<u32> = (0..52 * decks).map(|card| (card % 13 + 1).min(10)).collect();
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    let mut counts = [0; 8];
    for _ in 0..rounds {
        let mut dealt = 0;
        let mut next = || {
            let at = dealt + numbers.below(shoe.len() - dealt);
            shoe.swap(dealt, at);
            dealt += 1;
            shoe[dealt - 1]
        };
        let mut player = vec![next()];
        let mut dealer = vec![next()];
        player.push(next());
        dealer.push(next());
        // A dealer blackjack ends the round before anyone draws.
        if points(&dealer) < 21 {
            while points(&player) < draws_to {
                player.push(next());
            }
            while points(&dealer) < 17 {
                dealer.push(next());
            }
        }
        counts[line(points(&player), points(&dealer), dealer.len())] += 1;
    }
    counts
}

fn points(hand: &[u32]) -> u32 {
    total(hand.iter().sum(), hand.contains(&1)).0
}
