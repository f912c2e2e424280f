//! Hand-made cases for the payments of 12.B and 12.C.

use std::collections::BTreeSet;

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;

use crate::figures::figures;
use crate::slow::twenty_one::{
    additional_payout_applies, additional_payout_to_other, additional_payout_to_winner, winning_hand,
};

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().expect("a card")).collect()
}

const HANDS: &[(&str, &str, &str)] = &[
    // hand, row in spanish-21 and pontoon-21, row in players-edge-21
    ("8d 6h 7c", "12.B(1)", "12.B(1)"),
    ("6h 7h 8h", "12.B(2)", "12.B(2)"),
    ("6s 8s 7s", "12.B(3)", "12.B(2)"),
    ("6d 8d 7d", "12.B(2)", "12.B(3)"),
    ("7d 7d 7s", "12.B(4)", "12.B(4)"),
    ("7c 7c 7c", "12.B(5)", "12.B(5)"),
    ("7s 7s 7s", "12.B(6)", "12.B(5)"),
    ("7d 7d 7d", "12.B(5)", "12.B(6)"),
    ("2d 3d 4d 5c 7c", "12.B(7)", "12.B(7)"),
    ("2d 3d 4d Ac 5c 6c", "12.B(8)", "12.B(8)"),
    ("2d 3d 4d Ac 2c 3c 6c", "12.B(9)", "12.B(9)"),
    // An ace counted 11 makes 21 as well.
    ("Ad 2d 2c 2s 4d", "12.B(7)", "12.B(7)"),
    ("5d 7d 9d", "12.A(1)", "12.A(1)"),
    ("2d 4d 7d 8d", "12.A(1)", "12.A(1)"),
    ("2d 3d 4d 5c 6c", "12.A(1)", "12.A(1)"),
    ("6s 7s", "12.A(1)", "12.A(1)"),
    ("Ks Qs", "12.A(1)", "12.A(1)"),
];

#[test]
fn a_winning_21_is_paid_by_its_best_row() {
    for (hand, spanish, edge) in HANDS {
        assert_eq!(winning_hand(Game::Spanish21, &cards(hand), false), *spanish, "{hand}");
        assert_eq!(winning_hand(Game::Pontoon21, &cards(hand), false), *spanish, "{hand}");
        assert_eq!(winning_hand(Game::PlayersEdge21, &cards(hand), false), *edge, "{hand}");
    }
    let eight = cards("2d 2d 2d 2c 3c 3c 3d 4d");
    assert_eq!(winning_hand(Game::PlayersEdge21, &eight, false), "12.B(9)");
    assert_eq!(winning_hand(Game::PlayersEdge21, &eight, true), "12.A(1)");
}

#[test]
fn every_row_of_12_b_has_a_case_and_is_printed() {
    let table = figures();
    for game in [Game::Spanish21, Game::Pontoon21, Game::PlayersEdge21] {
        let won: BTreeSet<&str> = HANDS.iter().map(|(hand, ..)| winning_hand(game, &cards(hand), false)).collect();
        for row in 1..=9 {
            let clause = format!("12.B({row})");
            assert!(won.contains(clause.as_str()), "{game} {clause} has no case");
            assert!(table.contains_key(&(game.id().to_owned(), clause.clone())), "{game} {clause} is not printed");
        }
    }
}

#[test]
fn three_suited_sevens_against_a_seven() {
    let up = cards("7h")[0];
    assert!(additional_payout_applies(&cards("7d 7d 7d"), up));
    assert!(!additional_payout_applies(&cards("7d 7d 7h"), up));
    assert!(!additional_payout_applies(&cards("7d 7d 7d"), cards("8h")[0]));
    assert!(!additional_payout_applies(&cards("6d 7d 8d"), up));
    assert_eq!(additional_payout_to_winner(Cents(499)), None);
    assert_eq!(additional_payout_to_winner(Cents(500)), Some("12.C(1)"));
    assert_eq!(additional_payout_to_winner(Cents(2499)), Some("12.C(1)"));
    assert_eq!(additional_payout_to_winner(Cents(2500)), Some("12.C(2)"));
    let boxes: Vec<[Card; 2]> = ["9c 8c", "Ks 7s"].iter().map(|two| cards(two).try_into().expect("two")).collect();
    assert_eq!(additional_payout_to_other(Game::Spanish21, &boxes), "12.C(3)");
    assert_eq!(additional_payout_to_other(Game::PlayersEdge21, &boxes[..1]), "12.C(3)");
    assert_eq!(additional_payout_to_other(Game::PlayersEdge21, &boxes), "12.C(4)");
}
