//! The gaming day: its clock, its turn, and what happened in it.

use operator_api::DayView;
use serde::{Deserialize, Serialize};
use table_rules::Event;
use table_rules::line::Line;
use table_rules::money::Pay;

use crate::input::Clock;

/// A clock that jumps by more than this between two looks has been set (REQUIREMENTS: a step above five seconds is
/// somebody's decision).
const STEP_MS: i64 = 5_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Day {
    pub(crate) clock: Option<Clock>,
    pub(crate) doubt: Option<Doubt>,
    /// When the day turned, by the wall.
    pub(crate) turned_ms: i64,
    /// The last time that the rules were told.
    pub(crate) told: Option<Told>,
    pub(crate) counts: Counts,
}

/// Minutes as the rules count them, which only go forward, and the minute since 1970 on the wall with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Told {
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
}

impl Doubt {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::BeforeLastRecord => "the clock is earlier than the last record",
            Self::NotSet => "no battery clock or time server stands behind the clock",
            Self::Stepped => "the clock was moved while the table was running",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) rounds: u64,
    voids: u64,
    jackpots: u64,
    jackpot_cents: i64,
    late_wagers: u64,
    irregularities: u64,
    corrections: u64,
    paid_cents: i64,
    collected_cents: i64,
}

impl Day {
    pub(crate) fn number(&self) -> i64 {
        self.clock.map_or(0, |clock| clock.day)
    }

    /// Whether the clock was moved since the last look.
    pub(crate) fn steps_to(&self, clock: Clock) -> bool {
        self.clock.is_some_and(|last| {
            let mono = i64::try_from(clock.monotonic_ms.saturating_sub(last.monotonic_ms)).unwrap_or(i64::MAX);
            (clock.wall_ms.saturating_sub(last.wall_ms).saturating_sub(mono)).abs() > STEP_MS
        })
    }

    pub(crate) fn minutes_since_turn(&self) -> i64 {
        self.clock.map_or(0, |clock| clock.wall_ms.saturating_sub(self.turned_ms) / 60_000)
    }

    pub(crate) fn count(&mut self, event: &Event) {
        let counts = &mut self.counts;
        if let Event::RoundEnded { .. } = event {
            counts.rounds += 1;
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
            counts.add_line(line, 1);
        } else if let Event::LineWithdrawn(line) = event {
            counts.add_line(line, -1);
        }
    }

    pub(crate) fn view(&self, inspected: bool) -> DayView {
        let Counts {
            rounds,
            voids,
            jackpots,
            jackpot_cents,
            late_wagers,
            irregularities,
            corrections,
            paid_cents,
            collected_cents,
        } = self.counts;
        DayView {
            day: self.number(),
            inspected,
            rounds,
            voids,
            jackpots,
            jackpot_cents,
            late_wagers,
            irregularities,
            corrections,
            paid_cents,
            collected_cents,
        }
    }
}

impl Counts {
    fn add_line(&mut self, line: &Line, sign: i64) {
        let from_meter = matches!(line.pay, Some(Pay::Meter { .. }));
        if let (Some(pays), false) = (line.pays.amount(), from_meter) {
            self.paid_cents += sign * pays.0;
        }
        if let (Some(stake), Some(returned)) = (line.stake.amount(), line.returned.amount()) {
            // A corrected line was counted once before: its stake, less what the player had received for it (S12).
            let counted_before = line.correction.amount().map_or(0, |earlier| stake.0 - earlier.0);
            self.collected_cents += sign * (stake.0 - returned.0 - counted_before);
        }
    }
}
