//! Who somebody is. A number and a PIN come in, a person and the role of the staff file come out.
//!
//! What a role allows is decided elsewhere. A PIN is never kept, logged or answered; a wrong number and a wrong PIN look
//! and last the same.

mod attempts;
mod book;
mod hashing;

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use operator_api::{PersonId, Role};
use thiserror::Error;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::secret::Secret;
use attempts::Attempts;
pub use attempts::AttemptsError;
pub use book::{Book, BookError, Person};
pub use hashing::{PIN_DIGITS_MAX, PIN_DIGITS_MIN, Pin, PinError, PinHash};

/// Somebody who gave the right PIN. The role is the staff file's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Authenticated {
    pub id: PersonId,
    pub role: Role,
}

#[derive(Debug, Error)]
pub enum AuthError {
    #[error("the number or the PIN is wrong")]
    WrongNumberOrPin,
    #[error("too many wrong PINs: try again in {seconds} seconds")]
    LockedOut { seconds: u64 },
    #[error("too many people are being checked at once: try again")]
    Busy,
    #[error("nobody can be checked: {0}")]
    Unavailable(String),
}

#[derive(Debug, Error)]
pub enum StaffError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Attempts(#[from] AttemptsError),
    #[error("the state directory {directory} cannot be made: {source}; make it for the daemon's user, mode 700")]
    Directory { directory: String, source: std::io::Error },
    #[error("cannot prepare the hash of PINs: {0}")]
    Hashing(String),
}

/// How many may wait for the one that is being checked.
const WAITING_MAX: usize = 8;

/// Seconds since 1970.
pub type WallClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Checks PINs against the staff file. Cheap to clone.
#[derive(Clone)]
pub struct Staff {
    inner: Arc<Inner>,
}

struct Inner {
    state_directory: PathBuf,
    pepper: Secret,
    clock: WallClock,
    /// For numbers that nobody has, so that they take as long as the others.
    decoy: PinHash,
    attempts: std::sync::Mutex<Attempts>,
    /// One hash at a time: each takes 8 MiB and a core of a small board.
    one_at_a_time: Semaphore,
    waiting: Semaphore,
}

impl std::fmt::Debug for Staff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Staff").field("state_directory", &self.inner.state_directory).finish_non_exhaustive()
    }
}

impl Staff {
    /// Reads the counters of wrong PINs, and the staff file once so that a bad one is found at the start.
    pub fn open(state_directory: &Path, pepper: Secret) -> Result<Self, StaffError> {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::with_clock(state_directory, pepper, Arc::new(clock))
    }

    pub fn with_clock(state_directory: &Path, pepper: Secret, clock: WallClock) -> Result<Self, StaffError> {
        make_directory(state_directory)
            .map_err(|source| StaffError::Directory { directory: state_directory.display().to_string(), source })?;
        Book::load(state_directory)?;
        let attempts = Attempts::load(state_directory)?;
        let decoy = PinHash::decoy(&pepper).map_err(|error| StaffError::Hashing(error.to_string()))?;
        Ok(Self {
            inner: Arc::new(Inner {
                state_directory: state_directory.to_owned(),
                pepper,
                clock,
                decoy,
                attempts: std::sync::Mutex::new(attempts),
                one_at_a_time: Semaphore::new(1),
                waiting: Semaphore::new(WAITING_MAX),
            }),
        })
    }

    /// Whether this PIN is this person's.
    pub async fn authenticate(&self, id: PersonId, pin: Zeroizing<String>) -> Result<Authenticated, AuthError> {
        let gone = || AuthError::Unavailable("the check was cancelled".to_owned());
        let _waiting = self.inner.waiting.try_acquire().map_err(|_| AuthError::Busy)?;
        let _turn = self.inner.one_at_a_time.acquire().await.map_err(|_| gone())?;
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || inner.check(id, &pin)).await.map_err(|_| gone())?
    }
}

/// For this user alone. The service manager usually has made it.
fn make_directory(path: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

impl Inner {
    fn check(&self, id: PersonId, pin: &str) -> Result<Authenticated, AuthError> {
        let unavailable = |error: &dyn std::fmt::Display| AuthError::Unavailable(error.to_string());
        // Read each time: whoever was disabled a minute ago is out, without a restart.
        let book = Book::load(&self.state_directory).map_err(|error| unavailable(&error))?;
        let mut attempts = self.attempts.lock().map_err(|error| unavailable(&error))?;
        let now = (self.clock)();
        if let Some(seconds) = attempts.locked_for(id, now) {
            return Err(AuthError::LockedOut { seconds });
        }
        // Counted as wrong, durably, before it is checked: cutting the power gives no free tries.
        attempts.count(id, now).map_err(|error| unavailable(&error))?;
        let person = book.active(id);
        let hash = person.map_or(&self.decoy, |person| &person.pin);
        let right = hash.verify(pin, &self.pepper);
        match person {
            Some(person) if right => {
                attempts.forget(id).map_err(|error| unavailable(&error))?;
                Ok(Authenticated { id, role: person.role })
            }
            Some(_) | None => Err(AuthError::WrongNumberOrPin),
        }
    }
}
