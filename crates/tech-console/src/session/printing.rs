//! What reaches the terminal, and when: lines, pages, notices that do not break the line being typed, noise.

use std::collections::VecDeque;

use super::{
    MORE, Millis, NOISE_BANNER_EVERY_MS, NOISE_BYTES, NOISE_LINES, OUTPUT_BYTES_MAX, PAGE_LINES, Session, State,
};
use crate::editor::Field;
use crate::grammar;
use crate::keys::Key;
use crate::text;

/// Lines of a stream in one second.
const LINES_A_SECOND: u32 = 40;
const NOTICES_MAX: usize = 16;
const NOTICE_EVERY_MS: Millis = 1_000;

/// Holds a stream to what a person and a slow line can take.
#[derive(Debug, Default)]
pub(super) struct Rate {
    second: Millis,
    printed: u32,
    left_out: u64,
}

impl Rate {
    pub(super) fn takes(&mut self, now: Millis) -> bool {
        if now / 1_000 != self.second {
            self.second = now / 1_000;
            self.printed = 0;
        }
        self.printed += 1;
        self.printed <= LINES_A_SECOND
    }

    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    pub(super) fn left_out(&mut self) -> Option<u64> {
        let left_out = std::mem::take(&mut self.left_out);
        (left_out > 0).then_some(left_out)
    }
}

/// Notices that wait: one a second, the rest counted.
#[derive(Debug, Default)]
pub(super) struct Notices {
    waiting: VecDeque<String>,
    dropped: u64,
    next_at: Millis,
}

impl Notices {
    pub(super) fn push(&mut self, text: String) {
        if self.waiting.len() < NOTICES_MAX {
            self.waiting.push_back(text);
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        (!self.waiting.is_empty()).then_some(self.next_at)
    }

    /// Everything at once where nothing is being typed; otherwise one, if it is time.
    fn take(&mut self, now: Millis, all: bool) -> Vec<String> {
        if self.waiting.is_empty() || (!all && now < self.next_at) {
            return Vec::new();
        }
        self.next_at = now + NOTICE_EVERY_MS;
        let count = if all { self.waiting.len() } else { 1 };
        let mut taken: Vec<String> = self.waiting.drain(..count).collect();
        if self.waiting.is_empty() && self.dropped > 0 {
            taken.push(format!("{} more", text::count(std::mem::take(&mut self.dropped))));
        }
        taken
    }
}

impl Session {
    /// One line, in the terminal's signs and no wider than it.
    pub(super) fn print_line(&mut self, line: &str) {
        if self.out.len() > OUTPUT_BYTES_MAX {
            return;
        }
        self.part_open = false;
        self.out.extend_from_slice(text::ascii(line).as_bytes());
        self.out.extend_from_slice(b"\r\n");
    }

    pub(super) fn print_error(&mut self, text: &str) {
        // What was begun and broken off keeps its line.
        if std::mem::take(&mut self.part_open) {
            self.print_line("");
        }
        for line in text::wrap("% ", 2, text) {
            self.print_line(&line);
        }
    }

    /// Prompt and typed text once more, at the start of a line.
    pub(super) fn print_prompt_again(&mut self) {
        let start = match self.state {
            State::Prompt => self.prompt(),
            State::Number => "number: ".to_owned(),
            State::Pin(_) => "PIN: ".to_owned(),
            State::NewPin { ref first, .. } => if first.is_some() { "new PIN again: " } else { "new PIN: " }.to_owned(),
            State::Checking | State::Running { .. } | State::Asking(_) | State::Paging(_) => String::new(),
        };
        self.out.extend_from_slice(start.as_bytes());
        let typed = self.editor.shown().to_owned();
        self.out.extend_from_slice(typed.as_bytes());
    }

    pub(super) fn show_choices(&mut self) {
        self.print_line("");
        let choices = grammar::complete(self.editor.shown(), &self.names).choices;
        if choices.is_empty() {
            let usage = "nothing more fits: press Enter, or Ctrl-U to start again";
            self.print_line(usage);
        }
        for line in text::choices(&choices) {
            let mut line = line;
            line.truncate(text::COLUMNS);
            self.print_line(&line);
        }
        self.print_prompt_again();
    }

    /// A second Tab in a row asks what fits.
    pub(super) fn complete(&mut self, tab_before: bool) {
        let found = grammar::complete(self.editor.shown(), &self.names);
        if !found.insert.is_empty() {
            self.editor.complete(&found.insert, &mut self.out);
        } else if tab_before {
            self.show_choices();
        } else {
            self.out.push(0x07);
        }
    }

    /// Prints so many lines and asks, or comes back to the prompt.
    pub(super) fn print_page(&mut self, rest: &mut VecDeque<String>, lines: usize) {
        for line in rest.drain(..lines.min(rest.len())).collect::<Vec<_>>() {
            self.print_line(&line);
        }
        if rest.is_empty() {
            self.show_prompt();
        } else {
            self.out.extend_from_slice(MORE.as_bytes());
            self.editor.begin(Field::Plain, 0);
            self.state = State::Paging(std::mem::take(rest));
        }
    }

    pub(super) fn page_key(&mut self, key: Key) {
        let State::Paging(rest) = &mut self.state else { return };
        let lines = match key {
            Key::Text(b' ') => PAGE_LINES,
            Key::Enter => 1,
            Key::Text(b'q') | Key::Interrupt | Key::EndOfInput => {
                rest.clear();
                0
            }
            Key::Text(_)
            | Key::Erase
            | Key::EraseLine
            | Key::EraseWord
            | Key::Redraw
            | Key::Tab
            | Key::Older
            | Key::Newer
            | Key::Hold
            | Key::Release
            | Key::Break
            | Key::Idle
            | Key::Noise => return self.out.push(0x07),
        };
        let mut rest = std::mem::take(rest);
        self.erase(MORE.len());
        self.print_page(&mut rest, lines);
    }

    /// CR, blanks, CR: the line is free again.
    fn erase(&mut self, columns: usize) {
        self.out.push(b'\r');
        self.out.extend(std::iter::repeat_n(b' ', columns));
        self.out.push(b'\r');
    }

    /// At the prompt between two commands.
    pub(super) fn print_notices(&mut self) {
        for notice in self.notices.take(self.now, true) {
            for line in text::wrap("* ", 2, &notice) {
                self.print_line(&line);
            }
        }
    }

    /// Held back while a PIN, a yes or a page is asked for.
    pub(super) fn print_notices_if_quiet(&mut self) {
        let at_prompt = matches!(self.state, State::Prompt);
        if self.part_open || (!at_prompt && !matches!(self.state, State::Running { .. })) {
            return;
        }
        let notices = self.notices.take(self.now, false);
        if notices.is_empty() {
            return;
        }
        if at_prompt {
            self.erase(self.prompt().len() + self.editor.shown().len());
        }
        for notice in notices {
            for line in text::wrap("* ", 2, &notice) {
                self.print_line(&line);
            }
        }
        if at_prompt {
            self.print_prompt_again();
        }
    }

    pub(super) fn note_noise(&mut self) {
        self.noise_bytes += 1;
        self.noise_banner_if_due();
    }

    pub(super) fn drop_spoilt(&mut self, bytes: usize) {
        self.noise_lines += 1;
        self.print_error(&format!("line noise: {bytes} bytes dropped"));
        self.noise_banner_if_due();
        match self.state {
            State::Prompt => self.show_prompt(),
            State::Number | State::Pin(_) | State::NewPin { .. } => self.ask_number(),
            State::Asking(_) => self.decline(),
            State::Checking | State::Running { .. } | State::Paging(_) => {}
        }
    }

    /// Whoever sees garbage is told how this port speaks.
    fn noise_banner_if_due(&mut self) {
        if self.noise_lines < NOISE_LINES && self.noise_bytes < NOISE_BYTES {
            return;
        }
        (self.noise_lines, self.noise_bytes) = (0, 0);
        if self.noise_banner.is_some_and(|at| self.now - at < NOISE_BANNER_EVERY_MS) {
            return;
        }
        self.noise_banner = Some(self.now);
        self.print_line("");
        self.print_banner();
    }
}
