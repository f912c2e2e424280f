//! What people do beside dealing: alerts, service, the clock, corrections of meters.

use operator_api::{Action, PersonId};
use table_rules::source::Point;

use crate::codes::Code;
use crate::controller::Controller;
use crate::day::Doubt;
use crate::felt::FELT_HELD;
use crate::input::PersonInput;
use crate::notice::Notice;
use crate::output::Outputs;
use crate::people::{self, Refused};
use crate::play::READER_WRONG;

impl Controller {
    pub(crate) fn on_person(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        if let Some(result) = self.play_action(person, out) {
            return result;
        }
        let roles = people::required_role(&person.action);
        if matches!(person.action, Action::InspectionAnswer { .. }) {
            // A floorperson has begun it with their PIN; a dealer need not have come yet.
            people::covers(person.by, roles)?;
        } else {
            self.check_dealer(person.by, roles)?;
        }
        self.on_other_action(person, out)
    }

    fn on_other_action(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let by = person.by;
        match &person.action {
            Action::SignIn => {
                let staff = by.ok_or_else(|| Refused::by(Code::WhoMayAct, "say who signs in"))?;
                self.state.signed_in = Some(staff.id);
                self.say(Notice::DealerSignedIn { person: staff.id }, &Code::NobodySignedIn.to_string(), out);
                Ok(())
            }
            Action::SignOut => {
                let person = self.state.signed_in.take();
                let person = person.ok_or_else(|| Refused::by(Code::NobodySignedIn, "nobody is signed in"))?;
                self.say(Notice::DealerSignedOut { person }, &Code::NobodySignedIn.to_string(), out);
                Ok(())
            }
            Action::Acknowledge { alert } => {
                let (by, source) = self.known_alert(*alert, person)?;
                let over = self.state.alerts.acknowledge(*alert, by).unwrap_or(false);
                self.say(Notice::AlertAcknowledged { alert: *alert, by }, &source, out);
                if over {
                    self.say(Notice::AlertCleared { alert: *alert, by: None }, &source, out);
                }
                Ok(())
            }
            Action::Clear { alert } => self.clear_alert(*alert, person, out),
            Action::BeginInspection { full } => self.begin_inspection(*full, person, out),
            Action::InspectionAnswer { answer } => self.answer_inspection(answer, person, out),
            Action::PauseInspection => self.pause_inspection(out),
            Action::EnterService | Action::LeaveService => self.service(person, out),
            Action::ConfirmClock => self.confirm_clock(person, out),
            Action::CorrectMeter { .. } => self.correct_meter(person, out),
            Action::ReplaceReader { serial } => {
                let (first, second) = people::second(by, person.second, people::SECOND_IN_CHARGE)?;
                if self.in_round() {
                    return Err(self.not_in_a_round());
                }
                self.state.inspections.full_needed = true;
                // Another device has seals and firmware of its own, and none of the old one's mistakes.
                self.state.inspections.firmware = None;
                self.state.inspections.seals = None;
                self.state.inspections.counters = Default::default();
                let source = self.cite(Point::ReaderMalfunction);
                let notice = Notice::ReaderReplaced { serial: serial.clone(), by: first.id, second: second.id };
                self.say(notice, &source, out);
                if let Some(alert) = self.state.alerts.remove_key(READER_WRONG) {
                    self.say(Notice::AlertCleared { alert, by: Some(first.id) }, &source, out);
                }
                Ok(())
            }
            Action::SettledByHand { reason } => {
                let foreign = self.state.foreign.take();
                let foreign = foreign.ok_or_else(|| Refused::by(Code::NothingThere, "no such round waits"))?;
                let by = by.map_or(PersonId(0), |staff| staff.id);
                let notice = Notice::RoundSettledByHand { round: foreign.round, reason: reason.clone(), by };
                self.say(notice, &Code::ForeignRound.to_string(), out);
                self.end_alert("foreign", &Code::ForeignRound.to_string(), out);
                Ok(())
            }
            Action::Play { .. }
            | Action::Reveal
            | Action::TurnUp { .. }
            | Action::FaceDown
            | Action::ChipCount { .. } => Ok(()),
        }
    }

    fn known_alert(&self, alert: u64, person: &PersonInput) -> Result<(PersonId, String), Refused> {
        let known = self.state.alerts.find(alert);
        let known = known.ok_or_else(|| Refused::by(Code::NothingThere, format!("there is no alert {alert}")))?;
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        Ok((by, known.source.clone()))
    }

    fn clear_alert(&mut self, alert: u64, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let (by, source) = self.known_alert(alert, person)?;
        let key = self.state.alerts.find(alert).map(|alert| alert.key.clone()).unwrap_or_default();
        if let Some(reason) = self.cause_stands(&key) {
            return Err(Refused { reason: reason.to_owned(), source });
        }
        self.state.alerts.remove(alert);
        self.say(Notice::AlertCleared { alert, by: Some(by) }, &source, out);
        if key == FELT_HELD {
            self.release_felt(out);
        }
        Ok(())
    }

    /// Why an alert of this key cannot be cleared yet: what it is about is still so.
    fn cause_stands(&self, key: &str) -> Option<&'static str> {
        let ended = self.state.alerts.with_key(key).is_some_and(|alert| alert.ended);
        match key {
            READER_WRONG => Some("a reader that gave a wrong answer is replaced by two people first"),
            "inspection" => Some("an inspection that passes clears it"),
            "clock" if self.state.day.doubt.is_some() => Some("the clock is confirmed first"),
            "foreign" if self.state.foreign.is_some() => Some("the round is settled by hand first"),
            "journal full" if !ended => Some("the disk still has no room"),
            _ if key.starts_with("fault ") && self.fault_stands(key) => Some("the device still reports the fault"),
            _ => None,
        }
    }

    pub(crate) fn not_in_a_round(&self) -> Refused {
        let (_, source) = self.engine.order();
        let reason = format!("not during a round: {}", self.engine.order_in_words());
        Refused { reason, source: source.to_string() }
    }

    pub(crate) fn not_now(&self) -> Refused {
        let (_, source) = self.engine.order();
        Refused { reason: format!("not now: {}", self.engine.order_in_words()), source: source.to_string() }
    }

    fn service(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        if self.in_round() {
            return Err(self.not_in_a_round());
        }
        let code = Code::ServiceMode.to_string();
        match (&person.action, self.state.service) {
            (Action::EnterService, None) => {
                self.state.service = Some(by);
                self.say(Notice::ServiceEntered { by }, &code, out);
                Ok(())
            }
            (Action::LeaveService, Some(_)) => {
                // Leaving forces the self-test: the reader must be reached and without a fault of its own.
                if self.config.has_reader && !self.state.reader.up {
                    let reason = "the reader is not reached; service mode ends with a working reader".to_owned();
                    return Err(Refused { reason, source: self.cite(Point::ReaderMalfunction) });
                }
                self.state.service = None;
                self.say(Notice::ServiceLeft { by }, &code, out);
                Ok(())
            }
            _ => Err(Refused::by(Code::ServiceMode, "service mode is already as asked")),
        }
    }

    fn confirm_clock(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let Some(doubt) = self.state.day.doubt else {
            return Err(Refused::by(Code::ClockDoubtful, "nobody doubts the clock"));
        };
        let second = match doubt {
            Doubt::Stepped => Some(people::second(person.by, person.second, people::SECOND_IN_CHARGE)?.1.id),
            Doubt::BeforeLastRecord | Doubt::NotSet => person.second.map(|staff| staff.id),
        };
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        self.state.day.doubt = None;
        // Whatever the clock said before, time is counted from here on.
        if let (Some(told), Some(clock)) = (&mut self.state.day.told, self.state.day.clock) {
            told.wall = clock.wall_ms.div_euclid(60_000);
        }
        self.say(Notice::ClockConfirmed { by, second }, &Code::ClockDoubtful.to_string(), out);
        if let Some(alert) = self.state.alerts.remove_key("clock") {
            self.say(Notice::AlertCleared { alert, by: Some(by) }, &Code::ClockDoubtful.to_string(), out);
        }
        Ok(())
    }

    fn correct_meter(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        use operator_api::MeterPool;
        use table_rules::meter::{Pool, StaffNumber, TwoPeople};
        use table_rules::money::{Cents, MeterName};
        let Action::CorrectMeter { wager, meter, pool, cents, reason } = &person.action else { return Ok(()) };
        let (first, second) = people::second(person.by, person.second, people::SECOND_IN_CHARGE)?;
        let source = self.cite(Point::ContributionsAtLock);
        let refused = |reason: String| Refused { reason, source: source.clone() };
        let wager = wager.parse().map_err(|_| refused(format!("{wager} is no wager")))?;
        let name = MeterName::ALL.into_iter().find(|name| name.name() == meter);
        let name = name.ok_or_else(|| refused(format!("{meter} is no meter")))?;
        let people = TwoPeople::new(StaffNumber(first.id.0), StaffNumber(second.id.0))
            .map_err(|error| refused(error.to_string()))?;
        let which = match pool {
            MeterPool::Meter => Pool::Meter,
            MeterPool::Reserve => Pool::Reserve,
            MeterPool::Overflow => Pool::Overflow,
        };
        let delta = Cents(*cents);
        let corrected = self.engine.correct_meter(wager, name, which, delta, people, reason);
        corrected.map_err(|error| refused(error.to_string()))?;
        let notice = Notice::MeterCorrected {
            wager,
            meter: name,
            pool: *pool,
            delta,
            reason: reason.clone(),
            people: [first.id, second.id],
        };
        self.say(notice, &source, out);
        Ok(())
    }
}
