//! The protocol machines behind one face, so that the port actor does not care which language a device speaks.

use std::collections::VecDeque;
use std::fmt;

use device_protocols::angel_eye::AngelNak;
use device_protocols::frame::{DeviceKind, MessageId, Sequence};
use device_protocols::link::{
    Continuity, EventId, HostConfig, HostEvent, LinkCounts, LinkHost, LinkState, Millis, Mismatch, NotSent,
    OUTBOX_CAPACITY,
};
use device_protocols::message::{BodyFault, DeviceIdentity, DeviceProtocol, NakReason};
use device_protocols::protection::pairing::PairingOffer;
use device_protocols::protection::{PairKeys, Protection};
use device_protocols::sealed::DrawNumber;
use thiserror::Error;
use zeroize::Zeroizing;

use super::tap::LineMask;
use crate::config::DeviceProtection;
use crate::fault::{FaultSignal, PortFault};

/// Names a command between being queued and being answered. Never used twice by one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommandTicket(pub u64);

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the device turned the command away: {0:?}")]
    ByDevice(NakReason),
    #[error("the shoe turned the command away: {0:?}")]
    ByRealShoe(AngelNak),
    #[error(transparent)]
    NotSent(#[from] NotSent),
}

/// Something that happened once and cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// The device numbered events that never came here. Evidence is missing.
    EventsMissing { expected: Sequence, found: Sequence },
    /// The device sent something valid that this software does not know.
    NotUnderstood { id: Option<EventId>, fault: Option<BodyFault> },
    /// A second draw under one number. Neither card can be opened by that number any more.
    DrawNumberRepeated { draw: DrawNumber },
}

impl Occurrence {
    pub const fn fault(self) -> PortFault {
        match self {
            Self::EventsMissing { .. } => PortFault::EventsMissing,
            Self::NotUnderstood { .. } => PortFault::NotUnderstood,
            Self::DrawNumberRepeated { .. } => PortFault::DrawNumberRepeated,
        }
    }
}

/// What the controller learns from one port, in the order it happened.
#[derive(Debug)]
pub enum PortReport<E> {
    /// Make it durable, then say so by `durable(id)`; the device is told HOLD until then.
    Event {
        id: EventId,
        event: E,
    },
    /// A session began. STATE has been asked for; commands may be sent.
    LinkUp {
        identity: Option<DeviceIdentity>,
        continuity: Continuity,
        protection: DeviceProtection,
    },
    /// No commands until the next `LinkUp`. Which fault it is follows as a fault of its own.
    LinkDown,
    CommandAccepted {
        ticket: CommandTicket,
    },
    CommandRefused {
        ticket: CommandTicket,
        refusal: Refusal,
    },
    /// Nobody knows whether it was carried out; STATE will tell.
    CommandUnanswered {
        ticket: CommandTicket,
    },
    Fault(FaultSignal),
    Occurred(Occurrence),
}

/// One protocol machine with its bookkeeping. Polled like the machines of `device-protocols`.
pub trait PortSession: Send + 'static {
    const KIND: DeviceKind;
    type Command: Send + fmt::Debug + 'static;
    type Event: Send + fmt::Debug + 'static;

    fn handle_port_opened(&mut self, now: Millis);
    fn handle_port_closed(&mut self, now: Millis);
    fn handle_bytes(&mut self, bytes: &[u8], now: Millis);
    fn handle_timeout(&mut self, now: Millis);
    fn send(&mut self, command: &Self::Command, ticket: CommandTicket, now: Millis) -> Result<(), NotSent>;
    /// Whether a command would be taken or refused at once. False makes the queue wait.
    fn is_ready_for_command(&self) -> bool;
    fn acknowledge(&mut self, id: EventId, now: Millis) -> bool;
    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>>;
    fn poll_report(&mut self) -> Option<PortReport<Self::Event>>;
    fn poll_deadline(&self) -> Option<Millis>;
    fn link_state(&self) -> LinkState;
    /// The fault of a device that is not the one that belongs here.
    fn wrong_device(&self) -> PortFault;
    /// Whether silence means anything: a dialect without heartbeats may be silent for hours.
    fn silence_is_a_fault(&self) -> bool;
    fn counts(&self) -> LinkCounts;
    fn line_mask(&self) -> LineMask;
    /// Whether a device that is willing may be paired with. A dialect without keys has nothing to pair.
    fn allow_pairing(&mut self, _allowed: bool) {}
    fn pairing_offer(&self) -> Option<&PairingOffer> {
        None
    }
    fn set_keys(&mut self, _keys: PairKeys, _now: Millis) {}
}

/// A device that speaks our own protocol.
#[derive(Debug)]
pub struct LinkSession<P: DeviceProtocol> {
    link: LinkHost<P>,
    tickets: VecDeque<(MessageId, CommandTicket)>,
    wrong_device: PortFault,
    protection: DeviceProtection,
}

impl<P: DeviceProtocol> LinkSession<P> {
    pub fn new(config: HostConfig, now: Millis) -> Self {
        let protection = match config.protection {
            Protection::None => DeviceProtection::None,
            Protection::Paired(_) => DeviceProtection::Paired,
        };
        Self {
            link: LinkHost::new(config, now),
            tickets: VecDeque::new(),
            wrong_device: PortFault::WrongKind,
            protection,
        }
    }

    fn take_ticket(&mut self, id: MessageId) -> Option<CommandTicket> {
        let index = self.tickets.iter().position(|(sent, _)| *sent == id)?;
        self.tickets.remove(index).map(|(_, ticket)| ticket)
    }

    fn report(&mut self, event: HostEvent<P>) -> Option<PortReport<P::Event>> {
        match event {
            HostEvent::LinkUp { identity, continuity } | HostEvent::LinkBack { identity, continuity } => {
                Some(PortReport::LinkUp { identity: Some(identity), continuity, protection: self.protection })
            }
            // The standing faults tell these; a report of their own would say the same twice.
            HostEvent::LinkDegraded(_) | HostEvent::LinkRecovered => None,
            HostEvent::LinkLost(_) => Some(PortReport::LinkDown),
            HostEvent::WrongDevice(mismatch) => {
                self.wrong_device = match mismatch {
                    Mismatch::Kind { .. } => PortFault::WrongKind,
                    Mismatch::Model { .. } => PortFault::WrongModel,
                    Mismatch::Serial { .. } => PortFault::WrongSerial,
                    Mismatch::NotPaired => PortFault::NotPaired,
                };
                Some(PortReport::LinkDown)
            }
            HostEvent::EventsMissing { expected, found } => {
                Some(PortReport::Occurred(Occurrence::EventsMissing { expected, found }))
            }
            HostEvent::Device { id, event } => Some(PortReport::Event { id, event }),
            HostEvent::NotUnderstood { id, fault } => {
                Some(PortReport::Occurred(Occurrence::NotUnderstood { id, fault: Some(fault) }))
            }
            HostEvent::CommandAccepted { id } => {
                self.take_ticket(id).map(|ticket| PortReport::CommandAccepted { ticket })
            }
            HostEvent::CommandRefused { id, reason } => self
                .take_ticket(id)
                .map(|ticket| PortReport::CommandRefused { ticket, refusal: Refusal::ByDevice(reason) }),
            HostEvent::CommandUnanswered { id } => {
                self.take_ticket(id).map(|ticket| PortReport::CommandUnanswered { ticket })
            }
        }
    }
}

impl<P> PortSession for LinkSession<P>
where
    P: DeviceProtocol + Send + 'static,
    P::Command: Send + 'static,
    P::Event: Send + 'static,
{
    const KIND: DeviceKind = P::KIND;
    type Command = P::Command;
    type Event = P::Event;

    fn handle_port_opened(&mut self, now: Millis) {
        self.link.handle_port_opened(now);
    }

    fn handle_port_closed(&mut self, now: Millis) {
        self.link.handle_port_closed(now);
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.link.handle_bytes(bytes, now);
    }

    fn handle_timeout(&mut self, now: Millis) {
        self.link.handle_timeout(now);
    }

    fn send(&mut self, command: &P::Command, ticket: CommandTicket, now: Millis) -> Result<(), NotSent> {
        let id = self.link.send(command, now)?;
        self.tickets.push_back((id, ticket));
        Ok(())
    }

    fn is_ready_for_command(&self) -> bool {
        // One place stays free for the link's own question for STATE. Unanswered notices that nobody collected could
        // keep a ticket for ever; they are bounded here too.
        !self.link.state().is_live()
            || (self.link.commands_waiting() + 1 < OUTBOX_CAPACITY && self.tickets.len() < 2 * OUTBOX_CAPACITY)
    }

    fn acknowledge(&mut self, id: EventId, now: Millis) -> bool {
        self.link.acknowledge(id, now)
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.link.poll_transmit(now)
    }

    fn poll_report(&mut self) -> Option<PortReport<P::Event>> {
        loop {
            let event = self.link.poll_event()?;
            if let Some(report) = self.report(event) {
                return Some(report);
            }
        }
    }

    fn poll_deadline(&self) -> Option<Millis> {
        self.link.poll_deadline()
    }

    fn link_state(&self) -> LinkState {
        self.link.state()
    }

    fn wrong_device(&self) -> PortFault {
        self.wrong_device
    }

    fn silence_is_a_fault(&self) -> bool {
        true
    }

    fn counts(&self) -> LinkCounts {
        self.link.counts()
    }

    fn line_mask(&self) -> LineMask {
        LineMask::framed(P::KIND)
    }

    fn allow_pairing(&mut self, allowed: bool) {
        self.link.allow_pairing(allowed);
    }

    fn pairing_offer(&self) -> Option<&PairingOffer> {
        self.link.pairing_offer()
    }

    fn set_keys(&mut self, keys: PairKeys, now: Millis) {
        self.link.set_keys(keys, now);
    }
}
