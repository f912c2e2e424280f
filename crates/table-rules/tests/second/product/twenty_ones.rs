//! What the engine pays for a winning hand of the sister games (12.B, 12.C), against the second implementation and
//! `figures.tsv`: every three-card hand by rank and suit, very many longer ones, and the winner's wager on each side of
//! every limit.

use std::collections::BTreeSet;

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::input::Input;
use table_rules::line::{Line, Outcome};
use table_rules::money::Cents;
use table_rules::script::parse_line;
use table_rules::table::SevenCard21;
use table_rules::wager::WagerId;
use table_rules::{Engine, Events, Table, Tracking};

use crate::figures::{Figure, Figures, figures};
use crate::slow::hands::total;
use crate::slow::twenty_one::{
    additional_payout_applies, additional_payout_to_other, additional_payout_to_winner, winning_hand,
};

const GAMES: [Game; 3] = [Game::Spanish21, Game::Pontoon21, Game::PlayersEdge21];

/// Seat 1 draws these cards against a dealer who stands on 17; seat 2 stands on `other`.
fn settled(table: &Table, wager: Cents, hand: &[Card], other: [Card; 2], up: Card) -> Vec<Line> {
    let mut engine = Engine::new(table.clone(), Tracking::Cards);
    let mut events = Events::new();
    let mut say = |words: &str| {
        let input = parse_line(words).expect("a line of the script").expect("an input");
        let answer = engine.apply(&input, &mut events);
        assert!(answer.is_ok(), "{words}: {answer:?}");
        (engine.lines_to_settle().to_vec(), engine.offers_input(&Input::Next))
    };
    say(&format!("wager 1 main {}.{:02}", wager.0 / 100, wager.0 % 100));
    say("wager 2 main 10");
    say("lock");
    for card in [hand[0], other[0], up, hand[1], other[1]] {
        say(&format!("card {card}"));
    }
    say("card ?");
    let from_right = table.game == Game::PlayersEdge21;
    if from_right {
        say("stand");
    }
    for card in &hand[2..] {
        say(&format!("card {card}"));
    }
    if total(hand) < 21 {
        say("stand");
    }
    if !from_right {
        say("stand");
    }
    let hole = if total(&[up]) == 7 { "Kc" } else { "8c" };
    let (mut lines, asks) = say(&format!("reveal {hole}"));
    if asks {
        lines = say("next").0;
    }
    lines
}

/// In half dollars, rounded up, as the usual tables pay (S8).
fn cents(figure: &Figure, stake: Cents) -> Cents {
    match *figure {
        Figure::To(pays, stakes) => {
            let (exact, chip) = (stake.0 * i64::from(pays), 50 * i64::from(stakes));
            Cents((exact + chip - 1) / chip * 50)
        }
        Figure::Amount(amount) => Cents(i64::from(amount)),
        Figure::For(..)
        | Figure::Community(..)
        | Figure::Meter(..)
        | Figure::Prize
        | Figure::AtLeast(_)
        | Figure::AtLeastBoth(..)
        | Figure::Stakes(_) => panic!("12.B and 12.C pay odds and amounts, not {figure:?}"),
    }
}

fn compare(table: &Table, printed: &Figures, wager: Cents, hand: &[Card], up: Card) -> &'static str {
    let game = table.game;
    let other: [Card; 2] = ["9d", "8h"].map(|card| card.parse().expect("a card"));
    let lines = settled(table, wager, hand, other, up);
    let figure = |clause: &str| &printed[&(game.id().to_owned(), clause.to_owned())].figure;
    let row = winning_hand(game, hand, table.seven_card_21 == SevenCard21::Exactly);
    let main =
        lines.iter().find(|line| line.wager == WagerId::Main && line.seat.number() == 1).expect("a line of seat 1");
    assert_eq!(main.outcome, Outcome::Won, "{game} {hand:?}");
    assert_eq!(main.source.to_string(), format!("{game} {row}"), "{hand:?}");
    assert_eq!(main.pays.amount(), Some(cents(figure(row), wager)), "{game} {hand:?} by {row}");
    assert_eq!(main.returned.amount(), Some(wager));
    let fixed: BTreeSet<(u8, String, Option<Cents>)> = lines
        .iter()
        .filter(|line| line.wager == WagerId::AdditionalPayout)
        .map(|line| (line.seat.number(), line.source.to_string(), line.pays.amount()))
        .collect();
    let mut expected = BTreeSet::new();
    if additional_payout_applies(hand, up) {
        let rows = additional_payout_to_winner(wager).map(|row| (1, row));
        for (seat, row) in rows.into_iter().chain([(2, additional_payout_to_other(game, &[other]))]) {
            expected.insert((seat, format!("{game} {row}"), Some(cents(figure(row), Cents::ZERO))));
        }
    }
    assert_eq!(fixed, expected, "{game} {hand:?} against {up} for {wager}");
    row
}

fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = GAMES.into_iter().map(Table::usual).collect();
    tables.push(Table { seven_card_21: SevenCard21::Exactly, ..Table::usual(Game::PlayersEdge21) });
    tables
}

fn ups() -> [Card; 3] {
    ["7c", "7d", "9h"].map(|card| card.parse().expect("a card"))
}

#[test]
fn three_cards_that_win_are_paid_by_their_row_whatever_their_suits_and_order() {
    let printed = figures();
    let mut rows = BTreeSet::new();
    for table in tables() {
        let deck: Vec<Card> = table.game.deck().filter(|card| "678".contains(card.rank().letter())).collect();
        for &first in &deck {
            for &second in &deck {
                for &third in &deck {
                    let hand = [first, second, third];
                    if total(&hand) != 21 {
                        continue;
                    }
                    for up in ups() {
                        rows.insert(compare(&table, &printed, Cents::dollars(10), &hand, up));
                    }
                }
            }
        }
    }
    assert_eq!(
        rows.into_iter().collect::<Vec<_>>(),
        ["12.B(1)", "12.B(2)", "12.B(3)", "12.B(4)", "12.B(5)", "12.B(6)"]
    );
}

#[test]
fn the_fixed_payout_goes_by_the_winners_wager() {
    let printed = figures();
    for table in tables() {
        for hand in ["7c 7c 7c", "7d 7d 7d", "7h 7h 7h", "7s 7s 7s", "7s 7s 7h"] {
            let hand: Vec<Card> = hand.split(' ').map(|card| card.parse().expect("a card")).collect();
            for wager in [100, 450, 500, 550, 2450, 2500, 2550, 100_000].map(Cents) {
                for up in ups() {
                    compare(&table, &printed, wager, &hand, up);
                }
            }
        }
    }
}

#[test]
fn longer_hands_are_paid_by_their_number_of_cards() {
    let printed = figures();
    // Numbers without a pattern that matters here (Knuth's constants).
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % bound
    };
    let mut rows = BTreeSet::new();
    for table in tables() {
        let small: Vec<Card> = table.game.deck().filter(|card| "A23456789".contains(card.rank().letter())).collect();
        let mut played = 0;
        while played < 3_000 {
            let mut hand = vec![small[below(small.len())], small[below(small.len())]];
            // A pair is no trouble: it is not split. Few cards are large, so that long hands come too.
            while total(&hand) < 21 {
                hand.push(small[below(if hand.len() > 2 { 16 } else { small.len() })]);
            }
            if total(&hand) == 21 {
                rows.insert(compare(&table, &printed, Cents::dollars(10), &hand, ups()[below(3)]));
                played += 1;
            }
        }
    }
    for row in ["12.A(1)", "12.B(7)", "12.B(8)", "12.B(9)"] {
        assert!(rows.contains(row), "no hand was paid by {row}");
    }
}
