//! `holecard clause`: what a clause or reading says in our words, and where it shows.

use std::io::Write;

use serde::Serialize;
use table_rules::clauses::{self, Clause as RuleClause};
use table_rules::game::Game;
use table_rules::side::all_tables;
use table_rules::source::Point;

use crate::cli::Clause;
use crate::output::{self, Failure, ORDER, Outcome, QUIET, Stdout, Styled, json_line};

/// What was found, in the fields of the JSON.
#[derive(Debug, Serialize)]
struct Found {
    game: &'static str,
    id: &'static str,
    kind: &'static str,
    title: Option<&'static str>,
    text: &'static str,
    status: Option<&'static str>,
    /// The file that does it, and the scenario or test data that shows it.
    done_in: Option<&'static str>,
    shown_by: Option<&'static str>,
    /// The points of procedure and the paytable lines that cite it.
    cited_by: Vec<String>,
    parts: Vec<&'static str>,
}

pub(crate) fn run(args: &Clause) -> Result<Outcome, Failure> {
    let Some(found) = find(args.game, &args.id) else {
        return Err(Failure::Refused(unknown(args.game, &args.id)));
    };
    let mut out = output::stdout();
    if args.json {
        json_line(&mut out, &found)?;
    } else {
        print(&mut out, &found)?;
    }
    Ok(Outcome::Success)
}

fn find(game: Game, id: &str) -> Option<Found> {
    let empty = Found {
        game: game.id(),
        id: "",
        kind: "clause",
        title: None,
        text: "",
        status: None,
        done_in: None,
        shown_by: None,
        cited_by: cited_by(game, id),
        parts: Vec::new(),
    };
    if let Some(clause) = clauses::clauses(game).find(|clause| clause.id == id) {
        let RuleClause { id, status, paraphrase, done_in, shown_by, .. } = clause;
        let (status, parts) = (Some(status.word()), parts(game, id));
        return Some(Found { id, text: paraphrase, status, done_in, shown_by, parts, ..empty });
    }
    let reading = clauses::readings().find(|reading| reading.id == id)?;
    Some(Found { id: reading.id, kind: "reading", title: Some(reading.title), text: reading.text, ..empty })
}

/// The clauses directly under this one: 7.E(1) under 7.E.
fn parts(game: Game, id: &str) -> Vec<&'static str> {
    let below = |clause: &RuleClause<'_>| {
        clause.id.strip_prefix(id).is_some_and(|rest| rest.starts_with('(') && rest.find(')') == Some(rest.len() - 1))
    };
    clauses::clauses(game).filter(below).map(|clause| clause.id).collect()
}

fn cited_by(game: Game, id: &str) -> Vec<String> {
    let points = Point::ALL.iter().filter(|point| point.id(game) == id && point.is_of(game));
    let points = points.map(|point| in_words(&format!("{point:?}")));
    let tables = all_tables().iter().filter_map(|wager| wager.in_game(game)).flat_map(|found| &found.tables);
    let lines = tables.flat_map(|table| {
        let name = format!("{} {}", table.wager, table.id);
        let whole = (table.clause == id).then(|| format!("paytable {name}"));
        let rows = table.rows.iter().filter(|row| row.clause == id);
        let rows: Vec<String> = rows.map(|row| format!("paytable {name}, line {}", row.key)).collect();
        whole.into_iter().chain(rows)
    });
    points.chain(lines).collect()
}

/// `DealFirstCards` as `deal first cards`.
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut after_digit = false;
    for letter in name.chars() {
        let is_digit = letter.is_ascii_digit();
        if (letter.is_ascii_uppercase() || is_digit && !after_digit) && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
        after_digit = is_digit;
    }
    words
}

fn print(out: &mut Stdout, found: &Found) -> Result<(), Failure> {
    let Found { game, id, text, .. } = found;
    let title = found.title.map_or_else(String::new, |title| format!(": {title}"));
    writeln!(out, "{}", Styled(ORDER, format_args!("{game} {id}{title}")))?;
    for line in text.lines().filter(|line| !line.is_empty()) {
        writeln!(out, "  {line}")?;
    }
    let status = clauses::Status::ALL.into_iter().find(|status| Some(status.word()) == found.status);
    if let Some(status) = status {
        writeln!(out, "  {} {}: {}", Styled(QUIET, "status"), status.word(), status.meaning())?;
    }
    for (name, file) in [("done in", found.done_in), ("shown by", found.shown_by)] {
        if let Some(file) = file {
            writeln!(out, "  {} {file}", Styled(QUIET, name))?;
        }
    }
    for cited in &found.cited_by {
        writeln!(out, "  {} {cited}", Styled(QUIET, "cited by"))?;
    }
    if !found.parts.is_empty() {
        writeln!(out, "  {} {}", Styled(QUIET, "parts"), found.parts.join(" "))?;
    }
    Ok(())
}

/// Names what comes closest: other spellings of the letters, or the longest known beginning.
fn unknown(game: Game, id: &str) -> String {
    let ids = || clauses::clauses(game).map(|clause| clause.id).chain(clauses::readings().map(|reading| reading.id));
    let shown: String = id.chars().take(30).flat_map(char::escape_debug).collect();
    let same = ids().find(|known| known.eq_ignore_ascii_case(id));
    let begins = ids().filter(|known| id.starts_with(known)).max_by_key(|known| known.len());
    let remedy = match (same, begins) {
        (Some(known), _) => format!("did you mean {known}?"),
        (None, Some(known)) => format!("the nearest is {known}: holecard clause {game} {known}"),
        (None, None) => "ids look like 7.M, 12.B(9) or, for readings, S5".to_owned(),
    };
    format!("{} has no clause or reading {shown}\n    {remedy}", game.title())
}
