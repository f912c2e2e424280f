//! `config`, `unit`: what changes something says what it will do, asks once, and is on record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use operator_api::Role;
use serde_json::{Value, json};
use table_controller::Code;
use table_daemon::config::Config;
use tech_console::command::SecondPerson;
use tech_console::output::NotDone;
use tech_console::text::{count, wrap};
use tech_console::{Id, Mode, Output};

use super::run::{Dialog, Person, declined, not_now};
use super::world::{Answer, Round, World};

/// A configuration that comes over the cable.
const PASTE_BYTES_MAX: usize = 64 * 1024;
/// How long a start may take; systemd itself gives it two minutes.
const START_WITHIN: Duration = Duration::from_secs(120);

fn last_good(world: &World) -> PathBuf {
    world.config.console.last_good_file.clone()
}

/// The console's own directory, beside its spool.
pub(super) fn own(world: &World) -> PathBuf {
    world.config.console.spool_directory.parent().map_or_else(std::env::temp_dir, Path::to_owned)
}

fn staging(world: &World) -> PathBuf {
    own(world).join("staging")
}

pub(super) fn staged(world: &World) -> Vec<String> {
    let entries = fs::read_dir(staging(world)).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned)).collect()
}

fn text_of(path: &Path) -> Result<String, NotDone> {
    let unreadable =
        |error: io::Error| not_now(format!("{} cannot be read: {error}: look: config check", path.display()));
    fs::read_to_string(path).map_err(unreadable)
}

pub(super) fn hash(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn short(text: &str) -> String {
    hash(text).get(..8).unwrap_or_default().to_owned()
}

pub(super) fn file_hash(world: &World) -> String {
    fs::read_to_string(&world.config_file).map(|text| hash(&text)).unwrap_or_default()
}

pub(super) fn config_show(world: &World) -> Result<Output, NotDone> {
    let text = text_of(&world.config_file)?;
    let lines = text.lines().flat_map(|line| wrap("", 4, line).into_iter().map(move |part| keep_indent(line, part)));
    Ok(Output::text(lines.collect(), json!({ "file": world.config_file, "text": text })))
}

/// Wrapping eats the blanks that a line begins with.
fn keep_indent(line: &str, part: String) -> String {
    let indent = line.len() - line.trim_start().len();
    if part.starts_with(' ') || indent == 0 { part } else { format!("{}{part}", " ".repeat(indent.min(8))) }
}

pub(super) fn config_diff(world: &World) -> Result<Output, NotDone> {
    let (old, new) = (text_of(&last_good(world))?, text_of(&world.config_file)?);
    let mut lines = vec![format!("--- last-good {}    +++ {}", short(&old), world.config_file.display())];
    let changes = changes(&old, &new);
    if changes.is_empty() {
        return Ok(Output::text(vec![format!("no difference: {}", short(&old))], json!({ "changes": [] })));
    }
    for (sign, number, line) in &changes {
        lines.extend(wrap(&format!("{sign}{number} "), 4, line));
    }
    let data: Vec<Value> = changes.iter().map(|(sign, number, line)| json!([sign, number, line])).collect();
    Ok(Output::text(lines, json!({ "changes": data })))
}

/// Lines that only one of two texts has, in their order. Files of some dozens of lines: the plain way is fast enough.
fn changes(old: &str, new: &str) -> Vec<(char, usize, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // The longest common run of lines from each pair of places on.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            common[i][j] = if one == other { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j >= new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            found.push(('-', i + 1, old[i].to_owned()));
            i += 1;
        } else {
            found.push(('+', j + 1, new[j].to_owned()));
            j += 1;
        }
    }
    found
}

/// Every problem of a configuration, with its rules.
fn problems_of(path: &Path) -> Vec<String> {
    let told = |problems: Vec<table_daemon::config::ConfigProblem>| problems.iter().map(ToString::to_string).collect();
    match Config::load(&[path]) {
        Err(problems) => told(problems),
        Ok(config) => config.rules_table().err().map(told).unwrap_or_default(),
    }
}

pub(super) fn config_check(world: &World) -> Output {
    let problems = problems_of(&world.config_file);
    let lines = if problems.is_empty() {
        vec![format!("{}: good", world.config_file.display())]
    } else {
        problems
            .iter()
            .flat_map(|problem| problem.lines().flat_map(|line| wrap("", 4, line)).collect::<Vec<_>>())
            .collect()
    };
    Output::text(lines, json!({ "problems": problems }))
}

pub(super) fn config_paste(world: &World, name: &str, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    dialog.line("Paste the file, then a line `sha256 HASH` with its SHA-256. Ctrl-C gives up.", Value::Null);
    let mut text = String::new();
    let wanted = loop {
        let line = dialog.pasted().ok_or_else(declined)?;
        if let Some(hash) = line.strip_prefix("sha256 ") {
            break hash.trim().to_ascii_lowercase();
        }
        text.push_str(&line);
        text.push('\n');
        if text.len() > PASTE_BYTES_MAX {
            return Err(not_now("a configuration has at most 64 KiB: this is another file"));
        }
    };
    if hash(&text) != wanted {
        let found = hash(&text);
        return Err(not_now(format!("the text does not have that SHA-256 but {found}: paste it again")));
    }
    let path = staging(world).join(format!("{name}.toml"));
    let written = fs::create_dir_all(staging(world)).and_then(|()| fs::write(&path, &text));
    written.map_err(|error| not_now(format!("{} cannot be written: {error}: look: disk", path.display())))?;
    let problems = problems_of(&path);
    let mut lines = vec![format!(
        "{} bytes kept as {name}; config stage {name} puts it in place",
        count(u64::try_from(text.len()).unwrap_or(0))
    )];
    lines.extend(problems.iter().flat_map(|problem| wrap("% ", 2, problem)));
    Ok(Output::text(lines, json!({ "name": name, "problems": problems })))
}

pub(super) fn config_stage(world: &World, name: &str, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let now = world.now();
    may_stage(world.round(&now), now.mode, name)?;
    let from = if name == "last-good" { last_good(world) } else { staging(world).join(format!("{name}.toml")) };
    let text = text_of(&from)?;
    if let Some(problem) = problems_of(&from).first() {
        return Err(NotDone::new("refused", format!("{name} is wrong: {problem}"), ""));
    }
    let current = text_of(&world.config_file).unwrap_or_default();
    let changed = changes(&current, &text).iter().filter(|(sign, ..)| *sign == '+').count();
    let plural = if changed == 1 { "line goes" } else { "lines go" };
    let what = if name == "last-good" { "back" } else { "in" };
    let said = format!("Check: good. {changed} {plural} {what}, loaded at the next start.");
    let second = dialog.second(&said, &[Role::Manager]).ok_or_else(declined)?;
    if !dialog.confirm("") {
        return Err(declined());
    }
    let kept = put(world, &text)
        .map_err(|error| not_now(format!("{} cannot be written: {error}: look: disk", world.config_file.display())))?;
    let line = format!("staged {}; the edited file is kept as {}", short(&text), kept.display());
    Ok(Output::text(vec![line], json!({ "staged": hash(&text), "second": second.number })))
}

/// A round ends under the configuration that it began with. `last-good` is that one, so a daemon that is down may get it
/// back whatever the journal holds; anything else waits until no round is open.
fn may_stage(round: Round, mode: Mode, name: &str) -> Result<(), NotDone> {
    let back = name == "last-good" && mode == Mode::Down;
    match round {
        Round::Between => Ok(()),
        Round::Open(_) | Round::Unknown if back => Ok(()),
        Round::Open(number) => {
            let number = count(number);
            let code = Code::PowerLostInRound;
            Err(NotDone::new("not-now", format!("round {number} is open: stage it between rounds"), code.to_string()))
        }
        Round::Unknown => Err(NotDone::new(
            "not-now",
            "nobody can say whether a round is open, so it counts as open: only last-good, while the daemon is down",
            Code::PowerLostInRound.to_string(),
        )),
    }
}

/// The file that was there is kept first: beside it, or where this user may write.
fn put(world: &World, text: &str) -> io::Result<PathBuf> {
    let file = &world.config_file;
    let beside = file.with_extension("toml.rejected");
    let name = beside.file_name().map(PathBuf::from).unwrap_or_default();
    let kept = match fs::copy(file, &beside) {
        Ok(_) => name,
        Err(_) => {
            let elsewhere = own(world).join(&name);
            fs::copy(file, &elsewhere)?;
            elsewhere
        }
    };
    let fresh = file.with_extension("toml.staged");
    let written = fs::write(&fresh, text)
        .and_then(|()| fs::set_permissions(&fresh, fs::metadata(file)?.permissions()))
        .and_then(|()| fs::File::open(&fresh)?.sync_all())
        .and_then(|()| fs::rename(&fresh, file));
    match written {
        Ok(()) => Ok(kept),
        // Only the file itself may be written here: in place, and what was there is kept.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            put_in_place(file, &pending(world), text)?;
            Ok(kept)
        }
        Err(error) => Err(error),
    }
}

fn pending(world: &World) -> PathBuf {
    own(world).join("pending.toml")
}

/// A file that is written in place may be torn by a power cut: the whole text lies durably elsewhere first, and a console
/// that starts finishes what was begun.
fn put_in_place(file: &Path, pending: &Path, text: &str) -> io::Result<()> {
    write_durably(pending, text)?;
    write_durably(file, text)?;
    fs::remove_file(pending)
}

fn write_durably(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    fs::File::open(path)?.sync_all()?;
    path.parent().map_or(Ok(()), |parent| fs::File::open(parent)?.sync_all())
}

/// Finishes a `config stage` that a power cut broke off. A file that somebody else wrote since is left alone.
pub(super) fn finish_pending(world: &World) {
    let pending = pending(world);
    if let Err(error) = finish(&world.config_file, &pending)
        && error.kind() != io::ErrorKind::NotFound
    {
        eprintln!("console: {} is half staged and cannot be finished: {error}", world.config_file.display());
    }
}

fn finish(file: &Path, pending: &Path) -> io::Result<()> {
    let text = fs::read_to_string(pending)?;
    if is_torn(&fs::read(file)?, text.as_bytes()) {
        put_in_place(file, pending, &text)
    } else {
        fs::remove_file(pending)
    }
}

/// The beginning of a text, or its beginning and zeros: what a write in place leaves that was cut off.
fn is_torn(found: &[u8], wanted: &[u8]) -> bool {
    let written = found.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    found != wanted && wanted.starts_with(&found[..written])
}

pub(super) fn unit_status(world: &World) -> Output {
    let now = world.now();
    let unit = &now.unit;
    let mut lines = tech_console::show::status(world.table_id(), Mode::Down, unit, None, &[], now.moment);
    lines.remove(0);
    Output::text(
        lines,
        json!({ "state": unit.state, "result": unit.result, "restarts": unit.restarts, "exit": unit.exit_status }),
    )
}

/// Says what will happen and asks: one person between rounds, two while a round is open or nobody knows.
fn agree(round: Round, id: Id, dialog: &mut dyn Dialog, text: &str) -> Result<(), NotDone> {
    let roles = tech_console::commands::find(id).map_or(SecondPerson::InChargeInRound, |row| row.second).roles();
    let alone = round == Round::Between;
    if !alone {
        dialog.second(&format!("{text} Two people [TC-006]."), roles).ok_or_else(declined)?;
    }
    if dialog.confirm(if alone { text } else { "" }) { Ok(()) } else { Err(declined()) }
}

pub(super) fn unit_restart(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let round = world.round(&world.now());
    let text = match round {
        Round::Open(number) => format!(
            "Round {} is open: the screen is dark about 5 s, the round comes back from the journal, TC-015 waits there.",
            count(number)
        ),
        Round::Unknown => "Restarts holecardd. A round may be open: it comes back from the journal.".to_owned(),
        Round::Between => "Restarts holecardd: the screen is dark about 5 s.".to_owned(),
    };
    agree(round, Id::UnitRestart, dialog, &text)?;
    let took = ask_systemd(world, &["restart"])?;
    Ok(ready(&took, round))
}

fn ready(took: &str, round: Round) -> Output {
    let (open, after) = match round {
        Round::Open(number) => {
            let number = count(number);
            let after = format!("READY after {took}, round {number} as before. Acknowledge TC-015 at the screen");
            (Some(number), after)
        }
        Round::Between | Round::Unknown => (None, format!("READY after {took}")),
    };
    Output::text(vec![after], json!({ "took": took, "round": open }))
}

pub(super) fn unit_reset_failed(world: &World, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let now = world.now();
    let round = world.round(&now);
    let restarts = now.unit.restarts;
    let mut text = if restarts == 0 {
        "Forgets failed starts and starts holecardd.".to_owned()
    } else {
        format!("Forgets {restarts} failed starts and starts holecardd.")
    };
    match round {
        Round::Between => {}
        Round::Open(number) => text.push_str(&format!(" Round {} is open.", count(number))),
        Round::Unknown => text.push_str(" A round may be open."),
    }
    agree(round, Id::UnitResetFailed, dialog, &text)?;
    let took = ask_systemd(world, &["reset-failed", "start"])?;
    Ok(ready(&took, round))
}

/// Each verb in its turn, then until the daemon says that it is ready: `start` and `restart` return then.
fn ask_systemd(world: &World, verbs: &[&str]) -> Result<String, NotDone> {
    let began = Instant::now();
    for verb in verbs {
        let done = Command::new(&world.systemctl).args([*verb, &world.unit]).output();
        let done = done.map_err(|_| not_now("systemd cannot be reached from here: look: unit status"))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr).lines().next().unwrap_or_default().to_owned();
            return Err(not_now(format!("systemd did not {verb} it: {said}: look: status")));
        }
    }
    // A fresh picture means that the loop turns.
    while began.elapsed() < START_WITHIN {
        if world.now().mode.is_up() {
            let tenths = began.elapsed().as_millis() / 100;
            return Ok(format!("{}.{} s", tenths / 10, tenths % 10));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(not_now("it did not come up in 2 min: look: status"))
}

/// One action of a person, as the screen would send it.
pub(super) fn act(world: &World, person: &Person, action: Value) -> Result<Answer, NotDone> {
    let mut key = [0; 16];
    let random = || not_now("no randomness: try again");
    fs::File::open("/dev/urandom")
        .and_then(|mut file| io::Read::read_exact(&mut file, &mut key))
        .map_err(|_| random())?;
    let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let body =
        json!({ "key": key, "action": action, "person": person.number.0.to_string(), "pin": person.pin.as_str() });
    let body = zeroize::Zeroizing::new(body.to_string());
    let answer = world.ask("POST", "/api/v1/act", &body);
    let answer = answer.map_err(|_| not_now("the daemon does not answer: look: unit status"))?;
    if answer.status < 300 {
        return Ok(answer);
    }
    let text = |key: &str| answer.body[key].as_str().unwrap_or_default().to_owned();
    Err(NotDone::new("refused", text("reason"), text("clause")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_a_round_may_be_open_only_what_it_began_with_goes_back() {
        for mode in Mode::ALL {
            assert!(may_stage(Round::Between, mode, "evening").is_ok());
            for round in [Round::Open(41_207), Round::Unknown] {
                assert!(may_stage(round, mode, "evening").is_err(), "{}", mode.word());
                assert_eq!(may_stage(round, mode, "last-good").is_ok(), mode == Mode::Down, "{}", mode.word());
            }
        }
        let said = may_stage(Round::Open(41_207), Mode::Round, "evening").unwrap_err().text();
        assert_eq!(said, "not now: round 41,207 is open: stage it between rounds [TC-015]");
    }

    #[test]
    fn a_file_that_a_power_cut_tore_is_finished_and_another_ones_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (file, pending) = (folder.path().join("table.toml"), folder.path().join("pending.toml"));
        let text = "[table]\nid = \"BJ-07\"\n";
        let after = |found: &[u8]| {
            fs::write(&file, found).unwrap();
            fs::write(&pending, text).unwrap();
            finish(&file, &pending).unwrap();
            assert!(!pending.exists());
            fs::read(&file).unwrap()
        };
        assert_eq!(after(b""), text.as_bytes());
        assert_eq!(after(b"[table]\ni"), text.as_bytes());
        assert_eq!(after(b"[table]\0\0\0\0"), text.as_bytes());
        assert_eq!(after(text.as_bytes()), text.as_bytes());
        assert_eq!(after(b"[table]\nid = \"BJ-08\"\n"), b"[table]\nid = \"BJ-08\"\n");
        assert_eq!(finish(&file, &pending).unwrap_err().kind(), io::ErrorKind::NotFound);
        put_in_place(&file, &pending, text).unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), pending.exists()), (text, false));
    }

    #[test]
    fn a_difference_names_the_line_on_both_sides() {
        let (old, new) = ("a\nbaud = 115200\nc\n", "a\nbaud = \"115200\"\nc\nd\n");
        assert_eq!(
            changes(old, new),
            [('-', 2, "baud = 115200".to_owned()), ('+', 2, "baud = \"115200\"".to_owned()), ('+', 4, "d".to_owned())]
        );
        assert!(changes(old, old).is_empty());
    }
}
