//! The names of faults: a part of the table and a number, such as `RD-010`. What each means is written in the fault
//! book of the operator's API.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::faults::DeviceFault;
use crate::frame::DeviceKind;

/// The part of the table that a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Reader,
    Shuffler,
    Shoe,
    LockOut,
    Sensor,
    Lamp,
    Expander,
    Board,
    /// The controller itself: what no device reports.
    Controller,
}

impl Part {
    pub const ALL: [Self; 9] = [
        Self::Reader,
        Self::Shuffler,
        Self::Shoe,
        Self::LockOut,
        Self::Sensor,
        Self::Lamp,
        Self::Expander,
        Self::Board,
        Self::Controller,
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
            Self::Controller => "TC",
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Shuffler => "shuffler",
            Self::Shoe => "shoe",
            Self::LockOut => "lock-out",
            Self::Sensor => "sensor",
            Self::Lamp => "lamp",
            Self::Expander => "expander",
            Self::Board => "board",
            Self::Controller => "table",
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

/// From this number on a fault is of the part itself; below it, of the way to the part.
const OF_THE_PART_FROM: u16 = 100;

/// A stable name. A code that is no longer used is never given to anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultCode {
    pub part: Part,
    pub number: u16,
}

impl FaultCode {
    /// A fault that a serial device reports about itself keeps its number on the wire, counted from 100.
    pub fn of_device<F: DeviceFault>(kind: DeviceKind, fault: F) -> Self {
        Self { part: Part::of_serial(kind), number: OF_THE_PART_FROM + u16::from(fault.code()) }
    }

    pub const fn is_of_the_part(self) -> bool {
        self.number >= OF_THE_PART_FROM
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", self.part.letters(), self.number)
    }
}

/// What was written is no code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault code: write two letters, a dash and three digits, such as RD-010")]
pub struct NotACode;

impl FromStr for FaultCode {
    type Err = NotACode;

    /// Letters of either case: codes are read out over a radio and typed from paper.
    fn from_str(text: &str) -> Result<Self, NotACode> {
        let (letters, digits) = text.split_once('-').ok_or(NotACode)?;
        let part = Part::ALL.into_iter().find(|part| part.letters().eq_ignore_ascii_case(letters)).ok_or(NotACode)?;
        let is_number = digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number).ok_or(NotACode)?;
        Ok(Self { part, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_back_as_it_is_written() {
        for part in Part::ALL {
            for number in [1, 10, 101, 999] {
                let code = FaultCode { part, number };
                assert_eq!(code.to_string().parse(), Ok(code));
                assert_eq!(code.to_string().to_lowercase().parse(), Ok(code));
            }
        }
        for wrong in ["", "RD", "RD-", "RD-1", "RD-0101", "XX-001", "RD 001", "RD-+01"] {
            assert_eq!(wrong.parse::<FaultCode>(), Err(NotACode), "{wrong}");
        }
    }
}
