//! PAR sheets: what a laboratory wants beside the odds. Volatility, the symbols of a wheel, and a hash that ties the sheet to
//! paytable and evaluator.
//!
//! A figure that leaves something out says so on its own line: nothing here may look like the whole where it is a part.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::played::{self, PlayedOdds, PlayedTally};
use crate::report::{Report, heading, page};
use crate::table::{LeftOut, OddsLine, OddsTable};
use crate::wager::Unreckoned;

/// What a sheet adds to the odds, in the form that `--par --json` prints beside them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Par {
    /// The standard deviation for one unit staked; null where it is not known.
    pub volatility: Option<f64>,
    /// `meters` where the volatility leaves out what they pay; null where it leaves out nothing or is not known.
    pub volatility_without: Option<&'static str>,
    /// The symbols of a wheel. How often it stops where is the wheel maker's to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wheel: Vec<ParLine>,
    /// Of paytable and evaluator.
    pub sha256: String,
}

/// A line whose probability is not known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ParLine {
    pub line: String,
    pub pays: String,
    pub basis: &'static str,
    pub clause: String,
}

impl From<&OddsLine> for ParLine {
    fn from(line: &OddsLine) -> Self {
        Self { line: line.name.clone(), pays: line.pays.clone(), basis: line.basis, clause: line.clause.clone() }
    }
}

/// Odds with what a sheet adds to them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WithPar<T> {
    #[serde(flatten)]
    pub odds: T,
    #[serde(flatten)]
    pub par: Par,
}

// ---- exact odds ----

pub fn with_par(table: &OddsTable) -> WithPar<Report> {
    let (volatility, volatility_without) = match table.left_out() {
        None => (table.standard_deviation(12).parse().ok(), None),
        Some(LeftOut::Meters) => (table.standard_deviation(12).parse().ok(), Some("meters")),
        Some(LeftOut::Wheel) => (None, None),
    };
    let wheel = table.wheel.iter().map(ParLine::from).collect();
    let par = Par { volatility, volatility_without, wheel, sha256: fingerprint(table) };
    WithPar { odds: Report::of(table), par }
}

/// The page, the wheel, the volatility and the hash.
pub fn par_sheet(table: &OddsTable) -> String {
    let mut sheet = page(table);
    if !table.wheel.is_empty() {
        let _ =
            writeln!(sheet, "  the wheel decides what a spin pays; how often it stops where is its maker's to say:");
        write_lines(&mut sheet, "    ", &table.wheel);
    }
    let deviation = || table.standard_deviation(4);
    let _ = match table.left_out() {
        None => writeln!(sheet, "  volatility (standard deviation per unit) {}", deviation()),
        Some(LeftOut::Meters) => {
            writeln!(sheet, "  volatility (standard deviation per unit), what the meters pay left out {}", deviation())
        }
        Some(LeftOut::Wheel) => writeln!(sheet, "  volatility: the wheel decides"),
    };
    let _ = writeln!(sheet, "  sha-256 {}", fingerprint(table));
    sheet
}

/// SHA-256 over what the table is, what every line pays and by which clause, and what share of the deals the evaluator
/// gives it: a change of a paytable's figures changes the hash, and so does an evaluator that moves deals to other lines.
pub fn fingerprint(table: &OddsTable) -> String {
    let mut hash = Sha256::new();
    hash.update(heading(&table.identity));
    for line in &table.lines {
        hash_line(&mut hash, line);
        hash.update(format!("\t{}", line.ways));
    }
    for line in &table.wheel {
        hash_line(&mut hash, line);
    }
    hex(hash)
}

// ---- odds that were played, or not reckoned at all ----

pub fn played_with_par(odds: PlayedOdds) -> WithPar<PlayedOdds> {
    let without = (!odds.meter_lines.is_empty()).then_some("meters");
    let par = Par {
        volatility: Some(odds.volatility),
        volatility_without: without,
        wheel: Vec::new(),
        sha256: played_fingerprint(&odds),
    };
    WithPar { odds, par }
}

pub fn played_sheet(odds: &PlayedOdds) -> String {
    let mut sheet = played::page(odds);
    let without = if odds.meter_lines.is_empty() { "" } else { ", what the meters pay left out" };
    let _ = writeln!(sheet, "  volatility (standard deviation per unit, simulated){without} {:.4}", odds.volatility);
    let _ = writeln!(sheet, "  sha-256 {} (with these rounds and this seed)", played_fingerprint(odds));
    sheet
}

/// The same seed brings the same counts, so they stand for the evaluator.
fn played_fingerprint(odds: &PlayedOdds) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{} {} {} {} {}", odds.wager, odds.paytable, odds.game, odds.decks, odds.soft17));
    hash.update(format!(" {} {}", odds.simulated.rounds, odds.simulated.seed));
    for line in &odds.lines {
        hash.update(format!("\n{}\t{}\t{}\t{}\t{}", line.line, line.clause, line.basis, line.pays, line.count));
    }
    hex(hash)
}

/// The lines of a wager without odds, and why it has none. `sample` are rounds that stand for the evaluator.
pub fn unreckoned_sheet(wager: &Unreckoned, why: &str, sample: Option<&PlayedTally>) -> String {
    let mut sheet = heading(&wager.identity);
    sheet.push('\n');
    write_lines(&mut sheet, "  ", &wager.lines);
    let _ = writeln!(sheet, "  {why}");
    let _ = writeln!(sheet, "  sha-256 {}", unreckoned_fingerprint(wager, sample));
    sheet
}

pub fn unreckoned_par(wager: &Unreckoned, sample: Option<&PlayedTally>) -> (Par, Vec<ParLine>) {
    let sha256 = unreckoned_fingerprint(wager, sample);
    let par = Par { volatility: None, volatility_without: None, wheel: Vec::new(), sha256 };
    (par, wager.lines.iter().map(ParLine::from).collect())
}

fn unreckoned_fingerprint(wager: &Unreckoned, sample: Option<&PlayedTally>) -> String {
    let mut hash = Sha256::new();
    hash.update(heading(&wager.identity));
    for line in &wager.lines {
        hash_line(&mut hash, line);
        if let Some(sample) = sample {
            hash.update(format!("\t{}", sample.count_of(&line.name)));
        }
    }
    hex(hash)
}

// ---- in common ----

fn write_lines(sheet: &mut String, indent: &str, lines: &[OddsLine]) {
    let name_width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    let pays_width = lines.iter().map(|line| line.pays.len()).max().unwrap_or(0);
    for line in lines {
        let (name, pays, clause) = (&line.name, &line.pays, &line.clause);
        let _ = writeln!(sheet, "{indent}{name:name_width$}  {pays:pays_width$}  {clause}");
    }
}

fn hash_line(hash: &mut Sha256, line: &OddsLine) {
    hash.update(format!("\n{}\t{}\t{}\t{}", line.name, line.clause, line.basis, line.pays));
}

fn hex(hash: Sha256) -> String {
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text
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
    fn the_par_sheet_shows_edge_volatility_and_hash() {
        let sheet = par_sheet(&six_decks());
        assert!(sheet.starts_with("insurance, blackjack, 6 decks\n"), "{sheet}");
        assert!(sheet.contains("house edge 7.3955 %"), "{sheet}");
        // Wins 2 with chance 96/311, else loses 1: deviation is 3 * sqrt(96 * 215) / 311.
        assert!(sheet.contains("per unit) 1.3858"), "{sheet}");
    }

    #[test]
    fn the_hash_moves_with_any_pay_and_any_deal() {
        let table = six_decks();
        let mut other_pay = table.clone();
        other_pay.lines[0].pays = "3 to 1".to_owned();
        let mut other_deal = table.clone();
        other_deal.lines[0].ways -= 1_u8;
        other_deal.lines[1].ways += 1_u8;
        let hashes = [fingerprint(&table), fingerprint(&other_pay), fingerprint(&other_deal)];
        assert_eq!(fingerprint(&table), hashes[0]);
        assert_ne!(hashes[0], hashes[1]);
        assert_ne!(hashes[0], hashes[2]);
    }
}
