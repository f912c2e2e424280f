//! Number and PIN, with the banner before them.

use operator_api::PersonId;
use zeroize::Zeroizing;

use super::{Field, LOGIN_BYTES_MAX, Request, Session, State};
use crate::access::Access;

/// What became of a step of the login.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoginResult {
    /// The number may try a PIN.
    AskPin,
    /// What was typed is a one-time code: a PIN is set with it.
    AskNewPin,
    /// Somebody is in, with a line of greeting.
    In { access: Access, greeting: String },
    /// Not in; what to print behind the `% `.
    Refused(String),
}

impl Session {
    pub fn handle_login(&mut self, number: PersonId, result: LoginResult) {
        if !matches!(self.state, State::Checking) {
            return;
        }
        match result {
            LoginResult::AskPin => {
                self.state = State::Pin(number);
                self.editor.begin(Field::Hidden, LOGIN_BYTES_MAX);
                self.out.extend_from_slice(b"PIN: ");
                self.take_keys_ahead();
            }
            LoginResult::AskNewPin => {
                self.ahead.clear();
                self.print_line("A one-time code. Choose a PIN of 6 to 12 digits; nobody else ever sees it.");
                self.ask_new_pin(number, None);
            }
            LoginResult::In { access, greeting } => {
                self.code = Zeroizing::default();
                self.access = Some(access);
                self.print_line(&greeting);
                self.show_prompt();
            }
            LoginResult::Refused(reason) => {
                // What was typed ahead was meant for somebody who is in.
                self.ahead.clear();
                self.print_error(&reason);
                self.ask_number();
            }
        }
    }

    fn ask_new_pin(&mut self, number: PersonId, first: Option<Zeroizing<String>>) {
        let question: &[u8] = if first.is_some() { b"new PIN again: " } else { b"new PIN: " };
        self.state = State::NewPin { number, first };
        self.editor.begin(Field::Hidden, LOGIN_BYTES_MAX);
        self.out.extend_from_slice(question);
    }

    /// Twice, because nobody sees a slip.
    pub(super) fn take_new_pin(&mut self, number: PersonId, first: Option<Zeroizing<String>>, line: Zeroizing<String>) {
        match first {
            None => self.ask_new_pin(number, Some(line)),
            Some(first) if first == line => {
                self.state = State::Checking;
                let code = std::mem::take(&mut self.code);
                self.requests.push_back(Request::SetPin { number, code, pin: line });
            }
            Some(_) => {
                self.print_error("the two differ: start again with your number and the code");
                self.ask_number();
            }
        }
    }

    pub(super) fn take_number(&mut self, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return self.ask_number();
        }
        let digits = line.bytes().all(|byte| byte.is_ascii_digit());
        match line.parse().ok().filter(|_| digits) {
            Some(number) => {
                self.state = State::Checking;
                self.requests.push_back(Request::MayTry(PersonId(number)));
            }
            None => {
                self.print_error("a number has digits only: type your number, then your PIN");
                self.ask_number();
            }
        }
    }

    pub(super) fn ask_number(&mut self) {
        self.code = Zeroizing::default();
        self.state = State::Number;
        self.editor.begin(Field::Plain, LOGIN_BYTES_MAX);
        self.out.extend_from_slice(b"number: ");
        self.take_keys_ahead();
    }

    pub(super) fn print_banner(&mut self) {
        let first = format!("Holecard {}  technician's console  {}", self.table, self.settings.port);
        self.print_line(&first);
        self.print_line("Every command is recorded with your number. BREAK starts again from here.");
        if let Some(PersonId(number)) = self.in_service_by {
            self.print_line(&format!("In service mode: {number}."));
        }
    }
}
