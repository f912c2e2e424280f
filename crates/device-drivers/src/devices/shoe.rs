//! The shoe's driver: the port actor with the sealed slot inside.
//!
//! What leaves the actor for the controller has no card in it: [`SealedShoeEvent`] is the shoe's events with the draw's number
//! in the place of the card. The card is in the slot before the news of it can be read.

use std::sync::{Arc, Mutex, PoisonError};

use device_protocols::frame::DeviceKind;
use device_protocols::link::{EventId, LinkCounts, LinkState, Millis, NotSent};
use device_protocols::protection::PairKeys;
use device_protocols::protection::pairing::PairingOffer;
use device_protocols::sealed::{Card, DrawNumber, FaceUp};
use device_protocols::shoe::{DrawContext, LockCause, ReversalPlace, ShoeCommand, ShoeEvent, ShoeFault, ShoeStatus};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use super::sealed_slot::{Kept, NotOpenable, SealedSlot};
use super::{Shoe, ShoeReports};
use crate::clock::MonotonicClock;
use crate::fault::PortFault;
use crate::serial::session::Occurrence;
use crate::serial::tap::LineMask;
use crate::serial::{
    CommandTicket, Connector, NotQueued, PortControl, PortHandle, PortOptions, PortReport, PortSession, PortStatus,
    spawn_port,
};

/// What the controller hears from a shoe. Comparable and printable, because there is nothing to hide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedShoeEvent {
    /// A card left the shoe and is in the sealed slot under this number.
    CardDrawn {
        draw: DrawNumber,
        context: DrawContext,
    },
    CardUnread {
        draw: DrawNumber,
        context: DrawContext,
    },
    CutCardDrawn {
        drawn: DrawNumber,
    },
    CardReversed {
        draw: DrawNumber,
        place: ReversalPlace,
    },
    CardOverdrawn {
        draw: DrawNumber,
    },
    Locked {
        cause: LockCause,
    },
    Unlocked {
        cause: LockCause,
    },
    FaultRaised(ShoeFault),
    FaultCleared(ShoeFault),
    State(ShoeStatus),
}

/// The controller's hold on a shoe. Cheap to clone; all clones share the slot.
#[derive(Clone, Debug)]
pub struct ShoeControl {
    port: PortControl<ShoeCommand>,
    slot: Arc<Mutex<SealedSlot>>,
}

impl ShoeControl {
    pub fn port(&self) -> &PortControl<ShoeCommand> {
        &self.port
    }

    fn with_slot<T>(&self, act: impl FnOnce(&mut SealedSlot) -> T) -> T {
        act(&mut self.slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shoe for ShoeControl {
    fn command(&self, command: ShoeCommand) -> Result<CommandTicket, NotQueued> {
        self.port.command(command)
    }

    fn durable(&self, id: EventId) {
        self.port.durable(id);
    }

    fn status(&self) -> PortStatus {
        self.port.status()
    }

    fn open(&self, draw: DrawNumber, face_up: FaceUp) -> Result<Card, NotOpenable> {
        self.with_slot(|slot| slot.open(draw, face_up))
    }

    fn discard(&self, draw: DrawNumber) {
        self.with_slot(|slot| slot.discard(draw));
    }

    fn discard_all(&self) {
        self.with_slot(SealedSlot::discard_all);
    }
}

/// Starts a shoe, in our own protocol or the real dialect: both sessions speak of [`ShoeEvent`]s.
pub fn spawn_shoe<S, N>(
    session: S,
    connector: N,
    clock: MonotonicClock,
    options: PortOptions,
    cancel: CancellationToken,
) -> (ShoeControl, ShoeReports, JoinHandle<()>)
where
    S: PortSession<Command = ShoeCommand, Event = ShoeEvent>,
    N: Connector + 'static,
{
    let slot = Arc::new(Mutex::new(SealedSlot::default()));
    let sealing = Sealing { session, slot: Arc::clone(&slot), behind: None };
    let (PortHandle { control, reports }, task) = spawn_port(sealing, connector, clock, options, cancel);
    (ShoeControl { port: control, slot }, reports, task)
}

/// A shoe's session whose cards stay behind.
struct Sealing<S> {
    session: S,
    slot: Arc<Mutex<SealedSlot>>,
    /// The report that comes behind its warning.
    behind: Option<PortReport<SealedShoeEvent>>,
}

impl<S> PortSession for Sealing<S>
where
    S: PortSession<Command = ShoeCommand, Event = ShoeEvent>,
{
    const KIND: DeviceKind = S::KIND;
    type Command = ShoeCommand;
    type Event = SealedShoeEvent;

    fn poll_report(&mut self) -> Option<PortReport<SealedShoeEvent>> {
        if let Some(report) = self.behind.take() {
            return Some(report);
        }
        let (report, occurrence) = put_away(self.session.poll_report()?, &self.slot);
        // The warning first: whoever acts on the draw must know that its number is worthless.
        match occurrence {
            Some(occurrence) => {
                self.behind = Some(report);
                Some(PortReport::Occurred(occurrence))
            }
            None => Some(report),
        }
    }

    fn handle_port_opened(&mut self, now: Millis) {
        self.session.handle_port_opened(now);
    }

    fn handle_port_closed(&mut self, now: Millis) {
        self.session.handle_port_closed(now);
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.session.handle_bytes(bytes, now);
    }

    fn handle_timeout(&mut self, now: Millis) {
        self.session.handle_timeout(now);
    }

    fn send(&mut self, command: &ShoeCommand, ticket: CommandTicket, now: Millis) -> Result<(), NotSent> {
        self.session.send(command, ticket, now)
    }

    fn is_ready_for_command(&self) -> bool {
        self.session.is_ready_for_command()
    }

    fn acknowledge(&mut self, id: EventId, now: Millis) -> bool {
        self.session.acknowledge(id, now)
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.session.poll_transmit(now)
    }

    fn poll_deadline(&self) -> Option<Millis> {
        self.session.poll_deadline()
    }

    fn link_state(&self) -> LinkState {
        self.session.link_state()
    }

    fn wrong_device(&self) -> PortFault {
        self.session.wrong_device()
    }

    fn silence_is_a_fault(&self) -> bool {
        self.session.silence_is_a_fault()
    }

    fn counts(&self) -> LinkCounts {
        self.session.counts()
    }

    fn line_mask(&self) -> LineMask {
        self.session.line_mask()
    }

    fn allow_pairing(&mut self, allowed: bool) {
        self.session.allow_pairing(allowed);
    }

    fn pairing_offer(&self) -> Option<&PairingOffer> {
        self.session.pairing_offer()
    }

    fn set_keys(&mut self, keys: PairKeys, now: Millis) {
        self.session.set_keys(keys, now);
    }
}

fn put_away(
    report: PortReport<ShoeEvent>,
    slot: &Mutex<SealedSlot>,
) -> (PortReport<SealedShoeEvent>, Option<Occurrence>) {
    let report = match report {
        PortReport::Event { id, event } => {
            let (event, occurrence) = take_card(event, slot);
            return (PortReport::Event { id, event }, occurrence);
        }
        PortReport::LinkUp { identity, continuity, protection } => {
            PortReport::LinkUp { identity, continuity, protection }
        }
        PortReport::LinkDown => PortReport::LinkDown,
        PortReport::CommandAccepted { ticket } => PortReport::CommandAccepted { ticket },
        PortReport::CommandRefused { ticket, refusal } => PortReport::CommandRefused { ticket, refusal },
        PortReport::CommandUnanswered { ticket } => PortReport::CommandUnanswered { ticket },
        PortReport::Fault(signal) => PortReport::Fault(signal),
        PortReport::Occurred(occurrence) => PortReport::Occurred(occurrence),
    };
    (report, None)
}

fn take_card(event: ShoeEvent, slot: &Mutex<SealedSlot>) -> (SealedShoeEvent, Option<Occurrence>) {
    let news = match event {
        ShoeEvent::CardDrawn { context, card } => {
            let draw = card.draw();
            let kept = slot.lock().unwrap_or_else(PoisonError::into_inner).keep(card);
            let occurrence = (kept == Kept::Twice).then_some(Occurrence::DrawNumberRepeated { draw });
            return (SealedShoeEvent::CardDrawn { draw, context }, occurrence);
        }
        ShoeEvent::CardUnread { draw, context } => SealedShoeEvent::CardUnread { draw, context },
        ShoeEvent::CutCardDrawn { drawn } => SealedShoeEvent::CutCardDrawn { drawn },
        ShoeEvent::CardReversed { draw, place } => SealedShoeEvent::CardReversed { draw, place },
        ShoeEvent::CardOverdrawn { draw } => SealedShoeEvent::CardOverdrawn { draw },
        ShoeEvent::Locked { cause } => SealedShoeEvent::Locked { cause },
        ShoeEvent::Unlocked { cause } => SealedShoeEvent::Unlocked { cause },
        ShoeEvent::FaultRaised(fault) => SealedShoeEvent::FaultRaised(fault),
        ShoeEvent::FaultCleared(fault) => SealedShoeEvent::FaultCleared(fault),
        ShoeEvent::State(status) => SealedShoeEvent::State(status),
    };
    (news, None)
}
