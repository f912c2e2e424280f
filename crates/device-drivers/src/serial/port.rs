//! The actor of one serial port.
//!
//! One task, one loop. It sleeps until bytes, a command, a durable event or a deadline; nothing is polled. All queues are
//! bounded: a controller that does not take reports makes the device wait (it is told HOLD), a device that talks too much
//! is read at a fixed rate, a command queue that is full says so to the sender. The task ends when its token is cancelled
//! or when nobody holds the reports any more, and drops the port with it.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use device_protocols::frame::Direction;
use device_protocols::link::{EventId, LinkCounts, Millis};
use device_protocols::message::DeviceIdentity;
use device_protocols::protection::PairKeys;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use zeroize::{Zeroize, Zeroizing};

use super::flow::InboundFlow;
use super::handle::{COMMANDS_CAPACITY, Order, PairingWish, PortControl, PortHandle, PortStatus};
use super::health::PortHealth;
use super::sending::Sending;
use super::session::{Occurrence, PortReport, PortSession};
use super::tap::{SharedWatching, TAP_CAPACITY, Tap};
use super::transport::{Connector, NotOpened};
use crate::clock::MonotonicClock;
use crate::fault::{Part, PortFault};

/// Reports that wait for the controller beyond those inside the session.
const REPORTS_CAPACITY: usize = 32;
/// Reports taken out of the session and not yet handed over. The session keeps the rest and holds the device.
const OUTGOING_CAPACITY: usize = 8;
/// How often messages that are not understood are told.
const NOT_UNDERSTOOD_EVERY_MS: u64 = 1_000;
const READ_BUFFER: usize = 1_024;
/// A serial server that does not answer. A tty opens at once.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How often the driver looks whether its port is given back.
const LOOK_WHILE_LENT: Duration = Duration::from_millis(50);
const REOPEN_FIRST: Duration = Duration::from_millis(100);
/// A replugged adapter is found within this time.
const REOPEN_MAX: Duration = Duration::from_secs(2);

#[derive(Clone, Debug)]
pub struct PortOptions {
    /// What the device may say on average before it babbles. Far below a tenth of the baud rate, which no tty exceeds.
    pub inbound_bytes_per_second: u32,
    /// How much of the traffic may be watched.
    pub watching: SharedWatching,
}

impl Default for PortOptions {
    fn default() -> Self {
        // A sixth of what 115200 baud can carry: a device that babbles fills its line, which a limit at the line's own rate
        // would never notice; one in its right mind says a few hundred bytes a second.
        Self { inbound_bytes_per_second: 1_920, watching: SharedWatching::default() }
    }
}

/// Starts the actor on the present runtime.
pub fn spawn_port<S: PortSession, N: Connector + 'static>(
    session: S,
    connector: N,
    clock: MonotonicClock,
    options: PortOptions,
    cancel: CancellationToken,
) -> (PortHandle<S::Command, S::Event>, JoinHandle<()>) {
    let (commands, orders) = mpsc::channel(COMMANDS_CAPACITY);
    let (report_sender, reports) = mpsc::channel(REPORTS_CAPACITY);
    let (durable_sender, durable) = watch::channel(None);
    let (tap_sender, _) = broadcast::channel(TAP_CAPACITY);
    let part = Part::of_serial(S::KIND);
    let (status_sender, status) = watch::channel(PortStatus {
        part,
        open: false,
        link: session.link_state(),
        faults: Vec::new(),
        counts: LinkCounts::default(),
        times_opened: 0,
        last_open_error: None,
        identity: None,
        pairing: None,
    });
    let (pairing_sender, pairing) = watch::channel(PairingWish::default());
    let control = PortControl {
        commands,
        durable: Arc::new(durable_sender),
        status,
        tap: tap_sender.downgrade(),
        tickets: Arc::new(AtomicU64::new(1)),
        lent: watch::Sender::new(false),
        pairing: Arc::new(pairing_sender),
    };
    let actor = PortActor {
        health: PortHealth::new(part, session.silence_is_a_fault()),
        tap: Tap::new(session.line_mask(), options.watching, tap_sender),
        flow: InboundFlow::new(options.inbound_bytes_per_second, clock.now()),
        session,
        clock,
        cancel,
        orders,
        durable,
        lent: control.lent.subscribe(),
        pairing,
        keys: None,
        reports: report_sender,
        status: status_sender,
        outgoing: VecDeque::with_capacity(OUTGOING_CAPACITY),
        not_understood_at: None,
        identity: None,
    };
    (PortHandle { control, reports }, tokio::spawn(actor.run(connector)))
}

struct PortActor<S: PortSession> {
    session: S,
    clock: MonotonicClock,
    cancel: CancellationToken,
    orders: mpsc::Receiver<Order<S::Command>>,
    durable: watch::Receiver<Option<EventId>>,
    /// Somebody else has the port for a while.
    lent: watch::Receiver<bool>,
    pairing: watch::Receiver<PairingWish>,
    /// Those of the last pairing, if there was one since the start.
    keys: Option<PairKeys>,
    reports: mpsc::Sender<PortReport<S::Event>>,
    status: watch::Sender<PortStatus>,
    health: PortHealth,
    flow: InboundFlow,
    tap: Tap,
    outgoing: VecDeque<PortReport<S::Event>>,
    not_understood_at: Option<Millis>,
    /// Of a device that has just said who it is; its status does not say so yet.
    identity: Option<DeviceIdentity>,
}

/// Nobody wants the actor any more.
#[derive(Clone, Copy, Debug)]
struct Ended;

/// What woke the actor.
enum Wake<S: PortSession> {
    Read(io::Result<usize>),
    Written(io::Result<usize>),
    Shared(Shared<S>),
    Deadline,
}

/// What may wake it whether the port is open or not.
enum Shared<S: PortSession> {
    Ended,
    Order(Order<S::Command>),
    Durable,
    Delivered,
    Lent,
    Pairing,
}

impl<S: PortSession> PortActor<S> {
    async fn run<N: Connector>(mut self, mut connector: N) {
        let mut delay = REOPEN_FIRST;
        loop {
            while *self.lent.borrow() {
                if self.while_closed(tokio::time::sleep(LOOK_WHILE_LENT)).await.is_err() {
                    return;
                }
            }
            let attempt = tokio::time::timeout(CONNECT_WITHIN, connector.connect());
            let Ok(attempt) = self.while_closed(attempt).await else { return };
            let was_live = match attempt.unwrap_or_else(|_late| Err(timed_out())) {
                Ok(stream) => match self.while_open(stream).await {
                    Ok(was_live) => was_live,
                    Err(Ended) => return,
                },
                Err(not_opened) => {
                    self.note_not_opened(not_opened);
                    false
                }
            };
            delay = if was_live { REOPEN_FIRST } else { (delay * 2).min(REOPEN_MAX) };
            if self.while_closed(tokio::time::sleep(delay)).await.is_err() {
                return;
            }
        }
    }

    fn note_not_opened(&mut self, not_opened: NotOpened) {
        self.health.handle_closed(not_opened.fault, not_opened.errno);
        tracing::debug!("the port of the {} was not opened: {}", S::KIND, not_opened.cause);
        self.status.send_modify(|status| status.last_open_error = Some(not_opened.cause));
        self.settle();
    }

    /// Serves everyone but the port until `done` is.
    async fn while_closed<T>(&mut self, done: impl Future<Output = T>) -> Result<T, Ended> {
        let mut done = pin!(done);
        loop {
            self.settle();
            let shared = tokio::select! {
                result = &mut done => return Ok(result),
                shared = self.shared() => shared,
            };
            self.handle_shared(shared)?;
        }
    }

    /// Drives the open port until it goes away; then says whether there was a session on it.
    async fn while_open(&mut self, stream: impl AsyncRead + AsyncWrite + Unpin) -> Result<bool, Ended> {
        let (mut input, mut output) = tokio::io::split(stream);
        let mut buffer = Zeroizing::new([0; READ_BUFFER]);
        let mut sending = Sending::default();
        let mut was_live = false;
        let clock = self.clock;
        let now = clock.now();
        self.session.handle_port_opened(now);
        self.health.handle_opened(now);
        tracing::info!("the port of the {} is open", S::KIND);
        self.status.send_modify(|status| {
            status.open = true;
            status.times_opened += 1;
            status.last_open_error = None;
        });
        let (fault, errno) = loop {
            let now = self.clock.now();
            self.next_frame(&mut sending, now);
            self.settle();
            was_live |= self.session.link_state().is_live();
            if sending.is_stalled(now) {
                break (PortFault::WriteStalled, None);
            }
            let allowance = self.flow.allowance(now).min(READ_BUFFER);
            let deadline = self.deadline(&sending, now);
            let wake = tokio::select! {
                read = input.read(&mut buffer[..allowance]), if allowance > 0 => Wake::Read(read),
                written = output.write(sending.rest()), if !sending.is_empty() => Wake::Written(written),
                shared = self.shared() => Wake::Shared(shared),
                () = sleep_until(clock, deadline) => Wake::Deadline,
            };
            let now = self.clock.now();
            match wake {
                // Zero is how a hung-up tty and a closed socket end. Reading on would give zero for ever.
                Wake::Read(Ok(0)) => break (PortFault::HungUp, None),
                Wake::Read(Ok(count)) => {
                    let frames_before = self.session.counts().line.frames;
                    self.session.handle_bytes(&buffer[..count], now);
                    let frames = self.session.counts().line.frames.saturating_sub(frames_before);
                    if self.hand_over_events(now) {
                        // Whoever takes them has their turn now; what is left to do here is in no hurry.
                        tokio::task::yield_now().await;
                    }
                    self.flow.handle_bytes(count, frames, now);
                    self.tap.handle_bytes(Direction::FromDevice, &buffer[..count], now);
                    buffer[..count].zeroize();
                }
                Wake::Written(Ok(0)) => break (PortFault::HungUp, None),
                Wake::Written(Ok(count)) => sending.advance(count, now),
                Wake::Read(Err(error)) | Wake::Written(Err(error)) => {
                    if error.kind() != io::ErrorKind::Interrupted {
                        self.status.send_modify(|status| status.last_open_error = Some(error.to_string()));
                        break (PortFault::HungUp, error.raw_os_error());
                    }
                }
                Wake::Shared(shared) => self.handle_shared(shared)?,
                Wake::Deadline => self.session.handle_timeout(now),
            }
            if *self.lent.borrow() {
                break (PortFault::InUse, None);
            }
        };
        self.session.handle_port_closed(self.clock.now());
        self.health.handle_closed(fault, errno);
        tracing::info!("the port of the {} is closed: {fault:?}", S::KIND);
        self.status.send_modify(|status| status.open = false);
        self.settle();
        Ok(was_live)
    }

    fn next_frame(&mut self, sending: &mut Sending, now: Millis) {
        if sending.is_empty()
            && let Some(frame) = self.session.poll_transmit(now)
        {
            self.tap.handle_bytes(Direction::FromController, &frame, now);
            sending.begin(frame, now);
        }
    }

    /// Gives the device's events away at once where nothing else waits before them: a dealer waits for a card. They are
    /// counted before they can be read. All other reports speak of the link, whose whole status has to be right first.
    fn hand_over_events(&mut self, now: Millis) -> bool {
        let mut any = false;
        while self.outgoing.is_empty()
            && self.take_report(now)
            && matches!(self.outgoing.front(), Some(PortReport::Event { .. }))
            && let Ok(place) = self.reports.try_reserve()
            && let Some(report) = self.outgoing.pop_front()
        {
            if !any {
                let counts = self.session.counts();
                self.status.send_if_modified(|status| {
                    status.counts = counts;
                    false
                });
            }
            place.send(report);
            any = true;
        }
        any
    }

    /// Takes one report out of the session, if it has any.
    fn take_report(&mut self, now: Millis) -> bool {
        let Some(report) = self.session.poll_report() else { return false };
        if let PortReport::LinkUp { identity: Some(found), .. } = &report {
            self.identity = Some(found.clone());
        }
        if !self.repeats_itself(&report, now) {
            self.outgoing.push_back(report);
        }
        true
    }

    /// Brings reports, faults and status in line with the session.
    fn settle(&mut self) {
        let now = self.clock.now();
        while self.outgoing.len() < OUTGOING_CAPACITY && self.take_report(now) {}
        let mut identity = self.identity.take();
        let counts = self.session.counts();
        let link = self.session.link_state();
        let babbling = self.flow.is_babbling(now);
        self.health.assess(link, self.session.wrong_device(), &counts, babbling, now);
        while self.outgoing.len() < OUTGOING_CAPACITY
            && let Some(signal) = self.health.poll_signal()
        {
            self.outgoing.push_back(PortReport::Fault(signal));
        }
        let health = &self.health;
        let pairing = self.session.pairing_offer();
        self.status.send_if_modified(|status| {
            status.counts = counts;
            let offered = status.pairing.as_ref() != pairing;
            if offered {
                status.pairing = pairing.cloned();
            }
            let faults = health.standing_codes();
            let changed = status.link != link || status.faults != faults || identity.is_some() || offered;
            status.link = link;
            status.faults = faults;
            status.identity = identity.take().or_else(|| status.identity.take());
            changed
        });
    }

    /// A device of another generation may send nothing but what we do not understand. Once a second is enough to know it;
    /// the counter has them all.
    fn repeats_itself(&mut self, report: &PortReport<S::Event>, now: Millis) -> bool {
        if !matches!(report, PortReport::Occurred(Occurrence::NotUnderstood { .. })) {
            return false;
        }
        let repeated = self.not_understood_at.is_some_and(|at| now.since(at) < NOT_UNDERSTOOD_EVERY_MS);
        if !repeated {
            self.not_understood_at = Some(now);
        }
        repeated
    }

    fn deadline(&self, sending: &Sending, now: Millis) -> Option<Millis> {
        let link = self.session.link_state();
        // While a frame is on its way out the session cannot say what is due; its past deadlines must not spin us.
        let earliest = if sending.is_empty() { now + 1 } else { now + 20 };
        [
            self.session.poll_deadline().map(|at| at.max(earliest)),
            self.health.deadline(link, now),
            self.flow.deadline().map(|at| at.max(now + 1)),
            sending.deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Waits for orders, durable events, room for a report, or the end. Losing the race loses nothing.
    async fn shared(&mut self) -> Shared<S> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Shared::Ended,
            () = self.reports.closed() => Shared::Ended,
            place = self.reports.reserve(), if !self.outgoing.is_empty() => {
                if let (Ok(place), Some(report)) = (place, self.outgoing.pop_front()) {
                    place.send(report);
                }
                Shared::Delivered
            }
            Ok(()) = self.durable.changed() => Shared::Durable,
            Ok(()) = self.lent.changed() => Shared::Lent,
            Ok(()) = self.pairing.changed() => Shared::Pairing,
            // A refused order makes a report, so there must be room for one.
            Some(order) = self.orders.recv(),
                if self.session.is_ready_for_command() && self.outgoing.len() < OUTGOING_CAPACITY => Shared::Order(order),
        }
    }

    fn handle_shared(&mut self, shared: Shared<S>) -> Result<(), Ended> {
        let now = self.clock.now();
        match shared {
            Shared::Ended => return Err(Ended),
            Shared::Delivered | Shared::Lent => {}
            Shared::Durable => {
                let durable = *self.durable.borrow_and_update();
                if let Some(id) = durable {
                    self.session.acknowledge(id, now);
                }
            }
            Shared::Pairing => {
                let PairingWish { allowed, keys } = self.pairing.borrow_and_update().clone();
                self.session.allow_pairing(allowed);
                if keys != self.keys {
                    self.keys.clone_from(&keys);
                    keys.into_iter().for_each(|keys| self.session.set_keys(keys, now));
                }
            }
            Shared::Order(Order { ticket, command }) => {
                if let Err(reason) = self.session.send(&command, ticket, now) {
                    self.outgoing.push_back(PortReport::CommandRefused { ticket, refusal: reason.into() });
                }
            }
        }
        Ok(())
    }
}

async fn sleep_until(clock: MonotonicClock, deadline: Option<Millis>) {
    match deadline {
        Some(at) => tokio::time::sleep_until(clock.instant(at)).await,
        None => std::future::pending().await,
    }
}

fn timed_out() -> NotOpened {
    let cause = format!("no connection within {} s", CONNECT_WITHIN.as_secs());
    NotOpened { fault: PortFault::CannotOpen, cause, errno: None }
}
