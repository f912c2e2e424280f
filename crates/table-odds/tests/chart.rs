//! The chart as people get it, and the best play beside the simulation that follows it.
//!
//! `UPDATE_GOLDEN=1 cargo test -p table-odds --test chart` writes the pages anew; read them before they are kept.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::float_arithmetic, reason = "statistics of a test; no money passes through them")]

use std::time::Duration;

use table_odds::best_play::{BestPlay, STEPS};
use table_odds::chart::Chart;
use table_odds::simulate::{Report, Rng, Settings, ShoeUse, Stack, TableRun, Tally, run};
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::{
    BlackjackPays, Shuffler, SwitchBlackjack, SwitchRules, Table, UnswitchedAgainst22, Variation,
};
use table_rules::wager::WagerId;

fn chart(table: &Table, stake: Cents) -> Chart {
    Chart::of(table, stake, &BestPlay::of(table, stake, &|_| {}))
}

fn assert_golden(name: &str, page: &str) {
    let file = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, page).unwrap();
    }
    assert_eq!(page, std::fs::read_to_string(&file).unwrap(), "{name}");
}

#[test]
fn charts_read_as_they_are_kept() {
    let blackjack = chart(&Table::usual(Game::Blackjack), Cents::dollars(10));
    assert_golden("blackjack.txt", &blackjack.text());
    assert_golden("blackjack.html", &blackjack.html());
    let edge = chart(&Table::usual(Game::PlayersEdge21), Cents::dollars(10));
    assert_golden("players-edge-21.txt", &edge.text());
    let json = serde_json::to_value(&blackjack).unwrap();
    assert_eq!(json["up_cards"].as_array().unwrap().len(), STEPS);
    let sixteen = json["sections"][1]["rows"].as_array().unwrap().iter().find(|row| row["hand"] == "hard 16").unwrap();
    assert_eq!(sixteen["plays"][8], "R");
    let words: Vec<&str> =
        sixteen["choices"].as_array().unwrap().iter().map(|each| each["play"].as_str().unwrap()).collect();
    assert_eq!(words, ["stand", "hit", "double", "surrender"]);
}

/// The rules of Switch say nothing of surrender, and neither does its chart (S11).
#[test]
fn the_chart_of_switch_says_no_word_about_surrender() {
    let table = Table { variation: Variation::Switch, ..Table::usual(Game::Blackjack) };
    let switch = chart(&table, Cents::dollars(10));
    for page in [switch.text(), switch.html()] {
        assert!(page.contains("Switch") && !page.to_lowercase().contains("surrender"), "{page}");
    }
}

#[test]
fn progress_is_told_for_every_up_card() {
    let told = std::cell::RefCell::new(Vec::new());
    BestPlay::of(&Table { decks: 1, ..Table::usual(Game::Blackjack) }, Cents::dollars(1), &|done| {
        told.borrow_mut().push(done);
    });
    assert!(told.into_inner().into_iter().eq(1..=STEPS));
}

/// The stake decides: $1,000 for three suited sevens against a seven is a hundred wagers of $10, and none of $1 (12.C).
#[test]
fn a_fixed_payout_is_drawn_for_where_the_stake_earns_it() {
    let row = |stake| {
        let chart = chart(&Table::usual(Game::Spanish21), stake);
        let rows = &chart.sections.iter().find(|section| section.title.starts_with("Towards")).unwrap().rows;
        rows.iter().find(|row| row.hand == "7-7 suited").unwrap().plays[5]
    };
    assert_eq!((row(Cents::dollars(1)), row(Cents::dollars(10))), ('P', 'H'));
}

const ROUNDS: u64 = 400_000;

/// Plays the chart and compares: 0.02 % and three standard errors.
fn assert_agrees(what: &str, table: &Table, stake: Cents) {
    let best = BestPlay::of(table, stake, &|_| {});
    let settings = Settings { rounds: ROUNDS, seed: 33, seats: 1, stake, threads: 1, shoe_use: ShoeUse::EveryRound };
    assert_eq!(settings.check(table), []);
    let tally = run(table, &best.strategy, &settings, &|_| {}).unwrap();
    let report = Report::new(&tally, table, &settings, Duration::from_secs(1));
    let off = (report.edge - best.edge).abs();
    println!("{what}: computed {:.6}, simulated {:.6} ± {:.6}", best.edge, report.edge, report.standard_error);
    assert!(off <= 0.0002 + 3.0 * report.standard_error, "{what}: {off}");
}

#[test]
fn the_sister_games_have_the_edge_that_was_worked_out() {
    let edge = Table::usual(Game::PlayersEdge21);
    assert_agrees("players-edge-21", &edge, Cents::dollars(1));
    assert_agrees("players-edge-21 without redoubles", &Table { double_double: false, ..edge }, Cents::dollars(1));
    assert_agrees("pontoon-21", &Table::usual(Game::Pontoon21), Cents::dollars(10));
}

/// A shoe of sevens and faces: the chart draws for three suited sevens against a seven, and a round that wins 12.C is counted.
#[test]
fn a_round_that_wins_the_fixed_payout_is_in_the_counts() {
    for game in [Game::Spanish21, Game::Pontoon21, Game::PlayersEdge21] {
        let (table, stake) = (Table::usual(game), Cents::dollars(10));
        let best = BestPlay::of(&table, stake, &|_| {});
        let cards: Vec<Card> = ["7c", "7d", "7h", "7s", "Kc"].map(|card| card.parse().unwrap()).repeat(12);
        let stack = Stack::of(cards, ShoeUse::EveryRound);
        let run = TableRun::new(&table, &best.strategy, 1, stake, stack, Rng::new(9, 0));
        let mut run = run.told_to(Tally::default());
        for _ in 0..5_000 {
            run.play().unwrap();
        }
        let tally = run.into_sink();
        assert_eq!(tally.rounds, 5_000);
        let won = tally.count_of(WagerId::AdditionalPayout, "7-7-7 suited against a 7");
        assert!(won > 20, "{game}: {won}");
    }
}

#[test]
fn the_variations_have_the_edge_that_was_worked_out() {
    let blackjack = Table::usual(Game::Blackjack);
    let switch = Table { variation: Variation::Switch, ..blackjack.clone() };
    assert_agrees("switch", &switch, Cents::dollars(1));
    let even = SwitchRules { blackjack: SwitchBlackjack::EvenMoney, unswitched_against_22: UnswitchedAgainst22::Win };
    assert_agrees("switch, even money", &Table { switch_rules: even, ..switch }, Cents::dollars(1));
    let from_the_hand =
        Table { variation: Variation::FromTheHand, decks: 1, shuffler: Shuffler::Batch, ..blackjack.clone() };
    assert_agrees("from the hand", &from_the_hand, Cents::dollars(1));
    let double_shoe = Table { variation: Variation::DoubleShoe, decks: 4, ..blackjack };
    assert_agrees("double shoe", &double_shoe, Cents::dollars(1));
}

#[test]
fn even_money_is_taken_where_a_blackjack_pays_too_little() {
    let table = Table { blackjack_pays: BlackjackPays::SixToFive, decks: 2, ..Table::usual(Game::Blackjack) };
    let best = BestPlay::of(&table, Cents::dollars(10), &|_| {});
    assert!(best.strategy.takes_even_money());
    assert!(!BestPlay::of(&Table::usual(Game::Blackjack), Cents::dollars(10), &|_| {}).strategy.takes_even_money());
    assert_agrees("6 to 5", &table, Cents::dollars(10));
}
