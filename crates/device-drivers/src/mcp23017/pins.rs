//! Pins of one chip. A pin that may be read and a pin that may be driven are different types.

use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Port {
    A,
    B,
}

/// 0x20 to 0x27, set by the straps A0 to A2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChipAddress(u8);

impl ChipAddress {
    pub fn new(address: u8) -> Option<Self> {
        (0x20..=0x27).contains(&address).then_some(Self(address))
    }

    pub const fn value(self) -> u8 {
        self.0
    }
}

/// A pin that may be an input: 0 to 6 of either port. Number 7 is output-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputPin {
    port: Port,
    number: u8,
}

impl InputPin {
    pub fn new(port: Port, number: u8) -> Option<Self> {
        (number <= 6).then_some(Self { port, number })
    }

    /// In a word with port A in the low byte.
    pub const fn bit(self) -> u16 {
        bit(self.port, self.number)
    }
}

/// A pin that may be an output: any of the sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputPin {
    port: Port,
    number: u8,
}

impl OutputPin {
    pub fn new(port: Port, number: u8) -> Option<Self> {
        (number <= 7).then_some(Self { port, number })
    }

    pub const fn bit(self) -> u16 {
        bit(self.port, self.number)
    }
}

const fn bit(port: Port, number: u8) -> u16 {
    match port {
        Port::A => 1 << number,
        Port::B => 1 << (number + 8),
    }
}

/// Which pins are inputs. All others are outputs, so that no pin floats and the two output-only pins are what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PinSetup {
    inputs: u16,
    outputs: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a pin is set up both as input and as output; give the lamp or the sensor another pin")]
pub struct PinUsedTwice;

impl PinSetup {
    pub fn new(inputs: &[InputPin], outputs: &[OutputPin]) -> Result<Self, PinUsedTwice> {
        let inputs = inputs.iter().fold(0, |word, pin| word | pin.bit());
        let outputs = outputs.iter().fold(0, |word, pin| word | pin.bit());
        if inputs & outputs == 0 { Ok(Self { inputs, outputs }) } else { Err(PinUsedTwice) }
    }

    pub const fn inputs(self) -> u16 {
        self.inputs
    }

    pub const fn outputs(self) -> u16 {
        self.outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_output_only_pins_cannot_be_inputs() {
        for port in [Port::A, Port::B] {
            assert!(InputPin::new(port, 7).is_none());
            assert!(OutputPin::new(port, 7).is_some());
            assert!((0..7).all(|number| InputPin::new(port, number).is_some()));
        }
    }

    #[test]
    fn one_pin_has_one_job() {
        let input = InputPin::new(Port::B, 3).unwrap();
        let output = OutputPin::new(Port::B, 3).unwrap();
        assert_eq!(PinSetup::new(&[input], &[output]), Err(PinUsedTwice));
    }
}
