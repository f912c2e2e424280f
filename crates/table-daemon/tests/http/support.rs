//! A served table whose loop answers from a short list, and a client that can be as rude as it likes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use operator_api::{Action, PersonId, Role};
use serde_json::{Value, json};
use table_daemon::config::{Chip, Http, ScreenSettings};
use table_daemon::handle::{Ask, AskError, Frame, LoopSide, Proof, Reply, Request, table_channel};
use table_daemon::http::{Limits, Listeners, Parts, serve};
use table_daemon::metrics::Metrics;
use table_daemon::secret::Secret;
use table_daemon::staff::{Authenticated, Book, Person, Pin, Staff};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

/// Longer than any machine takes; only a failure waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);
pub(crate) const PIN: &str = "295817";
pub(crate) const FLOOR: u32 = 2001;
pub(crate) const MANAGER: u32 = 3001;

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) socket: PathBuf,
    pub(crate) token: String,
    pub(crate) stop: CancellationToken,
    pub(crate) task: JoinHandle<()>,
    pub(crate) clock: Arc<AtomicU64>,
    /// What reached the loop: the words, and who said them.
    pub(crate) acted: Arc<Mutex<Vec<Acted>>>,
    pub(crate) frames: watch::Sender<Frame>,
    pub(crate) writing: watch::Sender<Option<Instant>>,
    pub(crate) directory: Arc<TempDir>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Acted {
    pub(crate) action: Action,
    pub(crate) prompt: Option<u64>,
    pub(crate) person: Option<Authenticated>,
    pub(crate) second: Option<Authenticated>,
    pub(crate) proof: Proof,
}

pub(crate) fn frame(sequence: u64) -> Frame {
    Frame::new(sequence, &format!("{{\"sequence\":{sequence}}}"))
}

pub(crate) async fn served() -> Served {
    served_with(Limits::default()).await
}

pub(crate) async fn served_with(limits: Limits) -> Served {
    let directory = Arc::new(TempDir::new().unwrap());
    let path = |name: &str| directory.path().join(name);
    let pepper = Secret::create(&path("pepper")).unwrap();
    for (number, role) in [(FLOOR, Role::Floorperson), (MANAGER, Role::Manager)] {
        let hash = Pin::new(Zeroizing::new(PIN.to_owned())).unwrap().hash(&pepper).unwrap();
        let person = Person::new(PersonId(number), "Somebody", role, hash).unwrap();
        Book::change(directory.path(), |book| book.add(person)).unwrap();
    }
    Secret::create(&path("token")).unwrap();
    serve_in(directory, limits).await
}

/// Again from the same files, as after a restart.
pub(crate) async fn serve_in(directory: Arc<TempDir>, limits: Limits) -> Served {
    serve_demo_in(directory, limits, Demo::default()).await
}

/// What a demo adds; nothing in a build without the feature.
#[cfg(feature = "demo")]
pub(crate) type Demo = Option<table_daemon::http::DemoPanel>;
#[cfg(not(feature = "demo"))]
pub(crate) type Demo = ();

/// As above, with what a demo's page may ask for.
#[cfg_attr(not(feature = "demo"), expect(unused_variables, reason = "there is nothing to ask for"))]
pub(crate) async fn serve_demo_in(directory: Arc<TempDir>, limits: Limits, demo: Demo) -> Served {
    let path = |name: &str| directory.path().join(name);
    let clock = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&clock);
    let pepper = Secret::read(&path("pepper")).unwrap();
    let staff = Staff::with_uptime(directory.path(), pepper, Arc::new(move || told.load(Ordering::SeqCst))).unwrap();
    let socket = path("holecard.sock");
    let listeners = Listeners::bind(&Http {
        listen: "127.0.0.1:0".parse().unwrap(),
        hosts: Vec::new(),
        token_file: path("token"),
        socket: socket.clone(),
        socket_users: Vec::new(),
    })
    .unwrap();
    let address = listeners.address().unwrap();
    let (table, LoopSide { frames, writing, requests, queries }) = table_channel(frame(7));
    let acted = Arc::new(Mutex::new(Vec::new()));
    tokio::spawn(answer_requests(requests, Arc::clone(&acted)));
    tokio::spawn(answer_queries(queries));
    let stop = CancellationToken::new();
    let parts = Parts {
        table,
        staff,
        token: Secret::read(&path("token")).unwrap(),
        hosts: vec![address.to_string(), format!("localhost:{}", address.port())],
        metrics: Metrics::default(),
        limits,
        screen: ScreenSettings {
            px_per_mm: Some(5.25),
            mirror: false,
            number_pad: false,
            jackpot_seat: false,
            all_lines_limit_cents: 50_000,
            reader_answer_ms: 700,
            day_starts_minute: 360,
            chips: vec![Chip { cents: 2500, colour: "#1f6f43".to_owned() }],
        },
        #[cfg(feature = "demo")]
        demo,
    };
    let task = tokio::spawn(serve(listeners, parts, stop.clone()));
    let token = std::fs::read_to_string(path("token")).unwrap().trim().to_owned();
    Served { address, socket, token, stop, task, clock, acted, frames, writing, directory }
}

async fn answer_requests(mut requests: tokio::sync::mpsc::Receiver<Request>, acted: Arc<Mutex<Vec<Acted>>>) {
    let mut sequence = 7;
    // Held back for ever, as by storage that hangs.
    let mut hanging = Vec::new();
    while let Some(Request { prompt, person, second, proof, action, reply, .. }) = requests.recv().await {
        let words = if let Action::Play { words } = &action { words.clone() } else { String::new() };
        let signs = proof == Proof::Pin;
        let (clears, confirms) = (matches!(action, Action::Clear { .. }), action == Action::ConfirmClock);
        acted.lock().unwrap().push(Acted { action, prompt, person, second, proof });
        let answer = match words.as_str() {
            _ if clears && !signs => Reply::NeedsSignature { reason: "give your PIN".to_owned() },
            _ if confirms && second.is_none() => Reply::NeedsPerson {
                roles: vec![Role::Floorperson, Role::Manager],
                second: true,
                reason: "this takes a second person".to_owned(),
                clause: "C-TWO".to_owned(),
            },
            "hang" => {
                hanging.push(reply);
                continue;
            }
            "hit" => Reply::Refused { reason: "the hand has 21".to_owned(), clause: "blackjack D1".to_owned() },
            "old" => Reply::Stale { prompt_number: 9 },
            "slow" => Reply::Saving,
            "floor approve" if person.is_none() => Reply::NeedsPerson {
                roles: vec![Role::Floorperson, Role::Manager],
                second: false,
                reason: "this takes a floorperson".to_owned(),
                clause: "C-WHO".to_owned(),
            },
            _ => {
                sequence += 1;
                Reply::Accepted {
                    sequence,
                    record: sequence + 3,
                    events: vec![json!({ "event": { "kind": "acted" } }).to_string()],
                }
            }
        };
        // The client may have gone.
        let _ = reply.send(answer);
    }
}

async fn answer_queries(mut queries: tokio::sync::mpsc::Receiver<table_daemon::handle::Query>) {
    while let Some(query) = queries.recv().await {
        let answer = match query.ask {
            Ask::Devices => Ok("[]".to_owned()),
            Ask::Meters => Ok("[{\"wager\":\"monster-match\"}]".to_owned()),
            Ask::Alerts => Ok("[]".to_owned()),
            Ask::Day => Ok("{\"rounds\":12}".to_owned()),
            Ask::Players { names_seat } => Ok(format!("{{\"names_seat\":{names_seat}}}")),
            Ask::Outlook(_) => Ok("{\"said\":[]}".to_owned()),
            Ask::Inspections => Ok("{\"inspections\":[]}".to_owned()),
            Ask::Identity => Ok("{\"version\":\"1\"}".to_owned()),
            Ask::Head => Ok("{\"sequence\":7}".to_owned()),
            Ask::Recall(12) => Ok("{\"round\":12}".to_owned()),
            Ask::Recall(round) => Err(AskError::NotFound(format!("round {round}"))),
        };
        let _ = query.reply.send(answer);
    }
}

#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The stable word of a refusal.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")))?;
        line.split_once(':').map(|(_, value)| value.trim())
    }
}

impl Served {
    /// These very bytes, and everything that comes back until the other side is done.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Got {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        read_all(&mut stream).await
    }

    pub(crate) async fn raw_unix(&self, bytes: &[u8]) -> Got {
        let mut stream = UnixStream::connect(&self.socket).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        read_all(&mut stream).await
    }

    pub(crate) fn head(&self, method: &str, path: &str, more: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{more}", self.address)
    }

    /// With the key, as a program would.
    pub(crate) async fn get(&self, path: &str) -> Got {
        let head = self.head("GET", path, &format!("authorization: Bearer {}\r\n\r\n", self.token));
        self.raw(head.as_bytes()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Got {
        self.post_text(path, &body.to_string()).await
    }

    pub(crate) async fn act(&self, body: &Value) -> Got {
        self.act_text(&body.to_string()).await
    }

    pub(crate) async fn act_text(&self, body: &str) -> Got {
        self.post_text("/api/v1/act", body).await
    }

    async fn post_text(&self, path: &str, body: &str) -> Got {
        let more = format!(
            "authorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.raw(self.head("POST", path, &more).as_bytes()).await
    }

    pub(crate) fn acted(&self) -> Vec<Acted> {
        self.acted.lock().unwrap().clone()
    }
}

pub(crate) async fn read_all(stream: &mut (impl AsyncReadExt + Unpin)) -> Got {
    let mut bytes = Vec::new();
    // A peer that cut us off may also have reset the connection; what arrived counts.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server keeps the connection");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Got { status, head: head.to_owned(), body: body.to_owned() }
}

pub(crate) fn play(key: &str, words: &str) -> Value {
    json!({ "key": key, "prompt": 3, "action": { "do": "play", "words": words } })
}

/// Tries until it is so.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut so: impl FnMut() -> F) {
    let deadline = std::time::Instant::now() + PATIENCE;
    while !so().await {
        assert!(std::time::Instant::now() < deadline, "never: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
