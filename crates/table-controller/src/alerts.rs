//! Alerts: raised, acknowledged by somebody, ended when their cause is gone, cleared when somebody has verified that.
//! They survive a restart because they are part of the state.

use operator_api::{AlertView, PersonId, Severity};
use serde::{Deserialize, Serialize};

/// How many may stand at once. Beyond it the oldest acknowledged one that stops nothing makes room.
const STANDING_MAX: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Alert {
    pub(crate) id: u64,
    /// Two alerts about one thing have one key.
    pub(crate) key: String,
    pub(crate) stops: bool,
    pub(crate) source: String,
    pub(crate) text: String,
    pub(crate) raised: u64,
    pub(crate) acknowledged: Option<PersonId>,
    pub(crate) ended: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Alerts {
    next: u64,
    standing: Vec<Alert>,
}

impl Alerts {
    /// `None` when the same thing already stands; it is then no longer ended.
    pub(crate) fn raise(&mut self, key: &str, stops: bool, source: &str, text: &str, sequence: u64) -> Option<u64> {
        if let Some(known) = self.standing.iter_mut().find(|alert| alert.key == key) {
            let again = known.ended;
            known.ended = false;
            if !again {
                return None;
            }
            known.acknowledged = None;
            (known.raised, known.stops) = (sequence, stops);
            source.clone_into(&mut known.source);
            text.clone_into(&mut known.text);
            return Some(known.id);
        }
        if self.standing.len() >= STANDING_MAX {
            let spare = |alert: &Alert| !alert.stops && (alert.ended || alert.acknowledged.is_some());
            let at = self.standing.iter().position(spare).or_else(|| self.standing.iter().position(|a| !a.stops));
            if let Some(at) = at {
                self.standing.remove(at);
            }
        }
        self.next += 1;
        self.standing.push(Alert {
            id: self.next,
            key: key.to_owned(),
            stops,
            source: source.to_owned(),
            text: text.to_owned(),
            raised: sequence,
            acknowledged: None,
            ended: false,
        });
        Some(self.next)
    }

    /// The cause is gone. What only wanted attention and was seen is over with it.
    pub(crate) fn end(&mut self, key: &str) -> Option<(u64, bool)> {
        let at = self.standing.iter().position(|alert| alert.key == key && !alert.ended)?;
        let alert = &mut self.standing[at];
        alert.ended = true;
        let id = alert.id;
        let over = !alert.stops && alert.acknowledged.is_some();
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
        let over = alert.ended && !alert.stops;
        if over {
            self.standing.remove(at);
        }
        Some(over)
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
        self.standing.iter().filter(|alert| alert.stops)
    }

    pub(crate) fn views(&self) -> Vec<AlertView> {
        let view = |alert: &Alert| AlertView {
            alert: alert.id,
            severity: if alert.stops { Severity::Stop } else { Severity::Attend },
            source: alert.source.clone(),
            text: alert.text.clone(),
            raised_sequence: alert.raised,
            acknowledged_by: alert.acknowledged,
            ended: alert.ended,
        };
        self.standing.iter().map(view).collect()
    }
}
