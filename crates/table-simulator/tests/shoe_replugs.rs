//! The shoe's plug is pulled a hundred times: nothing is left behind and no draw is lost or counted twice. Alone in its
//! binary, because it counts the process's descriptors.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::{SealedShoeEvent, Shoe, ShoeReports, ShoeSession, spawn_shoe};
use device_drivers::fault::{FaultChange, Part, PortFault};
use device_drivers::serial::{PortOptions, PortReport, TtyConnector};
use device_protocols::frame::BootId;
use device_protocols::link::{ExpectedDevice, HostConfig, Millis};
use device_protocols::protection::Protection;
use device_protocols::sealed::{DrawNumber, FaceUp};
use table_simulator::port::RunningTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::twin::Twin;
use tokio_util::sync::CancellationToken;

/// Long enough for a loaded machine; nothing waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(300);

const REPLUGS: u16 = 100;

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Takes reports until one is wanted; keeps the numbers of all draws that went by.
async fn until(
    reports: &mut ShoeReports,
    shoe: &impl Shoe,
    draws: &mut Vec<DrawNumber>,
    what: &str,
    wanted: impl Fn(&PortReport<SealedShoeEvent>) -> bool,
) {
    loop {
        let report = tokio::time::timeout(PATIENCE, reports.recv()).await;
        let report = report.unwrap_or_else(|_| panic!("never came: {what}; {:?}", shoe.status().faults)).unwrap();
        assert!(!matches!(report, PortReport::Occurred(_)), "{what}: {report:?}");
        if let PortReport::Event { id, event } = &report {
            shoe.durable(*id);
            if let SealedShoeEvent::CardDrawn { draw, .. } = event {
                draws.push(*draw);
            }
        }
        if wanted(&report) {
            return;
        }
    }
}

/// Waits until this draw has come, if it has not. Number 0 is before all draws.
async fn wait_for(draw: DrawNumber, reports: &mut ShoeReports, shoe: &impl Shoe, draws: &mut Vec<DrawNumber>) {
    if draws.last().copied().unwrap_or(DrawNumber(0)) == draw {
        return;
    }
    let wanted = |report: &PortReport<SealedShoeEvent>| matches!(report, PortReport::Event { event: SealedShoeEvent::CardDrawn { draw: came, .. }, .. } if *came == draw);
    until(reports, shoe, draws, &draw.to_string(), wanted).await;
}

#[tokio::test]
async fn a_hundred_replugs_leak_nothing_and_lose_no_draw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shoe");
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let at_start = (descriptors(), threads(), tasks());
    let running = RunningTwin::on_pty(ShoeTwin::new(1, Millis(0)), Some(&path), None).unwrap();
    running.act(|twin, now| twin.obey("load 4", now)).unwrap();
    let (clock, cancel) = (MonotonicClock::new(), CancellationToken::new());
    let config = HostConfig {
        boot: BootId::new(0xC0FF_EE01).unwrap(),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::None,
    };
    let session = ShoeSession::new(config, clock.now());
    let connector = TtyConnector { path, baud: 115_200 };
    let (shoe, mut reports, spawned) = spawn_shoe(session, connector, clock, PortOptions::default(), cancel.clone());
    let hung_up = PortFault::HungUp.on(Part::Shoe);
    let mut draws = Vec::new();
    let mut unplugged = None;
    for round in 1..=REPLUGS {
        let what = format!("round {round}");
        let up = |report: &PortReport<SealedShoeEvent>| matches!(report, PortReport::LinkUp { .. });
        until(&mut reports, &shoe, &mut draws, &what, up).await;
        // A device remembers a few dozen events; before the next card the last one must have come through.
        wait_for(DrawNumber(round - 1), &mut reports, &shoe, &mut draws).await;
        // Drawn just before the plug goes: it may be on the line, or acknowledged by a message that is lost.
        running.act(|twin, now| twin.obey("draw", now)).unwrap();
        running.unplug();
        let gone = |report: &PortReport<SealedShoeEvent>| matches!(report, PortReport::Fault(signal) if (signal.code, signal.change) == (hung_up, FaultChange::Raised));
        until(&mut reports, &shoe, &mut draws, &what, gone).await;
        let most = *unplugged.get_or_insert((descriptors(), threads(), tasks()));
        // The twin's thread closes its end in two steps, of which the first is already heard here.
        let released = async {
            while (descriptors(), threads(), tasks()) > most {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, released).await.is_ok(), "more is held after {round} rounds: {most:?}");
        running.replug();
    }
    wait_for(DrawNumber(REPLUGS), &mut reports, &shoe, &mut draws).await;
    assert!(draws.iter().copied().eq((1..=REPLUGS).map(DrawNumber)), "each once and in order: {draws:?}");
    for draw in draws {
        shoe.open(draw, FaceUp::said_by_controller(draw)).unwrap();
    }
    cancel.cancel();
    spawned.await.unwrap();
    drop((running, reports, shoe));
    // A joined thread may stand in /proc for a moment longer: the kernel wakes the joiner before it takes the entry away.
    let gone = async {
        while (descriptors(), threads(), tasks()) != at_start {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let left = tokio::time::timeout(PATIENCE, gone).await;
    assert!(left.is_ok(), "left behind: {:?}, at the start {at_start:?}", (descriptors(), threads(), tasks()));
}
