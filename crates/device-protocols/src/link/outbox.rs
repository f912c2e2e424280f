//! Messages on their way out: one at a time, again and again, until the far end has each for good.

use std::collections::VecDeque;

use super::{Millis, OUTBOX_CAPACITY, OutboxFull, RESEND_AFTER_MS, TRIES_MAX};
use crate::frame::{BootId, MessageId, Sequence};
use crate::message::Body;

/// Only the oldest message is ever on the line. A table sees about one event a second, so a window would buy nothing
/// and cost the proof that order is kept.
#[derive(Debug)]
pub(super) struct Outbox {
    boot: BootId,
    queue: VecDeque<Outgoing>,
    next: Sequence,
    /// Sendings of the oldest message since it was last answered.
    tries: u8,
    /// The oldest message has been on the line before.
    sent_before: bool,
    due: Millis,
}

#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) sequence: Sequence,
    pub(super) body: Body,
    /// Asked for by the link itself, so no application waits for the outcome.
    pub(super) by_link: bool,
}

impl Outbox {
    pub(super) fn new(boot: BootId) -> Self {
        Self {
            boot,
            queue: VecDeque::new(),
            next: Sequence::FIRST,
            tries: 0,
            sent_before: false,
            due: Millis::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn tries(&self) -> u8 {
        if self.queue.is_empty() { 0 } else { self.tries }
    }

    /// The number that HELLO announces: the oldest unanswered message, or the next one to be made.
    pub(super) fn announced(&self) -> Sequence {
        self.queue.front().map_or(self.next, |oldest| oldest.sequence)
    }

    pub(super) fn holds_link_request(&self) -> bool {
        self.queue.iter().any(|message| message.by_link)
    }

    pub(super) fn push(&mut self, body: Body, by_link: bool, now: Millis) -> Result<MessageId, OutboxFull> {
        if self.queue.len() >= OUTBOX_CAPACITY {
            return Err(OutboxFull);
        }
        if self.queue.is_empty() {
            self.tries = 0;
            self.sent_before = false;
            self.due = now;
        }
        let sequence = self.next;
        self.next = self.next.next();
        self.queue.push_back(Outgoing { sequence, body, by_link });
        Ok(self.id(sequence))
    }

    /// When the oldest message wants to be sent, or to be given up.
    pub(super) fn deadline(&self) -> Option<Millis> {
        self.queue.front().map(|_| self.due)
    }

    pub(super) fn is_exhausted(&self, now: Millis) -> bool {
        !self.queue.is_empty() && self.tries >= TRIES_MAX && self.due <= now
    }

    /// The oldest message, if its time has come; and whether it is a resend.
    pub(super) fn take_due(&mut self, now: Millis) -> Option<(Sequence, Body, bool)> {
        if self.due > now || self.tries >= TRIES_MAX {
            return None;
        }
        let oldest = self.queue.front()?;
        let resend = std::mem::replace(&mut self.sent_before, true);
        self.tries += 1;
        self.due = now + RESEND_AFTER_MS;
        Some((oldest.sequence, oldest.body.clone(), resend))
    }

    /// Done with the oldest message, by ACK or NAK. Answers about any other message are late and mean nothing.
    pub(super) fn finish(&mut self, id: MessageId, now: Millis) -> Option<Outgoing> {
        if !self.is_oldest(id) {
            return None;
        }
        self.tries = 0;
        self.sent_before = false;
        self.due = now;
        self.queue.pop_front()
    }

    pub(super) fn handle_hold(&mut self, id: MessageId, now: Millis) {
        if self.is_oldest(id) {
            self.tries = 0;
            self.due = now + RESEND_AFTER_MS;
        }
    }

    /// A new session: start over with the oldest message, at once.
    pub(super) fn restart(&mut self, now: Millis) {
        self.tries = 0;
        self.due = now;
    }

    /// Gives up everything that waits. The numbers are not used again.
    pub(super) fn withdraw(&mut self) -> Vec<(MessageId, bool)> {
        let boot = self.boot;
        self.queue.drain(..).map(|message| (MessageId { boot, sequence: message.sequence }, message.by_link)).collect()
    }

    fn is_oldest(&self, id: MessageId) -> bool {
        self.queue.front().is_some_and(|oldest| self.id(oldest.sequence) == id)
    }

    fn id(&self, sequence: Sequence) -> MessageId {
        MessageId { boot: self.boot, sequence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{MessageType, Payload};

    fn sendings_until_exhausted(outbox: &mut Outbox, now: &mut Millis) -> usize {
        let mut sendings = 0;
        for _ in 0..100 {
            if outbox.is_exhausted(*now) {
                return sendings;
            }
            sendings += usize::from(outbox.take_due(*now).is_some());
            *now = outbox.deadline().unwrap();
        }
        panic!("it never gives up")
    }

    #[test]
    fn five_sendings_then_exhausted_and_a_hold_starts_the_count_again() {
        let mut outbox = Outbox::new(BootId::new(1).unwrap());
        let mut now = Millis(0);
        let body = Body { message_type: MessageType::new(0x20), payload: Payload::empty() };
        let id = outbox.push(body, false, now).unwrap();
        for _ in 0..4 {
            assert!(outbox.take_due(now).is_some());
            now = outbox.deadline().unwrap();
        }
        outbox.handle_hold(id, now);
        assert_eq!(sendings_until_exhausted(&mut outbox, &mut now), 5);
    }

    #[test]
    fn an_answer_about_another_message_changes_nothing() {
        let mut outbox = Outbox::new(BootId::new(1).unwrap());
        let mut now = Millis(0);
        let body = Body { message_type: MessageType::new(0x20), payload: Payload::empty() };
        let id = outbox.push(body, false, now).unwrap();
        let other_boot = MessageId { boot: BootId::new(2).unwrap(), ..id };
        let other_number = MessageId { sequence: id.sequence.next(), ..id };
        assert!(outbox.take_due(now).is_some());
        for other in [other_boot, other_number] {
            outbox.handle_hold(other, now);
            assert!(outbox.finish(other, now).is_none());
        }
        assert_eq!(sendings_until_exhausted(&mut outbox, &mut now), 4);
        assert!(outbox.finish(id, now).is_some());
    }
}
