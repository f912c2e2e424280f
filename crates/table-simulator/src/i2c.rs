//! A simulated I2C bus with expanders on it, behind embedded-hal, and the ways a bus fails.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use thiserror::Error;

use crate::mcp23017::Mcp23017;

/// Clones share the bus.
#[derive(Clone, Debug, Default)]
pub struct SimI2c(Arc<Mutex<Bus>>);

#[derive(Debug, Default)]
struct Bus {
    chips: BTreeMap<u8, Mcp23017>,
    unplugged: Vec<u8>,
    failures: Vec<BusFailure>,
    stuck: bool,
    transactions: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BusFailure {
    #[error("no chip answered at this address")]
    NoAcknowledge,
    #[error("another master won the bus")]
    ArbitrationLost,
    #[error("the bus is held low")]
    BusStuck,
}

impl embedded_hal::i2c::Error for BusFailure {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAcknowledge => ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address),
            Self::ArbitrationLost => ErrorKind::ArbitrationLoss,
            Self::BusStuck => ErrorKind::Bus,
        }
    }
}

/// As the Raspberry Pi's adapter says it.
impl device_drivers::mcp23017::BusErrno for BusFailure {
    fn errno(&self) -> Option<i32> {
        Some(match self {
            Self::NoAcknowledge => 121,
            Self::ArbitrationLost => 11,
            Self::BusStuck => 110,
        })
    }
}

impl SimI2c {
    fn bus(&self) -> MutexGuard<'_, Bus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a fresh chip at this address.
    pub fn add(&self, address: u8) {
        self.bus().chips.insert(address, Mcp23017::default());
    }

    /// Looks at a chip, or moves its pins. `None`: there is none.
    pub fn chip<T>(&self, address: u8, deed: impl FnOnce(&mut Mcp23017) -> T) -> Option<T> {
        self.bus().chips.get_mut(&address).map(deed)
    }

    /// The chip stops answering, or answers again.
    pub fn set_plugged(&self, address: u8, plugged: bool) {
        let mut bus = self.bus();
        bus.unplugged.retain(|unplugged| *unplugged != address);
        if !plugged {
            bus.unplugged.push(address);
        }
    }

    /// The next transactions fail like this, one each.
    pub fn fail_next(&self, failure: BusFailure, times: usize) {
        self.bus().failures.extend(std::iter::repeat_n(failure, times));
    }

    /// Something holds the bus low until further notice.
    pub fn set_stuck(&self, stuck: bool) {
        self.bus().stuck = stuck;
    }

    /// Transactions so far, failed ones included: what an idle driver must keep low.
    pub fn transactions(&self) -> u64 {
        self.bus().transactions
    }
}

impl ErrorType for SimI2c {
    type Error = BusFailure;
}

impl I2c for SimI2c {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), BusFailure> {
        let mut bus = self.bus();
        bus.transactions += 1;
        if bus.stuck {
            return Err(BusFailure::BusStuck);
        }
        if !bus.failures.is_empty() {
            return Err(bus.failures.remove(0));
        }
        if bus.unplugged.contains(&address) {
            return Err(BusFailure::NoAcknowledge);
        }
        let chip = bus.chips.get_mut(&address).ok_or(BusFailure::NoAcknowledge)?;
        for operation in operations {
            match operation {
                Operation::Write(bytes) => chip.write(bytes),
                Operation::Read(buffer) => chip.read(buffer),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp23017::Port;

    #[test]
    fn a_driver_reads_what_the_world_did() {
        let mut bus = SimI2c::default();
        bus.add(0x20);
        bus.chip(0x20, |chip| chip.drive(Port::B, 0, false));
        let mut both = [0; 2];
        assert_eq!(bus.write_read(0x20, &[0x12], &mut both), Ok(()));
        assert_eq!(both, [0x7F, 0x7E]);
        assert_eq!(bus.write(0x21, &[0]), Err(BusFailure::NoAcknowledge));
    }

    #[test]
    fn failures_come_when_ordered_and_go() {
        let mut bus = SimI2c::default();
        bus.add(0x20);
        bus.fail_next(BusFailure::ArbitrationLost, 1);
        assert_eq!(bus.write(0x20, &[0]), Err(BusFailure::ArbitrationLost));
        bus.set_plugged(0x20, false);
        assert_eq!(bus.write(0x20, &[0]), Err(BusFailure::NoAcknowledge));
        bus.set_plugged(0x20, true);
        bus.set_stuck(true);
        assert_eq!(bus.write(0x20, &[0]), Err(BusFailure::BusStuck));
        bus.set_stuck(false);
        assert_eq!(bus.write(0x20, &[0]), Ok(()));
        assert_eq!(bus.transactions(), 4);
    }
}
