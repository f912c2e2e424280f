//! What the lamp of a betting spot says: decided by the controller, shown by the drivers.

use serde::{Deserialize, Serialize};

/// What the lamp of one spot has to say. After the lock a lit lamp is evidence: it stays when the chip is collected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LampState {
    #[default]
    Dark,
    /// A wager may be placed: the light runs around the table.
    Invited,
    /// A chip lies there, the wager is not yet locked: slow flash.
    Placed,
    /// The wager counts: steady, also after the chip has been collected.
    Accepted,
    /// A chip came too late: fast flash, in the other colour where there is one.
    Late,
}

impl LampState {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Invited => "invited",
            Self::Placed => "placed",
            Self::Accepted => "accepted",
            Self::Late => "late",
        }
    }
}
