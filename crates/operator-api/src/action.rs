//! What a person can ask of a table. The same form goes over the wire and into the journal, so it never carries a PIN.

use serde::{Deserialize, Serialize};

/// A member of the staff, by number. The name is the staff file's business.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PersonId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Dealer,
    Floorperson,
    Manager,
    Technician,
    /// Reads everything and changes nothing.
    Auditor,
}

impl Role {
    pub const ALL: [Self; 5] = [Self::Dealer, Self::Floorperson, Self::Manager, Self::Technician, Self::Auditor];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Dealer => "dealer",
            Self::Floorperson => "floorperson",
            Self::Manager => "manager",
            Self::Technician => "technician",
            Self::Auditor => "auditor",
        }
    }
}

/// One request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// A line of the play script, such as `stand` or `wager 3 main 25`.
    Play {
        words: String,
    },
    /// The hole card has been turned face up. Where a reading shoe holds its seal no card has to be named; otherwise
    /// `play` with `reveal Kc` names it.
    Reveal,
    /// A face-down card of this seat has been turned, likewise.
    TurnUp {
        seat: u8,
    },
    /// The next card of a double goes face down (10.C).
    FaceDown,
    /// The dealer begins or ends a stint.
    SignIn,
    SignOut,
    /// Somebody in charge has seen an alert.
    Acknowledge {
        alert: u64,
    },
    /// The cause of an alert is gone; verified by the person who says so.
    Clear {
        alert: u64,
    },
    /// Starts or resumes the daily inspection; `full` asks for the whole set of test cards.
    BeginInspection {
        #[serde(default)]
        full: bool,
    },
    /// The answer to the inspection's current step: `pass`, `fail`, or what the step asks for.
    InspectionAnswer {
        answer: String,
    },
    /// Leaves an unfinished inspection as it is; it goes on later.
    PauseInspection,
    EnterService,
    LeaveService,
    /// The clock is right, or has been set right.
    ConfirmClock,
    /// Two people change what a meter holds.
    CorrectMeter {
        wager: String,
        meter: String,
        pool: MeterPool,
        cents: i64,
        reason: String,
    },
    /// Another reader is at the table; the full inspection follows.
    ReplaceReader {
        serial: String,
    },
    /// The chips collected from the progressive spots after the lock were counted.
    ChipCount {
        chips: u8,
    },
    /// A round of an earlier version of the software was settled by hand.
    SettledByHand {
        reason: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeterPool {
    Meter,
    Reserve,
    Overflow,
}
