//! The clauses and readings as data: our paraphrase of each, and what the product does about it.
//!
//! The same files feed the documents and the tests, so that what a person looks up is what the tests hold the engine to.
//! Nothing here decides anything.

use crate::game::Game;

/// What the product does about a clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It decides a result that the engine works out.
    Computed,
    /// What it forbids is refused.
    Enforced,
    /// It leaves a choice that the submission answers.
    Configured,
    /// The dealer is told to do it.
    Prompted,
    /// It is about things and people that no input tells of.
    Physical,
    /// The product does not do it yet.
    Open,
}

impl Status {
    pub const ALL: [Self; 6] =
        [Self::Computed, Self::Enforced, Self::Configured, Self::Prompted, Self::Physical, Self::Open];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Enforced => "enforced",
            Self::Configured => "configured",
            Self::Prompted => "prompted",
            Self::Physical => "physical",
            Self::Open => "open",
        }
    }

    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Computed => "decides a result that the engine works out",
            Self::Enforced => "what it forbids is refused",
            Self::Configured => "leaves a choice that the rules submission answers",
            Self::Prompted => "a step that the dealer is told to do",
            Self::Physical => "about things and people that no device or input tells of",
            Self::Open => "not done yet",
        }
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether a clause of this status is done somewhere and shown by something.
    pub const fn is_shown(self) -> bool {
        match self {
            Self::Computed | Self::Enforced | Self::Configured | Self::Prompted => true,
            Self::Physical | Self::Open => false,
        }
    }
}

/// A clause of a game's rules: one line of its table, five columns separated by tabs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause<'t> {
    pub game: Game,
    pub id: &'t str,
    pub status: Status,
    /// Where nothing does it, the reason stands behind a dash.
    pub paraphrase: &'t str,
    /// The file that does it: below this crate's `src`, below the crate, or below the workspace.
    pub done_in: Option<&'t str>,
    /// What shows it: a scenario below `tests/scenarios`, or another file below `tests`. It cites the clause.
    pub shown_by: Option<&'t str>,
}

impl<'t> Clause<'t> {
    pub fn read(game: Game, line: &'t str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next().filter(|field| !field.is_empty());
        let (id, status, paraphrase) = (next()?, Status::of(next()?)?, next()?);
        let [done_in, shown_by] = [next()?, next()?].map(|file| (file != "-").then_some(file));
        fields.next().is_none().then_some(Self { game, id, status, paraphrase, done_in, shown_by })
    }
}

/// A reading: our decision on a place where the rules leave a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadingText {
    pub id: &'static str,
    pub title: &'static str,
    /// The decision, and its options where it has some.
    pub text: &'static str,
}

const fn table(game: Game) -> &'static str {
    match game {
        Game::Blackjack => include_str!("../clauses/blackjack.tsv"),
        Game::Spanish21 => include_str!("../clauses/spanish-21.tsv"),
        Game::Pontoon21 => include_str!("../clauses/pontoon-21.tsv"),
        Game::PlayersEdge21 => include_str!("../clauses/players-edge-21.tsv"),
    }
}

const READINGS: &str = include_str!("../../../docs/rules/readings.md");

/// All clauses of a game, in the order of its document.
pub fn clauses(game: Game) -> impl Iterator<Item = Clause<'static>> {
    table(game).lines().filter(|line| !line.starts_with('#')).filter_map(move |line| Clause::read(game, line))
}

/// All readings, in the order of their document.
pub fn readings() -> impl Iterator<Item = ReadingText> {
    READINGS.split("\n### ").skip(1).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (id, title) = heading.split_once(" — ")?;
        // The last reading of a chapter is followed by the next chapter's heading.
        let text = text.split("\n## ").next().unwrap_or(text).trim();
        Some(ReadingText { id, title, text })
    })
}

/// What a clause of this game or a reading says, in our words.
pub fn paraphrase(game: Game, id: &str) -> Option<&'static str> {
    // A clause begins with its chapter's number, a reading with a letter.
    if id.starts_with(|first: char| first.is_ascii_digit()) {
        let is_asked_for = |line: &&str| line.strip_prefix(id).is_some_and(|rest| rest.starts_with('\t'));
        table(game).lines().find(is_asked_for).and_then(|line| Clause::read(game, line)).map(|clause| clause.paraphrase)
    } else {
        readings().find(|reading| reading.id == id).map(|reading| reading.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_table_is_a_clause() {
        for game in Game::ALL {
            let lines = table(game).lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
            assert_eq!(clauses(game).count(), lines, "{game}");
        }
    }

    #[test]
    fn each_clause_and_reading_is_found_by_its_id() {
        for game in Game::ALL {
            for clause in clauses(game) {
                assert_eq!(paraphrase(game, clause.id), Some(clause.paraphrase), "{game} {}", clause.id);
            }
            for reading in readings() {
                assert_eq!(paraphrase(game, reading.id), Some(reading.title), "{}", reading.id);
            }
            assert_eq!((paraphrase(game, "99.Z"), paraphrase(game, "Z9"), paraphrase(game, "")), (None, None, None));
        }
    }

    #[test]
    fn readings_have_text_and_distinct_ids() {
        let all: Vec<ReadingText> = readings().collect();
        assert!(all.len() > 50);
        for (at, reading) in all.iter().enumerate() {
            assert!(!reading.text.is_empty() && !reading.text.contains("\n#"), "{}", reading.id);
            assert!(all[..at].iter().all(|other| other.id != reading.id), "{} twice", reading.id);
        }
    }
}
