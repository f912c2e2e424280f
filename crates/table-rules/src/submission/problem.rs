//! What is wrong, or worth a warning, in a submission. Plain data: whoever prints it decides on the form.

use std::fmt;

use crate::game::Game;
use crate::source::Source;

use super::place::FilePlace;

/// A clause or reading, with the game it is of. The game is missing where the file does not say which one it is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Citation {
    pub game: Option<Game>,
    pub id: &'static str,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "{game} {}", self.id),
            None => f.write_str(self.id),
        }
    }
}

impl From<Source> for Citation {
    fn from(source: Source) -> Self {
        Self { game: Some(source.game()), id: source.id() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The submission is illegal and makes no table.
    Refused,
    /// It is playable, and somebody should know this.
    Warning,
}

/// One finding in a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub severity: Severity,
    pub place: FilePlace,
    /// The dotted key it is about (`wagers.super-4.paytable`); empty for the file as a whole.
    pub key: String,
    /// One sentence without a full stop. Text from the file is escaped, so that it is safe on a terminal.
    pub text: String,
    /// What to write instead, where there is one answer or a short list.
    pub remedy: Option<String>,
    pub source: Citation,
}

impl Problem {
    /// `file:line:column: sentence [source]`, with the remedy on a second, indented line.
    pub fn render(&self, file: &str) -> String {
        let FilePlace { line, column } = self.place;
        let severity = match self.severity {
            Severity::Refused => "",
            Severity::Warning => "warning: ",
        };
        let mut rendered = format!("{file}:{line}:{column}: {severity}{} [{}]", self.text, self.source);
        if let Some(remedy) = &self.remedy {
            rendered.push_str("\n    ");
            rendered.push_str(remedy);
        }
        rendered
    }
}

/// Text of the file as a message may show it: in quotes, control characters escaped, cut when it is long.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN_MAX: usize = 48;
    let mut shown: String = text.chars().take(SHOWN_MAX).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}
