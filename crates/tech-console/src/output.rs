//! What a command says: the same facts as text and as JSON, with a filter over the text.

use serde_json::{Value, json};

use crate::access::{NotAllowed, Refusal};
use crate::text::{Moment, ascii};

/// What is done to the lines of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filter {
    /// Literal, without case; a table keeps its header.
    Find(String),
    Count,
}

/// Everything that one command has to say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Output {
    pub lines: Vec<String>,
    /// The first line is a table's header.
    pub has_header: bool,
    /// The same fields for programs.
    pub data: Value,
}

impl Output {
    pub fn text(lines: Vec<String>, data: Value) -> Self {
        Self { lines, has_header: false, data }
    }

    pub fn table(lines: Vec<String>, data: Value) -> Self {
        Self { lines, has_header: true, data }
    }

    /// The lines as they are printed.
    pub fn shown(&self, filter: Option<&Filter>) -> Vec<String> {
        let header = usize::from(self.has_header).min(self.lines.len());
        let (head, body) = self.lines.split_at(header);
        match filter {
            None => self.lines.iter().map(|line| ascii(line)).collect(),
            Some(Filter::Find(text)) => {
                let wanted = text.to_ascii_lowercase();
                let fits = |line: &&String| line.to_ascii_lowercase().contains(&wanted);
                let found: Vec<&String> = body.iter().filter(fits).collect();
                let head = if found.is_empty() { &[] } else { head };
                head.iter().chain(found).map(|line| ascii(line)).collect()
            }
            Some(Filter::Count) => vec![format!("{} line{}", body.len(), if body.len() == 1 { "" } else { "s" })],
        }
    }
}

/// Why a command was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotDone {
    /// As the operator's interface has it: `refused`, `not-now`, `needs-person`.
    pub word: &'static str,
    pub reason: String,
    /// A clause, a reading or a code; empty where the reason is the console's own.
    pub clause: String,
}

impl NotDone {
    pub fn new(word: &'static str, reason: impl Into<String>, clause: impl Into<String>) -> Self {
        Self { word, reason: reason.into(), clause: clause.into() }
    }

    /// The kind of a refusal as the operator's interface words it.
    const fn word_of(kind: Refusal) -> &'static str {
        match kind {
            Refusal::NotYou => "needs-person",
            Refusal::NotNow => "not-now",
        }
    }

    /// Behind the `% `. An error that has no clause must say what to type itself.
    pub fn text(&self) -> String {
        let said = match self.word {
            "refused" => format!("refused: {}", self.reason),
            "not-now" => format!("not now: {}", self.reason),
            "needs-person" | "same-person" => format!("not you: {}", self.reason),
            _ => self.reason.clone(),
        };
        if self.clause.is_empty() || self.clause.starts_with("api") {
            said
        } else {
            format!("{said} [{}]", self.clause)
        }
    }
}

impl From<NotAllowed> for NotDone {
    fn from(refused: NotAllowed) -> Self {
        let NotAllowed { kind, reason, code, next } = refused;
        let reason = if next.is_empty() { reason } else { format!("{reason}: {next}") };
        Self::new(Self::word_of(kind), reason, code.unwrap_or(""))
    }
}

/// One line of JSON.
pub fn json_line(command: &str, at: Moment, data: &Value) -> String {
    plain(&json!({ "v": 1, "cmd": command, "at": at.utc(), "data": data }))
}

pub fn json_error(command: &str, at: Moment, error: &NotDone) -> String {
    let NotDone { word, reason, clause } = error;
    let clause = if clause.is_empty() { "console" } else { clause };
    plain(
        &json!({ "v": 1, "cmd": command, "at": at.utc(), "error": { "word": word, "reason": reason, "clause": clause } }),
    )
}

/// A terminal shows ASCII: everything else is escaped, so that the line stays JSON and says the same.
fn plain(value: &Value) -> String {
    let mut out = String::new();
    for sign in value.to_string().chars() {
        if sign.is_ascii() && !sign.is_ascii_control() {
            out.push(sign);
        } else {
            let mut units = [0; 2];
            for unit in sign.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_is_literal_without_case_and_keeps_a_tables_header() {
        let lines = ["DEVICE  LINK", "reader  up", "shoe    LOST"].map(str::to_owned).to_vec();
        let table = Output::table(lines.clone(), Value::Null);
        let find = |text: &str| table.shown(Some(&Filter::Find(text.to_owned())));
        assert_eq!(find("lost"), ["DEVICE  LINK", "shoe    LOST"]);
        assert_eq!(find("."), Vec::<String>::new());
        assert_eq!(table.shown(Some(&Filter::Count)), ["2 lines"]);
        assert_eq!(Output::text(lines, Value::Null).shown(Some(&Filter::Count)), ["3 lines"]);
    }

    #[test]
    fn json_is_one_line_of_ascii_with_the_same_words_as_the_interface() {
        let at = Moment { unix_ms: 1_794_942_131_000, ..Moment::default() };
        assert_eq!(
            json_line("status", at, &json!({ "table": "B\u{e9}" })),
            "{\"at\":\"2026-11-17T19:02:11Z\",\"cmd\":\"status\",\"data\":{\"table\":\"B\\u00e9\"},\"v\":1}"
        );
        let error = NotDone::new("refused", "not during a round", "blackjack 6.D");
        let parsed: Value = serde_json::from_str(&json_error("service enter", at, &error)).unwrap();
        assert_eq!(parsed["error"]["word"], "refused");
        assert_eq!(error.text(), "refused: not during a round [blackjack 6.D]");
    }
}
