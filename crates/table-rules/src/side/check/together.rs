//! What can only be judged with all offers of a table in view.

use super::meters::taken;
use super::{OfferContext, OfferProblem, Problems};
use crate::meter::Rate;
use crate::side::offer::OfferedWager;
use crate::side::{FREE_BONUS_STAKE, Placement, tables};
use crate::wager::WagerId;

/// Checks the offers of one table against each other, and tells those that ride on another wager what that wager's
/// stakes are. Call it once, before the first round.
pub fn check_together(context: OfferContext, offers: &mut [OfferedWager]) -> Vec<OfferProblem> {
    let mut found = Vec::new();
    for place in 0..offers.len() {
        let wager = offers[place].id();
        let mut problems = Problems { context, wager, found: Vec::new() };
        let clause =
            tables(wager).and_then(|tables| tables.in_game(context.game)).map_or("6.G", |tables| tables.clause);
        if offers[..place].iter().any(|other| other.id() == wager) {
            problems.add(clause, "wager", format!("{} is offered twice", wager.title()));
        }
        if let Placement::RidesOn(carrier) = offers[place].placement() {
            match offers.iter().position(|other| other.id() == carrier) {
                None => {
                    let sentence = format!("{} goes with {}, which is not offered", wager.title(), carrier.title());
                    problems.add(clause, "wager", sentence);
                }
                Some(carrier) => rider(&mut problems, clause, offers, place, carrier),
            }
        }
        found.append(&mut problems.found);
    }
    found
}

fn rider(problems: &mut Problems, clause: &'static str, offers: &mut [OfferedWager], rider: usize, carrier: usize) {
    let carrying = &offers[carrier];
    let (least, only) = (carrying.options.least_stake, carrying.options.only_stake);
    let most = carrying.stakes.iter().copied().max().or(carrying.max_stake);
    if problems.wager == WagerId::BusterBlackjackFreeBonus && most.is_some_and(|most| most < FREE_BONUS_STAKE) {
        let sentence = format!("{} needs $5 on Buster Blackjack, which takes less", problems.title());
        problems.add(clause, "wager", sentence);
    }
    let rates = [rider, carrier].into_iter().flat_map(|place| &offers[place].meters);
    let rates: u32 = rates.map(|meter| taken(&meter.terms)).sum();
    if rates > Rate::WHOLE.millionths() {
        let title = problems.title();
        let sentence = format!("{title} and the wager it goes with together take more than the stake");
        problems.add("X4", "meters", sentence);
    }
    offers[rider].options.least_stake = least;
    offers[rider].options.only_stake = only;
}
