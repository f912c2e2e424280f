//! Number and PIN: asked for on other threads, given up where nothing answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use operator_api::{PersonId, Role};
use table_controller::READ_ONLY_RUNG;
use tech_console::{Access, LoginResult};
use zeroize::Zeroizing;

use super::{Checked, Desk, Event, Step};
use crate::console::greeting;
use crate::console::jumper::{self, Rung};
use crate::console::people::NotIn;
use crate::console::run::Person;

/// A check of a PIN that takes longer finds nobody: the disk behind it does not answer.
const LOGIN_WITHIN: Duration = Duration::from_secs(12);
/// In the place of a number that nobody has checked: it may be a PIN that was typed at the wrong question.
pub(super) const NOBODY: u32 = 0;
const WRONG: &str = "wrong number or PIN";

impl Desk<'_> {
    pub(super) fn begin_check(&mut self, step: Step) -> u64 {
        self.attempts += 1;
        self.checking = Some((self.attempts, Instant::now(), step));
        self.attempts
    }

    pub(super) fn check_pin(&mut self, number: PersonId, pin: Zeroizing<String>) {
        let attempt = self.begin_check(Step::Pin(number));
        let (login, events, visits) = (Arc::clone(&self.login), self.events.clone(), self.visits.clone());
        let at_ms = self.world.moment(None).unix_ms;
        std::thread::spawn(move || {
            let result = login.log_in(number, pin.clone());
            let before = match &result {
                Ok((number, _)) => visits.enter(*number, at_ms),
                Err(NotIn::Wrong | NotIn::WrongAndLocked(_)) => {
                    visits.wrong(number);
                    None
                }
                Err(NotIn::Locked(_) | NotIn::OneTimeCode | NotIn::CannotBeChecked(_)) => None,
            };
            let _gone = events.send(Event::LoggedIn(attempt, number, Box::new(Checked { pin, result, before })));
        });
    }

    pub(super) fn give_up_checking(&mut self) {
        let Some((_, since, step)) = self.checking.filter(|(_, since, _)| since.elapsed() >= LOGIN_WITHIN) else {
            return;
        };
        self.checking = None;
        match step {
            Step::MayTry(number) => self.session.handle_login(number, LoginResult::AskPin),
            Step::Pin(number) => {
                let why = format!("no answer in {} s", since.elapsed().as_secs());
                let (pin, result) = (Zeroizing::new(String::new()), Err(NotIn::CannotBeChecked(why)));
                self.take_checked(number, Checked { pin, result, before: None });
            }
        }
    }

    pub(super) fn take_checked(&mut self, number: PersonId, checked: Checked) {
        let Checked { pin, result, before } = checked;
        let (who, noted, result) = match result {
            Ok((number, role)) if role != Role::Dealer => {
                let access = Access::Person { number, role };
                let last = greeting::words(before, self.world.moment(None));
                let greeting = format!("{} {}. {last}? for help", number.0, role.word());
                self.session.handle_login(number, LoginResult::In { access, greeting });
                // Nobody waits for it any more if the line was broken off meanwhile.
                if self.session.access() == Some(access) {
                    self.person = Some(Person { number, role, pin });
                    self.note_as(number.0, "login", "done");
                }
                return;
            }
            Ok(_) => (number.0, "refused", "not you: a dealer has no console [TC-005]".to_owned()),
            Err(NotIn::Wrong) => (NOBODY, WRONG, "number or PIN wrong: try again".to_owned()),
            Err(NotIn::WrongAndLocked(seconds)) => {
                (NOBODY, WRONG, format!("number or PIN wrong: locked for {seconds} s, here and at the screen"))
            }
            Err(NotIn::Locked(seconds)) => (NOBODY, "locked", locked_words(seconds)),
            Err(NotIn::OneTimeCode) => return self.session.handle_login(number, LoginResult::AskNewPin),
            Err(NotIn::CannotBeChecked(why)) => {
                let at = self.world.moment(None).date_time();
                if let Rung::Jumper(line) = jumper::rung(&self.world) {
                    self.note_as(NOBODY, "login", &format!("no jumper on {line}: {why}"));
                    let said = format!("PINs cannot be checked, and no jumper is on {line}: set it, then try again");
                    return self.session.handle_login(number, LoginResult::Refused(said));
                }
                // Why stands in the record: a path helps nobody who may not read it.
                self.note_as(NOBODY, "login", &format!("{READ_ONLY_RUNG} at {at}: {why}"));
                let greeting = "PINs cannot be checked: status why disk ver, unit status. ? for help".to_owned();
                return self.session.handle_login(number, LoginResult::In { access: Access::Rung, greeting });
            }
        };
        self.note_as(who, "login", noted);
        self.session.handle_login(number, LoginResult::Refused(result));
    }
}

pub(super) fn locked_words(seconds: u64) -> String {
    format!("locked for {seconds} s more: wait; nothing was counted")
}
