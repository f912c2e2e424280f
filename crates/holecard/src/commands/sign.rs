//! `holecard sign`: the payout posting of a table, as a page or a PDF to print, or as data.

mod html;
mod json;
pub(super) mod pdf;

use std::fs;
use std::io::{self, Write};

use table_rules::posting::Posting;

use crate::cli::Sign;
use crate::files::{self, FileError};
use crate::output::{self, Failure, Outcome, Styled, WARNING};

pub(crate) fn run(args: &Sign) -> Result<Outcome, Failure> {
    // A file that is refused leaves an earlier page as it was.
    let table = files::load_table(&args.file)?;
    let posting = Posting::of(&table);
    let text = if args.json {
        let mut text = serde_json::to_string_pretty(&json::of(&posting)).map_err(io::Error::from)?;
        text.push('\n');
        text
    } else {
        html::page(&posting, args.paper)
    };
    if let Some(path) = args.output.as_deref().filter(|_| args.pdf) {
        pdf::print(&text, path)?;
        return note(&posting);
    }
    match &args.output {
        Some(path) => fs::write(path, text)
            .map_err(|cause| FileError::Write { file: path.display().to_string(), cause })
            .map_err(Failure::from)?,
        None => output::stdout().write_all(text.as_bytes())?,
    }
    note(&posting)
}

fn note(posting: &Posting) -> Result<Outcome, Failure> {
    for remark in &posting.remarks {
        let text = format!("{} [{}]", remark.text, remark.source);
        writeln!(anstream::stderr(), "{} {text}", Styled(WARNING, "note:"))?;
    }
    Ok(Outcome::Success)
}
