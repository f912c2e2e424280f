//! The gaming day: its clock, its turn, and what happened in it.

use operator_api::{DayCounts, DayView};
use serde::{Deserialize, Serialize};
use table_rules::Event;
use table_rules::line::Line;
use table_rules::money::Pay;

use crate::input::Clock;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Day {
    pub(crate) clock: Option<Clock>,
    pub(crate) doubt: Option<Doubt>,
    /// When the day turned, by the wall.
    pub(crate) turned_ms: i64,
    /// The last time that the rules were told.
    pub(crate) told: Option<ReportedTime>,
    pub(crate) counts: DayCounts,
}

/// Minutes as the rules count them, which only go forward, and the minute since 1970 on the wall with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ReportedTime {
    pub(crate) wall: i64,
    pub(crate) minute: i64,
}

/// Why the clock is not believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Doubt {
    BeforeLastRecord,
    NotSet,
    /// Set while the controller ran: two people confirm that.
    Stepped,
    /// Outside the years in which this can run: a battery that is empty, or a wrong hand. Nothing is dated by it.
    Implausible,
}

impl Doubt {
    pub(crate) const ALL: [Self; 4] = [Self::BeforeLastRecord, Self::NotSet, Self::Stepped, Self::Implausible];

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::BeforeLastRecord => "the clock is earlier than the last record",
            Self::NotSet => "no battery clock or time server stands behind the clock",
            Self::Stepped => "the clock was moved while the table was running",
            Self::Implausible => "the clock shows a year before 2020 or after 2099: set it",
        }
    }
}

impl Day {
    pub(crate) fn number(&self) -> i64 {
        self.clock.map_or(0, |clock| clock.day)
    }

    /// Whether the clock was moved since the last look.
    pub(crate) fn steps_to(&self, clock: Clock) -> bool {
        self.clock.is_some_and(|last| clock.steps_from(last))
    }

    pub(crate) fn minutes_since_turn(&self) -> i64 {
        self.clock.map_or(0, |clock| clock.wall_ms.saturating_sub(self.turned_ms) / 60_000)
    }

    pub(crate) fn count(&mut self, event: &Event) {
        let counts = &mut self.counts;
        if let Event::RoundEnded { .. } = event {
            counts.rounds += 1;
        } else if let Event::RoundReopened { .. } = event {
            // It will end again.
            counts.rounds = counts.rounds.saturating_sub(1);
        } else if let Event::RoundVoid { .. } = event {
            counts.voids += 1;
        } else if let Event::LateWager { .. } = event {
            counts.late_wagers += 1;
        } else if let Event::Irregularity { .. } = event {
            counts.irregularities += 1;
        } else if let Event::Corrected { .. } = event {
            counts.corrections += 1;
        } else if let Event::MeterPaid { paid, .. } = event {
            counts.jackpots += 1;
            counts.jackpot_cents += paid.0;
        } else if let Event::Settled(line) = event {
            add_line(counts, line, 1);
        } else if let Event::LineWithdrawn(line) = event {
            add_line(counts, line, -1);
        }
    }

    pub(crate) fn view(&self, inspected: bool) -> DayView {
        DayView { day: self.number(), inspected, counts: self.counts }
    }
}

/// A line that was settled, or with `-1` taken back.
fn add_line(counts: &mut DayCounts, line: &Line, sign: i64) {
    let from_meter = matches!(line.pay, Some(Pay::Meter { .. }));
    if let (Some(pays), false) = (line.pays.amount(), from_meter) {
        counts.paid_cents += sign * pays.0;
    }
    if let (Some(stake), Some(returned)) = (line.stake.amount(), line.returned.amount()) {
        // A corrected line was counted once before: its stake, less what the player had received for it (S12).
        let counted_before = line.correction.amount().map_or(0, |earlier| stake.0 - earlier.0);
        counts.collected_cents += sign * (stake.0 - returned.0 - counted_before);
    }
}
