//! Exact fractions, and decimals made from them by whole-number arithmetic.
//!
//! A figure that a regulator reads must not depend on how a float was rounded on the way: floats appear only at the very
//! end, parsed from the finished decimal, for formats that want a number.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, BigUint, Sign};

/// A fraction in lowest terms, the sign in the numerator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// `numerator / denominator`. A denominator of zero is a bug in the caller: every one here is a count of ways to
    /// deal cards, and there is always one.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigUint>) -> Self {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        assert!(denominator != BigUint::ZERO, "a fraction needs a denominator");
        let divisor = gcd(numerator.magnitude().clone(), denominator.clone());
        Self { numerator: numerator / BigInt::from(divisor.clone()), denominator: denominator / divisor }
    }

    pub fn whole(number: i64) -> Self {
        Self { numerator: BigInt::from(number), denominator: BigUint::from(1_u8) }
    }

    pub fn zero() -> Self {
        Self::whole(0)
    }

    pub fn one() -> Self {
        Self::whole(1)
    }

    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }

    /// The decimal with `places` digits after the point, rounded half away from zero.
    pub fn decimal(&self, places: u32) -> String {
        let scaled = self.numerator.magnitude() * BigUint::from(10_u8).pow(places);
        let twice = BigUint::from(2_u8);
        let rounded = (scaled * &twice + &self.denominator) / (&self.denominator * &twice);
        let width = places as usize + 1;
        let digits = format!("{:0>width$}", rounded.to_string());
        let (whole, fraction) = digits.split_at(digits.len() - places as usize);
        let negative = self.numerator.sign() == Sign::Minus && rounded != BigUint::ZERO;
        let sign = if negative { "-" } else { "" };
        if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }

    /// The decimal of a hundred times the fraction, for percentages.
    pub fn percent(&self, places: u32) -> String {
        (self * &Self::whole(100)).decimal(places)
    }

    /// The nearest float, by way of a decimal long enough to fix it. For output only.
    pub fn to_float(&self) -> f64 {
        // Seventeen significant digits fix a double; small probabilities start after their leading zeros.
        let leading_zeros =
            self.denominator.to_string().len().saturating_sub(self.numerator.magnitude().to_string().len());
        let places = u32::try_from(leading_zeros).unwrap_or(u32::MAX).saturating_add(20);
        self.decimal(places).parse().unwrap_or(f64::NAN)
    }
}

pub(crate) fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

impl Add for &Fraction {
    type Output = Fraction;
    fn add(self, other: Self) -> Fraction {
        let left = &self.numerator * BigInt::from(other.denominator.clone());
        let right = &other.numerator * BigInt::from(self.denominator.clone());
        Fraction::new(left + right, &self.denominator * &other.denominator)
    }
}

impl Neg for &Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Sub for &Fraction {
    type Output = Fraction;
    fn sub(self, other: Self) -> Fraction {
        self + &-other
    }
}

impl Mul for &Fraction {
    type Output = Fraction;
    fn mul(self, other: Self) -> Fraction {
        Fraction::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

impl<'a> std::iter::Sum<&'a Self> for Fraction {
    fn sum<I: Iterator<Item = &'a Self>>(fractions: I) -> Self {
        fractions.fold(Self::zero(), |sum, fraction| &sum + fraction)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = &self.numerator * BigInt::from(other.denominator.clone());
        let right = &other.numerator * BigInt::from(self.denominator.clone());
        left.cmp(&right)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: u64) -> Fraction {
        Fraction::new(numerator, denominator)
    }

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        assert_eq!(fraction(-6, 8).to_string(), "-3/4");
        assert_eq!((&fraction(1, 6) + &fraction(1, 3)).to_string(), "1/2");
        assert_eq!((&fraction(1, 3) - &fraction(1, 2)).to_string(), "-1/6");
        assert_eq!((&fraction(2, 3) * &fraction(3, 4)).to_string(), "1/2");
        assert!(fraction(1, 3) < fraction(1, 2));
    }

    #[test]
    fn decimals_are_rounded_half_away_from_zero() {
        assert_eq!(fraction(114, 3731).percent(4), "3.0555");
        assert_eq!(fraction(1, 8).decimal(2), "0.13");
        assert_eq!(fraction(-1, 8).decimal(2), "-0.13");
        assert_eq!(fraction(-1, 1000).decimal(2), "0.00");
        assert_eq!(fraction(5, 2).decimal(0), "3");
        assert_eq!(fraction(1999, 2000).decimal(3), "1.000");
    }

    #[test]
    fn floats_keep_every_digit_a_double_can() {
        assert!((fraction(1, 3).to_float() - 1.0 / 3.0).abs() < f64::EPSILON / 4.0);
        let tiny = Fraction::new(1, BigUint::from(10_u8).pow(30));
        assert_eq!(tiny.to_float().to_string(), 1e-30_f64.to_string());
    }
}
