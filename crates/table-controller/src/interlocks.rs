//! Why the table may not open, or may not deal a next round. A round that has begun is always led to its end.

use operator_api::StopView;
use table_rules::source::Point;
use table_rules::text::{Capital, PitLines};

use crate::codes::Code;
use crate::controller::Controller;
use crate::devices::doubt_text;

/// One reason against a next round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    pub reason: String,
    /// The same on the two lines of a screen.
    pub lines: PitLines,
    pub source: String,
}

impl From<Stop> for StopView {
    fn from(stop: Stop) -> Self {
        Self { reason: stop.reason, source: stop.source }
    }
}

impl Controller {
    /// Every reason that stands now, the most basic first.
    pub fn stops(&self) -> Vec<Stop> {
        let mut stops = Vec::new();
        let mut stop = |source: String, reason: &str, situation: &str, order: &str| {
            stops.push(Stop { reason: Capital(reason).to_string(), lines: PitLines::new(situation, order), source });
        };
        if let Some(foreign) = &self.state.foreign {
            let reason = format!("round {} of an earlier version waits to be settled by hand", foreign.round);
            let PitLines { situation, order } = foreign_round(foreign.round);
            stop(Code::ForeignRound.to_string(), &reason, &situation, &order);
        }
        if let Some(why) = &self.state.journal_doubt {
            let order = "Manager, floor: the journal.";
            stop(Code::JournalDoubtful.to_string(), &doubt_text(why), "CLOSED: records are missing.", order);
        }
        if let Some(doubt) = self.state.day.doubt {
            let order = "Floor: confirm the time.";
            stop(Code::ClockDoubtful.to_string(), doubt.text(), "No new round: clock in doubt.", order);
        }
        if self.state.service.is_some() {
            let reason = "a technician has the table in service";
            stop(Code::ServiceMode.to_string(), reason, "No new round: service.", "Technician has the table.");
        }
        if self.config.has_reader && self.inspection_is_missing() {
            let (reason, situation, order) = match &self.state.inspections.last {
                _ if self.state.inspections.full_needed => (
                    "reader was replaced, worked on or gave a wrong answer: the full inspection is due",
                    "No new round: reader changed.",
                    "Floor: do the full inspection.",
                ),
                Some(last) if last.day == self.state.day.number() && !last.passed => {
                    ("today's inspection failed", "No new round: inspection failed.", "Floor: repeat the inspection.")
                }
                Some(_) | None => (
                    "today's inspection has not been passed",
                    "No new round: inspection due.",
                    "Floor: do the inspection.",
                ),
            };
            stop(self.cite(Point::ReaderInspection), reason, situation, order);
        }
        if self.config.has_reader && !self.state.reader.up {
            let (reason, order) = ("hole-card reader does not answer", "The reader is not answering.");
            stop(self.cite(Point::ReaderMalfunction), reason, "STOP. No new round.", order);
        }
        for alert in self.state.alerts.stopping() {
            stop(
                alert.saying.source.clone(),
                &alert.saying.text,
                "STOP. No new round.",
                "Call the floor: see the alert.",
            );
        }
        stops
    }

    /// Who has the table in service mode.
    pub fn in_service(&self) -> Option<operator_api::PersonId> {
        self.state.service
    }

    /// Whether the journal waits for two people to accept it.
    pub fn journal_is_doubted(&self) -> bool {
        self.state.journal_doubt.is_some()
    }

    /// A round of another version waits to be settled by hand.
    pub fn has_foreign_round(&self) -> bool {
        self.state.foreign.is_some()
    }

    fn inspection_is_missing(&self) -> bool {
        let day = self.state.day.number();
        let inspections = &self.state.inspections;
        if inspections.passed_on(day) {
            return false;
        }
        // Yesterday's inspection carries the first minutes of a day, where the operator chose so.
        let grace = i64::from(self.config.inspection_grace_minutes);
        let carried = inspections.passed_on(day - 1) && self.state.day.minutes_since_turn() < grace;
        let failed_today = inspections.last.as_ref().is_some_and(|last| last.day == day);
        failed_today || !carried
    }
}

/// A round that an earlier version of the software left open.
pub(crate) fn foreign_round(round: u64) -> PitLines {
    PitLines::new(format!("Round {round} is not settled."), "Floor: settle it by hand.")
}
