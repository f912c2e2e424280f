//! The settled part of a journal, for the technician's console: one round, or all of them as a file. Nothing of a round that
//! is open leaves here.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use table_controller::Carried;
use table_journal::RecordKind;

use super::{open, record, records, round};
use crate::output::Failure;

/// What became of a question for a round.
#[derive(Debug)]
pub(crate) enum Round {
    /// As the daemon answers it.
    Settled(Value),
    Open,
    Unknown {
        newest: u64,
    },
}

/// What was written.
#[derive(Debug)]
pub(crate) struct Exported {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    /// A round is open; its records are not in the file.
    pub(crate) left_out: bool,
    /// The last record in the file, and its hash.
    pub(crate) head: (u64, String),
}

pub(crate) fn round(directory: &Path, number: u64) -> Result<Round, String> {
    let reader = open(directory, None).map_err(words)?;
    match round::find(&reader, number) {
        Ok(found) if found.finished => {
            let records: Vec<Value> = found.records.iter().map(record::whole).collect();
            Ok(Round::Settled(json!({ "round": number, "finished": true, "records": records })))
        }
        Ok(_) => Ok(Round::Open),
        Err(_) => {
            let mut carried = Carried::default();
            for each in records(&reader, 1).map_err(words)? {
                let each = each.map_err(words)?;
                match each.kind {
                    RecordKind::Checkpoint => {
                        carried = Carried::from_checkpoint(&each.events, each.sequence.0).map_err(told)?;
                    }
                    RecordKind::Input => carried.follow(each.sequence.0, &each.events).map_err(told)?,
                    RecordKind::Epoch | RecordKind::Close | RecordKind::Signature => {}
                }
            }
            Ok(Round::Unknown { newest: carried.round })
        }
    }
}

/// One line a record, with the journal's own signatures among them, and beside it what the file is.
pub(crate) fn export(directory: &Path, file: &Path) -> Result<Exported, String> {
    let reader = open(directory, None).map_err(words)?;
    let (table, key) = reader.identity().map_err(|error| error.to_string())?;
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).map_err(told)?;
    }
    let mut out = Hashed { file: BufWriter::new(fresh(file)?), hash: Sha256::new(), bytes: 0 };
    let mut carried = Carried::default();
    // What belongs to a round waits until the round is settled.
    let mut waits: Vec<(u64, String, String)> = Vec::new();
    let (mut count, mut head) = (0, (0, String::new()));
    for each in records(&reader, 1).map_err(words)? {
        let each = each.map_err(words)?;
        match each.kind {
            RecordKind::Checkpoint => {
                carried = Carried::from_checkpoint(&each.events, each.sequence.0).map_err(told)?;
            }
            RecordKind::Input => carried.follow(each.sequence.0, &each.events).map_err(told)?,
            RecordKind::Epoch | RecordKind::Close | RecordKind::Signature => {}
        }
        // A checkpoint keeps the whole state, also of what lies open.
        if each.kind != RecordKind::Checkpoint || carried.open_round.is_none() {
            waits.push((each.sequence.0, each.hash.to_string(), record::whole(&each).to_string()));
        }
        if carried.open_round.is_none() {
            for (sequence, hash, line) in waits.drain(..) {
                out.line(&line).map_err(told)?;
                count += 1;
                head = (sequence, hash);
            }
        }
    }
    let (bytes, sha256) = out.finish().map_err(told)?;
    let left_out = !waits.is_empty();
    let about = json!({
        "table": table.as_str(), "public_key": key.to_text().trim(), "records": count, "sha256": sha256,
        "head": { "sequence": head.0, "hash": head.1 }, "open_round_left_out": left_out,
    });
    let mut beside = fresh(&file.with_extension("about.json"))?;
    beside.write_all(format!("{about:#}\n").as_bytes()).and_then(|()| beside.sync_all()).map_err(told)?;
    Ok(Exported { records: count, bytes, sha256, left_out, head })
}

/// For this user and its group alone; nothing is overwritten.
fn fresh(path: &Path) -> Result<File, String> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o640).open(path);
    made.map_err(|error| format!("{}: {error}", path.display()))
}

fn words(failure: Failure) -> String {
    failure.to_string()
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

struct Hashed {
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl Hashed {
    fn line(&mut self, line: &str) -> io::Result<()> {
        for part in [line.as_bytes(), b"\n"] {
            self.hash.update(part);
            self.bytes += u64::try_from(part.len()).unwrap_or(0);
            self.file.write_all(part)?;
        }
        Ok(())
    }

    fn finish(self) -> io::Result<(u64, String)> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok((self.bytes, record::hex(&self.hash.finalize())))
    }
}
