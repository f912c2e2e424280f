//! A command's questions on standard input and output.

use std::io::{self, BufRead, Write};

use operator_api::{PersonId, Picture, Role};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::console::{Dialog, Login, Person, TableLogin};
use crate::hidden;
use crate::output::{self, Failure};

/// Whoever runs `holecard ctl`.
#[derive(Debug)]
pub(super) struct Talk {
    login: TableLogin,
    person: Option<Person>,
    json: bool,
}

impl Talk {
    pub(super) fn new(login: TableLogin, json: bool) -> Self {
        Self { login, person: None, json }
    }

    /// Asks who it is: what changes something has a name.
    pub(super) fn identify(&mut self) -> Result<(), Failure> {
        self.person = Some(self.ask_for("number").ok_or_else(|| Failure::Refused("number or PIN wrong".to_owned()))?);
        Ok(())
    }

    fn ask_for(&self, what: &str) -> Option<Person> {
        let number: PersonId = PersonId(ask(&format!("{what}: "))?.trim().parse().ok()?);
        let pin: Zeroizing<String> = hidden::read("PIN").ok()?;
        let (number, role) = self.login.log_in(number, pin.clone()).ok()?;
        Some(Person { number, role, pin })
    }
}

/// One line; `None` at the end of the input.
fn ask(question: &str) -> Option<String> {
    let mut errors = io::stderr();
    write!(errors, "{question}").and_then(|()| errors.flush()).ok()?;
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

impl Dialog for Talk {
    fn person(&self) -> Option<Person> {
        self.person.clone().or_else(|| {
            // Looking needs no PIN here: the socket and the files asked who this user is.
            Some(Person { number: PersonId(0), role: Role::Technician, pin: Zeroizing::new(String::new()) })
        })
    }

    fn line(&mut self, text: &str, data: Value) {
        let mut out = output::stdout();
        // Nobody is left to tell where the output has gone.
        let _gone = if self.json { writeln!(out, "{data}") } else { writeln!(out, "{text}") };
    }

    fn confirm(&mut self, text: &str) -> bool {
        ask(&format!("{text} type yes: ")).is_some_and(|answer| answer == "yes")
    }

    fn second(&mut self, text: &str, roles: &[Role]) -> Option<Person> {
        let mut errors = io::stderr();
        writeln!(errors, "{text}").ok()?;
        let second = self.ask_for("second number")?;
        let other = self.person.as_ref().is_none_or(|first| first.number != second.number);
        (other && roles.contains(&second.role)).then_some(second)
    }

    fn part(&mut self, text: &str) {
        let mut out = output::stdout();
        let _gone = if self.json { Ok(()) } else { write!(out, "{text}").and_then(|()| out.flush()) };
    }

    fn words(&mut self, question: &str) -> Option<String> {
        ask(question)
    }

    fn pasted(&mut self) -> Option<String> {
        ask("")
    }

    fn stopped(&self) -> bool {
        false
    }

    fn mark(&self) -> Option<Picture> {
        None
    }

    fn set_mark(&mut self, _: Picture) {}
}
