//! Why no next round is dealt; and that a round which has begun is always led to its end.

use operator_api::{Action, Mode};
use table_controller::{
    FaultInput, FaultNews, Input, JournalInput, LampState, LayoutInput, Part, ReaderCondition, ReaderInput, Started,
};
use table_rules::game::Game;

use crate::desk::{DAY_MS, Desk, FLOOR, MANAGER, OTHER_FLOOR, TECHNICIAN, config, identity, main_spot, side_spot};

const HOUR: i64 = 3_600_000;

fn stopped(desk: &Desk, reason: &str) -> bool {
    desk.stops().iter().any(|stop| stop.contains(reason))
}

/// Neither button nor tap nor card begins a round.
fn assert_no_round(desk: &mut Desk, reason: &str) {
    assert!(stopped(desk, reason), "{:?}", desk.stops());
    assert!(desk.prompt().contains(reason), "{}", desk.prompt());
    desk.chip(main_spot(1));
    assert_eq!(desk.lamps[&main_spot(1)], LampState::Dark, "nobody is invited");
    let round = desk.controller.engine().round();
    assert!(desk.say("lock").unwrap_err().reason.contains(reason));
    assert!(desk.say("card 7d").unwrap_err().reason.contains(reason));
    desk.press_lock();
    desk.draw();
    assert!(desk.said("card-not-placed").is_some());
    assert!(!desk.controller.in_round());
    assert_eq!(desk.controller.engine().round(), round);
    desk.layout_says(LayoutInput::Removed(main_spot(1)));
    desk.chips.clear();
}

// cites blackjack 2.G
// cites players-edge-21 2.G
// cites pontoon-21 2.F
// cites spanish-21 2.F
#[test]
fn without_todays_inspection_the_table_does_not_open() {
    for game in Game::ALL {
        let mut desk = Desk::started(config(game));
        let refused = desk.say_as(FLOOR, "open").unwrap_err();
        assert!(refused.reason.contains("Today's inspection has not been passed"), "{game}: {refused:?}");
        assert!(refused.source.starts_with(game.id()), "{game}: {refused:?}");
        desk.inspect(false);
        desk.say_as(FLOOR, "open").unwrap();
    }
}

#[test]
fn a_failed_inspection_keeps_the_table_closed_until_one_passes() {
    let mut desk = Desk::started(config(Game::Spanish21));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    desk.inspection_step();
    desk.answer("fail damaged");
    desk.finish_inspection();
    assert!(stopped(&desk, "Today's inspection failed"));
    assert_eq!(desk.controller.mode(), Mode::Faulted);
    let alert = desk.alert("inspection failed").unwrap();
    assert!(desk.staff(MANAGER, Action::Clear { alert: alert.alert }).is_err(), "only a passed one clears it");
    desk.say_as(FLOOR, "open").unwrap_err();
    desk.restart();
    desk.links_up();
    assert!(stopped(&desk, "Today's inspection failed"), "a restart forgets no failure");
    desk.inspect(false);
    assert!(desk.stops().is_empty());
    desk.say_as(FLOOR, "open").unwrap();
}

#[test]
fn a_wrong_test_card_fails_the_inspection() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    while desk.step() != "test cards" {
        desk.inspection_step();
    }
    let card = desk.config.daily_test_cards[0].clone();
    let wrong = table_controller::ReaderAnswer::No;
    assert_ne!(card.expected, wrong);
    desk.reader_says(ReaderInput::TestAnswered { group: card.group, answer: wrong });
    desk.answer("fail wrong-answer");
    assert_eq!(desk.said("inspection-step").unwrap()["passed"], false);
    desk.finish_inspection();
    assert!(stopped(&desk, "Today's inspection failed"));
}

#[test]
fn other_seals_than_yesterdays_fail_the_inspection() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    desk.pass(DAY_MS);
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    desk.answer("A-17 A-18 B-99 A-20");
    assert_eq!(desk.screen().inspection.unwrap().wrong.unwrap(), "controller door B-99, was A-19");
    desk.answer("fail other-number");
    assert_eq!(desk.said("inspection-step").unwrap()["passed"], false);
}

#[test]
fn the_days_turn_in_mid_round_lets_the_round_end_and_no_next_one_begin() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.wager_and_lock(&[1, 3]);
    desk.draws(4);
    desk.pass(20 * HOUR);
    assert!(desk.said("day-turned").is_some());
    assert!(stopped(&desk, "Today's inspection has not been passed"));
    desk.finish_round();
    assert_eq!(desk.controller.day_view().counts.rounds, 1, "the round counts for the day it ended in");
    assert_no_round(&mut desk, "Today's inspection has not been passed");
    desk.inspect(false);
    desk.play_round(&[2]);
}

#[test]
fn the_grace_of_the_new_day_is_as_long_as_the_operator_chose() {
    let mut config = config(Game::Pontoon21);
    config.inspection_grace_minutes = 30;
    let mut desk = Desk::dealing(config);
    desk.pass(18 * HOUR);
    assert!(desk.stops().is_empty(), "{:?}", desk.stops());
    desk.play_round(&[2]);
    desk.pass(29 * 60_000);
    desk.play_round(&[2]);
    desk.pass(60_000);
    assert_no_round(&mut desk, "Today's inspection has not been passed");
}

#[test]
fn a_dead_reader_stops_the_next_round_and_not_the_one_that_runs() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c 9c 9d 7d Kd Kc Ks 5h 5c");
    desk.wager_and_lock(&[1, 2]);
    desk.draws(5);
    desk.reader_says(ReaderInput::Down);
    desk.finish_round();
    assert_no_round(&mut desk, "reader does not answer");
    desk.links_up();
    desk.load("9c 9d 7d Kd Kc Ks 5h 5c");
    desk.play_round(&[1, 2]);
}

#[test]
fn a_reader_fault_stands_until_it_is_gone_and_somebody_has_verified_it() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let fault = |raised| Input::Fault(FaultInput::of(Part::Reader, "RD-101", raised));
    desk.device(fault(true));
    assert_no_round(&mut desk, "lens dirty");
    let alert = desk.alert("lens dirty").unwrap().alert;
    let clear = Action::Clear { alert };
    assert!(desk.staff(FLOOR, clear.clone()).unwrap_err().reason.contains("still reports"));
    desk.restart();
    assert!(desk.staff(FLOOR, clear.clone()).is_err(), "nobody has asked the reader since the start");
    assert_no_round(&mut desk, "reader");
    desk.links_up();
    assert!(desk.staff(FLOOR, clear.clone()).is_err(), "the reader has not taken it back");
    // Its state names no fault any more.
    for gone in desk.controller.fault_inputs(Part::Reader, None, &FaultNews::Standing(Vec::new())) {
        desk.device(Input::Fault(gone));
    }
    assert_no_round(&mut desk, "lens dirty");
    desk.staff(FLOOR, clear).unwrap();
    assert!(desk.stops().is_empty());
}

#[test]
fn a_line_fault_of_the_reader_stops_nothing_by_itself() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Fault(FaultInput::of(Part::Reader, "RD-031", true)));
    assert!(desk.stops().is_empty());
    assert!(desk.alert("damaged frames").is_some());
}

#[test]
fn service_mode_is_for_between_rounds_and_deals_nothing() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.wager_and_lock(&[1]);
    assert!(desk.staff(TECHNICIAN, Action::EnterService).unwrap_err().reason.contains("Not during a round"));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap_err();
    desk.finish_round();
    desk.staff(TECHNICIAN, Action::EnterService).unwrap();
    assert_eq!(desk.controller.mode(), Mode::Service);
    assert_no_round(&mut desk, "in service");
    desk.restart();
    assert_eq!(desk.controller.mode(), Mode::Service);
    // The reader is away for repair: the technician may go, and the stop stands anyway.
    desk.staff(TECHNICIAN, Action::LeaveService).unwrap();
    assert_no_round(&mut desk, "Hole-card reader does not answer");
    desk.links_up();
    assert!(desk.stops().is_empty());
}

#[test]
fn a_clock_a_year_back_keeps_the_table_closed_until_it_is_confirmed() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let last = desk.clock.wall_ms;
    desk.clock = crate::desk::clock_at(last - 365 * DAY_MS);
    desk.start(Some(last));
    desk.links_up();
    assert!(stopped(&desk, "The clock is earlier than the last record"));
    desk.restart();
    desk.links_up();
    assert!(stopped(&desk, "The clock is earlier than the last record"), "a restart confirms nothing");
    assert_no_round(&mut desk, "The clock is earlier than the last record");
    let alert = desk.alert("earlier than the last record").unwrap().alert;
    desk.staff(FLOOR, Action::Clear { alert }).unwrap_err();
    // Set right again, which is a step of its own.
    desk.clock =
        table_controller::Clock { monotonic_ms: desk.clock.monotonic_ms + 1000, ..crate::desk::clock_at(last + 1000) };
    desk.device(Input::Clock(desk.clock));
    desk.ask(Some(FLOOR), Some(FLOOR), Action::ConfirmClock).unwrap_err();
    desk.ask(Some(FLOOR), Some(OTHER_FLOOR), Action::ConfirmClock).unwrap();
    assert!(desk.stops().is_empty(), "{:?}", desk.stops());
}

#[test]
fn a_clock_outside_the_years_of_this_table_dates_nothing_and_nobody_can_confirm_it() {
    for wrong in [0, 1_577_836_799_999, 4_102_444_800_000, i64::MAX / 4, i64::MIN / 4] {
        let mut desk = Desk::dealing(config(Game::Blackjack));
        let (good, day) = (desk.clock, desk.controller.day_view().day);
        desk.clock = table_controller::Clock { wall_ms: wrong, day: wrong / DAY_MS, ..good };
        for _ in 0..3 {
            desk.clock.monotonic_ms += 60_000;
            desk.device(Input::Clock(desk.clock));
        }
        assert_no_round(&mut desk, "The clock shows a year before 2020 or after 2099");
        assert_eq!(desk.controller.day_view().day, day, "the day did not turn");
        desk.ask(Some(FLOOR), Some(MANAGER), Action::ConfirmClock).unwrap_err();
        desk.restart();
        desk.links_up();
        assert!(stopped(&desk, "The clock shows a year before 2020 or after 2099"), "a restart confirms nothing");
        // Set right: that is a step, and two people confirm it.
        desk.clock = table_controller::Clock { monotonic_ms: desk.clock.monotonic_ms + 1_000, ..good };
        desk.device(Input::Clock(desk.clock));
        desk.staff(FLOOR, Action::ConfirmClock).unwrap_err();
        desk.ask(Some(FLOOR), Some(MANAGER), Action::ConfirmClock).unwrap();
        assert!(desk.stops().is_empty(), "{:?}", desk.stops());
    }
}

#[test]
fn a_clock_that_nobody_stands_behind_is_confirmed_by_a_floorperson() {
    let mut desk = Desk::new(config(Game::Blackjack));
    desk.clock.trusted = false;
    desk.start(None);
    desk.links_up();
    assert!(stopped(&desk, "No battery clock"));
    desk.staff(TECHNICIAN, Action::ConfirmClock).unwrap_err();
    desk.staff(FLOOR, Action::ConfirmClock).unwrap();
    assert!(!stopped(&desk, "No battery clock"));
}

#[test]
fn a_clock_that_is_moved_while_the_table_runs_takes_two_people() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.clock.wall_ms += 5_000;
    desk.pass(1_000);
    assert!(desk.stops().is_empty(), "five seconds are no step");
    desk.clock.wall_ms += 5_001;
    desk.pass(1_000);
    assert_no_round(&mut desk, "The clock was moved");
    desk.staff(FLOOR, Action::ConfirmClock).unwrap_err();
    desk.ask(Some(FLOOR), Some(FLOOR), Action::ConfirmClock).unwrap_err();
    desk.ask(Some(FLOOR), Some(TECHNICIAN), Action::ConfirmClock).unwrap_err();
    desk.ask(Some(FLOOR), Some(MANAGER), Action::ConfirmClock).unwrap();
    assert!(desk.stops().is_empty());
}

#[test]
fn a_disk_that_is_nearly_full_stops_the_next_round() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.wager_and_lock(&[1]);
    desk.device(Input::Journal(JournalInput::NearlyFull));
    desk.finish_round();
    assert_no_round(&mut desk, "no room for another day");
    let alert = desk.alert("no room").unwrap().alert;
    desk.staff(MANAGER, Action::Clear { alert }).unwrap_err();
    desk.device(Input::Journal(JournalInput::RoomAgain));
    desk.staff(MANAGER, Action::Clear { alert }).unwrap();
    desk.play_round(&[1]);
}

#[test]
fn a_slow_disk_is_said_and_stops_nothing() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Journal(JournalInput::Stalled { milliseconds: 10_000 }));
    assert!(desk.alert("10000 ms").is_some());
    assert!(desk.stops().is_empty());
}

#[test]
fn a_dead_sensor_bus_takes_the_progressive_off_and_leaves_the_main_game() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.device(Input::Fault(FaultInput::of(Part::Expander, "EX-102", true)));
    assert_eq!(desk.lamps[&side_spot(2)], LampState::Dark);
    desk.chip(side_spot(2));
    assert!(desk.say("wager 2 monster-match 2").unwrap_err().source.contains("EX-102"));
    desk.layout_says(LayoutInput::Removed(side_spot(2)));
    desk.chips.clear();
    desk.play_round(&[2]);
    let fed = desk.records.iter().any(|(_, events)| String::from_utf8_lossy(events).contains("meter-fed"));
    assert!(!fed, "nothing was staked on the progressive");
    desk.device(Input::Fault(FaultInput::of(Part::Expander, "EX-102", false)));
    assert_eq!(desk.lamps[&side_spot(2)], LampState::Invited);
}

/// The fault of one spot, or of what some spots hang on.
fn fault_at(part: Part, code: &str, place: &str, seats: &[u8], raised: bool) -> Input {
    let spots = seats.iter().map(|seat| side_spot(*seat)).collect();
    Input::Fault(FaultInput { place: Some(place.to_owned()), spots, ..FaultInput::of(part, code, raised) })
}

#[test]
fn a_fault_takes_out_the_spots_that_it_names_and_no_other() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    for (part, code) in [(Part::Expander, "EX-001"), (Part::Sensor, "PS-001"), (Part::Lamp, "LP-001")] {
        desk.device(fault_at(part, code, "there", &[2, 3], true));
        assert_eq!(desk.lamps[&side_spot(2)], LampState::Dark, "{code}");
        assert_eq!(desk.lamps[&side_spot(1)], LampState::Invited, "{code}: a direct line goes on");
        assert_eq!(desk.say("wager 2 monster-match 2").unwrap_err().source, code);
        desk.device(fault_at(part, code, "there", &[2, 3], false));
        assert_eq!(desk.lamps[&side_spot(2)], LampState::Invited, "{code}");
    }
}

#[test]
fn one_code_at_two_places_is_two_faults() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.device(fault_at(Part::Sensor, "PS-103", "seat 1, spot 2", &[1], true));
    desk.device(fault_at(Part::Sensor, "PS-103", "seat 2, spot 2", &[2], true));
    assert_eq!(desk.screen().alerts.len(), 2);
    desk.device(fault_at(Part::Sensor, "PS-103", "seat 1, spot 2", &[1], false));
    assert_eq!(desk.lamps[&side_spot(1)], LampState::Invited);
    assert_eq!(desk.lamps[&side_spot(2)], LampState::Dark, "the other one stands");
}

#[test]
fn a_round_of_another_version_waits_to_be_settled_by_hand() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    let foreign = table_controller::ForeignRound { round: 41, told: vec!["seat 1: wager $20".to_owned()] };
    let started = Started { clock: desk.clock, last_record_ms: None, foreign_round: Some(foreign) };
    desk.device(Input::Started(started));
    desk.links_up();
    assert_eq!(desk.controller.mode(), Mode::Faulted);
    assert!(desk.prompt().contains("Settle round 41 by hand"));
    assert!(desk.say_as(FLOOR, "open").unwrap_err().source == "TC-003");
    let alert = desk.alert("another version").unwrap().alert;
    desk.staff(FLOOR, Action::Clear { alert }).unwrap_err();
    desk.restart();
    desk.links_up();
    assert!(desk.prompt().contains("Settle round 41 by hand"), "a restart settles nothing");
    let done = Action::SettledByHand { reason: "paid from the record".to_owned() };
    desk.ask(None, None, done.clone()).unwrap_err();
    desk.staff(TECHNICIAN, done.clone()).unwrap_err();
    desk.staff(FLOOR, done).unwrap();
    assert_eq!(desk.said("round-settled-by-hand").unwrap()["round"], 41);
    desk.say_as(FLOOR, "open").unwrap();
}

#[test]
fn nothing_is_dealt_while_an_inspection_runs() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    assert_eq!(desk.controller.mode(), Mode::Inspection);
    desk.say("wager 1 main 20").unwrap_err();
    desk.draw();
    assert!(desk.said("card-not-placed").is_some());
    desk.staff(FLOOR, Action::PauseInspection).unwrap();
    desk.play_round(&[1]);
}

#[test]
fn a_reader_is_told_again_what_a_start_may_have_swallowed_of_its_test() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    while desk.step() != "test cards" {
        assert!(desk.inspection_step());
    }
    let card = desk.config.daily_test_cards[0].clone();
    desk.reader_says(ReaderInput::TestAnswered { group: card.group, answer: card.expected });
    let told = |desk: &Desk, word: &str| desk.commands.iter().any(|command| command.contains(word));
    // Paused and taken up again: out of its test, and into it.
    desk.staff(FLOOR, Action::PauseInspection).unwrap();
    assert!(told(&desk, "LeaveTest"));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    assert!(told(&desk, "EnterTest") && told(&desk, "ArmTest"), "{:?}", desk.commands);
    desk.restart();
    desk.reader_says(ReaderInput::Up(identity("R-1")));
    desk.reader_says(ReaderInput::State(ReaderCondition::Testing));
    assert!(told(&desk, "ArmTest") && !told(&desk, "EnterTest"), "{:?}", desk.commands);
    desk.restart();
    desk.reader_says(ReaderInput::Up(identity("R-1")));
    desk.reader_says(ReaderInput::State(ReaderCondition::Idle));
    assert!(told(&desk, "EnterTest") && told(&desk, "ArmTest"), "{:?}", desk.commands);
    assert!(desk.prompt().contains("2 of 8"), "{}", desk.prompt());
    // The word to leave was lost: no round could be dealt with a reader in its test.
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.restart();
    desk.reader_says(ReaderInput::Up(identity("R-1")));
    desk.reader_says(ReaderInput::State(ReaderCondition::Testing));
    assert!(told(&desk, "LeaveTest"), "{:?}", desk.commands);
    assert_eq!(desk.screen().devices[0].state, "idle");
}

#[test]
fn a_restart_with_an_unset_clock_does_not_make_less_of_a_clock_that_was_moved() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.clock.wall_ms += 600_000;
    desk.pass(1_000);
    desk.clock.trusted = false;
    desk.restart();
    desk.staff(FLOOR, Action::ConfirmClock).unwrap_err();
    desk.ask(Some(FLOOR), Some(OTHER_FLOOR), Action::ConfirmClock).unwrap();
}
