//! Asking the owner of the staff file. The daemon and the technician's console use this one client; neither can read the
//! file, the pepper or the counters.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use operator_api::{PersonId, Role};
use zeroize::Zeroizing;

use super::wire::{Answer, LINE_BYTES_MAX, Question};
use super::{AuthError, Authenticated, FirstPinError};

/// A check waits for the others before it, a hash each; a disk that stalls is given up by then.
const CHECKED_WITHIN: Duration = Duration::from_secs(10);
/// What needs no hash is answered at once.
const TOLD_WITHIN: Duration = Duration::from_secs(2);
/// The owner says something at least this often.
const FRESH: Duration = Duration::from_secs(10);
const AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The longest list of staff.
const ROLES_BYTES_MAX: u64 = 1 << 20;

/// Who asks the owner. Cheap to clone.
#[derive(Clone, Debug)]
pub struct StaffClient {
    socket: PathBuf,
}

impl StaffClient {
    pub fn new(socket: &Path) -> Self {
        Self { socket: socket.to_owned() }
    }

    fn connect(&self, question: &Question, within: Duration) -> io::Result<UnixStream> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(within))?;
        stream.set_write_timeout(Some(within))?;
        let mut line = Zeroizing::new(serde_json::to_vec(question).map_err(io::Error::other)?);
        line.push(b'\n');
        stream.write_all(&line)?;
        Ok(stream)
    }

    fn ask(&self, question: &Question, within: Duration) -> io::Result<Answer> {
        let stream = self.connect(question, within)?;
        let mut line = String::new();
        BufReader::new(stream.take(u64::try_from(LINE_BYTES_MAX).unwrap_or(u64::MAX))).read_line(&mut line)?;
        serde_json::from_str(&line).map_err(io::Error::other)
    }

    /// Whether this PIN is this person's.
    pub fn check(&self, person: PersonId, pin: &str) -> Result<Authenticated, AuthError> {
        let question = Question::Check { person, pin: pin.to_owned() };
        self.ask(&question, CHECKED_WITHIN).map_err(|error| self.not_there(&error))?.checked()
    }

    pub fn set_first_pin(&self, person: PersonId, code: &str, pin: &str) -> Result<Authenticated, FirstPinError> {
        let question = Question::FirstPin { person, code: code.to_owned(), pin: pin.to_owned() };
        let answer =
            self.ask(&question, CHECKED_WITHIN).map_err(|error| FirstPinError::Code(self.not_there(&error)))?;
        if let Answer::NotSet { reason } = answer {
            return Err(FirstPinError::Owner(reason));
        }
        answer.checked().map_err(FirstPinError::Code)
    }

    /// For how many seconds this number has to wait. Nothing is counted.
    pub fn locked_for(&self, person: PersonId) -> Option<u64> {
        match self.ask(&Question::Locked { person }, TOLD_WITHIN) {
            Ok(Answer::Locked { seconds }) => seconds,
            Ok(_) | Err(_) => None,
        }
    }

    fn not_there(&self, error: &io::Error) -> AuthError {
        let socket = self.socket.display();
        AuthError::Unavailable(format!("the owner of the staff file does not answer at {socket}: {error}"))
    }
}

/// What the owner last said of everybody.
#[derive(Debug, Default)]
struct Known {
    roles: BTreeMap<PersonId, Role>,
    alarm: bool,
    at: Option<Instant>,
}

/// The daemon's side: PINs are asked for one by one, who is active is told by the owner at each change.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) client: StaffClient,
    known: Mutex<Known>,
}

impl Asked {
    pub(super) fn start(socket: &Path) -> io::Result<Arc<Self>> {
        let asked = Arc::new(Self { client: StaffClient::new(socket), known: Mutex::default() });
        let (client, weak) = (asked.client.clone(), Arc::downgrade(&asked));
        std::thread::Builder::new().name("staff".to_owned()).spawn(move || follow(&client, &weak))?;
        Ok(asked)
    }

    /// Who has this number is active in this role; `Err` where nobody has said so lately.
    pub(super) fn role_of(&self, id: PersonId) -> Result<Option<Role>, AuthError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.at.is_some_and(|at| at.elapsed() < FRESH) {
            Ok(known.roles.get(&id).copied())
        } else {
            Err(AuthError::Unavailable("the owner of the staff file has said nothing for a while".to_owned()))
        }
    }

    pub(super) fn alarm(&self) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).alarm
    }

    fn take(&self, answer: Answer) {
        if let Answer::Roles { active, alarm } = answer {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            *known = Known { roles: active.into_iter().collect(), alarm, at: Some(Instant::now()) };
        }
    }
}

/// Listens until nobody wants to know any more.
fn follow(client: &StaffClient, asked: &Weak<Asked>) {
    let mut complained = false;
    loop {
        if let Ok(stream) = client.connect(&Question::Watch, FRESH) {
            let mut lines = BufReader::new(stream);
            let mut line = String::new();
            while (&mut lines).take(ROLES_BYTES_MAX).read_line(&mut line).is_ok_and(|read| read > 0) {
                let Some(asked) = asked.upgrade() else { return };
                if let Ok(answer) = serde_json::from_str(&line) {
                    asked.take(answer);
                    complained = false;
                }
                line.clear();
            }
        }
        if asked.strong_count() == 0 {
            return;
        }
        if !std::mem::replace(&mut complained, true) {
            tracing::warn!(socket = %client.socket.display(), "the owner of the staff file does not answer");
        }
        std::thread::sleep(AGAIN_AFTER);
    }
}
