//! Who somebody is. The console asks; it reads no staff file, pepper or counter of its own.

use std::io;
use std::path::PathBuf;

use operator_api::{PersonId, Role};
use serde_json::json;
use table_daemon::secret::Secret;
use table_daemon::staff::{AuthError, Authenticated, Staff, StaffClient};
use zeroize::Zeroizing;

use super::world::{Answer, World};

/// Why nobody is let in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotIn {
    Wrong,
    /// Wrong, and locked from now on for so many seconds.
    WrongAndLocked(u64),
    Locked(u64),
    /// Right, and not a PIN: one is set with it.
    OneTimeCode,
    /// Nobody can be checked: the read-only rung remains.
    CannotBeChecked(String),
}

/// Whoever owns the staff file answers this.
pub(crate) trait Login: Send + Sync {
    /// For how many seconds this number has to wait; nothing is counted.
    fn locked_for(&self, number: PersonId) -> Option<u64>;

    fn log_in(&self, number: PersonId, pin: Zeroizing<String>) -> Result<(PersonId, Role), NotIn>;

    /// Sets somebody's first PIN with their one-time code; why not, in words.
    fn set_pin(&self, number: PersonId, code: Zeroizing<String>, pin: Zeroizing<String>) -> Result<(), String>;
}

/// The owner of the staff file where there is one. At a table without one: the daemon while it runs, and the staff file itself
/// while it is down, for whoever may read it.
#[derive(Clone, Debug)]
pub(crate) struct TableLogin {
    pub(crate) world: World,
    /// The owner of the staff file, where the table has one: then nobody else is asked.
    pub(crate) owner: Option<StaffClient>,
    pub(crate) staff: StaffLogin,
}

impl Login for TableLogin {
    fn locked_for(&self, number: PersonId) -> Option<u64> {
        if let Some(owner) = &self.owner {
            return owner.locked_for(number);
        }
        match self.world.ask("GET", &format!("/api/v1/locked/{}", number.0), "") {
            Ok(answer) => answer.body["seconds"].as_u64(),
            Err(error) if nobody_is_there(&error) => self.staff.locked_for(number),
            // The owner of the counters lives; the PIN's own check says what it finds.
            Err(_) => None,
        }
    }

    fn log_in(&self, number: PersonId, pin: Zeroizing<String>) -> Result<(PersonId, Role), NotIn> {
        if let Some(owner) = &self.owner {
            return found(number, owner.check(number, &pin), |number| owner.locked_for(number));
        }
        let body = Zeroizing::new(json!({ "person": number, "pin": pin.as_str() }).to_string());
        let answer = match self.world.ask("POST", "/api/v1/identify", &body) {
            Ok(answer) => answer,
            Err(error) if nobody_is_there(&error) => return self.staff.log_in(number, pin),
            // Two owners of the counters at once would forget each other's wrong PINs.
            Err(_) => return Err(NotIn::CannotBeChecked("the daemon does not answer".to_owned())),
        };
        match answer.body["error"].as_str() {
            None => {
                let role = Role::ALL.into_iter().find(|role| answer.body["role"] == role.word());
                role.map(|role| (number, role))
                    .ok_or_else(|| NotIn::CannotBeChecked("the daemon named no role".to_owned()))
            }
            Some("wrong-pin") => Err(self.locked_for(number).map_or(NotIn::Wrong, NotIn::WrongAndLocked)),
            Some("one-time-code") => Err(NotIn::OneTimeCode),
            Some("locked-out") => Err(NotIn::Locked(self.locked_for(number).unwrap_or(1))),
            Some(_) => Err(NotIn::CannotBeChecked(said(&answer))),
        }
    }

    fn set_pin(&self, number: PersonId, code: Zeroizing<String>, pin: Zeroizing<String>) -> Result<(), String> {
        if let Some(owner) = &self.owner {
            return owner.set_first_pin(number, &code, &pin).map(drop).map_err(|error| error.to_string());
        }
        let body = json!({ "person": number, "code": code.as_str(), "pin": pin.as_str() }).to_string();
        match self.world.ask("POST", "/api/v1/first-pin", &Zeroizing::new(body)) {
            Ok(answer) if answer.status < 300 => Ok(()),
            Ok(answer) => Err(said(&answer)),
            Err(_) => self.staff.set_pin(number, code, pin),
        }
    }
}

fn said(answer: &Answer) -> String {
    answer.body["reason"].as_str().unwrap_or("the daemon does not say why").to_owned()
}

/// What came of a check, with how long a wrong one has to wait.
fn found(
    number: PersonId,
    checked: Result<Authenticated, AuthError>,
    locked_for: impl FnOnce(PersonId) -> Option<u64>,
) -> Result<(PersonId, Role), NotIn> {
    match checked {
        Ok(Authenticated { id, role }) => Ok((id, role)),
        Err(AuthError::WrongNumberOrPin) => Err(locked_for(number).map_or(NotIn::Wrong, NotIn::WrongAndLocked)),
        Err(AuthError::LockedOut { seconds }) => Err(NotIn::Locked(seconds)),
        Err(AuthError::OneTimeCode) => Err(NotIn::OneTimeCode),
        Err(error @ (AuthError::Busy | AuthError::Unavailable(_))) => Err(NotIn::CannotBeChecked(error.to_string())),
    }
}

/// No daemon listens, so the counters have no other owner.
fn nobody_is_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// The staff file of this machine, read by whoever may read it. Opened for each try, so that counters which another
/// program has written since are the ones that count.
#[derive(Clone, Debug)]
pub(crate) struct StaffLogin {
    pub(crate) state_directory: PathBuf,
    pub(crate) pepper_file: PathBuf,
}

impl StaffLogin {
    fn open(&self) -> Result<Staff, NotIn> {
        let pepper = Secret::read(&self.pepper_file).map_err(|error| NotIn::CannotBeChecked(error.to_string()))?;
        Staff::open(&self.state_directory, pepper).map_err(|error| NotIn::CannotBeChecked(error.to_string()))
    }
}

impl Login for StaffLogin {
    fn locked_for(&self, number: PersonId) -> Option<u64> {
        self.open().ok()?.locked_for(number)
    }

    fn log_in(&self, number: PersonId, pin: Zeroizing<String>) -> Result<(PersonId, Role), NotIn> {
        let staff = self.open()?;
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| NotIn::CannotBeChecked(error.to_string()))?;
        found(number, runtime.block_on(staff.authenticate(number, pin)), |number| staff.locked_for(number))
    }

    fn set_pin(&self, number: PersonId, code: Zeroizing<String>, pin: Zeroizing<String>) -> Result<(), String> {
        let staff = self.open().map_err(|not_in| match not_in {
            NotIn::CannotBeChecked(why) => why,
            NotIn::Wrong | NotIn::WrongAndLocked(_) | NotIn::Locked(_) | NotIn::OneTimeCode => String::new(),
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
        runtime.block_on(staff.set_first_pin(number, code, pin)).map(|_| ()).map_err(|error| error.to_string())
    }
}
