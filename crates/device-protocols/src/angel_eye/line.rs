//! Bytes of the dialect: `ENQ seq data… ETX BCC` from the shoe, `STX OP type data ETX BCC` to it, ACK and NAK.
//!
//! Data bytes never look like ENQ or ETX: they are letters, digits, or have bit 7 set. So an ENQ inside a frame is the
//! start of the next one, and the decoder is in step again at the first ENQ after any damage.

use std::fmt;

use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

use crate::fields::coded_enum;

const STX: u8 = 0x02;
const ETX: u8 = 0x03;
const ENQ: u8 = 0x05;
const ACK: u8 = 0x06;
const NAK: u8 = 0x15;

/// The longest event is `M` with six digits; the rest is room for events we do not know.
pub const DATA_LENGTH_MAX: usize = 32;

/// Which bytes the checksum of a command covers. The description says "after STX", its worked example fits only with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OutboundBcc {
    /// As in the worked example: lock on ends in `1B`.
    #[default]
    WithStx,
    /// As in the text: lock on ends in `19`.
    WithoutStx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngelCommand {
    Lock,
    Unlock,
    CancelError(u8),
    ConfirmGame,
}

impl AngelCommand {
    /// The bytes for the line. Error numbers beyond two digits do not exist and wrap.
    pub fn encode(self, bcc: OutboundBcc) -> Vec<u8> {
        let (name, number) = match self {
            Self::Lock => (b"LK", 2),
            Self::Unlock => (b"LK", 1),
            Self::CancelError(error) => (b"EC", error % 100),
            Self::ConfirmGame => (b"GP", 0),
        };
        let mut bytes = vec![STX, b'O', b'P', name[0], name[1], b'0' + number / 10, b'0' + number % 10, ETX];
        let covered = match bcc {
            OutboundBcc::WithStx => &bytes[..],
            OutboundBcc::WithoutStx => &bytes[1..],
        };
        let digits = hex_digits(xor(covered));
        bytes.extend_from_slice(&digits);
        bytes
    }
}

coded_enum! {
    /// Why the shoe, or the host, turned a frame away.
    pub enum AngelNak {
        LineError = 0x01,
        Bcc = 0x02,
        NoEtx = 0x03,
        FormatOrLength = 0x11,
        Address = 0x12,
        Command = 0x13,
        Type = 0x14,
        Busy = 0x21,
        Writing = 0x22,
        Other = 0xFF,
    }
}

/// A whole event frame with a good checksum. Printed as a length: the data may be a card.
pub struct AngelFrame {
    pub sequence: u8,
    data: Zeroizing<Vec<u8>>,
}

impl AngelFrame {
    /// Inside this crate only: the session seals what is in it.
    pub(super) fn data(&self) -> &[u8] {
        &self.data
    }
}

impl fmt::Debug for AngelFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AngelFrame {{ sequence: {:#04x}, data: [{} bytes] }}", self.sequence, self.data.len())
    }
}

/// What the decoder finds.
#[derive(Debug)]
pub enum LineItem {
    Event(AngelFrame),
    Ack,
    Nak(AngelNak),
    Fault(AngelFault),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AngelFault {
    #[error("checksum does not match: check cable, ground and baud rate (4800 or 9600)")]
    Bcc,
    #[error("malformed frame: a new one began before the old one ended, or it has no data")]
    Format,
    #[error("no end of frame within {DATA_LENGTH_MAX} bytes")]
    Oversize,
    #[error("bytes outside any frame")]
    Noise,
    #[error("a refusal with an unknown code")]
    UnknownNak,
}

/// The lower rungs of the ladder for this dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AngelLineCounts {
    pub bytes: u64,
    pub frames: u64,
    pub bcc_faults: u64,
    pub format_faults: u64,
    pub oversize_faults: u64,
    pub noise_bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expecting {
    Start,
    /// A run of noise has been reported; stay quiet until something begins.
    StartAfterNoise,
    Sequence,
    Data,
    BccHigh,
    BccLow {
        high: u8,
    },
    NakCode,
    NakLow {
        high: u8,
    },
}

/// Finds frames and replies in the shoe's stream. Holds at most one frame.
pub struct AngelLineDecoder {
    expecting: Expecting,
    sequence: u8,
    buffer: Box<[u8; DATA_LENGTH_MAX]>,
    filled: usize,
    counts: AngelLineCounts,
}

impl Default for AngelLineDecoder {
    fn default() -> Self {
        Self {
            expecting: Expecting::Start,
            sequence: 0,
            buffer: Box::new([0; DATA_LENGTH_MAX]),
            filled: 0,
            counts: AngelLineCounts::default(),
        }
    }
}

impl AngelLineDecoder {
    pub fn counts(&self) -> AngelLineCounts {
        self.counts
    }

    pub fn buffered(&self) -> usize {
        self.filled
    }

    pub fn reset(&mut self) {
        self.begin(Expecting::Start);
    }

    pub fn handle_byte(&mut self, byte: u8) -> Option<LineItem> {
        self.counts.bytes = self.counts.bytes.saturating_add(1);
        match self.expecting {
            Expecting::Start | Expecting::StartAfterNoise => self.handle_start(byte),
            Expecting::Sequence => {
                self.sequence = byte;
                self.expecting = Expecting::Data;
                None
            }
            Expecting::Data => self.handle_data(byte),
            Expecting::BccHigh => match hex_value(byte) {
                Some(high) => {
                    self.expecting = Expecting::BccLow { high };
                    None
                }
                None => self.break_off(AngelFault::Bcc, byte),
            },
            Expecting::BccLow { high } => match hex_value(byte) {
                Some(low) => Some(self.finish(high << 4 | low)),
                None => self.break_off(AngelFault::Bcc, byte),
            },
            // One raw byte or two digits: no raw code looks like a digit, so both readings can be accepted.
            Expecting::NakCode => match (hex_value(byte), AngelNak::from_code(byte)) {
                (Some(high), _) => {
                    self.expecting = Expecting::NakLow { high };
                    None
                }
                (None, Some(nak)) => {
                    self.begin(Expecting::Start);
                    Some(LineItem::Nak(nak))
                }
                (None, None) => self.break_off(AngelFault::UnknownNak, byte),
            },
            Expecting::NakLow { high } => match hex_value(byte).and_then(|low| AngelNak::from_code(high << 4 | low)) {
                Some(nak) => {
                    self.begin(Expecting::Start);
                    Some(LineItem::Nak(nak))
                }
                None => self.break_off(AngelFault::UnknownNak, byte),
            },
        }
    }

    pub fn handle_bytes(&mut self, bytes: &[u8]) -> impl Iterator<Item = LineItem> {
        bytes.iter().filter_map(|byte| self.handle_byte(*byte))
    }

    fn handle_start(&mut self, byte: u8) -> Option<LineItem> {
        match byte {
            ENQ => self.begin(Expecting::Sequence),
            NAK => self.begin(Expecting::NakCode),
            ACK => {
                self.begin(Expecting::Start);
                return Some(LineItem::Ack);
            }
            _ => {
                self.counts.noise_bytes = self.counts.noise_bytes.saturating_add(1);
                let first = self.expecting == Expecting::Start;
                self.begin(Expecting::StartAfterNoise);
                return first.then_some(LineItem::Fault(AngelFault::Noise));
            }
        }
        None
    }

    fn handle_data(&mut self, byte: u8) -> Option<LineItem> {
        match byte {
            ETX if self.filled == 0 => self.break_off(AngelFault::Format, byte),
            ETX => {
                self.expecting = Expecting::BccHigh;
                None
            }
            ENQ => self.break_off(AngelFault::Format, byte),
            _ if self.filled == DATA_LENGTH_MAX => self.break_off(AngelFault::Oversize, byte),
            _ => {
                self.buffer[self.filled] = byte;
                self.filled += 1;
                None
            }
        }
    }

    /// Gives up the frame. `byte` did not belong to it; if it is an ENQ it begins the next one.
    fn break_off(&mut self, fault: AngelFault, byte: u8) -> Option<LineItem> {
        self.begin(if byte == ENQ { Expecting::Sequence } else { Expecting::StartAfterNoise });
        self.count_fault(fault);
        Some(LineItem::Fault(fault))
    }

    fn finish(&mut self, bcc: u8) -> LineItem {
        let data = &self.buffer[..self.filled];
        let good = self.sequence ^ xor(data) ^ ETX == bcc;
        let frame = AngelFrame { sequence: self.sequence, data: Zeroizing::new(data.to_vec()) };
        self.begin(Expecting::Start);
        if good {
            self.counts.frames = self.counts.frames.saturating_add(1);
            LineItem::Event(frame)
        } else {
            self.count_fault(AngelFault::Bcc);
            LineItem::Fault(AngelFault::Bcc)
        }
    }

    fn begin(&mut self, expecting: Expecting) {
        self.expecting = expecting;
        self.buffer.zeroize();
        self.filled = 0;
    }

    fn count_fault(&mut self, fault: AngelFault) {
        let counter = match fault {
            AngelFault::Bcc => &mut self.counts.bcc_faults,
            AngelFault::Format | AngelFault::UnknownNak => &mut self.counts.format_faults,
            AngelFault::Oversize => &mut self.counts.oversize_faults,
            AngelFault::Noise => &mut self.counts.noise_bytes,
        };
        *counter = counter.saturating_add(1);
    }
}

impl fmt::Debug for AngelLineDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AngelLineDecoder").field("buffered", &self.filled).field("counts", &self.counts).finish()
    }
}

impl Drop for AngelLineDecoder {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}

/// A stretch of the shoe's raw bytes, safe to show: control bytes by name, everything else as a count. The checksum is
/// hidden with the rest, because that of a draw would give the card away.
pub fn mask_raw(bytes: &[u8]) -> String {
    let mut shown = Vec::new();
    let mut hidden = 0_usize;
    for byte in bytes {
        let name = match *byte {
            STX => "STX",
            ETX => "ETX",
            ENQ => "ENQ",
            ACK => "ACK",
            NAK => "NAK",
            _ => {
                hidden += 1;
                continue;
            }
        };
        flush_hidden(&mut shown, &mut hidden);
        shown.push(name.to_owned());
    }
    flush_hidden(&mut shown, &mut hidden);
    shown.join(" ")
}

fn flush_hidden(shown: &mut Vec<String>, hidden: &mut usize) {
    if *hidden > 0 {
        shown.push(format!("[{hidden}]"));
        *hidden = 0;
    }
}

/// An event frame as the shoe would send it: for simulated twins and tests.
pub fn encode_shoe_frame(sequence: u8, data: &[u8]) -> Zeroizing<Vec<u8>> {
    let bcc = hex_digits(sequence ^ xor(data) ^ ETX);
    let mut bytes = Zeroizing::new(Vec::with_capacity(data.len() + 5));
    bytes.extend_from_slice(&[ENQ, sequence]);
    bytes.extend_from_slice(data);
    bytes.push(ETX);
    bytes.extend_from_slice(&bcc);
    bytes
}

pub(super) fn encode_ack() -> Vec<u8> {
    vec![ACK]
}

pub(super) fn encode_nak(reason: AngelNak) -> Vec<u8> {
    vec![NAK, reason.code()]
}

fn xor(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

fn hex_digits(value: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [DIGITS[usize::from(value >> 4)], DIGITS[usize::from(value & 0x0F)]]
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
