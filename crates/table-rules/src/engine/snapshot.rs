//! The engine as data: what a checkpoint keeps, and the way back.
//!
//! A snapshot is what an undo rebuilds from: how things stood when this round's wagers opened, the meters then, and the
//! inputs since, in the words of the play script. Restoring replays them, so a restored engine is the engine.

use std::fmt;

use super::Engine;
use super::log::{Accepted, Ordinary};
use super::state::Between;
use crate::input::{Input, InputKind};
use crate::meter::{Meter, MeterState};
use crate::money::MeterName;
use crate::script::parse_line;
use crate::table::{Table, Tracking};
use crate::wager::WagerId;

#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    base: Between,
    meters: Vec<MeterState>,
    log: Vec<Entry>,
    /// How many of them a floorperson has gone back to, each time.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    corrections: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Entry {
    words: String,
    late: Option<(InputKind, u8)>,
}

/// The snapshot is not one of this table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRestored {
    Meters { here: usize, snapshot: usize },
    Unreadable { words: String },
    Refused { words: String, why: String },
}

impl fmt::Display for NotRestored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meters { here, snapshot } => {
                write!(f, "the snapshot has {snapshot} meters, this table's submission has {here}")
            }
            Self::Unreadable { words } => write!(f, "the snapshot holds a word that is not known: {words}"),
            Self::Refused { words, why } => write!(f, "the snapshot holds an input that is refused: {words}: {why}"),
        }
    }
}

impl std::error::Error for NotRestored {}

impl Engine {
    pub fn snapshot(&self) -> Snapshot {
        let entry = |accepted: Accepted| Entry { words: accepted.input.to_string(), late: accepted.late };
        Snapshot {
            base: self.base,
            meters: self.base_meters.iter().map(Meter::state).collect(),
            log: self.log.iter().map(entry).collect(),
            corrections: self.corrections.clone(),
        }
    }

    /// A closed table that goes on where an earlier one ended: after this round, with these meters. For a change of
    /// software or rules, across which no input is replayed.
    pub fn continued(
        table: Table,
        tracking: Tracking,
        round: u64,
        meters: &[(WagerId, MeterName, MeterState)],
    ) -> Self {
        let mut engine = Self::closed(table, tracking);
        engine.base.round = round;
        let places: Vec<(WagerId, MeterName)> = engine.meters().map(|(wager, name, _)| (wager, name)).collect();
        for (place, meter) in places.into_iter().zip(&mut engine.base_meters) {
            if let Some((_, _, state)) = meters.iter().find(|(wager, name, _)| (*wager, *name) == place) {
                *meter = Meter::restored(meter.checked(), *state);
                // A round that was open then is settled by hand; its stakes stay where they went.
                let _closed = meter.close_round();
            }
        }
        engine.now.reset(engine.base);
        engine.now.meters.clone_from(&engine.base_meters);
        engine.gate = engine.find_gate();
        engine
    }

    /// The engine of this table as it stood when the snapshot was taken.
    pub fn restored(table: Table, tracking: Tracking, snapshot: &Snapshot) -> Result<Self, NotRestored> {
        let mut engine = Self::closed(table, tracking);
        let (here, kept) = (engine.base_meters.len(), snapshot.meters.len());
        if here != kept {
            return Err(NotRestored::Meters { here, snapshot: kept });
        }
        engine.base = snapshot.base;
        let terms = super::meters::meters_of(&engine.table);
        engine.base_meters =
            terms.iter().zip(&snapshot.meters).map(|(meter, state)| Meter::restored(meter.checked(), *state)).collect();
        engine.now.reset(engine.base);
        engine.now.meters.clone_from(&engine.base_meters);
        engine.corrections = snapshot.corrections.iter().copied().filter(|&at| at <= snapshot.log.len()).collect();
        let mut silent = crate::event::Events::discarding();
        for Entry { words, late } in &snapshot.log {
            let input: Input = match parse_line(words) {
                Ok(Some(input)) => input,
                Ok(None) | Err(_) => return Err(NotRestored::Unreadable { words: words.clone() }),
            };
            let turns_hole_card = engine.turns_hole_card(&input);
            engine
                .execute(&input, &mut silent)
                .map_err(|refusal| NotRestored::Refused { words: words.clone(), why: refusal.to_string() })?;
            if late.is_some() {
                engine.now.late = None;
            }
            if turns_hole_card {
                engine.log.push_ordinary(Ordinary::TurnedHoleCard);
            } else {
                engine.log.push(Accepted { input, late: *late });
            }
            engine.close_late_words_at(engine.log.len());
        }
        engine.barrier = engine.find_barrier();
        engine.gate = engine.find_gate();
        Ok(engine)
    }
}
