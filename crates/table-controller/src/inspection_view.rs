//! The inspection as a screen shows it: the step, what can be answered, and what the step is about.

use operator_api::{CountersView, InspectionView, StepView, TestCardView};
use table_rules::source::Point;
use table_rules::text::PitLines;

use crate::controller::Controller;
use crate::failing::FailReason;
use crate::inspection::{Counters, Running, Step, StepResult};
use crate::seals::{self, SealPlace};
use crate::test_cards::{group_word, under};

impl Controller {
    pub(crate) fn inspection_view(&self) -> Option<InspectionView> {
        let running = self.state.inspections.running.as_ref()?;
        let spot = self.spot_to_inspect(running.part);
        let spots = spot.map_or_else(String::new, |spot| format!("seat {}, spot {}", spot.seat, spot.spot));
        let step = running.step();
        let PitLines { situation, order } = running.lines(self.test_cards(), &spots);
        let failed = running.failed().map(|(step, _)| step);
        let known = &self.state.inspections.seals;
        let places = SealPlace::at(&self.config);
        Some(InspectionView {
            day: running.day,
            full: running.full,
            step: running.at + 1,
            steps: steps(running),
            situation,
            order,
            text: self.inspection_text(running, &spots),
            source: self.cite(Point::ReaderInspection),
            answers: self.inspection_answers(running),
            paused: running.paused,
            paused_before: running.pauses.iter().map(|pause| pause.step).collect(),
            repeated: running.repeated,
            wrong: running.wrong.clone(),
            reasons: self.reason_views(failed.unwrap_or(step)),
            seals: if step == Step::Seals { seals::views(&places, known, &running.seals) } else { Vec::new() },
            cards: if step == Step::TestCards { self.card_views(running) } else { Vec::new() },
            counters: if step == Step::Counters { self.counter_views(running.day) } else { Vec::new() },
        })
    }

    fn inspection_text(&self, running: &Running, spots: &str) -> String {
        let step = running.step();
        let order = step.order();
        if let (Step::Signature, Some((step, StepResult { note, .. }))) = (step, running.failed()) {
            return format!("{} failed: {note}. Sign it, or repeat the step.", capital(step.name()));
        }
        if let Some(wrong) = &running.wrong {
            return format!("{}. Repeat it, or fail it for a reason.", capital(wrong));
        }
        match step {
            Step::TestCards => match self.test_cards().get(running.part) {
                Some(card) => {
                    let (at, of) = (running.part + 1, self.test_cards().len());
                    format!("Insert the {} as if under {} ({at} of {of}).", card.name, under(card.group))
                }
                None => order.to_owned(),
            },
            Step::Positions => format!("{order} Next: {spots}."),
            Step::Counters => {
                let Counters { read, unread, wrong } = self.state.inspections.counters;
                format!("{order} {read} read, {unread} unread, {wrong} wrong.")
            }
            Step::Seals if running.seals.asked.is_some() => {
                let place = running.seals.asked.map_or("", SealPlace::name);
                format!("Read the seal of the {place}: what are its last two signs?")
            }
            Step::Seals if running.seals.one_by_one => format!("{order} One by one."),
            Step::Identity => {
                let reader = &self.state.reader.identity;
                format!("{order} {} {}, firmware {}.", reader.model, reader.serial, reader.firmware)
            }
            Step::Shuffler => {
                let state = self.device_views().into_iter().find(|device| device.part == "shuffler");
                format!("{order} {}.", state.map_or_else(String::new, |device| capital(&device.state)))
            }
            Step::Seals | Step::Housing | Step::Lamps | Step::View | Step::LockOut | Step::Signature => {
                order.to_owned()
            }
        }
    }

    fn inspection_answers(&self, running: &Running) -> Vec<String> {
        let step = running.step();
        let mut answers = Vec::new();
        match step {
            Step::Signature => answers.push("sign".to_owned()),
            Step::Seals if running.seals.asked.is_some() => answers.push("<last two signs>".to_owned()),
            Step::Seals if running.wrong.is_none() => {
                if self.all_seals_known(running) && !running.seals.one_by_one {
                    answers.push("all same".to_owned());
                }
                answers.extend(["seal <n> same".to_owned(), "seal <n> <number>".to_owned()]);
            }
            Step::Housing | Step::Identity | Step::Lamps | Step::View | Step::Shuffler | Step::Counters
                if running.wrong.is_none() =>
            {
                answers.push("pass".to_owned());
            }
            Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::TestCards
            | Step::Lamps
            | Step::View
            | Step::LockOut
            | Step::Positions
            | Step::Shuffler
            | Step::Counters => {}
        }
        if self.may_repeat(running) {
            answers.push("repeat".to_owned());
        }
        answers.extend(FailReason::of(step).iter().map(|reason| format!("fail {}", reason.word())));
        answers
    }

    fn card_views(&self, running: &Running) -> Vec<TestCardView> {
        let view = |(at, card): (usize, &crate::test_cards::TestCard)| TestCardView {
            name: card.name.clone(),
            under: group_word(card.group),
            expected: card.expected.word(),
            read: running.reads.get(at).and_then(|reads| reads.last()).map(|answer| answer.word()),
        };
        self.test_cards().iter().enumerate().map(view).collect()
    }

    fn counter_views(&self, day: i64) -> Vec<CountersView> {
        let now = (day, self.state.inspections.counters);
        let view = |(day, counters): &(i64, Counters)| {
            let Counters { read, unread, wrong } = *counters;
            CountersView { day: *day, read, unread, wrong }
        };
        std::iter::once(&now).chain(&self.state.inspections.trend).map(view).collect()
    }
}

fn steps(running: &Running) -> Vec<StepView> {
    let view = |(at, step): (usize, &Step)| {
        let (state, note) = match running.results.get(at) {
            Some(StepResult { passed: true, note, .. }) => ("passed", note.clone()),
            Some(StepResult { passed: false, note, .. }) => ("failed", note.clone()),
            None => ("open", String::new()),
        };
        StepView { name: step.name(), state, note }
    };
    Step::ALL.iter().enumerate().map(view).collect()
}

pub(crate) fn capital(text: &str) -> String {
    table_rules::text::Capital(text).to_string()
}
