//! A frame in the words of the protocol's documents, for people who watch a line.
//!
//! Made from what the mask has left over: what is sealed has a type and a length here, and nothing else.

use crate::frame::{DELIMITER, DeviceKind, Direction, Frame, FrameDecoder};
use crate::mask::MaskedRun;
use crate::message::{Body, Control, DeviceProtocol};
use crate::reader::HoleCardReader;
use crate::shoe::Shoe;
use crate::shuffler::Shuffler;

/// The upper two rungs of a run of bytes: is it a frame, is it understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    pub frame: Option<String>,
    pub event: Option<String>,
    pub understood: bool,
}

impl Described {
    pub fn of(run: &MaskedRun) -> Self {
        match run {
            MaskedRun::Open { bytes } => {
                let mut decoder = FrameDecoder::default();
                let framed = bytes.iter().copied().chain([DELIMITER]);
                let frame = framed.filter_map(|byte| decoder.handle_byte(byte)).next().and_then(Result::ok);
                frame.map(|frame| Self::of_frame(&frame)).unwrap_or_default()
            }
            MaskedRun::Sealed { id, message_type, payload_length, .. } => {
                let number = id.map_or_else(|| "unnumbered".to_owned(), |id| id.to_string());
                Self {
                    frame: Some(format!("{message_type:02X} sealed {number}, {payload_length} bytes")),
                    event: Some(format!("a sealed message  {number}")),
                    understood: true,
                }
            }
            MaskedRun::Protected { form, length, .. } => {
                Self { frame: Some(format!("{form} {length} protected bytes")), event: None, understood: true }
            }
            // A length is no word about what it was.
            MaskedRun::Length { .. } | MaskedRun::Hidden { .. } => Self::default(),
        }
    }

    fn of_frame(frame: &Frame) -> Self {
        let body = Body { message_type: frame.message_type, payload: frame.payload.clone() };
        let own = match frame.kind {
            DeviceKind::HoleCardReader => own::<HoleCardReader>(&body, frame.direction),
            DeviceKind::Shuffler => own::<Shuffler>(&body, frame.direction),
            DeviceKind::Shoe => own::<Shoe>(&body, frame.direction),
        };
        let control = match frame.direction {
            Direction::FromController => Control::decode_from_controller(&body).map(drop),
            Direction::FromDevice => Control::decode_from_device(&body).map(drop),
        };
        let understood = control.is_ok() || own.is_ok();
        let number = frame.id().map_or_else(|| "unnumbered".to_owned(), |id| id.to_string());
        let (code, name) = (frame.message_type.value(), name(frame));
        let length = match frame.payload.bytes().len() {
            0 => String::new(),
            length => format!(", {length} bytes"),
        };
        let event = match own {
            _ if understood => format!("{name} understood  {number}"),
            Ok(()) => String::new(),
            Err(fault) => format!("{name} NOT understood: {fault}"),
        };
        Self {
            frame: Some(format!("{code:02X} {name} {number}, kind {:02X}{length}", frame.kind.code())),
            event: Some(event),
            understood,
        }
    }
}

fn own<P: DeviceProtocol>(body: &Body, direction: Direction) -> Result<(), crate::message::BodyFault> {
    match direction {
        Direction::FromController => P::decode_command(body).map(drop),
        Direction::FromDevice => P::decode_event(body).map(drop),
    }
}

/// As the documents call a message that every device has; a device's own are commands and events.
pub fn name(frame: &Frame) -> &'static str {
    use crate::message::types;
    const NAMES: [(crate::frame::MessageType, &str); 9] = [
        (types::HELLO, "HELLO"),
        (types::QUERY_STATE, "QUERY_STATE"),
        (types::HEARTBEAT, "HEARTBEAT"),
        (types::ACK, "ACK"),
        (types::HOLD, "HOLD"),
        (types::NAK, "NAK"),
        (types::FAULT_RAISED, "FAULT_RAISED"),
        (types::FAULT_CLEARED, "FAULT_CLEARED"),
        (types::STATE, "STATE"),
    ];
    let known = NAMES.iter().find(|(number, _)| *number == frame.message_type);
    match (known, frame.direction) {
        (Some((_, name)), _) => name,
        (None, Direction::FromController) => "command",
        (None, Direction::FromDevice) => "event",
    }
}
