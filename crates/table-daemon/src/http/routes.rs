//! Which address does what.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router, http};
use serde::Deserialize;
use serde_json::json;
use table_rules::input::Input;
use table_rules::script::parse_line;
use zeroize::Zeroizing;

use super::answer::Answer;
#[cfg(feature = "demo")]
use super::demo;
use super::guard::LetIn;
use super::{App, act, bench, events, guard, identify, people, tap};
use crate::handle::{Ask, AskError};

/// The description of everything below, for programs.
const SCHEMA: &str = include_str!("../../../../docs/operator-api.schema.json");

pub(super) fn router(app: Arc<App>) -> Router {
    let router = Router::new()
        .route("/api/v1/screen", get(screen))
        .route("/api/v1/events", get(events::stream))
        .route("/api/v1/act", post(act::act))
        .route("/api/v1/enter", post(enter))
        .route("/api/v1/pad", get(pad))
        .route("/api/v1/settings", get(settings))
        .route("/api/v1/visit", post(people::open))
        .route("/api/v1/visit/touch", post(people::touch))
        .route("/api/v1/visit/leave", post(people::leave))
        .route("/api/v1/people", get(people::recent))
        .route("/api/v1/permissions", get(people::permissions))
        .route("/api/v1/devices", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Devices).await))
        .route("/api/v1/meters", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Meters).await))
        .route("/api/v1/alerts", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Alerts).await))
        .route(guard::PLAYERS, get(players))
        .route("/api/v1/day", get(day))
        .route("/api/v1/identity", get(identity))
        .route("/api/v1/inspections", get(inspections))
        .route("/api/v1/head", get(async |State(app): State<Arc<App>>| ask(&app, Ask::Head).await))
        .route("/api/v1/outlook/{words}", get(outlook))
        .route("/api/v1/recall/{round}", get(recall))
        .route("/api/v1/tap/{device}", get(tap::stream))
        .route("/api/v1/lines", get(bench::lines))
        .route("/api/v1/lend/{device}", get(bench::lend))
        .route("/api/v1/identify", post(identify::identify))
        .route("/api/v1/first-pin", post(identify::first_pin))
        .route("/api/v1/locked/{person}", get(identify::locked))
        .route("/api/v1/schema", get(async || json_text(SCHEMA.to_owned())))
        .route("/metrics", get(metrics));
    #[cfg(feature = "demo")]
    let router = router.merge(demo::routes(&app));
    router
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

async fn day(State(app): State<Arc<App>>, let_in: Option<Extension<LetIn>>, headers: HeaderMap) -> Response {
    match people::may_read(&app, let_in, &headers) {
        Ok(()) => ask(&app, Ask::Day).await,
        Err(answer) => answer.into_response(),
    }
}

async fn identity(State(app): State<Arc<App>>, let_in: Option<Extension<LetIn>>, headers: HeaderMap) -> Response {
    match people::may_read(&app, let_in, &headers) {
        Ok(()) => ask(&app, Ask::Identity).await,
        Err(answer) => answer.into_response(),
    }
}

/// The last signed inspections, newest first, each with the sheet that is printed.
async fn inspections(State(app): State<Arc<App>>, let_in: Option<Extension<LetIn>>, headers: HeaderMap) -> Response {
    match people::may_read(&app, let_in, &headers) {
        Ok(()) => ask(&app, Ask::Inspections).await,
        Err(answer) => answer.into_response(),
    }
}

async fn recall(
    State(app): State<Arc<App>>,
    let_in: Option<Extension<LetIn>>,
    headers: HeaderMap,
    Path(round): Path<String>,
) -> Response {
    if let Err(answer) = people::may_read(&app, let_in, &headers) {
        return answer.into_response();
    }
    match round.parse() {
        Ok(round) => ask(&app, Ask::Recall(round)).await,
        Err(_) => Answer::error(StatusCode::BAD_REQUEST, "malformed", "a round is a number").into_response(),
    }
}

/// What an irregularity would lead to: asked before it is told, so that nobody learns of a dead hand afterwards. Nothing
/// else can be asked about, and nothing is changed.
async fn outlook(State(app): State<Arc<App>>, Path(words): Path<String>) -> Response {
    match parse_line(&words).ok().flatten() {
        Some(input @ Input::Irregularity { .. }) => ask(&app, Ask::Outlook(input)).await,
        Some(_) | None => {
            let reason = "ask about an irregularity, as the play script writes it";
            Answer::error(StatusCode::BAD_REQUEST, "malformed", reason).into_response()
        }
    }
}

/// What the players' display shows.
async fn players(State(app): State<Arc<App>>) -> Response {
    ask(&app, Ask::Players { names_seat: app.screen.jackpot_seat }).await
}

/// What the house has set for its screens.
async fn settings(State(app): State<Arc<App>>) -> Response {
    match serde_json::to_string(&app.screen) {
        Ok(screen) => json_text(screen),
        Err(error) => panic!("a bug: the screen's settings cannot be written: {error}"),
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
    // Not from the bucket of the taps: whoever knocks here does not keep a dealer from dealing.
    let body = match act::read_json(&app, &headers, body).await {
        Ok(body) => body,
        Err(answer) => return answer.into_response(),
    };
    let Ok(Entering { token }) = serde_json::from_slice(&body) else {
        return Answer::error(StatusCode::BAD_REQUEST, "malformed", "send {\"token\":\"…\"}").into_response();
    };
    match app.door.cookie_for(&token).and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        Some(cookie) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response(),
        // The right key is never turned away; wrong ones have a bucket of their own.
        None if !app.knocks.take() => act::too_fast().into_response(),
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
