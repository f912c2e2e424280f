//! `holecard journal verify --replay`: every recorded input once more through the controller; what comes out must be what
//! was recorded. A chain shows that nothing was changed after it was written; this shows that it was right when written.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use table_daemon::config::{Config, ConfigProblem};
use table_daemon::table::{
    Difference, EpochReplayed, NotReplayed, Replay, controller_config, file_hash, rules_pack, software_hash,
};
use table_journal::{Place, Record, segment_file_name};

use super::{Reader, record, unreadable};
use crate::output::{self, BAD, Failure, GOOD, Outcome, QUIET, Stdout, Styled, WARNING, json_line};

#[derive(Debug, Args)]
pub(super) struct Wanted {
    /// Also put every input through the table once more and compare what follows with what was recorded.
    ///
    /// Only epochs of the same program, rules and options can be replayed; others are named and passed over.
    #[arg(long)]
    pub(super) replay: bool,
    /// The table's configuration, as the daemon gets it; later files win.
    #[arg(long, value_name = "FILE", requires = "replay", default_value = "/etc/holecard/table.toml")]
    config: Vec<PathBuf>,
    /// The rules submission, where it does not lie where the configuration says.
    #[arg(long, value_name = "FILE", requires = "replay")]
    rules: Option<PathBuf>,
    /// The program that ran the table; without it, `holecardd` beside this program, and this program.
    #[arg(long, value_name = "FILE", requires = "replay")]
    program: Option<PathBuf>,
}

pub(super) fn run(reader: &Reader, wanted: &Wanted, json: bool) -> Result<Outcome, Failure> {
    let mut replay = begin(wanted)?;
    let mut records = reader.records().map_err(|error| unreadable(&error))?;
    let mut found = None;
    while let Some(each) = records.next() {
        let each = each.map_err(|error| unreadable(&error))?;
        if let Err(difference) = replay.follow(&each) {
            found = records.place().map(|place| (each, place, difference));
            break;
        }
    }
    let mut out = output::stdout();
    let inputs: u64 = replay.epochs().iter().map(|epoch| epoch.inputs).sum();
    match found {
        Some((each, place, difference)) => {
            if json {
                json_line(&mut out, &json!({ "differs": as_json(&each, place, &difference) }))?;
            } else {
                print(&mut out, &each, place, &difference)?;
                writeln!(out, "  {inputs} inputs before it led to what was recorded")?;
            }
            Ok(Outcome::Refused)
        }
        None => summary(&mut out, replay.epochs(), inputs, json),
    }
}

fn begin(wanted: &Wanted) -> Result<Replay, Failure> {
    let files: Vec<&Path> = wanted.config.iter().map(PathBuf::as_path).collect();
    let told = |problems: Vec<ConfigProblem>| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::Refused(format!("the table's configuration is wrong:\n{}", lines.join("\n")))
    };
    let mut config = Config::load(&files).map_err(told)?;
    if let Some(rules) = &wanted.rules {
        config.rules.clone_from(rules);
    }
    let unreadable = |path: &Path, error: std::io::Error| Failure::Refused(format!("{}: {error}", path.display()));
    let table = config.rules_table().map_err(told)?;
    let rules = std::fs::read(&config.rules).map_err(|error| unreadable(&config.rules, error))?;
    let controller = controller_config(&config, table, config.has_layout());
    let programs = match &wanted.program {
        Some(program) => vec![file_hash(program).map_err(|error| unreadable(program, error))?],
        None => own_programs()?,
    };
    let pack = rules_pack(&rules, &controller);
    Ok(Replay::new(controller, pack, programs))
}

/// This program, and the daemon that was installed with it.
fn own_programs() -> Result<Vec<[u8; 32]>, Failure> {
    let mut programs = vec![software_hash().map_err(|error| Failure::Refused(error.to_string()))?];
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("holecardd")));
    programs.extend(beside.and_then(|path| file_hash(&path).ok()));
    Ok(programs)
}

fn summary(out: &mut Stdout, epochs: &[EpochReplayed], inputs: u64, json: bool) -> Result<Outcome, Failure> {
    let outcome = if inputs > 0 { Outcome::Success } else { Outcome::Refused };
    if json {
        let epochs: Vec<Value> = epochs.iter().map(epoch_json).collect();
        json_line(out, &json!({ "replayed": { "inputs": inputs, "epochs": epochs } }))?;
        return Ok(outcome);
    }
    if inputs > 0 {
        writeln!(out, "{} {inputs} inputs lead to what was recorded", Styled(GOOD, "replayed:"))?;
    } else {
        writeln!(out, "{} no epoch of this journal can be replayed with what was given", Styled(BAD, "bad:"))?;
    }
    for epoch in epochs {
        let number = epoch.number.0;
        if epoch.inputs > 0 {
            writeln!(
                out,
                "  epoch {number}: {} inputs and {} checkpoints are the same",
                epoch.inputs, epoch.checkpoints
            )?;
        }
        if let Some(why) = epoch.why {
            let line = format!("  epoch {number}: {} ({} inputs)", reason(why), epoch.skipped);
            writeln!(out, "{}", Styled(WARNING, line))?;
            if let Some(identity) = epoch.identity {
                let (program, rules) = (record::hex(&identity.software), record::hex(&identity.rules_pack));
                writeln!(out, "{}", Styled(QUIET, format!("    program {program}\n    rules   {rules}")))?;
            }
        }
    }
    Ok(outcome)
}

const fn reason(why: NotReplayed) -> &'static str {
    match why {
        NotReplayed::OtherProgram => {
            "another epoch: not replayed; another program ran the table (name it with --program if it was built with this one)"
        }
        NotReplayed::OtherRules => {
            "another epoch: not replayed; it was played by other rules, readings or options (see --rules and --config)"
        }
        NotReplayed::BeginningGone => "not replayed; the records before its first checkpoint are no longer kept",
    }
}

fn epoch_json(epoch: &EpochReplayed) -> Value {
    let why = epoch.why.map(|why| match why {
        NotReplayed::OtherProgram => "other-program",
        NotReplayed::OtherRules => "other-rules",
        NotReplayed::BeginningGone => "beginning-gone",
    });
    json!({
        "epoch": epoch.number.0, "inputs": epoch.inputs, "checkpoints": epoch.checkpoints, "skipped": epoch.skipped,
        "why_skipped": why, "program": epoch.identity.map(|identity| record::hex(&identity.software)),
        "rules": epoch.identity.map(|identity| record::hex(&identity.rules_pack)),
    })
}

fn print(out: &mut Stdout, each: &Record, place: Place, difference: &Difference) -> Result<(), Failure> {
    let (sequence, file) = (each.sequence.0, segment_file_name(place.segment));
    let bad = Styled(BAD, "differs:");
    writeln!(out, "{bad} record {sequence}, in {file} at byte {}: {difference}", place.offset)?;
    writeln!(out, "  {}", record::source(each))?;
    if let Difference::Event { stored, replayed, byte, .. } = difference {
        for (name, event) in [("the journal says", stored), ("the replay says", replayed)] {
            match event {
                Some(event) => {
                    let (_, said, clause) = record::words(event);
                    writeln!(out, "  {name}: {said} [{clause}]")?;
                    writeln!(out, "{}", Styled(QUIET, format_args!("    {event}")))?;
                }
                None => writeln!(out, "  {name}: nothing")?,
            }
        }
        writeln!(out, "  the first other byte is at {}", place.events_of(each) + *byte as u64)?;
    }
    Ok(())
}

fn as_json(each: &Record, place: Place, difference: &Difference) -> Value {
    let mut object = json!({
        "sequence": each.sequence.0, "epoch": each.epoch.0, "file": segment_file_name(place.segment),
        "record_offset": place.offset, "reason": difference.to_string(), "record": record::whole(each),
    });
    if let Difference::Event { number, at, stored, replayed, byte } = difference {
        object["first_other_byte"] = json!(place.events_of(each) + *byte as u64);
        object["event"] = json!({ "number": number, "at": at, "stored": stored, "replayed": replayed });
    }
    object
}
