//! The device's end of a link: what firmware would run, and what the simulated twins do run.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::core::{Core, Heard};
use super::inbox::Arrival;
use super::monitor::Monitor;
use super::{
    Continuity, EventId, HEARTBEAT_EVERY_MS, LinkCounts, LinkState, Loss, Millis, NOTICES_CAPACITY, OutboxFull,
};
use crate::frame::{BootId, Direction, Frame, MessageId};
use crate::message::{Body, Control, ControllerHello, DeviceHello, DeviceIdentity, DeviceProtocol, NakReason, types};
use crate::protection::pairing::PairingDevice;
use crate::protection::{PairKeys, Protection};

#[derive(Clone, Debug)]
pub struct DeviceConfig {
    /// Of this start of the device.
    pub boot: BootId,
    pub identity: DeviceIdentity,
    pub protection: Protection,
}

/// What the device's application learns, in the order it happened.
#[derive(Debug)]
pub enum DeviceNotice<P: DeviceProtocol> {
    LinkUp {
        continuity: Continuity,
    },
    LinkLost(Loss),
    /// Answer by sending the STATE event.
    StateQueried,
    /// Answer by [`LinkDevice::acknowledge`] or [`LinkDevice::refuse`].
    Command {
        id: MessageId,
        command: P::Command,
    },
    /// The device belongs to the controller of this pairing from now on. Keep the keys over the loss of power.
    Paired {
        keys: PairKeys,
    },
    /// The controller has this event for good.
    EventDurable {
        id: EventId,
    },
    /// The controller does not understand this event; it will not be sent again.
    EventRefused {
        id: EventId,
        reason: NakReason,
    },
}

/// A device's session with the controller.
///
/// Polled like its counterpart: after any `handle_*` or verb `poll_transmit` until empty, `poll_notice` until empty,
/// then sleep until `poll_deadline`. Events are kept over a lost link and sent when it is back; only a restart of the
/// device loses them, and its new boot id tells the controller so.
#[derive(Debug)]
pub struct LinkDevice<P: DeviceProtocol> {
    pub(super) core: Core,
    identity: DeviceIdentity,
    pub(super) state: LinkState,
    announce_due: Millis,
    notices: VecDeque<DeviceNotice<P>>,
    /// From the press of its button on.
    pub(super) pairing: Option<PairingDevice>,
}

impl<P: DeviceProtocol> LinkDevice<P> {
    pub fn new(config: DeviceConfig, now: Millis) -> Self {
        Self {
            core: Core::new(P::KIND, Direction::FromDevice, config.boot, None, config.protection, now),
            identity: config.identity,
            state: LinkState::Down,
            announce_due: now,
            notices: VecDeque::new(),
            pairing: None,
        }
    }

    pub fn state(&self) -> LinkState {
        self.state
    }

    pub fn counts(&self) -> LinkCounts {
        self.core.counts()
    }

    /// Events that the controller does not yet have for good.
    pub fn events_waiting(&self) -> usize {
        self.core.outbox.len()
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
        if self.pairing.as_ref().is_some_and(|pairing| pairing.is_over(self.core.now)) {
            self.pairing = None;
        }
        if let Some(hold) = self.core.inbox.take_hold(self.core.now).filter(|_| self.state.is_live()) {
            self.core.answer(hold);
        }
        self.assess();
    }

    /// Queues an event for the controller.
    pub fn send(&mut self, event: &P::Event, now: Millis) -> Result<EventId, OutboxFull> {
        self.core.advance(now);
        self.core.outbox.push(P::encode_event(event), false, self.core.now)
    }

    /// The command has been taken. False if the controller no longer waits for it.
    pub fn acknowledge(&mut self, id: MessageId, now: Millis) -> bool {
        self.core.advance(now);
        let answer = self.core.inbox.acknowledge(id);
        self.give(answer)
    }

    /// The command cannot be carried out. False if the controller no longer waits for it.
    pub fn refuse(&mut self, id: MessageId, reason: NakReason, now: Millis) -> bool {
        self.core.advance(now);
        let answer = self.core.inbox.refuse_pending(id, reason);
        self.give(answer)
    }

    pub fn poll_notice(&mut self) -> Option<DeviceNotice<P>> {
        self.notices.pop_front()
    }

    pub fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.core.advance(now);
        if let Some(answer) = self.core.take_answer() {
            return Some(answer);
        }
        if let Some(willing) = self.pairing.as_mut().and_then(|pairing| pairing.poll_transmit(self.core.now)) {
            return Some(willing);
        }
        if self.state.is_live() {
            return self.core.take_numbered().or_else(|| self.core.take_heartbeat());
        }
        if self.announce_due > self.core.now {
            return None;
        }
        self.announce_due = self.core.now + HEARTBEAT_EVERY_MS;
        let hello = self.hello(0);
        self.core.announce(&hello)
    }

    pub fn poll_deadline(&self) -> Option<Millis> {
        let link = if self.state.is_live() { self.core.live_deadline() } else { self.announce_due };
        Some(self.pairing.as_ref().map_or(link, |pairing| pairing.deadline().min(link)))
    }

    fn give(&mut self, answer: Option<Control>) -> bool {
        let given = answer.is_some();
        if let Some(control) = answer {
            self.core.answer(control);
        }
        given
    }

    fn hello(&self, nonce: u32) -> Control {
        let next_sequence = self.core.outbox.announced();
        Control::DeviceHello(DeviceHello { nonce, next_sequence, identity: self.identity.clone() })
    }

    pub(super) fn handle_heard(&mut self, heard: Heard) {
        match heard {
            Heard::Pairing(step, text) => self.handle_pairing(step, text),
            Heard::GreetingUnasked(text) => self.try_to_adopt(text),
            Heard::Greeting(text) if self.pairing.is_some() && !self.core.can_read(&text) => self.try_to_adopt(text),
            Heard::Message(message) => self.handle_frame(&message),
            Heard::Began { hello, message } => {
                let body = Body { message_type: hello.message_type, payload: hello.payload.clone() };
                if let Ok(Control::ControllerHello(greeted)) = Control::decode_from_controller(&body) {
                    self.open_session(hello.boot, greeted);
                }
                self.handle_frame(&message);
            }
            Heard::Greeting(text) => {
                // Greeted, so there is no need to say that nobody has.
                self.announce_due = self.core.now + HEARTBEAT_EVERY_MS;
                let Some(question) = self.core.read_question(text) else { return };
                let body = Body { message_type: question.message_type, payload: question.payload.clone() };
                match Control::decode_from_controller(&body) {
                    Ok(Control::ControllerHello(hello)) => {
                        let answer = self.hello(hello.nonce);
                        self.core.answer_greeting(&answer);
                    }
                    Ok(_) | Err(_) => self.core.count(|counts| &mut counts.not_understood),
                }
            }
            // Meant for another kind of device: say which one is here.
            Heard::OtherKind(_) => self.core.answer_unreadable(),
            // A controller says neither.
            Heard::Announcement | Heard::Unreadable => self.core.count(|counts| &mut counts.not_understood),
            Heard::OtherProtection => {}
        }
    }

    fn handle_frame(&mut self, frame: &Frame) {
        let body = Body { message_type: frame.message_type, payload: frame.payload.clone() };
        if frame.kind != P::KIND {
            // Answer a greeting meant for another kind, so that the controller can say which device is on its port.
            if let Ok(Control::ControllerHello(hello)) = Control::decode_from_controller(&body) {
                let answer = self.hello(hello.nonce);
                self.core.answer(answer);
            }
            return;
        }
        self.core.monitor.handle_frame(self.core.now);
        match frame.id() {
            Some(id) => self.handle_numbered(id, &body),
            None => match Control::decode_from_controller(&body) {
                Ok(control) => self.handle_control(frame.boot, control),
                Err(_) => self.core.count(|counts| &mut counts.not_understood),
            },
        }
    }

    fn is_session(&self, boot: BootId) -> bool {
        self.state.is_live() && self.core.inbox.peer() == Some(boot)
    }

    fn handle_control(&mut self, boot: BootId, control: Control) {
        let now = self.core.now;
        match control {
            Control::ControllerHello(hello) => self.handle_hello(boot, hello),
            _ if !self.is_session(boot) => self.ask_for_hello(None),
            Control::Heartbeat { .. } => {}
            Control::Ack(id) => {
                if self.core.outbox.finish(id, now).is_some() {
                    self.notify(DeviceNotice::EventDurable { id });
                }
            }
            Control::Hold(id) => self.core.outbox.handle_hold(id, now),
            Control::Nak { about, reason } => {
                if let Some(id) = about.filter(|id| self.core.outbox.finish(*id, now).is_some()) {
                    self.notify(DeviceNotice::EventRefused { id, reason });
                }
            }
            Control::DeviceHello(_) => self.core.count(|counts| &mut counts.not_understood),
        }
    }

    fn handle_hello(&mut self, boot: BootId, hello: ControllerHello) {
        // On a paired link HELLO is part of the handshake; sealed it means nothing.
        if self.core.is_paired() {
            self.core.count(|counts| &mut counts.not_understood);
            return;
        }
        self.open_session(boot, hello);
        let answer = self.hello(hello.nonce);
        self.core.answer(answer);
    }

    fn open_session(&mut self, boot: BootId, hello: ControllerHello) {
        // Numbers that the controller skips were withdrawn by it: nothing is missing.
        let (continuity, _withdrawn) = self.core.inbox.open_session(boot, hello.next_sequence);
        if !self.state.is_live() || continuity != Continuity::SameBoot {
            self.state = LinkState::Up;
            self.core.monitor = Monitor::new(self.core.now);
            self.core.outbox.restart(self.core.now);
            self.notify(DeviceNotice::LinkUp { continuity });
        }
    }

    fn handle_numbered(&mut self, id: MessageId, body: &Body) {
        if !self.is_session(id.boot) {
            return self.ask_for_hello(Some(id));
        }
        match self.core.inbox.classify(id) {
            Arrival::Repeat => {
                self.core.count(|counts| &mut counts.duplicates);
                let answer = self.core.inbox.answer_repeat(id, self.core.now);
                self.core.answer(answer);
            }
            Arrival::TooEarly => {}
            Arrival::New | Arrival::NewAfterGap { .. } if self.notices.len() >= NOTICES_CAPACITY => {}
            Arrival::New | Arrival::NewAfterGap { .. } => self.deliver(id, body),
        }
    }

    fn deliver(&mut self, id: MessageId, body: &Body) {
        let now = self.core.now;
        if body.message_type == types::QUERY_STATE {
            self.core.inbox.accept(id, now);
            self.acknowledge(id, now);
            self.notices.push_back(DeviceNotice::StateQueried);
            return;
        }
        match P::decode_command(body) {
            Ok(command) => {
                self.core.count(|counts| &mut counts.events);
                self.core.inbox.accept(id, now);
                self.notices.push_back(DeviceNotice::Command { id, command });
            }
            Err(fault) => {
                self.core.count(|counts| &mut counts.not_understood);
                let nak = self.core.inbox.refuse(id, fault.nak_reason());
                self.core.answer(nak);
            }
        }
    }

    fn ask_for_hello(&mut self, about: Option<MessageId>) {
        self.core.answer(Control::Nak { about, reason: NakReason::UnknownSession });
    }

    fn assess(&mut self) {
        if !self.state.is_live() {
            return;
        }
        let now = self.core.now;
        if let Some(loss) = self.core.monitor.loss(now) {
            self.lose(loss);
        } else if self.core.outbox.is_exhausted(now) {
            self.lose(Loss::NoAnswer);
        }
    }

    pub(super) fn lose(&mut self, loss: Loss) {
        self.state = LinkState::Lost(loss);
        self.announce_due = self.core.now;
        self.core.drop_answers();
        self.notify(DeviceNotice::LinkLost(loss));
    }

    pub(super) fn notify(&mut self, notice: DeviceNotice<P>) {
        if self.notices.len() >= NOTICES_CAPACITY {
            self.core.count(|counts| &mut counts.notices_dropped);
        } else {
            self.notices.push_back(notice);
        }
    }
}
