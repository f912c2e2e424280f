//! The operator's interface: JSON and pages over HTTP, on loopback and on a Unix socket. `docs/operator-api.md` is its
//! description.
//!
//! Nothing here decides about the game, and nothing a client does may hold up the loop: bodies, headers, streams,
//! connections and waiting requests are all bounded.

mod act;
mod answer;
mod bench;
mod connections;
#[cfg(feature = "demo")]
mod demo;
mod events;
mod guard;
mod idempotency;
mod identify;
mod listen;
mod pad;
mod patient;
mod people;
mod rate;
mod routes;
mod signatures;
mod tap;
mod visits;

use std::sync::Arc;
use std::time::Duration;

use operator_api::VisitEnd;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::config::ScreenSettings;
use crate::handle::TableHandle;
use crate::metrics::{Gauge, Metrics};
use crate::secret::Secret;
use crate::staff::Staff;
#[cfg(feature = "demo")]
pub use demo::{DemoDealer, DemoPanel, DemoWish, HandAct, OfferedFault};
pub use guard::display_key;
use idempotency::Replies;
pub use listen::{ListenError, Listeners};
use pad::Pads;
use people::Recent;
use rate::Bucket;
use signatures::Signatures;
use visits::Visits;

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
    /// The same of wrong keys at the door.
    pub knocks_burst: u32,
    pub knocks_per_second: u32,
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
            knocks_burst: 10,
            knocks_per_second: 1,
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
    /// What the house has set for its screens.
    pub screen: ScreenSettings,
    /// What a demo's page may ask for. A table that people play at has none, and no address for it.
    #[cfg(feature = "demo")]
    pub demo: Option<DemoPanel>,
}

/// Serves on a thread and a runtime of its own, so that nobody who asks for something takes time from the table's loop. The
/// receiver hears when everything has ended, by a panic too.
pub fn serve_apart(
    listeners: Listeners,
    parts: Parts,
    stop: CancellationToken,
) -> std::io::Result<tokio::sync::oneshot::Receiver<()>> {
    apart(move || serve(listeners, parts, stop))
}

fn apart<F: Future<Output = ()>>(
    work: impl FnOnce() -> F + Send + 'static,
) -> std::io::Result<tokio::sync::oneshot::Receiver<()>> {
    let (ended, end) = tokio::sync::oneshot::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("http".to_owned()).spawn(move || {
        runtime.block_on(work());
        // Whoever waits may have given up. A panic drops the sender, which is heard as well.
        let _gone = ended.send(());
    })?;
    Ok(end)
}

/// Serves until `stop`, then ends the streams and gives the rest [`Limits::stop_time`].
pub async fn serve(listeners: Listeners, parts: Parts, stop: CancellationToken) {
    let app = Arc::new(App::new(parts, stop));
    let kept = Arc::clone(&app);
    let mut visits = tokio::spawn(async move {
        let (frames, stop) = (kept.table.frames.clone(), kept.stop.clone());
        visits::keep_time(&kept.visits, frames, stop, |person| visits::note_end(&kept, person, VisitEnd::TimedOut))
            .await;
    });
    let listening = listen::run(listeners, app);
    tokio::pin!(listening);
    tokio::select! {
        () = &mut listening => {}
        ended = &mut visits => {
            // Without it no visit would ever end by itself.
            if let Err(bug) = ended && bug.is_panic() {
                std::panic::resume_unwind(bug.into_panic());
            }
            listening.await;
        }
    }
    visits.abort();
}

#[derive(Debug)]
struct App {
    table: TableHandle,
    staff: Staff,
    door: guard::Door,
    metrics: Metrics,
    limits: Limits,
    screen: ScreenSettings,
    #[cfg(feature = "demo")]
    demo: Option<DemoPanel>,
    pads: Pads,
    visits: Visits,
    signatures: Signatures,
    recent: Recent,
    replies: Replies,
    posts: Bucket,
    /// Wrong keys at the door.
    knocks: Bucket,
    streams: Arc<Semaphore>,
    streams_open: Arc<Gauge>,
    stop: CancellationToken,
}

impl App {
    fn new(parts: Parts, stop: CancellationToken) -> Self {
        let Parts {
            table,
            staff,
            token,
            hosts,
            metrics,
            limits,
            screen,
            #[cfg(feature = "demo")]
            demo,
        } = parts;
        Self {
            table,
            staff,
            door: guard::Door::new(token, hosts),
            streams_open: metrics.gauge("holecard_streams_open", "Open event streams.", &[]),
            metrics,
            screen,
            #[cfg(feature = "demo")]
            demo,
            pads: Pads::default(),
            visits: Visits::default(),
            signatures: Signatures::default(),
            recent: Recent::default(),
            replies: Replies::default(),
            posts: Bucket::new(limits.posts_burst, limits.posts_per_second),
            knocks: Bucket::new(limits.knocks_burst, limits.knocks_per_second),
            streams: Arc::new(Semaphore::new(limits.streams)),
            limits,
            stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_panics_is_heard_of() {
        let _alone = crate::failures::ON_PURPOSE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert!(runtime.block_on(apart(|| async {}).unwrap()).is_ok(), "it ended in order");
        assert!(runtime.block_on(apart(|| async { panic!("a bug in the interface") }).unwrap()).is_err());
    }
}
