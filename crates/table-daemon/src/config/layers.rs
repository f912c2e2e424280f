//! TOML files laid over one another, key by key, with the place of every value kept.
//!
//! A later layer's value replaces an earlier one whole; only the sections that are asked for by name are merged. Every
//! key that nobody asks for is a problem, in whichever layer it stands.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Range, RangeInclusive};

use serde::de::DeserializeOwned;
use table_rules::money::Cents;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// Something wrong with a configuration, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigProblem {
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The dotted key it is about; empty for the file as a whole.
    pub key: String,
    pub text: String,
    pub remedy: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, key, text, remedy } = self;
        write!(f, "{file}:{line}: ")?;
        if !key.is_empty() {
            write!(f, "{key}: ")?;
        }
        write!(f, "{text}\n    {remedy}")
    }
}

/// Where a key got its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
}

/// One file's text under the name that problems call it by.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) file: String,
    pub(super) text: String,
}

/// One parsed file.
#[derive(Debug)]
pub(super) struct Layer<'t> {
    source: &'t Source,
    root: DeTable<'t>,
}

impl<'t> Layer<'t> {
    /// Reads as much as can be read; what cannot is reported.
    pub(super) fn parse(source: &'t Source, problems: &mut Vec<ConfigProblem>) -> Self {
        let (root, errors) = DeTable::parse_recoverable(&source.text);
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            problems.push(ConfigProblem {
                file: source.file.clone(),
                line: line_of(&source.text, at),
                key: String::new(),
                text: format!("not TOML: {}", error.message().trim()),
                remedy: "correct the line; docs/configuration.md shows every block".to_owned(),
            });
        }
        Self { source, root: root.into_inner() }
    }

    /// A text at the top of this one file, before layers are joined.
    pub(super) fn top_text(&self, key: &str) -> Option<(&str, usize)> {
        let (_, value) = entry(&self.root, key)?;
        Some((value.get_ref().as_str()?, line_of(&self.source.text, value.span().start)))
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn entry<'a, 't>(table: &'a DeTable<'t>, key: &str) -> Option<(Range<usize>, &'a Spanned<DeValue<'t>>)> {
    table.iter().find(|(name, _)| name.get_ref().as_ref() == key).map(|(name, value)| (name.span(), value))
}

/// A value and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a, 't> {
    source: &'a Source,
    value: &'a Spanned<DeValue<'t>>,
}

/// A section of the joined layers. Dropping one without [`Section::finish`] would miss its unknown keys.
#[derive(Debug)]
pub(super) struct Section<'a, 't> {
    path: String,
    /// From the lowest layer to the highest.
    tables: Vec<(&'a Source, &'a DeTable<'t>)>,
    asked: BTreeSet<String>,
    /// Whoever misses a key is told to write it here.
    last: &'a Source,
}

pub(super) type Problems = Vec<ConfigProblem>;

impl<'a, 't> Section<'a, 't> {
    pub(super) fn root(layers: &'a [Layer<'t>], last: &'a Source) -> Self {
        let tables = layers.iter().map(|layer| (layer.source, &layer.root)).collect();
        Self { path: String::new(), tables, asked: BTreeSet::new(), last }
    }

    fn path_to(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn section(&mut self, key: &str, problems: &mut Problems) -> Self {
        self.asked.insert(key.to_owned());
        let path = self.path_to(key);
        let mut tables = Vec::new();
        for &(source, table) in &self.tables {
            let Some((_, value)) = entry(table, key) else { continue };
            match value.get_ref().as_table() {
                Some(inner) => tables.push((source, inner)),
                None => problems.push(problem(source, value, &path, said(value.get_ref()), "write a table")),
            }
        }
        Self { path, tables, asked: BTreeSet::new(), last: self.last }
    }

    /// The keys of all layers.
    pub(super) fn keys(&self) -> BTreeSet<String> {
        self.tables.iter().flat_map(|(_, table)| table.keys()).map(|key| key.get_ref().to_string()).collect()
    }

    pub(super) fn found(&mut self, key: &str) -> Option<Found<'a, 't>> {
        self.asked.insert(key.to_owned());
        let given = |&(source, table): &(&'a Source, &'a DeTable<'t>)| {
            entry(table, key).map(|(_, value)| Found { source, value })
        };
        self.tables.iter().rev().find_map(given)
    }

    /// A value that `read` accepts; `wanted` says what would be.
    pub(super) fn read<T>(
        &mut self,
        key: &str,
        wanted: &str,
        problems: &mut Problems,
        read: impl FnOnce(&DeValue<'t>) -> Option<T>,
    ) -> Option<T> {
        let found = self.found(key)?;
        let value = read(found.value.get_ref());
        if value.is_none() {
            let is = said(found.value.get_ref());
            let path = self.path_to(key);
            problems.push(problem(found.source, found.value, &path, is, &format!("write {wanted}")));
        }
        value
    }

    /// Like [`Section::read`], and a key that no layer has is a problem too.
    pub(super) fn need<T>(
        &mut self,
        key: &str,
        wanted: &str,
        problems: &mut Problems,
        read: impl FnOnce(&DeValue<'t>) -> Option<T>,
    ) -> Option<T> {
        if self.found(key).is_none() {
            problems.push(ConfigProblem {
                file: self.last.file.clone(),
                line: 1,
                key: self.path_to(key),
                text: "is missing".to_owned(),
                remedy: format!("write {wanted}"),
            });
            return None;
        }
        self.read(key, wanted, problems, read)
    }

    /// The file and line that decide about a key.
    pub(super) fn place(&mut self, key: &str) -> Option<Place> {
        let Found { source, value } = self.found(key)?;
        Some(Place { file: source.file.clone(), line: line_of(&source.text, value.span().start) })
    }

    /// What serde makes of the value, with its own words where it fails.
    pub(super) fn typed<T: DeserializeOwned>(&mut self, key: &str, problems: &mut Problems) -> Option<T> {
        let found = self.found(key)?;
        typed(found.source, found.value, &self.path_to(key), problems)
    }

    /// A list, item by item, so that each bad one is named.
    pub(super) fn typed_list<T: DeserializeOwned>(&mut self, key: &str, problems: &mut Problems) -> Vec<T> {
        let Some(found) = self.found(key) else { return Vec::new() };
        let path = self.path_to(key);
        let Some(items) = found.value.get_ref().as_array() else {
            problems.push(problem(found.source, found.value, &path, said(found.value.get_ref()), "write a list"));
            return Vec::new();
        };
        items.iter().filter_map(|item| typed(found.source, item, &path, problems)).collect()
    }

    /// Reports `text` at the key's place.
    pub(super) fn refuse(&mut self, key: &str, text: String, remedy: &str, problems: &mut Problems) {
        let path = self.path_to(key);
        match self.found(key) {
            Some(found) => problems.push(problem(found.source, found.value, &path, text, remedy)),
            None => problems.push(ConfigProblem {
                file: self.last.file.clone(),
                line: 1,
                key: path,
                text,
                remedy: remedy.to_owned(),
            }),
        }
    }

    /// Every key that nobody asked for is a mistake.
    pub(super) fn finish(self, problems: &mut Problems) {
        for (source, table) in &self.tables {
            for key in table.keys().filter(|key| !self.asked.contains(key.get_ref().as_ref())) {
                let name = key.get_ref().as_ref();
                let known: Vec<&str> = self.asked.iter().map(String::as_str).collect();
                problems.push(ConfigProblem {
                    file: source.file.clone(),
                    line: line_of(&source.text, key.span().start),
                    key: self.path_to(&name.escape_debug().to_string()),
                    text: "is no key that is known here".to_owned(),
                    remedy: format!("the keys here are {}", known.join(", ")),
                });
            }
        }
    }
}

fn typed<T: DeserializeOwned>(
    source: &Source,
    value: &Spanned<DeValue<'_>>,
    path: &str,
    problems: &mut Problems,
) -> Option<T> {
    match T::deserialize(ValueDeserializer::from(value.clone())) {
        Ok(read) => Some(read),
        Err(error) => {
            let at = error.span().unwrap_or_else(|| value.span());
            problems.push(ConfigProblem {
                file: source.file.clone(),
                line: line_of(&source.text, at.start),
                key: path.to_owned(),
                text: error.message().trim().to_owned(),
                remedy: remedy(error.message()).to_owned(),
            });
            None
        }
    }
}

fn remedy(message: &str) -> &'static str {
    if message.contains("missing field `protection`") {
        "write protection = \"paired\" for a device that two people pair with this table, or protection = \"none\" for one \
         whose line anybody with a cable may read and change"
    } else {
        "docs/configuration.md shows the block"
    }
}

fn problem(source: &Source, value: &Spanned<DeValue<'_>>, path: &str, text: String, remedy: &str) -> ConfigProblem {
    ConfigProblem {
        file: source.file.clone(),
        line: line_of(&source.text, value.span().start),
        key: path.to_owned(),
        text,
        remedy: remedy.to_owned(),
    }
}

fn said(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?} is not possible here"),
        DeValue::Integer(number) => format!("{} is not possible here", number.as_str()),
        DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            format!("is {}", kind(value))
        }
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

// What values can be read as.

pub(super) fn text(value: &DeValue<'_>) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty() && !text.contains(char::is_control)).map(str::to_owned)
}

pub(super) fn flag(value: &DeValue<'_>) -> Option<bool> {
    value.as_bool()
}

pub(super) fn whole(range: RangeInclusive<u64>) -> impl Fn(&DeValue<'_>) -> Option<u64> {
    move |value| {
        let integer = value.as_integer()?;
        u64::from_str_radix(integer.as_str(), integer.radix()).ok().filter(|number| range.contains(number))
    }
}

pub(super) fn word<T: Copy>(words: &[(&str, T)]) -> impl Fn(&DeValue<'_>) -> Option<T> {
    move |value| {
        let said = value.as_str()?;
        words.iter().find(|(word, _)| *word == said).map(|(_, meaning)| *meaning)
    }
}

/// Dollars, digit by digit: `2`, `2.50` or `"2.50"`.
pub(super) fn amount(value: &DeValue<'_>) -> Option<Cents> {
    let digits = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(decimal) => decimal.as_str(),
        DeValue::String(text) => text.as_ref(),
        DeValue::Integer(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            return None;
        }
    };
    Cents::parse(digits).ok()
}
