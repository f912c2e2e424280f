//! What each fault means, why it usually comes, what the table does and what to do about it. The technician's manual is
//! printed from here, and a test compares the two.

mod devices;
mod lines;
mod ports;

use super::{FaultCode, Part};

/// One fault, for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultText {
    pub number: u16,
    pub name: &'static str,
    pub meaning: &'static str,
    pub cause: &'static str,
    pub table: &'static str,
    pub remedy: &'static str,
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
];

pub fn text_of(code: FaultCode) -> Option<&'static FaultText> {
    let of_part = CHAPTERS.iter().filter(|chapter| chapter.parts.contains(&code.part));
    of_part.flat_map(|chapter| chapter.faults).find(|text| text.number == code.number)
}

/// The tables of `docs/technician/faults.md`.
pub fn manual() -> String {
    let mut page = String::new();
    for chapter in CHAPTERS {
        page.push_str(&format!("## {}\n\n", chapter.title));
        page.push_str("| code | fault | what it means | likely cause | what the table does | what to do |\n");
        page.push_str("|---|---|---|---|---|---|\n");
        for text in chapter.faults {
            let codes: Vec<String> = chapter
                .parts
                .iter()
                .map(|part| format!("`{}`", FaultCode { part: *part, number: text.number }))
                .collect();
            page.push_str(&format!(
                "| {} | {} | {} | {} | {} | {} |\n",
                codes.join(" "),
                text.name,
                text.meaning,
                text.cause,
                text.table,
                text.remedy
            ));
        }
        page.push('\n');
    }
    page
}
