//! The line being typed: echo, erasing, history. A byte goes in, bytes for the terminal come out.
//!
//! There is no cursor inside the line, so that backspace and blanks are all a terminal has to know. Bytes that are no
//! text spoil their line: it is dropped at its end, whatever else it holds, so noise can never log in or confirm.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use crate::keys::Key;

/// The bytes of a line at the prompt; the next one rings.
pub const LINE_BYTES_MAX: usize = 200;
/// Before somebody has logged in.
pub const LOGIN_BYTES_MAX: usize = 20;
/// Lines that can be called back; they end with the session.
pub const HISTORY_LINES_MAX: usize = 32;

const BELL: u8 = 0x07;

/// What somebody is typing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// At the prompt: echo, history, completion.
    Command,
    /// An answer to a question: echo, nothing else.
    Plain,
    /// A PIN: no echo; `?` and Tab are signs like any other.
    Hidden,
}

/// What a key led to, where it was more than an echo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edited {
    Nothing,
    /// A line is complete. The terminal is at the start of the next one.
    Line(Zeroizing<String>),
    /// A line that noise had spoilt is dropped: so many bytes.
    Spoilt(usize),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D on an empty line.
    Ended,
    /// The line has to be printed again behind its prompt.
    Redraw,
    /// `?` at the prompt.
    Choices,
    /// Tab at the prompt.
    Complete,
}

#[derive(Debug)]
pub struct Editor {
    field: Field,
    line: Zeroizing<Vec<u8>>,
    bytes_max: usize,
    /// Bytes of a line that is spoilt, its text included; 0 for a clean one.
    spoilt: usize,
    history: VecDeque<String>,
    /// Where in the history somebody is, counted from the newest; what was typed before waits behind it.
    walked: Option<(usize, Zeroizing<Vec<u8>>)>,
}

impl Editor {
    pub fn new(bytes_max: usize) -> Self {
        Self {
            field: Field::Plain,
            line: Zeroizing::new(Vec::with_capacity(LINE_BYTES_MAX)),
            bytes_max: bytes_max.min(LINE_BYTES_MAX),
            spoilt: 0,
            history: VecDeque::new(),
            walked: None,
        }
    }

    /// Starts an empty line.
    pub fn begin(&mut self, field: Field, bytes_max: usize) {
        self.field = field;
        self.bytes_max = bytes_max.min(LINE_BYTES_MAX);
        self.clear();
    }

    /// As the terminal shows it: empty for a PIN.
    pub fn shown(&self) -> &str {
        if self.field == Field::Hidden { "" } else { std::str::from_utf8(&self.line).unwrap_or_default() }
    }

    pub fn is_spoilt(&self) -> bool {
        self.spoilt > 0
    }

    pub fn forget_history(&mut self) {
        self.history.clear();
        self.clear();
    }

    /// Appends what completion found.
    pub fn complete(&mut self, rest: &str, out: &mut Vec<u8>) {
        for byte in rest.bytes() {
            self.put(byte, out);
        }
    }

    pub fn handle_key(&mut self, key: Key, out: &mut Vec<u8>) -> Edited {
        if self.is_spoilt() {
            return self.handle_spoilt(key, out);
        }
        let at_prompt = self.field == Field::Command;
        match key {
            Key::Text(b'?') if at_prompt => return Edited::Choices,
            Key::Text(byte) => self.put(byte, out),
            Key::Tab if at_prompt => return Edited::Complete,
            Key::Tab if self.field == Field::Hidden => self.put(b'\t', out),
            Key::Tab => out.push(BELL),
            Key::Enter => return self.enter(out),
            Key::Erase => {
                self.erase_last(out);
            }
            Key::EraseLine => while self.erase_last(out) {},
            Key::EraseWord => {
                while self.line.last() == Some(&b' ') {
                    self.erase_last(out);
                }
                while self.line.last().is_some_and(|byte| *byte != b' ') {
                    self.erase_last(out);
                }
            }
            Key::Interrupt => {
                self.clear();
                out.extend_from_slice(b"\r\n");
                return Edited::Interrupted;
            }
            Key::EndOfInput if self.line.is_empty() => return Edited::Ended,
            Key::EndOfInput => out.push(BELL),
            Key::Redraw => return Edited::Redraw,
            Key::Older if at_prompt => self.walk(true, out),
            Key::Newer if at_prompt => self.walk(false, out),
            Key::Noise => self.spoilt = self.line.len() + 1,
            // Held output and a BREAK are the session's.
            Key::Older | Key::Newer | Key::Hold | Key::Release | Key::Break | Key::Idle => {}
        }
        Edited::Nothing
    }

    /// Nothing is echoed any more, and only the line's end or Ctrl-C leads out.
    fn handle_spoilt(&mut self, key: Key, out: &mut Vec<u8>) -> Edited {
        match key {
            Key::Enter | Key::Interrupt => {
                let dropped = self.spoilt;
                self.clear();
                out.extend_from_slice(b"\r\n");
                Edited::Spoilt(dropped)
            }
            Key::Text(_)
            | Key::Erase
            | Key::EraseLine
            | Key::EraseWord
            | Key::EndOfInput
            | Key::Redraw
            | Key::Tab
            | Key::Older
            | Key::Newer
            | Key::Hold
            | Key::Release
            | Key::Break
            | Key::Idle
            | Key::Noise => {
                self.spoilt = self.spoilt.saturating_add(1);
                Edited::Nothing
            }
        }
    }

    fn put(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.line.len() >= self.bytes_max {
            out.push(BELL);
            return;
        }
        self.line.push(byte);
        if self.field != Field::Hidden {
            out.push(byte);
        }
    }

    fn erase_last(&mut self, out: &mut Vec<u8>) -> bool {
        let erased = self.line.pop().is_some();
        if erased && self.field != Field::Hidden {
            out.extend_from_slice(b"\x08 \x08");
        }
        erased
    }

    fn enter(&mut self, out: &mut Vec<u8>) -> Edited {
        out.extend_from_slice(b"\r\n");
        let line = Zeroizing::new(String::from_utf8_lossy(&self.line).into_owned());
        if self.field == Field::Command && !line.trim().is_empty() && self.history.back() != Some(&*line) {
            if self.history.len() >= HISTORY_LINES_MAX {
                self.history.pop_front();
            }
            self.history.push_back(line.to_string());
        }
        self.clear();
        Edited::Line(line)
    }

    fn clear(&mut self) {
        // Wiped: it may have been a PIN.
        self.line.iter_mut().for_each(|byte| *byte = 0);
        self.line.clear();
        self.spoilt = 0;
        self.walked = None;
    }

    fn walk(&mut self, older: bool, out: &mut Vec<u8>) {
        let next = match (&self.walked, older) {
            (None, true) => Some(0),
            (Some((at, _)), true) => Some(at + 1),
            (Some((at, _)), false) => at.checked_sub(1),
            (None, false) => {
                out.push(BELL);
                return;
            }
        };
        let shown = match next {
            None => self.walked.take().map(|(_, typed)| typed.to_vec()).unwrap_or_default(),
            Some(at) => {
                let found = self.history.len().checked_sub(at + 1).and_then(|index| self.history.get(index));
                let Some(found) = found else {
                    out.push(BELL);
                    return;
                };
                let found = found.clone().into_bytes();
                let typed = match self.walked.take() {
                    Some((_, typed)) => typed,
                    None => self.line.clone(),
                };
                self.walked = Some((at, typed));
                found
            }
        };
        while self.erase_last(out) {}
        for byte in shown {
            self.put(byte, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;

    struct Typist {
        keys: Keys,
        editor: Editor,
        out: Vec<u8>,
        lines: Vec<String>,
    }

    impl Typist {
        fn new(field: Field, bytes_max: usize) -> Self {
            let mut editor = Editor::new(bytes_max);
            editor.begin(field, bytes_max);
            Self { keys: Keys::new(false), editor, out: Vec::new(), lines: Vec::new() }
        }

        fn types(&mut self, bytes: &[u8]) -> Vec<Edited> {
            let mut all = Vec::new();
            for byte in bytes {
                if let Some(key) = self.keys.handle_byte(*byte) {
                    let edited = self.editor.handle_key(key, &mut self.out);
                    if let Edited::Line(line) = &edited {
                        self.lines.push(line.to_string());
                    }
                    if edited != Edited::Nothing {
                        all.push(edited);
                    }
                }
            }
            all
        }
    }

    #[test]
    fn what_is_typed_is_echoed_and_erased_with_blanks() {
        let mut typist = Typist::new(Field::Command, 200);
        typist.types(b"staux\x7f\x08us\r");
        assert_eq!(typist.lines, ["staus"]);
        assert_eq!(typist.out, b"staux\x08 \x08\x08 \x08us\r\n");
        typist.out.clear();
        typist.types(b"dev  show\x17\x17x\x15y\n");
        assert_eq!(typist.lines[1], "y");
    }

    #[test]
    fn a_line_ends_at_its_limit_and_rings() {
        let mut typist = Typist::new(Field::Command, 200);
        typist.types(&[b'a'; 201]);
        assert_eq!(typist.out.len(), 201);
        assert_eq!(typist.out[200], BELL);
        typist.types(b"\r");
        assert_eq!(typist.lines[0].len(), 200);
    }

    #[test]
    fn a_pin_echoes_nothing_and_takes_question_marks_and_tabs_as_signs() {
        let mut typist = Typist::new(Field::Hidden, 20);
        assert_eq!(typist.types(b"48?\t3\x7f9\r").len(), 1);
        assert_eq!(typist.lines, ["48?\t9"]);
        assert_eq!(typist.out, b"\r\n");
        assert_eq!(typist.editor.shown(), "");
    }

    #[test]
    fn noise_spoils_its_line_and_only_that_one() {
        let mut typist = Typist::new(Field::Command, 200);
        let edited = typist.types(b"stat\x80us\x15yes\rstatus\r");
        assert_eq!(edited[0], Edited::Spoilt(11));
        assert_eq!(typist.lines, ["status"]);
        assert_eq!(typist.out, b"stat\r\nstatus\r\n");
    }

    #[test]
    fn history_walks_up_and_down_and_keeps_what_was_being_typed() {
        let mut typist = Typist::new(Field::Command, 200);
        for line in ["status", "status", "dev list", ""] {
            typist.types(line.as_bytes());
            typist.types(b"\r");
        }
        typist.types(b"wh\x10");
        assert_eq!(typist.editor.shown(), "dev list");
        typist.types(b"\x1b[A");
        assert_eq!(typist.editor.shown(), "status");
        typist.types(b"\x10");
        assert_eq!((typist.editor.shown(), typist.out.last()), ("status", Some(&BELL)), "the same line is kept once");
        typist.types(b"\x0e\x0e");
        assert_eq!(typist.editor.shown(), "wh");
        typist.types(b"\x0e");
        assert_eq!(typist.out.last(), Some(&BELL));
    }

    #[test]
    fn history_keeps_32_lines_and_ends_with_the_session() {
        let mut typist = Typist::new(Field::Command, 200);
        for number in 0..40 {
            typist.types(format!("recall {number}\r").as_bytes());
        }
        assert_eq!(typist.editor.history.len(), 32);
        typist.editor.forget_history();
        typist.types(b"\x10");
        assert_eq!(typist.editor.shown(), "");
    }

    #[test]
    fn control_keys_mean_what_they_mean_everywhere() {
        let mut typist = Typist::new(Field::Command, 200);
        assert_eq!(typist.types(b"abc\x03"), [Edited::Interrupted]);
        assert_eq!(typist.types(b"\x04"), [Edited::Ended]);
        assert_eq!(typist.types(b"a\x04"), []);
        assert_eq!(typist.types(b"\x0c?\t"), [Edited::Redraw, Edited::Choices, Edited::Complete]);
    }
}
