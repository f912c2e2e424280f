//! Faults come in pairs: raised, later cleared. The book keeps which stand, on either side of the link.
//!
//! A fault has one of the numbers 1 to 31 within its device, so that all that stand fit one 32-bit field of STATE. The
//! book never guesses: a clear without a raise is reported, not swallowed.

use std::fmt;
use std::marker::PhantomData;

use crate::message::BodyFault;

/// A device's closed list of faults.
pub trait DeviceFault: Copy + Eq + fmt::Debug + 'static {
    const ALL: &'static [Self];

    /// 1 to 31.
    fn code(self) -> u8;
}

/// The faults that stand at one moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FaultSet<F> {
    bits: u32,
    codes: PhantomData<F>,
}

impl<F: DeviceFault> FaultSet<F> {
    pub const EMPTY: Self = Self { bits: 0, codes: PhantomData };

    fn bit(fault: F) -> u32 {
        1_u32.checked_shl(u32::from(fault.code())).unwrap_or(0)
    }

    pub fn contains(self, fault: F) -> bool {
        self.bits & Self::bit(fault) != 0
    }

    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    #[must_use]
    pub fn with(self, fault: F) -> Self {
        Self { bits: self.bits | Self::bit(fault), codes: PhantomData }
    }

    #[must_use]
    pub fn without(self, fault: F) -> Self {
        Self { bits: self.bits & !Self::bit(fault), codes: PhantomData }
    }

    pub fn iter(self) -> impl Iterator<Item = F> {
        F::ALL.iter().copied().filter(move |fault| self.contains(*fault))
    }

    pub(crate) fn to_wire(self) -> [u8; 4] {
        self.bits.to_be_bytes()
    }

    pub(crate) fn from_wire(bits: u32) -> Result<Self, BodyFault> {
        let known = F::ALL.iter().fold(0, |known, fault| known | Self::bit(*fault));
        if bits & !known == 0 {
            Ok(Self { bits, codes: PhantomData })
        } else {
            Err(BodyFault::UnknownValue { field: "faults" })
        }
    }
}

impl<F: DeviceFault> fmt::Debug for FaultSet<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<F: DeviceFault> FromIterator<F> for FaultSet<F> {
    fn from_iter<T: IntoIterator<Item = F>>(faults: T) -> Self {
        faults.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// What a raise, clear or STATE did to the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultChange {
    Changed,
    /// Raised while standing, or cleared while not: the far end and we disagree. Ask for STATE.
    Unpaired,
}

/// Keeps raised and cleared in pairs.
#[derive(Clone, Copy, Debug)]
pub struct FaultBook<F: DeviceFault> {
    standing: FaultSet<F>,
}

impl<F: DeviceFault> Default for FaultBook<F> {
    fn default() -> Self {
        Self { standing: FaultSet::EMPTY }
    }
}

impl<F: DeviceFault> FaultBook<F> {
    pub fn standing(&self) -> FaultSet<F> {
        self.standing
    }

    pub fn handle_raised(&mut self, fault: F) -> FaultChange {
        let change = if self.standing.contains(fault) { FaultChange::Unpaired } else { FaultChange::Changed };
        self.standing = self.standing.with(fault);
        change
    }

    pub fn handle_cleared(&mut self, fault: F) -> FaultChange {
        let change = if self.standing.contains(fault) { FaultChange::Changed } else { FaultChange::Unpaired };
        self.standing = self.standing.without(fault);
        change
    }

    /// STATE is the whole truth after a restart: what it lists stands, the rest does not. Returns the newly raised and
    /// the newly cleared, so that both can be recorded as pairs.
    pub fn handle_state(&mut self, reported: FaultSet<F>) -> (FaultSet<F>, FaultSet<F>) {
        let raised = reported.iter().filter(|fault| !self.standing.contains(*fault)).collect();
        let cleared = self.standing.iter().filter(|fault| !reported.contains(*fault)).collect();
        self.standing = reported;
        (raised, cleared)
    }
}

/// A [`coded_enum`](crate::fields) whose values are faults.
macro_rules! fault_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $code:literal,)+ }) => {
        $crate::fields::coded_enum! {
            $(#[$meta])*
            pub enum $name { $($(#[$variant_meta])* $variant = $code,)+ }
        }

        $(const _: () = assert!($code >= 1 && $code <= 31, "fault numbers are bits 1 to 31 of STATE");)+

        impl $crate::faults::DeviceFault for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn code(self) -> u8 {
                Self::code(self)
            }
        }
    };
}
pub(crate) use fault_enum;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::ReaderFault;

    #[test]
    fn raised_and_cleared_pair_up() {
        let mut book = FaultBook::default();
        assert_eq!(book.handle_raised(ReaderFault::LensDirty), FaultChange::Changed);
        assert_eq!(book.handle_raised(ReaderFault::LensDirty), FaultChange::Unpaired);
        assert_eq!(book.handle_cleared(ReaderFault::LensDirty), FaultChange::Changed);
        assert_eq!(book.handle_cleared(ReaderFault::LensDirty), FaultChange::Unpaired);
        assert!(book.standing().is_empty());
    }

    #[test]
    fn a_state_report_is_turned_into_the_pairs_that_were_missed() {
        let mut book = FaultBook::default();
        book.handle_raised(ReaderFault::LensDirty);
        let (raised, cleared) = book.handle_state(FaultSet::EMPTY.with(ReaderFault::Tamper));
        assert_eq!(raised.iter().collect::<Vec<_>>(), [ReaderFault::Tamper]);
        assert_eq!(cleared.iter().collect::<Vec<_>>(), [ReaderFault::LensDirty]);
    }

    #[test]
    fn a_fault_bit_nobody_defined_is_not_accepted() {
        assert!(FaultSet::<ReaderFault>::from_wire(1).is_err());
        assert!(FaultSet::<ReaderFault>::from_wire(1 << 31).is_err());
    }
}
