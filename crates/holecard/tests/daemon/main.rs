//! `holecardd` as a process of its own: whole shifts in which it is killed with SIGKILL again and again, and silence about
//! the hole card.
//!
//! The devices are twins on ptys held by this process, so they live on as real ones do. People see the table only through
//! its interface. Faults are thrown in; the process dies at seeded moments: while cards are dealt, while players decide,
//! while lines are paid, with a request or a drawn card on the way. Afterwards the record has to hold everything that
//! anybody was told, exactly once, and the meters and the day's summary have to follow from it.
//!
//! | module | holds |
//! |---|---|
//! | `process` | the built program |
//! | `night` | a shift with its faults and its deaths |
//! | `evidence` | what was told, against what the record says |
//! | `silence` | pairs of rounds that differ in the hole card alone |
//! | `meters` | the meters counted a second time |
//! | `rollback` | a journal that was cut back, exchanged or taken away |
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod evidence;
mod meters;
mod night;
mod process;
mod rollback;
mod silence;

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

#[test]
fn nothing_of_blackjack_depends_on_the_hole_card_before_it_is_turned() {
    silence::hold(Game::Blackjack, 0x51B1);
}

#[test]
fn nothing_of_spanish_21_depends_on_the_hole_card_before_it_is_turned() {
    silence::hold(Game::Spanish21, 0x5152);
}

#[test]
fn nothing_of_pontoon_21_depends_on_the_hole_card_before_it_is_turned() {
    silence::hold(Game::Pontoon21, 0x5191);
}

#[test]
fn nothing_of_players_edge_21_depends_on_the_hole_card_before_it_is_turned() {
    silence::hold(Game::PlayersEdge21, 0x51ED);
}
