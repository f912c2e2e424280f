//! The real serial driver against a twin on a pty: it comes up, hears every event once, and comes back by itself after
//! whatever the twin does to it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::ReaderSession;
use device_drivers::serial::{PortHandle, PortOptions, PortReport, TtyConnector, spawn_port};
use device_protocols::frame::BootId;
use device_protocols::link::{ExpectedDevice, HostConfig, Millis};
use device_protocols::protection::Protection;
use device_protocols::reader::{ReaderCommand, ReaderEvent, UpCardGroup};
use table_simulator::port::RunningTwin;
use table_simulator::reader::ReaderTwin;
use table_simulator::twin::Twin;
use tokio_util::sync::CancellationToken;

/// Long enough for a loaded machine; nothing waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(300);

type Handle = PortHandle<ReaderCommand, ReaderEvent>;

async fn until(handle: &mut Handle, what: &str, wanted: impl Fn(&PortReport<ReaderEvent>) -> bool) {
    let search = async {
        while let Some(report) = handle.reports.recv().await {
            if let PortReport::Event { id, .. } = &report {
                handle.control.durable(*id);
            }
            if wanted(&report) {
                return true;
            }
        }
        false
    };
    assert!(tokio::time::timeout(PATIENCE, search).await.unwrap_or_else(|_| panic!("{what}")), "{what}");
}

fn is_up(report: &PortReport<ReaderEvent>) -> bool {
    matches!(report, PortReport::LinkUp { .. })
}

fn is_state(report: &PortReport<ReaderEvent>) -> bool {
    matches!(report, PortReport::Event { event: ReaderEvent::State(_), .. })
}

/// Arms the reader, has a card inserted, hears the answer, takes the card out.
async fn peek(handle: &mut Handle, running: &RunningTwin<ReaderTwin>, what: &str) {
    handle.control.command(ReaderCommand::Arm { group: UpCardGroup::Ace }).unwrap();
    until(handle, what, |report| matches!(report, PortReport::CommandAccepted { .. })).await;
    running.act(|twin, now| twin.obey("insert Kh", now)).unwrap();
    until(handle, what, |report| matches!(report, PortReport::Event { event: ReaderEvent::Answered { .. }, .. })).await;
    running.act(|twin, now| twin.obey("remove", now)).unwrap();
    until(handle, what, |report| matches!(report, PortReport::Event { event: ReaderEvent::CardRemoved, .. })).await;
}

#[tokio::test]
async fn the_driver_comes_back_from_everything_the_twin_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reader");
    let running = RunningTwin::on_pty(ReaderTwin::new(1, Millis(0)), Some(&path), None).unwrap();
    let clock = MonotonicClock::new();
    let cancel = CancellationToken::new();
    let config = HostConfig {
        boot: BootId::new(0xC0FF_EE01).unwrap(),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::None,
    };
    let session = ReaderSession::new(config, clock.now());
    let connector = TtyConnector { path: path.clone(), baud: 115_200 };
    let (mut handle, task) = spawn_port(session, connector, clock, PortOptions::default(), cancel.clone());
    until(&mut handle, "the first greeting", is_up).await;
    until(&mut handle, "the first state", is_state).await;
    peek(&mut handle, &running, "a peek").await;

    for words in ["reboot", "cut", "power off"] {
        running.act(|twin, now| twin.obey(words, now)).unwrap();
        if words == "power off" {
            until(&mut handle, words, |report| matches!(report, PortReport::LinkDown)).await;
            running.act(|twin, now| twin.obey("power on", now)).unwrap();
        }
        until(&mut handle, words, is_up).await;
        until(&mut handle, words, is_state).await;
        peek(&mut handle, &running, words).await;
    }
    running.act(|twin, now| twin.obey("silent", now)).unwrap();
    until(&mut handle, "silence", |report| matches!(report, PortReport::LinkDown)).await;
    running.act(|twin, now| twin.obey("silent off", now)).unwrap();
    until(&mut handle, "speaking again", is_up).await;
    until(&mut handle, "speaking again", is_state).await;
    peek(&mut handle, &running, "after silence").await;

    running.unplug();
    until(&mut handle, "unplugged", |report| matches!(report, PortReport::LinkDown)).await;
    running.replug();
    until(&mut handle, "replugged", is_up).await;
    until(&mut handle, "replugged", is_state).await;
    peek(&mut handle, &running, "after the replug").await;

    cancel.cancel();
    task.await.unwrap();
}
