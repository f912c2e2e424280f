//! What is installed here: version, compiler, and the hashes that an approval names. One text for the command line, the
//! screen and the console.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::config::{Config, ConfigProblem};
use crate::table::file_hash;

/// A SHA-256 that is written as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hash(pub [u8; 32]);

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A file that was hashed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hashed {
    pub name: &'static str,
    pub file: PathBuf,
    pub sha256: Hash,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Version {
    pub version: &'static str,
    pub compiler: &'static str,
    pub target: &'static str,
    pub files: Vec<Hashed>,
}

impl Version {
    /// The programs in this folder, as far as they are there, and nothing of any table.
    pub fn of_programs(folder: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        for name in ["holecard", "holecardd"] {
            let file = folder.join(name);
            if file.is_file() {
                files.push(Hashed { name, sha256: Hash(file_hash(&file)?), file });
            }
        }
        let [version, compiler, target] =
            [env!("CARGO_PKG_VERSION"), env!("HOLECARD_COMPILER"), env!("HOLECARD_TARGET")];
        Ok(Self { version, compiler, target, files })
    }

    /// With the rules and the configuration that a table's file names.
    pub fn with_table(mut self, file: &Path) -> Result<Self, NotHashed> {
        let config = Config::load(&[file]).map_err(NotHashed::Config)?;
        let hashed = |name, file: &Path| {
            let sha256 = file_hash(file).map_err(|error| NotHashed::File { file: file.to_owned(), error })?;
            Ok(Hashed { name, file: file.to_owned(), sha256: Hash(sha256) })
        };
        self.files.push(hashed("rules", &config.rules)?);
        self.files.push(hashed("configuration", file)?);
        Ok(self)
    }

    /// At most 80 columns each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("holecard {}, {}, {}", self.version, self.compiler, self.target)];
        lines.extend(self.files.iter().map(|hashed| format!("  {:<13} {}", hashed.name, hashed.sha256)));
        lines
    }
}

#[derive(Debug, thiserror::Error)]
pub enum NotHashed {
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<ConfigProblem>),
    #[error("{}: {error}", file.display())]
    File { file: PathBuf, error: io::Error },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_counts_and_every_line_fits_the_console() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        std::fs::write(at.join("holecard"), "program").unwrap();
        std::fs::write(at.join("rules.toml"), "game = \"blackjack\"").unwrap();
        let site = format!(
            "board = \"simulated\"\n[table]\nid = \"T-1\"\nrules = \"{0}/rules.toml\"\n[state]\ndirectory = \"{0}\"\n",
            at.display()
        );
        std::fs::write(at.join("table.toml"), site).unwrap();
        let all = || Version::of_programs(at).unwrap().with_table(&at.join("table.toml")).unwrap();
        let before = all();
        let names: Vec<&str> = before.files.iter().map(|hashed| hashed.name).collect();
        assert_eq!(names, ["holecard", "rules", "configuration"], "a daemon that is not there has no hash");
        assert!(before.lines().iter().all(|line| line.len() <= 80), "{:?}", before.lines());
        for file in ["holecard", "rules.toml"] {
            std::fs::write(at.join(file), "other").unwrap();
            assert_ne!(all().lines(), before.lines(), "{file}");
        }
    }
}
