//! PINs and their hashes: argon2id over the PIN, a salt of its own and the pepper.
//!
//! A PIN has few digits, so a stolen staff file could be searched in an afternoon. The pepper lies on another partition;
//! without it the hashes say nothing.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

use crate::secret::Secret;

pub const PIN_DIGITS_MIN: usize = 6;
pub const PIN_DIGITS_MAX: usize = 12;

const CODE_DIGITS: usize = 10;

/// 8 MiB: what a board with 1 GB can spare beside the table's work, one hash at a time.
const MEMORY_KIB: u32 = 8 * 1024;
const PASSES: u32 = 3;
const SALT_BYTES: usize = 16;

#[derive(Debug, Error)]
pub enum PinError {
    #[error("a PIN has {PIN_DIGITS_MIN} to {PIN_DIGITS_MAX} digits and nothing else")]
    NotDigits,
    #[error("this PIN is among the first that anybody tries: choose another")]
    TooEasy,
    #[error("the PIN cannot be hashed: {0}")]
    Hashing(String),
}

/// A PIN that may be given to somebody. Wiped when dropped; prints as nothing.
pub struct Pin(Zeroizing<String>);

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pin")
    }
}

impl Pin {
    pub fn new(text: Zeroizing<String>) -> Result<Self, PinError> {
        let length_fits = (PIN_DIGITS_MIN..=PIN_DIGITS_MAX).contains(&text.len());
        if !length_fits || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PinError::NotDigits);
        }
        // One digit throughout, or a run up or down.
        let steps: Vec<i16> = text.as_bytes().windows(2).map(|two| i16::from(two[1]) - i16::from(two[0])).collect();
        if [0, 1, -1].iter().any(|step| steps.iter().all(|each| each == step)) {
            return Err(PinError::TooEasy);
        }
        Ok(Self(text))
    }

    pub fn hash(&self, pepper: &Secret) -> Result<PinHash, PinError> {
        hash(self.0.as_bytes(), pepper)
    }
}

/// Ten random digits that somebody may use once, to set a PIN that nobody else has ever seen.
pub fn one_time_code() -> Result<Zeroizing<String>, PinError> {
    loop {
        let mut code = Zeroizing::new(String::with_capacity(CODE_DIGITS));
        while code.len() < CODE_DIGITS {
            let mut byte = [0];
            getrandom::fill(&mut byte).map_err(|error| PinError::Hashing(error.to_string()))?;
            // Of 250 values each digit has 25; the others would favour some.
            if byte[0] < 250 {
                code.push(char::from(b'0' + byte[0] % 10));
            }
        }
        // Typed like a PIN, so it has to be one.
        if Pin::new(code.clone()).is_ok() {
            return Ok(code);
        }
    }
}

/// As the staff file keeps it: `$argon2id$v=19$m=8192,t=3,p=1$…`.
#[derive(Clone, PartialEq, Eq)]
pub struct PinHash(String);

impl fmt::Debug for PinHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PinHash")
    }
}

impl PinHash {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let known = PasswordHash::new(text).is_ok() && text.starts_with("$argon2id$");
        known.then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Of a PIN that nobody can type.
    pub(super) fn decoy(pepper: &Secret) -> Result<Self, PinError> {
        hash(b"nobody's PIN", pepper)
    }

    pub(super) fn verify(&self, pin: &str, pepper: &Secret) -> bool {
        let Ok(parsed) = PasswordHash::new(&self.0) else { return false };
        let (Some(salt), Some(expected)) = (&parsed.salt, &parsed.hash) else { return false };
        let Ok(params) = Params::try_from(&parsed) else { return false };
        let argon = Argon2::new_with_secret(pepper.bytes(), Algorithm::Argon2id, Version::V0x13, params);
        let mut found = Zeroizing::new(vec![0; expected.len()]);
        let hashed = argon.and_then(|argon| hash_in_place(&argon, pin.as_bytes(), salt, &mut found));
        hashed.is_ok() && bool::from(found.as_slice().ct_eq(expected.as_bytes()))
    }
}

/// The memory of a hash, kept for the next one and wiped in between. Given back each time, it would stay with the
/// allocator of whichever thread had it, and be taken anew by the next: a hundred megabytes after some dozens of PINs.
static MEMORY: Mutex<Vec<Block>> = Mutex::new(Vec::new());

fn hash_in_place(argon: &Argon2<'_>, pin: &[u8], salt: &[u8], out: &mut [u8]) -> argon2::Result<()> {
    let mut memory = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    memory.resize(argon.params().block_count(), Block::default());
    let hashed = argon.hash_password_into_with_memory(pin, salt, out, &mut *memory);
    memory.iter_mut().for_each(Zeroize::zeroize);
    hashed
}

fn argon(pepper: &Secret) -> Result<Argon2<'_>, PinError> {
    let failed = |error: argon2::Error| PinError::Hashing(error.to_string());
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).map_err(failed)?;
    Argon2::new_with_secret(pepper.bytes(), Algorithm::Argon2id, Version::V0x13, params).map_err(failed)
}

fn hash(pin: &[u8], pepper: &Secret) -> Result<PinHash, PinError> {
    let mut salt = [0; SALT_BYTES];
    getrandom::fill(&mut salt).map_err(|error| PinError::Hashing(error.to_string()))?;
    let hashed =
        argon(pepper)?.hash_password_with_salt(pin, &salt).map_err(|error| PinError::Hashing(error.to_string()))?;
    Ok(PinHash(hashed.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(text: &str) -> Result<Pin, PinError> {
        Pin::new(Zeroizing::new(text.to_owned()))
    }

    fn pepper(directory: &tempfile::TempDir, name: &str) -> Secret {
        Secret::create(&directory.path().join(name)).unwrap()
    }

    #[test]
    fn a_pin_is_six_digits_at_least_and_no_run() {
        for good in ["295817", "112233", "000001", "135790246813"] {
            assert!(pin(good).is_ok(), "{good}");
        }
        for bad in ["", "29581", "2958171111111", "29581a", "２95817", " 295817"] {
            assert!(matches!(pin(bad), Err(PinError::NotDigits)), "{bad}");
        }
        for easy in ["000000", "77777777", "123456", "23456789", "987654"] {
            assert!(matches!(pin(easy), Err(PinError::TooEasy)), "{easy}");
        }
    }

    #[test]
    fn only_the_right_pin_with_the_right_pepper_fits() {
        let directory = tempfile::tempdir().unwrap();
        let (ours, other) = (pepper(&directory, "ours"), pepper(&directory, "other"));
        let hash = pin("295817").unwrap().hash(&ours).unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=8192,t=3,p=1$"), "{}", hash.as_str());
        assert!(hash.verify("295817", &ours));
        assert!(!hash.verify("295818", &ours));
        assert!(!hash.verify("295817", &other), "the pepper is not mixed in");
        assert_ne!(hash, pin("295817").unwrap().hash(&ours).unwrap(), "the salt is not new each time");
        assert_eq!(PinHash::parse(hash.as_str()), Some(hash.clone()));
        assert_eq!(format!("{hash:?} {:?}", pin("295817").unwrap()), "PinHash Pin");
    }

    #[test]
    fn other_hashes_are_not_taken() {
        for text in ["", "295817", "$argon2i$v=19$m=8192,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g", "$2y$10$abc"] {
            assert_eq!(PinHash::parse(text), None, "{text}");
        }
    }
}
