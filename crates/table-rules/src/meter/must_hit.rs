//! The odds of a must-hit meter's draw (reading B10).
//!
//! The draw itself is an input. Nothing here knows or stores where the meter will fall: each round gets the odds that a
//! hit point spread evenly over the way from the restart to the ceiling lies in this round's growth, given that it has
//! not been passed yet. So every contributed cent carries the same chance, and the last one below the ceiling is certain.

use super::exact::Exact;

/// A chance of `numerator` in `denominator`, in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawOdds {
    numerator: u64,
    denominator: u64,
}

impl DrawOdds {
    pub const CERTAIN: Self = Self { numerator: 1, denominator: 1 };
    pub const NEVER: Self = Self { numerator: 0, denominator: 1 };

    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// The random source is asked for a number from 0 up to, and without, this.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// Whether the meter falls on this draw. None for a number that the source was not asked for: a fault of the source,
    /// not a miss.
    pub const fn falls(self, draw: u64) -> Option<bool> {
        if draw < self.denominator { Some(draw < self.numerator) } else { None }
    }
}

/// The odds for a round that took the meter from `before` to `after`, with the hit still to come by `ceiling`.
pub fn odds_by_ceiling(before: Exact, after: Exact, ceiling: Exact) -> DrawOdds {
    if after >= ceiling {
        return DrawOdds::CERTAIN;
    }
    // Both differences are positive or zero here: after < ceiling, and a round that reversed more than it took has no
    // growth to hit in.
    let growth = after.above(before).millionths().unsigned_abs();
    let way = ceiling.above(before).millionths().unsigned_abs();
    if growth == 0 {
        return DrawOdds::NEVER;
    }
    let divisor = gcd(growth, way);
    DrawOdds { numerator: growth / divisor, denominator: way / divisor }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
