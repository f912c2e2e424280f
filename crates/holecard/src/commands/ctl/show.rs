//! What came of an action, in words: everything that the daemon tells has a text and a source already.

use std::io::{self, Write};

use serde_json::Value;

use crate::output::{QUIET, Styled};

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| operator_api::escaped(text).into_owned())
}

/// Each event's own words with its source; an event is an object of one kind.
pub(super) fn accepted(out: &mut impl Write, accepted: &Value) -> io::Result<()> {
    let events = accepted["events"].as_array().into_iter().flatten();
    for event in events.filter_map(|event| event.as_object()?.values().next()) {
        writeln!(out, "  {} {}", text(&event["text"]), Styled(QUIET, format!("[{}]", text(&event["clause"]))))?;
    }
    writeln!(out, "{}", Styled(QUIET, format!("done, record {}", accepted["record"])))
}
