//! The felt's desk: chips, the lock-out, and what every lamp says.
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

use crate::config::Spot;
use crate::controller::Controller;
use crate::input::FeltInput;
use crate::notice::Notice;
use crate::output::{LampState, Output, Outputs};

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Felt {
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
    /// Closed by a start while wagers lay: the lock-out may have been pressed before the lights went out.
    pub(crate) held: bool,
}

/// The alert behind `held`: who clears it opens the wagers again.
pub(crate) const FELT_HELD: &str = "felt held";

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
    pub(crate) fn on_felt(&mut self, input: &FeltInput, out: &mut Outputs) {
        if self.inspects_felt(input, out) {
            return;
        }
        match input {
            FeltInput::Placed(spot) => {
                self.state.felt.occupied.insert(*spot);
                // A lock by a tap or by the first card is not known to the sensors.
                if self.in_round() { self.on_late(*spot, out) } else { self.place(*spot, out) }
            }
            FeltInput::Removed(spot) => {
                self.state.felt.occupied.remove(spot);
                self.take_back(*spot, out);
            }
            FeltInput::Locked => {
                self.state.felt.locked = true;
                self.state.felt.closing = true;
            }
            FeltInput::Split { accepted, late, doubtful } => self.on_split(accepted, late, doubtful, out),
            FeltInput::Late(spot) => self.on_late(*spot, out),
            FeltInput::LateRemoved(spot) => {
                self.state.felt.late.remove(spot);
                self.state.felt.occupied.remove(spot);
                let source = self.cite(Point::SensorLitAtLock);
                self.end_alert(&late_key(*spot), &source, out);
            }
            FeltInput::Collected(spot) => {
                self.state.felt.occupied.remove(spot);
            }
            FeltInput::Reopened { occupied } => {
                self.state.felt.locked = false;
                self.state.felt.occupied = occupied.iter().copied().collect();
                for spot in occupied {
                    self.place(*spot, out);
                }
            }
        }
    }

    fn place(&mut self, spot: Spot, out: &mut Outputs) {
        let Some((seat, wager, stake)) = self.at(spot) else { return };
        if wager != WagerId::Main && self.progressives_off().is_some() {
            return;
        }
        self.follow_if_offered(&Input::Wager { seat, wager, amount: stake }, out);
    }

    fn take_back(&mut self, spot: Spot, out: &mut Outputs) {
        if let Some((seat, wager, _)) = self.at(spot) {
            self.follow_if_offered(&Input::Unwager { seat, wager }, out);
        }
    }

    fn at(&self, spot: Spot) -> Option<(Seat, WagerId, Option<table_rules::money::Cents>)> {
        let wager = self.config.wager_of(spot.spot)?;
        let seat = Seat::new(spot.seat).filter(|seat| seat.number() <= self.config.table.positions)?;
        Some((seat, wager.wager, wager.stake))
    }

    /// The press splits the chips: those that lay in time count, the others do not, and a doubtful one is none.
    fn on_split(&mut self, accepted: &[Spot], late: &[Spot], doubtful: &[Spot], out: &mut Outputs) {
        self.state.felt.locked = true;
        self.state.felt.closing = false;
        if !self.engine.is_wagering() {
            return;
        }
        if let Some(stop) = self.stops().into_iter().next() {
            self.say(
                Notice::Noted { what: format!("the lock-out was pressed, but {}", stop.reason) },
                &stop.source,
                out,
            );
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
        self.follow_if_offered(&Input::Lock, out);
        if self.engine.is_wagering() {
            self.reopen(out);
            return;
        }
        for spot in late.iter().chain(doubtful) {
            self.on_late(*spot, out);
        }
    }

    fn on_late(&mut self, spot: Spot, out: &mut Outputs) {
        self.state.felt.late.insert(spot);
        self.state.felt.occupied.insert(spot);
        if let Some((seat, wager, _)) = self.at(spot) {
            self.follow_if_offered(&Input::Late { seat, wager }, out);
            let source = self.cite(Point::SensorLitAtLock);
            let text = format!("a chip came after the lock: seat {seat}, {wager}; hand it back");
            self.raise(&late_key(spot), false, &source, &text, out);
        }
    }

    fn reopen(&mut self, out: &mut Outputs) {
        self.state.felt.locked = false;
        out.commands.push(Output::Reopen);
    }

    /// The wagers are locked, by the button, a tap or the first card: from now on the lamps are evidence.
    pub(crate) fn on_locked(&mut self, by_first_card: bool, out: &mut Outputs) {
        self.state.felt.locked = true;
        self.state.felt.counted = None;
        self.state.felt.accepted = self.spots_with_wagers();
        if std::mem::take(&mut self.state.felt.held) {
            let source = self.cite(Point::LockOut);
            self.end_alert(FELT_HELD, &source, out);
        }
        if by_first_card && self.config.has_felt {
            let source = self.cite(Point::LockOut);
            self.raise("not locked", false, &source, "cards moved before the lock-out was pressed", out);
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

    pub(crate) fn end_round_of_felt(&mut self, out: &mut Outputs) {
        self.state.felt.accepted.clear();
        let source = self.cite(Point::LockOut);
        self.end_alert("not locked", &source, out);
        for spot in std::mem::take(&mut self.state.felt.late) {
            self.end_alert(&late_key(spot), &source, out);
        }
        self.reopen(out);
    }

    /// A press is in force before it is on the disk. Whoever starts with wagers on the layout therefore starts locked:
    /// the dealer locks what is recorded, or somebody in charge opens the wagers again.
    pub(crate) fn hold_felt(&mut self, out: &mut Outputs) {
        let felt = &mut self.state.felt;
        let pressed = std::mem::take(&mut felt.closing);
        if !self.config.has_felt || !self.engine.is_wagering() {
            return;
        }
        if pressed || !self.spots_with_wagers().is_empty() {
            self.state.felt.locked = true;
            self.state.felt.held = true;
            let source = self.cite(Point::LockOut);
            let text =
                "the table was restarted while wagers lay: say lock, or a floorperson clears this to open them again";
            self.raise(FELT_HELD, false, &source, text, out);
        }
    }

    /// Wagers are open again after a start.
    pub(crate) fn release_felt(&mut self, out: &mut Outputs) {
        if std::mem::take(&mut self.state.felt.held) && self.engine.is_wagering() {
            self.reopen(out);
        }
    }

    /// A correction that went back before the lock opens the wagers again.
    pub(crate) fn reopen_if_wagering(&mut self, out: &mut Outputs) {
        let felt = &self.state.felt;
        if felt.locked && !felt.closing && !felt.held && self.engine.is_wagering() {
            self.state.felt.accepted.clear();
            self.reopen(out);
        }
    }

    /// Tells every lamp whose state changed, and the lock-out's own.
    pub(crate) fn show_lamps(&mut self, all: bool, out: &mut Outputs) {
        if !self.config.has_felt {
            return;
        }
        let wagering = self.engine.is_wagering() && !self.in_inspection() && self.stops().is_empty();
        let off = self.progressives_off().is_some();
        for seat in 1..=self.config.table.positions {
            for at in 0..self.config.spots.len() {
                let each = self.config.spots[at];
                let spot = Spot { seat, spot: each.spot };
                let dead = off && each.wager != WagerId::Main;
                let state = self.lamp(spot, wagering && !dead);
                if self.state.felt.shown.insert(spot, state) != Some(state) || all {
                    out.commands.push(Output::Lamp { spot, state });
                }
            }
        }
        let locked = self.state.felt.locked;
        if std::mem::replace(&mut self.state.felt.lock_lamp, locked) != locked || all {
            out.commands.push(Output::LockLamp { locked });
        }
    }

    fn lamp(&self, spot: Spot, invited: bool) -> LampState {
        let felt = &self.state.felt;
        if felt.late.contains(&spot) {
            LampState::Late
        } else if felt.accepted.contains(&spot) {
            LampState::Accepted
        } else if invited && felt.occupied.contains(&spot) {
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
        let accepted = self.state.felt.accepted.iter().filter(|spot| !main.contains(&spot.spot)).count();
        let accepted = u8::try_from(accepted).unwrap_or(u8::MAX);
        self.state.felt.counted = Some(counted);
        let code = crate::codes::Code::ChipsDiffer;
        self.say(Notice::ChipsCounted { accepted, counted }, &code.to_string(), out);
        if accepted == counted {
            self.end_alert("chips", &code.to_string(), out);
        } else {
            let text = format!("{counted} chips were counted, {accepted} wagers are lit");
            self.raise("chips", false, &code.to_string(), &text, out);
        }
    }

    pub(crate) fn offers(&self, kind: InputKind) -> bool {
        self.engine.offers().offers(kind)
    }
}

fn late_key(spot: Spot) -> String {
    format!("late {}.{}", spot.seat, spot.spot)
}
