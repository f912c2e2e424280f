//! `holecard journal archive`: the record kept apart from the board, for as long as the law asks.
//!
//! The archive is a journal of its own: the same segments, so that `journal verify` checks it, and beside them every
//! record as JSON and CSV, which are read when this program no longer runs anywhere. It only grows. Segments that the
//! board has let go stay; what the archive already has must be what the board has, or nothing is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use table_daemon::config::Config;
use table_journal::{Record, SegmentNumber, Sequence, VerifyReport, segment_file_name, verify};

use super::{Reader, export, open, unreadable};
use crate::output::{self, Failure, GOOD, Outcome, Styled, json_line};

#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// Made if it is not there; the same one every time.
    directory: PathBuf,
    /// The table's file: it and the rules submission that it names are kept with the records. The installed one, if there
    /// is one, unless told otherwise.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What the archive says of itself; written last, so that it never promises what is not there.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    holecard_archive: u32,
    table: String,
    public_key: String,
    first_segment: u64,
    /// Still open when it was copied; the next archiving copies it again.
    last_segment: u64,
    /// The last record, by which the next archiving knows that the board goes on from here.
    last_record: u64,
    last_hash: String,
}

/// Where the package puts the table's file.
const TABLE: &str = "/etc/holecard/table.toml";
const ABOUT: &str = "archive.json";
const READABLE: &str = "readable";
const RULES: &str = "rules";

pub(super) fn run(journal: &Path, reader: &Reader, wanted: &Wanted, json: bool) -> Result<Outcome, Failure> {
    let directory = wanted.directory.as_path();
    let refused = |error: io::Error| Failure::Refused(format!("{}: {error}", directory.display()));
    let here = verify(reader).map_err(|error| unreadable(&error))?;
    fs::create_dir_all(directory.join(READABLE)).map_err(refused)?;
    let before = about_of(directory)?;
    let from = match &before {
        Some(before) => goes_on(before, reader, &here, directory)?,
        None => here.first_segment,
    };
    let installed = Path::new(TABLE);
    let config = wanted.config.as_deref().or_else(|| installed.is_file().then_some(installed));
    let papers = config.map_or(Ok(Vec::new()), |file| keep_rules(file, directory))?;
    let mut number = from;
    while number <= here.last_segment {
        let name = segment_file_name(number);
        copy(&journal.join(&name), &directory.join(&name)).map_err(refused)?;
        number = number.next();
    }
    sync(directory).map_err(refused)?;
    // Every byte is read back from the archive: it is what will be believed in five years.
    let (table, key) = reader.identity().map_err(|error| unreadable(&error))?;
    let kept = open(directory, Some(key))?;
    let whole = verify(&kept).map_err(|error| unreadable(&error))?;
    readable(&kept, directory, from)?;
    let about = About {
        holecard_archive: 1,
        table: table.as_str().to_owned(),
        public_key: key.to_text().trim().to_owned(),
        first_segment: whole.first_segment.0,
        last_segment: whole.last_segment.0,
        last_record: whole.head.sequence.0,
        last_hash: whole.head.hash.to_string(),
    };
    let text = serde_json::to_vec_pretty(&about).map_err(io::Error::from)?;
    write_whole(&directory.join(ABOUT), |file| file.write_all(&text)).map_err(refused)?;
    say(&about, before.as_ref(), &whole, &papers, json)
}

fn say(
    about: &About,
    before: Option<&About>,
    whole: &VerifyReport,
    papers: &[PathBuf],
    json: bool,
) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let new = about.last_record - before.map_or(0, |before| before.last_record);
    if json {
        let object =
            json!({ "archived": about, "new_records": new, "signed_up_to": whole.signed_up_to.0, "rules": papers });
        json_line(&mut out, &object)?;
        return Ok(Outcome::Success);
    }
    let (first, last) = (about.first_segment, about.last_segment);
    writeln!(out, "{} segments {first} to {last}, {new} new records", Styled(GOOD, "archived:"))?;
    writeln!(out, "  read back and verified; signed up to record {}", whole.signed_up_to)?;
    writeln!(out, "  the archive ends at {} with hash {}", about.last_record, about.last_hash)?;
    for paper in papers {
        writeln!(out, "  kept with it: {}", paper.display())?;
    }
    Ok(Outcome::Success)
}

fn about_of(directory: &Path) -> Result<Option<About>, Failure> {
    let path = directory.join(ABOUT);
    let refused = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error.to_string())),
    };
    serde_json::from_slice(&text).map(Some).map_err(|error| refused(format!("is no archive's page: {error}")))
}

/// The segment to go on with, if the journal here is the one that the archive has the beginning of.
fn goes_on(before: &About, reader: &Reader, here: &VerifyReport, directory: &Path) -> Result<SegmentNumber, Failure> {
    let refused = |why: String| Failure::Refused(format!("{}: {why}; nothing was written", directory.display()));
    let (table, key) = reader.identity().map_err(|error| unreadable(&error))?;
    if before.table != table.as_str() || before.public_key != key.to_text().trim() {
        return Err(refused(format!("is the archive of table {}, signed with {}", before.table, before.public_key)));
    }
    if here.head.sequence.0 < before.last_record {
        return Err(refused(format!(
            "the archive has records up to {}, the journal here ends at {}: records were lost on the board, or an older \
             storage card was put back",
            before.last_record, here.head.sequence
        )));
    }
    let kept = here.first_segment.0;
    if kept > before.last_segment {
        return Err(refused(format!(
            "segment {} was open when it was archived last, and the board keeps only segments from {kept} on: begin a \
             new archive in another directory, and archive more often than the board lets segments go",
            before.last_segment
        )));
    }
    let mut records = reader.records_from(Sequence(before.last_record)).map_err(|error| unreadable(&error))?;
    match records.next().transpose().map_err(|error| unreadable(&error))? {
        Some(record) if record.sequence.0 == before.last_record && record.hash.to_string() == before.last_hash => {
            Ok(SegmentNumber(before.last_segment))
        }
        Some(_) | None => Err(refused(format!(
            "record {} here is not the one that was archived: this is another history of the same table",
            before.last_record
        ))),
    }
}

/// Every record from this segment on, as plain text, a pair of files a segment.
fn readable(kept: &Reader, directory: &Path, from: SegmentNumber) -> Result<(), Failure> {
    let folder = directory.join(READABLE);
    let refused = |error: io::Error| Failure::Refused(format!("{}: {error}", folder.display()));
    let write = |number: SegmentNumber, records: &[Record]| -> io::Result<()> {
        let path = |ending: &str| folder.join(segment_file_name(number)).with_extension(ending);
        write_whole(&path("jsonl"), |file| export::lines(file, records))?;
        write_whole(&path("csv"), |file| export::table(file, records))
    };
    let mut all = kept.records_from_segment(from).map_err(|error| unreadable(&error))?;
    let (mut number, mut records) = (from, Vec::new());
    while let Some(record) = all.next().transpose().map_err(|error| unreadable(&error))? {
        let lies_in = all.place().map_or(number, |place| place.segment);
        if lies_in != number {
            write(number, &records).map_err(refused)?;
            records.clear();
            number = lies_in;
        }
        records.push(record);
    }
    write(number, &records).map_err(refused)?;
    sync(&folder).map_err(refused)
}

/// Copies of the table's file and its submission, named by their hash: a superseded one stays.
fn keep_rules(config: &Path, directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let refused = |path: &Path, error: &dyn std::fmt::Display| Failure::Refused(format!("{}: {error}", path.display()));
    let rules = Config::load(&[config])
        .map_err(|problems| refused(config, &problems.first().map_or_else(String::new, ToString::to_string)))?
        .rules;
    let folder = directory.join(RULES);
    fs::create_dir_all(&folder).map_err(|error| refused(&folder, &error))?;
    let mut kept = Vec::new();
    for (kind, file) in [("table", config), ("rules", rules.as_path())] {
        let bytes = fs::read(file).map_err(|error| refused(file, &error))?;
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let name = Path::new(RULES).join(format!("{kind}-{hash}.toml"));
        let path = directory.join(&name);
        if !path.exists() {
            write_whole(&path, |file| file.write_all(&bytes)).map_err(|error| refused(&path, &error))?;
        }
        kept.push(name);
    }
    sync(&folder).map_err(|error| refused(&folder, &error))?;
    Ok(kept)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    write_whole(to, |file| io::copy(&mut source, file).map(|_bytes| ()))
}

/// The name appears once the bytes are on the disk, and never half written.
fn write_whole(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut file = BufWriter::new(File::create(&part)?);
    fill(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&part, path)
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}
