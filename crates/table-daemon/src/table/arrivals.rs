//! What arrives from the devices: one thing at a time, whichever speaks first.

use device_drivers::gpio::watch::InputReport;
use device_drivers::lamps::LampSignal;
use device_drivers::mcp23017::BusSignal;
use device_drivers::serial::PortReport;
use device_protocols::reader::ReaderEvent;
use device_protocols::shuffler::ShufflerEvent;
use table_controller::ShoeSide;
use tokio::sync::mpsc;

use super::devices::Ports;
use super::layout::LayoutRunning;

/// One thing that arrived.
pub(super) enum Arrival {
    Reader(PortReport<ReaderEvent>),
    Shuffler(PortReport<ShufflerEvent>),
    Shoe(ShoeSide, PortReport<device_drivers::devices::SealedShoeEvent>),
    Layout(InputReport),
    Lamps(LampSignal),
    Bus(BusSignal),
}

/// The next thing that any device says. `None` when there is no device left.
pub(super) async fn next_arrival(ports: &mut Ports, layout: &mut Option<LayoutRunning>) -> Option<Arrival> {
    let Ports { reader, shuffler, shoes, .. } = ports;
    let first = shoes.len().min(1);
    let (left, right) = shoes.split_at_mut(first);
    let (layout_reports, lamp_faults, bus_faults) = match layout {
        Some(layout) => (Some(&mut layout.reports), Some(&mut layout.lamp_faults), layout.bus_faults.as_mut()),
        None => (None, None, None),
    };
    tokio::select! {
        Some(report) = next(layout_reports) => Some(Arrival::Layout(report)),
        Some(report) = next(reader.as_mut().map(|(_, reports)| reports)) => Some(Arrival::Reader(report)),
        Some(report) = next(left.first_mut().map(|(_, _, reports)| reports)) => {
            Some(Arrival::Shoe(ShoeSide::Left, report))
        }
        Some(report) = next(right.first_mut().map(|(_, _, reports)| reports)) => {
            Some(Arrival::Shoe(ShoeSide::Right, report))
        }
        Some(report) = next(shuffler.as_mut().map(|(_, reports)| reports)) => Some(Arrival::Shuffler(report)),
        Some(signal) = next(lamp_faults) => Some(Arrival::Lamps(signal)),
        Some(signal) = next(bus_faults) => Some(Arrival::Bus(signal)),
        else => None,
    }
}

/// A channel that is not there says nothing, ever.
async fn next<T>(reports: Option<&mut mpsc::Receiver<T>>) -> Option<T> {
    match reports {
        Some(reports) => reports.recv().await,
        None => std::future::pending().await,
    }
}
