//! One chip over an embedded-hal bus. Any error leaves the chip marked as unknown, and the next call sets it up anew:
//! after a bus error or a brown-out nobody knows which registers hold what.

use embedded_hal::i2c::{ErrorKind, I2c};
use thiserror::Error;

use super::errno::BusErrno;
use super::pins::{ChipAddress, PinSetup};

/// Register addresses with `IOCON.BANK = 0` (table 3-3 of the data sheet): port A, then port B at the next address.
mod register {
    pub(super) const IODIR: u8 = 0x00;
    pub(super) const IPOL: u8 = 0x02;
    pub(super) const GPINTEN: u8 = 0x04;
    /// With `BANK = 1`, IOCON is here; with `BANK = 0` it is GPINTENB.
    pub(super) const IOCON_IN_BANK_1: u8 = 0x05;
    pub(super) const DEFVAL: u8 = 0x06;
    pub(super) const INTCON: u8 = 0x08;
    pub(super) const IOCON: u8 = 0x0A;
    pub(super) const GPPU: u8 = 0x0C;
    pub(super) const INTF: u8 = 0x0E;
    pub(super) const OLAT: u8 = 0x14;
}

/// MIRROR (bit 6): both interrupt pins tell of both ports, so one wire is enough. ODR (bit 2): open drain, so that several
/// chips may share that wire. BANK, SEQOP, DISSLW, HAEN and INTPOL stay 0.
const IOCON: u8 = 0b0100_0100;

/// Both ports at one moment; port A in the low byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortSample {
    /// INTF: inputs that changed since the last reading.
    pub flagged: u16,
    /// INTCAP: the levels at the first of those changes.
    pub captured: u16,
    /// GPIO: the levels now.
    pub levels: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChipFault {
    #[error("the expander at {address:#04x} does not answer: check its supply, its address straps and the bus")]
    NoAnswer { address: u8, errno: Option<i32> },
    #[error("I2C error {kind:?} at the expander {address:#04x}: check pull-ups, cable length and ground")]
    Bus { address: u8, kind: ErrorKind, errno: Option<i32> },
    #[error("the bus of the expander {address:#04x} carries no plain I2C transfers: its adapter speaks SMBus only")]
    Unfit { address: u8, errno: Option<i32> },
    #[error("the expander at {address:#04x} had lost its set-up: its supply dips or its reset line is disturbed")]
    LostConfiguration { address: u8 },
}

/// One chip.
#[derive(Debug)]
pub struct Mcp23017 {
    address: ChipAddress,
    setup: PinSetup,
    /// What the output latches should hold.
    outputs: u16,
    is_set_up: bool,
}

impl Mcp23017 {
    pub fn new(address: ChipAddress, setup: PinSetup) -> Self {
        Self { address, setup, outputs: 0, is_set_up: false }
    }

    pub fn address(&self) -> ChipAddress {
        self.address
    }

    pub fn is_set_up(&self) -> bool {
        self.is_set_up
    }

    /// Reads interrupt flags, captured and present levels in one transaction. Reading clears the interrupt.
    pub fn sample<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I) -> Result<PortSample, ChipFault> {
        self.ensure_set_up(bus)?;
        // INTF, INTCAP and GPIO follow one another. INTF comes first because reading the others clears it.
        let mut bytes = [0; 6];
        self.read(bus, register::INTF, &mut bytes)?;
        let word = |low: usize| u16::from_le_bytes([bytes[low], bytes[low + 1]]) & self.setup.inputs();
        Ok(PortSample { flagged: word(0), captured: word(2), levels: word(4) })
    }

    /// Sets the outputs; only those set up as such.
    pub fn write<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I, levels: u16) -> Result<(), ChipFault> {
        // Kept even if the bus fails: setting up writes it.
        self.outputs = levels & self.setup.outputs();
        self.ensure_set_up(bus)?;
        self.write_pair(bus, register::OLAT, self.outputs)
    }

    /// Reads the set-up back. A chip that went through a brown-out answers, but with its registers at their reset values.
    pub fn verify<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I) -> Result<(), ChipFault> {
        self.ensure_set_up(bus)?;
        let mut found = [0; 14];
        self.read(bus, register::IODIR, &mut found)?;
        if found == self.expected() {
            return Ok(());
        }
        self.is_set_up = false;
        Err(ChipFault::LostConfiguration { address: self.address.value() })
    }

    /// Forgets what the chip holds, so that the next call sets it up.
    pub fn distrust(&mut self) {
        self.is_set_up = false;
    }

    fn ensure_set_up<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I) -> Result<(), ChipFault> {
        if self.is_set_up {
            return Ok(());
        }
        // Out of bank 1, should the chip ever have got there. In bank 0 this only disables interrupts of port B.
        self.transfer(|address| bus.write(address, &[register::IOCON_IN_BANK_1, 0]))?;
        self.write_pair(bus, register::IOCON, u16::from_le_bytes([IOCON, IOCON]))?;
        // Latches before directions: a lamp that was lit must not go dark for the time in between.
        self.write_pair(bus, register::OLAT, self.outputs)?;
        self.write_pair(bus, register::IODIR, self.setup.inputs())?;
        self.write_pair(bus, register::IPOL, 0)?;
        self.write_pair(bus, register::DEFVAL, 0)?;
        // Compare with the previous level, not with DEFVAL: both placing and removing a chip must interrupt.
        self.write_pair(bus, register::INTCON, 0)?;
        self.write_pair(bus, register::GPPU, self.setup.inputs())?;
        self.write_pair(bus, register::GPINTEN, self.setup.inputs())?;
        self.is_set_up = true;
        Ok(())
    }

    /// Registers 0x00 to 0x0D as they must be.
    fn expected(&self) -> [u8; 14] {
        let [inputs_a, inputs_b] = self.setup.inputs().to_le_bytes();
        [inputs_a, inputs_b, 0, 0, inputs_a, inputs_b, 0, 0, 0, 0, IOCON, IOCON, inputs_a, inputs_b]
    }

    fn write_pair<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I, register: u8, word: u16) -> Result<(), ChipFault> {
        let [a, b] = word.to_le_bytes();
        self.transfer(|address| bus.write(address, &[register, a, b]))
    }

    fn read<I: I2c<Error: BusErrno>>(&mut self, bus: &mut I, register: u8, bytes: &mut [u8]) -> Result<(), ChipFault> {
        self.transfer(|address| bus.write_read(address, &[register], bytes))
    }

    fn transfer<E: BusErrno>(&mut self, act: impl FnOnce(u8) -> Result<(), E>) -> Result<(), ChipFault> {
        let address = self.address.value();
        act(address).map_err(|error| {
            self.is_set_up = false;
            let (kind, errno) = (error.kind(), error.errno());
            if error.is_no_answer() {
                ChipFault::NoAnswer { address, errno }
            } else if error.is_unfit() {
                ChipFault::Unfit { address, errno }
            } else {
                ChipFault::Bus { address, kind, errno }
            }
        })
    }
}
