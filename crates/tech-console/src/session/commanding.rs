//! A line that was typed at the prompt.

use super::{Rate, Request, Session, State};
use crate::access;
use crate::command::Id;
use crate::grammar;
use crate::output::{NotDone, Output, json_error};
use crate::text::Moment;

impl Session {
    pub(super) fn take_command(&mut self, line: &str) {
        let invocation = match grammar::parse(line, &self.names) {
            Ok(Some(invocation)) => invocation,
            Ok(None) => return self.show_prompt(),
            Err(trouble) => {
                let reason = trouble.to_string();
                self.print_error(&reason);
                self.requests
                    .push_back(Request::Refused { words: without_digits(line), reason: without_digits(&reason) });
                return self.show_prompt();
            }
        };
        let Some(access) = self.access else { return };
        if invocation.command.id == Id::Exit {
            return self.exit();
        }
        if invocation.command.id == Id::Help {
            let lines = match invocation.argument.as_str() {
                "" => grammar::help(),
                word => grammar::help_of(word),
            };
            let data = serde_json::json!({ "lines": lines });
            self.running = Some(invocation);
            return self.handle_output(Output::text(lines, data), Moment::default());
        }
        if let Err(refused) = access::check(invocation.command, access, self.situation) {
            self.requests.push_back(Request::Refused { words: invocation.typed.clone(), reason: refused.to_string() });
            if invocation.json {
                let error = NotDone::from(refused);
                self.print_line(&json_error(&invocation.command.name(), Moment::default(), &error));
            } else {
                self.print_error(&refused.to_string());
            }
            return self.show_prompt();
        }
        self.running = Some(invocation.clone());
        self.state = State::Running { started: self.now, stopped: false };
        self.rate = Rate::default();
        self.requests.push_back(Request::Run(invocation));
    }
}

/// A line that was not understood may be a PIN that was typed too late: its digits are on no record.
fn without_digits(line: &str) -> String {
    line.chars().map(|sign| if sign.is_ascii_digit() { '#' } else { sign }).collect()
}
