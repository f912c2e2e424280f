//! Which stakes a wager takes, and on how many sensor spots.

use super::tables::Chosen;
use super::{Problems, one_of};
use crate::money::Cents;
use crate::side::answers::Answers;
use crate::side::{Placement, SideWager};

pub(super) struct Stakes {
    pub(super) allowed: Vec<Cents>,
    pub(super) spots: u8,
    pub(super) least: Cents,
    /// The largest stake, where the submission sets one.
    pub(super) most: Option<Cents>,
}

/// More spots a seat than the position boards have is a slip of the pen.
const SPOTS_MOST: u8 = 3;

pub(super) fn check(problems: &mut Problems, side: &SideWager, chosen: Option<&Chosen>, answers: &Answers) -> Stakes {
    amounts(problems, answers);
    let spots = match side.placement {
        Placement::Chips => chips(problems, answers),
        Placement::Sensor => sensor(problems, answers),
        Placement::RidesOn(carrier) => {
            let silent = answers.stakes.is_empty() && answers.min_stake.is_none() && answers.max_stake.is_none();
            if !silent || answers.spots.is_some() {
                let title = problems.title();
                let sentence = format!("{title} takes no stake of its own: it goes with {}", carrier.title());
                problems.add("X5", "stakes", sentence);
            }
            0
        }
    };
    if let Some(chosen) = chosen {
        printed(problems, chosen, answers);
    }
    let least_listed = answers.stakes.iter().copied().min();
    let most_listed = answers.stakes.iter().copied().max();
    Stakes {
        allowed: answers.stakes.clone(),
        spots,
        least: least_listed.or(answers.min_stake).unwrap_or(Cents(1)),
        most: most_listed.or(answers.max_stake),
    }
}

fn amounts(problems: &mut Problems, answers: &Answers) {
    let title = problems.title();
    let named = [("min_stake", answers.min_stake), ("max_stake", answers.max_stake)];
    let listed = answers.stakes.iter().map(|stake| ("stakes", Some(*stake)));
    for (answer, stake) in listed.chain(named) {
        if let Some(stake) = stake.filter(|stake| *stake <= Cents::ZERO || *stake > Cents::LARGEST) {
            problems.add("X5", answer, format!("{title}: {stake} is not a stake"));
        }
    }
    for (place, stake) in answers.stakes.iter().enumerate() {
        if answers.stakes[..place].contains(stake) {
            problems.add("X5", "stakes", format!("{title} lists the stake {stake} twice"));
        }
    }
    if let (Some(least), Some(most)) = (answers.min_stake, answers.max_stake)
        && least > most
    {
        problems.add("X5", "min_stake", format!("{title}: the smallest stake {least} is above the largest, {most}"));
    }
    let outside = |stake: &&Cents| {
        answers.min_stake.is_some_and(|least| **stake < least) || answers.max_stake.is_some_and(|most| **stake > most)
    };
    for stake in answers.stakes.iter().filter(outside) {
        problems.add("X5", "stakes", format!("{title}: the stake {stake} is outside its own limits"));
    }
}

fn chips(problems: &mut Problems, answers: &Answers) -> u8 {
    if answers.spots.is_some() {
        let title = problems.title();
        problems.add("X5", "spots", format!("{title} is placed with chips on the layout: it has no sensor spots"));
    }
    0
}

/// A presence sensor sees a chip, not its value: the spot itself must say the stake.
fn sensor(problems: &mut Problems, answers: &Answers) -> u8 {
    let title = problems.title();
    let spots = answers.spots.unwrap_or(1);
    let stakes = answers.stakes.len();
    if spots == 0 || spots > SPOTS_MOST {
        problems.add("X5", "spots", format!("{title} has {spots} spots a seat: give 1 to {SPOTS_MOST}"));
    } else if stakes == 0 {
        problems.add("X5", "stakes", format!("{title} is a progressive: name the stake of its sensor spot"));
    } else if stakes > usize::from(spots) {
        let listed = one_of(&answers.stakes);
        let sentence = format!("{title} takes {listed} on {spots} spot(s): a sensor spot is one wager and one stake");
        problems.add("X5", "stakes", sentence);
    } else if stakes < usize::from(spots) {
        problems.add("X5", "spots", format!("{title} has {spots} spots but only {stakes} stake(s): name each spot's"));
    }
    if answers.min_stake.is_some() || answers.max_stake.is_some() {
        let sentence = format!("{title} is a progressive: its stakes are fixed, it has no smallest or largest");
        problems.add("X5", "min_stake", sentence);
    }
    spots
}

/// The stakes that the paytables themselves are printed for.
fn printed(problems: &mut Problems, chosen: &Chosen, answers: &Answers) {
    let title = problems.title();
    let Some((_, clause)) = &chosen.first.table.stakes else {
        return;
    };
    let legal: Vec<Cents> = chosen
        .tables()
        .filter_map(|offered| offered.table.stakes.as_ref())
        .flat_map(|(stakes, _)| stakes)
        .copied()
        .collect();
    let ids = chosen.tables().map(|offered| offered.table.id).collect::<Vec<_>>().join(" and ");
    for stake in answers.stakes.iter().filter(|stake| !legal.contains(stake)) {
        let sentence = format!("{title} paytable {ids} pays a stake of {}, not {stake}", one_of(&legal));
        problems.add(clause, "stakes", sentence);
    }
    if chosen.second.is_some() {
        for offered in chosen.tables() {
            let Some((stakes, clause)) = &offered.table.stakes else { continue };
            if !stakes.iter().any(|stake| answers.stakes.contains(stake)) {
                let id = offered.table.id;
                let sentence = format!("{title} names paytable {id} but no stake of {}", one_of(stakes));
                problems.add(clause, "stakes", sentence);
            }
        }
    }
}
