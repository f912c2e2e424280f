//! Several words by one tap: all of them are taken, or none; and the boxes that can be repeated.

use operator_api::{Action, HoleView, LastBox};
use table_rules::Tracking;
use table_rules::game::Game;

use crate::desk::{Desk, config};

fn words(lines: &[&str]) -> Action {
    Action::Words { words: lines.iter().map(|line| (*line).to_owned()).collect() }
}

#[test]
fn several_words_are_taken_together_or_not_at_all() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.ask(None, None, words(&["wager 1 main 25", "wager 4 main"])).unwrap();
    let in_play = |desk: &Desk| -> Vec<u8> {
        desk.screen().seats.iter().filter(|seat| seat.in_play).map(|seat| seat.seat).collect()
    };
    assert_eq!(in_play(&desk), [1, 4]);
    let before = desk.screen();
    assert!(desk.ask(None, None, words(&["wager 2 main", "stand"])).is_err());
    assert_eq!(desk.screen().seats, before.seats, "a refused word leaves nothing of those before it");
    assert_eq!(desk.screen().prompt_number, before.prompt_number);
    assert!(desk.ask(None, None, words(&[])).is_err());
    assert!(
        desk.ask(None, None, words(&["floor reshuffle"])).is_err(),
        "what somebody in charge says is said by itself"
    );
}

#[test]
fn the_boxes_of_the_last_round_are_remembered() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    assert_eq!(desk.screen().last_boxes, []);
    desk.ask(None, None, words(&["wager 1 main 25", "wager 4 main", "lock"])).unwrap();
    let boxes = [LastBox { seat: 1, main_cents: Some(2500) }, LastBox { seat: 4, main_cents: None }];
    assert_eq!(desk.screen().last_boxes, boxes);
}

/// Where the steps alone are followed nobody names the hole card; once the dealer has turned it, it is not sealed any more.
#[test]
fn at_the_procedure_level_the_hole_card_is_sealed_until_it_is_turned_and_no_longer() {
    let mut config = config(Game::Spanish21);
    (config.tracking, config.shoes, config.has_layout) = (Tracking::Procedure, 0, false);
    config.spots.clear();
    let mut desk = Desk::dealing(config);
    desk.script("wager 1 main 25\nlock\nburn\nup low");
    assert_eq!(desk.screen().dealer.hole, HoleView::Sealed);
    let mut stages = Vec::new();
    while desk.controller.in_round() {
        let screen = desk.screen();
        if ["dealer-draws", "settlement"].contains(&screen.stage) {
            assert_eq!((screen.dealer.hole, screen.dealer.total), (HoleView::Revealed, None), "{}", screen.stage);
        }
        stages.push(screen.stage);
        desk.say("next").unwrap();
    }
    assert!(stages.contains(&"settlement"), "{stages:?}");
}
