//! A chart as a page to print: one file without anything else to load. Letters say everything; colours only help.

use std::fmt::Write as _;

use super::text::{dollars, percent};
use super::{Chart, Section, UP_CARD_NAMES};

const STYLE: &str = "\
@page { size: A4; margin: 12mm }
body { font: 10pt/1.3 system-ui, sans-serif; color: #111; margin: 1.5em auto; max-width: 60em }
h1 { font-size: 16pt; margin: 0 } h2 { font-size: 11pt; margin: 1em 0 .3em }
.charts { columns: 2; column-gap: 2em } section { break-inside: avoid }
table { border-collapse: collapse; width: 100% } th, td { border: 1px solid #999; text-align: center; padding: 0 .3em }
th:first-child { text-align: left; font-weight: normal; white-space: nowrap }
.S { background: #f4c7c3 } .H { background: #ffffff } .D { background: #c8e6c9 } .P { background: #bbdefb }
.R { background: #e0e0e0 }
p { margin: .3em 0 }
@media print { * { -webkit-print-color-adjust: exact; print-color-adjust: exact } }";

pub(super) fn page(chart: &Chart) -> String {
    let mut page = String::new();
    let _ = write_page(&mut page, chart);
    page
}

fn write_page(page: &mut String, chart: &Chart) -> std::fmt::Result {
    let title = escaped(chart.title);
    writeln!(page, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}: best play</title>")?;
    writeln!(page, "<style>\n{STYLE}\n</style>\n<h1>{title}: best play</h1>")?;
    writeln!(page, "<p>{}</p>", escaped(&chart.rules.join(", ")))?;
    let (edge, stake) = (percent(chart.edge), dollars(chart.stake_cents));
    writeln!(page, "<p>House edge {edge} of the opening wager (${stake}).</p>")?;
    let legend: Vec<String> =
        chart.legend().map(|(letter, word)| format!("<b class=\"{letter}\">&nbsp;{letter}&nbsp;</b> {word}")).collect();
    writeln!(page, "<p>{}</p>\n<div class=\"charts\">", legend.join(", "))?;
    for section in chart.sections.iter().filter(|section| !section.rows.is_empty()) {
        write_section(page, section)?;
    }
    write_worth(page, chart)?;
    writeln!(page, "</div>\n</html>")
}

fn write_section(page: &mut String, section: &Section) -> std::fmt::Result {
    write_head(page, section.title)?;
    for row in &section.rows {
        write!(page, "<tr><th>{}</th>", escaped(&row.hand))?;
        for letter in row.plays {
            write!(page, "<td class=\"{letter}\">{letter}</td>")?;
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</table>")?;
    if let Some(note) = section.note {
        writeln!(page, "<p>{}</p>", escaped(note))?;
    }
    writeln!(page, "</section>")
}

fn write_head(page: &mut String, title: &str) -> std::fmt::Result {
    let heads: Vec<String> = UP_CARD_NAMES.iter().map(|name| format!("<th>{name}</th>")).collect();
    writeln!(page, "<section>\n<h2>{}</h2>\n<table>\n<tr><th></th>{}</tr>", escaped(title), heads.concat())
}

fn write_worth(page: &mut String, chart: &Chart) -> std::fmt::Result {
    if chart.switch_worth.is_empty() {
        return Ok(());
    }
    write_head(page, "Switch: worth of a hand, in thousandths of its wager")?;
    for worth in &chart.switch_worth {
        write!(page, "<tr><th>{}</th>", escaped(&worth.hand))?;
        for millionths in worth.millionths {
            write!(page, "<td>{}</td>", millionths / 1000)?;
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</table>\n<p>Switch when the two hands after it are worth more together.</p>\n</section>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
