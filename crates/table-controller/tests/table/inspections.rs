//! The daily inspection as a floorperson goes through it: seals, test cards, what fails and what is done once more, pauses,
//! and the record that is signed.

use operator_api::{Action, InspectionView};
use table_controller::{ReaderAnswer, ReaderInput};
use table_rules::game::Game;

use crate::desk::{DAY_MS, Desk, FLOOR, TECHNICIAN, config};

fn answer(text: &str) -> Action {
    Action::InspectionAnswer { answer: text.to_owned() }
}

fn view(desk: &Desk) -> InspectionView {
    desk.screen().inspection.unwrap()
}

/// A table on the day after its first inspection, with another one begun.
fn next_day() -> Desk {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    desk.pass(DAY_MS);
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    desk
}

fn at_test_cards() -> Desk {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    while desk.step() != "test cards" {
        desk.inspection_step();
    }
    desk
}

fn reads(desk: &mut Desk, at: usize, answer: ReaderAnswer) {
    let card = desk.config.daily_test_cards[at].clone();
    desk.reader_says(ReaderInput::TestAnswered { group: card.group, answer });
}

#[test]
fn whoever_says_that_all_seals_are_the_same_is_asked_for_two_signs_that_the_page_does_not_know() {
    let mut desk = next_day();
    assert_eq!(view(&desk).seals[2].last.as_deref(), Some("A-19"));
    assert_eq!(view(&desk).answers[0], "all same");
    desk.answer("all same");
    let seals = view(&desk).seals;
    assert!(seals.iter().all(|seal| seal.last.is_none() && seal.read.is_none()), "{seals:?}");
    assert!(!serde_json::to_string(&desk.screen()).unwrap().contains("A-1"), "the screen tells what it asks for");
    let asked = seals.iter().position(|seal| seal.asked).unwrap();
    assert_eq!(seals.iter().filter(|seal| seal.asked).count(), 1);
    // Neither a pause nor a start asks for another one.
    desk.staff(FLOOR, Action::PauseInspection).unwrap();
    desk.restart();
    desk.links_up();
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    desk.staff(FLOOR, answer("all same")).unwrap_err();
    assert!(view(&desk).seals[asked].asked);
    desk.answer(&(17 + asked).to_string());
    assert_eq!(desk.step(), "housing");
    let note = &view(&desk).steps[0].note;
    assert_eq!(note, "reader housing A-17, reader cable A-18, controller door A-19, shuffler port A-20");
}

#[test]
fn whoever_does_not_know_the_two_signs_looks_at_each_seal() {
    let mut desk = next_day();
    desk.answer("all same");
    desk.answer("99");
    assert!(desk.said("noted").unwrap()["text"].as_str().unwrap().contains("99 are not the last two signs"));
    assert!(!view(&desk).answers.contains(&"all same".to_owned()));
    desk.staff(FLOOR, answer("all same")).unwrap_err();
    desk.answer("seal 1 same");
    desk.answer("seal 2 A-18");
    desk.answer("seal 4 same");
    desk.staff(FLOOR, answer("seal 5 same")).unwrap_err();
    desk.staff(FLOOR, answer("seal 3 a-19")).unwrap_err();
    assert_eq!(desk.step(), "seals");
    desk.answer("seal 3 same");
    assert_eq!(desk.step(), "housing");
}

#[test]
fn a_first_inspection_has_nothing_that_could_be_the_same() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    for said in ["all same", "seal 1 same", "fail", "fail because", "pass", "A-1"] {
        desk.staff(FLOOR, answer(said)).unwrap_err();
    }
    desk.inspection_step();
    assert!(view(&desk).steps[0].note.contains("reader housing A-17 (first on record)"));
}

#[test]
fn a_failed_step_has_a_reason_and_becomes_a_work_order_that_a_technician_closes() {
    let mut desk = at_test_cards();
    reads(&mut desk, 0, ReaderAnswer::No);
    let wrong = view(&desk);
    assert_eq!(wrong.wrong.as_deref(), Some("ten: no where yes belongs"));
    assert!(wrong.reasons.iter().any(|reason| reason.word == "lens-dirty" && reason.source == "RD-101"));
    desk.staff(FLOOR, answer("pass")).unwrap_err();
    desk.staff(FLOOR, answer("fail")).unwrap_err();
    desk.answer("fail lens-dirty");
    assert_eq!(desk.said("inspection-step").unwrap()["clause"], "RD-101");
    assert_eq!(desk.step(), "signature", "what has failed is signed; the rest is not gone through");
    assert!(desk.screen().work_orders.is_empty(), "nothing is ordered before somebody signs");
    desk.answer("sign");
    let order = desk.screen().work_orders[0].clone();
    assert_eq!((order.place.as_str(), order.source.as_str()), ("reader", "RD-101"));
    assert_eq!(order.what, "lens dirty: ten: no where yes belongs");
    assert!(order.fault.unwrap().explained.remedy.starts_with("clean lens"));
    let record = desk.said("inspection-record").unwrap()["record"].clone();
    assert_eq!((record["passed"].as_bool(), record["work_orders"][0].as_u64()), (Some(false), Some(1)));
    assert_eq!(record["cards"][0]["read"][0], "no");
    assert_eq!(record["steps"][3]["result"], "failed");
    assert_eq!(record["steps"][4]["result"], "open");
    // Closing the order opens no table: an inspection that passes does.
    desk.staff(TECHNICIAN, Action::CloseWorkOrder { order: 1, done: "lens cleaned".to_owned() }).unwrap();
    assert!(!desk.stops().is_empty());
    desk.inspect(false);
    assert!(desk.stops().is_empty());
    assert_eq!(desk.controller.inspection_records().iter().map(|each| each.passed).collect::<Vec<_>>(), [true, false]);
    desk.check_replay();
}

#[test]
fn a_card_that_was_read_wrong_goes_in_again_and_the_record_says_so() {
    let mut desk = at_test_cards();
    let expected = |desk: &Desk, at: usize| desk.config.daily_test_cards[at].expected;
    let right = expected(&desk, 0);
    desk.staff(FLOOR, answer("repeat")).unwrap_err();
    reads(&mut desk, 0, ReaderAnswer::Unread);
    // Nothing is taken until somebody has looked.
    reads(&mut desk, 0, right);
    assert!(view(&desk).wrong.is_some());
    desk.answer("repeat");
    assert!(desk.commands.iter().any(|command| command.contains("ArmTest")), "{:?}", desk.commands);
    reads(&mut desk, 0, right);
    // The last one again, although it was right.
    desk.answer("repeat");
    assert_eq!(view(&desk).cards[0].read, Some("yes"));
    reads(&mut desk, 0, right);
    desk.insert_test_cards();
    desk.finish_inspection();
    assert!(desk.stops().is_empty());
    let record = desk.controller.inspection_records()[0].clone();
    assert_eq!((record.passed, record.repeated), (true, 2));
    assert_eq!(record.cards[0].read, ["unread", "yes", "yes"]);
    assert!(desk.said("inspection-finished").is_some() && record.sequence == desk.controller.sequence());
}

#[test]
fn a_failed_step_is_repeated_before_it_is_signed_and_the_steps_before_it_stand() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    desk.inspection_step();
    desk.answer("fail foreign-thing");
    assert_eq!(desk.step(), "signature");
    desk.answer("repeat");
    assert_eq!(desk.said("inspection-repeated").unwrap()["step"], "housing");
    assert_eq!(desk.step(), "housing");
    desk.finish_inspection();
    assert!(desk.stops().is_empty() && desk.screen().work_orders.is_empty());
    assert_eq!(desk.controller.inspection_records()[0].repeated, 1);
    desk.pass(DAY_MS);
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    assert_eq!(view(&desk).seals[0].last.as_deref(), Some("A-17"), "seals of another step are kept");
}

#[test]
fn pauses_and_a_start_in_the_middle_are_in_the_record() {
    let mut desk = next_day();
    desk.inspection_step();
    desk.staff(FLOOR, Action::PauseInspection).unwrap();
    desk.pass(3 * 60_000);
    desk.restart();
    desk.links_up();
    assert!(view(&desk).paused);
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    assert_eq!(desk.said("inspection-resumed").unwrap()["step"], "housing");
    assert_eq!(view(&desk).paused_before, [2]);
    desk.inspection_step();
    // The power goes, and nobody has paused.
    desk.restart();
    desk.links_up();
    desk.finish_inspection();
    let pauses = desk.controller.inspection_records()[0].pauses.clone();
    assert_eq!(pauses.iter().map(|pause| (pause.step, pause.restart)).collect::<Vec<_>>(), [(2, false), (3, true)]);
    let (from, to) = (pauses[0].from.unwrap(), pauses[0].to.unwrap());
    assert_eq!(to - from, 3);
}

#[test]
fn the_counters_come_with_the_days_before() {
    let mut desk = next_day();
    while desk.step() != "counters" {
        desk.inspection_step();
    }
    let counters = view(&desk).counters;
    assert_eq!(counters.len(), 2);
    assert_eq!(counters[0].day, counters[1].day + 1);
}
