//! What both ends of a link have in common: decoder, outbox, inbox, answers waiting to be sent, heartbeat.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::inbox::Inbox;
use super::monitor::Monitor;
use super::outbox::Outbox;
use super::{HEARTBEAT_EVERY_MS, LinkCounts, Millis};
use crate::frame::{BootId, DeviceKind, Direction, Frame, FrameDecoder, MessageId, Sequence, WireFrame};
use crate::message::{Body, Control};
use crate::protection::wire::{Form, GreetingText, PairingStep, PairingText, ProtectedFrame};
use crate::protection::{Channel, Opened, PairKeys, Paired, Protection, Refused, Seed};

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
    answers: VecDeque<Answer>,
    heartbeat_due: Millis,
    counts: LinkCounts,
    /// Of a paired link.
    channel: Option<Channel>,
}

#[derive(Debug)]
enum Answer {
    Control(Control),
    /// A frame that is whole already: of a handshake.
    Bytes(Zeroizing<Vec<u8>>),
}

/// What a run of bytes turned out to be.
#[derive(Debug)]
pub(super) enum Heard {
    /// A message that may be believed as far as this link's protection goes.
    Message(Frame),
    /// The first message of a new session; its HELLO was read before and holds from now on.
    Began {
        hello: Box<Frame>,
        message: Frame,
    },
    Greeting(GreetingText),
    /// Nobody vouches for any of these.
    Announcement,
    Unreadable,
    OtherKind(DeviceKind),
    /// In the clear on a paired line, or the other way round.
    OtherProtection,
    /// A greeting, to an end that has no keys.
    GreetingUnasked(GreetingText),
    Pairing(PairingStep, PairingText),
}

impl Core {
    pub(super) fn new(
        kind: DeviceKind,
        direction: Direction,
        boot: BootId,
        durable: Option<MessageId>,
        protection: Protection,
        now: Millis,
    ) -> Self {
        let channel = match protection {
            Protection::None => None,
            Protection::Paired(paired) => Some(Channel::new(kind, direction, paired)),
        };
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
            channel,
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
    pub(super) fn handle_byte(&mut self, byte: u8) -> Option<Heard> {
        self.monitor.handle_byte(self.now);
        match self.decoder.handle_wire_byte(byte)? {
            Ok(frame) if frame.direction() == self.direction => {
                self.count(|counts| &mut counts.echoes);
                self.monitor.handle_damage(self.now);
                None
            }
            Ok(WireFrame::Protected(ProtectedFrame { kind, form: Form::Pairing { step, text }, .. })) => {
                (kind == self.kind).then_some(Heard::Pairing(step, text))
            }
            Ok(WireFrame::Open(frame)) if self.channel.is_none() => Some(Heard::Message(frame)),
            Ok(WireFrame::Protected(frame)) if self.channel.is_some() => self.handle_protected(frame),
            Ok(WireFrame::Protected(ProtectedFrame { kind, form: Form::Greeting(text), .. })) if kind == self.kind => {
                self.count(|counts| &mut counts.turned_away);
                Some(Heard::GreetingUnasked(text))
            }
            Ok(WireFrame::Open(_) | WireFrame::Protected(_)) => {
                self.count(|counts| &mut counts.turned_away);
                Some(Heard::OtherProtection)
            }
            Err(_) => {
                self.monitor.handle_damage(self.now);
                None
            }
        }
    }

    fn handle_protected(&mut self, frame: ProtectedFrame) -> Option<Heard> {
        if frame.kind != self.kind {
            return Some(Heard::OtherKind(frame.kind));
        }
        match frame.form {
            Form::Announcement => Some(Heard::Announcement),
            Form::Unreadable => Some(Heard::Unreadable),
            Form::Greeting(text) => Some(Heard::Greeting(text)),
            Form::Pairing { step, text } => Some(Heard::Pairing(step, text)),
            Form::Sealed { session, counter, text } => match self.channel.as_mut()?.open(session, counter, &text) {
                Ok(Opened { began: None, frame }) => Some(Heard::Message(frame)),
                Ok(Opened { began: Some(hello), frame }) => Some(Heard::Began { hello, message: frame }),
                Err(refused) => {
                    self.count(|counts| &mut counts.turned_away);
                    match refused {
                        // Honest after a restart or a repeat on the line.
                        Refused::OtherSession | Refused::Replayed => {}
                        Refused::Forged => self.monitor.handle_damage(self.now),
                    }
                    None
                }
            },
        }
    }

    pub(super) fn is_paired(&self) -> bool {
        self.channel.is_some()
    }

    /// `None` for an end in the clear.
    pub(super) fn seed_for_pairing(&mut self) -> Option<Seed> {
        self.channel.as_mut().map(Channel::spare_seed)
    }

    /// Another channel, with nothing left of the old one.
    pub(super) fn set_keys(&mut self, keys: PairKeys) {
        if let Some(seed) = self.seed_for_pairing() {
            self.drop_answers();
            self.channel = Some(Channel::new(self.kind, self.direction, Paired { keys, seed }));
        }
    }

    /// Takes these keys if they are what a greeting was made with.
    pub(super) fn adopt(&mut self, paired: Paired, greeting: &GreetingText) -> bool {
        let mut channel = Channel::new(self.kind, self.direction, paired);
        let fits = channel.can_read(greeting);
        if fits {
            self.drop_answers();
            self.channel = Some(channel);
        }
        fits
    }

    /// Whether the present keys read a greeting.
    pub(super) fn can_read(&mut self, greeting: &GreetingText) -> bool {
        self.channel.as_mut().is_some_and(|channel| channel.can_read(greeting))
    }

    /// HELLO of the controller: in the clear, or as the first message of a handshake.
    pub(super) fn greet(&mut self, hello: &Control) -> Option<Zeroizing<Vec<u8>>> {
        let frame = self.frame(None, hello.encode());
        match &mut self.channel {
            None => Some(frame.encode()),
            Some(channel) => channel.ask(&frame),
        }
    }

    /// The last greeting of a paired link again, if it still waits for its answer.
    pub(super) fn greet_again(&self) -> Option<Zeroizing<Vec<u8>>> {
        self.channel.as_ref()?.ask_again()
    }

    /// The device's HELLO out of the answer to our greeting.
    pub(super) fn read_answer(&mut self, text: &GreetingText) -> Option<Frame> {
        self.channel.as_mut()?.read_answer(text)
    }

    /// The controller's HELLO out of its greeting, if it has to be answered anew. A repeat is answered as before, and one
    /// that cannot be read with the word that it cannot.
    pub(super) fn read_question(&mut self, text: GreetingText) -> Option<Frame> {
        let channel = self.channel.as_mut()?;
        if let Some(again) = channel.answer_again(&text) {
            self.answer_bytes(again);
            return None;
        }
        let hello = channel.read_question(text);
        if hello.is_none() {
            let unreadable = channel.unreadable();
            self.count(|counts| &mut counts.turned_away);
            self.answer_bytes(unreadable);
        }
        hello
    }

    /// Answers the greeting that was read last.
    pub(super) fn answer_greeting(&mut self, hello: &Control) {
        let frame = self.frame(None, hello.encode());
        if let Some(bytes) = self.channel.as_mut().and_then(|channel| channel.answer(&frame)) {
            self.answer_bytes(bytes);
        }
    }

    /// A device without a session says so.
    pub(super) fn announce(&mut self, hello: &Control) -> Option<Zeroizing<Vec<u8>>> {
        match &self.channel {
            None => self.encode(None, hello.encode()),
            Some(channel) => Some(channel.announcement()),
        }
    }

    pub(super) fn answer_unreadable(&mut self) {
        if let Some(bytes) = self.channel.as_ref().map(Channel::unreadable) {
            self.answer_bytes(bytes);
        }
    }

    pub(super) fn answer(&mut self, control: Control) {
        self.push_answer(Answer::Control(control));
    }

    pub(super) fn answer_bytes(&mut self, bytes: Zeroizing<Vec<u8>>) {
        self.push_answer(Answer::Bytes(bytes));
    }

    fn push_answer(&mut self, answer: Answer) {
        if self.answers.len() >= ANSWERS_CAPACITY {
            self.answers.pop_front();
        }
        self.answers.push_back(answer);
    }

    pub(super) fn drop_answers(&mut self) {
        self.answers.clear();
    }

    pub(super) fn take_answer(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        while let Some(answer) = self.answers.pop_front() {
            let bytes = match answer {
                Answer::Control(control) => self.encode(None, control.encode()),
                Answer::Bytes(bytes) => Some(bytes),
            };
            if bytes.is_some() {
                return bytes;
            }
        }
        None
    }

    pub(super) fn take_numbered(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let (sequence, body, resend) = self.outbox.take_due(self.now)?;
        if resend {
            self.count(|counts| &mut counts.resends);
        }
        self.encode(Some(sequence), body)
    }

    pub(super) fn take_heartbeat(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        if self.heartbeat_due > self.now {
            return None;
        }
        self.heartbeat_due = self.now + HEARTBEAT_EVERY_MS;
        let uptime_seconds = u32::try_from(self.now.since(self.started) / 1_000).unwrap_or(u32::MAX);
        self.encode(None, Control::Heartbeat { uptime_seconds }.encode())
    }

    fn frame(&self, sequence: Option<Sequence>, body: Body) -> Frame {
        Frame {
            kind: self.kind,
            direction: self.direction,
            boot: self.boot,
            sequence,
            message_type: body.message_type,
            payload: body.payload,
        }
    }

    /// `None` only on a paired link that has no session: what it would say cannot be sealed.
    fn encode(&mut self, sequence: Option<Sequence>, body: Body) -> Option<Zeroizing<Vec<u8>>> {
        let frame = self.frame(sequence, body);
        match &mut self.channel {
            None => Some(frame.encode()),
            Some(channel) => channel.seal(&frame),
        }
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
