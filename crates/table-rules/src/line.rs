//! Settlement lines: what one wager came to, to the cent where the amount is known, with its source.

use crate::money::{Cents, Pay};
use crate::seat::Seat;
use crate::source::Source;
use crate::wager::WagerId;

/// What lies on a spot: nothing, a chip of unknown value, or an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stake(i64);

impl Stake {
    pub const NONE: Self = Self(0);
    /// A presence sensor saw a chip; its value is not known.
    pub const UNKNOWN: Self = Self(-1);

    #[inline]
    pub const fn of(amount: Cents) -> Self {
        debug_assert!(amount.0 > 0);
        Self(amount.0)
    }

    #[inline]
    pub const fn from_input(amount: Option<Cents>) -> Self {
        match amount {
            Some(amount) => Self::of(amount),
            None => Self::UNKNOWN,
        }
    }

    #[inline]
    pub const fn is_placed(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub const fn is_unknown(self) -> bool {
        self.0 < 0
    }

    /// The amount where it is known; `None` for an unknown one and for no wager.
    #[inline]
    pub const fn amount(self) -> Option<Cents> {
        if self.0 > 0 { Some(Cents(self.0)) } else { None }
    }

    /// Both together; unknown if either is.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        if self.0 < 0 || other.0 < 0 { Self::UNKNOWN } else { Self(self.0 + other.0) }
    }
}

/// How a wager ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Won,
    Lost,
    Tied,
    Surrendered,
    Rescued,
    /// The hand is dead and its wager returned.
    Dead,
    /// The round is void and the wager returned.
    Void,
}

impl Outcome {
    pub const ALL: [Self; 7] =
        [Self::Won, Self::Lost, Self::Tied, Self::Surrendered, Self::Rescued, Self::Dead, Self::Void];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Tied => "tied",
            Self::Surrendered => "surrendered",
            Self::Rescued => "rescued",
            Self::Dead => "dead",
            Self::Void => "void",
        }
    }
}

/// What the dealer does with the chips of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handling {
    /// Everything goes to the table inventory.
    Take,
    /// Something goes to the player: a payment, a return, or both.
    Give,
}

/// Who must say yes before the dealer may complete a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval {
    NotNeeded,
    /// A floorperson has to approve a correction (S12).
    Floor,
    /// A progressive payout: hand and lamp verified, then a floorperson validates (players-edge-21 7.O(1), X1).
    Progressive,
    /// The same, above the submission's threshold: a second person as well.
    ProgressiveBySecond,
}

/// One line of the settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    pub seat: Seat,
    /// Hands of one box count from 1, the dealer's left first.
    pub hand: u8,
    pub wager: WagerId,
    pub outcome: Outcome,
    /// What decided it, in a word or two: `blackjack`, `6-7-8 suited`, `bust`.
    pub name: &'static str,
    /// The odds or amount, where something is paid.
    pub pay: Option<Pay>,
    pub stake: Stake,
    /// Of the stake, what goes back to the player; `None` when the amount is unknown.
    pub returned: Option<Cents>,
    /// What the player gets from the rack or the meter; `None` when the amount is unknown.
    pub pays: Option<Cents>,
    pub source: Source,
    pub approval: Approval,
    /// An earlier line that a wrong reader answer settled wrongly: this line states what it should have been, and
    /// `earlier` what the player had received for it (S12).
    pub correction: Option<Cents>,
}

impl Line {
    /// A meter line waits for its turn to be paid before it has an amount (X1).
    pub fn is_priced(&self) -> bool {
        self.pays.is_some() || !matches!(self.pay, Some(Pay::Meter { .. }))
    }

    pub fn handling(&self) -> Handling {
        if self.is_taken() { Handling::Take } else { Handling::Give }
    }

    /// A lost wager goes to the table inventory; the correction of one gives something back.
    #[inline]
    pub(crate) fn is_taken(&self) -> bool {
        (self.outcome == Outcome::Lost) & self.correction.is_none()
    }

    /// What reaches the player: the returned part of the stake plus the pay. `None` when the amount is unknown.
    pub fn to_player(&self) -> Option<Cents> {
        Some(self.returned? + self.pays?)
    }

    /// What the house keeps of the stake. `None` when the amount is unknown.
    pub fn kept(&self) -> Option<Cents> {
        Some(self.stake.amount()? - self.returned?)
    }
}
