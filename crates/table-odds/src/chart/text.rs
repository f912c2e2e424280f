//! A chart for a terminal.
#![expect(clippy::float_arithmetic, reason = "finished figures on their way to the page")]

use std::fmt::Write as _;

use super::{Chart, Section, UP_CARD_NAMES};

const LABEL: usize = 24;

pub(super) fn page(chart: &Chart) -> String {
    let mut page = String::new();
    let _ = write_page(&mut page, chart);
    page
}

fn write_page(page: &mut String, chart: &Chart) -> std::fmt::Result {
    writeln!(page, "{}: best play", chart.title)?;
    for line in wrapped(&chart.rules, 96) {
        writeln!(page, "  {line}")?;
    }
    writeln!(page, "  house edge {} of the opening wager (${})", percent(chart.edge), dollars(chart.stake_cents))?;
    let legend: Vec<String> = chart.legend().map(|(letter, word)| format!("{letter} {word}")).collect();
    writeln!(page, "  {}", legend.join(", "))?;
    for section in &chart.sections {
        write_plays(page, section)?;
    }
    write_worth(page, chart)?;
    writeln!(page, "\nWhat each choice gains, in units of the opening wager")?;
    for section in chart.sections.iter().filter(|section| !section.rows.is_empty()) {
        write_gains(page, section)?;
    }
    Ok(())
}

fn write_plays(page: &mut String, section: &Section) -> std::fmt::Result {
    writeln!(page, "\n{:LABEL$}{}", section.title, UP_CARD_NAMES.join(" "))?;
    for row in &section.rows {
        let plays: Vec<String> = row.plays.iter().map(char::to_string).collect();
        writeln!(page, "  {:width$}{}", row.hand, plays.join(" "), width = LABEL - 2)?;
    }
    match section.note {
        Some(note) => writeln!(page, "  {note}"),
        None => Ok(()),
    }
}

fn write_gains(page: &mut String, section: &Section) -> std::fmt::Result {
    let heads: Vec<String> = UP_CARD_NAMES.iter().map(|name| format!("{name:>8}")).collect();
    writeln!(page, "\n{:width$}{}", section.title, heads.concat(), width = LABEL + 10)?;
    for row in &section.rows {
        let mut hand = row.hand.as_str();
        for choice in &row.choices {
            let gains = choice.gains.iter().map(|gain| match gain {
                Some(gain) => format!("{gain:>+8.4}"),
                None => format!("{:>8}", "-"),
            });
            let gains: String = gains.collect();
            writeln!(page, "  {hand:width$}{:10}{gains}", choice.play, width = LABEL - 2)?;
            hand = "";
        }
    }
    Ok(())
}

fn write_worth(page: &mut String, chart: &Chart) -> std::fmt::Result {
    if chart.switch_worth.is_empty() {
        return Ok(());
    }
    let heads: Vec<String> = UP_CARD_NAMES.iter().map(|name| format!("{name:>8}")).collect();
    writeln!(page, "\n{:LABEL$}{}", "Switch: worth of a hand", heads.concat())?;
    for worth in &chart.switch_worth {
        let gains = worth.millionths.map(|millionths| format!("{:>+8.4}", f64::from(millionths) / 1e6));
        writeln!(page, "  {:width$}{}", worth.hand, gains.concat(), width = LABEL - 2)?;
    }
    writeln!(page, "  Switch when the two hands after it are worth more together than the two before.")
}

/// Joins the parts with commas, in lines of at most so many characters.
fn wrapped(parts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.len() + part.len() + 2 <= width => {
                line.push_str(", ");
                line.push_str(part);
            }
            Some(_) | None => lines.push(part.clone()),
        }
    }
    lines
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.4} %", share * 100.0)
}

pub(super) fn dollars(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
