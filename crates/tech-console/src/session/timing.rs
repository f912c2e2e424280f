//! What time does to a session: streams end, questions expire, nobody stays logged in.

use super::{Millis, Request, Session, State};
use crate::command::Manner;

const WARN_IDLE_MS: Millis = 4 * 60_000;
const LOGOUT_IDLE_MS: Millis = 5 * 60_000;
const STREAM_MAX_MS: Millis = 10 * 60_000;
const CONFIRM_WITHIN_MS: Millis = 30_000;
/// Ctrl-S holds no longer, so that a terminal left behind holds nothing for ever.
const HOLD_MAX_MS: Millis = 60_000;

impl Session {
    pub fn handle_time(&mut self, now: Millis) {
        self.now = self.now.max(now);
        if self.held_since.is_some_and(|since| self.now - since >= HOLD_MAX_MS) {
            self.held_since = None;
        }
        self.print_notices_if_quiet();
        match &mut self.state {
            State::Running { started, stopped } => {
                let streams = self.running.as_ref().is_some_and(|run| run.command.manner == Manner::Stream);
                if streams {
                    // A stream is watched without a key; it has its own end.
                    self.last_key = self.now;
                    if self.now - *started >= STREAM_MAX_MS && !std::mem::replace(stopped, true) {
                        self.requests.push_back(Request::Stop);
                    }
                }
                return;
            }
            State::Asking(question) if self.now - question.since >= CONFIRM_WITHIN_MS && question.expires() => {
                self.out.extend_from_slice(b"\r\n");
                self.decline();
            }
            State::Number
            | State::Checking
            | State::Pin(_)
            | State::NewPin { .. }
            | State::Prompt
            | State::Asking(_)
            | State::Paging(_) => {}
        }
        let idle = self.now - self.last_key;
        if self.access.is_none() && !matches!(self.state, State::Pin(_) | State::NewPin { .. }) {
            return;
        }
        if idle >= LOGOUT_IDLE_MS {
            self.print_line("");
            self.print_line("* logged out: 5 min without a key");
            self.log_out();
            self.last_key = self.now;
            self.begin();
        } else if idle >= WARN_IDLE_MS && !std::mem::replace(&mut self.warned, true) && self.access.is_some() {
            self.handle_notice("logout in 60 s without a key");
        }
    }

    /// When to come back though nothing happened.
    pub fn poll_deadline(&self) -> Option<Millis> {
        let idle = self.access.is_some() || matches!(self.state, State::Pin(_) | State::NewPin { .. });
        let running = match &self.state {
            State::Running { started, .. } => Some(started + STREAM_MAX_MS),
            State::Asking(question) if question.expires() => Some(question.since + CONFIRM_WITHIN_MS),
            State::Number
            | State::Checking
            | State::Pin(_)
            | State::NewPin { .. }
            | State::Prompt
            | State::Asking(_)
            | State::Paging(_) => None,
        };
        [
            idle.then(|| self.last_key + if self.warned { LOGOUT_IDLE_MS } else { WARN_IDLE_MS }),
            self.held_since.map(|since| since + HOLD_MAX_MS),
            self.notices.deadline(),
            running,
        ]
        .into_iter()
        .flatten()
        .min()
    }
}
