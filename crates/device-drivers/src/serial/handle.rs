//! The handle by which the rest of the daemon holds a port: orders in, reports and the port's state out.
//!
//! It never waits for the device: what becomes of an order is reported under its ticket.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use device_protocols::link::{EventId, LinkCounts, LinkState};
use device_protocols::message::DeviceIdentity;
use device_protocols::protection::PairKeys;
use device_protocols::protection::pairing::PairingOffer;
use thiserror::Error;
use tokio::sync::{broadcast, mpsc, watch};

use super::session::{CommandTicket, PortReport};
use super::tap::{TapLine, TapSource};
use crate::fault::{FaultCode, Part};

/// Commands that wait for the actor.
pub(super) const COMMANDS_CAPACITY: usize = 16;

/// What a technician sees of a port at any moment.
#[derive(Clone, Debug)]
pub struct PortStatus {
    pub part: Part,
    pub open: bool,
    pub link: LinkState,
    /// What stands, worst first or alone.
    pub faults: Vec<FaultCode>,
    /// Bytes, frames, events: the ladder on which a fault is found.
    pub counts: LinkCounts,
    pub times_opened: u64,
    /// Why the last attempt to open failed, in the kernel's words.
    pub last_open_error: Option<String>,
    pub identity: Option<DeviceIdentity>,
    /// A pairing that waits for two people.
    pub pairing: Option<PairingOffer>,
}

/// What is wanted of a port's protection.
#[derive(Clone, Debug, Default)]
pub(super) struct PairingWish {
    pub(super) allowed: bool,
    pub(super) keys: Option<PairKeys>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotQueued {
    #[error("{COMMANDS_CAPACITY} commands already wait for this port; wait for an answer before sending more")]
    Full,
    #[error("the driver of this port has ended")]
    Ended,
}

/// A command on its way to the actor.
pub(super) struct Order<C> {
    pub(super) ticket: CommandTicket,
    pub(super) command: C,
}

/// The side that gives orders. Cheap to clone.
pub struct PortControl<C> {
    pub(super) commands: mpsc::Sender<Order<C>>,
    pub(super) durable: Arc<watch::Sender<Option<EventId>>>,
    pub(super) status: watch::Receiver<PortStatus>,
    pub(super) tap: broadcast::WeakSender<TapLine>,
    pub(super) tickets: Arc<AtomicU64>,
    pub(super) lent: watch::Sender<bool>,
    pub(super) pairing: Arc<watch::Sender<PairingWish>>,
}

impl<C> Clone for PortControl<C> {
    fn clone(&self) -> Self {
        Self {
            commands: self.commands.clone(),
            durable: Arc::clone(&self.durable),
            status: self.status.clone(),
            tap: self.tap.clone(),
            tickets: Arc::clone(&self.tickets),
            lent: self.lent.clone(),
            pairing: Arc::clone(&self.pairing),
        }
    }
}

impl<C> fmt::Debug for PortControl<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortControl").field("part", &self.status.borrow().part).finish_non_exhaustive()
    }
}

impl<C> PortControl<C> {
    /// Queues a command. What becomes of it is reported under the ticket.
    pub fn command(&self, command: C) -> Result<CommandTicket, NotQueued> {
        let place = self.commands.try_reserve().map_err(|error| match error {
            mpsc::error::TrySendError::Full(()) => NotQueued::Full,
            mpsc::error::TrySendError::Closed(()) => NotQueued::Ended,
        })?;
        let ticket = CommandTicket(self.tickets.fetch_add(1, Ordering::Relaxed));
        place.send(Order { ticket, command });
        Ok(ticket)
    }

    /// The event is in the journal and synced; the device may forget it.
    ///
    /// Only the last id is kept, and that is enough: a device has one event on the way at a time.
    pub fn durable(&self, id: EventId) {
        self.durable.send_replace(Some(id));
    }

    /// In service mode a device whose button was pressed may be paired; what it comes to is in the status.
    pub fn allow_pairing(&self, allowed: bool) {
        self.pairing.send_if_modified(|wish| std::mem::replace(&mut wish.allowed, allowed) != allowed);
    }

    /// Two people have confirmed a pairing: the line is under these keys from now on.
    pub fn set_keys(&self, keys: PairKeys) {
        self.pairing.send_modify(|wish| wish.keys = Some(keys));
    }

    pub fn status(&self) -> PortStatus {
        self.status.borrow().clone()
    }

    /// Waits for the next change of port, link or faults. Counters alone wake nobody.
    pub async fn status_changed(&mut self) -> Option<PortStatus> {
        self.status.changed().await.ok()?;
        Some(self.status.borrow_and_update().clone())
    }

    /// The traffic from now on, masked. `None` if the driver has ended.
    pub fn tap(&self) -> Option<broadcast::Receiver<TapLine>> {
        self.tap_source().watch()
    }

    pub fn tap_source(&self) -> TapSource {
        TapSource(self.tap.clone())
    }

    /// By which the port can be had for a while.
    pub fn lender(&self) -> PortLender {
        PortLender { lent: self.lent.clone(), status: self.status.clone() }
    }
}

/// Lends a port on which no device answers: the driver closes it, and opens it again when it is given back. No command
/// can be given through it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PortLender {
    lent: watch::Sender<bool>,
    status: watch::Receiver<PortStatus>,
}

/// Why a port is not lent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotLent {
    #[error("a device answers on this port")]
    DeviceAnswers,
    #[error("somebody has this port already")]
    Already,
    #[error("the driver of this port has ended")]
    Ended,
}

/// A port that is lent; given back when dropped.
#[derive(Debug)]
pub struct Lent(watch::Sender<bool>);

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}

impl PortLender {
    /// Waits until the driver has let go.
    pub async fn lend(&self) -> Result<Lent, NotLent> {
        let mut status = self.status.clone();
        if status.borrow().link.is_live() {
            return Err(NotLent::DeviceAnswers);
        }
        if self.lent.send_replace(true) {
            return Err(NotLent::Already);
        }
        let lent = Lent(self.lent.clone());
        status.wait_for(|status| !status.open).await.map_err(|_| NotLent::Ended)?;
        Ok(lent)
    }
}

/// Both sides of a port.
#[derive(Debug)]
pub struct PortHandle<C, E> {
    pub control: PortControl<C>,
    pub reports: mpsc::Receiver<PortReport<E>>,
}
