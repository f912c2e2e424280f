//! What each lamp shows at one moment. Pure: the same states and the same time give the same levels, so a restart in the
//! middle of a blink changes nothing.

use device_protocols::link::Millis;

pub use device_protocols::lamp::LampState;

use crate::inputs::spot::{SEATS_MAX, SPOTS_MAX};
use crate::inputs::{Spot, SpotSet};

/// One step of the chase that invites wagers. Eight seats give a turn of 1.2 s.
pub const CHASE_STEP_MS: u64 = 150;
/// Half a period of the slow flash of a placed wager: 1 Hz.
pub const PLACED_HALF_MS: u64 = 500;
/// Half a period of the fast flash of a late chip: 5 Hz, which nobody takes for the slow one.
pub const LATE_HALF_MS: u64 = 100;

/// The states of all lamps.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LampBoard {
    states: [LampState; SPOTS_MAX],
    pub locked: bool,
}

impl LampBoard {
    pub fn state(&self, spot: Spot) -> LampState {
        self.states[spot.index()]
    }

    pub fn set(&mut self, spot: Spot, state: LampState) {
        self.states[spot.index()] = state;
    }

    /// The levels at one moment. `two_colours` are the spots with a second lamp for late chips.
    pub fn frame(&self, two_colours: SpotSet, now: Millis) -> LampFrame {
        let mut frame = LampFrame { lock_out: self.locked, ..LampFrame::default() };
        for spot in Spot::all().filter(|spot| is_lit(self.state(*spot), *spot, now)) {
            match self.state(spot) {
                LampState::Late if two_colours.contains(spot) => frame.late = frame.late.with(spot),
                LampState::Late | LampState::Dark | LampState::Invited | LampState::Placed | LampState::Accepted => {
                    frame.main = frame.main.with(spot);
                }
            }
        }
        frame
    }

    /// When [`frame`](Self::frame) may next give something else. `None`: everything is steady, there is nothing to do.
    pub fn next_change(&self, now: Millis) -> Option<Millis> {
        self.states.iter().filter_map(|state| beat_ms(*state)).map(|beat| Millis((now.0 / beat + 1) * beat)).min()
    }
}

/// Which lamps are lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LampFrame {
    pub main: SpotSet,
    pub late: SpotSet,
    pub lock_out: bool,
}

fn is_lit(state: LampState, spot: Spot, now: Millis) -> bool {
    match state {
        LampState::Dark => false,
        LampState::Invited => now.0 / CHASE_STEP_MS % u64::from(SEATS_MAX) == u64::from(spot.seat() - 1),
        LampState::Placed => (now.0 / PLACED_HALF_MS).is_multiple_of(2),
        LampState::Accepted => true,
        LampState::Late => (now.0 / LATE_HALF_MS).is_multiple_of(2),
    }
}

fn beat_ms(state: LampState) -> Option<u64> {
    match state {
        LampState::Dark | LampState::Accepted => None,
        LampState::Invited => Some(CHASE_STEP_MS),
        LampState::Placed => Some(PLACED_HALF_MS),
        LampState::Late => Some(LATE_HALF_MS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(seat: u8, spot: u8) -> Spot {
        Spot::new(seat, spot).unwrap()
    }

    fn board(state: LampState) -> LampBoard {
        let mut board = LampBoard::default();
        for spot in Spot::all() {
            board.set(spot, state);
        }
        board
    }

    #[test]
    fn the_invitation_runs_around_the_table_one_seat_at_a_time() {
        for step in 0..16 {
            let frame = board(LampState::Invited).frame(SpotSet::EMPTY, Millis(step * CHASE_STEP_MS + 7));
            let seats: Vec<u8> = frame.main.iter().map(Spot::seat).collect();
            let seat = u8::try_from(step % 8).unwrap() + 1;
            assert_eq!(seats, [seat; 3]);
        }
    }

    #[test]
    fn an_accepted_lamp_is_steady_and_wakes_nobody() {
        let board = board(LampState::Accepted);
        for time in (0..5_000).step_by(37) {
            assert_eq!(board.frame(SpotSet::EMPTY, Millis(time)).main.len(), 24);
        }
        assert_eq!(board.next_change(Millis(0)), None);
    }

    #[test]
    fn a_late_chip_flashes_in_its_own_colour_where_there_is_one() {
        let mut board = LampBoard::default();
        board.set(spot(2, 1), LampState::Late);
        board.set(spot(5, 1), LampState::Late);
        let two_colours = SpotSet::EMPTY.with(spot(2, 1));
        let lit = board.frame(two_colours, Millis(0));
        assert_eq!((lit.late, lit.main), (SpotSet::EMPTY.with(spot(2, 1)), SpotSet::EMPTY.with(spot(5, 1))));
        let dark = board.frame(two_colours, Millis(LATE_HALF_MS));
        assert!(dark.late.is_empty() && dark.main.is_empty());
    }

    #[test]
    fn nothing_changes_between_the_moments_that_are_announced() {
        let states = [LampState::Dark, LampState::Invited, LampState::Placed, LampState::Accepted, LampState::Late];
        let mut board = LampBoard::default();
        for (spot, state) in Spot::all().zip(states.into_iter().cycle()) {
            board.set(spot, state);
        }
        let mut now = Millis(3);
        while now < Millis(5_000) {
            let frame = board.frame(SpotSet::EMPTY, now);
            let next = board.next_change(now).unwrap();
            assert!(next > now);
            for time in now.0..next.0 {
                assert_eq!(board.frame(SpotSet::EMPTY, Millis(time)), frame, "at {time}");
            }
            now = next;
        }
    }
}
