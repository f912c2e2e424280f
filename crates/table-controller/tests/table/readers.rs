//! The hole-card reader: armed in its moment, believed once, out of service when it was wrong.

use operator_api::Action;
use table_controller::{FaultInput, Input, Part, PersonInput, ReaderAnswer, ReaderCondition, ReaderInput};
use table_rules::engine::StageView;
use table_rules::game::Game;

use crate::desk::{Desk, FLOOR, MANAGER, OTHER_FLOOR, Slot, TECHNICIAN, config, identity};

/// Seat 1 has 19 and the dealer an ace over this card.
fn under_ace(hole: &str) -> Desk {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load(&format!("2c Tc Ad 9d {hole} 9h 9s 2h 3h 4h 5h"));
    desk.wager_and_lock(&[1]);
    desk.draws(5);
    assert_eq!(desk.reader, Slot::Armed, "{}", desk.prompt());
    desk
}

#[test]
fn the_reader_is_armed_only_in_its_moment() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c Tc Ad 9d 7s 9h 9s");
    desk.wager_and_lock(&[1]);
    for _ in 0..4 {
        desk.draw();
        assert_eq!(desk.reader, Slot::Idle);
    }
    desk.draw();
    assert_eq!(desk.reader, Slot::Armed);
    assert!(desk.commands.iter().any(|command| command.contains("Arm { group: Ace }")), "{:?}", desk.commands);
    desk.insert(ReaderAnswer::No);
    assert_eq!(desk.reader, Slot::Idle);
    assert!(matches!(desk.controller.engine().stage(), StageView::Decisions));
}

#[test]
fn no_low_up_card_arms_it() {
    let mut desk = Desk::dealing(config(Game::Spanish21));
    desk.load("2c 9c 7d 9d 7s 9h 9s 2h");
    desk.wager_and_lock(&[1]);
    desk.finish_round();
    let armed = desk.records.iter().any(|(input, _)| String::from_utf8_lossy(input).contains("inserted"));
    assert!(!armed);
    assert_eq!(desk.reader, Slot::Idle);
}

#[test]
fn a_reader_that_came_up_faulty_is_armed_again_when_its_last_fault_is_gone() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c Tc Ad 9d 7s 9h 9s");
    desk.wager_and_lock(&[1]);
    desk.draws(4);
    desk.restart();
    desk.links_up();
    let fault = |code: &str, raised| Input::Fault(FaultInput::of(Part::Reader, code, raised));
    desk.device(fault("RD-103", true));
    desk.device(fault("RD-105", true));
    desk.reader_says(ReaderInput::State(ReaderCondition::Faulted));
    desk.device(fault("RD-103", false));
    desk.draw();
    assert_eq!(desk.reader, Slot::Idle, "one fault still stands");
    desk.device(fault("RD-105", false));
    assert_eq!(desk.reader, Slot::Armed, "{}", desk.prompt());
}

#[test]
fn a_second_report_of_one_reading_is_not_a_second_reading() {
    let mut desk = under_ace("7s");
    desk.reader_says(ReaderInput::Inserted);
    desk.reader_says(ReaderInput::Answered(ReaderAnswer::Unread));
    let prompt = desk.prompt();
    desk.reader_says(ReaderInput::Answered(ReaderAnswer::Unread));
    desk.reader_says(ReaderInput::Answered(ReaderAnswer::Yes));
    assert_eq!(desk.prompt(), prompt);
    desk.reader_says(ReaderInput::Removed);
    desk.insert(ReaderAnswer::No);
    assert!(matches!(desk.controller.engine().stage(), StageView::Decisions));
}

#[test]
fn the_insertion_closes_insurance() {
    let mut desk = under_ace("7s");
    desk.say("insure 1 10").unwrap();
    desk.reader_says(ReaderInput::Inserted);
    assert!(desk.said("insurance-closed").is_some());
    desk.say("insure 1 10").unwrap_err();
}

#[test]
fn a_card_pulled_out_early_is_inserted_again() {
    let mut desk = under_ace("7s");
    desk.reader_says(ReaderInput::Inserted);
    desk.reader_says(ReaderInput::RemovedEarly);
    desk.reader_says(ReaderInput::Inserted);
    desk.reader_says(ReaderInput::Answered(ReaderAnswer::No));
    assert!(matches!(desk.controller.engine().stage(), StageView::Decisions));
}

#[test]
fn a_wrong_answer_takes_the_reader_out_of_service_until_two_people_replaced_it_and_it_was_inspected_whole() {
    let mut desk = under_ace("7s");
    let wrong = desk.wrong_answer();
    desk.insert(wrong);
    desk.finish_round();
    let alert = desk.alert("out of service").unwrap();
    for who in [FLOOR, MANAGER, TECHNICIAN] {
        desk.staff(who, Action::Clear { alert: alert.alert }).unwrap_err();
    }
    desk.restart();
    desk.links_up();
    assert!(desk.alert("out of service").is_some(), "a restart heals no reader");
    desk.inspect(false);
    assert!(!desk.stops().is_empty(), "an inspection alone does not bring it back");
    let replace = || Action::ReplaceReader { serial: "R-2".to_owned() };
    desk.ask(Some(TECHNICIAN), None, replace()).unwrap_err();
    desk.ask(Some(TECHNICIAN), Some(TECHNICIAN), replace()).unwrap_err();
    desk.ask(Some(FLOOR), Some(OTHER_FLOOR), replace()).unwrap_err();
    desk.ask(Some(TECHNICIAN), Some(FLOOR), replace()).unwrap();
    assert!(desk.alert("out of service").is_none());
    assert!(desk.stops().iter().any(|stop| stop.contains("the full inspection is due")), "{:?}", desk.stops());
    desk.reader_says(ReaderInput::Up(identity("R-2")));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    assert!(desk.screen().inspection.unwrap().full, "the whole set, whatever was asked for");
    desk.finish_inspection();
    assert_eq!(desk.stops(), Vec::<String>::new());
    desk.load("Tc 9h 9d 9s 4h 5h 6h 2s 3s 4s 5s");
    desk.play_round(&[1]);
    desk.check_replay();
}

#[test]
fn two_unread_answers_stop_the_round_under_the_floorperson() {
    let mut desk = under_ace("7s");
    desk.insert(ReaderAnswer::Unread);
    desk.insert(ReaderAnswer::Unread);
    assert!(matches!(desk.controller.engine().stage(), StageView::ReaderStopped), "{}", desk.prompt());
    desk.say("reader-repaired").unwrap_err();
    desk.say_as(FLOOR, "reader-repaired").unwrap();
    desk.insert(ReaderAnswer::No);
    desk.finish_round();
    assert!(
        desk.stops().iter().any(|stop| stop.contains("inspection")),
        "repaired means inspected: {:?}",
        desk.stops()
    );
}

#[test]
fn the_power_goes_with_the_card_in_the_reader() {
    // At each moment between insertion and removal; the reader lives on or restarts with the table.
    let moments = [
        (vec![ReaderInput::Inserted], ReaderCondition::Reading),
        (vec![ReaderInput::Inserted], ReaderCondition::Answered),
        (vec![ReaderInput::Inserted, ReaderInput::Answered(ReaderAnswer::Unread)], ReaderCondition::Answered),
        (vec![ReaderInput::Inserted], ReaderCondition::Idle),
    ];
    for (before, comes_back) in moments {
        let mut desk = under_ace("7s");
        for event in before {
            desk.reader_says(event);
        }
        let prompt = desk.prompt();
        desk.restart();
        assert_eq!(desk.prompt(), prompt);
        desk.reader_says(ReaderInput::Up(identity("R-1")));
        desk.reader_says(ReaderInput::State(comes_back));
        // What the reader says now was asked by nobody who is still there.
        desk.reader_says(ReaderInput::Answered(ReaderAnswer::Yes));
        assert_eq!(desk.prompt(), prompt, "an answer nobody waits for is none");
        desk.reader_says(ReaderInput::Removed);
        assert_eq!(desk.reader, Slot::Armed, "{comes_back:?}");
        desk.insert(ReaderAnswer::No);
        assert!(matches!(desk.controller.engine().stage(), StageView::Decisions));
    }
}

#[test]
fn the_link_flaps_with_the_card_in_the_reader() {
    let mut desk = under_ace("7s");
    desk.reader_says(ReaderInput::Inserted);
    desk.reader_says(ReaderInput::Down);
    desk.reader_says(ReaderInput::Up(identity("R-1")));
    desk.reader_says(ReaderInput::State(ReaderCondition::Answered));
    desk.reader_says(ReaderInput::Removed);
    assert_eq!(desk.reader, Slot::Armed);
    desk.insert(ReaderAnswer::No);
    assert!(matches!(desk.controller.engine().stage(), StageView::Decisions));
}

#[test]
fn an_insertion_at_the_wrong_time_calls_the_floorperson_with_its_clause() {
    for game in Game::ALL {
        let mut desk = Desk::dealing(config(game));
        desk.load("2c 9c 7d 9d 7s 9h 9s 2h");
        desk.wager_and_lock(&[1]);
        desk.draws(4);
        desk.reader_says(ReaderInput::WrongTimeInsertion);
        let alert = desk.alert("wrong time").unwrap();
        let clause = if game == Game::Blackjack { "14.K" } else { "13.P" };
        assert_eq!(alert.source, format!("{game} {clause}"));
    }
}

#[test]
fn clumsy_insertions_are_noted_and_change_nothing() {
    let mut desk = under_ace("7s");
    let prompt = desk.prompt();
    for event in [ReaderInput::HalfInserted, ReaderInput::Misplaced, ReaderInput::NoCard] {
        desk.reader_says(event);
        assert!(desk.said("noted").is_some());
        assert_eq!(desk.prompt(), prompt);
    }
    assert_eq!(desk.reader, Slot::Armed, "it waited in vain and was armed again");
    desk.reader_says(ReaderInput::CommandRefused);
    assert_eq!(desk.reader, Slot::Armed);
}

#[test]
fn a_reader_is_not_replaced_in_a_round() {
    let mut desk = under_ace("7s");
    let action = Action::ReplaceReader { serial: "R-2".to_owned() };
    let refused =
        desk.apply(Input::Person(PersonInput { by: Some(TECHNICIAN), second: Some(FLOOR), action, key: None }));
    assert!(refused.unwrap_err().reason.contains("Not during a round"));
}

#[test]
fn a_device_is_paired_in_service_by_two_people_and_that_is_on_record() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let pair = |second| {
        let action = Action::PairDevice { device: "reader".to_owned(), code: "0".repeat(20) };
        Input::Person(PersonInput { by: Some(TECHNICIAN), second, action, key: None })
    };
    let refused = desk.apply(pair(Some(FLOOR))).unwrap_err();
    assert!(refused.reason.contains("service mode"), "{}", refused.reason);
    let enter = PersonInput { by: Some(TECHNICIAN), second: None, action: Action::EnterService, key: None };
    desk.apply(Input::Person(enter)).unwrap();
    assert!(desk.apply(pair(None)).is_err(), "alone");
    desk.apply(pair(Some(FLOOR))).unwrap();
    assert!(desk.said("device-paired").is_some());
}
