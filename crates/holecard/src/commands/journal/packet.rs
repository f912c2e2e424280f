//! A round for a dispute: one file with its records, signed by the journal's key.
//!
//! The first line is a JSON object that says what the file is, by whom it is signed and how that is checked; every byte
//! after it is signed, together with a fixed beginning that no other signature of the key has.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use table_journal::{JournalKey, PublicKey};

use super::round::Found;
use super::{Reader, record, unreadable};
use crate::output::{self, BAD, Failure, GOOD, Outcome, Styled, json_line};

const BEGINS: &[u8] = b"holecard packet 1\n";
const HOW: &str = "every byte after the first line break, with `holecard packet 1` and a line break put before it, is signed \
    with Ed25519 by the key below; compare the key with the one handed out at install, and the hashes with the journal";

pub(super) fn write(file: &Path, key: &Path, reader: &Reader, found: &Found) -> Result<(), Failure> {
    let refused = |path: &Path, why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let (table, public) = reader.identity().map_err(|error| unreadable(&error))?;
    let signing = JournalKey::load(key).map_err(|error| refused(key, error.to_string()))?;
    if signing.public() != public {
        return Err(refused(key, "this is not the key that signed the journal".to_owned()));
    }
    let mut content = Vec::new();
    for each in &found.records {
        json_line(&mut content, &record::whole(each))?;
    }
    let signature = signing.sign(&[BEGINS, &content].concat());
    let head = json!({
        "holecard_packet": 1, "table": table.as_str(), "round": found.number, "finished": found.finished,
        "records": found.records.len(), "public_key": public.to_text().trim(), "signature": record::hex(&signature),
        "how": HOW,
    });
    let mut whole = Vec::new();
    json_line(&mut whole, &head)?;
    whole.extend_from_slice(&content);
    std::fs::write(file, whole).map_err(|error| refused(file, error.to_string()))
}

pub(super) fn check(file: &Path, key: Option<PublicKey>, json: bool) -> Result<Outcome, Failure> {
    let refused = |why: &str| Failure::Refused(format!("{}: {why}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| refused(&error.to_string()))?;
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| refused("this is no packet"))?;
    let head: Value = serde_json::from_slice(&bytes[..end]).map_err(|_| refused("this is no packet"))?;
    let named = head["public_key"].as_str().and_then(|text| PublicKey::from_text(text).ok());
    let signature = head["signature"].as_str().and_then(from_hex);
    let (Some(named), Some(signature)) = (named, signature) else { return Err(refused("this is no packet")) };
    let trusted = key.unwrap_or(named);
    let good = trusted == named && trusted.verifies(&[BEGINS, &bytes[end + 1..]].concat(), &signature);
    let mut out = output::stdout();
    if json {
        json_line(&mut out, &json!({ "packet": { "good": good, "round": head["round"], "table": head["table"] } }))?;
    } else if good {
        writeln!(out, "{} round {} of table {}", Styled(GOOD, "good:"), head["round"], head["table"])?;
    } else {
        writeln!(out, "{} the signature does not match; nothing in this file can be relied on", Styled(BAD, "bad:"))?;
    }
    Ok(if good { Outcome::Success } else { Outcome::Refused })
}

fn from_hex(text: &str) -> Option<[u8; 64]> {
    let digits = text.as_bytes().chunks_exact(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    digits.collect::<Option<Vec<u8>>>()?.try_into().ok()
}
