//! The serial devices: one actor a port, and what each says as inputs of the controller.
//!
//! A device's event is acknowledged to the device only when its record is durable. The last acknowledged event of each
//! device is kept with the records, so that after a restart nothing is taken twice.

use std::path::PathBuf;
use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::config::{DeviceProtection, SerialDevice, SerialLink, ShoeDevice, ShoeDialect};
use device_drivers::devices::{
    Reader, ReaderReports, ReaderSession, SealedShoeEvent, Shoe, ShoeControl, ShoeReports, ShoeSession, Shuffler,
    ShufflerReports, ShufflerSession, spawn_shoe,
};
use device_drivers::fault::{FaultChange, FaultSignal, Part};
use device_drivers::serial::tap::{SharedWatching, TapSource};
use device_drivers::serial::{
    AngelSession, PortControl, PortHandle, PortLender, PortOptions, PortReport, PortSession, TcpConnector,
    TtyConnector, spawn_port,
};
use device_protocols::angel_eye::{AcknowledgeWhen, AngelOptions, OutboundBcc};
use device_protocols::frame::{BootId, DeviceKind};
use device_protocols::link::{EventId, ExpectedDevice, HostConfig};
use device_protocols::message::{DeviceIdentity, IdentityText};
use device_protocols::protection::Protection;
use device_protocols::reader::{ReaderCommand, ReaderEvent};
use device_protocols::shoe::{DrawContext, ShoeCommand};
use device_protocols::shuffler::{ShufflerCommand, ShufflerEvent};
use table_controller::{
    FaultNews, Input, LinkIdentity, LinkProtection, ReaderInput, ShoeInput, ShoeSide, ShufflerInput, shoe_state_word,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::answering::hold_answers;
use super::places::fault_input;
use crate::pairs::Pairs;

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

    pub(super) const fn part(self) -> Part {
        match self {
            Self::Reader => Part::Reader,
            Self::Shuffler => Part::Shuffler,
            Self::LeftShoe | Self::RightShoe => Part::Shoe,
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
    /// So long after the insertion the reader's answer is taken.
    pub(super) answer_after: Duration,
    /// How much of the lines a technician may watch.
    pub(super) watching: SharedWatching,
    /// The keys of paired devices.
    pub(super) pairs: &'a Pairs,
    /// The last durable event of a device, from the journal.
    pub(super) last: &'a dyn Fn(Port) -> Option<EventId>,
}

impl Starting<'_> {
    fn host(
        &self,
        port: Port,
        model: Option<&str>,
        serial: Option<&str>,
        protection: DeviceProtection,
    ) -> Result<HostConfig, String> {
        let protection = match protection {
            DeviceProtection::None => Protection::None,
            DeviceProtection::Paired => self.pairs.protection(port.word()).map_err(|error| error.to_string())?,
        };
        let text = |given: Option<&str>| given.and_then(IdentityText::new);
        Ok(HostConfig {
            boot: self.boot,
            expected: ExpectedDevice { model: text(model), serial: text(serial) },
            last_durable: (self.last)(port),
            protection,
        })
    }

    fn options(&self) -> PortOptions {
        PortOptions { watching: self.watching.clone(), ..PortOptions::default() }
    }

    fn port<S: PortSession>(
        &self,
        session: S,
        link: &SerialLink,
    ) -> (PortHandle<S::Command, S::Event>, JoinHandle<()>) {
        let (clock, options) = (self.clock, self.options());
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

    pub(super) fn reader(&self, device: &SerialDevice, ports: &mut Ports) -> Result<(), String> {
        let host = self.host(Port::Reader, device.model.as_deref(), device.serial.as_deref(), device.protection)?;
        let (handle, task) = self.port(ReaderSession::new(host, self.clock.now()), &device.link);
        let (reports, holding) = hold_answers(handle.reports, self.answer_after);
        ports.reader = Some((handle.control, reports));
        ports.tasks.extend([task, holding]);
        Ok(())
    }

    pub(super) fn shuffler(&self, device: &SerialDevice, ports: &mut Ports) -> Result<(), String> {
        let host = self.host(Port::Shuffler, device.model.as_deref(), device.serial.as_deref(), device.protection)?;
        let (handle, task) = self.port(ShufflerSession::new(host, self.clock.now()), &device.link);
        ports.shuffler = Some((handle.control, handle.reports));
        ports.tasks.push(task);
        Ok(())
    }

    pub(super) fn shoe(&self, side: ShoeSide, device: &ShoeDevice, ports: &mut Ports) -> Result<(), String> {
        let angel = |outbound_bcc| {
            let acknowledge_when = AcknowledgeWhen::Durable;
            AngelSession::new(AngelOptions { outbound_bcc, acknowledge_when, boot: self.boot }, self.clock.now())
        };
        let (control, reports, task) = match device.dialect {
            ShoeDialect::Reference => {
                let host = self.host(
                    Port::of_shoe(side),
                    device.model.as_deref(),
                    device.serial.as_deref(),
                    device.protection,
                )?;
                self.any_shoe(ShoeSession::new(host, self.clock.now()), &device.link)
            }
            ShoeDialect::AngelEyeWithStx => self.any_shoe(angel(OutboundBcc::WithStx), &device.link),
            ShoeDialect::AngelEyeWithoutStx => self.any_shoe(angel(OutboundBcc::WithoutStx), &device.link),
        };
        ports.shoes.push((side, control, reports));
        ports.tasks.push(task);
        Ok(())
    }

    fn any_shoe<S>(&self, session: S, link: &SerialLink) -> (ShoeControl, ShoeReports, JoinHandle<()>)
    where
        S: PortSession<Command = ShoeCommand, Event = device_protocols::shoe::ShoeEvent>,
    {
        let (clock, options) = (self.clock, self.options());
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
    /// Where each device's traffic can be watched, under the name that the console has for it.
    pub(super) fn taps(&self) -> Vec<(&'static str, TapSource)> {
        let reader = self.reader.iter().map(|(control, _)| ("reader", control.tap_source()));
        let shuffler = self.shuffler.iter().map(|(control, _)| ("shuffler", control.tap_source()));
        let shoes = ["shoe", "right-shoe"].into_iter().zip(&self.shoes);
        let shoes = shoes.map(|(name, (_, control, _))| (name, control.port().tap_source()));
        reader.chain(shuffler).chain(shoes).collect()
    }

    /// By which each port can be had for a while, under the same names.
    pub(super) fn lenders(&self) -> Vec<(&'static str, PortLender)> {
        let reader = self.reader.iter().map(|(control, _)| ("reader", control.lender()));
        let shuffler = self.shuffler.iter().map(|(control, _)| ("shuffler", control.lender()));
        let shoes = ["shoe", "right-shoe"].into_iter().zip(&self.shoes);
        let shoes = shoes.map(|(name, (_, control, _))| (name, control.port().lender()));
        reader.chain(shuffler).chain(shoes).collect()
    }

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

/// What one report leads to: news of faults, then inputs in their order, and the device's number of the event behind them.
#[derive(Debug, Default)]
pub(super) struct DeviceReport {
    pub(super) faults: Option<FaultNews>,
    pub(super) inputs: Vec<Input>,
    pub(super) id: Option<EventId>,
}

impl DeviceReport {
    fn inputs(inputs: Vec<Input>) -> Self {
        Self { inputs, ..Self::default() }
    }
}

/// What one event of a device means here.
struct Meaning {
    faults: Option<FaultNews>,
    input: Option<Input>,
}

/// What all ports' reports have in common.
fn device_report<E>(
    report: PortReport<E>,
    up: impl FnOnce(LinkIdentity) -> Input,
    down: impl FnOnce() -> Input,
    refused: impl FnOnce() -> Option<Input>,
    meaning: impl FnOnce(E) -> Meaning,
    part: Part,
) -> DeviceReport {
    match report {
        PortReport::Event { id, event } => {
            let Meaning { faults, input } = meaning(event);
            DeviceReport { faults, inputs: input.into_iter().collect(), id: Some(id) }
        }
        PortReport::LinkUp { identity, protection, .. } => {
            DeviceReport::inputs(vec![up(identity_of(identity.as_ref(), protection))])
        }
        PortReport::LinkDown => DeviceReport::inputs(vec![down()]),
        PortReport::CommandAccepted { .. } => DeviceReport::default(),
        PortReport::CommandRefused { refusal, .. } => {
            tracing::warn!("the {} refused a command: {refusal}", part.word());
            DeviceReport::inputs(refused().into_iter().collect())
        }
        PortReport::CommandUnanswered { .. } => DeviceReport::inputs(refused().into_iter().collect()),
        PortReport::Fault(signal) => DeviceReport::inputs(vec![Input::Fault(fault_input(signal))]),
        PortReport::Occurred(occurrence) => {
            let code = occurrence.fault().on(part);
            let signal = FaultSignal::new(code, FaultChange::Occurred);
            DeviceReport::inputs(vec![Input::Fault(fault_input(signal))])
        }
    }
}

fn identity_of(identity: Option<&DeviceIdentity>, protection: DeviceProtection) -> LinkIdentity {
    let protection = Some(match protection {
        DeviceProtection::Paired => LinkProtection::Paired,
        DeviceProtection::None => LinkProtection::None,
    });
    let nameless = || LinkIdentity { protection, ..LinkIdentity::default() };
    identity.map_or_else(nameless, |identity| LinkIdentity {
        model: identity.model.as_str().to_owned(),
        serial: identity.serial.as_str().to_owned(),
        firmware: identity.firmware_hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        protection,
    })
}

pub(super) fn from_reader(report: PortReport<ReaderEvent>) -> DeviceReport {
    let meaning = |event: ReaderEvent| {
        let kind = DeviceKind::HoleCardReader;
        let faults = if let ReaderEvent::FaultRaised(fault) = event {
            Some(FaultNews::raised(kind, fault))
        } else if let ReaderEvent::FaultCleared(fault) = event {
            Some(FaultNews::cleared(kind, fault))
        } else if let ReaderEvent::State(status) = event {
            Some(FaultNews::standing(kind, status.faults))
        } else {
            None
        };
        Meaning { faults, input: ReaderInput::from_event(event).map(Input::Reader) }
    };
    device_report(
        report,
        |identity| Input::Reader(ReaderInput::Up(identity)),
        || Input::Reader(ReaderInput::Down),
        || Some(Input::Reader(ReaderInput::CommandRefused)),
        meaning,
        Part::Reader,
    )
}

pub(super) fn from_shuffler(report: PortReport<ShufflerEvent>) -> DeviceReport {
    let meaning = |event: ShufflerEvent| {
        let kind = DeviceKind::Shuffler;
        let faults = if let ShufflerEvent::FaultRaised(fault) = event {
            Some(FaultNews::raised(kind, fault))
        } else if let ShufflerEvent::FaultCleared(fault) = event {
            Some(FaultNews::cleared(kind, fault))
        } else if let ShufflerEvent::State(status) = event {
            Some(FaultNews::standing(kind, status.faults))
        } else {
            None
        };
        Meaning { faults, input: ShufflerInput::from_event(event).map(Input::Shuffler) }
    };
    device_report(
        report,
        |identity| Input::Shuffler(ShufflerInput::Up(identity)),
        || Input::Shuffler(ShufflerInput::Down),
        || None,
        meaning,
        Part::Shuffler,
    )
}

pub(super) fn from_shoe(side: ShoeSide, report: PortReport<SealedShoeEvent>) -> DeviceReport {
    let kind = DeviceKind::Shoe;
    let of = |event: ShoeInput| Input::Shoe { side, event };
    let input = |event: ShoeInput| Meaning { faults: None, input: Some(of(event)) };
    let faults = |news: FaultNews| Meaning { faults: Some(news), input: None };
    let meaning = |news: SealedShoeEvent| match news {
        SealedShoeEvent::CardDrawn { draw, context } => {
            input(ShoeInput::Drawn { draw: draw.0, in_play: context == DrawContext::InPlay })
        }
        SealedShoeEvent::CardUnread { draw, .. } => input(ShoeInput::Unread { draw: draw.0 }),
        SealedShoeEvent::CutCardDrawn { .. } => input(ShoeInput::CutCard),
        SealedShoeEvent::CardReversed { draw, .. } => input(ShoeInput::Reversed { draw: draw.0 }),
        SealedShoeEvent::CardOverdrawn { draw } => input(ShoeInput::Overdrawn { draw: draw.0 }),
        SealedShoeEvent::Locked { cause } => input(ShoeInput::Locked { by: cause.into() }),
        SealedShoeEvent::Unlocked { cause } => input(ShoeInput::Unlocked { by: cause.into() }),
        SealedShoeEvent::FaultRaised(fault) => faults(FaultNews::raised(kind, fault)),
        SealedShoeEvent::FaultCleared(fault) => faults(FaultNews::cleared(kind, fault)),
        SealedShoeEvent::State(status) => {
            let (drawn, state) = (status.drawn.0, shoe_state_word(status.state).to_owned());
            Meaning {
                faults: Some(FaultNews::standing(kind, status.faults)),
                input: Some(of(ShoeInput::State { drawn, state })),
            }
        }
    };
    device_report(report, |identity| of(ShoeInput::Up(identity)), || of(ShoeInput::Down), || None, meaning, Part::Shoe)
}
