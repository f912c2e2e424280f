//! The lock-out press splits the wagers: chips that lay before it count, all others are late.
//!
//! On direct lines the kernel stamps every edge, so the split is exact at the stamp of the press, in whatever order the
//! edges are read. Through an expander the moment of a change is known only to within its debounce, so all ports are
//! read once at the lock edge, and a chip that had not been still for the debounce time before the edge is late. Where
//! something cannot be known (a port that cannot be read, a sensor that is not believed) the chip does not count: the
//! table fails locked.
//!
//! Terms: a spot is *accepted* when its wager counts, *late* when a chip lies there that does not.

use std::collections::VecDeque;

use super::spot::{SPOTS_MAX, Spot, SpotSet};
use crate::clock::{Span, Stamp};

/// Changes remembered for one spot. A line that changes more often within the settling time is flickering.
const HISTORY: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitRules {
    /// Spots with a sensor of either kind.
    pub wired: SpotSet,
    /// Those of them that hang on an expander.
    pub on_expander: SpotSet,
    /// How long after the press edges may still arrive that are stamped before it: the longest debounce of a direct line
    /// and some scheduling. Wagers are closed from the press on; this delays only the list of the accepted.
    pub settle: Span,
    /// How long a chip on an expander must have been still.
    pub expander_debounce: Span,
}

/// All expander ports, read once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortsRead {
    /// The spots that could be read.
    pub covers: SpotSet,
    pub present: SpotSet,
    /// Pins whose change was flagged and not yet told: not still, whatever their level.
    pub disturbed: SpotSet,
}

/// What the table learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitEvent {
    Placed {
        spot: Spot,
        at: Stamp,
    },
    Removed {
        spot: Spot,
        at: Stamp,
    },
    /// In force from this moment.
    Locked {
        at: Stamp,
    },
    /// The list of the wagers that count. Follows `Locked` within the settling time.
    Split {
        at: Stamp,
        accepted: SpotSet,
        late: SpotSet,
        doubtful: SpotSet,
    },
    /// A chip appeared after the lock.
    Late {
        spot: Spot,
        at: Stamp,
    },
    LateRemoved {
        spot: Spot,
        at: Stamp,
    },
    /// An accepted chip was taken away, as the dealer does when collecting. The lamp stays.
    Collected {
        spot: Spot,
        at: Stamp,
    },
    Reopened {
        occupied: SpotSet,
    },
}

/// Where the lock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockPhase {
    Open,
    /// Pressed; the list is not complete yet.
    Closing,
    Locked {
        accepted: SpotSet,
    },
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Open,
    Closing { pressed: Stamp, ports: Option<PortsRead> },
    Locked { accepted: SpotSet, late: SpotSet },
}

/// The machine. Feed edges, the press, the expander read and the time; call [`poll_event`](Self::poll_event) until it
/// gives nothing; wake it at [`poll_deadline`](Self::poll_deadline).
#[derive(Debug)]
pub struct LockSplit {
    rules: SplitRules,
    spots: [History; SPOTS_MAX],
    doubtful: SpotSet,
    phase: Phase,
    events: VecDeque<SplitEvent>,
}

impl LockSplit {
    /// `restored` is the phase the journal tells of; a lock that was pressed and not finished comes back locked with
    /// nothing accepted, for the floorperson to settle.
    pub fn new(rules: SplitRules, occupied: SpotSet, restored: LockPhase, now: Stamp) -> Self {
        let phase = match restored {
            LockPhase::Open => Phase::Open,
            LockPhase::Closing => Phase::Locked { accepted: SpotSet::EMPTY, late: occupied },
            LockPhase::Locked { accepted } => Phase::Locked { accepted, late: SpotSet::EMPTY },
        };
        let mut spots = [History::default(); SPOTS_MAX];
        for spot in occupied.iter() {
            spots[spot.index()] = History::starting(true, now);
        }
        Self { rules, spots, doubtful: SpotSet::EMPTY, phase, events: VecDeque::new() }
    }

    pub fn phase(&self) -> LockPhase {
        match self.phase {
            Phase::Open => LockPhase::Open,
            Phase::Closing { .. } => LockPhase::Closing,
            Phase::Locked { accepted, .. } => LockPhase::Locked { accepted },
        }
    }

    pub fn occupied(&self) -> SpotSet {
        self.rules.wired.iter().filter(|spot| self.spots[spot.index()].now()).collect()
    }

    pub fn doubtful(&self) -> SpotSet {
        self.doubtful
    }

    /// Whether the sensor of a spot can be believed.
    pub fn handle_doubt(&mut self, spot: Spot, doubtful: bool) {
        self.doubtful = if doubtful { self.doubtful.with(spot) } else { self.doubtful.without(spot) };
    }

    /// A settled change on a direct line, or a change seen by reading an expander, stamped with its interrupt's edge.
    pub fn handle_sensor(&mut self, spot: Spot, present: bool, at: Stamp) {
        if !self.rules.wired.contains(spot) || self.spots[spot.index()].now() == present {
            return;
        }
        self.spots[spot.index()].note(present, at);
        match self.phase {
            Phase::Open => {
                self.events.push_back(if present {
                    SplitEvent::Placed { spot, at }
                } else {
                    SplitEvent::Removed { spot, at }
                });
            }
            // Told by the list, or as what happened after it.
            Phase::Closing { .. } => {}
            Phase::Locked { accepted, late } => self.after_lock(spot, present, at, accepted, late),
        }
    }

    /// The lock-out was pressed. A second press does nothing.
    pub fn handle_press(&mut self, at: Stamp) {
        match self.phase {
            Phase::Open => {
                self.phase = Phase::Closing { pressed: at, ports: None };
                self.events.push_back(SplitEvent::Locked { at });
            }
            Phase::Closing { .. } | Phase::Locked { .. } => {}
        }
    }

    /// The expanders as they were read for this press.
    pub fn handle_ports(&mut self, read: PortsRead) {
        if let Phase::Closing { ports, .. } = &mut self.phase {
            ports.get_or_insert(read);
        }
    }

    pub fn handle_time(&mut self, now: Stamp) {
        if let Phase::Closing { pressed, ports } = self.phase
            && pressed.after(self.rules.settle) <= now
        {
            self.split(pressed, ports);
        }
    }

    /// The round is over, or was voided by the floorperson.
    pub fn reopen(&mut self) {
        self.phase = Phase::Open;
        self.events.push_back(SplitEvent::Reopened { occupied: self.occupied() });
    }

    pub fn poll_event(&mut self) -> Option<SplitEvent> {
        self.events.pop_front()
    }

    pub fn poll_deadline(&self) -> Option<Stamp> {
        match self.phase {
            Phase::Closing { pressed, .. } => Some(pressed.after(self.rules.settle)),
            Phase::Open | Phase::Locked { .. } => None,
        }
    }

    fn split(&mut self, pressed: Stamp, ports: Option<PortsRead>) {
        let ports = ports.unwrap_or_default();
        let counts = |spot: Spot| {
            let history = &self.spots[spot.index()];
            !self.doubtful.contains(spot)
                && if self.rules.on_expander.contains(spot) {
                    let still = pressed.before(self.rules.expander_debounce);
                    ports.covers.contains(spot)
                        && ports.present.contains(spot)
                        && !ports.disturbed.contains(spot)
                        && history.stood_before(still, pressed)
                } else {
                    history.before(pressed)
                }
        };
        let accepted: SpotSet = self.rules.wired.iter().filter(|spot| counts(*spot)).collect();
        let lying: SpotSet = self.occupied().iter().chain(ports.present.iter()).collect();
        let late: SpotSet = lying.iter().filter(|spot| !accepted.contains(*spot)).collect();
        let doubtful = self.doubtful;
        self.phase = Phase::Locked { accepted, late };
        self.events.push_back(SplitEvent::Split { at: pressed, accepted, late, doubtful });
    }

    fn after_lock(&mut self, spot: Spot, present: bool, at: Stamp, accepted: SpotSet, late: SpotSet) {
        let (late, event) = if present {
            (late.with(spot), SplitEvent::Late { spot, at })
        } else if late.contains(spot) {
            (late.without(spot), SplitEvent::LateRemoved { spot, at })
        } else {
            (late, SplitEvent::Collected { spot, at })
        };
        self.phase = Phase::Locked { accepted, late };
        self.events.push_back(event);
    }
}

/// The last changes of one spot. Edges of one line come in their order.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    /// The level before the oldest change that is remembered.
    base: bool,
    changes: [Option<(Stamp, bool)>; HISTORY],
}

impl History {
    fn starting(present: bool, at: Stamp) -> Self {
        let mut history = Self::default();
        history.note(present, at);
        history
    }

    fn note(&mut self, present: bool, at: Stamp) {
        if let Some((_, forgotten)) = self.changes[0] {
            self.base = forgotten;
        }
        self.changes.rotate_left(1);
        self.changes[HISTORY - 1] = Some((at, present));
    }

    fn now(&self) -> bool {
        self.changes[HISTORY - 1].map_or(self.base, |(_, present)| present)
    }

    /// The level just before a moment. A change at the very moment came too late.
    fn before(&self, moment: Stamp) -> bool {
        let last = self.changes.iter().rev().flatten().find(|(at, _)| *at < moment);
        last.map_or(self.base, |(_, present)| *present)
    }

    /// Present from `from` to `to` without a change in between.
    fn stood_before(&self, from: Stamp, to: Stamp) -> bool {
        let moved = self.changes.iter().flatten().any(|(at, _)| *at > from && *at < to);
        self.before(to) && !moved
    }
}
