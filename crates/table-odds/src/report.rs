//! Odds as others read them: one JSON object a table, and a readable page. The PAR sheet is in [`crate::par`].
//!
//! Exact figures travel as decimal strings of numerator and denominator; the plain numbers beside them are for charts.

use std::fmt::Write as _;

use serde::Serialize;
use table_rules::table::Soft17;

use crate::fraction::Fraction;
use crate::table::{Identity, MeterShare, OddsLine, OddsTable};

/// One table in the form that `--json` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub game: &'static str,
    pub wager: &'static str,
    pub paytable: String,
    pub decks: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft17: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub options: Vec<(&'static str, String)>,
    pub hit_frequency: f64,
    /// Expected loss for one unit staked; null where a meter or a wheel has a say.
    pub edge: Option<f64>,
    pub edge_exact: Option<Exact>,
    /// The same with meters paying nothing; null where a wheel decides.
    pub edge_fixed: Option<f64>,
    pub edge_fixed_exact: Option<Exact>,
    pub meter_lines: Vec<MeterLine>,
    pub lines: Vec<ReportLine>,
}

/// A fraction as two decimal strings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exact {
    pub numerator: String,
    pub denominator: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeterLine {
    pub line: String,
    pub meter: &'static str,
    pub percent: u8,
    pub probability: f64,
    pub numerator: String,
    pub denominator: String,
}

/// One line. The denominators of a table's lines are all the same, and the numerators add up to it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReportLine {
    pub line: String,
    pub probability: f64,
    pub numerator: String,
    pub denominator: String,
    pub pays: String,
    pub basis: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub clause: String,
}

impl From<&Fraction> for Exact {
    fn from(fraction: &Fraction) -> Self {
        Self { numerator: fraction.numerator().to_string(), denominator: fraction.denominator().to_string() }
    }
}

impl Report {
    pub fn of(table: &OddsTable) -> Self {
        let identity = &table.identity;
        let all = table.all_ways();
        let line = |line: &OddsLine| ReportLine {
            line: line.name.clone(),
            probability: table.probability(line).to_float(),
            numerator: line.ways.to_string(),
            denominator: all.to_string(),
            pays: line.pays.clone(),
            basis: line.basis,
            clause: line.clause.clone(),
        };
        let edge = table.edge();
        let edge_fixed = table.edge_fixed();
        Self {
            game: identity.game.id(),
            wager: identity.wager.id(),
            paytable: identity.paytable.clone(),
            decks: identity.decks,
            soft17: identity.soft17.map(soft17_id),
            options: identity.options.clone(),
            hit_frequency: table.hit_frequency().to_float(),
            edge: edge.as_ref().map(Fraction::to_float),
            edge_exact: edge.as_ref().map(Exact::from),
            edge_fixed: edge_fixed.as_ref().map(Fraction::to_float),
            edge_fixed_exact: edge_fixed.as_ref().map(Exact::from),
            meter_lines: table.meter_lines().map(|found| meter_line(table, found)).collect(),
            lines: table.lines.iter().map(line).collect(),
        }
    }
}

fn meter_line(table: &OddsTable, found: MeterShare<'_>) -> MeterLine {
    MeterLine {
        line: found.line.name.clone(),
        meter: found.meter.name(),
        percent: found.percent,
        probability: found.probability.to_float(),
        numerator: found.line.ways.to_string(),
        denominator: table.all_ways().to_string(),
    }
}

/// As submissions spell it.
fn soft17_id(soft17: Soft17) -> &'static str {
    match soft17 {
        Soft17::Stands => "stands",
        Soft17::Hits => "hits",
    }
}

fn as_map<S: serde::Serializer>(options: &[(&'static str, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(options.iter().map(|(name, value)| (*name, value)))
}

/// `lucky-ladies B, blackjack, 6 decks`, with whatever else the figures depend on.
pub fn heading(identity: &Identity) -> String {
    let mut heading = identity.wager.id().to_owned();
    if identity.paytable != "-" {
        heading.push(' ');
        heading.push_str(&identity.paytable);
    }
    let plural = if identity.decks == 1 { "deck" } else { "decks" };
    let _ = write!(heading, ", {}, {} {plural}", identity.game, identity.decks);
    if let Some(soft17) = identity.soft17 {
        let does = match soft17 {
            Soft17::Stands => "stands on",
            Soft17::Hits => "hits",
        };
        let _ = write!(heading, ", dealer {does} soft 17");
    }
    for (name, value) in &identity.options {
        let _ = write!(heading, ", {name} = {value}");
    }
    heading
}

/// The readable table.
pub fn page(table: &OddsTable) -> String {
    let mut page = heading(&table.identity);
    page.push('\n');
    let name_width = table.lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    let pays_width = table.lines.iter().map(|line| line.pays.len()).max().unwrap_or(0);
    for line in &table.lines {
        let percent = table.probability(line).percent(6);
        let (name, pays) = (&line.name, &line.pays);
        let _ = writeln!(page, "  {name:name_width$}  {pays:pays_width$}  {percent:>10} %  {}", line.clause);
    }
    let _ = writeln!(page, "  hit frequency {} %", table.hit_frequency().percent(4));
    let _ = match (table.edge(), table.edge_fixed()) {
        (Some(edge), _) => writeln!(page, "  house edge {} %", edge.percent(4)),
        (None, Some(fixed)) => writeln!(page, "  house edge without the meters {} %", fixed.percent(4)),
        (None, None) => writeln!(page, "  house edge: the wheel decides"),
    };
    for share in table.meter_lines() {
        let chance = if share.probability.is_zero() {
            "never with these decks".to_owned()
        } else {
            format!("1 in {}", Fraction::new(table.all_ways().clone(), share.line.ways.clone()).decimal(0))
        };
        let _ = writeln!(page, "  {} % of the {} meter: {chance}", share.percent, share.meter.name());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insurance::insurance;
    use crate::shoe::Shoe;
    use table_rules::game::Game;

    fn six_decks() -> OddsTable {
        insurance(Shoe::new(Game::Blackjack, 6).unwrap())
    }

    #[test]
    fn json_carries_exact_figures_as_strings_and_plain_numbers_beside() {
        let json = serde_json::to_value(Report::of(&six_decks())).unwrap();
        assert_eq!(json["game"], "blackjack");
        assert_eq!(json["wager"], "insurance");
        assert_eq!(json["edge_exact"], serde_json::json!({ "numerator": "23", "denominator": "311" }));
        assert_eq!(json["lines"][0]["pays"], "2 to 1");
        assert_eq!(json["lines"][0]["basis"], "to");
        assert_eq!(json["lines"][0]["clause"], "13.A(3)");
        assert!(json["lines"][0]["numerator"].is_string());
        assert!(json.get("soft17").is_none());
        assert_eq!(json["edge"].as_f64().map(|edge| format!("{edge:.10}")), Some("0.0739549839".to_owned()));
    }
}
