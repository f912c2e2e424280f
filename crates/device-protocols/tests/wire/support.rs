//! One helper touches the interface: it builds each example, and decodes and re-encodes the golden bytes.

use std::fmt::Debug;

use device_protocols::frame::{BootId, DeviceKind, Direction, Frame, FrameDecoder, Payload, Sequence};
use device_protocols::message::{Body, Control, DeviceProtocol, types};
use device_protocols::reader::{HoleCardReader, ReaderCommand};

pub(crate) const CONTROLLER_BOOT: u32 = 0x0C0F_FEE1;
pub(crate) const DEVICE_BOOT: u32 = 0xB007_CAFE;
const COMMAND_NUMBER: u16 = 7;
const EVENT_NUMBER: u16 = 258;

/// One example: its name in the documents, its bytes there, and the bytes that the code makes.
pub(crate) struct Vector {
    pub(crate) name: &'static str,
    pub(crate) hex: &'static str,
    pub(crate) encoded: Vec<u8>,
}

impl Vector {
    pub(crate) fn command<P: DeviceProtocol>(name: &'static str, hex: &'static str, command: &P::Command) -> Self {
        let body = P::encode_command(command);
        let again = P::encode_command(&P::decode_command(&body).unwrap());
        assert_eq!(again.payload.bytes(), body.payload.bytes(), "{name} survives a round trip");
        let printed = format!("{:?}", P::decode_command(&body).unwrap());
        assert_eq!(printed, format!("{command:?}"), "{name} survives a round trip");
        Self::build(name, hex, P::KIND, Direction::FromController, Some(COMMAND_NUMBER), body)
    }

    pub(crate) fn event<P: DeviceProtocol>(name: &'static str, hex: &'static str, event: &P::Event) -> Self {
        let body = P::encode_event(event);
        let again = P::encode_event(&P::decode_event(&body).unwrap());
        assert_eq!(again.payload.bytes(), body.payload.bytes(), "{name} survives a round trip");
        let printed = format!("{:?}", P::decode_event(&body).unwrap());
        assert_eq!(printed, format!("{event:?}"), "{name} survives a round trip");
        Self::build(name, hex, P::KIND, Direction::FromDevice, Some(EVENT_NUMBER), body)
    }

    pub(crate) fn control(name: &'static str, hex: &'static str, direction: Direction, control: &Control) -> Self {
        let body = control.encode();
        let decoded = match direction {
            Direction::FromController => Control::decode_from_controller(&body),
            Direction::FromDevice => Control::decode_from_device(&body),
        };
        assert_eq!(decoded.as_ref(), Ok(control), "{name} survives a round trip");
        Self::build(name, hex, DeviceKind::HoleCardReader, direction, None, body)
    }

    pub(crate) fn query_state(name: &'static str, hex: &'static str) -> Self {
        let body = Body { message_type: types::QUERY_STATE, payload: Payload::empty() };
        let refused: Result<ReaderCommand, _> = HoleCardReader::decode_command(&body);
        assert!(refused.is_err(), "the link answers this one, no device has to");
        let kind = DeviceKind::HoleCardReader;
        Self::build(name, hex, kind, Direction::FromController, Some(COMMAND_NUMBER), body)
    }

    fn build(
        name: &'static str,
        hex: &'static str,
        kind: DeviceKind,
        direction: Direction,
        sequence: Option<u16>,
        body: Body,
    ) -> Self {
        let boot = match direction {
            Direction::FromController => CONTROLLER_BOOT,
            Direction::FromDevice => DEVICE_BOOT,
        };
        let frame = Frame {
            kind,
            direction,
            boot: BootId::new(boot).unwrap(),
            sequence: sequence.and_then(Sequence::new),
            message_type: body.message_type,
            payload: body.payload,
        };
        Self { name, hex, encoded: frame.encode().to_vec() }
    }
}

/// The code makes the golden bytes, and reads them back as the same frame.
pub(crate) fn check(vectors: &[Vector]) {
    for vector in vectors {
        let golden = from_hex(vector.hex);
        assert_eq!(to_hex(&vector.encoded), vector.hex, "{}", vector.name);
        let mut decoder = FrameDecoder::default();
        let frames: Vec<_> = decoder.handle_bytes(&golden).collect();
        let [Ok(frame)] = &frames[..] else { panic!("{} is one frame, not {frames:?}", vector.name) };
        assert_eq!(to_hex(&frame.encode()), vector.hex, "{} is read back", vector.name);
    }
}

pub(crate) fn codes<T: Copy + Debug>(all: &[T], code: impl Fn(T) -> u8) -> String {
    all.iter().map(|value| format!("{value:?}={}", code(*value))).collect::<Vec<_>>().join(" ")
}

pub(crate) fn from_hex(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
