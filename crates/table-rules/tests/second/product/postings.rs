//! The signs of the shipped tables against the clauses: every figure on them, and everything that is offered.

#![expect(clippy::unwrap_used, reason = "a file that cannot be read should stop the test")]

use table_rules::money::{Cents, Pay};
use table_rules::posting::{self, Part, PostedLine, Posting};
use table_rules::side::Printed;
use table_rules::submission::RulesSubmission;
use table_rules::table::Table;

use crate::figures::{Figure, figures};

fn shipped() -> Vec<(String, Table)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../firmware-config/submissions");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let table = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        (path.display().to_string(), RulesSubmission::parse(&text).check().table.unwrap())
    };
    files.iter().map(table).collect()
}

fn posted(line: &PostedLine) -> Figure {
    let cents = |amount: Cents| u32::try_from(amount.0).unwrap();
    match &line.figure {
        posting::Figure::Pay(Pay::To(ratio)) => Figure::To(ratio.pays, ratio.stakes),
        posting::Figure::Pay(Pay::For(ratio)) => Figure::For(ratio.pays, ratio.stakes),
        posting::Figure::Pay(Pay::Amount(amount)) => Figure::Amount(cents(*amount)),
        posting::Figure::Pay(Pay::Meter { percent, meter }) => {
            Figure::Meter(u32::from(*percent), meter.name().to_owned())
        }
        posting::Figure::Prize(_) => Figure::Prize,
        posting::Figure::Community { spinner, others } => Figure::Community(cents(*spinner), cents(*others)),
    }
}

#[test]
fn every_figure_on_a_sign_is_the_one_of_its_clause() {
    let figures = figures();
    let mut compared = 0;
    for (file, table) in shipped() {
        for line in Posting::of(&table).lines() {
            let key = (line.source.game().id().to_owned(), line.source.id().to_owned());
            let row = figures.get(&key).unwrap_or_else(|| panic!("{file}: {} has no figure", line.source));
            assert_eq!(posted(line), row.figure, "{file}: {}", line.words);
            compared += 1;
        }
    }
    assert!(compared > 250, "only {compared} lines");
}

#[test]
fn every_line_that_is_offered_is_on_the_sign_under_its_wager() {
    let mut rows_seen = 0;
    for (file, table) in shipped() {
        let posting = Posting::of(&table);
        for offer in &table.wagers {
            for offered in offer.tables() {
                let part = Part::Side { wager: offer.id(), paytable: offered.table.id };
                let blocks: Vec<_> = posting.blocks.iter().filter(|block| block.part == part).collect();
                let [block] = blocks.as_slice() else { panic!("{file}: {} blocks of {part:?}", blocks.len()) };
                for row in offered.table.rows.iter().filter(|row| offer.can_pay(row.line)) {
                    let is_it = |line: &PostedLine| {
                        line.key == row.key
                            && match (&line.figure, row.pays) {
                                (posting::Figure::Pay(posted), Printed::Pay(printed)) => *posted == printed,
                                (posting::Figure::Prize(prize), Printed::Prize) => {
                                    Some(prize) == offered.prize.as_ref()
                                }
                                (
                                    posting::Figure::Pay(_)
                                    | posting::Figure::Prize(_)
                                    | posting::Figure::Community { .. },
                                    _,
                                ) => false,
                            }
                    };
                    assert!(block.lines.iter().any(is_it), "{file}: {} {} is missing", offer.id(), row.key);
                    rows_seen += 1;
                }
                for row in offered.community.into_iter().flat_map(|community| &community.rows) {
                    let is_there = block.lines.iter().any(|line| line.source.id() == row.clause);
                    assert!(is_there, "{file}: {} {} is missing", offer.id(), row.key);
                    rows_seen += 1;
                }
            }
        }
        let sides = posting.blocks.iter().filter(|block| matches!(block.part, Part::Side { .. })).count();
        let offered: usize = table.wagers.iter().map(|offer| offer.tables().count()).sum();
        assert_eq!(sides, offered, "{file}: something is posted that is not offered");
    }
    assert!(rows_seen > 180, "only {rows_seen} rows");
}
