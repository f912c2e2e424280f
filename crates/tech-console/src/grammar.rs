//! Words to commands: any unique beginning of a word will do, what changes something is written out, and every mistake
//! is answered with what to type instead.

use std::fmt;

use crate::command::{Argument, Command, Effect, Family};
use crate::commands::FAMILIES;
use crate::output::Filter;

pub use crate::help::{help, help_of};

/// What arguments can name at this table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    pub devices: Vec<String>,
    pub codes: Vec<String>,
    pub configurations: Vec<String>,
}

/// A line that means something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    pub command: &'static Command,
    /// Empty where it was left out.
    pub argument: String,
    pub json: bool,
    /// `-a`: no pages.
    pub all: bool,
    pub filter: Option<Filter>,
    /// As it was typed.
    pub typed: String,
}

/// A line that means nothing, and what to type instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble(pub String);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `None` for an empty line.
pub fn parse(line: &str, names: &Names) -> Result<Option<Invocation>, Trouble> {
    let (before, filter) = match line.split_once('|') {
        Some((before, after)) => (before, Some(filter(after)?)),
        None => (line, None),
    };
    let mut words: Vec<&str> = before.split_whitespace().collect();
    let json = take_option(&mut words, &["-j", "--json"]);
    let all = take_option(&mut words, &["-a", "--all"]);
    let Some((first, rest)) = words.split_first() else {
        return if filter.is_some() || json || all {
            Err(Trouble("a command comes first: status | find stops".to_owned()))
        } else {
            Ok(None)
        };
    };
    let family = family(first)?;
    let (command, rest) = row(family, rest)?;
    let argument = argument(command, rest, names)?;
    Ok(Some(Invocation { command, argument, json, all, filter, typed: line.trim().to_owned() }))
}

fn take_option(words: &mut Vec<&str>, spellings: &[&str]) -> bool {
    let before = words.len();
    words.retain(|word| !spellings.contains(word));
    words.len() < before
}

fn filter(text: &str) -> Result<Filter, Trouble> {
    if text.contains('|') {
        return Err(Trouble("one filter a line: status | find stops".to_owned()));
    }
    let text = text.trim();
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (choose(word, &["find", "count"]), rest.trim()) {
        (Chosen::One("find"), "") => Err(Trouble("find: which text? | find stops".to_owned())),
        (Chosen::One("find"), wanted) => Ok(Filter::Find(wanted.to_owned())),
        (Chosen::One(_), "") => Ok(Filter::Count),
        (Chosen::One(_) | Chosen::Several(_) | Chosen::None, _) => {
            Err(Trouble(format!("unknown filter {word:?}: try | find TEXT or | count")))
        }
    }
}

/// What a beginning of a word fits.
enum Chosen<'a> {
    One(&'a str),
    Several(Vec<&'a str>),
    None,
}

fn choose<'a>(word: &str, among: &[&'a str]) -> Chosen<'a> {
    if let Some(exact) = among.iter().find(|each| **each == word) {
        return Chosen::One(exact);
    }
    let fitting: Vec<&str> = among.iter().copied().filter(|each| !word.is_empty() && each.starts_with(word)).collect();
    match fitting.as_slice() {
        [] => Chosen::None,
        [one] => Chosen::One(one),
        _ => Chosen::Several(fitting),
    }
}

fn family(word: &str) -> Result<&'static Family, Trouble> {
    let words: Vec<&str> = FAMILIES.iter().map(|family| family.word).collect();
    match choose(word, &words) {
        Chosen::One(found) => {
            let family = FAMILIES.iter().find(|family| family.word == found);
            family.ok_or_else(|| Trouble(format!("unknown command {word:?}: type help")))
        }
        Chosen::Several(several) => Err(ambiguous(word, &several)),
        Chosen::None => Err(match nearest(word, &words) {
            Some(near) => Trouble(format!("unknown command {}: try {near}", quoted(word))),
            None => Trouble(format!("unknown command {}: type help", quoted(word))),
        }),
    }
}

/// The family's row that the next word chooses, and what is left behind it.
fn row<'w, 'l>(family: &'static Family, rest: &'w [&'l str]) -> Result<(&'static Command, &'w [&'l str]), Trouble> {
    let bare = family.commands.iter().find(|command| command.then.is_empty());
    let thens: Vec<&str> = family.commands.iter().map(|command| command.then).filter(|then| !then.is_empty()).collect();
    let Some((next, after)) = rest.split_first() else {
        return bare
            .map(|command| (command, rest))
            .ok_or_else(|| Trouble(format!("{}: which? {}", family.word, thens.join(", "))));
    };
    if thens.is_empty() {
        return bare.map(|command| (command, rest)).ok_or_else(|| Trouble(format!("{}: type help", family.word)));
    }
    let unknown = || {
        let near = nearest(next, &thens).map_or_else(|| thens.join(", "), |near| format!("try {near}"));
        Trouble(format!("{}: unknown word {}: {near}", family.word, quoted(next)))
    };
    match choose(next, &thens) {
        Chosen::One(found) => {
            let command = family.commands.iter().find(|command| command.then == found).ok_or_else(unknown)?;
            if command.effect == Effect::Changes && *next != found {
                return Err(Trouble(format!("{} is {found}, which changes something: write it out", quoted(next))));
            }
            Ok((command, after))
        }
        Chosen::Several(several) => Err(ambiguous(next, &several)),
        Chosen::None => match bare.filter(|command| command.argument != Argument::None) {
            Some(command) => Ok((command, rest)),
            None => Err(unknown()),
        },
    }
}

fn argument(command: &'static Command, rest: &[&str], names: &Names) -> Result<String, Trouble> {
    let name = command.name();
    if command.argument == Argument::Text && !rest.is_empty() {
        return Ok(rest.join(" "));
    }
    let Some((given, more)) = rest.split_first() else {
        if command.argument.may_be_left_out() {
            return Ok(String::new());
        }
        let known = known(command.argument, names);
        let next = if known.is_empty() { format!("{name} {}", command.argument.example()) } else { known.join(", ") };
        return Err(Trouble(format!("{name}: {} {next}", command.argument.question())));
    };
    if command.argument == Argument::None || !more.is_empty() {
        let surplus = if command.argument == Argument::None { given } else { more.first().unwrap_or(given) };
        let example = if command.argument == Argument::None { "" } else { command.argument.example() };
        return Err(Trouble(format!(
            "{name}: {} is too much: type {}",
            quoted(surplus),
            format!("{name} {example}").trim()
        )));
    }
    match command.argument {
        Argument::None | Argument::Text => Ok(String::new()),
        Argument::Device | Argument::Configuration => named(&name, command.argument, given, names),
        Argument::Code => {
            let code = given.to_ascii_uppercase();
            let known: Vec<&str> = names.codes.iter().map(String::as_str).collect();
            match choose(&code, &known) {
                Chosen::One(found) => Ok(found.to_owned()),
                Chosen::Several(several) => Err(ambiguous(given, several.get(..4).unwrap_or(&several))),
                Chosen::None => Err(match nearest(&code, &known) {
                    Some(near) => Trouble(format!("{name}: unknown code {}: try {near}", quoted(given))),
                    None => Trouble(format!("{name}: unknown code {}: type {name} RD-010", quoted(given))),
                }),
            }
        }
        Argument::Command => family(given).map(|family| family.word.to_owned()),
        Argument::Round | Argument::Order => match given.replace(',', "").parse::<u64>() {
            Ok(number) => Ok(number.to_string()),
            Err(_) => {
                let example = command.argument.example();
                Err(Trouble(format!("{name}: {} is no number: type {name} {example}", quoted(given))))
            }
        },
        Argument::Sensor => match sensor(given) {
            Some(found) => Ok(found),
            None => Err(Trouble(format!("{name}: {} is no sensor: type {name} 3.1", quoted(given)))),
        },
        Argument::NewName => {
            let fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if given.len() <= 32 && given.chars().all(fine) && *given != "last-good" {
                Ok((*given).to_owned())
            } else {
                Err(Trouble(format!("{name}: {} is no new name: type {name} evening", quoted(given))))
            }
        }
    }
}

/// `3` or `3.2`, and nothing else.
fn sensor(given: &str) -> Option<String> {
    let number = |text: &str| text.parse::<u8>().ok().filter(|number| *number > 0);
    match given.split_once('.') {
        Some((seat, spot)) => Some(format!("{}.{}", number(seat)?, number(spot)?)),
        None => number(given).map(|seat| seat.to_string()),
    }
}

fn named(name: &str, argument: Argument, given: &str, names: &Names) -> Result<String, Trouble> {
    let known = known(argument, names);
    match choose(given, &known) {
        Chosen::One(found) => Ok(found.to_owned()),
        Chosen::Several(several) => Err(ambiguous(given, &several)),
        Chosen::None if known.is_empty() => {
            Err(Trouble(format!("{name}: there is none at this table: look: dev list")))
        }
        Chosen::None => {
            let near = nearest(given, &known).map_or_else(|| known.join(", "), |near| format!("try {near}"));
            Err(Trouble(format!("{name}: no {} here: {near}", quoted(given))))
        }
    }
}

fn known(argument: Argument, names: &Names) -> Vec<&str> {
    match argument {
        Argument::Device => names.devices.iter().map(String::as_str).collect(),
        Argument::Code => names.codes.iter().map(String::as_str).collect(),
        Argument::Configuration => names.configurations.iter().map(String::as_str).collect(),
        Argument::Command => FAMILIES.iter().map(|family| family.word).collect(),
        Argument::None | Argument::Round | Argument::Order | Argument::Sensor | Argument::Text | Argument::NewName => {
            Vec::new()
        }
    }
}

fn ambiguous(word: &str, several: &[&str]) -> Trouble {
    let list = match several {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => several.join(", "),
    };
    Trouble(format!("{} is {list}: type one letter more", quoted(word)))
}

/// What somebody typed, as it is repeated: short, so that an error stays on its line.
fn quoted(word: &str) -> String {
    const SHOWN: usize = 24;
    match word.get(..SHOWN) {
        Some(start) if word.len() > SHOWN => format!("\"{start}...\""),
        Some(_) | None => format!("\"{word}\""),
    }
}

/// The nearest word, at most two signs off and not made up from nothing.
fn nearest<'a>(word: &str, among: &[&'a str]) -> Option<&'a str> {
    const OFF_MAX: usize = 2;
    if word.len() > 32 {
        return None;
    }
    let best = among.iter().map(|each| (distance(word, each), *each)).min_by_key(|(off, _)| *off)?;
    (best.0 <= OFF_MAX && best.0 < word.len()).then_some(best.1)
}

fn distance(one: &str, other: &str) -> usize {
    let other: Vec<u8> = other.bytes().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, byte) in one.bytes().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (place, second) in other.iter().enumerate() {
            let changed = before + usize::from(byte != *second);
            before = row[place + 1];
            row[place + 1] = changed.min(before + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

/// What fits at the end of an unfinished line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completion {
    /// As far as it is unique.
    pub insert: String,
    /// Each word with a few words about it.
    pub choices: Vec<(String, String)>,
}

pub fn complete(line: &str, names: &Names) -> Completion {
    let (words, part) = match line.rsplit_once(' ') {
        Some((before, part)) => (before.split_whitespace().collect::<Vec<_>>(), part),
        None => (Vec::new(), line),
    };
    let choices = fitting(&words, names, line.contains('|'));
    let choices: Vec<(String, String)> = choices.into_iter().filter(|(word, _)| word.starts_with(part)).collect();
    let mut common = match choices.first() {
        Some((first, _)) => first.clone(),
        None => return Completion::default(),
    };
    for (word, _) in &choices {
        let same = common.bytes().zip(word.bytes()).take_while(|(one, other)| one == other).count();
        common.truncate(same);
    }
    let mut insert = common.get(part.len()..).unwrap_or_default().to_owned();
    if choices.len() == 1 {
        insert.push(' ');
    }
    Completion { insert, choices }
}

/// The words that may stand behind these.
fn fitting(words: &[&str], names: &Names, filtering: bool) -> Vec<(String, String)> {
    let plain = |list: Vec<&str>| list.into_iter().map(|word| (word.to_owned(), String::new())).collect();
    if filtering {
        return match words.last() {
            Some(&"|") => plain(vec!["find", "count"]),
            Some(_) | None => Vec::new(),
        };
    }
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let Some((first, rest)) = words.split_first() else {
        return FAMILIES.iter().map(|family| (family.word.to_owned(), family.summary.to_owned())).collect();
    };
    let Ok(family) = family(first) else { return Vec::new() };
    let has_thens = family.commands.iter().any(|command| !command.then.is_empty());
    if rest.is_empty() && has_thens {
        let thens = family.commands.iter().filter(|command| !command.then.is_empty());
        return thens.map(|command| (command.then.to_owned(), command.reads.to_owned())).collect();
    }
    match row(family, rest) {
        Ok((command, [])) => plain(known(command.argument, names)),
        Ok(_) | Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Id;

    fn names() -> Names {
        Names {
            devices: ["reader", "shuffler", "shoe"].map(str::to_owned).to_vec(),
            codes: ["RD-010", "RD-011", "TC-002"].map(str::to_owned).to_vec(),
            configurations: vec!["last-good".to_owned()],
        }
    }

    fn parsed(line: &str) -> Invocation {
        parse(line, &names()).unwrap().unwrap()
    }

    fn trouble(line: &str) -> String {
        parse(line, &names()).unwrap_err().to_string()
    }

    #[test]
    fn any_unique_beginning_will_do_word_by_word() {
        let short = parsed("de s r");
        assert_eq!((short.command.id, short.argument.as_str()), (Id::DevShow, "reader"));
        assert_eq!(parsed("st").command.id, Id::Status);
        assert_eq!(parsed("gpio").command.id, Id::Gpio);
        assert_eq!(parsed("why rd-010").argument, "RD-010");
        assert_eq!(parsed("why").argument, "");
        assert_eq!(parsed("recall 41,207").argument, "41207");
        assert_eq!(parsed("sensor raw 3").argument, "3");
        assert_eq!(parsed("sensor raw 03.2").argument, "3.2");
        assert_eq!(parsed("log find two words").argument, "two words");
        assert!(parse("   ", &names()).unwrap().is_none());
    }

    #[test]
    fn what_changes_something_is_written_out() {
        assert_eq!(trouble("unit rest"), "\"rest\" is restart, which changes something: write it out");
        assert_eq!(parsed("unit restart").command.id, Id::UnitRestart);
        assert_eq!(parsed("u st").command.id, Id::UnitStatus);
        for command in crate::commands::all().filter(|command| command.effect == Effect::Changes) {
            let short = command.then.get(..command.then.len() - 1).unwrap();
            let line = format!("{} {short} {}", command.word, command.argument.example());
            assert!(parse(&line, &names()).is_err(), "{line}");
        }
    }

    #[test]
    fn every_mistake_names_the_word_and_what_to_type() {
        assert_eq!(trouble("stauts"), "unknown command \"stauts\": try status");
        assert_eq!(trouble("xyzzy"), "unknown command \"xyzzy\": type help");
        assert_eq!(trouble("m"), "\"m\" is mon or meters: type one letter more");
        assert_eq!(trouble("d"), "\"d\" is dev or disk: type one letter more");
        assert_eq!(trouble("mon raw"), "mon raw: which device? reader, shuffler, shoe");
        assert_eq!(trouble("mon raw redaer"), "mon raw: no \"redaer\" here: try reader");
        assert_eq!(trouble("dev"), "dev: which? list, show");
        assert_eq!(trouble("status now"), "status: \"now\" is too much: type status");
        assert_eq!(trouble("recall x"), "recall: \"x\" is no number: type recall 88");
        assert_eq!(trouble("sensor raw seat"), "sensor raw: \"seat\" is no sensor: type sensor raw 3.1");
        assert_eq!(trouble("status | find a | count"), "one filter a line: status | find stops");
        assert_eq!(trouble("status | grep x"), "unknown filter \"grep\": try | find TEXT or | count");
        assert_eq!(trouble("| count"), "a command comes first: status | find stops");
        assert!(trouble(&"x".repeat(200)).len() < 80);
    }

    #[test]
    fn options_and_one_filter_stand_anywhere_in_their_part() {
        let line = parsed("dev -j list -a | find Lost now");
        assert!(line.json && line.all);
        assert_eq!(line.filter, Some(Filter::Find("Lost now".to_owned())));
        assert_eq!(parsed("err | count").filter, Some(Filter::Count));
    }

    #[test]
    fn tab_completes_as_far_as_it_is_unique() {
        let insert = |line: &str| complete(line, &names()).insert;
        assert_eq!(insert("stat"), "us ");
        assert_eq!(insert("dev s"), "how ");
        assert_eq!(insert("dev show sh"), "");
        assert_eq!(insert("dev show r"), "eader ");
        assert_eq!(insert("why RD"), "-01");
        assert_eq!(insert("unit rest"), "art ");
        assert_eq!(insert("config stage l"), "ast-good ");
        assert_eq!(insert("status | f"), "ind ");
        assert_eq!(complete("zz", &names()), Completion::default());
        let choices = complete("m", &names()).choices;
        assert_eq!(
            crate::text::choices(&choices),
            ["mon     watch a device: raw bytes, frames, events    meters  progressive meters"]
        );
    }
}
