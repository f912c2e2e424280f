//! Which address does what.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, http};
use serde::Deserialize;
use serde_json::json;
use zeroize::Zeroizing;

use super::answer::Answer;
use super::{App, act, demo, events, guard};
use crate::handle::{Ask, AskError};

/// The description of everything below, for programs.
const SCHEMA: &str = include_str!("../../../../docs/operator-api.schema.json");

pub(super) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/v1/screen", get(screen))
        .route("/api/v1/events", get(events::stream))
        .route("/api/v1/act", post(act::act))
        .route("/api/v1/enter", post(enter))
        .route("/api/v1/pad", get(pad))
        .route("/api/v1/devices", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Devices).await))
        .route("/api/v1/meters", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Meters).await))
        .route("/api/v1/alerts", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Alerts).await))
        .route("/api/v1/day", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Day).await))
        .route("/api/v1/head", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Head).await))
        .route("/api/v1/recall/{round}", get(recall))
        .route("/api/v1/schema", get(async || json_text(SCHEMA.to_owned())))
        .route("/metrics", get(metrics))
        .merge(demo::routes(&app))
        .fallback(page)
        .method_not_allowed_fallback(async || {
            Answer::error(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this address is used another way")
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

fn json_text(text: String) -> Response {
    Answer::json(StatusCode::OK, text).into_response()
}

async fn screen(State(app): State<Arc<App>>) -> Response {
    let screen = app.table.frame().screen();
    json_text(String::from_utf8_lossy(&screen).into_owned())
}

async fn ask(app: &App, what: Ask) -> Response {
    match tokio::time::timeout(app.limits.reply_time, app.table.ask(what)).await {
        Ok(Ok(text)) => json_text(text),
        Ok(Err(error @ AskError::NotFound(_))) => {
            Answer::error(StatusCode::NOT_FOUND, "not-found", &error.to_string()).into_response()
        }
        Ok(Err(error @ AskError::Unavailable(_))) => {
            Answer::error(StatusCode::SERVICE_UNAVAILABLE, "stopped", &error.to_string()).into_response()
        }
        Err(_) => Answer::error(StatusCode::SERVICE_UNAVAILABLE, "saving", "the table is busy saving").into_response(),
    }
}

async fn recall(State(app): State<Arc<App>>, Path(round): Path<String>) -> Response {
    match round.parse() {
        Ok(round) => ask(&app, Ask::Recall(round)).await,
        Err(_) => Answer::error(StatusCode::BAD_REQUEST, "malformed", "a round is a number").into_response(),
    }
}

async fn pad(State(app): State<Arc<App>>) -> Response {
    match app.pads.deal() {
        Ok(pad) => json_text(json!({ "pad": pad.id, "digits": pad.digits }).to_string()),
        Err(error) => {
            Answer::error(StatusCode::SERVICE_UNAVAILABLE, "no-randomness", &error.to_string()).into_response()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entering {
    token: Zeroizing<String>,
}

/// The key for the cookie.
async fn enter(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let body = match act::read(&app, &headers, body).await {
        Ok(body) => body,
        Err(answer) => return answer.into_response(),
    };
    let Ok(Entering { token }) = serde_json::from_slice(&body) else {
        return Answer::error(StatusCode::BAD_REQUEST, "malformed", "send {\"token\":\"…\"}").into_response();
    };
    match app.door.cookie_for(&token).and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        Some(cookie) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response(),
        None => Answer::error(StatusCode::UNAUTHORIZED, "no-key", "this is not the table's key").into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let sequence = i64::try_from(app.table.frame().sequence()).unwrap_or(i64::MAX);
    app.metrics.gauge("holecard_sequence", "The record that is shown.", &[]).set(sequence);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render()).into_response()
}

/// The dealer's page and its files.
async fn page(method: http::Method, uri: Uri) -> Response {
    let found = (method == http::Method::GET).then(|| dealer_screen::asset(uri.path())).flatten();
    match found {
        Some(asset) => ([(header::CONTENT_TYPE, asset.content_type)], asset.bytes).into_response(),
        None => Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here").into_response(),
    }
}
