//! The shoe's driver: the port actor with the sealed slot in front of it.
//!
//! What leaves here for the controller has no card in it: [`ShoeNews`] is the shoe's events with the draw's number in
//! the place of the card. The card is in the slot before the news of it can be read.

use std::sync::{Arc, Mutex, PoisonError};

use device_protocols::link::EventId;
use device_protocols::sealed::{Card, DrawNumber, FaceUp};
use device_protocols::shoe::{DrawContext, LockCause, ReversalPlace, ShoeCommand, ShoeEvent, ShoeFault, ShoeStatus};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::sealed_slot::{Kept, NotOpenable, SealedSlot};
use super::{Shoe, ShoeReports};
use crate::clock::MonotonicClock;
use crate::serial::session::Occurrence;
use crate::serial::{
    CommandTicket, Connector, NotQueued, PortControl, PortHandle, PortOptions, PortReport, PortSession, PortStatus,
    spawn_port,
};

/// What the controller hears from a shoe. Comparable and printable, because there is nothing to hide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShoeNews {
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
) -> (ShoeControl, ShoeReports, [JoinHandle<()>; 2])
where
    S: PortSession<Command = ShoeCommand, Event = ShoeEvent>,
    N: Connector + 'static,
{
    let (PortHandle { control, reports }, port_task) = spawn_port(session, connector, clock, options, cancel);
    let slot = Arc::new(Mutex::new(SealedSlot::default()));
    // One place: the queue of the port behind it is the one that counts.
    let (news_sender, news) = mpsc::channel(1);
    let sealing_task = tokio::spawn(seal(reports, news_sender, Arc::clone(&slot)));
    (ShoeControl { port: control, slot }, news, [port_task, sealing_task])
}

async fn seal(
    mut reports: mpsc::Receiver<PortReport<ShoeEvent>>,
    news: mpsc::Sender<PortReport<ShoeNews>>,
    slot: Arc<Mutex<SealedSlot>>,
) {
    loop {
        let report = tokio::select! {
            report = reports.recv() => report,
            () = news.closed() => None,
        };
        let Some(report) = report else { return };
        let (report, occurrence) = put_away(report, &slot);
        // The warning first: whoever acts on the draw must know that its number is worthless.
        for one in [occurrence.map(PortReport::Occurred), Some(report)].into_iter().flatten() {
            if news.send(one).await.is_err() {
                return;
            }
        }
    }
}

fn put_away(report: PortReport<ShoeEvent>, slot: &Mutex<SealedSlot>) -> (PortReport<ShoeNews>, Option<Occurrence>) {
    let report = match report {
        PortReport::Event { id, event } => {
            let (event, occurrence) = take_card(event, slot);
            return (PortReport::Event { id, event }, occurrence);
        }
        PortReport::LinkUp { identity, continuity } => PortReport::LinkUp { identity, continuity },
        PortReport::LinkDown => PortReport::LinkDown,
        PortReport::CommandAccepted { ticket } => PortReport::CommandAccepted { ticket },
        PortReport::CommandRefused { ticket, refusal } => PortReport::CommandRefused { ticket, refusal },
        PortReport::CommandUnanswered { ticket } => PortReport::CommandUnanswered { ticket },
        PortReport::Fault(signal) => PortReport::Fault(signal),
        PortReport::Occurred(occurrence) => PortReport::Occurred(occurrence),
    };
    (report, None)
}

fn take_card(event: ShoeEvent, slot: &Mutex<SealedSlot>) -> (ShoeNews, Option<Occurrence>) {
    let news = match event {
        ShoeEvent::CardDrawn { context, card } => {
            let draw = card.draw();
            let kept = slot.lock().unwrap_or_else(PoisonError::into_inner).keep(card);
            let occurrence = (kept == Kept::Twice).then_some(Occurrence::DrawNumberRepeated { draw });
            return (ShoeNews::CardDrawn { draw, context }, occurrence);
        }
        ShoeEvent::CardUnread { draw, context } => ShoeNews::CardUnread { draw, context },
        ShoeEvent::CutCardDrawn { drawn } => ShoeNews::CutCardDrawn { drawn },
        ShoeEvent::CardReversed { draw, place } => ShoeNews::CardReversed { draw, place },
        ShoeEvent::CardOverdrawn { draw } => ShoeNews::CardOverdrawn { draw },
        ShoeEvent::Locked { cause } => ShoeNews::Locked { cause },
        ShoeEvent::Unlocked { cause } => ShoeNews::Unlocked { cause },
        ShoeEvent::FaultRaised(fault) => ShoeNews::FaultRaised(fault),
        ShoeEvent::FaultCleared(fault) => ShoeNews::FaultCleared(fault),
        ShoeEvent::State(status) => ShoeNews::State(status),
    };
    (news, None)
}
