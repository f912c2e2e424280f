//! What people ask of the table: who is still missing, what was asked before, and what a refusal says.

use operator_api::{ActKind, Permission};
use table_controller::{Code, Input, PersonInput, Refused, Staff, encode_input};
use tokio::sync::oneshot;

use super::ledger::RequestPlace;
use super::running::Loop;
use crate::handle::{Proof, Reply, Request};
use crate::staff::Authenticated;

impl Loop {
    pub(super) fn on_request(&mut self, request: Request) {
        let Request { key, prompt, person, second, proof, action, reply } = request;
        let row = self.controller.act_kind(&action).ok().map(ActKind::permission);
        let (person, second) = match row {
            Some(row) => in_order(&row, person, second),
            None => (person, second),
        };
        let missing = row.and_then(|row| missing(&row, person, second, proof));
        let staff = |each: Authenticated| Staff { id: each.id, role: each.role };
        let key = Some(key.as_str().to_owned());
        let input = Input::Person(PersonInput { by: person.map(staff), second: second.map(staff), action, key });
        if let Some(place) = self.ledger.request(&input) {
            self.answer_again(place, &input, reply);
            return;
        }
        let current = self.controller.prompt_number();
        if prompt.is_some_and(|prompt| prompt != current) {
            let _gone = reply.send(Reply::Stale { prompt_number: current });
            return;
        }
        if let Some(missing) = missing {
            let _gone = reply.send(missing);
            return;
        }
        self.take(input, Some(reply), None);
    }

    /// This was asked for and done before, perhaps before a restart: what the journal says of it is the answer.
    fn answer_again(&self, place: RequestPlace, input: &Input, reply: oneshot::Sender<Reply>) {
        let Some(reading) = self.readers.enter() else {
            let _gone = reply.send(Reply::Saving);
            return;
        };
        let (journal, input) = (self.durable_journal(), encode_input(input));
        // The disk may be slow; the loop does not wait for it.
        tokio::task::spawn_blocking(move || {
            let answered = journal.answer(place, &input);
            drop(reading);
            let answer = match answered {
                Ok(answer) => answer,
                Err(error) => {
                    tracing::warn!(%error, "an earlier answer could not be read");
                    Reply::Saving
                }
            };
            let _gone = reply.send(answer);
        });
    }

    /// A refusal that a person with another role, or a second person, would turn into an answer says so.
    pub(super) fn refusal(&self, input: &Input, refused: Refused) -> Reply {
        let Refused { reason, source: clause } = refused;
        if let Input::Person(person) = input
            && let Ok(kind) = self.controller.act_kind(&person.action)
        {
            let row = kind.permission();
            let second = row.second.filter(|_| clause == Code::SecondPerson.to_string() && person.second.is_none());
            let first = (clause == Code::WhoMayAct.to_string() && person.by.is_none()).then(|| row.who.roles());
            if let Some(roles) = second.or(first) {
                return Reply::NeedsPerson { roles: roles.to_vec(), second: second.is_some(), reason, clause };
            }
        }
        Reply::Refused { reason, clause }
    }
}

/// Two people may sign in any order: each stands where their role belongs.
fn in_order(
    row: &Permission,
    person: Option<Authenticated>,
    second: Option<Authenticated>,
) -> (Option<Authenticated>, Option<Authenticated>) {
    let (Some(one), Some(other), Some(seconds)) = (person, second, row.second) else { return (person, second) };
    let fits = |first: Authenticated, second: Authenticated| {
        row.who.roles().contains(&first.role) && seconds.contains(&second.role)
    };
    if !fits(one, other) && fits(other, one) { (second, person) } else { (person, second) }
}

/// Who or what is still missing before the controller is asked: a signature, or the other of two people.
fn missing(
    row: &Permission,
    person: Option<Authenticated>,
    second: Option<Authenticated>,
    proof: Proof,
) -> Option<Reply> {
    let person = person?;
    let (first_may, second_may) = (row.who.roles(), row.second.unwrap_or(&[]));
    let may_sign = first_may.contains(&person.role) || second_may.contains(&person.role);
    if row.signature && proof == Proof::Visit && may_sign {
        return Some(Reply::NeedsSignature { reason: "this is signed: give your PIN for it".to_owned() });
    }
    if row.second.is_none() || second.is_some() || !may_sign {
        return None;
    }
    let roles = if first_may.contains(&person.role) { second_may } else { first_may };
    let who: Vec<&str> = roles.iter().map(|role| role.with_article()).collect();
    let reason = format!("this takes a second person: {}, not {}", who.join(" or "), person.id.0);
    Some(Reply::NeedsPerson { roles: roles.to_vec(), second: true, reason, clause: Code::SecondPerson.to_string() })
}

#[cfg(test)]
mod tests {
    use operator_api::{PersonId, Role};

    use super::*;

    const fn person(id: u32, role: Role) -> Authenticated {
        Authenticated { id: PersonId(id), role }
    }

    const FLOOR: Authenticated = person(1, Role::Floorperson);
    const MANAGER: Authenticated = person(2, Role::Manager);
    const DEALER: Authenticated = person(3, Role::Dealer);

    #[test]
    fn two_people_stand_where_their_roles_belong_whoever_signed_first() {
        let row = ActKind::CorrectMeter.permission();
        let right = (Some(MANAGER), Some(FLOOR));
        assert_eq!(in_order(&row, Some(MANAGER), Some(FLOOR)), right);
        assert_eq!(in_order(&row, Some(FLOOR), Some(MANAGER)), right);
        assert_eq!(in_order(&row, Some(FLOOR), Some(DEALER)), (Some(FLOOR), Some(DEALER)), "left for the controller");
        let alone = ActKind::SettledByHand.permission();
        assert_eq!(in_order(&alone, Some(FLOOR), Some(MANAGER)), (Some(FLOOR), Some(MANAGER)));
    }

    #[test]
    fn the_other_of_two_is_asked_for_and_a_visit_signs_nothing() {
        let row = ActKind::CorrectMeter.permission();
        let asked = |person, second, proof| missing(&row, person, second, proof);
        let roles = |reply: Option<Reply>| match reply {
            Some(Reply::NeedsPerson { roles, second: true, .. }) => roles,
            other => panic!("{other:?}"),
        };
        assert_eq!(roles(asked(Some(MANAGER), None, Proof::Pin)), [Role::Floorperson, Role::Manager]);
        assert_eq!(roles(asked(Some(FLOOR), None, Proof::Pin)), [Role::Manager]);
        assert_eq!(asked(Some(DEALER), None, Proof::Pin), None, "the controller says that a dealer may not");
        assert_eq!(asked(None, None, Proof::Pin), None);
        assert_eq!(asked(Some(MANAGER), Some(FLOOR), Proof::Pin), None);
        assert!(matches!(asked(Some(MANAGER), None, Proof::Visit), Some(Reply::NeedsSignature { .. })));
        let seen = ActKind::Acknowledge.permission();
        assert_eq!(missing(&seen, Some(FLOOR), None, Proof::Visit), None);
    }
}
