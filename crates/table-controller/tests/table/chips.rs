//! Chips, the lock-out and its lamps.

use operator_api::Action;
use table_controller::{Input, JournalInput, LampState, LayoutInput, SpotWager};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use crate::desk::{DEALER, Desk, FLOOR, config, main_spot, side_spot};

#[test]
fn the_press_splits_the_chips_and_a_late_one_goes_back() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.chip(main_spot(1));
    desk.chip(side_spot(1));
    desk.chip(main_spot(2));
    desk.layout_says(LayoutInput::Locked);
    assert!(desk.lock_lamp, "in force at once");
    assert!(desk.screen().locked);
    let (accepted, late) = (vec![main_spot(1), side_spot(1), main_spot(2)], vec![side_spot(2)]);
    desk.layout_says(LayoutInput::Split { accepted, late, doubtful: vec![] });
    assert!(desk.controller.in_round());
    assert_eq!(desk.lamps[&side_spot(1)], LampState::Accepted);
    assert_eq!(desk.lamps[&side_spot(2)], LampState::Late);
    assert!(desk.alert("Hand it back").is_some());
    assert_eq!(desk.controller.day_view().counts.late_wagers, 1);
    let monster = |seat: usize| desk.screen().seats[seat - 1].side.iter().any(|side| side.wager == "monster-match");
    assert!(monster(1) && !monster(2), "a late chip is no wager");
    desk.layout_says(LayoutInput::LateRemoved(side_spot(2)));
    assert_eq!(desk.lamps[&side_spot(2)], LampState::Dark);
}

// cites blackjack 2.C(2)
// cites blackjack 2.C(3)
// cites players-edge-21 2.C(2)
// cites players-edge-21 2.C(3)
// cites pontoon-21 2.B(7)(a)
// cites pontoon-21 2.B(8)(a)
#[test]
fn every_position_takes_the_progressive_wager_and_its_lamp_confirms_it() {
    let wagers = [
        (Game::Blackjack, WagerId::TwentyOnePlusThree, 100),
        (Game::PlayersEdge21, WagerId::MonsterMatch, 200),
        (Game::Pontoon21, WagerId::BonusSpin, 500),
        (Game::Pontoon21, WagerId::BonusSpinXtreme, 500),
    ];
    for (game, wager, cents) in wagers {
        let mut config = config(game);
        config.spots.truncate(1);
        config.spots.push(SpotWager { spot: 2, wager, stake: Some(Cents(cents)) });
        let mut desk = Desk::dealing(config);
        let seats: Vec<u8> = (1..=desk.config.table.positions).collect();
        for seat in &seats {
            assert_eq!(desk.lamps[&side_spot(*seat)], LampState::Invited, "{game} {wager}");
            desk.chip(main_spot(*seat));
            desk.chip(side_spot(*seat));
            assert_eq!(desk.lamps[&side_spot(*seat)], LampState::Placed, "{game} {wager}");
        }
        desk.press_lock();
        for seat in seats {
            assert_eq!(desk.lamps[&side_spot(seat)], LampState::Accepted, "{game} {wager}");
            let side = &desk.screen().seats[usize::from(seat) - 1].side;
            assert!(side.iter().any(|side| side.wager == wager.id()), "{game} {wager}: a lamp without its wager");
        }
    }
}

#[test]
fn a_doubtful_chip_is_none() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.chip(main_spot(1));
    desk.chip(side_spot(1));
    desk.layout_says(LayoutInput::Locked);
    let split = LayoutInput::Split { accepted: vec![main_spot(1)], late: vec![], doubtful: vec![side_spot(1)] };
    desk.layout_says(split);
    assert!(desk.screen().seats[0].side.is_empty());
    assert_eq!(desk.lamps[&side_spot(1)], LampState::Late);
}

#[test]
fn a_chip_after_a_lock_that_the_sensors_do_not_know_is_late() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.chip(main_spot(1));
    desk.say("wager 1 main 20").unwrap();
    desk.say("lock").unwrap();
    desk.layout_says(LayoutInput::Placed(main_spot(2)));
    assert_eq!(desk.lamps[&main_spot(2)], LampState::Late);
    assert!(!desk.screen().seats[1].in_play);
}

#[test]
fn the_first_card_locks_and_says_that_nobody_pressed() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c 9c 7d 9d Ks 5h 4h 8h");
    desk.chip(main_spot(1));
    desk.say("wager 1 main 20").unwrap();
    desk.draw();
    assert!(desk.said("burnt").is_some() && !desk.controller.in_round(), "the first of a shoe is burnt, locked or not");
    desk.draw();
    assert!(desk.alert("before the lock-out was pressed").is_some());
    assert_eq!(desk.lamps[&main_spot(1)], LampState::Accepted);
    desk.finish_round();
    assert!(desk.alert("before the lock-out was pressed").unwrap().ended);
}

#[test]
fn a_press_without_wagers_opens_again() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.press_lock();
    assert!(!desk.controller.in_round());
    assert!(!desk.screen().locked);
    assert!(desk.commands.iter().any(|command| command == "Reopen"), "{:?}", desk.commands);
}

#[test]
fn a_restart_with_wagers_on_the_layout_comes_back_locked() {
    // The press was in force and not yet on the disk, or it was and the list of chips was not.
    for pressed in [false, true] {
        let mut desk = Desk::dealing(config(Game::Blackjack));
        desk.chip(main_spot(1));
        desk.say("wager 1 main 20").unwrap();
        if pressed {
            desk.layout_says(LayoutInput::Locked);
        }
        desk.restart();
        desk.links_up();
        assert!(desk.screen().locked && desk.lock_lamp, "pressed {pressed}");
        assert!(desk.alert("restarted while bets lay").is_some());
        desk.pass(60_000);
        assert!(desk.screen().locked, "time opens nothing");
        if pressed {
            desk.say("lock").unwrap();
            assert!(desk.controller.in_round());
            assert!(desk.alert("restarted while bets lay").unwrap().ended);
        } else {
            let alert = desk.alert("restarted while bets lay").unwrap().alert;
            desk.staff(DEALER, Action::Clear { alert }).unwrap_err();
            desk.staff(FLOOR, Action::Clear { alert }).unwrap();
            assert!(desk.commands.iter().any(|command| command == "Reopen"));
            assert!(!desk.screen().locked);
        }
    }
}

#[test]
fn chips_that_are_counted_are_compared_with_the_lamps() {
    let mut config = config(Game::PlayersEdge21);
    config.count_chips = true;
    let mut desk = Desk::dealing(config);
    desk.chip(side_spot(1));
    desk.chip(side_spot(3));
    desk.wager_and_lock(&[1, 3]);
    desk.ask(None, None, Action::ChipCount { chips: 3 }).unwrap();
    assert!(desk.alert("3 chips were counted, 2 bets are lit").is_some());
    desk.ask(None, None, Action::ChipCount { chips: 2 }).unwrap();
    assert!(desk.alert("3 chips were counted").unwrap().ended);
    desk.finish_round();
    let counted = desk.records.len();
    desk.ask(None, None, Action::ChipCount { chips: 3 }).unwrap_err();
    assert_eq!(desk.records.len(), counted, "chips are counted within their round");
}

#[test]
fn a_ten_second_stall_with_the_lock_out_pressed_loses_nothing() {
    // The press closes the sensors in the driver; its record waits for the disk and then says when it was.
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.chip(main_spot(1));
    desk.chip(side_spot(1));
    desk.say("wager 1 main 20").unwrap();
    desk.layout_says(LayoutInput::Locked);
    desk.device(Input::Journal(JournalInput::Stalled { milliseconds: 10_000 }));
    let accepted = vec![main_spot(1), side_spot(1)];
    desk.layout_says(LayoutInput::Split { accepted, late: vec![side_spot(2)], doubtful: vec![] });
    desk.layout_says(LayoutInput::Late(main_spot(3)));
    assert!(desk.controller.in_round());
    assert_eq!(desk.lamps[&side_spot(1)], LampState::Accepted);
    assert_eq!(desk.lamps[&main_spot(3)], LampState::Late);
    assert!(desk.stops().is_empty(), "a slow disk declares nobody dead");
    desk.finish_round();
}

#[test]
fn chips_that_lie_when_the_wagers_open_again_are_wagers() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.play_round(&[1]);
    desk.layout_says(LayoutInput::Reopened { occupied: vec![main_spot(4)] });
    assert!(desk.screen().seats[3].in_play);
    desk.layout_says(LayoutInput::Removed(main_spot(4)));
    assert!(!desk.screen().seats[3].in_play);
}
