//! The daemon as a process: configuration, log, table, interface, readiness, signals, and an end within a deadline.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use table_journal::{JournalKey, KeyError};
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::closed;
use crate::config::{Config, ConfigProblem, Log, LogLevel, LogTo};
use crate::durable;
use crate::failures::{Failure, Failures, UP_AFTER, remember_panics};
use crate::handle::TableHandle;
use crate::http::{self, Limits, ListenError, Listeners};
use crate::memory;
use crate::metrics::Metrics;
use crate::notify::{self, LogError, Watchdog};
use crate::secret::{Secret, SecretError};
use crate::staff::{Book, Staff, StaffError, owner};
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
    #[error("the socket of the staff file's owner: {0}")]
    StaffSocket(std::io::Error),
    #[error("it could not start because of a bug")]
    Panicked,
    #[error("the operator's interface ended by a bug")]
    InterfaceEnded,
}

/// Runs until SIGTERM or SIGINT, or until the table cannot go on.
pub fn run(files: &[PathBuf]) -> Result<(), ServiceError> {
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let config = Config::load(&files).map_err(ServiceError::Config)?;
    notify::start_log(&config.log)?;
    memory::guard();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServiceError::Runtime)?;
    let failures = Failures::beside(&config.console.picture_file);
    failures.begin();
    let recent = failures.recent();
    let ended = if Failures::are_too_many(&recent) {
        runtime.block_on(serve_closed(&config, &recent))
    } else {
        remember_panics();
        caught(|| runtime.block_on(serve(&config, &failures)))
    };
    match &ended {
        Ok(()) => failures.forget(),
        Err(error) => failures.note_end(error),
    }
    ended
}

/// Reading the journal back runs the rules: a record at which they panic is a failure like any other.
fn caught(serve: impl FnOnce() -> Result<(), ServiceError>) -> Result<(), ServiceError> {
    catch_unwind(AssertUnwindSafe(serve)).unwrap_or(Err(ServiceError::Panicked))
}

/// Screen and console without the table. A staff file or a secret that cannot be read is a reason to fail here too.
async fn serve_closed(config: &Config, recent: &[Failure]) -> Result<(), ServiceError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(ServiceError::Runtime)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServiceError::Runtime)?;
    let staff = staff(config)?;
    let listeners = Listeners::bind(&config.http)?;
    let stop = CancellationToken::new();
    let table = closed::start(config, recent, fed_watchdog(), stop.child_token())?;
    let parts = parts(config, &listeners, table.handle, staff)?;
    let mut server = http::serve_apart(listeners, parts, stop.child_token()).map_err(ServiceError::Runtime)?;
    notify::ready();
    let told = tokio::select! {
        _ = terminate.recv() => true,
        _ = interrupt.recv() => true,
        _ = &mut server => false,
    };
    notify::stopping();
    stop.cancel();
    if !told {
        return Err(ServiceError::InterfaceEnded);
    }
    let _served = server.await;
    table.task.await.map_err(ServiceError::Bug)
}

fn fed_watchdog() -> Box<dyn Fn() + Send> {
    let watchdog = Mutex::new(Watchdog::from_environment());
    Box::new(move || {
        if let Ok(mut watchdog) = watchdog.lock() {
            watchdog.fed_by_loop();
        }
    })
}

fn parts(
    config: &Config,
    listeners: &Listeners,
    table: TableHandle,
    staff: Staff,
) -> Result<http::Parts, ServiceError> {
    if let Some(address) = listeners.address() {
        tracing::info!(%address, "listening");
    }
    Ok(http::Parts {
        table,
        staff,
        token: secret(&config.http.token_file)?,
        hosts: hosts(config, listeners),
        metrics: Metrics::default(),
        limits: Limits::default(),
        screen: config.screen.clone(),
        #[cfg(feature = "demo")]
        demo: None,
    })
}

/// Says that the table of this configuration is new. Leaves alone one that is not.
pub fn commission(files: &[PathBuf], journal_key: Option<&Path>) -> Result<(), ServiceError> {
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let config = Config::load(&files).map_err(ServiceError::Config)?;
    crate::table::commission(&config, journal_key).map_err(|error| ServiceError::NotStarted(error.into()))
}

async fn serve(config: &Config, failures: &Failures) -> Result<(), ServiceError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(ServiceError::Runtime)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServiceError::Runtime)?;
    let staff = staff(config)?;
    let listeners = Listeners::bind(&config.http)?;
    let stop = CancellationToken::new();
    let layout = from_configuration(&config.devices, &config.wiring);
    let asked = staff.clone();
    let too_many_wrong_pins = Box::new(move || asked.has_too_many_wrong_pins());
    let table_parts = TableParts { layout, alive: fed_watchdog(), too_many_wrong_pins };
    let table = start(config, table_parts, stop.child_token()).await?;
    let parts = parts(config, &listeners, table.handle.clone(), staff)?;
    let mut server = http::serve_apart(listeners, parts, stop.child_token()).map_err(ServiceError::Runtime)?;
    keep_last_good(config);
    notify::ready();
    let mut task = table.task;
    let told = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    let end = end_of(told, &mut task, &mut server, || failures.forget()).await;
    notify::stopping();
    stop.cancel();
    match end {
        End::Told => {
            let ended = task.await;
            // The streams end by themselves within the interface's own deadline.
            let _served = server.await;
            ended.map_err(ServiceError::Bug)?.map_err(ServiceError::Ended)
        }
        End::Table(ended) => {
            let _served = server.await;
            ended.map_err(ServiceError::Bug)?.map_err(ServiceError::Ended)
        }
        // A table without its screen is started again: what waits is saved first.
        End::Interface => {
            task.await.map_err(ServiceError::Bug)?.map_err(ServiceError::Ended)?;
            Err(ServiceError::InterfaceEnded)
        }
    }
}

/// Waits for the end; calls `up` once the daemon has been there for a while.
async fn end_of(
    told: impl Future<Output = ()>,
    table: &mut JoinHandle<Result<(), TableEnded>>,
    interface: &mut oneshot::Receiver<()>,
    up: impl Fn(),
) -> End {
    let stays = tokio::time::sleep(UP_AFTER);
    tokio::pin!(stays, told);
    loop {
        tokio::select! {
            () = &mut told => return End::Told,
            ended = &mut *table => return End::Table(ended),
            _ = &mut *interface => return End::Interface,
            () = &mut stays, if !stays.is_elapsed() => up(),
        }
    }
}

/// Why the daemon ends.
#[derive(Debug)]
enum End {
    /// By a signal.
    Told,
    Table(Result<Result<(), TableEnded>, tokio::task::JoinError>),
    /// Its thread is gone, which nobody told it to be.
    Interface,
}

/// What has been loaded is what one can go back to. A table runs without it, so a failure is told and no more.
fn keep_last_good(config: &Config) {
    let Some(text) = config.file_text() else { return };
    let path = &config.console.last_good_file;
    let kept = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
        let same = std::fs::read_to_string(path).is_ok_and(|old| old == text);
        if same { Ok(()) } else { durable::replace(path, text.as_bytes()) }
    });
    if let Err(error) = kept.and_then(|()| durable::readable_by_all(path)) {
        tracing::warn!(%error, file = %path.display(), "the loaded configuration cannot be kept");
    }
}

/// Whoever checks PINs: the owner of the staff file where there is one, else this process.
fn staff(config: &Config) -> Result<Staff, ServiceError> {
    match &config.staff_socket {
        Some(socket) => Ok(Staff::ask_at(socket)?),
        None => Ok(Staff::open(&config.state_directory, pepper(&config.state_directory, &config.pepper_file)?)?),
    }
}

/// The owner of the staff file as a process: answers at its socket until it is ended. It reads no configuration, so that
/// somebody is let in while that one is wrong.
pub fn own_staff(directory: &Path, pepper_file: &Path, socket: Option<&Path>) -> Result<(), ServiceError> {
    notify::start_log(&Log { to: LogTo::Text, level: LogLevel::Info })?;
    memory::guard();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServiceError::Runtime)?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).map_err(ServiceError::Runtime)?;
        let listener = owner::listener(socket).map_err(ServiceError::StaffSocket)?;
        let staff = Staff::open(directory, pepper(directory, pepper_file)?)?;
        notify::ready();
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            served = owner::serve(staff, listener) => served.map_err(ServiceError::StaffSocket),
        }
    })
}

/// Every PIN depends on it: a new one is made only while nobody has a PIN. A missing file with people in the book is a
/// partition that is not mounted, and no reason to make all of them wrong.
fn pepper(directory: &Path, file: &Path) -> Result<Secret, ServiceError> {
    let nobody = Book::load(directory).map_err(StaffError::from)?.people().is_empty();
    if nobody { Ok(secret(file)?) } else { Ok(Secret::read(file)?) }
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
    fn a_panic_while_the_journal_is_read_back_is_a_failure_and_no_end_without_a_word() {
        let _alone = crate::failures::ON_PURPOSE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let ended = caught(|| panic!("a record that the rules cannot take"));
        assert!(matches!(ended, Err(ServiceError::Panicked)));
        assert!(caught(|| Ok(())).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_daemon_ends_with_its_interface_and_counts_as_up_after_a_while() {
        let forgotten = std::cell::Cell::new(0);
        let up = || forgotten.set(forgotten.get() + 1);
        let mut table = tokio::spawn(std::future::pending());
        // Its thread panics: the sender goes without a word.
        let (ended, mut interface) = oneshot::channel::<()>();
        let dies = async move {
            tokio::time::sleep(UP_AFTER * 3).await;
            drop(ended);
        };
        let (end, ()) = tokio::join!(end_of(std::future::pending(), &mut table, &mut interface, up), dies);
        assert!(matches!(end, End::Interface), "{end:?}");
        assert_eq!(forgotten.get(), 1);
        let (_lives, mut interface) = oneshot::channel::<()>();
        let told = tokio::time::sleep(UP_AFTER / 2);
        assert!(matches!(end_of(told, &mut table, &mut interface, up).await, End::Told));
        assert_eq!(forgotten.get(), 1, "not up for long enough");
        table.abort();
        assert!(matches!(end_of(std::future::pending(), &mut table, &mut interface, up).await, End::Table(Err(_))));
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
        let pepper = || pepper(&config.state_directory, &config.pepper_file);
        let made = pepper().unwrap();
        let hash = Pin::new(Zeroizing::new("483920".to_owned())).unwrap().hash(&made).unwrap();
        let person = Person::new(PersonId(7), "Ann", Role::Floorperson, hash).unwrap();
        Book::change(folder.path(), |book| book.add(person)).unwrap();
        pepper().unwrap();
        std::fs::remove_file(folder.path().join("pepper")).unwrap();
        assert!(matches!(pepper(), Err(ServiceError::Secret(_))));
        assert!(!folder.path().join("pepper").exists());
    }
}
