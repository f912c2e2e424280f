//! Going through the daily inspection: answers from the floorperson, and what the devices say meanwhile.

use device_protocols::reader::ReaderCommand;
use operator_api::{InspectionRecord, PersonId, RecordPause};
use table_rules::source::Point;

use crate::alerts::Stops;
use crate::codes::Code;
use crate::config::Spot;
use crate::controller::Controller;
use crate::failing::FailReason;
use crate::input::{LayoutInput, LinkProtection, PersonInput, ReaderAnswer, ReaderCondition, UpCardGroup};
use crate::inspection::{Counters, Finished, Inspections, Running, Step, StepResult};
use crate::notice::Notice;
use crate::output::{Output, Outputs};
use crate::people::Refused;
use crate::reader::Known;
use crate::test_cards::{Judged, TestCard};

impl Controller {
    /// An inspection runs and is not paused.
    pub fn in_inspection(&self) -> bool {
        self.state.inspections.running.as_ref().is_some_and(|running| !running.paused)
    }

    /// The last signed inspections, newest first.
    pub fn inspection_records(&self) -> &[InspectionRecord] {
        &self.state.inspections.records
    }

    pub(crate) fn test_cards(&self) -> &[TestCard] {
        let Inspections { running, bench, .. } = &self.state.inspections;
        let full = !bench.runs && running.as_ref().is_some_and(|running| running.full);
        if full { &self.config.full_test_cards } else { &self.config.daily_test_cards }
    }

    /// The positions in the order in which they are tried: those with a sensor, and no others.
    pub(crate) fn spot_to_inspect(&self, at: usize) -> Option<Spot> {
        let seats = 1..=self.config.table.positions;
        let spots = seats.flat_map(|seat| self.config.spots.iter().map(move |each| Spot { seat, spot: each.spot }));
        spots.filter(|spot| self.config.has_sensor(*spot)).nth(at)
    }

    /// The minute of the day, as the table's clock was told.
    fn minute(&self) -> Option<u16> {
        self.state.day.clock.map(|clock| clock.minute)
    }

    pub(crate) fn begin_inspection(
        &mut self,
        full: bool,
        person: &PersonInput,
        out: &mut Outputs,
    ) -> Result<(), Refused> {
        if self.in_round() {
            return Err(self.not_in_a_round());
        }
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        let (day, minute) = (self.state.day.number(), self.minute());
        let source = self.cite(Point::ReaderInspection);
        match &mut self.state.inspections.running {
            // One that was paused goes on, the same day.
            Some(running) if running.day == day && running.paused => {
                running.paused = false;
                let step = running.step().name();
                if let Some(pause) = running.pauses.last_mut() {
                    pause.to = minute;
                }
                self.say(Notice::InspectionResumed { step, by }, &source, out);
            }
            Some(running) if running.day == day => {
                return Err(Refused { reason: "Inspection is already running".to_owned(), source });
            }
            Some(_) | None => {
                let full = full || self.state.inspections.full_needed;
                self.state.inspections.running = Some(Running::new(day, full, by, minute));
                self.say(Notice::InspectionBegun { day, full, by }, &source, out);
            }
        }
        if self.state.inspections.running.as_ref().is_some_and(|running| running.step() == Step::Lamps) {
            out.commands.push(Output::Reader(ReaderCommand::EnterTest));
        }
        self.enter_step(out);
        Ok(())
    }

    pub(crate) fn pause_inspection(&mut self, out: &mut Outputs) -> Result<(), Refused> {
        let (source, from) = (self.cite(Point::ReaderInspection), self.minute());
        let Some(running) = self.state.inspections.running.as_mut().filter(|running| !running.paused) else {
            return Err(Refused { reason: "No inspection is running".to_owned(), source });
        };
        running.paused = true;
        running.pauses.push(RecordPause { step: running.at + 1, from, to: None, restart: false });
        if running.step().tests_reader() {
            out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
        }
        self.say(Notice::InspectionPaused, &source, out);
        Ok(())
    }

    /// The controller was started in the middle of an inspection: the record says so, and it goes on where it was.
    pub(crate) fn mark_interrupted_inspection(&mut self, before: Option<u16>) {
        let to = self.minute();
        if let Some(running) = self.state.inspections.running.as_mut().filter(|running| !running.paused) {
            running.pauses.push(RecordPause { step: running.at + 1, from: before, to, restart: true });
        }
    }

    /// What a step needs of the devices, and steps that this table does not have.
    pub(crate) fn enter_step(&mut self, out: &mut Outputs) {
        loop {
            let Some(running) = &self.state.inspections.running else { return };
            let skipped = match running.step() {
                Step::Seals
                | Step::Housing
                | Step::Identity
                | Step::TestCards
                | Step::Lamps
                | Step::View
                | Step::Counters => !self.config.has_reader,
                Step::LockOut | Step::Positions => !self.config.has_layout || self.spot_to_inspect(0).is_none(),
                Step::Shuffler => !self.config.has_shuffler,
                Step::Signature => false,
            };
            if !skipped {
                break;
            }
            self.close_step(StepResult { passed: true, note: "this table has none".to_owned(), reason: None }, out);
        }
        let Some(running) = &self.state.inspections.running else { return };
        match running.step() {
            Step::TestCards => {
                out.commands.push(Output::Reader(ReaderCommand::EnterTest));
                self.arm_test(out);
            }
            // A reader shows its lamps in its test mode alone, and is in it after the cards.
            Step::Lamps => out.commands.push(Output::Reader(ReaderCommand::CycleLamps)),
            Step::LockOut => out.commands.push(Output::Reopen),
            Step::Signature
            | Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::View
            | Step::Positions
            | Step::Shuffler
            | Step::Counters => {}
        }
    }

    /// What the reader says of itself after a start of either side, against what it should be doing: a command may have
    /// been lost in between.
    pub(crate) fn keep_reader_test_in_step(&mut self, state: ReaderCondition, out: &mut Outputs) {
        let running = self.state.inspections.running.as_ref().filter(|running| !running.paused);
        let step = running.map(Running::step);
        let tests = self.state.inspections.bench.runs || step.is_some_and(Step::tests_reader);
        match (state, tests) {
            (ReaderCondition::Idle, true) => {
                out.commands.push(Output::Reader(ReaderCommand::EnterTest));
                if step == Some(Step::Lamps) {
                    out.commands.push(Output::Reader(ReaderCommand::CycleLamps));
                }
                self.arm_test(out);
            }
            (ReaderCondition::Testing, true) => self.arm_test(out),
            (ReaderCondition::Testing, false) => {
                self.state.reader.known = Known::Idle;
                out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
            }
            (
                ReaderCondition::Idle
                | ReaderCondition::Armed
                | ReaderCondition::Reading
                | ReaderCondition::Answered
                | ReaderCondition::Booting
                | ReaderCondition::Faulted
                | ReaderCondition::CoverOpen,
                _,
            ) => {}
        }
    }

    pub(crate) fn arm_test(&mut self, out: &mut Outputs) {
        let Inspections { running, bench, .. } = &self.state.inspections;
        let inspected = running.as_ref().filter(|each| each.step() == Step::TestCards && each.wrong.is_none());
        let part = if bench.runs { Some(bench.said.len()) } else { inspected.map(|running| running.part) };
        if let Some(card) = part.and_then(|part| self.test_cards().get(part)) {
            out.commands.push(Output::Reader(ReaderCommand::ArmTest { group: card.group }));
        }
    }

    fn close_step(&mut self, result: StepResult, out: &mut Outputs) {
        let source = self.cite(Point::ReaderInspection);
        let Some(running) = &mut self.state.inspections.running else { return };
        let step = running.step();
        let (name, passed, note) = (step.name(), result.passed, result.note.clone());
        let source = result.reason.map_or(source, |reason| self.cite_reason(step, reason));
        if let Some(running) = &mut self.state.inspections.running {
            running.close_step(result);
            if step.tests_reader() && !running.step().tests_reader() && self.config.has_reader {
                out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
            }
        }
        self.say(Notice::InspectionStep { step: name, passed, note }, &source, out);
    }

    pub(crate) fn pass_step(&mut self, note: &str, out: &mut Outputs) {
        self.close_step(StepResult { passed: true, note: note.to_owned(), reason: None }, out);
        self.enter_step(out);
    }

    /// Something does not pass: whoever inspects says why, or tries once more.
    pub(crate) fn find_wrong(&mut self, what: String, out: &mut Outputs) {
        let source = self.cite(Point::ReaderInspection);
        if let Some(running) = &mut self.state.inspections.running {
            let step = running.step().name();
            running.wrong = Some(what.clone());
            self.say(Notice::Noted { what: format!("inspection, {step}: {what}") }, &source, out);
        }
    }

    /// Whether something can be done once more: a card, a position, the lamps, what was wrong, or the step that failed.
    pub(crate) fn may_repeat(&self, running: &Running) -> bool {
        match running.step() {
            Step::Signature => running.failed().is_some(),
            Step::Lamps => true,
            Step::TestCards | Step::Positions => running.wrong.is_some() || running.part > 0,
            Step::Seals => running.wrong.is_some() || (running.seals.asked.is_none() && !running.seals.read.is_empty()),
            Step::Housing | Step::Identity | Step::View | Step::LockOut | Step::Shuffler | Step::Counters => {
                running.wrong.is_some()
            }
        }
    }

    fn repeat(&mut self, out: &mut Outputs) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let refused = || Refused { reason: "There is nothing to repeat".to_owned(), source: source.clone() };
        let running = self.state.inspections.running.as_ref().ok_or_else(refused)?;
        if !self.may_repeat(running) {
            return Err(refused());
        }
        let Some(running) = &mut self.state.inspections.running else { return Err(refused()) };
        let mut step = running.step();
        if step == Step::Signature {
            step = running.reopen_failed().ok_or_else(refused)?;
        } else {
            running.repeated += 1;
            // A wrong card is the one that is asked for still; after a right one it is the one before.
            if running.wrong.take().is_none() {
                running.part = running.part.saturating_sub(1);
            }
            running.chip_lies = false;
            if step == Step::Seals {
                running.seals.read.clear();
            }
        }
        self.say(Notice::InspectionRepeated { step: step.name() }, &source, out);
        self.enter_step(out);
        Ok(())
    }

    pub(crate) fn answer_inspection(
        &mut self,
        answer: &str,
        person: &PersonInput,
        out: &mut Outputs,
    ) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let refused = |reason: &str| Err(Refused { reason: reason.to_owned(), source: source.clone() });
        let running = self.state.inspections.running.as_ref().filter(|each| !each.paused);
        let Some((step, wrong)) = running.map(|running| (running.step(), running.wrong.is_some())) else {
            return refused("No inspection is running");
        };
        if answer == "repeat" {
            return self.repeat(out);
        }
        if step != Step::Signature && (answer == "fail" || answer.starts_with("fail ")) {
            let word = answer.strip_prefix("fail ").unwrap_or_default();
            let reason = FailReason::of(step).iter().copied().find(|reason| reason.word() == word);
            let Some(reason) = reason else {
                let words: Vec<&str> = FailReason::of(step).iter().map(|reason| reason.word()).collect();
                return refused(&format!("Say why it fails: {}", words.join(", ")));
            };
            self.fail_step(step, reason, out);
            return Ok(());
        }
        match (step, answer) {
            (Step::Signature, "sign") => self.sign_inspection(person, out),
            (Step::Signature, _) => refused("The floorperson who began the inspection signs, with their PIN"),
            _ if wrong => refused("Repeat it, or fail it for a reason"),
            (Step::Seals, said) => self.answer_seals(said, out),
            (Step::Identity, "pass") => {
                self.check_identity(out);
                Ok(())
            }
            (Step::TestCards | Step::LockOut | Step::Positions, _) => {
                refused("This step waits for the device: Fail gives it up")
            }
            (Step::Housing | Step::Lamps | Step::View | Step::Shuffler, "pass") => {
                self.pass_step("", out);
                Ok(())
            }
            (Step::Counters, "pass") => {
                let Counters { read, unread, wrong } = self.state.inspections.counters;
                let note = format!("{read} read, {unread} unread, {wrong} wrong");
                if wrong == 0 {
                    self.pass_step(&note, out);
                } else {
                    self.find_wrong(note, out);
                }
                Ok(())
            }
            (Step::Housing | Step::Identity | Step::Lamps | Step::View | Step::Shuffler | Step::Counters, _) => {
                refused("Pass or Fail")
            }
        }
    }

    fn fail_step(&mut self, step: Step, reason: FailReason, out: &mut Outputs) {
        let running = self.state.inspections.running.as_ref();
        let found = running.and_then(|running| running.wrong.clone());
        let part = running.map_or(0, |running| running.part);
        let where_ = match step {
            Step::Positions => self.spot_to_inspect(part).map(|spot| format!("seat {}, spot {}", spot.seat, spot.spot)),
            Step::TestCards => self.test_cards().get(part).map(|card| card.name.clone()),
            Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::Lamps
            | Step::View
            | Step::LockOut
            | Step::Shuffler
            | Step::Counters
            | Step::Signature => None,
        };
        let label = reason.label().0.to_lowercase();
        let note = match found.or(where_) {
            Some(found) => format!("{label}: {found}"),
            None => label,
        };
        self.close_step(StepResult { passed: false, note, reason: Some(reason) }, out);
        self.enter_step(out);
    }

    fn check_identity(&mut self, out: &mut Outputs) {
        let reader = self.state.reader.identity.clone();
        let known = self.state.inspections.firmware.clone();
        let same = self.state.reader.up && known.as_deref().is_none_or(|last| last == reader.firmware);
        let line = match reader.protection {
            Some(LinkProtection::Paired) => ", line paired",
            Some(LinkProtection::None) => ", line in the clear",
            None => "",
        };
        let note = format!("{} {}, firmware {}{line}", reader.model, reader.serial, reader.firmware);
        if same {
            self.state.inspections.firmware = Some(reader.firmware);
            self.pass_step(&note, out);
        } else if self.state.reader.up {
            self.find_wrong(format!("{note}, not the firmware of last time"), out);
        } else {
            self.find_wrong("the reader does not answer".to_owned(), out);
        }
    }

    fn sign_inspection(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        let cards = self.test_cards().to_vec();
        let Some(running) = self.state.inspections.running.take() else { return Ok(()) };
        if running.by != by {
            let reason = "The floorperson who began the inspection signs it".to_owned();
            self.state.inspections.running = Some(running);
            return Err(Refused { reason, source: Code::WhoMayAct.to_string() });
        }
        let passed = running.passed_so_far();
        self.state.inspections.last = Some(Finished { day: running.day, passed, by });
        self.keep_seals(&running);
        if passed && running.full {
            self.state.inspections.full_needed = false;
            // The whole set was read right: that is the check which S12 asks for.
            self.follow_if_offered(&table_rules::input::Input::ReaderRepaired, out);
        }
        self.say(Notice::InspectionStep { step: Step::Signature.name(), passed, note: String::new() }, &source, out);
        let work_orders = self.order_work_after(&running, by, out);
        let (steps, cards) = running.record(&cards);
        let record = InspectionRecord {
            table: self.config.table_id.clone(),
            game: self.config.table.game.id().to_owned(),
            day: running.day,
            full: running.full,
            passed,
            sequence: self.state.sequence,
            by,
            began: running.began,
            signed: self.minute(),
            steps,
            cards,
            repeated: running.repeated,
            pauses: running.pauses,
            work_orders,
            source: source.clone(),
        };
        self.say(Notice::InspectionRecord(Box::new(record.clone())), &source, out);
        self.state.inspections.keep(record);
        self.say(Notice::InspectionFinished { day: running.day, passed, by }, &source, out);
        if passed {
            if let Some(alert) = self.state.alerts.remove_key("inspection") {
                self.say(Notice::AlertCleared { alert, by: Some(by) }, &source, out);
            }
        } else {
            let text = "daily inspection failed: the table stays closed";
            self.raise("inspection", Stops::UntilCleared, &source, text, out);
        }
        Ok(())
    }

    /// What failed is the technician's next.
    fn order_work_after(&mut self, running: &Running, by: PersonId, out: &mut Outputs) -> Vec<u64> {
        let failed = running.failed().map(|(step, result)| (step, result.note.clone(), result.reason));
        let Some((step, note, reason)) = failed else { return Vec::new() };
        let source = match reason {
            Some(reason) => self.cite_reason(step, reason),
            None => self.cite(Point::ReaderInspection),
        };
        vec![self.open_work_order(step.place(), &note, &source, by, out)]
    }

    pub(crate) fn on_test_answer(&mut self, group: UpCardGroup, answer: ReaderAnswer, out: &mut Outputs) {
        if self.bench_takes(group, answer, out) {
            return;
        }
        let Some(running) = self.state.inspections.running.as_ref().filter(|each| !each.paused) else { return };
        if running.step() != Step::TestCards || running.wrong.is_some() {
            return;
        }
        let part = running.part;
        let Some(card) = self.test_cards().get(part).cloned() else { return };
        let judged = card.judge(group, answer);
        if judged == Judged::TooEarly {
            let what = format!("{} was inserted before the reader was ready for it: once more", card.name);
            self.say(Notice::Noted { what }, &self.cite(Point::ReaderInspection), out);
            return self.arm_test(out);
        }
        if let Some(running) = &mut self.state.inspections.running {
            if running.reads.len() <= part {
                running.reads.resize(part + 1, Vec::new());
            }
            running.reads[part].push(answer);
        }
        match judged {
            Judged::TooEarly => {}
            Judged::Wrong(note) => self.find_wrong(note, out),
            Judged::Right if part + 1 == self.test_cards().len() => {
                let note = format!("{} insertions, none wrong", part + 1);
                self.pass_step(&note, out);
            }
            Judged::Right => {
                if let Some(running) = &mut self.state.inspections.running {
                    running.part += 1;
                }
                self.arm_test(out);
            }
        }
    }

    /// What the felt says belongs to the inspection while one runs.
    pub(crate) fn inspects_layout(&mut self, input: &LayoutInput, out: &mut Outputs) -> bool {
        let Some(running) = self.state.inspections.running.as_ref().filter(|each| !each.paused) else { return false };
        let (step, part, lies) = (running.step(), running.part, running.chip_lies);
        match (step, input) {
            (Step::LockOut, LayoutInput::Split { .. }) => {
                out.commands.push(Output::Reopen);
                self.pass_step("the button closes the sensors", out);
            }
            (Step::Positions, LayoutInput::Placed(spot)) if self.spot_to_inspect(part) == Some(*spot) => {
                if let Some(running) = &mut self.state.inspections.running {
                    running.chip_lies = true;
                }
            }
            (Step::Positions, LayoutInput::Removed(spot)) if lies && self.spot_to_inspect(part) == Some(*spot) => {
                if let Some(running) = &mut self.state.inspections.running {
                    running.part += 1;
                    running.chip_lies = false;
                }
                if self.spot_to_inspect(part + 1).is_none() {
                    let note = format!("{} positions", part + 1);
                    self.pass_step(&note, out);
                }
            }
            _ => {}
        }
        true
    }
}
