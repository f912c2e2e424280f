//! The controller's own fault codes, for what no clause speaks of. A code never changes its meaning.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Code {
    /// TC-001
    ClockDoubtful,
    /// TC-002
    JournalNearlyFull,
    /// TC-003
    ForeignRound,
    /// TC-004
    ChipsDiffer,
    /// TC-005
    WhoMayAct,
    /// TC-006
    SecondPerson,
    /// TC-007
    NobodySignedIn,
    /// TC-008
    ServiceMode,
    /// TC-009
    CardNotPlaced,
    /// TC-010
    ShoeOutOfStep,
    /// TC-011
    StaleRequest,
    /// TC-012
    NothingThere,
    /// TC-013
    ReaderAnswerLate,
    /// TC-014
    JournalStalls,
    /// TC-015
    PowerLostInRound,
    /// TC-016
    DeviceFault,
    /// TC-017
    BatchCount,
}

/// Every code with its number, what it means and what to do.
pub const CODES: &[(Code, &str, &str, &str)] = &[
    (
        Code::ClockDoubtful,
        "TC-001",
        "the clock is earlier than the last record, was moved, or was never set after a start",
        "set the clock right; a floorperson and a second person confirm it",
    ),
    (
        Code::JournalNearlyFull,
        "TC-002",
        "the disk has no room for another day of records",
        "export and archive old segments, then clear the alert; no next round is dealt before",
    ),
    (
        Code::ForeignRound,
        "TC-003",
        "the journal holds a round that another version of the software left open",
        "settle the round by hand from its recorded events; a floorperson says so with a reason",
    ),
    (
        Code::ChipsDiffer,
        "TC-004",
        "the chips collected after the lock are not as many as the wagers accepted",
        "count again, look at the lamps, and call the floorperson",
    ),
    (Code::WhoMayAct, "TC-005", "this person's role does not cover the action", "call somebody whose role does"),
    (Code::SecondPerson, "TC-006", "the action needs two different people", "a second person identifies themselves"),
    (Code::NobodySignedIn, "TC-007", "no dealer has signed in", "the dealer signs in"),
    (
        Code::ServiceMode,
        "TC-008",
        "a technician has the table in service mode",
        "the technician leaves service mode between rounds",
    ),
    (
        Code::CardNotPlaced,
        "TC-009",
        "a card left the shoe where the procedure expects none",
        "keep the card apart and call the floorperson; tell the irregularity",
    ),
    (
        Code::ShoeOutOfStep,
        "TC-010",
        "the shoe counted draws that were never told",
        "compare the cards on the table with the screen and enter what is missing",
    ),
    (Code::StaleRequest, "TC-011", "the request was made for an earlier prompt", "look at the screen and tap again"),
    (Code::NothingThere, "TC-012", "there is nothing of that number", "look at the list and choose again"),
    (
        Code::ReaderAnswerLate,
        "TC-013",
        "the reader has a card and gives no answer",
        "take the card out and insert it again; after two tries call the floorperson",
    ),
    (
        Code::JournalStalls,
        "TC-014",
        "the disk took longer than a second to save",
        "nothing is lost; if it happens often, replace the storage card",
    ),
    (
        Code::PowerLostInRound,
        "TC-015",
        "the controller was restarted in the middle of a round",
        "compare the table with the screen, then acknowledge",
    ),
    (Code::DeviceFault, "TC-016", "a device reported a fault or is not reached", "look the device's own code up"),
    (
        Code::BatchCount,
        "TC-017",
        "the shuffler counted another number of cards than the decks have",
        "take the cards off the table and inspect them",
    ),
];

impl Code {
    pub fn entry(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        // A test holds that every code has an entry.
        CODES.iter().find(|(code, ..)| *code == self).unwrap_or(&CODES[0])
    }

    pub fn meaning(self) -> &'static str {
        self.entry().2
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_documented_under_its_number() {
        let document = include_str!("../../../docs/technician/controller-codes.md");
        for (at, (code, number, meaning, remedy)) in CODES.iter().enumerate() {
            assert_eq!(*number, format!("TC-{:03}", at + 1));
            assert_eq!(code.to_string(), *number);
            assert!(document.contains(&format!("| {number} | {meaning} | {remedy} |")), "{number}");
        }
        assert_eq!(document.matches("| TC-").count(), CODES.len());
    }
}
