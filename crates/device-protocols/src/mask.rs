//! Raw traffic made safe to show on a technician's screen or in a log.
//!
//! What goes through here may be watched while a round is on, so a sealed payload is reduced to its length. The checksum
//! of a sealed frame is hidden too: with 52 possible cards it would give the payload away. On a shoe's line everything
//! that is not a message known to be harmless is treated as sealed, damaged frames first of all, since a draw with one
//! flipped bit is still a draw. A shoe may hang on another device's socket, or a reader speak at another speed: outside
//! service mode bytes that are no valid frame are a length on every port, and a shoe's port shows nothing but lengths.
//! While a round is open the reader's answers are lengths too: the table shows them first.

use std::fmt;

use zeroize::Zeroizing;

use crate::frame::{
    DELIMITER, DeviceKind, Direction, ENCODED_LENGTH_MAX, Frame, FrameDecoder, FrameFault, MessageId, WireFrame,
};
use crate::message::{Body, Control, DeviceProtocol, types};
use crate::reader::tells_the_answer;
use crate::shoe::{Shoe, ShoeEvent};

/// How much of a line may be seen now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// A round is open, or nobody knows.
    #[default]
    InRound,
    BetweenRounds,
    /// A technician has the table in service mode.
    InService,
}

/// One run of bytes between two delimiters, as far as it may be shown. `Display` gives one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaskedRun {
    /// Harmless: the bytes as they travelled, without the delimiters.
    Open { bytes: Vec<u8> },
    /// A whole frame whose payload is sealed.
    Sealed { direction: Direction, id: Option<MessageId>, message_type: u8, payload_length: usize },
    /// A frame that only its two ends can read; what it holds is not shown at all.
    Protected { direction: Direction, form: &'static str, length: usize },
    /// No frame, where cards may travel. Not even how it is broken: that may depend on the bytes.
    Hidden { length: usize },
    /// Whatever it was, now is not the time to look at it.
    Length { length: usize },
}

impl MaskedRun {
    /// The bytes that travelled, without the delimiters; of a sealed frame those that were sealed.
    pub fn length(&self) -> usize {
        match self {
            Self::Open { bytes } => bytes.len(),
            Self::Sealed { payload_length, .. } => *payload_length,
            Self::Protected { length, .. } | Self::Hidden { length } | Self::Length { length } => *length,
        }
    }
}

impl fmt::Display for MaskedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { bytes } => {
                for (index, byte) in bytes.iter().enumerate() {
                    write!(f, "{}{byte:02X}", if index == 0 { "" } else { " " })?;
                }
                Ok(())
            }
            Self::Sealed { direction, id, message_type, payload_length } => {
                write!(f, "{} type {message_type:02X} ", speaker(*direction))?;
                if let Some(id) = id {
                    write!(f, "id {id} ")?;
                }
                write!(f, "[{payload_length} sealed bytes]")
            }
            Self::Protected { direction, form, length } => {
                write!(f, "{} {form} [{length} protected bytes]", speaker(*direction))
            }
            Self::Hidden { length } => write!(f, "[{length} bytes, no valid frame]"),
            Self::Length { length } => write!(f, "[{length} bytes]"),
        }
    }
}

const fn speaker(direction: Direction) -> &'static str {
    match direction {
        Direction::FromController => "controller",
        Direction::FromDevice => "device",
    }
}

/// Watches one direction of one line. Bounded: it holds at most one frame.
#[derive(Debug)]
pub struct TrafficMask {
    port: DeviceKind,
    decoder: FrameDecoder,
    run: Run,
}

#[derive(Default)]
struct Run {
    kept: Zeroizing<Vec<u8>>,
    length: usize,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} bytes]", self.length)
    }
}

impl TrafficMask {
    /// `port` is the device that belongs there; a shoe's frames are sealed on every port.
    pub fn new(port: DeviceKind) -> Self {
        Self { port, decoder: FrameDecoder::default(), run: Run::default() }
    }

    /// Takes bytes as they came and gives every run that they end.
    pub fn handle_bytes(&mut self, bytes: &[u8], watching: Watching) -> Vec<MaskedRun> {
        bytes.iter().filter_map(|byte| self.handle_byte(*byte, watching)).collect()
    }

    fn handle_byte(&mut self, byte: u8, watching: Watching) -> Option<MaskedRun> {
        if byte != DELIMITER {
            self.run.length = self.run.length.saturating_add(1);
            if self.run.kept.len() < ENCODED_LENGTH_MAX {
                self.run.kept.push(byte);
            }
        }
        let outcome = self.decoder.handle_wire_byte(byte);
        if byte == DELIMITER {
            let run = std::mem::take(&mut self.run);
            return outcome.map(|outcome| self.masked(outcome, run, watching));
        }
        // An oversize run is reported when it outgrows the decoder; its tail is noise that ends at the next delimiter.
        outcome.map(|outcome| {
            let run = std::mem::take(&mut self.run);
            self.masked(outcome, run, watching)
        })
    }

    fn masked(&self, outcome: Result<WireFrame, FrameFault>, run: Run, watching: Watching) -> MaskedRun {
        if self.port == DeviceKind::Shoe && watching != Watching::InService {
            return MaskedRun::Length { length: run.length };
        }
        match outcome {
            Ok(WireFrame::Protected(frame)) => {
                MaskedRun::Protected { direction: frame.direction, form: frame.form.name(), length: run.length }
            }
            Ok(WireFrame::Open(frame)) if watching == Watching::InRound && is_answer(&frame) => {
                MaskedRun::Length { length: run.length }
            }
            Ok(WireFrame::Open(frame)) if is_harmless(&frame) => MaskedRun::Open { bytes: run.kept.to_vec() },
            Ok(WireFrame::Open(frame)) => MaskedRun::Sealed {
                direction: frame.direction,
                id: frame.id(),
                message_type: frame.message_type.value(),
                payload_length: frame.payload.bytes().len(),
            },
            Err(_) => match (self.port, watching) {
                (DeviceKind::HoleCardReader | DeviceKind::Shuffler, Watching::InService) => {
                    MaskedRun::Open { bytes: run.kept.to_vec() }
                }
                (DeviceKind::HoleCardReader | DeviceKind::Shuffler | DeviceKind::Shoe, _) => {
                    MaskedRun::Hidden { length: run.length }
                }
            },
        }
    }
}

/// What the reader found.
fn is_answer(frame: &Frame) -> bool {
    frame.kind == DeviceKind::HoleCardReader
        && frame.direction == Direction::FromDevice
        && tells_the_answer(frame.message_type)
}

/// The controller-side rule for one frame: may its payload be shown?
pub fn is_harmless(frame: &Frame) -> bool {
    if frame.kind != DeviceKind::Shoe {
        return true;
    }
    let body = Body { message_type: frame.message_type, payload: frame.payload.clone() };
    match frame.direction {
        Direction::FromController => {
            body.message_type == types::QUERY_STATE && body.payload.bytes().is_empty()
                || Control::decode_from_controller(&body).is_ok()
                || Shoe::decode_command(&body).is_ok()
        }
        Direction::FromDevice => match Shoe::decode_event(&body) {
            Ok(ShoeEvent::CardDrawn { .. }) => false,
            Ok(
                ShoeEvent::CardUnread { .. }
                | ShoeEvent::CutCardDrawn { .. }
                | ShoeEvent::CardReversed { .. }
                | ShoeEvent::CardOverdrawn { .. }
                | ShoeEvent::Locked { .. }
                | ShoeEvent::Unlocked { .. }
                | ShoeEvent::FaultRaised(_)
                | ShoeEvent::FaultCleared(_)
                | ShoeEvent::State(_),
            ) => true,
            Err(_) => Control::decode_from_device(&body).is_ok(),
        },
    }
}
