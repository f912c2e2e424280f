//! Who somebody at the technician's console is. Only on the socket: the console has a user of its own that can read neither
//! staff file nor pepper, and while the daemon runs there is one owner of the counters of wrong PINs.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use operator_api::PersonId;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use zeroize::Zeroizing;

use super::answer::Answer;
use super::guard::Via;
use super::{App, act};
use crate::staff::{Authenticated, FirstPinError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claimed {
    person: PersonId,
    pin: Zeroizing<String>,
}

fn nothing_here() -> Answer {
    Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here")
}

/// What somebody at the socket says of themselves; elsewhere there is nothing.
async fn claimed<T: DeserializeOwned>(
    app: &App,
    via: Via,
    headers: &HeaderMap,
    body: Body,
    wanted: &str,
) -> Result<T, Answer> {
    if via != Via::Unix {
        return Err(nothing_here());
    }
    let body = act::read(app, headers, body).await?;
    serde_json::from_slice(&body).map_err(|_| Answer::error(StatusCode::BAD_REQUEST, "malformed", wanted))
}

/// Who was found.
fn found(person: Authenticated) -> Response {
    Answer::json(StatusCode::OK, json!({ "person": person.id, "role": person.role }).to_string()).into_response()
}

pub(super) async fn identify(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let Claimed { person, pin } = match claimed(&app, via, &headers, body, "send a person and a PIN").await {
        Ok(claimed) => claimed,
        Err(answer) => return answer.into_response(),
    };
    match act::check_person(&app, person, pin).await {
        Ok(person) => found(person),
        Err(answer) => answer.into_response(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstPin {
    person: PersonId,
    code: Zeroizing<String>,
    pin: Zeroizing<String>,
}

/// Somebody new sets a PIN with the code that was printed for them.
pub(super) async fn first_pin(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let wanted = "send a person, a code and a PIN";
    let FirstPin { person, code, pin } = match claimed(&app, via, &headers, body, wanted).await {
        Ok(claimed) => claimed,
        Err(answer) => return answer.into_response(),
    };
    match app.staff.set_first_pin(person, code, pin).await {
        Ok(person) => found(person),
        Err(FirstPinError::Code(error)) => act::not_checked(&error).into_response(),
        Err(
            error @ (FirstPinError::NoCode
            | FirstPinError::Pin(_)
            | FirstPinError::SameAsCode
            | FirstPinError::Book(_)
            | FirstPinError::Owner(_)),
        ) => Answer::error(StatusCode::CONFLICT, "pin-not-set", &error.to_string()).into_response(),
    }
}

/// For how many seconds a number has to wait. Nothing is counted.
pub(super) async fn locked(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    Path(person): Path<u32>,
) -> Response {
    if via != Via::Unix {
        return nothing_here().into_response();
    }
    let seconds = app.staff.locked_for(PersonId(person));
    Answer::json(StatusCode::OK, json!({ "seconds": seconds }).to_string()).into_response()
}
