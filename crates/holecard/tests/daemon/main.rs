//! A whole shift of each game against `holecardd` as a process of its own, killed with SIGKILL again and again.
//!
//! The devices are twins on ptys held by this process, so they live on as real ones do. People see the table only through
//! its interface. Faults are thrown in; the process dies at seeded moments: while cards are dealt, while players decide,
//! while lines are paid, with a request or a drawn card on the way. Afterwards the record has to hold everything that
//! anybody was told, exactly once, and the meters and the day's summary have to follow from it.
//!
//! | module | holds |
//! |---|---|
//! | `process` | the built program, started, killed, stopped |
//! | `client` | the operator's interface as a screen uses it |
//! | `night` | a shift with its faults and its deaths |
//! | `evidence` | what was told, against what the record says |
//! | `meters` | the meters counted a second time |
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod evidence;
mod meters;
mod night;
mod process;

use table_rules::game::Game;

#[test]
fn a_killed_table_of_blackjack_loses_nothing() {
    night::go_through(Game::Blackjack, 0xB1AC);
}

#[test]
fn a_killed_table_of_spanish_21_loses_nothing() {
    night::go_through(Game::Spanish21, 0x5BA2);
}

#[test]
fn a_killed_table_of_pontoon_21_loses_nothing() {
    night::go_through(Game::Pontoon21, 0x9027);
}

#[test]
fn a_killed_table_of_players_edge_21_loses_nothing_of_a_jackpot() {
    night::go_through(Game::PlayersEdge21, 0xED6E);
}
