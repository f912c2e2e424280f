//! The two halves of the second check hold each other: every row that `slow` names is in `figures.tsv`, and every row
//! of a card wager's paytable there is reached by some deal.

use std::collections::BTreeSet;

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use crate::cases::usual;
use crate::figures::{Figure, figures};
use crate::slow::hands::total;
use crate::slow::{Deal, winning_lines};

/// Game, wager, its paytables, and how the clauses of its rows begin. Wheels are left out: the symbol names their row.
pub(crate) const CARD_WAGERS: &[(Game, WagerId, &[&str], &[&str])] = &[
    (Game::Blackjack, WagerId::Insurance, &["-"], &["13.A(3)"]),
    (Game::Spanish21, WagerId::Insurance, &["-"], &["12.A(3)"]),
    (Game::Pontoon21, WagerId::Insurance, &["-"], &["12.A(3)"]),
    (Game::PlayersEdge21, WagerId::Insurance, &["-"], &["12.A(3)", "12.A(4)"]),
    (Game::Blackjack, WagerId::MatchTheDealer, &["6-deck", "8-deck"], &["13.A(5)"]),
    (Game::Spanish21, WagerId::MatchTheDealer, &["6-deck", "8-deck"], &["12.A(4)"]),
    (Game::Pontoon21, WagerId::MatchSuperBonus, &["6-deck", "8-deck"], &["12.A(4)"]),
    (Game::PlayersEdge21, WagerId::MatchUp, &["A", "B", "C"], &["12.A(5)"]),
    (Game::PlayersEdge21, WagerId::MatchDown, &["A", "B", "C"], &["12.A(5)"]),
    (
        Game::PlayersEdge21,
        WagerId::MonsterMatch,
        &["A", "B", "C", "D", "E"],
        &["12.D(1)", "12.D(2)", "12.D(3)", "12.D(4)", "12.D(5)"],
    ),
    (Game::Blackjack, WagerId::LuckyLadies, &["A", "B"], &["13.A(4)"]),
    (Game::Blackjack, WagerId::InBetween, &["-"], &["13.A(6)"]),
    (Game::Blackjack, WagerId::RoyalMatch21, &["A", "B", "C", "D", "E"], &["13.A(7)"]),
    (Game::Blackjack, WagerId::BetTheSet21, &["A", "B", "C", "D"], &["13.A(8)"]),
    (Game::Blackjack, WagerId::KingsBounty, &["-"], &["13.A(9)"]),
    (Game::Blackjack, WagerId::SuperMatch, &["6-deck", "8-deck"], &["13.A(10)"]),
    (Game::Blackjack, WagerId::BadBeat, &["-"], &["13.B(1)", "13.B(2)"]),
    (Game::Blackjack, WagerId::ThreeCardPoker, &["A", "B"], &["13.D"]),
    (Game::Blackjack, WagerId::HitAndRun, &["-"], &["13.F"]),
    (Game::Blackjack, WagerId::HouseMoney, &["single", "multiple"], &["13.A(11)"]),
    (Game::Blackjack, WagerId::LuckyLucky, &["A", "B", "C"], &["13.E"]),
    (Game::Blackjack, WagerId::Super4, &["A", "B", "C", "D"], &["13.H"]),
    (Game::Blackjack, WagerId::UpcardLuck21, &["A"], &["13.N"]),
    (Game::Blackjack, WagerId::BusterBlackjack, &["A", "B", "C", "D", "E", "F"], &["13.O"]),
    (Game::Blackjack, WagerId::BusterBlackjackFreeBonus, &["A", "B"], &["13.P"]),
    (Game::Blackjack, WagerId::Blazing7s, &["A"], &["13.R"]),
    (Game::Blackjack, WagerId::LuckyAces, &["A", "B"], &["13.A(12)"]),
    (Game::Blackjack, WagerId::TwentyOnePlusThree, &["A"], &["13.V"]),
    (Game::Blackjack, WagerId::Top3, &["A", "B"], &["13.X"]),
    (Game::Blackjack, WagerId::Trilux, &["-"], &["13.A(13)"]),
];

/// Every pair of player cards, each against many first cards of the dealer and some longer hands, from a selection of
/// ranks that holds every line of every table.
fn deals(game: Game) -> impl Iterator<Item = Deal> {
    let chosen: Vec<Card> = game.deck().filter(|card| "A236789TJQK".contains(card.rank().letter())).collect();
    let dealers = dealer_hands(&chosen);
    let pairs: Vec<[Card; 2]> =
        chosen.iter().flat_map(|a| chosen.iter().filter(move |b| *b >= a).map(move |b| [*a, *b])).collect();
    dealers.into_iter().enumerate().flat_map(move |(at, dealer)| {
        let pairs = pairs.clone();
        (0..pairs.len()).map(move |place| {
            let player = pairs[place];
            Deal {
                player,
                second_hand: Some(pairs[(place * 7 + at) % pairs.len()]),
                dealer: dealer.clone(),
                final_total: total(&player),
                stake: Cents::dollars(5),
            }
        })
    })
}

fn dealer_hands(chosen: &[Card]) -> Vec<Vec<Card>> {
    let draw = |text: &str| -> Vec<Card> { text.split(' ').map(|card| card.parse().expect("a card")).collect() };
    let holes = draw("Ad As Kd Ks Qd Qs Jd Js 7d 7s");
    let mut hands: Vec<Vec<Card>> =
        chosen.iter().flat_map(|up| holes.iter().map(move |hole| vec![*up, *hole])).collect();
    for drawn in ["9c 9d 3d", "8c 3d 2d 8s", "2c 3d 2d 5s 9d", "2c 2d 2s 3d 3s 9d", "2c 2d 2d 2s 3d 3c 7c"] {
        hands.push(draw(drawn));
    }
    for drawn in ["9c 7d Kd", "8c 3d 2d Ks", "2c 3d 2d 5s Kd", "2c 2d 2s 3d 3s Kd", "2c 2d 2d 2s 3d 3c 8c"] {
        hands.push(draw(drawn));
    }
    hands.push(draw("2c 2d 2d 2s 2s 2c 4c 8c"));
    hands
}

#[test]
fn every_row_of_every_card_wager_is_printed_and_can_be_won() {
    let table = figures();
    for game in Game::ALL {
        let wagers: Vec<_> = CARD_WAGERS.iter().filter(|(of, ..)| *of == game).collect();
        let mut won: Vec<BTreeSet<String>> = vec![BTreeSet::new(); wagers.len()];
        for deal in deals(game) {
            for (at, (_, wager, paytables, _)) in wagers.iter().enumerate() {
                for paytable in *paytables {
                    won[at].extend(winning_lines(game, *wager, paytable, &deal, &usual()));
                }
            }
        }
        for (at, (_, wager, _, sections)) in wagers.iter().enumerate() {
            let printed: BTreeSet<String> = table
                .keys()
                .filter(|(of, clause)| of == game.id() && sections.iter().any(|section| belongs(clause, section)))
                .map(|(_, clause)| clause.clone())
                .collect();
            assert_eq!(won[at], printed, "{game} {wager}: left, rows won; right, rows printed");
        }
    }
}

/// `13.A(1)` is not the beginning of `13.A(13)`: a section ends where its parenthesis ends.
fn belongs(clause: &str, section: &str) -> bool {
    clause == section || clause.strip_prefix(section).is_some_and(|rest| rest.starts_with('('))
}

/// Where several rows describe one hand the best is paid. The second implementation takes rows in their printed order,
/// which is right only while no later row pays more than an earlier one.
#[test]
fn rows_are_printed_best_first() {
    let table = figures();
    for (game, wager, _, sections) in CARD_WAGERS {
        // Neither has rows that compete: insurance goes by suit, and Crown Treasure is decided by its option.
        if [WagerId::Insurance, WagerId::RoyalMatch21].contains(wager) {
            continue;
        }
        let mut rows: Vec<(&str, u32)> = Vec::new();
        for line in include_str!("figures.tsv").lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            if columns[0] != game.id() || !sections.iter().any(|section| belongs(columns[1], section)) {
                continue;
            }
            let worth = match table[&(columns[0].to_owned(), columns[1].to_owned())].figure {
                Figure::To(pays, _) | Figure::For(pays, _) => pays,
                Figure::Amount(cents) => cents,
                // Not below the fixed rows of its table at its seed and a usual stake.
                Figure::Meter(..) => u32::MAX,
                Figure::Community(..)
                | Figure::Prize
                | Figure::AtLeast(_)
                | Figure::AtLeastBoth(..)
                | Figure::Stakes(_) => panic!("{wager} {}: not a row that the cards win", columns[1]),
            };
            rows.push((columns[1], worth));
        }
        for pair in rows.windows(2) {
            let [(before, more), (after, less)] = pair else { panic!("windows of two") };
            if table_of(before) == table_of(after) {
                assert!(more >= less, "{game} {wager}: {after} pays more than {before}");
            }
        }
    }
}

/// A clause without its last parenthesis: rows that share it stand in one table.
fn table_of(clause: &str) -> &str {
    clause.rsplit_once('(').map_or(clause, |(table, _)| table)
}
