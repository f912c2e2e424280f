//! Betting positions and sets of them. Seat 1 is farthest to the dealer's left and is dealt first.

use std::fmt;

use crate::game::Direction;

/// The most betting positions any of the four games allows (pontoon-21 2.A).
pub const SEATS_MAX: usize = 8;

/// A betting position, 1 to 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
pub struct Seat {
    /// One less than its number.
    index: u8,
}

impl Seat {
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= SEATS_MAX { Some(Self { index: number - 1 }) } else { None }
    }

    #[inline]
    pub const fn number(self) -> u8 {
        self.index + 1
    }

    /// 0 to 7, for arrays.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.index as usize & (SEATS_MAX - 1)
    }

    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        Self { index: index & 7 }
    }
}

impl TryFrom<u8> for Seat {
    type Error = NotASeat;

    fn try_from(number: u8) -> Result<Self, NotASeat> {
        Self::new(number).ok_or(NotASeat)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.number()
    }
}

/// The number is none of 1 to 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotASeat;

impl fmt::Display for NotASeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("seats are numbered 1 to 8")
    }
}

impl std::error::Error for NotASeat {}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

/// A set of betting positions, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SeatSet(u8);

impl SeatSet {
    pub const EMPTY: Self = Self(0);

    /// Seats 1 to `count`.
    pub const fn first(count: u8) -> Self {
        if count as usize >= SEATS_MAX { Self(0xff) } else { Self((1 << count) - 1) }
    }

    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.index()) != 0
    }

    #[inline]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | (1 << seat.index()))
    }

    /// Not by a branch.
    #[inline]
    pub(crate) const fn with_if(self, seat: Seat, condition: bool) -> Self {
        Self(self.0 | (condition as u8) << seat.index())
    }

    #[inline]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.index()))
    }

    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lowest seat of the set.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a byte has eight bits")]
    pub const fn lowest(self) -> Option<Seat> {
        match self.0 {
            0 => None,
            bits => Some(Seat::from_index(bits.trailing_zeros() as u8)),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a byte has eight bits")]
    const fn highest(self) -> Option<Seat> {
        match self.0 {
            0 => None,
            bits => Some(Seat::from_index(7 - bits.leading_zeros() as u8)),
        }
    }

    /// The seat that comes first when going round in this direction.
    #[inline]
    pub const fn first_in(self, direction: Direction) -> Option<Seat> {
        match direction {
            Direction::FromLeft => self.lowest(),
            Direction::FromRight => self.highest(),
        }
    }

    /// The seats that come strictly after `seat` in this direction.
    #[inline]
    pub const fn after(self, seat: Seat, direction: Direction) -> Self {
        const ABOVE: [u8; SEATS_MAX] = [0xfe, 0xfc, 0xf8, 0xf0, 0xe0, 0xc0, 0x80, 0x00];
        const BELOW: [u8; SEATS_MAX] = [0x00, 0x01, 0x03, 0x07, 0x0f, 0x1f, 0x3f, 0x7f];
        let after = match direction {
            Direction::FromLeft => &ABOVE,
            Direction::FromRight => &BELOW,
        };
        Self(self.0 & after[seat.index()])
    }

    /// The seats in order, going round in this direction.
    #[inline]
    pub fn iter(self, direction: Direction) -> SeatIter {
        match direction {
            Direction::FromLeft => SeatIter { left: self.0, turned: 0 },
            Direction::FromRight => SeatIter { left: self.0.reverse_bits(), turned: 7 },
        }
    }

    /// Whether the seats are neighbours in one unbroken row.
    pub const fn is_adjacent_run(self) -> bool {
        if self.0 == 0 {
            return true;
        }
        let run = self.0 >> self.0.trailing_zeros();
        run as u16 & (run as u16 + 1) == 0
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter(Direction::FromLeft).map(Seat::number)).finish()
    }
}

/// Going from the right, the bits are turned round first: the next seat is always the lowest bit, and the one after it
/// does not wait for it.
#[derive(Clone, Debug)]
pub struct SeatIter {
    left: u8,
    /// 7 where the bits are turned round, else 0.
    turned: u8,
}

impl Iterator for SeatIter {
    type Item = Seat;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a byte has eight bits")]
    fn next(&mut self) -> Option<Seat> {
        if self.left == 0 {
            return None;
        }
        let lowest = self.left.trailing_zeros() as u8;
        self.left &= self.left - 1;
        Some(Seat::from_index(lowest ^ self.turned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_round_visits_each_seat_once_in_either_direction() {
        let seats: SeatSet = [2, 5, 8].into_iter().filter_map(Seat::new).collect();
        let numbers = |direction| seats.iter(direction).map(Seat::number).collect::<Vec<_>>();
        assert_eq!(numbers(Direction::FromLeft), [2, 5, 8]);
        assert_eq!(numbers(Direction::FromRight), [8, 5, 2]);
        let five = Seat::new(5).unwrap();
        assert_eq!(seats.after(five, Direction::FromLeft), SeatSet::EMPTY.with(Seat::new(8).unwrap()));
        assert_eq!(seats.after(five, Direction::FromRight), SeatSet::EMPTY.with(Seat::new(2).unwrap()));
    }

    #[test]
    fn neighbours_are_an_unbroken_row() {
        let set = |numbers: &[u8]| numbers.iter().filter_map(|&n| Seat::new(n)).collect::<SeatSet>();
        assert!(set(&[3, 4, 5]).is_adjacent_run());
        assert!(set(&[8]).is_adjacent_run());
        assert!(!set(&[1, 3]).is_adjacent_run());
        assert!(SeatSet::first(8).is_adjacent_run());
    }
}
