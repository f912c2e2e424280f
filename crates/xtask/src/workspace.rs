//! The checkout that commands work on, and how they run cargo in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Cargo tells a package where it lies; the workspace is two folders up.
    pub(crate) fn find() -> Self {
        let here =
            std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = here.ancestors().nth(2).unwrap_or(&here).to_owned();
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The cargo that runs us, in the workspace.
    pub(crate) fn cargo<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(args).current_dir(&self.root);
        command
    }

    /// What git tracks or would track: no build output, nothing ignored.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(&self.root);
        let listed = git.output().context("cannot run git to list the files")?;
        if !listed.status.success() {
            bail!("git ls-files failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
        }
        let names = String::from_utf8(listed.stdout).context("a file name is not UTF-8")?;
        let mut files: Vec<PathBuf> = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
        // A file that was deleted and not yet committed is still listed.
        files.retain(|file| self.root.join(file).is_file());
        files.sort();
        files.dedup();
        Ok(files)
    }

    pub(crate) fn read(&self, file: &Path) -> Result<Vec<u8>> {
        std::fs::read(self.root.join(file)).with_context(|| format!("cannot read {}", file.display()))
    }
}

/// The programs that cargo's JSON messages say it built, in their order.
pub(crate) fn executables(messages: &[u8]) -> Vec<String> {
    let messages = String::from_utf8_lossy(messages);
    let built = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(str::to_owned)
    });
    built.collect()
}
