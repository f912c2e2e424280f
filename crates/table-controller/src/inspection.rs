//! The daily inspection: a list of steps that a floorperson goes through, pausable and resumable across a restart, and
//! ending in a signed record. Without one that passed, no round of that gaming day is dealt.

use operator_api::{InspectionView, PersonId, StepView};
use serde::{Deserialize, Serialize};
use table_rules::Table;
use table_rules::card::Rank;

use crate::input::{AnswerWord, GroupWord};

/// The steps in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    Seals,
    Housing,
    Identity,
    TestCards,
    Indicators,
    LockOut,
    Positions,
    Shuffler,
    Counters,
    Signature,
}

impl Step {
    pub const ALL: [Self; 10] = [
        Self::Seals,
        Self::Housing,
        Self::Identity,
        Self::TestCards,
        Self::Indicators,
        Self::LockOut,
        Self::Positions,
        Self::Shuffler,
        Self::Counters,
        Self::Signature,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Seals => "seals",
            Self::Housing => "housing",
            Self::Identity => "identity",
            Self::TestCards => "test cards",
            Self::Indicators => "indicators",
            Self::LockOut => "lock-out",
            Self::Positions => "positions",
            Self::Shuffler => "shuffler",
            Self::Counters => "counters",
            Self::Signature => "signature",
        }
    }

    const fn order(self) -> &'static str {
        match self {
            Self::Seals => "Read the seal numbers of the reader and enter them.",
            Self::Housing => "Look at housing, cable and lens: undamaged, clean, nothing foreign.",
            Self::Identity => "Compare the reader's serial number and firmware with the list.",
            Self::TestCards => "Insert the test card that is named.",
            Self::Indicators => "Watch the reader's lamps change colour; from the seats nothing can be seen of a card.",
            Self::LockOut => "Press the lock-out button.",
            Self::Positions => "Lay a chip on each spot and take it away again.",
            Self::Shuffler => "Compare the shuffler's display with its state here.",
            Self::Counters => "Look at the readings since the last inspection.",
            Self::Signature => "Sign the inspection.",
        }
    }
}

/// A card of the sealed test set, or a way to hold one, with what the reader has to say about it under a group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestCard {
    pub name: String,
    pub group: GroupWord,
    pub expected: AnswerWord,
}

impl TestCard {
    fn new(name: &str, group: GroupWord, expected: AnswerWord) -> Self {
        Self { name: name.to_owned(), group, expected }
    }

    /// Eight insertions: both groups, a card that completes each and cards that do not, a blank one, both ways round.
    pub fn daily(table: &Table) -> Vec<Self> {
        use {AnswerWord as A, GroupWord as G};
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
        use {AnswerWord as A, GroupWord as G};
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

/// What is known of finished inspections, and the one that runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inspections {
    pub(crate) running: Option<Running>,
    pub(crate) last: Option<Finished>,
    pub(crate) seals: Option<String>,
    pub(crate) firmware: Option<String>,
    /// A replaced or repaired reader passes the whole set first.
    pub(crate) full_needed: bool,
    pub(crate) counters: Counters,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) day: i64,
    pub(crate) passed: bool,
    pub(crate) by: PersonId,
}

/// Readings since the last inspection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) read: u32,
    pub(crate) unread: u32,
    pub(crate) wrong: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Running {
    pub(crate) day: i64,
    pub(crate) full: bool,
    pub(crate) by: PersonId,
    pub(crate) paused: bool,
    pub(crate) at: usize,
    /// Within the step: the test card, or how far the positions are.
    pub(crate) part: usize,
    pub(crate) chip_lies: bool,
    pub(crate) results: Vec<(bool, String)>,
}

impl Running {
    pub(crate) fn step(&self) -> Step {
        Step::ALL[self.at.min(Step::ALL.len() - 1)]
    }

    pub(crate) fn passed_so_far(&self) -> bool {
        self.results.iter().all(|(passed, _)| *passed)
    }

    /// Closes the current step and goes to the next.
    pub(crate) fn close_step(&mut self, passed: bool, note: String) {
        self.results.push((passed, note));
        self.at += 1;
        self.part = 0;
        self.chip_lies = false;
    }
}

impl Inspections {
    pub(crate) fn passed_on(&self, day: i64) -> bool {
        !self.full_needed && self.last.as_ref().is_some_and(|last| last.day == day && last.passed)
    }

    pub(crate) fn view(&self, source: String, cards: &[TestCard], spots: &str) -> Option<InspectionView> {
        let running = self.running.as_ref()?;
        let step = running.step();
        let text = match step {
            Step::TestCards => match cards.get(running.part) {
                Some(card) => {
                    let group = match card.group {
                        GroupWord::Ace => "an ace",
                        GroupWord::Ten => "a ten",
                    };
                    format!("Insert the {} as if under {group} ({} of {}).", card.name, running.part + 1, cards.len())
                }
                None => step.order().to_owned(),
            },
            Step::Positions => format!("{} Next: {spots}.", step.order()),
            Step::Counters => {
                let Counters { read, unread, wrong } = self.counters;
                format!("{} {read} read, {unread} unread, {wrong} wrong.", step.order())
            }
            Step::Seals
            | Step::Housing
            | Step::Identity
            | Step::Indicators
            | Step::LockOut
            | Step::Shuffler
            | Step::Signature => step.order().to_owned(),
        };
        let answers = match step {
            Step::Seals => vec!["<numbers>".to_owned(), "fail".to_owned()],
            Step::TestCards | Step::LockOut | Step::Positions => vec!["fail".to_owned()],
            Step::Signature => vec!["sign".to_owned()],
            Step::Housing | Step::Identity | Step::Indicators | Step::Shuffler | Step::Counters => {
                vec!["pass".to_owned(), "fail".to_owned()]
            }
        };
        let steps = Step::ALL.iter().enumerate().map(|(at, each)| {
            let (state, note) = match running.results.get(at) {
                Some((true, note)) => ("passed", note.clone()),
                Some((false, note)) => ("failed", note.clone()),
                None => ("open", String::new()),
            };
            StepView { name: each.name(), state, note }
        });
        Some(InspectionView {
            day: running.day,
            full: running.full,
            step: running.at + 1,
            steps: steps.collect(),
            text,
            source,
            answers,
            last: self
                .last
                .as_ref()
                .map(|last| format!("day {} {}", last.day, if last.passed { "passed" } else { "failed" })),
        })
    }
}
