//! Money and odds, in integers only.
//!
//! Amounts are whole cents. Odds are ratios that are applied once to a whole stake and rounded once, in a stated
//! direction (reading S8); a line can say what it was before (`Line::exact`), and the record does.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// An amount of money in cents. Table limits keep real amounts far below the range of `i64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cents(pub i64);

impl Cents {
    pub const ZERO: Self = Self(0);
    /// No single amount at a table comes near this; larger figures are refused before they reach the engine, so that
    /// odds of 10,000 to 1 on a full table cannot overflow.
    pub const LARGEST: Self = Self(10_000_000_000);

    pub const fn dollars(dollars: i64) -> Self {
        Self(dollars * 100)
    }

    /// Reads `25`, `12.5` or `12.50`: digits, at most two decimals, no sign.
    pub fn parse(text: &str) -> Result<Self, NotAnAmount> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all_digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        let well_formed = (1..=9).contains(&whole.len()) && fraction.len() <= 2 && !text.ends_with('.');
        if !well_formed || !all_digits(whole) || !all_digits(fraction) {
            return Err(NotAnAmount);
        }
        let whole: i64 = whole.parse().map_err(|_| NotAnAmount)?;
        let fraction: i64 = match fraction.len() {
            0 => 0,
            1 => fraction.parse::<i64>().map_err(|_| NotAnAmount)? * 10,
            _ => fraction.parse().map_err(|_| NotAnAmount)?,
        };
        let cents = Self(whole * 100 + fraction);
        if cents > Self::LARGEST { Err(NotAnAmount) } else { Ok(cents) }
    }

    /// The nearest amount that chips of `unit` can make, in the given direction.
    #[inline]
    pub const fn rounded_to(self, unit: Self, rounding: Rounding) -> Self {
        let unit_cents = if unit.0 > 0 { unit.0 } else { 1 };
        let below = self.0 - self.0.rem_euclid(unit_cents);
        match rounding {
            Rounding::Down => Self(below),
            Rounding::Up if below == self.0 => self,
            Rounding::Up => Self(below + unit_cents),
        }
    }

    #[inline]
    pub const fn is_multiple_of(self, unit: Self) -> bool {
        unit.0 <= 0 || self.0 % unit.0 == 0
    }
}

/// Which way an amount goes that the table's chips cannot make (reading S8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Up,
    Down,
}

impl Add for Cents {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Cents {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Cents {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Cents {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl std::iter::Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// `$25`, `$12.50`, `-$3`, with commas from a thousand up.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (dollars, cents) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let digits = dollars.to_string();
        let mut grouped = String::with_capacity(digits.len() + 4);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        if cents == 0 { write!(f, "{sign}${grouped}") } else { write!(f, "{sign}${grouped}.{cents:02}") }
    }
}

impl fmt::Debug for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an amount; says what one looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAmount;

impl fmt::Display for NotAnAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an amount: write dollars, with at most two decimals and up to {}", Cents::LARGEST)
    }
}

impl std::error::Error for NotAnAmount {}

/// A ratio of pay to stake, such as 3 to 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    pub pays: u32,
    pub stakes: u32,
}

impl Ratio {
    pub const EVEN: Self = Self::new(1, 1);

    pub const fn new(pays: u32, stakes: u32) -> Self {
        Self { pays, stakes }
    }

    /// What the ratio gives on `stake`: the amount in `unit` chips, rounded as told. With `unit` one cent and
    /// `Rounding::Down` this is the exact amount where it is a whole number of cents.
    #[inline]
    pub const fn of(self, stake: Cents, unit: Cents, rounding: Rounding) -> Cents {
        let numerator = stake.0 * self.pays as i64;
        if self.stakes == 1 {
            return Cents(numerator).rounded_to(unit, rounding);
        }
        let divisor = self.stakes as i64;
        let cents = match rounding {
            Rounding::Down => numerator.div_euclid(divisor),
            Rounding::Up => -((-numerator).div_euclid(divisor)),
        };
        Cents(cents).rounded_to(unit, rounding)
    }
}

/// What a line of a paytable pays. The two kinds of odds are different types on purpose (reading B7): "to" leaves the
/// stake with the player, "for" includes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pay {
    /// `X to 1`: X times the stake is paid, and the stake is returned.
    To(Ratio),
    /// `X for 1`: X times the stake is paid, the stake is not returned besides.
    For(Ratio),
    /// A fixed amount, the stake not returned (reading W12).
    Amount(Cents),
    /// A share of a progressive meter in percent (reading D9); the stake is not returned.
    Meter { percent: u8, meter: MeterName },
}

impl fmt::Display for Pay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(r) => write_ratio(f, *r, "to"),
            Self::For(r) => write_ratio(f, *r, "for"),
            Self::Amount(amount) => write!(f, "{amount}"),
            Self::Meter { percent, meter } => write!(f, "{percent} % of the {} meter", meter.name()),
        }
    }
}

fn write_ratio(f: &mut fmt::Formatter<'_>, ratio: Ratio, word: &str) -> fmt::Result {
    // As the documents print them: 3 to 2 and 6 to 5, and above that a half as 2.5 to 1.
    match (ratio.pays, ratio.stakes) {
        (pays @ 5.., 2) if pays % 2 == 1 => write!(f, "{}.5 {word} 1", pays / 2),
        (pays, stakes) => write!(f, "{pays} {word} {stakes}"),
    }
}

/// The progressive meters that the four documents name. Each wager owns its meters; `Main` is the only one of most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MeterName {
    /// The single meter of a wager that has one.
    Main,
    /// Super 4 paytable D.
    Star,
    Spade,
    Heart,
    Diamond,
    /// Blazing 7s.
    Mega,
    Major,
    Minor,
    /// Bonus Spin Xtreme.
    Primary,
    Secondary,
    /// The must-hit meter beside Super 4.
    MustHit,
}

impl MeterName {
    pub const ALL: [Self; 11] = [
        Self::Main,
        Self::Star,
        Self::Spade,
        Self::Heart,
        Self::Diamond,
        Self::Mega,
        Self::Major,
        Self::Minor,
        Self::Primary,
        Self::Secondary,
        Self::MustHit,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Star => "star",
            Self::Spade => "spade",
            Self::Heart => "heart",
            Self::Diamond => "diamond",
            Self::Mega => "mega",
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Primary => "primary",
            Self::Secondary => "secondary",
            Self::MustHit => "must-hit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_strictly() {
        assert_eq!(Cents::parse("25"), Ok(Cents::dollars(25)));
        assert_eq!(Cents::parse("12.5"), Ok(Cents(1250)));
        assert_eq!(Cents::parse("0.05"), Ok(Cents(5)));
        for text in ["", "-1", "+1", "1.", ".5", "1.234", "1e3", "1,000", "9999999999", "1000000000", "٣"] {
            assert_eq!(Cents::parse(text), Err(NotAnAmount), "{text}");
        }
    }

    #[test]
    fn amounts_are_written_with_commas_and_cents_only_where_needed() {
        assert_eq!(Cents(123_456_789).to_string(), "$1,234,567.89");
        assert_eq!(Cents::dollars(25).to_string(), "$25");
        assert_eq!(Cents(-50).to_string(), "-$0.50");
    }

    #[test]
    fn three_to_two_on_a_stake_that_chips_cannot_halve_is_rounded_once() {
        let half_dollar = Cents(50);
        assert_eq!(Ratio::new(3, 2).of(Cents::dollars(25), half_dollar, Rounding::Up), Cents(3750));
        assert_eq!(Ratio::new(3, 2).of(Cents(550), half_dollar, Rounding::Up), Cents(850));
        assert_eq!(Ratio::new(3, 2).of(Cents(550), half_dollar, Rounding::Down), Cents(800));
        assert_eq!(Ratio::new(6, 5).of(Cents(501), Cents(1), Rounding::Up), Cents(602));
    }
}
