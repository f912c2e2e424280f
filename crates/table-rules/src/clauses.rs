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
}

impl Status {
    pub const ALL: [Self; 5] = [Self::Computed, Self::Enforced, Self::Configured, Self::Prompted, Self::Physical];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Enforced => "enforced",
            Self::Configured => "configured",
            Self::Prompted => "prompted",
            Self::Physical => "physical",
        }
    }

    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Computed => "decides a result that the engine works out",
            Self::Enforced => "what it forbids is refused",
            Self::Configured => "leaves a choice that the rules submission answers",
            Self::Prompted => "a step that the dealer is told to do",
            Self::Physical => "about things and people that no device or input tells of",
        }
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// A clause of a game's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    pub game: Game,
    pub id: &'static str,
    pub status: Status,
    pub paraphrase: &'static str,
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
pub fn clauses(game: Game) -> impl Iterator<Item = Clause> {
    table(game).lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let mut fields = line.splitn(3, '\t');
        let (id, status, paraphrase) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Clause { game, id, status: Status::of(status)?, paraphrase })
    })
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
    fn clauses_and_ids_are_the_same_set() {
        let pinned: Vec<(&str, &str)> =
            include_str!("../clauses/ids.txt").lines().filter_map(|line| line.split_once('\t')).collect();
        for game in Game::ALL {
            let mut ids: Vec<&str> = clauses(game).map(|clause| clause.id).collect();
            let mut listed: Vec<&str> =
                pinned.iter().filter(|(of, _)| *of == game.id()).map(|(_, id)| id.trim()).collect();
            ids.sort_unstable();
            listed.sort_unstable();
            assert_eq!(ids, listed, "{game}");
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
