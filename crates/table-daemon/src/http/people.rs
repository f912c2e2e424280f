//! `POST /api/v1/visit` and what belongs to it: who is at the screen, what they may do, and whose numbers were used last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use operator_api::{ActKind, Permission, PersonId, Role, VisitEnd, VisitView, Who};
use serde::{Deserialize, Serialize};
use serde_json::json;
use zeroize::Zeroizing;

use super::answer::{Answer, and_close};
use super::guard::LetIn;
use super::{App, act, visits};
use crate::handle::Reply;
use crate::staff::Authenticated;

/// The page sends its token here when it reads.
const VISIT_HEADER: &str = "holecard-visit";
/// As many tiles as a page has for people.
const RECENT_MAX: usize = 12;

/// Whose PIN was right last, newest first. Numbers that nobody has never come here.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<VecDeque<Authenticated>>);

impl Recent {
    pub(super) fn note(&self, person: Authenticated) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|each| each.id != person.id);
        list.push_front(person);
        list.truncate(RECENT_MAX);
    }

    fn list(&self) -> Vec<PersonRow> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().map(|each| PersonRow { person: each.id, role: each.role }).collect()
    }
}

#[derive(Serialize)]
struct PersonRow {
    person: PersonId,
    role: Role,
}

pub(super) async fn recent(State(app): State<Arc<App>>) -> Response {
    Answer::json(StatusCode::OK, json!({ "people": app.recent.list() }).to_string()).into_response()
}

/// One row of the table of permissions.
#[derive(Serialize)]
struct Row {
    act: &'static str,
    #[serde(flatten)]
    permission: Permission,
}

fn rows(of: impl Fn(&Permission) -> bool) -> Vec<Row> {
    let rows = ActKind::all().map(|kind| Row { act: kind.word(), permission: kind.permission() });
    rows.filter(|row| of(&row.permission)).collect()
}

pub(super) async fn permissions() -> Response {
    Answer::json(StatusCode::OK, json!({ "permissions": rows(|_| true) }).to_string()).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    person: String,
    pin: Zeroizing<String>,
    #[serde(default)]
    pad: Option<String>,
}

pub(super) async fn open(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    match begin(&app, &headers, body).await {
        Ok(answer) | Err(answer) => and_close(answer.into_response()),
    }
}

async fn begin(app: &Arc<App>, headers: &HeaderMap, body: Body) -> Result<Answer, Answer> {
    let body = act::read(app, headers, body).await?;
    let malformed = || Answer::error(StatusCode::BAD_REQUEST, "malformed", "send a person, a PIN and its pad");
    let Opening { person, pin, pad } = serde_json::from_slice(&body).map_err(|_| malformed())?;
    let person = act::identify(app, &person, pin, pad).await?;
    let no_randomness = |error: &dyn std::fmt::Display| {
        Answer::error(StatusCode::SERVICE_UNAVAILABLE, "no-randomness", &error.to_string())
    };
    match visits::note_begin(app, person).await.map_err(|error| no_randomness(&error))? {
        Reply::Accepted { .. } => {}
        refused @ (Reply::Refused { .. }
        | Reply::NeedsPerson { .. }
        | Reply::NeedsSignature { .. }
        | Reply::Stale { .. }
        | Reply::KeyReused
        | Reply::Saving
        | Reply::Stopped) => return Err(act::told(refused)),
    }
    let inspection = app.table.frame().moment().inspection;
    let begun = app.visits.begin(person, inspection).map_err(|error| no_randomness(&error))?;
    if let Some(earlier) = begun.replaced {
        visits::note_end(app, earlier, VisitEnd::Replaced);
    }
    // What a visitor's pages are made from: everything that takes a name, and no dealer's key.
    let may = rows(|row| matches!(row.who, Who::Named(roles) if roles.contains(&person.role)));
    let body = json!({ "token": begun.token.as_str(), "visit": begun.view, "may": may });
    Ok(Answer::json(StatusCode::OK, body.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    visit: String,
}

async fn held(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Answer> {
    let body = act::read(app, headers, body).await?;
    let held: Result<Held, _> = serde_json::from_slice(&body);
    held.map(|held| held.visit)
        .map_err(|_| Answer::error(StatusCode::BAD_REQUEST, "malformed", "send {\"visit\":\"…\"}"))
}

pub(super) async fn touch(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let touched = match held(&app, &headers, body).await {
        Ok(token) => visitor(&app, &token),
        Err(answer) => Err(answer),
    };
    match touched {
        Ok((_, view)) => Answer::json(StatusCode::OK, json!({ "visit": view }).to_string()).into_response(),
        Err(answer) => answer.into_response(),
    }
}

pub(super) async fn leave(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let token = match held(&app, &headers, body).await {
        Ok(token) => token,
        Err(answer) => return answer.into_response(),
    };
    if let Some(person) = app.visits.leave(&token) {
        visits::note_end(&app, person, VisitEnd::Left);
    }
    // Whoever leaves twice has left.
    Answer::json(StatusCode::OK, json!({ "visit": null }).to_string()).into_response()
}

/// The visitor behind a token, who is still on the staff list in the same role. Counts as a touch.
pub(super) fn visitor(app: &Arc<App>, token: &str) -> Result<(Authenticated, VisitView), Answer> {
    let over =
        || Answer::error(StatusCode::UNAUTHORIZED, "visit-over", "the visit is over: begin another with your PIN");
    let (person, view) = app.visits.touch(token, app.table.frame().moment().inspection).ok_or_else(over)?;
    if app.staff.still_is(person) {
        return Ok((person, view));
    }
    if let Some(person) = app.visits.leave(token) {
        visits::note_end(app, person, VisitEnd::Disabled);
    }
    Err(over())
}

/// Pages read what is not on the dealer's screen only in a visit; programs at the table have the key.
pub(super) fn may_read(app: &Arc<App>, let_in: Option<Extension<LetIn>>, headers: &HeaderMap) -> Result<(), Answer> {
    match let_in {
        Some(Extension(LetIn::Cookie)) => {
            let token = headers.get(VISIT_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
            visitor(app, token).map(drop)
        }
        Some(Extension(LetIn::Key)) | None => Ok(()),
        // The guard lets it read the amounts alone.
        Some(Extension(LetIn::Display)) => {
            Err(Answer::error(StatusCode::FORBIDDEN, "display-only", "this key opens the players' display alone"))
        }
    }
}
