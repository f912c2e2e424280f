//! Saying the same thing twice does it once: a browser that lost the answer may ask again under the same key.
//!
//! Only the last ones are remembered here, for as long as the daemon runs. What was carried out is known to the loop from
//! its journal, also after a restart.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::answer::Answer;
use crate::handle::IdempotencyKey;

/// At one tap a second, several minutes.
const KEYS_MAX: usize = 512;

/// What was asked for under a key, without its PINs.
pub(super) type Fingerprint = [u8; 32];

/// How a request came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Said once and for all.
    Final(Answer),
    /// Nothing was done; the same key may be used again.
    Again(Answer),
}

#[derive(Debug)]
struct Entry {
    asked: Fingerprint,
    /// The very bytes that were sent, where they are good for one try only.
    sent: Option<Fingerprint>,
    /// `None` while the loop has it.
    outcome: watch::Receiver<Option<Answer>>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<IdempotencyKey, Entry>,
    order: VecDeque<IdempotencyKey>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Replies {
    kept: Arc<Mutex<Kept>>,
}

/// What to do with a request.
#[derive(Debug)]
pub(super) enum Known {
    /// It runs, or has run: here its answer comes.
    Answer(watch::Receiver<Option<Answer>>),
    /// The key belongs to another request.
    Other,
}

impl Replies {
    /// Runs `act` unless the key is known. It runs to its end even if the client goes away.
    pub(super) fn once<F>(
        &self,
        key: &IdempotencyKey,
        asked: Fingerprint,
        sent: Option<Fingerprint>,
        act: impl FnOnce() -> F,
    ) -> Known
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = kept.entries.get(key) {
            return if entry.asked == asked { Known::Answer(entry.outcome.clone()) } else { Known::Other };
        }
        let (tell, outcome) = watch::channel(None);
        kept.entries.insert(key.clone(), Entry { asked, sent, outcome: outcome.clone() });
        kept.order.push_back(key.clone());
        if kept.order.len() > KEYS_MAX
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.entries.remove(&oldest);
        }
        drop(kept);
        let (act, replies, key) = (act(), self.clone(), key.clone());
        tokio::spawn(async move {
            let answer = match act.await {
                Outcome::Final(answer) => answer,
                Outcome::Again(answer) => {
                    replies.forget(&key);
                    answer
                }
            };
            // Nobody may be waiting any more.
            let _ = tell.send(Some(answer));
        });
        Known::Answer(outcome)
    }

    /// The answer to a request that was sent before, byte for byte. Its pad was good for one PIN, which was right then.
    pub(super) fn sent_again(
        &self,
        key: &IdempotencyKey,
        sent: Fingerprint,
    ) -> Option<watch::Receiver<Option<Answer>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.get(key).filter(|entry| entry.sent == Some(sent)).map(|entry| entry.outcome.clone())
    }

    fn forget(&self, key: &IdempotencyKey) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.remove(key);
        kept.order.retain(|each| each != key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn key(text: &str) -> IdempotencyKey {
        IdempotencyKey::new(text).unwrap()
    }

    async fn answer(known: Known) -> Option<String> {
        match known {
            Known::Answer(mut receiver) => {
                receiver.wait_for(Option::is_some).await.ok()?.as_ref().map(|answer| answer.body.clone())
            }
            Known::Other => None,
        }
    }

    #[tokio::test]
    async fn a_key_acts_once_and_another_body_is_refused() {
        let replies = Replies::default();
        let acted = Arc::new(AtomicU32::new(0));
        let act = |acted: &Arc<AtomicU32>| {
            let acted = Arc::clone(acted);
            move || async move {
                let count = acted.fetch_add(1, Ordering::SeqCst);
                Outcome::Final(Answer::json(StatusCode::OK, count.to_string()))
            }
        };
        for _ in 0..3 {
            assert_eq!(answer(replies.once(&key("a"), [1; 32], None, act(&acted))).await.as_deref(), Some("0"));
        }
        assert!(matches!(replies.once(&key("a"), [2; 32], None, act(&acted)), Known::Other));
        assert_eq!(answer(replies.once(&key("b"), [1; 32], None, act(&acted))).await.as_deref(), Some("1"));
        assert_eq!(acted.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_client_that_goes_away_finds_the_answer_when_it_comes_back() {
        let replies = Replies::default();
        let (go, gate) = tokio::sync::oneshot::channel::<()>();
        let first = replies.once(&key("a"), [1; 32], None, || async move {
            let _ = gate.await;
            Outcome::Final(Answer::json(StatusCode::OK, "done".to_owned()))
        });
        drop(first);
        let second = replies.once(&key("a"), [1; 32], None, || async { unreachable!("acted twice") });
        go.send(()).unwrap();
        assert_eq!(answer(second).await.as_deref(), Some("done"));
    }

    #[tokio::test]
    async fn what_was_not_done_may_be_said_again_and_old_keys_are_dropped() {
        let replies = Replies::default();
        let again = || async { Outcome::Again(Answer::json(StatusCode::SERVICE_UNAVAILABLE, "saving".to_owned())) };
        assert_eq!(answer(replies.once(&key("a"), [1; 32], None, again)).await.as_deref(), Some("saving"));
        assert!(replies.kept.lock().unwrap().entries.is_empty());
        for number in 0..KEYS_MAX + 10 {
            let done = || async { Outcome::Final(Answer::json(StatusCode::OK, String::new())) };
            answer(replies.once(&key(&format!("k{number}")), [1; 32], None, done)).await;
        }
        let kept = replies.kept.lock().unwrap();
        assert_eq!((kept.entries.len(), kept.order.len()), (KEYS_MAX, KEYS_MAX));
    }
}
