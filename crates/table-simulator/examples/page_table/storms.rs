//! Storms for the page: each new kind of screen is shown once, and what the page would offer there is tried on a copy.

use std::collections::BTreeSet;

use operator_api::Screen;
use serde::Deserialize;
use table_controller::Controller;
use table_rules::game::Game;
use table_rules::table::{Shuffler, Table};
use table_simulator::storm;

use super::{Asked, Told, submission, tell, tried};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    seed: u64,
    hours: u32,
}

pub(crate) fn play(wanted: &Wanted) -> Result<String, String> {
    let game: Game = wanted.game.parse().map_err(|_| format!("{} is no game", wanted.game))?;
    let table = submission(&format!("{}-all-wagers", game.id()), &[])?;
    let config = storm::config(game, Table { shuffler: Shuffler::Batch, ..table });
    let mut seen = BTreeSet::new();
    let (mut shown, mut problem) = (0_u32, None);
    let look = |controller: &Controller| {
        let screen = controller.screen();
        if problem.is_none() && seen.insert(kind(&screen)) {
            shown += 1;
            problem = show(controller, screen).err();
        }
    };
    let tally = storm::run_watched(config, wanted.seed, wanted.hours, look).map_err(|broken| broken.to_string())?;
    problem.map_or_else(|| Ok(format!("{} rounds, {shown} kinds of screens", tally.rounds)), Err)
}

/// What the page's keys depend on: not the amounts, the cards or the count of anything.
fn kind(screen: &Screen) -> String {
    let prompt = &screen.prompt;
    let offers: Vec<_> = prompt.offers.iter().map(|offer| (offer.word, offer.seats.is_some())).collect();
    let seats: Vec<_> = screen
        .seats
        .iter()
        .map(|seat| (seat.in_play, seat.hands.len(), seat.hands.iter().any(|hand| hand.turn)))
        .filter(|(_, hands, turn)| *turn || *hands > 1)
        .collect();
    let up: Vec<_> = screen.devices.iter().map(|device| (device.part, device.up)).collect();
    let open = screen.lines.iter().find(|line| !line.confirmed).map(|line| format!("{:?}", line.settled.outcome));
    format!(
        "{:?} {} {:?} {offers:?} {:?} {:?} {} {seats:?} {up:?} {open:?} {} {} {:?}",
        screen.mode,
        screen.stage,
        prompt.clause,
        prompt.waits_for,
        prompt.wanted,
        prompt.shoe_knows,
        screen.stops.is_empty(),
        screen.signed_in.is_some(),
        screen.inspection.as_ref().map(|view| view.step),
    )
}

/// Shows one screen and answers until the page has no more to try.
fn show(controller: &Controller, screen: Screen) -> Result<(), String> {
    tell(&Told::Screen(Box::new(screen))).map_err(|error| error.to_string())?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(|error| error.to_string())?;
    match serde_json::from_str::<Asked>(&line).map_err(|error| error.to_string())? {
        Asked::Try(actions) => {
            let answers = actions.into_iter().map(|action| tried(controller, action)).collect();
            tell(&Told::Tried(answers)).map_err(|error| error.to_string())
        }
        Asked::Start(_) | Asked::Act(_) | Asked::Device(_) | Asked::Storm(_) => {
            Err("a storm is only looked at".to_owned())
        }
    }
}
