//! The keys of paired devices: a file each on the state partition, for its owner alone, never in any log.
//!
//! They are made at a pairing and replaced by the next one. A device whose file is missing is not paired: its line is kept
//! closed by keys that nobody has, never opened in the clear.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use device_protocols::protection::{KEY_LENGTH, PairKeys, Paired, Protection, Seed};
use table_journal::is_open_to_others;
use thiserror::Error;
use zeroize::Zeroizing;

use crate::durable;
use crate::secret::{SecretError, hex};

/// Below the state directory.
const FOLDER: &str = "device-keys";

#[derive(Debug, Error)]
pub(crate) enum PairsError {
    #[error("{file}: {source}")]
    File { file: String, source: std::io::Error },
    #[error(
        "{file} has mode {mode:o}: it must be 600, readable by its owner alone; somebody may know the keys: pair anew"
    )]
    OpenToOthers { file: String, mode: u32 },
    #[error("{file} holds no keys of a pairing: pair the device anew")]
    NoKeys { file: String },
    #[error(transparent)]
    NoRandomness(#[from] SecretError),
}

/// Where the keys of one table's devices lie.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    folder: PathBuf,
}

impl Pairs {
    pub(crate) fn below(state_directory: &Path) -> Self {
        Self { folder: state_directory.join(FOLDER) }
    }

    fn file(&self, device: &str) -> PathBuf {
        self.folder.join(format!("{}.key", device.replace(' ', "-")))
    }

    /// `None` for a device that was never paired.
    pub(crate) fn read(&self, device: &str) -> Result<Option<PairKeys>, PairsError> {
        let path = self.file(device);
        let file = path.display().to_string();
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(PairsError::File { file, source }),
        };
        let mode = about.mode() & 0o7777;
        if is_open_to_others(mode, about.gid()) {
            return Err(PairsError::OpenToOthers { file, mode });
        }
        let read = fs::read(&path).map_err(|source| PairsError::File { file: file.clone(), source })?;
        let text = Zeroizing::new(read);
        let mut parts = text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
        let (own, peer) = (parts.next().and_then(key), parts.next().and_then(key));
        match (own, peer, parts.next()) {
            (Some(own), Some(peer), None) => Ok(Some(PairKeys::new(&own, *peer))),
            (_, _, _) => Err(PairsError::NoKeys { file }),
        }
    }

    /// Replaces what was there.
    pub(crate) fn write(&self, device: &str, keys: &PairKeys) -> Result<(), PairsError> {
        let path = self.file(device);
        let failed = |source| PairsError::File { file: path.display().to_string(), source };
        if !self.folder.exists() {
            fs::DirBuilder::new().mode(0o700).create(&self.folder).map_err(failed)?;
        }
        let (own, peer) = (Zeroizing::new(hex(keys.own_secret())), hex(keys.peer_public()));
        let text = Zeroizing::new(format!("{} {peer}\n", *own));
        durable::replace(&path, text.as_bytes()).map_err(failed)
    }

    /// What a port that must be protected starts with.
    pub(crate) fn protection(&self, device: &str) -> Result<Protection, PairsError> {
        let seed = random_seed()?;
        let keys = match self.read(device) {
            Ok(Some(keys)) => keys,
            Ok(None) => PairKeys::of_nobody(&seed),
            Err(error) => {
                tracing::error!(%error, device, "the keys of a paired device cannot be used; pair it anew");
                PairKeys::of_nobody(&seed)
            }
        };
        Ok(Protection::Paired(Paired { keys, seed }))
    }
}

pub(crate) fn random_seed() -> Result<Seed, SecretError> {
    let mut random = Zeroizing::new([0; KEY_LENGTH]);
    getrandom::fill(random.as_mut()).map_err(|error| SecretError::NoRandomness(error.to_string()))?;
    Ok(Seed::new(*random))
}

/// 64 hexadecimal digits.
fn key(text: &[u8]) -> Option<Zeroizing<[u8; KEY_LENGTH]>> {
    if text.len() != 2 * KEY_LENGTH {
        return None;
    }
    let mut bytes = Zeroizing::new([0; KEY_LENGTH]);
    for (byte, digits) in bytes.iter_mut().zip(text.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn keys_are_kept_for_their_owner_alone_and_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let pairs = Pairs::below(folder.path());
        assert!(pairs.read("right shoe").unwrap().is_none());
        let (first, second) = PairKeys::of_two(&[1; KEY_LENGTH], &[2; KEY_LENGTH]);
        for keys in [&first, &second] {
            pairs.write("right shoe", keys).unwrap();
            assert_eq!(pairs.read("right shoe").unwrap().as_ref(), Some(keys));
        }
        let path = folder.path().join("device-keys/right-shoe.key");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
        assert!(pairs.read("shoe").unwrap().is_none());
    }

    #[test]
    fn keys_that_others_can_read_or_that_are_none_are_not_used_and_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let pairs = Pairs::below(folder.path());
        let (keys, _) = PairKeys::of_two(&[0xAB; KEY_LENGTH], &[2; KEY_LENGTH]);
        pairs.write("reader", &keys).unwrap();
        let path = folder.path().join("device-keys/reader.key");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = pairs.read("reader").unwrap_err();
        assert!(matches!(error, PairsError::OpenToOthers { mode: 0o644, .. }), "{error}");
        assert!(!error.to_string().contains("abab"), "{error}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        for text in ["", "abab", &"ab".repeat(32), &format!("{0} {0} {0}", "ab".repeat(32)), &"zz ".repeat(64)] {
            fs::write(&path, text).unwrap();
            let error = pairs.read("reader").unwrap_err();
            assert!(matches!(error, PairsError::NoKeys { .. }), "{error}");
            // And the line stays closed, rather than open.
            assert!(matches!(pairs.protection("reader"), Ok(Protection::Paired(_))));
        }
    }
}
