//! The MCP23017 expander at register level, after its data sheet (DS20001952, revision D).
//!
//! It is as unforgiving as the part: pins A7 and B7 are outputs only and read 0 as inputs, the first interrupt latches
//! INTCAP and INTF until INTCAP or GPIO is read, and changes in between that have gone back by then are lost.

/// Register names in the order of the BANK = 0 map; each has an A and a B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Iodir,
    Ipol,
    Gpinten,
    Defval,
    Intcon,
    Iocon,
    Gppu,
    Intf,
    Intcap,
    Gpio,
    Olat,
}

const REGISTERS: [Register; 11] = [
    Register::Iodir,
    Register::Ipol,
    Register::Gpinten,
    Register::Defval,
    Register::Intcon,
    Register::Iocon,
    Register::Gppu,
    Register::Intf,
    Register::Intcap,
    Register::Gpio,
    Register::Olat,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    A,
    B,
}

const IOCON_BANK: u8 = 0x80;
const IOCON_MIRROR: u8 = 0x40;
const IOCON_SEQOP: u8 = 0x20;
/// Pin 7 of each port cannot be an input.
const OUTPUT_ONLY: u8 = 0x80;

#[derive(Clone, Debug)]
struct PortState {
    iodir: u8,
    ipol: u8,
    gpinten: u8,
    defval: u8,
    intcon: u8,
    gppu: u8,
    intf: u8,
    intcap: u8,
    olat: u8,
    /// The levels that the world applies to the pins.
    outside: u8,
    /// What a changed pin is compared with: the port as it was last read.
    reference: u8,
}

impl PortState {
    /// At power-on all pins are inputs, pulled up from outside.
    const RESET: Self = Self {
        iodir: 0xFF,
        ipol: 0,
        gpinten: 0,
        defval: 0,
        intcon: 0,
        gppu: 0,
        intf: 0,
        intcap: 0,
        olat: 0,
        outside: 0xFF,
        reference: 0x7F,
    };

    fn inputs(&self) -> u8 {
        self.iodir & !OUTPUT_ONLY
    }

    fn gpio(&self) -> u8 {
        let inputs = (self.outside ^ self.ipol) & self.inputs();
        let outputs = self.olat & !self.iodir;
        inputs | outputs
    }

    /// Compares the pins and latches an interrupt, if none is latched yet.
    fn assess(&mut self) {
        let value = self.gpio();
        let changed = (value ^ self.reference) & !self.intcon;
        let differs = (value ^ self.defval) & self.intcon;
        let causes = (changed | differs) & self.gpinten & self.inputs();
        if self.intf == 0 && causes != 0 {
            self.intf = causes;
            self.intcap = value;
        }
    }

    /// Reading INTCAP or GPIO ends the interrupt; a level that still differs from DEFVAL raises it again.
    fn clear_interrupt(&mut self) {
        self.intf = 0;
        self.reference = self.gpio();
        self.assess();
    }
}

/// One chip.
#[derive(Clone, Debug)]
pub struct Mcp23017 {
    ports: [PortState; 2],
    iocon: u8,
    pointer: u8,
    /// How often pin 7 was configured as an input: a driver that does so is wrong.
    misuses: u32,
}

impl Default for Mcp23017 {
    fn default() -> Self {
        Self { ports: [PortState::RESET, PortState::RESET], iocon: 0, pointer: 0, misuses: 0 }
    }
}

impl Mcp23017 {
    /// The supply dips: registers are lost, the world's levels stay.
    pub fn reset(&mut self) {
        let levels = [self.ports[0].outside, self.ports[1].outside];
        *self = Self { misuses: self.misuses, ..Self::default() };
        for (port, outside) in self.ports.iter_mut().zip(levels) {
            port.outside = outside;
            port.reference = port.gpio();
        }
    }

    pub fn misuses(&self) -> u32 {
        self.misuses
    }

    /// The world sets one input pin.
    pub fn drive(&mut self, port: Port, pin: u8, high: bool) {
        let bit = 1_u8.checked_shl(u32::from(pin)).unwrap_or(0);
        let state = &mut self.ports[port as usize];
        state.outside = if high { state.outside | bit } else { state.outside & !bit };
        state.assess();
    }

    /// What an output pin drives; `None` for an input.
    pub fn output(&self, port: Port, pin: u8) -> Option<bool> {
        let state = &self.ports[port as usize];
        let bit = 1_u8.checked_shl(u32::from(pin)).unwrap_or(0);
        let is_output = state.iodir & bit == 0 && bit != 0;
        is_output.then_some(state.olat & bit != 0)
    }

    /// Whether the interrupt pin of this port is asserted.
    pub fn interrupt(&self, port: Port) -> bool {
        let own = self.ports[port as usize].intf != 0;
        own || (self.iocon & IOCON_MIRROR != 0 && self.ports.iter().any(|state| state.intf != 0))
    }

    /// Bytes written in one transaction: the register address, then data.
    pub fn write(&mut self, bytes: &[u8]) {
        let Some((&address, data)) = bytes.split_first() else { return };
        self.pointer = address;
        for byte in data {
            if let Some((register, port)) = self.at(self.pointer) {
                self.write_register(register, port, *byte);
            }
            self.advance();
        }
    }

    pub fn read(&mut self, buffer: &mut [u8]) {
        for byte in buffer {
            *byte = self.at(self.pointer).map_or(0, |(register, port)| self.read_register(register, port));
            self.advance();
        }
    }

    fn at(&self, address: u8) -> Option<(Register, Port)> {
        let (index, is_b) = if self.iocon & IOCON_BANK == 0 {
            (address / 2, address % 2 == 1)
        } else {
            (address & 0x0F, address & 0x10 != 0)
        };
        let register = *REGISTERS.get(usize::from(index))?;
        Some((register, if is_b { Port::B } else { Port::A }))
    }

    /// With SEQOP set and BANK = 0 the pointer toggles within a pair; with BANK = 1 it stays.
    fn advance(&mut self) {
        let sequential = self.iocon & IOCON_SEQOP == 0;
        let banked = self.iocon & IOCON_BANK != 0;
        self.pointer = match (sequential, banked) {
            (true, _) => {
                let next = self.pointer.wrapping_add(1);
                if self.at(next).is_some() { next } else { 0 }
            }
            (false, false) => self.pointer ^ 1,
            (false, true) => self.pointer,
        };
    }

    fn write_register(&mut self, register: Register, port: Port, value: u8) {
        if register == Register::Iocon {
            self.iocon = value;
            return;
        }
        let state = &mut self.ports[port as usize];
        match register {
            Register::Iodir => {
                if value & OUTPUT_ONLY != 0 {
                    self.misuses = self.misuses.saturating_add(1);
                }
                state.iodir = value;
            }
            Register::Ipol => state.ipol = value,
            Register::Gpinten => {
                // Enabling compares with the pins as they are: no interrupt for what happened before.
                if state.gpinten == 0 {
                    state.reference = state.gpio();
                }
                state.gpinten = value;
            }
            Register::Defval => state.defval = value,
            Register::Intcon => state.intcon = value,
            Register::Gppu => state.gppu = value,
            // Writing the port writes the latch; the interrupt registers are read-only.
            Register::Gpio | Register::Olat => state.olat = value,
            Register::Intf | Register::Intcap | Register::Iocon => {}
        }
        state.assess();
    }

    fn read_register(&mut self, register: Register, port: Port) -> u8 {
        let state = &mut self.ports[port as usize];
        match register {
            Register::Iodir => state.iodir,
            Register::Ipol => state.ipol,
            Register::Gpinten => state.gpinten,
            Register::Defval => state.defval,
            Register::Intcon => state.intcon,
            Register::Iocon => self.iocon,
            Register::Gppu => state.gppu,
            Register::Intf => state.intf,
            Register::Intcap => {
                let captured = state.intcap;
                state.clear_interrupt();
                captured
            }
            Register::Gpio => {
                let value = state.gpio();
                state.clear_interrupt();
                value
            }
            Register::Olat => state.olat,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IODIRA: u8 = 0x00;
    const GPINTENA: u8 = 0x04;
    const DEFVALA: u8 = 0x06;
    const INTCONA: u8 = 0x08;
    const IOCON: u8 = 0x0A;
    const INTFA: u8 = 0x0E;
    const INTCAPA: u8 = 0x10;
    const GPIOA: u8 = 0x12;
    const OLATA: u8 = 0x14;

    fn read(chip: &mut Mcp23017, register: u8) -> u8 {
        let mut byte = [0];
        chip.write(&[register]);
        chip.read(&mut byte);
        byte[0]
    }

    fn watching() -> Mcp23017 {
        let mut chip = Mcp23017::default();
        chip.write(&[IODIRA, 0x7F, 0x7F]);
        chip.write(&[GPINTENA, 0x7F, 0x7F]);
        chip
    }

    #[test]
    fn it_comes_up_as_the_data_sheet_says() {
        let mut chip = Mcp23017::default();
        let mut all = [0xEE; 22];
        chip.write(&[0]);
        chip.read(&mut all);
        assert_eq!(all[..2], [0xFF, 0xFF], "all inputs");
        assert!(all[2..18].iter().all(|register| *register == 0), "{all:02X?}");
    }

    #[test]
    fn a_change_interrupts_and_captures_until_it_is_read() {
        let mut chip = watching();
        chip.drive(Port::A, 3, false);
        assert!(chip.interrupt(Port::A) && !chip.interrupt(Port::B));
        chip.drive(Port::A, 5, false);
        assert_eq!(read(&mut chip, INTFA), 0x08, "the first cause alone");
        assert_eq!(read(&mut chip, INTCAPA), 0x77, "the port at that moment");
        assert!(!chip.interrupt(Port::A));
        assert_eq!(read(&mut chip, GPIOA), 0x57, "the port now");
    }

    #[test]
    fn a_change_that_went_back_before_the_read_leaves_only_its_capture() {
        let mut chip = watching();
        chip.drive(Port::A, 0, false);
        chip.drive(Port::A, 0, true);
        assert_eq!((read(&mut chip, INTCAPA), read(&mut chip, GPIOA)), (0x7E, 0x7F));
        assert!(!chip.interrupt(Port::A));
    }

    #[test]
    fn compared_with_defval_the_interrupt_comes_back_while_the_level_differs() {
        let mut chip = watching();
        chip.write(&[DEFVALA, 0x7F]);
        chip.write(&[INTCONA, 0x7F]);
        chip.drive(Port::A, 1, false);
        read(&mut chip, GPIOA);
        assert!(chip.interrupt(Port::A));
        chip.drive(Port::A, 1, true);
        read(&mut chip, GPIOA);
        assert!(!chip.interrupt(Port::A));
    }

    #[test]
    fn pin_7_is_an_output_and_nothing_else() {
        let mut chip = watching();
        assert_eq!(chip.misuses(), 0);
        chip.write(&[OLATA, 0x80]);
        assert_eq!((chip.output(Port::A, 7), chip.output(Port::A, 0)), (Some(true), None));
        chip.drive(Port::A, 7, false);
        assert!(!chip.interrupt(Port::A));
        chip.write(&[IODIRA, 0xFF]);
        chip.write(&[GPINTENA, 0xFF]);
        chip.drive(Port::A, 7, true);
        assert_eq!((chip.misuses(), read(&mut chip, GPIOA), chip.interrupt(Port::A)), (1, 0x7F, false));
    }

    #[test]
    fn mirror_and_bank_and_single_register_mode_work() {
        let mut chip = watching();
        chip.write(&[IOCON, IOCON_MIRROR]);
        chip.drive(Port::B, 2, false);
        assert!(chip.interrupt(Port::A));
        chip.write(&[IOCON, IOCON_SEQOP]);
        let mut three = [0; 3];
        chip.write(&[GPIOA]);
        chip.read(&mut three);
        assert_eq!(three, [0x7F, 0x7B, 0x7F], "toggles within the pair");
        chip.write(&[IOCON, IOCON_BANK]);
        assert_eq!(read(&mut chip, 0x19), 0x7B, "GPIOB in the other map");
    }

    #[test]
    fn a_dip_of_the_supply_forgets_the_registers_but_not_the_world() {
        let mut chip = watching();
        chip.drive(Port::A, 4, false);
        chip.reset();
        assert_eq!((read(&mut chip, IODIRA), read(&mut chip, GPIOA)), (0xFF, 0x6F));
    }
}
