//! The journal's signing key: made once at install, read at every start, never shown.
//!
//! The file is one line of text, readable by its owner alone; a key that others could read is refused, because a
//! signature that two can make proves nothing. The public half is exported as text for whoever checks the journal.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use zeroize::{Zeroize, Zeroizing};

use crate::segment::signed_message;
use crate::types::{ChainHash, Head, TableId};

const KEY_LABEL: &str = "holecard-journal-key-v1 ";
const PUBLIC_LABEL: &str = "holecard-journal-public-key-v1 ";
const KEY_MODE: u32 = 0o600;
/// Longer than any key file; a bound on what is read from a wrong path.
const KEY_FILE_BYTES_MAX: u64 = 256;

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("cannot {operation} the journal key: {source}")]
    File { operation: &'static str, source: io::Error },
    #[error("the journal key file has mode {0:o}; it must be 600, readable by its owner alone")]
    OpenToOthers(u32),
    #[error("this is not a journal key file; restore it from the install")]
    NotAKey,
    #[error("the system gave no randomness: {0}")]
    NoRandomness(String),
}

/// Signs closed segments and heads. Prints as nothing.
///
/// It lies in one place on the heap: a key that is moved leaves no copies of itself behind.
pub struct JournalKey(Box<SigningKey>);

impl fmt::Debug for JournalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JournalKey(public {})", self.public())
    }
}

/// The half that checks signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub [u8; 32]);

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&ChainHash(self.0), f)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where the journal stood, vouched for: goes on the day's summary and into exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedHead {
    pub head: Head,
    pub signature: [u8; 64],
}

const HEAD_DOMAIN: &[u8] = b"holecard journal head v1\0";

impl JournalKey {
    /// A key from its 32-byte seed; the caller wipes its own copy.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let key = Self(Box::new(SigningKey::from_bytes(seed)));
        wipe_stack();
        key
    }

    /// Makes a new key file. Fails if there is one: a key is never overwritten.
    pub fn create(path: &Path) -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0u8; 32]);
        getrandom::fill(seed.as_mut_slice()).map_err(|error| KeyError::NoRandomness(error.to_string()))?;
        let line = Zeroizing::new(format!("{KEY_LABEL}{}\n", ChainHash(*seed)));
        let write = |path: &Path| -> io::Result<()> {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(KEY_MODE).open(path)?;
            file.write_all(line.as_bytes())?;
            file.sync_all()?;
            // Without this a power cut right after install could bring the table back without its key.
            File::open(path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))?
                .sync_all()
        };
        write(path).map_err(|source| KeyError::File { operation: "create", source })?;
        Ok(Self::from_seed(&seed))
    }

    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let read_failed = |source| KeyError::File { operation: "read", source };
        let file = File::open(path).map_err(read_failed)?;
        // The mode of the open file, so that the file checked is the file read.
        let about = file.metadata().map_err(read_failed)?;
        let mode = about.mode() & 0o7777;
        if is_open_to_others(mode, about.gid()) {
            return Err(KeyError::OpenToOthers(mode));
        }
        // Roomy from the start: text that grows leaves what it had behind.
        let mut text = Zeroizing::new(String::with_capacity(1024));
        file.take(KEY_FILE_BYTES_MAX).read_to_string(&mut text).map_err(read_failed)?;
        let mut seed = parse_labelled(&text, KEY_LABEL).ok_or(KeyError::NotAKey)?;
        let key = Self::from_seed(&seed);
        seed.zeroize();
        wipe_stack();
        Ok(key)
    }

    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        let signature = self.0.sign(message).to_bytes();
        wipe_stack();
        signature
    }

    #[must_use]
    pub fn sign_head(&self, table: &TableId, head: Head) -> SignedHead {
        let message = signed_message(HEAD_DOMAIN, table, 0, head.sequence, head.hash);
        SignedHead { head, signature: self.sign(&message) }
    }
}

impl PublicKey {
    /// Strict checking: keys and signatures of the weak forms are refused.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        VerifyingKey::from_bytes(&self.0)
            .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
    }

    #[must_use]
    pub fn verifies_head(&self, table: &TableId, signed: &SignedHead) -> bool {
        let message = signed_message(HEAD_DOMAIN, table, 0, signed.head.sequence, signed.head.hash);
        self.verifies(&message, &signed.signature)
    }

    /// Writes the text that an auditor is given.
    pub fn export(&self, path: &Path) -> Result<(), KeyError> {
        fs::write(path, self.to_text()).map_err(|source| KeyError::File { operation: "export", source })
    }

    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{PUBLIC_LABEL}{self}\n")
    }

    pub fn from_text(text: &str) -> Result<Self, KeyError> {
        parse_labelled(text, PUBLIC_LABEL).map(Self).ok_or(KeyError::NotAKey)
    }
}

/// Whether anybody but its owner can read a secret file.
///
/// A credential that systemd passes to a service belongs to root and names the service's user in an access list, whose
/// mask the mode shows as "group may read". Root's own group is nobody else.
#[must_use]
pub const fn is_open_to_others(mode: u32, group: u32) -> bool {
    let by_group = mode & 0o070;
    mode & 0o007 != 0 || by_group & 0o030 != 0 || (by_group != 0 && group != 0)
}

/// As deep as making a key or a signature goes, and more.
const STACK_WIPED_BYTES: usize = 32 * 1024;

/// Overwrites the stack below the caller, where values that were moved have left copies of the key.
#[inline(never)]
fn wipe_stack() {
    let mut below = [0_u8; STACK_WIPED_BYTES];
    below.zeroize();
    std::hint::black_box(&below);
}

fn parse_labelled(text: &str, label: &str) -> Option<[u8; 32]> {
    let digits = text.trim_end().strip_prefix(label)?;
    if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_group_of_root_may_be_seen_to_read() {
        for (mode, group, open) in [
            (0o600, 1000, false),
            (0o400, 0, false),
            (0o440, 0, false),
            (0o440, 1000, true),
            (0o640, 1000, true),
            (0o660, 0, true),
            (0o604, 0, true),
            (0o602, 0, true),
        ] {
            assert_eq!(is_open_to_others(mode, group), open, "{mode:o} {group}");
        }
    }
}
