//! `POST /api/v1/act`: one person's action, checked for its form and for who says it, then put before the loop.

use std::fmt;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use operator_api::{Action, FREE_TEXT_CHARS_MAX, PersonId, Role, Who, is_plain};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use table_controller::Code;
use tokio::sync::watch;
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::answer::{self, Answer};
use super::idempotency::{Fingerprint, Known, Outcome};
use super::{App, people, signatures};
use crate::handle::{IdempotencyKey, Proof, Reply, Request};
use crate::staff::{AuthError, Authenticated, MayDeal};

/// What is sent. `docs/operator-api.schema.json` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    key: String,
    #[serde(default)]
    prompt: Option<u64>,
    action: Fields,
    /// The token of an open visit, in place of a person.
    #[serde(default)]
    visit: Option<String>,
    #[serde(default)]
    person: Option<String>,
    #[serde(default)]
    pin: Option<Zeroizing<String>>,
    #[serde(default)]
    pad: Option<String>,
    #[serde(default)]
    second: Option<SentPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentPerson {
    person: String,
    pin: Zeroizing<String>,
    #[serde(default)]
    pad: Option<String>,
}

/// Somebody's claim to be somebody.
struct Claim {
    id: PersonId,
    pin: Zeroizing<String>,
    pad: Option<String>,
}

/// Who asks, as far as the form says.
enum Asking {
    /// Whoever is at the dealer's screen.
    Nobody,
    Person(Claim),
    /// A visitor; with a PIN where they sign.
    Visitor {
        token: String,
        pin: Option<(Zeroizing<String>, Option<String>)>,
    },
}

impl Asking {
    fn has_pin(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Person(_) => true,
            Self::Visitor { pin, .. } => pin.is_some(),
        }
    }

    /// A pad is good for one PIN: the same bytes sent again can only be the same request.
    fn is_for_one_try(&self) -> bool {
        match self {
            Self::Nobody => false,
            Self::Person(claim) => claim.pad.is_some(),
            Self::Visitor { pin, .. } => pin.as_ref().is_some_and(|(_, pad)| pad.is_some()),
        }
    }
}

/// A request whose form is right.
struct Asked {
    key: IdempotencyKey,
    prompt: Option<u64>,
    action: Action,
    asking: Asking,
    second: Option<Claim>,
}

/// The people behind a request, checked.
#[derive(Clone, Copy)]
struct People {
    person: Option<Authenticated>,
    second: Option<Authenticated>,
    proof: Proof,
}

pub(super) async fn act(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    // What is not understood may hold a PIN too.
    let mut has_pin = true;
    let response = match take(&app, &headers, body, &mut has_pin).await {
        Ok(answer) | Err(answer) => answer.into_response(),
    };
    if has_pin { answer::and_close(response) } else { response }
}

async fn take(app: &Arc<App>, headers: &HeaderMap, body: Body, has_pin: &mut bool) -> Result<Answer, Answer> {
    let body = read(app, headers, body).await?;
    let Asked { key, prompt, action, asking, second } = understand(&body)?;
    *has_pin = asking.has_pin() || second.is_some();
    let sent = asking.is_for_one_try().then(|| Sha256::digest(&body).into());
    if let Some(outcome) = sent.and_then(|sent| app.replies.sent_again(&key, sent)) {
        return Ok(answer_of(app, outcome).await);
    }
    // Before anything is told, also about a key that was used before: a wrong PIN learns nothing.
    let people = people_behind(app, asking, second).await?;
    let fingerprint = fingerprint(prompt, &action, &people);
    let known = app.replies.once(&key, fingerprint, sent, || {
        let (app, key) = (Arc::clone(app), key.clone());
        async move { put_before_the_loop(&app, key, prompt, action, people).await }
    });
    match known {
        Known::Other => Err(key_reused()),
        Known::Answer(outcome) => Ok(answer_of(app, outcome).await),
    }
}

async fn answer_of(app: &App, mut outcome: watch::Receiver<Option<Answer>>) -> Answer {
    let unknown = || {
        let reason = "no answer yet: ask again with the same key, it will not be done twice";
        Answer::error(StatusCode::SERVICE_UNAVAILABLE, "saving", reason).retry_after(1)
    };
    let told = timeout(app.limits.reply_time, outcome.wait_for(Option::is_some)).await;
    told.ok().and_then(|told| told.ok()?.clone()).unwrap_or_else(unknown)
}

async fn people_behind(app: &Arc<App>, asking: Asking, second: Option<Claim>) -> Result<People, Answer> {
    let (person, proof) = match asking {
        Asking::Nobody => {
            dealer_is_on_the_list(app)?;
            (None, Proof::Pin)
        }
        Asking::Person(Claim { id, pin, pad }) => (Some(check(app, id, pin, pad).await?), Proof::Pin),
        Asking::Visitor { token, pin } => {
            let (visitor, _) = people::visitor(app, &token)?;
            match pin {
                None => (Some(visitor), Proof::Visit),
                Some((pin, pad)) => (Some(check(app, visitor.id, pin, pad).await?), Proof::Pin),
            }
        }
    };
    let second = match second {
        Some(Claim { id, .. }) if person.is_some_and(|person| person.id == id) => return Err(same_person()),
        Some(Claim { id, pin, pad }) => Some(check(app, id, pin, pad).await?),
        None => None,
    };
    Ok(People { person, second, proof })
}

/// The keys of the screen belong to whoever signed in, as long as they are on the staff list.
fn dealer_is_on_the_list(app: &App) -> Result<(), Answer> {
    let Some(dealer) = app.table.frame().moment().dealer else { return Ok(()) };
    let reason = match app.staff.may_deal(dealer) {
        MayDeal::Yes => return Ok(()),
        MayDeal::No => format!("dealer {} is no longer on the staff list: another dealer signs in", dealer.0),
        MayDeal::Unknown => {
            "the staff list cannot be read: nobody deals until a technician has looked at it".to_owned()
        }
    };
    let roles: Vec<&str> = Who::DealerKey.roles().iter().map(|role| role.word()).collect();
    let more = json!({ "roles": roles, "second": false });
    Err(Answer::cited(StatusCode::FORBIDDEN, "needs-person", &reason, &Code::NobodySignedIn.to_string(), more))
}

fn same_person() -> Answer {
    Answer::error(StatusCode::FORBIDDEN, "same-person", "two people means two numbers")
}

fn key_reused() -> Answer {
    Answer::error(StatusCode::CONFLICT, "key-reused", "this key was used for something else")
}

/// The bytes of a JSON body, within the limits of size, time and number. Every request that changes something passes.
pub(super) async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Zeroizing<Vec<u8>>, Answer> {
    if !app.posts.take() {
        return Err(too_fast());
    }
    read_json(app, headers, body).await
}

pub(super) fn too_fast() -> Answer {
    Answer::error(StatusCode::TOO_MANY_REQUESTS, "too-fast", "more actions than anybody can tap").retry_after(1)
}

/// As [`read`], without a limit of number.
pub(super) async fn read_json(app: &App, headers: &HeaderMap, body: Body) -> Result<Zeroizing<Vec<u8>>, Answer> {
    let is_json = |value: &str| value.split(';').next().is_some_and(|kind| kind.trim() == "application/json");
    if !headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(is_json) {
        let reason = "send application/json";
        return Err(Answer::error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", reason));
    }
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let too_large = || Answer::error(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "a body has at most 16 KiB");
    if declared.is_some_and(|bytes| bytes > app.limits.body_bytes) {
        return Err(too_large());
    }
    match timeout(app.limits.body_time, to_bytes(body, app.limits.body_bytes)).await {
        Ok(Ok(bytes)) => Ok(Zeroizing::new(bytes.to_vec())),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Answer::error(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body did not arrive in time")),
    }
}

fn understand(body: &[u8]) -> Result<Asked, Answer> {
    let malformed = |reason: &str| Answer::error(StatusCode::BAD_REQUEST, "malformed", reason);
    // The parser's own words could repeat a part of the body, and so of a PIN.
    let sent: Sent = serde_json::from_slice(body)
        .map_err(|error| malformed(&format!("not a request, at line {} column {}", error.line(), error.column())))?;
    let key = IdempotencyKey::new(&sent.key)
        .ok_or_else(|| malformed("a key has 1 to 64 letters, digits, hyphens and underscores"))?;
    let action =
        action(&sent.action.0).ok_or_else(|| malformed("there is no such action, or not with these fields"))?;
    if !action.free_texts().into_iter().all(is_plain) {
        let reason = format!("at most {FREE_TEXT_CHARS_MAX} characters that can be seen, without a break");
        return Err(malformed(&reason));
    }
    if action.answers_order() && sent.prompt.is_none() {
        return Err(malformed("this answers an order: say which, by the screen's prompt_number"));
    }
    let number = |text: &str| number(text).ok_or_else(|| malformed("a person is a number"));
    let asking = match (sent.visit, sent.person, sent.pin) {
        (None, Some(person), Some(pin)) => Asking::Person(Claim { id: number(&person)?, pin, pad: sent.pad }),
        (Some(token), None, Some(pin)) => Asking::Visitor { token, pin: Some((pin, sent.pad)) },
        (Some(token), None, None) if sent.pad.is_none() => Asking::Visitor { token, pin: None },
        (None, None, None) if sent.pad.is_none() => Asking::Nobody,
        (Some(_), Some(_), _) => return Err(malformed("a visit or a person, not both")),
        (_, Some(_) | None, Some(_) | None) => return Err(malformed("a person and a PIN come together")),
    };
    let second = match sent.second {
        Some(second) => Some(Claim { id: number(&second.person)?, pin: second.pin, pad: second.pad }),
        None => None,
    };
    match (&asking, &second) {
        (Asking::Nobody, Some(_)) => return Err(malformed("a second person comes after a first")),
        (Asking::Person(person), Some(second)) if person.id == second.id => return Err(same_person()),
        (Asking::Nobody | Asking::Person(_) | Asking::Visitor { .. }, Some(_) | None) => {}
    }
    Ok(Asked { key, prompt: sent.prompt, action, asking, second })
}

fn number(text: &str) -> Option<PersonId> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().map(PersonId)
}

/// An object none of whose keys comes twice: two readers would take two different values for it.
struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;
        impl<'de> Visitor<'de> for Once {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
                let mut fields = Map::new();
                while let Some((key, value)) = entries.next_entry::<String, Value>()? {
                    if fields.insert(key, value).is_some() {
                        return Err(A::Error::custom("a key comes twice"));
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Once)
    }
}

/// An action none of whose fields is left over: serde lets surplus fields of a tagged unit variant pass, and somebody
/// who sends one means something by it.
fn action(sent: &Map<String, Value>) -> Option<Action> {
    let action = Action::deserialize(Value::Object(sent.clone())).ok()?;
    // Visits have addresses of their own.
    if matches!(action, Action::OpenVisit | Action::EndVisit { .. }) {
        return None;
    }
    let understood = serde_json::to_value(&action).ok()?;
    sent.keys().all(|key| understood.get(key).is_some()).then_some(action)
}

/// What was asked for and by whom; PINs and pads differ from try to try and stay out.
fn fingerprint(prompt: Option<u64>, action: &Action, people: &People) -> Fingerprint {
    let id = |person: Option<Authenticated>| person.map(|person| person.id);
    let asked = json!([prompt, action, id(people.person), id(people.second), people.proof == Proof::Visit]);
    Sha256::digest(asked.to_string()).into()
}

async fn put_before_the_loop(
    app: &App,
    key: IdempotencyKey,
    prompt: Option<u64>,
    action: Action,
    people: People,
) -> Outcome {
    let People { person, second, proof } = people;
    let signer = person.filter(|_| proof == Proof::Pin);
    let earlier = signer.and_then(|signer| app.signatures.first_for(&action, signer.id));
    let second = second.or_else(|| earlier.filter(|first| app.staff.still_is(*first)));
    let asked = action.clone();
    let request = |reply| Request { key, prompt, person, second, proof, action, reply };
    let reply = app.table.request(request).await;
    let help = "Requests by what came of them.";
    app.metrics.counter("holecard_requests_total", help, &[("reply", word(&reply))]).add(1);
    if let (Reply::NeedsPerson { second: true, .. }, Some(signer), None) = (&reply, signer, second) {
        app.signatures.keep(&asked, signer);
        return Outcome::Again(first_signed(reply, signer));
    }
    if let Reply::Accepted { .. } = &reply {
        app.signatures.forget(&asked);
    }
    outcome(reply)
}

/// The first of two has signed: who may be the second, who may not, and for how long it waits.
fn first_signed(reply: Reply, signer: Authenticated) -> Answer {
    let Reply::NeedsPerson { roles, reason, clause, .. } = reply else { return told(reply) };
    let roles: Vec<&str> = roles.into_iter().map(Role::word).collect();
    let signed = json!({ "person": signer.id, "role": signer.role, "kept_s": signatures::KEPT.as_secs() });
    let more = json!({ "roles": roles, "second": true, "signed": signed });
    Answer::cited(StatusCode::FORBIDDEN, "needs-person", &reason, &clause, more)
}

/// A number as it was typed, with its PIN.
pub(super) async fn identify(
    app: &App,
    person: &str,
    pin: Zeroizing<String>,
    pad: Option<String>,
) -> Result<Authenticated, Answer> {
    let malformed = || Answer::error(StatusCode::BAD_REQUEST, "malformed", "a person is a number");
    check(app, number(person).ok_or_else(malformed)?, pin, pad).await
}

async fn check(app: &App, id: PersonId, pin: Zeroizing<String>, pad: Option<String>) -> Result<Authenticated, Answer> {
    let pin = match pad {
        None => pin,
        Some(pad) => app.pads.read(&pad, &pin).ok_or_else(|| {
            Answer::error(StatusCode::UNAUTHORIZED, "pad-void", "this pad was used or is too old: type the PIN again")
        })?,
    };
    check_person(app, id, pin).await
}

/// Whether this PIN is this person's; every try counts, wherever it was made.
pub(super) async fn check_person(app: &App, id: PersonId, pin: Zeroizing<String>) -> Result<Authenticated, Answer> {
    let checked = app.staff.authenticate(id, pin).await;
    let how = if checked.is_ok() { "right" } else { "refused" };
    app.metrics.counter("holecard_pins_total", "PINs by how they were found.", &[("result", how)]).add(1);
    if let Ok(person) = checked {
        app.recent.note(person);
        return Ok(person);
    }
    checked.map_err(|error| not_checked(&error))
}

/// What is answered to somebody who was not let in.
pub(super) fn not_checked(error: &AuthError) -> Answer {
    // Not with its number: somebody may have typed their PIN there.
    tracing::warn!(%error, "a PIN was not accepted");
    let text = error.to_string();
    match error {
        AuthError::WrongNumberOrPin => Answer::error(StatusCode::UNAUTHORIZED, "wrong-pin", &text),
        AuthError::LockedOut { seconds } => {
            Answer::error(StatusCode::TOO_MANY_REQUESTS, "locked-out", &text).retry_after(*seconds)
        }
        AuthError::Busy => Answer::error(StatusCode::TOO_MANY_REQUESTS, "busy", &text).retry_after(1),
        AuthError::OneTimeCode => Answer::error(StatusCode::FORBIDDEN, "one-time-code", &text),
        AuthError::Unavailable(_) => Answer::error(StatusCode::SERVICE_UNAVAILABLE, "staff-unavailable", &text),
    }
}

fn word(reply: &Reply) -> &'static str {
    match reply {
        Reply::Accepted { .. } => "accepted",
        Reply::Refused { .. } => "refused",
        Reply::NeedsPerson { .. } => "needs-person",
        Reply::NeedsSignature { .. } => "needs-signature",
        Reply::Stale { .. } => "stale",
        Reply::KeyReused => "key-reused",
        Reply::Saving => "saving",
        Reply::Stopped => "stopped",
    }
}

pub(super) fn told(reply: Reply) -> Answer {
    match outcome(reply) {
        Outcome::Final(answer) | Outcome::Again(answer) => answer,
    }
}

fn outcome(reply: Reply) -> Outcome {
    let name = word(&reply);
    match reply {
        Reply::Accepted { sequence, record, events } => {
            // Events are JSON already.
            let events = events.join(",");
            let body =
                format!("{{\"accepted\":{{\"sequence\":{sequence},\"record\":{record},\"events\":[{events}]}}}}");
            Outcome::Final(Answer::json(StatusCode::OK, body))
        }
        Reply::Refused { reason, clause } => {
            Outcome::Final(Answer::cited(StatusCode::CONFLICT, name, &reason, &clause, json!({})))
        }
        Reply::NeedsPerson { roles, second, reason, clause } => {
            let roles: Vec<&str> = roles.into_iter().map(Role::word).collect();
            let more = json!({ "roles": roles, "second": second });
            Outcome::Again(Answer::cited(StatusCode::FORBIDDEN, name, &reason, &clause, more))
        }
        Reply::NeedsSignature { reason } => Outcome::Again(Answer::error(StatusCode::FORBIDDEN, name, &reason)),
        Reply::Stale { prompt_number } => {
            let more = json!({ "prompt_number": prompt_number });
            let reason = "the table has moved on: look again";
            Outcome::Final(Answer::cited(StatusCode::CONFLICT, name, reason, "api stale", more))
        }
        Reply::KeyReused => Outcome::Final(key_reused()),
        Reply::Saving => {
            let reason = "the last record is still being saved: try again";
            Outcome::Again(Answer::error(StatusCode::SERVICE_UNAVAILABLE, name, reason).retry_after(1))
        }
        Reply::Stopped => {
            let reason = "the table has stopped";
            Outcome::Again(Answer::error(StatusCode::SERVICE_UNAVAILABLE, name, reason))
        }
    }
}
