//! The side wagers' blocks: one a paytable in force, with every line that can be won at this table.

use super::words::{line_words, suit_words};
use super::{Block, Figure, Part, PostedLine, Statement, meter_words};
use crate::game::Game;
use crate::meter::Rate;
use crate::money::{Cents, Pay};
use crate::side::table::{MeterRule, MeterStart, ResetAndCeiling};
use crate::side::{self, CommunityTable, CrownTreasure, OfferedMeter, OfferedTable, OfferedWager, Placement, Printed};
use crate::source::{Point, Source};
use crate::table::Table;
use crate::wager::WagerId;

pub(super) fn blocks(table: &Table) -> Vec<Block> {
    let each = |offer| OfferedWager::tables(offer).map(move |paytable| block(table.game, offer, paytable));
    table.wagers.iter().flat_map(each).collect()
}

fn block(game: Game, offer: &OfferedWager, offered: &OfferedTable) -> Block {
    let source = Source::new(game, offered.table.clause);
    let stakes = stakes_of(offer, offered);
    let mut title = offer.id().title().to_owned();
    if offer.tables().count() > 1 {
        title.push_str(&format!(", {} wager", amounts(&stakes)));
    }
    let lines = lines(game, offer, offered);
    let mut statements = statements(game, offer, offered, &stakes);
    statements.extend(what_includes_the_wager(game, offer, &lines));
    Block { part: Part::Side { wager: offer.id(), paytable: offered.table.id }, title, source, lines, statements }
}

/// That the stake does not come back besides, where lines pay anything but odds (W12, D9). What rides on another wager is
/// paid besides that one.
fn what_includes_the_wager(game: Game, offer: &OfferedWager, lines: &[PostedLine]) -> Option<Statement> {
    if matches!(offer.placement(), Placement::RidesOn(_)) {
        return None;
    }
    let shows = |bases: &[&str]| lines.iter().any(|line| bases.contains(&line.figure.basis()));
    let (amounts, prize, meter) = (shows(&["amount", "community"]), shows(&["prize"]), shows(&["meter"]));
    let text = match (amounts, prize, meter) {
        (false, false, false) => return None,
        (false, false, true) => "What a meter pays includes the wager",
        (true, false, false) => "Amounts include the wager",
        (true, false, true) => "Amounts and what a meter pays include the wager",
        (_, true, false) => "Amounts and the prize include the wager",
        (_, true, true) => "Amounts, the prize and what a meter pays include the wager",
    };
    let id = if amounts || prize { "W12" } else { "D9" };
    Some(Statement::new(text, Source::new(game, id)))
}

// ---- lines ----

fn lines(game: Game, offer: &OfferedWager, offered: &OfferedTable) -> Vec<PostedLine> {
    let mut lines: Vec<PostedLine> = Vec::new();
    for row in offered.table.rows.iter().filter(|row| offer.can_pay(row.line)) {
        let figure = match (row.pays, &offered.prize) {
            (Printed::Pay(pay), _) => Figure::Pay(pay),
            (Printed::Prize, Some(prize)) => Figure::Prize(prize.clone()),
            // A checked offer declares its prize; one that did not would have nothing to promise.
            (Printed::Prize, None) => continue,
        };
        let source = Source::new(game, row.clause);
        let line = PostedLine { key: row.key, words: words(offer, row.key), figure, source };
        // Some wheels are printed with the same symbol twice (B4).
        let is_there = lines.iter().any(|other| (&other.words, &other.figure) == (&line.words, &line.figure));
        if !is_there {
            lines.push(line);
        }
    }
    lines.extend(offered.community.into_iter().flat_map(|community| community_lines(game, community)));
    lines
}

fn community_lines(game: Game, community: &CommunityTable) -> impl Iterator<Item = PostedLine> {
    community.rows.iter().map(move |row| {
        let figure = if community.two_amounts {
            Figure::Community { spinner: row.spinner, others: row.others }
        } else {
            Figure::Pay(Pay::Amount(row.others))
        };
        let words = "Community pay symbol".to_owned();
        PostedLine { key: row.key, words, figure, source: Source::new(game, row.clause) }
    })
}

fn words(offer: &OfferedWager, key: &'static str) -> String {
    match (offer.options().star_suit, key) {
        (Some(suit), "royal-flush-of-chosen-suit") => format!("Royal flush of {}", suit_words(suit)),
        (Some(_) | None, key) => line_words(offer.id(), key).unwrap_or_else(|| key.replace('-', " ")),
    }
}

// ---- what goes with the lines ----

fn statements(game: Game, offer: &OfferedWager, offered: &OfferedTable, stakes: &[Cents]) -> Vec<Statement> {
    let mut statements: Vec<Statement> = stake_words(offer, stakes)
        .map(|text| Statement::new(text, stake_source(game, offer, offered)))
        .into_iter()
        .collect();
    let mut say = |text: String, id: &'static str| statements.push(Statement::new(text, Source::new(game, id)));
    condition(game, offer, stakes, &mut say);
    if let Some(community) = offered.community {
        let text = if community.two_amounts {
            "A community pay symbol pays its first amount to the player who spins and its second to every other player \
             with this wager"
        } else {
            "A community pay symbol pays every player with this wager; beside a hot spot amount, every other player"
        };
        say(text.to_owned(), community.clause);
        if community.two_amounts && offer.tables().count() > 1 {
            let text = "A player with the other stake is paid by the same symbol of that stake's own table";
            say(text.to_owned(), "O2");
        }
    }
    for row in &offered.table.rows {
        if let Some(maximum) = offer.maximum_for(row.line) {
            let hand = words(offer, row.key);
            say(
                format!("{hand}: at most {maximum} a round, shared by the winners in proportion to their wagers"),
                "13.J",
            );
        }
    }
    for rule in &offered.table.meters {
        if let Some(meter) = offer.meters().iter().find(|meter| meter.name == rule.name) {
            let (text, id) = meter_terms(meter, rule);
            say(text, id);
        }
    }
    statements
}

/// Where the wager has a condition or an option that the names of its lines do not tell.
#[expect(clippy::wildcard_enum_match_arm, reason = "most wagers have none, and none is safe to leave out")]
fn condition(game: Game, offer: &OfferedWager, stakes: &[Cents], say: &mut impl FnMut(String, &'static str)) {
    let options = offer.options();
    let not = |yes: bool| if yes { "counts" } else { "does not count" };
    match offer.id() {
        WagerId::MatchTheDealer | WagerId::MatchSuperBonus => {
            say("Paid for each of the first two cards that matches the dealer's up card in rank".to_owned(), "S4");
        }
        WagerId::ThreeCardPoker => {
            say(format!("Ace-king-queen {} as a straight", not(options.ace_high_straight)), "B5");
        }
        WagerId::RoyalMatch21 => {
            let how = match options.crown_treasure {
                CrownTreasure::Line => "Crown Treasure is paid instead of Royal Match",
                CrownTreasure::Additional => "Crown Treasure is paid besides Royal Match",
            };
            say(how.to_owned(), "B6");
        }
        WagerId::HitAndRun => {
            say(format!("A dealer hand that busts {}", not(options.busted_hands_count)), "W10");
        }
        WagerId::BadBeat => {
            if let Some(rounds) = offer.every_n_rounds() {
                let text = format!(
                    "Magic Card and Lucky Player are drawn every {rounds} rounds and paid besides the other lines"
                );
                say(text, "W13");
            }
        }
        WagerId::BusterBlackjackFreeBonus => {
            let least = side::FREE_BONUS_STAKE;
            say(
                format!("For a player blackjack with at least {least} on Buster Blackjack; paid besides it"),
                "6.G(16)",
            );
        }
        WagerId::BonusSpin => {
            let (ace_spins, id) = match game {
                Game::Blackjack => (stakes.iter().any(|stake| *stake >= side::ACE_STAKE), "6.G(17)"),
                Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => (false, "6.G(2)"),
            };
            let who = if ace_spins {
                "A player blackjack or ace spins the wheel"
            } else {
                "A player blackjack spins the wheel"
            };
            say(who.to_owned(), id);
        }
        WagerId::BonusSpinXtreme => {
            say("The wheel spins when the dealer's first two cards are a six and a ten-value card".to_owned(), "O2");
        }
        WagerId::Super4 => say("The best line alone is paid".to_owned(), "B11"),
        _ => {}
    }
}

// ---- stakes ----

/// The stakes of this paytable, where the submission lists stakes.
fn stakes_of(offer: &OfferedWager, offered: &OfferedTable) -> Vec<Cents> {
    let fits = |stake: &&Cents| offered.table.stakes.as_ref().is_none_or(|(printed, _)| printed.contains(stake));
    offer.stakes().iter().filter(fits).copied().collect()
}

fn stake_words(offer: &OfferedWager, stakes: &[Cents]) -> Option<String> {
    match (offer.placement(), stakes, offer.min_stake(), offer.max_stake()) {
        (Placement::RidesOn(carrier), ..) => Some(format!("No wager of its own: it comes with {}", carrier.title())),
        (Placement::Chips | Placement::Sensor, [_, ..], ..) => Some(format!("Wager {}", amounts(stakes))),
        (Placement::Chips | Placement::Sensor, [], Some(least), Some(most)) => Some(format!("Wager {least} to {most}")),
        (Placement::Chips | Placement::Sensor, [], Some(least), None) => Some(format!("Wager {least} or more")),
        (Placement::Chips | Placement::Sensor, [], None, Some(most)) => Some(format!("Wager {most} or less")),
        (Placement::Chips | Placement::Sensor, [], None, None) => None,
    }
}

/// The clause that ties the paytable to a stake, else the one that lets the submission choose.
fn stake_source(game: Game, offer: &OfferedWager, offered: &OfferedTable) -> Source {
    let printed = offered.table.stakes.as_ref().map(|(_, clause)| *clause);
    let authorised = side::tables(offer.id()).and_then(|tables| tables.in_game(game)).map(|each| each.clause);
    Source::new(game, printed.or(authorised).unwrap_or_else(|| Point::OptionalWagers.id(game)))
}

/// `$1 or $5`.
fn amounts(stakes: &[Cents]) -> String {
    let each: Vec<String> = stakes.iter().map(ToString::to_string).collect();
    each.join(" or ")
}

// ---- meters ----

fn meter_terms(meter: &OfferedMeter, rule: &MeterRule) -> (String, &'static str) {
    let terms = meter.terms.terms();
    let (initial, reset) = (terms.initial, terms.reset);
    let mut text = meter_words(meter.name);
    // The first word of a sentence.
    text.replace_range(..1, "T");
    if initial == reset {
        text.push_str(&format!(" begins and restarts at {reset}"));
    } else {
        text.push_str(&format!(" begins at {initial} and restarts at {reset}"));
    }
    let clause = match rule.start {
        MeterStart::Seed { unseeded: Some(clause), .. } if initial == Cents::ZERO && reset == Cents::ZERO => clause,
        MeterStart::Seed { least, clause, .. } => {
            text.push_str(&format!(" (the rules ask for at least {least})"));
            clause
        }
        MeterStart::ResetAndCeiling(pairs) => {
            let meets = |pair: &&ResetAndCeiling| {
                reset >= pair.reset && terms.must_hit.is_some_and(|ceiling| ceiling >= pair.ceiling)
            };
            pairs.iter().find(meets).map_or(rule.rate_clause, |pair| pair.clause)
        }
    };
    if let Some(ceiling) = terms.must_hit {
        text.push_str(&format!(" and is won before it passes {ceiling}"));
    }
    text.push_str(&format!("; {} of each wager is added", percent(terms.progression)));
    (text, clause)
}

/// `22 %`, `0.5 %`: exact, and without zeros that say nothing.
fn percent(rate: Rate) -> String {
    let (whole, rest) = (rate.millionths() / 10_000, rate.millionths() % 10_000);
    if rest == 0 {
        return format!("{whole} %");
    }
    let decimals = format!("{rest:04}");
    format!("{whole}.{} %", decimals.trim_end_matches('0'))
}

// ---- how to read it ----

/// What "for" and "to" mean, where the sign shows both (reading B7).
pub(super) fn how_to_read(game: Game, blocks: &[Block]) -> Option<Block> {
    let side_lines = || {
        let of_side_wagers = blocks.iter().filter(|block| matches!(block.part, Part::Side { .. }));
        of_side_wagers.flat_map(|block| &block.lines)
    };
    let shows = |basis: &str| side_lines().any(|line| line.figure.basis() == basis);
    let text = "“X to 1” is paid besides the wager, which is returned; “X for 1” includes the wager";
    shows("for").then(|| Block {
        part: Part::HowToRead,
        title: "How to read the figures".to_owned(),
        source: Point::PostedSign.source(game),
        lines: Vec::new(),
        statements: vec![Statement::new(text, Source::new(game, "B7"))],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_exact_and_short() {
        for (millionths, text) in [(220_000, "22 %"), (5_000, "0.5 %"), (1, "0.0001 %"), (1_000_000, "100 %")] {
            assert_eq!(percent(Rate::from_millionths(millionths).unwrap()), text);
        }
    }
}
