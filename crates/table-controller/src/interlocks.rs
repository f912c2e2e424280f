//! Why the table may not open, or may not deal a next round. A round that has begun is always led to its end.

use operator_api::StopView;
use table_rules::source::Point;

use crate::codes::Code;
use crate::controller::Controller;

/// One reason against a next round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    pub reason: String,
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
        let mut stop = |source: String, reason: &str| stops.push(Stop { reason: reason.to_owned(), source });
        if let Some(foreign) = &self.state.foreign {
            stop(
                Code::ForeignRound.to_string(),
                &format!("round {} of an earlier version waits to be settled by hand", foreign.round),
            );
        }
        if let Some(doubt) = self.state.day.doubt {
            stop(Code::ClockDoubtful.to_string(), doubt.text());
        }
        if self.state.service.is_some() {
            stop(Code::ServiceMode.to_string(), Code::ServiceMode.meaning());
        }
        if self.config.has_reader && self.inspection_is_missing() {
            let reason = match &self.state.inspections.last {
                _ if self.state.inspections.full_needed => {
                    "the reader was replaced or gave a wrong answer: the full inspection is due"
                }
                Some(last) if last.day == self.state.day.number() && !last.passed => "today's inspection failed",
                Some(_) | None => "today's inspection has not been passed",
            };
            stop(self.cite(Point::ReaderInspection), reason);
        }
        if self.config.has_reader && !self.state.reader.up {
            stop(self.cite(Point::ReaderMalfunction), "the hole-card reader is not reached");
        }
        for alert in self.state.alerts.stopping() {
            stop(alert.source.clone(), &alert.text);
        }
        stops
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

    /// A dead sensor bus takes the progressive wagers off; the main game goes on.
    pub(crate) fn progressives_off(&self) -> Option<&str> {
        self.state.faults.iter().find(|(part, _)| part.carries_sensors()).map(|(_, code)| code.as_str())
    }
}
