//! The hole-card reader. It is told the up card's group, looks at the hole card, and says whether the two make
//! blackjack: yes, no, or that it could not read.
//!
//! It must never be able to say more. No message has a field for a rank or a suit; every field comes from a short closed
//! list; there is no confidence, no image, no free text, because each of those could carry a card. All three answers
//! travel in messages of one length, and the device gives each of them the same time after the insertion. A test walks
//! the whole space of payloads that this module accepts.

use crate::faults::{FaultSet, fault_enum};
use crate::fields::{FieldReader, body, coded_enum};
use crate::frame::{DeviceKind, MessageType};
use crate::message::{Body, BodyFault, DeviceProtocol, types};

/// The device answers this long after the card is in, for every answer alike: an answer that came sooner for one group
/// of cards than for another would tell the cards apart. Within the 500 ms that a dealer is asked to wait.
pub const ANSWER_AFTER_MS: u64 = 400;
/// An armed reader that sees no card for this long says so and stays armed.
pub const NO_CARD_AFTER_MS: u64 = 10_000;
/// A card that stays between the first and the last sensor for this long is half inserted; sooner it is on its way.
pub const HALF_INSERTED_AFTER_MS: u64 = 2_000;

const ARM: MessageType = MessageType::new(0x10);
const DISARM: MessageType = MessageType::new(0x11);
const ENTER_TEST: MessageType = MessageType::new(0x12);
const LEAVE_TEST: MessageType = MessageType::new(0x13);
const ARM_TEST: MessageType = MessageType::new(0x14);
const CYCLE_LAMPS: MessageType = MessageType::new(0x15);

const CARD_INSERTED: MessageType = MessageType::new(0x20);
const ANSWERED: MessageType = MessageType::new(0x21);
const CARD_REMOVED: MessageType = MessageType::new(0x22);
const WRONG_TIME_INSERTION: MessageType = MessageType::new(0x23);
const HALF_INSERTED: MessageType = MessageType::new(0x24);
const REMOVED_EARLY: MessageType = MessageType::new(0x25);
const MISPLACED: MessageType = MessageType::new(0x26);
const NO_CARD: MessageType = MessageType::new(0x27);
const TEST_ANSWERED: MessageType = MessageType::new(0x28);

/// Whether a message of the reader says what it found. Nobody sees it before the table does.
pub(crate) fn tells_the_answer(message_type: MessageType) -> bool {
    message_type == ANSWERED || message_type == types::STATE
}

coded_enum! {
    /// The up card's group, hence what the hole card is asked for.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum UpCardGroup {
        /// The up card is an ace: does the hole card count ten?
        Ace = 1,
        /// The up card counts ten: is the hole card an ace?
        Ten = 2,
    }
}

coded_enum! {
    /// All that the reader ever says about a card.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ReaderAnswer {
        /// Up card and hole card make blackjack.
        Yes = 1,
        No = 2,
        Unread = 3,
    }
}

impl ReaderAnswer {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unread => "unread",
        }
    }
}

/// What the reader is doing. The answer of the last reading stays with `Answered` until the card is out, so that a
/// controller that restarts meanwhile can ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderState {
    Booting,
    Idle,
    Armed(UpCardGroup),
    CardIn(UpCardGroup),
    Reading(UpCardGroup),
    Answered(UpCardGroup, ReaderAnswer),
    /// The card is out, the answer has been given; the reader must be armed again.
    CardOut,
    Faulted,
    Testing,
    CoverOpen,
}

fault_enum! {
    pub enum ReaderFault {
        /// Seen against the white strip with no card in, so that it says nothing about a card.
        LensDirty = 1,
        LampDead = 2,
        SensorStuck = 3,
        CoverOpen = 4,
        Tamper = 5,
        SelfTestFailed = 6,
        SupplyLow = 7,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReaderStatus {
    pub state: ReaderState,
    /// A card lies in the slot; also after a restart with the card still in.
    pub card_present: bool,
    pub faults: FaultSet<ReaderFault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderCommand {
    Arm {
        group: UpCardGroup,
    },
    Disarm,
    EnterTest,
    LeaveTest,
    /// Asks for one test card; only in test mode, and answered by `TestAnswered`, never by `Answered`.
    ArmTest {
        group: UpCardGroup,
    },
    /// Shows each indicator lamp in turn for the daily inspection.
    CycleLamps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderEvent {
    /// Sent the moment the card is in: this closes insurance.
    CardInserted {
        group: UpCardGroup,
    },
    Answered {
        group: UpCardGroup,
        answer: ReaderAnswer,
    },
    CardRemoved,
    /// A card went in while the reader was not armed. It was not looked at.
    WrongTimeInsertion,
    HalfInserted,
    /// The card left before it had been read.
    RemovedEarly,
    /// The card is in, but not with a corner under the lens.
    Misplaced,
    NoCard,
    TestAnswered {
        group: UpCardGroup,
        answer: ReaderAnswer,
    },
    FaultRaised(ReaderFault),
    FaultCleared(ReaderFault),
    State(ReaderStatus),
}

/// The hole-card reader's side of [`DeviceProtocol`].
#[derive(Clone, Copy, Debug)]
pub enum HoleCardReader {}

impl DeviceProtocol for HoleCardReader {
    const KIND: DeviceKind = DeviceKind::HoleCardReader;
    type Command = ReaderCommand;
    type Event = ReaderEvent;

    fn encode_command(command: &ReaderCommand) -> Body {
        match command {
            ReaderCommand::Arm { group } => body(ARM, &[&[group.code()]]),
            ReaderCommand::Disarm => body(DISARM, &[]),
            ReaderCommand::EnterTest => body(ENTER_TEST, &[]),
            ReaderCommand::LeaveTest => body(LEAVE_TEST, &[]),
            ReaderCommand::ArmTest { group } => body(ARM_TEST, &[&[group.code()]]),
            ReaderCommand::CycleLamps => body(CYCLE_LAMPS, &[]),
        }
    }

    fn decode_command(body: &Body) -> Result<ReaderCommand, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let command = match body.message_type {
            ARM => ReaderCommand::Arm { group: group(&mut fields)? },
            DISARM => ReaderCommand::Disarm,
            ENTER_TEST => ReaderCommand::EnterTest,
            LEAVE_TEST => ReaderCommand::LeaveTest,
            ARM_TEST => ReaderCommand::ArmTest { group: group(&mut fields)? },
            CYCLE_LAMPS => ReaderCommand::CycleLamps,
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(command)
    }

    fn encode_event(event: &ReaderEvent) -> Body {
        match event {
            ReaderEvent::CardInserted { group } => body(CARD_INSERTED, &[&[group.code()]]),
            ReaderEvent::Answered { group, answer } => body(ANSWERED, &[&[group.code(), answer.code()]]),
            ReaderEvent::CardRemoved => body(CARD_REMOVED, &[]),
            ReaderEvent::WrongTimeInsertion => body(WRONG_TIME_INSERTION, &[]),
            ReaderEvent::HalfInserted => body(HALF_INSERTED, &[]),
            ReaderEvent::RemovedEarly => body(REMOVED_EARLY, &[]),
            ReaderEvent::Misplaced => body(MISPLACED, &[]),
            ReaderEvent::NoCard => body(NO_CARD, &[]),
            ReaderEvent::TestAnswered { group, answer } => body(TEST_ANSWERED, &[&[group.code(), answer.code()]]),
            ReaderEvent::FaultRaised(fault) => body(types::FAULT_RAISED, &[&[fault.code()]]),
            ReaderEvent::FaultCleared(fault) => body(types::FAULT_CLEARED, &[&[fault.code()]]),
            ReaderEvent::State(status) => encode_status(status),
        }
    }

    fn decode_event(body: &Body) -> Result<ReaderEvent, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let event = match body.message_type {
            CARD_INSERTED => ReaderEvent::CardInserted { group: group(&mut fields)? },
            ANSWERED => ReaderEvent::Answered { group: group(&mut fields)?, answer: answer(&mut fields)? },
            CARD_REMOVED => ReaderEvent::CardRemoved,
            WRONG_TIME_INSERTION => ReaderEvent::WrongTimeInsertion,
            HALF_INSERTED => ReaderEvent::HalfInserted,
            REMOVED_EARLY => ReaderEvent::RemovedEarly,
            MISPLACED => ReaderEvent::Misplaced,
            NO_CARD => ReaderEvent::NoCard,
            TEST_ANSWERED => ReaderEvent::TestAnswered { group: group(&mut fields)?, answer: answer(&mut fields)? },
            types::FAULT_RAISED => ReaderEvent::FaultRaised(fields.code("fault", ReaderFault::from_code)?),
            types::FAULT_CLEARED => ReaderEvent::FaultCleared(fields.code("fault", ReaderFault::from_code)?),
            types::STATE => ReaderEvent::State(decode_status(&mut fields)?),
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(event)
    }
}

fn group(fields: &mut FieldReader<'_>) -> Result<UpCardGroup, BodyFault> {
    fields.code("group", UpCardGroup::from_code)
}

fn answer(fields: &mut FieldReader<'_>) -> Result<ReaderAnswer, BodyFault> {
    fields.code("answer", ReaderAnswer::from_code)
}

/// STATE is: state, group or 0, answer or 0, card present, faults. Always all of them, so that its length never changes.
fn encode_status(status: &ReaderStatus) -> Body {
    let (state, group, answer) = match status.state {
        ReaderState::Booting => (0, None, None),
        ReaderState::Idle => (1, None, None),
        ReaderState::Armed(group) => (2, Some(group), None),
        ReaderState::CardIn(group) => (3, Some(group), None),
        ReaderState::Reading(group) => (4, Some(group), None),
        ReaderState::Answered(group, answer) => (5, Some(group), Some(answer)),
        ReaderState::CardOut => (6, None, None),
        ReaderState::Faulted => (7, None, None),
        ReaderState::Testing => (8, None, None),
        ReaderState::CoverOpen => (9, None, None),
    };
    let group = group.map_or(0, UpCardGroup::code);
    let answer = answer.map_or(0, ReaderAnswer::code);
    body(types::STATE, &[&[state, group, answer, u8::from(status.card_present)], &status.faults.to_wire()])
}

fn decode_status(fields: &mut FieldReader<'_>) -> Result<ReaderStatus, BodyFault> {
    let unknown = |field| BodyFault::UnknownValue { field };
    let group_of = |code| UpCardGroup::from_code(code).ok_or(unknown("group"));
    let answer_of = |code| ReaderAnswer::from_code(code).ok_or(unknown("answer"));
    let state = match fields.array()? {
        [0, 0, 0] => ReaderState::Booting,
        [1, 0, 0] => ReaderState::Idle,
        [2, group, 0] => ReaderState::Armed(group_of(group)?),
        [3, group, 0] => ReaderState::CardIn(group_of(group)?),
        [4, group, 0] => ReaderState::Reading(group_of(group)?),
        [5, group, answer] => ReaderState::Answered(group_of(group)?, answer_of(answer)?),
        [6, 0, 0] => ReaderState::CardOut,
        [7, 0, 0] => ReaderState::Faulted,
        [8, 0, 0] => ReaderState::Testing,
        [9, 0, 0] => ReaderState::CoverOpen,
        _ => return Err(unknown("state")),
    };
    let card_present = fields.flag("card present")?;
    Ok(ReaderStatus { state, card_present, faults: FaultSet::from_wire(fields.u32()?)? })
}
