//! Reads `figures.tsv`, the figures taken from the printed clauses. It must never read the paytable data.

use std::collections::BTreeMap;

/// What a clause gives, in a form that can be compared without regard to how it is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Figure {
    /// `X to Y`: the stake is returned besides.
    To(u32, u32),
    /// `X for Y`: the stake is included.
    For(u32, u32),
    /// A fixed amount in cents.
    Amount(u32),
    /// A Community Pay symbol in cents: what the spinning player gets, and what every other player gets.
    Community(u32, u32),
    /// A percentage of the meter of that name; `main` where the clause names none.
    Meter(u32, String),
    /// A prize that the submission names.
    Prize,
    /// The least that the initial and reset amount may be, in cents.
    AtLeast(u32),
    /// Two minimums in one clause, in cents.
    AtLeastBoth(u32, u32),
    /// Stakes that the wager's definition asks for, in cents.
    Stakes(Vec<u32>),
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) figure: Figure,
    /// The fourth column, empty where the clause sets no condition.
    pub(crate) condition: String,
}

/// Rows by game id and clause id.
pub(crate) type Figures = BTreeMap<(String, String), Row>;

/// The whole table. Panics on a line that it does not understand: a figure that is skipped vouches for nothing.
pub(crate) fn figures() -> Figures {
    let mut table = Figures::new();
    for (number, line) in include_str!("figures.tsv").lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let (game, clause, text, condition) = match columns[..] {
            [game, clause, text] => (game, clause, text, ""),
            [game, clause, text, condition] => (game, clause, text, condition),
            _ => panic!("figures.tsv line {}: three or four columns, not {}", number + 1, columns.len()),
        };
        let figure = figure(text).unwrap_or_else(|| panic!("figures.tsv line {}: not a figure: {text}", number + 1));
        let row = Row { figure, condition: condition.to_owned() };
        let before = table.insert((game.to_owned(), clause.to_owned()), row);
        assert!(before.is_none(), "figures.tsv line {}: {game} {clause} is there twice", number + 1);
    }
    table
}

fn figure(text: &str) -> Option<Figure> {
    if text == "the prize" {
        return Some(Figure::Prize);
    }
    if let Some(amounts) = text.strip_prefix("at least ") {
        return Some(match amounts.split_once(" and ") {
            Some((first, second)) => Figure::AtLeastBoth(cents(first)?, cents(second)?),
            None => Figure::AtLeast(cents(amounts)?),
        });
    }
    if let Some(amounts) = text.strip_prefix("stake of ") {
        return Some(Figure::Stakes(amounts.split(" or ").map(cents).collect::<Option<_>>()?));
    }
    if let Some((percent, meter)) = text.split_once("% of the ") {
        let name = meter.strip_suffix("meter")?.trim_end();
        let name = if name.is_empty() { "main" } else { name };
        return Some(Figure::Meter(whole(percent)?, name.to_owned()));
    }
    if let Some((spinner, others)) = text.split_once(" and ") {
        return Some(Figure::Community(cents(spinner)?, cents(others)?));
    }
    if let Some((pays, stakes)) = text.split_once(" to ") {
        // A half is made whole by doubling both sides.
        return Some(match pays.strip_suffix(".5") {
            Some(pays) => Figure::To(2 * whole(pays)? + 1, 2 * whole(stakes)?),
            None => Figure::To(whole(pays)?, whole(stakes)?),
        });
    }
    if let Some((pays, stakes)) = text.split_once(" for ") {
        return Some(Figure::For(whole(pays)?, whole(stakes)?));
    }
    Some(Figure::Amount(cents(text)?))
}

fn whole(text: &str) -> Option<u32> {
    text.replace(',', "").parse().ok()
}

fn cents(text: &str) -> Option<u32> {
    let amount = text.strip_prefix('$')?;
    match amount.split_once('.') {
        Some((dollars, cents)) if cents.len() == 2 => Some(whole(dollars)? * 100 + whole(cents)?),
        Some(_) => None,
        None => Some(whole(amount)? * 100),
    }
}

#[test]
fn every_kind_of_figure_is_read() {
    assert_eq!(figure("1,000 to 1"), Some(Figure::To(1000, 1)));
    assert_eq!(figure("2.5 to 1"), Some(Figure::To(5, 2)));
    assert_eq!(figure("3 to 2"), Some(Figure::To(3, 2)));
    assert_eq!(figure("25 for 1"), Some(Figure::For(25, 1)));
    assert_eq!(figure("$8,000"), Some(Figure::Amount(800_000)));
    assert_eq!(figure("$250 and $100"), Some(Figure::Community(25_000, 10_000)));
    assert_eq!(figure("10% of the meter"), Some(Figure::Meter(10, "main".to_owned())));
    assert_eq!(figure("100% of the must-hit meter"), Some(Figure::Meter(100, "must-hit".to_owned())));
    assert_eq!(figure("at least $10,000 and $5,000"), Some(Figure::AtLeastBoth(1_000_000, 500_000)));
    assert_eq!(figure("stake of $1.10 or $5"), Some(Figure::Stakes(vec![110, 500])));
    for text in ["", "200", "200 to", "$", "$1.1", "half of the meter", "x% of the meter", "2.25 to 1"] {
        assert_eq!(figure(text), None, "{text}");
    }
}

#[test]
fn the_table_is_whole() {
    let table = figures();
    let count = |game: &str| table.keys().filter(|(of, _)| of == game).count();
    // A line lost in an edit must be noticed.
    assert_eq!(
        [count("blackjack"), count("spanish-21"), count("pontoon-21"), count("players-edge-21")],
        [317, 20, 95, 68]
    );
}

#[test]
fn conditions_stand_beside_their_figures() {
    let table = figures();
    let condition = |game: &str, clause: &str| table[&(game.to_owned(), clause.to_owned())].condition.clone();
    assert_eq!(condition("blackjack", "13.S(2)(a)(ii)#2"), "minor meter, with fixed seeds");
    assert_eq!(condition("blackjack", "13.I(8)(a)"), "Paytable D, heart meter");
    assert_eq!(condition("players-edge-21", "12.C(1)"), "wager from $5 to under $25");
    assert_eq!(condition("blackjack", "13.A(4)(a)(ii)"), "");
}

/// Players-edge-21 states a match both as a row for the two cards together and as what each card is worth; the two
/// statements agree (reading P2).
#[test]
fn two_matches_pay_what_each_match_pays() {
    let table = figures();
    for paytable in ["(a)", "(b)", "(c)"] {
        let pays = |line: &str| {
            let clause = format!("12.A(5){paytable}{line}");
            let Figure::To(pays, 1) = table[&("players-edge-21".to_owned(), clause.clone())].figure else {
                panic!("{clause} is not odds to 1")
            };
            pays
        };
        assert_eq!(pays("(i)"), 2 * pays("(iii)"), "{paytable}");
        assert_eq!(pays("(ii)"), pays("(iii)") + pays("(v)"), "{paytable}");
        assert_eq!(pays("(iv)"), 2 * pays("(v)"), "{paytable}");
    }
}
