//! What the kernel said of a transfer that failed. An embedded-hal error is a kind without a number, and kernels say of
//! a chip that does not answer three different things.

use embedded_hal::i2c::{Error, ErrorKind};
use linux_embedded_hal::I2CError;
use linux_embedded_hal::i2cdev::linux::LinuxI2CError;
use rustix::io::Errno;

/// An I2C error that may know the kernel's number.
pub trait BusErrno: Error {
    fn errno(&self) -> Option<i32>;

    /// The bus works, but nobody took the address. Drivers of adapters say EREMOTEIO (the Raspberry Pi's), ENXIO (what
    /// the kernel's documentation asks for) or ENODEV.
    fn is_no_answer(&self) -> bool {
        let nobody = [Errno::REMOTEIO, Errno::NXIO, Errno::NODEV].map(Errno::raw_os_error);
        matches!(self.kind(), ErrorKind::NoAcknowledge(_)) || self.errno().is_some_and(|errno| nobody.contains(&errno))
    }

    /// The adapter cannot carry plain I2C transfers at all, whatever hangs on it: some speak SMBus only.
    fn is_unfit(&self) -> bool {
        self.errno() == Some(Errno::OPNOTSUPP.raw_os_error())
    }
}

impl BusErrno for ErrorKind {
    fn errno(&self) -> Option<i32> {
        None
    }
}

impl BusErrno for I2CError {
    fn errno(&self) -> Option<i32> {
        match self.inner() {
            LinuxI2CError::Errno(number) => Some(*number),
            LinuxI2CError::Io(error) => error.raw_os_error(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernels_word_for_an_absent_chip_is_no_answer_and_a_sick_bus_is_not() {
        let said = |number: i32| I2CError::from(LinuxI2CError::Errno(number));
        for (number, no_answer) in
            [(121, true), (6, true), (19, true), (5, false), (110, false), (95, false), (11, false)]
        {
            assert_eq!(said(number).is_no_answer(), no_answer, "{number}");
            assert_eq!(said(number).errno(), Some(number));
            assert_eq!(said(number).is_unfit(), number == 95, "an adapter that speaks SMBus only");
        }
    }
}
