//! What goes into the controller's end of a link and what comes out: its configuration, refusals and events.

use thiserror::Error;

use super::{Continuity, Degradation, EventId, Loss, OutboxFull};
use crate::frame::{BootId, DeviceKind, MessageId, Sequence};
use crate::message::{BodyFault, DeviceIdentity, DeviceProtocol, IdentityText, NakReason};
use crate::protection::Protection;

/// What the table's configuration says about the device on this port. The kind is fixed by the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedDevice {
    pub model: Option<IdentityText>,
    pub serial: Option<IdentityText>,
}

#[derive(Clone, Debug)]
pub struct HostConfig {
    /// Of this start of the controller.
    pub boot: BootId,
    pub expected: ExpectedDevice,
    /// The last event of this device that the journal holds, so that it is not delivered again after our restart.
    pub last_durable: Option<EventId>,
    pub protection: Protection,
}

/// Why a command was not queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotSent {
    #[error("the link is not up; send the command again when it is, if it still makes sense")]
    LinkNotUp,
    #[error(transparent)]
    OutboxFull(#[from] OutboxFull),
}

/// How the device that answers differs from the one that belongs here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    Kind {
        found: DeviceKind,
    },
    Model {
        found: IdentityText,
    },
    Serial {
        found: IdentityText,
    },
    /// It has no keys of ours, or others; or one of the two ends speaks in the clear and the other does not.
    NotPaired,
}

/// What the controller learns, in the order it happened.
#[derive(Debug)]
pub enum HostEvent<P: DeviceProtocol> {
    LinkUp {
        identity: DeviceIdentity,
        continuity: Continuity,
    },
    LinkDegraded(Degradation),
    LinkRecovered,
    LinkLost(Loss),
    /// After a loss, or after a restart of the device so short that no loss was noticed.
    LinkBack {
        identity: DeviceIdentity,
        continuity: Continuity,
    },
    WrongDevice(Mismatch),
    /// The device says that events were sent and acknowledged which we have never seen. Evidence is missing.
    EventsMissing {
        expected: Sequence,
        found: Sequence,
    },
    /// Hand it on, make it durable, then call [`LinkHost::acknowledge`](super::LinkHost::acknowledge).
    Device {
        id: EventId,
        event: P::Event,
    },
    /// The device sent something valid that this software does not know; it was turned away.
    NotUnderstood {
        id: Option<EventId>,
        fault: BodyFault,
    },
    CommandAccepted {
        id: MessageId,
    },
    CommandRefused {
        id: MessageId,
        reason: NakReason,
    },
    /// Nobody knows whether it was carried out. STATE, which is asked for when the link is back, will tell.
    CommandUnanswered {
        id: MessageId,
    },
}
