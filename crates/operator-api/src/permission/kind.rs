//! The kinds of act, and how a request is sorted into them.

use std::fmt;

use table_rules::Engine;
use table_rules::engine::Irregular;
use table_rules::game::Game;
use table_rules::input::{Input, InputKind, Inspection, ShuffleDone};
use table_rules::prompt::Order;
use table_rules::script::{ScriptError, parse_line};

use crate::action::Action;

/// What a row of the table is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActKind {
    /// A word of the rules.
    Word(InputKind),

    // Words of the rules that ask for somebody else than their kind does.
    /// `inspect floor`: the floorperson verifies the dealer's inspection.
    InspectByFloor,
    /// `irregularity 13.S` (blackjack 14.N): from then on the shuffler is bypassed.
    ShufflerOutOfOrder,
    /// `shuffle device` where a shuffler is linked that would say so itself.
    ShuffleForDevice,
    /// `peek …` where a reader is linked: it answers, and nobody else.
    PeekForReader,
    /// `manager approve` for a line that waits for its second person.
    SecondApproval,

    // Everything else that can be asked.
    /// Several words at once, each of them a key of the dealer's screen.
    Words,
    Reveal,
    TurnUp,
    FaceDown,
    ChipCount,
    SignIn,
    SignOut,
    Acknowledge,
    AcknowledgeAll,
    Clear,
    BeginInspection,
    AnswerInspection,
    SignInspection,
    PauseInspection,
    EnterService,
    LeaveService,
    TestDevice,
    ConfirmClock,
    /// The clock was moved while the table was running.
    ConfirmSteppedClock,
    CorrectMeter,
    ReplaceReader,
    PairDevice,
    SettledByHand,
    AcceptJournal,
    OpenWorkOrder,
    CloseWorkOrder,
    CallFloor,
    OpenVisit,
    EndVisit,
}

/// What a permission depends on besides the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances {
    pub game: Game,
    /// A reader is linked.
    pub reader: bool,
    /// A shuffler is linked.
    pub shuffler: bool,
    /// The line over the threshold waits for its second person.
    pub second_approval: bool,
    pub clock_stepped: bool,
}

impl Circumstances {
    /// The rules alone: no device speaks for itself.
    pub fn of(engine: &Engine) -> Self {
        Self {
            game: engine.table().game,
            reader: false,
            shuffler: false,
            second_approval: matches!(engine.order().0, Order::ApproveLineSecond),
            clock_stepped: false,
        }
    }
}

impl ActKind {
    /// Every row of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        InputKind::ALL.into_iter().map(Self::Word).chain(Self::BESIDES.iter().copied())
    }

    /// The row that a request belongs to; an error where its words are none of the play script's.
    pub fn of_action(action: &Action, now: &Circumstances) -> Result<Self, WordsError> {
        Ok(match action {
            Action::Play { words } => {
                let input = parse_line(words).map_err(WordsError::Script)?.ok_or(WordsError::Empty)?;
                Self::of_input(&input, now)
            }
            Action::Words { .. } => Self::Words,
            Action::Reveal => Self::Reveal,
            Action::TurnUp { .. } => Self::TurnUp,
            Action::FaceDown => Self::FaceDown,
            Action::SignIn => Self::SignIn,
            Action::SignOut => Self::SignOut,
            Action::Acknowledge { .. } => Self::Acknowledge,
            Action::AcknowledgeAll => Self::AcknowledgeAll,
            Action::Clear { .. } => Self::Clear,
            Action::BeginInspection { .. } => Self::BeginInspection,
            Action::InspectionAnswer { answer } if answer == "sign" => Self::SignInspection,
            Action::InspectionAnswer { .. } => Self::AnswerInspection,
            Action::PauseInspection => Self::PauseInspection,
            Action::EnterService => Self::EnterService,
            Action::LeaveService => Self::LeaveService,
            Action::TestDevice { .. } => Self::TestDevice,
            Action::ConfirmClock if now.clock_stepped => Self::ConfirmSteppedClock,
            Action::ConfirmClock => Self::ConfirmClock,
            Action::CorrectMeter { .. } => Self::CorrectMeter,
            Action::ReplaceReader { .. } => Self::ReplaceReader,
            Action::PairDevice { .. } => Self::PairDevice,
            Action::ChipCount { .. } => Self::ChipCount,
            Action::SettledByHand { .. } => Self::SettledByHand,
            Action::AcceptJournal { .. } => Self::AcceptJournal,
            Action::OpenWorkOrder { .. } => Self::OpenWorkOrder,
            Action::CloseWorkOrder { .. } => Self::CloseWorkOrder,
            Action::CallFloor => Self::CallFloor,
            Action::OpenVisit => Self::OpenVisit,
            Action::EndVisit { .. } => Self::EndVisit,
        })
    }

    /// The row of an input that a person gives.
    pub fn of_input(input: &Input, now: &Circumstances) -> Self {
        let kind = input.kind();
        if matches!(input, Input::Inspect(Inspection::Floor)) {
            Self::InspectByFloor
        } else if let Input::Irregularity { clause, .. } = input
            && Irregular::of_clause(now.game, clause.as_str()) == Some(Irregular::ShufflerOutOfOrder)
        {
            Self::ShufflerOutOfOrder
        } else if now.shuffler && matches!(input, Input::Shuffle(ShuffleDone::Device)) {
            Self::ShuffleForDevice
        } else if now.reader && kind == InputKind::Peek {
            Self::PeekForReader
        } else if now.second_approval && kind == InputKind::ManagerApprove {
            Self::SecondApproval
        } else {
            Self::Word(kind)
        }
    }
}

/// The kinds that are no whole kind of input, each with how the play script or the request writes it. One list: a kind
/// that is missing here has no word and does not compile.
macro_rules! besides {
    ($($variant:ident: $word:literal,)*) => {
        impl ActKind {
            const BESIDES: &'static [Self] = &[$(Self::$variant),*];

            pub const fn word(self) -> &'static str {
                match self {
                    Self::Word(kind) => kind.word(),
                    $(Self::$variant => $word,)*
                }
            }
        }
    };
}

besides! {
    InspectByFloor: "inspect floor",
    ShufflerOutOfOrder: "irregularity 13.S (blackjack 14.N)",
    ShuffleForDevice: "shuffle device, with a shuffler linked",
    PeekForReader: "peek, with a reader linked",
    SecondApproval: "manager approve, as the second person",
    Words: "words, several at once",
    Reveal: "reveal, by the shoe",
    TurnUp: "turn-up",
    FaceDown: "face-down",
    ChipCount: "chip-count",
    SignIn: "sign-in",
    SignOut: "sign-out",
    Acknowledge: "acknowledge",
    AcknowledgeAll: "acknowledge-all",
    Clear: "clear",
    BeginInspection: "begin-inspection",
    AnswerInspection: "inspection-answer",
    SignInspection: "inspection-answer sign",
    PauseInspection: "pause-inspection",
    EnterService: "enter-service",
    LeaveService: "leave-service",
    TestDevice: "test-device",
    ConfirmClock: "confirm-clock",
    ConfirmSteppedClock: "confirm-clock, after the clock was moved",
    CorrectMeter: "correct-meter",
    ReplaceReader: "replace-reader",
    PairDevice: "pair-device",
    SettledByHand: "settled-by-hand",
    AcceptJournal: "accept-journal",
    OpenWorkOrder: "open-work-order",
    CloseWorkOrder: "close-work-order",
    CallFloor: "call-floor",
    OpenVisit: "visit",
    EndVisit: "visit/leave",
}

/// A line that says nothing the rules know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordsError {
    Empty,
    Script(ScriptError),
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the line is empty"),
            Self::Script(error) => error.fmt(f),
        }
    }
}
