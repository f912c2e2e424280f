//! Answers that are not simply a page or a screen: each has a status, a stable word, a sentence and its source.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// The connection ends with this answer, and its buffers, which held a PIN, are wiped.
pub(super) fn and_close(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// A JSON object with its status. Kept for replays, so it is plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: String,
    pub(super) retry_after_s: Option<u64>,
}

impl Answer {
    pub(super) fn json(status: StatusCode, body: String) -> Self {
        Self { status, body, retry_after_s: None }
    }

    /// `word` is stable and documented; `reason` is for people.
    pub(super) fn error(status: StatusCode, word: &str, reason: &str) -> Self {
        Self::cited(status, word, reason, &format!("api {word}"), json!({}))
    }

    /// An error whose source is a clause, a reading or a code.
    pub(super) fn cited(status: StatusCode, word: &str, reason: &str, clause: &str, more: Value) -> Self {
        let mut object = match more {
            Value::Object(map) => map,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
        };
        object.insert("error".to_owned(), word.into());
        object.insert("reason".to_owned(), reason.into());
        object.insert("clause".to_owned(), clause.into());
        Self::json(status, Value::Object(object).to_string())
    }

    pub(super) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
