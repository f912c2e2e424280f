//! The controller's end of a link.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::core::{Core, Heard};
use super::host_types::{ExpectedDevice, HostConfig, HostEvent, Mismatch, NotSent};
use super::inbox::Arrival;
use super::monitor::Monitor;
use super::{
    Continuity, EventId, HELLO_EVERY_MS, HELLO_WITHIN_MS, LinkCounts, LinkState, Loss, Millis, NOTICES_CAPACITY,
};
use crate::frame::{BootId, Direction, Frame, MessageId, Payload};
use crate::message::{
    Body, BodyFault, Control, ControllerHello, DeviceHello, DeviceIdentity, DeviceProtocol, IdentityText, NakReason,
    types,
};

use crate::protection::pairing::PairingHost;

/// The controller's session with one device.
///
/// After any `handle_*` or verb: call [`poll_transmit`](Self::poll_transmit) until it gives nothing and write what it
/// gave, then [`poll_event`](Self::poll_event) until it gives nothing, then sleep until
/// [`poll_deadline`](Self::poll_deadline) or bytes, whichever comes first, and report which by `handle_timeout` or
/// `handle_bytes`. STATE is asked for by the link itself whenever a session begins.
#[derive(Debug)]
pub struct LinkHost<P: DeviceProtocol> {
    pub(super) core: Core,
    boot: BootId,
    expected: ExpectedDevice,
    port_open: bool,
    pub(super) state: LinkState,
    was_up: bool,
    mismatch: Option<Mismatch>,
    pub(super) greeting: Option<Greeting>,
    greetings_sent: u32,
    events: VecDeque<HostEvent<P>>,
    /// In service mode, on a port that is to be protected.
    pub(super) pairing: Option<PairingHost>,
}

/// HELLO has been said and not yet answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greeting {
    since: Millis,
    due: Millis,
    /// The counter of the first HELLO of this greeting; answers to older ones are from another time.
    first: u32,
    /// How often it has been said.
    said: u32,
}

/// A paired link says the same greeting so often before it makes a new one: a slow line has time to answer it.
const GREETING_KEPT_FOR: u32 = 8;

impl<P: DeviceProtocol> LinkHost<P> {
    pub fn new(config: HostConfig, now: Millis) -> Self {
        Self {
            core: Core::new(
                P::KIND,
                Direction::FromController,
                config.boot,
                config.last_durable,
                config.protection,
                now,
            ),
            boot: config.boot,
            expected: config.expected,
            port_open: false,
            state: LinkState::Down,
            was_up: false,
            mismatch: None,
            greeting: None,
            greetings_sent: 0,
            events: VecDeque::new(),
            pairing: None,
        }
    }

    pub fn state(&self) -> LinkState {
        self.state
    }

    pub fn counts(&self) -> LinkCounts {
        self.core.counts()
    }

    /// Commands that wait for the device's answer, the link's own question for STATE included.
    pub fn commands_waiting(&self) -> usize {
        self.core.outbox.len()
    }

    pub fn handle_port_opened(&mut self, now: Millis) {
        self.core.advance(now);
        self.port_open = true;
        self.core.decoder.reset();
        self.core.drop_answers();
        self.core.monitor = Monitor::new(self.core.now);
        self.start_greeting();
    }

    pub fn handle_port_closed(&mut self, now: Millis) {
        self.core.advance(now);
        self.port_open = false;
        self.core.decoder.reset();
        self.core.drop_answers();
        if self.state.is_live() {
            self.lose(Loss::PortClosed);
        }
        if self.state == LinkState::WrongDevice {
            self.state = LinkState::Down;
        }
        self.greeting = None;
    }

    pub fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.core.advance(now);
        for byte in bytes {
            if let Some(heard) = self.core.handle_byte(*byte) {
                self.handle_heard(heard);
            }
        }
        self.assess();
    }

    pub fn handle_timeout(&mut self, now: Millis) {
        self.core.advance(now);
        if !self.port_open {
            return;
        }
        if let Some(hold) = self.core.inbox.take_hold(self.core.now).filter(|_| self.state.is_live()) {
            self.core.answer(hold);
        }
        self.assess();
    }

    /// Queues a command. It goes out when the device has answered those before it. There is no queueing for a link that
    /// is not up: by the time it is, the table has moved on.
    pub fn send(&mut self, command: &P::Command, now: Millis) -> Result<MessageId, NotSent> {
        self.core.advance(now);
        if !self.state.is_live() {
            return Err(NotSent::LinkNotUp);
        }
        Ok(self.core.outbox.push(P::encode_command(command), false, self.core.now)?)
    }

    /// The event is durable; the device may forget it. False if the device no longer waits for it.
    pub fn acknowledge(&mut self, id: EventId, now: Millis) -> bool {
        self.core.advance(now);
        let Some(ack) = self.core.inbox.acknowledge(id) else {
            return false;
        };
        if self.state.is_live() {
            self.core.answer(ack);
        }
        true
    }

    pub fn poll_event(&mut self) -> Option<HostEvent<P>> {
        self.events.pop_front()
    }

    pub fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.core.advance(now);
        if !self.port_open {
            return None;
        }
        if let Some(hello) = self.take_hello() {
            return Some(hello);
        }
        if let Some(pairing) = self.pairing.as_mut().and_then(|pairing| pairing.poll_transmit(self.core.now)) {
            return Some(pairing);
        }
        if !self.state.is_live() {
            return None;
        }
        self.core.take_answer().or_else(|| self.core.take_numbered()).or_else(|| self.core.take_heartbeat())
    }

    pub fn poll_deadline(&self) -> Option<Millis> {
        if !self.port_open {
            return None;
        }
        let greeting = self.greeting.map(|greeting| match self.state {
            LinkState::Lost(_) | LinkState::WrongDevice => greeting.due,
            LinkState::Down | LinkState::Up | LinkState::Degraded(_) => {
                greeting.due.min(greeting.since + HELLO_WITHIN_MS)
            }
        });
        let live = self.state.is_live().then(|| self.core.live_deadline());
        let pairing = self.pairing.as_ref().and_then(PairingHost::deadline);
        [greeting, live, pairing].into_iter().flatten().min()
    }

    fn handle_heard(&mut self, heard: Heard) {
        match heard {
            // The controller's end never waits for a first message: its own answer opens the session.
            Heard::Message(message) | Heard::Began { message, .. } => self.handle_frame(&message),
            Heard::Greeting(text) => match self.core.read_answer(&text) {
                Some(hello) => self.handle_frame(&hello),
                None => self.core.count(|counts| &mut counts.turned_away),
            },
            Heard::Announcement => self.start_greeting(),
            Heard::Unreadable => self.suspect(Mismatch::NotPaired),
            Heard::OtherKind(found) => self.suspect(Mismatch::Kind { found }),
            Heard::OtherProtection | Heard::GreetingUnasked(_) => self.suspect(Mismatch::NotPaired),
            Heard::Pairing(step, text) => self.handle_pairing(step, &text),
        }
    }

    /// Something nobody vouches for: of interest while there is no session, and no reason to end one.
    fn suspect(&mut self, mismatch: Mismatch) {
        if !self.state.is_live() {
            self.find_mismatch(mismatch);
        }
    }

    fn handle_frame(&mut self, frame: &Frame) {
        self.core.monitor.handle_frame(self.core.now);
        if frame.kind != P::KIND {
            self.find_mismatch(Mismatch::Kind { found: frame.kind });
            return;
        }
        let body = Body { message_type: frame.message_type, payload: frame.payload.clone() };
        match frame.id() {
            Some(id) => self.handle_numbered(id, &body),
            None => match Control::decode_from_device(&body) {
                Ok(control) => self.handle_control(frame.boot, control),
                Err(fault) => self.not_understood(None, fault),
            },
        }
    }

    fn is_session(&self, boot: BootId) -> bool {
        self.state.is_live() && self.core.inbox.peer() == Some(boot)
    }

    fn handle_control(&mut self, boot: BootId, control: Control) {
        let now = self.core.now;
        match control {
            Control::DeviceHello(hello) => self.handle_hello(boot, hello),
            Control::Nak { reason: NakReason::UnknownSession, .. } => self.start_greeting(),
            _ if !self.is_session(boot) => self.start_greeting(),
            Control::Heartbeat { .. } => {}
            Control::Ack(id) => {
                if let Some(sent) = self.core.outbox.finish(id, now).filter(|sent| !sent.by_link) {
                    self.notify(HostEvent::CommandAccepted {
                        id: MessageId { boot: self.boot, sequence: sent.sequence },
                    });
                }
            }
            Control::Hold(id) => self.core.outbox.handle_hold(id, now),
            Control::Nak { about, reason } => {
                if let Some(id) = about.filter(|id| self.core.outbox.finish(*id, now).is_some()) {
                    self.notify(HostEvent::CommandRefused { id, reason });
                }
            }
            Control::ControllerHello(_) => self.core.count(|counts| &mut counts.not_understood),
        }
    }

    fn handle_numbered(&mut self, id: EventId, body: &Body) {
        if !self.is_session(id.boot) {
            self.start_greeting();
            return;
        }
        match self.core.inbox.classify(id) {
            Arrival::Repeat => {
                self.core.count(|counts| &mut counts.duplicates);
                let answer = self.core.inbox.answer_repeat(id, self.core.now);
                self.core.answer(answer);
            }
            Arrival::TooEarly => {}
            // No room: the application has stalled. Say nothing about it; the device will send it again.
            Arrival::New | Arrival::NewAfterGap { .. } if self.events.len() >= NOTICES_CAPACITY => {}
            Arrival::New => self.deliver(id, body),
            Arrival::NewAfterGap { expected } => {
                self.notify(HostEvent::EventsMissing { expected, found: id.sequence });
                self.deliver(id, body);
            }
        }
    }

    fn deliver(&mut self, id: EventId, body: &Body) {
        match P::decode_event(body) {
            Ok(event) => {
                self.core.count(|counts| &mut counts.events);
                self.core.inbox.accept(id, self.core.now);
                // Bounded by the check in `handle_numbered`.
                self.events.push_back(HostEvent::Device { id, event });
            }
            Err(fault) => {
                let nak = self.core.inbox.refuse(id, fault.nak_reason());
                self.core.answer(nak);
                self.not_understood(Some(id), fault);
            }
        }
    }

    fn handle_hello(&mut self, boot: BootId, hello: DeviceHello) {
        let Some(greeting) = self.greeting else {
            // An announcement means that the device has no session; a late answer means nothing.
            if hello.nonce == 0 {
                self.start_greeting();
            }
            return;
        };
        let answers_this_greeting =
            (greeting.first..self.greetings_sent).any(|counter| self.nonce(counter) == hello.nonce);
        if !answers_this_greeting {
            return;
        }
        if let Some(mismatch) = self.compare(&hello.identity) {
            self.find_mismatch(mismatch);
            return;
        }
        self.open_session(boot, hello);
    }

    fn open_session(&mut self, boot: BootId, hello: DeviceHello) {
        let DeviceHello { next_sequence, identity, .. } = hello;
        let (continuity, missing) = self.core.inbox.open_session(boot, next_sequence);
        let was_live = self.state.is_live();
        self.greeting = None;
        self.mismatch = None;
        if !was_live || continuity != Continuity::SameBoot {
            self.withdraw_commands();
            self.core.outbox.restart(self.core.now);
            self.state = LinkState::Up;
            self.notify(if self.was_up {
                HostEvent::LinkBack { identity, continuity }
            } else {
                HostEvent::LinkUp { identity, continuity }
            });
            self.was_up = true;
        }
        if let Some(expected) = missing {
            self.notify(HostEvent::EventsMissing { expected, found: next_sequence });
        }
        self.query_state();
    }

    fn query_state(&mut self) {
        if self.core.outbox.holds_link_request() {
            return;
        }
        let question = Body { message_type: types::QUERY_STATE, payload: Payload::empty() };
        // A full outbox means that commands are waiting; the question follows with the next session.
        let _ = self.core.outbox.push(question, true, self.core.now);
    }

    fn compare(&self, identity: &DeviceIdentity) -> Option<Mismatch> {
        let differs = |expected: &Option<IdentityText>, found| expected.as_ref().is_some_and(|text| text != found);
        if differs(&self.expected.model, &identity.model) {
            Some(Mismatch::Model { found: identity.model.clone() })
        } else if differs(&self.expected.serial, &identity.serial) {
            Some(Mismatch::Serial { found: identity.serial.clone() })
        } else {
            None
        }
    }

    fn find_mismatch(&mut self, mismatch: Mismatch) {
        if self.mismatch.as_ref() == Some(&mismatch) && self.state == LinkState::WrongDevice {
            return;
        }
        self.withdraw_commands();
        self.state = LinkState::WrongDevice;
        self.mismatch = Some(mismatch.clone());
        self.notify(HostEvent::WrongDevice(mismatch));
        self.start_greeting();
    }

    /// Brings the state in line with what was and was not heard.
    fn assess(&mut self) {
        let now = self.core.now;
        let greeting_failed = self.greeting.is_some_and(|greeting| now.since(greeting.since) >= HELLO_WITHIN_MS);
        match self.state {
            LinkState::Down if greeting_failed => {
                self.lose(self.core.monitor.loss(now).unwrap_or(Loss::NoHello));
            }
            LinkState::Down | LinkState::Lost(_) | LinkState::WrongDevice => {}
            LinkState::Up | LinkState::Degraded(_) => {
                if let Some(loss) = self.core.monitor.loss(now) {
                    self.lose(loss);
                } else if self.core.outbox.is_exhausted(now) {
                    self.lose(Loss::NoAnswer);
                } else if greeting_failed {
                    self.lose(Loss::NoHello);
                } else {
                    self.assess_quality();
                }
            }
        }
    }

    fn assess_quality(&mut self) {
        let found = self.core.monitor.degradation(self.core.outbox.tries(), self.core.now);
        match (self.state, found) {
            (LinkState::Up, Some(degradation)) => {
                self.state = LinkState::Degraded(degradation);
                self.notify(HostEvent::LinkDegraded(degradation));
            }
            (LinkState::Degraded(_), None) => {
                self.state = LinkState::Up;
                self.notify(HostEvent::LinkRecovered);
            }
            (LinkState::Degraded(_), Some(degradation)) => self.state = LinkState::Degraded(degradation),
            (LinkState::Up | LinkState::Down | LinkState::Lost(_) | LinkState::WrongDevice, _) => {}
        }
    }

    pub(super) fn lose(&mut self, loss: Loss) {
        self.state = LinkState::Lost(loss);
        self.core.drop_answers();
        self.notify(HostEvent::LinkLost(loss));
        self.withdraw_commands();
        self.greeting = None;
        self.start_greeting();
    }

    /// A command that waited through a loss may be wrong by now: the table has moved on. The controller decides anew.
    fn withdraw_commands(&mut self) {
        for (id, by_link) in self.core.outbox.withdraw() {
            if !by_link {
                self.notify(HostEvent::CommandUnanswered { id });
            }
        }
    }

    pub(super) fn start_greeting(&mut self) {
        if self.greeting.is_none() && self.port_open {
            let now = self.core.now;
            self.greeting = Some(Greeting { since: now, due: now, first: self.greetings_sent, said: 0 });
        }
    }

    fn take_hello(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let now = self.core.now;
        let greeting = self.greeting.as_mut().filter(|greeting| greeting.due <= now)?;
        greeting.due = now + HELLO_EVERY_MS;
        greeting.said = greeting.said.wrapping_add(1);
        if greeting.said % GREETING_KEPT_FOR != 1
            && let Some(again) = self.core.greet_again()
        {
            return Some(again);
        }
        // Answers older than a few greetings are of no interest; this also bounds the search for a nonce.
        greeting.first = greeting.first.max(self.greetings_sent.saturating_sub(8));
        let nonce = self.nonce(self.greetings_sent);
        self.greetings_sent = self.greetings_sent.wrapping_add(1);
        let next_sequence = self.core.outbox.announced();
        self.core.greet(&Control::ControllerHello(ControllerHello { nonce, next_sequence }))
    }

    /// Different for every HELLO of every start of the controller, and never zero.
    fn nonce(&self, counter: u32) -> u32 {
        self.boot.value().wrapping_mul(0x9E37_79B1).wrapping_add(counter).max(1)
    }

    fn not_understood(&mut self, id: Option<EventId>, fault: BodyFault) {
        self.core.count(|counts| &mut counts.not_understood);
        self.notify(HostEvent::NotUnderstood { id, fault });
    }

    fn notify(&mut self, event: HostEvent<P>) {
        if self.events.len() >= NOTICES_CAPACITY {
            self.core.count(|counts| &mut counts.notices_dropped);
        } else {
            self.events.push_back(event);
        }
    }
}
