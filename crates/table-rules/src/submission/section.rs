//! Strict reading of one TOML table: unknown keys, wrong types and unreadable values all become problems, and reading
//! goes on. No value passes through a float: numbers are taken from their text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::game::Game;
use crate::money::Cents;
use crate::table::ApprovalDate;

use super::approved;
use super::clauses::FILE_FORM;
use super::place::{FilePlace, Lines};
use super::problem::{Citation, Problem, Severity, quoted};
use super::spelling::nearest;

/// No wager has more stakes to choose from.
const AMOUNTS_MAX: usize = 32;

/// A value that the file gives, and where its key stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<T> {
    pub value: T,
    pub place: FilePlace,
}

/// What the file says about a key. "Unreadable" is kept apart from "absent": it has its problem already, and must not
/// be reported as missing too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Given<T> {
    #[default]
    Absent,
    Unreadable,
    Is(Entry<T>),
}

impl<T> Given<T> {
    pub const fn answer(&self) -> Option<&Entry<T>> {
        match self {
            Self::Is(answer) => Some(answer),
            Self::Absent | Self::Unreadable => None,
        }
    }

    /// Where the answer stands, or `otherwise`.
    pub fn place_or(&self, otherwise: FilePlace) -> FilePlace {
        self.answer().map_or(otherwise, |answer| answer.place)
    }
}

/// Problems as they are found, with the game that they are cited for once it is known.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) game: Option<Game>,
    pub(super) problems: Vec<Problem>,
}

impl Notes {
    pub(super) fn add(
        &mut self,
        severity: Severity,
        place: FilePlace,
        key: &str,
        text: impl Into<String>,
        remedy: Option<String>,
        source: Citation,
    ) {
        self.problems.push(Problem { severity, place, key: key.to_owned(), text: text.into(), remedy, source });
    }

    pub(super) fn bad_form(&mut self, place: FilePlace, key: &str, text: impl Into<String>, remedy: Option<String>) {
        let source = FILE_FORM.cite(self.game);
        self.add(Severity::Refused, place, key, text, remedy, source);
    }
}

/// One table of the file.
#[derive(Debug)]
pub(super) struct Section<'d, 't> {
    table: &'d DeTable<'t>,
    /// The dotted path of the table with a trailing dot; empty at the top.
    prefix: String,
    lines: &'d Lines<'t>,
    pub(super) notes: &'d mut Notes,
}

impl<'d, 't> Section<'d, 't> {
    pub(super) const fn top(table: &'d DeTable<'t>, lines: &'d Lines<'t>, notes: &'d mut Notes) -> Self {
        Self { table, prefix: String::new(), lines, notes }
    }

    /// Reports every key that is not among the known ones.
    pub(super) fn refuse_unknown_keys(&mut self, known: &[&str]) {
        for (key, place) in self.keys() {
            if known.contains(&key) {
                continue;
            }
            let remedy = match nearest(key, known.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None if known.is_empty() => "leave it out: nothing can be set here".to_owned(),
                None => format!("leave it out; the keys here are {}", known.join(", ")),
            };
            self.bad(place, key, format!("unknown key {}", quoted(key)), remedy);
        }
    }

    /// The keys of this table in the order of the file.
    pub(super) fn keys(&self) -> Vec<(&'d str, FilePlace)> {
        let mut keys: Vec<_> = self.table.keys().map(|key| (key.span().start, key.get_ref().as_ref())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(start, key)| (key, self.lines.place(start))).collect()
    }

    /// One line of text. It ends up on screens, signs and in records, so control characters are refused.
    pub(super) fn text(&mut self, key: &str) -> Given<String> {
        self.read(key, "one line of text in quotes", |value| match value {
            DeValue::String(text) if text.contains(char::is_control) => {
                Some(Err(format!("{} has control characters", quoted(text))))
            }
            DeValue::String(text) => Some(Ok(text.as_ref().to_owned())),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        })
    }

    pub(super) fn flag(&mut self, key: &str) -> Given<bool> {
        self.read(key, "true or false", |value| value.as_bool().map(Ok))
    }

    /// A whole number; its range is for the rules to check.
    pub(super) fn whole(&mut self, key: &str) -> Given<i64> {
        self.read(key, "a whole number", |value| {
            let integer = value.as_integer()?;
            let number = i64::from_str_radix(integer.as_str(), integer.radix());
            Some(number.map_err(|_| "the number is far too large".to_owned()))
        })
    }

    /// A whole number that fits its type.
    pub(super) fn small<T: TryFrom<i64>>(&mut self, key: &str) -> Given<T> {
        self.read(key, "a whole number", |value| {
            let integer = value.as_integer()?;
            let number = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
            let fitting = number.and_then(|number| T::try_from(number).ok());
            Some(fitting.ok_or_else(|| format!("{} is out of range", quoted(integer.as_str()))))
        })
    }

    /// `"22 %"` as 220,000: at most four decimals, so that a rate is a whole number of millionths.
    pub(super) fn percent_millionths(&mut self, key: &str) -> Given<u32> {
        self.read(key, "a rate in percent, such as \"22 %\" or \"0.5 %\"", |value| {
            let text = value.as_str()?;
            Some(millionths(text).ok_or_else(|| format!("{} is not a rate from 0 % to 100 %", quoted(text))))
        })
    }

    /// Dollars: `25`, `12.50` or `"12.50"`.
    pub(super) fn amount(&mut self, key: &str) -> Given<Cents> {
        self.read(key, "an amount in dollars, such as 25 or 12.50", amount)
    }

    /// One word of a short list.
    pub(super) fn choice<T: Copy>(&mut self, key: &str, words: &[(&'static str, T)]) -> Given<T> {
        let listed = listed(words);
        self.read(key, &listed, |value| Some(chosen(value.as_str()?, words)))
    }

    /// A list of words, each at most once.
    pub(super) fn choices<T: Copy>(&mut self, key: &str, words: &[(&'static str, T)]) -> Given<Vec<T>> {
        let listed = format!("a list such as [\"{}\"]", words.first().map_or("", |(word, _)| word));
        self.read(key, &listed, |value| {
            let items = value.as_array()?;
            let mut seen: Vec<&str> = Vec::new();
            let mut found = Vec::new();
            for item in items.iter() {
                let word = item.get_ref().as_str()?;
                if seen.contains(&word) {
                    return Some(Err(format!("{} is listed twice", quoted(word))));
                }
                seen.push(word);
                match chosen(word, words) {
                    Ok(value) => found.push(value),
                    Err(why) => return Some(Err(why)),
                }
            }
            Some(Ok(found))
        })
    }

    /// A list of amounts.
    pub(super) fn amounts(&mut self, key: &str) -> Given<Vec<Cents>> {
        self.read(key, "a list of amounts, such as [1, 2.50]", |value| {
            let items = value.as_array()?;
            if items.len() > AMOUNTS_MAX {
                return Some(Err(format!("the list has {} amounts, at most {AMOUNTS_MAX} make sense", items.len())));
            }
            items.iter().map(|item| amount(item.get_ref())).collect()
        })
    }

    /// A day, written as TOML's own date or in quotes.
    pub(super) fn date(&mut self, key: &str) -> Given<ApprovalDate> {
        self.read(key, "a date, such as 2026-03-01", |value| match value {
            DeValue::Datetime(at) if at.time.is_none() && at.offset.is_none() => {
                at.date.map(|date| approved::calendar_day(date.year, date.month, date.day))
            }
            DeValue::String(text) => Some(approved::date_from_text(text)),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        })
    }

    /// The table under `key`, if the file has it; its own keys still want [`Self::refuse_unknown_keys`].
    pub(super) fn child<'s>(&'s mut self, key: &str) -> Given<Section<'s, 't>>
    where
        'd: 's,
    {
        let Some((place, value)) = self.find(key) else { return Given::Absent };
        let DeValue::Table(table) = value else {
            self.bad(
                place,
                key,
                format!("{key} must be a table, not {}", kind(value)),
                "write its keys under a heading in brackets",
            );
            return Given::Unreadable;
        };
        let prefix = format!("{}{key}.", self.prefix);
        Given::Is(Entry { value: Section { table, prefix, lines: self.lines, notes: self.notes }, place })
    }

    /// Reads one key. `take` gives nothing for a value of the wrong type, an error for one that cannot be right.
    fn read<T>(
        &mut self,
        key: &str,
        wanted: &str,
        take: impl FnOnce(&'d DeValue<'t>) -> Option<Result<T, String>>,
    ) -> Given<T> {
        let Some((place, value)) = self.find(key) else { return Given::Absent };
        match take(value) {
            Some(Ok(value)) => Given::Is(Entry { value, place }),
            Some(Err(why)) => {
                self.bad(place, key, format!("{key}: {why}"), format!("write {wanted}"));
                Given::Unreadable
            }
            None => {
                self.bad(place, key, format!("{key} is {}", kind(value)), format!("write {wanted}"));
                Given::Unreadable
            }
        }
    }

    fn find(&self, key: &str) -> Option<(FilePlace, &'d DeValue<'t>)> {
        let (key, value) = self.table.get_key_value(key)?;
        Some((self.lines.place(key.span().start), value.get_ref()))
    }

    fn bad(&mut self, place: FilePlace, key: &str, text: String, remedy: impl Into<String>) {
        let path = self.path(key);
        self.notes.bad_form(place, &path, text, Some(remedy.into()));
    }

    /// The dotted key, cut like every text of the file.
    pub(super) fn path(&self, key: &str) -> String {
        const SHOWN_MAX: usize = 48;
        let shown: String = key.chars().take(SHOWN_MAX).collect();
        format!("{}{shown}", self.prefix)
    }
}

fn amount(value: &DeValue<'_>) -> Option<Result<Cents, String>> {
    let text = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(decimal) => decimal.as_str(),
        DeValue::String(text) => text.as_ref(),
        DeValue::Integer(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            return None;
        }
    };
    Some(Cents::parse(text).map_err(|why| format!("{} is {why}", quoted(text))))
}

fn millionths(text: &str) -> Option<u32> {
    let number = text.strip_suffix('%')?.trim_end_matches(' ');
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let well_formed = (1..=3).contains(&whole.len()) && decimals.len() <= 4 && !number.ends_with('.');
    if !well_formed || !digits(whole) || !digits(decimals) {
        return None;
    }
    let rate = format!("{whole}{decimals:0<4}").parse().ok()?;
    (rate <= 1_000_000).then_some(rate)
}

fn chosen<T: Copy>(word: &str, words: &[(&'static str, T)]) -> Result<T, String> {
    match words.iter().find(|(known, _)| *known == word) {
        Some((_, value)) => Ok(*value),
        None => Err(match nearest(word, words.iter().map(|(known, _)| *known)) {
            Some(meant) => format!("{} is not a choice; did you mean \"{meant}\"?", quoted(word)),
            None => format!("{} is not a choice", quoted(word)),
        }),
    }
}

/// `"a", "b" or "c"`.
fn listed<T>(words: &[(&'static str, T)]) -> String {
    let quoted: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// What a value is, for "decks is …".
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Places of a document's own syntax errors.
pub(super) fn syntax_place(lines: &Lines<'_>, error: &toml::de::Error) -> FilePlace {
    error.span().map_or(FilePlace::START, |span| lines.place(span.start))
}

/// The spanned document and what its syntax has wrong.
pub(super) fn parse_document(text: &str) -> (Spanned<DeTable<'_>>, Vec<toml::de::Error>) {
    DeTable::parse_recoverable(text)
}

#[cfg(test)]
mod tests {
    use super::millionths;

    #[test]
    fn rates_are_whole_millionths_up_to_the_whole_stake() {
        for (text, expected) in [
            ("22 %", 220_000),
            ("22%", 220_000),
            ("0.5 %", 5_000),
            ("0.0001 %", 1),
            ("100.0000 %", 1_000_000),
            ("0 %", 0),
        ] {
            assert_eq!(millionths(text), Some(expected), "{text}");
        }
        for text in [
            "22",
            "%",
            " 22 %",
            "22. %",
            ".5 %",
            "0.00001 %",
            "100.0001 %",
            "-1 %",
            "+1 %",
            "1e1 %",
            "٢ %",
            "22 %%",
            "",
        ] {
            assert_eq!(millionths(text), None, "{text}");
        }
    }
}
