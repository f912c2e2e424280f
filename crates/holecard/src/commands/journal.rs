//! `holecard journal`: checking, reading and exporting a table's record. Reads only; a running table is not disturbed.

mod archive;
mod export;
mod packet;
pub(super) mod record;
mod replay;
mod round;
pub(crate) mod settled;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;
use table_journal::{DirectoryStorage, JournalError, JournalReader, PublicKey, Record, Sequence, verify};

use crate::output::{self, BAD, Failure, GOOD, Outcome, Styled, json_line};

/// Check, read and export the record that a table keeps.
///
/// Works on the directory of the journal's segments, beside a running table or on a copy.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  holecard journal verify\n  holecard journal verify --replay \
    --config /etc/holecard/table.toml\n  holecard journal --journal copy/ round 4711\n  \
    holecard journal round 4711 --packet dispute.packet\n  holecard journal export handover/\n  \
    holecard journal archive /mnt/archive/table-7")]
pub(crate) struct Journal {
    /// Where the segments are.
    #[arg(long, value_name = "DIR", default_value = "/var/lib/holecard/journal", global = true)]
    journal: PathBuf,
    /// The table's public key as it was handed out at install; without it the one in the segments is believed.
    #[arg(long, value_name = "FILE", global = true)]
    public_key: Option<PathBuf>,
    /// JSON, one object a line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check every byte, hash and signature; name the first that is wrong.
    #[command(after_help = "Examples:\n  holecard journal verify\n  \
        holecard journal verify --public-key table-7.pub --journal copy/\n  \
        holecard journal verify --replay --config /etc/holecard/table.toml")]
    Verify(replay::Wanted),
    /// Print records: when, who, what was said and what followed.
    #[command(after_help = "Examples:\n  holecard journal show --from 120 --to 140\n  holecard journal show --json")]
    Show {
        /// The first record.
        #[arg(long, value_name = "N", default_value_t = 1)]
        from: u64,
        /// The last record.
        #[arg(long, value_name = "N")]
        to: Option<u64>,
    },
    /// Reconstruct one round from its records, card by card.
    #[command(after_help = "Examples:\n  holecard journal round 4711\n  \
        holecard journal round 4711 --packet dispute.packet")]
    Round {
        /// The round's number, as the screen and the records have it.
        number: u64,
        /// Also write one signed file with the round's records, for a dispute.
        #[arg(long, value_name = "FILE")]
        packet: Option<PathBuf>,
        /// The journal's key, which signs the packet.
        #[arg(long, value_name = "FILE", default_value = "/etc/holecard/journal.key")]
        key: PathBuf,
    },
    /// Check a signed packet.
    #[command(after_help = "Example:\n  holecard journal check-packet dispute.packet --public-key table-7.pub")]
    CheckPacket {
        /// What `round --packet` wrote.
        file: PathBuf,
    },
    /// Write everything as JSON and CSV into an empty directory.
    #[command(after_help = "Example:\n  holecard journal export handover/")]
    Export {
        /// Made if it is not there.
        directory: PathBuf,
    },
    /// Bring a copy of the record, kept apart from the board, up to date.
    ///
    /// The first time it takes everything, later what is new. The copy only grows: segments that the board has let go stay
    /// in it. It is read back and verified, holds every record as JSON and CSV beside the segments, and keeps each rules
    /// submission that was in force. Records are to be kept five years; a board alone is no place for that.
    #[command(after_help = "Examples:\n  holecard journal archive /mnt/archive/table-7\n  \
        holecard journal --journal /mnt/archive/table-7 verify")]
    Archive(archive::Wanted),
}

pub(crate) fn run(args: &Journal) -> Result<Outcome, Failure> {
    let key = args.public_key.as_deref().map(read_key).transpose()?;
    if let What::CheckPacket { file } = &args.what {
        return packet::check(file, key, args.json);
    }
    let reader = open(&args.journal, key)?;
    match &args.what {
        What::Verify(wanted) => match check(&reader, args.json)? {
            Outcome::Success if wanted.replay => replay::run(&reader, wanted, args.json),
            outcome @ (Outcome::Success | Outcome::Refused) => Ok(outcome),
        },
        What::Show { from, to } => show(&reader, *from, *to, args.json),
        What::Round { number, packet, key } => {
            let found = round::find(&reader, *number)?;
            if let Some(file) = packet {
                packet::write(file, key, &reader, &found)?;
            }
            round::print(&found, args.json)
        }
        What::Export { directory } => export::run(&reader, directory, args.json),
        What::Archive(wanted) => archive::run(&args.journal, &reader, wanted, args.json),
        What::CheckPacket { .. } => Ok(Outcome::Success),
    }
}

pub(super) type Reader = JournalReader<DirectoryStorage>;

pub(super) fn open(directory: &Path, key: Option<PublicKey>) -> Result<Reader, Failure> {
    let storage = DirectoryStorage::for_reading(directory)
        .map_err(|error| Failure::Refused(format!("cannot open {}: {error}", directory.display())))?;
    Ok(JournalReader::new(storage, None, key))
}

pub(super) fn read_key(path: &Path) -> Result<PublicKey, Failure> {
    let refused = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    PublicKey::from_text(&text).map_err(|error| refused(error.to_string()))
}

fn unreadable(error: &JournalError) -> Failure {
    Failure::Refused(format!("{error} ({})", error.code()))
}

/// Every record from this one on; the first bad one ends it with its file and byte.
pub(super) fn records(reader: &Reader, from: u64) -> Result<impl Iterator<Item = Result<Record, Failure>>, Failure> {
    let (all, first) = if from <= 1 { (reader.records(), 1) } else { (reader.records_from(Sequence(from)), from) };
    let all = all.map_err(|error| unreadable(&error))?;
    let kept =
        move |record: &Result<Record, Failure>| record.as_ref().map_or(true, |record| record.sequence.0 >= first);
    Ok(all.map(|record| record.map_err(|error| unreadable(&error))).filter(kept))
}

fn check(reader: &Reader, json: bool) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    match verify(reader) {
        Ok(report) => {
            if json {
                let object = json!({ "verified": {
                    "records": report.records, "head_sequence": report.head.sequence.0,
                    "head_hash": report.head.hash.to_string(), "segments_signed": report.segments_signed,
                    "signed_up_to": report.signed_up_to.0,
                    "first_segment": report.first_segment.0, "last_segment": report.last_segment.0,
                    "torn_bytes": report.torn_bytes,
                }});
                json_line(&mut out, &object)?;
            } else {
                let (first, last) = (report.first_segment.0, report.last_segment.0);
                writeln!(out, "{} {} records in segments {first} to {last}", Styled(GOOD, "good:"), report.records)?;
                writeln!(out, "  {} segments are signed; the newest is still open", report.segments_signed)?;
                let unsigned = report.head.sequence.0 - report.signed_up_to.0;
                if unsigned == 0 {
                    writeln!(out, "  a signature covers every record")?;
                } else {
                    let signed = report.signed_up_to;
                    writeln!(
                        out,
                        "  signed up to record {signed}; the last {unsigned} are covered by no signature yet"
                    )?;
                }
                writeln!(out, "  the record ends at {} with hash {}", report.head.sequence.0, report.head.hash)?;
                writeln!(out, "  compare the last day's summary: a tail that was cut off leaves no other trace")?;
            }
            Ok(Outcome::Success)
        }
        Err(error) => {
            if json {
                let mut object = json!({ "code": error.code(), "reason": error.to_string() });
                if let JournalError::Damaged(damage) = &error {
                    object["file"] = json!(damage.file);
                    object["first_bad_byte"] = json!(damage.first_bad_byte);
                    object["record_offset"] = json!(damage.record_offset);
                }
                json_line(&mut out, &json!({ "damaged": object }))?;
            } else {
                writeln!(out, "{} {error} ({})", Styled(BAD, "bad:"), error.code())?;
            }
            Ok(Outcome::Refused)
        }
    }
}

fn show(reader: &Reader, from: u64, to: Option<u64>, json: bool) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    for record in records(reader, from)? {
        let record = record?;
        if to.is_some_and(|to| record.sequence.0 > to) {
            break;
        }
        if json {
            json_line(&mut out, &record::whole(&record))?;
        } else {
            record::print(&mut out, &record)?;
        }
    }
    Ok(Outcome::Success)
}
