//! The record of an inspection as one printed sheet, A4 or letter: the browser prints it from the screen, the command line
//! tool from the journal. Plain markup without styles; `sheet.css` of the screen's files has those.

use std::fmt::Write as _;

use table_rules::game::Game;

use crate::calendar::{date, time};
use crate::free_text::escaped;
use crate::inspection_record::{InspectionRecord, RecordCard, RecordPause};

/// What the journal says of the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetSeal {
    /// The record whose hash follows.
    pub sequence: u64,
    pub hash: String,
}

impl InspectionRecord {
    pub fn verdict(&self) -> &'static str {
        if self.passed { "passed" } else { "failed" }
    }

    /// The next gaming day; the same one where it failed.
    pub fn next_due(&self) -> String {
        if self.passed { date(self.day + 1) } else { format!("{}, again", date(self.day)) }
    }

    /// The printed sheet, without styles. Everything that people or devices wrote is escaped.
    pub fn sheet(&self, seal: Option<&SheetSeal>) -> String {
        let mut html = String::with_capacity(8 * 1024);
        let game = self.game.parse::<Game>().map_or_else(|_| self.game.as_str(), |game| game.title());
        let full = if self.full { "Full" } else { "Daily" };
        let (mark, word) = if self.passed { ("✓", "PASSED") } else { ("✕", "FAILED") };
        put(
            &mut html,
            format_args!(
                "<header><div><h1>{full} inspection of the hole-card reader</h1><p>{} · table {} · gaming day {}</p></div>\
                 <p class=\"right\">Record {}<br>{}</p></header>\
                 <div class=\"result {}\"><p>Result<b>{mark} {word}</b></p><p>Began<b>{}</b></p><p>Signed<b>{}</b></p>\
                 <p>Next due<b>{}</b></p></div>",
                clean(game),
                clean(&self.table),
                date(self.day),
                self.sequence,
                clean(&self.source),
                self.verdict(),
                time(self.began),
                time(self.signed),
                self.next_due(),
            ),
        );
        self.put_steps(&mut html);
        self.put_cards(&mut html);
        self.put_pauses(&mut html);
        let by = self.by.0;
        put(
            &mut html,
            format_args!(
                "<div class=\"signed\"><p>Person {by}<br>signed with PIN at {}</p><p>Signature on paper (if required)</p></div>",
                time(self.signed)
            ),
        );
        let version = env!("CARGO_PKG_VERSION");
        put(&mut html, format_args!("<footer><span>Holecard {version}"));
        if let Some(SheetSeal { sequence, hash }) = seal {
            put(&mut html, format_args!(" · journal record {sequence} <code>{}</code>", clean(hash)));
        }
        html.push_str("</span><span>page 1 of 1</span></footer>");
        html
    }

    fn put_steps(&self, html: &mut String) {
        html.push_str("<table class=\"steps\"><tr><th>Step<th>What was found<th>Result</tr>");
        for (at, step) in self.steps.iter().enumerate() {
            let result = match step.result.as_str() {
                "passed" => "✓",
                "failed" => "✕ failed",
                _ => "not done",
            };
            let (number, name, note) = (at + 1, clean(&step.name), clean(&step.note));
            put(html, format_args!("<tr><th>{number} {name}<td>{note}<td>{result}</tr>"));
        }
        html.push_str("</table>");
        for order in &self.work_orders {
            put(html, format_args!("<p class=\"order\">Work order {order} for the technician.</p>"));
        }
    }

    fn put_cards(&self, html: &mut String) {
        if self.cards.is_empty() {
            return;
        }
        html.push_str("<h2>Test cards: expected = read, unless marked</h2><table class=\"cards\">");
        // Two halves beside each other: the whole set has more cards than a sheet has lines.
        let columns = if self.cards.len() > 16 { 3 } else { 2 };
        let rows = self.cards.len().div_ceil(columns);
        for row in 0..rows {
            html.push_str("<tr>");
            for card in (0..columns).map(|column| self.cards.get(row + column * rows)) {
                match card {
                    Some(card) => {
                        let (name, under) = (clean(&card.name), clean(&card.under));
                        put(html, format_args!("<td>{under} up: {name}<td>{}", clean(&reads(card))));
                    }
                    None => html.push_str("<td><td>"),
                }
            }
            html.push_str("</tr>");
        }
        html.push_str("</table>");
    }

    fn put_pauses(&self, html: &mut String) {
        if self.repeated == 0 && self.pauses.is_empty() {
            return;
        }
        html.push_str("<h2>Repeated and paused</h2><p>");
        if self.repeated > 0 {
            put(html, format_args!("{} done once more. ", self.repeated));
        }
        for RecordPause { step, from, to, restart } in &self.pauses {
            let what = if *restart { "Controller restarted" } else { "Paused" };
            put(html, format_args!("{what} {} to {}, then step {step}. ", time(*from), time(*to)));
        }
        html.push_str("</p>");
    }
}

/// What was expected, and what was read where it was another thing or not at once.
fn reads(card: &RecordCard) -> String {
    let all = card.read.join(", ");
    if card.read.len() == 1 && card.read.first() == Some(&card.expected) {
        all
    } else {
        format!("! {all} (expected {})", card.expected)
    }
}

fn put(html: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _written = html.write_fmt(what);
}

/// Text between tags.
fn clean(text: &str) -> String {
    escaped(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::PersonId;
    use crate::inspection_record::RecordStep;

    #[test]
    fn the_sheet_says_everything_and_forged_words_stay_words() {
        let text = |text: &str| text.to_owned();
        let record = InspectionRecord {
            table: text("BJ-07"),
            game: text("players-edge-21"),
            day: 20_587,
            full: false,
            passed: false,
            sequence: 18_011,
            by: PersonId(2041),
            began: Some(524),
            signed: Some(541),
            steps: vec![RecordStep { name: text("seals"), result: text("failed"), note: text("<b>A & B</b>") }],
            cards: vec![RecordCard {
                name: text("nine"),
                under: text("ace"),
                expected: text("no"),
                read: vec![text("unread"), text("no")],
            }],
            repeated: 1,
            pauses: vec![RecordPause { step: 4, from: Some(531), to: Some(534), restart: false }],
            work_orders: vec![3],
            source: text("players-edge-21 2.G"),
        };
        let seal = SheetSeal { sequence: 18_011, hash: text("5be091c7") };
        let html = record.sheet(Some(&seal));
        for part in [
            "Player's Edge 21",
            "gaming day Thu 14 May 2026",
            "Record 18011",
            "✕ FAILED",
            "08:44",
            "Thu 14 May 2026, again",
            "&lt;b&gt;A &amp; B&lt;/b&gt;",
            "Work order 3",
            "! unread, no (expected no)",
            "Paused 08:51 to 08:54, then step 4",
            "Person 2041",
            "journal record 18011 <code>5be091c7</code>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("<b>A"));
        assert_eq!(InspectionRecord { passed: true, ..record }.next_due(), "Fri 15 May 2026");
    }
}
