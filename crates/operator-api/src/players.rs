//! What a table tells its players on a display of their own: amounts and what the sign says. No card, no person, and the
//! seat of a jackpot that is being verified only where the house wants it shown.

use serde::Serialize;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayersView {
    pub game: &'static str,
    /// As the layout says it.
    pub title: &'static str,
    /// The posting's limits, in one line.
    pub limits: String,
    /// What the sign says of the main game.
    pub statements: Vec<String>,
    pub meters: Vec<ShownMeter>,
    /// Jackpots that somebody still has to approve or to pay.
    pub pending: Vec<PendingJackpot>,
    /// The last payments from meters, newest first.
    pub last: Vec<PaidJackpot>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownMeter {
    pub wager: &'static str,
    pub meter: &'static str,
    pub amount_cents: i64,
    /// What the next jackpot starts at.
    pub restart_cents: i64,
    pub must_hit_cents: Option<i64>,
    /// What the wager's paytable pays, best first.
    pub lines: Vec<ShownLine>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownLine {
    pub words: String,
    /// As on the sign.
    pub figure: String,
    /// The part of this meter, where it is one.
    pub percent: Option<u8>,
    /// What that is now, or the fixed amount.
    pub amount_cents: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PendingJackpot {
    pub wager: &'static str,
    pub meter: &'static str,
    pub amount_cents: i64,
    pub seat: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PaidJackpot {
    pub wager: String,
    pub amount_cents: i64,
    pub at_ms: Option<i64>,
}
