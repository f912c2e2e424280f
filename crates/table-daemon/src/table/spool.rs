//! What was said at the technician's console, found in its spool and entered in the journal: a file a command, complete or
//! not there. A file is removed when its record is durable; a power cut in between enters it twice and loses nothing.
//!
//! The disk is asked on another thread: it may be the one that stalls.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use operator_api::bounded;
use serde::Deserialize;
use table_controller::ConsoleInput;
use tokio::sync::oneshot;

const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Entered at one look; the next ones have their turn a second later.
const TAKEN_MAX: usize = 16;
/// A command has 200 bytes and its result a line.
const FILE_BYTES_MAX: u64 = 8 * 1024;
/// A port, a mode.
const WORD_CHARS_MAX: usize = 64;
/// The words of a command, the line of its result.
const LINE_CHARS_MAX: usize = 400;

/// As the console writes it.
#[derive(Deserialize)]
struct Spooled {
    at_ms: i64,
    person: u32,
    port: String,
    mode: String,
    words: String,
    result: String,
}

type Found = io::Result<Vec<(PathBuf, ConsoleInput)>>;

pub(super) struct Spool {
    directory: PathBuf,
    started_ms: i64,
    looked: Option<Instant>,
    looking: Option<oneshot::Receiver<Found>>,
    complained: bool,
    /// Entered, and not yet known to be durable.
    entered: Vec<PathBuf>,
}

impl Spool {
    pub(super) fn new(directory: &Path, started_ms: i64) -> Self {
        let directory = directory.to_owned();
        Self { directory, started_ms, looked: None, looking: None, complained: false, entered: Vec::new() }
    }

    /// What has been found since the last time. `at_rest`: everything that was entered is durable.
    pub(super) fn poll(&mut self, at_rest: bool) -> Vec<ConsoleInput> {
        if at_rest && !self.entered.is_empty() {
            let done = std::mem::take(&mut self.entered);
            tokio::task::spawn_blocking(move || {
                for file in done {
                    if let Err(error) = fs::remove_file(&file) {
                        tracing::warn!(%error, file = %file.display(), "an entered command stays in the spool");
                    }
                }
            });
            // They are gone before the next look.
            self.looked = Some(Instant::now());
        }
        if let Some(looking) = &mut self.looking {
            match looking.try_recv() {
                Ok(Err(error)) => {
                    self.looking = None;
                    if !std::mem::replace(&mut self.complained, true) {
                        let directory = self.directory.display();
                        tracing::warn!(%error, %directory, "the console's spool cannot be read: is this user in its group?");
                    }
                }
                Ok(Ok(found)) => {
                    self.looking = None;
                    self.complained = false;
                    let (files, said) = found.into_iter().unzip();
                    self.entered = files;
                    return said;
                }
                Err(oneshot::error::TryRecvError::Closed) => self.looking = None,
                Err(oneshot::error::TryRecvError::Empty) => {}
            }
        } else if self.entered.is_empty() && self.looked.is_none_or(|at| at.elapsed() >= LOOK_EVERY) {
            self.looked = Some(Instant::now());
            let (found, looking) = oneshot::channel();
            let (directory, started_ms) = (self.directory.clone(), self.started_ms);
            tokio::task::spawn_blocking(move || {
                let _gone = found.send(look(&directory, started_ms));
            });
            self.looking = Some(looking);
        }
        Vec::new()
    }
}

fn look(directory: &Path, started_ms: i64) -> Found {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries.flatten(),
        // A table without a console.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let is_command = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "json");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_command).collect();
    files.sort();
    files.truncate(TAKEN_MAX);
    Ok(files.into_iter().filter_map(|file| Some((file.clone(), read(&file, started_ms)?))).collect())
}

fn read(file: &Path, started_ms: i64) -> Option<ConsoleInput> {
    let mut bytes = Vec::new();
    fs::File::open(file).ok()?.take(FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    match serde_json::from_slice::<Spooled>(&bytes) {
        Ok(Spooled { at_ms, person, port, mode, words, result }) => Some(ConsoleInput {
            at_ms,
            person: operator_api::PersonId(person),
            port: bounded(&port, WORD_CHARS_MAX),
            mode: bounded(&mode, WORD_CHARS_MAX),
            words: bounded(&words, LINE_CHARS_MAX),
            result: bounded(&result, LINE_CHARS_MAX),
            while_down: at_ms < started_ms,
        }),
        Err(error) => {
            tracing::warn!(%error, file = %file.display(), "a file in the console's spool makes no sense and is set aside");
            let _kept = fs::rename(file, file.with_extension("bad"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(at_ms: i64) -> String {
        format!(
            "{{\"at_ms\":{at_ms},\"person\":4001,\"port\":\"tty\",\"mode\":\"down\",\"words\":\"unit reset-failed\",\
             \"result\":\"done\"}}"
        )
    }

    #[tokio::test]
    async fn commands_are_found_once_in_their_order_and_removed_when_they_are_durable() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("20-1-1.json", said(20)), ("10-1-0.json", said(10)), ("30.tmp", said(30)), ("5.json", "{".to_owned())]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let mut spool = Spool::new(folder.path(), 15);
        let mut found = Vec::new();
        while found.is_empty() {
            found = spool.poll(true);
            tokio::task::yield_now().await;
        }
        let told: Vec<(i64, bool)> = found.iter().map(|said| (said.at_ms, said.while_down)).collect();
        assert_eq!(told, [(10, true), (20, false)]);
        assert!(spool.poll(false).is_empty());
        assert!(folder.path().join("10-1-0.json").exists(), "not before it is durable");
        assert!(folder.path().join("5.bad").exists());
        spool.poll(true);
        while folder.path().join("20-1-1.json").exists() {
            tokio::task::yield_now().await;
        }
        assert!(folder.path().join("30.tmp").exists(), "what is not complete is left alone");
    }
}
