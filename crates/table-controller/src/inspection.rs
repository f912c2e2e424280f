//! The daily inspection: a list of steps that a floorperson goes through, pausable and resumable across a restart, and
//! ending in a signed record. Without one that passed, no round of that gaming day is dealt.

use operator_api::{InspectionRecord, PersonId, RecordCard, RecordPause, RecordStep};
use serde::{Deserialize, Serialize};
use table_rules::text::PitLines;

use crate::bench::Bench;
use crate::failing::FailReason;
use crate::input::ReaderAnswer;
use crate::seals::{KnownSeals, SealsToday};
use crate::test_cards::{TestCard, group_word, under};

/// How many signed records the table itself can show; the journal has all.
const RECORDS_KEPT: usize = 7;

/// The steps in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    Seals,
    Housing,
    Identity,
    TestCards,
    Lamps,
    View,
    LockOut,
    Positions,
    Shuffler,
    Counters,
    Signature,
}

impl Step {
    pub const ALL: [Self; 11] = [
        Self::Seals,
        Self::Housing,
        Self::Identity,
        Self::TestCards,
        Self::Lamps,
        Self::View,
        Self::LockOut,
        Self::Positions,
        Self::Shuffler,
        Self::Counters,
        Self::Signature,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Seals => "seals",
            Self::Housing => "housing",
            Self::Identity => "identity",
            Self::TestCards => "test cards",
            Self::Lamps => "lamps",
            Self::View => "view",
            Self::LockOut => "lock-out",
            Self::Positions => "positions",
            Self::Shuffler => "shuffler",
            Self::Counters => "counters",
            Self::Signature => "signature",
        }
    }

    /// The part of the table that a technician looks at when it fails.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Seals => "seals",
            Self::Housing | Self::Identity | Self::TestCards | Self::View | Self::Counters | Self::Signature => {
                "reader"
            }
            Self::Lamps => "reader lamps",
            Self::LockOut => "lock-out",
            Self::Positions => "sensors",
            Self::Shuffler => "shuffler",
        }
    }

    /// The reader is in its test mode.
    pub(crate) const fn tests_reader(self) -> bool {
        match self {
            Self::TestCards | Self::Lamps => true,
            Self::Seals
            | Self::Housing
            | Self::Identity
            | Self::View
            | Self::LockOut
            | Self::Positions
            | Self::Shuffler
            | Self::Counters
            | Self::Signature => false,
        }
    }

    pub(crate) const fn order(self) -> &'static str {
        match self {
            Self::Seals => "Look at each seal: is its number the one of last time?",
            Self::Housing => "Look at housing, cable and lens: undamaged, clean, nothing foreign.",
            Self::Identity => "Compare the reader's serial number and firmware with the list.",
            Self::TestCards => "Insert the test card that is named.",
            Self::Lamps => "Watch the reader's lamps: each colour comes once.",
            Self::View => "Sit at each seat: nothing of a card in the reader can be seen.",
            Self::LockOut => "Press the lock-out button.",
            Self::Positions => "Lay a chip on each spot and take it away again.",
            Self::Shuffler => "Compare the shuffler's display with its state here.",
            Self::Counters => "Look at the readings since the last inspection.",
            Self::Signature => "Sign the inspection.",
        }
    }

    /// The step on the bold line of a screen.
    const fn short_order(self) -> &'static str {
        match self {
            Self::Seals => "Are the numbers the same?",
            Self::Housing => "Look at housing, cable, lens.",
            Self::Identity => "Compare serial and firmware.",
            Self::TestCards => "Insert the test card.",
            Self::Lamps => "Watch the reader's lamps.",
            Self::View => "Look from each seat.",
            Self::LockOut => "Press the lock-out button.",
            Self::Positions => "Chip on, then chip off.",
            Self::Shuffler => "Compare the shuffler display.",
            Self::Counters => "Look at the reader's counts.",
            Self::Signature => "Sign the inspection.",
        }
    }
}

/// What is known of finished inspections, and the one that runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inspections {
    pub(crate) running: Option<Running>,
    pub(crate) last: Option<Finished>,
    /// The last signed records, newest first.
    pub(crate) records: Vec<InspectionRecord>,
    pub(crate) seals: KnownSeals,
    pub(crate) firmware: Option<String>,
    /// A replaced or repaired reader passes the whole set first.
    pub(crate) full_needed: bool,
    pub(crate) counters: Counters,
    /// The counters of the inspections before, newest first.
    pub(crate) trend: Vec<(i64, Counters)>,
    /// Tests in service mode.
    #[serde(default)]
    pub(crate) bench: Bench,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) day: i64,
    pub(crate) passed: bool,
    pub(crate) by: PersonId,
}

/// Readings since the last inspection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) read: u32,
    pub(crate) unread: u32,
    pub(crate) wrong: u32,
}

/// How a step ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct StepResult {
    pub(crate) passed: bool,
    pub(crate) note: String,
    pub(crate) reason: Option<FailReason>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Running {
    pub(crate) day: i64,
    pub(crate) full: bool,
    pub(crate) by: PersonId,
    pub(crate) paused: bool,
    pub(crate) at: usize,
    /// Within the step: the test card, or how far the positions are.
    pub(crate) part: usize,
    pub(crate) chip_lies: bool,
    pub(crate) results: Vec<StepResult>,
    /// Minute of the day.
    pub(crate) began: Option<u16>,
    pub(crate) seals: SealsToday,
    /// What the reader said of each test card, every time.
    pub(crate) reads: Vec<Vec<ReaderAnswer>>,
    /// What a device or a number said that does not pass this step: a reason is asked for, or it is tried again.
    pub(crate) wrong: Option<String>,
    pub(crate) repeated: u32,
    pub(crate) pauses: Vec<RecordPause>,
}

impl Running {
    pub(crate) fn new(day: i64, full: bool, by: PersonId, began: Option<u16>) -> Self {
        Self {
            day,
            full,
            by,
            paused: false,
            at: 0,
            part: 0,
            chip_lies: false,
            results: Vec::new(),
            began,
            seals: SealsToday::default(),
            reads: Vec::new(),
            wrong: None,
            repeated: 0,
            pauses: Vec::new(),
        }
    }

    pub(crate) fn step(&self) -> Step {
        Step::ALL[self.at.min(Step::ALL.len() - 1)]
    }

    pub(crate) fn passed_so_far(&self) -> bool {
        self.results.iter().all(|each| each.passed)
    }

    /// The step that failed. There is at most one: whoever has to repeat all of them need not finish the others.
    pub(crate) fn failed(&self) -> Option<(Step, &StepResult)> {
        let at = self.results.iter().position(|each| !each.passed)?;
        Some((Step::ALL[at.min(Step::ALL.len() - 1)], &self.results[at]))
    }

    /// Closes the current step. A passed one leads to the next, a failed one to the signature.
    pub(crate) fn close_step(&mut self, result: StepResult) {
        self.at = if result.passed { self.at + 1 } else { Step::ALL.len() - 1 };
        self.results.push(result);
        self.part = 0;
        self.chip_lies = false;
        self.wrong = None;
    }

    /// The failed step once more.
    pub(crate) fn reopen_failed(&mut self) -> Option<Step> {
        self.results.pop_if(|last| !last.passed)?;
        self.at = self.results.len();
        self.repeated += 1;
        let step = self.step();
        // What was found at other steps stands; and who did not know two signs looks at each seal still.
        if step == Step::TestCards {
            self.reads.clear();
        } else if step == Step::Seals {
            self.seals.read.clear();
            self.seals.asked = None;
        }
        Some(step)
    }

    pub(crate) fn lines(&self, cards: &[TestCard], spots: &str) -> PitLines {
        let step = self.step();
        if let (Step::Signature, Some((failed, _))) = (step, self.failed()) {
            return PitLines::new(format!("Step failed: {}.", failed.name()), "Sign, or repeat the step.");
        }
        if self.wrong.is_some() {
            return PitLines::new(format!("Not right: {}.", step.name()), "Repeat it, or fail it.");
        }
        match (step, cards.get(self.part)) {
            (Step::Seals, _) if self.seals.asked.is_some() => {
                let place = self.seals.asked.map_or("", |place| place.name());
                PitLines::new(format!("Read the seal: {place}."), "Tap its last two signs.")
            }
            (Step::TestCards, Some(card)) => {
                let mut name = card.name.clone();
                name[..1].make_ascii_uppercase();
                let situation = format!("Card {} of {}, as under {}.", self.part + 1, cards.len(), under(card.group));
                PitLines::new(situation, format!("{name}."))
            }
            (Step::Positions, _) if !spots.is_empty() => {
                PitLines::new(format!("Inspection: {spots}."), step.short_order())
            }
            (step, _) => {
                PitLines::new(format!("Inspection, step {} of {}.", self.at + 1, Step::ALL.len()), step.short_order())
            }
        }
    }

    /// Everything that is signed.
    pub(crate) fn record(&self, cards: &[TestCard]) -> (Vec<RecordStep>, Vec<RecordCard>) {
        let step = |(at, step): (usize, &Step)| {
            let (result, note) = match self.results.get(at) {
                Some(StepResult { passed: true, note, .. }) => ("passed", note.clone()),
                Some(StepResult { passed: false, note, .. }) => ("failed", note.clone()),
                None => ("open", String::new()),
            };
            RecordStep { name: step.name().to_owned(), result: result.to_owned(), note }
        };
        let card = |(card, reads): (&TestCard, &Vec<ReaderAnswer>)| RecordCard {
            name: card.name.clone(),
            under: group_word(card.group).to_owned(),
            expected: card.expected.word().to_owned(),
            read: reads.iter().map(|answer| answer.word().to_owned()).collect(),
        };
        let before_signature = Step::ALL.len() - 1;
        let steps = Step::ALL.iter().enumerate().take(before_signature).map(step).collect();
        (steps, cards.iter().zip(&self.reads).map(card).collect())
    }
}

impl Inspections {
    pub(crate) fn passed_on(&self, day: i64) -> bool {
        !self.full_needed && self.last.as_ref().is_some_and(|last| last.day == day && last.passed)
    }

    pub(crate) fn keep(&mut self, record: InspectionRecord) {
        self.trend.insert(0, (record.day, self.counters));
        self.trend.truncate(RECORDS_KEPT);
        self.counters = Counters::default();
        self.records.insert(0, record);
        self.records.truncate(RECORDS_KEPT);
    }
}

#[cfg(test)]
mod tests {
    use table_rules::Table;
    use table_rules::game::Game;

    use super::*;
    use crate::seals::SealPlace;

    #[test]
    fn every_order_of_an_inspection_fits_its_two_lines() {
        for table in Game::ALL.map(Table::usual) {
            for cards in [TestCard::daily(&table), TestCard::full(&table)] {
                for at in 0..Step::ALL.len() {
                    for (part, spots) in (0..=cards.len()).flat_map(|part| [(part, ""), (part, "seat 8, spot 32")]) {
                        let mut running = Running { at, part, ..Running::new(1, true, PersonId(1), None) };
                        assert_eq!(running.lines(&cards, spots).too_long(), None);
                        running.wrong = Some("nine: yes where no belongs".to_owned());
                        assert_eq!(running.lines(&cards, spots).too_long(), None);
                        let (note, reason) = (String::new(), Some(FailReason::SomethingElse));
                        running.close_step(StepResult { passed: false, note, reason });
                        assert_eq!(running.lines(&cards, spots).too_long(), None);
                    }
                }
            }
        }
        let mut running = Running::new(1, true, PersonId(1), None);
        for place in
            [SealPlace::ReaderHousing, SealPlace::ReaderCable, SealPlace::ControllerDoor, SealPlace::ShufflerPort]
        {
            running.seals.asked = Some(place);
            assert_eq!(running.lines(&[], "").too_long(), None);
        }
    }
}
