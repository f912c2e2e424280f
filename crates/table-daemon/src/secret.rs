//! Secrets that lie in a file of their own: the dealer screen's token and the pepper of the PINs.
//!
//! A secret that others could read is refused: it would prove nothing. What is read here is never printed.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use table_journal::is_open_to_others;
use thiserror::Error;
use zeroize::Zeroizing;

/// As many random bytes as a new secret has; it is written as twice as many hexadecimal digits.
const SECRET_BYTES: usize = 32;
/// Shorter ones could be guessed.
const TEXT_BYTES_MIN: usize = 32;
/// A bound on what is read from a wrong path.
const TEXT_BYTES_MAX: usize = 512;

#[derive(Debug, Error)]
pub enum SecretError {
    #[error("{file}: cannot {operation}: {source}")]
    File { file: String, operation: &'static str, source: io::Error },
    #[error("{file} has mode {mode:o}: it must be 600, readable by its owner alone")]
    OpenToOthers { file: String, mode: u32 },
    #[error("{file} holds no secret: it needs one line of at least {TEXT_BYTES_MIN} characters")]
    TooShort { file: String },
    #[error("the system gave no randomness: {0}")]
    NoRandomness(String),
}

/// One line of text that is wiped when it is dropped. Prints as nothing.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    pub fn read(path: &Path) -> Result<Self, SecretError> {
        let name = || path.display().to_string();
        let failed =
            |operation| move |source| SecretError::File { file: path.display().to_string(), operation, source };
        let file = File::open(path).map_err(failed("open it"))?;
        let about = file.metadata().map_err(failed("look at it"))?;
        let mode = about.mode() & 0o7777;
        if is_open_to_others(mode, about.gid()) {
            return Err(SecretError::OpenToOthers { file: name(), mode });
        }
        let mut bytes = Zeroizing::new(Vec::with_capacity(TEXT_BYTES_MAX));
        let limit = u64::try_from(TEXT_BYTES_MAX).unwrap_or(u64::MAX);
        file.take(limit).read_to_end(&mut bytes).map_err(failed("read it"))?;
        while bytes.last().is_some_and(u8::is_ascii_whitespace) {
            bytes.pop();
        }
        if bytes.len() < TEXT_BYTES_MIN || bytes.contains(&b'\n') {
            return Err(SecretError::TooShort { file: name() });
        }
        Ok(Self(bytes))
    }

    /// Makes a new random one where there is no file yet; never replaces one.
    pub fn create(path: &Path) -> Result<Self, SecretError> {
        let failed =
            |operation| move |source| SecretError::File { file: path.display().to_string(), operation, source };
        let text = random_hex()?;
        let mut file =
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed("create it"))?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n"));
        written.and_then(|()| file.sync_all()).map_err(failed("write it"))?;
        Ok(Self(Zeroizing::new(text.as_bytes().to_vec())))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// 32 random bytes as 64 hexadecimal digits.
pub(crate) fn random_hex() -> Result<Zeroizing<String>, SecretError> {
    let mut bytes = Zeroizing::new([0_u8; SECRET_BYTES]);
    getrandom::fill(bytes.as_mut()).map_err(|error| SecretError::NoRandomness(error.to_string()))?;
    Ok(Zeroizing::new(hex(bytes.as_ref())))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_is_made_once_read_again_and_never_shown() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pepper");
        let made = Secret::create(&path).unwrap();
        assert_eq!(made.bytes(), Secret::read(&path).unwrap().bytes());
        assert_eq!(made.bytes().len(), 2 * SECRET_BYTES);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert!(matches!(Secret::create(&path), Err(SecretError::File { .. })), "an existing one was replaced");
        assert_eq!(format!("{made:?}"), "Secret");
    }

    #[test]
    fn a_secret_that_others_can_read_or_guess_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        Secret::create(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Secret::read(&path), Err(SecretError::OpenToOthers { mode: 0o644, .. })));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        for text in ["", "short\n", &format!("{}\n{}\n", "a".repeat(40), "b".repeat(40))] {
            fs::write(&path, text).unwrap();
            assert!(matches!(Secret::read(&path), Err(SecretError::TooShort { .. })), "{text:?}");
        }
    }
}
