//! Raised, seen, ended, cleared: and none is lost on the way.

use operator_api::fault_book::explain;
use operator_api::{Action, Severity};
use table_controller::{
    BatchColour, FaultInput, Input, JournalInput, LockWord, Part, PinsInput, ShoeInput, ShoeSide, ShufflerInput,
    ShufflerState,
};
use table_rules::game::Game;

use crate::desk::{DEALER, Desk, FLOOR, MANAGER, TECHNICIAN, config, identity};

fn shuffler(desk: &mut Desk, event: ShufflerInput) {
    desk.device(Input::Shuffler(event));
}

#[test]
fn an_alert_stays_until_it_was_seen_and_its_cause_is_gone() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    shuffler(&mut desk, ShufflerInput::Down);
    let alert = desk.alert("huffler does not answer").unwrap();
    assert_eq!((alert.severity, alert.acknowledged_by, alert.ended), (Severity::Attend, None, false));
    shuffler(&mut desk, ShufflerInput::Down);
    assert_eq!(desk.screen().alerts.len(), 1, "the same thing is one alert");
    shuffler(&mut desk, ShufflerInput::Up(identity("S-1")));
    assert!(desk.alert("huffler does not answer").unwrap().ended, "gone, but nobody has seen it");
    desk.restart();
    desk.links_up();
    assert!(desk.alert("huffler does not answer").unwrap().ended, "a restart forgets no alert");
    desk.staff(DEALER, Action::Acknowledge { alert: alert.alert }).unwrap_err();
    desk.staff(TECHNICIAN, Action::Acknowledge { alert: alert.alert }).unwrap();
    assert_eq!(desk.said("alert-acknowledged").unwrap()["by"], 400);
    assert!(desk.said("alert-cleared").is_some());
    assert!(desk.alert("huffler does not answer").is_none());
}

#[test]
fn seen_first_and_ended_later_is_over_too() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    shuffler(&mut desk, ShufflerInput::Down);
    let alert = desk.alert("huffler does not answer").unwrap().alert;
    desk.staff(FLOOR, Action::Acknowledge { alert }).unwrap();
    let seen = desk.alert("huffler does not answer").unwrap();
    assert_eq!(seen.acknowledged_by.map(|by| by.0), Some(200));
    shuffler(&mut desk, ShufflerInput::Up(identity("S-1")));
    assert!(desk.alert("huffler does not answer").is_none());
    assert_eq!(desk.staff(FLOOR, Action::Acknowledge { alert }).unwrap_err().source, "TC-012");
}

#[test]
fn what_comes_again_is_to_be_seen_again() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let fault = |raised| Input::Fault(FaultInput::of(Part::Lamp, "LP-104", raised));
    desk.device(fault(true));
    desk.device(fault(false));
    desk.device(fault(true));
    let alert = desk.alert("LP-104").unwrap();
    assert_eq!((alert.acknowledged_by, alert.ended), (None, false));
    assert!(desk.said("alert-raised").is_some());
}

#[test]
fn an_alert_says_what_the_book_says_where_it_is_and_since_when() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let place = Some("/dev/holecard/shuffler".to_owned());
    let fault = FaultInput { place, errno: Some(2), ..FaultInput::of(Part::Shuffler, "SF-001", true) };
    desk.device(Input::Fault(fault.clone()));
    let alert = desk.alert("Shuffler (/dev/holecard/shuffler): port absent").unwrap();
    assert_eq!((alert.source.as_str(), alert.since_ms), ("SF-001", Some(desk.clock.wall_ms)));
    let view = alert.fault.unwrap();
    assert_eq!(view.explained, explain("SF-001".parse().unwrap()).unwrap());
    assert_eq!((view.place, view.errno.as_deref()), (fault.place.clone(), Some("ENOENT (2)")));
    desk.pass(60_000);
    desk.device(Input::Fault(FaultInput { raised: false, errno: None, ..fault }));
    let over = desk.alert("port absent").unwrap();
    assert_eq!((over.ended, over.over_since_ms), (true, Some(desk.clock.wall_ms)));
    // A code of the table's own is explained too.
    desk.device(Input::Journal(JournalInput::Stalled { milliseconds: 2_000 }));
    assert!(desk.alert("longer than a second").unwrap().fault.unwrap().explained.remedy.contains("storage card"));
}

#[test]
fn a_fault_from_before_a_restart_is_over_unless_it_is_told_again() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let fault = |code: &str| Input::Fault(FaultInput::of(Part::Shuffler, code, true));
    desk.device(fault("SF-010"));
    desk.device(fault("SF-102"));
    desk.restart();
    desk.device(fault("SF-102"));
    assert!(desk.alert("silent").unwrap().ended, "nobody would ever clear it");
    assert!(!desk.alert("sensor dirty").unwrap().ended, "it still stands");
    let alert = desk.alert("silent").unwrap().alert;
    desk.staff(FLOOR, Action::Acknowledge { alert }).unwrap();
    assert!(desk.alert("silent").is_none());
}

#[test]
fn a_full_disk_that_has_room_again_stops_nothing_and_waits_to_be_seen() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Journal(JournalInput::NearlyFull));
    assert!(!desk.stops().is_empty());
    desk.device(Input::Journal(JournalInput::RoomAgain));
    assert!(desk.stops().is_empty());
    let alert = desk.alert("no room").unwrap();
    assert_eq!((alert.severity, alert.ended), (Severity::Attend, true));
    desk.staff(MANAGER, Action::Acknowledge { alert: alert.alert }).unwrap();
    assert!(desk.alert("no room").is_none());
}

#[test]
fn a_damaged_journal_stops_the_next_round_until_somebody_has_cleared_it() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Journal(JournalInput::Damaged { what: "segment 3, byte 4096".to_owned() }));
    let stopped = |desk: &Desk| desk.controller.stops().iter().any(|stop| stop.source == "TC-041");
    assert!(stopped(&desk));
    let alert = desk.alert("segment 3, byte 4096").unwrap();
    assert_eq!((alert.source.as_str(), alert.severity), ("TC-041", Severity::Stop));
    desk.staff(FLOOR, Action::Acknowledge { alert: alert.alert }).unwrap();
    desk.restart();
    assert!(stopped(&desk), "seen is not cleared, and a restart mends nothing");
    desk.staff(FLOOR, Action::Clear { alert: alert.alert }).unwrap();
    assert!(!stopped(&desk));
}

#[test]
fn a_witness_that_is_not_kept_is_told_and_play_goes_on() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Journal(JournalInput::WitnessLost { why: "no space left".to_owned() }));
    assert!(desk.stops().is_empty() && desk.controller.lost_witness_told());
    let alert = desk.alert("no space left").unwrap();
    assert_eq!((alert.source.as_str(), alert.severity, alert.ended), ("TC-044", Severity::Attend, false));
    desk.device(Input::Journal(JournalInput::WitnessKept));
    assert!(!desk.controller.lost_witness_told() && desk.alert("no space left").unwrap().ended);
}

#[test]
fn the_shoes_lock_is_on_record_each_time() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let (by_hand, by_error) = (LockWord::Hand, LockWord::Error);
    for event in [ShoeInput::Locked { by: by_error }, ShoeInput::Unlocked { by: by_hand }] {
        let before = desk.records.len();
        desk.device(Input::Shoe { side: ShoeSide::Left, event: event.clone() });
        assert_eq!(desk.records.len(), before + 1, "{event:?}");
        let said = String::from_utf8(desk.records[before].1.clone()).unwrap();
        assert!(said.contains("TC-030") && said.contains("lock"), "{event:?}: {said}");
    }
}

#[test]
fn too_many_wrong_pins_are_told_to_the_floor_and_stop_nothing() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Pins(PinsInput::TooManyWrong));
    assert!(desk.stops().is_empty(), "whoever guesses PINs must not be able to stop a table");
    assert!(desk.controller.wrong_pins_told());
    let alert = desk.alert("wrong PINs").unwrap();
    assert_eq!((alert.source.as_str(), alert.severity, alert.ended), ("TC-043", Severity::Attend, false));
    desk.restart();
    assert!(desk.controller.wrong_pins_told());
    desk.device(Input::Pins(PinsInput::Quiet));
    assert!(!desk.controller.wrong_pins_told() && desk.alert("wrong PINs").unwrap().ended, "it waits to be seen");
    desk.staff(FLOOR, Action::Acknowledge { alert: alert.alert }).unwrap();
    assert!(desk.alert("wrong PINs").is_none());
}

#[test]
fn a_stop_is_cleared_by_somebody_and_survives_every_restart_until_then() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Fault(FaultInput::of(Part::Reader, "RD-105", true)));
    let alert = desk.alert("Reader: tamper").unwrap();
    assert_eq!(alert.severity, Severity::Stop);
    desk.device(Input::Fault(FaultInput::of(Part::Reader, "RD-105", false)));
    desk.staff(FLOOR, Action::Acknowledge { alert: alert.alert }).unwrap();
    for _ in 0..3 {
        desk.restart();
        desk.links_up();
        assert!(!desk.stops().is_empty(), "seen and ended is not verified");
    }
    desk.staff(TECHNICIAN, Action::Clear { alert: alert.alert }).unwrap();
    assert!(desk.stops().is_empty());
    desk.check_replay();
}

#[test]
fn the_list_is_bounded_and_never_drops_a_stop() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Fault(FaultInput::of(Part::Reader, "RD-105", true)));
    for number in 0..100 {
        desk.device(Input::Fault(FaultInput::of(Part::Lamp, &format!("LP-{number:03}"), true)));
    }
    assert!(desk.screen().alerts.len() <= 64);
    assert!(desk.alert("Reader: tamper").is_some());
    assert!(desk.alert("LP-099").is_some());
}

#[test]
fn a_restart_in_a_round_is_said() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.wager_and_lock(&[1]);
    desk.draws(3);
    desk.restart();
    let alert = desk.alert("restarted in the middle of a round").unwrap();
    desk.staff(FLOOR, Action::Clear { alert: alert.alert }).unwrap();
}

#[test]
fn a_wrong_count_of_the_shuffler_stops_until_it_is_right() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    desk.say_as(FLOOR, "open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    let colour = BatchColour::Red;
    shuffler(&mut desk, ShufflerInput::Loaded { colour });
    shuffler(&mut desk, ShufflerInput::Ready { cards: 311, expected: 312, colour });
    assert!(desk.stops().iter().any(|stop| stop.contains("counted 311 cards where 312 belong")));
    assert!(desk.prompt().contains("huffle"), "the batch is not taken: {}", desk.prompt());
    desk.restart();
    desk.links_up();
    assert!(!desk.stops().is_empty());
    shuffler(&mut desk, ShufflerInput::Ready { cards: 312, expected: 312, colour });
    assert!(desk.stops().is_empty());
    assert!(!desk.prompt().contains("Shuffle"), "{}", desk.prompt());
}

#[test]
fn a_jam_is_told_to_the_rules() {
    let mut desk = Desk::started(config(Game::Spanish21));
    desk.inspect(false);
    desk.say_as(FLOOR, "open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    shuffler(&mut desk, ShufflerInput::Loaded { colour: BatchColour::Red });
    shuffler(&mut desk, ShufflerInput::Jammed { stuck: true });
    assert!(desk.said("shuffle-failed").is_some());
    shuffler(&mut desk, ShufflerInput::JamCleared);
    while !desk.controller.engine().is_wagering() {
        desk.deed();
    }
}

#[test]
fn a_shuffler_that_was_told_in_vain_is_told_again_after_a_restart() {
    let mut desk = Desk::started(config(Game::Spanish21));
    desk.inspect(false);
    desk.say_as(FLOOR, "open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    let state = |state| ShufflerInput::State { state, ready: false };
    shuffler(&mut desk, ShufflerInput::Loaded { colour: BatchColour::Red });
    // The power goes after the record and before the command; and once more.
    for _ in 0..2 {
        desk.restart();
        desk.links_up();
        desk.shuffler_told = false;
        shuffler(&mut desk, state(ShufflerState::Loaded));
        assert!(desk.shuffler_told, "nobody else would tell it");
        assert!(desk.commands.iter().any(|command| command.contains("Red")), "{:?}", desk.commands);
    }
    shuffler(&mut desk, ShufflerInput::Started);
    desk.restart();
    desk.links_up();
    desk.shuffler_told = false;
    shuffler(&mut desk, state(ShufflerState::Shuffling));
    shuffler(&mut desk, state(ShufflerState::Loaded));
    assert!(!desk.shuffler_told, "it had begun");
    desk.check_replay();
}

/// H26: hands that are called dead on the dealer's word are confirmed by a floorperson, and from the third on somebody looks.
#[test]
fn the_third_stake_returned_on_one_dealers_word_raises_an_alert() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    for round in 1..=3 {
        // The first card of the shoe is burnt.
        desk.load(if round == 1 { "2c 9c 8c 7d 4d 4c Ks" } else { "9c 8c 7d 4d 4c Ks" });
        desk.wager_and_lock(&[1, 2]);
        desk.draws(if round == 1 { 7 } else { 6 });
        desk.say("stand").unwrap();
        desk.say("irregularity 14.J 1").unwrap();
        desk.say("refuse 1").unwrap();
        desk.say("paid").unwrap_err();
        desk.say_as(FLOOR, "floor approve").unwrap();
        desk.say("paid").unwrap();
        assert_eq!(desk.alert("bets returned since this dealer came").is_some(), round == 3, "round {round}");
        desk.finish_round();
    }
}
