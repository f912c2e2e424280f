//! The posting as one page to print: no scripts, nothing fetched, everything that comes from a file escaped.
//!
//! Type is as large as the paper allows: a table with few lines gets a sign that is read from the seats' far end, one with
//! every side wager gets columns. Nothing here decides what is said.

use std::fmt::{self, Write};

use table_rules::posting::{Block, Part, Posting, Statement};
use table_rules::table::{ApprovalDate, ApprovedText};

use crate::cli::Paper;

const STYLE: &str = include_str!("sign.css");

/// More lines than this need an A3 sheet.
const LETTER_LINES_MAX: usize = 40;

/// On the paper that was asked for, or the smallest that takes it on one sheet.
pub(super) fn page(posting: &Posting, paper: Option<Paper>) -> String {
    let needed = if posting.lines().count() > LETTER_LINES_MAX { Paper::A3 } else { Paper::Letter };
    let paper = paper.unwrap_or(needed);
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut page, posting, paper);
    page
}

fn write_page(page: &mut String, posting: &Posting, paper: Paper) -> fmt::Result {
    let (title, game) = (Escaped(posting.title), posting.game.id());
    let (size, class) = match paper {
        Paper::Letter => ("letter", "letter"),
        Paper::A3 => ("A3", "a3"),
    };
    writeln!(page, "<!DOCTYPE html>\n<html lang=\"en\" class=\"{class} {}\">\n<head>", layout(posting))?;
    writeln!(page, "<meta charset=\"utf-8\">\n<title>{title}: payouts</title>")?;
    writeln!(page, "<style>\n@page {{ size: {size}; margin: 10mm; }}\n{STYLE}</style>\n</head>")?;
    writeln!(page, "<body data-game=\"{game}\">\n<header>\n<h1>{title}</h1>")?;
    for block in blocks(posting, &[Part::Inscriptions]) {
        inscriptions(page, posting, block)?;
    }
    for block in blocks(posting, &[Part::TableRules]) {
        limits(page, block)?;
    }
    writeln!(page, "</header>")?;
    for block in blocks(posting, &[Part::HowToRead]) {
        for statement in &block.statements {
            writeln!(page, "<p class=\"reading\">{}</p>", With(statement))?;
        }
    }
    writeln!(page, "<main>")?;
    for block in &posting.blocks {
        match block.part {
            Part::Inscriptions | Part::TableRules | Part::HowToRead => {}
            Part::Main | Part::Bonuses | Part::DoubledHands | Part::AdditionalPayouts | Part::Side { .. } => {
                section(page, block)?;
            }
        }
    }
    writeln!(page, "</main>\n<footer>")?;
    if let Some(approved) = &posting.approved {
        approval(page, approved)?;
    }
    writeln!(page, "</footer>\n</body>\n</html>")
}

fn blocks<'p>(posting: &'p Posting, parts: &'static [Part]) -> impl Iterator<Item = &'p Block> {
    posting.blocks.iter().filter(|block| parts.contains(&block.part))
}

/// The game's own name is the heading already.
fn inscriptions(page: &mut String, posting: &Posting, block: &Block) -> fmt::Result {
    for statement in &block.statements {
        let kind = if statement.text == posting.title { "designation" } else { "inscription" };
        writeln!(page, "<p class=\"{kind}\">{}</p>", With(statement))?;
    }
    Ok(())
}

fn limits(page: &mut String, block: &Block) -> fmt::Result {
    writeln!(page, "<ul class=\"limits\">")?;
    for statement in &block.statements {
        writeln!(page, "<li>{}</li>", With(statement))?;
    }
    writeln!(page, "</ul>")
}

fn section(page: &mut String, block: &Block) -> fmt::Result {
    let (title, clause) = (Escaped(&block.title), Escaped(block.source.id()));
    let about = match block.part {
        Part::Side { wager, paytable: "-" } => format!(" data-wager=\"{wager}\""),
        Part::Side { wager, paytable } => format!(" data-wager=\"{wager}\" data-paytable=\"{}\"", Escaped(paytable)),
        Part::Inscriptions
        | Part::TableRules
        | Part::Main
        | Part::Bonuses
        | Part::DoubledHands
        | Part::AdditionalPayouts
        | Part::HowToRead => String::new(),
    };
    writeln!(page, "<section class=\"{}\"{about}>", block.part.id())?;
    writeln!(page, "<h2>{title} <cite>{clause}</cite></h2>")?;
    if !block.lines.is_empty() {
        writeln!(page, "<table>")?;
        for line in &block.lines {
            let (words, clause) = (Escaped(&line.words), Escaped(line.source.id()));
            let (figure, basis) = (line.figure.to_string(), line.figure.basis());
            let figure = Escaped(&figure);
            writeln!(page, "<tr data-clause=\"{clause}\"><th>{words}</th><td class=\"{basis}\">{figure}</td></tr>")?;
        }
        writeln!(page, "</table>")?;
    }
    for statement in &block.statements {
        writeln!(page, "<p>{}</p>", With(statement))?;
    }
    writeln!(page, "</section>")
}

fn approval(page: &mut String, text: &ApprovedText) -> fmt::Result {
    let dated = text.date.map(|day| format!(", approved {}", date(day))).unwrap_or_default();
    let (title, hash) = (Escaped(&text.title), hex(&text.sha256));
    writeln!(page, "<p class=\"approved\">{title}{dated}. SHA-256 of the text: {hash}</p>")
}

/// How much there is to read decides how large it can be, and in how many columns.
fn layout(posting: &Posting) -> String {
    let density = match posting.lines().count() {
        0..=6 => "roomy",
        7..=32 => "usual",
        33..=45 => "dense",
        46..=80 => "crowded",
        _ => "packed",
    };
    let in_columns = |part: Part| match part {
        Part::Inscriptions | Part::TableRules | Part::HowToRead => false,
        Part::Main | Part::Bonuses | Part::DoubledHands | Part::AdditionalPayouts | Part::Side { .. } => true,
    };
    let columns = match posting.blocks.iter().filter(|block| in_columns(block.part)).count() {
        0..=1 => "one-column",
        2..=7 => "two-columns",
        8..=14 => "three-columns",
        _ => "five-columns",
    };
    format!("{density} {columns}")
}

pub(super) fn date(day: ApprovalDate) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A sentence with what it rests on, in small print.
struct With<'s>(&'s Statement);

impl fmt::Display for With<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <cite>{}</cite>", Escaped(&self.0.text), Escaped(self.0.source.id()))
    }
}

/// Text that cannot become markup, in an element or in a quoted attribute.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_file_stays_text() {
        let hostile = "<script>alert(\"x\")</script> & 'y'";
        let escaped = Escaped(hostile).to_string();
        assert_eq!(escaped, "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;");
    }
}
