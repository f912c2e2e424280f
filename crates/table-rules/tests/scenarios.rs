//! Plays every `.round` file under `tests/scenarios` and checks what it expects. `docs/testing.md` is the manual.
//!
//! A file holds rounds that a floorperson can read. Each starts with `round TITLE`, says what it rests on with `cites`,
//! and is otherwise a play script with expectations about the input just before them:
//!
//! ```text
//! round A blackjack is paid at once under a low up card
//! cites spanish-21 7.H(1)(a)
//! rules spanish-21                 a shipped submission
//! with decks = 8                   a line of it replaced or added
//! tracking procedure               otherwise `cards`
//! start closed                     otherwise the table is open and its shoe loaded
//! wager 1 main 10
//! > Seat 1 bets $10 [6.A]          an event said this, with this source
//! ? Take bets [6.A]                the prompt now says this
//! ! Above the table maximum [H3]   the input was refused for this reason
//! - pays                           no event said this
//! offered lock card                the prompt offers these words
//! not-offered hit stand            and not these
//! restart                          the power goes and comes back: everything stands as before
//! ```

#![expect(clippy::unwrap_used, reason = "a scenario that cannot be read should stop the test")]

#[path = "words/mod.rs"]
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use table_rules::input::InputKind;
use table_rules::script::{Step, parse_step};
use table_rules::submission::RulesSubmission;
use table_rules::text::{ORDER_MAX, PitLines, SITUATION_MAX};
use table_rules::{Engine, Events, Refusal, Table, Tracking};

#[test]
fn every_scenario_plays_as_written() {
    let files = round_files(&manifest_dir().join("tests/scenarios"));
    assert!(!files.is_empty(), "no .round files found");
    let known = known_ids();
    let mut failures = Vec::new();
    let mut rounds = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(manifest_dir().join("tests/scenarios")).unwrap().display().to_string();
        let mut scenario = Scenario::new(&known);
        for (number, line) in text.lines().enumerate() {
            if let Err(problem) = scenario.line(line) {
                failures.push(format!("{name}:{}: {problem}\n      in round: {}", number + 1, scenario.title));
            }
        }
        if let Err(problem) = scenario.end_round() {
            failures.push(format!("{name}: at the end: {problem}\n      in round: {}", scenario.title));
        }
        rounds += scenario.rounds;
    }
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
    println!("{rounds} rounds played");
}

struct Scenario<'k> {
    known: &'k BTreeSet<(String, String)>,
    title: String,
    rounds: usize,
    cites: usize,
    rules: Option<String>,
    with: Vec<String>,
    tracking: Tracking,
    closed: bool,
    engine: Option<Engine>,
    events: Events,
    refused: Option<(Refusal, String, bool)>,
}

impl<'k> Scenario<'k> {
    fn new(known: &'k BTreeSet<(String, String)>) -> Self {
        Self {
            known,
            title: String::new(),
            rounds: 0,
            cites: 0,
            rules: None,
            with: Vec::new(),
            tracking: Tracking::Cards,
            closed: false,
            engine: None,
            events: Events::new(),
            refused: None,
        }
    }

    fn end_round(&mut self) -> Result<(), String> {
        self.check_refusal_was_expected()?;
        if self.rounds > 0 && self.cites == 0 {
            return Err("the round cites nothing".to_owned());
        }
        Ok(())
    }

    fn check_refusal_was_expected(&mut self) -> Result<(), String> {
        match self.refused.take() {
            Some((refusal, line, false)) => Err(format!("`{line}` was refused: {refusal}")),
            Some((_, _, true)) | None => Ok(()),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "round" => {
                let ended = self.end_round();
                self.title = rest.to_owned();
                self.rounds += 1;
                self.cites = 0;
                self.rules = None;
                self.with.clear();
                self.tracking = Tracking::Cards;
                self.closed = false;
                self.engine = None;
                ended
            }
            "cites" => self.cite(rest),
            "rules" => {
                self.rules = Some(rest.to_owned());
                Ok(())
            }
            "with" => {
                self.with.push(rest.to_owned());
                Ok(())
            }
            "tracking" => {
                self.tracking = match rest {
                    "cards" => Tracking::Cards,
                    "procedure" => Tracking::Procedure,
                    other => return Err(format!("unknown tracking level {other}")),
                };
                Ok(())
            }
            "start" => {
                self.closed = rest == "closed";
                if self.closed { Ok(()) } else { Err("write: start closed".to_owned()) }
            }
            ">" => self.expect_event(rest),
            "-" => self.expect_no_event(rest),
            "?" => self.expect_prompt(rest),
            "!" => self.expect_refusal(rest),
            "offered" => self.expect_offers(rest, true),
            "not-offered" => self.expect_offers(rest, false),
            _ => self.play(line),
        }
    }

    fn cite(&mut self, rest: &str) -> Result<(), String> {
        let (game, id) = rest.split_once(' ').ok_or("write: cites GAME ID")?;
        self.cites += 1;
        if self.known.contains(&(game.to_owned(), id.to_owned()))
            || self.known.contains(&(String::new(), id.to_owned()))
        {
            Ok(())
        } else {
            Err(format!("no clause or reading {game} {id}"))
        }
    }

    fn engine(&mut self) -> Result<&mut Engine, String> {
        if self.engine.is_none() {
            let rules = self.rules.as_deref().ok_or("no `rules` line before the first input")?;
            let table = load(rules, &self.with)?;
            self.engine = Some(match self.closed {
                true => Engine::closed(table, self.tracking),
                false => Engine::new(table, self.tracking),
            });
        }
        Ok(self.engine.as_mut().unwrap())
    }

    fn play(&mut self, line: &str) -> Result<(), String> {
        let earlier = self.check_refusal_was_expected();
        let step = parse_step(line).map_err(|error| error.to_string())?.ok_or("nothing to play")?;
        self.events.clear();
        let input = match step {
            Step::Input(input) => input,
            Step::Restart => return earlier.and(self.restart()),
        };
        let mut events = std::mem::take(&mut self.events);
        let result = self.engine().map(|engine| engine.apply(&input, &mut events));
        self.events = events;
        let mut said: Vec<String> = self.events.iter().map(ToString::to_string).collect();
        if let Err(refusal) = result? {
            said.push(refusal.to_string());
            self.refused = Some((refusal, line.to_owned(), false));
        }
        let words = self.engine()?.order_in_words();
        said.push(words.to_string());
        let lines = words.lines();
        earlier.and(plain(&said)).and(measure(&lines))
    }

    /// Rebuilds the engine from its snapshot: to whoever looks at it, it must be the same (H18).
    fn restart(&mut self) -> Result<(), String> {
        let engine = self.engine()?;
        let back = Engine::restored(engine.table().clone(), engine.tracking(), &engine.snapshot())
            .map_err(|cause| format!("the table does not come back: {cause}"))?;
        if back.prompt() != engine.prompt() || back.view() != engine.view() {
            return Err(format!("the table comes back with another prompt or view: {}", back.prompt()));
        }
        *engine = back;
        Ok(())
    }

    fn expect_event(&mut self, expected: &str) -> Result<(), String> {
        self.check_refusal_was_expected()?;
        let said: Vec<String> = self.events.iter().map(ToString::to_string).collect();
        if said.iter().any(|text| matches(text, expected)) {
            return Ok(());
        }
        Err(format!("expected `{expected}`\n      got: {}", said.join("\n           ")))
    }

    /// Where a sentence begins with them or goes on with them, the words are not said.
    fn expect_no_event(&mut self, unwanted: &str) -> Result<(), String> {
        let lower = unwanted.to_lowercase();
        match self.events.iter().map(ToString::to_string).find(|text| text.to_lowercase().contains(&lower)) {
            Some(text) => Err(format!("expected nothing like `{unwanted}`, got: {text}")),
            None => Ok(()),
        }
    }

    fn expect_prompt(&mut self, expected: &str) -> Result<(), String> {
        let engine = self.engine()?;
        let (words, source) = (engine.order_in_words(), engine.order().1);
        let (short, long) = (words.lines().to_string(), words.to_string());
        // An order may do what several clauses ask for: any of them may be expected.
        let mut sources = std::iter::once(source.id()).chain(source.besides());
        let says = |id| [&short, &long].into_iter().any(|text| matches(&format!("{text} [{id}]"), expected));
        if sources.any(says) {
            Ok(())
        } else {
            Err(format!("expected the prompt `{expected}`\n      got: {short}\n      and: {}", engine.prompt()))
        }
    }

    fn expect_refusal(&mut self, expected: &str) -> Result<(), String> {
        if expected.is_empty() {
            return Err("write why it is refused after the `!`".to_owned());
        }
        match &mut self.refused {
            None => Err(format!("expected a refusal `{expected}`, but the input was accepted")),
            Some((refusal, _, seen)) => {
                *seen = true;
                let text = refusal.to_string();
                if matches(&text, &as_spoken(expected)) {
                    Ok(())
                } else {
                    Err(format!("expected the refusal `{expected}`\n      got: {text}"))
                }
            }
        }
    }

    fn expect_offers(&mut self, words: &str, wanted: bool) -> Result<(), String> {
        let prompt = self.engine()?.prompt();
        let offered: BTreeSet<&str> = prompt.offers.kinds.iter().map(InputKind::word).collect();
        for word in words.split_whitespace() {
            if offered.contains(word) != wanted {
                return Err(format!("`{word}` offered: {}; all offers: {offered:?}", offered.contains(word)));
            }
        }
        Ok(())
    }
}

/// A script's word between backticks stands for what it is called at the table, at the beginning as a sentence begins.
fn as_spoken(expected: &str) -> String {
    let kinds = || InputKind::ALL.into_iter().map(|kind| (format!("`{}`", kind.word()), kind.spoken()));
    kinds().fold(expected.to_owned(), |text, (word, spoken)| match text.strip_prefix(&word) {
        Some(rest) => format!("{}{}{rest}", spoken[..1].to_uppercase(), &spoken[1..]),
        None => text.replace(&word, spoken),
    })
}

/// What happened, was refused or is to be done is said without code words, names of records and words of our own.
fn plain(said: &[String]) -> Result<(), String> {
    let sentences = said.iter().map(|text| text.rsplit_once(" [").map_or(text.as_str(), |(sentence, _)| sentence));
    sentences.filter_map(words::complaint).next().map_or(Ok(()), Err)
}

/// What a dealer reads at arm's length fits its line, and holds no code.
fn measure(lines: &PitLines) -> Result<(), String> {
    for (text, most) in [(&lines.situation, SITUATION_MAX), (&lines.order, ORDER_MAX)] {
        let length = text.chars().count();
        if length == 0 || length > most || text.contains('`') {
            return Err(format!("`{text}` has {length} characters; 1 to {most} fit, none of them a code word"));
        }
    }
    Ok(())
}

/// The text has the words in it and, where the expectation ends in `[id]`, exactly that source.
fn matches(text: &str, expected: &str) -> bool {
    match expected.rsplit_once('[') {
        Some((words, id)) if expected.ends_with(']') => {
            let source = text.rsplit_once('[').map_or("", |(_, source)| source.trim_end_matches(']'));
            let id = id.trim_end_matches(']');
            has_words(text, words.trim()) && (source == id || source.split_once(' ').is_some_and(|(_, s)| s == id))
        }
        _ => has_words(text, expected),
    }
}

/// The text has these words in it as whole words: `$10` is neither in `$100` nor in `$10.50`.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        !(joins(before.chars().next_back(), words.chars().next()) || goes_on(words, after))
    })
}

fn joins(left: Option<char>, right: Option<char>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left.is_alphanumeric() && right.is_alphanumeric())
}

/// The last word goes on in `after`: more of a word, or the rest of a number.
fn goes_on(words: &str, after: &str) -> bool {
    let mut next = after.chars();
    let (last, first) = (words.chars().next_back(), next.next());
    let rest_of_number = last.is_some_and(|last| last.is_ascii_digit())
        && matches!(first, Some('.' | ','))
        && next.next().is_some_and(|digit| digit.is_ascii_digit());
    joins(last, first) || rest_of_number
}

#[test]
fn an_expected_amount_is_that_amount_and_no_longer_one() {
    assert!(matches("Seat 1, main bet: won, pays $20, returns $10 [spanish-21 7.Q]", "returns $10 [7.Q]"));
    assert!(matches("Seat 1, main bet: won, pays $20, returns $10", "pays $20"));
    assert!(!matches("Seat 1, main bet: won, pays $200, returns $10", "pays $20"));
    assert!(!matches("Seat 1, main bet: won, pays $20.50, returns $10", "pays $20"));
    assert!(!matches("Seat 1, main bet: won, pays $20,000", "pays $20"));
    assert!(!matches("Seat 11 bets", "Seat 1"));
    assert!(!matches("returns $10 [spanish-21 7.Q]", "returns $10 [7.R]"));
}

/// A shipped submission with some of its lines replaced; a new top-level line goes first, before any section.
fn load(rules: &str, with: &[String]) -> Result<Table, String> {
    let path = manifest_dir().join(format!("../../firmware-config/submissions/{rules}.toml"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    for setting in with {
        let key = setting.split_once('=').ok_or("write: with key = value")?.0.trim();
        let same_key = |line: &String| line.split_once('=').is_some_and(|(found, _)| found.trim() == key);
        match lines.iter().position(same_key) {
            Some(at) => lines[at].clone_from(setting),
            None => lines.insert(0, setting.clone()),
        }
    }
    let verdict = RulesSubmission::parse(&lines.join("\n")).check();
    verdict
        .table
        .map_err(|problems| problems.iter().map(|problem| problem.render(rules)).collect::<Vec<_>>().join("\n"))
}

/// Every clause as (game, id), and every reading as ("", id).
fn known_ids() -> BTreeSet<(String, String)> {
    let clauses = fs::read_to_string(manifest_dir().join("clauses/ids.txt")).unwrap();
    let readings = fs::read_to_string(manifest_dir().join("../../docs/rules/readings.md")).unwrap();
    let clauses = clauses.lines().filter_map(|line| line.split_once('\t')).map(|(g, i)| (g.to_owned(), i.to_owned()));
    let readings = readings
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .filter_map(|line| line.split_whitespace().next())
        .map(|id| (String::new(), id.to_owned()));
    clauses.chain(readings).collect()
}

fn round_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(round_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "round") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
