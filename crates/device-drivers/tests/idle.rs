//! Nothing polls. Alone in its binary and on one thread, because it measures that thread's processor time.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]

mod support;

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::ReaderSession;
use device_drivers::fault::FaultChange::Raised;
use device_drivers::serial::{PortOptions, PortReport, spawn_port};
use device_protocols::faults::FaultSet;
use device_protocols::reader::{HoleCardReader, ReaderEvent, ReaderState, ReaderStatus};
use support::{Pty, Socket, Twin, host_config, processor_time, until, until_fault};
use tokio_util::sync::CancellationToken;

fn idle() -> ReaderEvent {
    ReaderEvent::State(ReaderStatus { state: ReaderState::Idle, card_present: false, faults: FaultSet::EMPTY })
}

/// Three ports that are up, one whose path is missing and one whose device is dead, with their twins on the same thread.
#[tokio::test]
async fn an_idle_table_sleeps() {
    let clock = MonotonicClock::new();
    let start = |socket: &Socket| {
        let session = ReaderSession::new(host_config(), clock.now());
        spawn_port(session, socket.connector(), clock, PortOptions::default(), CancellationToken::new()).0
    };
    let sockets: Vec<Socket> = (0..5).map(|_| Socket::new()).collect();
    let mut twins = Vec::new();
    let mut handles = Vec::new();
    for (number, socket) in (1..).zip(&sockets[..3]) {
        let pty = Pty::open();
        socket.plug_in(&pty);
        twins.push(Twin::start::<HoleCardReader>(pty, number, "R-1", idle));
        let mut handle = start(socket);
        let id = until(&mut handle.reports, |report| match report {
            PortReport::Event { id, .. } => Some(*id),
            PortReport::LinkUp { .. }
            | PortReport::LinkDown
            | PortReport::CommandAccepted { .. }
            | PortReport::CommandRefused { .. }
            | PortReport::CommandUnanswered { .. }
            | PortReport::Fault(_)
            | PortReport::Occurred(_) => None,
        });
        let id = id.await;
        handle.control.durable(id);
        handles.push(handle);
    }
    let mut missing = start(&sockets[3]);
    until_fault(&mut missing.reports, "RD-001", Raised).await;
    let dead = Pty::open();
    sockets[4].plug_in(&dead);
    let mut silent = start(&sockets[4]);
    until_fault(&mut silent.reports, "RD-010", Raised).await;

    let before = processor_time();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let used = processor_time() - before;
    // Heartbeats of three links, both ends, and retries of two ports cost a few milliseconds. A spin costs four seconds.
    assert!(used < Duration::from_millis(200), "{used:?} of processor time in 4 s of idling");
    for handle in &handles {
        assert!(handle.control.status().link.is_live());
    }
}
