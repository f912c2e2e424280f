//! Messages on their way in: new, seen before, or with something missing before them; and what to answer.

use super::{Continuity, HOLD_AFTER_MS, Millis, RESEND_AFTER_MS};
use crate::frame::{BootId, MessageId, Sequence};
use crate::message::{Control, NakReason};

/// Half of the ring of sequence numbers: nearer than this is ahead, farther is behind.
const HALF_RING: u16 = u16::MAX / 2;

#[derive(Debug)]
pub(super) struct Inbox {
    last: Option<MessageId>,
    answer: LastReply,
}

/// What became of the last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastReply {
    /// The application has it but it is not durable: HOLD, and again when `hold_due`.
    Pending {
        hold_due: Millis,
    },
    Done,
    Refused(NakReason),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    New,
    /// New, but the messages in between never came.
    NewAfterGap {
        expected: Sequence,
    },
    Repeat,
    /// Ahead of a message that is not durable yet. An honest sender waits; it will come again.
    TooEarly,
}

impl Inbox {
    /// `durable` is the last message that an earlier life of this side is known to have made durable.
    pub(super) fn new(durable: Option<MessageId>) -> Self {
        Self { last: durable, answer: LastReply::Done }
    }

    pub(super) fn peer(&self) -> Option<BootId> {
        self.last.map(|last| last.boot)
    }

    pub(super) fn is_pending(&self) -> bool {
        match self.answer {
            LastReply::Pending { .. } => true,
            LastReply::Done | LastReply::Refused(_) => false,
        }
    }

    /// HELLO told the far end's boot and next number. Gives back what is missing, if anything is.
    pub(super) fn open_session(&mut self, boot: BootId, next: Sequence) -> (Continuity, Option<Sequence>) {
        let fresh = MessageId { boot, sequence: next.previous() };
        let continuity = match self.last {
            None => Continuity::FirstContact,
            Some(last) if last.boot == boot => Continuity::SameBoot,
            Some(_) => Continuity::Restarted,
        };
        let missing = match self.last {
            Some(last) if last.boot == boot => {
                let ahead = next.ahead_of(last.sequence);
                if ahead <= 1 || ahead > HALF_RING {
                    return (continuity, None);
                }
                Some(last.sequence.next())
            }
            Some(_) | None => None,
        };
        *self = Self { last: Some(fresh), answer: LastReply::Done };
        (continuity, missing)
    }

    pub(super) fn classify(&self, id: MessageId) -> Arrival {
        let Some(last) = self.last.filter(|last| last.boot == id.boot) else {
            return Arrival::New;
        };
        match id.sequence.ahead_of(last.sequence) {
            0 => Arrival::Repeat,
            steps if steps > HALF_RING => Arrival::Repeat,
            _ if self.is_pending() => Arrival::TooEarly,
            1 => Arrival::New,
            _ => Arrival::NewAfterGap { expected: last.sequence.next() },
        }
    }

    pub(super) fn accept(&mut self, id: MessageId, now: Millis) {
        self.last = Some(id);
        self.answer = LastReply::Pending { hold_due: now + HOLD_AFTER_MS };
    }

    pub(super) fn refuse(&mut self, id: MessageId, reason: NakReason) -> Control {
        self.last = Some(id);
        self.answer = LastReply::Refused(reason);
        Control::Nak { about: Some(id), reason }
    }

    /// What to say to a message seen before. Everything before the last one is durable, or it would still be the last.
    pub(super) fn answer_repeat(&mut self, id: MessageId, now: Millis) -> Control {
        if self.last != Some(id) {
            return Control::Ack(id);
        }
        match self.answer {
            LastReply::Pending { .. } => {
                self.answer = LastReply::Pending { hold_due: now + RESEND_AFTER_MS };
                Control::Hold(id)
            }
            LastReply::Done => Control::Ack(id),
            LastReply::Refused(reason) => Control::Nak { about: Some(id), reason },
        }
    }

    /// The application has made `id` durable. `None` if that is not what we are waiting for: the far end restarted
    /// meanwhile, or it was said twice.
    pub(super) fn acknowledge(&mut self, id: MessageId) -> Option<Control> {
        if self.last != Some(id) || !self.is_pending() {
            return None;
        }
        self.answer = LastReply::Done;
        Some(Control::Ack(id))
    }

    /// The application turned the pending message `id` away.
    pub(super) fn refuse_pending(&mut self, id: MessageId, reason: NakReason) -> Option<Control> {
        (self.last == Some(id) && self.is_pending()).then(|| self.refuse(id, reason))
    }

    pub(super) fn hold_deadline(&self) -> Option<Millis> {
        match self.answer {
            LastReply::Pending { hold_due } => Some(hold_due),
            LastReply::Done | LastReply::Refused(_) => None,
        }
    }

    /// HOLD, unasked: the resend that would have asked for it may have been lost.
    pub(super) fn take_hold(&mut self, now: Millis) -> Option<Control> {
        let id = self.last?;
        self.hold_deadline().filter(|due| *due <= now)?;
        self.answer = LastReply::Pending { hold_due: now + RESEND_AFTER_MS };
        Some(Control::Hold(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(sequence: u16) -> MessageId {
        MessageId { boot: BootId::new(7).unwrap(), sequence: Sequence::new(sequence).unwrap() }
    }

    #[test]
    fn the_number_after_the_last_is_new_across_the_wrap() {
        let inbox = Inbox::new(Some(id(u16::MAX)));
        assert_eq!(inbox.classify(id(1)), Arrival::New);
        assert_eq!(inbox.classify(id(u16::MAX)), Arrival::Repeat);
        assert_eq!(inbox.classify(id(u16::MAX - 1)), Arrival::Repeat);
        assert_eq!(inbox.classify(id(2)), Arrival::NewAfterGap { expected: Sequence::FIRST });
    }

    #[test]
    fn a_message_made_durable_before_our_restart_is_acknowledged_and_not_delivered_again() {
        let mut inbox = Inbox::new(Some(id(5)));
        assert_eq!(inbox.open_session(id(5).boot, id(5).sequence), (Continuity::SameBoot, None));
        assert_eq!(inbox.classify(id(5)), Arrival::Repeat);
        assert_eq!(inbox.answer_repeat(id(5), Millis(0)), Control::Ack(id(5)));
    }

    #[test]
    fn a_greeting_that_skips_messages_names_the_first_missing_one() {
        let mut inbox = Inbox::new(Some(id(5)));
        assert_eq!(inbox.open_session(id(5).boot, id(9).sequence), (Continuity::SameBoot, Some(id(6).sequence)));
        assert_eq!(inbox.classify(id(9)), Arrival::New);
    }
}
