//! The serial devices: one actor a port, and what each says as inputs of the controller.
//!
//! A device's event is acknowledged to the device only when its record is durable. The last acknowledged event of each
//! device is kept with the records, so that after a restart nothing is taken twice.

use std::path::PathBuf;

use device_drivers::clock::MonotonicClock;
use device_drivers::config::{SerialDevice, SerialLink, ShoeDevice, ShoeDialect};
use device_drivers::devices::{
    Reader, ReaderReports, ReaderSession, Shoe, ShoeControl, ShoeNews, ShoeReports, ShoeSession, Shuffler,
    ShufflerReports, ShufflerSession, spawn_shoe,
};
use device_drivers::fault::{FaultChange, FaultSignal, Part, reader_fault, shoe_fault, shuffler_fault};
use device_drivers::serial::{
    AngelSession, PortControl, PortHandle, PortOptions, PortReport, PortSession, TcpConnector, TtyConnector, spawn_port,
};
use device_protocols::angel_eye::{AcknowledgeWhen, AngelOptions, OutboundBcc};
use device_protocols::frame::BootId;
use device_protocols::link::{EventId, ExpectedDevice, HostConfig};
use device_protocols::message::{DeviceIdentity, IdentityText};
use device_protocols::reader::{ReaderCommand, ReaderEvent};
use device_protocols::shoe::{DrawContext, ShoeCommand};
use device_protocols::shuffler::{ShufflerCommand, ShufflerEvent};
use table_controller::{Input, LinkIdentity, ReaderInput, ShoeInput, ShoeSide, ShufflerInput};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::felt::controller_part;

/// Who is told that an event is durable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Port {
    Reader,
    Shuffler,
    LeftShoe,
    RightShoe,
}

impl Port {
    pub(super) const ALL: [Self; 4] = [Self::Reader, Self::Shuffler, Self::LeftShoe, Self::RightShoe];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Shuffler => "shuffler",
            Self::LeftShoe => "shoe",
            Self::RightShoe => "right shoe",
        }
    }

    pub(super) const fn of_shoe(side: ShoeSide) -> Self {
        match side {
            ShoeSide::Left => Self::LeftShoe,
            ShoeSide::Right => Self::RightShoe,
        }
    }
}

/// The ports of a table, and the tasks behind them.
#[derive(Debug, Default)]
pub(super) struct Ports {
    pub(super) reader: Option<(PortControl<ReaderCommand>, ReaderReports)>,
    pub(super) shuffler: Option<(PortControl<ShufflerCommand>, ShufflerReports)>,
    pub(super) shoes: Vec<(ShoeSide, ShoeControl, ShoeReports)>,
    pub(super) tasks: Vec<JoinHandle<()>>,
}

/// What starting a port needs besides its own configuration.
pub(super) struct Starting<'a> {
    pub(super) clock: MonotonicClock,
    pub(super) boot: BootId,
    pub(super) cancel: CancellationToken,
    /// The last durable event of a device, from the journal.
    pub(super) last: &'a dyn Fn(Port) -> Option<EventId>,
}

impl Starting<'_> {
    fn host(&self, port: Port, model: Option<&str>, serial: Option<&str>) -> HostConfig {
        let text = |given: Option<&str>| given.and_then(IdentityText::new);
        HostConfig {
            boot: self.boot,
            expected: ExpectedDevice { model: text(model), serial: text(serial) },
            last_durable: (self.last)(port),
        }
    }

    fn port<S: PortSession>(
        &self,
        session: S,
        link: &SerialLink,
    ) -> (PortHandle<S::Command, S::Event>, JoinHandle<()>) {
        let (clock, options) = (self.clock, PortOptions::default());
        match link {
            SerialLink::Tty { path, baud } => {
                let connector = TtyConnector { path: PathBuf::clone(path), baud: *baud };
                spawn_port(session, connector, clock, options, self.cancel.clone())
            }
            SerialLink::Tcp { address } => {
                let connector = TcpConnector { address: address.clone() };
                spawn_port(session, connector, clock, options, self.cancel.clone())
            }
        }
    }

    pub(super) fn reader(&self, device: &SerialDevice, ports: &mut Ports) {
        let host = self.host(Port::Reader, device.model.as_deref(), device.serial.as_deref());
        let (handle, task) = self.port(ReaderSession::new(host, self.clock.now()), &device.link);
        ports.reader = Some((handle.control, handle.reports));
        ports.tasks.push(task);
    }

    pub(super) fn shuffler(&self, device: &SerialDevice, ports: &mut Ports) {
        let host = self.host(Port::Shuffler, device.model.as_deref(), device.serial.as_deref());
        let (handle, task) = self.port(ShufflerSession::new(host, self.clock.now()), &device.link);
        ports.shuffler = Some((handle.control, handle.reports));
        ports.tasks.push(task);
    }

    pub(super) fn shoe(&self, side: ShoeSide, device: &ShoeDevice, ports: &mut Ports) {
        let angel = |outbound_bcc| {
            let acknowledge_when = AcknowledgeWhen::Durable;
            AngelSession::new(AngelOptions { outbound_bcc, acknowledge_when, boot: self.boot }, self.clock.now())
        };
        let (control, reports, task) = match device.dialect {
            ShoeDialect::Reference => {
                let host = self.host(Port::of_shoe(side), device.model.as_deref(), device.serial.as_deref());
                self.any_shoe(ShoeSession::new(host, self.clock.now()), &device.link)
            }
            ShoeDialect::AngelEyeWithStx => self.any_shoe(angel(OutboundBcc::WithStx), &device.link),
            ShoeDialect::AngelEyeWithoutStx => self.any_shoe(angel(OutboundBcc::WithoutStx), &device.link),
        };
        ports.shoes.push((side, control, reports));
        ports.tasks.push(task);
    }

    fn any_shoe<S>(&self, session: S, link: &SerialLink) -> (ShoeControl, ShoeReports, JoinHandle<()>)
    where
        S: PortSession<Command = ShoeCommand, Event = device_protocols::shoe::ShoeEvent>,
    {
        let (clock, options) = (self.clock, PortOptions::default());
        match link {
            SerialLink::Tty { path, baud } => {
                let connector = TtyConnector { path: PathBuf::clone(path), baud: *baud };
                spawn_shoe(session, connector, clock, options, self.cancel.clone())
            }
            SerialLink::Tcp { address } => {
                let connector = TcpConnector { address: address.clone() };
                spawn_shoe(session, connector, clock, options, self.cancel.clone())
            }
        }
    }
}

impl Ports {
    /// The event's record is on stable storage: the device may forget it.
    pub(super) fn durable(&self, port: Port, id: EventId) {
        match port {
            Port::Reader => self.reader.iter().for_each(|(control, _)| Reader::durable(control, id)),
            Port::Shuffler => self.shuffler.iter().for_each(|(control, _)| Shuffler::durable(control, id)),
            Port::LeftShoe | Port::RightShoe => {
                for (side, control, _) in &self.shoes {
                    if Port::of_shoe(*side) == port {
                        control.durable(id);
                    }
                }
            }
        }
    }

    pub(super) fn shoe(&self, wanted: ShoeSide) -> Option<&ShoeControl> {
        self.shoes.iter().find(|(side, ..)| *side == wanted).map(|(_, control, _)| control)
    }
}

/// What one report leads to: inputs in their order, and the device's number of the event behind them.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) inputs: Vec<Input>,
    pub(super) id: Option<EventId>,
}

/// What all ports' reports have in common.
fn heard<E>(
    report: PortReport<E>,
    up: impl FnOnce(LinkIdentity) -> Input,
    down: impl FnOnce() -> Input,
    refused: impl FnOnce() -> Option<Input>,
    event: impl FnOnce(E) -> Vec<Input>,
    part: Part,
) -> Heard {
    match report {
        PortReport::Event { id, event: happened } => Heard { inputs: event(happened), id: Some(id) },
        PortReport::LinkUp { identity, .. } => Heard { inputs: vec![up(identity_of(identity.as_ref()))], id: None },
        PortReport::LinkDown => Heard { inputs: vec![down()], id: None },
        PortReport::CommandAccepted { .. } => Heard::default(),
        PortReport::CommandRefused { refusal, .. } => {
            tracing::warn!(?part, %refusal, "a command was refused");
            Heard { inputs: refused().into_iter().collect(), id: None }
        }
        PortReport::CommandUnanswered { .. } => Heard { inputs: refused().into_iter().collect(), id: None },
        PortReport::Fault(signal) => Heard { inputs: fault_input(signal).into_iter().collect(), id: None },
        PortReport::Occurred(occurrence) => {
            let code = occurrence.fault().on(part);
            let signal = FaultSignal { code, change: FaultChange::Occurred };
            Heard { inputs: fault_input(signal).into_iter().collect(), id: None }
        }
    }
}

/// A fault that cannot be taken back stays raised until somebody clears it.
pub(super) fn fault_input(signal: FaultSignal) -> Option<Input> {
    let raised = match signal.change {
        FaultChange::Raised | FaultChange::Occurred => true,
        FaultChange::Cleared => false,
    };
    Some(Input::Fault { part: controller_part(signal.code.part), code: signal.code.to_string(), raised })
}

fn fault(code: device_drivers::fault::FaultCode, raised: bool) -> Input {
    Input::Fault { part: controller_part(code.part), code: code.to_string(), raised }
}

fn identity_of(identity: Option<&DeviceIdentity>) -> LinkIdentity {
    identity.map_or_else(LinkIdentity::default, |identity| LinkIdentity {
        model: identity.model.as_str().to_owned(),
        serial: identity.serial.as_str().to_owned(),
        firmware: identity.firmware_hash.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

pub(super) fn from_reader(report: PortReport<ReaderEvent>) -> Heard {
    let event = |event: ReaderEvent| {
        let mut inputs = Vec::new();
        if let ReaderEvent::FaultRaised(raised) = event {
            inputs.push(fault(reader_fault(raised), true));
        } else if let ReaderEvent::FaultCleared(cleared) = event {
            inputs.push(fault(reader_fault(cleared), false));
        } else if let ReaderEvent::State(status) = event {
            inputs.extend(status.faults.iter().map(|each| fault(reader_fault(each), true)));
        }
        inputs.extend(ReaderInput::from_event(event).map(Input::Reader));
        inputs
    };
    heard(
        report,
        |identity| Input::Reader(ReaderInput::Up(identity)),
        || Input::Reader(ReaderInput::Down),
        || Some(Input::Reader(ReaderInput::CommandRefused)),
        event,
        Part::Reader,
    )
}

pub(super) fn from_shuffler(report: PortReport<ShufflerEvent>) -> Heard {
    let event = |event: ShufflerEvent| {
        let mut inputs = Vec::new();
        if let ShufflerEvent::FaultRaised(raised) = event {
            inputs.push(fault(shuffler_fault(raised), true));
        } else if let ShufflerEvent::FaultCleared(cleared) = event {
            inputs.push(fault(shuffler_fault(cleared), false));
        }
        inputs.extend(ShufflerInput::from_event(event).map(Input::Shuffler));
        inputs
    };
    heard(
        report,
        |identity| Input::Shuffler(ShufflerInput::Up(identity)),
        || Input::Shuffler(ShufflerInput::Down),
        || None,
        event,
        Part::Shuffler,
    )
}

pub(super) fn from_shoe(side: ShoeSide, report: PortReport<ShoeNews>) -> Heard {
    let of = |event: ShoeInput| Input::Shoe { side, event };
    let event = |news: ShoeNews| match news {
        ShoeNews::CardDrawn { draw, context } => {
            vec![of(ShoeInput::Drawn { draw: draw.0, in_play: context == DrawContext::InPlay })]
        }
        ShoeNews::CardUnread { draw, .. } => vec![of(ShoeInput::Unread { draw: draw.0 })],
        ShoeNews::CutCardDrawn { .. } => vec![of(ShoeInput::CutCard)],
        ShoeNews::CardReversed { draw, .. } => vec![of(ShoeInput::Reversed { draw: draw.0 })],
        ShoeNews::CardOverdrawn { draw } => vec![of(ShoeInput::Overdrawn { draw: draw.0 })],
        ShoeNews::FaultRaised(raised) => vec![fault(shoe_fault(raised), true)],
        ShoeNews::FaultCleared(cleared) => vec![fault(shoe_fault(cleared), false)],
        ShoeNews::State(status) => vec![of(ShoeInput::State { drawn: status.drawn.0 })],
        ShoeNews::Locked { .. } | ShoeNews::Unlocked { .. } => Vec::new(),
    };
    heard(report, |identity| of(ShoeInput::Up(identity)), || of(ShoeInput::Down), || None, event, Part::Shoe)
}
