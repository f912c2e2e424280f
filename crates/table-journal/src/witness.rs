//! The witness: the newest signed head, kept apart from the journal so that a journal that was cut back or exchanged is
//! noticed. One line of text in a file of its own, replaced as a whole.
//!
//! It finds what was done to the journal alone. Whoever puts back the witness together with the journal is found by a
//! copy that lies elsewhere: a printed day's summary, or the floor's.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::keys::{PublicKey, SignedHead};
use crate::types::{ChainHash, Head, Sequence, TableId};

const LABEL: &str = "holecard-journal-witness-v1";
/// Longer than any witness; a bound on what is read from a wrong path.
const FILE_BYTES_MAX: u64 = 512;

/// The file that holds the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessFile(PathBuf);

/// What the witness says of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// Nothing says how far the journal had come.
    #[error("the journal has records and there is no witness of them at {file}")]
    NoWitness { file: String },
    #[error("the witness at {file} cannot be read or is not signed by this journal's key")]
    NotAWitness { file: String },
    #[error("there is no journal, but its witness knows record {known}")]
    Empty { known: Sequence },
    /// People were added, so the table has run, or its installation was not finished.
    #[error("there is no journal and no witness of one, but the table has staff")]
    EmptyWithStaff,
    #[error("the journal's head file is missing: how far it had come is not known to the minute")]
    HeadMissing,
    #[error("the journal ends at record {found}, but its witness knows record {known}: newer records were removed")]
    Older { known: Sequence, found: Sequence },
    #[error("record {at} of the journal is not the one that its witness knows: the journal was exchanged")]
    Other { at: Sequence },
}

/// A journal as it was found, for the comparison with its witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No records at all.
    Nothing { staff: bool },
    Records {
        /// The last one.
        head: Head,
        /// Something has been recorded since the journal was created.
        inputs: bool,
        head_missing: bool,
        /// The hash of the record that the witness knows, where that record is kept.
        at_known: Option<ChainHash>,
    },
}

impl Found {
    /// What speaks against going on from this journal.
    #[must_use]
    pub fn doubt(&self, file: &WitnessFile, witness: Result<Option<SignedHead>, Doubt>) -> Option<Doubt> {
        let witness = match witness {
            Ok(witness) => witness.map(|signed| signed.head),
            Err(doubt) => return Some(doubt),
        };
        match (*self, witness) {
            (Self::Nothing { staff: true }, None) => Some(Doubt::EmptyWithStaff),
            (Self::Nothing { .. }, Some(known)) if known.sequence > Sequence::NONE => {
                Some(Doubt::Empty { known: known.sequence })
            }
            // The witness of a table that was set up and has not run yet.
            (Self::Nothing { .. }, Some(_) | None) => None,
            (Self::Records { inputs: false, .. }, None) => None,
            (Self::Records { .. }, None) => Some(Doubt::NoWitness { file: file.0.display().to_string() }),
            (Self::Records { head, .. }, Some(known)) if head.sequence < known.sequence => {
                Some(Doubt::Older { known: known.sequence, found: head.sequence })
            }
            (Self::Records { at_known: Some(hash), .. }, Some(known)) if hash != known.hash => {
                Some(Doubt::Other { at: known.sequence })
            }
            (Self::Records { head_missing: true, inputs: true, .. }, Some(_)) => Some(Doubt::HeadMissing),
            (Self::Records { .. }, Some(_)) => None,
        }
    }
}

impl WitnessFile {
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The witness that is kept; `None` where there is no file.
    pub fn read(&self, table: &TableId, key: PublicKey) -> Result<Option<SignedHead>, Doubt> {
        let not_one = || Doubt::NotAWitness { file: self.0.display().to_string() };
        let mut text = String::new();
        match File::open(&self.0) {
            Ok(file) => file.take(FILE_BYTES_MAX).read_to_string(&mut text).map_err(|_| not_one())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(_) => return Err(not_one()),
        };
        let signed = parse(&text, table).ok_or_else(not_one)?;
        if key.verifies_head(table, &signed) { Ok(Some(signed)) } else { Err(not_one()) }
    }

    /// Replaces the witness. A cut leaves the old one or the new one.
    pub fn write(&self, table: &TableId, signed: &SignedHead) -> io::Result<()> {
        let new = self.0.with_extension("new");
        let signature: String = signed.signature.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = format!("{LABEL} {table} {} {} {signature}\n", signed.head.sequence, signed.head.hash);
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.write_all(line.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.0)?;
        let folder = self.0.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

fn parse(text: &str, table: &TableId) -> Option<SignedHead> {
    let mut words = text.strip_suffix('\n')?.split(' ');
    let (label, named) = (words.next()?, words.next()?);
    let sequence = Sequence(words.next()?.parse().ok()?);
    let hash = ChainHash(from_hex(words.next()?)?);
    let signature = from_hex(words.next()?)?;
    let whole = label == LABEL && named == table.as_str() && words.next().is_none();
    whole.then_some(SignedHead { head: Head { sequence, hash }, signature })
}

fn from_hex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    if digits.len() != 2 * N || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::JournalKey;

    #[test]
    fn every_way_in_which_a_journal_can_fall_short_of_its_witness_is_a_doubt() {
        let file = WitnessFile::new("/nowhere/witness".into());
        let head = |sequence, byte| Head { sequence: Sequence(sequence), hash: ChainHash([byte; 32]) };
        let witness = |head| Ok(Some(SignedHead { head, signature: [0; 64] }));
        let found = |sequence, at_known: Option<u8>| Found::Records {
            head: head(sequence, 1),
            inputs: true,
            head_missing: false,
            at_known: at_known.map(|byte| ChainHash([byte; 32])),
        };
        let said = |found: Found, witness| found.doubt(&file, witness);
        let none = || Ok(None);
        assert_eq!(said(Found::Nothing { staff: false }, none()), None, "a new table");
        assert_eq!(said(Found::Nothing { staff: true }, none()), Some(Doubt::EmptyWithStaff));
        assert_eq!(said(Found::Nothing { staff: true }, witness(Head::NONE)), None, "set up, not run yet");
        let known = Sequence(9);
        assert_eq!(said(Found::Nothing { staff: true }, witness(head(9, 2))), Some(Doubt::Empty { known }));
        assert_eq!(said(found(8, None), witness(head(9, 2))), Some(Doubt::Older { known, found: Sequence(8) }));
        assert_eq!(said(found(9, Some(3)), witness(head(9, 2))), Some(Doubt::Other { at: known }));
        assert_eq!(said(found(9, Some(2)), witness(head(9, 2))), None);
        assert_eq!(said(found(12, None), witness(head(9, 2))), None, "the record was removed with its age");
        assert!(matches!(said(found(3, None), none()), Some(Doubt::NoWitness { .. })));
        let missing = Found::Records { head: head(9, 2), inputs: true, head_missing: true, at_known: None };
        assert_eq!(said(missing, witness(head(9, 2))), Some(Doubt::HeadMissing));
        let unreadable = Doubt::NotAWitness { file: "x".to_owned() };
        assert_eq!(said(found(9, Some(2)), Err(unreadable.clone())), Some(unreadable));
        let young = Found::Records { head: head(1, 1), inputs: false, head_missing: false, at_known: None };
        assert_eq!(said(young, none()), None, "the power went between the journal and its witness");
    }

    #[test]
    fn a_witness_comes_back_and_another_key_or_table_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = WitnessFile::new(folder.path().join("witness"));
        let (table, key) = (TableId::new("BJ-07").unwrap(), JournalKey::from_seed(&[7; 32]));
        assert_eq!(file.read(&table, key.public()).unwrap(), None);
        let signed = key.sign_head(&table, Head { sequence: Sequence(41), hash: ChainHash([9; 32]) });
        file.write(&table, &signed).unwrap();
        assert_eq!(file.read(&table, key.public()).unwrap(), Some(signed));
        let other = JournalKey::from_seed(&[8; 32]);
        assert!(matches!(file.read(&table, other.public()), Err(Doubt::NotAWitness { .. })));
        assert!(matches!(file.read(&TableId::new("BJ-08").unwrap(), key.public()), Err(Doubt::NotAWitness { .. })));
        let text = fs::read_to_string(file.path()).unwrap().replace(" 41 ", " 40 ");
        fs::write(file.path(), text).unwrap();
        assert!(matches!(file.read(&table, key.public()), Err(Doubt::NotAWitness { .. })));
    }
}
