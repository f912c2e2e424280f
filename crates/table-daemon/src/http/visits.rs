//! Visits: somebody who is no dealer works at the screen, after their number and PIN, until they leave.
//!
//! A visit lives here and nowhere else: one at a time, bound to the page that opened it by a token that only this page
//! has, and timed here. It ends when the visitor leaves, when nobody touches the page for too long, when another visit
//! begins, and with the daemon. It reads, acknowledges and fills in an inspection; whatever is a signature takes the PIN
//! again. No PIN is kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use operator_api::{Action, VisitEnd, VisitView};
use subtle::ConstantTimeEq;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use super::App;
use crate::handle::{Frame, IdempotencyKey, Proof, Reply, Request};
use crate::secret::{self, SecretError};
use crate::staff::Authenticated;

/// Without a touch a visit ends after this.
const IDLE: Duration = Duration::from_secs(60);
/// The same during an inspection: hands are at the devices then, and what these say counts as a touch.
const IDLE_IN_INSPECTION: Duration = Duration::from_secs(300);

#[derive(Debug)]
struct Open {
    token: Zeroizing<String>,
    number: u64,
    person: Authenticated,
    until: Instant,
    idle: Duration,
}

impl Open {
    fn touch(&mut self, inspection: bool) {
        self.idle = if inspection { IDLE_IN_INSPECTION } else { IDLE };
        self.until = Instant::now() + self.idle;
    }

    fn view(&self) -> VisitView {
        let Self { number, person, idle, .. } = self;
        VisitView { number: *number, person: person.id, role: person.role, seconds: idle.as_secs() }
    }
}

#[derive(Debug)]
pub(super) struct Visits {
    open: Mutex<(u64, Option<Open>)>,
    view: watch::Sender<Option<VisitView>>,
    /// The deadline is another one.
    changed: Notify,
}

impl Default for Visits {
    fn default() -> Self {
        Self { open: Mutex::default(), view: watch::channel(None).0, changed: Notify::new() }
    }
}

/// A visit that has begun.
#[derive(Debug)]
pub(super) struct Begun {
    /// For the page alone.
    pub(super) token: Zeroizing<String>,
    pub(super) view: VisitView,
    /// Whose visit it ended.
    pub(super) replaced: Option<Authenticated>,
}

impl Visits {
    pub(super) fn watch(&self) -> watch::Receiver<Option<VisitView>> {
        self.view.subscribe()
    }

    pub(super) fn begin(&self, person: Authenticated, inspection: bool) -> Result<Begun, SecretError> {
        let token = secret::random_hex()?;
        let mut state = self.lock();
        state.0 += 1;
        let mut open = Open { token: token.clone(), number: state.0, person, until: Instant::now(), idle: IDLE };
        open.touch(inspection);
        let view = open.view();
        let replaced = state.1.replace(open).map(|earlier| earlier.person);
        self.tell(&state);
        Ok(Begun { token, view, replaced })
    }

    /// The visitor, if this is the token of a visit that is not over. Counts as a touch.
    pub(super) fn touch(&self, token: &str, inspection: bool) -> Option<(Authenticated, VisitView)> {
        let mut state = self.lock();
        let open = state.1.as_mut().filter(|open| open.until > Instant::now() && is_token(open, token))?;
        open.touch(inspection);
        let found = (open.person, open.view());
        self.tell(&state);
        Some(found)
    }

    /// A device said something during an inspection.
    fn device_touch(&self) {
        let mut state = self.lock();
        if let Some(open) = state.1.as_mut().filter(|open| open.until > Instant::now()) {
            open.touch(true);
            self.tell(&state);
        }
    }

    /// Ends the visit of this token; who it was.
    pub(super) fn leave(&self, token: &str) -> Option<Authenticated> {
        self.end_if(|open| is_token(open, token))
    }

    /// Ends a visit whose time is over.
    fn expire(&self) -> Option<Authenticated> {
        self.end_if(|open| open.until <= Instant::now())
    }

    fn end_if(&self, ends: impl FnOnce(&Open) -> bool) -> Option<Authenticated> {
        let mut state = self.lock();
        let ended = state.1.take_if(|open| ends(open)).map(|open| open.person);
        self.tell(&state);
        ended
    }

    fn deadline(&self) -> Option<Instant> {
        self.lock().1.as_ref().map(|open| open.until)
    }

    fn tell(&self, state: &(u64, Option<Open>)) {
        let view = state.1.as_ref().map(Open::view);
        self.view.send_if_modified(|shown| std::mem::replace(shown, view) != view);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Option<Open>)> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_token(open: &Open, token: &str) -> bool {
    open.token.as_bytes().ct_eq(token.as_bytes()).into()
}

/// Ends visits when their time is over, until the daemon stops. What devices say during an inspection keeps one open.
pub(super) async fn keep_time(
    visits: &Visits,
    mut frames: watch::Receiver<Frame>,
    stop: CancellationToken,
    ended: impl Fn(Authenticated),
) {
    let mut heard = frames.borrow_and_update().moment().device_events;
    loop {
        let deadline = visits.deadline();
        let over = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            changed = frames.changed() => {
                if changed.is_err() {
                    return;
                }
                let moment = frames.borrow_and_update().moment();
                if std::mem::replace(&mut heard, moment.device_events) != moment.device_events && moment.inspection {
                    visits.device_touch();
                }
            }
            () = visits.changed.notified() => {}
            () = over => visits.expire().into_iter().for_each(&ended),
        }
    }
}

/// Puts it on record that a visit began; nobody works in a visit that is not on record.
pub(super) async fn note_begin(app: &App, person: Authenticated) -> Result<Reply, SecretError> {
    record(app, person, Action::OpenVisit, Proof::Pin).await
}

/// Puts it on record that a visit is over, without anybody waiting for it.
pub(super) fn note_end(app: &Arc<App>, person: Authenticated, how: VisitEnd) {
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let recorded = record(&app, person, Action::EndVisit { how }, Proof::Visit).await;
        if !matches!(recorded, Ok(Reply::Accepted { .. })) {
            tracing::warn!(person = person.id.0, how = how.word(), "the end of a visit is not on record");
        }
    });
}

async fn record(app: &App, person: Authenticated, action: Action, proof: Proof) -> Result<Reply, SecretError> {
    let key: String = secret::random_hex()?.chars().take(32).collect();
    let Some(key) = IdempotencyKey::new(&key) else { return Ok(Reply::Stopped) };
    let request = |reply| Request { key, prompt: None, person: Some(person), second: None, proof, action, reply };
    Ok(app.table.request(request).await)
}

#[cfg(test)]
mod tests {
    use operator_api::{PersonId, Role};

    use super::*;

    const FLOOR: Authenticated = Authenticated { id: PersonId(2001), role: Role::Floorperson };
    const OTHER: Authenticated = Authenticated { id: PersonId(2002), role: Role::Floorperson };

    async fn pass(seconds: u64) {
        tokio::time::advance(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_visit_lasts_sixty_seconds_from_the_last_touch() {
        let visits = Visits::default();
        let begun = visits.begin(FLOOR, false).unwrap();
        assert_eq!((begun.view.person, begun.view.seconds, begun.replaced), (FLOOR.id, 60, None));
        for _ in 0..3 {
            pass(59).await;
            assert_eq!(visits.touch(&begun.token, false).map(|(person, _)| person), Some(FLOOR));
        }
        assert_eq!(visits.expire(), None);
        pass(60).await;
        assert_eq!(visits.touch(&begun.token, false), None, "over, though nobody has cleared it away yet");
        assert_eq!(visits.expire(), Some(FLOOR));
        assert_eq!((visits.expire(), *visits.watch().borrow()), (None, None));
    }

    #[tokio::test(start_paused = true)]
    async fn an_inspection_has_five_minutes_and_devices_keep_it_open() {
        let visits = Visits::default();
        let begun = visits.begin(FLOOR, false).unwrap();
        assert_eq!(visits.touch(&begun.token, true).map(|(_, view)| view.seconds), Some(300));
        for _ in 0..10 {
            pass(299).await;
            visits.device_touch();
        }
        assert!(visits.touch(&begun.token, true).is_some());
        pass(300).await;
        visits.device_touch();
        assert_eq!(visits.touch(&begun.token, true), None, "nothing brings back a visit that is over");
    }

    #[tokio::test(start_paused = true)]
    async fn one_at_a_time_and_only_its_own_page() {
        let visits = Visits::default();
        let first = visits.begin(FLOOR, false).unwrap();
        assert_eq!(visits.touch("", false), None);
        assert_eq!(visits.leave("guess"), None);
        let second = visits.begin(OTHER, false).unwrap();
        assert_eq!((second.replaced, second.view.number), (Some(FLOOR), first.view.number + 1));
        assert_ne!(first.token, second.token);
        assert_eq!(visits.touch(&first.token, false), None);
        assert_eq!(visits.leave(&first.token), None);
        assert_eq!(visits.watch().borrow().map(|view| view.person), Some(OTHER.id));
        assert_eq!(visits.leave(&second.token), Some(OTHER));
        assert_eq!(*visits.watch().borrow(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn time_is_kept_and_minutes_that_pass_are_no_touch() {
        use crate::handle::Moment;
        let visits = Arc::new(Visits::default());
        let at = |sequence, inspection, device_events| {
            Frame::new(sequence, "{}").at(Moment { inspection, device_events, dealer: None })
        };
        let (frames, shown) = watch::channel(at(1, true, 0));
        let (tell, mut ended) = tokio::sync::mpsc::unbounded_channel();
        let (kept, stop) = (Arc::clone(&visits), CancellationToken::new());
        let end = stop.clone();
        let task = tokio::spawn(async move {
            keep_time(&kept, shown, end, |person| tell.send(person).unwrap()).await;
        });
        visits.begin(FLOOR, true).unwrap();
        let began = Instant::now();
        // The clock is recorded every minute, and a device speaks once, at four minutes.
        for minute in 1..=4 {
            tokio::time::sleep(Duration::from_secs(60)).await;
            frames.send_replace(at(1 + minute, true, u64::from(minute == 4)));
        }
        assert_eq!(ended.recv().await, Some(FLOOR));
        assert_eq!(began.elapsed().as_secs(), 540, "five minutes after the device, not after the clock");
        stop.cancel();
        task.await.unwrap();
    }
}
