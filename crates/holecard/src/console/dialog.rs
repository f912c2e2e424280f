//! A command's side of the conversation: it runs on a thread of its own and asks through the loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use operator_api::{PersonId, Picture, Role};
use serde_json::Value;
use tech_console::Ask;
use tech_console::access::one_of;
use zeroize::Zeroizing;

use super::desk::Event;
use super::people::{Login, NotIn};
use super::run::{Dialog, Person};

/// What somebody answered to a running command.
pub(super) enum Reply {
    Yes(bool),
    Second(PersonId, Zeroizing<String>),
    Text(String),
}

pub(super) struct OnThread {
    pub(super) number: u64,
    pub(super) events: Sender<Event>,
    pub(super) answers: Receiver<Reply>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) person: Option<Person>,
    pub(super) login: Arc<dyn Login>,
    pub(super) mark: Option<Picture>,
}

impl OnThread {
    fn ask(&self, ask: Ask) -> Option<Reply> {
        self.events.send(Event::Ask(self.number, ask)).ok()?;
        self.answers.recv().ok()
    }

    fn tell(&self, text: &str) {
        let _gone = self.events.send(Event::Line(self.number, text.to_owned(), Value::Null));
    }
}

impl Dialog for OnThread {
    fn person(&self) -> Option<Person> {
        self.person.clone()
    }

    fn line(&mut self, text: &str, data: Value) {
        let _gone = self.events.send(Event::Line(self.number, text.to_owned(), data));
    }

    fn confirm(&mut self, text: &str) -> bool {
        matches!(self.ask(Ask::Yes(text.to_owned())), Some(Reply::Yes(true)))
    }

    fn second(&mut self, text: &str, roles: &[Role]) -> Option<Person> {
        let Some(Reply::Second(number, pin)) = self.ask(Ask::Second(text.to_owned())) else { return None };
        if self.person.as_ref().is_some_and(|first| first.number == number) {
            self.tell("% not you: two people means two numbers [TC-006]");
            return None;
        }
        match self.login.log_in(number, pin.clone()) {
            Ok((number, role)) if roles.contains(&role) => Some(Person { number, role, pin }),
            Ok(_) => {
                self.tell(&format!("% not you: it takes {} [TC-006]", one_of(roles)));
                None
            }
            Err(NotIn::Wrong) => {
                self.tell("% number or PIN wrong: try again");
                None
            }
            Err(NotIn::WrongAndLocked(seconds) | NotIn::Locked(seconds)) => {
                self.tell(&format!("% locked for {seconds} s, here and at the screen"));
                None
            }
            Err(NotIn::OneTimeCode) => {
                self.tell("% a one-time code: log in with it first and set your PIN");
                None
            }
            Err(NotIn::CannotBeChecked(_)) => {
                self.tell("% PINs cannot be checked: look: disk");
                None
            }
        }
    }

    fn part(&mut self, text: &str) {
        let _gone = self.events.send(Event::Part(self.number, text.to_owned()));
    }

    fn words(&mut self, question: &str) -> Option<String> {
        match self.ask(Ask::Words(question.to_owned()))? {
            Reply::Text(line) => Some(line),
            Reply::Yes(_) | Reply::Second(..) => None,
        }
    }

    fn pasted(&mut self) -> Option<String> {
        match self.ask(Ask::Paste)? {
            Reply::Text(line) => Some(line),
            Reply::Yes(_) | Reply::Second(..) => None,
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    fn mark(&self) -> Option<Picture> {
        self.mark.clone()
    }

    fn set_mark(&mut self, picture: Picture) {
        let _gone = self.events.send(Event::Mark(Box::new(picture)));
    }
}
