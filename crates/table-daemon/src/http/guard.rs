//! Who may talk at all: the right host, the right origin, and the dealer screen's key or a user id that is known.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use subtle::ConstantTimeEq;

use super::App;
use super::answer::Answer;
use crate::secret::{Secret, hex};

const COOKIE: &str = "holecard";

/// Where a connection came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Via {
    Tcp,
    /// The kernel vouches for the user behind it, and the listener has let them in.
    Unix,
}

#[derive(Debug)]
pub(super) struct Door {
    token: Secret,
    hosts: Vec<String>,
    /// What the cookie says: made from the key, so that it outlives a restart and is not the key itself.
    pass: String,
}

impl Door {
    pub(super) fn new(token: Secret, hosts: Vec<String>) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"holecard dealer screen cookie v1\0");
        hash.update(token.bytes());
        Self { pass: hex(&hash.finalize()), token, hosts }
    }

    /// The cookie for whoever knows the key.
    pub(super) fn cookie_for(&self, token: &str) -> Option<String> {
        same(token.as_bytes(), self.token.bytes())
            .then(|| format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", self.pass))
    }

    fn admits(&self, headers: &HeaderMap) -> Option<Proof> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        if bearer.is_some_and(|token| same(token, self.token.bytes())) {
            return Some(Proof::Key);
        }
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let passes = cookies.flat_map(|line| line.split("; ")).filter_map(|pair| pair.strip_prefix("holecard="));
        // Every pass is compared, so that the time does not tell which one was right.
        let mut right = false;
        for pass in passes {
            right |= same(pass.as_bytes(), self.pass.as_bytes());
        }
        right.then_some(Proof::Cookie)
    }

    /// The name that the client used, if it is one of this table's.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let mut named = headers.get_all(header::HOST).into_iter();
        let (Some(only), None) = (named.next(), named.next()) else { return None };
        let host = only.to_str().ok()?;
        self.hosts.iter().any(|known| known == host).then_some(host)
    }
}

/// What a request is let in by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    Cookie,
    Key,
}

/// In a time that does not depend on where the two differ.
fn same(given: &[u8], right: &[u8]) -> bool {
    given.ct_eq(right).into()
}

/// Before every route: refuses what should not be here, and puts the headers on every answer.
pub(super) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refused = refusal(&app, &request);
    let response = match refused {
        Some(answer) => answer.into_response(),
        None => next.run(request).await,
    };
    let class = match response.status().as_u16() {
        ..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500.. => "5xx",
    };
    let help = "Answers by their class of status.";
    app.metrics.counter("holecard_http_answers_total", help, &[("status", class)]).add(1);
    with_headers(response)
}

fn refusal(app: &App, request: &Request) -> Option<Answer> {
    let headers = request.headers();
    let via = request.extensions().get::<Via>().copied().unwrap_or(Via::Tcp);
    let origin = headers.get(header::ORIGIN);
    let forbidden = |word, reason| Some(Answer::error(StatusCode::FORBIDDEN, word, reason));
    if via == Via::Unix {
        // No page has business here, whichever user's browser it runs in.
        return origin.and_then(|_| forbidden("wrong-origin", "the socket is not for pages"));
    }
    let Some(host) = app.door.host(headers) else {
        return Some(Answer::error(StatusCode::MISDIRECTED_REQUEST, "wrong-host", "this table has another name"));
    };
    if origin.is_some_and(|origin| origin.as_bytes() != format!("http://{host}").as_bytes()) {
        return forbidden("wrong-origin", "the request comes from another page");
    }
    let elsewhere = |site: &HeaderValue| !matches!(site.as_bytes(), b"same-origin" | b"none");
    if headers.get("sec-fetch-site").is_some_and(elsewhere) {
        return forbidden("wrong-origin", "the request comes from another page");
    }
    if is_open(request) {
        return None;
    }
    match app.door.admits(headers) {
        None => Some(Answer::error(StatusCode::UNAUTHORIZED, "no-key", "open the page through the kiosk's own link")),
        // A browser says where a request that changes something comes from; without that it may come from anywhere.
        Some(Proof::Cookie) if request.method() != Method::GET && origin.is_none() => {
            forbidden("wrong-origin", "the request does not say which page it comes from")
        }
        Some(Proof::Cookie | Proof::Key) => None,
    }
}

/// The page's own files, and the way to get the cookie. They tell nothing.
fn is_open(request: &Request) -> bool {
    let path = request.uri().path();
    match *request.method() {
        Method::GET => !path.starts_with("/api/") && path != "/metrics",
        Method::POST => path == "/api/v1/enter",
        _ => false,
    }
}

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
