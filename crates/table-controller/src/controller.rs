//! The one entry: an input comes in with its place in the journal; what it leads to comes out. Same inputs, same outputs.
//!
//! The polling order is: [`Controller::apply`], then the commands that open seals at once, then everything else when the
//! record is durable. A refused request leaves the state as it was and is not recorded.

use std::collections::BTreeSet;

use operator_api::{DayView, LastBox, PersonId};
use serde::{Deserialize, Serialize};
use table_rules::engine::Snapshot;
use table_rules::input::Input as RulesInput;
use table_rules::source::Point;
use table_rules::text::Capital;
use table_rules::{Engine, Events};

use crate::alerts::{Alerts, Moment, Saying, Stops};
use crate::codes::Code;
use crate::config::{Config, Spot};
use crate::day::{Day, Doubt, ReportedTime};
use crate::devices::{JOURNAL_DOUBT, StandingFault, doubt_text};
use crate::evidence::Verified;
use crate::input::{Clock, ForeignRound, Input, Started};
use crate::inspection::Inspections;
use crate::layout::Layout;
use crate::notice::{Notice, TableEvent};
use crate::output::{LampState, Outputs};
use crate::people::Refused;
use crate::play::{self, READER_WRONG};
use crate::reader::Reader;
use crate::recall::{Recall, RoundPlace};
use crate::record::Carried;
use crate::shoe::{FaceDown, Shoe};
use crate::shuffler::Shuffler;
use crate::work::WorkOrders;

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
    /// Stakes that went back on this dealer's word since the dealer signed in (H26).
    #[serde(default)]
    pub(crate) returned_on_word: u8,
    /// Who dealt last: another dealer after them burns a card, however the two changed places (7.B(4)).
    #[serde(default)]
    pub(crate) last_dealer: Option<PersonId>,
    /// Another dealer has come and the rules have not been told yet.
    #[serde(default)]
    pub(crate) relief_due: bool,
    /// The technician who has the table.
    pub(crate) service: Option<PersonId>,
    pub(crate) inspections: Inspections,
    pub(crate) alerts: Alerts,
    pub(crate) faults: BTreeSet<StandingFault>,
    pub(crate) reader: Reader,
    pub(crate) shuffler: Shuffler,
    pub(crate) shoes: [Shoe; 2],
    pub(crate) down: FaceDown,
    // The stored word of the first version.
    #[serde(rename = "felt")]
    pub(crate) layout: Layout,
    pub(crate) recall: Recall,
    pub(crate) foreign: Option<ForeignRound>,
    /// Why the journal that this was read from is not believed.
    #[serde(default)]
    pub(crate) journal_doubt: Option<String>,
    /// The boxes of the last round that was locked.
    #[serde(default)]
    pub(crate) last_boxes: Vec<LastBox>,
    /// What a technician has to see to.
    #[serde(default)]
    pub(crate) work: WorkOrders,
    /// Who approved the line that is being validated.
    pub(crate) approved_by: Option<PersonId>,
    /// When the steps of a verification were done.
    #[serde(default)]
    pub(crate) verified: Verified,
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
        state.work.clone_from(&carried.work);
        let moment = Moment { sequence: carried.sequence, wall_ms: None };
        // Not left to the first input alone: the power may go before that is recorded.
        if let Some(round) = carried.open_round {
            state.foreign = Some(ForeignRound { round, told: carried.told.clone() });
            let code = Code::ForeignRound;
            let (source, text) = (code.to_string(), code.meaning().to_owned());
            state.alerts.raise("foreign", Saying { stops: Stops::Nothing, source, text, fault: None }, moment);
        }
        let mut doubt = |key: &str, code: Code, text: String| {
            let text = Capital(&text).to_string();
            let saying = Saying { stops: Stops::Nothing, source: code.to_string(), text, fault: None };
            state.alerts.raise(key, saying, moment);
        };
        if let Some(why) = &carried.journal_doubt {
            doubt(JOURNAL_DOUBT, Code::JournalDoubtful, doubt_text(why));
        }
        if let Some(why) = carried.clock_doubt {
            doubt("clock", Code::ClockDoubtful, why.text().to_owned());
        }
        state.journal_doubt.clone_from(&carried.journal_doubt);
        state.day.doubt = carried.clock_doubt;
        if carried.reader_wrong {
            let source = Point::ReaderMalfunction.source(config.table.game).to_string();
            let text = Capital(play::READER_WRONG_TEXT).to_string();
            let saying = Saying { stops: Stops::UntilCleared, source, text, fault: None };
            state.alerts.raise(READER_WRONG, saying, moment);
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
        crate::record::written("a checkpoint", &whole)
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
        self.state.layout.shown.iter().map(|(spot, state)| (*spot, *state))
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
        self.tell_relief(out);
        self.place_early_cards(out);
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
            Input::Layout(event) => self.on_layout(event, out),
            Input::Fault(fault) => self.on_fault(fault, out),
            Input::Journal(event) => self.on_journal(event, out),
            Input::Chance { words } => self.on_chance(words, out),
            Input::Console(said) => self.on_console(said, out),
            Input::Pins(event) => self.on_pins(*event, out),
            Input::Person(person) => return self.on_person(person, out),
        }
        Ok(())
    }

    pub(crate) fn cite(&self, point: Point) -> String {
        point.source(self.config.table.game).to_string()
    }

    pub(crate) fn say(&self, notice: Notice, source: &str, out: &mut Outputs) {
        out.said.push(TableEvent::Table { notice, source: source.to_owned() });
    }

    /// Whether wagers can be laid: by the lock-out, by the round, or held closed by a start.
    pub fn wagers_are_locked(&self) -> bool {
        self.state.layout.locked || self.in_round()
    }

    /// Between the lock and the end of a round.
    pub fn in_round(&self) -> bool {
        use table_rules::engine::StageView;
        !matches!(self.engine.stage(), StageView::Closed | StageView::Preparing | StageView::Wagering)
    }

    fn on_started(&mut self, started: &Started, out: &mut Outputs) {
        let before = self.state.day.clock.map(|clock| clock.minute);
        let unset = !started.clock.trusted;
        let earlier = started.last_record_ms.is_some_and(|last| started.clock.wall_ms < last);
        if self.in_round() {
            let code = Code::PowerLostInRound;
            self.raise("power", Stops::Nothing, &code.to_string(), code.meaning(), out);
        }
        self.forget_seals(out);
        self.hold_layout(out);
        // Links come up anew; until they do, nothing is known of the devices.
        self.state.reader.up = false;
        self.state.reader.known = crate::reader::Known::Unknown;
        self.state.reader.answer_due = false;
        self.state.shuffler.link.up = false;
        self.state.shoes.iter_mut().for_each(|shoe| shoe.link.up = false);
        self.forget_faults(out);
        if let Some(foreign) = &started.foreign_round {
            self.state.foreign = Some(foreign.clone());
            let code = Code::ForeignRound;
            self.raise("foreign", Stops::Nothing, &code.to_string(), code.meaning(), out);
        }
        if !started.clock.is_plausible() {
            return self.doubt_clock(Doubt::Implausible, out);
        }
        if earlier || unset {
            let doubt = if earlier { Doubt::BeforeLastRecord } else { Doubt::NotSet };
            self.doubt_clock(doubt, out);
        }
        // A start is a new count of the monotonic clock: no step is read into it.
        let clock = Clock { ..started.clock };
        self.take_clock(clock, out);
        self.mark_interrupted_inspection(before);
    }

    fn on_clock(&mut self, clock: Clock, out: &mut Outputs) {
        if !clock.is_plausible() {
            // Once is enough, and the last good time stands.
            if self.state.day.doubt != Some(Doubt::Implausible) {
                self.doubt_clock(Doubt::Implausible, out);
            }
            return;
        }
        if self.state.day.steps_to(clock) || self.state.day.doubt == Some(Doubt::Implausible) {
            self.doubt_clock(Doubt::Stepped, out);
        }
        self.take_clock(clock, out);
    }

    fn doubt_clock(&mut self, doubt: Doubt, out: &mut Outputs) {
        // Two people confirm that a clock was moved; the power going and coming back makes it no lesser doubt.
        let weaker = match doubt {
            Doubt::BeforeLastRecord | Doubt::NotSet => self.state.day.doubt == Some(Doubt::Stepped),
            Doubt::Stepped | Doubt::Implausible => false,
        };
        let doubt = if weaker { Doubt::Stepped } else { doubt };
        self.state.day.doubt = Some(doubt);
        self.raise("clock", Stops::Nothing, &Code::ClockDoubtful.to_string(), doubt.text(), out);
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
        let Some(ReportedTime { wall: before, minute }) = self.state.day.told else {
            return self.tell_minute(ReportedTime { wall, minute: wall }, out);
        };
        if self.state.day.doubt == Some(Doubt::BeforeLastRecord) || wall <= before {
            return;
        }
        // Decks do not last for days: of a longer time only its end matters.
        let until = minute + (wall - before).min(3 * DAY);
        let mut minute = minute;
        while minute < until {
            minute = until.min(minute + DAY - 1);
            self.tell_minute(ReportedTime { wall, minute }, out);
        }
    }

    fn tell_minute(&mut self, told: ReportedTime, out: &mut Outputs) {
        self.state.day.told = Some(told);
        let minute = u16::try_from(told.minute.rem_euclid(24 * 60)).unwrap_or(0);
        self.follow_if_offered(&RulesInput::At(minute), out);
    }

    pub fn day_view(&self) -> DayView {
        self.state.day.view(self.state.inspections.passed_on(self.state.day.number()))
    }
}
