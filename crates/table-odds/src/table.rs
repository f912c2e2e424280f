//! One wager's odds: every line with its ways, and the figures that follow from them.

use num_bigint::{BigInt, BigUint};
use table_rules::game::Game;
use table_rules::money::MeterName;
use table_rules::table::Soft17;
use table_rules::wager::WagerId;

use crate::fraction::{Fraction, gcd};

/// What the figures of a table hold for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    pub game: Game,
    pub wager: WagerId,
    pub paytable: String,
    pub decks: u8,
    /// Only where the dealer's drawn hand counts.
    pub soft17: Option<Soft17>,
    /// The submission's options that change a figure, by name.
    pub options: Vec<(&'static str, String)>,
}

/// What a line does to the player, for one unit staked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    Lost,
    /// The stake comes back and nothing else.
    Returned,
    /// The gain beyond the stake.
    Gained(Fraction),
    /// The stake is gone and a share of a meter comes; its worth is not part of any fixed figure.
    Meter {
        meter: MeterName,
        percent: u8,
    },
    /// The stake is gone, and a wheel decides what comes.
    Spun,
}

impl Effect {
    fn wins(&self) -> bool {
        match self {
            Self::Lost | Self::Returned => false,
            Self::Gained(_) | Self::Meter { .. } | Self::Spun => true,
        }
    }

    /// The part that is the same whatever the meters and wheels say.
    fn fixed(&self) -> Fraction {
        match self {
            Self::Lost | Self::Meter { .. } | Self::Spun => Fraction::whole(-1),
            Self::Returned => Fraction::zero(),
            Self::Gained(gain) => gain.clone(),
        }
    }
}

/// One line of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddsLine {
    pub name: String,
    /// The clause that pays it; empty for a loss.
    pub clause: String,
    /// Ordered ways to come to this line, over [`OddsTable::all_ways`].
    pub ways: BigUint,
    /// As the sign would say it.
    pub pays: String,
    /// `to`, `for`, `amount`, `meter`, `wheel` or `lost`.
    pub basis: &'static str,
    pub effect: Effect,
}

/// All lines of a wager, the losing one included, so that the ways make up every deal there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddsTable {
    pub identity: Identity,
    pub lines: Vec<OddsLine>,
    /// Every deal there is, counted from the shoe and not from the lines.
    all_ways: BigUint,
    /// What a wheel may stop at, where one decides. No document says how often it does.
    pub wheel: Vec<OddsLine>,
}

/// What pays a part of a wager that no paytable fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    Meters,
    /// Then nothing that is won is fixed.
    Wheel,
}

/// A line that a meter pays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeterShare<'a> {
    pub line: &'a OddsLine,
    pub meter: MeterName,
    pub percent: u8,
    pub probability: Fraction,
}

impl OddsTable {
    /// `all_ways` is what the shoe gives, so that a deal that no line counted shows. The ways are divided by what they
    /// have in common: the same chances in smaller numbers.
    pub fn new(identity: Identity, mut lines: Vec<OddsLine>, all_ways: BigUint) -> Self {
        let common = lines.iter().fold(all_ways.clone(), |common, line| gcd(common, line.ways.clone()));
        for line in &mut lines {
            line.ways /= &common;
        }
        Self { identity, lines, all_ways: all_ways / common, wheel: Vec::new() }
    }

    #[must_use]
    pub fn with_wheel(self, wheel: Vec<OddsLine>) -> Self {
        Self { wheel, ..self }
    }

    /// The denominator of every line's probability.
    pub fn all_ways(&self) -> &BigUint {
        &self.all_ways
    }

    /// Whether the lines make up every deal exactly once. Always so; a test and the command check it.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().map(|line| &line.ways).sum::<BigUint>() == self.all_ways
    }

    pub fn probability(&self, line: &OddsLine) -> Fraction {
        Fraction::new(line.ways.clone(), self.all_ways.clone())
    }

    /// How often the wager wins anything.
    pub fn hit_frequency(&self) -> Fraction {
        let wins: BigUint = self.lines.iter().filter(|line| line.effect.wins()).map(|line| &line.ways).sum();
        Fraction::new(wins, self.all_ways.clone())
    }

    /// Whether part of what the wager pays is not in the paytable: a meter's amount or a wheel's symbol.
    pub fn is_open_ended(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.effect, Effect::Meter { .. } | Effect::Spun))
    }

    /// Expected loss for one unit staked; None where meters or wheels have a say.
    pub fn edge(&self) -> Option<Fraction> {
        if self.is_open_ended() { None } else { self.edge_fixed() }
    }

    /// Expected loss for one unit staked when meters pay nothing; None where a wheel decides, because no document says
    /// how often it stops where.
    pub fn edge_fixed(&self) -> Option<Fraction> {
        let spun = self.lines.iter().any(|line| line.effect == Effect::Spun);
        (!spun).then(|| -&self.mean(Effect::fixed))
    }

    /// The lines that a meter pays, and how likely each is.
    pub fn meter_lines(&self) -> impl Iterator<Item = MeterShare<'_>> {
        self.lines.iter().filter_map(|line| match line.effect {
            Effect::Meter { meter, percent } => {
                Some(MeterShare { line, meter, percent, probability: self.probability(line) })
            }
            Effect::Lost | Effect::Returned | Effect::Gained(_) | Effect::Spun => None,
        })
    }

    /// What the volatility says nothing of, if anything.
    pub fn left_out(&self) -> Option<LeftOut> {
        if self.lines.iter().any(|line| line.effect == Effect::Spun) {
            return Some(LeftOut::Wheel);
        }
        self.meter_lines().next().map(|_| LeftOut::Meters)
    }

    /// The variance of the fixed part, for one unit staked.
    pub fn variance(&self) -> Fraction {
        let mean = self.mean(Effect::fixed);
        let mean_of_squares = self.mean(|effect| {
            let gain = effect.fixed();
            &gain * &gain
        });
        &mean_of_squares - &(&mean * &mean)
    }

    /// The standard deviation for one unit staked, cut after `places` digits.
    pub fn standard_deviation(&self, places: u32) -> String {
        let variance = self.variance();
        let scale = BigUint::from(10_u8).pow(2 * places);
        let root = (variance.numerator().magnitude() * scale / variance.denominator()).sqrt();
        Fraction::new(root, BigUint::from(10_u8).pow(places)).decimal(places)
    }

    /// The mean over all ways, added up over the one common denominator.
    fn mean(&self, value: impl Fn(&Effect) -> Fraction) -> Fraction {
        let mut sum = Fraction::zero();
        for line in &self.lines {
            let ways = Fraction::new(BigInt::from(line.ways.clone()), 1_u8);
            sum = &sum + &(&value(&line.effect) * &ways);
        }
        &sum * &Fraction::new(1, self.all_ways.clone())
    }
}
