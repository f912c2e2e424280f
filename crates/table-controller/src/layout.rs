//! The layout's handler: chips, the lock-out, and what every lamp says.
//!
//! The lock is in force in the driver the moment the button is pressed; here it becomes part of the history. A lamp that
//! is lit after the lock is evidence and stays until the round ends, whoever takes the chip away.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use table_rules::game::Direction;
use table_rules::input::{Input, InputKind};
use table_rules::seat::{Seat, SeatSet};
use table_rules::source::Point;
use table_rules::wager::WagerId;

use crate::alerts::Stops;
use crate::config::Spot;
use crate::controller::Controller;
use crate::input::LayoutInput;
use crate::notice::Notice;
use crate::output::{LampState, Output, Outputs};

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Layout {
    pub(crate) locked: bool,
    /// Pressed; which chips counted is not told yet.
    pub(crate) closing: bool,
    pub(crate) occupied: BTreeSet<Spot>,
    pub(crate) accepted: BTreeSet<Spot>,
    pub(crate) late: BTreeSet<Spot>,
    /// Chips collected after the lock that a person has counted.
    pub(crate) counted: Option<u8>,
    /// What the lamps were last told.
    #[serde(with = "as_pairs")]
    pub(crate) shown: BTreeMap<Spot, LampState>,
    pub(crate) lock_lamp: bool,
    /// Chips whose wager went back at the lock, until they are taken away.
    pub(crate) returned: BTreeSet<Spot>,
    /// Spots with a side wager whose sensor has not been heard since the start.
    pub(crate) unheard: BTreeSet<Spot>,
    /// Closed by a start while wagers lay: the lock-out may have been pressed before the lights went out.
    pub(crate) held: bool,
}

/// The alert behind `held`: who clears it opens the wagers again.
pub(crate) const LAYOUT_HELD: &str = "felt held";
/// A press that could not begin a round.
const LOCK_REFUSED: &str = "lock refused";

/// JSON keys are texts; a list of pairs needs none.
mod as_pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::config::Spot;
    use crate::output::LampState;

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<Spot, LampState>, serializer: S) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Spot, LampState>, D::Error> {
        Ok(Vec::<(Spot, LampState)>::deserialize(from)?.into_iter().collect())
    }
}

impl Controller {
    pub(crate) fn on_layout(&mut self, input: &LayoutInput, out: &mut Outputs) {
        if self.inspects_layout(input, out) {
            return;
        }
        match input {
            LayoutInput::Placed(spot) => {
                self.state.layout.occupied.insert(*spot);
                // A lock by a tap or by the first card is not known to the sensors.
                if self.chips_are_late() { self.on_late(*spot, out) } else { self.place(*spot, out) }
            }
            LayoutInput::Removed(spot) => {
                self.state.layout.occupied.remove(spot);
                self.end_return(*spot, out);
                self.take_back(*spot, out);
            }
            LayoutInput::Locked => {
                self.state.layout.locked = true;
                self.state.layout.closing = true;
            }
            LayoutInput::Split { accepted, late, doubtful } => self.on_split(accepted, late, doubtful, out),
            LayoutInput::Late(spot) => self.on_late(*spot, out),
            LayoutInput::LateRemoved(spot) => {
                self.state.layout.late.remove(spot);
                self.state.layout.occupied.remove(spot);
                self.end_return(*spot, out);
                let source = self.cite(Point::SensorLitAtLock);
                self.end_alert(&late_key(*spot), &source, out);
            }
            LayoutInput::Collected(spot) => {
                self.state.layout.occupied.remove(spot);
                self.end_return(*spot, out);
            }
            LayoutInput::Read { occupied, unread } => self.on_read(occupied, unread, out),
            LayoutInput::Reopened { occupied } => {
                self.state.layout.locked = false;
                self.state.layout.occupied = occupied.iter().copied().collect();
                for spot in occupied {
                    self.place(*spot, out);
                }
            }
        }
    }

    pub(crate) fn place(&mut self, spot: Spot, out: &mut Outputs) {
        let Some((seat, wager, stake)) = self.at(spot) else { return };
        if wager != WagerId::Main && self.spot_fault(spot).is_some() {
            return;
        }
        self.follow_if_offered(&Input::Wager { seat, wager, amount: stake }, out);
    }

    pub(crate) fn take_back(&mut self, spot: Spot, out: &mut Outputs) {
        if let Some((seat, wager, _)) = self.at(spot) {
            self.follow_if_offered(&Input::Unwager { seat, wager }, out);
        }
    }

    pub(crate) fn at(&self, spot: Spot) -> Option<(Seat, WagerId, Option<table_rules::money::Cents>)> {
        let wager = self.config.wager_of(spot.spot)?;
        let seat = Seat::new(spot.seat).filter(|seat| seat.number() <= self.config.table.positions)?;
        Some((seat, wager.wager, wager.stake))
    }

    /// The press splits the chips: those that lay in time count, the others do not, and a doubtful one is none.
    fn on_split(&mut self, accepted: &[Spot], late: &[Spot], doubtful: &[Spot], out: &mut Outputs) {
        self.state.layout.locked = true;
        self.state.layout.closing = false;
        if !self.engine.is_wagering() {
            return;
        }
        if let Some(stop) = self.stops().into_iter().next() {
            let text = format!("lock-out was pressed, but the table is not locked. {}", stop.reason);
            self.raise(LOCK_REFUSED, Stops::Nothing, &stop.source, &text, out);
            self.reopen(out);
            return;
        }
        for spot in accepted {
            if let Some((seat, wager, _)) = self.at(*spot)
                && !self.engine.has_wager(seat, wager)
            {
                self.place(*spot, out);
            }
        }
        for spot in late.iter().chain(doubtful) {
            self.take_back(*spot, out);
        }
        self.make_way_for_lock(&Input::Lock, Some(accepted), out);
        // What was read for the press is heard.
        self.state.layout.unheard.clear();
        if let Err(refused) = self.follow(&Input::Lock, out) {
            let text = format!("lock-out was pressed, but the table is not locked. {}", refused.reason);
            self.raise(LOCK_REFUSED, Stops::Nothing, &refused.source, &text, out);
            self.reopen(out);
            return;
        }
        for spot in late.iter().chain(doubtful) {
            self.on_late(*spot, out);
        }
    }

    pub(crate) fn on_late(&mut self, spot: Spot, out: &mut Outputs) {
        self.state.layout.late.insert(spot);
        self.state.layout.occupied.insert(spot);
        if let Some((seat, wager, _)) = self.at(spot) {
            self.follow_if_offered(&Input::Late { seat, wager }, out);
            let source = self.cite(Point::SensorLitAtLock);
            let text = format!("chip came after the lock: seat {seat}, {}. Hand it back", wager.short_title());
            self.raise(&late_key(spot), Stops::Nothing, &source, &text, out);
        }
    }

    fn reopen(&mut self, out: &mut Outputs) {
        self.state.layout.locked = false;
        out.commands.push(Output::Reopen);
    }

    /// The wagers are locked, by the button, a tap or the first card: from now on the lamps are evidence.
    pub(crate) fn on_locked(&mut self, by_first_card: bool, out: &mut Outputs) {
        self.state.layout.locked = true;
        self.state.layout.counted = None;
        self.state.layout.accepted = self.spots_with_wagers();
        self.state.layout.unheard.clear();
        let source = self.cite(Point::LockOut);
        self.end_alert(LOCK_REFUSED, &source, out);
        if std::mem::take(&mut self.state.layout.held) {
            let source = self.cite(Point::LockOut);
            self.end_alert(LAYOUT_HELD, &source, out);
        }
        if by_first_card && self.config.has_layout {
            let source = self.cite(Point::LockOut);
            self.raise("not locked", Stops::Nothing, &source, "cards moved before the lock-out was pressed", out);
        }
    }

    fn spots_with_wagers(&self) -> BTreeSet<Spot> {
        let mut spots = BTreeSet::new();
        for seat in SeatSet::first(self.config.table.positions).iter(Direction::FromLeft) {
            for each in &self.config.spots {
                if self.engine.has_wager(seat, each.wager) {
                    spots.insert(Spot { seat: seat.number(), spot: each.spot });
                }
            }
        }
        spots
    }

    pub(crate) fn end_round_of_layout(&mut self, out: &mut Outputs) {
        self.state.layout.accepted.clear();
        self.end_returns(out);
        let source = self.cite(Point::LockOut);
        self.end_alert("not locked", &source, out);
        self.end_alert(LOCK_REFUSED, &source, out);
        for spot in std::mem::take(&mut self.state.layout.late) {
            self.end_alert(&late_key(spot), &source, out);
        }
        self.reopen(out);
    }

    /// The round before is played again (H5), and its lamps are evidence once more. The wagers stay open at the sensors:
    /// what lies or comes there is for the next round, and counts as soon as this one ends.
    pub(crate) fn reopen_round_of_layout(&mut self) {
        self.state.layout.accepted = self.spots_with_wagers();
    }

    /// Whether a chip that comes now is too late: in a round, save one that the dealer has opened again.
    pub(crate) fn chips_are_late(&self) -> bool {
        self.in_round() && self.state.layout.locked
    }

    /// A press is in force before it is on the disk. Whoever starts with wagers on the layout therefore starts locked:
    /// the dealer locks what is recorded, or somebody in charge opens the wagers again.
    pub(crate) fn hold_layout(&mut self, out: &mut Outputs) {
        let pressed = std::mem::take(&mut self.state.layout.closing);
        self.doubt_chips();
        if !self.config.has_layout || !self.engine.is_wagering() {
            return;
        }
        if pressed || !self.spots_with_wagers().is_empty() {
            self.state.layout.locked = true;
            self.state.layout.held = true;
            let source = self.cite(Point::LockOut);
            let text = "table restarted while bets lay: lock, or the floor clears this and the bets are open again";
            self.raise(LAYOUT_HELD, Stops::Nothing, &source, text, out);
        }
    }

    /// Wagers are open again after a start.
    pub(crate) fn release_layout(&mut self, out: &mut Outputs) {
        if std::mem::take(&mut self.state.layout.held) && self.engine.is_wagering() {
            self.reopen(out);
        }
    }

    /// A correction that went back before the lock opens the wagers again.
    pub(crate) fn reopen_if_wagering(&mut self, out: &mut Outputs) {
        let layout = &self.state.layout;
        if layout.locked && !layout.closing && !layout.held && self.engine.is_wagering() {
            self.state.layout.accepted.clear();
            self.reopen(out);
        }
    }

    /// Tells every lamp whose state changed, and the lock-out's own.
    pub(crate) fn show_lamps(&mut self, all: bool, out: &mut Outputs) {
        if !self.config.has_layout {
            return;
        }
        let wagering = self.engine.is_wagering() && !self.in_inspection() && self.stops().is_empty();
        for seat in 1..=self.config.table.positions {
            for at in 0..self.config.spots.len() {
                let each = self.config.spots[at];
                let spot = Spot { seat, spot: each.spot };
                let dead = each.wager != WagerId::Main && self.spot_fault(spot).is_some();
                let state = self.lamp(spot, wagering && !dead);
                if self.state.layout.shown.insert(spot, state) != Some(state) || all {
                    out.commands.push(Output::Lamp { spot, state });
                }
            }
        }
        let locked = self.state.layout.locked;
        if std::mem::replace(&mut self.state.layout.lock_lamp, locked) != locked || all {
            out.commands.push(Output::LockLamp { locked });
        }
    }

    fn lamp(&self, spot: Spot, invited: bool) -> LampState {
        let layout = &self.state.layout;
        if layout.late.contains(&spot) || layout.returned.contains(&spot) {
            LampState::Late
        } else if layout.accepted.contains(&spot) {
            LampState::Accepted
        } else if invited && layout.occupied.contains(&spot) {
            LampState::Placed
        } else if invited {
            LampState::Invited
        } else {
            LampState::Dark
        }
    }

    /// The chips collected from the progressive spots were counted.
    pub(crate) fn chips_counted(&mut self, counted: u8, out: &mut Outputs) {
        let main: Vec<u8> =
            self.config.spots.iter().filter(|each| each.wager == WagerId::Main).map(|each| each.spot).collect();
        let accepted = self.state.layout.accepted.iter().filter(|spot| !main.contains(&spot.spot)).count();
        let accepted = u8::try_from(accepted).unwrap_or(u8::MAX);
        self.state.layout.counted = Some(counted);
        let code = crate::codes::Code::ChipsDiffer;
        self.say(Notice::ChipsCounted { accepted, counted }, &code.to_string(), out);
        if accepted == counted {
            self.end_alert("chips", &code.to_string(), out);
        } else {
            let text = format!("{counted} chips were counted, {accepted} bets are lit");
            self.raise("chips", Stops::Nothing, &code.to_string(), &text, out);
        }
    }

    pub(crate) fn offers(&self, kind: InputKind) -> bool {
        self.engine.offers().offers(kind)
    }
}

fn late_key(spot: Spot) -> String {
    format!("late {}.{}", spot.seat, spot.spot)
}
