//! Which faults of input lines stand, and which of them have been told. Holds at most a few entries a line.

use std::collections::{BTreeMap, BTreeSet};

use super::spot::Spot;
use crate::fault::{FaultChange, FaultSignal, InputFault, Part};

/// A fault of one line: of the lock-out button if there is no spot.
pub type LineFaultKey = (Option<Spot>, InputFault);

#[derive(Debug, Default)]
pub struct InputFaultBook {
    standing: BTreeSet<LineFaultKey>,
    told: BTreeSet<LineFaultKey>,
    /// What the kernel said of those that it was asked about.
    errnos: BTreeMap<LineFaultKey, i32>,
}

impl InputFaultBook {
    pub fn set(&mut self, key: LineFaultKey, stands: bool) {
        if stands {
            self.standing.insert(key);
        } else {
            self.standing.remove(&key);
            self.errnos.remove(&key);
        }
    }

    /// It stands, with the kernel's reason.
    pub fn raise(&mut self, key: LineFaultKey, errno: Option<i32>) {
        self.standing.insert(key);
        self.errnos.extend(errno.map(|errno| (key, errno)));
    }

    pub fn has_signal(&self) -> bool {
        self.standing != self.told
    }

    pub fn poll_signal(&mut self) -> Option<(Option<Spot>, FaultSignal)> {
        let (key, change) = match self.told.difference(&self.standing).next().copied() {
            Some(gone) => (gone, FaultChange::Cleared),
            None => (self.standing.difference(&self.told).next().copied()?, FaultChange::Raised),
        };
        if change == FaultChange::Raised {
            self.told.insert(key);
        } else {
            self.told.remove(&key);
        }
        let (spot, fault) = key;
        let part = if spot.is_some() { Part::Sensor } else { Part::LockOut };
        let errno = self.errnos.get(&key).copied().filter(|_| change == FaultChange::Raised);
        Some((spot, FaultSignal::new(fault.on(part), change).with_errno(errno)))
    }
}
