//! Seeded dice for everything that goes wrong by chance. For simulations alone: nothing that decides a real wager may
//! draw from here.

/// SplitMix64: small, and the same on every machine, so that a failing seed stays a failing seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice of their own for a part, so that what one part rolls does not change what another sees.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self(self.roll())
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// 0 up to and without `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.roll().checked_rem(limit).unwrap_or(0)
    }

    /// An index into something of this length.
    pub fn index(&mut self, length: usize) -> usize {
        let limit = u64::try_from(length).unwrap_or(u64::MAX);
        usize::try_from(self.below(limit)).unwrap_or(0)
    }

    pub fn per_mille(&mut self, chance: u16) -> bool {
        chance > 0 && self.below(1_000) < u64::from(chance)
    }

    /// Any byte but the frame delimiter.
    pub fn noise_byte(&mut self) -> u8 {
        u8::try_from(self.below(255)).unwrap_or(0) + 1
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.index(place + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_rolls_the_same() {
        let rolls = |seed| {
            let mut dice = Dice::new(seed);
            let mut fork = dice.fork();
            [dice.roll(), fork.roll(), dice.below(52)]
        };
        assert_eq!(rolls(7), rolls(7));
        assert_ne!(rolls(7), rolls(8));
    }

    #[test]
    fn a_shuffle_loses_no_card() {
        let mut cards: Vec<u8> = (0..52).collect();
        Dice::new(1).shuffle(&mut cards);
        assert_ne!(cards, (0..52).collect::<Vec<_>>());
        cards.sort_unstable();
        assert_eq!(cards, (0..52).collect::<Vec<_>>());
    }
}
