//! Reads a paytable file. Strict: an unknown word, a missing clause or a repeated line is an error with its place.
//!
//! The format is line by line, `#` opening a comment line:
//!
//! ```text
//! wager NAME
//! game GAME  CLAUSE                 the 6.G clause; tables follow
//! table ID  CLAUSE
//!     decks any | decks 6  CLAUSE | decks 2+  CLAUSE
//!     stakes $1 $1.10  CLAUSE
//!     seed METER $5,000  CLAUSE [or none  CLAUSE]
//!     reset-and-ceiling METER $100 $500  CLAUSE
//!     rate METER  CLAUSE
//!     prize $5,000  CLAUSE
//!     LINE  PAY  CLAUSE             9 to 1, 100 for 1, $200, 10% main, prize
//! community ID  CLAUSE
//!     LINE  $250 and $100  CLAUSE   or one amount for everyone
//! ```

use std::fmt;

use super::table::{
    CommunityRow, CommunityTable, Decks, GameTables, MeterRule, MeterStart, Paytable, Printed, ResetAndCeiling, Row,
    WagerTables,
};
use super::visible::PaytableLine;
use crate::game::Game;
use crate::money::{Cents, MeterName, Pay, Ratio};
use crate::source::Source;
use crate::wager::WagerId;

/// What is wrong in a paytable file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPaytable {
    pub file: String,
    pub line: usize,
    pub what: String,
}

impl fmt::Display for BadPaytable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for BadPaytable {}

/// Reads `text` as the paytable file of `wager`, just as the embedded one is read: for tools that ask what a changed file
/// would mean. The program itself pays only by the embedded files.
pub fn read(wager: WagerId, text: &'static str) -> Result<WagerTables, BadPaytable> {
    match super::side_wager(wager) {
        Some(side) => parse(wager, side.lines, text),
        None => Err(BadPaytable { file: wager.id().to_owned(), line: 0, what: "not a side wager".to_owned() }),
    }
}

/// Reads `text`. `known` are the lines that the wager's evaluator can return; where it is empty a wheel decides, and
/// every symbol that the file prints is a line.
pub(super) fn parse(
    wager: WagerId,
    known: &'static [&'static str],
    text: &'static str,
) -> Result<WagerTables, BadPaytable> {
    let mut reader = Reader { wager, wheel: known.is_empty(), named: false, lines: known.to_vec(), games: Vec::new() };
    let fail = |line: usize, what: String| BadPaytable { file: format!("paytables/{wager}.paytable"), line, what };
    let mut count = 0;
    for (index, line) in text.lines().enumerate() {
        count = index + 1;
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            reader.read(line).map_err(|what| fail(count, what))?;
        }
    }
    reader.finish_table().map_err(|what| fail(count, what))?;
    if reader.games.is_empty() {
        return Err(fail(count, "no game authorises the wager".to_owned()));
    }
    Ok(WagerTables { wager, lines: reader.lines, games: reader.games })
}

struct Reader {
    wager: WagerId,
    wheel: bool,
    named: bool,
    lines: Vec<&'static str>,
    games: Vec<GameTables>,
}

impl Reader {
    fn read(&mut self, line: &'static str) -> Result<(), String> {
        let words: Vec<&'static str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["wager", id] => {
                if *id != self.wager.id() || self.named {
                    return Err(format!("this file is for {} and says so once", self.wager));
                }
                self.named = true;
                Ok(())
            }
            _ if !self.named => Err("the first line names the wager".to_owned()),
            ["game", id, clause] => self.game(id, clause),
            ["table", id, clause] => self.table(id, clause),
            ["community", id, clause] => self.community(id, clause),
            [key, middle @ .., clause] if !middle.is_empty() || *key == "decks" => self.detail(key, middle, clause),
            _ => Err(format!("not understood: {line}")),
        }
    }

    fn game(&mut self, id: &str, clause: &'static str) -> Result<(), String> {
        self.finish_table()?;
        let game: Game = id.parse().map_err(|error| format!("{error}"))?;
        if self.games.iter().any(|tables| tables.game == game) {
            return Err(format!("{game} comes twice"));
        }
        let clause = checked_clause(clause)?;
        self.games.push(GameTables { game, clause, tables: Vec::new(), communities: Vec::new() });
        Ok(())
    }

    fn table(&mut self, id: &'static str, clause: &'static str) -> Result<(), String> {
        self.finish_table()?;
        let wager = self.wager;
        let clause = checked_clause(clause)?;
        let tables = self.games.last_mut().ok_or("a table needs a game first")?;
        if tables.table(id).is_some() || !tables.communities.is_empty() {
            return Err(format!("table {id} comes twice, or after community pay"));
        }
        tables.tables.push(Paytable {
            wager,
            game: tables.game,
            id,
            clause,
            decks: Decks::Any,
            decks_clause: None,
            stakes: None,
            meters: Vec::new(),
            prize: None,
            rows: Vec::new(),
            row_of_line: [Paytable::NO_ROW; PaytableLine::LIMIT],
        });
        Ok(())
    }

    fn community(&mut self, id: &'static str, clause: &'static str) -> Result<(), String> {
        self.finish_table()?;
        let clause = checked_clause(clause)?;
        let tables = self.games.last_mut().ok_or("community pay needs a game first")?;
        if tables.table(id).is_none() || tables.community(id).is_some() || !self.wheel {
            return Err(format!("community {id} goes with one table {id} of a wheel wager"));
        }
        tables.communities.push(CommunityTable { id, clause, rows: Vec::new(), two_amounts: false });
        Ok(())
    }

    /// A line below `table` or `community`.
    fn detail(&mut self, key: &'static str, middle: &[&'static str], clause: &'static str) -> Result<(), String> {
        if self.games.last().is_some_and(|tables| !tables.communities.is_empty()) {
            return self.community_row(key, middle, clause);
        }
        if key == "decks" {
            return self.open_table()?.read_decks(middle, clause);
        }
        let clause = checked_clause(clause)?;
        match (key, middle) {
            ("stakes", amounts) => {
                let amounts = amounts.iter().map(|text| amount(text)).collect::<Result<_, _>>()?;
                self.open_table()?.stakes = Some((amounts, clause));
                Ok(())
            }
            ("prize", [least]) => {
                self.open_table()?.prize = Some((amount(least)?, clause));
                Ok(())
            }
            ("seed", [meter, least]) => {
                let least = amount(least)?;
                let start = MeterStart::Seed { least, clause, unseeded: None, beside_unseeded: None };
                self.open_table()?.add_meter(meter_named(meter)?, start)
            }
            ("seed", [meter, least, seeded, "beside", "none"]) => {
                let (least, seeded) = (amount(least)?, checked_clause(seeded)?);
                let start = MeterStart::Seed { least, clause: seeded, unseeded: None, beside_unseeded: Some(clause) };
                self.open_table()?.add_meter(meter_named(meter)?, start)
            }
            ("seed", [meter, least, seeded, "or", "none"]) => {
                let (least, seeded) = (amount(least)?, checked_clause(seeded)?);
                let start = MeterStart::Seed { least, clause: seeded, unseeded: Some(clause), beside_unseeded: None };
                self.open_table()?.add_meter(meter_named(meter)?, start)
            }
            ("reset-and-ceiling", [meter, reset, ceiling]) => {
                let pair = ResetAndCeiling { reset: amount(reset)?, ceiling: amount(ceiling)?, clause };
                self.open_table()?.add_pair(meter_named(meter)?, pair)
            }
            ("rate", [meter]) => {
                let name = meter_named(meter)?;
                let table = self.open_table()?;
                let rule = table.meters.iter_mut().find(|rule| rule.name == name).ok_or("the seed comes first")?;
                rule.rate_clause = clause;
                Ok(())
            }
            (key, pay) => self.row(key, pay, clause),
        }
    }

    fn row(&mut self, key: &'static str, pay: &[&str], clause: &'static str) -> Result<(), String> {
        let pays = printed(pay)?;
        let line = self.line(key)?;
        let wheel = self.wheel;
        let table = self.open_table()?;
        let place = table.row_of_line[line.index()];
        // A wheel may print a symbol twice; it then pays the same.
        let repeats = table.rows.get(usize::from(place)).map(|row| row.pays);
        if repeats.is_some_and(|earlier| !wheel || earlier != pays) {
            return Err(format!("{key} comes twice in table {}", table.id));
        }
        if repeats.is_none() {
            table.row_of_line[line.index()] = u8::try_from(table.rows.len()).map_err(|_| "too many rows")?;
        }
        let source = cited(table.game, clause)?;
        table.rows.push(Row { line, key, pays, clause, source });
        Ok(())
    }

    fn community_row(&mut self, key: &'static str, middle: &[&str], clause: &'static str) -> Result<(), String> {
        let clause = checked_clause(clause)?;
        let (spinner, others, two_amounts) = match middle {
            [all] => (amount(all)?, amount(all)?, false),
            [spinner, "and", others] => (amount(spinner)?, amount(others)?, true),
            _ => return Err("community pay is one amount, or `$250 and $100`".to_owned()),
        };
        let line = self.line(key)?;
        let tables = self.games.last_mut().ok_or("a row needs a game first")?;
        let table = tables.communities.last_mut().ok_or("a row needs a table first")?;
        let fits = table.rows.is_empty() || table.two_amounts == two_amounts;
        if !fits || table.rows.iter().any(|row| row.line == line) {
            return Err(format!("{key} comes twice, or mixes one amount with two"));
        }
        table.two_amounts = two_amounts;
        let source = cited(tables.game, clause)?;
        table.rows.push(CommunityRow { line, key, spinner, others, clause, source });
        Ok(())
    }

    fn line(&mut self, key: &'static str) -> Result<PaytableLine, String> {
        let index = match self.lines.iter().position(|line| *line == key) {
            Some(index) => index,
            None if self.wheel && self.lines.len() < PaytableLine::LIMIT => {
                self.lines.push(key);
                self.lines.len() - 1
            }
            None => return Err(format!("{} has no line `{key}`; it has {}", self.wager, self.lines.join(", "))),
        };
        u8::try_from(index).map(PaytableLine).map_err(|_| "too many lines".to_owned())
    }

    fn open_table(&mut self) -> Result<&mut Paytable, String> {
        self.games.last_mut().and_then(|tables| tables.tables.last_mut()).ok_or("a table comes first".to_owned())
    }

    /// What can only be judged once a table is complete.
    fn finish_table(&mut self) -> Result<(), String> {
        let Some(tables) = self.games.last() else {
            return Ok(());
        };
        if let Some(community) = tables.communities.iter().find(|community| community.rows.is_empty()) {
            return Err(format!("community {} has no rows", community.id));
        }
        tables.tables.last().map_or(Ok(()), Paytable::check)
    }
}

impl Paytable {
    fn read_decks(&mut self, middle: &[&str], last: &'static str) -> Result<(), String> {
        match middle {
            [] if last == "any" => self.decks = Decks::Any,
            [number] => {
                let (number, more) = number.strip_suffix('+').map_or((*number, false), |number| (number, true));
                let number = number.parse().map_err(|_| format!("`{number}` is not a number of decks"))?;
                self.decks = if more { Decks::AtLeast(number) } else { Decks::Exactly(number) };
                self.decks_clause = Some(checked_clause(last)?);
            }
            _ => return Err("decks are `any`, `6 CLAUSE` or `2+ CLAUSE`".to_owned()),
        }
        Ok(())
    }

    fn add_meter(&mut self, name: MeterName, start: MeterStart) -> Result<(), String> {
        if self.meters.iter().any(|rule| rule.name == name) {
            return Err(format!("the {} meter comes twice", name.name()));
        }
        self.meters.push(MeterRule { name, rate_clause: "", start });
        Ok(())
    }

    /// The three pairs come as three lines; each line shifts the ones before it.
    fn add_pair(&mut self, name: MeterName, pair: ResetAndCeiling) -> Result<(), String> {
        match self.meters.iter_mut().find(|rule| rule.name == name) {
            None => self.add_meter(name, MeterStart::ResetAndCeiling([pair; 3])),
            Some(MeterRule { start: MeterStart::ResetAndCeiling(pairs), .. }) => {
                *pairs = [pairs[1], pairs[2], pair];
                Ok(())
            }
            Some(MeterRule { start: MeterStart::Seed { .. }, .. }) => Err("the meter has a seed already".to_owned()),
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.rows.is_empty() {
            return Err(format!("table {} has no rows", self.id));
        }
        for rule in &self.meters {
            let paid = |row: &&Row| matches!(row.pays, Printed::Pay(Pay::Meter { meter, .. }) if meter == rule.name);
            if rule.rate_clause.is_empty() || self.rows.iter().find(paid).is_none() {
                return Err(format!("the {} meter of table {} has no rate or no line", rule.name.name(), self.id));
            }
        }
        for row in &self.rows {
            let fits = match row.pays {
                Printed::Prize => self.prize.is_some(),
                Printed::Pay(Pay::Meter { meter, .. }) => self.meters.iter().any(|rule| rule.name == meter),
                Printed::Pay(Pay::To(_) | Pay::For(_) | Pay::Amount(_)) => true,
            };
            if !fits {
                return Err(format!("{} of table {} pays what the table does not have", row.key, self.id));
            }
        }
        Ok(())
    }
}

fn printed(pay: &[&str]) -> Result<Printed, String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is not a number"));
    Ok(Printed::Pay(match pay {
        ["prize"] => return Ok(Printed::Prize),
        [pays, "to", stakes] => Pay::To(ratio(number(pays)?, number(stakes)?)?),
        [pays, "for", stakes] => Pay::For(ratio(number(pays)?, number(stakes)?)?),
        [share, meter] => {
            let percent = share.strip_suffix('%').and_then(|share| share.parse().ok());
            let percent = percent.filter(|percent| (1..=100).contains(percent));
            let percent = percent.ok_or_else(|| format!("`{share}` is not a share from 1% to 100%"))?;
            Pay::Meter { percent, meter: meter_named(meter)? }
        }
        [fixed] => Pay::Amount(amount(fixed)?),
        _ => return Err(format!("`{}` is not a pay", pay.join(" "))),
    }))
}

fn ratio(pays: u32, stakes: u32) -> Result<Ratio, String> {
    if pays == 0 || stakes == 0 { Err("odds have no zero".to_owned()) } else { Ok(Ratio::new(pays, stakes)) }
}

fn amount(text: &str) -> Result<Cents, String> {
    let digits = text.strip_prefix('$').ok_or_else(|| format!("`{text}` needs a $ in front"))?;
    Cents::parse(&digits.replace(',', "")).map_err(|error| format!("`{text}`: {error}"))
}

fn meter_named(text: &str) -> Result<MeterName, String> {
    MeterName::ALL.into_iter().find(|meter| meter.name() == text).ok_or_else(|| format!("no meter is named `{text}`"))
}

/// A clause is `chapter.letter` and parenthesised parts; `#2` marks the second use of an id.
fn checked_clause(text: &'static str) -> Result<&'static str, String> {
    let looks_right = text.split_once('.').is_some_and(|(chapter, rest)| {
        chapter.parse::<u8>().is_ok() && rest.starts_with(|letter: char| letter.is_ascii_uppercase())
    });
    if looks_right { Ok(text) } else { Err(format!("`{text}` is not a clause")) }
}

fn cited(game: Game, clause: &str) -> Result<Source, String> {
    Source::find(game, clause).ok_or_else(|| format!("{game} has no clause {clause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["pair", "suited-pair"];

    fn error(text: &'static str) -> String {
        parse(WagerId::BetTheSet21, KNOWN, text).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let text = "wager bet-the-set-21\ngame blackjack 6.G(5)\n# why\ntable A 13.A(4)(a)\n decks 4+ 13.A(8)(c)\n \
                    seed main $5,000 13.C(2)\n rate main 13.C(1)\n suited-pair 10% main 13.A(4)(a)(i)\n pair 5 to 2 \
                    13.A(4)(a)(ii)";
        let tables = parse(WagerId::BetTheSet21, KNOWN, text).unwrap();
        let table = tables.in_game(Game::Blackjack).and_then(|tables| tables.table("A")).unwrap();
        assert_eq!(table.decks, Decks::AtLeast(4));
        assert_eq!(table.meters[0].rate_clause, "13.C(1)");
        assert_eq!(table.row(PaytableLine(0)).unwrap().pays, Printed::Pay(Pay::To(Ratio::new(5, 2))));
        assert_eq!(table.short_clause(&table.rows[0]), "(i)");
    }

    #[test]
    fn faults_are_named_with_their_place() {
        const HEAD: &str = "wager bet-the-set-21\ngame blackjack 6.G(5)\ntable A 13.A(8)(a)\n";
        for (rest, expected) in [
            ("triple 9 to 1 13.A(8)(a)", "4: bet-the-set-21 has no line `triple`"),
            ("pair 9 to 0 13.A(8)(a)", "4: odds have no zero"),
            ("pair 9 too 1 13.A(8)(a)", "4: `9 too 1` is not a pay"),
            ("pair 9 to 1 abc", "4: `abc` is not a clause"),
            ("pair 9 to 1 13.A(99)", "4: blackjack has no clause 13.A(99)"),
            ("pair 9 to 1 13.A(8)(a)\npair 9 to 1 13.A(8)(a)", "5: pair comes twice"),
            ("pair 100% main 13.A(8)(a)", "4: pair of table A pays what the table does not have"),
            ("pair 101% main 13.A(8)(a)", "4: `101%` is not a share"),
            ("pair 10% mane 13.A(8)(a)", "4: no meter is named `mane`"),
            ("seed main 5000 13.C(2)", "4: `5000` needs a $ in front"),
            ("seed main $5 13.C(2)\npair 9 to 1 13.A", "5: the main meter of table A has no rate or no line"),
            ("decks some 13.C(2)", "4: `some` is not a number of decks"),
            ("community A 13.C(2)", "table A has no rows"),
            ("", "3: table A has no rows"),
            ("nonsense", "4: not understood"),
        ] {
            let text: &'static str = Box::leak(format!("{HEAD}{rest}").into_boxed_str());
            let error = error(text);
            assert!(error.starts_with("paytables/bet-the-set-21.paytable:"), "{error}");
            assert!(error.contains(expected), "{rest}: {error}");
        }
        assert!(error("game blackjack 6.G(5)").contains("1: the first line names the wager"));
        assert!(error("wager top-3").contains("1: this file is for bet-the-set-21"));
        assert!(error("wager bet-the-set-21").contains("no game authorises"));
    }

    #[test]
    fn a_wheel_prints_its_own_lines_and_community_pay() {
        const HEAD: &str = "wager bonus-spin\ngame pontoon-21 6.G(2)\ntable A 12.D(1)\n50 $50 12.D(1)(e)\n";
        let read = |rest: &str| {
            let text: &'static str = Box::leak(format!("{HEAD}{rest}").into_boxed_str());
            parse(WagerId::BonusSpin, &[], text).map_err(|error| error.to_string())
        };
        let tables = read("50 $50 12.D(1)(f)\ncommunity A 12.D(9)(a)\n30+3 $30 and $3 12.D(9)(a)(iii)").unwrap();
        assert_eq!(tables.lines, ["50", "30+3"]);
        assert_eq!(tables.games[0].tables[0].rows.len(), 2, "a symbol may be printed twice");
        for (rest, expected) in [
            ("50 $60 12.D(1)(f)", "5: 50 comes twice"),
            ("community B 12.D(9)(a)", "5: community B goes with one table B"),
            ("community A 12.D(9)(a)", "5: community A has no rows"),
            ("community A 12.D(9)(a)\n30+3 $30 or $3 12.D(9)", "6: community pay is one amount"),
            ("community A 12.D(9)(a)\n3 $3 12.D(9)\n30+3 $30 and $3 12.D(9)", "7: 30+3 comes twice, or mixes"),
            ("community A 12.D(9)(a)\n3 $3 12.D(9)\ntable B 12.D(2)", "after community pay"),
        ] {
            let error = read(rest).unwrap_err();
            assert!(error.contains(expected), "{rest}: {error}");
        }
    }
}
