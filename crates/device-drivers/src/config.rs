//! Which port, backend, line and pin each device hangs on: the `devices` part of a table's configuration.
//!
//! Parsing gives what a person wrote; [`Devices::wiring`] turns its lines and pins into something that can be driven, or
//! lists every reason why it cannot. Unknown keys are errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use thiserror::Error;

use crate::clock::Span;
use crate::gpio::{LineId, LineSpec};
use crate::inputs::{SplitRules, Spot};
use crate::mcp23017::bus::Lamp;
use crate::mcp23017::{BusLayout, ChipAddress, ChipLayout, InputPin, OutputPin, Port};

/// Scheduling and the kernel's timer: added to the longest debounce, it is how long edges stamped before a press may
/// still arrive. The sum stays within the 50 ms in which the lock-out must be in force.
const SETTLE_MARGIN_MS: u64 = 15;
const DEBOUNCE_MS_MIN: u64 = 20;
const DEBOUNCE_MS_MAX: u64 = 30;

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Devices {
    pub reader: Option<SerialDevice>,
    pub shuffler: Option<SerialDevice>,
    /// One, or two for a double shoe: left, then right.
    #[serde(default)]
    pub shoe: Vec<ShoeDevice>,
    #[serde(default)]
    pub gpio: GpioDevice,
    pub expanders: Option<ExpanderDevice>,
    #[serde(default)]
    pub sensor: Vec<SensorEntry>,
    #[serde(default)]
    pub lamp: Vec<LampEntry>,
}

/// A device of our own protocol.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SerialDevice {
    pub link: SerialLink,
    /// Another model or serial number on this port is then a fault.
    pub model: Option<String>,
    pub serial: Option<String>,
    pub protection: DeviceProtection,
}

/// How a device's line is protected. There is no default: whoever writes the file decides, and it can be read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceProtection {
    /// Encrypted, between this table and the device that two people have paired with it.
    Paired,
    /// In the clear: whoever holds the cable reads and writes it.
    None,
}

impl DeviceProtection {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Paired => "paired",
            Self::None => "none",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShoeDevice {
    pub link: SerialLink,
    pub model: Option<String>,
    pub serial: Option<String>,
    pub protection: DeviceProtection,
    #[serde(default)]
    pub dialect: ShoeDialect,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShoeDialect {
    #[default]
    Reference,
    /// With the checksum of commands over STX, as in the maker's worked example.
    AngelEyeWithStx,
    /// Without STX, as in the maker's text.
    AngelEyeWithoutStx,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SerialLink {
    /// A path that stays the same: below `/dev/serial/by-path` or `by-id`, never `/dev/ttyUSB0`.
    Tty { path: PathBuf, baud: u32 },
    /// A serial server, `host:port`.
    Tcp { address: String },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpioBackend {
    #[default]
    Gpiocdev,
    /// Needs a build with the feature of that name.
    Rppal,
    LinuxEmbeddedHal,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpioDevice {
    #[serde(default)]
    pub backend: GpioBackend,
    pub lock_out: Option<LockOutEntry>,
    /// 20 to 30; 25 if left out.
    pub debounce_ms: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockOutEntry {
    /// The line's name. The button is active low.
    pub button: String,
    pub lamp: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpanderDevice {
    /// `/dev/i2c-1`.
    pub bus: PathBuf,
    /// The name of the line that INTA of all chips is wired to.
    pub interrupt: String,
}

/// A place for a sensor or a lamp: a line by name, or a pin such as `B3` of the chip at an address.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Place {
    Line(String),
    Expander { address: u8, pin: String },
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensorEntry {
    pub seat: u8,
    pub spot: u8,
    pub at: Place,
    /// Direct lines only: a sensor that pulls its line down when it sees a chip, which is what most do.
    #[serde(default = "yes")]
    pub active_low: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LampEntry {
    pub seat: u8,
    pub spot: u8,
    #[serde(default)]
    pub colour: LampColour,
    pub at: Place,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LampColour {
    #[default]
    Main,
    /// The second lamp of a spot, for late chips.
    Late,
}

fn yes() -> bool {
    true
}

/// What can be driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    pub inputs: Vec<(LineId, LineSpec)>,
    pub lamps: Vec<(Lamp, LineSpec)>,
    pub bus: BusLayout,
    pub split: SplitRules,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WiringProblem {
    #[error("seat {seat} spot {spot} does not exist: seats are 1 to 8, spots 1 to 3")]
    NoSuchSpot { seat: u8, spot: u8 },
    #[error("spot {spot} has two {what}s: remove one")]
    SpotTwice { spot: Spot, what: &'static str },
    #[error("line {name} is used twice: give one of them another line")]
    LineTwice { name: String },
    #[error("pin {pin} of the expander at {address:#04x} is used twice: give one of them another pin")]
    PinTwice { address: u8, pin: String },
    #[error("{pin} is no pin: write A0 to A7 or B0 to B7")]
    NoSuchPin { pin: String },
    #[error("{pin} cannot be a sensor: pins A7 and B7 of this chip are outputs only; use it for a lamp")]
    OutputOnly { pin: String },
    #[error("{address:#04x} is no address of this chip: write 0x20 to 0x27")]
    NoSuchAddress { address: u8 },
    #[error("a sensor or lamp is on an expander, but there is no [expanders] with the bus and the interrupt line")]
    NoExpanders,
    #[error("debounce_ms = {0}: write {DEBOUNCE_MS_MIN} to {DEBOUNCE_MS_MAX}")]
    Debounce(u64),
    #[error("sensors need the lock-out button: add [gpio.lock_out]")]
    NoLockOut,
}

impl Devices {
    /// Every problem at once.
    pub fn wiring(&self) -> Result<Wiring, Vec<WiringProblem>> {
        let mut work = Draft::default();
        let debounce_ms = self.gpio.debounce_ms.unwrap_or(25);
        if !(DEBOUNCE_MS_MIN..=DEBOUNCE_MS_MAX).contains(&debounce_ms) {
            work.problems.push(WiringProblem::Debounce(debounce_ms));
        }
        let debounce = Span::millis(debounce_ms);
        if let Some(lock_out) = &self.gpio.lock_out {
            work.input(LineId::LockOut, &lock_out.button, true, debounce);
            if let Some(lamp) = &lock_out.lamp {
                work.lamp_line(Lamp::LockOut, lamp);
            }
        } else if !self.sensor.is_empty() {
            work.problems.push(WiringProblem::NoLockOut);
        }
        if let Some(expanders) = &self.expanders {
            // Not debounced: the chip's interrupt is a clean signal and must be answered at once.
            work.input(LineId::ExpanderInterrupt, &expanders.interrupt, true, Span(0));
        }
        for sensor in &self.sensor {
            work.sensor(sensor, debounce);
        }
        for lamp in &self.lamp {
            work.lamp(lamp);
        }
        let uses_expanders = !work.chips.is_empty();
        if uses_expanders && self.expanders.is_none() {
            work.problems.push(WiringProblem::NoExpanders);
        }
        if !work.problems.is_empty() {
            return Err(work.problems);
        }
        let bus = BusLayout { chips: work.chips.into_values().collect() };
        let split = SplitRules {
            wired: work.sensors.iter().copied().collect(),
            on_expander: bus.sensors(),
            settle: Span::millis(debounce_ms + SETTLE_MARGIN_MS),
            expander_debounce: debounce,
        };
        Ok(Wiring { inputs: work.inputs, lamps: work.lamps, bus, split })
    }
}

#[derive(Default)]
struct Draft {
    inputs: Vec<(LineId, LineSpec)>,
    lamps: Vec<(Lamp, LineSpec)>,
    chips: BTreeMap<ChipAddress, ChipLayout>,
    sensors: BTreeSet<Spot>,
    lamps_seen: BTreeSet<Lamp>,
    names: BTreeSet<String>,
    pins: BTreeSet<(u8, String)>,
    problems: Vec<WiringProblem>,
}

impl Draft {
    fn input(&mut self, line: LineId, name: &str, active_low: bool, debounce: Span) {
        self.claim_line(name);
        self.inputs.push((line, LineSpec { name: name.to_owned(), active_low, debounce }));
    }

    fn lamp_line(&mut self, lamp: Lamp, name: &str) {
        self.claim_line(name);
        self.lamps.push((lamp, LineSpec { name: name.to_owned(), active_low: false, debounce: Span(0) }));
    }

    fn claim_line(&mut self, name: &str) {
        if !self.names.insert(name.to_owned()) {
            self.problems.push(WiringProblem::LineTwice { name: name.to_owned() });
        }
    }

    fn sensor(&mut self, entry: &SensorEntry, debounce: Span) {
        let Some(spot) = self.spot(entry.seat, entry.spot) else { return };
        if !self.sensors.insert(spot) {
            self.problems.push(WiringProblem::SpotTwice { spot, what: "sensor" });
        }
        match &entry.at {
            Place::Line(name) => self.input(LineId::Sensor(spot), name, entry.active_low, debounce),
            Place::Expander { address, pin } => {
                let Some((port, number)) = self.pin(pin) else { return };
                match InputPin::new(port, number) {
                    Some(input) => {
                        if let Some(chip) = self.chip(*address, pin) {
                            chip.sensors.push((input, spot));
                        }
                    }
                    None => self.problems.push(WiringProblem::OutputOnly { pin: pin.clone() }),
                }
            }
        }
    }

    fn lamp(&mut self, entry: &LampEntry) {
        let Some(spot) = self.spot(entry.seat, entry.spot) else { return };
        let lamp = match entry.colour {
            LampColour::Main => Lamp::Main(spot),
            LampColour::Late => Lamp::Late(spot),
        };
        if !self.lamps_seen.insert(lamp) {
            self.problems.push(WiringProblem::SpotTwice { spot, what: "lamp" });
        }
        match &entry.at {
            Place::Line(name) => self.lamp_line(lamp, name),
            Place::Expander { address, pin } => {
                let Some((port, number)) = self.pin(pin) else { return };
                let output = OutputPin::new(port, number);
                if let (Some(output), Some(chip)) = (output, self.chip(*address, pin)) {
                    chip.lamps.push((output, lamp));
                }
            }
        }
    }

    fn spot(&mut self, seat: u8, spot: u8) -> Option<Spot> {
        let found = Spot::new(seat, spot);
        if found.is_none() {
            self.problems.push(WiringProblem::NoSuchSpot { seat, spot });
        }
        found
    }

    fn pin(&mut self, pin: &str) -> Option<(Port, u8)> {
        let found = match pin.as_bytes() {
            [b'A', digit @ b'0'..=b'7'] => Some((Port::A, digit - b'0')),
            [b'B', digit @ b'0'..=b'7'] => Some((Port::B, digit - b'0')),
            _ => None,
        };
        if found.is_none() {
            self.problems.push(WiringProblem::NoSuchPin { pin: pin.to_owned() });
        }
        found
    }

    fn chip(&mut self, address: u8, pin: &str) -> Option<&mut ChipLayout> {
        if !self.pins.insert((address, pin.to_owned())) {
            self.problems.push(WiringProblem::PinTwice { address, pin: pin.to_owned() });
        }
        let Some(known) = ChipAddress::new(address) else {
            self.problems.push(WiringProblem::NoSuchAddress { address });
            return None;
        };
        let empty = || ChipLayout { address: known, sensors: Vec::new(), lamps: Vec::new() };
        Some(self.chips.entry(known).or_insert_with(empty))
    }
}
