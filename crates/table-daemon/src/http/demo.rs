//! What a demo adds to the interface: faults on demand, and hands that act on the simulated felt. Only in a build with
//! the feature `demo`; a daemon that is installed at a table is built without it.
//!
//! What is wanted is told here and done by whoever simulates the devices. Nothing of it reaches the table's loop.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::answer::Answer;
use super::{App, act};

/// A fault by its word, as it is sent, and in words for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OfferedFault {
    pub word: &'static str,
    pub label: &'static str,
}

/// Who deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DemoDealer {
    Robot,
    Person,
}

/// What a hand does on the felt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum HandAct {
    /// Puts a chip of this value onto a box.
    Chip {
        seat: u8,
        cents: i64,
    },
    /// Takes the chips of a box back.
    TakeBack {
        seat: u8,
    },
    /// Puts a chip onto the progressive spot of a seat, or takes it away.
    Progressive {
        seat: u8,
    },
    LockOut,
    Draw,
    Insert,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DemoWish {
    Fault(&'static str),
    Hand(HandAct),
}

/// What may be asked for, and who is told.
#[derive(Clone, Debug)]
pub struct DemoPanel {
    pub dealer: DemoDealer,
    pub faults: Vec<OfferedFault>,
    /// The progressive spots of this table, where it has some.
    pub progressive: Option<&'static str>,
    pub wanted: mpsc::Sender<DemoWish>,
}

/// The addresses of a demo; none without one.
pub(super) fn routes(app: &App) -> Router<Arc<App>> {
    let router = Router::new();
    if app.demo.is_some() { router.route("/api/v1/demo", get(offered).post(wish)) } else { router }
}

fn nothing() -> Response {
    Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here").into_response()
}

async fn offered(State(app): State<Arc<App>>) -> Response {
    let Some(demo) = &app.demo else { return nothing() };
    let told = serde_json::json!({ "dealer": demo.dealer, "faults": demo.faults, "progressive": demo.progressive });
    Answer::json(StatusCode::OK, told.to_string()).into_response()
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Sent {
    Fault(String),
    Hand(HandAct),
}

async fn wish(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let Some(demo) = &app.demo else { return nothing() };
    let body = match act::read(&app, &headers, body).await {
        Ok(body) => body,
        Err(answer) => return answer.into_response(),
    };
    let known = match serde_json::from_slice(&body).ok() {
        Some(Sent::Fault(word)) => {
            demo.faults.iter().find(|each| each.word == word).map(|fault| DemoWish::Fault(fault.word))
        }
        Some(Sent::Hand(hand)) if demo.dealer == DemoDealer::Person => Some(DemoWish::Hand(hand)),
        Some(Sent::Hand(_)) | None => None,
    };
    let Some(wish) = known else {
        return Answer::error(StatusCode::BAD_REQUEST, "malformed", "send {\"fault\":\"…\"}, one of those offered")
            .into_response();
    };
    match demo.wanted.try_send(wish) {
        Ok(()) => StatusCode::ACCEPTED.into_response(),
        Err(_) => {
            Answer::error(StatusCode::SERVICE_UNAVAILABLE, "saving", "the last one is not done yet").into_response()
        }
    }
}
