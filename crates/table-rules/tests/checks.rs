//! Checks every `.check` file under `tests/scenarios`: submissions that are accepted or refused, and what they rest on.
//!
//! The sister of `scenarios.rs` for the clauses that leave a choice to the operator. A file holds cases that a person who
//! writes submissions can read:
//!
//! ```text
//! file Six decks or eight
//! cites spanish-21 3.A
//! rules spanish-21                 a shipped submission
//! with decks = 7                   a line of it replaced or added
//! without reader                   a line of it left out
//! add [wagers.match-the-dealer]    a line written behind it
//! ! six or eight decks, not 7 [3.A]      refused for this reason, with this source
//! accepted                               or: it makes a table,
//! pays match-the-dealer 6-deck [12.A(4)(a)]   which offers this wager by this paytable of that clause
//! community bonus-spin A [12.D(9)(a)]         and pays the others on a wheel by this table of that clause
//! ```
//!
//! Every reason for a refusal has to be written down; one that is not fails the case.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read should stop the test")]

mod edited;

use std::collections::BTreeSet;

use table_rules::Table;
use table_rules::submission::Problem;

use edited::{Case, Edited, read_all, rendered, with_source};

#[test]
fn every_submission_is_judged_as_written() {
    read_all::<Judged>("check");
}

/// One `file` of a `.check` file.
#[derive(Default)]
struct Judged {
    title: String,
    cites: usize,
    submission: Edited,
    /// Made at the first expectation.
    verdict: Option<Result<Table, Vec<Problem>>>,
    /// Which of the reasons were written down.
    expected: BTreeSet<usize>,
}

impl Case for Judged {
    fn title(&self) -> &str {
        &self.title
    }

    fn line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if let Some(done) = self.submission.instruction(word, rest) {
            return done;
        }
        match word {
            "" | "#" => Ok(()),
            "file" => {
                let ended = self.end();
                *self = Self { title: rest.to_owned(), ..Self::default() };
                ended
            }
            "cites" => {
                self.cites += 1;
                Ok(())
            }
            "accepted" => self.table().map(|_| ()),
            "pays" => self.pays(rest, false),
            "community" => self.pays(rest, true),
            "!" => self.refused(rest),
            other => Err(format!("unknown word {other}")),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        if self.title.is_empty() {
            return Ok(());
        }
        if self.cites == 0 {
            return Err("the case cites nothing".to_owned());
        }
        match &self.verdict {
            None => Err("the case expects nothing".to_owned()),
            Some(Ok(_)) => Ok(()),
            Some(Err(problems)) => {
                let others = problems.iter().enumerate().filter(|(at, _)| !self.expected.contains(at));
                let others: Vec<String> = others.map(|(_, problem)| problem.render("it")).collect();
                if others.is_empty() { Ok(()) } else { Err(format!("also refused: {}", others.join("\n"))) }
            }
        }
    }
}

impl Judged {
    fn verdict(&mut self) -> &Result<Table, Vec<Problem>> {
        let submission = &self.submission;
        self.verdict.get_or_insert_with(|| submission.check())
    }

    fn table(&mut self) -> Result<&Table, String> {
        self.verdict().as_ref().map_err(|problems| rendered(problems))
    }

    fn refused(&mut self, expected: &str) -> Result<(), String> {
        let (words, id) = with_source(expected)?;
        let Err(problems) = self.verdict() else { return Err(format!("expected `{expected}`, but it is accepted")) };
        let is_it = |problem: &Problem| problem.text.contains(words) && problem.source.id == id;
        match problems.iter().position(is_it) {
            Some(at) => {
                self.expected.insert(at);
                Ok(())
            }
            None => Err(format!("expected `{expected}`\n      got: {}", rendered(problems))),
        }
    }

    fn pays(&mut self, expected: &str, the_community: bool) -> Result<(), String> {
        let (words, id) = with_source(expected)?;
        let (wager, paytable) = words.split_once(' ').ok_or("write: pays WAGER PAYTABLE [id]")?;
        let table = self.table()?;
        let offer = table.wagers.iter().find(|offer| offer.id().to_string() == wager);
        let offer = offer.ok_or_else(|| format!("{wager} is not offered"))?;
        let found: Vec<(&str, &str)> = if the_community {
            offer.tables().filter_map(|each| each.community).map(|table| (table.id, table.clause)).collect()
        } else {
            offer.tables().map(|each| (each.table.id, each.table.clause)).collect()
        };
        if found.contains(&(paytable, id)) { Ok(()) } else { Err(format!("{wager} pays by {found:?}")) }
    }
}
