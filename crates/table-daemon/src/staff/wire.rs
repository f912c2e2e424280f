//! What is said between the owner of the staff file and those who ask it: one line of JSON each way. Never kept, never
//! logged: a line may hold a PIN.

use operator_api::{PersonId, Role};
use serde::{Deserialize, Serialize};

use super::{AuthError, Authenticated, FirstPinError};

/// A line is never longer.
pub(super) const LINE_BYTES_MAX: usize = 1_024;

#[derive(Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Question {
    Check {
        person: PersonId,
        pin: String,
    },
    FirstPin {
        person: PersonId,
        code: String,
        pin: String,
    },
    /// Nothing is counted.
    Locked {
        person: PersonId,
    },
    /// Who is active in which role, now and at each change. For the daemon alone.
    Watch,
}

/// A PIN goes with the question that held it.
impl Drop for Question {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        match self {
            Self::Check { pin, .. } => pin.zeroize(),
            Self::FirstPin { code, pin, .. } => {
                code.zeroize();
                pin.zeroize();
            }
            Self::Locked { .. } | Self::Watch => {}
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Is {
        person: PersonId,
        role: Role,
    },
    Locked {
        seconds: Option<u64>,
    },
    Roles {
        active: Vec<(PersonId, Role)>,
        /// There were too many wrong PINs lately.
        alarm: bool,
    },
    Wrong,
    LockedOut {
        seconds: u64,
    },
    Busy,
    OneTimeCode,
    Unavailable {
        reason: String,
    },
    /// No PIN was set, and why.
    NotSet {
        reason: String,
    },
    /// Not a question, or not this one's to ask.
    NotYours,
}

impl From<Result<Authenticated, AuthError>> for Answer {
    fn from(checked: Result<Authenticated, AuthError>) -> Self {
        match checked {
            Ok(Authenticated { id, role }) => Self::Is { person: id, role },
            Err(AuthError::WrongNumberOrPin) => Self::Wrong,
            Err(AuthError::LockedOut { seconds }) => Self::LockedOut { seconds },
            Err(AuthError::Busy) => Self::Busy,
            Err(AuthError::OneTimeCode) => Self::OneTimeCode,
            Err(AuthError::Unavailable(reason)) => Self::Unavailable { reason },
        }
    }
}

impl From<Result<Authenticated, FirstPinError>> for Answer {
    fn from(set: Result<Authenticated, FirstPinError>) -> Self {
        match set {
            Ok(Authenticated { id, role }) => Self::Is { person: id, role },
            Err(FirstPinError::Code(error)) => Err(error).into(),
            Err(
                error @ (FirstPinError::NoCode
                | FirstPinError::Pin(_)
                | FirstPinError::SameAsCode
                | FirstPinError::Book(_)
                | FirstPinError::Owner(_)),
            ) => Self::NotSet { reason: error.to_string() },
        }
    }
}

impl Answer {
    pub(super) fn checked(self) -> Result<Authenticated, AuthError> {
        match self {
            Self::Is { person, role } => Ok(Authenticated { id: person, role }),
            Self::Wrong => Err(AuthError::WrongNumberOrPin),
            Self::LockedOut { seconds } => Err(AuthError::LockedOut { seconds }),
            Self::Busy => Err(AuthError::Busy),
            Self::OneTimeCode => Err(AuthError::OneTimeCode),
            Self::Unavailable { reason } => Err(AuthError::Unavailable(reason)),
            other @ (Self::Locked { .. } | Self::Roles { .. } | Self::NotSet { .. } | Self::NotYours) => {
                Err(AuthError::Unavailable(format!("the owner of the staff file answered {}", other.kind())))
            }
        }
    }

    /// Without what it says.
    const fn kind(&self) -> &'static str {
        match self {
            Self::Is { .. } => "who it is",
            Self::Locked { .. } => "a wait",
            Self::Roles { .. } => "the roles",
            Self::Wrong => "wrong",
            Self::LockedOut { .. } => "locked out",
            Self::Busy => "busy",
            Self::OneTimeCode => "a one-time code",
            Self::Unavailable { .. } => "nothing",
            Self::NotSet { .. } => "that no PIN was set",
            Self::NotYours => "that this is not ours to ask",
        }
    }
}
