//! Which paytable is in force, whether the decks allow it, and what the submission adds to it.

use super::{Problems, one_of, printed_ids};
use crate::game::Game;
use crate::side::answers::{Answers, TableAnswers};
use crate::side::offer::{OfferedTable, Prize, Spin};
use crate::side::table::{CommunityTable, GameTables, Paytable, Printed};
use crate::wager::WagerId;

pub(super) struct Chosen {
    pub(super) first: OfferedTable,
    pub(super) second: Option<OfferedTable>,
}

impl Chosen {
    pub(super) fn tables(&self) -> impl Iterator<Item = &OfferedTable> {
        std::iter::once(&self.first).chain(&self.second)
    }
}

pub(super) fn choose(problems: &mut Problems, printed: &'static GameTables, answers: &Answers) -> Option<Chosen> {
    let first = choose_one(problems, printed, &answers.table);
    let Some(second_answers) = &answers.second_table else {
        return Some(Chosen { first: first?, second: None });
    };
    if problems.wager != WagerId::BonusSpin {
        let sentence = format!("{} has one paytable; only Bonus Spin may have one for each stake", problems.title());
        problems.add("O2", "second_table", sentence);
        return None;
    }
    let (first, second) = (first?, choose_one(problems, printed, second_answers)?);
    if first.table.stakes == second.table.stakes {
        let (a, b) = (first.table.id, second.table.id);
        let sentence = format!("Bonus Spin paytables {a} and {b} are for the same stake: name one for each stake");
        problems.add("O2", "second_table", sentence);
    }
    Some(Chosen { first, second: Some(second) })
}

fn choose_one(problems: &mut Problems, printed: &'static GameTables, answers: &TableAnswers) -> Option<OfferedTable> {
    let table = match &answers.paytable {
        Some(id) => named(problems, printed, id)?,
        None => implied(problems, printed)?,
    };
    let community = community(problems, printed, table, answers);
    let prize = prize(problems, table, answers);
    Some(OfferedTable { table, community, prize, spins: spins(table, community, !printed.communities.is_empty()) })
}

fn named(problems: &mut Problems, printed: &'static GameTables, id: &str) -> Option<&'static Paytable> {
    let title = problems.title();
    let Some(table) = printed.table(id) else {
        let sentence = format!("{title} has no paytable {id}: it has {}", printed_ids(printed));
        problems.add(printed.clause, "paytable", sentence);
        return None;
    };
    let decks = problems.context.decks;
    if !table.decks.allow(decks) {
        let sentence = format!("{title} paytable {id} is for {}; this table has {decks}", table.decks);
        problems.add(table.decks_clause.unwrap_or(table.clause), "paytable", sentence);
    }
    Some(table)
}

/// Where nothing was said: the only table, or the one that goes with the decks. A letter has to be said.
fn implied(problems: &mut Problems, printed: &'static GameTables) -> Option<&'static Paytable> {
    let decks = problems.context.decks;
    let title = problems.title();
    let fitting = || printed.tables.iter().filter(|table| table.decks.allow(decks));
    let Some(table) = fitting().next() else {
        let wanted = one_of(printed.tables.iter().map(|table| table.decks));
        problems.add("W11", "paytable", format!("{title} exists only for {wanted}; this table has {decks}"));
        return None;
    };
    let by_decks = table.id.len() > 1;
    if printed.tables.len() > 1 && !by_decks {
        let ids = one_of(fitting().map(|table| table.id));
        problems.add(table.clause, "paytable", format!("{title} needs its paytable: {ids}"));
        return None;
    }
    Some(table)
}

fn community(
    problems: &mut Problems,
    printed: &'static GameTables,
    table: &Paytable,
    answers: &TableAnswers,
) -> Option<&'static CommunityTable> {
    let title = problems.title();
    let said = answers.community_pay.as_deref();
    if printed.communities.is_empty() {
        if said.is_some() {
            problems.add("O2", "community_pay", format!("{title} has no community pay"));
        }
        return None;
    }
    // Only tables for the same stake may stand in for each other.
    let same_stake = |id: &str| printed.table(id).is_some_and(|other| other.stakes == table.stakes);
    let chosen = said.filter(|id| same_stake(id)).and_then(|id| printed.community(id));
    if chosen.is_none() {
        let fitting = printed.communities.iter().filter(|community| same_stake(community.id));
        let ids = one_of(fitting.map(named_by_its_clause));
        let id = table.id;
        let sentence = match said {
            None => {
                format!("{title} paytable {id} needs its community_pay: the wheel pays the community by table {ids}")
            }
            Some("none") => format!("the {title} wheel has community symbols: table {ids} pays them, and none cannot"),
            Some(other) => format!("{title} paytable {id} pays the community by table {ids}, not {other}"),
        };
        problems.add(designation(problems.context.game, problems.wager), "community_pay", sentence);
    }
    chosen
}

/// The clause that has the submission designate what the community is paid.
fn designation(game: Game, wager: WagerId) -> &'static str {
    match (game, wager) {
        (Game::Blackjack, _) => "13.Q(5)(b)#2",
        (Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21, WagerId::BonusSpinXtreme) => "12.E(5)(b)",
        (Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21, _) => "12.D(8)(b)",
    }
}

/// Blackjack letters the $5 tables of the community anew, from A; a file calls each by the paytable that it goes with.
fn named_by_its_clause(community: &CommunityTable) -> String {
    match community.clause {
        clause @ "13.Q(7)(a)" => format!("{} (which {clause} prints as A)", community.id),
        clause @ "13.Q(8)" => format!("{} (which {clause} prints as B)", community.id),
        _ => community.id.to_owned(),
    }
}

fn prize(problems: &mut Problems, table: &Paytable, answers: &TableAnswers) -> Option<Prize> {
    let title = problems.title();
    let Some((least, clause)) = table.prize else {
        if answers.prize_name.is_some() || answers.prize_value.is_some() {
            let sentence = format!("{title} paytable {} has no fixed prize", table.id);
            problems.add("O2", "prize_value", sentence);
        }
        return None;
    };
    let Some(value) = answers.prize_value else {
        let sentence = format!("{title} paytable {} needs the value of its fixed prize or merchandise", table.id);
        problems.add("O2", "prize_value", sentence);
        return None;
    };
    if value < least {
        let sentence =
            format!("{title} paytable {} has a prize of {value}; {clause} requires at least {least}", table.id);
        problems.add(clause, "prize_value", sentence);
    }
    if answers.prize_name.as_deref().is_some_and(|name| name.trim().is_empty()) {
        problems.add("O2", "prize_name", format!("{title}: the merchandise has an empty name"));
    }
    let won_by = table.rows.iter().find(|row| matches!(row.pays, Printed::Prize)).map_or("prize", |row| row.key);
    Some(Prize::new(won_by, answers.prize_name.as_deref(), value))
}

/// Every symbol of the wheel. A community symbol with two amounts stands alone; where it has one amount, it may also
/// stand beside a symbol of the table.
fn spins(table: &Paytable, community: Option<&CommunityTable>, wheel: bool) -> Vec<(Box<str>, Spin)> {
    let mut spins: Vec<(Box<str>, Spin)> = Vec::new();
    if !wheel {
        return spins;
    }
    // A symbol that the document prints twice is one symbol (reading B4).
    let first_prints = table.rows.iter().filter(|row| table.row(row.line) == Some(row));
    spins.extend(first_prints.clone().map(|row| (row.key.into(), Spin { spinner: row.line, others: None })));
    let Some(community) = community else {
        return spins;
    };
    for row in &community.rows {
        spins.push((row.key.into(), Spin { spinner: row.line, others: Some(row.line) }));
    }
    if !community.two_amounts {
        for (row, other) in first_prints.flat_map(|row| community.rows.iter().map(move |other| (row, other))) {
            let spin = Spin { spinner: row.line, others: Some(other.line) };
            spins.push((format!("{}+{}", row.key, other.key).into(), spin));
        }
    }
    spins
}
