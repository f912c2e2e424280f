//! What can be wrong with the tables of clauses, each as a list of findings, so that `wrong` can show that it is found.

use std::fs;

use table_rules::clauses::{Clause, Status};
use table_rules::game::Game;

use crate::evidence::{self, Evidence};
use crate::{NOTHING_YET, table_file};

/// The text of each game's table, as it is on disk now: an update may just have written it.
#[derive(Clone)]
pub(crate) struct Tables(pub(crate) Vec<(Game, String)>);

impl Tables {
    pub(crate) fn read() -> Self {
        Self(Game::ALL.into_iter().map(|game| (game, fs::read_to_string(table_file(game)).unwrap())).collect())
    }

    fn lines(&self) -> impl Iterator<Item = (Game, &str)> {
        let lines = self.0.iter().flat_map(|(game, text)| text.lines().map(move |line| (*game, line)));
        lines.filter(|(_, line)| !line.starts_with('#'))
    }

    pub(crate) fn rows(&self) -> Vec<Clause<'_>> {
        self.lines().filter_map(|(game, line)| Clause::read(game, line)).collect()
    }

    /// Lines that are no clauses (unknown statuses, missing columns), and ids that are missing, unknown or out of order.
    pub(crate) fn of_ids(&self, pinned: &str) -> Vec<String> {
        let unreadable = self.lines().filter(|(game, line)| Clause::read(*game, line).is_none());
        let mut found: Vec<String> = unreadable.map(|(game, line)| format!("{game}: not a clause: {line}")).collect();
        let rows = self.rows();
        for game in Game::ALL {
            let listed = pinned.lines().filter_map(|line| line.split_once('\t')).filter(|(of, _)| *of == game.id());
            let listed: Vec<&str> = listed.map(|(_, id)| id).collect();
            let ids: Vec<&str> = rows.iter().filter(|row| row.game == game).map(|row| row.id).collect();
            found.extend(ids.iter().filter(|id| !listed.contains(id)).map(|id| format!("{game}: unknown {id}")));
            found.extend(listed.iter().filter(|id| !ids.contains(id)).map(|id| format!("{game}: missing {id}")));
            if let Some((here, there)) = ids.iter().zip(&listed).find(|(here, there)| here != there) {
                found.push(format!("{game}: {here} stands where {there} belongs"));
            } else if ids.len() > listed.len() {
                found.push(format!("{game}: more rows than clauses"));
            }
        }
        found
    }

    /// Files that do not exist, and clauses without a file that give no reason.
    pub(crate) fn of_files(&self) -> Vec<String> {
        let wrong = |row: &Clause<'_>| {
            if row.status.is_shown() {
                let file = row.done_in.unwrap_or("-");
                (!evidence::exists(file)).then(|| format!("{}: no file {file}", named(row)))
            } else {
                // The reason stands behind a dash.
                let right = row.done_in.is_none() && row.shown_by.is_none() && row.paraphrase.contains(" — ");
                (!right).then(|| format!("{}: {} needs a reason and no files", named(row), row.status.word()))
            }
        };
        self.rows().iter().filter_map(wrong).collect()
    }

    pub(crate) fn of_evidence(&self, evidence: &Evidence) -> Vec<String> {
        let rows = self.rows().into_iter().filter(|row| row.status.is_shown());
        let unshown = rows.filter(|row| !evidence.shows(row));
        unshown
            .map(|row| match row.shown_by {
                None | Some(NOTHING_YET) => format!("{}: nothing shows it", named(&row)),
                Some(file) => format!("{}: {file} does not cite it", named(&row)),
            })
            .collect()
    }

    pub(crate) fn of_open(&self, evidence: &Evidence) -> Vec<String> {
        let rows = self.rows().into_iter().filter(|row| row.status == Status::Open);
        rows.filter_map(|row| evidence.best(&row).map(|file| format!("{}: {file}", named(&row)))).collect()
    }

    pub(crate) fn of_paytables(&self, evidence: &Evidence) -> Vec<String> {
        let wrong = |row: &Clause<'_>| {
            let files = evidence.paytables(row);
            let right = files.is_empty() || row.done_in.is_some_and(|file| files.contains(file));
            let file = row.done_in.unwrap_or("-");
            (!right).then(|| format!("{}: {file}, but {files:?} name it", named(row)))
        };
        self.rows().iter().filter(|row| row.status.is_shown()).filter_map(wrong).collect()
    }
}

fn named(clause: &Clause<'_>) -> String {
    format!("{} {}", clause.game, clause.id)
}
