//! Raised, seen, ended, cleared: and none is lost on the way.

use operator_api::{Action, Severity};
use table_controller::{Input, Part, ShufflerInput};
use table_rules::game::Game;

use crate::desk::{DEALER, Desk, FLOOR, TECHNICIAN, config, identity};

fn shuffler(desk: &mut Desk, event: ShufflerInput) {
    desk.device(Input::Shuffler(event));
}

#[test]
fn an_alert_stays_until_it_was_seen_and_its_cause_is_gone() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    shuffler(&mut desk, ShufflerInput::Down);
    let alert = desk.alert("shuffler is not reached").unwrap();
    assert_eq!((alert.severity, alert.acknowledged_by, alert.ended), (Severity::Attend, None, false));
    shuffler(&mut desk, ShufflerInput::Down);
    assert_eq!(desk.screen().alerts.len(), 1, "the same thing is one alert");
    shuffler(&mut desk, ShufflerInput::Up(identity("S-1")));
    assert!(desk.alert("shuffler is not reached").unwrap().ended, "gone, but nobody has seen it");
    desk.restart();
    desk.links_up();
    assert!(desk.alert("shuffler is not reached").unwrap().ended, "a restart forgets no alert");
    desk.staff(DEALER, Action::Acknowledge { alert: alert.alert }).unwrap_err();
    desk.staff(TECHNICIAN, Action::Acknowledge { alert: alert.alert }).unwrap();
    assert_eq!(desk.said("alert-acknowledged").unwrap()["by"], 400);
    assert!(desk.said("alert-cleared").is_some());
    assert!(desk.alert("shuffler is not reached").is_none());
}

#[test]
fn seen_first_and_ended_later_is_over_too() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    shuffler(&mut desk, ShufflerInput::Down);
    let alert = desk.alert("shuffler is not reached").unwrap().alert;
    desk.staff(FLOOR, Action::Acknowledge { alert }).unwrap();
    let seen = desk.alert("shuffler is not reached").unwrap();
    assert_eq!(seen.acknowledged_by.map(|by| by.0), Some(200));
    shuffler(&mut desk, ShufflerInput::Up(identity("S-1")));
    assert!(desk.alert("shuffler is not reached").is_none());
    assert_eq!(desk.staff(FLOOR, Action::Acknowledge { alert }).unwrap_err().source, "TC-012");
}

#[test]
fn what_comes_again_is_to_be_seen_again() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let fault = |raised| Input::Fault { part: Part::Lamp, code: "LP-104".to_owned(), raised };
    desk.device(fault(true));
    desk.device(fault(false));
    desk.device(fault(true));
    let alert = desk.alert("LP-104").unwrap();
    assert_eq!((alert.acknowledged_by, alert.ended), (None, false));
    assert!(desk.said("alert-raised").is_some());
}

#[test]
fn a_stop_is_cleared_by_somebody_and_survives_every_restart_until_then() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Fault { part: Part::Reader, code: "HR-105".to_owned(), raised: true });
    let alert = desk.alert("HR-105").unwrap();
    assert_eq!(alert.severity, Severity::Stop);
    desk.device(Input::Fault { part: Part::Reader, code: "HR-105".to_owned(), raised: false });
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
    desk.device(Input::Fault { part: Part::Reader, code: "HR-105".to_owned(), raised: true });
    for number in 0..100 {
        desk.device(Input::Fault { part: Part::Lamp, code: format!("LP-{number:03}"), raised: true });
    }
    assert!(desk.screen().alerts.len() <= 64);
    assert!(desk.alert("HR-105").is_some());
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
    desk.say("open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    let colour = "red".to_owned();
    shuffler(&mut desk, ShufflerInput::Loaded { colour: colour.clone() });
    shuffler(&mut desk, ShufflerInput::Ready { cards: 311, expected: 312, colour: colour.clone() });
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
    desk.say("open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    shuffler(&mut desk, ShufflerInput::Loaded { colour: "red".to_owned() });
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
    desk.say("open").unwrap();
    while !desk.prompt().contains("huffle") {
        desk.deed();
    }
    let state = |state: &str| ShufflerInput::State { state: state.to_owned(), ready: false };
    shuffler(&mut desk, ShufflerInput::Loaded { colour: "red".to_owned() });
    // The power goes after the record and before the command; and once more.
    for _ in 0..2 {
        desk.restart();
        desk.links_up();
        desk.shuffler_told = false;
        shuffler(&mut desk, state("loaded"));
        assert!(desk.shuffler_told, "nobody else would tell it");
        assert!(desk.commands.iter().any(|command| command.contains("Red")), "{:?}", desk.commands);
    }
    shuffler(&mut desk, ShufflerInput::Started);
    desk.restart();
    desk.links_up();
    desk.shuffler_told = false;
    shuffler(&mut desk, state("shuffling"));
    shuffler(&mut desk, state("loaded"));
    assert!(!desk.shuffler_told, "it had begun");
    desk.check_replay();
}
