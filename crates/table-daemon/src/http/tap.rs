//! The traffic of one device for the technician's console: one JSON object a line, for as long as somebody listens.
//!
//! Only on the socket: a browser has no business here. What comes is masked already, in the actor that holds the port.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use device_drivers::serial::tap::{TapLine, TapRun};
use device_protocols::describe::Described;
use device_protocols::frame::Direction;
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use super::App;
use super::answer::Answer;
use super::guard::Via;

pub(super) async fn stream(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    Path(device): Path<String>,
) -> Response {
    if via != Via::Unix {
        return Answer::error(StatusCode::NOT_FOUND, "not-found", "there is nothing here").into_response();
    }
    let Some(lines) = app.table.tap(&device).and_then(|tap| tap.watch()) else {
        return Answer::error(StatusCode::NOT_FOUND, "not-found", "there is no such device").into_response();
    };
    let Ok(place) = Arc::clone(&app.streams).try_acquire_owned() else {
        let answer = Answer::error(StatusCode::SERVICE_UNAVAILABLE, "too-many-streams", "close another page first");
        return answer.retry_after(5).into_response();
    };
    let stop = app.stop.clone();
    let events = stream::unfold((lines, place, stop), |(mut lines, place, stop)| async move {
        let text = tokio::select! {
            () = stop.cancelled() => return None,
            line = lines.recv() => match line {
                Ok(line) => object(&line),
                Err(RecvError::Lagged(lost)) => format!("{{\"lost\":{lost}}}\n"),
                Err(RecvError::Closed) => return None,
            }
        };
        Some((Ok::<Bytes, Infallible>(text.into()), (lines, place, stop)))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(events)).into_response()
}

fn object(line: &TapLine) -> String {
    let (raw, bytes, described) = match &line.run {
        TapRun::Framed(run) => (run.to_string(), run.length(), Described::of(run)),
        TapRun::Length(length) => (format!("[{length} bytes]"), *length, Described::default()),
    };
    let from = match line.direction {
        Direction::FromDevice => "device",
        Direction::FromController => "controller",
    };
    let Described { frame, event, understood } = described;
    let object = json!({
        "from": from, "raw": raw, "bytes": bytes, "frame": frame, "event": event, "understood": understood,
    });
    format!("{object}\n")
}
