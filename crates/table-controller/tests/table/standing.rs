//! Which wagers stand: after a start with chips moved while the power was off, and at a lock that always closes.

use std::collections::BTreeSet;

use operator_api::Action;
use table_controller::{LampState, LayoutInput, Spot};
use table_rules::game::Game;

use crate::desk::{Desk, FLOOR, config, main_spot, side_spot};

/// When the power goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// Chips lie, nobody has pressed.
    Open,
    /// Pressed; which chips counted is not on the disk.
    Closing,
    /// Locked; the round runs.
    Locked,
}

fn wagered(desk: &Desk, seat: u8) -> bool {
    desk.screen().seats[usize::from(seat) - 1].side.iter().any(|side| side.wager == "monster-match")
}

fn meter(desk: &Desk) -> i64 {
    desk.screen().meters.iter().map(|meter| meter.amount_cents + meter.reserve_cents).sum()
}

/// Seats 1 and 2 play, each with a chip on the progressive; seat 3 plays without one.
fn before_the_cut(cut: Cut) -> Desk {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    for seat in 1..=3 {
        desk.chip(main_spot(seat));
    }
    desk.chip(side_spot(1));
    desk.chip(side_spot(2));
    match cut {
        Cut::Open => {}
        Cut::Closing => desk.layout_says(LayoutInput::Locked),
        Cut::Locked => desk.press_lock(),
    }
    desk
}

fn open_again(desk: &mut Desk) {
    if let Some(held) = desk.alert("restarted while bets lay").filter(|alert| !alert.ended) {
        desk.staff(FLOOR, Action::Clear { alert: held.alert }).unwrap();
        let occupied = desk.chips.iter().copied().collect();
        desk.layout_says(LayoutInput::Reopened { occupied });
    }
}

/// Every moment of the cut, every way of moving the two progressive chips and adding a third, with and without a sensor
/// that is not heard, locked by the button and by the word.
#[test]
fn no_progressive_wager_counts_without_its_chip_whatever_moved_while_the_power_was_off() {
    for cut in [Cut::Open, Cut::Closing, Cut::Locked] {
        for moved in 0..8_u8 {
            for (unheard, by_button) in [(false, true), (false, false), (true, true), (true, false)] {
                check_cut(cut, moved, unheard, by_button);
            }
        }
    }
}

fn check_cut(cut: Cut, moved: u8, unheard: bool, by_button: bool) {
    let what = format!("{cut:?}, moved {moved:03b}, unheard {unheard}, button {by_button}");
    let mut desk = before_the_cut(cut);
    let in_play_before: Vec<bool> = (1..=3).map(|seat| wagered(&desk, seat)).collect();
    let fed_before = meter(&desk);
    for (bit, seat) in [(1, 1), (2, 2), (4, 3)] {
        if moved & bit != 0 && !desk.chips.remove(&side_spot(seat)) {
            desk.chips.insert(side_spot(seat));
        }
    }
    let unread: Vec<Spot> = if unheard { vec![side_spot(1)] } else { Vec::new() };
    desk.restart();
    desk.links_up_but_for(&unread);
    if cut == Cut::Locked {
        let in_play: Vec<bool> = (1..=3).map(|seat| wagered(&desk, seat)).collect();
        assert_eq!(in_play, in_play_before, "{what}: after the lock nothing changes");
        assert_eq!(meter(&desk), fed_before, "{what}");
        assert_eq!(desk.lamps[&side_spot(1)], LampState::Accepted, "{what}");
        return;
    }
    if by_button {
        open_again(&mut desk);
        let doubtful = unread.clone();
        desk.layout_says(LayoutInput::Locked);
        let accepted = desk.chips.iter().copied().filter(|spot| !unread.contains(spot)).collect();
        desk.layout_says(LayoutInput::Split { accepted, late: Vec::new(), doubtful });
    } else {
        desk.say("lock").unwrap();
    }
    assert!(desk.controller.in_round(), "{what}");
    let mut counted = BTreeSet::new();
    for seat in 1..=3 {
        let lies = desk.chips.contains(&side_spot(seat)) && !unread.contains(&side_spot(seat));
        assert!(lies || !wagered(&desk, seat), "{what}: seat {seat} without a chip");
        assert_eq!(wagered(&desk, seat), desk.lamps[&side_spot(seat)] == LampState::Accepted, "{what}: seat {seat}");
        if wagered(&desk, seat) {
            counted.insert(seat);
        }
    }
    // A chip that nobody moved counts, unless its sensor is not heard.
    if !unheard && moved & 1 == 0 {
        assert!(counted.contains(&1), "{what}");
    }
    assert_eq!(meter(&desk) > fed_before, !counted.is_empty(), "{what}: the meter is fed by what counts");
}

#[test]
fn a_side_chip_without_a_main_wager_goes_back_and_the_rest_is_locked() {
    // cites players-edge-21 6.F
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.chip(main_spot(1));
    desk.chip(side_spot(1));
    desk.chip(side_spot(3));
    let before = meter(&desk);
    desk.press_lock();
    assert!(desk.controller.in_round(), "a press always closes");
    assert!(wagered(&desk, 1) && !wagered(&desk, 3));
    assert_eq!(desk.lamps[&side_spot(3)], LampState::Late, "shown as not counted");
    let alert = desk.alert("Seat 3: Monster Match bet has no main bet").unwrap();
    assert_eq!(alert.source, "players-edge-21 6.F");
    assert!(meter(&desk) > before);
    desk.chips.remove(&side_spot(3));
    desk.layout_says(LayoutInput::Collected(side_spot(3)));
    assert!(desk.alert("Seat 3: Monster Match bet has no main bet").unwrap().ended);
    assert_eq!(desk.lamps[&side_spot(3)], LampState::Dark);
}

#[test]
fn the_first_card_locks_although_a_side_chip_has_no_main_wager() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.play_round(&[1]);
    desk.chips.clear();
    desk.chip(main_spot(1));
    desk.chip(side_spot(3));
    desk.draw();
    assert!(desk.controller.in_round(), "{}", desk.prompt());
    assert!(!wagered(&desk, 3));
    assert!(desk.alert("Seat 3: Monster Match bet has no main bet").is_some());
}

#[test]
fn a_press_that_begins_no_round_says_why() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.chip(side_spot(3));
    desk.press_lock();
    assert!(!desk.controller.in_round());
    let alert = desk.alert("Lock-out was pressed, but the table is not locked. No main bet lies on the table").unwrap();
    assert_eq!(alert.source, "players-edge-21 6.F");
    desk.layout_says(LayoutInput::Reopened { occupied: vec![side_spot(3)] });
    desk.chip(main_spot(3));
    desk.press_lock();
    assert!(desk.controller.in_round() && wagered(&desk, 3), "what lay there counts with its main wager");
    assert!(desk.alert("Lock-out was pressed, but").unwrap().ended);
}
