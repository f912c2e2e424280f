//! The daemon as a process: configuration, log, table, interface, readiness, signals, and an end within a deadline.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use table_journal::{JournalKey, KeyError};
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::config::{Config, ConfigProblem};
use crate::http::{self, Limits, ListenError, Listeners};
use crate::metrics::Metrics;
use crate::notify::{self, LogError, Watchdog};
use crate::secret::{Secret, SecretError};
use crate::staff::{Book, Staff, StaffError};
use crate::table::{NotStarted, TableEnded, TableParts, from_configuration, start};

#[derive(Debug, Error)]
pub enum ServiceError {
    #[error("the configuration is wrong:\n{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<ConfigProblem>),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("the journal's key: {0}")]
    Key(#[from] KeyError),
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    #[error(transparent)]
    Ended(#[from] TableEnded),
    #[error("the runtime cannot be started: {0}")]
    Runtime(std::io::Error),
    #[error("the table's loop ended by a bug: {0}")]
    Bug(tokio::task::JoinError),
}

/// Runs until SIGTERM or SIGINT, or until the table cannot go on.
pub fn run(files: &[PathBuf]) -> Result<(), ServiceError> {
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let config = Config::load(&files).map_err(ServiceError::Config)?;
    notify::start_log(&config.log)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServiceError::Runtime)?;
    runtime.block_on(serve(&config))
}

async fn serve(config: &Config) -> Result<(), ServiceError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(ServiceError::Runtime)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServiceError::Runtime)?;
    let staff = Staff::open(&config.state_directory, pepper(config)?)?;
    let token = secret(&config.http.token_file)?;
    let listeners = Listeners::bind(&config.http)?;
    let stop = CancellationToken::new();
    let watchdog = Mutex::new(Watchdog::from_environment());
    let alive = move || {
        if let Ok(mut watchdog) = watchdog.lock() {
            watchdog.fed_by_loop();
        }
    };
    let felt = from_configuration(&config.devices, &config.wiring);
    let parts = TableParts { felt, alive: Box::new(alive) };
    let table = start(config, parts, stop.child_token()).await?;
    let hosts = hosts(config, &listeners);
    if let Some(address) = listeners.address() {
        tracing::info!(%address, "listening");
    }
    let parts = http::Parts {
        table: table.handle.clone(),
        staff,
        token,
        hosts,
        metrics: Metrics::default(),
        limits: Limits::default(),
        demo: None,
    };
    let server = tokio::spawn(http::serve(listeners, parts, stop.child_token()));
    notify::ready();
    let mut task = table.task;
    let ended = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        ended = &mut task => Some(ended),
    };
    notify::stopping();
    stop.cancel();
    let ended = match ended {
        Some(ended) => ended,
        None => task.await,
    };
    // The streams end by themselves within the interface's own deadline.
    let _served = server.await;
    ended.map_err(ServiceError::Bug)?.map_err(ServiceError::Ended)
}

/// Every PIN depends on it: a new one is made only while nobody has a PIN. A missing file with people in the book is a
/// partition that is not mounted, and no reason to make all of them wrong.
fn pepper(config: &Config) -> Result<Secret, ServiceError> {
    let nobody = Book::load(&config.state_directory).map_err(StaffError::from)?.people().is_empty();
    if nobody { Ok(secret(&config.pepper_file)?) } else { Ok(Secret::read(&config.pepper_file)?) }
}

/// Made at the first start and kept from then on.
pub fn secret(path: &Path) -> Result<Secret, SecretError> {
    if path.exists() { Secret::read(path) } else { Secret::create(path) }
}

/// Makes the three secrets of a table where they are not there yet, and says which. What is there is never replaced.
pub fn make_secrets(directory: &Path) -> Result<Vec<String>, ServiceError> {
    let mut said = Vec::new();
    for name in ["pepper", "journal.key", "kiosk.token"] {
        let path = directory.join(name);
        let new = !path.exists();
        if new && name == "journal.key" {
            JournalKey::create(&path)?;
        } else if new {
            Secret::create(&path)?;
        }
        said.push(format!("{}: {}", path.display(), if new { "made" } else { "was there and stays as it is" }));
    }
    Ok(said)
}

/// What a browser may call this table: the configured names, and the address that was really taken.
pub fn hosts(config: &Config, listeners: &Listeners) -> Vec<String> {
    let mut hosts = config.http.hosts.clone();
    if let Some(address) = listeners.address() {
        hosts.push(address.to_string());
        hosts.push(format!("localhost:{}", address.port()));
    }
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staff::{Person, Pin};
    use operator_api::{PersonId, Role};
    use zeroize::Zeroizing;

    #[test]
    fn secrets_are_made_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(make_secrets(folder.path()).unwrap().iter().all(|line| line.ends_with("made")));
        let contents = || ["pepper", "journal.key", "kiosk.token"].map(|name| std::fs::read(folder.path().join(name)));
        let made = contents().map(Result::unwrap);
        assert!(make_secrets(folder.path()).unwrap().iter().all(|line| line.ends_with("stays as it is")));
        assert_eq!(contents().map(Result::unwrap), made);
        JournalKey::load(&folder.path().join("journal.key")).unwrap();
        Secret::read(&folder.path().join("pepper")).unwrap();
    }

    #[test]
    fn a_missing_pepper_is_made_for_nobody_and_never_for_people_who_have_pins() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let text = format!(
            "board = \"simulated\"\n[table]\nid = \"T-1\"\nrules = \"{at}/rules.toml\"\n\
             [state]\ndirectory = \"{at}\"\npepper_file = \"{at}/pepper\"\n"
        );
        let file = folder.path().join("table.toml");
        std::fs::write(&file, text).unwrap();
        let config = Config::load(&[&file]).unwrap();
        let made = pepper(&config).unwrap();
        let hash = Pin::new(Zeroizing::new("483920".to_owned())).unwrap().hash(&made).unwrap();
        let person = Person::new(PersonId(7), "Ann", Role::Floorperson, hash).unwrap();
        Book::change(folder.path(), |book| book.add(person)).unwrap();
        pepper(&config).unwrap();
        std::fs::remove_file(folder.path().join("pepper")).unwrap();
        assert!(matches!(pepper(&config), Err(ServiceError::Secret(_))));
        assert!(!folder.path().join("pepper").exists());
    }
}
