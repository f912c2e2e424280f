//! The one entry: an input comes in with its place in the journal; what it leads to comes out. Same inputs, same outputs.
//!
//! The polling order is: [`Controller::apply`], then the commands that open seals at once, then everything else when the
//! record is durable. A refused request leaves the state as it was and is not recorded.

use std::collections::BTreeSet;

use operator_api::{Action, DayView, PersonId, Role};
use serde::{Deserialize, Serialize};
use table_rules::engine::Snapshot;
use table_rules::input::Input as RulesInput;
use table_rules::source::Point;
use table_rules::{Engine, Events};

use crate::alerts::Alerts;
use crate::codes::Code;
use crate::config::{Config, Spot};
use crate::day::{Day, Doubt, Told};
use crate::felt::{FELT_HELD, Felt};
use crate::input::{Clock, ForeignRound, Input, Part, PersonInput, Started};
use crate::inspection::Inspections;
use crate::notice::{Notice, Said};
use crate::output::{LampState, Outputs};
use crate::people::{self, Refused};
use crate::play::{self, READER_WRONG};
use crate::reader::Reader;
use crate::recall::{Recall, RoundPlace};
use crate::record::Carried;
use crate::shoe::{FaceDown, Shoe};
use crate::shuffler::Shuffler;

/// An input's place in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    pub sequence: u64,
}

/// Everything but the rules engine, as plain data: a checkpoint keeps it whole.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The last record applied.
    pub(crate) sequence: u64,
    /// Grows with everything that an answer may hang on: the game moving, or another order on the screen.
    pub(crate) prompt_number: u64,
    pub(crate) day: Day,
    pub(crate) signed_in: Option<PersonId>,
    /// The technician who has the table.
    pub(crate) service: Option<PersonId>,
    pub(crate) inspections: Inspections,
    pub(crate) alerts: Alerts,
    pub(crate) faults: BTreeSet<(Part, String)>,
    pub(crate) reader: Reader,
    pub(crate) shuffler: Shuffler,
    pub(crate) shoes: [Shoe; 2],
    pub(crate) down: FaceDown,
    pub(crate) felt: Felt,
    pub(crate) recall: Recall,
    pub(crate) foreign: Option<ForeignRound>,
    /// Who approved the line that is being validated.
    pub(crate) approved_by: Option<PersonId>,
}

#[derive(Debug)]
pub struct Controller {
    pub(crate) config: Config,
    pub(crate) engine: Engine,
    pub(crate) state: State,
    pub(crate) events: Events,
    /// The rules have taken something since the prompt was numbered.
    pub(crate) moved: bool,
    /// What the numbered prompt depends on besides the rules. Made from the state, so it is not kept with it.
    aside: Aside,
}

/// What the order on the screen depends on besides the rules.
#[derive(PartialEq, Eq, Debug, Default)]
struct Aside {
    stop: Option<String>,
    inspection: Option<String>,
    foreign: bool,
    shoe_knows: bool,
}

/// A checkpoint that does not fit this table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotResumed {
    #[error("the checkpoint cannot be read: {0}; start from the journal's events instead")]
    Unreadable(String),
    #[error("the checkpoint does not fit this table: {0}")]
    NotThisTable(#[from] table_rules::engine::NotRestored),
}

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    engine: Snapshot,
    state: State,
    /// What a later version reads of it; see [`Carried`].
    carry: serde_json::Value,
}

impl Controller {
    /// A table that has never run: closed, nothing known.
    pub fn new(config: Config) -> Self {
        let engine = Engine::closed(config.table.clone(), config.tracking);
        Self::with(config, engine, State::default())
    }

    /// A closed table that goes on with what an earlier version of the software or the rules left.
    pub fn continued(config: Config, carried: &Carried) -> Self {
        let meters = carried.meters();
        let engine = Engine::continued(config.table.clone(), config.tracking, carried.round, &meters);
        let mut state = State { sequence: carried.sequence, ..State::default() };
        state.inspections.seals.clone_from(&carried.seals);
        state.inspections.full_needed = carried.full_needed;
        // Not left to the first input alone: the power may go before that is recorded.
        if let Some(round) = carried.open_round {
            state.foreign = Some(ForeignRound { round, told: carried.told.clone() });
            let code = Code::ForeignRound;
            state.alerts.raise("foreign", false, &code.to_string(), code.meaning(), carried.sequence);
        }
        if carried.reader_wrong {
            let source = Point::ReaderMalfunction.source(config.table.game).to_string();
            state.alerts.raise(READER_WRONG, true, &source, play::READER_WRONG_TEXT, carried.sequence);
        }
        Self::with(config, engine, state)
    }

    /// The table as it stood when the checkpoint was taken, by the same software and rules.
    pub fn resumed(config: Config, checkpoint: &[u8]) -> Result<Self, NotResumed> {
        let read: Checkpoint =
            serde_json::from_slice(checkpoint).map_err(|error| NotResumed::Unreadable(error.to_string()))?;
        let engine = Engine::restored(config.table.clone(), config.tracking, &read.engine)?;
        Ok(Self::with(config, engine, read.state))
    }

    fn with(config: Config, engine: Engine, state: State) -> Self {
        let aside = Aside::default();
        let mut controller = Self { config, engine, state, events: Events::new(), moved: false, aside };
        controller.aside = controller.aside();
        controller
    }

    fn aside(&self) -> Aside {
        Aside {
            stop: self.stops().into_iter().next().map(|stop| stop.reason),
            inspection: self.inspection_view().map(|inspection| inspection.text),
            foreign: self.state.foreign.is_some(),
            shoe_knows: self.shoe_knows_next_turn(),
        }
    }

    pub fn checkpoint(&self) -> Vec<u8> {
        let whole =
            Checkpoint { engine: self.engine.snapshot(), state: self.state.clone(), carry: Carried::form(self) };
        serde_json::to_vec(&whole).unwrap_or_default()
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn sequence(&self) -> u64 {
        self.state.sequence
    }

    pub fn prompt_number(&self) -> u64 {
        self.state.prompt_number
    }

    /// The last rounds, newest first.
    pub fn rounds(&self) -> impl Iterator<Item = &RoundPlace> {
        self.state.recall.places()
    }

    /// The dealer who signed in, whom the keys of the dealer's screen belong to.
    pub fn dealer(&self) -> Option<PersonId> {
        self.state.signed_in
    }

    /// What every lamp was last told.
    pub fn lamps(&self) -> impl Iterator<Item = (Spot, LampState)> {
        self.state.felt.shown.iter().map(|(spot, state)| (*spot, *state))
    }

    /// Who may ask for this as things stand; empty for whoever is at the dealer's screen.
    pub fn roles_for(&self, action: &Action) -> &'static [Role] {
        if let Action::Play { words } = action
            && let Ok(Some(input)) = table_rules::script::parse_line(words)
        {
            return people::role_for_input(&input, people::waits_for_second(&self.engine.order().0));
        }
        people::required_role(action)
    }

    /// Takes one input. Refused only for people: what a device says has happened.
    pub fn apply(&mut self, stamp: Stamp, input: &Input, out: &mut Outputs) -> Result<(), Refused> {
        let before = self.state.sequence;
        self.state.sequence = stamp.sequence;
        let (said, commands) = (out.said.len(), out.commands.len());
        let result = self.take(input, out);
        if let Err(refused) = result {
            self.state.sequence = before;
            out.said.truncate(said);
            out.commands.truncate(commands);
            return Err(refused);
        }
        self.keep_seals_in_step(out);
        self.reopen_if_wagering(out);
        self.arm_reader(out);
        self.show_lamps(matches!(input, Input::Started(_)), out);
        self.record_meters(out);
        self.number_prompt();
        Ok(())
    }

    /// A minute that passes, a link that comes up or an alert that is seen leaves the order as it was: whoever is about
    /// to answer it need not look again.
    fn number_prompt(&mut self) {
        let aside = self.aside();
        if std::mem::take(&mut self.moved) || aside != self.aside {
            self.state.prompt_number += 1;
            self.aside = aside;
        }
    }

    fn take(&mut self, input: &Input, out: &mut Outputs) -> Result<(), Refused> {
        match input {
            Input::Started(started) => self.on_started(started, out),
            Input::Clock(clock) => self.on_clock(*clock, out),
            Input::Reader(event) => self.on_reader(event, out),
            Input::Shuffler(event) => self.on_shuffler(event, out),
            Input::Shoe { side, event } => self.on_shoe(*side, event, out),
            Input::Felt(event) => self.on_felt(event, out),
            Input::Fault { part, code, raised } => self.on_fault(*part, code, *raised, out),
            Input::Journal(event) => self.on_journal(event, out),
            Input::Chance { words } => self.on_chance(words, out),
            Input::Person(person) => return self.on_person(person, out),
        }
        Ok(())
    }

    pub(crate) fn cite(&self, point: Point) -> String {
        point.source(self.config.table.game).to_string()
    }

    pub(crate) fn say(&self, notice: Notice, source: &str, out: &mut Outputs) {
        out.said.push(Said::Table { notice, source: source.to_owned() });
    }

    /// Whether wagers can be laid: by the lock-out, by the round, or held closed by a start.
    pub fn wagers_are_locked(&self) -> bool {
        self.state.felt.locked || self.in_round()
    }

    /// Between the lock and the end of a round.
    pub fn in_round(&self) -> bool {
        use table_rules::engine::StageView;
        !matches!(self.engine.stage(), StageView::Closed | StageView::Preparing | StageView::Wagering)
    }

    fn on_started(&mut self, started: &Started, out: &mut Outputs) {
        let unset = !started.clock.trusted;
        let earlier = started.last_record_ms.is_some_and(|last| started.clock.wall_ms < last);
        if self.in_round() {
            let code = Code::PowerLostInRound;
            self.raise("power", false, &code.to_string(), code.meaning(), out);
        }
        self.forget_seals(out);
        self.hold_felt(out);
        // Links come up anew; until they do, nothing is known of the devices.
        self.state.reader.up = false;
        self.state.reader.known = crate::reader::Known::Unknown;
        self.state.reader.answer_due = false;
        self.state.shuffler.link.up = false;
        self.state.shoes.iter_mut().for_each(|shoe| shoe.link.up = false);
        self.state.faults.clear();
        if let Some(foreign) = &started.foreign_round {
            self.state.foreign = Some(foreign.clone());
            let code = Code::ForeignRound;
            self.raise("foreign", false, &code.to_string(), code.meaning(), out);
        }
        if earlier || unset {
            let doubt = if earlier { Doubt::BeforeLastRecord } else { Doubt::NotSet };
            self.doubt_clock(doubt, out);
        }
        // A start is a new count of the monotonic clock: no step is read into it.
        let clock = Clock { ..started.clock };
        self.take_clock(clock, out);
    }

    fn on_clock(&mut self, clock: Clock, out: &mut Outputs) {
        if self.state.day.steps_to(clock) {
            self.doubt_clock(Doubt::Stepped, out);
        }
        self.take_clock(clock, out);
    }

    fn doubt_clock(&mut self, doubt: Doubt, out: &mut Outputs) {
        self.state.day.doubt = Some(doubt);
        self.raise("clock", false, &Code::ClockDoubtful.to_string(), doubt.text(), out);
    }

    fn take_clock(&mut self, clock: Clock, out: &mut Outputs) {
        let last = self.state.day.clock.replace(clock);
        if last.is_none_or(|last| clock.day > last.day) {
            let ended = DayView { day: last.map_or(clock.day, |last| last.day), ..self.day_view() };
            self.state.day.turned_ms = clock.wall_ms;
            if last.is_some() {
                let source = self.cite(Point::ReaderInspection);
                self.say(Notice::DayTurned { day: clock.day, ended }, &source, out);
                self.state.day.counts = Default::default();
            }
        }
        self.tell_time(clock, out);
    }

    /// The rules count how long decks are in use, by a time of day that only goes forward: for them, earlier means the
    /// next day. So they are told the minutes that passed, never the hour that the end of summer time repeats, nor the
    /// way back of a clock that was wrong.
    fn tell_time(&mut self, clock: Clock, out: &mut Outputs) {
        const DAY: i64 = 24 * 60;
        let wall = clock.wall_ms.div_euclid(60_000);
        let Some(Told { wall: before, minute }) = self.state.day.told else {
            return self.tell_minute(Told { wall, minute: wall }, out);
        };
        if self.state.day.doubt == Some(Doubt::BeforeLastRecord) || wall <= before {
            return;
        }
        // Decks do not last for days: of a longer time only its end matters.
        let until = minute + (wall - before).min(3 * DAY);
        let mut minute = minute;
        while minute < until {
            minute = until.min(minute + DAY - 1);
            self.tell_minute(Told { wall, minute }, out);
        }
    }

    fn tell_minute(&mut self, told: Told, out: &mut Outputs) {
        self.state.day.told = Some(told);
        let minute = u16::try_from(told.minute.rem_euclid(24 * 60)).unwrap_or(0);
        self.follow_if_offered(&RulesInput::At(minute), out);
    }

    pub fn day_view(&self) -> DayView {
        self.state.day.view(self.state.inspections.passed_on(self.state.day.number()))
    }

    fn on_person(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
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
        let (order, source) = self.engine.order();
        Refused { reason: format!("not during a round: {order}"), source: source.to_string() }
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
