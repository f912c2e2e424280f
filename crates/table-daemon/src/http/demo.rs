//! Faults from the page, at a demo alone: there is no such address at a table that people play at.
//!
//! A fault is asked for here and made by whoever simulates the devices. Nothing of it reaches the table's loop.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::answer::Answer;
use super::{App, act};

/// A fault by its word, as it is sent, and in words for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfferedFault {
    pub word: &'static str,
    pub label: &'static str,
}

/// What may be asked for, and who is told.
#[derive(Clone, Debug)]
pub struct DemoPanel {
    pub faults: Vec<OfferedFault>,
    pub wanted: mpsc::Sender<&'static str>,
}

/// The addresses of a demo; none without one.
pub(super) fn routes(app: &App) -> Router<Arc<App>> {
    let router = Router::new();
    if app.demo.is_some() { router.route("/api/v1/demo", get(offered).post(bring)) } else { router }
}

fn nothing() -> Response {
    Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here").into_response()
}

async fn offered(State(app): State<Arc<App>>) -> Response {
    let Some(demo) = &app.demo else { return nothing() };
    let faults: Vec<_> = demo.faults.iter().map(|fault| json!({ "word": fault.word, "label": fault.label })).collect();
    Answer::json(StatusCode::OK, json!({ "faults": faults }).to_string()).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    fault: String,
}

async fn bring(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let Some(demo) = &app.demo else { return nothing() };
    let body = match act::read(&app, &headers, body).await {
        Ok(body) => body,
        Err(answer) => return answer.into_response(),
    };
    let wanted = serde_json::from_slice(&body).ok();
    let known = wanted.and_then(|Wanted { fault }| demo.faults.iter().find(|each| each.word == fault));
    let Some(fault) = known else {
        return Answer::error(StatusCode::BAD_REQUEST, "malformed", "send {\"fault\":\"…\"}, one of those offered")
            .into_response();
    };
    match demo.wanted.try_send(fault.word) {
        Ok(()) => StatusCode::ACCEPTED.into_response(),
        Err(_) => {
            Answer::error(StatusCode::SERVICE_UNAVAILABLE, "saving", "the last one is not done yet").into_response()
        }
    }
}
