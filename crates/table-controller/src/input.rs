//! Everything that can reach a table, as it is journaled. One closed list.
//!
//! Inputs say what happened, never what follows. A draw from the shoe has a number and no card; the card comes as an
//! input of its own when it lies face up.

pub use device_protocols::reader::{ReaderAnswer, UpCardGroup};
use device_protocols::reader::{ReaderEvent, ReaderState};
use device_protocols::shoe::{LockCause, ShoeState};
pub use device_protocols::shuffler::{BatchColour, ShufflerState};
use device_protocols::shuffler::{JamSeverity, ShufflerEvent};
pub use operator_api::Part;
use operator_api::{Action, PersonId, Role};
use serde::{Deserialize, Serialize};
pub use table_rules::table::ShoeSide;

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
    // The stored word of the first version.
    #[serde(rename = "felt")]
    Layout(LayoutInput),
    Fault(FaultInput),
    Journal(JournalInput),
    Person(PersonInput),
    /// What a random source said, in the words of the play script (`draw …`, `wheel …`).
    Chance {
        words: String,
    },
    /// Something said at the technician's console: kept on record, and nothing else.
    Console(ConsoleInput),
    /// What the check of PINs says. Never a number that was tried.
    Pins(PinsInput),
}

/// One command at the technician's console. It never holds a PIN.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsoleInput {
    /// When it was said, in milliseconds since 1970: the daemon may have been down.
    pub at_ms: i64,
    /// 0 where nobody's PIN could be checked.
    pub person: PersonId,
    pub port: String,
    /// What the prompt showed.
    pub mode: String,
    pub words: String,
    pub result: String,
    /// Entered at a later start of the daemon.
    pub while_down: bool,
}

/// A fault of a device, or of the way to it, by its code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultInput {
    pub part: Part,
    pub code: String,
    pub raised: bool,
    /// Which one, in words: a port, a line, an address. Two faults of one code at two places are two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The spots that it takes out of use; none named means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spots: Vec<Spot>,
    /// What the kernel said, where it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
}

impl FaultInput {
    /// A fault without a place.
    pub fn of(part: Part, code: &str, raised: bool) -> Self {
        Self { part, code: code.to_owned(), raised, place: None, spots: Vec::new(), errno: None }
    }
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

/// A clock that jumps by more than this between two looks has been set: somebody decided it.
const STEP_MS: i64 = 5_000;
/// The first millisecond of 2020 and of 2100. A clock outside is wrong whatever stands behind it.
const PLAUSIBLE_MS: std::ops::Range<i64> = 1_577_836_800_000..4_102_444_800_000;

impl Clock {
    /// Whether the wall clock was moved since an earlier look, by minutes or by whole days.
    pub fn steps_from(self, last: Self) -> bool {
        let passed = i64::try_from(self.monotonic_ms.saturating_sub(last.monotonic_ms)).unwrap_or(i64::MAX);
        let moved = self.wall_ms.saturating_sub(last.wall_ms).saturating_sub(passed);
        moved.unsigned_abs() > STEP_MS.unsigned_abs()
    }

    /// Whether anything may be dated by it.
    pub fn is_plausible(self) -> bool {
        PLAUSIBLE_MS.contains(&self.wall_ms)
    }
}

/// What a link said when it came up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkIdentity {
    pub model: String,
    pub serial: String,
    pub firmware: String,
    /// Of records from before lines could be encrypted, nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<LinkProtection>,
}

/// Whether a device's line is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkProtection {
    Paired,
    None,
}

impl LinkProtection {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Paired => "paired",
            Self::None => "none",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReaderInput {
    Up(LinkIdentity),
    Down,
    Inserted,
    Answered(ReaderAnswer),
    Removed,
    WrongTimeInsertion,
    HalfInserted,
    RemovedEarly,
    Misplaced,
    NoCard,
    TestAnswered { group: UpCardGroup, answer: ReaderAnswer },
    State(ReaderCondition),
    CommandRefused,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
/// What the reader is doing, as far as it may be stored: its state without group and answer.
pub enum ReaderCondition {
    Booting,
    Idle,
    Armed,
    Reading,
    Answered,
    Faulted,
    Testing,
    CoverOpen,
}

impl From<ReaderState> for ReaderCondition {
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
            ReaderEvent::Answered { answer, .. } => Self::Answered(answer),
            ReaderEvent::CardRemoved => Self::Removed,
            ReaderEvent::WrongTimeInsertion => Self::WrongTimeInsertion,
            ReaderEvent::HalfInserted => Self::HalfInserted,
            ReaderEvent::RemovedEarly => Self::RemovedEarly,
            ReaderEvent::Misplaced => Self::Misplaced,
            ReaderEvent::NoCard => Self::NoCard,
            ReaderEvent::TestAnswered { group, answer } => Self::TestAnswered { group, answer },
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
    Loaded { colour: BatchColour },
    Started,
    Counted { cards: u16, expected: u16 },
    Ready { cards: u16, expected: u16, colour: BatchColour },
    Stopped,
    Jammed { stuck: bool },
    JamCleared,
    Door { open: bool },
    Unloaded,
    OutOfService,
    BackInService,
    State { state: ShufflerState, ready: bool },
}

impl ShufflerInput {
    /// Progress within a shuffle is not journaled; faults travel by their codes.
    pub fn from_event(event: ShufflerEvent) -> Option<Self> {
        Some(match event {
            ShufflerEvent::BatchLoaded { colour } => Self::Loaded { colour },
            ShufflerEvent::ShuffleStarted { .. } => Self::Started,
            ShufflerEvent::Counted { count, .. } => {
                Self::Counted { cards: count.counted, expected: count.expected.cards() }
            }
            ShufflerEvent::BatchReady { count, colour } => {
                Self::Ready { cards: count.counted, expected: count.expected.cards(), colour }
            }
            ShufflerEvent::ShuffleStopped { .. } => Self::Stopped,
            ShufflerEvent::Jammed { severity, .. } => Self::Jammed { stuck: severity == JamSeverity::Stuck },
            ShufflerEvent::JamCleared => Self::JamCleared,
            ShufflerEvent::DoorOpened => Self::Door { open: true },
            ShufflerEvent::DoorClosed => Self::Door { open: false },
            ShufflerEvent::Unloaded => Self::Unloaded,
            ShufflerEvent::OutOfService => Self::OutOfService,
            ShufflerEvent::BackInService => Self::BackInService,
            ShufflerEvent::State(status) => {
                Self::State { state: status.state, ready: status.state == ShufflerState::Ready }
            }
            ShufflerEvent::Progressed(_) | ShufflerEvent::FaultRaised(_) | ShufflerEvent::FaultCleared(_) => {
                return None;
            }
        })
    }
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
    /// No card may leave, since when and by whom it was said.
    Locked {
        by: LockWord,
    },
    Unlocked {
        by: LockWord,
    },
    State {
        drawn: u16,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        state: String,
    },
}

/// What locked or unlocked a shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockWord {
    Command,
    Hand,
    Error,
}

impl From<LockCause> for LockWord {
    fn from(cause: LockCause) -> Self {
        match cause {
            LockCause::Commanded => Self::Command,
            LockCause::ByHand => Self::Hand,
            LockCause::AfterError => Self::Error,
        }
    }
}

/// How a shoe's state is called.
pub const fn shoe_state_word(state: ShoeState) -> &'static str {
    match state {
        ShoeState::Booting => "booting",
        ShoeState::Ready => "ready",
        ShoeState::Locked => "locked",
        ShoeState::Error => "error",
        ShoeState::Empty => "empty",
    }
}

/// What the sensors of the betting positions and the lock-out button say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LayoutInput {
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
    /// All sensors as they are now, told after a start and where changes were given up; of `unread` nothing is known.
    Read {
        occupied: Vec<Spot>,
        unread: Vec<Spot>,
    },
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
    /// It is not the journal that its witness knows, or there is none.
    Doubtful {
        why: String,
    },
    /// Reading it through found a place that is not as it was written.
    Damaged {
        what: String,
    },
    /// The witness of its newest signed head cannot be written.
    WitnessLost {
        why: String,
    },
    /// The witness is written again.
    WitnessKept,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PinsInput {
    /// More wrong PINs than people mistype.
    TooManyWrong,
    /// It has been quiet since.
    Quiet,
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
