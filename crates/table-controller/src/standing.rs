//! Which wagers can stand: after a start, when only the sensors know what lies there, and at the lock, which always
//! closes. What cannot stand is closed for its spot, shown as returned with its clause, and never counted.

use std::collections::BTreeSet;

use table_rules::game::Direction;
use table_rules::input::Input;
use table_rules::seat::{Seat, SeatSet};
use table_rules::source::Point;
use table_rules::wager::{Bet, WagerId};

use crate::alerts::Stops;
use crate::config::Spot;
use crate::controller::Controller;
use crate::output::Outputs;

/// Why a wager goes back at the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unfit {
    /// 6.F: a side wager needs a main wager at its box.
    NoMainWager,
    /// X2: no chip lay on the sensor when the button was pressed.
    NoChip,
    /// H18: nobody has heard from the sensor since the table was started.
    NotHeard,
}

impl Unfit {
    const fn point(self) -> Point {
        match self {
            Self::NoMainWager => Point::MainWagerFirst,
            Self::NoChip => Point::SensorLitAtLock,
            Self::NotHeard => Point::Restart,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::NoMainWager => "has no main bet",
            Self::NoChip => "has no chip on its sensor",
            Self::NotHeard => "has a sensor that has not answered since the start",
        }
    }
}

impl Controller {
    /// Whether the sensors' reading says anything that is not known yet.
    pub fn sensors_say_something(&self, occupied: &[Spot], unread: &[Spot]) -> bool {
        let layout = &self.state.layout;
        let known = |spot: &&Spot| !unread.contains(spot);
        let gone = layout.occupied.iter().filter(known).any(|spot| !occupied.contains(spot));
        gone || occupied.iter().any(|spot| !layout.occupied.contains(spot))
            || layout.unheard.iter().any(|spot| !unread.contains(spot))
    }

    /// A start knows nothing of the chips. Side wagers on sensor spots wait to be confirmed by their sensors.
    pub(crate) fn doubt_chips(&mut self) {
        self.state.layout.unheard.clear();
        if self.config.has_layout && self.engine.is_wagering() {
            self.state.layout.unheard = self.sensed_wagers().map(|(spot, ..)| spot).collect();
        }
    }

    /// All sensors as they are now. Before the lock the wagers follow them: a chip that is gone is no wager, and one that
    /// came counts unless the start holds the wagers closed. After the lock nothing changes but what lies there.
    pub(crate) fn on_read(&mut self, occupied: &[Spot], unread: &[Spot], out: &mut Outputs) {
        let unread: BTreeSet<Spot> = unread.iter().copied().collect();
        let now: BTreeSet<Spot> = occupied.iter().copied().filter(|spot| !unread.contains(spot)).collect();
        let before = std::mem::take(&mut self.state.layout.occupied);
        self.state.layout.unheard.retain(|spot| unread.contains(spot));
        self.state.layout.occupied = now.iter().chain(before.intersection(&unread)).copied().collect();
        if self.in_round() {
            let accepted = self.state.layout.accepted.clone();
            let late = self.chips_are_late();
            for spot in now.difference(&before).filter(|spot| late && !accepted.contains(spot)) {
                self.on_late(*spot, out);
            }
            return;
        }
        for spot in before.difference(&now).filter(|spot| !unread.contains(spot)) {
            self.take_back(*spot, out);
        }
        if !self.state.layout.locked {
            for spot in now.difference(&before) {
                self.place(*spot, out);
            }
        }
    }

    /// Takes back what cannot stand, if the lock can be had by it: by the button (with the spots whose chips counted), by
    /// a tap or by the first card. Where the lock would be refused all the same, nothing changes.
    pub(crate) fn make_way_for_lock(&mut self, input: &Input, accepted: Option<&[Spot]>, out: &mut Outputs) {
        if !self.engine.is_wagering() {
            return;
        }
        let unfit = self.unfit(accepted);
        if unfit.is_empty() {
            return;
        }
        let mut trial = self.engine.clone();
        let mut events = table_rules::Events::new();
        for (_, seat, wager, _) in &unfit {
            let unwager = Input::Unwager { seat: *seat, wager: *wager };
            // Whether the rules let go of it is seen from what they then accept.
            let _taken = trial.apply(&unwager, &mut events);
        }
        // A card that is burnt locks nothing.
        if trial.apply(input, &mut events).is_err() || trial.is_wagering() {
            return;
        }
        for (spot, seat, wager, why) in unfit {
            self.follow_if_offered(&Input::Unwager { seat, wager }, out);
            let source = self.cite(why.point());
            let text = format!("seat {seat}: {} {}. It is closed: hand the chip back", Bet(wager), why.words());
            self.raise(&returned_key(seat, wager), Stops::Nothing, &source, &text, out);
            if let Some(spot) = spot.filter(|spot| self.state.layout.occupied.contains(spot)) {
                self.state.layout.returned.insert(spot);
            }
        }
    }

    fn unfit(&self, accepted: Option<&[Spot]>) -> Vec<(Option<Spot>, Seat, WagerId, Unfit)> {
        let mut unfit = Vec::new();
        for (spot, seat, wager) in self.sensed_wagers() {
            let gone = accepted.is_some_and(|accepted| !accepted.contains(&spot));
            if gone {
                unfit.push((Some(spot), seat, wager, Unfit::NoChip));
            } else if accepted.is_none() && self.state.layout.unheard.contains(&spot) {
                unfit.push((Some(spot), seat, wager, Unfit::NotHeard));
            }
        }
        for seat in SeatSet::first(self.config.table.positions).iter(Direction::FromLeft) {
            if self.engine.has_wager(seat, WagerId::Main) {
                continue;
            }
            for wager in WagerId::ALL.into_iter().filter(|wager| *wager != WagerId::Main) {
                let listed = unfit.iter().any(|(_, at, which, _)| (*at, *which) == (seat, wager));
                if self.engine.has_wager(seat, wager) && !listed {
                    let spot = self.config.spots.iter().find(|each| each.wager == wager);
                    let spot = spot.map(|each| Spot { seat: seat.number(), spot: each.spot });
                    unfit.push((spot, seat, wager, Unfit::NoMainWager));
                }
            }
        }
        unfit
    }

    /// The side wagers that lie on spots with a sensor.
    fn sensed_wagers(&self) -> impl Iterator<Item = (Spot, Seat, WagerId)> {
        let seats = SeatSet::first(self.config.table.positions).iter(Direction::FromLeft);
        seats.flat_map(move |seat| {
            let spots = self.config.spots.iter().filter(|each| each.wager != WagerId::Main);
            spots.filter_map(move |each| {
                let spot = Spot { seat: seat.number(), spot: each.spot };
                let lies = self.config.has_sensor(spot) && self.engine.has_wager(seat, each.wager);
                lies.then_some((spot, seat, each.wager))
            })
        })
    }

    /// The chip was taken from a spot whose wager went back.
    pub(crate) fn end_return(&mut self, spot: Spot, out: &mut Outputs) {
        if self.state.layout.returned.remove(&spot)
            && let Some((seat, wager, _)) = self.at(spot)
        {
            let source = self.cite(Point::MainWagerFirst);
            self.end_alert(&returned_key(seat, wager), &source, out);
        }
    }

    pub(crate) fn end_returns(&mut self, out: &mut Outputs) {
        self.state.layout.returned.clear();
        let source = self.cite(Point::LockOut);
        for key in self.state.alerts.keys_beginning(RETURNED) {
            self.end_alert(&key, &source, out);
        }
    }
}

const RETURNED: &str = "returned ";

fn returned_key(seat: Seat, wager: WagerId) -> String {
    format!("{RETURNED}{seat} {wager}")
}
