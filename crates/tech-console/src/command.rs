//! What a row of the table of commands says.

use operator_api::Role;

/// Every command, by what it does. Whoever carries commands out matches on this without a wildcard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Id {
    Status,
    Why,
    DevList,
    DevShow,
    MonRaw,
    MonFrame,
    MonEvent,
    Ports,
    Loop,
    Gpio,
    GpioWatch,
    I2cScan,
    Err,
    ErrClear,
    Disk,
    Health,
    Clock,
    Ver,
    Who,
    LogTail,
    LogFind,
    LogExport,
    Recall,
    Meters,
    WorkList,
    WorkClose,
    ConfigShow,
    ConfigDiff,
    ConfigCheck,
    ConfigPaste,
    ConfigStage,
    UnitStatus,
    UnitRestart,
    UnitResetFailed,
    ServiceEnter,
    ServiceLeave,
    SensorRaw,
    SensorCal,
    LampTest,
    ReaderTest,
    ShufflerQuery,
    ShoeQuery,
    SelfTest,
    Help,
    Exit,
}

/// What follows the words of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    None,
    /// A serial device of this table.
    Device,
    /// A fault code or a controller's code; may be left out.
    Code,
    /// A round's number.
    Round,
    /// A work order's number.
    Order,
    /// A seat's sensors, `3`, or one of them, `3.2`.
    Sensor,
    /// Words to look for.
    Text,
    /// A configuration by its name.
    Configuration,
    /// A new configuration's name.
    NewName,
    /// A command; may be left out.
    Command,
}

impl Argument {
    pub const fn may_be_left_out(self) -> bool {
        match self {
            Self::None | Self::Code | Self::Command => true,
            Self::Device
            | Self::Round
            | Self::Order
            | Self::Sensor
            | Self::Text
            | Self::Configuration
            | Self::NewName => false,
        }
    }

    /// How the argument is asked for.
    pub const fn question(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Device => "which device?",
            Self::Code => "which code?",
            Self::Round => "which round?",
            Self::Order => "which order?",
            Self::Sensor => "which sensor?",
            Self::Text => "which text?",
            Self::Configuration => "which configuration?",
            Self::NewName => "under which name?",
            Self::Command => "which command?",
        }
    }

    /// One that would be right, for an error's next step.
    pub const fn example(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Device => "reader",
            Self::Code => "RD-010",
            Self::Round => "88",
            Self::Order => "3",
            Self::Sensor => "3.1",
            Self::Text => "RD-",
            Self::Configuration => "last-good",
            Self::NewName => "evening",
            Self::Command => "mon",
        }
    }
}

/// Whether a command works while the daemon is down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WithoutDaemon {
    Works,
    /// Only this much of it.
    Partly(&'static str),
    No,
}

/// What has to hold at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Nothing,
    /// Service mode.
    Service,
    /// Service mode, or a daemon that is down.
    ServiceOrDown,
}

/// Who else has to say yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondPerson {
    Nobody,
    Manager,
    /// A floorperson or a manager, while a round is open.
    InChargeInRound,
}

impl SecondPerson {
    /// The roles that will do.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::Nobody => &[],
            Self::Manager => &[Role::Manager],
            Self::InChargeInRound => &[Role::Floorperson, Role::Manager],
        }
    }
}

/// How a command prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    Once,
    /// Until a key is pressed.
    Stream,
}

/// What a command does to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Looks,
    /// Says what it will do and asks; its word is written out.
    Changes,
}

/// One row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    pub id: Id,
    /// The family's word.
    pub word: &'static str,
    /// The word after it; empty where there is none.
    pub then: &'static str,
    pub argument: Argument,
    pub who: &'static [Role],
    pub second: SecondPerson,
    pub without_daemon: WithoutDaemon,
    pub manner: Manner,
    pub effect: Effect,
    pub needs: Needs,
    /// Remains where nobody's PIN can be checked.
    pub on_rung: bool,
    pub reads: &'static str,
}

impl Command {
    /// `mon raw`.
    pub fn name(&self) -> String {
        if self.then.is_empty() { self.word.to_owned() } else { format!("{} {}", self.word, self.then) }
    }
}

/// Where a family stands in `help`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Look,
    Tests,
    Session,
    Records,
    Change,
}

impl Group {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Tests => "tests",
            Self::Session => "session",
            Self::Records => "records",
            Self::Change => "change",
        }
    }
}

/// Commands that begin with the same word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    pub word: &'static str,
    pub group: Group,
    /// A few words for `?`.
    pub summary: &'static str,
    /// The whole of it: `mon raw|frame|event DEVICE`.
    pub usage: &'static str,
    pub help: &'static str,
    pub example: &'static str,
    pub commands: &'static [Command],
}
