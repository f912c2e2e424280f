//! The clock of a simulated device, which may run fast or slow.

use device_protocols::link::Millis;

/// Device time as a function of the caller's.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeviceClock {
    pub(super) outer: Millis,
    pub(super) own: Millis,
    pub(super) rate_per_mille: u16,
}

impl DeviceClock {
    /// From here on it may run at another speed without a jump.
    pub(super) fn rebase(&mut self, outer: Millis) {
        self.own = self.own(outer);
        self.outer = self.outer.max(outer);
    }

    pub(super) fn own(&self, outer: Millis) -> Millis {
        self.own + outer.since(self.outer).saturating_mul(u64::from(self.rate_per_mille)) / 1_000
    }

    /// The first outer moment at which the device's clock shows `own`.
    pub(super) fn outer(&self, own: Millis) -> Millis {
        self.outer + own.since(self.own).saturating_mul(1_000).div_ceil(u64::from(self.rate_per_mille))
    }
}
