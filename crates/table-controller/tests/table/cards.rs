//! Cards from the shoe: sealed until they lie face up; a person's word goes before the shoe's.

use operator_api::Action;
use table_controller::{Input, ShoeInput, SpotWager};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use crate::desk::{Desk, config, main_spot, side_spot};

fn dealt(cards: &str, draws: usize) -> Desk {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load(cards);
    desk.wager_and_lock(&[1]);
    desk.draws(draws);
    desk
}

fn hand(desk: &Desk) -> Vec<String> {
    desk.screen().seats[0].hands[0].cards.clone()
}

#[test]
fn the_burn_card_and_the_hole_card_stay_sealed() {
    let desk = dealt("2c 9c 7d 9d Ks", 5);
    let opened: String = desk.records.iter().map(|(input, _)| String::from_utf8_lossy(input).into_owned()).collect();
    assert!(opened.contains(r#""card":"9c""#) && opened.contains(r#""card":"7d""#));
    assert!(!opened.contains("2c") && !opened.contains("Ks"));
    assert!(!desk.shoe.slot.contains_key(&1), "a burnt card is forgotten");
    assert!(desk.shoe.slot.contains_key(&5), "the hole card waits under its seal");
    assert_eq!(desk.screen().dealer.cards, ["7d"]);
}

#[test]
fn a_typed_card_overtakes_the_seal_that_is_being_opened() {
    let mut desk = dealt("2c 9c 7d 9d Ks 5h 8h", 1);
    desk.shoe.slow = true;
    desk.draw();
    desk.say("card 9c").unwrap();
    assert!(desk.commands.iter().any(|command| command.contains("Discard")), "{:?}", desk.commands);
    desk.shoe.slow = false;
    // The slot answers late; nobody asks any more.
    desk.shoe_says(ShoeInput::Opened { draw: 2, card: "9c".to_owned() });
    assert_eq!(hand(&desk), ["9c"]);
    desk.shoe.to_open.clear();
    desk.draws(3);
    assert_eq!(hand(&desk), ["9c", "9d"]);
    assert_eq!(desk.screen().dealer.cards, ["7d"]);
}

#[test]
fn draws_that_come_before_the_card_has_its_name_keep_their_order() {
    let mut desk = dealt("2c 9c 7d 9d Ks 5h 8h", 1);
    desk.shoe.slow = true;
    desk.draw();
    desk.draw();
    desk.draw();
    desk.shoe.slow = false;
    desk.open_seals();
    assert_eq!(hand(&desk), ["9c", "9d"]);
    assert_eq!(desk.screen().dealer.cards, ["7d"]);
}

#[test]
fn an_unread_card_is_named_by_hand_and_the_next_ones_wait_for_it() {
    let mut desk = dealt("2c 9c", 2);
    desk.shoe_says(ShoeInput::Unread { draw: 3 });
    assert!(desk.alert("could not read card 3").is_some());
    desk.shoe.drawn = 3;
    desk.load("9d Ks 5h");
    desk.draw();
    assert_eq!(hand(&desk), ["9c"], "nothing is dealt past the unnamed card");
    desk.restart();
    desk.links_up();
    assert!(desk.alert("could not read").is_some());
    desk.say("card 7d").unwrap();
    assert_eq!(desk.screen().dealer.cards, ["7d"]);
    assert!(desk.alert("could not read card 4").is_some(), "its seal went with the power");
    desk.say("card 9d").unwrap();
    assert_eq!(hand(&desk), ["9c", "9d"]);
    assert!(desk.screen().alerts.iter().all(|alert| alert.ended || !alert.text.contains("could not read")));
}

#[test]
fn an_unread_burn_card_or_hole_card_needs_no_name() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.wager_and_lock(&[1]);
    desk.shoe_says(ShoeInput::Unread { draw: 1 });
    assert!(desk.said("burnt").is_some());
    desk.shoe.drawn = 1;
    desk.load("9c 7d 9d");
    desk.draws(3);
    desk.shoe_says(ShoeInput::Unread { draw: 5 });
    assert!(desk.controller.engine().hole_card_lies_down());
    desk.say("stand").unwrap();
    assert!(!desk.screen().prompt.shoe_knows);
    desk.ask(None, None, Action::Reveal).unwrap_err();
    desk.say("reveal Ks").unwrap();
}

#[test]
fn a_reveal_by_hand_gives_up_the_seal() {
    let mut desk = dealt("2c 9c 7d 9d Ks", 5);
    desk.say("stand").unwrap();
    assert!(desk.screen().prompt.shoe_knows);
    desk.say("reveal Ks").unwrap();
    assert!(desk.shoe.slot.is_empty(), "{:?}", desk.shoe.slot);
    assert_eq!(desk.screen().dealer.cards, ["7d", "Ks"]);
    desk.ask(None, None, Action::Reveal).unwrap_err();
}

#[test]
fn a_reveal_by_hand_overtakes_the_one_by_the_shoe() {
    let mut desk = dealt("2c 9c 7d 9d Ks", 5);
    desk.say("stand").unwrap();
    desk.shoe.slow = true;
    desk.ask(None, None, Action::Reveal).unwrap();
    assert!(!desk.screen().prompt.shoe_knows);
    desk.say("reveal Qs").unwrap();
    desk.shoe.slow = false;
    desk.shoe.to_open.clear();
    desk.shoe_says(ShoeInput::Opened { draw: 5, card: "Ks".to_owned() });
    assert_eq!(desk.screen().dealer.cards, ["7d", "Qs"], "the card on the table governs");
}

#[test]
fn an_undone_hole_card_loses_its_seal() {
    let mut desk = dealt("2c 9c 7d 9d Ks 5h", 5);
    desk.say("undo").unwrap();
    assert!(desk.shoe.slot.is_empty(), "{:?}", desk.shoe.slot);
    assert!(desk.prompt().contains("hole card") || desk.prompt().contains("face down"), "{}", desk.prompt());
    desk.say("card ?").unwrap();
    desk.say("stand").unwrap();
    assert!(!desk.screen().prompt.shoe_knows, "which card lies there now is for the dealer to say");
    desk.say("reveal 5h").unwrap();
}

#[test]
fn an_undone_open_card_is_entered_again_or_another_drawn() {
    let mut desk = dealt("2c 9c 7d 9d Ks 5h 8h", 3);
    desk.say("undo").unwrap();
    assert_eq!(desk.screen().dealer.cards, Vec::<String>::new());
    desk.say("card 7d").unwrap();
    desk.draws(2);
    assert_eq!(
        (hand(&desk), desk.screen().dealer.cards),
        (vec!["9c".to_owned(), "9d".to_owned()], vec!["7d".to_owned()])
    );
    desk.say("undo").unwrap();
    desk.say("undo").unwrap();
    desk.draw();
    assert_eq!(hand(&desk), ["9c", "5h"]);
}

#[test]
fn a_face_down_double_is_opened_when_it_is_turned() {
    let mut desk = dealt("2c 6c 7d 5d Ks 9h 4h 6s 8h", 5);
    desk.ask(None, None, Action::FaceDown).unwrap_err();
    desk.say("double").unwrap();
    desk.ask(None, None, Action::FaceDown).unwrap();
    desk.draw();
    desk.ask(None, None, Action::FaceDown).unwrap_err();
    assert_eq!(hand(&desk), ["6c", "5d", "?"]);
    let told: String = desk.records.iter().map(|(input, _)| String::from_utf8_lossy(input).into_owned()).collect();
    assert!(!told.contains("9h"));
    while !desk.prompt().contains("urn") || desk.prompt().contains("hole") {
        desk.deed();
    }
    assert!(desk.screen().prompt.shoe_knows, "{}", desk.prompt());
    desk.ask(None, None, Action::TurnUp { seat: 1 }).unwrap();
    assert_eq!(hand(&desk), ["6c", "5d", "9h"]);
}

#[test]
fn a_draw_told_twice_is_one_card() {
    let mut desk = dealt("2c 9c 7d 9d Ks", 3);
    desk.shoe_says(ShoeInput::Drawn { draw: 3, in_play: true });
    desk.shoe_says(ShoeInput::Drawn { draw: 2, in_play: true });
    assert_eq!((hand(&desk), desk.screen().dealer.cards.len()), (vec!["9c".to_owned()], 1));
}

#[test]
fn a_card_that_nothing_asks_for_stays_sealed_and_is_said() {
    let mut desk = dealt("2c 9c 7d 9d Ks 5h 4h 8h Th Jh", 5);
    desk.finish_round();
    desk.draw();
    // A card before any wager: nobody plays.
    let opened = desk.records.last().unwrap();
    assert!(!String::from_utf8_lossy(&opened.0).contains("opened"));
    assert!(desk.alert("came out of turn").is_some(), "{:?}", desk.screen().alerts);
}

#[test]
fn a_shoe_that_counted_more_than_it_told_is_said() {
    let mut desk = dealt("2c 9c 7d", 3);
    desk.shoe_says(ShoeInput::State { drawn: 3, state: String::new() });
    assert!(desk.alert("cards that the screen does not have").is_none());
    desk.shoe_says(ShoeInput::State { drawn: 5, state: String::new() });
    assert!(desk.alert("cards that the screen does not have").is_some());
    desk.shoe_says(ShoeInput::Reversed { draw: 5 });
    assert!(desk.alert("look at the shoe").is_some());
}

#[test]
fn the_cover_card_is_told_by_the_shoe() {
    let mut desk = dealt("2c 9c 7d 9d Ks", 3);
    desk.shoe_says(ShoeInput::CutCard);
    assert!(desk.screen().cover_seen);
}

/// B10, X2: where a random draw comes between the lock and the first card, a card that leaves the shoe too soon closes the
/// wagers and is dealt to nobody before the draw is told.
#[test]
fn a_card_before_the_draw_locks_the_table_and_waits_for_it() {
    let mut config = config(Game::Blackjack);
    config.spots = vec![
        SpotWager { spot: 1, wager: WagerId::Main, stake: None },
        SpotWager { spot: 2, wager: WagerId::Super4, stake: Some(Cents(500)) },
    ];
    let mut desk = Desk::dealing(config);
    desk.load("2c 9c 7d 9d Ks");
    desk.draw();
    desk.chip(main_spot(1));
    desk.chip(side_spot(1));
    desk.draw();
    assert!(desk.prompt().contains("or that nothing is"), "{}", desk.prompt());
    assert!(desk.screen().seats[0].hands.iter().all(|hand| hand.cards.is_empty()), "nobody has the card");
    assert!(desk.alert("came out of turn").is_some());
    desk.device(Input::Chance { words: "draw none".to_owned() });
    desk.say("card 9c").unwrap();
    desk.draws(3);
    assert_eq!(hand(&desk), ["9c", "9d"]);
}
