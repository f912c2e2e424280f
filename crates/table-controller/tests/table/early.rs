//! Cards that leave the shoe before their time: none is lost, each is the next card (13.E, 14.B; 13.F, 14.C where it was
//! seen), and the order says what comes first (H4).

use table_rules::game::Game;

use crate::desk::{Desk, config, main_spot};

/// Burn, first card, up card, second card, hole card; a wager on the first cards is open under a seven.
fn behind_a_first_card_wager(rest: &str) -> Desk {
    let mut desk = Desk::dealing(config(Game::Spanish21));
    desk.load(&format!("2c 9c 7d 4d Ks {rest}"));
    desk.chip(main_spot(1));
    desk.say("wager 1 main 20").unwrap();
    desk.say("wager 1 match-the-dealer 5").unwrap();
    desk.press_lock();
    desk.draws(5);
    assert!(desk.prompt().contains("Match-the-Dealer"), "{}", desk.prompt());
    desk
}

fn hand(desk: &Desk) -> Vec<String> {
    desk.screen().seats[0].hands[0].cards.clone()
}

fn early_alert_stands(desk: &Desk) -> bool {
    desk.alert("left the shoe early").is_some_and(|alert| !alert.ended)
}

#[test]
fn a_card_drawn_before_the_first_card_wagers_are_settled_waits_and_is_the_next_one() {
    let mut desk = behind_a_first_card_wager("5h 8h");
    desk.draw();
    assert_eq!(hand(&desk), ["9c", "4d"]);
    assert!(early_alert_stands(&desk));
    let alert = desk.alert("left the shoe early").unwrap();
    assert_eq!(alert.source, "spanish-21 13.E");
    assert!(alert.text.contains("Match-the-Dealer"), "the order says what to settle first: {}", alert.text);
    assert!(desk.shoe.slot.contains_key(&6), "it stays under its seal");
    desk.say("settled").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d"], "nobody has asked for a card yet");
    desk.say("hit").unwrap();
    assert!(
        desk.records.iter().any(|(_, said)| String::from_utf8_lossy(said).contains("13.E")),
        "recorded as what it is"
    );
    assert_eq!(hand(&desk), ["9c", "4d", "5h"]);
    assert!(!early_alert_stands(&desk));
    desk.draw();
    assert_eq!(hand(&desk), ["9c", "4d", "5h", "8h"], "the next draw goes its way");
}

#[test]
fn several_early_cards_keep_their_order() {
    let mut desk = behind_a_first_card_wager("2h 3h 9h");
    desk.draws(3);
    desk.say("settled").unwrap();
    desk.say("hit").unwrap();
    desk.say("hit").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "2h", "3h"]);
    assert!(early_alert_stands(&desk));
    desk.say("double").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "2h", "3h", "9h"]);
    assert!(!early_alert_stands(&desk));
}

#[test]
fn at_most_eight_cards_wait_and_the_next_is_a_fault() {
    let mut desk = behind_a_first_card_wager("2h 2c 2d 2s 3h 3c 3d 3s 4h");
    desk.draws(8);
    assert!(desk.alert("one too many").is_none());
    desk.draw();
    let fault = desk.alert("one too many").unwrap();
    assert!(fault.text.contains("Card 14"), "{}", fault.text);
    assert!(!desk.shoe.slot.contains_key(&14), "its seal is given up");
    desk.say("settled").unwrap();
    desk.say("hit").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "2h"]);
}

#[test]
fn an_early_card_that_was_seen_is_offered_and_may_be_refused() {
    let mut desk = behind_a_first_card_wager("Kh 8h");
    desk.draw();
    desk.say("irregularity 13.F").unwrap();
    assert!(!early_alert_stands(&desk), "it lies open now");
    desk.say("settled").unwrap();
    assert!(desk.prompt().contains("Kh"), "{}", desk.prompt());
    desk.say("refuse 1").unwrap();
    desk.say("hit").unwrap_err();
    desk.say("stand").unwrap();
    desk.say("reveal 2s").unwrap();
    assert_eq!(desk.screen().dealer.cards, ["7d", "2s", "Kh"], "the dealer can use it");
}

#[test]
fn an_early_card_that_was_seen_may_be_named_by_hand() {
    let mut desk = behind_a_first_card_wager("Kh 3h");
    desk.draw();
    desk.say("irregularity 13.F 5h").unwrap();
    assert!(desk.shoe.slot.keys().all(|draw| *draw != 6), "its seal is given up: {:?}", desk.shoe.slot);
    desk.say("settled").unwrap();
    desk.say("accept 1").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "5h"]);
}

#[test]
fn after_a_restart_the_early_card_is_asked_for_by_tap() {
    let mut desk = behind_a_first_card_wager("5h 8h");
    desk.draw();
    desk.restart();
    desk.links_up();
    assert!(early_alert_stands(&desk));
    desk.say("settled").unwrap();
    desk.say("hit").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d"]);
    assert!(desk.alert("could not read card 6").is_some());
    desk.say("card 5h").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "5h"]);
}

#[test]
fn a_card_drawn_while_insurance_is_open_waits_for_the_reader_and_the_lost_insurance() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c 9c Ad 4d 7s 5h 8h");
    desk.wager_and_lock(&[1]);
    desk.draws(5);
    desk.say("insure 1 10").unwrap();
    desk.draw();
    assert_eq!(desk.alert("left the shoe early").map(|alert| alert.source).as_deref(), Some("blackjack 14.B"));
    let answer = desk.honest_answer();
    desk.insert(answer);
    assert!(desk.prompt().contains("insurance"), "{}", desk.prompt());
    desk.say("hit").unwrap_err();
    desk.say("settled").unwrap();
    desk.say("hit").unwrap();
    assert_eq!(hand(&desk), ["9c", "4d", "5h"]);
}

#[test]
fn an_early_card_that_nobody_needs_is_said_at_the_end_of_the_round() {
    let mut desk = behind_a_first_card_wager("5h 8h");
    desk.draw();
    desk.say("settled").unwrap();
    desk.say("stand").unwrap();
    desk.say("reveal Ks").unwrap();
    desk.say("settled").unwrap();
    assert!(!early_alert_stands(&desk));
    assert!(desk.said("card-not-placed").is_some(), "{:?}", desk.said);
    assert!(!desk.shoe.slot.contains_key(&6), "its seal is given up");
}
