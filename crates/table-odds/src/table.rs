//! One wager's odds: every line with its ways, and the figures that follow from them.

use num_bigint::{BigInt, BigUint};
use table_rules::game::Game;
use table_rules::money::{Cents, MeterName, Pay};
use table_rules::wager::WagerId;

use crate::dealer::Soft17;
use crate::fraction::Fraction;

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
    /// What a paytable's words do, with `stake` for amounts that are fixed in dollars.
    pub fn of_pay(pay: Pay, stake: Cents) -> Self {
        match pay {
            Pay::To(ratio) => Self::Gained(Fraction::new(ratio.pays, ratio.stakes)),
            Pay::For(ratio) => Self::Gained(&Fraction::new(ratio.pays, ratio.stakes) - &Fraction::one()),
            Pay::Amount(amount) => {
                let stake = u64::try_from(stake.0).unwrap_or(0);
                Self::Gained(&Fraction::new(amount.0, stake) - &Fraction::one())
            }
            Pay::Meter { percent, meter } => Self::Meter { meter, percent },
        }
    }

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
pub struct Line {
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
    pub lines: Vec<Line>,
}

/// A line that a meter pays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeterShare<'a> {
    pub line: &'a Line,
    pub meter: MeterName,
    pub percent: u8,
    pub probability: Fraction,
}

impl OddsTable {
    pub fn all_ways(&self) -> BigUint {
        self.lines.iter().map(|line| &line.ways).sum()
    }

    pub fn probability(&self, line: &Line) -> Fraction {
        Fraction::new(line.ways.clone(), self.all_ways())
    }

    /// How often the wager wins anything.
    pub fn hit_frequency(&self) -> Fraction {
        let wins: BigUint = self.lines.iter().filter(|line| line.effect.wins()).map(|line| &line.ways).sum();
        Fraction::new(wins, self.all_ways())
    }

    /// Whether part of what the wager pays is not in the paytable: a meter's amount or a wheel's symbol.
    pub fn is_open_ended(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.effect, Effect::Meter { .. } | Effect::Spun))
    }

    /// Expected loss for one unit staked; None where meters or wheels have a say.
    pub fn edge(&self) -> Option<Fraction> {
        (!self.is_open_ended()).then(|| self.edge_fixed())
    }

    /// Expected loss for one unit staked when meters and wheels pay nothing.
    pub fn edge_fixed(&self) -> Fraction {
        -&self.mean(Effect::fixed)
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
        &sum * &Fraction::new(1, self.all_ways())
    }
}
