//! The hole card stays hidden: pairs of rounds that differ in it alone, with the same answer of the reader, are compared
//! byte by byte over everything that leaves the controller, up to the reveal.

use operator_api::Action;
use table_controller::encode_input;
use table_rules::card::{Card, Rank, Suit};
use table_rules::engine::StageView;
use table_rules::game::Game;

use crate::desk::{AUDITOR, Desk, FLOOR, config, side_spot};

/// Everything an onlooker could have got hold of.
fn traces(desk: &Desk) -> Vec<String> {
    let mut all: Vec<String> = desk
        .records
        .iter()
        .map(|(input, events)| format!("{} {}", String::from_utf8_lossy(input), String::from_utf8_lossy(events)))
        .collect();
    all.push(String::from_utf8(desk.controller.checkpoint()).unwrap());
    all.push(serde_json::to_string(&desk.screen()).unwrap());
    all.push(format!("{:?} {:?} {:?}", desk.commands, desk.lamps, desk.controller.day_view()));
    all.push(format!("{:?}", desk.controller));
    all
}

/// A round up to the moment before the reveal; after every deed the traces so far.
fn watched(game: Game, up: &str, hole: Card, restart: bool) -> Vec<Vec<String>> {
    let mut desk = Desk::dealing(config(game));
    // Two seats that stand, and a third card each for those below twelve.
    desk.load(&format!("2c 9c 8d {up} 9d 8c {hole} 3h 4h 5h 6h 7h"));
    let mut seen = Vec::new();
    if desk.config.spots.len() > 1 {
        desk.chip(side_spot(2));
    }
    desk.wager_and_lock(&[2, 4]);
    let mut deeds = 0;
    while !matches!(desk.controller.engine().stage(), StageView::Reveal) {
        if !desk.controller.in_round() || matches!(desk.controller.engine().stage(), StageView::Settlement) {
            break;
        }
        desk.deed();
        deeds += 1;
        if restart && desk.controller.engine().hole_card_lies_down() && deeds % 3 == 0 {
            desk.restart();
            desk.links_up();
        }
        // People who ask get no more out of it.
        desk.staff(AUDITOR, Action::Reveal).unwrap_err();
        desk.staff(FLOOR, Action::Acknowledge { alert: 99 }).unwrap_err();
        seen.push(traces(&desk));
        assert!(deeds < 100, "{}", desk.prompt());
    }
    seen
}

fn makes_blackjack(up: Card, hole: Card) -> bool {
    let ten = |card: Card| matches!(card.rank(), Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
    (up.rank() == Rank::Ace && ten(hole)) || (ten(up) && hole.rank() == Rank::Ace)
}

#[test]
fn pairs_that_differ_in_the_hole_card_alone_cannot_be_told_apart() {
    for game in Game::ALL {
        for up in ["Ad", "Kd", "7d"] {
            for restart in [false, up == "Kd"] {
                let first = Card::new(Rank::Five, Suit::Spades);
                let reference = watched(game, up, first, restart);
                assert!(reference.len() > 6, "{game} {up}: the round came to nothing");
                for rank in [Rank::Two, Rank::King] {
                    let hole = Card::new(rank, Suit::Hearts);
                    if makes_blackjack(up.parse().unwrap(), hole) {
                        continue;
                    }
                    let other = watched(game, up, hole, restart);
                    for (deed, (one, two)) in reference.iter().zip(&other).enumerate() {
                        assert_eq!(one, two, "{game} {up} {hole}, deed {deed}, restart {restart}");
                    }
                    assert_eq!(reference.len(), other.len());
                }
            }
        }
    }
}

#[test]
fn the_reader_that_says_yes_tells_nothing_more() {
    for (up, holes) in [("Ad", ["Ks", "Qh"]), ("Kd", ["As", "Ah"])] {
        let [one, two] = holes.map(|hole| watched(Game::Blackjack, up, hole.parse().unwrap(), false));
        assert_eq!(one, two, "{up}");
    }
}

#[test]
fn no_input_of_any_device_can_carry_a_face_down_card() {
    // The forms themselves: a draw has a number, an answer is one of three words.
    use table_controller::{Input, ReaderInput, ShoeInput, ShoeSide};
    let drawn = Input::Shoe { side: ShoeSide::Left, event: ShoeInput::Drawn { draw: 5, in_play: true } };
    assert_eq!(
        String::from_utf8(encode_input(&drawn)).unwrap(),
        r#"{"shoe":{"side":"left","event":{"drawn":{"draw":5,"in_play":true}}}}"#
    );
    let answered = Input::Reader(ReaderInput::Answered(table_controller::ReaderAnswer::No));
    assert_eq!(String::from_utf8(encode_input(&answered)).unwrap(), r#"{"reader":{"answered":"no"}}"#);
}
