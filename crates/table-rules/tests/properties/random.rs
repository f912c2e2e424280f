//! The one source of chance in these tests: a seeded generator, and the list of seeds a property runs.
//!
//! A failing property prints its seed. `HOLECARD_SEED=<number>` runs every property with that seed alone, `HOLECARD_SOAK=<times>`
//! that many times more seeds; a seed that once failed is kept in `seeds.txt` and runs first ever after.

/// Steele, Lea and Flood's SplitMix64: tiny, and the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`, which is not zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count).unwrap()).unwrap()
    }

    pub(crate) fn between(&mut self, least: u8, most: u8) -> u8 {
        least + u8::try_from(self.below(usize::from(most - least) + 1)).unwrap()
    }

    /// True in `percent` cases of a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The seeds of one property: those that failed before, then `count` fresh ones.
pub(crate) fn seeds(property: &str, count: u64) -> Vec<u64> {
    if let Ok(one) = std::env::var("HOLECARD_SEED") {
        return vec![one.parse().expect("HOLECARD_SEED is a whole number")];
    }
    let kept = include_str!("seeds.txt").lines().filter_map(|line| {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let (name, seed) = (words.next()?, words.next()?);
        (name == property).then(|| seed.parse().expect("seeds.txt holds whole numbers"))
    });
    let times =
        std::env::var("HOLECARD_SOAK").map_or(1, |times| times.parse().expect("HOLECARD_SOAK is a whole number"));
    kept.chain(0..count * times).collect()
}

/// Whether only one seed runs: then nothing can be said about how often something came up.
pub(crate) fn single_seed() -> bool {
    std::env::var("HOLECARD_SEED").is_ok()
}
