//! The shuffler: what it is doing, how many cards it counted, which batch it holds, and why it stopped.
//!
//! It must never tell the order of the cards, nor any card: there is no message for it, and none may be added. A count
//! is evidence, not proof; the number that was expected travels with it.

use crate::faults::{FaultSet, fault_enum};
use crate::fields::{FieldReader, body, coded_enum};
use crate::frame::{DeviceKind, MessageType};
use crate::message::{Body, BodyFault, DeviceProtocol, types};

const SHUFFLE: MessageType = MessageType::new(0x10);
const STOP: MessageType = MessageType::new(0x11);
const UNLOAD: MessageType = MessageType::new(0x12);
const CLEAR_JAM: MessageType = MessageType::new(0x13);
const TAKE_OUT_OF_SERVICE: MessageType = MessageType::new(0x14);
const RETURN_TO_SERVICE: MessageType = MessageType::new(0x15);

const BATCH_LOADED: MessageType = MessageType::new(0x20);
const SHUFFLE_STARTED: MessageType = MessageType::new(0x21);
const PROGRESSED: MessageType = MessageType::new(0x22);
const COUNTED: MessageType = MessageType::new(0x23);
const BATCH_READY: MessageType = MessageType::new(0x24);
const SHUFFLE_STOPPED: MessageType = MessageType::new(0x25);
const JAMMED: MessageType = MessageType::new(0x26);
const JAM_CLEARED: MessageType = MessageType::new(0x27);
const DOOR_OPENED: MessageType = MessageType::new(0x28);
const DOOR_CLOSED: MessageType = MessageType::new(0x29);
const UNLOADED: MessageType = MessageType::new(0x2A);
const OUT_OF_SERVICE: MessageType = MessageType::new(0x2B);
const BACK_IN_SERVICE: MessageType = MessageType::new(0x2C);

coded_enum! {
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ShufflerState {
        Booting = 0,
        Empty = 1,
        Loaded = 2,
        Shuffling = 3,
        Counted = 4,
        Ready = 5,
        Unloading = 6,
        Jammed = 7,
        DoorOpen = 8,
        Service = 9,
        Faulted = 10,
        OutOfService = 11,
    }
}

coded_enum! {
    /// The back colour by which the two batches of a table are told apart.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum BatchColour {
        Unknown = 0,
        Red = 1,
        Blue = 2,
        Green = 3,
        Yellow = 4,
        Black = 5,
        Purple = 6,
        Orange = 7,
        /// Backs of more than one colour in the batch.
        Mixed = 8,
    }
}

coded_enum! {
    /// Why a shuffle ended before it was complete. The batch may not be dealt.
    pub enum StopCause {
        Commanded = 1,
        Jam = 2,
        Door = 3,
        /// Reported after the restart.
        PowerLoss = 4,
        Fault = 5,
    }
}

coded_enum! {
    pub enum JamSeverity {
        /// The machine tries to free itself.
        Retrying = 1,
        /// It gave up; someone must open it.
        Stuck = 2,
    }
}

fault_enum! {
    pub enum ShufflerFault {
        Motor = 1,
        SensorDirty = 2,
        CountMismatch = 3,
        WrongBackColour = 4,
        FaceUpCard = 5,
        DoorSwitch = 6,
        SupplyLow = 7,
        SelfTestFailed = 8,
    }
}

/// How many cards a batch should have: whole decks of 52 (one to eight), or five, six or eight decks of 48.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedCount(u16);

impl ExpectedCount {
    pub fn new(cards: u16) -> Option<Self> {
        let whole_decks = cards.is_multiple_of(52) && (1..=8).contains(&(cards / 52));
        (whole_decks || [240, 288, 384].contains(&cards)).then_some(Self(cards))
    }

    pub const fn cards(self) -> u16 {
        self.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardCount {
    pub counted: u16,
    pub expected: ExpectedCount,
}

impl CardCount {
    pub fn is_as_expected(self) -> bool {
        self.counted == self.expected.0
    }
}

/// 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u8);

impl Percent {
    pub fn new(value: u8) -> Option<Self> {
        (value <= 100).then_some(Self(value))
    }

    pub const fn value(self) -> u8 {
        self.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShufflerStatus {
    pub state: ShufflerState,
    pub progress: Percent,
    pub colour: BatchColour,
    /// Of the last count of this batch, if there was one.
    pub count: Option<CardCount>,
    /// Jams in the present cycle.
    pub jams: u8,
    pub door_open: bool,
    pub faults: FaultSet<ShufflerFault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShufflerCommand {
    Shuffle { colour: BatchColour, expected: ExpectedCount },
    Stop,
    Unload,
    ClearJam,
    TakeOutOfService,
    ReturnToService,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShufflerEvent {
    BatchLoaded {
        colour: BatchColour,
    },
    ShuffleStarted {
        colour: BatchColour,
    },
    Progressed(Percent),
    Counted {
        count: CardCount,
        colour: BatchColour,
    },
    BatchReady {
        count: CardCount,
        colour: BatchColour,
    },
    ShuffleStopped {
        cause: StopCause,
        progress: Percent,
    },
    /// `jams` counts within this cycle.
    Jammed {
        jams: u8,
        severity: JamSeverity,
    },
    JamCleared,
    DoorOpened,
    DoorClosed,
    Unloaded,
    OutOfService,
    BackInService,
    FaultRaised(ShufflerFault),
    FaultCleared(ShufflerFault),
    State(ShufflerStatus),
}

/// The shuffler's side of [`DeviceProtocol`].
#[derive(Clone, Copy, Debug)]
pub enum Shuffler {}

impl DeviceProtocol for Shuffler {
    const KIND: DeviceKind = DeviceKind::Shuffler;
    type Command = ShufflerCommand;
    type Event = ShufflerEvent;

    fn encode_command(command: &ShufflerCommand) -> Body {
        match command {
            ShufflerCommand::Shuffle { colour, expected } => {
                body(SHUFFLE, &[&[colour.code()], &expected.0.to_be_bytes()])
            }
            ShufflerCommand::Stop => body(STOP, &[]),
            ShufflerCommand::Unload => body(UNLOAD, &[]),
            ShufflerCommand::ClearJam => body(CLEAR_JAM, &[]),
            ShufflerCommand::TakeOutOfService => body(TAKE_OUT_OF_SERVICE, &[]),
            ShufflerCommand::ReturnToService => body(RETURN_TO_SERVICE, &[]),
        }
    }

    fn decode_command(body: &Body) -> Result<ShufflerCommand, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let command = match body.message_type {
            SHUFFLE => {
                let colour = colour(&mut fields)?;
                ShufflerCommand::Shuffle { colour, expected: expected(&mut fields)? }
            }
            STOP => ShufflerCommand::Stop,
            UNLOAD => ShufflerCommand::Unload,
            CLEAR_JAM => ShufflerCommand::ClearJam,
            TAKE_OUT_OF_SERVICE => ShufflerCommand::TakeOutOfService,
            RETURN_TO_SERVICE => ShufflerCommand::ReturnToService,
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(command)
    }

    fn encode_event(event: &ShufflerEvent) -> Body {
        match event {
            ShufflerEvent::BatchLoaded { colour } => body(BATCH_LOADED, &[&[colour.code()]]),
            ShufflerEvent::ShuffleStarted { colour } => body(SHUFFLE_STARTED, &[&[colour.code()]]),
            ShufflerEvent::Progressed(percent) => body(PROGRESSED, &[&[percent.0]]),
            ShufflerEvent::Counted { count, colour } => body(COUNTED, &[&count_bytes(Some(*count)), &[colour.code()]]),
            ShufflerEvent::BatchReady { count, colour } => {
                body(BATCH_READY, &[&count_bytes(Some(*count)), &[colour.code()]])
            }
            ShufflerEvent::ShuffleStopped { cause, progress } => body(SHUFFLE_STOPPED, &[&[cause.code(), progress.0]]),
            ShufflerEvent::Jammed { jams, severity } => body(JAMMED, &[&[*jams, severity.code()]]),
            ShufflerEvent::JamCleared => body(JAM_CLEARED, &[]),
            ShufflerEvent::DoorOpened => body(DOOR_OPENED, &[]),
            ShufflerEvent::DoorClosed => body(DOOR_CLOSED, &[]),
            ShufflerEvent::Unloaded => body(UNLOADED, &[]),
            ShufflerEvent::OutOfService => body(OUT_OF_SERVICE, &[]),
            ShufflerEvent::BackInService => body(BACK_IN_SERVICE, &[]),
            ShufflerEvent::FaultRaised(fault) => body(types::FAULT_RAISED, &[&[fault.code()]]),
            ShufflerEvent::FaultCleared(fault) => body(types::FAULT_CLEARED, &[&[fault.code()]]),
            ShufflerEvent::State(status) => body(
                types::STATE,
                &[
                    &[status.state.code(), status.progress.0, status.colour.code()],
                    &count_bytes(status.count),
                    &[status.jams, u8::from(status.door_open)],
                    &status.faults.to_wire(),
                ],
            ),
        }
    }

    fn decode_event(body: &Body) -> Result<ShufflerEvent, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let event = match body.message_type {
            BATCH_LOADED => ShufflerEvent::BatchLoaded { colour: colour(&mut fields)? },
            SHUFFLE_STARTED => ShufflerEvent::ShuffleStarted { colour: colour(&mut fields)? },
            PROGRESSED => ShufflerEvent::Progressed(percent(&mut fields)?),
            COUNTED => ShufflerEvent::Counted { count: count(&mut fields)?, colour: colour(&mut fields)? },
            BATCH_READY => ShufflerEvent::BatchReady { count: count(&mut fields)?, colour: colour(&mut fields)? },
            SHUFFLE_STOPPED => {
                let cause = fields.code("cause", StopCause::from_code)?;
                ShufflerEvent::ShuffleStopped { cause, progress: percent(&mut fields)? }
            }
            JAMMED => {
                let jams = fields.u8()?;
                ShufflerEvent::Jammed { jams, severity: fields.code("severity", JamSeverity::from_code)? }
            }
            JAM_CLEARED => ShufflerEvent::JamCleared,
            DOOR_OPENED => ShufflerEvent::DoorOpened,
            DOOR_CLOSED => ShufflerEvent::DoorClosed,
            UNLOADED => ShufflerEvent::Unloaded,
            OUT_OF_SERVICE => ShufflerEvent::OutOfService,
            BACK_IN_SERVICE => ShufflerEvent::BackInService,
            types::FAULT_RAISED => ShufflerEvent::FaultRaised(fields.code("fault", ShufflerFault::from_code)?),
            types::FAULT_CLEARED => ShufflerEvent::FaultCleared(fields.code("fault", ShufflerFault::from_code)?),
            types::STATE => ShufflerEvent::State(ShufflerStatus {
                state: fields.code("state", ShufflerState::from_code)?,
                progress: percent(&mut fields)?,
                colour: colour(&mut fields)?,
                count: optional_count(&mut fields)?,
                jams: fields.u8()?,
                door_open: fields.flag("door open")?,
                faults: FaultSet::from_wire(fields.u32()?)?,
            }),
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(event)
    }
}

fn colour(fields: &mut FieldReader<'_>) -> Result<BatchColour, BodyFault> {
    fields.code("colour", BatchColour::from_code)
}

fn percent(fields: &mut FieldReader<'_>) -> Result<Percent, BodyFault> {
    fields.code("percent", Percent::new)
}

fn expected(fields: &mut FieldReader<'_>) -> Result<ExpectedCount, BodyFault> {
    ExpectedCount::new(fields.u16()?).ok_or(BodyFault::UnknownValue { field: "expected count" })
}

fn count(fields: &mut FieldReader<'_>) -> Result<CardCount, BodyFault> {
    optional_count(fields)?.ok_or(BodyFault::UnknownValue { field: "expected count" })
}

/// Both zero stands for "not counted yet"; a count without an expectation does not exist.
fn optional_count(fields: &mut FieldReader<'_>) -> Result<Option<CardCount>, BodyFault> {
    let counted = fields.u16()?;
    let expected = fields.u16()?;
    if counted == 0 && expected == 0 {
        return Ok(None);
    }
    let expected = ExpectedCount::new(expected).ok_or(BodyFault::UnknownValue { field: "expected count" })?;
    Ok(Some(CardCount { counted, expected }))
}

fn count_bytes(count: Option<CardCount>) -> [u8; 4] {
    let (counted, expected) = count.map_or((0, 0), |count| (count.counted, count.expected.0));
    let ([c0, c1], [e0, e1]) = (counted.to_be_bytes(), expected.to_be_bytes());
    [c0, c1, e0, e1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_counts_are_exactly_those_of_whole_batches() {
        let accepted: Vec<u16> = (0..=1000).filter(|cards| ExpectedCount::new(*cards).is_some()).collect();
        assert_eq!(accepted, [52, 104, 156, 208, 240, 260, 288, 312, 364, 384, 416]);
    }
}
