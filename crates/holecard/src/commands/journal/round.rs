//! One round, put together from what was recorded. Nothing is recomputed.

use std::collections::VecDeque;
use std::io::Write;

use serde_json::json;
use table_controller::{Carried, Unreadable};
use table_journal::{Record, RecordKind};

use super::{Reader, record, records};
use crate::output::{self, Failure, ORDER, Outcome, Styled, json_line};

/// Records before a lock that may hold its wagers.
const BEFORE_MAX: usize = 400;

pub(super) struct Found {
    pub(super) number: u64,
    pub(super) finished: bool,
    pub(super) records: Vec<Record>,
}

fn unreadable(sequence: u64) -> impl Fn(Unreadable) -> Failure {
    move |cause| Failure::Refused(format!("record {sequence}: {cause}"))
}

/// Reads the journal until the next round is locked. This one's wagers were placed before its lock and belong to it.
pub(super) fn find(reader: &Reader, number: u64) -> Result<Found, Failure> {
    let mut carried = Carried::default();
    let mut before: VecDeque<Record> = VecDeque::new();
    let mut found = Vec::new();
    let mut finished = false;
    for each in records(reader, 1)? {
        let each = each?;
        match each.kind {
            RecordKind::Checkpoint if found.is_empty() => {
                carried =
                    Carried::from_checkpoint(&each.events, each.sequence.0).map_err(unreadable(each.sequence.0))?;
                continue;
            }
            RecordKind::Checkpoint | RecordKind::Epoch | RecordKind::Close | RecordKind::Signature => continue,
            RecordKind::Input => {}
        }
        let was_open = carried.open_round;
        carried.follow(each.sequence.0, &each.events).map_err(unreadable(each.sequence.0))?;
        let is_of_round = was_open == Some(number) || carried.open_round == Some(number);
        if is_of_round {
            if found.is_empty() {
                let wagers = |record: &Record| {
                    let placed =
                        |event| record::words(event).0.contains("wager") || record::words(event).0 == "boxes-linked";
                    record::events(record).iter().any(placed)
                };
                found.extend(before.drain(..).filter(wagers));
            }
            found.push(each);
            // The dealer may open it again before the next one is locked (H5).
            finished = carried.open_round != Some(number);
        } else if !found.is_empty() && carried.round > number {
            break;
        } else {
            if was_open.is_some() {
                before.clear();
            }
            if before.len() == BEFORE_MAX {
                before.pop_front();
            }
            before.push_back(each);
        }
    }
    if found.is_empty() {
        let reason = format!("the journal has no round {number}; the last one is {}", carried.round);
        return Err(Failure::Refused(reason));
    }
    Ok(Found { number, finished, records: found })
}

pub(super) fn print(found: &Found, json: bool) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    if json {
        let records: Vec<_> = found.records.iter().map(record::whole).collect();
        json_line(&mut out, &json!({ "round": found.number, "finished": found.finished, "records": records }))?;
        return Ok(Outcome::Success);
    }
    let state = if found.finished { "" } else { ", not finished" };
    writeln!(out, "{}", Styled(ORDER, format_args!("round {}{state}", found.number)))?;
    for each in &found.records {
        record::print(&mut out, each)?;
    }
    Ok(Outcome::Success)
}
