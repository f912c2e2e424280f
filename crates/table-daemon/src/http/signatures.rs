//! The first of two signatures, kept until the second person has come to the screen.
//!
//! Kept is who signed what, never a PIN. Whoever signs the very same action within the time is the second person.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use operator_api::{Action, PersonId};
use tokio::time::Instant;

use crate::staff::Authenticated;

/// How long the first signature waits for the second.
pub(super) const KEPT: Duration = Duration::from_secs(600);
/// Nobody has this many things waiting for a second person.
const KEPT_MAX: usize = 8;

#[derive(Debug)]
struct Signature {
    action: Action,
    person: Authenticated,
    until: Instant,
}

#[derive(Debug, Default)]
pub(super) struct Signatures {
    kept: Mutex<Vec<Signature>>,
}

impl Signatures {
    /// Keeps this person's signature; signing again begins the time anew.
    pub(super) fn keep(&self, action: &Action, person: Authenticated) {
        let mut kept = self.standing();
        kept.retain(|each| !(each.action == *action && each.person.id == person.id));
        if kept.len() >= KEPT_MAX {
            kept.remove(0);
        }
        kept.push(Signature { action: action.clone(), person, until: Instant::now() + KEPT });
    }

    /// Who else has signed this action.
    pub(super) fn first_for(&self, action: &Action, other_than: PersonId) -> Option<Authenticated> {
        let kept = self.standing();
        let found = kept.iter().rev().find(|each| each.action == *action && each.person.id != other_than);
        found.map(|each| each.person)
    }

    /// It has been done, or is not to be done any more.
    pub(super) fn forget(&self, action: &Action) {
        self.standing().retain(|each| each.action != *action);
    }

    fn standing(&self) -> MutexGuard<'_, Vec<Signature>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| each.until > Instant::now());
        kept
    }
}

#[cfg(test)]
mod tests {
    use operator_api::Role;

    use super::*;

    const FLOOR: Authenticated = Authenticated { id: PersonId(2001), role: Role::Floorperson };
    const MANAGER: Authenticated = Authenticated { id: PersonId(3001), role: Role::Manager };

    #[tokio::test(start_paused = true)]
    async fn a_signature_waits_ten_minutes_for_another_person_and_the_same_action() {
        let signatures = Signatures::default();
        let (clock, reader) = (Action::ConfirmClock, Action::ReplaceReader { serial: "R-2".to_owned() });
        signatures.keep(&clock, FLOOR);
        assert_eq!(signatures.first_for(&clock, MANAGER.id), Some(FLOOR));
        assert_eq!(signatures.first_for(&clock, FLOOR.id), None, "the second person is the first one again");
        assert_eq!(signatures.first_for(&reader, MANAGER.id), None);
        tokio::time::advance(KEPT - Duration::from_secs(1)).await;
        assert_eq!(signatures.first_for(&clock, MANAGER.id), Some(FLOOR));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(signatures.first_for(&clock, MANAGER.id), None);
        signatures.keep(&clock, FLOOR);
        signatures.forget(&clock);
        assert_eq!(signatures.first_for(&clock, MANAGER.id), None);
        for number in 0..20 {
            signatures.keep(&Action::Clear { alert: number }, FLOOR);
        }
        assert_eq!(signatures.standing().len(), KEPT_MAX);
    }
}
