//! The controller's own fault codes, for what no clause speaks of. A code never changes its meaning; the words are in
//! the fault book.

use std::fmt;

use operator_api::FaultCode;
use operator_api::Part;
use operator_api::fault_book::{Explained, explain};

macro_rules! codes {
    ($($code:ident = $number:literal,)+) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub enum Code {
            $($code,)+
        }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$code,)+];

            pub const fn fault(self) -> FaultCode {
                let number = match self {
                    $(Self::$code => $number,)+
                };
                FaultCode { part: Part::Controller, number }
            }
        }
    };
}

codes! {
    ClockDoubtful = 1,
    JournalNearlyFull = 2,
    ForeignRound = 3,
    ChipsDiffer = 4,
    WhoMayAct = 5,
    SecondPerson = 6,
    NobodySignedIn = 7,
    ServiceMode = 8,
    CardNotPlaced = 9,
    ShoeOutOfStep = 10,
    StaleRequest = 11,
    NothingThere = 12,
    ReaderAnswerLate = 13,
    JournalStalls = 14,
    PowerLostInRound = 15,
    DeviceFault = 16,
    BatchCount = 17,
    AtTheConsole = 18,
    ShoeLock = 30,
    JournalDoubtful = 40,
    JournalDamaged = 41,
    ClosedMode = 42,
    WrongPins = 43,
    WitnessNotKept = 44,
    FloorCalled = 45,
}

impl Code {
    /// What the book says; a test holds that it says something of every code.
    pub fn explained(self) -> Option<Explained> {
        explain(self.fault())
    }

    pub fn meaning(self) -> &'static str {
        self.explained().map_or("", |text| text.meaning)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use operator_api::fault_book;

    #[test]
    fn every_code_is_in_the_fault_book_and_the_book_has_no_other() {
        let ours: Vec<FaultCode> = Code::ALL.iter().map(|code| code.fault()).collect();
        let written: Vec<FaultCode> = fault_book::codes().filter(|code| code.part == Part::Controller).collect();
        assert_eq!(ours, written);
        assert_eq!(Code::ClockDoubtful.to_string(), "TC-001");
        assert!(Code::ALL.iter().all(|code| !code.meaning().is_empty()));
    }
}
