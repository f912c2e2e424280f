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
use super::connections::Seat;
use crate::secret::{Secret, hex};

const COOKIE: &str = "holecard";
const DISPLAY_COOKIE: &str = "holecard-display";
/// All that the display's key opens.
pub(super) const PLAYERS: &str = "/api/v1/players";

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
    /// The players' display has a key of its own, made from the table's and of no use anywhere else.
    display: String,
    display_pass: String,
}

impl Door {
    pub(super) fn new(token: Secret, hosts: Vec<String>) -> Self {
        let pass = derived(b"holecard dealer screen cookie v1\0", &token);
        let display_pass = derived(b"holecard players' display cookie v1\0", &token);
        Self { pass, display: display_key(&token), display_pass, token, hosts }
    }

    /// The cookie for whoever knows the key.
    pub(super) fn cookie_for(&self, token: &str) -> Option<String> {
        if same(token.as_bytes(), self.token.bytes()) {
            return Some(format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", self.pass));
        }
        same(token.as_bytes(), self.display.as_bytes())
            .then(|| format!("{DISPLAY_COOKIE}={}; Path={PLAYERS}; HttpOnly; SameSite=Strict", self.display_pass))
    }

    fn admits(&self, headers: &HeaderMap) -> Option<LetIn> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        if bearer.is_some_and(|token| same(token, self.token.bytes())) {
            return Some(LetIn::Key);
        }
        if bearer.is_some_and(|token| same(token, self.display.as_bytes())) {
            return Some(LetIn::Display);
        }
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        // Every pass is compared, so that the time does not tell which one was right.
        let (mut dealer, mut display) = (false, false);
        for (name, pass) in cookies.flat_map(|line| line.split("; ")).filter_map(|pair| pair.split_once('=')) {
            dealer |= name == COOKIE && same(pass.as_bytes(), self.pass.as_bytes());
            display |= name == DISPLAY_COOKIE && same(pass.as_bytes(), self.display_pass.as_bytes());
        }
        match (dealer, display) {
            (true, _) => Some(LetIn::Cookie),
            (false, true) => Some(LetIn::Display),
            (false, false) => None,
        }
    }

    /// The name that the client used, if it is one of this table's.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let mut named = headers.get_all(header::HOST).into_iter();
        let (Some(only), None) = (named.next(), named.next()) else { return None };
        let host = only.to_str().ok()?;
        self.hosts.iter().any(|known| known == host).then_some(host)
    }
}

/// What a request is let in by. On the socket there is neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LetIn {
    /// A page.
    Cookie,
    /// A program.
    Key,
    /// The players' display: amounts, and nothing else.
    Display,
}

fn derived(purpose: &[u8], token: &Secret) -> String {
    let mut hash = Sha256::new();
    hash.update(purpose);
    hash.update(token.bytes());
    hex(&hash.finalize())
}

/// The key of the players' display. The table's key cannot be found from it.
pub fn display_key(token: &Secret) -> String {
    derived(b"holecard players' display key v1\0", token)
}

/// In a time that does not depend on where the two differ.
fn same(given: &[u8], right: &[u8]) -> bool {
    given.ct_eq(right).into()
}

/// Before every route: refuses what should not be here, and puts the headers on every answer.
pub(super) async fn check(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let response = match admit(&app, &request) {
        Ok(let_in) => {
            if let Some(let_in) = let_in {
                request.extensions_mut().insert(let_in);
            }
            next.run(request).await
        }
        Err(answer) => answer.into_response(),
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

/// By what a request is let in, or why it is not.
fn admit(app: &App, request: &Request) -> Result<Option<LetIn>, Answer> {
    let headers = request.headers();
    let via = request.extensions().get::<Via>().copied().unwrap_or(Via::Tcp);
    let forbidden = |reason| Err(Answer::error(StatusCode::FORBIDDEN, "wrong-origin", reason));
    let mut origins = headers.get_all(header::ORIGIN).into_iter();
    let origin = origins.next();
    if origins.next().is_some() {
        return forbidden("the request names several pages that it comes from");
    }
    if via == Via::Unix {
        // No page has business here, whichever user's browser it runs in.
        return if origin.is_some() { forbidden("the socket is not for pages") } else { Ok(None) };
    }
    let Some(host) = app.door.host(headers) else {
        return Err(Answer::error(StatusCode::MISDIRECTED_REQUEST, "wrong-host", "this table has another name"));
    };
    if origin.is_some_and(|origin| origin.as_bytes() != format!("http://{host}").as_bytes()) {
        return forbidden("the request comes from another page");
    }
    let elsewhere = |site: &HeaderValue| !matches!(site.as_bytes(), b"same-origin" | b"none");
    if headers.get("sec-fetch-site").is_some_and(elsewhere) {
        return forbidden("the request comes from another page");
    }
    let admitted = app.door.admits(headers);
    if let (Some(_), Some(seat)) = (admitted, request.extensions().get::<Seat>())
        && !seat.is_known()
    {
        let answer = Answer::error(StatusCode::SERVICE_UNAVAILABLE, "too-many", "too many connections are open");
        return Err(answer.retry_after(1));
    }
    if is_open(request) {
        return Ok(None);
    }
    match admitted {
        None => Err(Answer::error(StatusCode::UNAUTHORIZED, "no-key", "open the page through the kiosk's own link")),
        // A browser says where a request that changes something comes from; without that it may come from anywhere.
        Some(LetIn::Cookie) if request.method() != Method::GET && origin.is_none() => {
            forbidden("the request does not say which page it comes from")
        }
        Some(LetIn::Display) if request.method() != Method::GET || request.uri().path() != PLAYERS => {
            Err(Answer::error(StatusCode::FORBIDDEN, "display-only", "this key opens the players' display alone"))
        }
        Some(let_in @ (LetIn::Cookie | LetIn::Key | LetIn::Display)) => Ok(Some(let_in)),
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
