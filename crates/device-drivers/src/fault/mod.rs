//! Faults: what can go wrong outside our own walls, each under a code that never changes its meaning.
//!
//! A code is two letters for the part and three digits. Numbers below 100 are about reaching the part, from 100 on about
//! the part itself. A code that is no longer used is never given to anything else. The texts are in [`book`], which is
//! also the content of `docs/technician/faults.md`.

pub mod book;

use std::fmt;

use device_protocols::faults::FaultCode as DeviceFaultCode;
use device_protocols::frame::DeviceKind;
use device_protocols::reader::ReaderFault;
use device_protocols::shoe::ShoeFault;
use device_protocols::shuffler::ShufflerFault;

/// The part of the table that a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Reader,
    Shuffler,
    Shoe,
    LockOut,
    Sensor,
    Lamp,
    Expander,
    Board,
}

impl Part {
    pub const ALL: [Self; 8] = [
        Self::Reader,
        Self::Shuffler,
        Self::Shoe,
        Self::LockOut,
        Self::Sensor,
        Self::Lamp,
        Self::Expander,
        Self::Board,
    ];

    pub const fn letters(self) -> &'static str {
        match self {
            Self::Reader => "RD",
            Self::Shuffler => "SF",
            Self::Shoe => "SH",
            Self::LockOut => "LK",
            Self::Sensor => "PS",
            Self::Lamp => "LP",
            Self::Expander => "EX",
            Self::Board => "HB",
        }
    }

    pub const fn of_serial(kind: DeviceKind) -> Self {
        match kind {
            DeviceKind::HoleCardReader => Self::Reader,
            DeviceKind::Shuffler => Self::Shuffler,
            DeviceKind::Shoe => Self::Shoe,
        }
    }
}

/// A stable name, such as `RD-010`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultCode {
    pub part: Part,
    pub number: u16,
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", self.part.letters(), self.number)
    }
}

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultChange {
    Raised,
    Cleared,
    /// It has happened and cannot be undone by its cause going away: evidence is missing, edges were lost.
    Occurred,
}

/// One line for the journal and the alert list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultSignal {
    pub code: FaultCode,
    pub change: FaultChange,
}

macro_rules! numbered_faults {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $number:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub const fn number(self) -> u16 {
                match self { $(Self::$variant => $number,)+ }
            }

            pub const fn on(self, part: Part) -> FaultCode {
                FaultCode { part, number: self.number() }
            }
        }
    };
}

numbered_faults! {
    /// What can be wrong with a serial port and the session on it. The same numbers for every serial device.
    pub enum PortFault {
        Absent = 1,
        InUse = 2,
        Denied = 3,
        CannotOpen = 4,
        HungUp = 5,
        WriteStalled = 6,
        Silent = 10,
        Garbage = 11,
        NoAnswer = 12,
        NoGreeting = 13,
        Babbling = 14,
        WrongKind = 20,
        WrongModel = 21,
        WrongSerial = 22,
        Quiet = 30,
        Damaged = 31,
        Unanswered = 32,
        EventsMissing = 40,
        NotUnderstood = 41,
        DrawNumberRepeated = 42,
    }
}

impl PortFault {
    /// Only a device that numbers draws can repeat one.
    pub const fn applies_to(self, part: Part) -> bool {
        match (self, part) {
            (Self::DrawNumberRepeated, Part::Shoe) => true,
            (Self::DrawNumberRepeated, _) => false,
            (_, Part::Reader | Part::Shuffler | Part::Shoe) => true,
            (_, Part::LockOut | Part::Sensor | Part::Lamp | Part::Expander | Part::Board) => false,
        }
    }
}

numbered_faults! {
    /// What can be wrong with one input line: the lock-out button, or a sensor.
    pub enum InputFault {
        LineMissing = 1,
        CannotRead = 2,
        EdgesLost = 3,
        Stuck = 101,
        Chattering = 102,
        Flickering = 103,
    }
}

impl InputFault {
    /// The kernel numbers edges over all lines of a request, so a gap belongs to no single sensor.
    pub const fn applies_to(self, part: Part) -> bool {
        match (self, part) {
            (Self::EdgesLost, Part::LockOut) => true,
            (Self::EdgesLost, _) => false,
            (_, Part::LockOut | Part::Sensor) => true,
            (_, Part::Reader | Part::Shuffler | Part::Shoe | Part::Lamp | Part::Expander | Part::Board) => false,
        }
    }
}

numbered_faults! {
    pub enum LampFault {
        LineMissing = 1,
        CannotWrite = 2,
    }
}

numbered_faults! {
    pub enum ExpanderFault {
        NoAnswer = 1,
        BusError = 2,
        LostConfiguration = 101,
        InterruptStuck = 102,
    }
}

numbered_faults! {
    /// The board that everything runs on.
    pub enum BoardFault {
        UnderVoltage = 101,
        UnderVoltageBefore = 102,
        Throttled = 103,
        StorageWorn = 111,
        StorageAtEnd = 112,
    }
}

/// Faults that a serial device reports about itself keep their number on the wire, counted from 100.
const DEVICE_OWN: u16 = 100;

pub fn reader_fault(fault: ReaderFault) -> FaultCode {
    FaultCode { part: Part::Reader, number: DEVICE_OWN + u16::from(fault.code()) }
}

pub fn shuffler_fault(fault: ShufflerFault) -> FaultCode {
    FaultCode { part: Part::Shuffler, number: DEVICE_OWN + u16::from(fault.code()) }
}

pub fn shoe_fault(fault: ShoeFault) -> FaultCode {
    FaultCode { part: Part::Shoe, number: DEVICE_OWN + u16::from(fault.code()) }
}

/// Every code that this software can show.
pub fn all_codes() -> Vec<FaultCode> {
    let mut codes = Vec::new();
    for part in [Part::Reader, Part::Shuffler, Part::Shoe] {
        codes.extend(PortFault::ALL.iter().filter(|fault| fault.applies_to(part)).map(|fault| fault.on(part)));
    }
    codes.extend(<ReaderFault as DeviceFaultCode>::ALL.iter().map(|fault| reader_fault(*fault)));
    codes.extend(<ShufflerFault as DeviceFaultCode>::ALL.iter().map(|fault| shuffler_fault(*fault)));
    codes.extend(<ShoeFault as DeviceFaultCode>::ALL.iter().map(|fault| shoe_fault(*fault)));
    for part in [Part::LockOut, Part::Sensor] {
        codes.extend(InputFault::ALL.iter().filter(|fault| fault.applies_to(part)).map(|fault| fault.on(part)));
    }
    codes.extend(LampFault::ALL.iter().map(|fault| fault.on(Part::Lamp)));
    codes.extend(ExpanderFault::ALL.iter().map(|fault| fault.on(Part::Expander)));
    codes.extend(BoardFault::ALL.iter().map(|fault| fault.on(Part::Board)));
    codes.sort_unstable();
    codes
}
