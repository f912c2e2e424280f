//! The card-reading shoe: every card that leaves it, the cut card, reversals, overdraws, its lock.
//!
//! A draw carries the card's identity and is sealed the moment it is decoded; see [`crate::sealed`]. Nothing here may
//! report, compare or print a rank or suit, not even in an error. A card that the shoe could not read is a message of
//! its own without any identity.

use crate::faults::{FaultSet, fault_enum};
use crate::fields::{FieldReader, body, coded_enum};
use crate::frame::{DeviceKind, MessageType};
use crate::message::{Body, BodyFault, DeviceProtocol, types};
use crate::sealed::{DrawNumber, SealedCard};

const LOCK: MessageType = MessageType::new(0x10);
const UNLOCK: MessageType = MessageType::new(0x11);
const CLEAR_ERROR: MessageType = MessageType::new(0x12);
const START_BATCH: MessageType = MessageType::new(0x13);

pub(crate) const CARD_DRAWN: MessageType = MessageType::new(0x20);
const CARD_UNREAD: MessageType = MessageType::new(0x21);
const CUT_CARD_DRAWN: MessageType = MessageType::new(0x22);
const CARD_REVERSED: MessageType = MessageType::new(0x23);
const CARD_OVERDRAWN: MessageType = MessageType::new(0x24);
const LOCKED: MessageType = MessageType::new(0x25);
const UNLOCKED: MessageType = MessageType::new(0x26);

coded_enum! {
    pub enum ShoeState {
        Booting = 0,
        Ready = 1,
        Locked = 2,
        /// An error must be cleared before cards count again.
        Error = 3,
        Empty = 4,
    }
}

coded_enum! {
    /// When the card left the shoe.
    pub enum DrawContext {
        InPlay = 1,
        /// Pulled past the lock.
        WhileLocked = 2,
        /// Pulled before an error was cleared.
        DuringError = 3,
        /// Pulled while someone was in the shoe's own settings.
        DuringSetup = 4,
    }
}

coded_enum! {
    pub enum ReversalPlace {
        AtExit = 1,
        Midway = 2,
    }
}

coded_enum! {
    pub enum LockCause {
        Commanded = 1,
        /// The key or button on the shoe.
        ByHand = 2,
        /// The shoe locked itself after an error.
        AfterError = 3,
    }
}

fault_enum! {
    pub enum ShoeFault {
        CannotRead = 1,
        Overdraw = 2,
        ButtonStuck = 3,
        ReversedAtExit = 4,
        ReversedMidway = 5,
        CardCode = 6,
        DrawTimeout = 7,
        LensDirty = 8,
        Tamper = 9,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShoeStatus {
    pub state: ShoeState,
    /// Cards that have left since the batch was started.
    pub drawn: DrawNumber,
    pub cut_card_seen: bool,
    pub faults: FaultSet<ShoeFault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShoeCommand {
    Lock,
    Unlock,
    ClearError {
        fault: ShoeFault,
    },
    /// A new batch is in: draws count from 1 again.
    StartBatch,
}

/// Not comparable and not cloneable, because a draw is neither.
#[derive(Debug)]
pub enum ShoeEvent {
    CardDrawn {
        context: DrawContext,
        card: SealedCard,
    },
    CardUnread {
        draw: DrawNumber,
        context: DrawContext,
    },
    /// The cut card came out after `drawn` cards.
    CutCardDrawn {
        drawn: DrawNumber,
    },
    /// The card of this draw was pushed back.
    CardReversed {
        draw: DrawNumber,
        place: ReversalPlace,
    },
    /// A second card came with this draw.
    CardOverdrawn {
        draw: DrawNumber,
    },
    Locked {
        cause: LockCause,
    },
    Unlocked {
        cause: LockCause,
    },
    FaultRaised(ShoeFault),
    FaultCleared(ShoeFault),
    State(ShoeStatus),
}

/// The shoe's side of [`DeviceProtocol`].
#[derive(Clone, Copy, Debug)]
pub enum Shoe {}

impl DeviceProtocol for Shoe {
    const KIND: DeviceKind = DeviceKind::Shoe;
    type Command = ShoeCommand;
    type Event = ShoeEvent;

    fn encode_command(command: &ShoeCommand) -> Body {
        match command {
            ShoeCommand::Lock => body(LOCK, &[]),
            ShoeCommand::Unlock => body(UNLOCK, &[]),
            ShoeCommand::ClearError { fault } => body(CLEAR_ERROR, &[&[fault.code()]]),
            ShoeCommand::StartBatch => body(START_BATCH, &[]),
        }
    }

    fn decode_command(body: &Body) -> Result<ShoeCommand, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let command = match body.message_type {
            LOCK => ShoeCommand::Lock,
            UNLOCK => ShoeCommand::Unlock,
            CLEAR_ERROR => ShoeCommand::ClearError { fault: fields.code("fault", ShoeFault::from_code)? },
            START_BATCH => ShoeCommand::StartBatch,
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(command)
    }

    fn encode_event(event: &ShoeEvent) -> Body {
        match event {
            ShoeEvent::CardDrawn { context, card } => {
                body(CARD_DRAWN, &[&draw_bytes(card.draw()), &[context.code()], &*card.wire_bytes()])
            }
            ShoeEvent::CardUnread { draw, context } => body(CARD_UNREAD, &[&draw_bytes(*draw), &[context.code()]]),
            ShoeEvent::CutCardDrawn { drawn } => body(CUT_CARD_DRAWN, &[&draw_bytes(*drawn)]),
            ShoeEvent::CardReversed { draw, place } => body(CARD_REVERSED, &[&draw_bytes(*draw), &[place.code()]]),
            ShoeEvent::CardOverdrawn { draw } => body(CARD_OVERDRAWN, &[&draw_bytes(*draw)]),
            ShoeEvent::Locked { cause } => body(LOCKED, &[&[cause.code()]]),
            ShoeEvent::Unlocked { cause } => body(UNLOCKED, &[&[cause.code()]]),
            ShoeEvent::FaultRaised(fault) => body(types::FAULT_RAISED, &[&[fault.code()]]),
            ShoeEvent::FaultCleared(fault) => body(types::FAULT_CLEARED, &[&[fault.code()]]),
            ShoeEvent::State(status) => body(
                types::STATE,
                &[
                    &[status.state.code()],
                    &draw_bytes(status.drawn),
                    &[u8::from(status.cut_card_seen)],
                    &status.faults.to_wire(),
                ],
            ),
        }
    }

    fn decode_event(body: &Body) -> Result<ShoeEvent, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let event = match body.message_type {
            CARD_DRAWN => decode_draw(&mut fields)?,
            CARD_UNREAD => ShoeEvent::CardUnread { draw: draw(&mut fields)?, context: context(&mut fields)? },
            CUT_CARD_DRAWN => ShoeEvent::CutCardDrawn { drawn: draw(&mut fields)? },
            CARD_REVERSED => {
                let draw = draw(&mut fields)?;
                ShoeEvent::CardReversed { draw, place: fields.code("place", ReversalPlace::from_code)? }
            }
            CARD_OVERDRAWN => ShoeEvent::CardOverdrawn { draw: draw(&mut fields)? },
            LOCKED => ShoeEvent::Locked { cause: fields.code("cause", LockCause::from_code)? },
            UNLOCKED => ShoeEvent::Unlocked { cause: fields.code("cause", LockCause::from_code)? },
            types::FAULT_RAISED => ShoeEvent::FaultRaised(fields.code("fault", ShoeFault::from_code)?),
            types::FAULT_CLEARED => ShoeEvent::FaultCleared(fields.code("fault", ShoeFault::from_code)?),
            types::STATE => ShoeEvent::State(ShoeStatus {
                state: fields.code("state", ShoeState::from_code)?,
                drawn: draw(&mut fields)?,
                cut_card_seen: fields.flag("cut card seen")?,
                faults: FaultSet::from_wire(fields.u32()?)?,
            }),
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(event)
    }
}

/// Straight from the wire into the seal. A rank or suit out of range is one fault, without saying which or what.
fn decode_draw(fields: &mut FieldReader<'_>) -> Result<ShoeEvent, BodyFault> {
    let draw = draw(fields)?;
    let context = context(fields)?;
    let card = SealedCard::from_wire(draw, fields.array()?).ok_or(BodyFault::UnknownValue { field: "card" })?;
    Ok(ShoeEvent::CardDrawn { context, card })
}

fn draw_bytes(draw: DrawNumber) -> [u8; 2] {
    draw.0.to_be_bytes()
}

fn draw(fields: &mut FieldReader<'_>) -> Result<DrawNumber, BodyFault> {
    Ok(DrawNumber(fields.u16()?))
}

fn context(fields: &mut FieldReader<'_>) -> Result<DrawContext, BodyFault> {
    fields.code("context", DrawContext::from_code)
}
