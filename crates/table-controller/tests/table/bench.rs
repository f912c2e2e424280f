//! Service mode: device tests that are the inspection's own, and what leaving it asks for.

use operator_api::{Action, DeviceTest};
use table_controller::{ReaderAnswer, ReaderInput};
use table_rules::game::Game;

use crate::desk::{Desk, FLOOR, TECHNICIAN, config, identity};

fn test(test: DeviceTest) -> Action {
    Action::TestDevice { test }
}

fn told(desk: &Desk, word: &str) -> bool {
    desk.commands.iter().any(|command| command.contains(word))
}

#[test]
fn a_reader_is_tested_in_service_with_the_cards_of_the_inspection() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let refused = desk.staff(TECHNICIAN, test(DeviceTest::Reader)).unwrap_err();
    assert!(refused.reason.contains("in service mode") && refused.source == "TC-008", "{refused:?}");
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    assert!(desk.staff(FLOOR, test(DeviceTest::Reader)).is_err(), "it is the technician's");
    desk.staff(TECHNICIAN, test(DeviceTest::Reader)).unwrap();
    assert!(told(&desk, "EnterTest") && told(&desk, "ArmTest"), "{:?}", desk.commands);
    let cards = desk.config.daily_test_cards.clone();
    for (number, card) in cards.iter().enumerate() {
        let bench = desk.controller.bench().unwrap();
        assert_eq!((bench.tested.len(), bench.runs), (number, true));
        assert!(bench.next.unwrap().starts_with(&format!("Insert the {} as if under ", card.name)));
        // The third one is misread; the test goes on, so that somebody sees which cards are.
        let answer = if number == 2 { ReaderAnswer::Unread } else { card.expected };
        assert_ne!((number, answer), (2, card.expected));
        desk.reader_says(ReaderInput::TestAnswered { group: card.group, answer });
        desk.check_replay();
    }
    assert!(told(&desk, "LeaveTest"));
    let bench = desk.controller.bench().unwrap();
    assert!(!bench.runs && bench.next.is_none());
    assert_eq!(bench.tested.iter().filter(|card| card.right).count(), cards.len() - 1);
    assert_eq!(bench.tested[2].said, "unread");
    let noted = desk.said("noted").unwrap();
    assert_eq!(noted["text"], "Reader test of service: 7 of 8 cards as expected");
}

#[test]
fn after_work_on_the_reader_only_the_full_inspection_opens_the_table() {
    let works: [fn(&mut Desk); 3] = [
        |desk| desk.staff(TECHNICIAN, test(DeviceTest::Reader)).unwrap(),
        |desk| {
            desk.reader_says(ReaderInput::Down);
            desk.reader_says(ReaderInput::Up(identity("R-1")));
        },
        |desk| desk.reader_says(ReaderInput::State(table_controller::ReaderCondition::CoverOpen)),
    ];
    for work in works {
        let mut desk = Desk::dealing(config(Game::Blackjack));
        desk.staff(TECHNICIAN, Action::EnterService).unwrap();
        work(&mut desk);
        desk.staff(TECHNICIAN, Action::LeaveService).unwrap();
        assert_eq!(desk.said("service-left").unwrap()["full"], true);
        desk.restart();
        desk.links_up();
        let stops = desk.stops();
        assert!(stops.iter().any(|stop| stop.contains("the full inspection is due")), "{stops:?}");
        desk.inspect(true);
        assert!(desk.stops().is_empty(), "{:?}", desk.stops());
    }
}

#[test]
fn a_cable_mended_in_service_is_work_on_the_reader_and_a_look_is_not() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.reader_says(ReaderInput::Down);
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    desk.reader_says(ReaderInput::Up(identity("R-1")));
    desk.staff(TECHNICIAN, Action::LeaveService).unwrap();
    assert_eq!(desk.said("service-left").unwrap()["full"], true);
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    desk.restart();
    desk.links_up();
    desk.staff(TECHNICIAN, Action::LeaveService).unwrap();
    assert_eq!(
        desk.said("service-left").unwrap().get("full"),
        None,
        "a restart of the daemon is no work on the reader"
    );
    assert!(desk.stops().is_empty(), "{:?}", desk.stops());
}

#[test]
fn a_test_that_was_begun_ends_with_the_service_or_by_word_and_is_told_again_after_a_start() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    assert!(desk.staff(TECHNICIAN, test(DeviceTest::End)).is_err(), "none runs");
    desk.staff(TECHNICIAN, test(DeviceTest::Reader)).unwrap();
    desk.restart();
    desk.links_up();
    desk.reader_says(ReaderInput::State(table_controller::ReaderCondition::Idle));
    assert!(told(&desk, "EnterTest") && told(&desk, "ArmTest"), "{:?}", desk.commands);
    desk.staff(TECHNICIAN, test(DeviceTest::End)).unwrap();
    assert!(told(&desk, "LeaveTest"));
    desk.staff(TECHNICIAN, test(DeviceTest::Reader)).unwrap();
    desk.staff(TECHNICIAN, Action::LeaveService).unwrap();
    assert!(told(&desk, "LeaveTest"));
    assert_eq!(desk.controller.bench(), None);
}

#[test]
fn lamps_are_tested_in_service_where_there_are_any() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    desk.staff(TECHNICIAN, test(DeviceTest::Lamps)).unwrap();
    assert!(told(&desk, "LampTest"), "{:?}", desk.commands);
}
