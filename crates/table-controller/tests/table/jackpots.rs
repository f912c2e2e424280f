//! A progressive win on its way of 7.O(1): what is shown to whoever signs, and what two people may reject (H28). Beside it
//! what the dealer calls the floor for, and what an irregularity would lead to before anybody tells it.

use operator_api::{Action, Role, VerifyingStep, VerifyingView, VisitEnd};
use table_controller::{ReaderAnswer, Staff};
use table_rules::game::Game;
use table_rules::input::Input;
use table_rules::script::parse_line;

use crate::desk::{Desk, FLOOR, MANAGER, OTHER_FLOOR, TECHNICIAN, config, main_spot, side_spot};

const REJECT: &str = "reject \"the lamp was dark\"";

/// Four sevens of hearts win the monster match of seat 2, over the threshold: down to the dealer's first look.
fn jackpot() -> Desk {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    desk.load("2c 7h Kd 7h 7h 9h 7h 5c 9c 9d 8d 8c 8h 8s");
    for spot in [main_spot(2), side_spot(2), main_spot(4)] {
        desk.chip(spot);
    }
    desk.script("wager 2 main 25\nwager 4 main 10");
    desk.press_lock();
    desk.draws(7);
    desk.script("stand\nstand");
    desk.ask(None, None, Action::Reveal).unwrap();
    desk.draw();
    desk
}

fn verifying(desk: &Desk) -> VerifyingView {
    desk.screen().verifying.unwrap()
}

#[test]
fn each_step_of_a_verification_is_shown_with_its_time_and_its_people() {
    let mut desk = jackpot();
    let now = verifying(&desk);
    assert_eq!((now.step, now.seat, now.wager), (VerifyingStep::Hand, 2, "monster-match"));
    assert_eq!(now.first_cards, ["7h", "7h"]);
    assert!(now.locked_ms.is_some() && now.hand_seen_ms.is_none() && now.lamp_seen_ms.is_none());
    desk.pass(4_000);
    desk.say("next").unwrap();
    let now = verifying(&desk);
    assert_eq!((now.step, now.hand_seen_ms > now.locked_ms, now.lamp_seen_ms), (VerifyingStep::Lamp, true, None));
    desk.say("next").unwrap();
    assert_eq!((verifying(&desk).step, verifying(&desk).approved_by), (VerifyingStep::Floor, None));
    // Taken back, a look has no time any more.
    desk.say("undo").unwrap();
    assert_eq!((verifying(&desk).step, verifying(&desk).lamp_seen_ms), (VerifyingStep::Lamp, None));
    desk.say("next").unwrap();
    desk.say_as(FLOOR, "floor approve").unwrap();
    let now = verifying(&desk);
    assert_eq!((now.step, now.approved_by), (VerifyingStep::Second, Some(FLOOR.id)));
    assert!(now.approved_ms.is_some());
    desk.restart();
    desk.links_up();
    assert_eq!(verifying(&desk), now, "a restart forgets nothing of it");
    desk.say_as(OTHER_FLOOR, "manager approve").unwrap();
    assert_eq!(desk.screen().verifying, None);
}

#[test]
fn nobody_rejects_a_jackpot_alone() {
    let mut desk = jackpot();
    let reject = || Action::Play { words: REJECT.to_owned() };
    assert_eq!(desk.say(REJECT).unwrap_err().source, "TC-005", "no dealer");
    assert_eq!(desk.ask(Some(FLOOR), None, reject()).unwrap_err().source, "TC-006");
    assert_eq!(desk.ask(Some(FLOOR), Some(FLOOR), reject()).unwrap_err().source, "TC-006");
    desk.ask(Some(TECHNICIAN), Some(FLOOR), reject()).unwrap_err();
    desk.ask(Some(FLOOR), Some(TECHNICIAN), reject()).unwrap_err();
    assert!(desk.screen().verifying.is_some(), "what was refused changed nothing");
    desk.ask(Some(FLOOR), Some(MANAGER), reject()).unwrap();
}

#[test]
fn a_rejected_jackpot_leaves_its_meter_an_alert_and_the_next_round() {
    let mut desk = jackpot();
    let meter = |desk: &Desk| desk.screen().meters[0].amount_cents;
    let before = meter(&desk);
    desk.say("next").unwrap();
    desk.say("next").unwrap();
    desk.say_as(FLOOR, "floor approve").unwrap();
    desk.ask(Some(OTHER_FLOOR), Some(MANAGER), Action::Play { words: REJECT.to_owned() }).unwrap();
    let screen = desk.screen();
    assert_eq!(screen.verifying, None);
    assert!(screen.day.counts.jackpots == 0 && meter(&desk) < before && before - meter(&desk) < 100);
    let alert = desk.alert("of seat 2 was rejected: the lamp was dark").unwrap();
    assert_eq!(alert.source, "players-edge-21 H28");
    let next = &screen.lines[screen.lines.iter().position(|line| !line.confirmed).unwrap()].settled;
    assert_eq!((next.outcome, next.line, next.returned_cents), ("void", "not validated", Some(200)));
    desk.finish_round();
    assert_eq!(desk.screen().stage, "wagering");
    desk.check_replay();
}

#[test]
fn the_floor_is_called_once_and_comes_by_a_visit() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    let called = |desk: &Desk| desk.alert("calls the floor").filter(|alert| !alert.ended);
    desk.ask(None, None, Action::CallFloor).unwrap();
    desk.ask(None, None, Action::CallFloor).unwrap();
    assert_eq!(called(&desk).unwrap().source, "TC-045");
    assert_eq!(desk.screen().alerts.len(), 1, "a second call is the same call");
    desk.staff(TECHNICIAN, Action::OpenVisit).unwrap();
    desk.staff(TECHNICIAN, Action::EndVisit { how: VisitEnd::Left }).unwrap();
    assert!(called(&desk).is_some(), "a technician is not the floor");
    desk.staff(FLOOR, Action::OpenVisit).unwrap();
    assert_eq!(called(&desk), None);
    desk.ask(None, None, Action::CallFloor).unwrap();
    assert!(called(&desk).is_some(), "and may be called again");
    let dealer = Staff { id: FLOOR.id, role: Role::Auditor };
    desk.staff(dealer, Action::CallFloor).unwrap_err();
}

#[test]
fn what_an_irregularity_would_lead_to_is_told_without_telling_it() {
    let mut desk = Desk::dealing(config(Game::Spanish21));
    desk.load("2c 9h 6d Kc 8s 9c 5h 3d 4d");
    desk.script("wager 1 main 25\nwager 4 main 10");
    desk.press_lock();
    desk.draws(7);
    desk.insert(ReaderAnswer::No);
    let before = desk.screen();
    let asked = |words: &str| -> Input { parse_line(words).unwrap().unwrap() };
    // Seen by mistake, a card is offered to whoever is next; both answers are told with what they lead to.
    let seen = desk.controller.outlook(&asked("irregularity 13.F 8h")).unwrap();
    assert!(seen.said.iter().all(|said| !said.text.is_empty() && !said.clause.is_empty()) && !seen.said.is_empty());
    assert!(!seen.situation.is_empty() && !seen.text.is_empty());
    assert!(seen.lines.is_empty());
    // Whatever is offered without a further question can be asked about.
    let offered = before.prompt.offers.iter().flat_map(|offer| offer.irregularities.iter().flatten());
    let plain: Vec<_> = offered.filter(|each| each.seats.is_none() && each.cards.is_none() && !each.attest).collect();
    assert!(plain.len() > 1);
    for each in plain {
        let then = desk.controller.outlook(&asked(&format!("irregularity {}", each.clause))).unwrap();
        assert!(!then.text.is_empty(), "{}", each.clause);
    }
    let refused = desk.controller.outlook(&asked("irregularity 13.N 2")).unwrap_err();
    assert!(!refused.reason.is_empty());
    assert_eq!(desk.screen(), before, "asking changes nothing");
}
