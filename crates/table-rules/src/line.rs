//! Settlement lines: what one wager came to, to the cent where the amount is known, with its source.

use std::fmt;

use crate::money::{Cents, Pay, Ratio};
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

/// An amount of a line in one word: known, or not. Lines are written again and again, and an `Option` takes two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Due(i64);

impl Due {
    pub const NOTHING: Self = Self(0);
    /// Nobody knows how much; of a correction: the line is none.
    pub const NONE: Self = Self(i64::MIN);

    #[inline]
    pub const fn of(amount: Cents) -> Self {
        debug_assert!(amount.0 != i64::MIN);
        Self(amount.0)
    }

    #[inline]
    pub const fn amount(self) -> Option<Cents> {
        if self.is_known() { Some(Cents(self.0)) } else { None }
    }

    #[inline]
    pub const fn is_known(self) -> bool {
        self.0 != i64::MIN
    }
}

impl From<Option<Cents>> for Due {
    #[inline]
    fn from(amount: Option<Cents>) -> Self {
        amount.map_or(Self::NONE, Self::of)
    }
}

impl fmt::Debug for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount().fmt(f)
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

/// A fraction of a cent, or of several: what an amount was before it was rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CentFraction {
    pub numerator: i64,
    pub denominator: i64,
}

/// In cents: `1125`, `562 1/2`.
impl fmt::Display for CentFraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        write!(f, "{whole}")?;
        if rest == 0 { Ok(()) } else { write!(f, " {rest}/{}", self.denominator) }
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
    /// A floorperson has said so already, in one answer for several lines (H12).
    Answered,
    /// A progressive payout: hand and lamp verified, then a floorperson validates (players-edge-21 7.O(1), X1).
    Progressive,
    /// The same, above the submission's threshold: a second person as well.
    ProgressiveBySecond,
}

impl Approval {
    /// Whether somebody still has to say yes.
    #[inline]
    pub const fn is_asked(self) -> bool {
        match self {
            Self::NotNeeded | Self::Answered => false,
            Self::Floor | Self::Progressive | Self::ProgressiveBySecond => true,
        }
    }
}

/// What a line is called. A reference to the words and not the words themselves: their length is written with them.
pub type LineName = &'static &'static str;

/// One line of the settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    pub seat: Seat,
    /// Hands of one box count from 1, the dealer's left first.
    pub hand: u8,
    pub wager: WagerId,
    pub outcome: Outcome,
    /// What decided it, in a word or two: `blackjack`, `6-7-8 suited`, `bust`.
    pub name: LineName,
    /// The odds or amount, where something is paid.
    pub pay: Option<Pay>,
    pub stake: Stake,
    /// Of the stake, what goes back to the player.
    pub returned: Due,
    /// What the player gets from the rack or the meter.
    pub pays: Due,
    pub source: Source,
    pub approval: Approval,
    /// An earlier line that a wrong reader answer settled wrongly: this line states what it should have been, and
    /// the amount is what the player had received for it (S12). None on every other line.
    pub correction: Due,
    /// The maximum of 13.J has cut what the odds give: `pays` is this winner's share of it (13.K).
    pub is_share: bool,
}

/// Each line is written twice, among those of the round and as an event: what makes it larger slows every round.
const _: () = assert!(size_of::<Line>() <= 64);

impl Line {
    /// Whether somebody has approved it or still has to.
    #[inline]
    pub(crate) fn was_to_be_approved(&self) -> bool {
        self.approval != Approval::NotNeeded
    }

    /// For tests of words.
    #[cfg(test)]
    pub(crate) const BLANK: Self = Self {
        seat: Seat::from_index(0),
        hand: 1,
        wager: WagerId::Main,
        outcome: Outcome::Void,
        name: &"",
        pay: None,
        stake: Stake::NONE,
        returned: Due::NOTHING,
        pays: Due::NOTHING,
        source: crate::source::Point::VoidReturnsWagers.source(crate::game::Game::Blackjack),
        approval: Approval::NotNeeded,
        correction: Due::NONE,
        is_share: false,
    };

    /// A meter line waits for its turn to be paid before it has an amount (X1).
    pub fn is_priced(&self) -> bool {
        self.pays.is_known() || !matches!(self.pay, Some(Pay::Meter { .. }))
    }

    pub fn handling(&self) -> Handling {
        if self.is_taken() { Handling::Take } else { Handling::Give }
    }

    /// A lost wager goes to the table inventory; the correction of one gives something back.
    #[inline]
    pub(crate) fn is_taken(&self) -> bool {
        (self.outcome == Outcome::Lost) & !self.correction.is_known()
    }

    /// What reaches the player: the returned part of the stake plus the pay. `None` when the amount is unknown.
    pub fn to_player(&self) -> Option<Cents> {
        Some(self.returned.amount()? + self.pays.amount()?)
    }

    /// What the player has won by it, or lost. `None` when the amount is unknown.
    #[inline]
    pub fn net(&self) -> Option<Cents> {
        let Self { stake, returned, pays, .. } = *self;
        if returned.0 | pays.0 | stake.0 < 0 {
            // Hardly ever: something is unknown.
            return Some(self.to_player()? - if stake.is_placed() { stake.amount()? } else { Cents::ZERO });
        }
        Some(Cents(returned.0 + pays.0 - stake.0))
    }

    /// What was rounded to chips, as it came out of odds or half a stake: of the pay, or of the returned half in a
    /// surrender (S8). `None` where nothing had to be rounded or the amount is unknown.
    pub fn exact(&self) -> Option<CentFraction> {
        let stake = self.stake.amount()?;
        let (ratio, rounded) = match (self.outcome, self.pay) {
            (Outcome::Surrendered, _) => (Ratio::new(1, 2), self.returned.amount()?),
            // What a share of a maximum comes to (13.K) depends on the other winners too.
            (Outcome::Won, Some(Pay::To(ratio) | Pay::For(ratio))) if !self.is_share => (ratio, self.pays.amount()?),
            (Outcome::Won | Outcome::Lost | Outcome::Tied | Outcome::Rescued | Outcome::Dead | Outcome::Void, _) => {
                return None;
            }
        };
        let exact = CentFraction { numerator: stake.0 * i64::from(ratio.pays), denominator: i64::from(ratio.stakes) };
        (exact.numerator != rounded.0 * exact.denominator).then_some(exact)
    }

    /// What the house keeps of the stake. `None` when the amount is unknown.
    pub fn kept(&self) -> Option<Cents> {
        Some(self.stake.amount()? - self.returned.amount()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(outcome: Outcome, pay: Option<Pay>, stake: i64, returned: i64, pays: i64) -> Option<String> {
        let stake = Stake::of(Cents(stake));
        let line =
            Line { outcome, pay, stake, returned: Due::of(Cents(returned)), pays: Due::of(Cents(pays)), ..Line::BLANK };
        line.exact().map(|exact| exact.to_string())
    }

    #[test]
    fn what_was_rounded_is_kept_exactly() {
        let blackjack = Some(Pay::To(Ratio::new(3, 2)));
        assert_eq!(exact(Outcome::Won, blackjack, 750, 750, 1150), Some("1125".to_owned()));
        assert_eq!(exact(Outcome::Won, blackjack, 1000, 1000, 1500), None);
        assert_eq!(exact(Outcome::Won, Some(Pay::To(Ratio::new(6, 5))), 1002, 1002, 1250), Some("1202 2/5".to_owned()));
        assert_eq!(exact(Outcome::Surrendered, None, 775, 400, 0), Some("387 1/2".to_owned()));
        assert_eq!(exact(Outcome::Surrendered, None, 1000, 500, 0), None);
        assert_eq!(exact(Outcome::Lost, None, 775, 0, 0), None);
    }
}
