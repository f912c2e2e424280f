//! Running the built tool and reading what it said.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Every line of the output as JSON.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }

    /// The objects under one key.
    pub(crate) fn each(&self, key: &str) -> Vec<Value> {
        self.objects().iter().filter_map(|object| object.get(key).cloned()).collect()
    }

    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The path of a shipped submission.
pub(crate) fn rules(game: &str) -> String {
    root().join(format!("firmware-config/submissions/{game}.toml")).display().to_string()
}

pub(crate) fn holecard(args: &[&str]) -> Ran {
    holecard_with(args, b"")
}

/// Runs the tool with these bytes as its standard input.
pub(crate) fn holecard_with(args: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holecard"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // From another thread: a tool that answers while it reads must not block on a full pipe. It may also stop reading.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Plays lines at a shipped table and gives the JSON.
pub(crate) fn play_json(game: &str, script: &[u8]) -> Ran {
    holecard_with(&["play", "--rules", &rules(game), "--json"], script)
}
