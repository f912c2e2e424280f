//! Questions that a command asks before it goes on: yes, a second person, a few words.

use operator_api::PersonId;
use zeroize::Zeroizing;

use super::{Field, LINE_BYTES_MAX, LOGIN_BYTES_MAX, Millis, Request, Session, State};
use crate::text;

/// What a command wants to know. The text stands before the question, on its line where it fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// `type yes:`; anything else, or 30 s, is no.
    Yes(String),
    /// `second number:` and `PIN:`.
    Second(String),
    /// The PIN again, of the second person whose number stands in the text.
    Pin(String, PersonId),
    /// Words of the person's own; the text is the question.
    Words(String),
    /// A line of a text that is pasted: no question at all.
    Paste,
}

#[derive(Debug)]
pub(super) struct Question {
    kind: Kind,
    pub(super) since: Millis,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Yes,
    SecondNumber,
    SecondPin(PersonId),
    Words,
}

impl Question {
    /// Words may take their time; the logout ends them.
    pub(super) fn expires(&self) -> bool {
        self.kind != Kind::Words
    }
}

impl Session {
    pub fn handle_ask(&mut self, ask: Ask) {
        if self.running.is_none() {
            return;
        }
        let (text, tail, kind) = match ask {
            Ask::Yes(text) => (text, "type yes: ", Kind::Yes),
            Ask::Second(text) => (text, "second number: ", Kind::SecondNumber),
            Ask::Pin(text, number) => (text, "PIN: ", Kind::SecondPin(number)),
            Ask::Words(text) => (text, "", Kind::Words),
            Ask::Paste => (String::new(), "", Kind::Words),
        };
        if !text.is_empty() {
            self.print_question(&text, tail.len());
        }
        self.ahead_is_for(kind);
        self.out.extend_from_slice(tail.as_bytes());
        self.state = State::Asking(Question { kind, since: self.now });
        let (field, bytes_max) = match kind {
            Kind::Yes | Kind::SecondNumber => (Field::Plain, LOGIN_BYTES_MAX),
            Kind::SecondPin(_) => (Field::Hidden, LOGIN_BYTES_MAX),
            Kind::Words => (Field::Plain, LINE_BYTES_MAX),
        };
        self.editor.begin(field, bytes_max);
        while matches!(self.state, State::Asking(_)) {
            let Some(key) = self.ahead.pop_front() else { return };
            self.edit(key);
        }
    }

    /// Keys that were pressed before the question was there answer no question that confirms anything.
    fn ahead_is_for(&mut self, kind: Kind) {
        if kind != Kind::Words {
            self.ahead.clear();
        }
    }

    /// The text wrapped, with room for the question behind its last line.
    fn print_question(&mut self, text: &str, tail: usize) {
        let mut lines = text::wrap("", 0, text);
        let last = lines.pop().unwrap_or_default();
        for line in lines {
            self.print_line(&line);
        }
        if last.len() + 1 + tail >= text::COLUMNS {
            self.print_line(&last);
        } else {
            self.out.extend_from_slice(last.as_bytes());
            self.out.push(b' ');
        }
    }

    pub(super) fn take_answer(&mut self, line: Zeroizing<String>) {
        let State::Asking(question) = &self.state else { return };
        let request = match question.kind {
            Kind::Yes => Request::Yes(line.trim() == "yes"),
            Kind::Words => Request::Text(line.to_string()),
            Kind::SecondNumber => {
                let number = line.trim().parse().ok().filter(|_| line.trim().bytes().all(|byte| byte.is_ascii_digit()));
                match number {
                    Some(number) => {
                        self.state =
                            State::Asking(Question { kind: Kind::SecondPin(PersonId(number)), since: self.now });
                        self.editor.begin(Field::Hidden, LOGIN_BYTES_MAX);
                        self.out.extend_from_slice(b"PIN: ");
                        return;
                    }
                    None => Request::Yes(false),
                }
            }
            Kind::SecondPin(number) => Request::Second { number, pin: line },
        };
        self.go_on(request);
    }

    /// Ctrl-C, time or noise: no.
    pub(super) fn decline(&mut self) {
        let State::Asking(question) = &self.state else { return };
        let request = if question.kind == Kind::Words { Request::Stop } else { Request::Yes(false) };
        self.go_on(request);
    }

    fn go_on(&mut self, request: Request) {
        self.state = State::Running { started: self.now, stopped: matches!(request, Request::Stop) };
        self.requests.push_back(request);
    }
}
