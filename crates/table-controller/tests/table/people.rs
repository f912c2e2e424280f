//! Who may say what, and where it takes two.

use operator_api::{Action, MeterPool};
use table_controller::{FaultInput, Input, Part, ReaderInput};
use table_rules::game::Game;

use crate::desk::{AUDITOR, DEALER, Desk, FLOOR, MANAGER, OTHER_FLOOR, TECHNICIAN, config, main_spot, side_spot};

/// A round in which four sevens of hearts win the monster match of seat 2, down to the floorperson's approval.
pub(crate) fn jackpot_to_approve() -> Desk {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.load("2c 7h Kd 7h 7h 9h 7h 5c 9c 9d 8d 8c 8h 8s");
    desk.chip(main_spot(2));
    desk.chip(side_spot(2));
    desk.chip(main_spot(4));
    desk.script("wager 2 main 25\nwager 4 main 10");
    desk.press_lock();
    desk.draws(7);
    desk.script("stand\nstand");
    desk.ask(None, None, Action::Reveal).unwrap();
    desk.draw();
    while desk.prompt().contains("erify") {
        desk.say("next").unwrap();
    }
    desk
}

#[test]
fn a_jackpot_over_the_threshold_takes_two_different_people() {
    let mut desk = jackpot_to_approve();
    let meter = desk.controller.meter_views()[0].clone();
    assert!(desk.say("paid").is_err(), "{}", desk.prompt());
    for nobody in [DEALER, TECHNICIAN, AUDITOR] {
        assert_eq!(desk.say_as(nobody, "floor approve").unwrap_err().source, "TC-005");
    }
    desk.say("floor approve").unwrap_err();
    desk.say_as(FLOOR, "floor approve").unwrap();
    assert_eq!(desk.say_as(FLOOR, "manager approve").unwrap_err().source, "TC-006", "the second is the first");
    desk.say_as(TECHNICIAN, "manager approve").unwrap_err();
    desk.restart();
    desk.links_up();
    assert_eq!(desk.say_as(FLOOR, "manager approve").unwrap_err().source, "TC-006", "a restart makes nobody another");
    desk.say_as(OTHER_FLOOR, "manager approve").unwrap();
    desk.say("paid").unwrap();
    let after = desk.controller.meter_views()[0].clone();
    assert_eq!((after.hits, after.balanced), (meter.hits + 1, true));
    assert!(after.wins_cents > 500_000, "{after:?}");
    assert_eq!(desk.controller.day_view().counts.jackpots, 1);
    desk.check_replay();
}

#[test]
fn a_paid_jackpot_is_not_voided_or_corrected_away() {
    let mut desk = jackpot_to_approve();
    desk.say_as(FLOOR, "floor approve").unwrap();
    desk.say_as(MANAGER, "manager approve").unwrap();
    desk.say("paid").unwrap();
    let paid = desk.controller.meter_views();
    desk.say_as(FLOOR, "floor void").unwrap_err();
    desk.say("undo").unwrap_err();
    desk.say_as(FLOOR, "correct \"not his\"").unwrap_err();
    assert_eq!(desk.controller.meter_views(), paid);
    desk.finish_round();
    assert_eq!(desk.controller.meter_views(), paid);
}

#[test]
fn a_meter_is_corrected_by_a_manager_and_a_second_person() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    let correct = || Action::CorrectMeter {
        wager: "monster-match".to_owned(),
        meter: "main".to_owned(),
        pool: MeterPool::Meter,
        cents: 1_250,
        reason: "misread after the battery".to_owned(),
    };
    let before = desk.controller.meter_views()[0].amount_cents;
    desk.ask(Some(FLOOR), Some(MANAGER), correct()).unwrap_err();
    desk.ask(Some(TECHNICIAN), Some(MANAGER), correct()).unwrap_err();
    desk.ask(Some(MANAGER), None, correct()).unwrap_err();
    assert_eq!(desk.ask(Some(MANAGER), Some(MANAGER), correct()).unwrap_err().source, "TC-006");
    desk.ask(Some(MANAGER), Some(AUDITOR), correct()).unwrap_err();
    desk.ask(Some(MANAGER), Some(FLOOR), correct()).unwrap();
    let after = desk.controller.meter_views()[0].clone();
    assert_eq!((after.amount_cents, after.balanced), (before + 1_250, true));
    assert_eq!(desk.said("meter-corrected").unwrap()["people"], serde_json::json!([300, 200]));
    assert!(desk.said("meter-states").is_some(), "a later version can go on from it");
    desk.check_replay();
}

#[test]
fn an_auditor_and_a_technician_say_nothing_that_belongs_to_play() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let words = ["wager 1 main 20", "lock", "card 7d", "floor approve", "manager approve", "close", "undo"];
    for words in words {
        for who in [AUDITOR, TECHNICIAN] {
            let refused = desk.say_as(who, words).unwrap_err();
            assert_eq!(refused.source, "TC-005", "{words}");
        }
    }
}

#[test]
fn the_floorperson_who_began_the_inspection_signs_it() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(DEALER, Action::BeginInspection { full: false }).unwrap_err();
    desk.staff(TECHNICIAN, Action::BeginInspection { full: false }).unwrap_err();
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    while desk.step() != "signature" {
        desk.inspection_step();
    }
    let sign = Action::InspectionAnswer { answer: "sign".to_owned() };
    desk.ask(None, None, sign.clone()).unwrap_err();
    desk.staff(OTHER_FLOOR, sign.clone()).unwrap_err();
    desk.staff(TECHNICIAN, sign.clone()).unwrap_err();
    desk.staff(FLOOR, sign).unwrap();
}

#[test]
fn nobody_says_what_a_device_says() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c 9c Ad 9d Kd");
    desk.wager_and_lock(&[1]);
    desk.draws(5);
    assert!(desk.say("peek no").unwrap_err().reason.contains("The reader answers"), "{}", desk.prompt());
    assert_eq!(desk.say("at 14:05").unwrap_err().source, "TC-005");
}

#[test]
fn a_prompt_keeps_its_number_while_nothing_happens_that_an_answer_hangs_on() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.say("wager 1 main 25").unwrap();
    let number = |desk: &Desk| desk.screen().prompt_number;
    let before = number(&desk);
    desk.pass(60_000);
    desk.pass(60_000);
    desk.device(Input::Fault(FaultInput::of(Part::Board, "HC-901", true)));
    assert_eq!(number(&desk), before, "minutes and a board that is warm are nobody's answer");
    desk.say("wager 2 main 25").unwrap();
    assert!(number(&desk) > before, "the game has moved");
    let before = number(&desk);
    desk.reader_says(ReaderInput::Down);
    assert!(number(&desk) > before, "no next round: another order");
    let before = number(&desk);
    assert!(desk.say("stand").is_err());
    assert_eq!(number(&desk), before, "a refusal changes nothing");
}

#[test]
fn a_minute_is_neither_taken_back_nor_a_reason_to_take_something_back() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c 9c 6d 7d Kd 8h");
    desk.wager_and_lock(&[1]);
    let number = |desk: &Desk| desk.screen().prompt_number;
    let locked = number(&desk);
    desk.pass(60_000);
    assert_eq!(number(&desk), locked, "after the lock there is nothing to undo, whatever the time");
    assert!(desk.say("undo").unwrap_err().reason.contains("The lock cannot be undone"));
    desk.draws(5);
    let deciding = desk.prompt();
    desk.draws(1);
    desk.pass(60_000);
    desk.say("undo").unwrap();
    assert_eq!(desk.prompt(), deciding, "the card is taken back, not the minute after it");
}

#[test]
fn nobody_writes_a_line_of_their_own_into_the_record() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    let correct = |reason: &str| Action::CorrectMeter {
        wager: "monster-match".to_owned(),
        meter: "main".to_owned(),
        pool: MeterPool::Meter,
        cents: 1,
        reason: reason.to_owned(),
    };
    let long = "x".repeat(201);
    for reason in ["misread\n   4712  manager 300: paid", "\u{1b}[1A", "\u{202e}", long.as_str()] {
        assert_eq!(desk.ask(Some(MANAGER), Some(FLOOR), correct(reason)).unwrap_err().source, "TC-012", "{reason:?}");
    }
    let serial = Action::ReplaceReader { serial: "R-1\nR-2".to_owned() };
    desk.ask(Some(TECHNICIAN), Some(FLOOR), serial).unwrap_err();
    desk.ask(Some(MANAGER), Some(FLOOR), correct("misread")).unwrap();
}
