//! Turns the answers of a submission into an offer, or says every reason why it cannot.
//!
//! Each reason carries the clause or reading that it rests on and the answer at fault, so that a submission can show
//! the line. Nothing is corrected or assumed on the operator's behalf where money depends on it.

mod meters;
mod options;
mod stakes;
mod tables;
#[cfg(test)]
mod tests;
mod together;

use std::collections::BTreeSet;
use std::fmt;

use super::answers::Answers;
use super::offer::OfferedWager;
use super::side_wager;
use super::table::{GameTables, tables as tables_of};
use crate::game::Game;
use crate::money::MeterName;
use crate::wager::WagerId;

pub use together::check_together;

/// What the rest of a submission fixes for its side wagers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfferContext {
    pub game: Game,
    /// Decks in the shoe (reading B13).
    pub decks: u8,
    /// Whether the table plays Blackjack Switch.
    pub switch: bool,
}

/// One reason to refuse an offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferProblem {
    pub wager: WagerId,
    pub game: Game,
    /// The clause or reading.
    pub id: &'static str,
    /// The answer at fault, by the name of its field in [`Answers`]; `wager` for the offer as such.
    pub answer: &'static str,
    /// The meter at fault, where it is one.
    pub meter: Option<MeterName>,
    pub sentence: String,
}

impl fmt::Display for OfferProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} {})", self.sentence, self.game, self.id)
    }
}

impl std::error::Error for OfferProblem {}

/// Checks the answers for one wager. All problems come together; an offer comes only without any.
pub fn check_offer(
    context: OfferContext,
    wager: WagerId,
    answers: &Answers,
) -> Result<OfferedWager, Vec<OfferProblem>> {
    let mut problems = Problems { context, wager, found: Vec::new() };
    let (Some(side), Some(tables)) = (side_wager(wager), tables_of(wager)) else {
        problems.add("6.G", "wager", format!("{wager} is not an optional wager"));
        return Err(problems.found);
    };
    let Some(printed) = tables.in_game(context.game) else {
        problems.add("6.G", "wager", format!("{} does not authorise {}", context.game.title(), wager.title()));
        return Err(problems.found);
    };
    if wager == WagerId::SuperMatch && !context.switch {
        problems.add(printed.clause, "wager", "Super Match goes only with Blackjack Switch".to_owned());
    }
    let chosen = tables::choose(&mut problems, printed, answers);
    let stakes = stakes::check(&mut problems, side, chosen.as_ref(), answers);
    let options = options::check(&mut problems, chosen.as_ref(), &stakes, answers);
    let meters = meters::check(&mut problems, chosen.as_ref(), &stakes, answers);
    let Some(chosen) = chosen.filter(|_| problems.found.is_empty()) else {
        return Err(problems.found);
    };
    Ok(OfferedWager {
        side,
        lines: &tables.lines,
        table: chosen.first,
        second_table: chosen.second,
        options,
        stakes: stakes.allowed,
        min_stake: answers.min_stake,
        max_stake: answers.max_stake,
        spots: stakes.spots,
        meters,
        every_n_rounds: answers.every_n_rounds,
        random_source: answers.random_source,
        jackpot_threshold: answers.jackpot_threshold,
    })
}

/// The problems found so far.
struct Problems {
    context: OfferContext,
    wager: WagerId,
    found: Vec<OfferProblem>,
}

impl Problems {
    fn add(&mut self, id: &'static str, answer: &'static str, sentence: String) {
        self.push(id, answer, None, sentence);
    }

    fn add_meter(&mut self, id: &'static str, answer: &'static str, meter: MeterName, sentence: String) {
        self.push(id, answer, Some(meter), sentence);
    }

    fn push(&mut self, id: &'static str, answer: &'static str, meter: Option<MeterName>, sentence: String) {
        self.found.push(OfferProblem { wager: self.wager, game: self.context.game, id, answer, meter, sentence });
    }

    fn title(&self) -> &'static str {
        self.wager.title()
    }
}

/// `A, B or C`, each once.
fn one_of<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut seen = BTreeSet::new();
    let items: Vec<String> =
        items.into_iter().map(|item| item.to_string()).filter(|item| seen.insert(item.clone())).collect();
    match items.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The paytables that the documents print for a wager in a game.
fn printed_ids(printed: &GameTables) -> String {
    one_of(printed.tables.iter().map(|table| table.id))
}
