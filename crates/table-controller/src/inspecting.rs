//! Going through the daily inspection: answers from the floorperson, and what the devices say meanwhile.

use device_protocols::reader::{ReaderCommand, UpCardGroup};
use operator_api::PersonId;
use table_rules::source::Point;

use crate::codes::Code;
use crate::config::Spot;
use crate::controller::Controller;
use crate::input::{AnswerWord, FeltInput, GroupWord, PersonInput, ReaderStateWord};
use crate::inspection::{Counters, Finished, Running, Step, TestCard};
use crate::notice::Notice;
use crate::output::{Output, Outputs};
use crate::people::Refused;
use crate::reader::Known;

impl Controller {
    /// An inspection runs and is not paused.
    pub fn in_inspection(&self) -> bool {
        self.state.inspections.running.as_ref().is_some_and(|running| !running.paused)
    }

    pub(crate) fn test_cards(&self) -> &[TestCard] {
        let full = self.state.inspections.running.as_ref().is_some_and(|running| running.full);
        if full { &self.config.full_test_cards } else { &self.config.daily_test_cards }
    }

    /// The positions in the order in which they are tried.
    pub(crate) fn spot_to_inspect(&self, at: usize) -> Option<Spot> {
        let spots = &self.config.spots;
        let seat = u8::try_from(at.checked_div(spots.len())?).ok()? + 1;
        (seat <= self.config.table.positions).then(|| Spot { seat, spot: spots[at % spots.len()].spot })
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
        let day = self.state.day.number();
        let source = self.cite(Point::ReaderInspection);
        match &mut self.state.inspections.running {
            // One that was paused goes on, the same day.
            Some(running) if running.day == day && running.paused => running.paused = false,
            Some(running) if running.day == day => {
                return Err(Refused { reason: "the inspection is already running".to_owned(), source });
            }
            Some(_) | None => {
                let full = full || self.state.inspections.full_needed;
                self.state.inspections.running = Some(Running {
                    day,
                    full,
                    by,
                    paused: false,
                    at: 0,
                    part: 0,
                    chip_lies: false,
                    results: Vec::new(),
                });
                self.say(Notice::InspectionBegun { day, full, by }, &source, out);
            }
        }
        self.enter_step(out);
        Ok(())
    }

    pub(crate) fn pause_inspection(&mut self, out: &mut Outputs) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let Some(running) = self.state.inspections.running.as_mut().filter(|running| !running.paused) else {
            return Err(Refused { reason: "no inspection is running".to_owned(), source });
        };
        running.paused = true;
        out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
        self.say(Notice::InspectionPaused, &source, out);
        Ok(())
    }

    /// What a step needs of the devices, and steps that this table does not have.
    fn enter_step(&mut self, out: &mut Outputs) {
        loop {
            let Some(running) = &self.state.inspections.running else { return };
            let skipped = match running.step() {
                Step::Seals | Step::Housing | Step::Identity | Step::TestCards | Step::Indicators | Step::Counters => {
                    !self.config.has_reader
                }
                Step::LockOut | Step::Positions => !self.config.has_felt || self.config.spots.is_empty(),
                Step::Shuffler => !self.config.has_shuffler,
                Step::Signature => false,
            };
            if !skipped {
                break;
            }
            self.close_step(true, "this table has none", out);
        }
        let Some(running) = &self.state.inspections.running else { return };
        match running.step() {
            Step::TestCards => {
                out.commands.push(Output::Reader(ReaderCommand::EnterTest));
                self.arm_test(out);
            }
            Step::Indicators => {
                out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
                out.commands.push(Output::Reader(ReaderCommand::CycleLamps));
            }
            Step::LockOut => out.commands.push(Output::Reopen),
            Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::Positions
            | Step::Shuffler
            | Step::Counters
            | Step::Signature => {}
        }
    }

    /// What the reader says of itself after a start of either side, against what it should be doing: a command may have
    /// been lost in between.
    pub(crate) fn keep_reader_test_in_step(&mut self, state: ReaderStateWord, out: &mut Outputs) {
        let running = self.state.inspections.running.as_ref().filter(|running| !running.paused);
        let tests = running.is_some_and(|running| running.step() == Step::TestCards);
        match (state, tests) {
            (ReaderStateWord::Idle, true) => {
                out.commands.push(Output::Reader(ReaderCommand::EnterTest));
                self.arm_test(out);
            }
            (ReaderStateWord::Testing, true) => self.arm_test(out),
            (ReaderStateWord::Testing, false) => {
                self.state.reader.known = Known::Idle;
                out.commands.push(Output::Reader(ReaderCommand::LeaveTest));
            }
            (
                ReaderStateWord::Idle
                | ReaderStateWord::Armed
                | ReaderStateWord::Reading
                | ReaderStateWord::Answered
                | ReaderStateWord::Booting
                | ReaderStateWord::Faulted
                | ReaderStateWord::CoverOpen,
                _,
            ) => {}
        }
    }

    fn arm_test(&mut self, out: &mut Outputs) {
        let part = self.state.inspections.running.as_ref().map_or(0, |running| running.part);
        if let Some(card) = self.test_cards().get(part) {
            let group = match card.group {
                GroupWord::Ace => UpCardGroup::Ace,
                GroupWord::Ten => UpCardGroup::Ten,
            };
            out.commands.push(Output::Reader(ReaderCommand::ArmTest { group }));
        }
    }

    fn close_step(&mut self, passed: bool, note: &str, out: &mut Outputs) {
        let source = self.cite(Point::ReaderInspection);
        if let Some(running) = &mut self.state.inspections.running {
            let step = running.step().name();
            running.close_step(passed, note.to_owned());
            self.say(Notice::InspectionStep { step, passed, note: note.to_owned() }, &source, out);
        }
    }

    fn finish_step(&mut self, passed: bool, note: &str, out: &mut Outputs) {
        self.close_step(passed, note, out);
        self.enter_step(out);
    }

    pub(crate) fn answer_inspection(
        &mut self,
        answer: &str,
        person: &PersonInput,
        out: &mut Outputs,
    ) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let refused = |reason: &str| Err(Refused { reason: reason.to_owned(), source: source.clone() });
        let Some(step) = self.state.inspections.running.as_ref().filter(|each| !each.paused).map(Running::step) else {
            return refused("no inspection is running");
        };
        match (step, answer) {
            (Step::Signature, "sign") => self.sign_inspection(person, out),
            (Step::Signature, _) => refused("the floorperson who began the inspection answers sign, with their PIN"),
            (_, "fail") => {
                self.finish_step(false, "failed by the floorperson", out);
                Ok(())
            }
            (Step::Seals, numbers) if !numbers.trim().is_empty() && numbers.len() <= 60 => {
                let same = self.state.inspections.seals.as_deref().is_none_or(|last| last == numbers.trim());
                let note =
                    if same { format!("seals {numbers}") } else { format!("seals {numbers} are not the last ones") };
                self.state.inspections.seals = Some(numbers.trim().to_owned());
                self.finish_step(same, &note, out);
                Ok(())
            }
            (Step::Seals, _) => refused("enter the seal numbers, at most 60 characters"),
            (Step::Identity, "pass") => {
                self.check_identity(out);
                Ok(())
            }
            (Step::TestCards | Step::LockOut | Step::Positions, _) => {
                refused("this step waits for the device; answer fail to give it up")
            }
            (Step::Housing | Step::Indicators | Step::Shuffler, "pass") => {
                self.finish_step(true, "", out);
                Ok(())
            }
            (Step::Counters, "pass") => {
                let Counters { read, unread, wrong } = self.state.inspections.counters;
                let note = format!("{read} read, {unread} unread, {wrong} wrong");
                self.finish_step(wrong == 0, &note, out);
                Ok(())
            }
            (Step::Housing | Step::Identity | Step::Indicators | Step::Shuffler | Step::Counters, _) => {
                refused("answer pass or fail")
            }
        }
    }

    fn check_identity(&mut self, out: &mut Outputs) {
        let reader = self.state.reader.identity.clone();
        let known = self.state.inspections.firmware.clone();
        let same = self.state.reader.up && known.as_deref().is_none_or(|last| last == reader.firmware);
        let note = format!("{} {}, firmware {}", reader.model, reader.serial, reader.firmware);
        if same {
            self.state.inspections.firmware = Some(reader.firmware);
        }
        self.finish_step(same, &note, out);
    }

    fn sign_inspection(&mut self, person: &PersonInput, out: &mut Outputs) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let by = person.by.map_or(PersonId(0), |staff| staff.id);
        let Some(running) = self.state.inspections.running.take() else { return Ok(()) };
        if running.by != by {
            let reason = "the floorperson who began the inspection signs it".to_owned();
            self.state.inspections.running = Some(running);
            return Err(Refused { reason, source: Code::WhoMayAct.to_string() });
        }
        let passed = running.passed_so_far();
        self.state.inspections.last = Some(Finished { day: running.day, passed, by });
        self.state.inspections.counters = Counters::default();
        if passed && running.full {
            self.state.inspections.full_needed = false;
            // The whole set was read right: that is the check which S12 asks for.
            self.follow_if_offered(&table_rules::input::Input::ReaderRepaired, out);
        }
        self.say(Notice::InspectionStep { step: Step::Signature.name(), passed, note: String::new() }, &source, out);
        self.say(Notice::InspectionFinished { day: running.day, passed, by }, &source, out);
        if passed {
            if let Some(alert) = self.state.alerts.remove_key("inspection") {
                self.say(Notice::AlertCleared { alert, by: Some(by) }, &source, out);
            }
        } else {
            self.raise("inspection", true, &source, "the daily inspection failed: the table stays closed", out);
        }
        Ok(())
    }

    pub(crate) fn on_test_answer(&mut self, group: GroupWord, answer: AnswerWord, out: &mut Outputs) {
        let Some(running) = self.state.inspections.running.as_ref().filter(|each| !each.paused) else { return };
        if running.step() != Step::TestCards {
            return;
        }
        let part = running.part;
        let Some(card) = self.test_cards().get(part).cloned() else { return };
        if card.group != group {
            // Inserted under what was armed before, around a start: nothing that the reader could have got right.
            let what = format!("{} was inserted before the reader was armed for it: once more", card.name);
            self.say(Notice::Noted { what }, &self.cite(Point::ReaderInspection), out);
            self.arm_test(out);
        } else if card.expected != answer {
            let note = format!("{}: {answer:?} where {:?} belongs", card.name, card.expected).to_lowercase();
            self.finish_step(false, &note, out);
        } else if part + 1 == self.test_cards().len() {
            let note = format!("{} insertions, none wrong", part + 1);
            self.finish_step(true, &note, out);
        } else {
            if let Some(running) = &mut self.state.inspections.running {
                running.part += 1;
            }
            self.arm_test(out);
        }
    }

    /// What the felt says belongs to the inspection while one runs.
    pub(crate) fn inspects_felt(&mut self, input: &FeltInput, out: &mut Outputs) -> bool {
        let Some(running) = self.state.inspections.running.as_ref().filter(|each| !each.paused) else { return false };
        let (step, part, lies) = (running.step(), running.part, running.chip_lies);
        match (step, input) {
            (Step::LockOut, FeltInput::Split { .. }) => {
                out.commands.push(Output::Reopen);
                self.finish_step(true, "the button closes the sensors", out);
            }
            (Step::Positions, FeltInput::Placed(spot)) if self.spot_to_inspect(part) == Some(*spot) => {
                if let Some(running) = &mut self.state.inspections.running {
                    running.chip_lies = true;
                }
            }
            (Step::Positions, FeltInput::Removed(spot)) if lies && self.spot_to_inspect(part) == Some(*spot) => {
                if let Some(running) = &mut self.state.inspections.running {
                    running.part += 1;
                    running.chip_lies = false;
                }
                if self.spot_to_inspect(part + 1).is_none() {
                    let note = format!("{} positions", part + 1);
                    self.finish_step(true, &note, out);
                }
            }
            _ => {}
        }
        true
    }
}
