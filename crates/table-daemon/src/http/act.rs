//! `POST /api/v1/act`: one person's action, checked for its form and for who says it, then put before the loop.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use operator_api::{Action, PersonId, Role};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::App;
use super::answer::Answer;
use super::idempotency::{Fingerprint, Known, Outcome};
use crate::handle::{IdempotencyKey, Reply, Request};
use crate::staff::{AuthError, Authenticated};

/// What is sent. `docs/operator-api.schema.json` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    key: String,
    #[serde(default)]
    prompt: Option<u64>,
    action: Value,
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

/// A request whose form is right.
struct Asked {
    key: IdempotencyKey,
    prompt: Option<u64>,
    action: Action,
    person: Option<Claim>,
    second: Option<Claim>,
}

pub(super) async fn act(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    match take(&app, &headers, body).await {
        Ok(answer) | Err(answer) => answer.into_response(),
    }
}

async fn take(app: &Arc<App>, headers: &HeaderMap, body: Body) -> Result<Answer, Answer> {
    let body = read(app, headers, body).await?;
    let asked = understand(&body)?;
    let fingerprint = asked.fingerprint()?;
    let key = asked.key.clone();
    let known = app.replies.once(&key, fingerprint, || {
        let app = Arc::clone(app);
        async move { put_before_the_loop(&app, asked).await }
    });
    match known {
        Known::Other => Err(key_reused()),
        Known::Answer(mut outcome) => {
            let unknown = || {
                let reason = "no answer yet: ask again with the same key, it will not be done twice";
                Answer::error(StatusCode::SERVICE_UNAVAILABLE, "saving", reason).retry_after(1)
            };
            let told = timeout(app.limits.reply_time, outcome.wait_for(Option::is_some)).await;
            Ok(told.ok().and_then(|told| told.ok()?.clone()).unwrap_or_else(unknown))
        }
    }
}

fn key_reused() -> Answer {
    Answer::error(StatusCode::CONFLICT, "key-reused", "this key was used for something else")
}

/// The bytes of a JSON body, within the limits of size, time and number. Every request that changes something passes.
pub(super) async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Zeroizing<Vec<u8>>, Answer> {
    if !app.posts.take() {
        let answer = Answer::error(StatusCode::TOO_MANY_REQUESTS, "too-fast", "more actions than anybody can tap");
        return Err(answer.retry_after(1));
    }
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
    let action = action(&sent.action).ok_or_else(|| malformed("there is no such action, or not with these fields"))?;
    let number = |text: &str| -> Result<PersonId, Answer> {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = plain.then(|| text.parse().ok()).flatten();
        number.map(PersonId).ok_or_else(|| malformed("a person is a number"))
    };
    let person = match (sent.person, sent.pin) {
        (Some(person), Some(pin)) => Some(Claim { id: number(&person)?, pin, pad: sent.pad }),
        (None, None) if sent.pad.is_none() => None,
        (Some(_) | None, Some(_) | None) => return Err(malformed("a person and a PIN come together")),
    };
    let second = match sent.second {
        Some(second) => Some(Claim { id: number(&second.person)?, pin: second.pin, pad: second.pad }),
        None => None,
    };
    match (&person, &second) {
        (None, Some(_)) => return Err(malformed("a second person comes after a first")),
        (Some(person), Some(second)) if person.id == second.id => {
            let reason = "two people means two numbers";
            return Err(Answer::error(StatusCode::FORBIDDEN, "same-person", reason));
        }
        (Some(_) | None, Some(_) | None) => {}
    }
    Ok(Asked { key, prompt: sent.prompt, action, person, second })
}

/// An action none of whose fields is left over: serde lets surplus fields of a tagged unit variant pass, and somebody
/// who sends one means something by it.
fn action(sent: &Value) -> Option<Action> {
    let action = Action::deserialize(sent).ok()?;
    let understood = serde_json::to_value(&action).ok()?;
    sent.as_object()?.keys().all(|key| understood.get(key).is_some()).then_some(action)
}

impl Asked {
    /// What was asked for and by whom; PINs and pads differ from try to try and stay out.
    fn fingerprint(&self) -> Result<Fingerprint, Answer> {
        let id = |claim: &Option<Claim>| claim.as_ref().map(|claim| claim.id);
        let asked = json!([self.prompt, self.action, id(&self.person), id(&self.second)]);
        Ok(Sha256::digest(asked.to_string()).into())
    }
}

async fn put_before_the_loop(app: &App, asked: Asked) -> Outcome {
    let Asked { key, prompt, action, person, second } = asked;
    let person = match identify(app, person).await {
        Ok(person) => person,
        Err(answer) => return Outcome::Again(answer),
    };
    let second = match identify(app, second).await {
        Ok(second) => second,
        Err(answer) => return Outcome::Again(answer),
    };
    let reply = app.table.request(|reply| Request { key, prompt, person, second, action, reply }).await;
    let help = "Requests by what came of them.";
    app.metrics.counter("holecard_requests_total", help, &[("reply", word(&reply))]).add(1);
    told(reply)
}

async fn identify(app: &App, claim: Option<Claim>) -> Result<Option<Authenticated>, Answer> {
    let Some(Claim { id, pin, pad }) = claim else { return Ok(None) };
    let pin = match pad {
        None => pin,
        Some(pad) => app.pads.read(&pad, &pin).ok_or_else(|| {
            Answer::error(StatusCode::UNAUTHORIZED, "pad-void", "this pad was used or is too old: type the PIN again")
        })?,
    };
    let checked = app.staff.authenticate(id, pin).await;
    let how = if checked.is_ok() { "right" } else { "refused" };
    app.metrics.counter("holecard_pins_total", "PINs by how they were found.", &[("result", how)]).add(1);
    checked.map(Some).map_err(|error| {
        tracing::warn!(person = id.0, %error, "a PIN was not accepted");
        let text = error.to_string();
        match error {
            AuthError::WrongNumberOrPin => Answer::error(StatusCode::UNAUTHORIZED, "wrong-pin", &text),
            AuthError::LockedOut { seconds } => {
                Answer::error(StatusCode::TOO_MANY_REQUESTS, "locked-out", &text).retry_after(seconds)
            }
            AuthError::Busy => Answer::error(StatusCode::TOO_MANY_REQUESTS, "busy", &text).retry_after(1),
            AuthError::Unavailable(_) => Answer::error(StatusCode::SERVICE_UNAVAILABLE, "staff-unavailable", &text),
        }
    })
}

fn word(reply: &Reply) -> &'static str {
    match reply {
        Reply::Accepted { .. } => "accepted",
        Reply::Refused { .. } => "refused",
        Reply::NeedsPerson { .. } => "needs-person",
        Reply::Stale { .. } => "stale",
        Reply::KeyReused => "key-reused",
        Reply::Saving => "saving",
        Reply::Stopped => "stopped",
    }
}

fn told(reply: Reply) -> Outcome {
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
