//! Alerts: raised, acknowledged by somebody, ended when their cause is gone, cleared when somebody has verified that.
//! They survive a restart because they are part of the state.

use operator_api::fault_book::{errno_words, explain_source};
use operator_api::{AlertView, FaultView, PersonId, Severity};
use serde::{Deserialize, Serialize};

/// How many may stand at once. Beyond it the oldest acknowledged one that stops nothing makes room.
const STANDING_MAX: usize = 64;

/// Whether an alert keeps the next round from being dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Stops {
    Nothing,
    /// The next round, until the cause is gone.
    WhileItStands,
    /// The next round, until somebody in charge has verified that the cause is gone.
    UntilCleared,
}

impl Stops {
    pub(crate) const fn severity(self) -> Severity {
        match self {
            Self::Nothing => Severity::Attend,
            Self::WhileItStands | Self::UntilCleared => Severity::Stop,
        }
    }
}

/// The fault behind an alert: which one, where, and what the kernel said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FaultAt {
    pub(crate) code: String,
    pub(crate) place: Option<String>,
    pub(crate) errno: Option<i32>,
}

/// What an alert says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Saying {
    pub(crate) stops: Stops,
    pub(crate) source: String,
    pub(crate) text: String,
    pub(crate) fault: Option<FaultAt>,
}

/// When something happened: the record, and the wall clock as far as it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) sequence: u64,
    pub(crate) wall_ms: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Alert {
    pub(crate) id: u64,
    /// Two alerts about one thing have one key.
    pub(crate) key: String,
    pub(crate) saying: Saying,
    pub(crate) raised: Moment,
    pub(crate) acknowledged: Option<PersonId>,
    pub(crate) ended: Option<Moment>,
}

impl Alert {
    pub(crate) fn stops_now(&self) -> bool {
        match self.saying.stops {
            Stops::Nothing => false,
            Stops::WhileItStands => self.ended.is_none(),
            Stops::UntilCleared => true,
        }
    }

    /// Ended, seen, and nobody has to verify anything.
    fn is_over(&self) -> bool {
        self.ended.is_some() && self.acknowledged.is_some() && !self.stops_now()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Alerts {
    next: u64,
    standing: Vec<Alert>,
}

impl Alerts {
    /// `None` when the same thing already stands; it is then no longer ended.
    pub(crate) fn raise(&mut self, key: &str, saying: Saying, now: Moment) -> Option<u64> {
        if let Some(known) = self.standing.iter_mut().find(|alert| alert.key == key) {
            known.ended.take()?;
            known.acknowledged = None;
            known.raised = now;
            known.saying = saying;
            return Some(known.id);
        }
        if self.standing.len() >= STANDING_MAX {
            let spare = |alert: &Alert| !alert.stops_now() && (alert.ended.is_some() || alert.acknowledged.is_some());
            let at = self.standing.iter().position(spare);
            let at = at.or_else(|| self.standing.iter().position(|alert| !alert.stops_now()));
            if let Some(at) = at {
                self.standing.remove(at);
            }
        }
        self.next += 1;
        let (id, key) = (self.next, key.to_owned());
        self.standing.push(Alert { id, key, saying, raised: now, acknowledged: None, ended: None });
        Some(self.next)
    }

    /// The cause is gone. What only wanted attention and was seen is over with it.
    pub(crate) fn end(&mut self, key: &str, now: Moment) -> Option<(u64, bool)> {
        let at = self.standing.iter().position(|alert| alert.key == key && alert.ended.is_none())?;
        let alert = &mut self.standing[at];
        alert.ended = Some(now);
        let id = alert.id;
        let over = alert.is_over();
        if over {
            self.standing.remove(at);
        }
        Some((id, over))
    }

    /// `None` where there is no such alert.
    pub(crate) fn acknowledge(&mut self, id: u64, by: PersonId) -> Option<bool> {
        let at = self.standing.iter().position(|alert| alert.id == id)?;
        let alert = &mut self.standing[at];
        alert.acknowledged = Some(by);
        let over = alert.is_over();
        if over {
            self.standing.remove(at);
        }
        Some(over)
    }

    /// Those that nobody has acknowledged, oldest first.
    pub(crate) fn unseen(&self) -> Vec<u64> {
        self.standing.iter().filter(|alert| alert.acknowledged.is_none()).map(|alert| alert.id).collect()
    }

    pub(crate) fn find(&self, id: u64) -> Option<&Alert> {
        self.standing.iter().find(|alert| alert.id == id)
    }

    pub(crate) fn with_key(&self, key: &str) -> Option<&Alert> {
        self.standing.iter().find(|alert| alert.key == key)
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.standing.retain(|alert| alert.id != id);
    }

    pub(crate) fn remove_key(&mut self, key: &str) -> Option<u64> {
        let at = self.standing.iter().position(|alert| alert.key == key)?;
        Some(self.standing.remove(at).id)
    }

    pub(crate) fn stopping(&self) -> impl Iterator<Item = &Alert> {
        self.standing.iter().filter(|alert| alert.stops_now())
    }

    /// The keys of alerts of one family that have not ended.
    pub(crate) fn keys_beginning(&self, family: &str) -> Vec<String> {
        let of_family = self.standing.iter().filter(|alert| alert.key.starts_with(family) && alert.ended.is_none());
        of_family.map(|alert| alert.key.clone()).collect()
    }

    /// The keys of the alerts about faults that have not ended.
    pub(crate) fn fault_keys(&self) -> Vec<String> {
        let about_faults = self.standing.iter().filter(|alert| alert.saying.fault.is_some() && alert.ended.is_none());
        about_faults.map(|alert| alert.key.clone()).collect()
    }

    pub(crate) fn views(&self) -> Vec<AlertView> {
        let view = |alert: &Alert| AlertView {
            alert: alert.id,
            severity: if alert.stops_now() { Severity::Stop } else { Severity::Attend },
            source: alert.saying.source.clone(),
            text: alert.saying.text.clone(),
            raised_sequence: alert.raised.sequence,
            since_ms: alert.raised.wall_ms,
            acknowledged_by: alert.acknowledged,
            ended: alert.ended.is_some(),
            over_since_ms: alert.ended.and_then(|ended| ended.wall_ms),
            fault: fault_view(&alert.saying),
        };
        self.standing.iter().map(view).collect()
    }
}

/// What the book says of the fault behind an alert, or of the code that it cites.
fn fault_view(saying: &Saying) -> Option<FaultView> {
    let at = saying.fault.as_ref();
    let explained = explain_source(at.map_or(&saying.source, |at| &at.code))?;
    let place = at.and_then(|at| at.place.clone());
    Some(FaultView { explained, place, errno: at.and_then(|at| at.errno).map(errno_words) })
}
