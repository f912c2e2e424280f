//! Betting spots: up to eight seats with up to three spots each.

use std::fmt;

pub const SEATS_MAX: u8 = 8;
pub const SPOTS_PER_SEAT_MAX: u8 = 3;
pub const SPOTS_MAX: usize = 24;

/// One place for a wager: seat 1 to 8, spot 1 to 3, counted as the dealer counts them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    index: u8,
}

impl Spot {
    pub fn new(seat: u8, spot: u8) -> Option<Self> {
        let fits = (1..=SEATS_MAX).contains(&seat) && (1..=SPOTS_PER_SEAT_MAX).contains(&spot);
        fits.then(|| Self { index: (seat - 1) * SPOTS_PER_SEAT_MAX + spot - 1 })
    }

    pub const fn seat(self) -> u8 {
        self.index / SPOTS_PER_SEAT_MAX + 1
    }

    pub const fn spot(self) -> u8 {
        self.index % SPOTS_PER_SEAT_MAX + 1
    }

    /// 0 to 23.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..SEATS_MAX * SPOTS_PER_SEAT_MAX).map(|index| Self { index })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seat(), self.spot())
    }
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spot({self})")
    }
}

/// Some of the spots.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SpotSet(u32);

impl SpotSet {
    pub const EMPTY: Self = Self(0);

    pub const fn contains(self, spot: Spot) -> bool {
        self.0 & (1 << spot.index) != 0
    }

    #[must_use]
    pub const fn with(self, spot: Spot) -> Self {
        Self(self.0 | 1 << spot.index)
    }

    #[must_use]
    pub const fn without(self, spot: Spot) -> Self {
        Self(self.0 & !(1 << spot.index))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn iter(self) -> impl Iterator<Item = Spot> {
        Spot::all().filter(move |spot| self.contains(*spot))
    }
}

impl FromIterator<Spot> for SpotSet {
    fn from_iter<T: IntoIterator<Item = Spot>>(spots: T) -> Self {
        spots.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SpotSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|spot| spot.to_string())).finish()
    }
}
