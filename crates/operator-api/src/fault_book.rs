//! The fault book: what each code means, why it usually comes, what the table does and what to do about it. The one
//! source of these words: the technician's manual is printed from here, and alerts, screens, console and `holecard why`
//! show them.
//!
//! Remedies name the console's commands (`dev show reader`), never a shell's: who reads them has a console. Texts are
//! plain ASCII, because the console's terminal may know nothing else.

mod controller;
mod devices;
mod lines;
mod page;
mod ports;

use device_protocols::fault_code::{FaultCode, Part};
use serde::Serialize;

pub use page::{Occurrence, errno_words, page};

/// One fault, for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultText {
    pub number: u16,
    pub name: &'static str,
    pub meaning: &'static str,
    pub cause: &'static str,
    pub table: TableDoes,
    pub remedy: &'static str,
}

/// What the table does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableDoes {
    Same(&'static str),
    /// Each part has its own words for being out of reach: [`without`].
    PartIsOut,
}

impl TableDoes {
    pub const fn words(self, part: Part) -> &'static str {
        match self {
            Self::Same(words) => words,
            Self::PartIsOut => without(part),
        }
    }
}

/// What the table does while a part is out.
pub const fn without(part: Part) -> &'static str {
    match part {
        Part::Reader => "the round on the table is finished; no next one is dealt until the reader is back",
        Part::Shuffler => "play goes on; no batch is confirmed by the shuffler until it is back",
        Part::Shoe => "play goes on; each card is asked for by a tap",
        Part::LockOut => "no progressive bet is taken, every sensor counts as locked; the main game goes on",
        Part::Sensor => "this spot takes no progressive bet and its chips count as late; all others go on",
        Part::Lamp => {
            "its spots take no progressive bet, because the lamp is the proof of acceptance; all others go on"
        }
        Part::Expander => "the spots on it take no progressive bet; spots with a connection of their own go on",
        Part::Board | Part::Controller => "the table is closed",
    }
}

/// A chapter of the manual: some parts share their texts.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    pub title: &'static str,
    pub parts: &'static [Part],
    pub faults: &'static [FaultText],
}

pub const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Serial devices: the port and the link",
        parts: &[Part::Reader, Part::Shuffler, Part::Shoe],
        faults: ports::LINK,
    },
    Chapter { title: "Shoe: the link", parts: &[Part::Shoe], faults: ports::SHOE_LINK },
    Chapter { title: "Hole-card reader", parts: &[Part::Reader], faults: devices::READER },
    Chapter { title: "Shuffler", parts: &[Part::Shuffler], faults: devices::SHUFFLER },
    Chapter { title: "Card-reading shoe", parts: &[Part::Shoe], faults: devices::SHOE },
    Chapter { title: "Lock-out button", parts: &[Part::LockOut], faults: lines::LOCK_OUT },
    Chapter { title: "Position sensors", parts: &[Part::Sensor], faults: lines::SENSOR },
    Chapter { title: "Lamps", parts: &[Part::Lamp], faults: lines::LAMP },
    Chapter { title: "I2C expanders", parts: &[Part::Expander], faults: lines::EXPANDER },
    Chapter { title: "The board", parts: &[Part::Board], faults: lines::BOARD },
    Chapter { title: "The table itself", parts: &[Part::Controller], faults: controller::CONTROLLER },
];

/// Every code that has a text, in the order of its letters and numbers within the book's chapters.
pub fn codes() -> impl Iterator<Item = FaultCode> {
    CHAPTERS.iter().flat_map(|chapter| {
        let of_part =
            |part: &'static Part| chapter.faults.iter().map(move |text| FaultCode { part: *part, number: text.number });
        chapter.parts.iter().flat_map(of_part)
    })
}

/// One fault as it is sent to screens and printed: the text of its code, with the table's half sentence for its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Explained {
    #[serde(serialize_with = "as_written")]
    pub code: FaultCode,
    #[serde(serialize_with = "as_word")]
    pub part: Part,
    pub name: &'static str,
    pub meaning: &'static str,
    pub cause: &'static str,
    pub table: &'static str,
    pub remedy: &'static str,
}

fn as_written<S: serde::Serializer>(code: &FaultCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(code)
}

fn as_word<S: serde::Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(part.word())
}

pub fn explain(code: FaultCode) -> Option<Explained> {
    let of_part = CHAPTERS.iter().filter(|chapter| chapter.parts.contains(&code.part));
    let text = of_part.flat_map(|chapter| chapter.faults).find(|text| text.number == code.number)?;
    Some(Explained {
        code,
        part: code.part,
        name: text.name,
        meaning: text.meaning,
        cause: text.cause,
        table: text.table.words(code.part),
        remedy: text.remedy,
    })
}

/// The explanation of a code as it is written, where it is one of ours: alerts also cite clauses and readings.
pub fn explain_source(source: &str) -> Option<Explained> {
    source.parse().ok().and_then(explain)
}

/// The tables of `docs/technician/faults.md`.
pub fn manual() -> String {
    let mut manual = String::new();
    for chapter in CHAPTERS {
        manual.push_str(&format!("## {}\n\n", chapter.title));
        if let [_, _, ..] = chapter.parts {
            manual.push_str("What the table does while one of them is out:\n\n");
            for part in chapter.parts {
                manual.push_str(&format!("- {}: {}.\n", part.word(), without(*part)));
            }
            manual.push('\n');
        }
        manual.push_str("| code | fault | what it means | likely cause | what the table does | what to do |\n");
        manual.push_str("|---|---|---|---|---|---|\n");
        for text in chapter.faults {
            let codes: Vec<String> = chapter
                .parts
                .iter()
                .map(|part| format!("`{}`", FaultCode { part: *part, number: text.number }))
                .collect();
            let table = match (text.table, chapter.parts) {
                (TableDoes::PartIsOut, [_, _, ..]) => "the device is out, see above",
                (does, parts) => does.words(parts[0]),
            };
            manual.push_str(&format!(
                "| {} | {} | {} | {} | {table} | {} |\n",
                codes.join(" "),
                text.name,
                text.meaning,
                text.cause,
                text.remedy
            ));
        }
        manual.push('\n');
    }
    manual
}
