//! Faults: what can go wrong outside our own walls, each under a code that never changes its meaning.
//!
//! A code is two letters for the part and three digits. Numbers below 100 are about reaching the part, from 100 on about
//! the part itself. A code that is no longer used is never given to anything else. What each means is written in
//! `operator_api::fault_book`.

pub use device_protocols::fault_code::{FaultCode, Part};
use device_protocols::faults::DeviceFault;
use device_protocols::frame::DeviceKind;
use device_protocols::reader::ReaderFault;
use device_protocols::shoe::ShoeFault;
use device_protocols::shuffler::ShufflerFault;

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
    /// What the kernel said, where it was asked and refused.
    pub errno: Option<i32>,
}

impl FaultSignal {
    pub const fn new(code: FaultCode, change: FaultChange) -> Self {
        Self { code, change, errno: None }
    }

    #[must_use]
    pub const fn with_errno(self, errno: Option<i32>) -> Self {
        Self { errno, ..self }
    }
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
        NotPaired = 23,
        Quiet = 30,
        Damaged = 31,
        Unanswered = 32,
        EventsMissing = 40,
        NotUnderstood = 41,
        DrawNumberRepeated = 42,
    }
}

impl PortFault {
    /// Of the port, not of the device behind it: the kernel has a reason for these.
    pub const fn is_of_the_port(self) -> bool {
        match self {
            Self::Absent | Self::InUse | Self::Denied | Self::CannotOpen | Self::HungUp => true,
            Self::WriteStalled
            | Self::Silent
            | Self::Garbage
            | Self::NoAnswer
            | Self::NoGreeting
            | Self::Babbling
            | Self::WrongKind
            | Self::WrongModel
            | Self::WrongSerial
            | Self::NotPaired
            | Self::Quiet
            | Self::Damaged
            | Self::Unanswered
            | Self::EventsMissing
            | Self::NotUnderstood
            | Self::DrawNumberRepeated => false,
        }
    }

    /// Only a device that numbers draws can repeat one.
    pub const fn applies_to(self, part: Part) -> bool {
        match (self, part) {
            (Self::DrawNumberRepeated, Part::Shoe) => true,
            (Self::DrawNumberRepeated, _) => false,
            (_, Part::Reader | Part::Shuffler | Part::Shoe) => true,
            (_, Part::LockOut | Part::Sensor | Part::Lamp | Part::Expander | Part::Board | Part::Controller) => false,
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
            (
                _,
                Part::Reader
                | Part::Shuffler
                | Part::Shoe
                | Part::Lamp
                | Part::Expander
                | Part::Board
                | Part::Controller,
            ) => false,
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
        InterruptMissing = 3,
        BusUnfit = 4,
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
        StateFull = 113,
    }
}

/// Every code that this software can show.
pub fn all_codes() -> Vec<FaultCode> {
    let mut codes = Vec::new();
    for part in [Part::Reader, Part::Shuffler, Part::Shoe] {
        codes.extend(PortFault::ALL.iter().filter(|fault| fault.applies_to(part)).map(|fault| fault.on(part)));
    }
    codes.extend(
        <ReaderFault as DeviceFault>::ALL.iter().map(|fault| FaultCode::of_device(DeviceKind::HoleCardReader, *fault)),
    );
    codes.extend(
        <ShufflerFault as DeviceFault>::ALL.iter().map(|fault| FaultCode::of_device(DeviceKind::Shuffler, *fault)),
    );
    codes.extend(<ShoeFault as DeviceFault>::ALL.iter().map(|fault| FaultCode::of_device(DeviceKind::Shoe, *fault)));
    for part in [Part::LockOut, Part::Sensor] {
        codes.extend(InputFault::ALL.iter().filter(|fault| fault.applies_to(part)).map(|fault| fault.on(part)));
    }
    codes.extend(LampFault::ALL.iter().map(|fault| fault.on(Part::Lamp)));
    codes.extend(ExpanderFault::ALL.iter().map(|fault| fault.on(Part::Expander)));
    codes.extend(BoardFault::ALL.iter().map(|fault| fault.on(Part::Board)));
    codes.sort_unstable();
    codes
}
