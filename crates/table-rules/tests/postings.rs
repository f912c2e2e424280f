//! Reads every `.posting` file under `tests/scenarios`: what the sign of a table says, and what it leaves out.
//!
//! The sister of `scenarios.rs` and `checks.rs` for what the players are told. A file holds cases that the person who puts
//! the sign up can read:
//!
//! ```text
//! posting The sign says what insurance pays
//! cites spanish-21 2.B(3)(b)
//! rules spanish-21                 a shipped submission; with, without and add as in .check files
//! > Insurance pays 2 to 1 [2.B(3)(b)]              a sentence on the sign, with its source
//! > Bonus 21: 7-7-7 of spades: 3 to 1 [12.B(6)]    a line: block, words, figure
//! - 6 to 5                                         nothing on the sign has these words
//! ~ names no posted_payout_limit [2.B(6)(b)]       told to whoever puts it up, not on the sign
//! ```

#![expect(clippy::unwrap_used, reason = "a case that cannot be read should stop the test")]

mod edited;

use table_rules::posting::{Posting, Statement};

use edited::{Case, Edited, read_all, rendered, with_source};

#[test]
fn every_sign_says_what_is_written() {
    read_all::<Posted>("posting");
}

/// One `posting` of a file.
#[derive(Default)]
struct Posted {
    title: String,
    cites: usize,
    submission: Edited,
    /// Made at the first expectation.
    posting: Option<Posting>,
}

impl Case for Posted {
    fn title(&self) -> &str {
        &self.title
    }

    fn line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if let Some(done) = self.submission.instruction(word, rest) {
            return done;
        }
        match word {
            "" | "#" => Ok(()),
            "posting" => {
                let ended = self.end();
                *self = Self { title: rest.to_owned(), ..Self::default() };
                ended
            }
            "cites" => {
                self.cites += 1;
                Ok(())
            }
            ">" => says(&on_the_sign(self.posting()?), rest),
            "~" => says(&self.posting()?.remarks.iter().map(said).collect::<Vec<_>>(), rest),
            "-" => match on_the_sign(self.posting()?).iter().find(|(words, _)| words.contains(rest)) {
                Some((words, id)) => Err(format!("the sign says: {words} [{id}]")),
                None => Ok(()),
            },
            other => Err(format!("unknown word {other}")),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        match (self.title.is_empty(), self.cites, &self.posting) {
            (true, ..) => Ok(()),
            (false, 0, _) => Err("the case cites nothing".to_owned()),
            (false, _, None) => Err("the case expects nothing".to_owned()),
            (false, _, Some(_)) => Ok(()),
        }
    }
}

impl Posted {
    fn posting(&mut self) -> Result<&Posting, String> {
        if self.posting.is_none() {
            let table = self.submission.check().map_err(|problems| rendered(&problems))?;
            self.posting = Some(Posting::of(&table));
        }
        self.posting.as_ref().ok_or_else(|| "no sign".to_owned())
    }
}

fn said(statement: &Statement) -> (String, &'static str) {
    (statement.text.clone(), statement.source.id())
}

/// Sentences as they are, lines with their block in front.
fn on_the_sign(posting: &Posting) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for block in &posting.blocks {
        all.push((block.title.clone(), block.source.id()));
        let line = |line: &table_rules::posting::PostedLine| {
            (format!("{}: {}: {}", block.title, line.words, line.figure), line.source.id())
        };
        all.extend(block.lines.iter().map(line));
        all.extend(block.statements.iter().map(said));
    }
    all
}

fn says(all: &[(String, &'static str)], expected: &str) -> Result<(), String> {
    let (words, id) = with_source(expected)?;
    if all.iter().any(|(text, source)| text == words && *source == id) {
        return Ok(());
    }
    let near: Vec<String> = all
        .iter()
        .filter(|(text, source)| text.contains(words) || *source == id)
        .map(|(text, source)| format!("{text} [{source}]"))
        .collect();
    Err(format!("expected `{expected}`\n      near: {}", near.join("\n            ")))
}
