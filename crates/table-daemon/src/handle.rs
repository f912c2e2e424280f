//! Between the loop and everybody who talks to it: what is shown, what is asked for, and the answers.
//!
//! All channels are bounded or hold only the latest value, so that no client, however slow or numerous, can hold up the
//! loop or fill the memory.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use device_drivers::serial::PortLender;
use device_drivers::serial::tap::{SharedWatching, TapSource};
use operator_api::{Action, PersonId, Role};
use table_rules::input::Input;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::staff::Authenticated;
use crate::table::Lines;

/// A tap comes about once a second; more than this many unanswered ones mean that something is wrong.
const REQUESTS_WAITING_MAX: usize = 32;
const QUERIES_WAITING_MAX: usize = 16;

/// What everybody sees, made from durable state. Cheap to clone.
///
/// It is kept as the bytes that the streams send: when its record is durable, nothing is left to do but to send them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    sequence: u64,
    event: Bytes,
    /// The screen among the bytes.
    screen: Range<usize>,
    moment: Moment,
}

/// What visits and the dealer's keys depend on, as of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// An inspection runs.
    pub inspection: bool,
    /// How often a device has said something.
    pub device_events: u64,
    /// Whom the dealer's keys belong to.
    pub dealer: Option<PersonId>,
}

impl Frame {
    /// `sequence`: the input that it shows. `screen`: an [`operator_api::Screen`] as JSON on one line.
    pub fn new(sequence: u64, screen: &str) -> Self {
        debug_assert!(!screen.contains(['\n', '\r']), "a line's end would end the event");
        let head = format!("event: screen\nid: {sequence}\ndata: ");
        let place = head.len()..head.len() + screen.len();
        let event = [&head, screen, "\n\n"].concat().into();
        Self { sequence, event, screen: place, moment: Moment::default() }
    }

    #[must_use]
    pub fn at(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    pub fn moment(&self) -> Moment {
        self.moment
    }

    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// As an event of the stream.
    pub fn event(&self) -> Bytes {
        self.event.clone()
    }

    /// The screen alone.
    pub fn screen(&self) -> Bytes {
        self.event.slice(self.screen.clone())
    }
}

/// A name that a client gives to one action, so that saying it twice does it once.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    pub const BYTES_MAX: usize = 64;

    /// Letters, digits, `-` and `_`.
    pub fn new(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = (1..=Self::BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How the first person has shown who they are. A second person always gives a PIN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// By the PIN, for this very request; also where nobody is named.
    Pin,
    /// By a visit that is open.
    Visit,
}

/// Somebody asks for something. Who they are has been checked, what they may do has not.
#[derive(Debug)]
pub struct Request {
    pub key: IdempotencyKey,
    /// The prompt that the person saw; an older one than the present makes the request stale.
    pub prompt: Option<u64>,
    pub person: Option<Authenticated>,
    pub second: Option<Authenticated>,
    pub proof: Proof,
    pub action: Action,
    pub reply: oneshot::Sender<Reply>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Done and durable. `sequence` counts what the table took in, `record` is its place in the journal. Each event is
    /// JSON on one line.
    Accepted { sequence: u64, record: u64, events: Vec<String> },
    /// The rules, or a person's role, say no. Nothing has changed.
    Refused { reason: String, clause: String },
    /// One of these has to say it, with their PIN; `second` where two people are needed.
    NeedsPerson { roles: Vec<Role>, second: bool, reason: String, clause: String },
    /// It is a signature: the visitor gives their PIN for it.
    NeedsSignature { reason: String },
    /// The table has moved on since the person looked. Nothing has changed.
    Stale { prompt_number: u64 },
    /// The key belongs to another request that was carried out. Nothing has changed.
    KeyReused,
    /// An earlier record is not durable yet, so nothing new is taken.
    Saving,
    /// The table is stopping or cannot write.
    Stopped,
}

/// Something to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    Devices,
    Meters,
    Alerts,
    /// One round as it was recorded.
    Recall(u64),
    Day,
    /// Where the journal stands.
    Head,
    /// What is loaded: version and hashes.
    Identity,
    /// What would follow from a word, before anybody says it.
    Outlook(Input),
    /// The last signed inspections, each with its sheet.
    Inspections,
    /// What the players' display shows.
    Players {
        names_seat: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AskError {
    #[error("there is no such thing: {0}")]
    NotFound(String),
    #[error("it cannot be read now: {0}")]
    Unavailable(String),
}

#[derive(Debug)]
pub struct Query {
    pub ask: Ask,
    /// JSON text.
    pub reply: oneshot::Sender<Result<String, AskError>>,
}

/// What the operator's side holds. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TableHandle {
    pub(crate) frames: watch::Receiver<Frame>,
    pub(crate) writing: watch::Receiver<Option<Instant>>,
    requests: mpsc::Sender<Request>,
    queries: mpsc::Sender<Query>,
    /// What a technician may look at and have, once the devices are started.
    bench: Arc<OnceLock<Bench>>,
}

/// The table's hardware as far as the technician's console may have it.
#[derive(Debug)]
pub struct Bench {
    /// Where each device's traffic can be watched.
    pub taps: Vec<(&'static str, TapSource)>,
    /// By which a port without a device can be had.
    pub lenders: Vec<(&'static str, PortLender)>,
    pub lines: Option<Lines>,
    /// Ports are lent in service mode alone.
    pub watching: SharedWatching,
}

/// What the loop holds. Dropping it tells everybody that the table has stopped.
#[derive(Debug)]
pub struct LoopSide {
    pub frames: watch::Sender<Frame>,
    /// Since when the oldest record that is not durable has been waiting.
    pub writing: watch::Sender<Option<Instant>>,
    pub requests: mpsc::Receiver<Request>,
    pub queries: mpsc::Receiver<Query>,
}

/// Both sides, with the first frame to show.
pub fn table_channel(first: Frame) -> (TableHandle, LoopSide) {
    let (frames_in, frames) = watch::channel(first);
    let (writing_in, writing) = watch::channel(None);
    let (requests, requests_out) = mpsc::channel(REQUESTS_WAITING_MAX);
    let (queries, queries_out) = mpsc::channel(QUERIES_WAITING_MAX);
    let handle = TableHandle { frames, writing, requests, queries, bench: Arc::default() };
    let side = LoopSide { frames: frames_in, writing: writing_in, requests: requests_out, queries: queries_out };
    (handle, side)
}

impl TableHandle {
    pub(crate) fn give_bench(&self, bench: Bench) {
        // Devices are started once.
        let _given = self.bench.set(bench);
    }

    /// `None` where no device was started.
    pub fn bench(&self) -> Option<&Bench> {
        self.bench.get()
    }

    /// The masked traffic of one device.
    pub fn tap(&self, device: &str) -> Option<TapSource> {
        let taps = &self.bench()?.taps;
        taps.iter().find(|(name, _)| *name == device).map(|(_, source)| source.clone())
    }

    /// What is shown now.
    pub fn frame(&self) -> Frame {
        self.frames.borrow().clone()
    }

    /// Puts a request before the loop. It is answered when its record is durable.
    pub async fn request(&self, make: impl FnOnce(oneshot::Sender<Reply>) -> Request) -> Reply {
        let (reply, answer) = oneshot::channel();
        match self.requests.try_send(make(reply)) {
            Ok(()) => answer.await.unwrap_or(Reply::Stopped),
            Err(mpsc::error::TrySendError::Full(_)) => Reply::Saving,
            Err(mpsc::error::TrySendError::Closed(_)) => Reply::Stopped,
        }
    }

    pub async fn ask(&self, ask: Ask) -> Result<String, AskError> {
        let stopped = || AskError::Unavailable("the table has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        match self.queries.try_send(Query { ask, reply }) {
            Ok(()) => answer.await.unwrap_or_else(|_| Err(stopped())),
            Err(mpsc::error::TrySendError::Full(_)) => Err(AskError::Unavailable("too many are asking".to_owned())),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(stopped()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_one_event_with_the_screen_in_it() {
        let frame = Frame::new(190, "{\"version\":1}");
        assert_eq!(frame.sequence(), 190);
        assert_eq!(frame.event(), "event: screen\nid: 190\ndata: {\"version\":1}\n\n");
        assert_eq!(frame.screen(), "{\"version\":1}");
    }

    #[test]
    fn a_key_is_a_short_plain_word() {
        for good in ["a", "7f3c-2_B", &"k".repeat(64)] {
            assert_eq!(IdempotencyKey::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a/b", "é", "a\n", &"k".repeat(65)] {
            assert_eq!(IdempotencyKey::new(bad), None, "{bad:?}");
        }
    }

    #[tokio::test]
    async fn a_loop_that_is_gone_answers_stopped_and_a_full_one_saving() {
        let (handle, side) = table_channel(Frame::new(0, "{}"));
        let request = |reply| Request {
            key: IdempotencyKey::new("k").unwrap(),
            prompt: None,
            person: None,
            second: None,
            proof: Proof::Pin,
            action: Action::SignOut,
            reply,
        };
        let waiting: Vec<_> = (0..REQUESTS_WAITING_MAX)
            .map(|_| {
                let handle = handle.clone();
                tokio::spawn(async move { handle.request(request).await })
            })
            .collect();
        while side.requests.len() < REQUESTS_WAITING_MAX {
            tokio::task::yield_now().await;
        }
        assert_eq!(handle.request(request).await, Reply::Saving);
        drop(side);
        for each in waiting {
            assert_eq!(each.await.unwrap(), Reply::Stopped);
        }
        assert_eq!(handle.request(request).await, Reply::Stopped);
        assert!(matches!(handle.ask(Ask::Day).await, Err(AskError::Unavailable(_))));
    }
}
