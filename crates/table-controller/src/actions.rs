//! What people do beside dealing: alerts, service, the clock, corrections of meters.

use operator_api::{Action, FREE_TEXT_CHARS_MAX, PersonId, Role, is_plain};
use table_rules::engine::StageView;
use table_rules::input::{Input as RulesInput, Text};
use table_rules::source::Point;

use crate::alerts::Stops;
use crate::bench::Bench;
use crate::codes::Code;
use crate::controller::Controller;
use crate::day::Doubt;
use crate::devices::JOURNAL_DOUBT;
use crate::input::{PersonInput, Staff};
use crate::layout::LAYOUT_HELD;
use crate::notice::Notice;
use crate::output::Outputs;
use crate::people::{self, Refused};
use crate::play::READER_WRONG;

/// The alert that a visit of the floor ends.
const FLOOR_CALLED: &str = "floor called";

impl Controller {
    pub(crate) fn on_person(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        // What it says first: a record is read line by line, and nobody writes a line of their own into it.
        if !person.action.free_texts().into_iter().all(is_plain) {
            let reason = format!("at most {FREE_TEXT_CHARS_MAX} characters that can be seen, without a break");
            return Err(Refused::by(Code::NothingThere, reason));
        }
        self.permit(person)?;
        if let Some(result) = self.play_action(person, out) {
            return result;
        }
        self.on_other_action(person, out)
    }

    fn on_other_action(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let by = person.by;
        match &person.action {
            Action::SignIn => self.sign_in(person, out),
            Action::SignOut => {
                let person = self.state.signed_in.take();
                let person = person.ok_or_else(|| Refused::by(Code::NobodySignedIn, "nobody is signed in"))?;
                self.say(Notice::DealerSignedOut { person }, &Code::NobodySignedIn.to_string(), out);
                Ok(())
            }
            Action::Acknowledge { alert } => self.acknowledge(*alert, person, out),
            Action::AcknowledgeAll => {
                let unseen = self.state.alerts.unseen();
                if unseen.is_empty() {
                    return Err(Refused::by(Code::NothingThere, "every alert has been seen"));
                }
                unseen.into_iter().try_for_each(|alert| self.acknowledge(alert, person, out))
            }
            Action::Clear { alert } => self.clear_alert(*alert, person, out),
            Action::BeginInspection { full } => self.begin_inspection(*full, person, out),
            Action::InspectionAnswer { answer } => self.answer_inspection(answer, person, out),
            Action::PauseInspection => self.pause_inspection(out),
            Action::EnterService | Action::LeaveService => self.service(person, out),
            Action::TestDevice { test } => self.test_device(*test, person, out),
            Action::ConfirmClock => self.confirm_clock(person, out),
            Action::CorrectMeter { .. } => self.correct_meter(person, out),
            Action::ReplaceReader { serial } => {
                let (first, second) = people::two(person)?;
                if self.in_round() {
                    return Err(self.not_in_a_round());
                }
                self.state.inspections.full_needed = true;
                // Another device has seals and firmware of its own, and none of the old one's mistakes.
                self.state.inspections.firmware = None;
                self.state.inspections.seals.forget_readers();
                self.state.inspections.counters = Default::default();
                let source = self.cite(Point::ReaderMalfunction);
                let notice = Notice::ReaderReplaced { serial: serial.clone(), by: first.id, second: second.id };
                self.say(notice, &source, out);
                if let Some(alert) = self.state.alerts.remove_key(READER_WRONG) {
                    self.say(Notice::AlertCleared { alert, by: Some(first.id) }, &source, out);
                }
                Ok(())
            }
            Action::PairDevice { device, .. } => {
                let (first, second) = people::two(person)?;
                if self.state.service.is_none() {
                    return Err(Refused::by(Code::ServiceMode, "a device is paired in service mode"));
                }
                let notice = Notice::DevicePaired { device: device.clone(), by: first.id, second: second.id };
                self.say(notice, &Code::ServiceMode.to_string(), out);
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
            Action::OpenWorkOrder { place, what } => self.ask_for_work(place, what, person, out),
            Action::CloseWorkOrder { order, done } => self.close_work_order(*order, done, person, out),
            Action::AcceptJournal { reason } => self.accept_journal(person, reason, out),
            Action::CallFloor => {
                let code = Code::FloorCalled;
                self.raise(FLOOR_CALLED, Stops::Nothing, &code.to_string(), "dealer calls the floor", out);
                Ok(())
            }
            Action::OpenVisit | Action::EndVisit { .. } => {
                self.note_visit(person, out);
                let in_charge = by.is_some_and(|by| matches!(by.role, Role::Floorperson | Role::Manager));
                if in_charge && person.action == Action::OpenVisit {
                    self.end_alert(FLOOR_CALLED, &Code::FloorCalled.to_string(), out);
                }
                Ok(())
            }
            Action::Play { .. }
            | Action::Words { .. }
            | Action::Reveal
            | Action::TurnUp { .. }
            | Action::FaceDown
            | Action::ChipCount { .. } => Ok(()),
        }
    }

    /// Two people go on from this journal, whatever its witness says. What was missing stays on record with their names.
    fn accept_journal(&mut self, person: &PersonInput, reason: &str, out: &mut Outputs) -> Result<(), Refused> {
        let (first, second) = people::two(person)?;
        if reason.trim().is_empty() {
            return Err(Refused::by(Code::JournalDoubtful, "say what was looked for and why it is missing"));
        }
        let why = self.state.journal_doubt.take();
        let why = why.ok_or_else(|| Refused::by(Code::NothingThere, "nobody doubts the journal"))?;
        let people = [first.id, second.id];
        let source = Code::JournalDoubtful.to_string();
        self.say(Notice::JournalAccepted { why, reason: reason.to_owned(), people }, &source, out);
        if let Some(alert) = self.state.alerts.remove_key(JOURNAL_DOUBT) {
            self.say(Notice::AlertCleared { alert, by: Some(first.id) }, &source, out);
        }
        Ok(())
    }

    /// Begins a stint. Whoever comes after another dealer relieves them, and the rules are told of it: a card is burnt.
    fn sign_in(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let staff = person.by.ok_or_else(|| Refused::by(Code::WhoMayAct, "say who signs in"))?;
        self.state.relief_due |= self.state.last_dealer.is_some_and(|before| before != staff.id);
        self.takes_over(staff.id, out);
        Ok(())
    }

    /// The rules hear of another dealer when bets are open next; a table that is closed has nothing to burn for.
    pub(crate) fn tell_relief(&mut self, out: &mut Outputs) {
        if matches!(self.engine.stage(), StageView::Closed) {
            self.state.relief_due = false;
        }
        let dealer = self.state.signed_in.filter(|_| self.state.relief_due && self.engine.is_wagering());
        if let Some(name) = dealer.and_then(|dealer| Text::new(&dealer.0.to_string())) {
            self.state.relief_due = false;
            self.follow_if_offered(&RulesInput::DealerChange(name), out);
        }
    }

    pub(crate) fn takes_over(&mut self, dealer: PersonId, out: &mut Outputs) {
        self.state.signed_in = Some(dealer);
        self.state.returned_on_word = 0;
        self.state.last_dealer = Some(dealer);
        self.say(Notice::DealerSignedIn { person: dealer }, &Code::NobodySignedIn.to_string(), out);
    }

    /// Visits live in the daemon; here they become part of the record.
    fn note_visit(&self, person: &PersonInput, out: &mut Outputs) {
        let Some(Staff { id: by, role }) = person.by else { return };
        let notice = if let Action::EndVisit { how } = person.action {
            Notice::VisitEnded { by, how }
        } else {
            Notice::VisitOpened { by, role }
        };
        self.say(notice, &Code::WhoMayAct.to_string(), out);
    }

    fn acknowledge(&mut self, alert: u64, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let (by, source) = self.known_alert(alert, person)?;
        let over = self.state.alerts.acknowledge(alert, by).unwrap_or(false);
        self.say(Notice::AlertAcknowledged { alert, by }, &source, out);
        if over {
            self.say(Notice::AlertCleared { alert, by: None }, &source, out);
        }
        Ok(())
    }

    fn known_alert(&self, alert: u64, person: &PersonInput) -> Result<(PersonId, String), Refused> {
        let known = self.state.alerts.find(alert);
        let known = known.ok_or_else(|| Refused::by(Code::NothingThere, format!("there is no alert {alert}")))?;
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        Ok((by, known.saying.source.clone()))
    }

    fn clear_alert(&mut self, alert: u64, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let (by, source) = self.known_alert(alert, person)?;
        let key = self.state.alerts.find(alert).map(|alert| alert.key.clone()).unwrap_or_default();
        if let Some(reason) = self.cause_stands(&key) {
            return Err(Refused { reason: reason.to_owned(), source });
        }
        self.state.alerts.remove(alert);
        self.say(Notice::AlertCleared { alert, by: Some(by) }, &source, out);
        if key == LAYOUT_HELD {
            self.release_layout(out);
        }
        Ok(())
    }

    /// Why an alert of this key cannot be cleared yet: what it is about is still so.
    fn cause_stands(&self, key: &str) -> Option<&'static str> {
        let ended = self.state.alerts.with_key(key).is_some_and(|alert| alert.ended.is_some());
        match key {
            READER_WRONG => Some("A reader that gave a wrong answer is replaced by two people first"),
            "inspection" => Some("An inspection that passes clears it"),
            JOURNAL_DOUBT if self.state.journal_doubt.is_some() => Some("Two people accept the journal first"),
            "clock" if self.state.day.doubt.is_some() => Some("The clock is confirmed first"),
            "foreign" if self.state.foreign.is_some() => Some("The round is settled by hand first"),
            "journal full" if !ended => Some("The disk still has no room"),
            _ if key.starts_with("fault ") && self.fault_stands(key) => Some("The device still reports the fault"),
            _ => None,
        }
    }

    pub(crate) fn not_in_a_round(&self) -> Refused {
        let (_, source) = self.engine.order();
        let reason = format!("Not during a round. First: {}", self.engine.order_in_words());
        Refused { reason, source: source.to_string() }
    }

    pub(crate) fn not_now(&self) -> Refused {
        let (_, source) = self.engine.order();
        Refused { reason: format!("Not now. First: {}", self.engine.order_in_words()), source: source.to_string() }
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
                self.state.inspections.bench = Bench::default();
                self.say(Notice::ServiceEntered { by }, &code, out);
                Ok(())
            }
            (Action::LeaveService, Some(_)) => {
                // A device may be away for repair: what it stops stays stopped by itself.
                self.end_reader_test(out);
                self.state.service = None;
                let full = std::mem::take(&mut self.state.inspections.bench).worked_on_reader && self.config.has_reader;
                self.state.inspections.full_needed |= full;
                self.say(Notice::ServiceLeft { by, full }, &code, out);
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
            Doubt::Stepped => Some(people::two(person)?.1.id),
            Doubt::BeforeLastRecord | Doubt::NotSet => person.second.map(|staff| staff.id),
            Doubt::Implausible => return Err(Refused::by(Code::ClockDoubtful, doubt.text())),
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
        let (first, second) = people::two(person)?;
        let source = self.cite(Point::ContributionsAtLock);
        let refused = |reason: String| Refused { reason, source: source.clone() };
        let wager = wager.parse().map_err(|_| refused(format!("{wager} is not a bet of this table")))?;
        let name = MeterName::ALL.into_iter().find(|name| name.name() == meter);
        let name = name.ok_or_else(|| refused(format!("{meter} is not a meter of this table")))?;
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
