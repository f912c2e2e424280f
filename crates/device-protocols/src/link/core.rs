//! What both ends of a link have in common: decoder, outbox, inbox, answers waiting to be sent, heartbeat.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::inbox::Inbox;
use super::monitor::Monitor;
use super::outbox::Outbox;
use super::{HEARTBEAT_EVERY_MS, LinkCounts, Millis};
use crate::frame::{BootId, DeviceKind, Direction, Frame, FrameDecoder, MessageId, Sequence};
use crate::message::{Body, Control};

/// Answers beyond this are dropped, oldest first: the far end repeats its question.
const ANSWERS_CAPACITY: usize = 16;

#[derive(Debug)]
pub(super) struct Core {
    kind: DeviceKind,
    direction: Direction,
    boot: BootId,
    started: Millis,
    /// The latest time anyone told us.
    pub(super) now: Millis,
    pub(super) decoder: FrameDecoder,
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    pub(super) monitor: Monitor,
    answers: VecDeque<Control>,
    heartbeat_due: Millis,
    counts: LinkCounts,
}

impl Core {
    pub(super) fn new(
        kind: DeviceKind,
        direction: Direction,
        boot: BootId,
        durable: Option<MessageId>,
        now: Millis,
    ) -> Self {
        Self {
            kind,
            direction,
            boot,
            started: now,
            now,
            decoder: FrameDecoder::default(),
            outbox: Outbox::new(boot),
            inbox: Inbox::new(durable),
            monitor: Monitor::new(now),
            answers: VecDeque::new(),
            heartbeat_due: now,
            counts: LinkCounts::default(),
        }
    }

    pub(super) fn counts(&self) -> LinkCounts {
        LinkCounts { line: self.decoder.counts(), ..self.counts }
    }

    pub(super) fn count(&mut self, counter: impl Fn(&mut LinkCounts) -> &mut u64) {
        let counter = counter(&mut self.counts);
        *counter = counter.saturating_add(1);
    }

    pub(super) fn advance(&mut self, now: Millis) {
        self.now = self.now.max(now);
    }

    /// One byte in; a frame out when it completes one that was not sent by this side itself.
    pub(super) fn handle_byte(&mut self, byte: u8) -> Option<Frame> {
        self.monitor.handle_byte(self.now);
        match self.decoder.handle_byte(byte)? {
            Ok(frame) if frame.direction == self.direction => {
                self.count(|counts| &mut counts.echoes);
                self.monitor.handle_damage(self.now);
                None
            }
            Ok(frame) => Some(frame),
            Err(_) => {
                self.monitor.handle_damage(self.now);
                None
            }
        }
    }

    pub(super) fn answer(&mut self, control: Control) {
        if self.answers.len() >= ANSWERS_CAPACITY {
            self.answers.pop_front();
        }
        self.answers.push_back(control);
    }

    pub(super) fn drop_answers(&mut self) {
        self.answers.clear();
    }

    pub(super) fn take_answer(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let control = self.answers.pop_front()?;
        Some(self.encode(None, control.encode()))
    }

    pub(super) fn take_numbered(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let (sequence, body, resend) = self.outbox.take_due(self.now)?;
        if resend {
            self.count(|counts| &mut counts.resends);
        }
        Some(self.encode(Some(sequence), body))
    }

    pub(super) fn take_heartbeat(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        if self.heartbeat_due > self.now {
            return None;
        }
        self.heartbeat_due = self.now + HEARTBEAT_EVERY_MS;
        let uptime_seconds = u32::try_from(self.now.since(self.started) / 1_000).unwrap_or(u32::MAX);
        Some(self.encode(None, Control::Heartbeat { uptime_seconds }.encode()))
    }

    pub(super) fn encode_control(&self, control: &Control) -> Zeroizing<Vec<u8>> {
        self.encode(None, control.encode())
    }

    fn encode(&self, sequence: Option<Sequence>, body: Body) -> Zeroizing<Vec<u8>> {
        Frame {
            kind: self.kind,
            direction: self.direction,
            boot: self.boot,
            sequence,
            message_type: body.message_type,
            payload: body.payload,
        }
        .encode()
    }

    /// The next moment at which a live link has something to do.
    pub(super) fn live_deadline(&self) -> Millis {
        let mut deadline = self.heartbeat_due.min(self.monitor.deadline(self.now));
        for other in [self.outbox.deadline(), self.inbox.hold_deadline()].into_iter().flatten() {
            deadline = deadline.min(other);
        }
        deadline
    }
}
