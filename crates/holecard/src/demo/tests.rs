//! Whole shifts on the demo's stack, in this process and at speed.

use std::time::{Duration, Instant};

use table_rules::game::Game;
use table_simulator::floor::shift::{Moment, Shift};
use table_simulator::floor::site::Site;

use super::stack::{DEMO, Stack, moment};

/// Long enough for a loaded machine; a shift takes seconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(180);

/// Plays until this many rounds have ended; fails with what was refused last when they do not.
pub(super) async fn play_rounds(stack: &mut Stack, shift: &mut Shift, rounds: u64) {
    let mut refused = Vec::new();
    let until = Instant::now() + PATIENCE;
    loop {
        let screen = stack.screen();
        if screen["day"]["rounds"].as_u64().unwrap_or(0) >= rounds {
            return;
        }
        match moment(shift, stack).await {
            Moment::Refused { deed, reason, clause } => refused.push(format!("{deed:?}: {reason} [{clause}]")),
            Moment::Done | Moment::Waited | Moment::NoCards => {}
        }
        let lately = refused.iter().rev().take(5).collect::<Vec<_>>();
        let shown = || serde_json::to_string_pretty(&stack.screen()).unwrap();
        assert!(Instant::now() < until, "nothing moves at {}\n{lately:?}", shown());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn shift_of(game: Game, rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::write(folder.path(), game, DEMO).unwrap();
    let mut stack = Stack::start(&site, 7, 300).await.unwrap();
    let mut shift = Shift::new(11);
    play_rounds(&mut stack, &mut shift, rounds).await;
    stack.cut_power().await.unwrap();
    play_rounds(&mut stack, &mut shift, rounds + 2).await;
    stack.stop().await;
}

#[tokio::test]
async fn people_who_see_only_the_screen_deal_blackjack() {
    shift_of(Game::Blackjack, 4).await;
}

#[tokio::test]
async fn people_who_see_only_the_screen_deal_spanish_21() {
    shift_of(Game::Spanish21, 4).await;
}

#[tokio::test]
async fn people_who_see_only_the_screen_deal_pontoon_21() {
    shift_of(Game::Pontoon21, 4).await;
}

#[tokio::test]
async fn people_who_see_only_the_screen_deal_players_edge_21() {
    shift_of(Game::PlayersEdge21, 4).await;
}
