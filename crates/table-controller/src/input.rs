//! Everything that can reach a table, as it is journaled. One closed list.
//!
//! Inputs say what happened, never what follows. A draw from the shoe has a number and no card; the card comes as an
//! input of its own when it lies face up.

use device_protocols::reader::{Answer, ReaderEvent, ReaderState, UpCardGroup};
use device_protocols::shuffler::{BatchColour, JamSeverity, ShufflerEvent, ShufflerState};
use operator_api::{Action, PersonId, Role};
use serde::{Deserialize, Serialize};

use crate::config::Spot;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Input {
    /// The controller came up, for the first time or again.
    Started(Started),
    /// Time passed; told at least once a minute.
    Clock(Clock),
    Reader(ReaderInput),
    Shuffler(ShufflerInput),
    Shoe {
        side: ShoeSide,
        event: ShoeInput,
    },
    Felt(FeltInput),
    /// A fault of a device, or of the way to it, by its code.
    Fault {
        part: Part,
        code: String,
        raised: bool,
    },
    Journal(JournalInput),
    Person(PersonInput),
    /// What a random source said, in the words of the play script (`draw …`, `wheel …`).
    Chance {
        words: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    pub clock: Clock,
    /// The wall time of the last record before this start.
    pub last_record_ms: Option<i64>,
    /// A round that another version of the software left open: its number and what is known of it, for the floorperson.
    #[serde(default)]
    pub foreign_round: Option<ForeignRound>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForeignRound {
    pub round: u64,
    /// What happened in it, one sentence an event.
    pub told: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Milliseconds since 1970, UTC.
    pub wall_ms: i64,
    /// Milliseconds since the controller came up, never set back.
    pub monotonic_ms: u64,
    /// Minutes since local midnight.
    pub minute: u16,
    /// The gaming day, counted since 1970-01-01 by its turn.
    pub day: i64,
    /// A time server or a battery clock stands behind it.
    pub trusted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShoeSide {
    Left,
    Right,
}

impl ShoeSide {
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// What a link said when it came up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkIdentity {
    pub model: String,
    pub serial: String,
    pub firmware: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReaderInput {
    Up(LinkIdentity),
    Down,
    Inserted,
    Answered(AnswerWord),
    Removed,
    WrongTimeInsertion,
    HalfInserted,
    RemovedEarly,
    Misplaced,
    NoCard,
    TestAnswered { group: GroupWord, answer: AnswerWord },
    State(ReaderStateWord),
    CommandRefused,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerWord {
    Yes,
    No,
    Unread,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupWord {
    Ace,
    Ten,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderStateWord {
    Booting,
    Idle,
    Armed,
    Reading,
    Answered,
    Faulted,
    Testing,
    CoverOpen,
}

impl From<Answer> for AnswerWord {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Yes => Self::Yes,
            Answer::No => Self::No,
            Answer::Unread => Self::Unread,
        }
    }
}

impl From<UpCardGroup> for GroupWord {
    fn from(group: UpCardGroup) -> Self {
        match group {
            UpCardGroup::Ace => Self::Ace,
            UpCardGroup::Ten => Self::Ten,
        }
    }
}

impl From<ReaderState> for ReaderStateWord {
    fn from(state: ReaderState) -> Self {
        match state {
            ReaderState::Booting => Self::Booting,
            ReaderState::Idle | ReaderState::CardOut => Self::Idle,
            ReaderState::Armed(_) => Self::Armed,
            ReaderState::CardIn(_) | ReaderState::Reading(_) => Self::Reading,
            ReaderState::Answered(..) => Self::Answered,
            ReaderState::Faulted => Self::Faulted,
            ReaderState::Testing => Self::Testing,
            ReaderState::CoverOpen => Self::CoverOpen,
        }
    }
}

impl ReaderInput {
    /// What an event of the reader's protocol means here. Faults travel by their codes (`Input::Fault`).
    pub fn from_event(event: ReaderEvent) -> Option<Self> {
        Some(match event {
            ReaderEvent::CardInserted { .. } => Self::Inserted,
            ReaderEvent::Answered { answer, .. } => Self::Answered(answer.into()),
            ReaderEvent::CardRemoved => Self::Removed,
            ReaderEvent::WrongTimeInsertion => Self::WrongTimeInsertion,
            ReaderEvent::HalfInserted => Self::HalfInserted,
            ReaderEvent::RemovedEarly => Self::RemovedEarly,
            ReaderEvent::Misplaced => Self::Misplaced,
            ReaderEvent::NoCard => Self::NoCard,
            ReaderEvent::TestAnswered { group, answer } => {
                Self::TestAnswered { group: group.into(), answer: answer.into() }
            }
            ReaderEvent::State(status) => Self::State(status.state.into()),
            ReaderEvent::FaultRaised(_) | ReaderEvent::FaultCleared(_) => return None,
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ShufflerInput {
    Up(LinkIdentity),
    Down,
    Loaded { colour: String },
    Started,
    Counted { cards: u16, expected: u16 },
    Ready { cards: u16, expected: u16, colour: String },
    Stopped,
    Jammed { stuck: bool },
    JamCleared,
    Door { open: bool },
    Unloaded,
    OutOfService,
    BackInService,
    State { state: String, ready: bool },
}

impl ShufflerInput {
    /// Progress within a shuffle is not journaled; faults travel by their codes.
    pub fn from_event(event: ShufflerEvent) -> Option<Self> {
        Some(match event {
            ShufflerEvent::BatchLoaded { colour } => Self::Loaded { colour: colour_word(colour) },
            ShufflerEvent::ShuffleStarted { .. } => Self::Started,
            ShufflerEvent::Counted { count, .. } => {
                Self::Counted { cards: count.counted, expected: count.expected.cards() }
            }
            ShufflerEvent::BatchReady { count, colour } => {
                Self::Ready { cards: count.counted, expected: count.expected.cards(), colour: colour_word(colour) }
            }
            ShufflerEvent::ShuffleStopped { .. } => Self::Stopped,
            ShufflerEvent::Jammed { severity, .. } => Self::Jammed { stuck: severity == JamSeverity::Stuck },
            ShufflerEvent::JamCleared => Self::JamCleared,
            ShufflerEvent::DoorOpened => Self::Door { open: true },
            ShufflerEvent::DoorClosed => Self::Door { open: false },
            ShufflerEvent::Unloaded => Self::Unloaded,
            ShufflerEvent::OutOfService => Self::OutOfService,
            ShufflerEvent::BackInService => Self::BackInService,
            ShufflerEvent::State(status) => Self::State {
                state: format!("{:?}", status.state).to_lowercase(),
                ready: status.state == ShufflerState::Ready,
            },
            ShufflerEvent::Progressed(_) | ShufflerEvent::FaultRaised(_) | ShufflerEvent::FaultCleared(_) => {
                return None;
            }
        })
    }
}

fn colour_word(colour: BatchColour) -> String {
    format!("{colour:?}").to_lowercase()
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ShoeInput {
    Up(LinkIdentity),
    Down,
    /// A card left the shoe; it stays sealed under its number. `in_play`: not past a lock or during an error.
    Drawn {
        draw: u16,
        in_play: bool,
    },
    /// The card of this draw, opened on the controller's word that it lies face up.
    Opened {
        draw: u16,
        card: String,
    },
    /// The slot does not hold it: the controller was restarted, or the number came twice.
    NotOpened {
        draw: u16,
    },
    /// The shoe could not read the card.
    Unread {
        draw: u16,
    },
    CutCard,
    Reversed {
        draw: u16,
    },
    Overdrawn {
        draw: u16,
    },
    State {
        drawn: u16,
    },
}

/// What the sensors of the betting positions and the lock-out button say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FeltInput {
    Placed(Spot),
    Removed(Spot),
    /// The button was pressed; in force from that moment.
    Locked,
    /// Which chips counted.
    Split {
        accepted: Vec<Spot>,
        late: Vec<Spot>,
        doubtful: Vec<Spot>,
    },
    Late(Spot),
    LateRemoved(Spot),
    /// An accepted chip was collected.
    Collected(Spot),
    Reopened {
        occupied: Vec<Spot>,
    },
}

/// A part of the table that faults are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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
}

impl Part {
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
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum JournalInput {
    /// Another day of records would not fit.
    NearlyFull,
    RoomAgain,
    /// A write took this long.
    Stalled {
        milliseconds: u64,
    },
}

/// A person whose identity the daemon has verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Staff {
    pub id: PersonId,
    pub role: Role,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonInput {
    /// `None`: the dealer's screen, used by whoever is signed in.
    pub by: Option<Staff>,
    #[serde(default)]
    pub second: Option<Staff>,
    pub action: Action,
    /// What whoever asked calls this request: asked again, even after a restart, it is the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}
