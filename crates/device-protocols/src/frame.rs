//! The frame: what one message looks like on the line, and the decoder that finds frames in a stream of bytes.
//!
//! A frame is `00 | COBS( version, kind, boot id, sequence, type, payload, CRC ) | 00`. The decoder holds at most one
//! frame, never grows, and is back in step at the next delimiter whatever came before it. It must never print or keep a
//! payload: a payload may be a card that nobody is allowed to know yet, so payloads wipe themselves when dropped.

use std::fmt;

use crc::{CRC_16_IBM_3740, Crc};
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

use crate::protection::wire::{PROTECTED_VERSION, ProtectedFrame};

/// The version of a frame in the clear. Version 2 is that of a [protected](crate::protection) one.
pub const FRAME_VERSION: u8 = 1;
/// Version, kind, boot id, sequence, type.
pub const HEADER_LENGTH: usize = 9;
pub const CRC_LENGTH: usize = 2;
/// Chosen so that a whole frame stays below 254 bytes: COBS then costs exactly one byte, whatever the content, and the
/// length on the wire says nothing about the payload's value.
pub const PAYLOAD_LENGTH_MAX: usize = 200;
/// The longest run of bytes between two delimiters that can be a frame.
pub const ENCODED_LENGTH_MAX: usize = HEADER_LENGTH + PAYLOAD_LENGTH_MAX + CRC_LENGTH + 1;
pub const DELIMITER: u8 = 0;

/// CRC-16/CCITT-FALSE is catalogued as CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected, check 0x29B1.
/// Its namesakes (Kermit, XMODEM, Modbus) give other values for the same bytes.
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// Low byte first, unlike everything else. High byte first, a codeword with a zero appended is a codeword again, and a
/// single flipped bit does append a zero: it turns the trailing delimiter 00 into 01, which COBS reads as one.
fn crc_bytes(crc: u16) -> [u8; 2] {
    crc.to_le_bytes()
}

/// Which kind of device is at the far end of the link. The same value in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    HoleCardReader,
    Shuffler,
    Shoe,
}

impl DeviceKind {
    pub const ALL: [Self; 3] = [Self::HoleCardReader, Self::Shuffler, Self::Shoe];

    pub const fn code(self) -> u8 {
        match self {
            Self::HoleCardReader => 0x01,
            Self::Shuffler => 0x02,
            Self::Shoe => 0x03,
        }
    }

    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HoleCardReader => "hole-card reader",
            Self::Shuffler => "shuffler",
            Self::Shoe => "card-reading shoe",
        })
    }
}

/// Chosen anew at every start of the sender, so that a restart can never be mistaken for a repeat. Never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BootId(u32);

impl BootId {
    pub fn new(value: u32) -> Option<Self> {
        (value != 0).then_some(Self(value))
    }

    pub const fn value(self) -> u32 {
        self.0
    }
}

/// Counts numbered messages of one boot: 1 to 65535, then 1 again. Zero on the wire marks an unnumbered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence(u16);

impl Sequence {
    pub const FIRST: Self = Self(1);

    pub fn new(value: u16) -> Option<Self> {
        (value != 0).then_some(Self(value))
    }

    pub const fn value(self) -> u16 {
        self.0
    }

    #[must_use]
    pub fn next(self) -> Self {
        if self.0 == u16::MAX { Self::FIRST } else { Self(self.0 + 1) }
    }

    #[must_use]
    pub fn previous(self) -> Self {
        if self.0 == 1 { Self(u16::MAX) } else { Self(self.0 - 1) }
    }

    /// How far `self` is ahead of `other` on the ring of 65535 numbers; more than half a ring ahead means behind.
    pub fn ahead_of(self, other: Self) -> u16 {
        let ring = u32::from(u16::MAX);
        let steps = (u32::from(self.0) + ring - u32::from(other.0)) % ring;
        u16::try_from(steps).unwrap_or(u16::MAX)
    }
}

/// Names one numbered message for ever: the boot it was made in and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageId {
    pub boot: BootId,
    pub sequence: Sequence,
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}:{}", self.boot.0, self.sequence.0)
    }
}

/// Who speaks. It travels as the top bit of the type byte, so that a looped-back cable is seen for what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    FromController,
    FromDevice,
}

pub(crate) const FROM_DEVICE_BIT: u8 = 0x80;

/// The message type without its direction bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageType(u8);

impl MessageType {
    /// # Panics
    /// At compile time, for a value that would collide with the direction bit.
    pub const fn new(value: u8) -> Self {
        assert!(value < FROM_DEVICE_BIT, "the top bit of the type byte is the direction");
        Self(value)
    }

    pub const fn value(self) -> u8 {
        self.0
    }
}

/// The bytes of a message. Wiped when dropped; printed as a length only.
#[derive(Clone, Default)]
pub struct Payload(Zeroizing<Vec<u8>>);

impl Payload {
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= PAYLOAD_LENGTH_MAX).then(|| Self(Zeroizing::new(bytes.to_vec())))
    }

    pub fn empty() -> Self {
        Self::default()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} bytes]", self.0.len())
    }
}

/// Checksum, COBS and delimiters around the bytes of a frame of any version.
pub(crate) fn wrap(mut plain: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
    let crc = CRC.checksum(&plain);
    plain.extend_from_slice(&crc_bytes(crc));

    // One code byte is all that COBS adds below 254 bytes; the delimiters are ours.
    let mut encoded = Zeroizing::new(vec![DELIMITER; plain.len() + 3]);
    let body_end = encoded.len() - 1;
    let written = cobs::encode(&plain, &mut encoded[1..body_end]);
    debug_assert_eq!(written, plain.len() + 1, "COBS overhead below 254 bytes is one byte");
    encoded
}

/// What was found between two delimiters.
#[derive(Clone, Debug)]
pub enum WireFrame {
    /// Version 1.
    Open(Frame),
    /// Version 2, which only its two ends can read.
    Protected(ProtectedFrame),
}

impl WireFrame {
    fn decode_plain(plain: &[u8]) -> Result<Self, FrameFault> {
        let Some(covered) = plain.len().checked_sub(CRC_LENGTH).filter(|length| *length >= 1) else {
            return Err(FormatFault::TooShort { length: plain.len() }.into());
        };
        let (body, crc) = plain.split_at(covered);
        if crc_bytes(CRC.checksum(body)) != crc {
            return Err(FrameFault::Crc);
        }
        // The version comes first and the CRC last in every version there will ever be; the rest may move.
        match body[0] {
            FRAME_VERSION => Frame::decode_version_1(body).map(Self::Open),
            PROTECTED_VERSION => ProtectedFrame::decode(body).map(Self::Protected),
            version => Err(FormatFault::UnsupportedVersion { version }.into()),
        }
    }

    pub fn direction(&self) -> Direction {
        match self {
            Self::Open(frame) => frame.direction,
            Self::Protected(frame) => frame.direction,
        }
    }
}

/// One whole message as it travels.
#[derive(Clone, Debug)]
pub struct Frame {
    pub kind: DeviceKind,
    pub direction: Direction,
    pub boot: BootId,
    /// `None` for messages that are neither acknowledged nor repeated.
    pub sequence: Option<Sequence>,
    pub message_type: MessageType,
    pub payload: Payload,
}

impl Frame {
    /// The name of this message, if it is a numbered one.
    pub fn id(&self) -> Option<MessageId> {
        self.sequence.map(|sequence| MessageId { boot: self.boot, sequence })
    }

    /// The bytes for the line, delimiters on both sides included: the leading one ends whatever noise came before.
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut plain = Zeroizing::new(Vec::with_capacity(ENCODED_LENGTH_MAX));
        plain.push(FRAME_VERSION);
        plain.push(self.kind.code());
        plain.extend_from_slice(&self.boot.0.to_be_bytes());
        plain.extend_from_slice(&self.sequence.map_or(0, Sequence::value).to_be_bytes());
        plain.push(match self.direction {
            Direction::FromController => self.message_type.0,
            Direction::FromDevice => self.message_type.0 | FROM_DEVICE_BIT,
        });
        plain.extend_from_slice(self.payload.bytes());
        wrap(plain)
    }

    fn decode_version_1(body: &[u8]) -> Result<Self, FrameFault> {
        let &[_, kind, b0, b1, b2, b3, s0, s1, kind_of_message, ref payload @ ..] = body else {
            return Err(FormatFault::TooShort { length: body.len() + CRC_LENGTH }.into());
        };
        let kind = DeviceKind::from_code(kind).ok_or(FormatFault::UnknownDeviceKind { code: kind })?;
        let boot = BootId::new(u32::from_be_bytes([b0, b1, b2, b3])).ok_or(FormatFault::NoBootId)?;
        let payload = Payload::new(payload).ok_or(FrameFault::Oversize)?;
        let from_device = kind_of_message & FROM_DEVICE_BIT != 0;
        Ok(Self {
            kind,
            direction: if from_device { Direction::FromDevice } else { Direction::FromController },
            boot,
            sequence: Sequence::new(u16::from_be_bytes([s0, s1])),
            message_type: MessageType(kind_of_message & !FROM_DEVICE_BIT),
            payload,
        })
    }
}

/// Why a run of bytes between two delimiters is not a frame. It never carries the bytes themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameFault {
    #[error("checksum does not match: bytes were damaged on the line; check cable, ground and baud rate")]
    Crc,
    #[error("malformed frame: {0}")]
    Format(#[from] FormatFault),
    #[error("no delimiter within {ENCODED_LENGTH_MAX} bytes: wrong baud rate, or not our protocol on this port")]
    Oversize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FormatFault {
    #[error("not a COBS block")]
    Cobs,
    #[error("{length} bytes are too few for a frame")]
    TooShort { length: usize },
    #[error("frame version {version} is unknown; the device's firmware is newer than this software")]
    UnsupportedVersion { version: u8 },
    #[error("device kind {code:#04x} is unknown")]
    UnknownDeviceKind { code: u8 },
    #[error("the boot id is zero")]
    NoBootId,
    #[error("form {form:#04x} of a protected frame is unknown, or its length is wrong")]
    UnknownForm { form: u8 },
    #[error("a protected frame: only the paired device and its table can read it")]
    Protected,
}

/// The lower two rungs of the ladder by which staff localise a fault: bytes arrive, frames are valid.
/// The third rung, events understood, is counted by the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounts {
    pub bytes: u64,
    pub frames: u64,
    pub crc_faults: u64,
    pub format_faults: u64,
    pub oversize_faults: u64,
}

impl FrameCounts {
    pub fn faults(&self) -> u64 {
        self.crc_faults.saturating_add(self.format_faults).saturating_add(self.oversize_faults)
    }
}

/// Finds frames in a stream. Feed it byte by byte; it answers at each delimiter.
pub struct FrameDecoder {
    /// On the heap, so that moving the decoder leaves no copy of a half-received payload behind.
    buffer: Box<[u8; ENCODED_LENGTH_MAX]>,
    filled: usize,
    /// Set when a run outgrew the buffer: the rest up to the delimiter belongs to no frame.
    skipping: bool,
    counts: FrameCounts,
}

impl Default for FrameDecoder {
    fn default() -> Self {
        Self { buffer: Box::new([0; ENCODED_LENGTH_MAX]), filled: 0, skipping: false, counts: FrameCounts::default() }
    }
}

impl FrameDecoder {
    pub fn counts(&self) -> FrameCounts {
        self.counts
    }

    /// How many bytes of an unfinished frame are held; never more than [`ENCODED_LENGTH_MAX`].
    pub fn buffered(&self) -> usize {
        self.filled
    }

    /// Takes one byte. An oversize run is reported once, when it outgrows the buffer.
    pub fn handle_wire_byte(&mut self, byte: u8) -> Option<Result<WireFrame, FrameFault>> {
        self.counts.bytes = self.counts.bytes.saturating_add(1);
        if byte == DELIMITER {
            return self.finish_run();
        }
        if self.skipping {
            return None;
        }
        if self.filled == self.buffer.len() {
            self.skipping = true;
            self.wipe();
            return Some(self.counted(Err(FrameFault::Oversize)));
        }
        self.buffer[self.filled] = byte;
        self.filled += 1;
        None
    }

    /// The same for whoever reads messages in the clear alone.
    pub fn handle_byte(&mut self, byte: u8) -> Option<Result<Frame, FrameFault>> {
        self.handle_wire_byte(byte).map(|result| match result? {
            WireFrame::Open(frame) => Ok(frame),
            WireFrame::Protected(_) => Err(FormatFault::Protected.into()),
        })
    }

    /// Takes all of `bytes`, giving what they complete in order.
    pub fn handle_bytes(&mut self, bytes: &[u8]) -> impl Iterator<Item = Result<Frame, FrameFault>> {
        bytes.iter().filter_map(|byte| self.handle_byte(*byte))
    }

    /// Forgets a half-received frame: the port was closed, what follows is another stream.
    pub fn reset(&mut self) {
        self.wipe();
        self.skipping = false;
    }

    fn finish_run(&mut self) -> Option<Result<WireFrame, FrameFault>> {
        if std::mem::take(&mut self.skipping) || self.filled == 0 {
            return None;
        }
        let run = &mut self.buffer[..self.filled];
        let result = match cobs::decode_in_place(run) {
            Ok(length) => WireFrame::decode_plain(&run[..length]),
            Err(_) => Err(FormatFault::Cobs.into()),
        };
        self.wipe();
        Some(self.counted(result))
    }

    fn wipe(&mut self) {
        self.buffer.zeroize();
        self.filled = 0;
    }

    fn counted(&mut self, result: Result<WireFrame, FrameFault>) -> Result<WireFrame, FrameFault> {
        let counter = match &result {
            Ok(_) => &mut self.counts.frames,
            Err(FrameFault::Crc) => &mut self.counts.crc_faults,
            Err(FrameFault::Format(_)) => &mut self.counts.format_faults,
            Err(FrameFault::Oversize) => &mut self.counts.oversize_faults,
        };
        *counter = counter.saturating_add(1);
        result
    }
}

impl Drop for FrameDecoder {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}

impl fmt::Debug for FrameDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameDecoder").field("buffered", &self.filled).field("counts", &self.counts).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_ccitt_false_and_not_a_namesake() {
        assert_eq!(CRC.checksum(b"123456789"), 0x29B1);
    }

    #[test]
    fn sequences_skip_zero_when_they_wrap() {
        assert_eq!(Sequence(u16::MAX).next(), Sequence::FIRST);
        assert_eq!(Sequence::FIRST.previous(), Sequence(u16::MAX));
        assert_eq!(Sequence::FIRST.ahead_of(Sequence(u16::MAX)), 1);
        assert_eq!(Sequence(u16::MAX).ahead_of(Sequence::FIRST), u16::MAX - 1);
        assert_eq!(Sequence(7).ahead_of(Sequence(7)), 0);
    }

    #[test]
    fn an_unknown_version_with_a_good_checksum_is_a_format_fault_not_a_checksum_fault() {
        let mut plain = vec![3, 1, 0, 0, 0, 1, 0, 0, 3];
        plain.extend_from_slice(&crc_bytes(CRC.checksum(&plain)));
        let fault = WireFrame::decode_plain(&plain).unwrap_err();
        assert_eq!(fault, FrameFault::Format(FormatFault::UnsupportedVersion { version: 3 }));
    }

    #[test]
    fn a_payload_prints_as_its_length() {
        assert_eq!(format!("{:?}", Payload::new(&[13, 3]).unwrap()), "[2 bytes]");
    }
}
