//! What a terminal sends, taken apart: text, editing keys, arrows, and the marks of a line that was disturbed.
//!
//! A tty in the mode `PARMRK` gives a byte with a framing error as `FF 00 byte`, a BREAK as `FF 00 00` and a true `FF`
//! twice. A pty or a terminal window gives the bytes as they are; there `FF` is noise like every byte that is no text.

/// One thing that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// Printable ASCII, the blank included.
    Text(u8),
    Enter,
    Erase,
    EraseLine,
    EraseWord,
    Interrupt,
    EndOfInput,
    Redraw,
    Tab,
    Older,
    Newer,
    Hold,
    Release,
    /// The line was held at zero for longer than a byte: log out, print the banner.
    Break,
    /// A key that has a meaning elsewhere and none here, such as Delete or Home.
    Idle,
    /// A byte that is no text.
    Noise,
}

/// An escape sequence that has not ended after so many bytes is noise.
const SEQUENCE_MAX: u8 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    #[default]
    Plain,
    /// After CR: an LF that follows belongs to it.
    AfterReturn,
    /// After FF, where bytes are marked.
    Marked,
    /// After FF 00.
    Misframed,
    /// After ESC.
    Escape,
    /// Within `ESC [` or `ESC O`, with so many bytes since.
    Sequence(u8),
}

/// Takes bytes apart. Holds a few bits, whatever comes.
#[derive(Clone, Debug)]
pub struct Keys {
    marked: bool,
    state: State,
}

impl Keys {
    /// `marked`: the port marks disturbed bytes.
    pub fn new(marked: bool) -> Self {
        Self { marked, state: State::Plain }
    }

    pub fn handle_byte(&mut self, byte: u8) -> Option<Key> {
        let state = std::mem::take(&mut self.state);
        match state {
            State::AfterReturn if byte == b'\n' => None,
            State::Plain | State::AfterReturn => self.plain(byte),
            State::Marked => {
                if byte == 0 {
                    self.state = State::Misframed;
                    None
                } else {
                    Some(Key::Noise)
                }
            }
            State::Misframed => Some(if byte == 0 { Key::Break } else { Key::Noise }),
            State::Escape => match byte {
                b'[' | b'O' => {
                    self.state = State::Sequence(0);
                    None
                }
                _ => Some(Key::Noise),
            },
            State::Sequence(length) => self.sequence(byte, length),
        }
    }

    fn plain(&mut self, byte: u8) -> Option<Key> {
        let key = match byte {
            b' '..=b'~' => Key::Text(byte),
            b'\r' => {
                self.state = State::AfterReturn;
                Key::Enter
            }
            b'\n' => Key::Enter,
            0x08 | 0x7F => Key::Erase,
            b'\t' => Key::Tab,
            0x03 => Key::Interrupt,
            0x04 => Key::EndOfInput,
            0x0C => Key::Redraw,
            0x0E => Key::Newer,
            0x10 => Key::Older,
            0x11 => Key::Release,
            0x13 => Key::Hold,
            0x15 => Key::EraseLine,
            0x17 => Key::EraseWord,
            0x1B => {
                self.state = State::Escape;
                return None;
            }
            0xFF if self.marked => {
                self.state = State::Marked;
                return None;
            }
            _ => Key::Noise,
        };
        Some(key)
    }

    fn sequence(&mut self, byte: u8, length: u8) -> Option<Key> {
        match byte {
            b'A' => Some(Key::Older),
            b'B' => Some(Key::Newer),
            b'@'..=b'~' => Some(Key::Idle),
            b' '..=b'?' if length < SEQUENCE_MAX => {
                self.state = State::Sequence(length + 1);
                None
            }
            _ => Some(Key::Noise),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(marked: bool, bytes: &[u8]) -> Vec<Key> {
        let mut keys = Keys::new(marked);
        bytes.iter().filter_map(|byte| keys.handle_byte(*byte)).collect()
    }

    #[test]
    fn cr_lf_and_both_end_one_line_each() {
        assert_eq!(keys(false, b"\r\n\n\r\r\n"), [Key::Enter; 4]);
    }

    #[test]
    fn arrows_walk_the_history_and_other_keys_of_a_keyboard_do_nothing() {
        assert_eq!(keys(false, b"\x1b[A\x1b[B\x1bOA"), [Key::Older, Key::Newer, Key::Older]);
        assert_eq!(keys(false, b"\x1b[3~x"), [Key::Idle, Key::Text(b'x')]);
        assert_eq!(keys(false, b"\x1bx"), [Key::Noise]);
        assert_eq!(keys(false, b"\x1b[1111111111"), [vec![Key::Noise], vec![Key::Text(b'1')]].concat());
    }

    #[test]
    fn a_marked_port_tells_breaks_and_misframed_bytes_from_text() {
        assert_eq!(keys(true, b"\xff\x00\x00a"), [Key::Break, Key::Text(b'a')]);
        assert_eq!(keys(true, b"\xff\x00y\xff\xff"), [Key::Noise, Key::Noise]);
        assert_eq!(keys(false, b"\xff\x00\x00"), [Key::Noise; 3]);
    }
}
