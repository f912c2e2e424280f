//! Who somebody is. A number and a PIN come in, a person and the role of the staff file come out.
//!
//! What a role allows is decided elsewhere. A PIN is never kept, logged or answered, and neither is a number that nobody
//! has: it may be a PIN. A wrong number and a wrong PIN look and last the same; whoever tries often learns which numbers
//! there are, which the screen shows anyway.

mod asking;
mod attempts;
mod book;
mod hashing;
pub(crate) mod owner;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use operator_api::{PersonId, Role, Who};
use rustix::time::{ClockId, clock_gettime};
use thiserror::Error;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::secret::Secret;
use asking::Asked;
pub use asking::StaffClient;
pub use attempts::AttemptsError;
use attempts::{Attempts, Tried};
pub use book::{Book, BookError, Person};
pub use hashing::{PIN_DIGITS_MAX, PIN_DIGITS_MIN, Pin, PinError, PinHash, one_time_code};

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
    #[error("this is a one-time code: set your PIN with it at the technician's console")]
    OneTimeCode,
    #[error("nobody can be checked: {0}")]
    Unavailable(String),
}

/// Why somebody has no PIN of their own yet.
#[derive(Debug, Error)]
pub enum FirstPinError {
    #[error(transparent)]
    Code(AuthError),
    #[error("this number has its PIN already: a one-time code is used once")]
    NoCode,
    #[error(transparent)]
    Pin(#[from] PinError),
    #[error("the PIN must be another than the code, which was printed")]
    SameAsCode,
    #[error(transparent)]
    Book(#[from] BookError),
    /// In the owner's words.
    #[error("{0}")]
    Owner(String),
}

#[derive(Debug, Error)]
pub enum StaffError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Attempts(#[from] AttemptsError),
    #[error("the state directory {directory} cannot be made: {source}; make it for the daemon's user, mode 700")]
    Directory { directory: String, source: std::io::Error },
    #[error("the owner of the staff file cannot be asked: {0}")]
    Thread(std::io::Error),
    #[error("cannot prepare the hash of PINs: {0}")]
    Hashing(String),
}

/// Where the owner of the staff file is asked on a board as it is shipped.
pub const OWNER_SOCKET: &str = "/run/holecard-staff/socket";

/// How many may wait for the one that is being checked.
const WAITING_MAX: usize = 8;

/// Seconds since the board was switched on: no clock that is set moves it.
pub type Uptime = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Checks PINs against the staff file, or has its owner check them. Cheap to clone.
#[derive(Clone)]
pub struct Staff {
    source: Source,
}

#[derive(Clone)]
enum Source {
    /// The file is this process's own.
    Own(Arc<Inner>),
    /// It is another one's, who is asked.
    Asked(Arc<Asked>),
}

struct Inner {
    state_directory: PathBuf,
    pepper: Secret,
    uptime: Uptime,
    /// For numbers that nobody has, so that they take as long as the others.
    decoy: PinHash,
    attempts: std::sync::Mutex<Attempts>,
    /// As of the last look, for whoever must not wait while somebody is being checked.
    alarm: AtomicBool,
    /// Who is active in which role, with the file that said so.
    roles: std::sync::Mutex<Option<(FileMark, BTreeMap<PersonId, Role>)>>,
    /// One hash at a time: each takes 8 MiB and a core of a small board.
    one_at_a_time: Semaphore,
    waiting: Semaphore,
}

impl std::fmt::Debug for Staff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.source {
            Source::Own(inner) => {
                f.debug_struct("Staff").field("state_directory", &inner.state_directory).finish_non_exhaustive()
            }
            Source::Asked(asked) => f.debug_struct("Staff").field("owner", &asked.client).finish_non_exhaustive(),
        }
    }
}

impl Staff {
    /// Reads the counters of wrong PINs, and the staff file once so that a bad one is found at the start.
    pub fn open(state_directory: &Path, pepper: Secret) -> Result<Self, StaffError> {
        let uptime = || u64::try_from(clock_gettime(ClockId::Boottime).tv_sec).unwrap_or(0);
        Self::with_uptime(state_directory, pepper, Arc::new(uptime))
    }

    pub fn with_uptime(state_directory: &Path, pepper: Secret, uptime: Uptime) -> Result<Self, StaffError> {
        make_directory(state_directory)
            .map_err(|source| StaffError::Directory { directory: state_directory.display().to_string(), source })?;
        let book = Book::load(state_directory)?;
        let numbers: BTreeSet<PersonId> = book.people().iter().map(|person| person.number).collect();
        let attempts = Attempts::load(state_directory, &numbers, uptime())?;
        let decoy = PinHash::decoy(&pepper).map_err(|error| StaffError::Hashing(error.to_string()))?;
        let inner = Inner {
            state_directory: state_directory.to_owned(),
            pepper,
            uptime,
            decoy,
            alarm: AtomicBool::new(attempts.alarm()),
            attempts: std::sync::Mutex::new(attempts),
            roles: std::sync::Mutex::default(),
            one_at_a_time: Semaphore::new(1),
            waiting: Semaphore::new(WAITING_MAX),
        };
        Ok(Self { source: Source::Own(Arc::new(inner)) })
    }

    /// Asks the owner of the staff file at this socket: neither file nor pepper nor counters are ours to read.
    pub fn ask_at(socket: &Path) -> Result<Self, StaffError> {
        let asked = Asked::start(socket).map_err(StaffError::Thread)?;
        Ok(Self { source: Source::Asked(asked) })
    }

    /// Everybody who may act, with their roles. For whoever owns the file.
    pub(crate) fn active(&self) -> Result<Vec<(PersonId, Role)>, BookError> {
        match &self.source {
            Source::Own(inner) => {
                let book = Book::load(&inner.state_directory)?;
                let active = book.people().iter().filter(|person| !person.disabled);
                Ok(active.map(|person| (person.number, person.role)).collect())
            }
            Source::Asked(_) => Ok(Vec::new()),
        }
    }

    /// The role of somebody who may act; an error says why nobody knows.
    fn role_of(&self, id: PersonId) -> Result<Option<Role>, String> {
        match &self.source {
            Source::Own(inner) => inner.role_of(id).map_err(|error| error.to_string()),
            Source::Asked(asked) => asked.role_of(id).map_err(|error| error.to_string()),
        }
    }

    /// For how many seconds this number has to wait. Nothing is counted.
    pub fn locked_for(&self, id: PersonId) -> Option<u64> {
        let inner = match &self.source {
            Source::Own(inner) => inner,
            Source::Asked(asked) => return asked.client.locked_for(id),
        };
        let tried = if inner.role_of(id).ok()?.is_some() { Tried::Staff(id) } else { Tried::Nobody };
        // A check holds the counters while it writes them and hashes; whoever asks meanwhile is told when a PIN is given.
        let mut attempts = inner.attempts.try_lock().ok()?;
        attempts.pass_to((inner.uptime)());
        attempts.wait_s(tried)
    }

    /// Whether there were too many wrong PINs lately. Never waits: the table's loop asks.
    pub fn has_too_many_wrong_pins(&self) -> bool {
        let inner = match &self.source {
            Source::Own(inner) => inner,
            Source::Asked(asked) => return asked.alarm(),
        };
        if let Ok(mut attempts) = inner.attempts.try_lock() {
            attempts.pass_to((inner.uptime)());
            inner.alarm.store(attempts.alarm(), Ordering::Relaxed);
        }
        inner.alarm.load(Ordering::Relaxed)
    }

    /// Whether this PIN is this person's.
    pub async fn authenticate(&self, id: PersonId, pin: Zeroizing<String>) -> Result<Authenticated, AuthError> {
        let gone = || AuthError::Unavailable("the check was cancelled".to_owned());
        let inner = match &self.source {
            Source::Own(inner) => inner,
            Source::Asked(asked) => {
                let client = asked.client.clone();
                return tokio::task::spawn_blocking(move || client.check(id, &pin)).await.map_err(|_| gone())?;
            }
        };
        let _waiting = inner.waiting.try_acquire().map_err(|_| AuthError::Busy)?;
        let _turn = inner.one_at_a_time.acquire().await.map_err(|_| gone())?;
        let checked = Arc::clone(inner);
        tokio::task::spawn_blocking(move || checked.check(id, &pin)).await.map_err(|_| gone())?
    }

    /// Sets the PIN of somebody who has the code. The code is gone with that; a wrong one counts as a wrong PIN.
    pub async fn set_first_pin(
        &self,
        id: PersonId,
        code: Zeroizing<String>,
        pin: Zeroizing<String>,
    ) -> Result<Authenticated, FirstPinError> {
        let gone = || FirstPinError::Code(AuthError::Unavailable("the change was cancelled".to_owned()));
        let inner = match &self.source {
            Source::Own(inner) => inner,
            Source::Asked(asked) => {
                let client = asked.client.clone();
                let set = tokio::task::spawn_blocking(move || client.set_first_pin(id, &code, &pin));
                return set.await.map_err(|_| gone())?;
            }
        };
        match self.authenticate(id, code.clone()).await {
            Err(AuthError::OneTimeCode) => {}
            Ok(_) => return Err(FirstPinError::NoCode),
            Err(error) => return Err(FirstPinError::Code(error)),
        }
        if *pin == *code {
            return Err(FirstPinError::SameAsCode);
        }
        let _turn = inner.one_at_a_time.acquire().await.map_err(|_| gone())?;
        let changed = Arc::clone(inner);
        tokio::task::spawn_blocking(move || changed.set_first_pin(id, &code, pin)).await.map_err(|_| gone())?
    }

    /// Whether somebody who has been checked is still on the list, in the same role.
    pub fn still_is(&self, person: Authenticated) -> bool {
        self.role_of(person.id).is_ok_and(|role| role == Some(person.role))
    }

    /// Whether the dealer's keys may belong to this person.
    pub fn may_deal(&self, id: PersonId) -> MayDeal {
        match self.role_of(id) {
            Ok(Some(role)) if Who::DealerKey.roles().contains(&role) => MayDeal::Yes,
            Ok(Some(_) | None) => MayDeal::No,
            Err(error) => {
                tracing::warn!(%error, "the staff list cannot be read");
                MayDeal::Unknown
            }
        }
    }
}

/// What the staff list says of somebody who is signed in as a dealer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MayDeal {
    Yes,
    No,
    /// The list cannot be read. Somebody who was just taken off it must not deal on, so nobody does.
    Unknown,
}

/// One state of the staff file: it is replaced as a whole, never edited.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileMark {
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

/// For this user alone. The service manager usually has made it.
fn make_directory(path: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

impl Inner {
    /// The role of somebody who is active. The file is read again when it has changed.
    fn role_of(&self, id: PersonId) -> Result<Option<Role>, BookError> {
        let mut known = self.roles.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mark = Book::metadata(&self.state_directory).ok().map(|file| FileMark {
            inode: file.ino(),
            bytes: file.len(),
            changed: (file.ctime(), file.ctime_nsec()),
        });
        if let (Some(mark), Some((read, roles))) = (mark, known.as_ref())
            && mark == *read
        {
            return Ok(roles.get(&id).copied());
        }
        let book = Book::load(&self.state_directory)?;
        let active = book.people().iter().filter(|person| !person.disabled);
        let roles: BTreeMap<PersonId, Role> = active.map(|person| (person.number, person.role)).collect();
        let role = roles.get(&id).copied();
        *known = mark.map(|mark| (mark, roles));
        Ok(role)
    }

    fn check(&self, id: PersonId, pin: &str) -> Result<Authenticated, AuthError> {
        let unavailable = |error: &dyn std::fmt::Display| AuthError::Unavailable(error.to_string());
        // Read each time: whoever was disabled a minute ago is out, without a restart.
        let book = Book::load(&self.state_directory).map_err(|error| unavailable(&error))?;
        let mut attempts = self.attempts.lock().map_err(|error| unavailable(&error))?;
        attempts.pass_to((self.uptime)());
        let person = book.active(id);
        let tried = if person.is_some() { Tried::Staff(id) } else { Tried::Nobody };
        if let Some(seconds) = attempts.wait_s(tried) {
            return Err(AuthError::LockedOut { seconds });
        }
        // Counted as wrong, durably, before it is checked: cutting the power gives no free tries.
        let counted = attempts.count(tried).map_err(|error| unavailable(&error))?;
        let hash = person.map_or(&self.decoy, |person| &person.pin);
        let right = hash.verify(pin, &self.pepper);
        match (person, counted) {
            (Some(person), Some(counted)) if right => {
                attempts.forget(counted).map_err(|error| unavailable(&error))?;
                if person.one_time {
                    return Err(AuthError::OneTimeCode);
                }
                Ok(Authenticated { id, role: person.role })
            }
            (Some(_) | None, Some(_) | None) => {
                attempts.was_wrong().map_err(|error| unavailable(&error))?;
                Err(AuthError::WrongNumberOrPin)
            }
        }
    }

    /// The code is looked at again under the file's lock: of two who have it, one sets the PIN.
    fn set_first_pin(&self, id: PersonId, code: &str, pin: Zeroizing<String>) -> Result<Authenticated, FirstPinError> {
        let hash = Pin::new(pin)?.hash(&self.pepper)?;
        let role = Book::change(&self.state_directory, |book| {
            let waits = |person: &&Person| person.one_time && person.pin.verify(code, &self.pepper);
            let Some(role) = book.active(id).filter(waits).map(|person| person.role) else { return Ok(None) };
            book.set_pin(id, hash)?;
            Ok(Some(role))
        })?;
        role.map(|role| Authenticated { id, role }).ok_or(FirstPinError::NoCode)
    }
}
