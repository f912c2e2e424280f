//! What a person can ask of a table. The same form goes over the wire and into the journal, so it never carries a PIN.

use serde::{Deserialize, Serialize};
use table_rules::input::{Input, InputKind};
use table_rules::script::parse_line;

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

    /// In a sentence.
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Dealer => "a dealer",
            Self::Floorperson => "a floorperson",
            Self::Manager => "a manager",
            Self::Technician => "a technician",
            Self::Auditor => "an auditor",
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
    /// Several lines of the play script by one tap: all of them are taken, or none.
    Words {
        words: Vec<String>,
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
    /// The same of every alert that nobody has acknowledged yet.
    AcknowledgeAll,
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
    /// A test of a device in service mode: the inspection's own, signed by nobody.
    TestDevice {
        test: DeviceTest,
    },
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
    /// Two people have read the code off the display of a device that is to be paired with this table.
    PairDevice {
        device: String,
        code: String,
    },
    /// The chips collected from the progressive spots after the lock were counted.
    ChipCount {
        chips: u8,
    },
    /// A round of an earlier version of the software was settled by hand.
    SettledByHand {
        reason: String,
    },
    /// Two people go on from a journal that is not the one its witness knows.
    AcceptJournal {
        reason: String,
    },
    /// Somebody saw something that a technician has to see to.
    OpenWorkOrder {
        place: String,
        what: String,
    },
    /// The technician has seen to it, and says what was done.
    CloseWorkOrder {
        order: u64,
        done: String,
    },
    /// The dealer wants somebody of the floor at the table.
    CallFloor,
    /// Somebody begins a visit at the screen. The daemon says it for whoever gave their PIN; nobody sends it.
    OpenVisit,
    /// Their visit is over; said by the daemon, too.
    EndVisit {
        how: VisitEnd,
    },
}

impl Action {
    /// What is said in somebody's own words.
    pub fn free_texts(&self) -> Vec<&str> {
        match self {
            Self::Play { words } => vec![words],
            Self::Words { words } => words.iter().map(String::as_str).collect(),
            Self::InspectionAnswer { answer } => vec![answer],
            Self::CorrectMeter { wager, meter, reason, .. } => vec![wager, meter, reason],
            Self::ReplaceReader { serial } => vec![serial],
            Self::PairDevice { device, code } => vec![device, code],
            Self::SettledByHand { reason } | Self::AcceptJournal { reason } => vec![reason],
            Self::OpenWorkOrder { place, what } => vec![place, what],
            Self::CloseWorkOrder { done, .. } => vec![done],
            Self::Reveal
            | Self::TurnUp { .. }
            | Self::FaceDown
            | Self::SignIn
            | Self::SignOut
            | Self::Acknowledge { .. }
            | Self::AcknowledgeAll
            | Self::Clear { .. }
            | Self::BeginInspection { .. }
            | Self::PauseInspection
            | Self::EnterService
            | Self::LeaveService
            | Self::TestDevice { .. }
            | Self::ConfirmClock
            | Self::ChipCount { .. }
            | Self::CallFloor
            | Self::OpenVisit
            | Self::EndVisit { .. } => Vec::new(),
        }
    }

    /// Whether it answers the order on the screen, so that it must say which order it has seen. Everything else says
    /// itself what it is about.
    pub fn answers_order(&self) -> bool {
        match self {
            Self::Play { words } => answers_order(words),
            Self::Words { words } => words.iter().any(|words| answers_order(words)),
            Self::Reveal | Self::TurnUp { .. } | Self::FaceDown | Self::InspectionAnswer { .. } => true,
            Self::SignIn
            | Self::SignOut
            | Self::Acknowledge { .. }
            | Self::AcknowledgeAll
            | Self::Clear { .. }
            | Self::BeginInspection { .. }
            | Self::PauseInspection
            | Self::EnterService
            | Self::LeaveService
            | Self::TestDevice { .. }
            | Self::ConfirmClock
            | Self::CorrectMeter { .. }
            | Self::ReplaceReader { .. }
            | Self::PairDevice { .. }
            | Self::ChipCount { .. }
            | Self::SettledByHand { .. }
            | Self::AcceptJournal { .. }
            | Self::OpenWorkOrder { .. }
            | Self::CloseWorkOrder { .. }
            | Self::CallFloor
            | Self::OpenVisit
            | Self::EndVisit { .. } => false,
        }
    }
}

/// Chips before the lock come and go as fast as a finger, and each names its seat; all other words answer an order.
fn answers_order(words: &str) -> bool {
    let names_itself = |input: &Input| {
        matches!(input.kind(), InputKind::Wager | InputKind::Unwager | InputKind::Link | InputKind::Cash)
    };
    !parse_line(words).is_ok_and(|input| input.is_some_and(|input| names_itself(&input)))
}

/// What a technician tests in service mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceTest {
    /// The test cards of the daily inspection.
    Reader,
    /// Every lamp in its turn.
    Lamps,
    /// The reader's test is over, whatever is left of it.
    End,
}

/// How a visit came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VisitEnd {
    /// By the visitor.
    Left,
    /// Nobody touched the screen for too long.
    TimedOut,
    /// Somebody else's visit began.
    Replaced,
    /// The visitor is no longer on the staff list, or in another role.
    Disabled,
}

impl VisitEnd {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::TimedOut => "timed-out",
            Self::Replaced => "replaced",
            Self::Disabled => "disabled",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeterPool {
    Meter,
    Reserve,
    Overflow,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_says_itself_what_it_is_about_and_a_decision_does_not() {
        let play = |words: &str| Action::Play { words: words.to_owned() };
        for words in ["wager 3 main", "wager 3 main 25", "unwager 3 main", "player 2 3"] {
            assert!(!play(words).answers_order(), "{words}");
        }
        for words in ["stand", "card 7d", "lock", "undo", "floor approve", "no words at all", "irregularity 13.E"] {
            assert!(play(words).answers_order(), "{words}");
        }
        let both = |second: &str| Action::Words { words: vec!["wager 1 main".to_owned(), second.to_owned()] };
        assert!(!both("unwager 2 main").answers_order());
        assert!(both("lock").answers_order());
        assert!(Action::Reveal.answers_order() && !Action::AcknowledgeAll.answers_order());
    }
}
