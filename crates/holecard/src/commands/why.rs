//! `holecard why`: what a fault code means, why it usually comes, what the table does and what to do.

use std::io::Write;

use clap::Args;
use operator_api::FaultCode;
use operator_api::fault_book::{codes, explain, page};

use crate::output::{self, Failure, ORDER, Outcome, Styled, json_line};

/// Explain a fault code: its meaning, likely cause, what the table does and what to do.
///
/// The words are those of alerts, screens, the technician's console and the manual. The commands that they name are the
/// console's.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard why RD-010\n  holecard why ex-001 --json\n  holecard why --all")]
pub(crate) struct Why {
    /// The code, as an alert shows it.
    #[arg(value_name = "CODE", required_unless_present = "all")]
    code: Option<String>,
    /// Every code with its name.
    #[arg(long, conflicts_with = "code")]
    all: bool,
    /// One JSON object a code.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Why) -> Result<Outcome, Failure> {
    let asked = match &args.code {
        Some(code) => vec![known(code)?],
        None => codes().collect(),
    };
    let mut out = output::stdout();
    for fault in asked.into_iter().filter_map(explain) {
        if args.json {
            json_line(&mut out, &fault)?;
        } else if args.all {
            writeln!(out, "{} {}: {}", Styled(ORDER, fault.code), fault.part.word(), fault.name)?;
        } else {
            write!(out, "{}", page(&fault, None))?;
        }
    }
    Ok(Outcome::Success)
}

/// Names what comes closest to what is in no book.
fn known(written: &str) -> Result<FaultCode, Failure> {
    let shown: String = written.chars().take(30).flat_map(char::escape_debug).collect();
    let code: FaultCode = written
        .parse()
        .map_err(|error| Failure::Refused(format!("{shown} is {error}\n    all: holecard why --all")))?;
    if explain(code).is_some() {
        return Ok(code);
    }
    let nearest = codes().filter(|known| known.part == code.part).min_by_key(|near| near.number.abs_diff(code.number));
    let nearest = nearest.map_or_else(String::new, |near| format!("\n    the nearest is {near}: holecard why {near}"));
    Err(Failure::Refused(format!("there is no fault {code}{nearest}")))
}
