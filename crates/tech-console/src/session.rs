//! One person at one port, from the banner to the logout.
//!
//! A machine without waiting: bytes, time and answers are handed in with `handle_*`; after each, take everything from
//! [`Session::poll_request`], then [`Session::poll_output`], and come back at [`Session::poll_deadline`] at the latest.

mod asking;
mod commanding;
mod login;
mod printing;
mod timing;

use std::collections::VecDeque;

use operator_api::PersonId;
use zeroize::Zeroizing;

use crate::access::{Access, Mode, Situation};
use crate::editor::{Edited, Editor, Field, LINE_BYTES_MAX, LOGIN_BYTES_MAX};
use crate::grammar::{Invocation, Names};
use crate::keys::{Key, Keys};
use crate::output::{NotDone, Output, json_error, json_line};
use crate::text::{self, Moment};

pub use asking::Ask;
use asking::Question;
pub use login::LoginResult;
use printing::{Notices, Rate};

/// Milliseconds on a clock that only goes forward.
pub type Millis = u64;

/// Lines of a page; the terminal's last one is for the question.
const PAGE_LINES: usize = 23;
const MORE: &str = "-- more: Space page, Enter line, q quit --";
/// Keys that may wait while a command runs.
const KEYS_AHEAD_MAX: usize = 256;
/// What a terminal that takes nothing may keep waiting.
const OUTPUT_BYTES_MAX: usize = 256 * 1024;
const NOISE_LINES: u32 = 3;
const NOISE_BYTES: u32 = 16;
const NOISE_BANNER_EVERY_MS: Millis = 5_000;

/// What a port is called, and whether it marks disturbed bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `ttyAMA10 115200 8N1`.
    pub port: String,
    pub marks_noise: bool,
}

/// What the session wants of the world.
#[derive(Debug)]
pub enum Request {
    /// May this number try a PIN now?
    MayTry(PersonId),
    LogIn {
        number: PersonId,
        pin: Zeroizing<String>,
    },
    /// Set this person's first PIN; end with [`Session::handle_login`].
    SetPin {
        number: PersonId,
        code: Zeroizing<String>,
        pin: Zeroizing<String>,
    },
    /// Carry this out; end with [`Session::handle_output`] or [`Session::handle_not_done`].
    Run(Invocation),
    Yes(bool),
    Second {
        number: PersonId,
        pin: Zeroizing<String>,
    },
    Text(String),
    /// Somebody pressed a key in a stream, or Ctrl-C.
    Stop,
    /// Nothing to carry out, for the record: a line that was not understood or is not this person's to say.
    Refused {
        words: String,
        reason: String,
    },
    LoggedOut,
}

#[derive(Debug)]
enum State {
    Number,
    /// The login waits for an answer.
    Checking,
    Pin(PersonId),
    NewPin {
        number: PersonId,
        /// What was typed the first time.
        first: Option<Zeroizing<String>>,
    },
    Prompt,
    Running {
        started: Millis,
        stopped: bool,
    },
    Asking(Question),
    Paging(VecDeque<String>),
}

#[derive(Debug)]
pub struct Session {
    settings: Settings,
    keys: Keys,
    editor: Editor,
    state: State,
    /// What was typed last as a PIN, in case it is a one-time code. Wiped when the login is over.
    code: Zeroizing<String>,
    access: Option<Access>,
    table: String,
    situation: Situation,
    in_service_by: Option<PersonId>,
    names: Names,
    now: Millis,
    last_key: Millis,
    warned: bool,
    running: Option<Invocation>,
    ahead: VecDeque<Key>,
    out: Vec<u8>,
    held_since: Option<Millis>,
    requests: VecDeque<Request>,
    notices: Notices,
    rate: Rate,
    /// A line was begun whose end comes later: news waits for it.
    part_open: bool,
    tab_before: bool,
    noise_lines: u32,
    noise_bytes: u32,
    noise_banner: Option<Millis>,
}

impl Session {
    /// Starts with the banner.
    pub fn new(settings: Settings, now: Millis) -> Self {
        let mut session = Self {
            keys: Keys::new(settings.marks_noise),
            settings,
            editor: Editor::new(LOGIN_BYTES_MAX),
            state: State::Number,
            code: Zeroizing::default(),
            access: None,
            table: "?".to_owned(),
            situation: Situation { mode: Mode::Down, round_open: true, in_service: false },
            in_service_by: None,
            names: Names::default(),
            now,
            last_key: now,
            warned: false,
            running: None,
            ahead: VecDeque::new(),
            out: Vec::new(),
            held_since: None,
            requests: VecDeque::new(),
            notices: Notices::default(),
            rate: Rate::default(),
            part_open: false,
            tab_before: false,
            noise_lines: 0,
            noise_bytes: 0,
            noise_banner: None,
        };
        session.editor.begin(Field::Plain, LOGIN_BYTES_MAX);
        session
    }

    pub fn access(&self) -> Option<Access> {
        self.access
    }

    pub fn situation(&self) -> Situation {
        self.situation
    }

    /// Whether a stream or another command is under way.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// `BJ-07 round> `.
    pub fn prompt(&self) -> String {
        let rung = if self.access == Some(Access::Rung) { " ro" } else { "" };
        format!("{} {}{rung}> ", self.table, self.situation.mode.word())
    }

    /// What holds at the table now.
    pub fn handle_situation(&mut self, table: &str, situation: Situation, in_service_by: Option<PersonId>) {
        self.table = text::ascii(table);
        self.situation = situation;
        self.in_service_by = in_service_by;
    }

    pub fn handle_names(&mut self, names: Names) {
        self.names = names;
    }

    /// Begins: prints the banner and asks for a number.
    pub fn begin(&mut self) {
        self.print_banner();
        self.ask_number();
    }

    pub fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.handle_time(now);
        for byte in bytes {
            if let Some(key) = self.keys.handle_byte(*byte) {
                self.handle_key(key);
            }
        }
    }

    /// The cable was pulled, or the terminal's window closed.
    pub fn handle_hang_up(&mut self, now: Millis) {
        self.handle_time(now);
        self.log_out();
        self.out.clear();
    }

    fn handle_key(&mut self, key: Key) {
        self.last_key = self.now;
        self.warned = false;
        match key {
            Key::Break => {
                self.log_out();
                self.held_since = None;
                self.print_line("");
                self.begin();
                return;
            }
            Key::Hold => {
                self.held_since.get_or_insert(self.now);
                return;
            }
            Key::Release => {
                self.held_since = None;
                return;
            }
            Key::Noise => self.note_noise(),
            Key::Text(_)
            | Key::Enter
            | Key::Erase
            | Key::EraseLine
            | Key::EraseWord
            | Key::Interrupt
            | Key::EndOfInput
            | Key::Redraw
            | Key::Tab
            | Key::Older
            | Key::Newer
            | Key::Idle => {}
        }
        self.take_key(key);
        // A terminal that takes nothing loses what it was to show, and nothing else.
        self.out.truncate(OUTPUT_BYTES_MAX);
    }

    fn take_key(&mut self, key: Key) {
        match &mut self.state {
            State::Running { stopped, .. } => {
                let streams =
                    self.running.as_ref().is_some_and(|run| run.command.manner == crate::command::Manner::Stream);
                if streams || key == Key::Interrupt {
                    if !std::mem::replace(stopped, true) {
                        self.requests.push_back(Request::Stop);
                    }
                } else {
                    self.keep_key(key);
                }
            }
            State::Checking if key == Key::Interrupt => {
                self.out.extend_from_slice(b"\r\n");
                self.ahead.clear();
                self.ask_number();
            }
            State::Checking => self.keep_key(key),
            State::Paging(_) => self.page_key(key),
            State::Number | State::Pin(_) | State::NewPin { .. } | State::Prompt | State::Asking(_) => self.edit(key),
        }
    }

    fn keep_key(&mut self, key: Key) {
        if self.ahead.len() < KEYS_AHEAD_MAX {
            self.ahead.push_back(key);
        } else {
            self.out.push(0x07);
        }
    }

    /// What was typed while a command ran. Nothing of it can confirm anything.
    fn take_keys_ahead(&mut self) {
        while matches!(self.state, State::Number | State::Pin(_) | State::Prompt) {
            let Some(key) = self.ahead.pop_front() else { return };
            self.take_key(key);
        }
    }

    fn edit(&mut self, key: Key) {
        let tab_before = std::mem::replace(&mut self.tab_before, key == Key::Tab);
        match self.editor.handle_key(key, &mut self.out) {
            Edited::Nothing => {}
            Edited::Line(line) => self.take_line(line),
            Edited::Spoilt(bytes) => self.drop_spoilt(bytes),
            Edited::Interrupted => self.interrupt(),
            Edited::Ended => match self.state {
                State::Prompt => self.exit(),
                State::Number
                | State::Pin(_)
                | State::NewPin { .. }
                | State::Checking
                | State::Running { .. }
                | State::Asking(_)
                | State::Paging(_) => self.out.push(0x07),
            },
            Edited::Redraw => {
                self.out.extend_from_slice(b"\r\n");
                self.print_prompt_again();
            }
            Edited::Choices => {
                self.out.push(b'?');
                self.show_choices();
            }
            Edited::Complete => self.complete(tab_before),
        }
    }

    fn take_line(&mut self, line: Zeroizing<String>) {
        self.noise_lines = 0;
        match &self.state {
            State::Number => self.take_number(&line),
            State::Pin(number) => {
                let number = *number;
                self.state = State::Checking;
                self.code = line.clone();
                self.requests.push_back(Request::LogIn { number, pin: line });
            }
            State::NewPin { number, first } => {
                let (number, first) = (*number, first.clone());
                self.take_new_pin(number, first, line);
            }
            State::Prompt => self.take_command(&line),
            State::Asking(_) => self.take_answer(line),
            State::Checking | State::Running { .. } | State::Paging(_) => {}
        }
    }

    fn interrupt(&mut self) {
        match self.state {
            State::Prompt => self.show_prompt(),
            State::Number | State::Pin(_) | State::NewPin { .. } => self.ask_number(),
            State::Asking(_) => self.decline(),
            State::Checking | State::Running { .. } | State::Paging(_) => {}
        }
    }

    fn exit(&mut self) {
        self.print_line("");
        self.log_out();
        self.begin();
    }

    fn log_out(&mut self) {
        if self.running.take().is_some() {
            self.requests.push_back(Request::Stop);
        }
        if self.access.take().is_some() {
            self.requests.push_back(Request::LoggedOut);
        }
        self.ahead.clear();
        self.editor.forget_history();
        self.notices = Notices::default();
        self.state = State::Number;
        self.editor.begin(Field::Plain, LOGIN_BYTES_MAX);
    }

    fn show_prompt(&mut self) {
        self.state = State::Prompt;
        self.running = None;
        self.editor.begin(Field::Command, LINE_BYTES_MAX);
        self.print_notices();
        let prompt = self.prompt();
        self.out.extend_from_slice(prompt.as_bytes());
        self.take_keys_ahead();
    }

    /// A line of a stream, or of a command that takes a while.
    pub fn handle_line(&mut self, line: &str, data: &serde_json::Value, at: Moment) {
        let Some(run) = &self.running else { return };
        let (json, name) = (run.json, run.command.name());
        let fits = match &run.filter {
            Some(crate::output::Filter::Find(text)) => line.to_ascii_lowercase().contains(&text.to_ascii_lowercase()),
            Some(crate::output::Filter::Count) | None => true,
        };
        if !fits {
            return;
        }
        if self.out.len() > OUTPUT_BYTES_MAX / 2 || !self.rate.takes(self.now) {
            self.rate.leave_out();
            return;
        }
        self.print_left_out();
        if json {
            self.print_line(&json_line(&name, at, data));
        } else {
            self.print_line(line);
        }
    }

    /// The beginning of a line whose end comes later: what somebody is to do now.
    pub fn handle_part(&mut self, text: &str) {
        if self.running.as_ref().is_some_and(|run| !run.json && run.filter.is_none()) {
            self.part_open = true;
            self.out.extend_from_slice(text::ascii(text).as_bytes());
        }
    }

    fn print_left_out(&mut self) {
        if let Some(left_out) = self.rate.left_out() {
            self.print_line(&format!("... {} lines left out", text::count(left_out)));
        }
    }

    /// The command is done and this is what it says.
    pub fn handle_output(&mut self, output: Output, at: Moment) {
        let Some(run) = self.running.take() else { return };
        self.print_left_out();
        if run.json {
            self.print_line(&json_line(&run.command.name(), at, &output.data));
            return self.show_prompt();
        }
        let lines = output.shown(run.filter.as_ref());
        if run.all || run.command.manner == crate::command::Manner::Stream {
            for line in &lines {
                self.print_line(line);
            }
            return self.show_prompt();
        }
        let mut rest: VecDeque<String> = lines.into();
        self.print_page(&mut rest, PAGE_LINES);
    }

    pub fn handle_not_done(&mut self, error: &NotDone, at: Moment) {
        let Some(run) = self.running.take() else { return };
        if run.json {
            self.print_line(&json_error(&run.command.name(), at, error));
        } else {
            self.print_error(&error.text());
        }
        self.show_prompt();
    }

    /// A fault raised or cleared, or a change of mode: printed where it disturbs nobody.
    pub fn handle_notice(&mut self, text: &str) {
        if self.access.is_some() {
            self.notices.push(text::ascii(text));
            self.print_notices_if_quiet();
        }
    }

    /// What the terminal gets now.
    pub fn poll_output(&mut self) -> Vec<u8> {
        if self.held_since.is_some() { Vec::new() } else { std::mem::take(&mut self.out) }
    }

    pub fn poll_request(&mut self) -> Option<Request> {
        self.requests.pop_front()
    }
}
