//! `holecard inspection`: the signed inspections of a table, read from its journal. The table may run or be off.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use operator_api::calendar::{date, time};
use operator_api::{InspectionRecord, SheetSeal, escaped};
use serde_json::json;

use super::{journal, sign};
use crate::files::FileError;
use crate::output::{self, BAD, Failure, GOOD, Outcome, Styled, json_line};

/// The same styles as on the screen's print, shown there too.
const CSS: &str = include_str!("../../../dealer-screen/assets/sheet.css");

/// List, show and print the signed inspections of a table.
///
/// They are read from the journal's segments, beside a running table, with the table off, or on a copy.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard inspection list\n  holecard inspection show\n  \
    holecard inspection show 18011 --json\n  holecard inspection print 18011 -o inspection.html\n  \
    holecard inspection --journal copy/ print --pdf -o inspection.pdf")]
pub(crate) struct Inspection {
    /// Where the segments are.
    #[arg(long, value_name = "DIR", default_value = "/var/lib/holecard/journal", global = true)]
    journal: PathBuf,
    /// The table's public key as it was handed out at install; without it the one in the segments is believed.
    #[arg(long, value_name = "FILE", global = true)]
    public_key: Option<PathBuf>,
    /// JSON, one object a line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every signed inspection, oldest first: its record, day, result and who signed.
    #[command(after_help = "Example:\n  holecard inspection list --json")]
    List,
    /// One inspection in words: each step, what was repeated, and when nobody was at it.
    #[command(after_help = "Examples:\n  holecard inspection show\n  holecard inspection show 18011")]
    Show {
        /// The journal's record, as `list` has it; the last one if left out.
        record: Option<u64>,
    },
    /// One inspection as a page that prints on one sheet, A4 or letter.
    #[command(after_help = "Examples:\n  holecard inspection print -o inspection.html\n  \
        holecard inspection print 18011 --pdf -o inspection.pdf   # where Chromium is installed")]
    Print {
        /// The journal's record, as `list` has it; the last one if left out.
        record: Option<u64>,
        /// Where the page goes; standard output if left out.
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// A PDF instead of a page, printed by the Chromium that is installed here.
        #[arg(long, requires = "output")]
        pdf: bool,
    },
}

/// One that was signed, and the hash of its place in the journal.
struct Found {
    record: InspectionRecord,
    hash: String,
}

pub(crate) fn run(args: &Inspection) -> Result<Outcome, Failure> {
    let all = find(args)?;
    match &args.what {
        What::List => list(&all, args.json),
        What::Show { record } => show(one(&all, *record)?, args.json),
        What::Print { record, .. } if args.json => show(one(&all, *record)?, true),
        What::Print { record, output, pdf } => {
            let page = page(one(&all, *record)?);
            match output {
                Some(path) if *pdf => sign::pdf::print(&page, path)?,
                Some(path) => fs::write(path, page)
                    .map_err(|cause| FileError::Write { file: path.display().to_string(), cause })
                    .map_err(Failure::from)?,
                None => output::stdout().write_all(page.as_bytes())?,
            }
            Ok(Outcome::Success)
        }
    }
}

fn find(args: &Inspection) -> Result<Vec<Found>, Failure> {
    let reader = journal::open(&args.journal, args.public_key.as_deref().map(journal::read_key).transpose()?)?;
    let mut found = Vec::new();
    for record in journal::records(&reader, 1)? {
        let record = record?;
        for mut event in journal::record::events(&record) {
            let body = event["table"].take();
            if body["kind"] != "inspection-record" {
                continue;
            }
            let read = serde_json::from_value(body["record"].clone());
            let signed = read.map_err(|error| {
                Failure::Refused(format!("record {}: the inspection cannot be read: {error}", record.sequence.0))
            })?;
            found.push(Found { record: signed, hash: record.hash.to_string() });
        }
    }
    Ok(found)
}

fn one(all: &[Found], wanted: Option<u64>) -> Result<&Found, Failure> {
    let found = match wanted {
        Some(number) => all.iter().find(|each| each.record.sequence == number),
        None => all.last(),
    };
    found.ok_or_else(|| {
        Failure::Refused(match wanted {
            Some(number) => format!("record {number} signs no inspection: holecard inspection list has those that do"),
            None => "the journal has no signed inspection".to_owned(),
        })
    })
}

fn list(all: &[Found], json: bool) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    for Found { record, hash } in all {
        if json {
            let InspectionRecord { sequence, day, passed, by, full, work_orders, .. } = record;
            let object = json!({ "record": sequence, "day": day, "date": date(*day), "full": full, "passed": passed,
                "by": by, "work_orders": work_orders, "hash": hash });
            json_line(&mut out, &object)?;
        } else {
            let style = if record.passed { GOOD } else { BAD };
            let (number, date, signed) = (record.sequence, date(record.day), time(record.signed));
            let full = if record.full { ", all test cards" } else { "" };
            let verdict = Styled(style, record.verdict());
            writeln!(out, "{number:>8}  {date:<16} {verdict}  signed {signed} by {}{full}", record.by.0)?;
        }
    }
    Ok(Outcome::Success)
}

fn show(found: &Found, json: bool) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let Found { record, hash } = found;
    if json {
        json_line(&mut out, &json!({ "inspection": record, "date": date(record.day), "hash": hash }))?;
        return Ok(Outcome::Success);
    }
    let style = if record.passed { GOOD } else { BAD };
    let table = escaped(&record.table);
    writeln!(out, "{table}, {}: {} [{}]", date(record.day), Styled(style, record.verdict()), record.source)?;
    for (at, step) in record.steps.iter().enumerate() {
        writeln!(out, "{:>4} {:<11} {:<7} {}", at + 1, step.name, step.result, escaped(&step.note))?;
    }
    for card in record.cards.iter().filter(|card| card.read.len() != 1 || card.read.first() != Some(&card.expected)) {
        let (name, read) = (escaped(&card.name), card.read.join(", "));
        writeln!(out, "     {name} under {}: {read}; expected {}", card.under, card.expected)?;
    }
    for pause in &record.pauses {
        let what = if pause.restart { "controller restarted" } else { "paused" };
        writeln!(out, "     {what} {} to {}, then step {}", time(pause.from), time(pause.to), pause.step)?;
    }
    for order in &record.work_orders {
        writeln!(out, "     work order {order} for the technician")?;
    }
    writeln!(out, "     {} repeated; next due {}", record.repeated, record.next_due())?;
    let (by, began, signed) = (record.by.0, time(record.began), time(record.signed));
    writeln!(out, "     begun {began}, signed {signed} by {by}; record {} {hash}", record.sequence)?;
    Ok(Outcome::Success)
}

fn page(found: &Found) -> String {
    let seal = SheetSeal { sequence: found.record.sequence, hash: found.hash.clone() };
    let styles = CSS.replace("@media print", "@media all").replace(".record-sheet { display: none; }", "");
    let sheet = found.record.sheet(Some(&seal));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Inspection {}</title>\n\
         <style>{styles}</style></head>\n<body><section class=\"record-sheet\">{sheet}</section></body></html>\n",
        found.record.sequence
    )
}
