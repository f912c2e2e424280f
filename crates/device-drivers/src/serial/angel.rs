//! The real shoe's dialect as a session. It has no greeting and no heartbeat: an open port is all the link there is,
//! and only an unanswered command shows that nobody listens.

use std::collections::VecDeque;

use device_protocols::angel_eye::{AngelCommand, AngelEvent, AngelOptions, AngelShoe};
use device_protocols::frame::{DeviceKind, FrameCounts};
use device_protocols::link::{Continuity, EventId, LinkCounts, LinkState, Loss, Millis, NotSent};
use device_protocols::shoe::{ShoeCommand, ShoeEvent};
use zeroize::Zeroizing;

use super::session::{CommandTicket, Occurrence, PortReport, PortSession, Refusal};
use super::tap::LineMask;
use crate::config::DeviceProtection;
use crate::fault::PortFault;

#[derive(Debug)]
pub struct AngelSession {
    shoe: AngelShoe,
    state: LinkState,
    was_up: bool,
    outstanding: Option<CommandTicket>,
    /// Reports that the session makes itself; at most a handful between two polls.
    own: VecDeque<PortReport<ShoeEvent>>,
    events: u64,
    not_understood: u64,
}

impl AngelSession {
    pub fn new(options: AngelOptions, now: Millis) -> Self {
        Self {
            shoe: AngelShoe::new(options, now),
            state: LinkState::Down,
            was_up: false,
            outstanding: None,
            own: VecDeque::new(),
            events: 0,
            not_understood: 0,
        }
    }

    fn report(&mut self, event: AngelEvent) -> Option<PortReport<ShoeEvent>> {
        match event {
            AngelEvent::Shoe { id, event } => {
                self.events = self.events.saturating_add(1);
                Some(PortReport::Event { id, event })
            }
            AngelEvent::ShoeStarted => Some(PortReport::LinkUp {
                identity: None,
                continuity: Continuity::Restarted,
                protection: DeviceProtection::None,
            }),
            AngelEvent::Standby | AngelEvent::PresetChanged | AngelEvent::ResultIgnored => None,
            AngelEvent::NotUnderstood => {
                self.not_understood = self.not_understood.saturating_add(1);
                Some(PortReport::Occurred(Occurrence::NotUnderstood { id: None, fault: None }))
            }
            AngelEvent::CommandAccepted(_) => {
                self.come_up();
                self.outstanding.take().map(|ticket| PortReport::CommandAccepted { ticket })
            }
            AngelEvent::CommandRefused(_, reason) => {
                self.come_up();
                let ticket = self.outstanding.take();
                ticket.map(|ticket| PortReport::CommandRefused { ticket, refusal: Refusal::ByRealShoe(reason) })
            }
            AngelEvent::CommandUnanswered(..) => {
                self.state = LinkState::Lost(Loss::NoAnswer);
                self.own.push_back(PortReport::LinkDown);
                self.outstanding.take().map(|ticket| PortReport::CommandUnanswered { ticket })
            }
        }
    }

    fn come_up(&mut self) {
        if !self.state.is_live() {
            self.state = LinkState::Up;
            let continuity = if self.was_up { Continuity::SameBoot } else { Continuity::FirstContact };
            self.was_up = true;
            self.own.push_back(PortReport::LinkUp { identity: None, continuity, protection: DeviceProtection::None });
        }
    }
}

impl PortSession for AngelSession {
    const KIND: DeviceKind = DeviceKind::Shoe;
    type Command = ShoeCommand;
    type Event = ShoeEvent;

    fn handle_port_opened(&mut self, now: Millis) {
        self.shoe.handle_port_opened(now);
        self.come_up();
    }

    fn handle_port_closed(&mut self, _now: Millis) {
        if self.state.is_live() {
            self.own.push_back(PortReport::LinkDown);
        }
        self.state = LinkState::Lost(Loss::PortClosed);
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        let frames_before = self.shoe.line_counts().frames;
        self.shoe.handle_bytes(bytes, now);
        if self.shoe.line_counts().frames != frames_before {
            self.come_up();
        }
    }

    fn handle_timeout(&mut self, now: Millis) {
        self.shoe.handle_timeout(now);
    }

    fn send(&mut self, command: &ShoeCommand, ticket: CommandTicket, now: Millis) -> Result<(), NotSent> {
        if self.state == LinkState::Lost(Loss::PortClosed) || self.state == LinkState::Down {
            return Err(NotSent::LinkNotUp);
        }
        let command = match command {
            ShoeCommand::Lock => AngelCommand::Lock,
            ShoeCommand::Unlock => AngelCommand::Unlock,
            ShoeCommand::ClearError { fault } => AngelCommand::CancelError(fault.code()),
            ShoeCommand::StartBatch => {
                // The shoe knows nothing of batches; draws are counted on this side.
                self.shoe.start_batch();
                self.own.push_back(PortReport::CommandAccepted { ticket });
                return Ok(());
            }
        };
        if self.shoe.send(command, now).is_err() {
            return Err(NotSent::LinkNotUp);
        }
        self.outstanding = Some(ticket);
        Ok(())
    }

    fn is_ready_for_command(&self) -> bool {
        self.outstanding.is_none()
    }

    fn acknowledge(&mut self, id: EventId, now: Millis) -> bool {
        self.shoe.acknowledge(id, now)
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.shoe.poll_transmit(now).map(Zeroizing::new)
    }

    fn poll_report(&mut self) -> Option<PortReport<ShoeEvent>> {
        if let Some(own) = self.own.pop_front() {
            return Some(own);
        }
        loop {
            let event = self.shoe.poll_event()?;
            if let Some(report) = self.report(event) {
                return Some(report);
            }
        }
    }

    fn poll_deadline(&self) -> Option<Millis> {
        self.shoe.poll_deadline()
    }

    fn link_state(&self) -> LinkState {
        self.state
    }

    fn wrong_device(&self) -> PortFault {
        PortFault::WrongKind
    }

    fn silence_is_a_fault(&self) -> bool {
        false
    }

    fn counts(&self) -> LinkCounts {
        let line = self.shoe.line_counts();
        LinkCounts {
            line: FrameCounts {
                bytes: line.bytes,
                frames: line.frames,
                crc_faults: line.bcc_faults,
                format_faults: line.format_faults,
                oversize_faults: line.oversize_faults,
            },
            events: self.events,
            not_understood: self.not_understood,
            duplicates: self.shoe.duplicates(),
            ..LinkCounts::default()
        }
    }

    fn line_mask(&self) -> LineMask {
        LineMask::LengthsOnly
    }
}
