//! Which situations a storm has seen. One that misses some has tested less than it says.

use std::collections::BTreeMap;

use table_controller::{
    FaultInput, Input, JournalInput, Notice, Part, ReaderInput, ShoeInput, ShufflerInput, TableEvent,
};
use table_rules::Event;

/// Everything that a long storm has to meet.
pub const SITUATIONS: &[&str] = &[
    "card before bets were settled",
    "card before the reader",
    "clock confirmed",
    "correction",
    "day turned",
    "disk full",
    "disk stalled",
    "early card was seen",
    "first card locked",
    "foreign round",
    "inspection failed",
    "inspection passed",
    "inspection paused",
    "insurance",
    "irregularity",
    "jackpot",
    "jam",
    "late chip",
    "meter corrected",
    "power cut",
    "power cut in an upgrade",
    "power cut with the card in the reader",
    "reader down",
    "reader fault",
    "reader replaced",
    "reader stopped",
    "reader wrong",
    "restart",
    "round opened again",
    "sensor bus dead",
    "service",
    "undo",
    "unread card",
    "upgrade",
    "void",
    "wrong batch count",
    "wrong-time insertion",
];

#[derive(Clone, Debug, Default)]
pub struct Reached(BTreeMap<&'static str, u64>);

impl Reached {
    pub(super) fn note(&mut self, situation: &'static str) {
        *self.0.entry(situation).or_default() += 1;
    }

    pub fn add(&mut self, other: &Self) {
        for (situation, times) in &other.0 {
            *self.0.entry(situation).or_default() += times;
        }
    }

    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(situation, times)| (*situation, *times))
    }

    /// Situations of the list that were never met. Without a progressive wager there is no jackpot to meet.
    pub fn missed(&self, has_meters: bool) -> Vec<&'static str> {
        let needs_meter = |situation: &str| matches!(situation, "jackpot" | "meter corrected");
        let asked = SITUATIONS.iter().copied().filter(|situation| has_meters || !needs_meter(situation));
        asked.filter(|situation| !self.0.contains_key(situation)).collect()
    }

    pub(super) fn follow(&mut self, input: &Input, said: &[TableEvent]) {
        self.follow_input(input);
        for said in said {
            match said {
                TableEvent::Rules(event) => self.follow_event(event),
                TableEvent::Table { notice, .. } => self.follow_notice(notice),
            }
        }
    }

    fn follow_input(&mut self, input: &Input) {
        let situation = match input {
            Input::Reader(ReaderInput::Down) => "reader down",
            Input::Reader(ReaderInput::WrongTimeInsertion) => "wrong-time insertion",
            Input::Shoe { event: ShoeInput::Unread { .. }, .. } => "unread card",
            Input::Shuffler(ShufflerInput::Ready { cards, expected, .. }) if cards != expected => "wrong batch count",
            Input::Fault(FaultInput { part: Part::Expander, raised: true, .. }) => "sensor bus dead",
            Input::Fault(FaultInput { part: Part::Reader, raised: true, .. }) => "reader fault",
            Input::Journal(JournalInput::NearlyFull) => "disk full",
            Input::Journal(JournalInput::Stalled { .. }) => "disk stalled",
            Input::Started(_)
            | Input::Clock(_)
            | Input::Reader(_)
            | Input::Shuffler(_)
            | Input::Shoe { .. }
            | Input::Layout(_)
            | Input::Fault(_)
            | Input::Journal(_)
            | Input::Person(_)
            | Input::Chance { .. }
            | Input::Console(_)
            | Input::Pins(_) => return,
        };
        self.note(situation);
    }

    fn follow_event(&mut self, event: &Event) {
        if let Event::MeterPaid { .. } = event {
            self.note("jackpot");
        } else if let Event::RoundVoid { .. } = event {
            self.note("void");
        } else if let Event::LateWager { .. } = event {
            self.note("late chip");
        } else if let Event::ShuffleFailed { .. } = event {
            self.note("jam");
        } else if let Event::ReaderStopped { .. } = event {
            self.note("reader stopped");
        } else if let Event::ReaderWrong { .. } = event {
            self.note("reader wrong");
        } else if let Event::WagersLocked { by_first_card: true, .. } = event {
            self.note("first card locked");
        } else if let Event::InsurancePlaced { .. } = event {
            self.note("insurance");
        } else if let Event::Irregularity { .. } = event {
            self.note("irregularity");
        } else if let Event::RoundReopened { .. } = event {
            self.note("round opened again");
        } else if let Event::Undone { .. } = event {
            self.note("undo");
        } else if let Event::Corrected { .. } = event {
            self.note("correction");
        }
    }

    fn follow_notice(&mut self, notice: &Notice) {
        if let Notice::DayTurned { .. } = notice {
            self.note("day turned");
        } else if let Notice::InspectionFinished { passed, .. } = notice {
            self.note(if *passed { "inspection passed" } else { "inspection failed" });
        } else if let Notice::InspectionPaused = notice {
            self.note("inspection paused");
        } else if let Notice::ClockConfirmed { .. } = notice {
            self.note("clock confirmed");
        } else if let Notice::MeterCorrected { .. } = notice {
            self.note("meter corrected");
        } else if let Notice::ServiceEntered { .. } = notice {
            self.note("service");
        }
    }
}
