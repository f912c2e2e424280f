//! The log, settled rounds and meters. Nothing of a round that is open.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use operator_api::Picture;
use serde_json::{Value, json};
use table_rules::wager::WagerId;
use tech_console::Output;
use tech_console::output::NotDone;
use tech_console::text::{Moment, count, money, size, wrap};

use super::run::{Dialog, not_now};
use super::world::World;
use crate::commands::settled;

/// Lines of the log that are read at most.
const LINES_MAX: &str = "5000";
const FOUND_MAX: usize = 500;

fn journalctl(world: &World) -> Command {
    let mut command = Command::new(&world.journalctl);
    let unit = format!("--unit={}", world.unit);
    command.args([&unit, "--output=short-iso", "--no-pager", "--quiet"]).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

pub(super) fn log_find(world: &World, text: &str) -> Result<Output, NotDone> {
    let output = journalctl(world).args(["--lines", LINES_MAX]).output();
    let output = output.map_err(|_| not_now("the log cannot be read here: is this user in systemd-journal?"))?;
    let wanted = text.to_ascii_lowercase();
    let all = String::from_utf8_lossy(&output.stdout);
    let mut found: Vec<String> =
        all.lines().filter(|line| line.to_ascii_lowercase().contains(&wanted)).map(str::to_owned).collect();
    let left_out = found.len().saturating_sub(FOUND_MAX);
    found.drain(..left_out);
    let data = json!(found);
    let mut lines: Vec<String> = found.iter().flat_map(|line| wrap("", 4, line)).collect();
    if left_out > 0 {
        lines.insert(0, format!("... {} older lines left out", count(u64::try_from(left_out).unwrap_or(0))));
    }
    if lines.is_empty() {
        lines.push("nothing found".to_owned());
    }
    Ok(Output::text(lines, data))
}

/// The last thing that the daemon said of itself.
pub(super) fn last_words(world: &World) -> Option<String> {
    let mut command = Command::new(&world.journalctl);
    let unit = format!("--unit={}", world.unit);
    command.args([&unit, "--output=cat", "--no-pager", "--quiet", "--lines=50"]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = text.lines().rev().find_map(|line| line.strip_prefix("holecardd: "));
    said.map(str::to_owned)
}

pub(super) fn log_tail(world: &World, dialog: &mut dyn Dialog) -> Output {
    let mut command = journalctl(world);
    let Ok(mut child) = command.args(["--lines=10", "--follow"]).stdout(Stdio::piped()).spawn() else {
        return Output::text(vec!["the log cannot be read here".to_owned()], Value::Null);
    };
    let (sender, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    let mut printed = 0;
    while !dialog.stopped() {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => {
                for part in wrap("", 4, &line) {
                    dialog.line(&part, json!({ "line": line }));
                }
                printed += 1;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let _ended = child.kill();
    let _ended = child.wait();
    Output::text(vec![format!("{} lines", count(printed))], json!({ "lines": printed }))
}

pub(super) fn recall(world: &World, round: &str) -> Result<Output, NotDone> {
    let open = world.picture().filter(|picture| picture.table.round_open).map(|picture| picture.table.round);
    let number: u64 = round.parse().map_err(|_| not_now("a round is a number: recall 88"))?;
    if open == Some(number) {
        return Err(still_open(number));
    }
    if super::mon::is_down(world).is_ok_and(|down| down) {
        return recall_from_journal(world, number);
    }
    let answer = world.ask("GET", &format!("/api/v1/recall/{number}"), "");
    let answer = answer.map_err(|_| not_now("the daemon does not answer: look: unit status"))?;
    if answer.status >= 300 {
        let newest = world.picture().map_or(0, |picture: Picture| picture.table.round);
        return Err(not_now(format!(
            "round {} is not among the last ones, {} is the newest",
            count(number),
            count(newest)
        )));
    }
    if answer.body["finished"] != true {
        return Err(still_open(number));
    }
    Ok(round_lines(world, &answer.body))
}

/// While the daemon is down the journal is read here. A round that it leaves open is not shown.
fn recall_from_journal(world: &World, number: u64) -> Result<Output, NotDone> {
    match settled::round(&world.config.journal.directory, number) {
        Ok(settled::Round::Settled(body)) => Ok(round_lines(world, &body)),
        Ok(settled::Round::Open) => Err(still_open(number)),
        Ok(settled::Round::Unknown { newest }) => {
            Err(not_now(format!("round {} is not in the journal, {} is the newest", count(number), count(newest))))
        }
        Err(why) => Err(not_now(format!("the journal cannot be read here: {why}: look: disk"))),
    }
}

/// Everything that is settled, as a file on the board: nothing large goes over this cable.
pub(super) fn log_export(world: &World) -> Result<Output, NotDone> {
    let moment = world.moment(None);
    let name = moment.date_time().replace([' ', ':'], "-");
    let directory = super::change::own(world).join("export");
    let file = directory.join(format!("{}-{name}.jsonl", world.table_id()));
    let exported = settled::export(&world.config.journal.directory, &file);
    let exported = exported.map_err(|why| not_now(format!("it cannot be exported: {why}: look: disk")))?;
    let settled::Exported { records, bytes, sha256, left_out, head } = exported;
    let mut lines = vec![format!("{} records, {}, to {}", count(records), size(bytes), file.display())];
    lines.extend(wrap("", 0, &format!("record {} with hash {}; SHA-256 of the file:", count(head.0), head.1)));
    lines.push(sha256.clone());
    if left_out {
        lines.push("a round is open: its records are left out".to_owned());
    }
    let data = json!({
        "file": file, "records": records, "bytes": bytes, "sha256": sha256, "head": head.0, "hash": head.1,
        "open_round_left_out": left_out,
    });
    Ok(Output::text(lines.iter().flat_map(|line| wrap("", 4, line)).collect(), data))
}

fn still_open(number: u64) -> NotDone {
    let before = number.saturating_sub(1);
    not_now(format!("round {} is open and is shown when it is settled: try {before}", count(number)))
}

fn round_lines(world: &World, body: &Value) -> Output {
    let records = body["records"].as_array().cloned().unwrap_or_default();
    let number = |value: Option<&Value>, key: &str| value.and_then(|record| record[key].as_u64()).unwrap_or(0);
    let (first, last) = (number(records.first(), "sequence"), number(records.last(), "sequence"));
    let ended = records.last().and_then(|record| record["wall_us"].as_i64()).unwrap_or(0) / 1_000;
    let ended = Moment { unix_ms: ended, offset_s: world.config.day.offset_s(ended), doubtful: false };
    let round = count(body["round"].as_u64().unwrap_or(0));
    let mut lines =
        vec![format!("round {round}, finished {}, records {}-{}", ended.date_time(), count(first), count(last))];
    for record in &records {
        let sequence = count(record["sequence"].as_u64().unwrap_or(0));
        for event in record["events"].as_array().into_iter().flatten() {
            let Some((kind, about)) = event.as_object().and_then(|object| object.iter().next()) else { continue };
            // Acknowledgements to devices say nothing about the round.
            if kind == "link" {
                continue;
            }
            let text = about["text"].as_str().map_or_else(|| settled(about), str::to_owned);
            let clause = about["clause"].as_str().unwrap_or_default();
            lines.extend(wrap(&format!(" {sequence} "), 9, &format!("{text} [{clause}]")));
        }
    }
    Output::text(lines, body.clone())
}

/// A settled line has no text of its own.
fn settled(line: &Value) -> String {
    let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let pays = line["pays_cents"]
        .as_i64()
        .filter(|cents| *cents > 0)
        .map_or_else(String::new, |cents| format!(", pays {}", money(cents)));
    let seat = line["position"].as_u64().unwrap_or(0);
    format!("seat {seat}, {}: {}{pays}", WagerId::said_of(&word("wager")), word("outcome"))
}

pub(super) fn meters(world: &World) -> Result<Output, NotDone> {
    let answer = world.ask("GET", "/api/v1/meters", "");
    let answer = answer.map_err(|_| not_now("the daemon does not answer: look: unit status"))?;
    let meters = answer.body.as_array().cloned().unwrap_or_default();
    let mut lines: Vec<String> = meters
        .iter()
        .map(|meter| {
            let cents = |key: &str| money(meter[key].as_i64().unwrap_or(0));
            let word = |key: &str| meter[key].as_str().unwrap_or_default();
            let balanced = if meter["balanced"] == true { "" } else { "   DOES NOT BALANCE" };
            format!(
                "{} {}   {}   reserve {}   overflow {}   {} hits of {}{balanced}",
                WagerId::said_of(word("wager")),
                word("meter"),
                cents("amount_cents"),
                cents("reserve_cents"),
                cents("overflow_cents"),
                meter["hits"],
                cents("wins_cents")
            )
        })
        .collect();
    if lines.is_empty() {
        lines.push("this table has no progressive meter".to_owned());
    }
    Ok(Output::text(lines, answer.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settled_line_is_told_in_words() {
        let line =
            json!({ "position": 3, "wager": "main", "outcome": "won", "pays_cents": 1500, "clause": "blackjack 13.A" });
        assert_eq!(settled(&line), "seat 3, main bet: won, pays $15");
        let lost = json!({ "position": 3, "wager": "main", "outcome": "lost", "pays_cents": 0, "stake_cents": 1000 });
        assert_eq!(settled(&lost), "seat 3, main bet: lost");
    }
}
