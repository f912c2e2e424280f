//! The host's session with the real shoe: repeats dropped, draws sealed and numbered, commands answered or given up.

use std::collections::VecDeque;

use thiserror::Error;

use super::line::{
    AngelCommand, AngelFault, AngelFrame, AngelLineCounts, AngelLineDecoder, AngelNak, LineItem, OutboundBcc,
    encode_ack, encode_nak,
};
use crate::frame::{BootId, MessageId, Sequence};
use crate::link::{EventId, Millis, NOTICES_CAPACITY};
use crate::sealed::{Card, DrawNumber, SealedCard};
use crate::shoe::{DrawContext, LockCause, ShoeEvent, ShoeFault};

/// A command is repeated after this time; nobody says how patient the shoe is, a second is generous at 4800 baud.
pub const REPLY_WITHIN_MS: u64 = 1_000;
const COMMAND_TRIES_MAX: u8 = 3;
const REPLIES_CAPACITY: usize = 8;

/// When an event is acknowledged. The dialect has no HOLD, so a shoe that gives up early would need `Received`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AcknowledgeWhen {
    #[default]
    Durable,
    Received,
}

#[derive(Clone, Copy, Debug)]
pub struct AngelOptions {
    pub outbound_bcc: OutboundBcc,
    pub acknowledge_when: AcknowledgeWhen,
    /// Stands in for the boot id that the shoe does not have: the host's own, new at every start.
    pub boot: BootId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShoeLoss {
    #[error("the shoe did not answer a command three times: check cable, baud rate and the checksum option")]
    NoAnswer,
}

/// What the controller learns, in the order it happened.
#[derive(Debug)]
pub enum AngelEvent {
    /// The same events as in our own protocol. Make it durable, then call [`AngelShoe::acknowledge`].
    Shoe {
        id: EventId,
        event: ShoeEvent,
    },
    /// The shoe says that communication starts: it was switched on. Lock state and errors must be taken as unknown.
    ShoeStarted,
    Standby,
    /// A setting was changed at the shoe.
    PresetChanged,
    /// A baccarat result; it means nothing at this table.
    ResultIgnored,
    NotUnderstood,
    CommandAccepted(AngelCommand),
    CommandRefused(AngelCommand, AngelNak),
    CommandUnanswered(AngelCommand, ShoeLoss),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the shoe has not yet answered the command before; wait for its answer")]
pub struct CommandWaiting;

/// Tells a repeat from a new event without looking at the card: sequence, letter, and the byte after it, which in a
/// draw is its target and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RepeatKey {
    sequence: u8,
    letter: u8,
    detail: Option<u8>,
}

#[derive(Debug)]
struct Outstanding {
    command: AngelCommand,
    tries: u8,
    due: Millis,
}

/// One real shoe. Polled like the links of our own protocol: `poll_transmit`, `poll_event`, `poll_deadline`.
#[derive(Debug)]
pub struct AngelShoe {
    options: AngelOptions,
    decoder: AngelLineDecoder,
    now: Millis,
    last: Option<RepeatKey>,
    last_draw: Option<u8>,
    pending: Option<EventId>,
    next_id: Sequence,
    drawn: DrawNumber,
    lock_commanded: bool,
    command: Option<Outstanding>,
    replies: VecDeque<Vec<u8>>,
    events: VecDeque<AngelEvent>,
    duplicates: u64,
}

impl AngelShoe {
    pub fn new(options: AngelOptions, now: Millis) -> Self {
        Self {
            options,
            decoder: AngelLineDecoder::default(),
            now,
            last: None,
            last_draw: None,
            pending: None,
            next_id: Sequence::FIRST,
            drawn: DrawNumber(0),
            lock_commanded: false,
            command: None,
            replies: VecDeque::new(),
            events: VecDeque::new(),
            duplicates: 0,
        }
    }

    pub fn line_counts(&self) -> AngelLineCounts {
        self.decoder.counts()
    }

    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    pub fn handle_port_opened(&mut self, now: Millis) {
        self.now = self.now.max(now);
        self.decoder.reset();
        self.replies.clear();
    }

    pub fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.now = self.now.max(now);
        for byte in bytes {
            match self.decoder.handle_byte(*byte) {
                None => {}
                Some(LineItem::Event(frame)) => self.handle_frame(&frame),
                Some(LineItem::Ack) => self.handle_command_ack(),
                Some(LineItem::Nak(reason)) => self.handle_command_nak(reason),
                Some(LineItem::Fault(fault)) => self.handle_fault(fault),
            }
        }
    }

    pub fn handle_timeout(&mut self, now: Millis) {
        self.now = self.now.max(now);
        let given_up = self.command.take_if(|waiting| waiting.tries >= COMMAND_TRIES_MAX && waiting.due <= self.now);
        if let Some(waiting) = given_up {
            self.notify(AngelEvent::CommandUnanswered(waiting.command, ShoeLoss::NoAnswer));
        }
    }

    /// Sends a command; one at a time, because the shoe's replies do not say what they answer.
    pub fn send(&mut self, command: AngelCommand, now: Millis) -> Result<(), CommandWaiting> {
        self.now = self.now.max(now);
        if self.command.is_some() {
            return Err(CommandWaiting);
        }
        self.command = Some(Outstanding { command, tries: 0, due: self.now });
        Ok(())
    }

    /// A new batch is in: draws count from 1 again.
    pub fn start_batch(&mut self) {
        self.drawn = DrawNumber(0);
        self.last_draw = None;
    }

    /// The event is durable. False if the shoe has moved on meanwhile.
    pub fn acknowledge(&mut self, id: EventId, now: Millis) -> bool {
        self.now = self.now.max(now);
        let waited_for = self.pending.take_if(|pending| *pending == id).is_some();
        if waited_for {
            self.reply(encode_ack());
        }
        waited_for
    }

    pub fn poll_event(&mut self) -> Option<AngelEvent> {
        self.events.pop_front()
    }

    pub fn poll_transmit(&mut self, now: Millis) -> Option<Vec<u8>> {
        self.now = self.now.max(now);
        if let Some(reply) = self.replies.pop_front() {
            return Some(reply);
        }
        let waiting = self.command.as_mut().filter(|waiting| waiting.due <= self.now)?;
        if waiting.tries >= COMMAND_TRIES_MAX {
            return None;
        }
        waiting.tries += 1;
        waiting.due = self.now + REPLY_WITHIN_MS;
        Some(waiting.command.encode(self.options.outbound_bcc))
    }

    pub fn poll_deadline(&self) -> Option<Millis> {
        self.command.as_ref().map(|waiting| waiting.due)
    }

    fn handle_frame(&mut self, frame: &AngelFrame) {
        let data = frame.data();
        let Some((&letter, rest)) = data.split_first() else {
            return;
        };
        let key = RepeatKey { sequence: frame.sequence, letter, detail: rest.first().copied() };
        if self.last == Some(key) {
            self.duplicates = self.duplicates.saturating_add(1);
            // While the first copy is not durable there is nothing the dialect lets us say.
            if self.pending.is_none() {
                self.reply(encode_ack());
            }
            return;
        }
        if self.events.len() >= NOTICES_CAPACITY {
            return self.reply(encode_nak(AngelNak::Busy));
        }
        self.last = Some(key);
        match self.understand(letter, rest) {
            Some(Understood::Event(event)) => self.deliver(event),
            Some(Understood::Notice(notice)) => {
                self.notify(notice);
                self.reply(encode_ack());
            }
            Some(Understood::RepeatedDraw) => {
                self.duplicates = self.duplicates.saturating_add(1);
                self.reply(encode_ack());
            }
            None => {
                self.notify(AngelEvent::NotUnderstood);
                self.reply(encode_ack());
            }
        }
    }

    fn understand(&mut self, letter: u8, rest: &[u8]) -> Option<Understood> {
        let understood = match (letter, rest) {
            (b'D', &[place, card]) => Understood::Event(self.draw(DrawContext::InPlay, place, card)?),
            (b'R', &[place, _]) if self.last_draw == Some(place) => Understood::RepeatedDraw,
            (b'R', &[place, card]) => Understood::Event(self.draw(DrawContext::InPlay, place, card)?),
            (b'd', &[place, card]) => {
                let context = match place >> 4 & 0x07 {
                    0 => DrawContext::WhileLocked,
                    1 => DrawContext::DuringError,
                    2 => DrawContext::DuringSetup,
                    _ => return None,
                };
                Understood::Event(self.draw(context, place, card)?)
            }
            (b'C', _) => Understood::Event(ShoeEvent::CutCardDrawn { drawn: self.drawn }),
            (b'E', &[code]) => Understood::Event(ShoeEvent::FaultRaised(ShoeFault::from_code(code & 0x3F)?)),
            (b'e', &[code]) => Understood::Event(ShoeEvent::FaultCleared(ShoeFault::from_code(code & 0x7F)?)),
            (b'L', &[state]) => Understood::Event(self.lock_event(state & 1 == 1)),
            (b'S', _) => Understood::Notice(AngelEvent::ShoeStarted),
            (b'P', _) => Understood::Notice(AngelEvent::Standby),
            (b'G', _) => Understood::Notice(AngelEvent::ResultIgnored),
            (b'M', _) => Understood::Notice(AngelEvent::PresetChanged),
            _ => return None,
        };
        Some(understood)
    }

    /// The shoe's target (player, banker, burn) means nothing here; cards are taken in the order drawn.
    fn draw(&mut self, context: DrawContext, place: u8, card: u8) -> Option<ShoeEvent> {
        const BIT_7: u8 = 0x80;
        if place & BIT_7 == 0 || card & BIT_7 == 0 {
            return None;
        }
        let draw = DrawNumber(self.drawn.0.saturating_add(1));
        self.drawn = draw;
        self.last_draw = Some(place);
        Some(match read_card(card) {
            Some(card) => ShoeEvent::CardDrawn { context, card: SealedCard::seal(draw, card) },
            None => ShoeEvent::CardUnread { draw, context },
        })
    }

    fn lock_event(&mut self, locked: bool) -> ShoeEvent {
        let commanded = std::mem::take(&mut self.lock_commanded);
        let cause = if commanded { LockCause::Commanded } else { LockCause::ByHand };
        if locked { ShoeEvent::Locked { cause } } else { ShoeEvent::Unlocked { cause } }
    }

    fn deliver(&mut self, event: ShoeEvent) {
        let id = MessageId { boot: self.options.boot, sequence: self.next_id };
        self.next_id = self.next_id.next();
        self.notify(AngelEvent::Shoe { id, event });
        match self.options.acknowledge_when {
            AcknowledgeWhen::Durable => self.pending = Some(id),
            AcknowledgeWhen::Received => self.reply(encode_ack()),
        }
    }

    fn handle_command_ack(&mut self) {
        if let Some(waiting) = self.command.take() {
            self.lock_commanded |= match waiting.command {
                AngelCommand::Lock | AngelCommand::Unlock => true,
                AngelCommand::CancelError(_) | AngelCommand::ConfirmGame => false,
            };
            self.notify(AngelEvent::CommandAccepted(waiting.command));
        }
    }

    fn handle_command_nak(&mut self, reason: AngelNak) {
        if let Some(waiting) = self.command.take() {
            self.notify(AngelEvent::CommandRefused(waiting.command, reason));
        }
    }

    fn handle_fault(&mut self, fault: AngelFault) {
        match fault {
            AngelFault::Bcc => self.reply(encode_nak(AngelNak::Bcc)),
            AngelFault::Format | AngelFault::Oversize => self.reply(encode_nak(AngelNak::NoEtx)),
            AngelFault::Noise | AngelFault::UnknownNak => {}
        }
    }

    fn reply(&mut self, bytes: Vec<u8>) {
        if self.replies.len() >= REPLIES_CAPACITY {
            self.replies.pop_front();
        }
        self.replies.push_back(bytes);
    }

    fn notify(&mut self, event: AngelEvent) {
        // Draws find room by the check in `handle_frame`; a notice beyond it may be lost.
        if self.events.len() < NOTICES_CAPACITY {
            self.events.push_back(event);
        }
    }
}

enum Understood {
    Event(ShoeEvent),
    Notice(AngelEvent),
    /// The shoe sends a card again that we have.
    RepeatedDraw,
}

/// Suit 0 or a rank outside the deck means that the shoe could not read the card.
fn read_card(byte: u8) -> Option<Card> {
    let suit = match byte >> 4 & 0x07 {
        1 => 1, // diamonds
        2 => 0, // clubs
        3 => 3, // spades
        4 => 2, // hearts
        _ => return None,
    };
    Card::new(byte & 0x0F, suit)
}
