//! The operator's interface: JSON and pages over HTTP, on loopback and on a Unix socket. `docs/operator-api.md` is its
//! description.
//!
//! Nothing here decides about the game, and nothing a client does may hold up the loop: bodies, headers, streams,
//! connections and waiting requests are all bounded.

mod act;
mod answer;
mod demo;
mod events;
mod guard;
mod idempotency;
mod listen;
mod pad;
mod patient;
mod rate;
mod routes;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::handle::TableHandle;
use crate::metrics::{Gauge, Metrics};
use crate::secret::Secret;
use crate::staff::Staff;
pub use demo::{DemoPanel, OfferedFault};
use idempotency::Replies;
pub use listen::{ListenError, Listeners};
use pad::Pads;
use rate::Bucket;

/// How much anybody may ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    pub body_bytes: usize,
    /// For a whole request head, and for a connection that says nothing.
    pub head_time: Duration,
    pub body_time: Duration,
    /// How long a peer may take none of what is written to it.
    pub write_time: Duration,
    pub connections: usize,
    pub streams: usize,
    /// Actions in a row, and how many come back each second.
    pub posts_burst: u32,
    pub posts_per_second: u32,
    /// How long a client is kept waiting for the loop's answer.
    pub reply_time: Duration,
    /// How long open connections may take to end when the daemon stops.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 16 * 1024,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            write_time: Duration::from_secs(20),
            connections: 256,
            streams: 64,
            posts_burst: 60,
            posts_per_second: 20,
            reply_time: Duration::from_secs(15),
            stop_time: Duration::from_secs(2),
        }
    }
}

/// What the interface needs from the rest of the daemon.
#[derive(Debug)]
pub struct Parts {
    pub table: TableHandle,
    pub staff: Staff,
    /// The dealer screen's key.
    pub token: Secret,
    /// What a browser may call this table, with the port: `127.0.0.1:8021`.
    pub hosts: Vec<String>,
    pub metrics: Metrics,
    pub limits: Limits,
    /// Faults that the page may ask for. A table that people play at has none, and no address for them.
    pub demo: Option<DemoPanel>,
}

/// Serves until `stop`, then ends the streams and gives the rest [`Limits::stop_time`].
pub async fn serve(listeners: Listeners, parts: Parts, stop: CancellationToken) {
    listen::run(listeners, Arc::new(App::new(parts, stop))).await;
}

#[derive(Debug)]
struct App {
    table: TableHandle,
    staff: Staff,
    door: guard::Door,
    metrics: Metrics,
    limits: Limits,
    demo: Option<DemoPanel>,
    pads: Pads,
    replies: Replies,
    posts: Bucket,
    streams: Arc<Semaphore>,
    streams_open: Arc<Gauge>,
    stop: CancellationToken,
}

impl App {
    fn new(parts: Parts, stop: CancellationToken) -> Self {
        let Parts { table, staff, token, hosts, metrics, limits, demo } = parts;
        Self {
            table,
            staff,
            door: guard::Door::new(token, hosts),
            streams_open: metrics.gauge("holecard_streams_open", "Open event streams.", &[]),
            metrics,
            demo,
            pads: Pads::default(),
            replies: Replies::default(),
            posts: Bucket::new(limits.posts_burst, limits.posts_per_second),
            streams: Arc::new(Semaphore::new(limits.streams)),
            limits,
            stop,
        }
    }
}
