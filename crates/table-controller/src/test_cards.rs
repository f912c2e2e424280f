//! The sealed test set: which card goes into the reader as if under which card, and what the reader has to say.

use serde::{Deserialize, Serialize};
use table_rules::Table;
use table_rules::card::Rank;

use crate::input::{ReaderAnswer, UpCardGroup};

/// A card of the sealed test set, or a way to hold one, with what the reader has to say about it under a group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestCard {
    pub name: String,
    pub group: UpCardGroup,
    pub expected: ReaderAnswer,
}

/// What an answer of the reader says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Judged {
    Right,
    /// In words.
    Wrong(String),
    /// Inserted under what was armed before, around a start: nothing that the reader could have got right.
    TooEarly,
}

impl TestCard {
    /// What to do with it.
    pub(crate) fn order(&self) -> String {
        format!("Insert the {} as if under {}", self.name, under(self.group))
    }

    /// The one judgement of a test card, at the inspection and in service.
    pub(crate) fn judge(&self, group: UpCardGroup, answer: ReaderAnswer) -> Judged {
        if self.group != group {
            Judged::TooEarly
        } else if self.expected != answer {
            let (got, expected) = (answer.word(), self.expected.word());
            Judged::Wrong(format!("{}: {got} where {expected} belongs", self.name).to_lowercase())
        } else {
            Judged::Right
        }
    }

    fn new(name: &str, group: UpCardGroup, expected: ReaderAnswer) -> Self {
        Self { name: name.to_owned(), group, expected }
    }

    /// Eight insertions: both groups, a card that completes each and cards that do not, a blank one, both ways round.
    pub fn daily(table: &Table) -> Vec<Self> {
        use {ReaderAnswer as A, UpCardGroup as G};
        let ten = ten_value(table);
        vec![
            Self::new(ten, G::Ace, A::Yes),
            Self::new("king, upside down", G::Ace, A::Yes),
            Self::new("ace", G::Ace, A::No),
            Self::new("nine", G::Ace, A::No),
            Self::new("ace", G::Ten, A::Yes),
            Self::new("ace, upside down", G::Ten, A::Yes),
            Self::new("five", G::Ten, A::No),
            Self::new("blank card", G::Ten, A::Unread),
        ]
    }

    /// The whole set: each card of the set under both groups, in two orientations and both suit colours, and the ways
    /// in which a card cannot be read.
    pub fn full(table: &Table) -> Vec<Self> {
        use {ReaderAnswer as A, UpCardGroup as G};
        let mut set = Vec::new();
        let tens: &[&str] = if table.game.plays_with(Rank::Ten) {
            &["king", "queen", "jack", "ten"]
        } else {
            &["king", "queen", "jack"]
        };
        for colour in ["red", "black"] {
            for way in ["", ", upside down"] {
                for (name, under_ace, under_ten) in tens.iter().map(|name| (*name, A::Yes, A::No)).chain([
                    ("ace", A::No, A::Yes),
                    ("nine", A::No, A::No),
                    ("five", A::No, A::No),
                ]) {
                    set.push(Self::new(&format!("{colour} {name}{way}"), G::Ace, under_ace));
                    set.push(Self::new(&format!("{colour} {name}{way}"), G::Ten, under_ten));
                }
            }
        }
        for name in ["blank card", "king, face up", "king, half inserted"] {
            set.push(Self::new(name, G::Ace, A::Unread));
            set.push(Self::new(name, G::Ten, A::Unread));
        }
        set
    }
}

fn ten_value(table: &Table) -> &'static str {
    if table.game.plays_with(Rank::Ten) { "ten" } else { "jack" }
}

/// The up card that the reader is told of, in a sentence.
pub(crate) const fn under(group: UpCardGroup) -> &'static str {
    match group {
        UpCardGroup::Ace => "an ace",
        UpCardGroup::Ten => "a ten",
    }
}

pub(crate) const fn group_word(group: UpCardGroup) -> &'static str {
    match group {
        UpCardGroup::Ace => "ace",
        UpCardGroup::Ten => "ten",
    }
}
