//! The engine as data: what a checkpoint keeps, and the way back.
//!
//! A snapshot is what an undo rebuilds from: how things stood when this round's wagers opened, the meters then, and the
//! inputs since, in the words of the play script. Restoring replays them, so a restored engine is the engine.

use std::fmt;

use super::Engine;
use super::ended::Ended;
use super::log::{Accepted, Log};
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
    /// How many of them the dealer's undo has left behind: lines were done, and play went on (H5).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    passed: usize,
    /// The round before, where the dealer may still take back the word that ended it (H5).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    ended: Option<Box<Self>>,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
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

impl Snapshot {
    fn of_round(base: Between, meters: &[Meter], log: &Log, corrections: &[usize], passed: usize) -> Self {
        let entry = |accepted: Accepted| Entry { words: accepted.input.to_string(), late: accepted.late };
        Self {
            base,
            meters: meters.iter().map(Meter::state).collect(),
            log: log.iter().map(entry).collect(),
            corrections: corrections.to_vec(),
            passed,
            ended: None,
        }
    }
}

impl Engine {
    pub fn snapshot(&self) -> Snapshot {
        let Self { base, base_meters, log, corrections, ended, .. } = self;
        let before = ended.is_open.then(|| {
            let Ended { base, meters, log, corrections, passed, .. } = ended;
            Box::new(Snapshot::of_round(*base, meters, log, corrections, *passed))
        });
        Snapshot { ended: before, ..Snapshot::of_round(*base, base_meters, log, corrections, self.reach.passed) }
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
        engine.note_decks();
        engine.now.meters.clone_from(&engine.base_meters);
        engine
    }

    /// The engine of this table as it stood when the snapshot was taken.
    pub fn restored(table: Table, tracking: Tracking, snapshot: &Snapshot) -> Result<Self, NotRestored> {
        let ended = match &snapshot.ended {
            Some(ended) => Some(Self::restored(table.clone(), tracking, ended)?),
            None => None,
        };
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
        engine.note_decks();
        engine.now.meters.clone_from(&engine.base_meters);
        engine.corrections = snapshot.corrections.iter().copied().filter(|&at| at <= snapshot.log.len()).collect();
        engine.reach.passed = snapshot.passed.min(snapshot.log.len());
        for Entry { words, late } in &snapshot.log {
            let input: Input = match parse_line(words) {
                Ok(Some(input)) => input,
                Ok(None) | Err(_) => return Err(NotRestored::Unreadable { words: words.clone() }),
            };
            let turns_hole_card = input.kind() == InputKind::Next && engine.next_turns_hole_card();
            engine
                .replay(&input, turns_hole_card, engine.log.len() + 1)
                .map_err(|refusal| NotRestored::Refused { words: words.clone(), why: refusal.to_string() })?;
            if late.is_some() {
                engine.now.late = None;
            }
            if turns_hole_card {
                engine.log.push_turned_hole_card();
            } else {
                engine.log.push_accepted(Accepted { input, late: *late });
            }
            engine.close_late_words_at(engine.log.len());
        }
        engine.close_reach();
        if let Some(Self { base, base_meters: meters, log, corrections, reach, .. }) = ended {
            engine.ended = Ended { is_open: true, base, meters, log, corrections, passed: reach.passed };
        }
        Ok(engine)
    }
}
