//! The frames of version 2, byte by byte; `docs/protocols/protected.md` describes them.
//!
//! A frame's length depends on its form alone. What it says is inside the text, which only the two ends can read.

use zeroize::Zeroizing;

use crate::fields::coded_enum;
use crate::frame::{
    BootId, DeviceKind, Direction, FROM_DEVICE_BIT, FormatFault, Frame, FrameFault, MessageType, Payload, Sequence,
    wrap,
};

pub const PROTECTED_VERSION: u8 = 2;
/// What a cipher's tag adds.
pub(super) const TAG_LENGTH: usize = 16;
/// The key of one session that each handshake message begins with.
const EPHEMERAL_LENGTH: usize = 32;
/// Boot id, sequence, type, length of the payload.
const INNER_HEADER: usize = 8;
/// No message but HELLO has a longer payload; a test sends them all.
pub const SEALED_PAYLOAD_MAX: usize = 32;
/// A HELLO with the longest model and serial number has 108.
const GREETING_PAYLOAD_MAX: usize = 112;
pub(super) const SEALED_PLAIN: usize = INNER_HEADER + SEALED_PAYLOAD_MAX;
pub(super) const GREETING_PLAIN: usize = INNER_HEADER + GREETING_PAYLOAD_MAX;
pub const SEALED_TEXT: usize = SEALED_PLAIN + TAG_LENGTH;
pub const GREETING_TEXT: usize = EPHEMERAL_LENGTH + GREETING_PLAIN + TAG_LENGTH;

/// The longest message of a pairing.
pub const PAIRING_TEXT: usize = 2 * EPHEMERAL_LENGTH + 2 * TAG_LENGTH;
/// A message of a pairing as it travels: the shorter ones end in zeros.
pub type PairingText = Box<[u8; PAIRING_TEXT]>;

/// A message of a handshake as it travels.
pub type GreetingText = Box<[u8; GREETING_TEXT]>;

const ANNOUNCEMENT: u8 = 0x01;
const UNREADABLE: u8 = 0x02;
const GREETING: u8 = 0x03;
const SEALED: u8 = 0x04;
const PAIRING: u8 = 0x05;

coded_enum! {
    /// The messages of a pairing, in their order.
    pub enum PairingStep {
        /// The device: somebody has pressed its button.
        Willing = 0x01,
        First = 0x02,
        Second = 0x03,
        Third = 0x04,
        /// The device has the whole handshake too.
        Done = 0x05,
    }
}

impl PairingStep {
    const fn direction(self) -> Direction {
        match self {
            Self::Willing | Self::Second | Self::Done => Direction::FromDevice,
            Self::First | Self::Third => Direction::FromController,
        }
    }
}

/// Which session a sealed frame belongs to: the beginning of its handshake's hash. It proves nothing by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionId(pub u32);

/// One frame of version 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtectedFrame {
    pub kind: DeviceKind,
    pub direction: Direction,
    pub form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The device is paired and has no session. Nobody vouches for it; it leads to a greeting and to nothing else.
    Announcement,
    /// The device cannot read a greeting: it is paired with another table, or with none. Nobody vouches for it either.
    Unreadable,
    /// One of the two messages of a handshake, with a HELLO inside.
    Greeting(GreetingText),
    Sealed {
        session: SessionId,
        counter: u64,
        text: Box<[u8; SEALED_TEXT]>,
    },
    /// One message of a pairing. Nobody vouches for it: people compare a code in the end.
    Pairing {
        step: PairingStep,
        text: PairingText,
    },
}

impl Form {
    const fn code(&self) -> u8 {
        match self {
            Self::Announcement => ANNOUNCEMENT,
            Self::Unreadable => UNREADABLE,
            Self::Greeting(_) => GREETING,
            Self::Sealed { .. } => SEALED,
            Self::Pairing { .. } => PAIRING,
        }
    }

    /// For whoever watches the line.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Announcement => "ANNOUNCEMENT",
            Self::Unreadable => "UNREADABLE",
            Self::Greeting(_) => "GREETING",
            Self::Sealed { .. } => "SEALED",
            Self::Pairing { .. } => "PAIRING",
        }
    }
}

impl ProtectedFrame {
    /// The bytes for the line, delimiters on both sides included.
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let form = match self.direction {
            Direction::FromController => self.form.code(),
            Direction::FromDevice => self.form.code() | FROM_DEVICE_BIT,
        };
        let mut plain = Zeroizing::new(vec![PROTECTED_VERSION, self.kind.code(), form]);
        match &self.form {
            Form::Announcement | Form::Unreadable => {}
            Form::Greeting(text) => plain.extend_from_slice(&text[..]),
            Form::Sealed { session, counter, text } => {
                plain.extend_from_slice(&session.0.to_be_bytes());
                plain.extend_from_slice(&counter.to_be_bytes());
                plain.extend_from_slice(&text[..]);
            }
            Form::Pairing { step, text } => {
                plain.push(step.code());
                plain.extend_from_slice(&text[..]);
            }
        }
        wrap(plain)
    }

    /// `body` is a whole frame whose checksum was right, without it; its first byte said version 2.
    pub(crate) fn decode(body: &[u8]) -> Result<Self, FrameFault> {
        let too_short = || FrameFault::from(FormatFault::TooShort { length: body.len() });
        let &[_, kind, form, ref rest @ ..] = body else { return Err(too_short()) };
        let kind = DeviceKind::from_code(kind).ok_or(FormatFault::UnknownDeviceKind { code: kind })?;
        let from_device = form & FROM_DEVICE_BIT != 0;
        let direction = if from_device { Direction::FromDevice } else { Direction::FromController };
        let wrong = || FrameFault::from(FormatFault::UnknownForm { form });
        let form = match (form & !FROM_DEVICE_BIT, direction) {
            (ANNOUNCEMENT, Direction::FromDevice) if rest.is_empty() => Form::Announcement,
            (UNREADABLE, Direction::FromDevice) if rest.is_empty() => Form::Unreadable,
            (GREETING, _) => Form::Greeting(Box::new(rest.try_into().map_err(|_| wrong())?)),
            (SEALED, _) => {
                let (session, rest) = rest.split_first_chunk().ok_or_else(wrong)?;
                let (counter, text) = rest.split_first_chunk().ok_or_else(wrong)?;
                Form::Sealed {
                    session: SessionId(u32::from_be_bytes(*session)),
                    counter: u64::from_be_bytes(*counter),
                    text: Box::new(text.try_into().map_err(|_| wrong())?),
                }
            }
            (PAIRING, direction) => {
                let (step, text) = rest.split_first().ok_or_else(wrong)?;
                let step = PairingStep::from_code(*step).filter(|step| step.direction() == direction);
                Form::Pairing { step: step.ok_or_else(wrong)?, text: Box::new(text.try_into().map_err(|_| wrong())?) }
            }
            _ => return Err(wrong()),
        };
        Ok(Self { kind, direction, form })
    }
}

/// A message as it is sealed: always `length` bytes. `None` if it does not fit.
pub(super) fn pack(frame: &Frame, length: usize) -> Option<Zeroizing<Vec<u8>>> {
    let payload = frame.payload.bytes();
    let mut plain = Zeroizing::new(Vec::with_capacity(length));
    plain.extend_from_slice(&frame.boot.value().to_be_bytes());
    plain.extend_from_slice(&frame.sequence.map_or(0, Sequence::value).to_be_bytes());
    plain.push(frame.message_type.value());
    plain.push(u8::try_from(payload.len()).ok()?);
    plain.extend_from_slice(payload);
    if plain.len() > length {
        return None;
    }
    plain.resize(length, 0);
    Some(plain)
}

/// The other way. `None` for bytes that are no message.
pub(super) fn unpack(plain: &[u8], kind: DeviceKind, direction: Direction) -> Option<Frame> {
    let &[b0, b1, b2, b3, s0, s1, message_type, length, ref rest @ ..] = plain else { return None };
    Some(Frame {
        kind,
        direction,
        boot: BootId::new(u32::from_be_bytes([b0, b1, b2, b3]))?,
        sequence: Sequence::new(u16::from_be_bytes([s0, s1])),
        message_type: (message_type & FROM_DEVICE_BIT == 0).then(|| MessageType::new(message_type))?,
        payload: Payload::new(rest.get(..usize::from(length))?)?,
    })
}
