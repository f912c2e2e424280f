//! What a technician's console may have of the table's hardware: its lines to look at, and a port on which no device
//! answers. Only on the socket: a browser has no business here.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use device_protocols::mask::Watching;
use futures_util::stream;
use table_controller::Code;
use tokio::time::Instant;

use super::App;
use super::answer::Answer;
use super::guard::Via;

/// A loop test takes seconds; nobody has a port for longer.
const LENT_MAX: Duration = Duration::from_secs(60);
/// A word now and then: whoever has gone is found out by it, and the port is the driver's again.
const STILL_EVERY: Duration = Duration::from_millis(500);

fn nothing_here() -> Answer {
    Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here")
}

pub(super) async fn lines(State(app): State<Arc<App>>, Extension(via): Extension<Via>) -> Response {
    let lines = app.table.bench().and_then(|bench| bench.lines.as_ref()).filter(|_| via == Via::Unix);
    match lines.map(|lines| serde_json::to_string(&lines.pictures())) {
        Some(Ok(text)) => Answer::json(StatusCode::OK, text).into_response(),
        Some(Err(_)) | None => nothing_here().into_response(),
    }
}

/// The port of a device, for as long as the connection stands.
pub(super) async fn lend(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    Path(device): Path<String>,
) -> Response {
    let Some(bench) = app.table.bench().filter(|_| via == Via::Unix) else { return nothing_here().into_response() };
    let Some((_, lender)) = bench.lenders.iter().find(|(name, _)| *name == device) else {
        return nothing_here().into_response();
    };
    if bench.watching.get() != Watching::InService {
        let reason = format!("a port is lent in service mode: enter it first [{}]", Code::ServiceMode);
        return Answer::error(StatusCode::CONFLICT, "not-now", &reason).into_response();
    }
    let lent = match lender.lend().await {
        Ok(lent) => lent,
        Err(error) => return Answer::error(StatusCode::CONFLICT, "refused", &error.to_string()).into_response(),
    };
    let (until, stop) = (Instant::now() + LENT_MAX, app.stop.clone());
    let words = stream::unfold((lent, true), move |(lent, first)| {
        let stop = stop.clone();
        async move {
            if !first {
                tokio::select! {
                    () = stop.cancelled() => return None,
                    () = tokio::time::sleep(STILL_EVERY) => {}
                }
            }
            (Instant::now() < until).then(|| (Ok::<Bytes, Infallible>("{\"lent\":true}\n".into()), (lent, false)))
        }
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(words)).into_response()
}
