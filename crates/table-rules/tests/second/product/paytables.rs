//! The paytable data against the clauses: figures from `figures.tsv`, everything else from the lists below.
//!
//! The lists are typed from the clause texts. They must never be filled from the paytable files: a difference is settled
//! by going back to the printed clause.

use std::collections::BTreeSet;

use table_rules::game::Game::{self, Blackjack, PlayersEdge21, Pontoon21, Spanish21};
use table_rules::money::{Cents, Pay};
use table_rules::side::table::MeterStart;
use table_rules::side::{self, CommunityTable, GameTables, Paytable, Printed, WagerTables};
use table_rules::wager::WagerId;

use crate::figures::{Figure, Figures, figures};
use crate::reach::CARD_WAGERS;

/// Which clause of 6.G authorises a wager.
const AUTHORISED: &[(Game, WagerId, &str)] = &[
    (Blackjack, WagerId::LuckyLadies, "6.G(1)"),
    (Blackjack, WagerId::MatchTheDealer, "6.G(2)"),
    (Blackjack, WagerId::InBetween, "6.G(3)"),
    (Blackjack, WagerId::RoyalMatch21, "6.G(4)"),
    (Blackjack, WagerId::BetTheSet21, "6.G(5)"),
    (Blackjack, WagerId::KingsBounty, "6.G(6)"),
    (Blackjack, WagerId::SuperMatch, "6.G(7)"),
    (Blackjack, WagerId::BadBeat, "6.G(8)"),
    (Blackjack, WagerId::ThreeCardPoker, "6.G(9)"),
    (Blackjack, WagerId::HitAndRun, "6.G(10)"),
    (Blackjack, WagerId::HouseMoney, "6.G(11)"),
    (Blackjack, WagerId::LuckyLucky, "6.G(12)"),
    (Blackjack, WagerId::Super4, "6.G(13)"),
    (Blackjack, WagerId::MustHit, "6.G(13)(a)"),
    (Blackjack, WagerId::UpcardLuck21, "6.G(14)"),
    (Blackjack, WagerId::BusterBlackjack, "6.G(15)"),
    (Blackjack, WagerId::BusterBlackjackFreeBonus, "6.G(16)"),
    (Blackjack, WagerId::BonusSpin, "6.G(17)"),
    (Blackjack, WagerId::Blazing7s, "6.G(18)"),
    (Blackjack, WagerId::LuckyAces, "6.G(19)"),
    (Blackjack, WagerId::TwentyOnePlusThree, "6.G(20)"),
    (Blackjack, WagerId::Top3, "6.G(21)"),
    (Blackjack, WagerId::Trilux, "6.G(22)"),
    (Spanish21, WagerId::MatchTheDealer, "6.G(1)"),
    (Pontoon21, WagerId::MatchSuperBonus, "6.G(1)"),
    (Pontoon21, WagerId::BonusSpin, "6.G(2)"),
    (Pontoon21, WagerId::BonusSpinXtreme, "6.G(3)"),
    (PlayersEdge21, WagerId::MatchUp, "6.G(1)"),
    (PlayersEdge21, WagerId::MatchDown, "6.G(2)"),
    (PlayersEdge21, WagerId::MonsterMatch, "6.G(3)"),
];

/// The tables that a draw or a wheel decides, which `CARD_WAGERS` leaves out.
const OTHER_TABLES: &[(Game, WagerId, &[&str])] = &[
    (Blackjack, WagerId::MustHit, &["A"]),
    (Blackjack, WagerId::BonusSpin, &["A", "B", "C", "D"]),
    (Pontoon21, WagerId::BonusSpin, &["A", "B", "C", "D"]),
    (Pontoon21, WagerId::BonusSpinXtreme, &["A"]),
];

/// Tables that their own clause ties to a number of decks; all others go with any (W11).
const DECKS: &[(Game, &str, &str)] = &[
    (Blackjack, "13.A(5)(a)", "6 decks"),
    (Blackjack, "13.A(5)(b)", "8 decks"),
    (Spanish21, "12.A(4)(a)", "6 decks"),
    (Spanish21, "12.A(4)(b)", "8 decks"),
    (Pontoon21, "12.A(4)(a)", "6 decks"),
    (Pontoon21, "12.A(4)(b)", "8 decks"),
    (Blackjack, "13.A(7)(a)", "one deck"),
    (Blackjack, "13.A(7)(b)", "one deck"),
    (Blackjack, "13.A(7)(c)", "2 or more decks"),
    (Blackjack, "13.A(7)(d)", "2 or more decks"),
    (Blackjack, "13.A(7)(e)", "2 or more decks"),
    (Blackjack, "13.A(8)(a)", "one deck"),
    (Blackjack, "13.A(8)(b)", "2 decks"),
    (Blackjack, "13.A(8)(c)", "4 or more decks"),
    (Blackjack, "13.A(8)(d)", "4 or more decks"),
    (Blackjack, "13.A(10)(a)", "6 decks"),
    (Blackjack, "13.A(10)(b)", "8 decks"),
    (Blackjack, "13.A(11)(a)", "one deck"),
    (Blackjack, "13.A(11)(b)", "2 or more decks"),
];

/// Tables for certain stakes only, in cents, with the clause that says so (O2).
const STAKES: &[(Game, &str, &[i64], &str)] = &[
    (Blackjack, "13.Q(1)", &[100, 110], "13.Q(6)"),
    (Blackjack, "13.Q(2)", &[100, 110], "13.Q(6)"),
    (Blackjack, "13.Q(3)", &[500], "13.Q(7)"),
    (Blackjack, "13.Q(4)", &[500], "13.Q(7)"),
    (Pontoon21, "12.D(1)", &[110], "6.G(2)"),
    (Pontoon21, "12.D(2)", &[110], "6.G(2)"),
    (Pontoon21, "12.D(3)", &[500], "6.G(2)"),
    (Pontoon21, "12.D(4)", &[500], "6.G(2)"),
    (Pontoon21, "12.E(1)", &[500], "12.E"),
];

/// A meter of a table: its name, the clauses of its least amounts and of its rate.
type MeterClauses = (Game, &'static str, &'static str, &'static [&'static str], &'static str);

const METERS: &[MeterClauses] = &[
    (Blackjack, "13.B", "main", &["13.C(2)"], "13.C(1)"),
    (Blackjack, "13.F", "main", &["13.G(2)"], "13.G(1)"),
    (Blackjack, "13.H(1)", "main", &["13.I(2)(a)"], "13.I(1)"),
    (Blackjack, "13.H(2)", "main", &["13.I(2)(b)"], "13.I(1)"),
    (Blackjack, "13.H(3)", "main", &["13.I(2)(c)"], "13.I(1)"),
    (Blackjack, "13.H(4)", "star", &["13.I(4)(a)"], "13.I(3)"),
    (Blackjack, "13.H(4)", "spade", &["13.I(6)(a)"], "13.I(5)"),
    (Blackjack, "13.H(4)", "heart", &["13.I(8)(a)"], "13.I(7)"),
    (Blackjack, "13.H(4)", "diamond", &["13.I(10)(a)"], "13.I(9)"),
    (Blackjack, "13.Q(2)", "main", &["13.Q(5)(b)(ii)"], "13.Q(5)(a)"),
    (Blackjack, "13.R(1)", "mega", &["13.S(2)(a)(i)", "13.S(2)(a)(i)#2"], "13.S(1)"),
    (Blackjack, "13.R(1)", "major", &["13.S(2)(a)(ii)", "13.S(2)(a)(ii)#3"], "13.S(1)"),
    (Blackjack, "13.R(1)", "minor", &["13.S(2)(a)(ii)#2", "13.S(2)(a)(ii)#4"], "13.S(1)"),
    (Blackjack, "13.T(1)", "must-hit", &["13.U(2)(a)", "13.U(2)(b)", "13.U(2)(c)"], "13.U(1)"),
    (Blackjack, "13.V(1)", "main", &["13.W(2)(a)"], "13.W(1)"),
    (Pontoon21, "12.D(2)", "main", &["12.D(6)(b)(ii)"], "12.D(6)(a)"),
    (Pontoon21, "12.D(4)", "main", &["12.D(6)(b)(iv)"], "12.D(6)(a)"),
    (Pontoon21, "12.E(1)", "primary", &["12.E(3)(b)(i)"], "12.E(3)(a)"),
    (Pontoon21, "12.E(1)", "secondary", &["12.E(3)(b)(i)"], "12.E(3)(a)"),
    (PlayersEdge21, "12.D(1)", "main", &["12.D(6)(b)(i)"], "12.D(6)(a)"),
    (PlayersEdge21, "12.D(2)", "main", &["12.D(6)(b)(ii)"], "12.D(6)(a)"),
    (PlayersEdge21, "12.D(3)", "main", &["12.D(6)(b)(iii)"], "12.D(6)(a)"),
    (PlayersEdge21, "12.D(4)", "main", &["12.D(6)(b)(iv)"], "12.D(6)(a)"),
    (PlayersEdge21, "12.D(5)", "main", &["12.D(6)(b)(v)"], "12.D(6)(a)"),
];

/// Tables with a fixed prize, and the clause of its least value.
const PRIZES: &[(Game, &str, &str)] = &[
    (Blackjack, "13.Q(1)", "13.Q(5)(b)(i)"),
    (Blackjack, "13.Q(3)", "13.Q(5)(b)(iii)"),
    (Blackjack, "13.Q(4)", "13.Q(5)(b)(iv)"),
    (Pontoon21, "12.D(1)", "12.D(6)(b)(i)"),
    (Pontoon21, "12.D(3)", "12.D(6)(b)(iii)"),
];

/// Which community table goes with which paytable.
const COMMUNITIES: &[(Game, WagerId, &str, &str)] = &[
    (Blackjack, WagerId::BonusSpin, "A", "13.Q(6)(a)"),
    (Blackjack, WagerId::BonusSpin, "B", "13.Q(6)(b)"),
    (Blackjack, WagerId::BonusSpin, "C", "13.Q(7)(a)"),
    (Blackjack, WagerId::BonusSpin, "D", "13.Q(8)"),
    (Pontoon21, WagerId::BonusSpin, "A", "12.D(9)(a)"),
    (Pontoon21, WagerId::BonusSpin, "B", "12.D(9)(b)"),
    (Pontoon21, WagerId::BonusSpin, "C", "12.D(10)(a)"),
    (Pontoon21, WagerId::BonusSpin, "D", "12.D(10)(b)"),
    (Pontoon21, WagerId::BonusSpinXtreme, "A", "12.F(1)"),
];

/// Everything in which the data of one wager differs from the clauses.
pub(super) fn differences(data: &WagerTables, figures: &Figures) -> Vec<String> {
    let mut found = Vec::new();
    let games: Vec<Game> = data.games.iter().map(|tables| tables.game).collect();
    for (game, _, clause) in AUTHORISED.iter().filter(|(_, wager, _)| *wager == data.wager) {
        match data.in_game(*game) {
            None => found.push(format!("{game} authorises {} by {clause}, the data does not", data.wager)),
            Some(tables) if tables.clause != *clause => {
                found.push(format!("{game} {}: {} instead of {clause}", data.wager, tables.clause));
            }
            Some(tables) => Check { game: *game, figures, found: &mut found }.tables(data.wager, tables),
        }
    }
    for game in games {
        if !AUTHORISED.iter().any(|(of, wager, _)| (*of, *wager) == (game, data.wager)) {
            found.push(format!("{game} does not authorise {}", data.wager));
        }
    }
    found
}

struct Check<'a> {
    game: Game,
    figures: &'a Figures,
    found: &'a mut Vec<String>,
}

impl Check<'_> {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, data: T, printed: T) {
        if data != printed {
            self.found.push(format!("{} {what}: the data has {data:?}, the clause {printed:?}", self.game));
        }
    }

    fn figure(&mut self, clause: &str) -> Option<Figure> {
        let figure = self.figures.get(&(self.game.id().to_owned(), clause.to_owned())).map(|row| row.figure.clone());
        if figure.is_none() {
            self.found.push(format!("{} {clause} prints no figure", self.game));
        }
        figure
    }

    fn tables(&mut self, wager: WagerId, data: &GameTables) {
        let cards = CARD_WAGERS.iter().map(|(game, wager, ids, _)| (game, wager, ids));
        let others = OTHER_TABLES.iter().map(|(game, wager, ids)| (game, wager, ids));
        let printed = cards.chain(others).find(|(game, of, _)| (**game, **of) == (self.game, wager));
        let ids: Vec<&str> = data.tables.iter().map(|table| table.id).collect();
        self.same(&format!("{wager} paytables"), ids, printed.map(|(_, _, ids)| ids.to_vec()).unwrap_or_default());
        for table in &data.tables {
            self.table(table);
        }
        let communities: Vec<(&str, &str)> = data.communities.iter().map(|each| (each.id, each.clause)).collect();
        let printed = COMMUNITIES.iter().filter(|(game, of, ..)| (*game, *of) == (self.game, wager));
        self.same(&format!("{wager} community tables"), communities, printed.map(|each| (each.2, each.3)).collect());
        for community in &data.communities {
            self.community(community);
        }
    }

    fn table(&mut self, table: &Paytable) {
        let (game, clause) = (self.game, table.clause);
        let name = format!("{} {}", table.wager, table.id);
        let here = |of: Game, at: &str| of == game && at == clause;
        let decks = DECKS.iter().find(|(of, at, _)| here(*of, at));
        self.same(&name, table.decks.to_string().as_str(), decks.map_or("any number of decks", |each| each.2));
        self.same(&name, table.decks_clause, decks.map(|each| each.1));
        let stakes = STAKES.iter().find(|(of, at, ..)| here(*of, at));
        let staked = table.stakes.as_ref().map(|(stakes, by)| (stakes.iter().map(|stake| stake.0).collect(), *by));
        self.same(&name, staked, stakes.map(|each| (each.2.to_vec(), each.3)));
        let prize = PRIZES.iter().find(|(of, at, _)| here(*of, at));
        self.same(&name, table.prize.map(|(_, by)| by), prize.map(|each| each.2));
        if let Some((least, by)) = table.prize {
            let figure = self.figure(by);
            self.same(by, at_least(least), figure);
        }
        self.meters(table);
        self.complete(&name, clause, table.rows.iter().map(|row| row.clause));
        for row in &table.rows {
            let Some(figure) = self.figure(row.clause) else { continue };
            self.same(row.clause, printed_figure(row.pays), Some(figure.clone()));
            self.symbol(row.key, row.clause, &figure);
        }
    }

    fn meters(&mut self, table: &Paytable) {
        let expected: Vec<_> =
            METERS.iter().filter(|(of, at, ..)| (*of, *at) == (self.game, table.clause)).map(|each| each.2).collect();
        let names: Vec<&str> = table.meters.iter().map(|rule| rule.name.name()).collect();
        self.same(&format!("{} {} meters", table.wager, table.id), names, expected);
        for rule in &table.meters {
            let name = rule.name.name();
            let Some((.., clauses, rate)) =
                METERS.iter().find(|(of, at, meter, ..)| (*of, *at, *meter) == (self.game, table.clause, name))
            else {
                continue;
            };
            self.same(&format!("rate of the {name} meter"), rule.rate_clause, rate);
            match rule.start {
                MeterStart::Seed { least, clause, unseeded, beside_unseeded } => {
                    let by: Vec<&str> = std::iter::once(clause).chain(unseeded).chain(beside_unseeded).collect();
                    self.same(&format!("seed of the {name} meter"), by, clauses.to_vec());
                    let figure = self.figure(clause).map(|figure| least_of(figure, name));
                    self.same(clause, at_least(least), figure);
                    if let Some(beside) = beside_unseeded {
                        let figure = self.figure(beside).map(|figure| least_of(figure, name));
                        self.same(beside, at_least(least), figure);
                    }
                    if let Some(unseeded) = unseeded {
                        let figure = self.figure(unseeded);
                        self.same(unseeded, Some(Figure::AtLeast(0)), figure);
                    }
                }
                MeterStart::ResetAndCeiling(pairs) => {
                    let by: Vec<&str> = pairs.iter().map(|pair| pair.clause).collect();
                    self.same(&format!("amounts of the {name} meter"), by, clauses.to_vec());
                    for pair in pairs {
                        let data = cents(pair.reset).zip(cents(pair.ceiling));
                        let figure = self.figure(pair.clause);
                        self.same(pair.clause, data.map(|(reset, top)| Figure::AtLeastBoth(reset, top)), figure);
                    }
                }
            }
        }
    }

    fn community(&mut self, community: &CommunityTable) {
        self.complete("community pay", community.clause, community.rows.iter().map(|row| row.clause));
        for row in &community.rows {
            let Some(figure) = self.figure(row.clause) else { continue };
            let (spinner, others) = (cents(row.spinner), cents(row.others));
            let data = if community.two_amounts {
                spinner.zip(others).map(|(spinner, others)| Figure::Community(spinner, others))
            } else {
                self.same(row.clause, spinner, others);
                spinner.map(Figure::Amount)
            };
            self.same(row.clause, data, Some(figure.clone()));
            self.symbol(row.key, row.clause, &figure);
        }
    }

    /// The table has each row that is printed below its clause, once, and no other.
    fn complete<'d>(&mut self, name: &str, clause: &str, rows: impl Iterator<Item = &'d str>) {
        let mut data: Vec<&str> = rows.collect();
        data.sort_unstable();
        let below = |at: &str| at == clause || at.strip_prefix(clause).is_some_and(|rest| rest.starts_with('('));
        let figures = self.figures;
        let printed: BTreeSet<&str> =
            figures.keys().filter(|(of, at)| of == self.game.id() && below(at)).map(|(_, at)| at.as_str()).collect();
        self.same(&format!("{name}, rows of {clause}"), data, printed.into_iter().collect());
    }

    /// A symbol of the wheel that is a number pays that number.
    fn symbol(&mut self, key: &str, clause: &str, figure: &Figure) {
        let dollars = |text: &str| text.parse::<u32>().ok().map(|dollars| dollars * 100);
        let reads = match key.split_once('+') {
            Some((spinner, others)) => {
                dollars(spinner).zip(dollars(others)).map(|(spinner, others)| Figure::Community(spinner, others))
            }
            None => dollars(key).map(Figure::Amount),
        };
        if let Some(reads) = reads {
            self.same(&format!("{clause} symbol"), &reads, figure);
        }
    }
}

fn cents(amount: Cents) -> Option<u32> {
    u32::try_from(amount.0).ok()
}

fn at_least(amount: Cents) -> Option<Figure> {
    cents(amount).map(Figure::AtLeast)
}

/// 12.E(3) prints the minimums of both meters in one clause, the primary's first.
fn least_of(figure: Figure, meter: &str) -> Figure {
    match (figure, meter) {
        (Figure::AtLeastBoth(first, _), "primary") => Figure::AtLeast(first),
        (Figure::AtLeastBoth(_, second), "secondary") => Figure::AtLeast(second),
        (figure, _) => figure,
    }
}

fn printed_figure(pays: Printed) -> Option<Figure> {
    match pays {
        Printed::Prize => Some(Figure::Prize),
        Printed::Pay(Pay::To(ratio)) => Some(Figure::To(ratio.pays, ratio.stakes)),
        Printed::Pay(Pay::For(ratio)) => Some(Figure::For(ratio.pays, ratio.stakes)),
        Printed::Pay(Pay::Amount(amount)) => cents(amount).map(Figure::Amount),
        Printed::Pay(Pay::Meter { percent, meter }) => Some(Figure::Meter(u32::from(percent), meter.name().to_owned())),
    }
}

#[test]
fn the_paytables_say_what_the_clauses_say() {
    let figures = figures();
    let found: Vec<String> = side::all_tables().iter().flat_map(|data| differences(data, &figures)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let wagers: BTreeSet<&str> = AUTHORISED.iter().map(|(_, wager, _)| wager.id()).collect();
    assert_eq!(wagers.len(), side::all_tables().len(), "every wager that a game authorises has data");
}
