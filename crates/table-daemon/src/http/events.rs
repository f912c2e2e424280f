//! The event stream: the present screen, then every new one. A client that comes back with the id of what it shows is
//! sent nothing twice.
//!
//! | event | when | data |
//! |---|---|---|
//! | `screen` | at the start unless it is known, and at every change; its id is the sequence | a screen |
//! | `saving` | a record has been waiting to become durable for more than a second, and when that is over | `true`, `false` |
//! | `visit` | one begins or is over, or is open at the start | a visit, or `null` |
//! | `alive` | every second, whatever happens | `{}` |

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use operator_api::VisitView;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;

use super::App;
use super::answer::Answer;
use crate::handle::Frame;
use crate::metrics::Gauge;

/// A page calls itself out of date after three of these.
const ALIVE_EVERY: Duration = Duration::from_secs(1);
/// Storage that takes longer than this is worth a word.
const SAVING_AFTER: Duration = Duration::from_secs(1);

pub(super) async fn stream(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let Ok(place) = Arc::clone(&app.streams).try_acquire_owned() else {
        let answer = Answer::error(StatusCode::SERVICE_UNAVAILABLE, "too-many-streams", "close another page first");
        return answer.retry_after(5).into_response();
    };
    let shown = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let place = Place::take(place, Arc::clone(&app.streams_open));
    let sources =
        Sources { frames: app.table.frames.clone(), writing: app.table.writing.clone(), visits: app.visits.watch() };
    let watcher = Watcher::new(sources, app.stop.clone(), shown);
    let events = stream::unfold((watcher, place), |(mut watcher, place)| async move {
        let word = watcher.next().await?;
        Some((Ok::<Bytes, Infallible>(word.into()), (watcher, place)))
    });
    let head = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (head, Body::from_stream(events)).into_response()
}

/// A place among the streams, given back when the stream ends however it ends.
struct Place {
    _permit: OwnedSemaphorePermit,
    open: Arc<Gauge>,
}

impl Place {
    fn take(permit: OwnedSemaphorePermit, open: Arc<Gauge>) -> Self {
        open.add(1);
        Self { _permit: permit, open }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.add(-1);
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Screen(Frame),
    Saving(bool),
    Visit(Option<VisitView>),
    Alive,
}

impl From<Word> for Bytes {
    fn from(word: Word) -> Self {
        match word {
            Word::Screen(frame) => frame.event(),
            Word::Saving(true) => Self::from_static(b"event: saving\ndata: true\n\n"),
            Word::Saving(false) => Self::from_static(b"event: saving\ndata: false\n\n"),
            Word::Visit(visit) => {
                match serde_json::to_string(&visit) {
                    Ok(visit) => format!("event: visit\ndata: {visit}\n\n").into(),
                    Err(error) => {
                        // `null` would say that nobody is there. A comment leaves the page as it is.
                        tracing::error!(%error, "a bug: a visit cannot be written");
                        Self::from_static(b": a visit could not be written\n\n")
                    }
                }
            }
            // Always the same bytes.
            Word::Alive => Self::from_static(b"event: alive\ndata: {}\n\n"),
        }
    }
}

/// What a stream tells of.
struct Sources {
    frames: watch::Receiver<Frame>,
    writing: watch::Receiver<Option<Instant>>,
    visits: watch::Receiver<Option<VisitView>>,
}

/// One client's view of what is new.
struct Watcher {
    frames: watch::Receiver<Frame>,
    writing: watch::Receiver<Option<Instant>>,
    visits: watch::Receiver<Option<VisitView>>,
    stop: CancellationToken,
    alive: Interval,
    saving_told: bool,
}

impl Watcher {
    fn new(sources: Sources, stop: CancellationToken, shown: Option<u64>) -> Self {
        let Sources { mut frames, writing, mut visits } = sources;
        // A page that comes new has to know of a visit at another one.
        if visits.borrow_and_update().is_some() {
            visits.mark_changed();
        }
        if shown == Some(frames.borrow_and_update().sequence()) {
            frames.mark_unchanged();
        } else {
            frames.mark_changed();
        }
        let mut alive = interval(ALIVE_EVERY);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick is due at once and would say nothing new.
        alive.reset();
        Self { frames, writing, visits, stop, alive, saving_told: false }
    }

    /// `None` when the daemon stops or the loop is gone.
    async fn next(&mut self) -> Option<Word> {
        loop {
            let since = *self.writing.borrow_and_update();
            if since.is_none() && self.saving_told {
                self.saving_told = false;
                return Some(Word::Saving(false));
            }
            let overdue = async {
                match since {
                    Some(since) if !self.saving_told => sleep_until(since + SAVING_AFTER).await,
                    Some(_) | None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return None,
                changed = self.frames.changed() => {
                    changed.ok()?;
                    return Some(Word::Screen(self.frames.borrow_and_update().clone()));
                }
                () = overdue => {
                    self.saving_told = true;
                    return Some(Word::Saving(true));
                }
                changed = self.visits.changed() => {
                    changed.ok()?;
                    return Some(Word::Visit(*self.visits.borrow_and_update()));
                }
                changed = self.writing.changed() => changed.ok()?,
                _ = self.alive.tick() => return Some(Word::Alive),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::{LoopSide, TableHandle, table_channel};

    fn frame(sequence: u64) -> Frame {
        Frame::new(sequence, &format!("{{\"sequence\":{sequence}}}"))
    }

    static VISITS: std::sync::OnceLock<watch::Sender<Option<VisitView>>> = std::sync::OnceLock::new();

    fn watcher(handle: &TableHandle, shown: Option<u64>) -> (Watcher, CancellationToken) {
        let stop = CancellationToken::new();
        let (frames, writing) = (handle.frames.clone(), handle.writing.clone());
        // A sender that is kept: a stream ends with the app, which has it.
        let visits = VISITS.get_or_init(|| watch::channel(None).0).subscribe();
        (Watcher::new(Sources { frames, writing, visits }, stop.clone(), shown), stop)
    }

    fn table() -> (TableHandle, LoopSide) {
        table_channel(frame(7))
    }

    #[tokio::test(start_paused = true)]
    async fn the_present_screen_comes_first_unless_it_is_known() {
        let (handle, side) = table();
        for shown in [None, Some(6), Some(8)] {
            let (mut watcher, _stop) = watcher(&handle, shown);
            assert_eq!(watcher.next().await, Some(Word::Screen(frame(7))), "{shown:?}");
            assert_eq!(watcher.next().await, Some(Word::Alive));
        }
        let (mut current, _stop) = watcher(&handle, Some(7));
        assert_eq!(current.next().await, Some(Word::Alive), "nothing is sent twice");
        side.frames.send(frame(8)).unwrap();
        assert_eq!(current.next().await, Some(Word::Screen(frame(8))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_gets_the_latest_screen_and_not_a_queue() {
        let (handle, side) = table();
        let (mut watcher, _stop) = watcher(&handle, None);
        for sequence in 8..100 {
            side.frames.send(frame(sequence)).unwrap();
        }
        assert_eq!(watcher.next().await, Some(Word::Screen(frame(99))));
        assert_eq!(watcher.next().await, Some(Word::Alive));
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_is_told_of_after_a_second_and_when_it_is_done() {
        let (handle, side) = table();
        let (mut watcher, _stop) = watcher(&handle, Some(7));
        let began = Instant::now();
        side.writing.send(Some(began)).unwrap();
        let mut words = Vec::new();
        while began.elapsed() < Duration::from_millis(2_500) {
            words.extend(watcher.next().await);
        }
        assert_eq!(words.iter().filter(|word| **word == Word::Saving(true)).count(), 1, "{words:?}");
        side.writing.send(None).unwrap();
        assert_eq!(watcher.next().await, Some(Word::Saving(false)));
        // Writes that take less are nobody's business.
        for _ in 0..20 {
            side.writing.send(Some(Instant::now())).unwrap();
            tokio::time::advance(Duration::from_millis(400)).await;
            side.writing.send(None).unwrap();
            assert_eq!(watcher.next().await, Some(Word::Alive));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_the_daemon_or_the_loop() {
        let (handle, side) = table();
        let (mut stopped, stop) = watcher(&handle, Some(7));
        stop.cancel();
        assert_eq!(stopped.next().await, None);
        let (mut orphaned, _stop) = watcher(&handle, Some(7));
        drop(side);
        assert_eq!(orphaned.next().await, None);
    }
}
