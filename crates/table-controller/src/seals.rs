//! The seals of a table: each with its place and the number that was read last. Whoever says that all are the same is
//! asked for the last two signs of one, which the table picks and does not show.

use std::collections::BTreeMap;

use operator_api::SealView;
use serde::{Deserialize, Serialize};

use crate::config::Config;

/// Where a seal is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SealPlace {
    ReaderHousing,
    ReaderCable,
    ControllerDoor,
    ShufflerPort,
}

/// Signs of a seal's number: what stands beside its keys on the smallest screen.
const NUMBER_MAX: usize = 12;

impl SealPlace {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ReaderHousing => "reader housing",
            Self::ReaderCable => "reader cable",
            Self::ControllerDoor => "controller door",
            Self::ShufflerPort => "shuffler port",
        }
    }

    /// The seals that a table has.
    pub(crate) fn at(config: &Config) -> Vec<Self> {
        let mut places = Vec::new();
        if config.has_reader {
            places.extend([Self::ReaderHousing, Self::ReaderCable]);
        }
        places.push(Self::ControllerDoor);
        if config.has_shuffler {
            places.push(Self::ShufflerPort);
        }
        places
    }

    const fn is_readers(self) -> bool {
        match self {
            Self::ReaderHousing | Self::ReaderCable => true,
            Self::ControllerDoor | Self::ShufflerPort => false,
        }
    }
}

/// A number as it was last on record, and the gaming day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct KnownSeal {
    pub(crate) number: String,
    pub(crate) day: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct KnownSeals(pub(crate) BTreeMap<SealPlace, KnownSeal>);

impl KnownSeals {
    /// Another reader has seals of its own.
    pub(crate) fn forget_readers(&mut self) {
        self.0.retain(|place, _| !place.is_readers());
    }
}

/// The seals as far as they were looked at in the inspection that runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SealsToday {
    pub(crate) read: BTreeMap<SealPlace, String>,
    /// The last two signs of this one are asked for.
    pub(crate) asked: Option<SealPlace>,
    /// They were wrong once: from then on each seal is looked at by itself.
    pub(crate) one_by_one: bool,
}

/// What somebody says of the seals.
pub(crate) enum SealAnswer {
    AllSame,
    /// The seal at this number of the list is as it was.
    Same(usize),
    Number(usize, String),
    /// Every number, in the order of the list.
    All(Vec<String>),
    LastTwo(String),
}

impl SealAnswer {
    /// Reads an answer; nothing where it says nothing about seals.
    pub(crate) fn parse(answer: &str, asked: bool, seals: usize) -> Option<Self> {
        let words: Vec<&str> = answer.split_whitespace().collect();
        match words.as_slice() {
            ["all", "same"] if !asked => Some(Self::AllSame),
            [signs] if asked => (signs.len() <= 2 && is_number(signs)).then(|| Self::LastTwo((*signs).to_owned())),
            _ if asked => None,
            ["seal", at, what] => {
                let at = at.parse().ok().filter(|at| (1..=seals).contains(at))?;
                if *what == "same" {
                    return Some(Self::Same(at - 1));
                }
                is_number(what).then(|| Self::Number(at - 1, (*what).to_owned()))
            }
            numbers if numbers.len() == seals && numbers.iter().all(|number| is_number(number)) => {
                Some(Self::All(numbers.iter().map(|number| (*number).to_owned()).collect()))
            }
            _ => None,
        }
    }
}

/// What a seal's number is made of: what the letter pad has.
fn is_number(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=NUMBER_MAX).contains(&text.len()) && text.bytes().all(sign)
}

/// The last two signs of a number.
pub(crate) fn last_two(number: &str) -> &str {
    number.get(number.len().saturating_sub(2)..).unwrap_or(number)
}

/// Which of so many is asked for: from what no page chooses, and the same when the record is read again.
pub(crate) const fn pick(of: usize, sequence: u64, wall_ms: i64) -> usize {
    let mixed = (sequence ^ wall_ms.cast_unsigned().rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 33) as usize) % if of == 0 { 1 } else { of }
}

pub(crate) fn views(places: &[SealPlace], known: &KnownSeals, today: &SealsToday) -> Vec<SealView> {
    let view = |place: &SealPlace| {
        // While the table asks it tells no number: who answers reads the seal, not the page.
        let last = known.0.get(place).filter(|_| today.asked.is_none());
        SealView {
            name: place.name(),
            last: last.map(|last| last.number.clone()),
            last_day: last.map(|last| last.day),
            read: today.read.get(place).filter(|_| today.asked.is_none()).cloned(),
            asked: today.asked == Some(*place),
        }
    };
    places.iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seal_is_asked_for_some_time_and_none_much_more_often() {
        let mut times = [0_u32; 4];
        for sequence in 0..4000 {
            times[pick(4, sequence, 1_772_452_800_000 + i64::try_from(sequence).unwrap() * 977)] += 1;
        }
        assert!(times.iter().all(|count| (800..1200).contains(count)), "{times:?}");
        assert_eq!(pick(0, 7, 7), 0);
    }

    #[test]
    fn only_what_the_pads_can_say_is_a_number() {
        assert!(["A-1041", "7", "B-2207-X"].iter().all(|text| is_number(text)));
        assert!(["", "a-1041", "A 1", "A_1", "A-1041-A-1041-A-1041-X", "Ä1"].iter().all(|text| !is_number(text)));
        assert_eq!((last_two("A-1041"), last_two("7")), ("41", "7"));
        assert!(SealAnswer::parse("A-1 B-2", false, 2).is_some() && SealAnswer::parse("A-1", false, 2).is_none());
        assert!(SealAnswer::parse("all same", true, 2).is_none() && SealAnswer::parse("41", true, 2).is_some());
    }
}
