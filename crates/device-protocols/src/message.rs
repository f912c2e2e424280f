//! What every device says alike: who am I, still here, have it, not yet, no. And the trait by which a device kind brings
//! its own commands and events to the link.
//!
//! Errors here name a field and never its value: a value may be a card.

use std::fmt;

use thiserror::Error;

use crate::fields::{FieldReader, body, coded_enum};
use crate::frame::{BootId, DeviceKind, MessageId, MessageType, Payload, Sequence};

/// Types 0x01 to 0x0F mean the same on every link; a device's own begin at 0x10 (commands) and 0x20 (events).
pub mod types {
    use super::MessageType;

    pub const HELLO: MessageType = MessageType::new(0x01);
    pub const QUERY_STATE: MessageType = MessageType::new(0x02);
    pub const HEARTBEAT: MessageType = MessageType::new(0x03);
    pub const ACK: MessageType = MessageType::new(0x04);
    pub const HOLD: MessageType = MessageType::new(0x05);
    pub const NAK: MessageType = MessageType::new(0x06);
    pub const FAULT_RAISED: MessageType = MessageType::new(0x07);
    pub const FAULT_CLEARED: MessageType = MessageType::new(0x08);
    pub const STATE: MessageType = MessageType::new(0x09);
}

/// A message without its envelope.
#[derive(Clone, Debug)]
pub struct Body {
    pub message_type: MessageType,
    pub payload: Payload,
}

/// Why a valid frame is not a message we understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BodyFault {
    #[error("message type {message_type:#04x} is unknown; the firmware may be newer than this software")]
    UnknownType { message_type: u8 },
    #[error("a payload of {found} bytes does not fit this message type")]
    WrongLength { found: usize },
    #[error("field {field} holds a value that is not in the protocol")]
    UnknownValue { field: &'static str },
}

impl BodyFault {
    pub fn nak_reason(self) -> NakReason {
        match self {
            Self::UnknownType { .. } => NakReason::UnknownType,
            Self::WrongLength { .. } | Self::UnknownValue { .. } => NakReason::BadPayload,
        }
    }
}

/// One kind of device: what may be said to it and what it says. Implemented by empty marker types.
pub trait DeviceProtocol {
    const KIND: DeviceKind;
    type Command: fmt::Debug;
    type Event: fmt::Debug;

    fn encode_command(command: &Self::Command) -> Body;
    fn decode_command(body: &Body) -> Result<Self::Command, BodyFault>;
    fn encode_event(event: &Self::Event) -> Body;
    fn decode_event(body: &Body) -> Result<Self::Event, BodyFault>;
}

/// The longest model or serial number.
pub const IDENTITY_TEXT_MAX: usize = 32;

/// What a device says it can do. Bits that are not named here are kept but mean nothing yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(pub u32);

impl Capabilities {
    pub const TEST_MODE: Self = Self(1 << 0);
    pub const TAMPER_SWITCH: Self = Self(1 << 1);
    pub const LENS_CHECK: Self = Self(1 << 2);
    pub const CARD_COUNT: Self = Self(1 << 3);
    pub const BACK_COLOUR: Self = Self(1 << 4);
    pub const LOCK: Self = Self(1 << 5);

    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Which unit this is. The serial number and firmware hash are what the daily inspection compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceIdentity {
    pub model: IdentityText,
    pub serial: IdentityText,
    /// SHA-256 over the firmware image, computed by the device at start.
    pub firmware_hash: [u8; 32],
    pub capabilities: Capabilities,
}

/// Up to [`IDENTITY_TEXT_MAX`] printable ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdentityText(String);

impl IdentityText {
    pub fn new(text: &str) -> Option<Self> {
        let printable = text.bytes().all(|byte| (0x20..0x7F).contains(&byte));
        (printable && text.len() <= IDENTITY_TEXT_MAX).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn length_byte(&self) -> u8 {
        u8::try_from(self.0.len()).unwrap_or(u8::MAX)
    }
}

impl fmt::Display for IdentityText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The controller's HELLO: it opens every session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerHello {
    /// Comes back in the answer, so that an answer from before a restart is not taken for this one.
    pub nonce: u32,
    /// The number of the next command: numbers below it were withdrawn and will not come.
    pub next_sequence: Sequence,
}

/// The device's HELLO: the answer to the controller's, or, with nonce 0, an announcement that it has no session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceHello {
    pub nonce: u32,
    /// The number of the oldest event not yet acknowledged, or of the next one.
    pub next_sequence: Sequence,
    pub identity: DeviceIdentity,
}

coded_enum! {
    /// Why a message was turned away. The high nibble is the class.
    pub enum NakReason {
        /// Link: the boot id belongs to no open session; say HELLO.
        UnknownSession = 0x11,
        /// Format: this message type does not exist here.
        UnknownType = 0x21,
        /// Format: the payload does not fit its type.
        BadPayload = 0x22,
        /// State: not possible in the present state.
        WrongState = 0x31,
        /// State: a fault stands in the way.
        FaultPresent = 0x32,
        /// State: only in test mode.
        NotInTestMode = 0x33,
        /// Busy: the device is in the middle of a movement; ask again later.
        Busy = 0x41,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NakClass {
    Link,
    Format,
    State,
    Busy,
}

impl NakReason {
    pub const fn class(self) -> NakClass {
        match self {
            Self::UnknownSession => NakClass::Link,
            Self::UnknownType | Self::BadPayload => NakClass::Format,
            Self::WrongState | Self::FaultPresent | Self::NotInTestMode => NakClass::State,
            Self::Busy => NakClass::Busy,
        }
    }
}

/// The unnumbered messages, by which the link runs itself. Applications never see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    ControllerHello(ControllerHello),
    DeviceHello(DeviceHello),
    Heartbeat {
        uptime_seconds: u32,
    },
    Ack(MessageId),
    Hold(MessageId),
    /// `about` is `None` when an unnumbered message was turned away.
    Nak {
        about: Option<MessageId>,
        reason: NakReason,
    },
}

impl Control {
    pub fn encode(&self) -> Body {
        match self {
            Self::ControllerHello(hello) => {
                body(types::HELLO, &[&hello.nonce.to_be_bytes(), &hello.next_sequence.value().to_be_bytes()])
            }
            Self::DeviceHello(hello) => encode_device_hello(hello),
            Self::Heartbeat { uptime_seconds } => body(types::HEARTBEAT, &[&uptime_seconds.to_be_bytes()]),
            Self::Ack(id) => body(types::ACK, &[&id_bytes(Some(*id))]),
            Self::Hold(id) => body(types::HOLD, &[&id_bytes(Some(*id))]),
            Self::Nak { about, reason } => body(types::NAK, &[&id_bytes(*about), &[reason.code()]]),
        }
    }

    pub fn decode_from_controller(body: &Body) -> Result<Self, BodyFault> {
        if body.message_type != types::HELLO {
            return Self::decode_either_way(body);
        }
        let mut fields = FieldReader::new(&body.payload);
        let hello = ControllerHello { nonce: fields.u32()?, next_sequence: sequence(&mut fields)? };
        fields.finish(Self::ControllerHello(hello))
    }

    pub fn decode_from_device(body: &Body) -> Result<Self, BodyFault> {
        if body.message_type != types::HELLO {
            return Self::decode_either_way(body);
        }
        let mut fields = FieldReader::new(&body.payload);
        let nonce = fields.u32()?;
        let next_sequence = sequence(&mut fields)?;
        let capabilities = Capabilities(fields.u32()?);
        let firmware_hash = fields.array()?;
        let model = IdentityText(fields.text("model", IDENTITY_TEXT_MAX)?);
        let serial = IdentityText(fields.text("serial", IDENTITY_TEXT_MAX)?);
        let identity = DeviceIdentity { model, serial, firmware_hash, capabilities };
        fields.finish(Self::DeviceHello(DeviceHello { nonce, next_sequence, identity }))
    }

    fn decode_either_way(body: &Body) -> Result<Self, BodyFault> {
        let mut fields = FieldReader::new(&body.payload);
        let control = match body.message_type {
            types::HEARTBEAT => Self::Heartbeat { uptime_seconds: fields.u32()? },
            types::ACK => Self::Ack(message_id(&mut fields)?),
            types::HOLD => Self::Hold(message_id(&mut fields)?),
            types::NAK => {
                let about = optional_message_id(&mut fields)?;
                Self::Nak { about, reason: fields.code("reason", NakReason::from_code)? }
            }
            other => return Err(BodyFault::UnknownType { message_type: other.value() }),
        };
        fields.finish(control)
    }
}

fn encode_device_hello(hello: &DeviceHello) -> Body {
    let identity = &hello.identity;
    body(
        types::HELLO,
        &[
            &hello.nonce.to_be_bytes(),
            &hello.next_sequence.value().to_be_bytes(),
            &identity.capabilities.0.to_be_bytes(),
            &identity.firmware_hash,
            &[identity.model.length_byte()],
            identity.model.as_str().as_bytes(),
            &[identity.serial.length_byte()],
            identity.serial.as_str().as_bytes(),
        ],
    )
}

fn id_bytes(id: Option<MessageId>) -> [u8; 6] {
    let mut bytes = [0; 6];
    if let Some(id) = id {
        bytes[..4].copy_from_slice(&id.boot.value().to_be_bytes());
        bytes[4..].copy_from_slice(&id.sequence.value().to_be_bytes());
    }
    bytes
}

fn sequence(fields: &mut FieldReader<'_>) -> Result<Sequence, BodyFault> {
    Sequence::new(fields.u16()?).ok_or(BodyFault::UnknownValue { field: "sequence" })
}

fn message_id(fields: &mut FieldReader<'_>) -> Result<MessageId, BodyFault> {
    optional_message_id(fields)?.ok_or(BodyFault::UnknownValue { field: "message id" })
}

/// All zero stands for "no message id"; half zero stands for nothing.
fn optional_message_id(fields: &mut FieldReader<'_>) -> Result<Option<MessageId>, BodyFault> {
    match (BootId::new(fields.u32()?), Sequence::new(fields.u16()?)) {
        (Some(boot), Some(sequence)) => Ok(Some(MessageId { boot, sequence })),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(BodyFault::UnknownValue { field: "message id" }),
    }
}
